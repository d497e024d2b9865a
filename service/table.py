"""A table: what its log adds up to, and what a key allows there. `service.fold` makes it."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, cached_property
from typing import Final, Literal

from rules.effects import Points, effects_of, points_of
from rules.effort import spend
from rules.kernel import Due, Effect, Seat
from service.budget import TOLD
from service.datatypes import AnyGame, Setup, State
from service.entries import AnyEntry, Played

HOST: Final = "host"
WATCH: Final = "watch"
TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
"""What an id may look like; nothing else ever becomes a key of the store."""


def secret() -> str:
    """128 bits nobody can guess, 22 characters that may stand in an address: ids and keys."""
    return secrets.token_urlsafe(16)


def hashed(key: str) -> str:
    """A key as the log keeps it. Keys are random and long, so that a plain hash is enough."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Role:
    """What a key allows: the host everything, a seat its own moves, a watcher only to look."""

    kind: Literal["host", "seat", "watch"]
    seat: Seat | None = None

    @property
    def name(self) -> str:
        """``host``, ``watch`` or the colour of the seat."""
        return self.seat or self.kind

    @property
    def plays(self) -> bool:
        """Whether it may play moves at all."""
        return self.kind != WATCH

    @staticmethod
    @cache
    def named(name: str) -> Role:
        """The role of a name as the log keeps it."""
        if name == HOST:
            return Role("host")
        return Role("watch") if name == WATCH else Role("seat", name)


@dataclass(frozen=True)  # without slots: what is due is asked once, and kept
class Table:
    """The fold of a log. `states[v - 1]` and `tips[v - 1]` are the state and the last move in play at version v.

    `line` are the numbers of the moves in play, `ahead` those that were undone and can be redone, next first.
    `tail` is the last entry as stored, by which a worker sees that its memory is still the log's.
    """

    id: str
    game: AnyGame = field(repr=False)
    setup: Setup
    lifetime: timedelta
    keys: Mapping[str, str]
    entries: tuple[AnyEntry, ...]
    states: tuple[State, ...]
    tips: tuple[int, ...]
    line: tuple[int, ...] = ()
    ahead: tuple[int, ...] = ()
    tail: bytes = field(default=b"", repr=False)
    told: dict[int, tuple[Effect, ...]] = field(default_factory=dict, repr=False, compare=False)
    """What moves brought about, by the numbers of their entries, as far as somebody has asked."""
    points: dict[int, Points] = field(default_factory=dict, repr=False, compare=False)
    """The points at versions, as far as somebody has asked."""

    @cached_property
    def due(self) -> Due:
        """Whose move it is and which kinds, or the end."""
        return self.game.due(self.state)

    @property
    def version(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    @property
    def state(self) -> State:
        """The state now."""
        return self.states[-1]

    @property
    def opened_at(self) -> datetime:
        """When the table was opened."""
        return self.entries[0].at

    @property
    def expires_at(self) -> datetime:
        """When the table goes, if nothing more happens."""
        return self.entries[-1].at + self.lifetime

    @property
    def moves(self) -> tuple[Played, ...]:
        """The moves in play, in order."""
        return tuple(self.played(number) for number in self.line)

    @property
    def undo_to(self) -> int | None:
        """The version that undoes the last move, or None where there is none."""
        if not self.line:
            return None
        return self.line[-2] if len(self.line) > 1 else 1

    @property
    def redo_to(self) -> int | None:
        """The version that redoes the next undone move, or None where there is none."""
        return self.ahead[0] if self.ahead else None

    def played(self, number: int) -> Played:
        """The move of an entry's number."""
        entry = self.entries[number - 1]
        if isinstance(entry, Played):
            return entry
        raise LookupError(f"entry {number} is no move")

    def effects(self, number: int) -> tuple[Effect, ...]:
        """What the move of an entry's number brought about, by the rules of today."""
        if number not in self.told:
            spend(TOLD)
            game, before, after = self.game, self.states[number - 2], self.states[number - 1]
            was = self.points.get(number - 1) or points_of(game, before)
            self.points[number] = now = points_of(game, after)
            move = game.read(self.played(number).notation)
            self.told[number] = effects_of(game, before, move, after, (was, now))
        return self.told[number]

    def role(self, key: str) -> Role | None:
        """What a key allows here, or None for a key of some other table."""
        name = self.keys.get(hashed(key))
        return None if name is None else Role.named(name)

    def line_at(self, version: int) -> tuple[int, ...] | None:
        """The moves in play at a version, if one can go there now: back, or forward along undone moves; else None."""
        if not 1 <= version <= self.version:
            return None
        tip = self.tips[version - 1]
        path = self.line + self.ahead
        if tip == 1:
            return ()
        return path[: path.index(tip) + 1] if tip in path else None
