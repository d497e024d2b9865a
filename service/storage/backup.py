"""``bastide backup`` and ``bastide restore``: every table and group as a line of JSON, while the service runs.

The first line identifies the file. Each other line is a log: its payloads, what each request wrote, the remaining
milliseconds of the log and of its mark, and a digest of all but these times. One script reads or writes a log, so a
line is a log at one moment. The file has names and questions of players. It has no key in the clear: payloads have
their hashes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

import orjson

from service.errors import StoreForbids
from service.storage.connections import Argument, Command
from service.storage.inventory import Inventory, NotAllowed
from service.storage.ledger import Ledger, Script, keys_of

FORMAT: Final = 1
HEAD: Final = "bastide backup"
DUMP: Final = Script("dump")
RESTORE: Final = Script("restore")
NO_LINE: Final = "it is not a line of a backup"
NO_LOG: Final = "doctor"
"""An id that no log has."""
OWN: Final = 0o600
"""Only the owner may read the file: it has names."""


class BadBackup(Exception):
    """A file that is no backup, or one of another format."""


class BadLine(Exception):
    """A line of a backup that is broken."""


@dataclass(frozen=True, slots=True)
class StoredLog:
    """All that a store has of a log; `lifetime` and `mark_lifetime` in milliseconds. A deleted log has no entries."""

    id: str
    entries: tuple[str, ...]
    requests: dict[str, str]
    lifetime: int
    mark_lifetime: int

    @property
    def digest(self) -> str:
        """SHA-256 of the id, entries and requests: the same in every store and at any time."""
        return sha256(orjson.dumps([self.id, self.entries, sorted(self.requests.items())])).hexdigest()

    def line(self) -> bytes:
        """The line of a backup."""
        return orjson.dumps({"sha256": self.digest, **{name: getattr(self, name) for name in self.__slots__}}) + b"\n"

    @classmethod
    def of(cls, line: bytes) -> Self:
        """Read a line. Raises `BadLine`."""
        try:
            members = orjson.loads(line)
            digest, log_id, entries, requests, *lives = (members[name] for name in ("sha256", *cls.__slots__))
            texts = [digest, log_id, *entries, *requests, *requests.values()]
        except (AttributeError, KeyError, TypeError, ValueError) as fault:
            raise BadLine(NO_LINE) from fault
        if [*map(type, lives), type(entries), *map(type, texts)] != [int, int, list, *[str] * len(texts)]:
            raise BadLine(NO_LINE)
        log = cls(log_id, tuple(entries), requests, *lives)
        if log.digest != digest:
            raise BadLine("its content does not match its digest")
        return log


def back_up(url: str, file: Path) -> int:
    """Write all logs at an address to a file, which replaces an older one at the end. Returns their number.

    Raises `StoreAway`, `NotAllowed`, `OSError`.
    """
    part = file.with_name(f"{file.name}.part")
    count = 0
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWN), "wb") as target:
        os.fchmod(target.fileno(), OWN)
        target.write(orjson.dumps({"file": HEAD, "format": FORMAT, "made_at": datetime.now(UTC)}) + b"\n")
        for log in stored_logs(url):
            target.write(log.line())
            count += 1
        target.flush()
        os.fsync(target.fileno())
    part.replace(file)
    return count


def stored_logs(url: str) -> Iterator[StoredLog]:
    """All logs at an address, each as of its reading. Raises `StoreAway`, `NotAllowed`."""
    with closing(Inventory(url)) as stock, closing(Ledger(url)) as ledger:
        for log_id in stock.ids():
            entries, requests, lifetime, mark_lifetime = _run(ledger, DUMP, log_id)
            if mark_lifetime > 0:  # else it expired meanwhile
                payloads = tuple(fields[1].decode() for _, fields in entries)
                pairs = iter(each.decode() for each in requests)
                yield StoredLog(log_id, payloads, dict(zip(pairs, pairs, strict=True)), lifetime, mark_lifetime)


def restore(url: str, file: Path, only: Collection[str] = ()) -> tuple[Counter[str], dict[int, str]]:
    """Write the logs of a file, or only some, that a store does not have.

    Returns how many were `added`, `there` already, or have `ended` there; and the faults of lines, by their number.
    Raises `BadBackup`, `StoreAway`, `NotAllowed`, `OSError`.
    """
    outcomes: Counter[str] = Counter()
    faults: dict[int, str] = {}
    with file.open("rb") as lines, closing(Ledger(url)) as ledger:
        _check_head(next(lines, b""))
        for number, line in enumerate(lines, 2):
            try:
                log = StoredLog.of(line)
            except BadLine as fault:
                faults[number] = str(fault)
                continue
            if not only or log.id in only:
                pairs = [part for pair in log.requests.items() for part in pair]
                arguments: Command = (log.lifetime, log.mark_lifetime, len(log.entries), *log.entries, *pairs)
                outcomes[_run(ledger, RESTORE, log.id, *arguments).decode()] += 1
    return outcomes, faults


def check_rights(url: str) -> None:
    """Check that the user of an address may list and read logs. Raises `NotAllowed`, `StoreAway`."""
    with closing(Inventory(url)) as stock, closing(Ledger(url)) as ledger:
        next(stock.ids(), None)
        _run(ledger, DUMP, NO_LOG)


def _check_head(line: bytes) -> None:
    """Check the first line of a file. Raises `BadBackup`."""
    try:
        head = orjson.loads(line)
        what, number = head["file"], head["format"]
    except (KeyError, TypeError, ValueError):
        what = number = None
    if what != HEAD:
        raise BadBackup("This file is no backup of Bastide.")
    if number != FORMAT:
        raise BadBackup(f"This backup has the format {number}; this Bastide reads {FORMAT}.")


def _run(ledger: Ledger, script: Script, log_id: str, *arguments: Argument) -> Any:
    """The answer of a script. Raises `StoreAway`, `NotAllowed`."""
    try:
        return ledger.run(script, keys_of(log_id), *arguments)
    except StoreForbids as refusal:
        raise NotAllowed(f"This user of Redis may not do what a backup needs ({refusal})") from refusal
