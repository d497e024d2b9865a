"""JSON, read strictly."""

from __future__ import annotations

import json
from typing import Final

import orjson

from service.datatypes import Json
from service.errors import NotJson

DEEPEST: Final = 1_000
"""Levels of objects and lists. Said here: how deep Python's own reader goes differs from one version to the next."""


def parse(body: bytes) -> Json:
    """Read JSON. Stricter than most: no NaN, no lone surrogate, no member twice. Raises `NotJson`."""
    try:
        value: Json = orjson.loads(body)
        if body.count(b"[") + body.count(b"{") > DEEPEST and _depth(value) > DEEPEST:
            raise NotJson
        if body.count(b":") > 1:  # else no object in it has two members
            json.loads(body, object_pairs_hook=_distinct)
    except (ValueError, RecursionError) as error:
        if isinstance(error, NotJson):
            raise
        raise NotJson from None
    return value


def _depth(value: Json) -> int:
    """How many objects and lists are within each other."""
    depth, layer = 0, [value]
    while holders := [each for each in layer if isinstance(each, dict | list)]:
        depth += 1
        layer = [inner for each in holders for inner in (each.values() if isinstance(each, dict) else each)]
    return depth


def _distinct(pairs: list[tuple[str, object]]) -> None:
    if len(pairs) > 1:
        seen = set()
        for name, _ in pairs:
            if name in seen:
                raise NotJson(name)
            seen.add(name)
