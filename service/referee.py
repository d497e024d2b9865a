"""The use cases. The JSON views and the pages call these same methods, in the same process.

Domain objects in and out: no JSON, no words, no HTTP. What the rules alone can answer is in `service.rulings`; here
are the tables. A method that names a table takes the caller's key and may raise `NoTable`, `Expired`, `Unauthorised`,
`Forbidden`, `StoreAway` and `Unreadable` besides what it says itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import rules
from rules.kernel import Cell, Seat
from service import rulings
from service import table as tables
from service.clerk import MOST_ENTRIES, Clerk, Plan, Request, grown, secret
from service.ledger import KeyReused, Ledger, Missing, StoreAway
from service.outcomes import (
    Done,
    Forbidden,
    Full,
    Keys,
    LogPage,
    NewTable,
    NoGame,
    Stale,
    Unauthorised,
    Unreachable,
)
from service.rulings import Choices, Judgement, Refused, Sheet, Try
from service.shelf import Expired, NoTable, Shelf
from service.table import HOST, WATCH, Opened, Played, Rewound, Role, Table, Unreadable
from service.wire import plain

SHORT: Final = 64


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
        self._clerk = Clerk(ledger, self._shelf)

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

        Raises `NoGame`, `Refused` (nothing is opened then), `rules.forms.Malformed`, `StoreAway`.
        """
        game = rules.GAMES.get(game_id)
        if game is None:
            raise NoGame(game_id)
        seats = game.seats_of(game.setup(setup))
        keys = Keys(secret(), {seat: secret() for seat in seats}, secret())
        names = {tables.hashed(keys.host): HOST, tables.hashed(keys.watch): WATCH}
        names |= {tables.hashed(key): seat for seat, key in keys.seats.items()}
        opened = Opened(1, self._now(), HOST, game.id, plain(setup), game.rules_version, names)
        payload = tables.encode(opened)
        table = tables.fold(secret(), [(1, payload)], self._lifetime)
        plan = self._played(table, Role("host"), moves)
        if plan.refused is not None:
            raise plan.refused
        payloads = [payload, *map(tables.encode, plan.entries)]
        self._ledger.append(table.id, 0, secret(), payloads, "")
        table = grown(table, plan, payloads[1:])
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
        request = Request(table.id, version, idempotency_key, _fingerprint("play", role, asked))
        done = self._clerk.carry_out(table, request, lambda current: self._played(current, role, moves))
        return _with_refusal(done, moves) if done.replayed else done

    def rewind(
        self, table_id: str, key: str | None, to: int, *, version: int, idempotency_key: str | None = None
    ) -> Done:
        """Undo back to version `to`, or redo forward to it while nothing new was played.

        A seat may take back, and put back, only moves of its own. Raises `Unreachable`, `Stale`, `KeyReused`, `Full`.
        """
        table, role = self.player(table_id, key)
        request = Request(table_id, version, idempotency_key, _fingerprint("rewind", role, str(to)))
        return self._clerk.carry_out(table, request, lambda current: self._rewound(current, role, to))

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

    def _played(self, table: Table, role: Role, moves: Sequence[Try]) -> Plan:
        """Judge and play moves in memory, up to the first that is refused. Raises `Forbidden`."""
        game, state, now = table.game, table.state, self._now()
        entries: list[Played] = []
        states: list[Any] = []
        for index, attempt in enumerate(moves):
            due = game.due(state) if index else table.due
            seat = due.seat
            if role.seat is not None and attempt.move.kind in game.any_time and not attempt.stands:
                seat = role.seat
            _check_turn(table, role, seat, attempt, over=due.ended is not None)
            try:
                verdict, state = rulings.step(game, state, attempt, index)
            except Refused as refused:
                return Plan(tuple(entries), tuple(states), refused)
            number = table.version + index + 1
            findings, stands = tables.to_keep(verdict.findings), not verdict.legal
            notation = game.write(attempt.move)
            entry = Played(number, now, role.name, notation, seat, verdict.ruling, stands, findings, game.rules_version)
            entries.append(entry)
            states.append(state)
        return Plan(tuple(entries), tuple(states))

    def _rewound(self, table: Table, role: Role, to: int) -> Plan:
        line = table.line_at(to)
        if line is None:
            raise Unreachable(table, to)
        touched = set(line) ^ set(table.line)
        if role.seat is not None and any(table.played(number).seat != role.seat for number in touched):
            raise Forbidden(table, "moves")
        entry = Rewound(table.version + 1, self._now(), role.name, to)
        return Plan((entry,), (table.states[to - 1],))


def _admitted(table: Table, key: str) -> tuple[Table, Role]:
    """A table and what a key allows there. A key of some other table opens nothing: there is no such table for it."""
    role = table.role(key)
    if role is None:
        raise NoTable(table.id)
    return table, role


def _check_turn(table: Table, role: Role, seat: Seat | None, attempt: Try, *, over: bool) -> None:
    """A seat plays its own moves. When it is nobody's turn it plays too, or hears that the game is over, but only the
    host may let a move stand.
    """
    if role.seat is None or role.seat == seat:
        return
    if seat is not None:
        raise Forbidden(table, "seat", seat)
    if attempt.stands:
        raise Forbidden(table, "over" if over else "nobody")


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


__all__ = [
    "MOST_ENTRIES",
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
