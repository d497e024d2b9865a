"""Villefranche: every kind of move, in the players' own words. Their annotations are their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, ClassVar, TypeAlias

from rules.forms import Malformed, Pattern
from rules.records import dataclass
from rules.villefranche.board import BIT, INDEX, pair_of

CellName: TypeAlias = Annotated[str, Pattern("[a-i][1-9]", "c4", "cell")]


def _index(cell: str, pointer: str) -> int:
    index = INDEX.get(cell)
    if index is None:
        raise Malformed("cell", pointer, text=cell)
    return index


@dataclass(frozen=True, slots=True)
class OnOne:
    """A placement on one cell. What is not given is worked out once: the cell as an index and as a set."""

    cell: CellName
    site: tuple[int, ...] = field(init=False, repr=False, compare=False)
    bits: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = _index(self.cell, "/cell")
        object.__setattr__(self, "site", (index,))
        object.__setattr__(self, "bits", BIT[index])


@dataclass(frozen=True, slots=True)
class OnTwo:
    """A placement on two cells, kept with the smaller column first, then the smaller row; also as a set and a pair.

    `cells`: its two cells, in either order.
    """

    cells: tuple[CellName, CellName]
    site: tuple[int, ...] = field(init=False, repr=False, compare=False)
    bits: int = field(init=False, repr=False, compare=False)
    pair: int = field(init=False, repr=False, compare=False)
    """0 where the cells share no edge."""

    def __post_init__(self) -> None:
        first, second = sorted(self.cells)
        if first == second:
            raise Malformed("same_cell", "/cells", cell=first)
        site = (_index(first, "/cells"), _index(second, "/cells"))
        object.__setattr__(self, "cells", (first, second))
        object.__setattr__(self, "site", site)
        object.__setattr__(self, "bits", BIT[site[0]] | BIT[site[1]])
        object.__setattr__(self, "pair", pair_of(*site))


class Rampart(OnTwo):
    """A brick on two cells of the enclosure (`VF-10`)."""

    __slots__ = ()
    kind: ClassVar[str] = "rampart"


class CornerStorey(OnOne):
    """A cylinder on a corner of the enclosure (`VF-12`)."""

    __slots__ = ()
    kind: ClassVar[str] = "corner_storey"


class House(OnOne):
    """A cube on building land (`VF-30`)."""

    __slots__ = ()
    kind: ClassVar[str] = "house"


class Roof(OnOne):
    """A pyramid on one's own house, which becomes a shop (`VF-31`)."""

    __slots__ = ()
    kind: ClassVar[str] = "roof"


class NobleStorey(OnOne):
    """A cylinder on building land, beside one's own shop (`VF-32`)."""

    __slots__ = ()
    kind: ClassVar[str] = "noble_storey"


class Nave(OnTwo):
    """A brick on two cells of building land, the first or second of a church (`VF-40`)."""

    __slots__ = ()
    kind: ClassVar[str] = "nave"


class BellTower(OnOne):
    """A pyramid on one of the two cells of one's own church of two naves, which it finishes (`VF-41`)."""

    __slots__ = ()
    kind: ClassVar[str] = "bell_tower"


Move: TypeAlias = Rampart | CornerStorey | House | Roof | NobleStorey | Nave | BellTower
KINDS: Mapping[str, type[Move]] = {
    form.kind: form for form in (Rampart, CornerStorey, House, Roof, NobleStorey, Nave, BellTower)
}
