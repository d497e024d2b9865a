"""Enters a position of Architekton by taps: a landscape, or a building with its house.

The sides of a building do not score.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from rules.architekton import GAME
from rules.architekton.moves import Building as Lay
from rules.architekton.moves import Land
from rules.architekton.play import STARTS
from rules.architekton.state import (
    COLOURS,
    FREE,
    BuildingTile,
    Chips,
    Colour,
    LandscapeTile,
    LayoutTile,
    Position,
    Setup,
)
from rules.architekton.tiles import AROUND, LANDSCAPE, LETTER, Square
from rules.forms import THE_REST, UNKNOWN, rest_is_unknown
from rules.kernel import Cell
from service.i18n.languages import DEFAULT_LANGUAGE
from service.i18n.sentences import Words, words
from web.board.shapes import Shape
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.games.architekton.symbols import icon, sketch

MAX_CHIPS = 40
SIDES = ("north", "east", "south", "west")


def blank() -> Snapshot:
    """No tile at all, and the chips of the start. A setup needs a layout, but the score does not depend on it."""
    return Snapshot(Setup(layout=tuple(LayoutTile(cell, "earth") for cell in STARTS[0])), Position())


def mark_unknown(snapshot: Snapshot) -> Snapshot:
    """The snapshot with all other cells unknown, also beyond the entered ones."""
    return snapshot.with_changes(rest=THE_REST)


def hide(snapshot: Snapshot, cell: Cell) -> Snapshot | None:
    """The snapshot with an unknown cell."""
    if isinstance(cell, str):
        return None
    mark = LandscapeTile(cell, UNKNOWN)  # type: ignore[arg-type]  # a mark: `OrUnknown`
    return Hand(snapshot, words(DEFAULT_LANGUAGE, GAME.id), cell).with_tile(mark)


def choices(snapshot: Snapshot, cell: Cell | None, words: Words) -> Sequence[ChoiceGroup]:
    """The tiles and the house of a cell; beside the board, the chips."""
    if cell is None:
        return tuple(_chips(snapshot, words))
    if isinstance(cell, str):
        return ()
    hand = Hand(snapshot, words, cell)
    found = [
        ChoiceGroup(words.say("board", "edit_building"), tuple(hand.houses())),
        ChoiceGroup(words.say("board", "edit_landscape"), tuple(hand.landscapes())),
    ]
    if hand.building or hand.landscape or rest_is_unknown(snapshot.position):
        found.append(ChoiceGroup("", (Choice("", (), now := hand.without_tile(), now == snapshot),)))
    if hand.building:  # the score needs no sides, a ruling does
        seldom = not hand.assumptions or snapshot.position.rest is None
        found.insert(1, ChoiceGroup(words.say("board", "edit_sides"), tuple(hand.sides(hand.building)), seldom=seldom))
    return found


def visible_position(position: Position) -> Position:
    """All but the display, which taps do not change."""
    return replace(position, display=None)


def brush_of(colour: Colour | None, sides: str = "") -> str:
    """The code of the brush of a building: with a house or without, and with its own sides, if any."""
    return "-".join(filter(None, ("building", colour, sides)))


class Hand:
    """The choices for one cell."""

    def __init__(self, snapshot: Snapshot, words: Words, cell: Square) -> None:
        self.snapshot, self.words, self.cell = snapshot, words, cell
        position = snapshot.position
        self.building = next((tile for tile in position.buildings if tile.cell == cell), None)
        self.landscape = next((tile for tile in position.landscapes if tile.cell == cell), None)
        self.assumptions = {side for at, side in snapshot.assumptions if at == cell} if self.building else set()

    def with_tile(self, tile: BuildingTile | LandscapeTile | None, assumptions: Collection[str] = ()) -> Snapshot:
        """The snapshot with another tile on the cell, or none; `assumptions`: its sides that nobody entered."""
        position: Position = self.snapshot.position
        buildings = [other for other in position.buildings if other.cell != self.cell]
        landscapes = [other for other in position.landscapes if other.cell != self.cell]
        if isinstance(tile, BuildingTile):
            buildings.append(tile)
        elif tile:
            landscapes.append(tile)
        built = tuple(sorted(buildings, key=lambda tile: tile.cell))
        lands = tuple(sorted(landscapes, key=lambda tile: tile.cell))
        others = [(at, side) for at, side in self.snapshot.assumptions if at != self.cell]
        sides = (*others, *((self.cell, side) for side in SIDES if side in assumptions))
        return replace(self.snapshot, position=replace(position, buildings=built, landscapes=lands), assumptions=sides)

    def without_tile(self) -> Snapshot:
        """The snapshot without a tile on the cell, which needs an entry if the rest is unknown."""
        return self.with_tile(LandscapeTile(self.cell, FREE) if rest_is_unknown(self.snapshot.position) else None)

    def landscapes(self) -> Iterator[Choice]:
        """A landscape of each kind."""
        for landscape in LETTER:
            tile = LandscapeTile(self.cell, landscape)
            icon = sketch(Land(self.cell, landscape), None)
            yield Choice(
                self.words.name(landscape), icon, self.with_tile(tile), tile == self.landscape, brush=landscape
            )

    def houses(self) -> Iterator[Choice]:
        """A building with a house of each colour, or without."""
        for colour in (*COLOURS, None):
            tile, now = self.with_house(colour)
            label = self.words.say("board", "edit_house" if colour else "edit_no_house", {"colour": colour})
            yield Choice(label, self._picture(tile), now, tile == self.building, brush=brush_of(colour))

    def with_house(self, colour: Colour | None) -> tuple[BuildingTile, Snapshot]:
        """The building here with such a house, or a new one with assumed sides; and the snapshot then."""
        sides = self.building.sides if self.building else self._guess_sides()
        tile = BuildingTile(self.cell, sides, colour)
        return tile, self.with_tile(tile, self.assumptions if self.building else SIDES)

    def sides(self, building: BuildingTile) -> Iterator[Choice]:
        """Choices to confirm the drawn sides, while they are assumed, and for another landscape on each side."""
        if self.assumptions:
            yield Choice(self.words.say("board", "edit_as_drawn"), self._picture(building), self.with_tile(building))
        for number, side in enumerate(SIDES):
            for letter, landscape in LANDSCAPE.items():
                tile = replace(building, sides=building.sides[:number] + letter + building.sides[number + 1 :])
                label = self.words.say("board", f"edit_{side}", {"landscape": landscape})
                left = self.assumptions - {side}
                is_chosen = tile == building and left == self.assumptions
                code = "" if left else brush_of(tile.house, tile.sides)
                yield Choice(label, self._picture(tile), self.with_tile(tile, left), is_chosen, brush=code)

    def _guess_sides(self) -> str:
        """The assumed sides of a new building: they do not score, and no ruling uses them."""
        near = AROUND[self.cell]
        beside = {
            tile.cell: LETTER.get(tile.landscape) for tile in self.snapshot.position.landscapes if tile.cell in near
        }
        return "".join(beside.get(cell) or letter for cell, letter in zip(near, LANDSCAPE, strict=True))

    def _picture(self, tile: BuildingTile) -> tuple[Shape, ...]:
        return sketch(Lay(tile.cell, tile.sides), tile.house)


def _chips(snapshot: Snapshot, words: Words) -> Iterator[ChoiceGroup]:
    """One chip more or less for each player: both choices always exist, so that neither moves to the other's place."""
    now: Chips = snapshot.position.chips
    for colour in COLOURS:
        chips = getattr(now, colour)
        found = []
        for code, sign, number in (("edit_less", "−", chips - 1), ("edit_more", "+", chips + 1)):
            off = not 0 <= number <= MAX_CHIPS
            then = snapshot if off else snapshot.with_changes(chips=replace(now, **{colour: number}))
            found.append(Choice(words.say("board", code), (*icon("chips", colour), _sign(sign)), then, is_disabled=off))
        yield ChoiceGroup(words.say("board", "edit_chips", {"colour": colour, "n": chips}), tuple(found))


def _sign(sign: str) -> Shape:
    bold = {"text-anchor": "middle", "font-weight": "bold"}
    return Shape("text", "letter", {"x": 50, "y": 66, "font-size": 46, **bold}, sign)
