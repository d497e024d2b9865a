"""Fief, phase 5: titles given and villages exchanged (`FI-55` to `FI-57`)."""

from __future__ import annotations

from rules.fief.lords import city_of, fiefs_of, is_of, sovereign
from rules.fief.moves import Cede, Give
from rules.fief.purchases.titles import assign_title, city_count, fulfils
from rules.fief.state import State
from rules.fief.style import style, title
from rules.kernel import Fact, Facts, Value


def is_grant(state: State, move: Give) -> bool:
    """Whether a `give` grants a fief that has no city yet."""
    return move.fief not in state.land.fiefs or city_of(state, move.fief) is None


def is_royal(state: State, move: Give) -> bool:
    """Whether a `give` disposes of a fief that is held by the king or regent, or has fallen to the crown."""
    holder = state.titles.get(move.fief)
    return not is_grant(state, move) and (holder is None or holder == sovereign(state))


def is_of_a_family(state: State, move: Give) -> bool:
    """Whether a `give` is of a fief of any other lord, who can pass it on within the family only."""
    return not is_grant(state, move) and not is_royal(state, move)


def giver(state: State, move: Give) -> str | None:
    """The lord who gives: the king or regent, or else the holder of the fief; None if there is neither."""
    if is_grant(state, move) or is_royal(state, move):
        return sovereign(state)
    return state.titles[move.fief]


def in_their_part(state: State, move: Give) -> Facts | None:
    """`FI-3`: a lord's player gives on their own turn; the king's or regent's on any turn (reading `gifts`)."""
    name = giver(state, move)
    if name is None or is_of(state, name, state.turn):
        return None
    family = is_of_a_family(state, move)
    if not family and state.readings["gifts"] == "phase":
        return None
    values: dict[str, Value] = {"lord": style(state, name), "fief": title(state, move.fief), "colour": state.turn}
    return Facts("family" if family else "giver", values, (Fact((name,)),))


def grant(state: State, move: Give) -> Facts | None:
    """`FI-52`: a fief without a city is granted to a lord who meets the conditions of a purchase, except the price."""
    if not is_grant(state, move):
        return None
    lord = state.lords.get(move.lord)
    return fulfils(state, move, lord.player if lord else None)


def granted_city_count(state: State, move: Give) -> Facts | None:
    """`FI-52`: the cities on the board, if a fief is granted."""
    return city_count(state, move) if is_grant(state, move) else None


def royal(state: State, move: Give) -> Facts | None:
    """`FI-55`: only the king, or the regent, grants fiefs, gives his own away and disposes of those fallen to him."""
    granted = is_grant(state, move)
    if not granted and not is_royal(state, move):
        return None
    if sovereign(state) is None:
        return Facts("nobody", {"fief": title(state, move.fief)})
    return None if granted else _receiver(state, move)


def _receiver(state: State, move: Give) -> Facts | None:
    """The conditions of both ways of giving a title: a lord who gets it, and no castle if there is a city already."""
    if move.lord not in state.lords:
        return Facts("absent", {"lord": move.lord})
    fief = title(state, move.fief)
    if state.titles.get(move.fief) == move.lord:
        return Facts("holds", {"lord": style(state, move.lord), "fief": fief}, (Fact((move.lord,)),))
    if move.at is not None:
        city = city_of(state, move.fief) or ""
        return Facts("at", {"fief": fief, "village": city}, (Fact((city,)),))
    return None


def within_a_family(state: State, move: Give) -> Facts | None:
    """`FI-56`: a lord of several fiefs passes one on within the player's lords, and keeps one of the highest rank."""
    if not is_of_a_family(state, move):
        return None
    holder = state.titles[move.fief]
    values: dict[str, Value] = {"lord": style(state, holder), "fief": title(state, move.fief), "colour": state.turn}
    if move.lord in state.lords and not is_of(state, move.lord, state.turn):
        return Facts("stranger", {**values, "other": style(state, move.lord)}, (Fact((move.lord,)),))
    objection = _receiver(state, move)
    if objection is not None:
        return objection
    ranks = {fief: state.land.rank(fief) for fief in fiefs_of(state, holder)}
    other_ranks = [rank for fief, rank in ranks.items() if fief != move.fief]
    if max(other_ranks, default=0) == max(ranks.values()):
        return None
    return Facts("highest" if other_ranks else "only", values, (Fact((holder,)),))


def give_title(state: State, move: Give) -> State:
    """The state after a `give`; under `fief_gift` the city can go with a title that leaves the sovereign's player."""
    city, crown, after = city_of(state, move.fief), sovereign(state), assign_title(state, move)
    if city is None or crown is None or not is_royal(state, move) or state.readings["fief_gift"] != "with_city":
        return after
    if state.control.get(city) != state.lords[crown].player:
        return after
    return after._replace(control={**state.control, city: state.lords[move.lord].player})


def may_exchange(state: State) -> bool:
    """Whether villages may be exchanged now: at any time, or only during purchases (reading `exchanges`)."""
    return state.readings["exchanges"] == "any_time" or state.phase == "purchases"


def when_exchanged(state: State, move: Cede) -> Facts | None:
    """`FI-3`: exchanges are possible in any phase, or only in that of the purchases."""
    return None if may_exchange(state) else Facts("phase", {"kind": move.kind, "phase": state.phase})


def may_cede(state: State, move: Cede) -> Facts | None:
    """`FI-57`: the controller, perhaps only in turn, gives a village that is no city to another player."""
    village = move.village
    evidence = (Fact((village,)),)
    if village not in state.land.fief_of:
        return Facts("nowhere", {"village": village})
    controller = state.control.get(village)
    player = controller if state.readings["exchanges"] == "any_time" else state.turn
    if player is None:
        return Facts("free", {"village": village}, evidence)
    if controller != player:
        return Facts("foreign", {"village": village, "colour": player}, evidence)
    if state.buildings.get(village) == "city":
        return Facts("city", {"village": village}, evidence)
    if move.player == player or move.player not in state.colours:
        return Facts("player", {"colour": move.player})
    return None


def cede_village(state: State, move: Cede) -> State:
    """The state after another player gets a village."""
    return state._replace(control={**state.control, move.village: move.player})
