"""The use cases of access to a table, for its host only: public views and keys; and how every change is written.

A method that changes a table takes a `ChangeRequest`. A repeated request first gets its original outcome, whatever else
is wrong now: it is neither stale nor refused. But a key that has ended gets no answer, not even to that.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final, NamedTuple, TypeAlias

from rules.steps import TooMuch
from service.errors import (
    AlreadyDisputed,
    AlreadySettled,
    CodeEnded,
    Expired,
    Forbidden,
    Full,
    Impossible,
    Invalid,
    KeyReused,
    NoDispute,
    NoRemedy,
    NoSuchKey,
    NoTable,
    NoView,
    OwnKey,
    Refused,
    Stale,
    StoreAway,
    Unreachable,
)
from service.referee.fingerprint import fingerprint
from service.referee.join_codes import LIFETIME, JoinCodes, Ticket, read_code
from service.referee.plans import Plan, add_entry, check_plan
from service.referee.repository import ChangeRequest, WriteOutcome
from service.referee.table_reader import TableReader
from service.runtime.metrics import CONFLICT, REFUSAL, REPEAT, count_write
from service.tables.entries import KeyMade, KeyRevoked, ViewMade, ViewRevoked
from service.tables.keys import HOST, MAX_KEYS, WATCH, Role, TableKey, derive_id, hash_of, secret
from service.tables.public_views import MAX_VIEWS, secret_of
from service.tables.table import Table
from service.types import AnyGame
from service.validation import FieldError

Planner: TypeAlias = Callable[[Table, Role, datetime], Plan]
"""(table, role, time) -> the plan of a change."""
TRIES: Final = 5
"""The most attempts of a change that fits any version, if other changes come first."""
CANNOT_BE_DONE: Final = (
    AlreadyDisputed,
    AlreadySettled,
    CodeEnded,
    Forbidden,
    Full,
    Impossible,
    Invalid,
    KeyReused,
    NoDispute,
    NoRemedy,
    Refused,
    Stale,
    TooMuch,
    Unreachable,
)
"""The errors that prevent a change, unless its request was carried out before."""


class ViewRequest(NamedTuple):
    """A request for a public view: whether it names the players, and whether it shows nothing before now."""

    label: str
    names: bool = False
    from_now: bool = False


class KeyRequest(NamedTuple):
    """A request for a key: the name of its role. With `until` it is derived from the key that makes it."""

    role: str
    label: str = ""
    until: datetime | None = None


class NewKey(NamedTuple):
    """A key that was just made, and its `secret`, which opens the table. `outcome`: the write."""

    key: TableKey
    secret: str
    outcome: WriteOutcome


class NewCode(NamedTuple):
    """A join code that was just made, and its expiry."""

    code: str
    until: datetime


class Access(TableReader):
    """The use cases of public views and keys, and the way a change is written. Thread-safe."""

    _codes: JoinCodes

    def make_view(self, change: ChangeRequest, asked: ViewRequest) -> WriteOutcome:
        """Make a public view, at any version: one entry. Host only."""

        def plan(table: Table, role: Role, now: datetime) -> Plan:
            return plan_view(table, role, change.key or "", asked, now)

        return self._change_now(change, "view", repr(asked), plan)

    def revoke_view(self, change: ChangeRequest, number: int) -> WriteOutcome:
        """Revoke a public view, at any version: one entry, or none if it is revoked already. Host only."""
        return self._change_now(
            change, "revoke", str(number), lambda table, role, now: plan_revocation(table, role, number, now)
        )

    def make_key(self, change: ChangeRequest, asked: KeyRequest) -> NewKey:
        """Make a further key of a role, at any version. Host only. Raises `Invalid`, `Full`."""
        return self._new_key(
            change,
            f"{asked.role} {asked.label} {asked.until}",
            lambda table, role, now, of_key: plan_key(table, role, change.key or "", asked, of_key, now),
        )

    def renew_key(self, change: ChangeRequest, asked: KeyRequest) -> NewKey:
        """Replace all keys of a role, except the key of this request, with a new one. Host only.

        Raises `NoSuchKey`.
        """

        def plan(table: Table, role: Role, now: datetime, of_key: str) -> Plan:
            if asked.role not in _roles(table):
                raise NoSuchKey(table.id)
            ended = plan_end(table, role, change.key or "", asked.role, now)
            return _add_key(ended, role, of_key, asked, None, now)

        return self._new_key(change, f"renewal {asked.role} {asked.label}", plan)

    def revoke_key(self, change: ChangeRequest, which: str) -> WriteOutcome:
        """Revoke the key of a number, or all keys of a role except the key of this request. Host only.

        Raises `NoSuchKey`, `OwnKey`.
        """
        return self._change_now(
            change,
            "end key",
            which,
            lambda table, role, now: plan_end(table, role, change.key or "", which, now),
        )

    def make_code(self, table_id: str, key: str | None, role_name: str) -> NewCode:
        """Make a join code for a seat or a watcher. Host only. Raises `Invalid`, `StoreFull`."""
        table, now = self.authorise_host(table_id, key), self._now()
        roles = tuple(name for name in _roles(table) if name != HOST)
        if role_name not in roles:
            raise Invalid([("/role", FieldError("not_one_of", values=roles))])
        own = table.known_key(key or "")
        ticket = Ticket(table.id, role_name, 0 if own is None else own.number, table.count_revoked(role_name))
        code = self._codes.make(ticket, now)
        return NewCode(code, now + LIFETIME)

    def table_of_code(self, code: str) -> str:
        """The id of the table that a join code opens, without using the code. Raises `NoCode`, `CodeEnded`."""
        return self._codes.ticket(code).table_id

    def join(self, code: str, idempotency_key: str | None) -> NewKey:
        """Exchange a join code for a key, once; the same request again gets the same key.

        Raises `NoCode`, `CodeEnded`, `Expired`, `Full`.
        """
        name = _name_of(idempotency_key)
        ticket = self._codes.use(code, name, self._now())
        made = _secret_by(idempotency_key, ticket.table_id)
        content = fingerprint("join", Role(HOST), hash_of(read_code(code)))
        request = ChangeRequest(ticket.table_id, None, 0, name, content)

        def plan() -> Plan:
            table, now = self._store.current_table(ticket.table_id), self._now()
            has_maker = any(each.number == ticket.maker and not each.has_ended(now) for each in table.keys.values())
            if not has_maker or table.count_revoked(ticket.role) > ticket.ended:
                raise CodeEnded(ticket.table_id)
            asked, none = KeyRequest(ticket.role), Plan(table, (), ())
            return check_plan(_add_key(none, Role(HOST), hash_of(made), asked, None, now))

        for _ in range(MAX_KEYS):  # the code is used up now, so other changes must not cost the phone its key
            with suppress(Stale):
                outcome = self._write_once(request, plan)
                return NewKey(outcome.table.keys[hash_of(made)]._replace(is_revoked=False), made, outcome)
        raise StoreAway(f"{MAX_KEYS} other changes came first")

    def _new_key(
        self, change: ChangeRequest, content: str, make_plan: Callable[[Table, Role, datetime, str], Plan]
    ) -> NewKey:
        """Make a key: random, or derived from a secret idempotency key, so that its request can be repeated."""
        self._store.previous_outcome(change)  # raises `KeyReused` if a move has the same one, which Redis stores
        made = _secret_by(change.idempotency_key, change.table_id)
        of_key, named = hash_of(made), change._replace(idempotency_key=_name_of(change.idempotency_key))
        outcome = self._change_now(named, "key", content, lambda table, role, now: make_plan(table, role, now, of_key))
        return NewKey(outcome.table.keys[of_key]._replace(is_revoked=False), made, outcome)

    def _change_now(self, change: ChangeRequest, action: str, content: str, make_plan: Planner) -> WriteOutcome:
        """As `_change`, at the current version of the table: access does not depend on the state of play."""
        for _ in range(TRIES):
            table, _ = self.table(change.table_id, change.key)
            with suppress(Stale):
                return self._change(change._replace(version=table.version), action, lambda _: content, make_plan)
        raise Stale(table, table.version)

    def _change(
        self, change: ChangeRequest, action: str, text_of: Callable[[AnyGame], str], make_plan: Planner
    ) -> WriteOutcome:
        """Plan and write a change of a table, once; a repeated request gets its original outcome.

        The cached table may not know yet that the key has ended. So this reads the current table before it refuses a
        change or repeats an outcome.
        """
        table, role = self.authorise_player(change.table_id, change.key)
        change = change._replace(fingerprint=fingerprint(action, role, text_of(table.game)))

        def plan() -> Plan:
            current = self._store.require_version(table, change.version)
            return check_plan(make_plan(current, self._admit_key(current, change.key or "")[1], self._now()))

        try:
            done = self._write_once(change, plan)
        except CANNOT_BE_DONE:
            with suppress(NoTable, Expired, StoreAway):
                self.table(change.table_id, change.key)
            raise
        if done.is_replay:
            self.table(change.table_id, change.key)
        return done

    def _write_once(self, change: ChangeRequest, plan: Callable[[], Plan]) -> WriteOutcome:
        try:
            planned = plan()
        except CANNOT_BE_DONE as error:
            if done := self._store.previous_outcome(change):
                count_write(REPEAT)
                return done
            count_write(CONFLICT if isinstance(error, Stale) else REFUSAL)
            raise
        return self._store.write(change, planned)

    def delete(self, table_id: str, key: str | None) -> None:
        """Delete the table. Host only."""
        self.authorise_host(table_id, key)
        self._store.delete(table_id)


def plan_view(table: Table, role: Role, key: str, asked: ViewRequest, now: datetime) -> Plan:
    """Plan a public view, whose id is derived from the host's key. Raises `Forbidden`, `Full`."""
    if role.kind != HOST:
        raise Forbidden(table, "host")
    if sum(not each.is_revoked for each in table.views) >= MAX_VIEWS:
        raise Full(table.id, "views")
    of_secret = hash_of(secret_of(table.id, len(table.views) + 1, key))
    since = table.version if asked.from_now else 0
    made = ViewMade(table.version + 1, now, role.name, of_secret, asked.label, asked.names, since)
    return add_entry(Plan(table, (), ()), made)


def plan_revocation(table: Table, role: Role, number: int, now: datetime) -> Plan:
    """Plan to revoke a public view; empty if it is revoked already. Raises `Forbidden`, `NoView`."""
    if role.kind != HOST:
        raise Forbidden(table, "host")
    if not 1 <= number <= len(table.views):
        raise NoView(table.id)
    plan = Plan(table, (), ())
    is_revoked = table.views[number - 1].is_revoked
    return plan if is_revoked else add_entry(plan, ViewRevoked(table.version + 1, now, role.name, number))


def plan_key(table: Table, role: Role, key: str, asked: KeyRequest, of_key: str, now: datetime) -> Plan:
    """Plan a key of a role, derived from the key of the request if it has an expiry.

    Raises `Forbidden`, `Invalid`, `Full`.
    """
    if role.kind != HOST:
        raise Forbidden(table, "host")
    roles = _roles(table)
    if asked.role not in roles:
        raise Invalid([("/role", FieldError("not_one_of", values=roles))])
    if asked.until is not None and asked.role == HOST:
        raise Invalid([("/until", FieldError("host_without_end"))])
    if asked.until is not None and asked.until <= now:
        raise Invalid([("/until", FieldError("past"))])
    own = table.known_key(key)
    parent = None if own is None or asked.until is None else own.number
    return _add_key(Plan(table, (), ()), role, of_key, asked, parent, now)


def plan_end(table: Table, role: Role, key: str, which: str, now: datetime) -> Plan:
    """Plan to revoke the key of a number, or the keys of a role; empty if they are revoked already.

    Raises `Forbidden`, `NoSuchKey`, `OwnKey`.
    """
    if role.kind != HOST:
        raise Forbidden(table, "host")
    named = [each for each in table.keys.values() if which in (str(each.number), each.role)]
    own = table.known_key(key)
    if not named and which not in _roles(table):
        raise NoSuchKey(table.id)
    if own is not None and which == str(own.number):
        raise OwnKey(table.id)
    plan = Plan(table, (), ())
    for each in named:
        if each != own and not each.is_revoked:
            plan = add_entry(plan, KeyRevoked(plan.table.version + 1, now, role.name, each.number))
    return plan


def _add_key(plan: Plan, role: Role, of_key: str, asked: KeyRequest, parent: int | None, now: datetime) -> Plan:
    """A plan with one more key. Raises `Full`, and `KeyReused` if an earlier request has made the key."""
    if of_key in plan.table.keys:
        raise KeyReused(of_key)
    if sum(not each.has_ended(now) for each in plan.table.keys.values()) >= MAX_KEYS:
        raise Full(plan.table.id, "keys")
    made = KeyMade(plan.table.version + 1, now, role.name, of_key, asked.role, asked.label, asked.until, parent)
    return add_entry(plan, made)


def _roles(table: Table) -> tuple[str, ...]:
    """The names of the roles at a table."""
    return (HOST, *table.game.seats_of(table.state), WATCH)


def _secret_by(idempotency_key: str | None, table_id: str) -> str:
    """The secret of a new key: random, or derived from the idempotency key of its request."""
    return secret() if idempotency_key is None else derive_id("key", table_id, idempotency_key)


def _name_of(idempotency_key: str | None) -> str | None:
    """The stored name of such a request, which does not reveal the table's key."""
    return None if idempotency_key is None else derive_id("request", idempotency_key)
