"""Fief, phase 7: the results of a battle: the dead, the place, its castle or city (`FI-74`, `FI-75`)."""

from __future__ import annotations

from rules.fief.combats.camps import fighters
from rules.fief.combats.dice import battle
from rules.fief.combats.strengths import at_stake, led_armies
from rules.fief.data import Colour
from rules.fief.deaths.dying import die
from rules.fief.lords import city_of, lords_at
from rules.fief.moves import Attack, Move, Take
from rules.fief.state import Captured, State
from rules.fief.style import style, title
from rules.kernel import Fact, Facts, Value


def resolve_attack(state: State, move: Attack) -> State:
    """The state after an attack: with equal totals, only the attack itself is recorded."""
    lead = battle(state, move).lead
    if state.phase == "combats":
        state = state._replace(attacked=state.attacked | {move.village})
    if lead == 0:
        return state
    return _win_attack(state, move) if lead > 0 else _lose_attack(state, move)


def _lose_attack(state: State, move: Attack) -> State:
    """`FI-74`: the attacking lords die, and the armies that they led fall; their churchmen were in neither camp."""
    dead = [name for player in move.attackers for name in fighters(state, move.village, player)]
    led = led_armies(state, move)
    return die(state._replace(armies=tuple(army for army in state.armies if army not in led)), dead)


def _win_attack(state: State, move: Attack) -> State:
    """`FI-74`, `FI-75`: the enemies there die with the armies of their dead; the attacker takes what is at stake."""
    village, stake = move.village, at_stake(state, move)
    fief = state.land.fief_of[village]
    holder = state.titles.get(fief)
    holds = state.lords[holder].player if holder is not None else None
    old = state.control.get(village)
    dead = [name for player in move.enemies for name in lords_at(state, village, player)]
    armies = tuple(army for army in state.armies if army.place != village or army.player not in move.enemies)
    city = stake and state.buildings.get(village) == "city"
    titles = {each: lord for each, lord in state.titles.items() if not (city and each == fief)}
    after = die(state._replace(armies=armies, titles=titles), dead)
    if not stake:
        return after
    attacker = move.attackers[0]
    after = after._replace(control={**after.control, village: attacker})
    if city:
        return _take_city(after, village, attacker, old, holds)
    return after._replace(buildings={place: each for place, each in after.buildings.items() if place != village})


def _take_city(state: State, village: str, attacker: Colour, old: str | None, holds: str | None) -> State:
    """`FI-75`: the fief follows its city; if several lords can take the title, the player has to choose."""
    fief = state.land.fief_of[village]
    whole = state.readings["city_falls"] == "whole_fief"
    spared = spared_player(state, attacker, old, holds)
    won = {
        place: attacker
        for place in state.land.fiefs[fief]
        if (whole or state.control.get(place) == old) and not (spared and lords_at(state, place, spared))
    }
    state = state._replace(control={**state.control, **won})
    takers = lords_at(state, village, attacker)
    if len(takers) == 1:
        return state._replace(titles={**state.titles, fief: takers[0]})
    return state._replace(captured=Captured(fief, attacker)) if takers else state


def spared_player(state: State, attacker: str, old: str | None, holds: str | None) -> str | None:
    """`FI-75`: the player whose living lords keep the villages where they stand from falling with the city.

    It is the player of the title's holder, unless that is the attacker, or the old controller (reading `city_falls`).
    """
    if state.readings["city_falls"] == "whole_fief":
        return None if holds == attacker else holds
    return old


# --- who takes the title (FI-75) ---------------------------------------------------------------------------------


def first_take(state: State, move: Move) -> Facts:
    """`FI-75`: nothing else happens before the title of a captured city is taken."""
    return Facts("pending", {"kind": move.kind, **capture(state)})


def capture(state: State) -> dict[str, Value]:
    """The fief that was captured, its city and the attacker, for a sentence."""
    captured = state.captured
    if captured is None:
        return {}
    return {"fief": title(state, captured.fief), "village": city_of(state, captured.fief), "colour": captured.player}


def takers(state: State) -> list[str]:
    """The lords who can take the title of the captured city."""
    captured = state.captured
    return lords_at(state, city_of(state, captured.fief) or "", captured.player) if captured else []


def may_take(state: State, move: Take) -> Facts | None:
    """`FI-75`: the captured fief, for a living lord of the attacker who is in the city."""
    captured = state.captured
    if captured is None or move.fief != captured.fief:
        return Facts("other", {"fief": title(state, move.fief)})
    if move.lord in takers(state):
        return None
    evidence = (Fact((move.lord,)),) if move.lord in state.lords else ()
    return Facts("not_there", {"lord": style(state, move.lord), **capture(state)}, evidence)


def take_title(state: State, move: Take) -> State:
    """The state after the title of a captured city is taken."""
    return state._replace(titles={**state.titles, move.fief: move.lord}, captured=None)
