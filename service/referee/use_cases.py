"""The use cases. The JSON views and the pages call these same methods, in the same process.

Methods take and return domain objects: no JSON, no words, no HTTP. `service.rulings.judge` rules without a table;
`service.referee.table_reader` reads tables, and this module changes them. A method that changes a table takes a
`ChangeRequest`, and may raise `NoTable`, `Expired`, `Unauthorised`, `Forbidden`, `StoreAway`, `Unreadable`, `Stale`,
`KeyReused` and `Full`, besides the exceptions that its docstring names. A repeated request first gets its original
outcome, whatever else is wrong now: it is neither stale nor refused.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import orjson

import rules
from rules.kernel import Seat
from rules.records import dataclass
from rules.steps import beside, require, spend
from service.errors import Forbidden, KeyRenewed, NoGame, Refused
from service.judgements import AttemptedMove
from service.referee import amend as amending
from service.referee import dispute as settling
from service.referee import enter_position, import_log, plans, roll_dice
from service.referee.access import Access
from service.referee.amend import Preview
from service.referee.dispute import DisputeSubject, SettlementRequest
from service.referee.fingerprint import canonical_text, fingerprint, text_of_moves
from service.referee.fold import table_at_version
from service.referee.join_codes import JoinCodes
from service.referee.places import Places
from service.referee.plans import Plan
from service.referee.repository import ChangeRequest, TableStore, WriteOutcome
from service.referee.roll_dice import Pick
from service.referee.watcher import Watcher
from service.rulings import judge
from service.runtime.budget import EFFECTS_STEPS, IMPORT_STEPS
from service.schemas import plain
from service.storage.ledger import Ledger
from service.tables.decisions import Remedy
from service.tables.entries import LogChange, Opened, Throw, ToRoll
from service.tables.export import export
from service.tables.keys import HOST, Keys, Role, new_keys
from service.tables.table import Table
from service.types import AnyGame, JsonObject, Position, Setup

OPENING: Final = "opened by its request"
"""The stored idempotency key of a repeatable opening; a request's key has no blank."""


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table that was just opened, and its keys. `is_replay`: an earlier request with the same key opened it."""

    table: Table
    keys: Keys
    is_replay: bool = False


class Referee(Access):
    """The use cases, on one ledger. Safe to share between threads.

    `lifetime` is how long the ledger stores a log after its last entry; `cache` about how many bytes of tables a worker
    caches. `pick` is the only random source: it rolls the dice. `places` are for waiting clients; `watcher` wakes them.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        lifetime: timedelta = timedelta(days=90),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        cache: int = 128 * 2**20,
        pick: Pick = secrets.randbelow,
        places: Places | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        super().__init__(TableStore(ledger, lifetime, cache, watcher), places, now)
        self._lifetime = lifetime
        self._pick = pick
        self._codes = JoinCodes(ledger)

    def open(
        self,
        game_id: str,
        setup: Setup,
        moves: Sequence[AttemptedMove] = (),
        *,
        die: bool = False,
        idempotency_key: str | None = None,
    ) -> NewTable:
        """Open a table (`setup` is of the game's `setup_form`), perhaps with moves that were played already.

        `die`: a die for each player decides who begins, whatever the setup says, and the log records the rolls. A
        repeated request with the same `idempotency_key` gets the same table, as of its opening. The table's id and keys
        are derived from that key, which must be as hard to guess as they are. Raises `NoGame`, `Refused`, `Invalid` and
        `Full` (nothing is opened then), `KeyReused`, `KeyRenewed`, `Expired`, `rules.forms.Malformed`, `StoreAway`,
        `StoreFull`.
        """
        game = rules.GAMES.get(game_id)
        if game is None:
            raise NoGame(game_id)
        content = f"{game.id} {die} {canonical_text(setup)}\n{text_of_moves(game, moves)}"
        asked = fingerprint("open", Role(HOST), content)

        def plan(table_id: str, keys: Keys) -> Plan:
            return self._plan_opening(table_id, keys, game, setup, moves, die=die)

        return self._open_once(game.seats_of(game.setup(setup)), idempotency_key, asked, plan)

    def import_table(self, game_id: str, sent: Sequence[JsonObject], *, idempotency_key: str | None = None) -> NewTable:
        """Open a table with all entries of an export (`service.tables.export`), or open none.

        It applies them and rules on none. `idempotency_key`: as for `open`. Raises as `open` does, and `Invalid` with
        the places of the impossible entries.
        """
        game, now = rules.GAMES[game_id], self._now()
        first, setup = import_log.read_opening(game, sent[0], now)
        content = orjson.dumps(sent, option=orjson.OPT_SORT_KEYS).decode()

        def plan(table_id: str, keys: Keys) -> Plan:
            opened = first._replace(keys=keys.roles(), imported=len(sent), imported_at=now)
            with beside(IMPORT_STEPS):
                return import_log.plan_import(table_id, opened, sent, self._lifetime)

        asked = fingerprint("import", Role(HOST), content)
        return self._open_once(game.seats_of(game.setup(setup)), idempotency_key, asked, plan)

    def play_on(self, table_id: str, key: str | None, version: int) -> NewTable:
        """Open another table that continues play from a version of this one. Host only. Raises `Invalid`."""
        table = self.table_to_export(table_id, key, version)
        with beside(IMPORT_STEPS):
            content = orjson.loads(orjson.dumps(export(table, version), option=orjson.OPT_UTC_Z))
        return self.import_table(table.game.id, content["entries"])

    def _open_once(
        self,
        seats: Iterable[Seat],
        idempotency_key: str | None,
        asked: str,
        plan: Callable[[str, Keys], Plan],
    ) -> NewTable:
        """Open a table, once for each idempotency key."""
        table_id, keys = new_keys(seats, idempotency_key)
        request = ChangeRequest(table_id, None, 0)
        if idempotency_key is not None:
            request = request._replace(idempotency_key=OPENING, fingerprint=asked)
        done = self._write_once(request, lambda: plan(table_id, keys))
        if done.is_replay and self._store.current_table(table_id).has_lost_a_key_of_opening:
            raise KeyRenewed(table_id)
        table = replace(table_at_version(done.table, done.version), used_at=None) if done.is_replay else done.table
        return NewTable(table, keys, done.is_replay)

    def _plan_opening(
        self, table_id: str, keys: Keys, game: AnyGame, setup: Setup, moves: Sequence[AttemptedMove], *, die: bool
    ) -> Plan:
        throws: tuple[Throw, ...] = ()
        if die:
            setup, throws = roll_dice.roll_for_start(game, setup, self._pick)
        opened = Opened(1, self._now(), HOST, game.id, plain(setup), game.rules_version, keys.roles())
        plan = plans.plan_opening(table_id, opened, moves, self._lifetime)
        return plans.check_plan(roll_dice.add_starter_roll(plan, throws, HOST, opened.at)) if throws else plan

    def play(self, change: ChangeRequest, moves: Sequence[AttemptedMove], *, last_only: bool = False) -> WriteOutcome:
        """Play moves up to the first refused one; budgets the effects of all, or of the last only. Raises `Refused`."""
        answered = 1 if last_only else len(moves)

        def plan(table: Table, role: Role, now: datetime) -> Plan:
            require(EFFECTS_STEPS * answered)
            made = plans.check_plan(plans.plan_moves(table, role, moves, now))
            spend(EFFECTS_STEPS * min(answered, len(made.entries)))
            return made

        done = self._change(change, "play", lambda game: text_of_moves(game, moves), plan)
        return _with_refusal(done, moves) if done.is_replay else done

    def rewind(self, change: ChangeRequest, to: int) -> WriteOutcome:
        """Undo back to version `to`, or redo forward to it unless a new move was played. Raises `Unreachable`.

        A seat may take back, and put back, only moves of its own.
        """
        return self._change(
            change, "rewind", lambda _: str(to), lambda table, role, now: plans.plan_rewind(table, role, to, now)
        )

    def set_readings(self, change: ChangeRequest, readings: Mapping[str, str]) -> WriteOutcome:
        """Give some readings other values from here on: one entry, or none if they have them already. Host only."""
        content = "\n".join(f"{name} {value}" for name, value in sorted(readings.items()))
        return self._change(
            change,
            "readings",
            lambda _: content,
            lambda table, role, now: plans.plan_readings(table, role, readings, now),
        )

    def rename(self, change: ChangeRequest, names: Mapping[Seat, str]) -> WriteOutcome:
        """Give players other names: one entry, or none if they have them already. An empty one removes a name."""
        return self._change(
            change,
            "rename",
            lambda _: str(sorted(names.items())),
            lambda table, role, now: plans.plan_names(table, role, names, now),
        )

    def enter_position(
        self, change: ChangeRequest, position: Position, names: Collection[str] | None = None
    ) -> WriteOutcome:
        """Continue from the position on the players' table: one entry, or none if the log has it already. Host only.

        `names`: the members of the request, if it may omit some (`enter_position.compare_position`). Raises
        `Impossible`, `Invalid`.
        """
        return self._change(
            change,
            "checkpoint",
            lambda _: canonical_text(position),
            lambda table, role, now: enter_position.plan_position(table, role, position, now, names=names),
        )

    def roll(self, change: ChangeRequest, to_roll: ToRoll) -> WriteOutcome:
        """Roll dice, and record the result in the log: one entry. Nothing else changes.

        A repeated request does not roll again. Raises `Invalid`.
        """

        def text_of(game: AnyGame) -> str:
            move = to_roll.move
            return f"{to_roll.n} {to_roll.kind}" if move is None else f"{to_roll.camp} {game.write(move)}"

        return self._change(
            change,
            "roll",
            text_of,
            lambda table, role, now: roll_dice.plan_roll(table, role, to_roll, self._pick, now),
        )

    def raise_dispute(self, change: ChangeRequest, about: DisputeSubject, question: str) -> WriteOutcome:
        """Dispute an entry, or a move that was not played: one entry.

        The game continues. A repeated request gets the table as it was then. Raises `Invalid`, `AlreadyDisputed`.
        """
        done = self._change(
            change,
            "dispute",
            lambda game: f"{about.entry if about.move is None else game.write(about.move)}\n{question}",
            lambda table, role, now: settling.plan_dispute(table, role, about, question, now),
        )
        return done._replace(table=table_at_version(done.table, done.version)) if done.is_replay else done

    def confirm(self, change: ChangeRequest, number: int, remedy: Remedy) -> WriteOutcome:
        """A seat confirms a remedy; once every seat has confirmed the same one, that settles the dispute.

        Raises as `settle` does.
        """
        return self._change(
            change,
            "confirm",
            lambda _: f"{number} {remedy}",
            lambda table, role, now: settling.plan_confirmation(table, role, number, remedy, now),
        )

    def settle(self, change: ChangeRequest, number: int, how: SettlementRequest) -> WriteOutcome:
        """Settle a dispute. Host only. The outcome has the settlement, and the entries that carry it out.

        Raises `NoDispute`, `AlreadySettled`, `NoRemedy`, `Impossible`.
        """
        position = "" if how.position is None else f"\n{canonical_text(how.position)}"
        return self._change(
            change,
            "settle",
            lambda _: f"{number} {how.remedy}\n{how.text}{position}",
            lambda table, role, now: settling.plan_settlement(table, role, number, how, now),
        )

    def preview(self, change: ChangeRequest, amendment: LogChange) -> Preview:
        """Preview an amendment; writes nothing. Raises `Invalid`, `Refused`."""
        table, role = self.table(change.table_id, change.key)
        if not role.plays:
            raise Forbidden(table, "watch")
        return amending.preview_amendment(
            self._store.require_version(table, change.version), role, amendment, self._now()
        )

    def amend(self, change: ChangeRequest, amendment: LogChange) -> WriteOutcome:
        """Amend the log as the host; as a seat, confirm this amendment: the last seat's confirmation makes it.

        Of several late moves, those before the first refused one are entered; `WriteOutcome.refusal` has that one.
        Raises `Invalid`, `Refused`.
        """
        done = self._change(
            change,
            "amend",
            lambda _: repr(amendment),
            lambda table, role, now: amending.plan_amendment(table, role, amendment, now),
        )
        return done._replace(refusal=amending.refusal(done.table, amendment)) if done.is_replay else done


def _with_refusal(done: WriteOutcome, moves: Sequence[AttemptedMove]) -> WriteOutcome:
    """A replayed outcome, with the refused move that stopped the original request, if any."""
    played_count = len(done.entries)
    if played_count == len(moves):
        return done
    try:
        judge.step(done.table.game, done.table.states[done.version - 1], moves[played_count], played_count)
    except Refused as refused:
        return done._replace(refusal=refused)
    return done
