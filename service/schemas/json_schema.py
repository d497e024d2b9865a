"""The forms of a game as JSON Schema, as its page of the API has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter

from rules.caches import cache
from service.schemas.fields import AnyField, Lookup, MaybeUnknown
from service.schemas.game_schemas import wire_by_id

JsonSchema: TypeAlias = dict[str, Any]
"""A JSON Schema, of which draft 2020-12 says what it holds."""


@cache()
def json_schemas(game_id: str) -> Mapping[str, JsonSchema]:
    """The JSON Schemas of a game's forms: ``setup``, ``position``, and ``move.<kind>``; each whole in itself."""
    wire = wire_by_id(game_id)
    plugin: Any = MarshmallowPlugin(schema_name_resolver=_no_name)
    APISpec("", "", "3.1.0", plugins=[plugin])
    plugin.converter.add_attribute_function(_names_of_members)
    plugin.converter.add_attribute_function(_or_unknown)
    forms = {"setup": wire.setup, "position": wire.position}
    forms |= {f"move.{kind}": schema for kind, schema in wire.kinds.items()}
    return {name: plugin.converter.schema2jsonschema(schema) for name, schema in forms.items()}


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
    ways = [converter.field2property(field.inner), {"const": field.word}]
    return {"anyOf": [*ways, {"type": "null"}] if field.allow_none else ways}
