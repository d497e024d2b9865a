"""The forms of a game as JSON Schema, for its page of the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter

import rules
from rules.caches import cache, freeze
from rules.steps import REST, spend
from service.i18n.languages import DEFAULT_LANGUAGE
from service.i18n.sentences import words
from service.schemas.descriptions import MEANINGS, members, object_description
from service.schemas.fields import TWO_NUMBERS, AnyField, CellField, Lookup, Many, MaybeUnknown, Readings
from service.schemas.game_schemas import wire_by_id
from service.schemas.objects import Body, DataclassSchema, ObjectField

JsonSchema: TypeAlias = dict[str, Any]
"""A JSON Schema (draft 2020-12)."""


class _Converter(OpenAPIConverter):
    """Converts the forms, with the descriptions from their docstrings."""

    def schema2jsonschema(self, schema: Body) -> JsonSchema:
        """The schema of an object."""
        converted: JsonSchema = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]  # theirs
        if isinstance(schema, DataclassSchema):
            converted |= {"description": text} if (text := object_description(schema.form)) else {}
        return converted


class _Plugin(MarshmallowPlugin):
    """Converts by `_Converter`."""

    Converter = _Converter


class _AnswerConverter(_Converter):
    """Converts the forms of responses: only nullable members may be missing, and there are no defaults."""

    def fields2jsonschema(self, fields: Mapping[str, AnyField], *, partial: Any = None) -> JsonSchema:
        """The schema of an object with these fields."""
        schema: JsonSchema = super().fields2jsonschema(fields, partial=partial)  # type: ignore[no-untyped-call]  # theirs
        named_game = {"game"} & schema["properties"].keys()
        carried = {field.data_key or name for name, field in fields.items() if not field.allow_none}
        schema["required"] = sorted(carried | named_game)
        for member in schema["properties"].values():
            for of_requests in ("default", "examples"):
                member.pop(of_requests, None)
        return schema


class _AnswerPlugin(MarshmallowPlugin):
    """Converts by `_AnswerConverter`."""

    Converter = _AnswerConverter


@cache()
def json_schemas(game_id: str) -> Mapping[str, JsonSchema]:
    """The JSON Schemas of a game's forms: ``setup``, ``position``, and ``move.<kind>``; each self-contained."""
    wire, convert = wire_by_id(game_id), _converter(_Plugin)
    forms = {"setup": wire.setup, "position": wire.position}
    forms |= {f"move.{kind}": schema for kind, schema in wire.kinds.items()}
    return freeze({name: convert(schema) for name, schema in forms.items()})


def answer_schemas(game_id: str) -> Mapping[str, JsonSchema]:
    """The JSON Schemas of these forms in responses (`service.schemas.game_form`), without moves that look the same."""
    wire, convert = wire_by_id(game_id), _converter(_AnswerPlugin)
    forms = {"setup": convert(wire.setup), "position": convert(wire.position)}
    spend(REST)  # yield to other requests
    moves = {kind: schema for kind, schema in wire.kinds.items() if _looks_different(schema)}
    return forms | {f"move.{kind}": convert(schema) for kind, schema in moves.items()}


def _looks_different(form: object) -> bool:
    """Whether a schema or a field differs in responses: by a member with two names, or a cell."""
    match form:
        case DataclassSchema():
            return form.player_member is not None or any(map(_looks_different, form.fields.values()))
        case ObjectField():
            return _looks_different(form.schema)
        case Many() | MaybeUnknown():
            return _looks_different(form.inner)
    return isinstance(form, CellField)


def _converter(plugin_class: type[MarshmallowPlugin]) -> Callable[[Body], JsonSchema]:
    """A converter from a schema to JSON Schema, with the facts about our fields that apispec does not know."""
    plugin: Any = plugin_class(schema_name_resolver=_no_name)
    APISpec("", "", "3.1.0", plugins=[plugin])
    plugin.converter.add_attribute_function(_names_of_members)
    plugin.converter.add_attribute_function(_or_unknown)
    plugin.converter.add_attribute_function(_as_list_or_text)
    plugin.converter.add_attribute_function(_describe)
    convert: Callable[[Body], JsonSchema] = plugin.converter.schema2jsonschema
    return convert


def _no_name(_schema: object) -> str:
    """No name, so that a nested schema is written out in place."""
    return ""


def _names_of_members(converter: OpenAPIConverter, field: AnyField, **_: object) -> JsonSchema:
    """What apispec omits: the allowed names of members that the client chooses."""
    return {"propertyNames": converter.field2property(field.names)} if isinstance(field, Lookup) else {}


def _or_unknown(converter: OpenAPIConverter, field: AnyField, **_: object) -> JsonSchema:
    """What apispec cannot know: a value may also be the word for unknown."""
    if not isinstance(field, MaybeUnknown):
        return {}
    # an enum of one value: generators of clients read a const more strictly than its union
    ways = [converter.field2property(field.inner), {"type": "string", "enum": [field.word]}]
    return {"anyOf": [*ways, {"type": "null"}] if field.allow_none else ways}


def _as_list_or_text(converter: OpenAPIConverter, field: AnyField, **_: object) -> JsonSchema:
    """What apispec cannot know: a request may have a cell of two numbers as text, too; responses have a list."""
    if not isinstance(field, CellField):
        return {}
    as_list: JsonSchema = converter.field2property(field.inner)
    nullable = [{"type": "null"}] if field.allow_none else []
    if isinstance(converter, _AnswerConverter):
        return {"anyOf": [as_list, *nullable]} if nullable else as_list
    return {"anyOf": [as_list, {"type": "string", "pattern": f"^(?:{TWO_NUMBERS})$", "examples": ["1,-2"]}, *nullable]}


def _describe(converter: OpenAPIConverter, field: AnyField, **_: object) -> JsonSchema:
    """The meaning of a form's member; for readings, also that of each."""
    parent = field.parent
    if not isinstance(parent, DataclassSchema) or parent.game is None:
        return {}
    meanings = {**MEANINGS, **rules.GAMES[parent.game].meanings, **members(parent.form)}
    meaning = meanings.get(field.data_key or field.name or "")
    described: JsonSchema = {"description": meaning} if meaning else {}
    if not isinstance(field, Readings):
        return described
    return described | _described_readings(field, parent.game, may_grow=isinstance(converter, _AnswerConverter))


def _described_readings(field: Readings, game_id: str, *, may_grow: bool) -> JsonSchema:
    """The subject of each reading. `may_grow`: clients must accept other values, which a later release may add."""
    texts, schemas = words(DEFAULT_LANGUAGE, game_id).text["readings"], dict(field.metadata["properties"])
    for reading in field.readings:
        title = texts.get(reading.key, {}).get("title", reading.key)
        about = f"{title}. Left out, it is `{reading.default}`."
        known = schemas[reading.key]
        values = {"anyOf": [known, {"type": "string"}]} if may_grow else known
        schemas[reading.key] = values | {"description": f"{about} Values may be added." if may_grow else about}
    return {"properties": schemas}
