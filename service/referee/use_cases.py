"""The use cases. The JSON views and the pages call these same methods, in the same process.

Methods take and return domain objects: no JSON, no words, no HTTP. `service.rulings.judge` answers what needs only the
rules; this module is for tables. A method that names a table takes the caller's key and may raise `NoTable`, `Expired`,
`Unauthorised`, `Forbidden`, `StoreAway` and `Unreadable`, besides the exceptions that its docstring names.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

import orjson

import rules
from rules.kernel import Effect, Seat
from rules.steps import TooMuch, is_half_spent, spend
from service.addresses import areas_of
from service.errors import (
    AlreadyDisputed,
    AlreadySettled,
    Ending,
    Forbidden,
    Full,
    Impossible,
    Invalid,
    NoDispute,
    NoGame,
    NoRemedy,
    NoTable,
    Refused,
    Stale,
    Unauthorised,
    Unreachable,
)
from service.judgements import AttemptedMove, Judgement
from service.limits.lanes import leave as leave_lane
from service.referee import amend as amending
from service.referee import dispute as settling
from service.referee import enter_position, plans, remedies, roll_dice
from service.referee.amend import Preview
from service.referee.dispute import DisputeSubject, SettlementRequest
from service.referee.enter_position import ComparedPosition
from service.referee.fold import table_at_version
from service.referee.long_poll import Waits, wait_in_slices
from service.referee.plans import Plan
from service.referee.remedies import DisputeView
from service.referee.repository import Request, TableStore, WriteOutcome
from service.referee.roll_dice import Pick
from service.rulings import judge
from service.runtime import shutdown
from service.runtime.budget import COMPARE_STEPS, EFFECTS_STEPS
from service.schemas import plain
from service.storage.ledger import Ledger
from service.storage.readiness import MOVES
from service.tables.decisions import Remedy
from service.tables.entries import AnyEntry, Checkpoint, LogChange, Opened, Played, Throw, ToRoll
from service.tables.table import HOST, WATCH, LastVisit, Role, Table, hash_of, secret
from service.types import Move, Position, Setup, State
from service.validation import FieldError

SHORT: Final = 64
CANNOT_BE_DONE: Final = (
    AlreadyDisputed,
    AlreadySettled,
    Forbidden,
    Full,
    Impossible,
    Invalid,
    NoDispute,
    NoRemedy,
    Refused,
    Stale,
    TooMuch,
    Unreachable,
)
"""Why a change is not written, unless its request was carried out before."""


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


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log, oldest first; `next` is the number to go on after, or None at the end.

    `effects` are what the moves of the page brought about, by the numbers of their entries.
    """

    table: Table
    entries: tuple[AnyEntry, ...]
    effects: Mapping[int, tuple[Effect, ...]]
    next: int | None


class RulingAtTable(NamedTuple):
    """A ruling on a move at a table, as it was at a version."""

    table: Table
    version: int
    state: State
    judgement: Judgement


class Referee:
    """The use cases, on one ledger. Safe to share between threads.

    `lifetime` is how long the ledger keeps a log after its last entry; `cache` about how many bytes of tables a worker
    remembers. `pick` is all chance that there is: the dice fall by it.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        lifetime: timedelta = timedelta(days=90),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        cache: int = 128 * 2**20,
        pick: Pick = secrets.randbelow,
    ) -> None:
        self._lifetime = lifetime
        self._pick = pick
        self._now = now
        self._store = TableStore(ledger, lifetime, cache)
        self._waits = Waits()

    # --- looking ---

    def known(self, table_id: str, key: str | None) -> tuple[Table, Role]:
        """The table as this worker remembers it, perhaps not the newest, and what the key allows.

        Enough to read a request by, for the game of a table never changes.
        """
        if not key:
            raise Unauthorised(table_id)
        return self._admitted(self._store.known(table_id), key)

    def remembered(self, table_id: str, key: str | None) -> Role | None:
        """What a key allows, as far as this worker remembers the table: nothing is read, and nothing raised."""
        table = self._store.remembered(table_id) if key else None
        return table.role(key) if table and key else None

    def game_of(self, table_id: str) -> str | None:
        """The game of a table that this worker remembers, by its id: nothing is read, and nothing raised."""
        table = self._store.remembered(table_id)
        return None if table is None else table.game.id

    def changed(self, seen: Mapping[str, LastVisit]) -> frozenset[str]:
        """Which tables, by their ids, are other than somebody saw them: gone, too. None of them is read.

        Who has made it all up learns nothing: a table of which the mark is wrong has changed, and so has one that never
        was.
        """
        return self._store.changed(seen)

    def glimpsed(self, table_id: str, proof: str) -> Table:
        """The table for somebody whose key once opened it (`service.tables.table.proof_of`), to see how it stands.

        Raises `NoTable` for a proof of none of its keys, too.
        """
        table = self._store.fresh(table_id)
        if not table.proven(proof):
            raise NoTable(table_id)
        return table

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
        return self._admitted(self._store.fresh(table_id), key)

    def wait(self, table_id: str, key: str | None, after: int, seconds: float, address: str = "") -> tuple[Table, Role]:
        """The table as soon as it has an entry after `after`, or as it is when the time is over or the worker ends.

        `address` is where the caller is: of IPv6, its network counts. Raises `RateLimited` where too many wait with the
        key, or there.
        """
        table, role = self.table(table_id, key)
        if table.version > after:
            return table, role
        leave_lane()
        with self._waits.place(hash_of(key or ""), areas_of(address)):
            news = wait_in_slices(lambda part: self._store.wait(table_id, after, part), seconds)
        return self.table(table_id, key) if news else (table, role)

    def log(self, table_id: str, key: str | None, after: int = 0, limit: int = 100) -> LogPage:
        """A page of the log, undone moves too: at most `limit` entries after number `after`.

        It ends sooner where it would be too much work to tell of so many what they brought about.
        """
        table, _ = self.table(table_id, key)
        page: list[AnyEntry] = []
        effects: dict[int, tuple[Effect, ...]] = {}
        for entry in table.entries[after : after + limit]:
            if isinstance(entry, Played):
                effects[entry.number] = table.effects(entry.number)
            elif isinstance(entry, Checkpoint):
                spend(COMPARE_STEPS)
            page.append(entry)
            if is_half_spent():
                break
        last = after + len(page)
        return LogPage(table, tuple(page), effects, last if last < table.version else None)

    def dispute(self, table_id: str, key: str | None, number: int) -> DisputeView:
        """A dispute, with the ruling, the remedies and who has confirmed. Raises `NoDispute`."""
        table, _ = self.table(table_id, key)
        if not table.has_dispute(number):
            raise NoDispute(table_id)
        return remedies.view_dispute(table, number)

    def asked(self, table_id: str, key: str | None, move: Move, version: int | None = None) -> RulingAtTable:
        """A move ruled on as the table is, or was at a version: nothing is entered. Raises `Invalid` for no version."""
        table, _ = self.table(table_id, key)
        at = table.version if version is None else version
        if at > table.version:
            raise Invalid([("/version", FieldError("no_version"))])
        state = table.states[at - 1]
        return RulingAtTable(table, at, state, judge.judge(table.game, state, move))

    def require_ready(self, kind: str) -> None:
        """Raise `Ending` while this worker ends. For `MOVES`, raise `StoreAway` while they cannot be written."""
        if shutdown.has_begun():
            raise Ending
        if kind == MOVES:
            self._store.require_ready()

    # --- doing ---

    def open(self, game_id: str, setup: Setup, moves: Sequence[AttemptedMove] = (), *, die: bool = False) -> NewTable:
        """Open a table (`setup` is of the game's `setup_form`), with moves played already where given.

        `die`: a die for each player says who begins, whatever the setup says, and the log says what came. Raises
        `NoGame`, `Refused`, `Invalid` and `Full` (nothing is opened then), `rules.forms.Malformed`, `StoreAway`,
        `StoreFull`.
        """
        game = rules.GAMES.get(game_id)
        if game is None:
            raise NoGame(game_id)
        throws: tuple[Throw, ...] = ()
        if die:
            setup, throws = roll_dice.roll_for_start(game, setup, self._pick)
        keys = Keys(secret(), {seat: secret() for seat in game.seats_of(game.setup(setup))}, secret())
        names = {hash_of(keys.host): HOST, hash_of(keys.watch): WATCH}
        names |= {hash_of(key): seat for seat, key in keys.seats.items()}
        table_id = secret()
        opened = Opened(1, self._now(), HOST, game.id, plain(setup), game.rules_version, names)
        plan = plans.plan_opening(table_id, opened, moves, self._lifetime)
        if throws:
            plan = plans.check_plan(roll_dice.add_starter_roll(plan, throws, HOST, opened.at))
        done = self._store.write(Request(table_id, 0, None, ""), plan)
        return NewTable(done.table, keys)

    def play(
        self,
        table_id: str,
        key: str | None,
        moves: Sequence[AttemptedMove],
        *,
        version: int,
        idempotency_key: str | None = None,
    ) -> WriteOutcome:
        """Play moves on top of `version`, up to the first that is refused.

        A key that was used before is answered first, whatever else is wrong now: a late repetition of a request that
        was carried out is neither stale nor refused. Raises `Refused` where nothing was played, `Stale`, `KeyReused`,
        `Full`.
        """
        table, role = self.player(table_id, key)
        asked = "\n".join(f"{table.game.write(each.move)} {each.stands}" for each in moves)
        request = Request(table_id, version, idempotency_key, _fingerprint("play", role, asked))
        try:
            table = self._store.at(table, version)
            plan = plans.check_plan(plans.plan_moves(table, role, moves, self._now()))
            spend(EFFECTS_STEPS * len(plan.entries))
        except CANNOT_BE_DONE:
            if done := self._store.repeated(request):
                return _with_refusal(done, moves)
            raise
        done = self._store.write(request, plan)
        return _with_refusal(done, moves) if done.replayed else done

    def rewind(
        self, table_id: str, key: str | None, to: int, *, version: int, idempotency_key: str | None = None
    ) -> WriteOutcome:
        """Undo back to version `to`, or redo forward to it while nothing new was played.

        A seat may take back, and put back, only moves of its own. A key that was used before is answered first, as in
        `play`. Raises `Unreachable`, `Stale`, `KeyReused`, `Full`.
        """
        table, role = self.player(table_id, key)
        request = Request(table_id, version, idempotency_key, _fingerprint("rewind", role, str(to)))
        return self._change(request, table, lambda now: plans.plan_rewind(now, role, to, self._now()))

    def read_otherwise(
        self,
        table_id: str,
        key: str | None,
        readings: Mapping[str, str],
        *,
        version: int,
        idempotency_key: str | None = None,
    ) -> WriteOutcome:
        """Give some readings other values from here on: one entry, or none where they have them already. Host only.

        A key that was used before is answered first. Raises `Stale`, `KeyReused`, `Full`.
        """
        table, role = self.player(table_id, key)
        asked = "\n".join(f"{name} {value}" for name, value in sorted(readings.items()))
        request = Request(table_id, version, idempotency_key, _fingerprint("readings", role, asked))
        return self._change(request, table, lambda now: plans.plan_readings(now, role, readings, self._now()))

    def checkpoint(
        self,
        table_id: str,
        key: str | None,
        position: Position,
        *,
        version: int,
        names: Collection[str] | None = None,
        idempotency_key: str | None = None,
    ) -> WriteOutcome:
        """Go on from a position, for it lies on the table: one entry, or none where the log gives it. Host only.

        `names`: its members that were given, where some may be left out (`checkpoints.entered`). A key that was used
        before is answered first. Raises `Impossible`, `Invalid`, `Stale`, `KeyReused`, `Full`.
        """
        table, role = self.player(table_id, key)
        request = Request(
            table_id, version, idempotency_key, _fingerprint("checkpoint", role, _canonical_text(position))
        )
        return self._change(
            request, table, lambda now: enter_position.plan_position(now, role, position, self._now(), names=names)
        )

    def compared(
        self, table_id: str, key: str | None, position: Position, *, names: Collection[str] | None = None
    ) -> ComparedPosition:
        """What can be told of a position against the one that the log gives: nothing is entered. `names`: as for
        `checkpoint`. Raises `Invalid`.
        """
        table, _ = self.table(table_id, key)
        return enter_position.compare_position(table, position, names=names)

    def roll(
        self,
        table_id: str,
        key: str | None,
        asked: ToRoll,
        *,
        version: int,
        idempotency_key: str | None = None,
    ) -> WriteOutcome:
        """Roll dice, of which the log says what they showed: nothing else changes. Its entry is the answer's only one.

        A key that was used before is answered first, with what was rolled then: nobody rolls again by asking again.
        Raises `Invalid`, `Stale`, `KeyReused`, `Full`.
        """
        table, role = self.player(table_id, key)
        what = f"{asked.n} {asked.kind}" if asked.move is None else f"{asked.camp} {table.game.write(asked.move)}"
        request = Request(table_id, version, idempotency_key, _fingerprint("roll", role, what))
        return self._change(request, table, lambda now: roll_dice.plan_roll(now, role, asked, self._pick, self._now()))

    def raise_dispute(
        self,
        table_id: str,
        key: str | None,
        about: DisputeSubject,
        question: str,
        *,
        version: int,
        idempotency_key: str | None = None,
    ) -> WriteOutcome:
        """Dispute the move of an entry, or one that was not played: its entry is the answer's first.

        The game goes on. A key that was used before is answered first, with the table of then. Raises `Invalid`,
        `AlreadyDisputed`, `Stale`, `KeyReused`, `Full`.
        """
        table, role = self.player(table_id, key)
        what = str(about.entry) if about.move is None else table.game.write(about.move)
        request = Request(table_id, version, idempotency_key, _fingerprint("dispute", role, f"{what}\n{question}"))
        done = self._change(request, table, lambda now: settling.plan_dispute(now, role, about, question, self._now()))
        return done._replace(table=table_at_version(done.table, done.version)) if done.replayed else done

    def confirm(
        self,
        table_id: str,
        key: str | None,
        number: int,
        remedy: Remedy,
        *,
        version: int,
        idempotency_key: str | None = None,
    ) -> WriteOutcome:
        """A seat confirms a remedy; once every seat has confirmed the same one, that settles the dispute.

        Raises as `settle` does.
        """
        table, role = self.player(table_id, key)
        request = Request(table_id, version, idempotency_key, _fingerprint("confirm", role, f"{number} {remedy}"))
        return self._change(
            request, table, lambda now: settling.plan_confirmation(now, role, number, remedy, self._now())
        )

    def settle(
        self,
        table_id: str,
        key: str | None,
        number: int,
        how: SettlementRequest,
        *,
        version: int,
        idempotency_key: str | None = None,
    ) -> WriteOutcome:
        """Settle a dispute. Host only. The answer has all entries: the settlement, and those by which it is done.

        A key that was used before is answered first. Raises `NoDispute`, `AlreadySettled`, `NoRemedy`, `Impossible`,
        `Stale`, `KeyReused`, `Full`.
        """
        table, role = self.player(table_id, key)
        asked = f"{number} {how.remedy}\n{how.text}" + (
            "" if how.position is None else f"\n{_canonical_text(how.position)}"
        )
        request = Request(table_id, version, idempotency_key, _fingerprint("settle", role, asked))
        return self._change(request, table, lambda now: settling.plan_settlement(now, role, number, how, self._now()))

    def preview(self, table_id: str, key: str | None, change: LogChange, *, version: int) -> Preview:
        """What an amendment would do; nothing is written. Raises `Invalid`, `Refused`, `Stale`, `Full`."""
        table, role = self.player(table_id, key)
        return amending.preview_amendment(self._store.at(table, version), role, change, self._now())

    def amend(
        self, table_id: str, key: str | None, change: LogChange, *, version: int, idempotency_key: str | None = None
    ) -> WriteOutcome:
        """Amend the log as the host; of a seat: confirm this change, and with the last of all seats it is made.

        Of several late moves those up to the first that is refused are kept; `Done.refused` has that one. A key that
        was used before is answered first. Raises `Invalid`, `Refused`, `Stale`, `KeyReused`, `Full`.
        """
        table, role = self.player(table_id, key)
        request = Request(table_id, version, idempotency_key, _fingerprint("amend", role, repr(change)))
        done = self._change(request, table, lambda now: amending.plan_amendment(now, role, change, self._now()))
        return done._replace(refused=amending.refusal(done.table, change)) if done.replayed else done

    def _change(self, request: Request, table: Table, planned: Callable[[Table], Plan]) -> WriteOutcome:
        """Write what is planned for a table, once; a request that was carried out before is answered as then."""
        try:
            plan = plans.check_plan(planned(self._store.at(table, request.version)))
        except CANNOT_BE_DONE:
            if done := self._store.repeated(request):
                return done
            raise
        return self._store.write(request, plan)

    def delete(self, table_id: str, key: str | None) -> None:
        """Delete the table. Host only."""
        table, role = self.table(table_id, key)
        if role.kind != HOST:
            raise Forbidden(table, "host")
        self._store.delete(table_id)

    def _admitted(self, table: Table, key: str) -> tuple[Table, Role]:
        """A table and what a key allows there: it is in use. A key of some other table opens nothing: there is no such
        table for it.
        """
        role = table.role(key)
        if role is None:
            raise NoTable(table.id)
        return self._store.note_use(table), role


def _with_refusal(done: WriteOutcome, moves: Sequence[AttemptedMove]) -> WriteOutcome:
    """A replayed request, with the move at which it was stopped when it was carried out, if it was."""
    kept = len(done.entries)
    if kept == len(moves):
        return done
    try:
        judge.step(done.table.game, done.table.states[done.version - 1], moves[kept], kept)
    except Refused as refused:
        return done._replace(refused=refused)
    return done


def _canonical_text(position: Position) -> str:
    """A position as text, always the same."""
    return orjson.dumps(plain(position), option=orjson.OPT_SORT_KEYS).decode()


def _fingerprint(action: str, role: Role, asked: str) -> str:
    """What a request asks for, in short: two requests under one key must ask for the same."""
    whole = f"{action} {role.name} {asked}"
    return whole if len(whole) < SHORT else hashlib.sha256(whole.encode()).hexdigest()
