"""Rate limits: every limit as data, and the one script that counts requests in Redis for all workers.

A request has a kind, and counts for its sender: a seat, a key that several phones share, or else the address that it
comes from. A key counts only if the worker knows that it opens the table. So six phones in one home count as six, and a
client that invents keys counts as one address. All keys that are used at one address share a further limit, so that
nobody gains by opening many tables.

An IPv6 address counts with its networks (`service.runtime.areas`), so that an owner of many small ones does not count
as many. A key is counted at each address where it is used, for IPv6 in the largest network. All these counts are in one
slot, so that one script sees them, in a cluster too. A request that one of them rejects uses up none of the others.

The script admits at most `many` requests in any span of `seconds` seconds (``lua/limit.lua``), and does not count
rejected requests. Redis stores addresses as hashes, in memory, for the longest span and no longer.

The number of requests says little about their work. So an address also has an allowance of what is known only
afterwards (`Measure`), which it regains evenly. The next request from the address charges what the last one used, in
the same call of the script; a large amount is charged at once. While Redis is down, each worker applies the same limits
itself (`service.limits.local_counters`).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock
from time import monotonic
from typing import Final

from service.errors import KeepsTooMuch, RateLimited, StoreAway, StoreForbids
from service.limits.local_counters import Count, Counts
from service.runtime.areas import Area, areas_of
from service.runtime.budget import BUDGET
from service.runtime.memory import WeightedCache
from service.storage.ledger import Ledger, Script
from service.tables.keys import Role, hash_of

LIMIT: Final = Script("limit")
FORGIVE: Final = Script("forgive")
EVERYWHERE: Final = Area("everywhere", 1)
"""The area of counts for all addresses together."""
REST: Final = 2.0
"""Seconds before the limiter asks a store again that was down. Until then, each worker counts by itself."""
MAX_DEBTS: Final = 20_000
"""The maximum number of stored debts, each of which waits for the next request of its address."""
MINUTE: Final = 60
DAY: Final = 24 * 3600
_log = logging.getLogger(__name__)


class Kind(StrEnum):
    """The kind of a request, which selects its limits."""

    CREATE = "create"
    JOIN = "join"
    MOVE = "move"
    POLL = "poll"
    LOOK = "look"
    ASK = "ask"
    READ = "read"
    CODE = "code"
    """A wrong join code."""
    FREE = "free"
    """Requests that are never counted: for a page's files, and health checks."""


class Per(StrEnum):
    """The sender for whom a limit counts requests."""

    SEAT = "seat"
    """The key of one seat."""
    SHARED = "shared"
    """The host's or the watchers' key, which many phones may hold."""
    HOME = "home"
    """All keys that are used at one address."""
    ADDRESS = "address"
    """The address, for a request without a known key."""
    ALL = "all"
    """All addresses together."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `many` requests of a kind within any `seconds`, for each sender."""

    kind: Kind
    per: Per
    many: int
    seconds: int

    @property
    def name(self) -> str:
        """Its name in a refusal."""
        return f"{self.kind}-{self.per}-{self.seconds}"


LIMITS: Final = (
    # A group that plays all evening opens some ten tables; a club may open them for everyone at once.
    Limit(Kind.CREATE, Per.ADDRESS, 10, MINUTE),
    Limit(Kind.CREATE, Per.ADDRESS, 200, DAY),
    # A phone joins once, and scans again after a failure. Watchers may all come in the same minute. Each wrong key
    # counts for its address, whatever the request.
    Limit(Kind.JOIN, Per.SEAT, 5, MINUTE),
    Limit(Kind.JOIN, Per.SHARED, 60, MINUTE),
    Limit(Kind.JOIN, Per.ADDRESS, 5, MINUTE),
    # A code has 40 bits: if a thousand are valid at any time, guesses at this rate find one of them in twenty years.
    Limit(Kind.CODE, Per.ADDRESS, 5, MINUTE),
    Limit(Kind.CODE, Per.ALL, 100, MINUTE),
    # No hand places ten pieces a second; a program sends several moves at once.
    Limit(Kind.MOVE, Per.SEAT, 10, 1),
    Limit(Kind.MOVE, Per.SHARED, 10, 1),
    # A page polls every 1.5 seconds: a seat may be on two phones, and thirty may watch with one key.
    Limit(Kind.POLL, Per.SEAT, 20, 10),
    Limit(Kind.POLL, Per.SHARED, 200, 10),
    # A quick hand taps five times a second, and a reloaded page sends several requests at once.
    Limit(Kind.LOOK, Per.SEAT, 60, 3),
    Limit(Kind.LOOK, Per.SHARED, 200, 10),
    # Six phones in one home at full speed, or a program that sends 20 requests a second, in bursts of 60.
    Limit(Kind.ASK, Per.ADDRESS, 60, 3),
    Limit(Kind.READ, Per.ADDRESS, 60, 3),
    # Twenty phones in one home, each of which plays once a second, taps five times in two, and polls.
    Limit(Kind.MOVE, Per.HOME, 200, 10),
    Limit(Kind.POLL, Per.HOME, 500, 10),
    Limit(Kind.LOOK, Per.HOME, 500, 10),
    # Requests whose key this worker does not know, or not yet.
    Limit(Kind.MOVE, Per.ADDRESS, 60, 3),
    Limit(Kind.POLL, Per.ADDRESS, 60, 3),
    Limit(Kind.LOOK, Per.ADDRESS, 60, 3),
)
"""Every limit. If a kind has none for its sender, the limit of the address counts."""
ANYTHING: Final = (2_000, 10)
"""The most requests of an address at once, of any kind, and the seconds in which they wear off; in each worker.

Twenty phones that load the first page with all its files are 400, and the same phones at play 74 a second.
"""
ARRIVALS: Final = "arrivals"
"""The name of the limit `ANYTHING`."""


class Measure(StrEnum):
    """A cost of a request, which is known only after its response."""

    STEPS = "steps"
    """Steps of work (`service.runtime.budget`)."""
    BYTES = "bytes"
    """The bytes that Redis stores (`service.storage.write_sizes`)."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """At most `most` of a measure for an address, which wears off evenly, all of it in `seconds`.

    A debt above `at_once` is charged immediately, and not only with the next request. Requests of `kinds` are refused
    while more than `most` is used.
    """

    measure: Measure
    most: int
    seconds: int
    at_once: int
    kinds: frozenset[Kind]


ALLOWANCES: Final = (
    # As measured, a move takes 150 steps, a tap in the dearest game 770 and its part of a page 500, a whole page up to
    # 4,500, news none. Twenty phones of one home, each of which plays once a second and taps twice, take 64,000 a
    # second, and may do so for minutes. 60,000 wear off in a second, which is less than half of a core.
    Allowance(Measure.STEPS, 1_200_000, 20, BUDGET // 4, frozenset(Kind) - {Kind.FREE}),
    # The longest recorded games of all five, a move a request, are 290 kB of Redis. A club evening of twenty phones at
    # ten tables that play them all is 2.9 MB: a quarter of what an address may write at once. It may write as much
    # again in each day, so 24 MB in the first one, where limits on requests alone let it write hundreds.
    Allowance(Measure.BYTES, 12_000_000, DAY, 64_000, frozenset({Kind.CREATE, Kind.MOVE})),
)
"""Every allowance."""
OF_A_KEY: Final = frozenset({Per.SEAT, Per.SHARED})
STORE_KINDS: Final = frozenset({Kind.CREATE, Kind.JOIN, Kind.CODE})
"""The kinds of requests that raise `StoreAway` while the store is down. The worker counts all others by itself."""


class Limiter:
    """Counts requests in the ledger's Redis, and in its own memory while Redis is away. Safe to share between threads.

    `scale` multiplies the limits; with 0 nothing is counted. `now` returns the time in milliseconds, only in tests:
    otherwise the clock of Redis counts, which is the same for all workers.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        scale: int = 1,
        limits: Iterable[Limit] = LIMITS,
        allowances: Iterable[Allowance] = ALLOWANCES,
        now: Callable[[], int] | None = None,
    ) -> None:
        self._ledger = ledger
        self._scale = scale
        self._limits: dict[tuple[Kind, Per], list[Limit]] = {}
        for limit in limits:
            self._limits.setdefault((limit.kind, limit.per), []).append(limit)
        self._allowances = {allowance.measure: allowance for allowance in allowances}
        self._now = now
        self._away_until = -math.inf
        self._has_warned = False
        self._own_counts = Counts(now=now)
        self._arrivals = Counts(now=now)
        self._debts: WeightedCache[tuple[str, Measure], int] = WeightedCache(MAX_DEBTS)
        self._lock = Lock()

    @property
    def scale(self) -> int:
        """The factor of the usual limits; 0 for no limit."""
        return self._scale

    @property
    def is_enabled(self) -> bool:
        """Whether this limiter counts anything."""
        return self._scale > 0

    def is_limited(self, kind: Kind) -> bool:
        """Whether this limiter counts requests of a kind."""
        return self.is_enabled and kind is not Kind.FREE

    def admit(self, kind: Kind, address: str, key: str | None = None, role: Role | None = None) -> None:
        """Count a request, or refuse it. `role` is the known role of `key` at the table. Raises `RateLimited`.

        While the store is away, requests of `STORE_KINDS` raise `StoreAway`, and this worker counts all others. It
        counts all requests if the store's user lacks the permission.
        """
        if not self.is_limited(kind):
            return
        per = Per.ADDRESS if role is None else Per.SEAT if role.kind == "seat" else Per.SHARED
        if (kind, per) not in self._limits:
            per = Per.ADDRESS
        limits = self._limits[kind, per]
        if per is not Per.ADDRESS:
            limits = limits + self._limits.get((kind, Per.HOME), [])
        areas = areas_of(address)
        counts = self._counts_of_request(areas, limits, hash_of(key or ""))
        wait, limit = self._count_with_fallback(kind, self._charges(areas, kind), counts)
        if wait:
            raise (KeepsTooMuch if limit == Measure.BYTES else RateLimited)(math.ceil(wait / 1000), limit)

    def admit_guess(self, address: str) -> None:
        """Count a join code as wrong before its lookup. Raises `RateLimited`, `StoreAway`."""
        for counts in self._guesses(address):
            wait, limit = self._count_with_fallback(Kind.CODE, (), counts)
            if wait:
                raise RateLimited(math.ceil(wait / 1000), limit)

    def forgive_guess(self, address: str) -> None:
        """Take back the count of `admit_guess`: the code was right."""
        for counts in self._guesses(address):
            with suppress(StoreAway):
                self._ledger.run(FORGIVE, [each.key for each in counts])

    def count_arrival(self, address: str) -> None:
        """Count a request in this worker before the application sees it. Raises `RateLimited`."""
        if self.is_enabled:
            most, seconds = ANYTHING
            counts = [Count(name, most * homes * self._scale, seconds * 1000) for name, homes in areas_of(address)]
            wait, _ = self._arrivals.count(counts)
            if wait:
                raise RateLimited(math.ceil(wait / 1000), ARRIVALS)

    def charge(self, measure: Measure, address: str, amount: int) -> None:
        """Charge an address for the costs of its request: with its next request, or at once if they are large."""
        allowance = self._allowances.get(measure)
        if allowance is None or not self.is_enabled or amount <= 0:
            return
        areas, most = areas_of(address), 0
        with self._lock:
            for name, _ in areas:
                debt = (self._debts.get((name, measure)) or 0) + amount
                self._debts.put((name, measure), debt)
                most = max(most, debt)
        if most > allowance.at_once:
            self._count_with_fallback(Kind.FREE, self._charges(areas, Kind.FREE), ())

    def count(self, home: str, limits: Iterable[Limit], key: str = "") -> tuple[int, int]:
        """Count a request from a home against several limits. Returns the milliseconds to wait (0: it is counted), and
        how many more would be admitted. Raises `StoreAway`.
        """
        wait, left, _ = self._run((), self._counts_of_request((Area(home, 1),), limits, key))
        return wait, left

    # --- inside ---

    def _counts_of_request(self, areas: Sequence[Area], limits: Iterable[Limit], key: str) -> list[Count]:
        """The counts of a request: one for each limit of its key, and for each other limit one in each area."""
        found = []
        for limit in limits:
            of_key = limit.per in OF_A_KEY
            what, span = f"{key if of_key else limit.per}:{limit.kind}:{limit.seconds}", limit.seconds * 1000
            for area in areas[-1:] if of_key else areas:
                homes = 1 if of_key else area.homes
                most = limit.many * homes * self._scale
                found.append(Count(f"{_place(area, areas)}:{what}", most, span, limit=limit.name))
        return found

    def _guesses(self, address: str) -> Iterator[Sequence[Count]]:
        """The counts of a join code: for its address, and for all, which may be on another server of a cluster."""
        areas = areas_of(address)
        for per, where in ((Per.ADDRESS, areas), (Per.ALL, (EVERYWHERE,))):
            if self.is_enabled and (Kind.CODE, per) in self._limits:
                yield self._counts_of_request(where, self._limits[Kind.CODE, per], "")

    def _charges(self, areas: Sequence[Area], kind: Kind) -> list[Count]:
        """The charges for the debts of some areas since their last request; this clears the debts."""
        found = []
        for measure, each in self._allowances.items():
            bars = kind in each.kinds
            for area in areas:
                with self._lock:
                    debt = self._debts.get((area.name, measure)) or 0
                    self._debts.forget((area.name, measure))
                if debt or bars:
                    name, most = f"{_place(area, areas)}:{measure}:{each.seconds}", each.most * area.homes * self._scale
                    found.append(Count(name, most, each.seconds * 1000, debt, bars, measure))
        return found

    def _count_with_fallback(self, kind: Kind, charges: Sequence[Count], counts: Sequence[Count]) -> tuple[int, str]:
        """The milliseconds to wait, by the store's counts, or by this worker's while it is away; and the name of the
        limit or the allowance that requires this.

        Requests of `STORE_KINDS` raise `StoreAway` then.
        """
        if kind in STORE_KINDS or monotonic() >= self._away_until:
            try:
                wait, _, limit = self._run(charges, counts)
            except StoreForbids as refusal:
                self._forbid(refusal)
            except StoreAway:
                self._away_until = monotonic() + REST
                if kind in STORE_KINDS:
                    self._own_counts.count((), charges)
                    raise
            else:
                return wait, limit
        return self._own_counts.count(counts, charges)

    def _forbid(self, refusal: StoreForbids) -> None:
        """Count only in this worker for a while, as while the store is down. Logs once: this lasts until a repair."""
        self._away_until = monotonic() + REST
        if not self._has_warned:
            self._has_warned = True
            _log.warning(
                "Limits: each worker counts for itself, as Redis does not let its user count for all (%s). "
                "deploy/users.acl lists what it has to allow.",
                refusal,
            )

    def _run(self, charges: Sequence[Count], counts: Sequence[Count]) -> tuple[int, int, str]:
        """The milliseconds to wait, the number still admitted, and the limit that requires it. Raises `StoreAway`."""
        arguments: list[int] = [len(charges)]
        for each in charges:
            arguments += [each.most, each.span, each.amount, int(each.is_hard_limit)]
        for each in counts:
            arguments += [each.most, each.span]
        if self._now is not None:
            arguments.append(self._now())
        named = (*charges, *counts)
        wait, left, which = self._ledger.run(LIMIT, [each.key for each in named], *arguments)
        return wait, left, named[which - 1].limit if which else ""


def _place(area: Area, areas: Sequence[Area]) -> str:
    """The prefix of an area's keys in Redis: all counts of one address are in one slot of a cluster."""
    slot = f"{{l:{areas[-1].name}}}"
    return slot if area is areas[-1] else f"{slot}:{area.name[:16]}"
