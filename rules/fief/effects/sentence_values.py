"""Fief: the values in the sentences of effects: figures, with the names of what they count, and what is lit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.fief.moves import Attack
from rules.fief.state import State
from rules.kernel import Fact
from rules.styled_name import StyledName


def figure(name: str, code: str, n: int) -> str:
    """A number, and the name that it belongs to: the votes of a village, the strength of a lord."""
    return StyledName(name, code, {"name": name, "n": n})


def evidence_of(*cells: str | None) -> tuple[Fact, ...]:
    """The lords and villages that show an effect, without the missing ones."""
    found = tuple(cell for cell in cells if cell is not None)
    return (Fact(found),) if found else ()


def in_order(state: State, names: Iterable[str]) -> list[str]:
    """Lords, or villages, in the order of the data."""
    return sorted(names, key=state.land.order.__getitem__)


def dead_lords(before: State, after: State) -> Sequence[str]:
    """The lords who have died, in the order of the data."""
    return in_order(before, before.lords.keys() - after.lords.keys()) if before.lords is not after.lords else ()


def falls_with(before: State, move: object) -> str | None:
    """The fief whose city an attack is about, if it is about one."""
    if not isinstance(move, Attack) or before.buildings.get(move.village) != "city":
        return None
    return before.land.fief_of[move.village]
