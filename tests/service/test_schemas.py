"""Input is read strictly, and each error is named at its place."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import marshmallow
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

import rules
from rules.caches import thaw
from rules.forms import Between, Pattern
from rules.game import Game
from service import schemas as wire
from service.errors import Invalid, NotJson
from service.judgements import AttemptedMove
from service.schemas import parse
from service.validation import FieldError
from tests.rules.play import SHARED_GAMES, shared_game
from tests.support.bad_bodies import NOT_JSON
from tests.support.loops import over

GAMES = pytest.mark.parametrize("game", rules.GAMES.values(), ids=lambda game: game.id)
VILLEFRANCHE = rules.GAMES["villefranche"]
WIRE = wire.of(VILLEFRANCHE)


def field_errors(schema: marshmallow.Schema, value: Any) -> dict[str, str]:
    """The error code at each pointer."""
    with pytest.raises(Invalid) as invalid:
        wire.load(schema, value)
    return {pointer: field_error.code for pointer, field_error in invalid.value.field_errors}


# --- JSON --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_what_is_not_json_is_refused(body: bytes) -> None:
    """The parser rejects a body that is not JSON, and JSON that could be read in two ways."""
    with pytest.raises(NotJson):
        parse(body)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b'{"a": 1,}', (1, 8)),
        (b'{"a":\n NaN}', (2, 2)),
        ('{"é": tru}'.encode(), (1, 7)),
        (b'{"a": 1} x', (1, 10)),
        (b'{"a": "\xff"}', None),
        (b"", None),
        (b"[" * 30 + b"]" * 30, None),
        (b'{"a": 1, "a": 2}', None),
    ],
)
def test_a_fault_of_json_has_its_place(body: bytes, place: tuple[int, int] | None) -> None:
    """The line and column of the first wrong character; none if no character is wrong."""
    with pytest.raises(NotJson) as refused:
        parse(body)
    assert refused.value.place == place


@given(st.recursive(st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(), st.lists))
def test_json_is_read_as_it_is(value: Any) -> None:
    """Any JSON is read as it is."""
    assert parse(orjson.dumps(value)) == value


@given(st.binary())
def test_any_bytes_are_json_or_refused(body: bytes) -> None:
    """Any bytes are parsed or raise `NotJson`, and nothing else."""
    with suppress(NotJson):
        parse(body)


# --- moves, setups, positions ------------------------------------------------------------------------------------


@GAMES
def test_moves_and_positions_come_back_as_they_went(game: Game[Any, Any]) -> None:
    """Moves and positions survive a way through JSON, and fit the JSON Schema."""
    schemas = {name: Draft202012Validator(schema) for name, schema in thaw(wire.json_schemas(game.id)).items()}
    for state, move in over(
        step for number in range(0, SHARED_GAMES, 5) for step in shared_game(game.id, number).steps
    ):
        position = game.position(state)
        there = wire.plain(position)
        schemas["position"].validate(there)
        assert wire.load(wire.of(game).position, orjson.loads(orjson.dumps(there))) == position
        if move is not None:
            there = wire.plain(move)
            schemas[f"move.{there['kind']}"].validate(there)
            body = {"moves": [orjson.loads(orjson.dumps(there)), game.write(move)]}
            assert wire.load(wire.of(game).moves_body, body)["moves"] == (AttemptedMove(move), AttemptedMove(move))


def test_a_setup_is_completed_by_its_defaults() -> None:
    """A default setup has every reading's default, and reads back as itself."""
    setups = [(game, wire.default_setup(game)) for game in rules.GAMES.values()]
    for game, setup in over((game, setup) for game, setup in setups if setup is not None):
        assert setup["readings"] == {reading.key: reading.default for reading in game.readings}
        assert wire.plain(wire.load(wire.of(game).setup, setup)) == setup


def test_printed_data_can_be_sent_back() -> None:
    """A game's replaceable data, as printed, can be sent in a setup."""
    for game in over(game for game in rules.GAMES.values() if game.data is not None):
        field = wire.of(game).setup.fields["data"]
        assert field.deserialize(wire.plain(game.data)) == game.data


def test_names_are_composed() -> None:
    """A name with a separate accent is read as the composed one, in a form and in notation."""
    made = wire.of(rules.GAMES["fief"])
    apart = unicodedata.normalize("NFD", "Éric")
    assert apart != "Éric"
    composed = made.read_move({"kind": "justice", "lord": "Éric"})
    assert made.read_move({"kind": "justice", "lord": apart}) == composed
    assert made.read_move(f"justice {apart}") == composed


def schemas() -> Iterator[marshmallow.Schema]:
    """Every schema, with those nested in others."""
    found: list[marshmallow.Schema] = [wire.REWIND_BODY, wire.TABLE_QUERY, wire.PAGE_QUERY, wire.EMPTY_QUERY]
    for game in rules.GAMES.values():
        each = wire.of(game)
        found += [value for value in vars(each).values() if isinstance(value, marshmallow.Schema)]
        found += each.kinds.values()
    while found:
        schema = found.pop()
        yield schema
        found += [field.schema for field in schema.fields.values() if isinstance(field, marshmallow.fields.Nested)]


def fields_of(field: wire.AnyField) -> Iterator[wire.AnyField]:
    """A field, with those of its items, names and members."""
    yield field
    for name in ("inner", "names", "members"):
        if isinstance(inner := getattr(field, name, None), marshmallow.fields.Field):
            yield from fields_of(inner)
    if isinstance(field, marshmallow.fields.Nested):
        for member in field.schema.fields.values():
            yield from fields_of(member)


def all_fields() -> Iterator[wire.AnyField]:
    """Every field of every schema."""
    for schema in schemas():
        for member in schema.fields.values():
            yield from fields_of(member)


def test_every_list_and_mapping_has_a_bound_and_is_held_to_it() -> None:
    """Every list and mapping has a bound, and one item more is refused unread."""
    seen = set()
    for field in all_fields():
        if not isinstance(field, wire.Many | wire.Lookup) or (isinstance(field, wire.Many) and field.length):
            continue
        assert field.most is not None, (field.parent, field.name)
        items = {str(number): object() for number in range(field.most + 1)}
        with pytest.raises(marshmallow.ValidationError) as refused:
            field.deserialize(items if isinstance(field, wire.Lookup) else list(items.values()))
        (field_error,) = refused.value.messages
        assert isinstance(field_error, FieldError)
        assert (field_error.code, field_error.values) == ("too_many", {"most": field.most})
        seen.add(type(field))
    assert seen == {wire.Many, wire.Lookup}


def find_unbounded(schema: Any, path: str = "") -> Iterator[str]:
    """The paths of a JSON Schema's lists and mappings without a bound."""
    if isinstance(schema, dict):
        kinds = schema.get("type", ())
        if "array" in kinds and "maxItems" not in schema:
            yield path
        if "object" in kinds and "properties" not in schema and "maxProperties" not in schema:
            yield path
        for name, inner in schema.items():
            yield from find_unbounded(inner, f"{path}/{name}")
    elif isinstance(schema, list):
        for number, inner in enumerate(schema):
            yield from find_unbounded(inner, f"{path}/{number}")


@GAMES
def test_the_contract_says_every_bound(game: Game[Any, Any]) -> None:
    """A game's JSON Schemas have a bound for every list and mapping."""
    for name, schema in over(thaw(wire.json_schemas(game.id)).items()):
        assert list(find_unbounded(schema)) == [], name


def test_no_more_of_an_object_is_read_than_is_told() -> None:
    """Reading an object stops after enough errors: 20 at most."""
    wrong = {str(number): 1 for number in range(100_000)}
    assert len(field_errors(WIRE.moves_body, wrong | {"move": 7})) == 20
    assert field_errors(WIRE.moves_body, {f"x{name}": 1 for name in wrong} | {"move": 7})["/move"] == "not_move"
    assert len(field_errors(WIRE.setup, {"readings": wrong})) == 20
    assert field_errors(WIRE.moves_body, {"move": "h" * 8_001}) == {"/move": "long_notation"}


def test_unknown_fields_are_refused_everywhere() -> None:
    """Every schema rejects unknown fields."""
    for schema in over(schemas()):
        assert schema.unknown == marshmallow.RAISE


def test_free_text_is_always_the_same_field() -> None:
    """Every text field is `Text` or `Word`, and every integer `Whole`."""
    fields = [field for schema in schemas() for field in schema.fields.values()]
    for text in over(each for each in fields if isinstance(each, marshmallow.fields.String)):
        assert isinstance(text, wire.Text | wire.Word)
    for number in over(each for each in fields if isinstance(each, marshmallow.fields.Integer)):
        assert isinstance(number, wire.Whole)


MALFORMED_BODIES: dict[str, tuple[Any, dict[str, str]]] = {
    "no object": ([], {"": "not_object"}),
    "null": (None, {"": "not_object"}),
    "text": ("h c4", {"": "not_object"}),
    "no move": ({}, {"/move": "missing"}),
    "null move": ({"move": None}, {"/move": "not_move"}),
    "number": ({"move": 7}, {"/move": "not_move"}),
    "list": ({"move": ["h c4"]}, {"/move": "not_move"}),
    "unknown field": ({"move": "h c4", "moev": "h c4"}, {"/moev": "unknown_field"}),
    "unknown field of a move": ({"move": {"kind": "house", "cell": "c4", "to": 1}}, {"/move/to": "unknown_field"}),
    "no kind": ({"move": {"cell": "c4"}}, {"/move/kind": "missing"}),
    "kind of no text": ({"move": {"kind": ["house"]}}, {"/move/kind": "not_text"}),
    "another game's kind": ({"move": {"kind": "knight", "cell": "c4"}}, {"/move/kind": "foreign_kind"}),
    "no cell": ({"move": {"kind": "house"}}, {"/move/cell": "missing"}),
    "unknown cell": ({"move": {"kind": "house", "cell": "j4"}}, {"/move/cell": "cell"}),
    "a cell too long": ({"move": {"kind": "house", "cell": "c4\n"}}, {"/move/cell": "cell"}),
    "a cell of another case": ({"move": {"kind": "house", "cell": "C4"}}, {"/move/cell": "cell"}),
    "a cell in digits of another script": ({"move": {"kind": "house", "cell": "c٤"}}, {"/move/cell": "cell"}),
    "cell of no text": ({"move": {"kind": "house", "cell": 4}}, {"/move/cell": "not_text"}),
    "null cell": ({"move": {"kind": "house", "cell": None}}, {"/move/cell": "not_text"}),
    "three cells": ({"move": {"kind": "nave", "cells": ["c3", "c4", "c5"]}}, {"/move/cells": "wrong_length"}),
    "one bad cell of two": ({"move": {"kind": "nave", "cells": ["c3", "z"]}}, {"/move/cells/1": "cell"}),
    "the same cell twice": ({"move": {"kind": "nave", "cells": ["c3", "c3"]}}, {"/move/cells": "same_cell"}),
    "cells of no list": ({"move": {"kind": "nave", "cells": "c3d3"}}, {"/move/cells": "not_list"}),
    "cells of an object": ({"move": {"kind": "nave", "cells": {"0": "c3"}}}, {"/move/cells": "not_list"}),
    "notation": ({"move": "knight takes e5"}, {"/move": "notation"}),
    "empty notation": ({"move": ""}, {"/move": "notation"}),
    "notation of another game": ({"move": "k c4"}, {"/move": "unknown_kind"}),
    "moves of no list": ({"move": "h c4", "moves": "h c4"}, {"/moves": "not_list"}),
    "a move of moves": ({"move": "h c4", "moves": ["h c4", 7]}, {"/moves/1": "not_move"}),
    "a mark that is none": (
        {"move": "h c4", "moves": [{"move": "h c4", "stands": 1}]},
        {"/moves/0/stands": "not_boolean"},
    ),
    "unknown mark": ({"move": "h c4", "moves": [{"move": "h c4", "stand": True}]}, {"/moves/0/stand": "unknown_field"}),
    "too many moves": ({"move": "h c4", "moves": ["h c4"] * 5_001}, {"/moves": "too_many"}),
    "setup of no object": ({"move": "h c4", "setup": []}, {"/setup": "not_object"}),
    "null setup": ({"move": "h c4", "setup": None}, {"/setup": "not_object"}),
    "unknown field of the setup": ({"move": "h c4", "setup": {"seed": 1}}, {"/setup/seed": "unknown_field"}),
    "unknown reading": (
        {"move": "h c4", "setup": {"readings": {"castling": "no"}}},
        {"/setup/readings/castling": "unknown_reading"},
    ),
    "unknown value of a reading": (
        {"move": "h c4", "setup": {"readings": {"stuck": "never"}}},
        {"/setup/readings/stuck": "unknown_reading_value"},
    ),
    "value of a reading of no text": (
        {"move": "h c4", "setup": {"readings": {"corner_tower_points": 2}}},
        {"/setup/readings/corner_tower_points": "not_text"},
    ),
    "unknown colour": (
        {"move": "h c4", "setup": {"players": [{"colour": "green"}, {"colour": "white"}]}},
        {"/setup/players/0/colour": "not_one_of"},
    ),
    "null moves": ({"move": "h c4", "moves": None}, {"/moves": "not_list"}),
    "one colour twice": (
        {"move": "h c4", "setup": {"players": [{"colour": "white"}, {"colour": "white"}]}},
        {"/setup/players": "colours"},
    ),
    "no player": ({"move": "h c4", "setup": {"players": []}}, {"/setup/players": "colours"}),
    "null position": ({"move": "h c4", "position": None}, {"/position": "not_object"}),
    "position of no object": ({"move": "h c4", "position": []}, {"/position": "not_object"}),
    "unknown cell of a position": ({"move": "h c4", "position": {"cells": {"z": []}}}, {"/position/cells/z": "cell"}),
    "pieces of no list": (
        {"move": "h c4", "position": {"cells": {"c4": {}}}},
        {"/position/cells/c4": "not_list"},
    ),
    "no such piece": (
        {"move": "h c4", "position": {"cells": {"c4": [{"piece": "king", "colour": "white"}]}}},
        {"/position/cells/c4/0/piece": "not_one_of"},
    ),
    "third placement": ({"move": "h c4", "position": {"placement": 3}}, {"/position/placement": "not_one_of"}),
    "true for a number": ({"move": "h c4", "position": {"placement": True}}, {"/position/placement": "not_integer"}),
    "a fraction": ({"move": "h c4", "position": {"placement": 1.0}}, {"/position/placement": "not_integer"}),
    "a number for true": ({"move": "h c4", "position": {"first_turn": 1}}, {"/position/first_turn": "not_boolean"}),
    "names with slashes": ({"move": "h c4", "a/b~c": 1}, {"/a~1b~0c": "unknown_field"}),
    "several": (
        {"x": 1, "move": {"kind": "house", "cell": "z"}, "setup": {"readings": 1}},
        {"/move/cell": "cell", "/setup/readings": "not_object", "/x": "unknown_field"},
    ),
}


@pytest.mark.parametrize(("body", "expected"), MALFORMED_BODIES.values(), ids=MALFORMED_BODIES.keys())
def test_what_is_wrong_is_named_where_it_is(body: Any, expected: dict[str, str]) -> None:
    """Each error of a body has its code at its JSON pointer, all at once."""
    assert field_errors(WIRE.ruling_body, body) == expected


ABOUT = {"entry": 2}
QUESTION = "May Black?"
LONG = "\u00e9" * 301
"""A text one character too long."""
SETTLED_SO = {"remedy": "adjust", "position": {}}
WRITTEN_VALUES: dict[str, tuple[str, Any, dict[str, str]]] = {
    "a long question": ("dispute_body", {"about": ABOUT, "question": LONG}, {"/question": "too_long"}),
    "a question without end": ("dispute_body", {"about": ABOUT, "question": "?" * 16_000}, {"/question": "too_long"}),
    "no question": ("dispute_body", {"about": ABOUT}, {"/question": "missing"}),
    "a question of which nothing is seen": (
        "dispute_body",
        {"about": ABOUT, "question": "\u2800\u200b"},
        {"/question": "empty"},
    ),
    "a question of no text": ("dispute_body", {"about": ABOUT, "question": [QUESTION]}, {"/question": "not_text"}),
    "about nothing": ("dispute_body", {"question": QUESTION}, {"/about": "missing"}),
    "about no object": ("dispute_body", {"about": 2, "question": QUESTION}, {"/about": "not_object"}),
    "about entry 0": ("dispute_body", {"about": {"entry": 0}, "question": QUESTION}, {"/about/entry": "out_of_range"}),
    "about more than there are": (
        "dispute_body",
        {"about": {"entry": 2**31}, "question": QUESTION},
        {"/about/entry": "out_of_range"},
    ),
    "long words": ("settlement_body", {"remedy": "stands", "text": LONG}, {"/text": "too_long"}),
    "no remedy": ("settlement_body", {"text": "So be it."}, {"/remedy": "missing"}),
    "another remedy": ("settlement_body", {"remedy": "toss_a_coin"}, {"/remedy": "not_one_of"}),
    "a position of no object": ("settlement_body", {"remedy": "adjust", "position": []}, {"/position": "not_object"}),
    "more of a position": (
        "settlement_body",
        {**SETTLED_SO, "position": {"cells": {f"c{n}": [] for n in range(99)}}},
        {"/position/cells": "too_many"},
    ),
    "more on one cell": (
        "settlement_body",
        {**SETTLED_SO, "position": {"cells": {"c4": [{}] * 99}}},
        {"/position/cells/c4": "too_many"},
    ),
    "an unknown cell": (
        "settlement_body",
        {**SETTLED_SO, "position": {"cells": {"c4": "?"}}},
        {"/position/cells/c4": "unknown_here"},
    ),
    "a position that leaves the rest open": (
        "position_body",
        {"position": {"cells": {}, "rest": "unknown"}},
        {"/position/rest": "unknown_here"},
    ),
    "no pieces": ("position_body", {"position": {"due": "white"}}, {"/position/cells": "missing"}),
    "pieces that are null": ("position_body", {"position": {"cells": None}}, {"/position/cells": "not_object"}),
    "no position": ("position_body", {}, {"/position": "missing"}),
    "a dry run that is none": ("position_body", {"position": {"cells": {}}, "dry_run": 1}, {"/dry_run": "not_boolean"}),
    "no readings": ("readings_body", {}, {"/readings": "missing"}),
    "an unknown reading": (
        "readings_body",
        {"readings": {"castling": "no"}},
        {"/readings/castling": "unknown_reading"},
    ),
    "more late moves": (
        "amendment_body",
        {"insert": {"after": 1, "moves": ["h c4"] * 5_001}},
        {"/insert/moves": "too_many"},
    ),
    "a late move that is none": (
        "amendment_body",
        {"insert": {"after": 1, "moves": ["h c4", 7, "h z9"]}},
        {"/insert/moves/1": "not_move", "/insert/moves/2": "notation"},
    ),
    "after nothing": ("amendment_body", {"insert": {"moves": ["h c4"]}}, {"/insert/after": "missing"}),
    "instead of entry 0": (
        "amendment_body",
        {"replace": {"entry": 0, "move": "h c4"}},
        {"/replace/entry": "out_of_range"},
    ),
    "another way to go on": ("amendment_body", {"delete": {"entry": 2}, "misfits": "burn"}, {"/misfits": "not_one_of"}),
    "a change of no object": ("amendment_body", {"delete": 2}, {"/delete": "not_object"}),
}


AT_THE_LIMIT: dict[str, Any] = {
    "dispute_body": {"about": ABOUT, "question": LONG[1:]},
    "settlement_body": {"remedy": "stands", "text": LONG[1:]},
    "amendment_body": {"insert": {"after": 1, "moves": ["h c4"] * 5_000}},
}


@pytest.mark.parametrize(("schema", "body", "expected"), WRITTEN_VALUES.values(), ids=WRITTEN_VALUES.keys())
def test_what_is_wrong_with_a_decision_is_named_where_it_is(schema: str, body: Any, expected: dict[str, str]) -> None:
    """Errors in disputes, settlements, amendments, positions and readings have their pointers, at and beyond the
    limits.
    """
    assert field_errors(getattr(WIRE, schema), body) == expected


def test_what_is_just_short_enough_is_read() -> None:
    """The control: the longest texts and the most moves are accepted."""
    for schema, body in AT_THE_LIMIT.items():
        wire.load(getattr(WIRE, schema), body)


FIEF = rules.GAMES["fief"]
PLAYERS = [
    {"colour": "red", "lord": "Ada", "village": "A"},
    {"colour": "blue", "lord": "Eve", "village": "B"},
    {"colour": "green", "lord": "Max", "village": "C"},
]
VILLAGES = [
    {"name": name, "fief": fief, "bishopric": 1, "seat": name == "A"} for name, fief in zip("ABCD", "ffgg", strict=True)
]
ROADS = [["A", "B"], ["B", "C"], ["C", "D"]]
LORDS = {"men": ["Max"], "women": ["Ada", "Eve"]}
LORD_OF_THE_NOTATION = {"men": ["Max", "Red"], "women": ["Ada", "Eve"]}
A_VILLAGE_TOO = {"men": ["Max"], "women": ["Ada", "Eve", "A"]}
BY_THEMSELVES = [{"name": f"v{n}", "fief": f"f{n // 2}", "bishopric": 1, "seat": n == 0} for n in range(62)]
STAR = [["v0", f"v{n}"] for n in range(1, 12)]
CROWD = [f"L{n}" for n in range(61)]


def own(
    villages: Any = VILLAGES, roads: Any = ROADS, lords: Any = LORDS, prices: Any = None, **more: Any
) -> dict[str, Any]:
    """A table's own data for Fief: map, lords and prices."""
    return {"map": {"villages": villages, "roads": roads}, "lords": lords, "prices": prices or {}} | more


OWN_DATA: dict[str, tuple[Any, dict[str, str]]] = {
    "unknown field": (own(weather=[]), {"/weather": "unknown_field"}),
    "null": (None, {"": "not_object"}),
    "null map": (own(map=[]), {"/map": "not_object"}),
    "a map without roads": ({"map": {"villages": VILLAGES}}, {"/map/roads": "missing"}),
    "lords without women": ({"lords": {"men": ["Max"]}}, {"/lords/women": "missing"}),
    "a price of text": (own(prices={"castle": "4"}), {"/prices/castle": "not_integer"}),
    "a price below nothing": (own(prices={"castle": -1}), {"/prices/castle": "out_of_range"}),
    "an unknown price": (own(prices={"horse": 1}), {"/prices/horse": "unknown_field"}),
    "a road of three": (own(roads=[["A", "B", "C"]]), {"/map/roads/0": "wrong_length"}),
    "a sixth bishopric": (
        own([*VILLAGES, {"name": "E", "fief": "f", "bishopric": 6}]),
        {"/map/villages/4/bishopric": "out_of_range"},
    ),
    "a village of signs": (
        own([*VILLAGES, {"name": "E>F", "fief": "f", "bishopric": 1}]),
        {"/map/villages/4/name": "cell"},
    ),
    "a road to nowhere": (own(roads=[*ROADS, ["A", "Z"]]), {"/map/roads/3": "road_nowhere"}),
    "a road twice": (own(roads=[*ROADS, ["B", "A"]]), {"/map/roads/3": "road_twice"}),
    "no way to a village": (own(roads=ROADS[:2]), {"/map/villages/3/name": "not_connected"}),
    "a fief of one village": (own(VILLAGES[:3], ROADS[:2]), {"/map/villages": "fief_size"}),
    "two seats": (own([*VILLAGES[:3], {**VILLAGES[3], "seat": True}]), {"/map/villages": "seats"}),
    "a lord called like a colour": (own(lords=LORD_OF_THE_NOTATION), {"/lords/men/1": "name_taken"}),
    "a lord called like a village": (own(lords=A_VILLAGE_TOO), {"/map/villages/0/name": "name_twice"}),
    "too few lords": (own(lords={"men": ["Max"], "women": ["Ada"]}), {"/lords": "few_lords"}),
    "too many lords": (own(lords={"men": CROWD[:31], "women": CROWD[31:]}), {"/lords": "too_many"}),
    "too many villages": (own(BY_THEMSELVES), {"/map/villages": "too_many"}),
    "too many roads of a village": (own(BY_THEMSELVES[:12], STAR), {"/map/roads": "many_roads"}),
}


@pytest.mark.parametrize(("data", "expected"), OWN_DATA.values(), ids=OWN_DATA.keys())
def test_what_is_wrong_with_a_tables_own_data_is_named(data: Any, expected: dict[str, str]) -> None:
    """Errors in a table's own map, prices and lords have their pointers, impossible ones, too."""
    setup = {"players": PLAYERS, "data": data}
    found = field_errors(wire.of(FIEF).ruling_body, {"setup": setup, "move": "next"})
    assert found == {f"/setup/data{pointer}": code for pointer, code in expected.items()}


def test_a_tables_own_data_are_played_on() -> None:
    """The control: the same data without an error are accepted."""
    setup = {"players": PLAYERS, "data": own(prices={"castle": 1})}
    assert wire.load(wire.of(FIEF).ruling_body, {"setup": setup, "move": "next"})["setup"].data.prices.castle == 1


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("pope: Ada,Ada", {"/move": "twice"}),
        ({"kind": "pope", "candidates": ["Ada", "Ada"]}, {"/move/candidates/1": "twice"}),
        ({"kind": "pope", "candidates": CROWD}, {"/move/candidates": "too_many"}),
        ({"kind": "pope", "ballots": [{"voter": name} for name in CROWD]}, {"/move/ballots": "too_many"}),
        ({"kind": "move", "lords": CROWD, "path": ["A", "B"]}, {"/move/lords": "too_many"}),
    ],
)
def test_a_pointer_leads_to_what_was_sent(move: Any, expected: dict[str, str]) -> None:
    """An error in an object points at the member; one in notation, at the notation."""
    setup = {"players": PLAYERS, "data": own()}
    assert field_errors(wire.of(FIEF).ruling_body, {"setup": setup, "move": move}) == expected


def test_only_so_many_faults_are_told() -> None:
    """A response lists at most 20 errors."""
    assert len(field_errors(WIRE.moves_body, {"moves": [None] * 5_000})) == 20


# --- free text ---------------------------------------------------------------------------------------------------


class NamedBody(wire.Body):
    """A body with a name."""

    name = wire.Text(required=True)


NAME = NamedBody()


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("Blanche", "Blanche"),
        ("  Hugo ", "Hugo"),
        ("Élodie", "Élodie"),
        ("E\u0301lodie", "Élodie"),
        ("名前 👩‍🚀", "名前 👩‍🚀"),
        ("<script>alert(1)</script>{{7*7}}", "<script>alert(1)</script>{{7*7}}"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_is_what_people_write(name: str, read: str) -> None:
    """A name may be in any script; it is composed and trimmed, but not escaped."""
    assert wire.load(NAME, {"name": name}) == {"name": read}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("\u200b\u200d\ufeff", "empty"),
        ("\u0301\u0489", "empty"),
        ("\u115f\u1160\u3164\uffa0", "empty"),
        ("\u2800 \u00a0\u00ad", "empty"),
        ("\u034f\ufe0f", "empty"),
        ("\U0001d159", "empty"),
        ("\ufffc", "empty"),
        ("\U000e0041\U000e0042", "empty"),
        ("x" * 41, "too_long"),
        ("x" * 100_000, "too_long"),
        ("a\x00b", "control_character"),
        ("a\nb", "control_character"),
        ("a\u2028b", "control_character"),
        ("a\u202eb", "control_character"),
        ("a\u2066b", "control_character"),
        ("a\ud800b", "control_character"),
        ("a\uffffb", "control_character"),
        (7, "not_text"),
        (None, "not_text"),
        (["x"], "not_text"),
    ],
)
def test_a_name_is_nothing_else(name: Any, code: str) -> None:
    """A name has 1 to 40 characters, at least one visible. It has no control character, no surrogate and no character
    that changes the direction of text.
    """
    assert field_errors(NAME, {"name": name}) == {"/name": code}


IGNORABLE = (
    "00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF FFA0 FFF0-FFF8 "
    "1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"
)
"""Default_Ignorable_Code_Point, of DerivedCoreProperties.txt in Unicode 16."""
OTHER_BLANKS = "2800 FFFC 13441-13442 1D159"
"""Characters that show nothing although Unicode does not call them ignorable."""


def test_nothing_that_is_drawn_as_nothing_is_a_name() -> None:
    """No name consists of an ignorable or blank character."""
    for span in over(f"{IGNORABLE} {OTHER_BLANKS}".split()):
        first, _, last = span.partition("-")
        for each in over(map(chr, range(int(first, 16), int(last or first, 16) + 1))):
            assert field_errors(NAME, {"name": each})["/name"] in {"empty", "control_character"}, hex(ord(each))


@given(st.text())
def test_any_text_is_a_name_or_is_refused(name: str) -> None:
    """Any text is read as a name or raises `Invalid`, and a name reads back as itself."""
    try:
        read = wire.load(NAME, {"name": name})
    except Invalid:
        return
    assert wire.load(NAME, read) == read
    read["name"].encode()


# --- queries -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["", "-1", "1.5", "1e3", "٣", "9" * 400, "26", " 1", "0x1"])
def test_a_number_in_a_query_is_digits_within_bounds(value: str) -> None:
    """A number in a query must be plain digits within bounds."""
    assert set(field_errors(wire.TABLE_QUERY, {"wait": value})) == {"/wait"}


def test_filters_are_kinds_and_cells() -> None:
    """Filters take the game's kinds and cells."""
    asked = {"kind": None, "at": None, "after": None, "limit": 1_000}
    assert wire.filters(VILLEFRANCHE, {}) == asked
    assert wire.filters(VILLEFRANCHE, {"kind": "house", "at": "c4"}) == asked | {"kind": "house", "at": "c4"}
    after = VILLEFRANCHE.read("h c4")
    assert wire.filters(VILLEFRANCHE, {"after": "h c4", "limit": "5"}) == asked | {"after": after, "limit": 5}
    for query, code in (({"kind": "knight"}, "not_one_of"), ({"at": "z9"}, "cell"), ({"of": "c4"}, "unknown_field")):
        with pytest.raises(Invalid) as invalid:
            wire.filters(VILLEFRANCHE, query)
        assert invalid.value.field_errors[0][1].code == code


# --- annotations of forms ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Inner:
    """A nested form."""

    n: Annotated[int, Between(-3, 3)]
    where: tuple[int, int]
    ready: bool = False


@dataclass(frozen=True)
class Outer:
    """A form with every annotation that games may use."""

    word: Annotated[str, Pattern("[FWME]{4}", "FWME")]
    inner: Inner
    many: tuple[Inner, ...] = ()
    level: Literal[1, 2] = 1
    name: str | None = None


def test_every_annotation_has_its_field() -> None:
    """Every annotation that a future game may use is read as strictly."""
    schema = WIRE.schema(Outer)
    body = {"word": "FWME", "inner": {"n": -3, "where": [0, -7]}, "many": [{"n": 1, "where": [1, 2], "ready": True}]}
    assert wire.load(schema, body) == Outer("FWME", Inner(-3, (0, -7)), (Inner(1, (1, 2), True),))
    assert field_errors(schema, {"word": "fwme", "inner": {"n": 4, "where": [0]}, "level": 3}) == {
        "/word": "pattern",
        "/inner/n": "out_of_range",
        "/inner/where": "wrong_length",
        "/level": "not_one_of",
    }
    assert wire.plain(wire.load(schema, body))["inner"] == {"n": -3, "where": [0, -7], "ready": False}


def test_an_annotation_without_json_is_an_error_at_once() -> None:
    """A form that has no JSON is an error when the game is loaded."""

    @dataclass(frozen=True)
    class Strange:
        weight: float

    Strange.__annotations__["weight"] = float
    with pytest.raises(TypeError):
        WIRE.schema(Strange)


def test_a_field_error_is_a_string_with_its_values() -> None:
    """A field error is a string with values, as Marshmallow needs it."""
    field_error = FieldError("too_long", most=40)
    assert (str(field_error), field_error.values, field_error.game) == ("too_long", {"most": 40}, None)


def test_the_game_of_a_new_table_is_named_by_its_id() -> None:
    """A new table's `game` is an id; anything else is an error with its pointer."""
    for body, pointer, code in (([], "", "not_object"), ({}, "/game", "missing"), ({"game": 1}, "/game", "not_text")):
        with pytest.raises(Invalid) as refused:
            wire.game_of_body(body)
        assert [(where, str(field_error)) for where, field_error in refused.value.field_errors] == [(pointer, code)]


def test_only_a_form_is_written_as_json() -> None:
    """Only an instance of a form is written as JSON; anything else is a `TypeError`."""
    assert wire.plain(VILLEFRANCHE.read("h c4")) == {"kind": "house", "cell": "c4"}
    for other in ("h c4", type(VILLEFRANCHE.read("h c4"))):
        with pytest.raises(TypeError):
            wire.plain(other)
