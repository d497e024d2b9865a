"""Join codes: eight characters that somebody says or types, once and soon, to get a key of a seat or a watcher.

A code is its own log in the ledger, with two entries: its ticket, and its use. So the script that appends lets only one
of two phones use it. The log's id is a hash of the code, which does not reveal the code.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import orjson

from service.errors import CodeEnded, Conflict, Expired, NoCode, NoTable
from service.storage.ledger import Ledger
from service.tables.keys import derive_id, secret

SIGNS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Characters that do not look alike: no 0 and no 1, no I and no O."""
LENGTH: Final = 8
LIFETIME: Final = timedelta(minutes=10)
AFTERWARDS: Final = timedelta(hours=1)
"""How long the service still reports that a code was used or has expired."""
SPACE: Final = "c:"
"""The prefix of a code's hash in place of a table's id."""
MAKING: Final = "made by its host"
"""The idempotency key of the first entry; a request's key has no blank."""
_BETWEEN: Final = re.compile(r"[\s-]+")
_CODE: Final = re.compile(f"[{SIGNS}]{{{LENGTH}}}")


class Ticket(NamedTuple):
    """The purpose of a code: a role at a table, given by the host's key of a number (`maker`).

    `ended`: the number of the role's revoked keys at that time. When one more is revoked, the code ends, too.
    """

    table_id: str
    role: str
    maker: int
    ended: int


class JoinCodes:
    """The codes on a ledger. Safe to share between threads. All methods may raise `StoreAway`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger.with_ttl(LIFETIME, AFTERWARDS)

    def make(self, ticket: Ticket, now: datetime) -> str:
        """A new code for a ticket. Raises `StoreFull`."""
        payload = orjson.dumps({"type": "code_made", "at": now, **ticket._asdict()}, option=orjson.OPT_UTC_Z)
        while True:
            code = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
            try:
                append_result = self._ledger.append(_id_of(code), 0, MAKING, (payload,), secret())
            except (Conflict, Expired):
                continue  # the code exists, or did recently
            if not append_result.is_replay:
                return code

    def ticket(self, code: str) -> Ticket:
        """The ticket of a code that can still be used. Raises `NoCode`, `CodeEnded`."""
        log_id = _id_of(read_code(code))
        log = self._read(log_id)
        if len(log) > 1:
            raise CodeEnded(log_id)
        return _ticket_of(log)

    def use(self, code: str, idempotency_key: str | None, now: datetime) -> Ticket:
        """Use up a code; the same request may repeat this. Returns its ticket. Raises `NoCode`, `CodeEnded`."""
        log_id = _id_of(read_code(code))
        ticket = _ticket_of(self._read(log_id))
        payload = orjson.dumps({"type": "code_used", "at": now}, option=orjson.OPT_UTC_Z)
        try:
            self._ledger.append(log_id, 1, idempotency_key or secret(), (payload,), "")
        except (Conflict, Expired, NoTable):
            raise CodeEnded(log_id) from None
        return ticket

    def _read(self, log_id: str) -> list[tuple[int, bytes]]:
        """The log of a code. Raises `NoCode`, `CodeEnded`."""
        try:
            return self._ledger.read(log_id)
        except NoTable:
            raise NoCode(log_id) from None
        except Expired:
            raise CodeEnded(log_id) from None


def _ticket_of(log: Sequence[tuple[int, bytes]]) -> Ticket:
    """The ticket in a code's log."""
    stored = orjson.loads(log[0][1])
    return Ticket(*(stored[name] for name in Ticket._fields))


def read_code(text: str) -> str:
    """The code in a typed text, perhaps in small letters or in groups. Raises `NoCode`."""
    code = _BETWEEN.sub("", text[:64]).upper()
    if not _CODE.fullmatch(code):
        raise NoCode(code)
    return code


def shown_code(code: str) -> str:
    """A code for reading aloud: in two groups."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def _id_of(code: str) -> str:
    """The id of the log of a code: its hash."""
    return SPACE + derive_id("code", code)
