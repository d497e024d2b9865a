"""Architekton: every kind of move, in the players' own words. Their annotations are their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, ClassVar, TypeAlias

from rules.architekton.tiles import AROUND, Landscape, Square, canonical
from rules.forms import Between, Most, NumberedCell, Pattern
from rules.records import dataclass

FARTHEST = 46
"""The maximum distance of a cell from the first tile: there are 46 tiles."""
Coordinate: TypeAlias = Annotated[int, Between(-FARTHEST, FARTHEST)]
CellName: TypeAlias = Annotated[tuple[Coordinate, Coordinate], NumberedCell()]
SettledCells: TypeAlias = Annotated[tuple[CellName, ...], Most(4)]
"""A tile settles no more buildings than it has neighbours."""
Sides: TypeAlias = Annotated[str, Pattern("[EFMW]{4}", "FWME", "sides")]
"""The sides of a building, north, east, south, west: earth, forest, meadow, water."""


def in_order(cell: Square, order: tuple[Square, ...], answers: tuple[Square, ...]) -> tuple[Square, ...]:
    """Answers in the order of settlement: as `order` lists the buildings, else from the north of `cell` clockwise."""
    places = {at: number for number, at in enumerate(dict.fromkeys((*order, *AROUND[cell])))}
    return tuple(sorted(answers, key=lambda at: (places.get(at, len(places)), at)))


@dataclass(frozen=True, slots=True)
class Building:
    """A building tile laid, as it lies, with its house (`AR-10` to `AR-13`).

    `house_from`: the tile whose house goes onto this one, if none is in supply.
    """

    cell: CellName
    sides: Sides
    house_from: CellName | None = None
    order: SettledCells = ()
    keep: SettledCells = ()
    take: SettledCells = ()
    kind: ClassVar[str] = "building"

    def __post_init__(self) -> None:
        if self.keep or self.take:
            object.__setattr__(self, "keep", in_order(self.cell, self.order, self.keep))
            object.__setattr__(self, "take", in_order(self.cell, self.order, self.take))

    @property
    def tile(self) -> str:
        """The tile as text (`rules.architekton.tiles`)."""
        return self.sides


@dataclass(frozen=True, slots=True)
class Land:
    """A landscape tile laid (`AR-10` to `AR-12`), with the settlements as for a building.

    `landscape`: the landscape of the tile.
    """

    cell: CellName
    landscape: Landscape
    order: SettledCells = ()
    keep: SettledCells = ()
    take: SettledCells = ()
    tile: str = field(init=False, repr=False, compare=False)
    kind: ClassVar[str] = "landscape"

    def __post_init__(self) -> None:
        object.__setattr__(self, "tile", self.landscape[0].upper())
        if self.keep or self.take:
            object.__setattr__(self, "keep", in_order(self.cell, self.order, self.keep))
            object.__setattr__(self, "take", in_order(self.cell, self.order, self.take))


@dataclass(frozen=True, slots=True)
class Keep:
    """The other player's answer: the house stays, and all is paid (`AR-21`).

    `cell`: the cell of the building that is paid for.
    """

    cell: CellName
    kind: ClassVar[str] = "keep"


@dataclass(frozen=True, slots=True)
class Take:
    """The other player's answer: the house goes back into supply, and one chip less is paid (`AR-21`).

    `cell`: the cell of the building that is paid for.
    """

    cell: CellName
    kind: ClassVar[str] = "take"


@dataclass(frozen=True, slots=True)
class UpBuilding:
    """A building turned up into the display; kept in the rotation that names it (`AR-3`).

    `sides`: its sides, clockwise, in any rotation: ``E`` earth, ``F`` forest, ``M`` meadow, ``W`` water.
    """

    sides: Sides
    kind: ClassVar[str] = "up_building"

    def __post_init__(self) -> None:
        object.__setattr__(self, "sides", canonical(self.sides))


@dataclass(frozen=True, slots=True)
class UpLandscape:
    """A landscape turned up into the display.

    `landscape`: the landscape of the tile.
    """

    landscape: Landscape
    kind: ClassVar[str] = "up_landscape"


@dataclass(frozen=True, slots=True)
class Pass:
    """The turn ends because no tile of the display fits (`AR-34`)."""

    kind: ClassVar[str] = "pass"


Lay: TypeAlias = Building | Land
Answer: TypeAlias = Keep | Take
Up: TypeAlias = UpBuilding | UpLandscape
Move: TypeAlias = Building | Land | Keep | Take | UpBuilding | UpLandscape | Pass
KINDS: Mapping[str, type[Move]] = {
    form.kind: form for form in (Building, Land, Keep, Take, UpBuilding, UpLandscape, Pass)
}
