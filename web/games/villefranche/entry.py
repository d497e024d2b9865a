"""Enters a position of Villefranche by taps: whole buildings, as players see them, rather than their pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from rules.forms import THE_REST, UNKNOWN, is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.villefranche.board import CORNER_NAMES, INDEX
from rules.villefranche.state import COLOURS, SUPPLY, Colour, Piece, PieceName, Position, Setup
from rules.villefranche.unknowns.gaps import known
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.game_pages import Choice, ChoiceGroup, Entered
from web.games.villefranche.board import BORDER, beside
from web.games.villefranche.symbols import HEIGHTS, SHADES

Cells: TypeAlias = Mapping[str, tuple[Piece, ...]]
ALONE: Final[Mapping[str, tuple[PieceName, ...]]] = {
    "house": ("cube",),
    "shop": ("cube", "pyramid"),
    "tower1": ("cylinder",),
    "tower2": ("cylinder", "cylinder"),
    "tower3": ("cylinder", "cylinder", "cylinder"),
}
"""The buildings that stand on one cell, from the bottom up."""


def blank() -> Entered:
    """The empty board."""
    return Entered(Setup(), Position())


def unknown(entered: Entered) -> Entered:
    """What was never entered is unknown; but the town is walled in, and nobody has run out of anything."""
    left = {colour: dict.fromkeys(SUPPLY, True) for colour in COLOURS}
    return entered.having(rest=THE_REST, enclosed=True, in_hand=left)


def hide(entered: Entered, cell: Cell) -> Entered | None:
    """A cell of which nobody knows what stands on it."""
    if not isinstance(cell, str) or cell not in INDEX:
        return None
    return entered.having(cells={**entered.position.cells, cell: UNKNOWN})


def choices(entered: Entered, cell: Cell | None, said: Words) -> Sequence[ChoiceGroup]:
    """The buildings that a cell can have; nothing lies beside the board that scores."""
    if not isinstance(cell, str) or cell not in INDEX:
        return ()
    hand = Hand(entered, said, cell)
    found = [*hand.corner()] if cell in CORNER_NAMES else [*hand.church(), *hand.colours()]
    if hand.standing or hand.asks:
        found.append(ChoiceGroup("", (hand.choice("", (), hand.cleared()),)))
    return tuple(choices for choices in found if choices.choices)


def _half_known(entered: Entered, cell: str) -> Cells:
    """The naves or the rampart on a cell of which nobody knows all, where the next cell shows them."""
    if cell not in entered.position.cells and not rest_is_unknown(entered.position):
        return {}
    told = known(entered.setup, entered.position).cells.get(cell)
    return {cell: told} if told else {}


class Hand:
    """What a tap can make of one cell."""

    def __init__(self, entered: Entered, words: Words, cell: str) -> None:
        self.entered, self.words, self.cell = entered, words, cell
        given = entered.position.cells
        seen = {at: stack for at, stack in given.items() if stack and not is_unknown(stack)}
        self.cells: Cells = seen if cell in seen else {**_half_known(entered, cell), **seen}
        self.open: Mapping[str, object] = {at: stack for at, stack in given.items() if at not in self.cells}
        """The cells that were said to be unknown, or free."""
        self.standing = self.cells.get(cell, ())

    @property
    def asks(self) -> bool:
        """Whether it has to be said that a cell is free: what was never entered is unknown, or the cell is."""
        return rest_is_unknown(self.entered.position) or self.cell in self.open

    def cleared(self) -> Cells:
        """The cells without the building on this one: a brick leaves its other cell too, with all that is there."""
        gone: set[str] = set()
        fresh = {self.cell}
        while fresh:
            gone |= fresh
            fresh = {piece.second for at in fresh for piece in self.cells.get(at, ()) if piece.second} - gone
        return {at: stack for at, stack in self.cells.items() if at not in gone}

    def with_(self, cells: Cells) -> Entered:
        """What is entered, with these cells; of this one, it is known then."""
        free = {self.cell: ()} if rest_is_unknown(self.entered.position) else {}
        left = {at: stack for at, stack in self.open.items() if at != self.cell}
        return self.entered.having(cells={**left, **free, **cells})

    def choice(self, code: str, icon: tuple[Shape, ...], cells: Cells, brush: str = "", **values: object) -> Choice:
        """A choice with the words of a code."""
        entered, label = self.with_(cells), self.words.say("board", code, values) if code else ""
        return Choice(label, icon, entered, entered == self.entered, brush=brush)

    def stand(self, code: str, forms: Sequence[str], stack: tuple[Piece, ...], brush: str, **values: object) -> Choice:
        """A choice of a building that stands on this cell alone."""
        return self.choice(code, tower(stack[0].colour, forms), self.standing_alone(stack), brush, **values)

    def standing_alone(self, stack: tuple[Piece, ...]) -> Cells:
        """The cells with a building on this one alone."""
        return {**self.cleared(), self.cell: stack}

    # --- what stands on a cell -----------------------------------------------------------------------------------

    def corner(self) -> Iterator[ChoiceGroup]:
        """A storey more on a corner tower, of either colour, or one less."""
        found = [
            self.choice(
                "edit_storey", tower(colour, ["cylinder"]), self.stacked(colour), f"{colour}-storey", colour=colour
            )
            for colour in COLOURS
        ]
        if len(self.standing) > 1:
            found.append(self.choice("edit_top", (), {**self.cells, self.cell: self.standing[:-1]}))
        yield ChoiceGroup(self.words.say("board", "edit_corner"), tuple(found))

    def stacked(self, colour: Colour) -> Cells:
        """The cells with a storey more on this one."""
        return {**self.cells, self.cell: (*self.standing, Piece("cylinder", colour))}

    def colours(self) -> Iterator[ChoiceGroup]:
        """What each colour can have here: a building of one cell, and on a free cell one of two cells."""
        for colour in COLOURS:
            alone = () if self.cell in BORDER else self._alone(colour)
            yield ChoiceGroup(self.words.player(colour), (*alone, *self._bricks(colour)))

    def _alone(self, colour: Colour) -> Iterator[Choice]:
        for code, forms in ALONE.items():
            name, n = ("edit_tower", len(forms)) if code.startswith("tower") else (f"edit_{code}", 0)
            stack = tuple(Piece(form, colour) for form in forms)
            yield self.stand(name, forms, stack, f"{colour}-{code}", n=n)

    def _bricks(self, colour: Colour) -> Iterator[Choice]:
        """A brick on this free cell and a free one beside it: a rampart on the enclosure, a nave in the town."""
        wall = self.cell in BORDER
        for other in () if self.standing else self.room(self.cells):
            cells = {**self.cells, **brick_stacks(colour, self.cell, other, 1)}
            yield self.choice(
                "edit_rampart" if wall else "edit_church", brick(colour, self.cell, other), cells, cell=other
            )

    def room(self, cells: Cells) -> Iterator[str]:
        """The free cells beside this one on which the other half of a brick may lie."""
        for other in beside(self.cell):
            if other not in cells and other not in CORNER_NAMES and (other in BORDER) == (self.cell in BORDER):
                yield other

    def church(self) -> Iterator[ChoiceGroup]:
        """How far the church that stands here has come."""
        first = self.standing[0] if self.standing else None
        if first is None or first.second is None or self.cell in BORDER:
            return
        colour, other = first.colour, first.second
        found = [
            self.choice(
                "edit_choir" if choir else "edit_naves",
                tower(colour, ["nave-half"] * naves + ["pyramid"] * choir),
                self.stage(colour, other, naves, choir=choir),
                "choir" if choir else "nave" if naves > 1 else "",
                n=naves,
            )
            for naves, choir in ((1, False), (2, False), (2, True))
        ]
        yield ChoiceGroup(self.words.say("board", "edit_stage", {"colour": colour}), tuple(found))

    def stage(self, colour: Colour, other: str, naves: int, *, choir: bool = False) -> Cells:
        """The cells with a church of so many naves; its bell tower is on this one, where the other one has none."""
        pieces = brick_stacks(colour, self.cell, other, naves)
        at = other if self._roofed(other) and not self._roofed(self.cell) else self.cell
        pieces[at] += (Piece("pyramid", colour),) * choir
        return {**self.cleared(), **pieces}

    def _roofed(self, cell: str) -> bool:
        return any(piece.piece == "pyramid" for piece in self.cells.get(cell, ()))


def brick_stacks(colour: Colour, cell: str, other: str, number: int) -> dict[str, tuple[Piece, ...]]:
    """So many bricks on each other, on two cells."""
    return {cell: (Piece("brick", colour, other),) * number, other: (Piece("brick", colour, cell),) * number}


# --- pictures ----------------------------------------------------------------------------------------------------


def tower(colour: Colour, forms: Sequence[str]) -> tuple[Shape, ...]:
    """Pieces on each other, the whole in the middle of the square."""
    heights = [HEIGHTS[form.removesuffix("-half")] for form in forms]
    lowest = (sum(heights) - heights[-1]) / 2 - 6
    return tuple(
        Shape("use", "", {"href": f"#{SHADES[colour]}-{form}", "x": 0, "y": lowest - sum(heights[:level])})
        for level, form in enumerate(forms)
    )


def brick(colour: Colour, cell: str, other: str) -> tuple[Shape, ...]:
    """A brick on two cells, of which this one is framed."""
    form = "rampart" if cell in BORDER else "nave"
    level = cell[1] == other[1]
    first = cell < other if level else cell > other  # an upright brick is drawn from its northern cell on
    x, y = (0 if first else 50, 25) if level else (25, 0 if first else 50)
    name = form if level else f"{form}-upright"
    where = "translate(0 25) scale(0.5)" if level else "translate(25 0) scale(0.5)"
    return (
        Shape("use", "", {"href": f"#{SHADES[colour]}-{name}", "transform": where}),
        Shape("rect", "free", {"x": x + 2, "y": y + 2, "width": 46, "height": 46, "rx": 6}),
    )
