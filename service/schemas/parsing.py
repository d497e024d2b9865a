"""Reads JSON strictly, and writes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import orjson

from rules.steps import spend
from service.errors import NotJson
from service.runtime.budget import rest
from service.types import Json

DEEPEST: Final = 20
"""The most levels of objects and lists: more than any form of a game has."""
HOLDERS: Final = 5
"""Objects and lists that are parsed in a step."""
MANY: Final = 2_000
"""With more of them, the worker yields to other requests between two passes over a body."""

CONTAINERS: Final = (dict, list)


def parse(body: bytes) -> Json:
    """Read JSON. Stricter than most: no NaN, no lone surrogate, no member twice, 20 levels. Raises `NotJson`.

    The body is scanned up to three times, with pauses between. Its objects and lists are counted before.
    """
    holders = body.count(b"[") + body.count(b"{")
    spend(holders // HOLDERS)
    pause = rest if holders > MANY else int
    try:
        value: Json = orjson.loads(body)
        pause()
        if holders > DEEPEST and _too_deep(value):
            raise NotJson
        pause()
        if body.count(b":") > 1:  # otherwise no object has two members
            json.loads(body, object_pairs_hook=_distinct)
    except (ValueError, RecursionError) as error:
        if isinstance(error, NotJson):
            raise
        raise NotJson(place=_place(error)) from None
    return value


def _place(error: Exception) -> tuple[int, int] | None:
    """The line and the column of the error; None if the bytes are no text."""
    return (error.lineno, error.colno) if isinstance(error, orjson.JSONDecodeError) and error.doc else None


def _too_deep(value: Json) -> bool:
    """Whether objects and lists are nested deeper than `DEEPEST`."""
    layer = [each for each in (value,) if isinstance(each, CONTAINERS)]
    for _ in range(DEEPEST):
        parts = (each.values() if isinstance(each, dict) else each for each in layer)
        layer = [inner for part in parts for inner in part if isinstance(inner, CONTAINERS)]
    return bool(layer)


def _distinct(pairs: list[tuple[str, object]]) -> None:
    if len(pairs) > 1:
        seen = set()
        for name, _ in pairs:
            if name in seen:
                raise NotJson(name)
            seen.add(name)


def encode(value: Json, look: int = 0) -> bytes:
    """Encode a value as JSON, with times in RFC 3339 and UTC; `look` is an option of orjson's, such as an indent."""
    return orjson.dumps(value, default=_plain, option=orjson.OPT_UTC_Z | look)


def _plain(value: object) -> object:
    """Convert a type that orjson does not know: immutable mappings."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
