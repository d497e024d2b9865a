"""Results of games, and a group as the sum of its log.

A group is a link with a log behind it, like a table. Its log has three types of entry: the group is founded, a result
is added, a result is removed. A result has a date, a game, and players under the names that somebody entered. Each has
points, if the game has any, and whether that player won. This module is pure: `service.groups.groups` reads and writes
the log, `service.groups.statistics` counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from functools import cached_property, partial
from types import MappingProxyType
from typing import Final, NamedTuple

import orjson

import rules
from rules.records import dataclass
from service.tables.entries import Unreadable
from service.tables.fault_log import guard_replay
from service.tables.keys import HASH
from service.tables.stored_values import Foreign, StoredObject, members, moment, require_type
from service.types import Json, JsonObject

MAX_RESULTS: Final = 2_000
"""The most results of one request: more than a group holds."""
MAX_ENTRIES: Final = 5_000
MAX_BYTES: Final = 250_000
"""Stored bytes of all entries of a group, so that its results can be sent again as one file."""
REMOVAL_BYTES: Final = 64
"""The maximum bytes of an entry that removes a result: a group reserves them for each result that counts."""
MAX_FILE: Final = 256 * 1024
"""Bytes of a file of results."""
ROOM: Final = 4
"""The approximate bytes of memory of a result for each byte in the log."""


class Player(NamedTuple):
    """A player of a result. `points` is None if the game has no points, or nobody entered them."""

    name: str
    points: int | None
    won: bool


class Result(NamedTuple):
    """How a game ended. `day` is ISO 8601. With `at_table` the `id` is that of the table where it was played.

    `by_points`: whether points alone decided it, and no tie-break or other rule; None if unknown.
    """

    id: str
    game: str
    day: str
    players: tuple[Player, ...]
    at_table: bool = False
    by_points: bool | None = None

    @property
    def comparable_part(self) -> Result:
        """The part that two reports of one result share: only its table knows what decided it."""
        return self._replace(by_points=None)

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the winners; empty if all drew."""
        return tuple(player.name for player in self.players if player.won)

    @property
    def margin(self) -> int | None:
        """By how many points it was won; None if points did not decide it."""
        game = rules.GAMES.get(self.game)
        if self.by_points is False or (game is not None and not game.by_points):
            return None
        won = [player.points for player in self.players if player.won and player.points is not None]
        lost = [player.points for player in self.players if not player.won and player.points is not None]
        if not won or not lost or len(won) + len(lost) < len(self.players):
            return None
        ahead = min(won) - max(lost)
        return ahead if ahead > 0 else None


@dataclass(frozen=True)  # without slots, for `cached_property`
class Group:
    """The fold of a group's log.

    `results` are all that were ever added, by the numbers of their entries; `removals` are the removed ones. `key` is
    the hash of the group's key, `tail` the last entry as stored.
    """

    id: str
    name: str
    key: str
    lifetime: timedelta
    last_at: datetime
    version: int = 1
    size: int = 0
    tail: bytes = b""
    results: Mapping[int, Result] = field(default_factory=lambda: MappingProxyType({}))
    removals: frozenset[int] = frozenset()

    @property
    def expires_at(self) -> datetime:
        """When the group is deleted if no further result is added."""
        return self.last_at + self.lifetime

    @property
    def weight(self) -> int:
        """The approximate bytes of memory."""
        return ROOM * self.size

    @property
    def reserved_size(self) -> tuple[int, int]:
        """The entries and the bytes of the log, with those reserved to remove every result that counts once."""
        counting = len(self.results.keys() - self.removals)
        return self.version + counting, self.size + counting * REMOVAL_BYTES

    @cached_property
    def counting_results(self) -> Mapping[int, Result]:
        """The results that count, in the order of their days, and within a day in that of the log."""
        found = [(number, result) for number, result in self.results.items() if number not in self.removals]
        return dict(sorted(found, key=lambda item: (item[1].day, item[0])))

    @cached_property
    def number_by_id(self) -> Mapping[str, int]:
        """The ids of the results that count, and their numbers."""
        return {result.id: number for number, result in self.counting_results.items()}


def normalise_name(name: str) -> str:
    """The common form of all spellings of a name."""
    return " ".join(name.split()).casefold()


# --- the stored entries ------------------------------------------------------------------------------------------


def founding_entry(name: str, key: str, now: datetime) -> bytes:
    """The first entry, with the hash of the group's key."""
    return _payload_of({"type": "founded", "at": now, "name": name, "key": key})


def replacement_entries(group: Group, result: Result, now: datetime) -> tuple[bytes, ...]:
    """The entries that add a result, or replace the one that counts under its id; empty if both are equal."""
    number = group.number_by_id.get(result.id)
    if number is None:
        return (_result_entry(result, now),)
    return (
        ()
        if group.counting_results[number].comparable_part == result.comparable_part
        else (removal_entry(number, now), _result_entry(result, now))
    )


def addition_entries(group: Group, results: Iterable[Result], now: datetime) -> tuple[bytes, ...]:
    """The entries that add results, except those whose id counts already or is earlier in the list."""
    new = {each.id: each for each in reversed(tuple(results)) if each.id not in group.number_by_id}
    return tuple(_result_entry(result, now) for result in reversed(new.values()))


def _result_entry(result: Result, now: datetime) -> bytes:
    return _payload_of({"type": "result", "at": now, **result_json(result)})


def removal_entry(number: int, now: datetime) -> bytes:
    """The entry that removes a result."""
    return _payload_of({"type": "taken_out", "at": now, "result": number})


def result_json(result: Result) -> JsonObject:
    """A result as JSON: in the log, in an export, and in the API."""
    players: list[JsonObject] = [player._asdict() for player in result.players]
    document: JsonObject = {"id": result.id, "game": result.game, "day": result.day, "players": players}
    decision: JsonObject = {} if result.by_points is None else {"by_points": result.by_points}
    return document | {"at_table": result.at_table} | decision


def _payload_of(entry: Mapping[str, object]) -> bytes:
    return orjson.dumps(entry, option=orjson.OPT_UTC_Z)


# --- the fold ----------------------------------------------------------------------------------------------------


def fold_group(group_id: str, entries: Sequence[tuple[int, bytes]], lifetime: timedelta) -> Group:
    """The group of a whole log. Raises `Unreadable`."""
    number, payload = entries[0]
    with guard_replay(None, number, partial(bytes, payload)):
        try:
            first = members(orjson.loads(payload))
            name, key, at = require_type(str, first["name"]), require_type(str, first["key"]), moment(first["at"])
        except Foreign as error:
            raise Unreadable(f"the first entry of a group: {error!r}") from error
        if not HASH.fullmatch(key):
            raise ValueError("no hash of a key")
        group = Group(group_id, name, key, lifetime, at, size=len(payload), tail=payload)
    return extend_group(group, entries[1:])


def extend_group(group: Group, entries: Iterable[tuple[int, bytes]]) -> Group:
    """A group after further entries. Raises `Unreadable`."""
    results, out = dict(group.results), set(group.removals)
    version, size, tail, last_at = group.version, group.size, group.tail, group.last_at
    for number, payload in entries:
        with guard_replay(None, number, partial(bytes, payload)):
            try:
                entry = members(orjson.loads(payload))
                if entry["type"] == "result":
                    results[number] = _result(entry)
                else:
                    out.add(_removed_number(entry))
                version, size, tail, last_at = number, size + len(payload), payload, moment(entry["at"])
            except Foreign as error:
                raise Unreadable(f"entry {number} of a group: {error!r}") from error
    return replace(
        group,
        results=MappingProxyType(results),
        removals=frozenset(out),
        version=version,
        size=size,
        tail=tail,
        last_at=last_at,
    )


def _result(entry: StoredObject) -> Result:
    """The result that an entry stores. Raises `Foreign`."""
    seated = tuple(map(_player, require_type(list, entry["players"])))
    head = require_type(str, entry["id"]), require_type(str, entry["game"]), require_type(str, entry["day"])
    decided = entry.get("by_points")
    at_table = require_type(bool, entry.get("at_table", False))
    return Result(*head, seated, at_table, None if decided is None else require_type(bool, decided))


def _player(value: Json) -> Player:
    """A player of a result. Raises `Foreign`."""
    stored = members(value)
    name, points, won = require_type(str, stored["name"]), stored["points"], require_type(bool, stored["won"])
    return Player(name, None if points is None else require_type(int, points), won)


def _removed_number(entry: StoredObject) -> int:
    """The number of the result that an entry removes. Raises `Foreign`."""
    if entry["type"] != "taken_out":
        raise Foreign(f"{entry['type']!r}")
    return require_type(int, entry["result"])
