"""``bastide tables``: lists, weighs and deletes the logs in Redis for operators, without showing names.

The command runs as a user of its own (``bastide-admin`` of deploy/users.acl), since the service itself may neither scan
for keys nor measure their memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import orjson
from redis.exceptions import AuthenticationError, NoPermissionError, ResponseError

from service.config import Settings
from service.errors import NoTable, StoreAway, StoreForbids
from service.redis_url import RedisUrl
from service.startup import NoServer
from service.storage.connections import Answer, Command, Server
from service.storage.ledger import Ledger
from service.storage.private_redis.supervisor import PrivateRedis
from service.storage.topology import topology

PATIENCE: Final = 10.0
"""Seconds without an answer after which a server counts as away."""
AT_ONCE: Final = 500
"""Keys of one SCAN; the server answers other clients in between."""
KEYS: Final = "{t:*"
BIGGEST: Final = 20
"""Logs that ``weigh`` lists."""
GROUP: Final = "g:"
CODE: Final = "c:"
LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)
TIME: Final = "%Y-%m-%d %H:%M"


class NotAllowed(Exception):
    """The user of Redis lacks a permission. The message says what to do."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"{problem}. Let BASTIDE_ADMIN_URL name a user who may: bastide-admin of deploy/users.acl.")


@dataclass
class Log:
    """A log: its bytes in Redis, and its dates in UTC, None if unreadable.

    A log that has ended has only its mark, and no entries.
    """

    id: str
    bytes: int = 0
    entries: int = 0
    opened_at: datetime | None = None
    last_entry_at: datetime | None = None
    expires_at: datetime | None = None

    def __str__(self) -> str:
        dates = (f"{each:{TIME}}" if each else "-" for each in (self.opened_at, self.last_entry_at, self.expires_at))
        return f"{self.id:<24} {self.bytes:>11,} {'  '.join(f'{date:<16}' for date in dates)}".rstrip()


HEAD: Final = f"{'id':<24} {'bytes':>11} {'opened (UTC)':<16}  {'last entry':<16}  expires"


class Inventory:
    """All logs at an address: on one server, on the primary of sentinels, or on every primary of a cluster."""

    def __init__(self, url: str) -> None:
        self._topology = topology(RedisUrl.of(url), lambda each: Server(each, patience=PATIENCE), PATIENCE)

    def logs(self) -> list[Log]:
        """Every log, and the marks of ended ones. Raises `StoreAway`, `NotAllowed`."""
        found: dict[str, Log] = {}
        seen_keys: set[bytes] = set()
        for server in self._topology.primaries():
            for keys in _keys(server):
                new = [key for key in dict.fromkeys(keys) if key not in seen_keys]
                seen_keys.update(new)
                _look(server, new, found)
        return list(found.values())

    def ids(self) -> Iterator[str]:
        """The id of every log and mark, once each. Raises `StoreAway`, `NotAllowed`."""
        seen: set[str] = set()
        for server in self._topology.primaries():
            for keys in _keys(server):
                new = dict.fromkeys(_id_of(key) for key in keys)
                yield from (each for each in new if each not in seen)
                seen.update(new)

    def log(self, log_id: str) -> Log:
        """One log. Raises `NoTable`, `StoreAway`, `NotAllowed`."""
        found: dict[str, Log] = {}
        keys = [f"{{t:{log_id}}}:{part}".encode() for part in ("log", "idem", "mark")]
        _look(self._topology.primary(keys[0].decode()), keys, found)
        if log_id not in found or not found[log_id].entries:
            raise NoTable(log_id)
        return found[log_id]

    def memory(self) -> Iterator[tuple[str, int, int]]:
        """The name of each server, the bytes of memory it uses, and its limit (0: none). Raises as `logs`."""
        for server in self._topology.primaries():
            [answer] = _answers_of(server, [("INFO", "memory")])
            info = dict(line.split(":", 1) for line in answer.decode().splitlines() if ":" in line)
            yield server.name.strip(":"), int(info["used_memory"]), int(info.get("maxmemory", 0))

    def close(self) -> None:
        """Close the connections."""
        self._topology.close()


@contextmanager
def address(settings: Settings, *, may_create: bool = False) -> Iterator[str]:
    """The URL of the logs' store. This runs the private Redis meanwhile, if needed, in a new folder if it `may_create`
    one. Raises `NoServer`.
    """
    if url := settings.admin_url or settings.redis_url:
        yield url
        return
    if not may_create and not settings.data.is_dir():
        raise NoServer(f"There is no data folder {settings.data}: name it in BASTIDE_DATA, or a Redis in REDIS_URL.")
    private = PrivateRedis(settings.data, settings.memory)
    private.start()
    try:
        yield private.url
    finally:
        private.stop()


def run(url: str, settings: Settings, action: str, ids: Sequence[str], ask: Callable[[str], str] | None) -> int:
    """Run ``list``, ``weigh`` or ``delete``. Returns the exit status: 1 if the operator did not confirm.

    Raises `NoTable`, `StoreAway`, `NotAllowed`.
    """
    with closing(Inventory(url)) as stock:
        if action != "delete":
            print(*(size_lines(stock) if action == "weigh" else list_lines(stock.logs())), sep="\n")
            return 0
        found = [stock.log(each) for each in dict.fromkeys(ids)]
    print(*list_lines(found), sep="\n")
    count = f"{len(found)} log{'s' if len(found) > 1 else ''}"
    if ask is not None and not _is_confirmed_twice(ask, count):
        print("Nothing was deleted.")
        return 1
    _delete(url, settings, [log.id for log in found])
    print(f"Deleted: {count}.")
    return 0


def list_lines(logs: Sequence[Log]) -> Iterator[str]:
    """The lines of a list of logs, the last used at the end; without ended ones."""
    yield HEAD
    yield from map(str, sorted((log for log in logs if log.entries), key=lambda log: log.last_entry_at or LONG_AGO))


def size_lines(stock: Inventory) -> Iterator[str]:
    """The lines of total sizes, of servers' memory, and of the biggest logs. Raises as `Inventory.logs`."""
    logs = stock.logs()
    here = [log for log in logs if log.entries]
    groups = [log for log in here if log.id.startswith(GROUP)]
    kinds = {
        "tables": [log for log in here if not log.id.startswith((GROUP, CODE))],
        "groups": groups,
        "join codes": [log for log in here if log.id.startswith(CODE)],
        "marks of what has ended": [log for log in logs if not log.entries],
    }
    for name, each in kinds.items():
        yield f"{name:<24} {sum(log.bytes for log in each):>11,} bytes in {len(each):,}"
    for server, used, most in stock.memory():
        yield f"{'memory of Redis':<24} {used:>11,} bytes of {f'{most:,}' if most else 'any number'} {server}".rstrip()
    yield from ("", HEAD)
    yield from map(str, sorted(here, key=lambda log: -log.bytes)[:BIGGEST])


def _delete(url: str, settings: Settings, ids: Sequence[str]) -> None:
    """Delete logs as their hosts would: each leaves a mark. Raises `NoTable`, `StoreAway`, `NotAllowed`."""
    with closing(Ledger(url, ttl=settings.ttl, replicas=settings.replicas)) as ledger:
        for each in ids:
            try:
                ledger.delete(each)
            except StoreForbids as refusal:
                raise NotAllowed(
                    "This user of Redis may not run what deletes: EVALSHA, EXISTS, DEL and SET"
                ) from refusal


def _is_confirmed_twice(ask: Callable[[str], str], count: str) -> bool:
    """Ask twice; whether both answers are yes. The end of the input is no."""
    questions = (f"Delete {count}? [y/N] ", "There is no way back. Delete for ever? Type yes: ")
    try:
        return ask(questions[0]).strip().lower() in ("y", "yes") and ask(questions[1]).strip().lower() == "yes"
    except EOFError:
        print(file=sys.stderr)
        return False


def _keys(server: Server) -> Iterator[list[bytes]]:
    """The keys of all logs on a server in batches; a key may come twice."""
    cursor = b"0"
    while True:
        [answer] = _answers_of(server, [("SCAN", cursor, "MATCH", KEYS, "COUNT", AT_ONCE)])
        cursor, keys = answer
        yield keys
        if cursor == b"0":
            return


def _look(server: Server, keys: Sequence[bytes], found: dict[str, Log]) -> None:
    """Add the size of keys, and the facts of each log. Skips keys that were deleted meanwhile."""
    commands: list[Command] = []
    for key in keys:
        commands.append(("MEMORY", "USAGE", key))
        if key.endswith(b"}:log"):
            commands += [("PTTL", key), ("XLEN", key), ("XRANGE", key, "-", "+", "COUNT", 1)]
            commands.append(("XREVRANGE", key, "+", "-", "COUNT", 1))
    answers = iter(_answers_of(server, commands) if commands else ())
    for key in keys:
        size = next(answers)
        details = [next(answers) for _ in range(4)] if key.endswith(b"}:log") else []
        if size is None:
            continue
        log_id = _id_of(key)
        log = found.setdefault(log_id, Log(log_id))
        log.bytes += size
        if details:
            left, log.entries, first, last = details
            log.expires_at = None if left < 0 else datetime.now(UTC) + timedelta(milliseconds=left)
            log.opened_at, log.last_entry_at = _time(first), _time(last)


def _id_of(key: bytes) -> str:
    """The id of the log that a key belongs to."""
    return key.decode(errors="replace").removeprefix("{t:").rpartition("}")[0]


def _time(entries: Any) -> datetime | None:
    """The time of the first of these entries, or None if it cannot be read."""
    try:
        return datetime.fromisoformat(orjson.loads(entries[0][1][1])["at"]).astimezone(UTC)
    except (IndexError, KeyError, TypeError, ValueError):
        return None


def _answers_of(server: Server, commands: Sequence[Command]) -> list[Any]:
    """The replies of a server. Raises `StoreAway`, `NotAllowed` for an error."""
    try:
        answers: list[Answer] = server.ask(*commands)
    except StoreAway as away:
        if isinstance(away.__cause__, AuthenticationError):
            raise NotAllowed("Redis does not let this user in: it knows no such user, or another password") from away
        raise
    for command, answer in zip(commands, answers, strict=True):
        if isinstance(answer, NoPermissionError):
            raise NotAllowed(f"This user of Redis may not run {command[0]!s}")
        if isinstance(answer, ResponseError):
            raise StoreAway(str(answer)) from answer
    return answers
