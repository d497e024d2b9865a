"""What can be wrong with a request: codes, values and JSON pointers, without words; and JSON, read strictly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import orjson

MOST_COMPLAINTS: Final = 20
DEEPEST: Final = 1_000
"""Levels of objects and lists. Said here: how deep Python's own reader goes differs from one version to the next."""


class Complaint(str):
    """What is wrong with a value: a code, and what its sentence needs. A string, as marshmallow keeps messages.

    `game` is the id of the game whose own words say it, else None.
    """

    __slots__ = ("code", "game", "values")
    code: str
    game: str | None
    values: dict[str, Any]

    def __new__(cls, code: str, game: str | None = None, **values: Any) -> Complaint:
        """Make one of its code and values."""
        self = super().__new__(cls, code)
        self.code, self.game, self.values = code, game, values
        return self


class NotJson(ValueError):
    """A body that is not JSON, or not JSON that says one thing only: a member is there twice (`twice`)."""

    def __init__(self, twice: str | None = None) -> None:
        super().__init__(twice)
        self.twice = twice


class Invalid(ValueError):
    """JSON that is not what was asked for: a complaint for each JSON pointer, in the order of the pointers."""

    def __init__(self, complaints: Sequence[tuple[str, Complaint]]) -> None:
        super().__init__(complaints)
        self.complaints = tuple(sorted(complaints, key=lambda item: item[0])[:MOST_COMPLAINTS])


def parse(body: bytes) -> Any:
    """Read JSON. Stricter than most: no NaN, no lone surrogate, no member twice. Raises `NotJson`."""
    try:
        value = orjson.loads(body)
        if body.count(b"[") + body.count(b"{") > DEEPEST and _depth(value) > DEEPEST:
            raise NotJson
        if body.count(b":") > 1:  # else no object in it has two members
            json.loads(body, object_pairs_hook=_distinct)
    except (ValueError, RecursionError) as error:
        if isinstance(error, NotJson):
            raise
        raise NotJson from None
    return value


def _depth(value: Any) -> int:
    """How many objects and lists are within each other."""
    depth, layer = 0, [value]
    while holders := [each for each in layer if isinstance(each, dict | list)]:
        depth += 1
        layer = [inner for each in holders for inner in (each.values() if isinstance(each, dict) else each)]
    return depth


def _distinct(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > 1:
        seen = set()
        for name, _ in pairs:
            if name in seen:
                raise NotJson(name)
            seen.add(name)
