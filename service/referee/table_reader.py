"""The use cases that only read a table: its state, its log, its disputes, and rulings on moves there.

Methods take and return domain objects: no JSON, no words, no HTTP. A method that names a table takes the caller's key
and may raise `NoTable`, `Expired`, `Unauthorised`, `KeyEnded`, `Forbidden`, `StoreAway` and `Unreadable`, besides the
exceptions that its docstring names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from time import monotonic
from typing import NamedTuple

from rules.kernel import Effect
from rules.records import dataclass
from rules.steps import is_half_spent, spend
from service.errors import Ending, Forbidden, Invalid, KeyEnded, NoDispute, NoTable, NoView, Unauthorised, ViewEnded
from service.judgements import Judgement
from service.limits.lanes import leave as leave_lane
from service.referee import enter_position, remedies
from service.referee.enter_position import ComparedPosition
from service.referee.places import Places
from service.referee.remedies import DisputeView
from service.referee.repository import ChangeRequest, TableStore
from service.rulings import judge
from service.runtime import shutdown
from service.runtime.areas import areas_of
from service.runtime.budget import COMPARE_STEPS, READ_OBJECT_STEPS
from service.tables.entries import AnyEntry, Checkpoint, Played, RuledEntry, Unlisted
from service.tables.keys import HOST, LastVisit, Role, hash_of
from service.tables.public_views import VIEW_ID, PublicView, shown_entry, shown_table
from service.tables.table import Table
from service.types import MOVES, Move, Position, State
from service.validation import FieldError


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log, oldest first.

    `last` is the last processed entry: the page omits entries about access. `effects` are the effects of the page's
    moves, by the numbers of their entries, and `rulings` the imported entries with today's rulings.
    """

    table: Table
    entries: tuple[AnyEntry, ...]
    effects: Mapping[int, tuple[Effect, ...]]
    rulings: Mapping[int, RuledEntry]
    last: int

    @property
    def next(self) -> int | None:
        """The number after which the next page begins, or None at the end."""
        return self.last if self.last < self.table.version else None


class DisputesPage(NamedTuple):
    """A page of the disputes of a table, by their numbers; the next page begins after `next`, None at the end."""

    table: Table
    numbers: range
    next: int | None


class RulingAtTable(NamedTuple):
    """A ruling on a move at a table, at a version."""

    table: Table
    version: int
    state: State
    judgement: Judgement


class TableReader:
    """Reads tables, and writes nothing. Thread-safe."""

    def __init__(
        self,
        store: TableStore,
        places: Places | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._now = now
        self.places = places or Places()
        """The places of waiting polls and streams."""

    @property
    def cached_bytes(self) -> int:
        """The bytes of the tables in this worker's cache, by weight."""
        return self._store.cached_bytes

    def authorise(self, table_id: str, key: str | None) -> tuple[Table, Role]:
        """The cached table, perhaps not the newest, and the role of the key.

        That suffices to parse a request, since the game of a table never changes.
        """
        if not key:
            raise Unauthorised(table_id)
        table = self._store.cached_table(table_id)
        if table is None or table.known_key(key) is None:  # the key may be newer than the cached table
            table = self._store.current_table(table_id)
        return self._admit_key(table, key)

    def cached_role(self, table_id: str, key: str | None) -> Role | None:
        """The role of a key if this worker has cached the table; reads nothing and raises nothing."""
        table = self._store.cached_table(table_id) if key else None
        return table.role(key) if table and key else None

    def game_of(self, table_id: str) -> str | None:
        """The game of a table in this worker's cache, by the table's id; reads nothing and raises nothing."""
        table = self._store.cached_table(table_id)
        return None if table is None else table.game.id

    def changed_tables(self, visits: Mapping[str, LastVisit]) -> frozenset[str]:
        """The ids of the tables that have changed since these visits, or are deleted. This folds no log.

        A client that invents ids and marks learns nothing: a table with a wrong mark counts as changed, and so does an
        unknown table.
        """
        return self._store.changed_tables(visits)

    def table_by_proof(self, table_id: str, proof: str) -> Table:
        """The table for a client that has had a key of it (`service.tables.keys.proof_of`), to show its state.

        Raises `NoTable` for a wrong proof, too.
        """
        table = self._store.current_table(table_id)
        if not table.matches_proof(proof, self._now()):
            raise NoTable(table_id)
        return table

    def authorise_player(self, table_id: str, key: str | None) -> tuple[Table, Role]:
        """Like `authorise`, but refuses a key that only watches."""
        table, role = self.authorise(table_id, key)
        if not role.plays:
            raise Forbidden(table, "watch")
        return table, role

    def authorise_host(self, table_id: str, key: str | None) -> Table:
        """The current table, for its host's key."""
        table, role = self.table(table_id, key)
        if role.kind != HOST:
            raise Forbidden(table, "host")
        return table

    def table_to_export(self, table_id: str, key: str | None, version: int | None = None) -> Table:
        """The current table, for its host's key, if it has such a version. Raises `Invalid`."""
        table = self.authorise_host(table_id, key)
        if version is not None and not 1 <= version <= table.version:
            raise Invalid([("/entry", FieldError("no_version"))])
        return table

    def table(self, table_id: str, key: str | None) -> tuple[Table, Role]:
        """The current table, and the role of the key."""
        if not key:
            raise Unauthorised(table_id)
        return self._admit_key(self._store.current_table(table_id), key)

    def wait(self, table_id: str, key: str | None, after: int, seconds: float, address: str = "") -> tuple[Table, Role]:
        """The table as soon as it has an entry after `after`, or as it is when the time is up, the key expires, or the
        worker ends.

        `address` is the caller's; for IPv6, its network counts. Raises `RateLimited` if too many clients wait with the
        key or at the address.
        """
        table, role = self.table(table_id, key)
        if table.version > after:
            return table, role
        leave_lane()
        with self.places.place(hash_of(key or ""), areas_of(address)):
            news = self._store.wait(table_id, after, min(seconds, self.time_left(table_id, key)))
        return self.table(table_id, key) if news else self._admit_key(table, key or "")

    def await_listed_entry(self, table_id: str, key: str | None, after: int, seconds: float, address: str = "") -> None:
        """Wait as `wait` does, but not for an entry that the log omits."""
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0:
            table, _ = self.wait(table_id, key, after, left, address)
            following = table.entries[after : after + 1]
            if not following or not isinstance(following[0], Unlisted):
                return
            after += 1

    @contextmanager
    def follow(self, table_id: str, key: str | None, address: str = "") -> Iterator[Table]:
        """A context that holds a place to follow a table's next entries (`await_entry`, `new_entries`).

        `address` is the caller's. Raises `RateLimited` if too many clients follow with the key, there, or in all.
        """
        table, _ = self.table(table_id, key)
        leave_lane()
        with self.places.place(hash_of(key or ""), areas_of(address), stream=True):
            yield table

    def time_left(self, table_id: str, key: str | None) -> float:
        """The seconds until a key expires; infinite for most keys."""
        table = self._store.cached_table(table_id)
        known = table.known_key(key) if table and key else None
        return math.inf if known is None or known.until is None else (known.until - self._now()).total_seconds()

    def view(self, view_id: str) -> tuple[Table, PublicView]:
        """The current table as a public view shows it, and the view. Raises `NoView`, `ViewEnded`."""
        match = VIEW_ID.fullmatch(view_id)
        if match is None:
            raise NoView(view_id)
        try:
            table = self._store.current_table(match[1])
        except NoTable:
            raise NoView(view_id) from None
        view = next((each for each in table.views if each.has(match[2])), None)
        if view is None:
            raise NoView(view_id)
        if view.is_revoked:
            raise ViewEnded(view_id)
        return shown_table(table, view), view

    @contextmanager
    def follow_view(self, view_id: str, address: str = "") -> Iterator[Table]:
        """As `follow`, for a public view: its limit counts for each address, since the view is no key."""
        table, view = self.view(view_id)
        leave_lane()
        with self.places.place(f"{view.entry.hash} {address}", areas_of(address), stream=True):
            yield table

    def new_entries_of_view(self, view_id: str, after: int, limit: int) -> LogPage:
        """A page of the log as a public view shows it."""
        table, view = self.view(view_id)
        return _page(table, after, limit, view)

    def await_entry(self, table_id: str, after: int, seconds: float) -> bool:
        """Whether an entry follows `after`, or the table ends, within `seconds` and before the worker ends."""
        return self._store.wait(table_id, after, seconds)

    def new_entries(self, table_id: str, key: str | None, after: int, limit: int) -> LogPage:
        """As `log`; but if the cached table has entries after `after`, and all fit on the page, this does not ask Redis
        for more.
        """
        table = self._store.cached_table(table_id)
        if key and table is not None and after < table.version <= after + limit:
            table, _ = self._admit_key(table, key)
        else:
            table, _ = self.table(table_id, key)
        return _page(table, after, limit)

    def log(self, table_id: str, key: str | None, after: int = 0, limit: int = 100) -> LogPage:
        """A page of the log, undone moves too: at most `limit` entries after number `after`.

        It is shorter if computing the effects of its moves would be too much work.
        """
        table, _ = self.table(table_id, key)
        return _page(table, after, limit)

    def disputes(self, table_id: str, key: str | None, after: int = 0, limit: int = 100) -> DisputesPage:
        """A page of the disputes, oldest first: at most `limit` after number `after`."""
        table, _ = self.table(table_id, key)
        last = min(after + limit, len(table.disputes))
        spend(READ_OBJECT_STEPS * max(0, last - after))
        return DisputesPage(table, range(after + 1, last + 1), last if last < len(table.disputes) else None)

    def dispute(self, table_id: str, key: str | None, number: int) -> DisputeView:
        """A dispute, with the ruling, the remedies and the confirmations. Raises `NoDispute`."""
        table, _ = self.table(table_id, key)
        if not table.has_dispute(number):
            raise NoDispute(table_id)
        return remedies.view_dispute(table, number)

    def rule_on_move(self, table_id: str, key: str | None, move: Move, version: int | None = None) -> RulingAtTable:
        """Rule on a move at the table now, or at a version; writes nothing. Raises `Invalid` for an unknown version."""
        table, at, state = self.state_at(table_id, key, version)
        return RulingAtTable(table, at, state, judge.judge(table.game, state, move))

    def state_at(self, table_id: str, key: str | None, version: int | None) -> tuple[Table, int, State]:
        """The table, the requested version or its current one, and the state then. Raises `Invalid` for an unknown
        version.
        """
        table, _ = self.table(table_id, key)
        at = table.version if version is None else version
        if at > table.version:
            raise Invalid([("/version", FieldError("no_version"))])
        return table, at, table.states[at - 1]

    def require_ready(self, kind: str) -> None:
        """Raise `Ending` while this worker shuts down. For `MOVES`, raise `StoreAway` while they cannot be written."""
        if shutdown.has_begun():
            raise Ending
        if kind == MOVES:
            self._store.require_ready()

    def preview_position(
        self, change: ChangeRequest, position: Position, *, names: Collection[str] | None = None
    ) -> ComparedPosition:
        """Compare a position with the log's, without entering it. `names`: as for `compare_position`. Raises `Invalid`,
        `Stale`.
        """
        table, _ = self.table(change.table_id, change.key)
        return enter_position.compare_position(
            self._store.require_version(table, change.version), position, names=names
        )

    def _admit_key(self, table: Table, key: str) -> tuple[Table, Role]:
        """Record that a table is in use; return it and the role of a key. Raises `NoTable` for a key of another table,
        `KeyEnded`.
        """
        known = table.known_key(key)
        if known is None:
            raise NoTable(table.id)
        if known.has_ended(self._now()):
            raise KeyEnded(table.id)
        return self._store.note_use(table), Role.from_name(known.role)


def _page(table: Table, after: int, limit: int, view: PublicView | None = None) -> LogPage:
    """A page of a table's log, as a public view shows it if one is given; shorter if it would be too much work."""
    page: list[AnyEntry] = []
    effects: dict[int, tuple[Effect, ...]] = {}
    rulings: dict[int, RuledEntry] = {}
    last = after
    for each in table.entries[after : after + limit]:
        last = each.number
        entry = shown_entry(table, view, each)
        if entry is None:
            continue
        if isinstance(entry, Played):
            effects[entry.number] = table.effects(entry.number)
        elif isinstance(entry, Checkpoint):
            spend(COMPARE_STEPS)
        if isinstance(entry, RuledEntry) and table.is_imported(entry.number):
            rulings[entry.number] = table.hear(entry)
        page.append(entry)
        if is_half_spent():
            break
    return LogPage(table, tuple(page), effects, rulings, last)
