"""Writing a change into a table's log, once: on top of the version it is meant for, under the key of its request."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from service import table as tables
from service.ledger import Conflict, Gone, Ledger, Missing
from service.outcomes import Done, Forbidden, Full, Stale, Unreachable
from service.rulings import Refused
from service.shelf import Expired, NoTable, Shelf
from service.table import AnyEntry, Table

MOST_ENTRIES: Final = 5_000
NEVER: Final = -1
"""A version that no log has: an append on top of it only asks whether a key was used."""


class Plan(NamedTuple):
    """What a request would write on top of a table: entries, the state after each, and where it was stopped."""

    entries: tuple[AnyEntry, ...]
    states: tuple[Any, ...]
    refused: Refused | None = None


class Request(NamedTuple):
    """A change to a table: on top of which version, and under which key it may be repeated."""

    table_id: str
    version: int
    idempotency_key: str | None
    fingerprint: str


class Clerk:
    """Writes changes to tables into their logs. Safe to share between threads."""

    def __init__(self, ledger: Ledger, shelf: Shelf) -> None:
        self._ledger = ledger
        self._shelf = shelf

    def carry_out(self, table: Table, request: Request, plan_on: Callable[[Table], Plan]) -> Done:
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

    def _write(self, request: Request, table: Table, plan: Plan) -> Done:
        payloads = [tables.encode(entry) for entry in plan.entries]
        key = request.idempotency_key or secret()
        try:
            appended = self._ledger.append(table.id, table.version, key, payloads, request.fingerprint)
        except Conflict:
            raise Stale(self._shelf.fresh(table.id), request.version) from None
        except (Missing, Gone) as error:
            self._shelf.drop(table.id)
            raise NoTable(table.id) if isinstance(error, Missing) else Expired(table.id) from None
        if appended.replayed:
            return self._replay(table.id, appended.first, appended.last)
        table = grown(table, plan, payloads)
        self._shelf.put(table)
        return Done(table, plan.entries, table.due, refused=plan.refused)

    def _repeated(self, request: Request) -> Done | None:
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


def _check_plan(table: Table, plan: Plan) -> None:
    if not plan.entries and plan.refused is not None:
        raise plan.refused
    if table.version + len(plan.entries) > MOST_ENTRIES:
        raise Full(table.id)


def grown(table: Table, plan: Plan, payloads: Sequence[bytes]) -> Table:
    """The table after what was planned, as it was written."""
    for entry, state, payload in zip(plan.entries, plan.states, payloads, strict=True):
        table = tables.after(table, entry, payload, state)
    return table


def secret() -> str:
    """128 bits nobody can guess, 22 characters that may stand in an address: ids and keys."""
    return secrets.token_urlsafe(16)
