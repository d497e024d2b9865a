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
"""Levels of objects and lists: more than any form of a game has."""
HOLDERS: Final = 5
"""So many objects and lists are read in a step."""
MANY: Final = 2_000
"""With so many of them, others have their turn between two looks at a body."""

CONTAINERS: Final = (dict, list)


def parse(body: bytes) -> Json:
    """Read JSON. Stricter than most: no NaN, no lone surrogate, no member twice, 20 levels. Raises `NotJson`.

    All of the body is looked through up to three times, with rests between. Its objects and lists are counted before.
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
        if body.count(b":") > 1:  # else no object in it has two members
            json.loads(body, object_pairs_hook=_distinct)
    except (ValueError, RecursionError) as error:
        if isinstance(error, NotJson):
            raise
        raise NotJson(place=_place(error)) from None
    return value


def _place(error: Exception) -> tuple[int, int] | None:
    """The line and the column of what is wrong. Where the bytes are no text, the parser knows none."""
    return (error.lineno, error.colno) if isinstance(error, orjson.JSONDecodeError) and error.doc else None


def _too_deep(value: Json) -> bool:
    """Whether more objects and lists are within each other than any form has."""
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
    """What orjson does not know: mappings that cannot be changed."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
