"""Fief, phase 7: camps, strengths and dice (`FI-70` to `FI-74`), and sieges (`FI-77`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.fief.data import Colour
from rules.fief.lords import CHURCH, LAY, lay_title, of_church, rank_of, there
from rules.fief.moves import Attack, Siege
from rules.fief.state import Army, Besieged, State
from rules.kernel import Fact, Facts, Ruling, Value

STRENGTH_A_DIE = 3
BATTLE_DIE = (0, 3)
ORDINARY_DIE = (1, 6)
PLACES = {None: 1, "castle": 2, "city": 3}
"""What a village, a castle, a city adds to its defence (`FI-72`)."""


# --- camps (FI-70) -----------------------------------------------------------------------------------------------


def fighters(state: State, village: str, player: str) -> list[str]:
    """The lords of a player who can attack at a village: those without a church title."""
    return [name for name in there(state, village, player) if of_church(state, name) is None]


def can_attack(state: State, village: str) -> list[Colour]:
    """The players who can be in the attacking camp at a village."""
    return [player for player in state.colours if fighters(state, village, player)]


def can_be_attacked(state: State, village: str) -> list[Colour]:
    """The players who are present at a village, also by the army of a dead lord, or control it."""
    present: set[Colour | None] = {lord.player for lord in state.lords.values() if lord.place == village}
    present |= {army.player for army in state.armies if army.place == village}
    present.add(state.control.get(village))
    return [player for player in state.colours if player in present]


def led_by_the_player_in_turn(state: State, move: Attack) -> Facts | None:
    """`FI-3`: the player in turn leads the attack."""
    leader = move.attackers[0]
    return None if leader == state.turn else Facts("leader", {"colour": leader, "turn": state.turn})


def camps(state: State, move: Attack) -> Facts | None:
    """`FI-70`: attackers have a lord without a church title there; enemies are there or control the place."""
    village = move.village
    evidence = (Fact((village,)),)
    if village not in state.land.fief_of:
        return Facts("nowhere", {"village": village})
    if village in state.attacked:
        return Facts("again", {"village": village, "colour": state.turn}, evidence)
    for player in move.attackers:
        if not fighters(state, village, player):
            return Facts("no_fighter", {"village": village, "colour": player}, evidence)
    possible = can_be_attacked(state, village)
    for player in move.enemies:
        if player in move.attackers:
            return Facts("both", {"colour": player}, evidence)
        if player not in possible:
            return Facts("no_enemy", {"village": village, "colour": player}, evidence)
    return None


# --- strengths (FI-71, FI-72) ------------------------------------------------------------------------------------


class Part(NamedTuple):
    """A part of a camp's strength: what it is, the lord or the village, and its strength."""

    code: str
    name: str
    n: int


def led_armies(state: State, move: Attack) -> list[Army]:
    """The dead lords' armies that join the attack (reading `dead_army`): their heir leads them on the spot."""
    if state.readings["dead_army"] == "defends":
        return []
    heirs = {name for player in move.attackers for name in fighters(state, move.village, player)}
    return [army for army in state.armies if army.place == move.village and army.heir in heirs]


def attack_parts(state: State, move: Attack) -> list[Part]:
    """`FI-71`: the strength of the attack, lord by lord, and of the armies that join it."""
    names = [name for player in move.attackers for name in fighters(state, move.village, player)]
    lords = [Part(_lay_word(state, name), name, rank_of(state, name).lay) for name in names]
    return lords + [Part("army", army.lord, army.lay) for army in led_armies(state, move)]


def defence_parts(state: State, move: Attack) -> list[Part]:
    """`FI-71`, `FI-72`: the strength of the defence: lords, armies of the dead, and the place if an enemy's."""
    village = move.village
    names = [name for player in move.enemies for name in there(state, village, player)]
    parts = [_defender(state, name) for name in names]
    armies = (army for army in state.armies if army.place == village and army.player in move.enemies)
    parts += [Part("army", army.lord, max(army.lay, army.church)) for army in armies]
    if at_stake(state, move):
        building = state.buildings.get(village)
        parts.append(Part(building or "village", village, PLACES[building]))
    return parts


def at_stake(state: State, move: Attack) -> bool:
    """`FI-72`: whether an enemy controls the place."""
    return state.control.get(move.village) in move.enemies


def _defender(state: State, name: str) -> Part:
    rank = rank_of(state, name)
    if rank.church <= rank.lay:
        return Part(_lay_word(state, name), name, rank.lay)
    word = next(title for title, strength in CHURCH.items() if strength == rank.church)
    return Part(word, name, rank.church)


def _lay_word(state: State, name: str) -> str:
    """The lay title that a lord's strength comes from, as of the start of phase 6."""
    lay, now = rank_of(state, name).lay, lay_title(state, name)
    return now if LAY[now] == lay else next(title for title, strength in LAY.items() if strength == lay)


def strength(parts: Sequence[Part]) -> int:
    """The strength of a camp."""
    return sum(part.n for part in parts)


# --- dice (FI-73, FI-74) -----------------------------------------------------------------------------------------


class Dice(NamedTuple):
    """The dice that each side throws, and the least and greatest sum of them."""

    ordinary: int
    battle: int
    least: int
    most: int


def dice_for(force: int) -> Dice:
    """`FI-73`: one battle die for every three points of the stronger side, every two replaced by an ordinary one."""
    ordinary, battle = divmod(-(-force // STRENGTH_A_DIE), 2)
    low, high = BATTLE_DIE
    least, most = (ordinary * face + battle * other for face, other in zip(ORDINARY_DIE, (low, high), strict=True))
    return Dice(ordinary, battle, least, most)


class Battle(NamedTuple):
    """The two sides of an attack, what they throw, and who is ahead by how much: above 0 the attack."""

    attack: tuple[Part, ...]
    defence: tuple[Part, ...]
    dice: Dice
    lead: int


def battle(state: State, move: Attack) -> Battle:
    """The strengths of an attack, its dice, and what comes out (`FI-74`)."""
    attack, defence = attack_parts(state, move), defence_parts(state, move)
    one, other = strength(attack), strength(defence)
    lead = one + move.dice[0] - other - move.dice[1]
    return Battle(tuple(attack), tuple(defence), dice_for(max(one, other)), lead)


def possible_dice(state: State, move: Attack) -> Facts | None:
    """`FI-73`: the sums can be thrown; shows strengths, dice and totals."""
    sides = battle(state, move)
    attack, defence = strength(sides.attack), strength(sides.defence)
    evidence = tuple(Fact((part.name,), {"strength": part.n}) for part in (*sides.attack, *sides.defence))
    dice = sides.dice
    values: dict[str, Value] = {"n": 2 * dice.ordinary + dice.battle, "attack": attack, "defence": defence}
    if not all(dice.least <= thrown <= dice.most for thrown in move.dice):
        return Facts("", {**values, "least": dice.least, "most": dice.most}, evidence)
    one, other = move.dice
    values |= {"attack_dice": one, "defence_dice": other}
    values |= {"attack_total": attack + one, "defence_total": defence + other}
    code = "legal_won" if sides.lead > 0 else "legal_lost" if sides.lead < 0 else "legal_even"
    return Facts(code, values, evidence, Ruling.LEGAL)


# --- sieges (FI-77) ----------------------------------------------------------------------------------------------


def may_besiege(state: State, move: Siege) -> Facts | None:
    """`FI-77`: a castle or city of another player, where one has a lord, besieged once (reading `sieges`)."""
    if state.readings["sieges"] == "off":
        return Facts("off")
    return siege_site(state, move)


def siege_site(state: State, move: Siege) -> Facts | None:
    """`FI-77`: what a siege asks for, whatever the reading."""
    village, player = move.village, state.turn
    evidence = (Fact((village,)),)
    if village not in state.buildings:
        return Facts("no_stronghold", {"village": village}, evidence if village in state.land.fief_of else ())
    if state.control.get(village) in (player, None):
        return Facts("not_foreign", {"village": village}, evidence)
    if not there(state, village, player):
        return Facts("no_lord", {"village": village, "colour": player}, evidence)
    if any(siege.village == village and siege.player == player for siege in state.sieges):
        return Facts("again", {"village": village, "colour": player}, evidence)
    return None


def besieged(state: State, move: Siege) -> State:
    """The table after a siege is laid."""
    if state.turn is None:
        return state
    return state._replace(sieges=(*state.sieges, Besieged(state.turn, move.village)))


def kept_sieges(state: State) -> State:
    """The table without the sieges that are over: nobody is left to keep them up, or the place is not foreign now."""
    kept = tuple(
        siege
        for siege in state.sieges
        if siege.village in state.buildings
        and state.control.get(siege.village) not in (siege.player, None)
        and there(state, siege.village, siege.player)
    )
    return state if len(kept) == len(state.sieges) else state._replace(sieges=kept)
