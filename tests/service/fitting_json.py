"""Strategies for the JSON Schemas of a game's forms: any JSON that fits, legal or not."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from hypothesis import strategies as st

NEAR = 20
"""In wide ranges, numbers up to this are half of those tried, for they matter more."""
MANY = 5
"""The maximum of items in a list, and of members that the schema does not name."""


def fitting(schema: Mapping[str, Any], names: Collection[str]) -> st.SearchStrategy[Any]:
    """Any JSON that fits a schema; free texts are mostly from `names`."""
    if "anyOf" in schema:
        return st.one_of([fitting(each, names) for each in schema["anyOf"]])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return st.one_of([KINDS[kind](schema, names) for kind in kinds])


def _object(schema: Mapping[str, Any], names: Collection[str]) -> st.SearchStrategy[Any]:
    members = {name: fitting(inner, names) for name, inner in schema.get("properties", {}).items()}
    if members or not schema.get("additionalProperties"):
        required = set(schema.get("required", ()))
        optional = {name: each for name, each in members.items() if name not in required}
        return st.fixed_dictionaries({name: members[name] for name in sorted(required)}, optional=optional)
    keys, inner = fitting(schema["propertyNames"], names), fitting(schema["additionalProperties"], names)
    return st.dictionaries(keys, inner, max_size=min(schema.get("maxProperties", MANY), MANY))


def _array(schema: Mapping[str, Any], names: Collection[str]) -> st.SearchStrategy[Any]:
    least = schema.get("minItems", 0)
    return st.lists(
        fitting(schema["items"], names), min_size=least, max_size=max(least, min(schema.get("maxItems", MANY), MANY))
    )


def _text(schema: Mapping[str, Any], names: Collection[str]) -> st.SearchStrategy[Any]:
    made = st.from_regex(schema["pattern"], fullmatch=True) if "pattern" in schema else st.text(min_size=1, max_size=5)
    return st.sampled_from(sorted(names)) | st.sampled_from(sorted(names)) | made if names else made


def _number(schema: Mapping[str, Any], _: Collection[str]) -> st.SearchStrategy[Any]:
    least, most = schema.get("minimum", -NEAR), schema.get("maximum", NEAR)
    near = st.integers(max(least, -NEAR), min(most, NEAR)) if least <= NEAR and most >= -NEAR else st.nothing()
    return near | st.integers(least, most)


KINDS = {
    "object": _object,
    "array": _array,
    "string": _text,
    "integer": _number,
    "boolean": lambda *_: st.booleans(),
    "null": lambda *_: st.none(),
}


def texts_of(value: Any) -> set[str]:
    """Every text in a value, including member names."""
    if isinstance(value, dict):
        return {*value, *(text for inner in value.values() for text in texts_of(inner))}
    if isinstance(value, list):
        return {text for inner in value for text in texts_of(inner)}
    return {value} if isinstance(value, str) else set()
