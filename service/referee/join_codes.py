"""Join codes: eight signs that somebody says or types, once and soon, to get a key of a seat, or one that only looks.

A code is a log of its own in the ledger, with two entries: what it is for, and that it was used. So the script that
appends lets one of two phones have it. The log goes by a hash of the code, and tells nobody the code.
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
"""None of them looks like another: no 0 and no 1, no I and no O."""
LENGTH: Final = 8
LIFETIME: Final = timedelta(minutes=10)
AFTERWARDS: Final = timedelta(hours=1)
"""So long is it said of a code that it was used, or that it is too old."""
SPACE: Final = "c:"
"""What stands before a code's hash where tables have their ids."""
MAKING: Final = "made by its host"
"""The key of the first entry; no request has one with a blank in it."""
_BETWEEN: Final = re.compile(r"[\s-]+")
_CODE: Final = re.compile(f"[{SIGNS}]{{{LENGTH}}}")


class Ticket(NamedTuple):
    """What a code is for: a role at a table, by the host's key of a number.

    `ended`: how many keys of the role the host had revoked by then. When one more is, the code ends, too.
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
                continue  # there is such a code, or was just now
            if not append_result.is_replay:
                return code

    def ticket(self, code: str) -> Ticket:
        """What a code is for, if it can still be used. Raises `NoCode`, `CodeEnded`."""
        log_id = _id_of(read_code(code))
        log = self._read(log_id)
        if len(log) > 1:
            raise CodeEnded(log_id)
        return _ticket_of(log)

    def use(self, code: str, idempotency_key: str | None, now: datetime) -> Ticket:
        """What a code is for: its only use, which the same request may have again. Raises `NoCode`, `CodeEnded`."""
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
    """What the code of a log is for."""
    stored = orjson.loads(log[0][1])
    return Ticket(*(stored[name] for name in Ticket._fields))


def read_code(text: str) -> str:
    """The code in a text as somebody typed it: in small letters, or in groups. Raises `NoCode`."""
    code = _BETWEEN.sub("", text[:64]).upper()
    if not _CODE.fullmatch(code):
        raise NoCode(code)
    return code


def shown_code(code: str) -> str:
    """A code as it is read aloud: in two groups."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def _id_of(code: str) -> str:
    """The id of the log of a code: its hash."""
    return SPACE + derive_id("code", code)
