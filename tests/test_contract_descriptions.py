"""The contract describes the games' shapes: each object and each member, in the words of the rules' own docstrings."""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Iterator
from typing import Any

import pytest

import rules
from rules.caches import thaw
from service.http import openapi
from service.schemas.descriptions import MEANINGS, members, object_description
from service.types import AnyGame
from tests.support.api import V1, Api
from tests.support.loops import over

MAX_WORDS = 20
"""Words of the description of a member, at most."""
SHAPES = {
    name: schema
    for name, schema in thaw(openapi.description())["components"]["schemas"].items()
    if re.fullmatch(r"\w+\.(?:(?:given_)?(?:setup|position)|move\.\w+)", name)
}


def objects(schema: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    """The objects with members of their own in a schema, each with its pointer."""
    if isinstance(schema, list):
        for number, each in enumerate(schema):
            yield from objects(each, f"{pointer}/{number}")
    elif isinstance(schema, dict):
        if "properties" in schema:
            yield pointer, schema
        for name, each in schema.items():
            if name != "default":
                yield from objects(each, f"{pointer}/{name}")


def find_undescribed(name: str, schema: Any) -> list[str]:
    """The objects of a shape, and their members, without a description that is a sentence."""
    found = []
    for pointer, each in objects(schema, name):
        described = {pointer: each} | {f"{pointer}/{key}": value for key, value in each["properties"].items()}
        found += [
            where
            for where, value in described.items()
            if not re.fullmatch(r"[A-Z0-9`].*\.", value.get("description", ""))
        ]
    return found


def forms(game: AnyGame) -> set[type]:
    """The dataclasses of a game's setups, positions and moves."""
    found: set[type] = set()
    waiting: list[Any] = [game.setup_form, game.position_form, *game.kinds.values()]
    while waiting:
        hint = waiting.pop()
        if isinstance(hint, type) and dataclasses.is_dataclass(hint) and hint not in found:
            found.add(hint)
            waiting += typing.get_type_hints(hint).values()
        waiting += typing.get_args(hint)
    return found


FORMS = [(game, form) for game in rules.GAMES.values() for form in sorted(forms(game), key=lambda form: form.__name__)]


def member_names(form: type) -> set[str]:
    """The members that a form has in JSON."""
    return {field.name for field in dataclasses.fields(form) if field.init}


def test_every_object_and_member_is_described() -> None:
    """Each generated shape has a description, and each of its members one of at most `MAX_WORDS` words."""
    assert len({name.partition(".")[0] for name in SHAPES}) == len(rules.GAMES)
    for name, schema in over(SHAPES.items()):
        assert find_undescribed(name, schema) == []
        for pointer, each in objects(schema, name):
            long = [key for key, of in each["properties"].items() if len(of["description"].split()) > MAX_WORDS]
            assert long == [], pointer


def test_what_is_not_described_is_noticed() -> None:
    """The control: an undescribed object in a list or member, and a description that is no sentence, are found."""
    spoilt = {
        "description": "Whole.",
        "properties": {"a": {"description": "one"}, "b": {"description": "B.", "items": {"properties": {"c": {}}}}},
    }
    assert find_undescribed("x", spoilt) == ["x/a", "x/properties/b/items", "x/properties/b/items/c"]


@pytest.mark.parametrize(("game", "form"), FORMS, ids=lambda value: getattr(value, "id", None) or value.__name__)
def test_a_docstring_names_only_what_there_is(game: AnyGame, form: type) -> None:
    """Each line of a form's docstring describes a member; each name in it is that of a member or a reading."""
    names = member_names(form)
    assert members(form).keys() <= names
    readings = {reading.key for reading in game.readings}
    named = re.findall(r"(?<!`)`(\w+)`(?!`)", form.__doc__ or "")
    assert set(named) <= names | readings


def test_every_meaning_is_needed() -> None:
    """Each shared meaning describes a member without a line of its own, and each such member has one."""
    shared = {name for name in MEANINGS if name not in ("game", "kind", "player")}  # the service adds these
    for game in over(rules.GAMES.values()):
        open_names = {name for form in forms(game) for name in member_names(form) - members(form).keys()}
        assert game.meanings.keys() <= open_names
        assert open_names <= game.meanings.keys() | MEANINGS.keys()
        shared -= open_names
    assert shared == set()


def test_descriptions_are_those_of_the_docstrings() -> None:
    """Examples: a line, a line that continues, an inherited one, a shared meaning, a reading's title."""
    position = SHAPES["villefranche.position"]
    assert position["description"] == "What stands on the table and whose placement is due."
    assert position["properties"]["due"]["description"] == "Whose placement is due."
    rest = SHAPES["robber_knights.given_position"]["properties"]["rest"]["description"]
    assert rest.endswith("as far as tiles may lie (`RK-11`): `empty` or `unknown`.")
    assert (
        SHAPES["villefranche.move.rampart"]["properties"]["cells"]["description"] == "Its two cells, in either order."
    )
    assert SHAPES["villa_paletti.move.column"]["properties"]["colour"]["description"] == "The colour of the column."
    player = SHAPES["villefranche.setup"]["properties"]["players"]["items"]
    assert player["properties"]["colour"]["description"] == "The colour of the player."
    sieges, answered = (
        SHAPES[f"fief.{name}"]["properties"]["readings"]["properties"]["sieges"] for name in ("given_setup", "setup")
    )
    assert sieges["description"] == "Whether lords can besiege. Left out, it is `off`."
    assert answered["description"] == f"{sieges['description']} {MAY_GROW}"


def test_a_game_page_describes_its_forms(api: Api) -> None:
    """The page of a game has the descriptions of the contract."""
    page: Any = api.get(f"{V1}/games/villa_paletti").json
    assert page["position_schema"] == SHAPES["villa_paletti.given_position"]
    assert page["kinds"][0]["schema"]["description"] == "A column moved up to the top level (`VP-10`)."


@dataclasses.dataclass
class Heap:
    """Stones, or ``none``.

    They are `n`: one or more.

    `n`: how many,
    one at least; ``?`` if unknown.
    `owner`: whose.

    `later`: not `n`.
    """

    n: int


class Pile(Heap):
    """A pile.

    `n`: some.
    """


@dataclasses.dataclass
class Bare:  # noqa: D101  # none is what is tried
    n: int


def test_a_docstring_is_read_by_paragraph_and_line() -> None:
    """A line within prose describes no member; the nearer class wins; a generated signature is no docstring."""
    assert object_description(Heap) == "Stones, or `none`."
    assert members(Heap) == {"n": "How many, one at least; `?` if unknown.", "owner": "Whose.", "later": "Not `n`."}
    assert object_description(Pile) == "A pile."
    assert members(Pile)["n"] == "Some."
    assert members(Pile)["owner"] == "Whose."
    assert (object_description(Bare), members(Bare)) == ("", {})


FIXED_ENUMS = {
    "Language": "an answer has the language that was asked for",
    "RulingWord": "there is no fourth ruling",
    "RuleText/properties/status": "a rule is enforced, recorded or shown",
    "Led": "play can have led there, cannot, or nobody knows",
    "PieceChange/properties/what": "a piece is gone, elsewhere or new",
    "DisputeFields/properties/status": "a dispute is open, settled, or open again",
    "Misfits": "it is asked",
    "GivenRemedy": "it is asked",
    "AskRoll/properties/for": "it is asked",
    "GameId": "it is asked",
    "ExportedEntry/properties/type": "another type has another number of the format",
}
"""Enums of the contract to which no value can be added without breaking clients -> why none will be."""
MAY_GROW = "Values may be added."


def enums(schema: Any, pointer: str, owner: Any = None) -> Iterator[tuple[str, bool]]:
    """The place of each enum of several values, and whether its schema also takes any other text, and says so."""
    if isinstance(schema, list):
        for each in schema:
            yield from enums(each, pointer, owner)
    elif isinstance(schema, dict):
        if len(schema.get("enum", ())) > 1:
            others = [each.get("type") for each in owner["anyOf"]] if owner else []
            tolerant = others[-1:] in (["string"], [["string", "null"]])
            yield pointer, tolerant and MAY_GROW in owner["description"]
        for name, each in schema.items():
            if name == "anyOf":
                yield from enums(each, pointer, schema)
            elif name not in ("not", "enum"):
                yield from enums(each, f"{pointer}/{name}")


def test_an_enum_may_grow_or_never_does() -> None:
    """A client can read values added later, except in `FIXED_ENUMS`. The control: a bare enum takes none."""
    schemas = thaw(openapi.description())["components"]["schemas"]
    own = {name: schema for name, schema in schemas.items() if "." not in name}
    own |= {
        f"{game}.readings": schemas[f"{game}.setup"]["properties"]["readings"] for game in rules.GAMES
    }  # a reading may get another value
    found = {place: tolerant for name, schema in own.items() for place, tolerant in enums(schema, name)}
    assert {place for place, tolerant in found.items() if not tolerant} == FIXED_ENUMS.keys()
    assert found["DisputeSubject/properties/type"]
    assert dict(enums({"type": "string", "enum": ["a", "b"]}, "")) == {"": False}
