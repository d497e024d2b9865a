"""Enters a position of Villefranche by taps: whole buildings, as players see them, not their pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from rules.forms import THE_REST, UNKNOWN, is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.villefranche.board import CORNER_NAMES, INDEX
from rules.villefranche.state import COLOURS, SUPPLY, Colour, Piece, PieceName, Position, Setup
from rules.villefranche.unknowns.gaps import known_part
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.game_pages import Choice, ChoiceGroup, Snapshot
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


def blank() -> Snapshot:
    """The empty board."""
    return Snapshot(Setup(), Position())


def mark_unknown(snapshot: Snapshot) -> Snapshot:
    """The snapshot with all else unknown, except that the enclosure is complete and nobody lacks any piece."""
    left = {colour: dict.fromkeys(SUPPLY, True) for colour in COLOURS}
    return snapshot.with_changes(rest=THE_REST, enclosed=True, in_hand=left)


def hide(snapshot: Snapshot, cell: Cell) -> Snapshot | None:
    """The snapshot with an unknown cell."""
    if not isinstance(cell, str) or cell not in INDEX:
        return None
    return snapshot.with_changes(cells={**snapshot.position.cells, cell: UNKNOWN})


def choices(snapshot: Snapshot, cell: Cell | None, words: Words) -> Sequence[ChoiceGroup]:
    """The buildings that a cell can have; nothing beside the board scores."""
    if not isinstance(cell, str) or cell not in INDEX:
        return ()
    hand = Hand(snapshot, words, cell)
    found = [*hand.corner()] if cell in CORNER_NAMES else [*hand.church(), *hand.colours()]
    if hand.current_stack or hand.must_state_free:
        found.append(ChoiceGroup("", (hand.choice("", (), hand.without_building()),)))
    return tuple(choices for choices in found if choices.choices)


def _half_known(snapshot: Snapshot, cell: str) -> Cells:
    """The naves or the rampart on a partly unknown cell, if the next cell shows them."""
    if cell not in snapshot.position.cells and not rest_is_unknown(snapshot.position):
        return {}
    stack = known_part(snapshot.setup, snapshot.position).cells.get(cell)
    return {cell: stack} if stack else {}


class Hand:
    """The choices for one cell."""

    def __init__(self, snapshot: Snapshot, words: Words, cell: str) -> None:
        self.snapshot, self.words, self.cell = snapshot, words, cell
        stacks = snapshot.position.cells
        known_stacks = {at: stack for at, stack in stacks.items() if stack and not is_unknown(stack)}
        self.cells: Cells = known_stacks if cell in known_stacks else {**_half_known(snapshot, cell), **known_stacks}
        self.unknown_or_free_cells: Mapping[str, object] = {
            at: stack for at, stack in stacks.items() if at not in self.cells
        }
        """The cells that were entered as unknown, or free."""
        self.current_stack = self.cells.get(cell, ())

    @property
    def must_state_free(self) -> bool:
        """Whether a free cell needs an entry, because the rest or the cell is unknown."""
        return rest_is_unknown(self.snapshot.position) or self.cell in self.unknown_or_free_cells

    def without_building(self) -> Cells:
        """The cells without the building on this one: a brick leaves its other cell too, with all on it."""
        removed: set[str] = set()
        fresh = {self.cell}
        while fresh:
            removed |= fresh
            fresh = {piece.second for at in fresh for piece in self.cells.get(at, ()) if piece.second} - removed
        return {at: stack for at, stack in self.cells.items() if at not in removed}

    def with_cells(self, cells: Cells) -> Snapshot:
        """The snapshot with these cells; this one becomes known."""
        free = {self.cell: ()} if rest_is_unknown(self.snapshot.position) else {}
        left = {at: stack for at, stack in self.unknown_or_free_cells.items() if at != self.cell}
        return self.snapshot.with_changes(cells={**left, **free, **cells})

    def choice(self, code: str, icon: tuple[Shape, ...], cells: Cells, brush: str = "", **values: object) -> Choice:
        """A choice with the words of a code."""
        snapshot, label = self.with_cells(cells), self.words.say("board", code, values) if code else ""
        return Choice(label, icon, snapshot, snapshot == self.snapshot, brush=brush)

    def building_choice(
        self, code: str, forms: Sequence[str], stack: tuple[Piece, ...], brush: str, **values: object
    ) -> Choice:
        """A choice of a building that stands on this cell alone."""
        return self.choice(code, tower(stack[0].colour, forms), self.with_building_alone(stack), brush, **values)

    def with_building_alone(self, stack: tuple[Piece, ...]) -> Cells:
        """The cells with a building on this one alone."""
        return {**self.without_building(), self.cell: stack}

    # --- the buildings of a cell ---------------------------------------------------------------------------------

    def corner(self) -> Iterator[ChoiceGroup]:
        """One more storey on a corner tower, of either colour, or one less."""
        found = [
            self.choice(
                "edit_storey", tower(colour, ["cylinder"]), self.with_storey(colour), f"{colour}-tower", colour=colour
            )
            for colour in COLOURS
        ]
        if len(self.current_stack) > 1:
            found.append(self.choice("edit_top", (), {**self.cells, self.cell: self.current_stack[:-1]}))
        yield ChoiceGroup(self.words.say("board", "edit_corner"), tuple(found))

    def with_storey(self, colour: Colour) -> Cells:
        """The cells with one more storey on this one."""
        return {**self.cells, self.cell: (*self.current_stack, Piece("cylinder", colour))}

    def colours(self) -> Iterator[ChoiceGroup]:
        """The possible buildings of each colour: of one cell, and on a free cell of two cells."""
        for colour in COLOURS:
            alone = () if self.cell in BORDER else self._alone(colour)
            yield ChoiceGroup(self.words.player(colour), (*alone, *self._bricks(colour)))

    def _alone(self, colour: Colour) -> Iterator[Choice]:
        for code, forms in ALONE.items():
            stack = tuple(Piece(form, colour) for form in forms)
            if code.startswith("tower"):
                yield self.building_choice("edit_tower", forms, stack, "", n=len(forms))
            else:
                yield self.building_choice(f"edit_{code}", forms, stack, f"{colour}-{code}")

    def _bricks(self, colour: Colour) -> Iterator[Choice]:
        """A brick on this free cell and a free one beside it: a rampart on the enclosure, a nave in the town."""
        wall = self.cell in BORDER
        for other in () if self.current_stack else self.free_neighbours(self.cells):
            cells = {**self.cells, **brick_stacks(colour, self.cell, other, 1)}
            yield self.choice(
                "edit_rampart" if wall else "edit_church", brick(colour, self.cell, other), cells, cell=other
            )

    def free_neighbours(self, cells: Cells) -> Iterator[str]:
        """The free cells beside this one on which the other half of a brick may lie."""
        for other in beside(self.cell):
            if other not in cells and other not in CORNER_NAMES and (other in BORDER) == (self.cell in BORDER):
                yield other

    def church(self) -> Iterator[ChoiceGroup]:
        """The stages of the church here."""
        first = self.current_stack[0] if self.current_stack else None
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
        """The cells with a church of a number of naves; its bell tower is on this one, unless the other one has it."""
        pieces = brick_stacks(colour, self.cell, other, naves)
        at = other if self._has_roof(other) and not self._has_roof(self.cell) else self.cell
        pieces[at] += (Piece("pyramid", colour),) * choir
        return {**self.without_building(), **pieces}

    def _has_roof(self, cell: str) -> bool:
        return any(piece.piece == "pyramid" for piece in self.cells.get(cell, ()))


def brick_stacks(colour: Colour, cell: str, other: str, number: int) -> dict[str, tuple[Piece, ...]]:
    """A number of bricks on each other, on two cells."""
    return {cell: (Piece("brick", colour, other),) * number, other: (Piece("brick", colour, cell),) * number}


# --- pictures ----------------------------------------------------------------------------------------------------


def tower(colour: Colour, forms: Sequence[str]) -> tuple[Shape, ...]:
    """Pieces on each other, together in the middle of the square."""
    heights = [HEIGHTS[form.removesuffix("-half")] for form in forms]
    lowest = (sum(heights) - heights[-1]) / 2 - 6
    return tuple(
        Shape("use", "", {"href": f"#{SHADES[colour]}-{form}", "x": 0, "y": lowest - sum(heights[:level])})
        for level, form in enumerate(forms)
    )


def brick(colour: Colour, cell: str, other: str) -> tuple[Shape, ...]:
    """A brick on two cells, with a frame around this one."""
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
