"""Fief: the styles of lords and fiefs: codes and facts, for which `text` has the words.

A lord with titles is a `Spoken` name: the first office says how the lord is called, and what else the lord holds
follows in a list. A fief has its rank, and the name of the village that its title is called after.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.fief.data import RANKS, Land
from rules.fief.lords import city_of, fiefs_of, is_man, queen, sees_of
from rules.fief.state import State
from rules.kernel import Value
from rules.styled_name import StyledName

NAMING_BUILDINGS = ("city", "castle")
"""The buildings that give a fief its name: the first of these that one of its villages has."""
LADIES = {"baron": "baroness", "count": "countess", "duke": "duchess"}


def style(state: State, name: str) -> str:
    """The full style of a lord; just the name if there is no title, or no such lord in play."""
    state = state.plain()
    if name not in state.lords:
        return name
    head, *others = [*_offices(state, name), *_fiefs(state, name)]
    heading = StyledName(name, f"called_{head.code}", head.values) if isinstance(head, StyledName) else name
    if not others:
        return heading
    return StyledName(name, "titled", {"head": heading, "titles": tuple(others)})


def styles(state: State, names: Iterable[str]) -> tuple[str, ...]:
    """The full styles of several lords."""
    return tuple(style(state, name) for name in names)


def _offices(state: State, name: str) -> list[str]:
    """The offices of a lord, the highest first; the bare name comes first if only fiefs follow."""
    codes = [
        ("pope", name == state.pope),
        ("king", name == state.king),
        ("regent", name == state.regent),
        ("queen", name == queen(state) and name != state.regent),
        ("cardinal", name in state.cardinals),
        ("dauphin", state.princes[:1] == (name,)),
        ("prince", name in state.princes[1:]),
    ]
    offices: list[str] = [_title(state, name, code) for code, held in codes if held]
    sees = [(number, state.land.seats[number]) for number in sees_of(state, name)]
    offices += [_title(state, name, "bishop", number=number, village=village) for number, village in sees]
    return offices or [name]


def _fiefs(state: State, name: str) -> list[str]:
    return [
        _title(state, name, _rank_name(state, name, fief), fief=fief, village=seat_of(state, fief))
        for fief in fiefs_of(state, name)
    ]


def _rank_name(state: State, name: str, fief: str) -> str:
    rank = RANKS[state.land.rank(fief)]
    return rank if is_man(state, name) else LADIES[rank]


def _title(state: State, name: str, code: str, **values: Value) -> StyledName:
    return StyledName(name, code, {"name": name, **values})


# --- fiefs -------------------------------------------------------------------------------------------------------


def name_of_fief(land: Land, buildings: Mapping[str, str], fief: str) -> str:
    """A fief by its rank and its city or only castle, the county of Sigy; without these by its rank and its villages.

    A fief that is not on the map has the name that it was given.
    """
    if fief not in land.fiefs:
        return fief
    rank, villages = RANKS[land.rank(fief)], land.fiefs[fief]
    for building in NAMING_BUILDINGS:
        built = [village for village in villages if buildings.get(village) == building]
        if len(built) == 1:
            return StyledName(fief, f"title_{rank}", {"fief": fief, "village": built[0]})
        if built:
            break
    return StyledName(fief, f"fief_{rank}", {"fief": fief, "villages": villages})


def title(state: State, fief: str) -> str:
    """The present name of a fief."""
    state = state.plain()
    return name_of_fief(state.land, state.buildings, fief)


def titles(state: State, fiefs: Iterable[str]) -> tuple[str, ...]:
    """The present names of several fiefs."""
    return tuple(title(state, fief) for fief in fiefs)


def seat_of(state: State, fief: str) -> str:
    """The village that gives a lord of this fief the name: its city, or its first village if it has no city."""
    return city_of(state, fief) or state.land.fiefs[fief][0]
