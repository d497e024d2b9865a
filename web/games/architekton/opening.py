"""The opening form of Architekton: who begins, the first two landscapes, and the options of the table.

Chance decides the landscapes and the display, so players enter them for each game. The form keeps the buildings of the
box and the series from one game to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from rules.architekton import GAME
from rules.architekton.box import DISPLAY_SIZE
from rules.architekton.play import STARTS, game_end
from rules.architekton.scoring import series_points
from rules.architekton.series import TO_WIN, departures
from rules.architekton.state import COLOURS, Colour, Result, Setup, State
from rules.architekton.tiles import EVERY_LIE, LANDSCAPE, LETTER
from service.i18n.sentences import Words
from service.types import JsonObject
from web.board.shapes import Shape
from web.form_fields import (
    BEGINS,
    Field,
    FieldChoice,
    FieldGroup,
    Opening,
    Values,
    begins_field,
    name_field,
    name_member,
)
from web.games.architekton.questions.tile_answers import SIDES
from web.games.architekton.symbols import tile

MOST: Final = 1_000
"""Characters of a list of tiles."""
MAX_GAMES: Final = 12
"""The maximum number of earlier games of a series; only draws can lead to this many."""
WORD: Final = re.compile(r"(?<!\S)\w(?:[^\S\n]+\w){3}(?!\S)|\S+")
"""A tile in a text."""
DRAW: Final = "draw"
RESULTS: Final = (*COLOURS, DRAW)
LETTERS: Final = {str(kind): letter for kind, letter in LETTER.items()}
CORNERS: Final = {f"{x},{y}": [x, y] for _, (x, y) in STARTS}
"""The possible places of the second landscape beside the first."""


def picture(text: str) -> tuple[Shape, ...]:
    """A tile, in a square of 100 units."""
    return tuple(tile(text, (0, 0, 1)))


def tiles_of(text: str) -> list[str]:
    """The tiles of a text: a word each, or four separate letters, as in the notation."""
    return ["".join(word.split()) for word in WORD.findall(re.sub("[,;]", "\n", text.upper()))]


# --- fields ------------------------------------------------------------------------------------------------------


def _first(values: Values) -> Colour:
    """Who begins, unless a die decides it."""
    return _seat(values.get(BEGINS)) or COLOURS[0]


def _players(values: Values, words: Words) -> FieldGroup:
    """The two players, and which of them begins."""
    text, first = words.text["opening"], _first(values)
    names = (name_field(seat, int(seat != first), values, label=words.name(seat), seat=seat) for seat in COLOURS)
    choices = tuple(FieldChoice(seat, words.name(seat)) for seat in COLOURS)
    return FieldGroup((*names, begins_field(values, choices, text["older"], "/players")))


def _landscape(name: str, pointer: str, values: Values, words: Words, label: str) -> Field:
    """The field for the landscape at a place."""
    choices = tuple(FieldChoice(kind, words.name(kind), picture(letter)) for kind, letter in LETTER.items())
    return Field(name, label, pointer, "row", values.get(name, ""), choices, updates=True)


def _corner(values: Values, words: Words) -> Field:
    """The field for the place of the second landscape beside the first."""
    text, choices = words.text["opening"], []
    for name, (_, y) in CORNERS.items():
        squares = ((4, 28 + 23 * y), (50, 28 - 23 * y))
        shapes = (Shape("rect", "plot", {"x": left, "y": top, "width": 45, "height": 45}) for left, top in squares)
        choices.append(FieldChoice(name, text["up" if y > 0 else "down"], tuple(shapes)))
    chosen = values.get("corner") or choices[0].value
    return Field("corner", text["corner"], "/layout/1/cell", "row", chosen, tuple(choices))


def _layout(values: Values, words: Words) -> FieldGroup:
    """The two landscapes on the table."""
    text = words.text["opening"]
    lands = [_landscape(f"land-{n}", f"/layout/{n}/tile", values, words, text[f"land_{n}"]) for n in (0, 1)]
    missing = sum(not land.value for land in lands)
    missing_part = words.say("opening", "needed", {"n": missing}) if missing else ""
    return FieldGroup(
        (lands[0], lands[1], _corner(values, words)), text["layout"], pointer="/layout", missing_part=missing_part
    )


def _either(name: str, values: Values, words: Words) -> Field:
    """One of two ways, the plain one first."""
    text = words.text["opening"]
    choices = tuple(FieldChoice(value, text[f"{name}_{value}"]) for value in ("no", "yes"))
    chosen = "yes" if values.get(name) == "yes" else "no"
    return Field(name, text[name], "", "row", chosen, choices, updates=True)


def _previews(value: str) -> tuple[FieldChoice, ...]:
    """A picture of each valid building in a text."""
    return tuple(FieldChoice(sides, sides, picture(sides)) for sides in tiles_of(value) if sides in EVERY_LIE)


def _open_buildings(values: Values, words: Words) -> Iterator[Field]:
    """The field for the open buildings, each by its four sides, as in a move."""
    value = values.get("buildings", "")
    given = tiles_of(value)
    sides = {f"side-{side}": values.get(f"side-{side}", "") for side in SIDES}
    letters = "".join(LETTERS.get(kind, "") for kind in sides.values())
    if len(letters) == len(SIDES) and len(given) < DISPLAY_SIZE:
        given, sides = [*given, letters], dict.fromkeys(sides, "")
        value = " ".join(given)
    text = words.text["opening"]
    hint = words.say("opening", "sides_of", {"n": len(given) + 1}) if len(given) < DISPLAY_SIZE else ""
    yield Field(
        "buildings", text["buildings"], "/display/buildings", "picked", value, hint=hint, previews=_previews(value)
    )
    for side in SIDES if len(given) < DISPLAY_SIZE else "":
        choices = tuple(FieldChoice(kind, words.name(kind), picture(letter)) for kind, letter in LETTER.items())
        name, label = f"side-{side}", words.say("board", f"side_{side}")
        yield Field(name, label, "", "row", sides[name], choices, updates=True)


def _display(values: Values, words: Words) -> FieldGroup:
    """Whether the table has a display, and its content."""
    text, choice = words.text["opening"], _either("display", values, words)
    fields = [choice]
    if choice.value == "yes":
        fields += _open_buildings(values, words)
        for number in range(DISPLAY_SIZE):
            label = words.say("opening", "open", {"n": number + 1})
            fields.append(_landscape(f"open-{number}", f"/display/landscapes/{number}", values, words, label))
    asked_sides = any(field.name.startswith("side-") for field in fields)
    missing_part = text["display_needed"] if asked_sides or not all(field.value for field in fields) else ""
    return FieldGroup(tuple(fields), text["display_title"], text["display_hint"], "/display", missing_part=missing_part)


def _box(values: Values, words: Words) -> FieldGroup:
    """The buildings of the box, if the table knows them."""
    text, value = words.text["opening"], values.get("set", "")
    field = Field(
        "set",
        text["set"],
        "/set",
        "area",
        value,
        hint=text["sides"],
        placeholder=text["set_example"],
        max_length=MOST,
        updates=True,
        previews=_previews(value),
    )
    listed = words.say("opening", "listed", {"n": len(tiles_of(value))}) if value else text["any"]
    return FieldGroup((field,), text["box"], listed, is_folded=True, differs=bool(value))


def _results(values: Values) -> list[str]:
    """The results of the earlier games of the series, up to the first gap."""
    found: list[str] = []
    while len(found) < MAX_GAMES and values.get(f"game-{len(found)}") in RESULTS:
        found.append(values[f"game-{len(found)}"])
    return found


def _games(values: Values) -> list[Result]:
    """The earlier games of the series: who won and who began them, if the form names them."""
    return [
        Result(_seat(result), started=_seat(values.get(f"began-{number}")))
        for number, result in enumerate(_results(values))
    ]


def _seat(text: str | None) -> Colour | None:
    return next((seat for seat in COLOURS if seat == text), None)


def _departures_hint(values: Values, words: Words) -> str:
    """The departures from the rule of a series (`AR-40`)."""
    found = departures(_games(values), _first(values))
    return " ".join(words.say("opening", f"departs_{d.code}", {"colour": d.colour, "n": d.game}) for d in found)


def _series(values: Values, words: Words) -> FieldGroup:
    """Whether the game is one of a series, and the games before it."""
    text, single = words.text["opening"], _either("series", values, words)
    fields, results = [single], _results(values)
    choices = (FieldChoice("", text["not_played"]), *(FieldChoice(result, text[f"won_{result}"]) for result in RESULTS))
    if single.value == "yes":
        for number, result in enumerate((*results, "")[:MAX_GAMES]):
            label = words.say("opening", "game", {"n": number + 1})
            pointer = f"/series/{number}"
            fields.append(Field(f"game-{number}", label, pointer, "select", result, choices, updates=True))
            if result:
                fields.append(_first_player_field(number, values, words))
    changed = single.value == "yes"
    hint = (_departures_hint(values, words) if changed else "") or text[f"series_{single.value}"]
    return FieldGroup(tuple(fields), text["series_title"], hint, "/series", is_folded=True, differs=changed)


def _first_player_field(number: int, values: Values, words: Words) -> Field:
    """Who began an earlier game, if the form names them."""
    choices = (FieldChoice("", words.text["opening"]["not_said"]), *(FieldChoice(s, words.name(s)) for s in COLOURS))
    name, label = f"began-{number}", words.say("opening", "began", {"n": number + 1})
    return Field(name, label, f"/series/{number}/started", "select", values.get(name, ""), choices, updates=True)


# --- the opening -------------------------------------------------------------------------------------------------


def _groups(values: Values, words: Words) -> Sequence[FieldGroup]:
    """The players, the two landscapes, the display, the box and the series."""
    return tuple(make(values, words) for make in (_players, _layout, _display, _box, _series))


def _setup(values: Values) -> JsonObject:
    """The JSON of the setup, without the members of a display, box or series that the table does not use."""
    seats = sorted(COLOURS, key=lambda seat: seat != _first(values))
    setup: JsonObject = {
        "players": [{"colour": seat, **name_member(values, f"name-{seat}")} for seat in seats],
        "layout": [
            _layout_item(0, [0, 0], values),
            _layout_item(1, CORNERS.get(values["corner"], values["corner"]), values),
        ],
    }
    if values["display"] == "yes":
        landscapes = [LETTERS[kind] for n in range(DISPLAY_SIZE) if (kind := values[f"open-{n}"]) in LETTERS]
        setup["display"] = {"buildings": tiles_of(values["buildings"]), "landscapes": landscapes}
    if tiles_of(values["set"]):
        setup["set"] = tiles_of(values["set"])
    if values["series"] == "yes":
        setup["series"] = [
            {key: seat for key in ("winner", "started") if (seat := getattr(game, key))} for game in _games(values)
        ]
    return setup


def _values(setup: Setup) -> Values:
    """The values of the players, landscapes, display, box and series for a setup."""
    values = {f"name-{player.colour}": player.name or "" for player in setup.players}
    values |= {f"land-{number}": entry.tile for number, entry in enumerate(setup.layout)}
    values |= {BEGINS: setup.players[0].colour, "corner": "{},{}".format(*setup.layout[1].cell)}
    values |= {"display": "yes" if setup.display else "no", "set": "\n".join(setup.set or ())}
    if setup.display:
        values["buildings"] = " ".join(setup.display.buildings)
        values |= {f"open-{n}": LANDSCAPE[letter] for n, letter in enumerate(setup.display.landscapes)}
    if setup.series is not None:
        values |= {f"game-{n}": game.winner or DRAW for n, game in enumerate(setup.series)} | {"series": "yes"}
        values |= {f"began-{n}": game.started for n, game in enumerate(setup.series) if game.started}
    return values


def _next_setup(setup: Setup, state: State) -> Setup:
    """The next game of a series: the other player begins, and this game counts (`AR-40`).

    After a series that is won, another one starts; the same player begins it.
    """
    if setup.series is None or game_end(state) is None:
        return setup
    first, second = (player.colour for player in setup.players)
    places = GAME.ranking(state)
    if max(series_points(state, places).values()) >= TO_WIN:
        return _with_series(setup, (), second if len(setup.series) % 2 else first)
    winner = next((seat for seat in COLOURS if places[0].seats == (seat,)), None)
    return _with_series(setup, (*setup.series, Result(winner, started=first)), second)


def _with_series(setup: Setup, series: tuple[Result, ...], first: Colour) -> Setup:
    """The same setup after these games of a series, with the player who begins."""
    players = tuple(sorted(setup.players, key=lambda player: player.colour != first))
    return replace(setup, series=series, players=players)


def _layout_item(number: int, cell: Any, values: Values) -> JsonObject:
    """One of the two landscapes, perhaps incomplete."""
    kind = values[f"land-{number}"]
    return {"cell": cell, "tile": kind} if kind else {"cell": cell}


OPENING = Opening(
    _groups,
    _setup,
    _values,
    next_setup=_next_setup,
    drawn_prefixes=("land-", "corner", "buildings", "open-"),
)
