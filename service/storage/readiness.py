"""Checks without writing whether Redis accepts moves, and logs changes.

`INFO` reports most problems, but not a full disk: with ``appendfsync always``, Redis ends at the first entry that has
no room, starts again, and looks healthy. If Redis is on a socket of this machine, its folder is checked. Otherwise a
write that broke off makes the store unready for a while, and for twice as long if Redis then looked healthy and another
write broke off.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

import redis
from redis.exceptions import OutOfMemoryError, ReadOnlyError, ResponseError

from service.errors import StoreAway
from service.storage.connections import Answer, Server, after_fork
from service.storage.topology import Topology

CACHE_SECONDS: Final = 1.0
"""Seconds for which an answer of the store is cached."""
BROKEN_WRITE_SECONDS: Final = 10.0
"""Seconds for which the first broken-off write counts, unless a write succeeds."""
LONGEST: Final = 600.0
"""The most seconds for which a broken-off write counts."""
ROOM: Final = 2**20
"""Bytes below which the disk counts as full."""
SECTIONS: Final = ("INFO", "memory", "persistence", "replication")
SETTINGS: Final = ("dir", "save", "stop-writes-on-bgsave-error", "min-replicas-to-write")

AWAY: Final = "redis-away"
FROZEN: Final = "redis-frozen"
READ_ONLY: Final = "redis-read-only"
DISK: Final = "disk-full"
MEMORY: Final = "memory-full"
REPLICAS: Final = "too-few-replicas"
BROKEN_WRITE: Final = "write-broke-off"
NAMES: Final = frozenset({AWAY, FROZEN, READ_ONLY, DISK, MEMORY, REPLICAS, BROKEN_WRITE})
PREFIXES: Final = {"MISCONF": DISK, "NOREPLICAS": REPLICAS}
"""Prefix of an error of Redis -> the hindrance that it means."""

_log = logging.getLogger(__name__)


class Hindrance(NamedTuple):
    """The reason why Redis accepts no moves: its name, and its sentence."""

    name: str
    detail: str


class Vitals(NamedTuple):
    """The facts that a primary reports about itself. `settings` are empty if it does not report them."""

    info: Mapping[str, str]
    settings: Mapping[str, str]


class Readiness:
    """Whether Redis accepts moves, as far as this process knows. Thread-safe.

    `look` checks; it is called at most once in `CACHE_SECONDS` seconds.
    """

    def __init__(self, look: Callable[[], Hindrance | None], now: Callable[[], float] = monotonic) -> None:
        self._look, self._now = look, now
        self._hindrance: Hindrance | None = None
        self._valid_until = self._broken_until = self._broken_seconds = 0.0
        self._was_well = True
        self.reset_after_fork()
        after_fork(self)

    def reset_after_fork(self) -> None:
        """Drop the state of the parent process."""
        self._lock = Lock()

    def hindrance(self) -> Hindrance | None:
        """The reason why Redis accepts no moves; None if it accepts them."""
        with self._lock:
            if self._now() >= self._valid_until:
                found = self._look()
                self._was_well |= found is None
                if found is None and self._now() < self._broken_until:
                    found = Hindrance(
                        BROKEN_WRITE, "the last entry broke off, as on a full disk; none was written since"
                    )
                self._set_hindrance(found)
            return self._hindrance

    @contextmanager
    def track_use(self, *, writing: bool = False) -> Iterator[None]:
        """Record the result of a use of Redis. During a hindrance, each successful use checks again."""
        try:
            yield
        except StoreAway as away:
            if writing and isinstance(away.__cause__, redis.ConnectionError):
                self._break_off()
            if self._hindrance is None:
                self._set_hindrance(Hindrance(name_of(away), str(away)))
            raise
        if writing:
            self._broken_until = self._broken_seconds = 0.0
        if self._hindrance is not None:
            self.hindrance()

    def _break_off(self) -> None:
        """Count a write that broke off: twice as long as the one before, if Redis had looked healthy in between.

        Writes that break off together, or while Redis is known to be away, count once.
        """
        if self._was_well or not self._broken_seconds:
            self._broken_seconds = min(2 * self._broken_seconds or BROKEN_WRITE_SECONDS, LONGEST)
        self._was_well = False
        self._broken_until = self._now() + self._broken_seconds

    def _set_hindrance(self, found: Hindrance | None) -> None:
        before, self._hindrance, self._valid_until = self._hindrance, found, self._now() + CACHE_SECONDS
        if before is not None and (found is None or found.name != before.name):
            if before.name != BROKEN_WRITE or not self._broken_until:
                _log.warning("Moves could not be written, %s: that has ended.", before.name)
            elif found is None:
                _log.warning(
                    "Moves could not be written, %s: not seen again, and nothing was written since.", BROKEN_WRITE
                )
        if found is not None and (before is None or found.name != before.name):
            _log.warning("Moves cannot be written, %s: %s", found.name, found.detail)


def hindrance(topology: Topology, script: str, replicas: int, local: bool) -> Hindrance | None:
    """Why no primary accepts moves; None if one does. This writes nothing.

    It needs to load `script` and to have `replicas`. `local`: its folder is on this machine.
    """
    found = None
    try:
        for primary in topology.primaries():
            found = _hindrance_of(primary, script, replicas, local)
            if found is None:
                return None
    except StoreAway as away:
        return Hindrance(name_of(away), str(away))
    return found or Hindrance(AWAY, "no primary is known")


def _hindrance_of(server: Server, script: str, replicas: int, local: bool) -> Hindrance | None:
    script_answer, info, settings = server.ask(("SCRIPT", "LOAD", script), SECTIONS, ("CONFIG", "GET", *SETTINGS))
    for answer in (script_answer, info):
        if isinstance(answer, ResponseError):
            return Hindrance(AWAY, str(answer))
    vitals = Vitals(_lines(info), _pairs(settings))
    if vitals.info.get("role") == "slave":
        return Hindrance(READ_ONLY, "it is a replica")
    for name, detail in (
        (DISK, _disk(vitals) or (local and _folder(vitals))),
        (MEMORY, _memory(vitals)),
        (REPLICAS, _replicas(vitals, replicas)),
    ):
        if detail:
            return Hindrance(name, detail)
    return None


def _disk(vitals: Vitals) -> str:
    """The state of Redis's files. A failed snapshot stops moves only if Redis is set to make snapshots."""
    if vitals.info.get("aof_last_write_status", "ok") != "ok":
        return "Redis could not write to its file"
    makes = vitals.settings.get("save", "yes") and vitals.settings.get("stop-writes-on-bgsave-error", "yes") == "yes"
    if makes and vitals.info.get("rdb_last_bgsave_status", "ok") != "ok":
        return "Redis could not make a snapshot, and takes no moves until it can"
    return ""


def _folder(vitals: Vitals) -> str:
    """The problem of Redis's disk, if the disk is on this machine; else empty."""
    folder = Path(vitals.settings.get("dir", "/nowhere"))
    try:
        free = shutil.disk_usage(folder).free
    except OSError:  # Redis sees other folders than we do
        return ""
    return f"{folder} has {free:,} bytes left" if free < ROOM else ""


def _memory(vitals: Vitals) -> str:
    most = int(vitals.info.get("maxmemory", 0))
    used = int(vitals.info.get("used_memory", 0)) - int(vitals.info.get("mem_not_counted_for_evict", 0))
    return f"Redis uses {used:,} bytes, and may use {most:,}" if 0 < most < used else ""


def _replicas(vitals: Vitals, least_replicas: int) -> str:
    online = sum("state=online" in value for name, value in vitals.info.items() if name.startswith("slave"))
    if online < least_replicas:
        return f"Redis has {online}, and BASTIDE_REPLICAS={least_replicas}"
    least = int(vitals.settings.get("min-replicas-to-write") or 1)
    good = int(vitals.info.get("min_slaves_good_slaves", least))
    return f"Redis has {good}, and wants {least} (min-replicas-to-write)" if good < least else ""


def _lines(answer: Answer) -> dict[str, str]:
    text = answer.decode() if isinstance(answer, bytes) else ""
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _pairs(answer: Answer) -> dict[str, str]:
    """Settings by name; empty if Redis does not show them."""
    words = [word.decode() for word in answer if isinstance(word, bytes)] if isinstance(answer, list) else []
    return dict(zip(words[::2], words[1::2], strict=True))


def name_of(away: StoreAway) -> str:
    """The name of the hindrance that an error of Redis means."""
    if isinstance(away.__cause__, OutOfMemoryError):
        return MEMORY
    if isinstance(away.__cause__, ReadOnlyError):
        return READ_ONLY
    if isinstance(away.__cause__, redis.TimeoutError):
        return FROZEN
    return PREFIXES.get(str(away).partition(" ")[0], str(away) if str(away) in NAMES else AWAY)
