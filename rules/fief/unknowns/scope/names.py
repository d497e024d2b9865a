"""Fief: lords and fiefs whose full names depend on something unknown. Sentences call them by their bare names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any, Final

from rules.fief.lords import city_of
from rules.fief.state import State
from rules.fief.unknowns.gaps import Doubt
from rules.kernel import Bounds, Facts
from rules.styled_name import StyledName

OF_STYLE: Final = frozenset({"fiefs", "bishop", "cardinal", "pope", "king", "regent", "spouse"})
"""The facts of a lord that decide the titles."""
IN_FULL: Final = ("titled", "called_", "title_", "fief_")
"""The words that stand for names in full."""


def unsure_names(state: State, doubts: Sequence[Doubt]) -> frozenset[str]:
    """The lords and fiefs that sentences call by their bare names."""
    return frozenset((*_lords(state, doubts), *_fiefs(state, doubts)))


def _lords(state: State, doubts: Iterable[Doubt]) -> Iterator[str]:
    """The lords of whom a title is unknown; a king's wife is queen."""
    for doubt in doubts:
        if doubt.code in OF_STYLE:
            yield doubt.name
            lord = state.lords.get(doubt.name)
            if lord is not None and lord.spouse is not None:
                yield lord.spouse
            if doubt.code == "spouse":
                yield from (name for name, other in state.lords.items() if other.spouse is None)
        elif doubt.code == "lord":
            yield doubt.name
        elif doubt.code == "lords":
            yield from state.princes


def _fiefs(state: State, doubts: Iterable[Doubt]) -> Iterator[str]:
    """The fiefs without a known city whose buildings are unknown."""
    fiefs = {state.land.fief_of[doubt.name] for doubt in doubts if doubt.code == "building"}
    return (fief for fief in fiefs if city_of(state, fief) is None)


def with_bare_names(facts: Facts, names: Set[str]) -> Facts:
    """The facts, with these names bare."""
    return facts._replace(values={name: _bare(value, names) for name, value in facts.values.items()})


def _bare(value: Any, names: Set[str]) -> Any:
    if isinstance(value, tuple) and not isinstance(value, Bounds):
        return tuple(_bare(each, names) for each in value)
    return str(value) if isinstance(value, StyledName) and _says(value, names) else value


def _says(name: StyledName, names: Set[str]) -> bool:
    """Whether a name in full is one of these names, or contains one; a figure does not."""
    return name.code.startswith(IN_FULL) and not names.isdisjoint(_parts(name))


def _parts(value: object) -> Iterator[str]:
    """All names that a name in full contains."""
    if isinstance(value, tuple):
        for each in value:
            yield from _parts(each)
    elif isinstance(value, str):
        yield str(value)
    if isinstance(value, StyledName):
        for each in value.values.values():
            yield from _parts(each)
