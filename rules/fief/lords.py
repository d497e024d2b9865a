"""Fief: common questions about lords and players: their player, titles, strength and allies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from rules.fief.data import RANKS, Colour
from rules.fief.state import Rank, State

LAY = {"woman": 0, "man": 1, "baron": 2, "count": 3, "duke": 4, "queen": 5, "king": 5, "arc": 5}
CHURCH = {"bishop": 2, "cardinal": 3, "pope": 4}
"""The strength of each title (`FI-71`)."""
OF_LAND = frozenset({"woman", "man", *RANKS.values()})
"""The lay titles that hide no fief."""


# --- players -----------------------------------------------------------------------------------------------------


def players_from_first(state: State) -> tuple[Colour, ...]:
    """The players clockwise from the one with the first-player card."""
    place = state.colours.index(state.first)
    return (*state.colours[place:], *state.colours[:place])


def players_after(state: State) -> tuple[Colour, ...]:
    """The players whose parts of a phase come after that of the player in turn."""
    order = players_from_first(state)
    return () if state.turn is None else order[order.index(state.turn) + 1 :]


def lords_of(state: State, player: str | None) -> list[str]:
    """The living lords of a player, in the order of the data."""
    order = state.land.order
    return sorted((name for name, lord in state.lords.items() if lord.player == player), key=order.__getitem__)


def lords_at(state: State, village: str, player: str | None = None) -> list[str]:
    """The living lords at a village, all or those of a player, in the order of the data."""
    found = [name for name, lord in state.lords.items() if lord.place == village and player in (None, lord.player)]
    return sorted(found, key=state.land.order.__getitem__)


def is_of(state: State, name: str, player: str | None) -> bool:
    """Whether a player has this lord in play."""
    lord = state.lords.get(name)
    return lord is not None and lord.player == player


def controlled_villages(state: State, player: str | None) -> list[str]:
    """The villages that a player controls, in the order of the map."""
    return [village for village in state.land.villages if state.control.get(village) == player]


def controls_all(state: State, player: str | None, villages: tuple[str, ...]) -> bool:
    """Whether a player controls all of these villages."""
    return all(state.control.get(village) == player for village in villages)


class Pair(NamedTuple):
    """Two players allied by a marriage (`FI-10`), and the spouses."""

    players: tuple[Colour, Colour]
    spouses: tuple[str, str]


def pairs(state: State) -> Iterator[Pair]:
    """The alliances: marriages of lords of two players, in the order of the lords."""
    order = state.land.order
    spouses = {name: lord.spouse for name, lord in state.lords.items() if lord.spouse is not None}
    for name in sorted(spouses, key=order.__getitem__):
        if order[name] < order[spouses[name]]:
            players = state.lords[name].player, state.lords[spouses[name]].player
            if players[0] != players[1]:
                yield Pair(players, (name, spouses[name]))


def ally(state: State, player: str) -> Pair | None:
    """The alliance of a player, if any."""
    return next((pair for pair in pairs(state) if player in pair.players), None)


# --- titles ------------------------------------------------------------------------------------------------------


def is_man(state: State, name: str) -> bool:
    """Whether a lord is a man."""
    return name in state.land.men


def fiefs_of(state: State, name: str) -> list[str]:
    """The fiefs of a lord, the highest first."""
    if name not in state.titles.values():
        return []
    land = state.land
    return sorted((f for f in land.fiefs if state.titles.get(f) == name), key=lambda fief: -land.rank(fief))


def sees_of(state: State, name: str) -> list[int]:
    """The bishoprics of a lord."""
    if name not in state.bishops.values():
        return []
    return [number for number, bishop in state.bishops.items() if bishop == name]


def of_church(state: State, name: str) -> str | None:
    """The highest church title of a lord."""
    if name == state.pope:
        return "pope"
    if name in state.cardinals:
        return "cardinal"
    return "bishop" if name in state.bishops.values() else None


def sovereign(state: State) -> str | None:
    """The king, or the regent (`FI-94`)."""
    return state.king or state.regent


def queen(state: State) -> str | None:
    """The king's wife; without a king the regent (`FI-11`)."""
    return state.regent if state.king is None else state.lords[state.king].spouse


def is_titled(state: State, name: str) -> bool:
    """Whether a lord has any title: a fief, bishop, cardinal, pope, king, queen (`FI-40`)."""
    return name in state.titles.values() or of_church(state, name) is not None or name in (state.king, queen(state))


def titled_lords(state: State) -> list[str]:
    """The lords with a title, in the order of the data."""
    return sorted((name for name in state.lords if is_titled(state, name)), key=state.land.order.__getitem__)


def lay_title(state: State, name: str) -> str:
    """The strongest lay title of a lord: a key of `LAY`."""
    if name == state.king:
        return "king"
    if name == queen(state):
        return "queen"
    if name == state.arc:
        return "arc"
    return RANKS.get(_highest_fief(state, name), "man" if is_man(state, name) else "woman")


def _highest_fief(state: State, name: str) -> int:
    if name not in state.titles.values():
        return 0
    return max((state.land.rank(fief) for fief, holder in state.titles.items() if holder == name), default=0)


def rank_now(state: State, name: str) -> Rank:
    """The strength of a lord's titles as they are now."""
    church, title = of_church(state, name), lay_title(state, name)
    hidden = 0 if title in OF_LAND else _highest_fief(state, name)
    return Rank(LAY[title], CHURCH[church] if church else 0, hidden)


def recorded_rank(state: State, name: str) -> Rank:
    """The same, as recorded from the start of phase 6 on: with the fiefs that the lord holds then."""
    return replace(rank_now(state, name), fiefs=tuple(fiefs_of(state, name)))


def rank_of(state: State, name: str) -> Rank:
    """The strength of a lord: by the titles as of the start of phase 6, if that has begun (`FI-71`)."""
    return state.ranks.get(name) or rank_now(state, name)


def attack_of(state: State, name: str) -> int:
    """`FI-71`: the strength of a lord in attack: of the recorded fiefs, only those still held (reading `lost_title`).

    Crown, d'Arc and man count as usual.
    """
    rank = rank_of(state, name)
    if rank.lay not in RANKS:
        return rank.lay
    left = min(rank.lay, max(_highest_remaining(state, name, rank), int(is_man(state, name))))
    return left if left < rank.lay and state.readings["lost_title"] == "defends" else rank.lay


def _highest_remaining(state: State, name: str, rank: Rank) -> int:
    """The rank of the highest recorded fief that the lord still holds."""
    if rank.fiefs is None or name not in state.titles.values():
        return _highest_fief(state, name)
    return max((state.land.rank(fief) for fief in rank.fiefs if state.titles.get(fief) == name), default=0)


# --- fiefs -------------------------------------------------------------------------------------------------------


def city_of(state: State, fief: str) -> str | None:
    """The village of a fief that is a city, if any."""
    return next((village for village in state.land.fiefs[fief] if state.buildings.get(village) == "city"), None)


def castles_of(state: State, fief: str, player: str | None) -> list[str]:
    """The villages of a fief where a player has a castle."""
    return [
        village
        for village in state.land.fiefs[fief]
        if state.buildings.get(village) == "castle" and state.control.get(village) == player
    ]
