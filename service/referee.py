"""The use cases. The JSON views and the pages call these same methods, in the same process.

Domain objects in and out: no JSON, no words, no HTTP. What the rules alone can answer is in `service.rulings`; here
are the tables. A method that names a table takes the caller's key and may raise `NoTable`, `Expired`, `Unauthorised`,
`Forbidden`, `StoreAway` and `Unreadable` besides what it says itself.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import rules
from rules.kernel import Cell, Due, Seat
from service import rulings
from service import table as tables
from service.ledger import Conflict, Gone, KeyReused, Ledger, Missing, StoreAway
from service.rulings import Choices, Judgement, Refused, Sheet, Try
from service.shelf import Expired, NoTable, Shelf
from service.table import HOST, WATCH, AnyEntry, Opened, Played, Rewound, Role, Table, Unreadable
from service.wire import plain

MOST_ENTRIES: Final = 5_000
SHORT: Final = 64
NEVER: Final = -1
"""A version that no log has: an append on top of it only asks whether a key was used."""


class NoGame(LookupError):
    """No game of this id."""


class Unauthorised(Exception):
    """No key was given."""


class Forbidden(Exception):
    """The key does not allow this.

    `reason`: ``watch`` it only watches; ``seat`` it is `seat`'s move; ``moves`` some of the moves to take or put back
    are another seat's; ``over`` the game is over and no seat has a move; ``host`` it needs the host's key.
    """

    def __init__(self, table: Table, reason: str, seat: Seat | None = None) -> None:
        super().__init__(table.id, reason, seat)
        self.table = table
        self.reason = reason
        self.seat = seat


class Stale(Exception):
    """The table is not at the version that was named. `missing` are the entries since then."""

    def __init__(self, table: Table, version: int) -> None:
        super().__init__(table.id, version, table.version)
        self.table = table
        self.version = version
        self.missing: tuple[AnyEntry, ...] = table.entries[version:] if version > 0 else ()


class Unreachable(Exception):
    """One cannot rewind there: other moves have been played since, or there is no such version."""

    def __init__(self, table: Table, to: int) -> None:
        super().__init__(table.id, to)
        self.table = table
        self.to = to


class Full(Exception):
    """The log has as many entries as a table may have."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a new table, shown once: the log keeps only their hashes."""

    host: str
    seats: Mapping[Seat, str]
    watch: str


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table that was just opened, and its keys."""

    table: Table
    keys: Keys


class Done(NamedTuple):
    """What was written: the entries, and the state and what is due after them.

    `replayed`: the same key had written them before, and nothing was written now. `refused`: the first of several
    moves that was refused, after others that were kept.
    """

    table: Table
    entries: tuple[AnyEntry, ...]
    due: Due
    replayed: bool = False
    refused: Refused | None = None

    @property
    def version(self) -> int:
        """The table's version after these entries."""
        return self.entries[-1].number


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log, oldest first; `next` is the number to go on after, or None at the end."""

    table: Table
    entries: tuple[AnyEntry, ...]
    next: int | None


class _Plan(NamedTuple):
    """What a request would write on top of a table: entries, the state after each, and where it was stopped."""

    entries: tuple[AnyEntry, ...]
    states: tuple[Any, ...]
    refused: Refused | None = None


class _Request(NamedTuple):
    """A change to a table: on top of which version, and under which key it may be repeated."""

    table_id: str
    version: int
    idempotency_key: str | None
    fingerprint: str


class Referee:
    """The use cases, on one ledger. Safe to share between threads.

    `lifetime` is how long the ledger keeps a log after its last entry; `keep` how many tables a worker remembers.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        lifetime: timedelta = timedelta(days=90),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        keep: int = 1000,
    ) -> None:
        self._ledger = ledger
        self._lifetime = lifetime
        self._now = now
        self._shelf = Shelf(ledger, lifetime, keep)

    # --- looking ---

    def known(self, table_id: str, key: str | None) -> tuple[Table, Role]:
        """The table as this worker remembers it, perhaps not the newest, and what the key allows.

        Enough to read a request by, for the game of a table never changes.
        """
        if not key:
            raise Unauthorised(table_id)
        return _admitted(self._shelf.known(table_id), key)

    def player(self, table_id: str, key: str | None) -> tuple[Table, Role]:
        """As `known`, for a key that does more than watch."""
        table, role = self.known(table_id, key)
        if not role.plays:
            raise Forbidden(table, "watch")
        return table, role

    def table(self, table_id: str, key: str | None) -> tuple[Table, Role]:
        """The table now, and what the key allows."""
        if not key:
            raise Unauthorised(table_id)
        return _admitted(self._shelf.fresh(table_id), key)

    def wait(self, table_id: str, key: str | None, after: int, seconds: float) -> tuple[Table, Role]:
        """The table as soon as it has an entry after `after`, or as it is when the time is over."""
        table, role = self.table(table_id, key)
        if table.version > after or not self._ledger.wait(table_id, after, seconds):
            return table, role
        return self.table(table_id, key)

    def log(self, table_id: str, key: str | None, after: int = 0, limit: int = 100) -> LogPage:
        """A page of the log, undone moves too: at most `limit` entries after number `after`."""
        table, _ = self.table(table_id, key)
        page = table.entries[after : after + limit]
        return LogPage(table, page, after + limit if after + limit < table.version else None)

    def judge(self, table_id: str, key: str | None, move: Any) -> Judgement:
        """Rule on a move at the table without playing it."""
        table, _ = self.table(table_id, key)
        return rulings.judge(table.game, table.state, move)

    def legal_moves(self, table_id: str, key: str | None, kind: str | None = None, at: Cell | None = None) -> Choices:
        """The legal moves at the table, of one kind or touching one cell where asked."""
        table, _ = self.table(table_id, key)
        return rulings.choices(table.game, table.state, kind, at)

    def score(self, table_id: str, key: str | None) -> Sheet:
        """The score sheet of the table."""
        table, _ = self.table(table_id, key)
        return rulings.sheet(table.game, table.state)

    def ready(self) -> bool:
        """Whether the store answers."""
        return self._ledger.ping()

    # --- doing ---

    def open(self, game_id: str, setup: Any, moves: Sequence[Try] = ()) -> NewTable:
        """Open a table (`setup` is of the game's `setup_form`), with moves played already where given.

        Raises `NoGame`, `Refused` (nothing is opened then), `rules.kernel.Malformed`, `StoreAway`.
        """
        game = rules.GAMES.get(game_id)
        if game is None:
            raise NoGame(game_id)
        seats = game.seats_of(game.setup(setup))
        keys = Keys(_secret(), {seat: _secret() for seat in seats}, _secret())
        names = {tables.hashed(keys.host): HOST, tables.hashed(keys.watch): WATCH}
        names |= {tables.hashed(key): seat for seat, key in keys.seats.items()}
        opened = Opened(1, self._now(), HOST, game.id, plain(setup), game.rules_version, names)
        payload = tables.encode(opened)
        table = tables.fold(_secret(), [(1, payload)], self._lifetime)
        plan = self._played(table, Role("host"), moves)
        if plan.refused is not None:
            raise plan.refused
        payloads = [payload, *map(tables.encode, plan.entries)]
        self._ledger.append(table.id, 0, _secret(), payloads, "")
        table = _grown(table, plan, payloads[1:])
        self._shelf.put(table)
        return NewTable(table, keys)

    def play(
        self,
        table_id: str,
        key: str | None,
        moves: Sequence[Try],
        *,
        version: int,
        idempotency_key: str | None = None,
    ) -> Done:
        """Play moves on top of `version`, up to the first that is refused.

        Raises `Refused` where nothing was played, `Stale`, `KeyReused`, `Full`.
        """
        table, role = self.player(table_id, key)
        return self.play_as(table, role, moves, version=version, idempotency_key=idempotency_key)

    def play_as(
        self, table: Table, role: Role, moves: Sequence[Try], *, version: int, idempotency_key: str | None = None
    ) -> Done:
        """As `play`, for whoever has been let in by `player` already."""
        asked = "\n".join(f"{table.game.write(each.move)} {each.stands}" for each in moves)
        request = _Request(table.id, version, idempotency_key, _fingerprint("play", role, asked))
        done = self._carry_out(table, request, lambda current: self._played(current, role, moves))
        return _with_refusal(done, moves) if done.replayed else done

    def rewind(
        self, table_id: str, key: str | None, to: int, *, version: int, idempotency_key: str | None = None
    ) -> Done:
        """Undo back to version `to`, or redo forward to it while nothing new was played.

        A seat may take back, and put back, only moves of its own. Raises `Unreachable`, `Stale`, `KeyReused`, `Full`.
        """
        table, role = self.player(table_id, key)
        request = _Request(table_id, version, idempotency_key, _fingerprint("rewind", role, str(to)))
        return self._carry_out(table, request, lambda current: self._rewound(current, role, to))

    def delete(self, table_id: str, key: str | None) -> None:
        """Delete the table. Host only."""
        table, role = self.table(table_id, key)
        if role.kind != HOST:
            raise Forbidden(table, "host")
        self._shelf.drop(table_id)
        try:
            self._ledger.delete(table_id)
        except Missing:
            raise NoTable(table_id) from None

    # --- inside ---

    def _played(self, table: Table, role: Role, moves: Sequence[Try]) -> _Plan:
        """Judge and play moves in memory, up to the first that is refused. Raises `Forbidden`."""
        game, state, now = table.game, table.state, self._now()
        entries: list[Played] = []
        states: list[Any] = []
        for index, attempt in enumerate(moves):
            seat = (game.due(state) if index else table.due).seat
            _check_turn(table, role, seat, attempt)
            try:
                verdict, state = rulings.step(game, state, attempt, index)
            except Refused as refused:
                return _Plan(tuple(entries), tuple(states), refused)
            number = table.version + index + 1
            findings, stands = tables.to_keep(verdict.findings), not verdict.legal
            notation = game.write(attempt.move)
            entry = Played(number, now, role.name, notation, seat, verdict.ruling, stands, findings, game.rules_version)
            entries.append(entry)
            states.append(state)
        return _Plan(tuple(entries), tuple(states))

    def _rewound(self, table: Table, role: Role, to: int) -> _Plan:
        line = table.line_at(to)
        if line is None:
            raise Unreachable(table, to)
        touched = set(line) ^ set(table.line)
        if role.seat is not None and any(table.played(number).seat != role.seat for number in touched):
            raise Forbidden(table, "moves")
        entry = Rewound(table.version + 1, self._now(), role.name, to)
        return _Plan((entry,), (table.states[to - 1],))

    def _carry_out(self, table: Table, request: _Request, plan_on: Callable[[Table], _Plan]) -> Done:
        """Plan a change on top of the version that it is meant for, and write it, once.

        A key that was used before is answered first, whatever else is wrong now: a late repetition of a request that
        was carried out is neither stale nor refused.
        """
        if table.version < request.version:
            table = self._shelf.fresh(request.table_id)
        if table.version != request.version:
            if done := self._repeated(request):
                return done
            table = self._shelf.fresh(request.table_id)
            if table.version != request.version:
                raise Stale(table, request.version)
        try:
            plan = plan_on(table)
            _check_plan(table, plan)
        except (Refused, Forbidden, Unreachable, Full):
            if done := self._repeated(request):
                return done
            raise
        return self._write(request, table, plan)

    def _write(self, request: _Request, table: Table, plan: _Plan) -> Done:
        payloads = [tables.encode(entry) for entry in plan.entries]
        key = request.idempotency_key or _secret()
        try:
            appended = self._ledger.append(table.id, table.version, key, payloads, request.fingerprint)
        except Conflict:
            raise Stale(self._shelf.fresh(table.id), request.version) from None
        except (Missing, Gone) as error:
            self._shelf.drop(table.id)
            raise NoTable(table.id) if isinstance(error, Missing) else Expired(table.id) from None
        if appended.replayed:
            return self._replay(table.id, appended.first, appended.last)
        table = _grown(table, plan, payloads)
        self._shelf.put(table)
        return Done(table, plan.entries, table.due, refused=plan.refused)

    def _repeated(self, request: _Request) -> Done | None:
        """What a request did when it was carried out before, or None if it was not. Raises `KeyReused`."""
        if request.idempotency_key is None:
            return None
        try:
            made = self._ledger.append(request.table_id, NEVER, request.idempotency_key, (b"{}",), request.fingerprint)
        except (Conflict, Missing, Gone):
            return None
        return self._replay(request.table_id, made.first, made.last)

    def _replay(self, table_id: str, first: int, last: int) -> Done:
        table = self._shelf.known(table_id)
        if table.version < last:
            table = self._shelf.fresh(table_id)
        return Done(table, table.entries[first - 1 : last], table.game.due(table.states[last - 1]), replayed=True)


def _admitted(table: Table, key: str) -> tuple[Table, Role]:
    """A table and what a key allows there. A key of some other table opens nothing: there is no such table for it."""
    role = table.role(key)
    if role is None:
        raise NoTable(table.id)
    return table, role


def _check_turn(table: Table, role: Role, seat: Seat | None, attempt: Try) -> None:
    """A seat plays its own moves. When the game is over it may hear so, but only the host may let a move stand."""
    if role.seat is None or role.seat == seat:
        return
    if seat is not None:
        raise Forbidden(table, "seat", seat)
    if attempt.stands:
        raise Forbidden(table, "over")


def _check_plan(table: Table, plan: _Plan) -> None:
    if not plan.entries and plan.refused is not None:
        raise plan.refused
    if table.version + len(plan.entries) > MOST_ENTRIES:
        raise Full(table.id)


def _grown(table: Table, plan: _Plan, payloads: Sequence[bytes]) -> Table:
    for entry, state, payload in zip(plan.entries, plan.states, payloads, strict=True):
        table = tables.after(table, entry, payload, state)
    return table


def _with_refusal(done: Done, moves: Sequence[Try]) -> Done:
    """A replayed request, with the move at which it was stopped when it was carried out, if it was."""
    kept = len(done.entries)
    if kept == len(moves):
        return done
    try:
        rulings.step(done.table.game, done.table.states[done.version - 1], moves[kept], kept)
    except Refused as refused:
        return done._replace(refused=refused)
    return done


def _fingerprint(action: str, role: Role, asked: str) -> str:
    """What a request asks for, in short: two requests under one key must ask for the same."""
    whole = f"{action} {role.name} {asked}"
    return whole if len(whole) < SHORT else hashlib.sha256(whole.encode()).hexdigest()


def _secret() -> str:
    """128 bits nobody can guess, 22 characters that may stand in an address: ids and keys."""
    return secrets.token_urlsafe(16)


__all__ = [
    "Done",
    "Expired",
    "Forbidden",
    "Full",
    "KeyReused",
    "Keys",
    "LogPage",
    "NewTable",
    "NoGame",
    "NoTable",
    "Referee",
    "Refused",
    "Stale",
    "StoreAway",
    "Unauthorised",
    "Unreachable",
    "Unreadable",
]
