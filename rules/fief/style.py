"""Fief: how one speaks of a lord, titles highest first: codes and facts, for which `text` has the words.

A lord with titles is a `Spoken` name: the first office says how the lord is called, and what else the lord holds
follows in a list.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.fief.data import RANKS
from rules.fief.lords import city_of, fiefs_of, is_man, queen, sees_of
from rules.fief.state import State
from rules.kernel import Value
from rules.spoken import Spoken

LADIES = {"baron": "baroness", "count": "countess", "duke": "duchess"}


def style(state: State, name: str) -> str:
    """The full style of a lord; just the name where there is no title, or no such lord in play."""
    if name not in state.lords:
        return name
    head, *others = [*_offices(state, name), *_fiefs(state, name)]
    heading = Spoken(name, f"called_{head.code}", head.values) if isinstance(head, Spoken) else name
    if not others:
        return heading
    return Spoken(name, "titled", {"head": heading, "titles": tuple(others)})


def styles(state: State, names: Iterable[str]) -> tuple[str, ...]:
    """The full styles of several lords."""
    return tuple(style(state, name) for name in names)


def _offices(state: State, name: str) -> list[str]:
    """The offices of a lord, the highest first; the bare name first of all where only fiefs follow."""
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
        _title(state, name, _called(state, name, fief), fief=fief, village=city_of(state, fief) or fief)
        for fief in fiefs_of(state, name)
    ]


def _called(state: State, name: str, fief: str) -> str:
    rank = RANKS[state.land.rank(fief)]
    return rank if is_man(state, name) else LADIES[rank]


def _title(state: State, name: str, code: str, **values: Value) -> Spoken:
    return Spoken(name, code, {"name": name, **values})
