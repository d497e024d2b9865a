"""The entries of a log in the contract: `openapi.yaml` has the fields that `service.tables.entries` declares."""

from __future__ import annotations

import types
from collections.abc import Mapping
from datetime import timedelta
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import orjson
import pytest

from service.http.serializers import entries
from service.i18n.sentences import words
from service.referee.fold import fold
from service.schemas.parsing import encode
from service.tables import codec
from service.tables.entries import Unlisted
from service.tables.entry_fields import EntryField, fields_of
from tests.support.api import Api
from tests.support.loops import over

CONTRACT = Api.contract
LOG = Path(__file__).parent / "service" / "logs" / "villefranche-2-decided.json"
"""A log with every kind of entry."""
HEAD = ("version", "type", "at", "recorded_by")
OF_PYTHON = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
LISTED_KINDS = [kind for kind in codec.TYPES if kind not in get_args(Unlisted)]
every_kind = pytest.mark.parametrize("kind", LISTED_KINDS, ids=codec.TYPES.get)


def shape(kind: Any) -> Mapping[str, Any]:
    """The shape of an entry in the contract."""
    found: Mapping[str, Any] = CONTRACT.description["components"]["schemas"][f"{codec.TYPES[kind].capitalize()}Entry"]
    return found


def declared_types(hint: Any) -> set[str]:
    """The JSON types of a field; for a choice its values, each after ``=``."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return set().union(*map(declared_types, get_args(hint)))
    if origin is Literal:
        return {f"={each}" for each in get_args(hint)}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {f"={each.value}" for each in hint}
    if hint in OF_PYTHON:
        return {OF_PYTHON[hint]}
    return {"array"} if origin is tuple else {"object"}


def described_types(schema: Mapping[str, Any]) -> set[str]:
    """The JSON types of a shape in the contract, in the same form."""
    if "$ref" in schema:
        return described_types(CONTRACT.find(schema["$ref"].removeprefix("#"))[1])
    ways = schema.get("oneOf") or schema.get("anyOf")
    if ways:
        return set().union(*map(described_types, ways))
    if "enum" in schema:
        return {f"={each}" for each in schema["enum"]}
    kinds = schema["type"]
    return {kinds} if isinstance(kinds, str) else {*kinds}


def agrees(field: EntryField, schema: Mapping[str, Any]) -> bool:
    """Whether a field fits the contract, which may describe a text as a choice, and allow null."""
    theirs = described_types(schema)
    choice = {"string"} if any(each.startswith("=") for each in theirs) else set()
    return declared_types(field.hint) <= theirs | choice


@every_kind
def test_the_contract_has_every_field(kind: Any) -> None:
    """The contract requires each field that the API answers in an entry, and has its type."""
    described_entry = shape(kind)
    properties = described_entry["properties"]
    assert {*properties} == {*described_entry["required"]} >= {*HEAD}
    assert properties["type"] == {"const": codec.TYPES[kind]}
    for field in over(fields_of(kind)):
        if field.is_hidden:
            continue
        assert field.api in properties, field.name
        assert agrees(field, properties[field.api]), field.name


@every_kind
def test_an_answer_has_what_the_contract_says_and_no_more(kind: Any) -> None:
    """Each entry of a log with every kind has exactly the described members, so no hidden one."""
    log = orjson.loads(LOG.read_bytes())["log"]
    table = fold("A" * 22, list(enumerate(map(orjson.dumps, log), start=1)), timedelta(days=1))
    for entry in over(each for each in table.entries if type(each) is kind):
        answer = entries.entry(table, entry, words("en", table.game.id))
        assert {*answer} == {*shape(kind)["required"]}
        CONTRACT.fits(orjson.loads(encode(answer)), f"/components/schemas/{codec.TYPES[kind].capitalize()}Entry")


def test_a_field_that_departs_is_noticed() -> None:
    """The control: another type, a choice with one more value, and null where the contract has none."""
    number = EntryField("n", "n", "n", int, 0, is_hidden=False, null=True)
    assert agrees(number, {"type": "integer"})
    assert not agrees(number, {"type": "string"})
    assert not agrees(number._replace(hint=str), {"type": "integer"})
    assert not agrees(number._replace(hint=int | None), {"type": "integer"})
    choice = number._replace(hint=Literal["a", "b"])
    assert agrees(choice, {"enum": ["a", "b"]})
    assert not agrees(choice, {"enum": ["a"]})
