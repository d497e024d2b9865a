"""The drawn boards: what a game looks like on the table.

Every module here is the board of the game with its name. It has a `DRAWING`, and nothing else is needed to show a
game: the templates, the marks and the stand-alone picture are the same for all.

A board is made of shapes, which are elements of SVG with a named ink. The pages colour the inks by their style sheet
(light, dark, forced colours); the stand-alone picture has the colours of `INKS` written into it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from rules.kernel import Cell, Fact, Seat
from service.texts import Words

Tag: TypeAlias = Literal["path", "rect", "circle", "ellipse", "text", "use"]
Number: TypeAlias = "int | float | str"


@dataclass(frozen=True, slots=True)
class Shape:
    """An element of SVG. `ink` names how it is filled and stroked; `seat` whose piece it is part of, if anyone's."""

    tag: Tag
    ink: str
    attributes: Mapping[str, Number]
    text: str = ""
    ghost: bool = False
    """It is not on the table yet: the piece of a move that is being looked at."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawing that is used in several places by its id."""

    id: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell as one sees and touches it. `key` is its name in addresses, `name` what a screen reader says of it."""

    cell: Cell
    key: str
    name: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Stock:
    """What a player has left of one kind of piece; `icon` is drawn in a square of `ICON` units."""

    piece: str
    n: int
    icon: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A drawn state: the ground and the pieces on it, each in painter's order. `box`: left, top, width, height."""

    box: tuple[float, float, float, float]
    ground: tuple[Shape, ...]
    pieces: tuple[Shape, ...]
    spots: tuple[Spot, ...]
    stock: Mapping[Seat, tuple[Stock, ...]]
    row: int
    """How many spots lie beside each other, for the arrow keys; 0 where they lie anywhere."""

    def spot(self, key: str | None) -> Spot | None:
        """The spot of this key, if there is one."""
        return next((spot for spot in self.spots if spot.key == key), None)


@dataclass(frozen=True, slots=True)
class Option:
    """A kind of move at a cell, and every way to make it there. `usual`: a player would think of it there."""

    kind: str
    moves: tuple[Any, ...]
    usual: bool = True


class Drawing(Protocol):
    """What a game's board module has to have, as `DRAWING`."""

    def draw(self, state: Any, language: str, before: Any | None = None) -> Board:
        """Draw a state; with `before`, the pieces that were not there then are ghosts."""

    def symbols(self) -> tuple[Symbol, ...]:
        """The drawings that boards and icons use by their ids."""

    def options(self, state: Any, cell: Cell) -> Sequence[Option]:
        """What a hand could do at a cell, kind by kind, whatever the rules say."""

    def icon(self, kind: str, seat: Seat | None) -> tuple[Shape, ...]:
        """A kind of move, drawn in a square of `ICON` units."""


@runtime_checkable
class Sketching(Protocol):
    """A drawing that shows what differs between moves of one kind, such as the tile."""

    def sketch(self, move: Any, seat: Seat | None) -> tuple[Shape, ...]:
        """A move, drawn in a square of `ICON` units."""


@runtime_checkable
class Telling(Protocol):
    """A drawing that says more while nothing is chosen, and keeps apart what is seldom done."""

    seldom: Collection[str]
    """The kinds of moves that are folded away."""

    def tells(self, state: Any, kind: str, words: Words, *, possible: bool) -> str:
        """What is good to know of a kind of move that is due: what it costs, or why none is `possible`."""


@runtime_checkable
class Calling(Protocol):
    """A drawing of a game in which pieces have names, by which they are called as they stand now."""

    def called(self, state: Any, words: Words) -> Mapping[str, str]:
        """Name -> how it is said in full."""

    def places(self, state: Any) -> Mapping[Cell, Cell]:
        """Name -> the cell where the piece stands."""


def speaking(words: Words, drawing: Drawing, state: Any) -> Words:
    """The words for a state: where pieces have names, with how each is called now."""
    return words.calling(drawing.called(state, words)) if isinstance(drawing, Calling) else words


@runtime_checkable
class Handled(Protocol):
    """A drawing of a game whose hands have to observe what no program sees."""

    def handling(self, state: Any, move: Any, words: Words) -> Sequence[str]:
        """What the hands have to observe in a move, a sentence each."""


def handling_of(drawing: Drawing, state: Any, move: Any, words: Words) -> tuple[str, ...]:
    """What the hands have to observe in a move, as far as its game has anything to say."""
    return tuple(drawing.handling(state, move, words)) if isinstance(drawing, Handled) else ()


@dataclass(frozen=True, slots=True)
class Count:
    """What is counted without a log: a setup, as far as the score needs one, and what lies on the table."""

    setup: Any
    position: Any


@dataclass(frozen=True, slots=True)
class Pick:
    """What one tap can make of a place: a picture of it, its name, and what is counted then.

    Without a picture it takes away, without a name all that is there. `chosen`: that is how it is already. `at`: the
    key of the place that is asked about next, where that is another one.
    """

    label: str
    icon: tuple[Shape, ...]
    count: Count
    chosen: bool = False
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Picks:
    """Picks that belong together. `seldom`: they are seen only when asked for."""

    title: str
    picks: tuple[Pick, ...]
    seldom: bool = False


@runtime_checkable
class Editing(Drawing, Protocol):
    """A drawing on which a position is entered by taps, to be counted without a log.

    Whatever its picks lead to can be entered (`Game.enter`), scored and drawn, also with more pieces than there are:
    `Game.problems` says so beside the score.
    """

    def blank(self) -> Count:
        """What an entry begins with: nothing, or what lies there in every game."""

    def entry(self, state: Any, language: str) -> Board:
        """Draw a state with every cell at which something can be entered."""

    def picks(self, count: Count, cell: Cell | None, language: str) -> Sequence[Picks]:
        """What can be made of a cell; of a key that is no spot's; or (None) of what lies beside the board."""


def located(drawing: Drawing, state: Any, facts: Sequence[Fact]) -> Sequence[Fact]:
    """Facts as they are lit on the board: a piece that is named by the cell where it stands."""
    if not facts or not isinstance(drawing, Calling):
        return facts
    places = drawing.places(state)
    return [fact._replace(cells=tuple(dict.fromkeys(places.get(cell, cell) for cell in fact.cells))) for fact in facts]


def sketch_of(drawing: Drawing, move: Any, seat: Seat | None, kind: str = "") -> tuple[Shape, ...]:
    """A move as its game sketches it; else the icon of its kind, or of the option `kind` that it belongs to."""
    return drawing.sketch(move, seat) if isinstance(drawing, Sketching) else drawing.icon(kind or move.kind, seat)


ICON = 100
"""The side of the square that an icon is drawn in."""


def _find() -> dict[str, Drawing]:
    found = {module.name: import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)}
    return {name: module.DRAWING for name, module in found.items() if hasattr(module, "DRAWING")}


@cache
def drawings() -> Mapping[str, Drawing]:
    """The id of each game that has a board -> its drawing."""
    return _find()
