"""Parses results of games: those to add to a group, and those that another group exported."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import marshmallow
from marshmallow import post_load, validates_schema

from rules.forms import Between, Pattern
from rules.steps import spend
from service.runtime.budget import READ_STEPS
from service.schemas.fields import Flag, Many, Text, Whole, Word, validation_error
from service.schemas.objects import Body, ObjectField
from service.tables.keys import ID_LENGTH, derive_id
from service.tables.results import MAX_RESULTS, Player, Result, normalise_name

MAX_PLAYERS: Final = 12
MAX_POINTS: Final = 9_999


class Day(Word):
    """A day, as ISO 8601 writes it."""

    def __init__(self) -> None:
        super().__init__(Pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "2026-11-22"), None, required=True)

    def _deserialize(self, value: object, *rest: object, **options: object) -> str:
        day = super()._deserialize(value, *rest, **options)
        try:
            datetime.date.fromisoformat(day)
        except ValueError:
            raise validation_error("pattern", example=self.pattern.example) from None
        return day


class PlayerSchema(Body):
    """A player of a result."""

    name = Text(required=True)
    points = Whole(Between(-MAX_POINTS, MAX_POINTS), load_default=None, allow_none=True)
    won = Flag(required=True)

    @post_load
    def build(self, data: dict[str, Any], **_: object) -> Player:
        """Make the player."""
        return Player(**data)


class ResultSchema(Body):
    """A result. Without an `id` it is a new one."""

    id = Word(Pattern(rf"[A-Za-z0-9_-]{{{ID_LENGTH}}}", "ZmFjdHMgYXJlIHNhY3JlZA"), None, load_default=None)
    game = Text(required=True)
    day = Day()
    players = Many(ObjectField(PlayerSchema), most=MAX_PLAYERS, required=True)
    at_table = Flag(load_default=False)
    by_points = Flag(load_default=None, allow_none=True)

    @validates_schema(skip_on_field_errors=False, pass_original=True)
    def tell_apart(self, _data: object, sent: Mapping[str, object], **_: object) -> None:
        """Check that there are players, and no two share a name. These errors accompany all others."""
        players = sent.get("players")
        if not isinstance(players, list) or len(players) > MAX_PLAYERS:
            return
        if not players:
            raise marshmallow.ValidationError({"players": validation_error("missing").messages})
        raw_names = (each.get("name") if isinstance(each, dict) else None for each in players)
        names = [normalise_name(name) if isinstance(name, str) else None for name in raw_names]
        twice = (number for number, name in enumerate(names) if name is not None and name in names[:number])
        if wrong := {number: {"name": validation_error("name_twice").messages} for number in twice}:
            raise marshmallow.ValidationError({"players": wrong})

    @post_load
    def build(self, data: dict[str, Any], **_: object) -> Result:
        """Make the result."""
        spend(READ_STEPS)
        result_id = data.pop("id") or ""
        return Result(result_id, **{**data, "at_table": bool(result_id) and data["at_table"]})


class ResultsSchema(Body):
    """Results, and the name of the group that they were exported from, which another group ignores."""

    group = Text(load_default=None)
    results = Many(ObjectField(ResultSchema), most=MAX_RESULTS, least=READ_STEPS, required=True)


RESULTS: Final = ResultsSchema()
"""The body that adds results to a group, and a file of results."""


def with_ids(results: tuple[Result, ...]) -> Iterator[Result]:
    """Results, each with an id: a missing id is derived from the content, so that a file counts once."""
    counts: Counter[Result] = Counter()
    for result in results:
        counts[result] += 1
        yield result if result.id else result._replace(id=derive_id("result", repr(result), str(counts[result])))
