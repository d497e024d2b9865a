"""The forms of a game as JSON Schema, as its page of the API has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter

from rules.caches import cache
from service.schemas.fields import AnyField, Lookup, MaybeUnknown
from service.schemas.game_schemas import wire_by_id
from service.schemas.objects import Body

JsonSchema: TypeAlias = dict[str, Any]
"""A JSON Schema, of which draft 2020-12 says what it holds."""


class _AnswerConverter(OpenAPIConverter):
    """Converts the forms as answers have them: only members that are null are left out."""

    def fields2jsonschema(self, fields: Mapping[str, AnyField], *, partial: Any = None) -> JsonSchema:
        """The schema of an object with these fields."""
        schema: JsonSchema = super().fields2jsonschema(fields, partial=partial)  # type: ignore[no-untyped-call]  # theirs
        named_game = {"game"} & schema["properties"].keys()
        carried = {field.data_key or name for name, field in fields.items() if not field.allow_none}
        schema["required"] = sorted(carried | named_game)
        return schema


class _AnswerPlugin(MarshmallowPlugin):
    """Converts by `_AnswerConverter`."""

    Converter = _AnswerConverter


@cache()
def json_schemas(game_id: str) -> Mapping[str, JsonSchema]:
    """The JSON Schemas of a game's forms: ``setup``, ``position``, and ``move.<kind>``; each whole in itself."""
    wire, convert = wire_by_id(game_id), _converter(MarshmallowPlugin)
    forms = {"setup": wire.setup, "position": wire.position}
    forms |= {f"move.{kind}": schema for kind, schema in wire.kinds.items()}
    return {name: convert(schema) for name, schema in forms.items()}


@cache()
def answer_schemas(game_id: str) -> Mapping[str, JsonSchema]:
    """The JSON Schemas of a game's ``setup`` and ``position`` as answers have them (`service.schemas.game_form`)."""
    wire, convert = wire_by_id(game_id), _converter(_AnswerPlugin)
    return {"setup": convert(wire.setup), "position": convert(wire.position)}


def _converter(plugin_class: type[MarshmallowPlugin]) -> Callable[[Body], JsonSchema]:
    """What makes a JSON Schema of a schema, with what apispec does not know of our fields."""
    plugin: Any = plugin_class(schema_name_resolver=_no_name)
    APISpec("", "", "3.1.0", plugins=[plugin])
    plugin.converter.add_attribute_function(_names_of_members)
    plugin.converter.add_attribute_function(_or_unknown)
    convert: Callable[[Body], JsonSchema] = plugin.converter.schema2jsonschema
    return convert


def _no_name(_schema: object) -> str:
    """A schema within another is written out in its place."""
    return ""


def _names_of_members(converter: OpenAPIConverter, field: AnyField, **_: object) -> JsonSchema:
    """What apispec leaves out: how the members of an object that the client names may be called."""
    return {"propertyNames": converter.field2property(field.names)} if isinstance(field, Lookup) else {}


def _or_unknown(converter: OpenAPIConverter, field: AnyField, **_: object) -> JsonSchema:
    """What apispec cannot know: a value, or the word for that it is unknown."""
    if not isinstance(field, MaybeUnknown):
        return {}
    # an enum of one value: generators of clients read a const more strictly than its union
    ways = [converter.field2property(field.inner), {"type": "string", "enum": [field.word]}]
    return {"anyOf": [*ways, {"type": "null"}] if field.allow_none else ways}
