"""A table: the result of its log, and the rights of its keys. `service.referee.fold` computes it."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from functools import cached_property
from types import MappingProxyType
from typing import Final, overload

from rules.effects import effects_of
from rules.kernel import Due, Effect, Forecast, Seat
from rules.records import dataclass
from rules.steps import spend
from service.runtime import budget
from service.runtime.memory import WeightedCache
from service.tables.codec import findings_to_keep
from service.tables.decisions import DECISION_WEIGHT, Decision, Dispute, crossed_decision, crossing_version
from service.tables.entries import Amended, Confirmed, Disputable, Disputed, InLine, NoEntry, Played, RuledEntry
from service.tables.history import Entries, History, Numbers, States
from service.tables.keys import Role, TableKey, hash_of, is_proof
from service.tables.public_views import PublicView
from service.tables.scores import due_of, forecasts_of, points_of, totals_of
from service.types import AnyGame, Setup, State

UNUSED_LIFETIME: Final = timedelta(days=7)
"""The maximum lifetime of a table that nobody has used since it was opened."""
CACHED_MOVES: Final = 16
"""The maximum number of moves whose effects are cached."""
CACHED_MOVE_WEIGHT: Final = 3_500
NUMBER_WEIGHT: Final = 44
TABLE_WEIGHT: Final = 3_000
KEY_WEIGHT: Final = 500
TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
"""The form of an id; nothing else ever becomes a key of the store."""


@dataclass(frozen=True)  # without slots, for `cached_property`
class Table:
    """The fold of a log.

    `path` is the line of play: the numbers of the moves in play and then of those that were undone and can be redone;
    `in_play_count` of them are in play. `non_moves` are the numbers of all other entries that ever stood in it. Members
    count them as moves, too, unless they say "only moves".
    """

    id: str
    setup: Setup
    lifetime: timedelta
    keys: Mapping[str, TableKey]
    history: History
    path: Numbers = field(default_factory=lambda: array("I"))
    in_play_count: int = 0
    non_moves: Numbers = field(default_factory=lambda: array("I"))
    disputes: tuple[Dispute, ...] = ()
    """The disputes, from number 1 on."""
    amendments: tuple[Decision, ...] = ()
    """The amendments of the log. The last one may be pending: some seats have confirmed it."""
    note_counts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Role -> the number of entries, other than moves, that it has made."""
    effect_cache: WeightedCache[int, tuple[Effect, ...]] = field(
        default_factory=lambda: WeightedCache(CACHED_MOVES), repr=False, compare=False
    )
    """The effects of recently requested moves, by the numbers of their entries."""
    views: tuple[PublicView, ...] = ()
    """The public views, from number 1 on."""
    used_at: datetime | None = field(default=None, compare=False)
    """When a key was first used after the opening, if that was recorded; no entry records it."""
    imported_count: int = 0
    """The number of entries, from the first on, that came with an export …"""
    imported_at: datetime | None = None
    """… at this time."""

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.history.game

    @property
    def entries(self) -> Entries:
        """The entries."""
        return self.history.entries

    @property
    def states(self) -> Sequence[State]:
        """The states: ``[v - 1]`` is the one at version v."""
        return States(self.history)

    @property
    def tips(self) -> Sequence[int]:
        """The last move in play at each version, 1 before any."""
        return self.history.tips

    @property
    def tail(self) -> bytes:
        """The last entry as stored, by which a worker checks that its cached table still matches the log."""
        return self.history.entries.tail

    @property
    def size(self) -> int:
        """The bytes of its log."""
        return self.history.entries.size

    @property
    def weight(self) -> int:
        """The approximate bytes of memory."""
        moves_weight = len(self.decisions) * DECISION_WEIGHT + min(self.version, CACHED_MOVES) * CACHED_MOVE_WEIGHT
        numbers_weight = (len(self.path) + len(self.non_moves)) * NUMBER_WEIGHT + len(self.keys) * KEY_WEIGHT
        return TABLE_WEIGHT + self.history.weight + moves_weight + numbers_weight

    @cached_property
    def line(self) -> tuple[int, ...]:
        """The numbers of the moves in play."""
        return tuple(self.path[: self.in_play_count])

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The numbers of the moves in play, only moves."""
        others = frozenset(self.non_moves)
        return tuple([number for number in self.line if number not in others]) if others else self.line

    @cached_property
    def in_play(self) -> frozenset[int]:
        """The same as `line`, for membership tests."""
        return frozenset(self.line)

    @cached_property
    def removed_entries(self) -> frozenset[int]:
        """The numbers of the entries that amendments took out of play."""
        were: set[int] = set()
        for amendment in self.amendments:
            number = (
                1
                if amendment.settlement_number is None or amendment.is_undone
                else self.tips[amendment.settlement_number - 2]
            )
            while number != 1 and number not in were:  # the earlier ones in the line are added already
                were.add(number)
                number = self.tips[number - 2]
        return frozenset(were).difference(self.line)

    @property
    def redoable_moves(self) -> tuple[int, ...]:
        """The numbers of the moves that were undone and can be redone, next first."""
        return tuple(self.path[self.in_play_count :])

    @cached_property
    def due(self) -> Due:
        """The player and the kinds of moves that are due, or the end."""
        return due_of(self.game, self.state)

    @cached_property
    def forecasts(self) -> tuple[Forecast, ...]:
        """The forecasts; empty once the game has ended."""
        return forecasts_of(self.game, self.state)

    @cached_property
    def totals(self) -> Mapping[Seat, int]:
        """The points of each player."""
        return totals_of(self.game, self.state)

    @property
    def version(self) -> int:
        """The number of the last entry."""
        return len(self.history.tips)

    @property
    def state(self) -> State:
        """The current state."""
        return self.history.state

    @property
    def has_lost_a_key_of_opening(self) -> bool:
        """Whether one of the keys of the opening is revoked."""
        return any(each.is_revoked and each.entry == 1 for each in self.keys.values())

    @property
    def has_unlisted(self) -> bool:
        """Whether there are entries about access: of views, or of keys since the opening."""
        return bool(self.views) or any(each.is_revoked or each.entry > 1 for each in self.keys.values())

    def count_revoked(self, role_name: str) -> int:
        """How many keys of a role are revoked."""
        return sum(each.is_revoked and each.role == role_name for each in self.keys.values())

    def matches_proof(self, proof: str, now: datetime) -> bool:
        """Whether a proof (`proof_of`) belongs to one of the keys that are valid now."""
        return any(is_proof(proof, of_key) for of_key, known in self.keys.items() if not known.has_ended(now))

    @property
    def opened_at(self) -> datetime:
        """When the table was opened."""
        return self.entries[0].at

    @cached_property
    def is_unused(self) -> bool:
        """Whether the table has no known use since it was opened or imported: no entry followed."""
        if self.used_at is not None:
            return False
        return self.version == self.imported_count if self.imported_count else self.entries[-1].at == self.opened_at

    @property
    def expires_at(self) -> datetime:
        """When the table is deleted if no further entry is added."""
        if self.is_unused:
            return (self.imported_at or self.opened_at) + min(UNUSED_LIFETIME, self.lifetime)
        last = self.entries[-1].at
        return max(last, self.used_at or last, self.imported_at or last) + self.lifetime

    def is_imported(self, number: int) -> bool:
        """Whether the entry of a number came with an export."""
        return number <= self.imported_count

    @overload
    def hear(self, entry: Played) -> Played: ...
    @overload
    def hear(self, entry: RuledEntry) -> RuledEntry: ...
    def hear(self, entry: RuledEntry) -> RuledEntry:
        """An entry with its ruling; for an imported one, today's, since this service has not ruled on its move."""
        if not self.is_imported(entry.number) or entry.notation is None:
            return entry
        version = entry.version if isinstance(entry, Disputed) else entry.number - 1
        verdict = self.game.check(self.states[version - 1], self.game.read(entry.notation))
        findings, rules_version = findings_to_keep(verdict.findings), self.game.rules_version
        heard = entry._replace(ruling=verdict.ruling, findings=findings, rules_version=rules_version)
        return heard._replace(stands=not verdict.legal) if isinstance(heard, Played) else heard

    def last_moves(self, most: int) -> tuple[Played, ...]:
        """The last moves in play, only moves, in order: at most `most`."""
        return tuple(map(self.move_entry, self.moves[max(len(self.moves) - most, 0) :]))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions of the host or of all seats."""
        return (*self.disputes, *self.amendments)

    @property
    def undo_to(self) -> int | None:
        """The version that undoes the last move, or the decision after it; None if nothing can be undone."""
        if (back := self._decision_version(undone=False)) is not None:
            return back
        if not self.in_play_count:
            return None
        return self.path[self.in_play_count - 2] if self.in_play_count > 1 else 1

    @property
    def redo_to(self) -> int | None:
        """The version that redoes the next undone move, or an undone decision; None if nothing can be redone."""
        if self.in_play_count < len(self.path):
            return self.path[self.in_play_count]
        return self._decision_version(undone=True)

    def _decision_version(self, *, undone: bool) -> int | None:
        """The last version to go to that takes back a decision, or puts back one that is `undone`.

        Undo skips a decision that changes nothing in play: its own page takes it back.
        """
        ways = (
            crossing_version(each, self.tips)
            for each in self.decisions
            if each.changes_play and each.is_undone == undone
        )
        return max((version for version in ways if version is not None), default=None)

    def crossed_decision(self, version: int) -> Decision | None:
        """The decision that going to a version takes back or puts back; or None."""
        return crossed_decision(self.decisions, self.tips, version)

    def confirmations(self, decision: Decision) -> dict[Seat, Confirmed]:
        """The confirmation of each seat. It counts while the same moves are in play as then."""
        found = {}
        for seat, number in decision.confirmations.items():
            entry = self.entries[number - 1]
            if isinstance(entry, Confirmed) and self.tips[number - 1] == self.tips[-1]:
                found[seat] = entry
        return found

    def amendment_entry(self, number: int) -> Amended:
        """The amendment with an entry's number. Raises `NoEntry`."""
        entry = self.entries[number - 1]
        if isinstance(entry, Amended):
            return entry
        raise NoEntry(f"entry {number} is no amendment")

    def amendment_of(self, number: int) -> int | None:
        """The entry of the amendment that an entry belongs to or is; or None."""
        before = bisect_right(self._amendment_numbers, number)
        amendment = self.amendments[before - 1] if before else None
        return amendment.settlement_number if amendment is not None and number <= amendment.last_number else None

    @cached_property
    def _amendment_numbers(self) -> tuple[int, ...]:
        """The entries of the amendments, without a pending one."""
        return tuple([each.settlement_number for each in self.amendments if each.settlement_number is not None])

    def dispute_of(self, entry: int) -> int:
        """The number of the dispute that an entry raised. Raises `ValueError`."""
        at = bisect_left(self.disputes, entry, key=lambda each: each.entry_number)
        if at < len(self.disputes) and self.disputes[at].entry_number == entry:
            return at + 1
        raise ValueError(f"entry {entry} raised no dispute")

    def move_number(self, number: int | None) -> int | None:
        """The place of an entry's move among the moves of its line; None if the entry is no move.

        It counts from 1, never changes, and is unique among the moves in play. A move that was undone, and the one that
        was played instead, have the same.
        """
        if number is None or not 1 <= number <= self.version or self.tips[number - 1] != number:
            return None
        return None if number == 1 or number in self.non_moves else self.moves_until(number)

    def moves_until(self, version: int) -> int:
        """The number of moves in play at a version, only moves."""
        cut = None if self.non_moves else self.cut_at(version)
        return self._move_counts[version - 1] if cut is None else cut

    @cached_property
    def _move_counts(self) -> Sequence[int]:
        """The same for each version."""
        tips, others = self.tips, frozenset(self.non_moves)
        counts = [0] * len(tips)
        for at, tip in enumerate(tips[1:], start=1):
            counts[at] = counts[tip - 1] if tip <= at else counts[tips[at - 1] - 1] + (tip not in others)
        return counts

    def has_dispute(self, number: int) -> bool:
        """Whether there is a dispute with this number."""
        return 1 <= number <= len(self.disputes)

    def dispute_entry(self, number: int) -> Disputed:
        """The entry that raised a dispute, by its number. Raises `NoEntry`."""
        entry = self.entries[self.disputes[number - 1].entry_number - 1]
        if isinstance(entry, Disputed):
            return entry
        raise NoEntry(f"entry {entry.number} is no dispute")

    def move_entry(self, number: int) -> Played:
        """The move with an entry's number. Raises `NoEntry`."""
        entry = self.entries[number - 1]
        if isinstance(entry, Played):
            return entry
        raise NoEntry(f"entry {number} is no move")

    def disputable_entry(self, number: int) -> Disputable:
        """The entry with this number, if it can be disputed. Raises `NoEntry`."""
        entry = self.entries[number - 1] if 1 <= number <= self.version else None
        if isinstance(entry, Disputable):
            return entry
        raise NoEntry(f"entry {number} cannot be disputed")

    def line_entry(self, number: int) -> InLine:
        """The entry with this number, a move or another entry in the line of play. Raises `NoEntry`."""
        entry = self.entries[number - 1]
        if isinstance(entry, InLine):
            return entry
        raise NoEntry(f"entry {number} stands in no line of play")

    def effects(self, number: int) -> tuple[Effect, ...]:
        """The effects of the move with an entry's number, by today's rules."""
        move_effects = self.effect_cache.get(number)
        if move_effects is None:
            spend(budget.EFFECTS_STEPS)
            before, after = self.history.state_at(number - 1), self.history.state_at(number)
            move = self.game.read(self.move_entry(number).notation)
            points = points_of(self.game, before), points_of(self.game, after)
            move_effects = effects_of(self.game, before, move, after, points, due_of(self.game, after))
            self.effect_cache.put(number, move_effects)
        return move_effects

    def known_key(self, key: str) -> TableKey | None:
        """The table's record of a key, or None for a key of another table."""
        return self.keys.get(hash_of(key))

    def role(self, key: str) -> Role | None:
        """The role of a key, or None for a key that is revoked or of another table."""
        known = self.known_key(key)
        return None if known is None or known.is_revoked else Role.from_name(known.role)

    def line_at(self, version: int) -> tuple[int, ...] | None:
        """The moves in play at a version, if one can go there now: back, or forward along undone moves; else None."""
        if self.crossed_decision(version) is not None:
            return tuple(self.history.line_to(self.tips[version - 1]))
        cut = self.cut_at(version)
        return None if cut is None else tuple(self.path[:cut])

    def cut_at(self, version: int) -> int | None:
        """The number of the path's moves in play at a version, if one can go there along it; else None."""
        if not 1 <= version <= self.version:
            return None
        tip = self.tips[version - 1]
        if tip == 1:
            return 0
        at = bisect_left(self.path, tip)  # the path is in ascending order
        return at + 1 if at < len(self.path) and self.path[at] == tip else None
