"""The opening form of Robber Knights: two to four players in turn order, and the layout of tiles.

Players enter the layout cell by cell as it lies on the table, two tiles wide or in a single row (`RK-1`). Other
rectangles are the same, from another side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

from rules.robber_knights.state import COLOURS, SIDE, Setup
from rules.robber_knights.tiles import CASTLE_TILES, IN_LAYOUT
from service.i18n.sentences import Words
from service.types import JsonObject
from web import form_fields
from web.form_fields import Field, FieldChoice, FieldGroup, Opening, Values
from web.games.robber_knights.symbols import icon

SHAPES = {"wide": 2, "row": 1}
"""Shape of the layout -> its number of tiles side by side."""


def _shape(values: Values) -> str:
    """The shape of the layout; two tiles wide by default."""
    shape = values.get("shape", "")
    return shape if shape in SHAPES else "wide"


def _cells(players: int, values: Values) -> list[tuple[int, int]]:
    """The cells of the layout in reading order: from the upper left, row by row."""
    wide = SHAPES[_shape(values)]
    return [(x, y) for y in reversed(range(players * IN_LAYOUT // wide)) for x in range(wide)]


def _tile(place: int, cell: tuple[int, int], values: Values, words: Words) -> Field:
    """The field for the tile on a cell."""
    name = f"tile-{cell[0]}-{cell[1]}"
    choices = tuple(FieldChoice(face, words.name(face), icon(face, None)) for face in CASTLE_TILES)
    chosen = values.get(name, "")
    label = words.say("opening", "tile" if chosen in CASTLE_TILES else "place", {"n": place + 1, "face": chosen})
    return Field(name, label, f"/layout/{place}/tile", "row", chosen, choices, updates=True)


def _back(tile: Field, values: Values, words: Words, colours: Sequence[str]) -> Field:
    """The field for the owner of a tile, if somebody has looked at its back."""
    name, pointer = tile.name.replace("tile", "back"), tile.pointer.replace("tile", "colour")
    choices = (FieldChoice("", "–"), *(FieldChoice(colour, words.name(colour)) for colour in colours))
    return Field(name, tile.label, pointer, "select", values.get(name, ""), choices)


def _too_many(tiles: Sequence[Field], players: int, words: Words) -> Iterator[str]:
    """Errors of an impossible layout: a player has one of each tile, and puts one of the three aside."""
    for face, n in Counter(tile.value for tile in tiles if tile.value).items():
        if n > players:
            yield words.say("opening", "too_many", {"face": face, "n": n, "most": players})


def _groups(values: Values, words: Words) -> Sequence[FieldGroup]:
    """The players in turn order, the layout, and the owners of its tiles."""
    players, count_group = form_fields.player_count(values, SIDE)
    each = tuple(chain.from_iterable(form_fields.player_fields(players, values, words, COLOURS)))
    tiles = tuple(_tile(place, cell, values, words) for place, cell in enumerate(_cells(players, values)))
    colours = [field.value for field in each if field.distinct_group]
    backs = tuple(_back(tile, values, words, colours) for tile in tiles)
    text = words.text["opening"]
    notes = tuple(_too_many(tiles, players, words))
    missing = sum(not tile.value for tile in tiles)
    missing_part = words.say("opening", "needed", {"n": missing}) if missing else ""
    shapes = tuple(FieldChoice(shape, text[shape]) for shape in SHAPES)
    shape = Field("shape", text["shape"], "", "select", _shape(values), shapes, updates=True)
    columns: Literal[1, 2] = 2 if shape.value == "wide" else 1
    return (
        FieldGroup((*count_group.fields, shape)),
        FieldGroup(each, text["players"], text["order"], columns=2),
        FieldGroup(
            tiles, text["layout"], text["lying"], "/layout", columns=columns, notes=notes, missing_part=missing_part
        ),
        FieldGroup(backs, text["backs"], text["known"], columns=2, is_folded=True, differs=any(b.value for b in backs)),
    )


def _setup(values: Values) -> JsonObject:
    """The players, and the chosen tiles."""
    layout = []
    for x, y in _cells(int(values["players"]), values):
        entry: JsonObject = {"cell": [x, y]}
        fields = {"tile": values[f"tile-{x}-{y}"], "colour": values[f"back-{x}-{y}"]}
        layout.append(entry | {member: value for member, value in fields.items() if value})
    return {"players": form_fields.players_of(values), "layout": layout}


def _values(setup: Setup) -> Values:
    """The values of the players and the tiles for a setup."""
    narrow = min(len({entry.cell[axis] for entry in setup.layout}) for axis in (0, 1))
    values = {**form_fields.player_values(setup), "shape": "row" if narrow == SHAPES["row"] else "wide"}
    for entry in setup.layout:
        x, y = entry.cell
        values |= {f"tile-{x}-{y}": entry.tile, f"back-{x}-{y}": entry.colour or ""}
    return values


OPENING = Opening(
    _groups,
    _setup,
    _values,
    drawn_prefixes=("tile-", "back-"),
)
