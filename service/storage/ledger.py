"""The ledger: the log of every table, an append-only stream in Redis, and the only store.

A table's entries are numbered 1, 2, 3 … without a gap; the number of the last one is the table's version. One Lua
script (``lua/append.lua``) appends. It recognizes by its key a request that was already carried out, and rejects an
entry that does not follow the version that its writer saw. Otherwise it writes all payloads or none. Redis itself
rejects a second entry of the same number, so a log cannot fork. Nothing is ever changed or trimmed.

A log is deleted some time after its last entry. It leaves a mark, which tells a deleted table from one that never
existed. A table that nobody has used since it was opened is deleted sooner (`UNUSED_LIFETIME`). A server that is nearly
full opens no new log.

Three keys make a table, in one slot of a cluster: ``{t:<id>}:log``, ``{t:<id>}:idem`` (which key wrote which entries)
and ``{t:<id>}:mark``. The primary of that slot gets the script, and on the same connection the ``WAIT`` for its
replicas. A group has such a log, too (`service.groups.groups`), with ``g:<id>`` in place of ``<id>``, and
a join code (`service.referee.join_codes`) with ``c:<hash>``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from redis.exceptions import NoPermissionError, NoScriptError, ResponseError

from service.config import Fsync
from service.errors import Conflict, Expired, KeyReused, NoTable, StoreAway, StoreForbids, StoreFull
from service.redis_url import RedisUrl
from service.storage.connections import CONNECTIONS, Answer, Argument, Command, Server
from service.storage.readiness import Hindrance, Readiness, hindrance
from service.storage.redis_check import FULL, examine
from service.storage.topology import topology
from service.storage.write_sizes import add_bytes, size_of
from service.tables.table import UNUSED_LIFETIME

NO_PERMISSION: Final = ("The user executing the script can't", "ACL failure in script")
"""The prefixes of the errors of Redis 7 and Valkey if a script lacks a permission."""
PATIENCE: Final = 2.0
"""Seconds without an answer after which a store counts as away."""
SLICE: Final = 250
"""Entries that are read at once: the worker yields to other requests between two slices of a long log."""
REPLICA_PATIENCE: Final = 500
"""Milliseconds in which the replicas have to confirm an entry."""


@dataclass(frozen=True, slots=True)
class AppendResult:
    """The numbers of the entries that a request wrote; `is_replay` if it had written them before."""

    first: int
    last: int
    is_replay: bool


class Script:
    """A Lua script in this folder, and the name under which the server caches it."""

    def __init__(self, name: str) -> None:
        self.text = Path(__file__).with_name("lua").joinpath(f"{name}.lua").read_text(encoding="utf-8")
        self.sha = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()


APPEND: Final = Script("append")
DELETE: Final = Script("delete")
LIFETIME: Final = Script("lifetime")
USE: Final = Script("use")


class Ledger:
    """The logs of all tables, on a Redis, a cluster, or the primary that sentinels name. Safe to share between threads.

    `ttl` is how long a log lives after its last entry, `grave` how long its table is then marked as deleted. A log that
    nobody has used since it was opened lives for `UNUSED`, if that is less.
    An entry counts only once `replicas` replicas have it. Every call raises `StoreAway` within `patience` seconds or a
    little more rather than wait for a silent store, or for one of the `connections`.
    """

    def __init__(
        self,
        url: str,
        *,
        ttl: timedelta = timedelta(days=90),
        grave: timedelta = timedelta(days=365),
        patience: float = PATIENCE,
        replicas: int = 0,
        connections: int = CONNECTIONS,
    ) -> None:
        self._replicas = replicas
        self._grave_time = grave
        self._ttl, self._grave = self._seconds(ttl)
        self._unused_ttl = min(self._ttl, int(UNUSED_LIFETIME.total_seconds()))

        def server(url: str) -> Server:
            return Server(url, patience=patience, connections=connections)

        self._address = RedisUrl.of(url)
        self._redis = topology(self._address, server, patience)
        local = url.startswith("unix://")
        self._readiness = Readiness(lambda: hindrance(self._redis, APPEND.text, replicas, local))

    def with_ttl(self, ttl: timedelta, grave: timedelta | None = None) -> Ledger:
        """The same ledger on the same connections, with another lifetime of its logs and of their marks."""
        other = copy(self)
        other._ttl, other._grave = self._seconds(ttl, grave)  # noqa: SLF001  # of this class
        other._unused_ttl = other._ttl  # noqa: SLF001  # see above
        return other

    # --- writing ---

    def append(self, table: str, expected: int, key: str, payloads: Sequence[bytes], fingerprint: str) -> AppendResult:
        """Write the payloads as the entries after `expected` (0 opens the table): all of them, or none.

        `key` names the request and `fingerprint` its content: a repeated key writes nothing and returns the numbers
        of the first time. Raises `Conflict`, `KeyReused`, `NoTable`, `Expired`, `StoreAway`, and `StoreFull` when
        opening a table.
        """
        if not payloads or not key:
            raise ValueError("an append needs a key and a payload")
        arguments: Command = (expected, key, fingerprint, self._ttl, self._grave, self._unused_ttl, FULL, *payloads)
        answer, confirmed = self._write(APPEND, keys_of(table), arguments)
        outcome = answer[0]
        if outcome == b"appended" or outcome == b"replayed":
            if outcome == b"appended":
                add_bytes(size_of(payloads, key, fingerprint, opens=expected == 0))
            self._require_replicas(confirmed)
            return AppendResult(answer[1], answer[2], outcome == b"replayed")
        if outcome == b"conflict":
            raise Conflict(answer[1])
        if outcome == b"reused":
            raise KeyReused(key)
        if outcome == b"full":
            raise StoreFull
        raise Expired(table) if outcome == b"gone" else NoTable(table)

    def note_use(self, table: str) -> datetime | None:
        """Record the first use of a table, so that it lives as long as any other. Returns the time of that use.

        None if the table is deleted. Raises `StoreAway`.
        """
        since = self.run(USE, keys_of(table)[:2], self._ttl)
        return None if since is None else datetime.fromtimestamp(since, UTC)

    def delete(self, table: str) -> None:
        """Delete a table's log, and mark the table as deleted. Raises `NoTable`, `StoreAway`."""
        answer, confirmed = self._write(DELETE, keys_of(table), (self._grave,))
        if answer[0] == b"missing":
            raise NoTable(table)
        self._require_replicas(confirmed)

    # --- reading ---

    def read(self, table: str, after: int = 0) -> list[tuple[int, bytes]]:
        """The entries from number `after` on, that one included (all of them from 0).

        The first entry proves to the caller that the store still has entry `after`; an empty list means that it does
        not. Raises `NoTable`, `Expired`, `StoreAway`.
        """
        found: list[tuple[int, bytes]] = []
        while True:
            slice_ = ("XRANGE", _log(table), f"{after}-0", "+", "COUNT", SLICE)
            entries = [(int(number[:-2]), fields[1]) for number, fields in self._ask(_log(table), slice_)[0]]
            if not entries:
                self._remaining_time(table)
            if found and entries[:1] != found[-1:]:
                raise StoreAway("the log has lost entries while it was read")
            found += entries[bool(found) :]
            if len(entries) < SLICE:
                return found
            after = found[-1][0]

    def entries_since(self, versions: Mapping[str, int]) -> dict[str, list[bytes]]:
        """For each table the entry of the given number and the next one, if any; one request per server.

        Omits a table if its server returns an error for it. Raises `StoreAway`.
        """
        found: dict[str, list[bytes]] = {}
        for tables in self._by_server(versions):
            commands: list[Command] = [
                ("XRANGE", _log(each), f"{versions[each]}-0", "+", "COUNT", 2) for each in tables
            ]
            with self._readiness.track_use():
                answers: Sequence[Any] = self._redis.ask(_log(tables[0]), *commands)
            for table, answer in zip(tables, answers, strict=True):
                if not isinstance(answer, ResponseError):
                    found[table] = [fields[1] for _, fields in answer]
        return found

    def versions(self, tables: Collection[str]) -> dict[str, int]:
        """The versions of tables, 0 for one without a log; one request per server.

        Omits a table if its server does not answer for it. Raises `StoreAway` if no primary is known.
        """
        found: dict[str, int] = {}
        for some in self._by_server(tables):
            commands: list[Command] = [("XLEN", _log(each)) for each in some]
            with suppress(StoreAway), self._readiness.track_use():
                answers = self._redis.ask(_log(some[0]), *commands)
                for table, command, answer in zip(some, commands, answers, strict=True):
                    # A refused table has moved to another server.
                    length = self._redis.ask(_log(table), command)[0] if isinstance(answer, ResponseError) else answer
                    if isinstance(length, int):
                        found[table] = length
        return found

    def expires_at(self, table: str) -> datetime:
        """When the log expires if nothing more is written, by the store's clock.

        Raises `NoTable`, `Expired`, `StoreAway`.
        """
        milliseconds, (seconds, microseconds) = self._remaining_time(table)
        now = datetime.fromtimestamp(int(seconds), UTC) + timedelta(microseconds=int(microseconds))
        return (now + timedelta(milliseconds=milliseconds)).replace(microsecond=0)

    def time(self) -> float:
        """The store's time, in seconds since 1970. Raises `StoreAway`."""
        seconds, microseconds = self._ask(keys_of("")[0], ("TIME",))[0]
        return int(seconds) + int(microseconds) / 1e6

    # --- other scripts ---

    def run(self, script: Script, keys: Sequence[str], *arguments: Argument) -> Any:
        """Run a script on the server of its first key, perhaps twice, and return its reply. Raises `StoreAway`.

        `StoreForbids` does not affect readiness: moves can still be written, and the caller reports the error.
        """
        with self._readiness.track_use():
            [answer] = self._answers(script, keys, arguments)
            if not _is_forbidden(answer):
                return _answer_or_raise(answer)
        return _answer_or_raise(answer)

    # --- the store's health ---

    def hindrance(self) -> Hindrance | None:
        """The reason why Redis accepts no moves; None if it accepts them. The answer is valid for a second."""
        return self._readiness.hindrance()

    def ping(self) -> bool:
        """Whether a primary answers and has the script in its cache."""
        try:
            servers = self._redis.primaries()
        except StoreAway:
            return False
        return any(_has_script(server, APPEND) for server in servers)

    def check(self, least_fsync: Fsync = "always") -> list[str]:
        """Refuse a store that is too old or may lose entries. Returns the lines that the start prints about a fit one.

        `least_fsync`: how often Redis has to write to the disk at least. Raises `Unfit`, `StoreAway`.
        """
        return examine(self._redis, self._address, self._replicas, least_fsync)

    def close(self) -> None:
        """Close the idle connections; the next call opens new ones."""
        self._redis.close()

    # --- inside ---

    def _seconds(self, ttl: timedelta, grave: timedelta | None = None) -> tuple[int, int]:
        """The lifetime of a log after its last entry, and of the mark that it existed."""
        if ttl < timedelta(seconds=1):
            raise ValueError("a log has to live for a second at least")
        return int(ttl.total_seconds()), int((ttl + (grave or self._grave_time)).total_seconds())

    def _by_server(self, tables: Iterable[str]) -> Collection[Sequence[str]]:
        """The tables, grouped by server. Raises `StoreAway`."""
        there: dict[Server, list[str]] = {}
        for table in tables:
            there.setdefault(self._redis.primary(_log(table)), []).append(table)
        return there.values()

    def _ask(self, key: str, *commands: Command) -> Sequence[Any]:
        with self._readiness.track_use():
            return [_answer_or_raise(answer) for answer in self._redis.ask(key, *commands)]

    def _write(self, script: Script, keys: Sequence[str], arguments: Command) -> tuple[Any, int]:
        """The reply of a script, and the number of replicas that have its writes."""
        # WAIT covers only the writes of its own connection.
        waiting: list[Command] = [("WAIT", self._replicas, REPLICA_PATIENCE)] if self._replicas else []
        with self._readiness.track_use(writing=True):
            answer, *confirmed = self._evaluate(script, keys, arguments, *waiting)
        return answer, sum(confirmed)

    def _require_replicas(self, confirmed: int) -> None:
        """Raise `StoreAway` unless enough replicas have the write."""
        if confirmed < self._replicas:
            self._redis.doubt()  # a server that lost its replicas may have lost its role
            with self._readiness.track_use():
                raise StoreAway(f"NOREPLICAS {confirmed} of {self._replicas} replicas have confirmed the entry")

    def _evaluate(self, script: Script, keys: Sequence[str], arguments: Command, *after: Command) -> Sequence[Any]:
        """The replies of a script and of the commands after it, on one connection. Raises for a refusal."""
        return [_answer_or_raise(answer) for answer in self._answers(script, keys, arguments, *after)]

    def _answers(self, script: Script, keys: Sequence[str], arguments: Command, *after: Command) -> Sequence[Answer]:
        """The same, with refusals as replies."""
        rest = (len(keys), *keys, *arguments)
        answers = self._redis.ask(keys[0], ("EVALSHA", script.sha, *rest), *after)
        if isinstance(answers[0], NoScriptError):
            answers = self._redis.ask(keys[0], ("EVAL", script.text, *rest), *after)
        return answers

    def _remaining_time(self, table: str) -> tuple[int, tuple[bytes, bytes]]:
        """The remaining milliseconds of the log, and the store's time. Raises `NoTable`, `Expired`."""
        log, _, mark = keys_of(table)
        has_mark, milliseconds, time = self.run(LIFETIME, (log, mark))
        if milliseconds == -2:
            raise Expired(table) if has_mark else NoTable(table)
        return milliseconds, time


def _answer_or_raise(answer: Answer) -> object:
    """The reply itself; its type depends on the command. Raises `StoreAway` for a refusal."""
    if isinstance(answer, ResponseError):
        raise (StoreForbids if _is_forbidden(answer) else StoreAway)(str(answer)) from answer
    return answer


def _is_forbidden(answer: Answer) -> bool:
    """Whether a reply means that the store's user lacks a permission."""
    return isinstance(answer, NoPermissionError) or (
        isinstance(answer, ResponseError) and str(answer).startswith(NO_PERMISSION)
    )


def _has_script(server: Server, script: Script) -> bool:
    try:
        return not isinstance(server.ask(("SCRIPT", "LOAD", script.text))[0], ResponseError)
    except StoreAway:
        return False


def _log(table: str) -> str:
    return f"{{t:{table}}}:log"


def keys_of(table: str) -> tuple[str, str, str]:
    """The keys of a table: its log, its requests, its mark."""
    return f"{{t:{table}}}:log", f"{{t:{table}}}:idem", f"{{t:{table}}}:mark"
