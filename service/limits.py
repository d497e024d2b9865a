"""How often the service may be asked: every limit as data, and the one script that counts, in Redis for all workers.

A request is of a kind, and counts for whoever asks: a seat, a key that several phones share, or else the address that
it comes from. A key counts only if the worker knows that it opens the table. Six phones in one home are then six, and
whoever makes up keys is one address. So that nobody opens many tables to ask with the keys of all, what is asked at one
address with keys has a limit, too.

A key is counted at each address where it is used: one script then sees both counts, in a cluster too, and what one of
them refuses uses up nothing of the other.

At most so many requests are admitted in any span of so many seconds (``lua/limit.lua``); a refused one is not counted.
Addresses are kept as hashes, in the memory of Redis, for the longest span and no longer.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import Final

from service.errors import RateLimited, StoreAway
from service.ledger import Ledger, Script
from service.table import Role, hashed

LIMIT: Final = Script("limit")
REST: Final = 2.0
"""Seconds for which a store that was away is not asked again about what is admitted without it."""
MINUTE: Final = 60
DAY: Final = 24 * 3600


class Kind(StrEnum):
    """What a request is, to the limits."""

    CREATE = "create"
    JOIN = "join"
    MOVE = "move"
    POLL = "poll"
    LOOK = "look"
    ASK = "ask"
    READ = "read"
    FREE = "free"
    """What is never counted: files that a page loads, and what asks after the service's health."""


class Per(StrEnum):
    """Whom a request counts for."""

    SEAT = "seat"
    """The key of one seat."""
    SHARED = "shared"
    """The host's or the watchers' key, which many phones may hold."""
    HOME = "home"
    """All keys that are used at one address."""
    ADDRESS = "address"
    """The address, for what comes without a key that is known."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `many` requests of a kind in any `seconds`, for each of those whom they count for."""

    kind: Kind
    per: Per
    many: int
    seconds: int


LIMITS: Final = (
    # A group that plays all evening opens some ten tables; a club may open them for everyone at once.
    Limit(Kind.CREATE, Per.ADDRESS, 10, MINUTE),
    Limit(Kind.CREATE, Per.ADDRESS, 200, DAY),
    # A phone joins once, and scans again where it slipped. Watchers may all come in the same minute. For an address,
    # keys count that turned out wrong, wherever they were sent.
    Limit(Kind.JOIN, Per.SEAT, 5, MINUTE),
    Limit(Kind.JOIN, Per.SHARED, 60, MINUTE),
    Limit(Kind.JOIN, Per.ADDRESS, 5, MINUTE),
    # No hand places ten pieces a second; a program sends several moves at once.
    Limit(Kind.MOVE, Per.SEAT, 10, 1),
    Limit(Kind.MOVE, Per.SHARED, 10, 1),
    # A page asks for news each 1.5 seconds: a seat may be on two phones, and thirty may watch with one key.
    Limit(Kind.POLL, Per.SEAT, 20, 10),
    Limit(Kind.POLL, Per.SHARED, 200, 10),
    # A quick hand taps five times a second, and a page that is reloaded asks several times at once.
    Limit(Kind.LOOK, Per.SEAT, 60, 3),
    Limit(Kind.LOOK, Per.SHARED, 200, 10),
    # Six phones in one home that tap as fast as they can, or a program that asks 20 times a second, in bursts of 60.
    Limit(Kind.ASK, Per.ADDRESS, 60, 3),
    Limit(Kind.READ, Per.ADDRESS, 60, 3),
    # Twenty phones in one home, each of which plays once a second, taps five times in two, and asks for news.
    Limit(Kind.MOVE, Per.HOME, 200, 10),
    Limit(Kind.POLL, Per.HOME, 500, 10),
    Limit(Kind.LOOK, Per.HOME, 500, 10),
    # Those whose key this worker does not know, or not yet.
    Limit(Kind.MOVE, Per.ADDRESS, 60, 3),
    Limit(Kind.POLL, Per.ADDRESS, 60, 3),
    Limit(Kind.LOOK, Per.ADDRESS, 60, 3),
)
"""Every limit. Of a kind without one for whoever asks, that of the address counts."""
OF_A_KEY: Final = frozenset({Per.SEAT, Per.SHARED})
CLOSED: Final = frozenset({Kind.CREATE, Kind.JOIN})
"""What waits for a store that is away; everything else goes on, and finds out for itself whether it needs the store."""
ENDPOINTS: Final[Mapping[str, Kind]] = {
    "api.list_games": Kind.READ,
    "api.read_game": Kind.READ,
    "api.list_rules": Kind.READ,
    "api.read_rule": Kind.READ,
    "api.search_rules": Kind.READ,
    "api.list_cases": Kind.READ,
    "api.read_case": Kind.READ,
    "api.rule": Kind.ASK,
    "api.find_legal_moves": Kind.ASK,
    "api.score": Kind.ASK,
    "api.place": Kind.ASK,
    "api.open_table": Kind.CREATE,
    "api.read_table": Kind.POLL,
    "api.delete_table": Kind.MOVE,
    "api.read_log": Kind.LOOK,
    "api.play": Kind.MOVE,
    "api.rewind": Kind.MOVE,
    "api.read_readings": Kind.LOOK,
    "api.set_readings": Kind.MOVE,
    "api.amend": Kind.MOVE,
    "api.enter_position": Kind.MOVE,
    "api.rule_at_table": Kind.LOOK,
    "api.roll": Kind.MOVE,
    "api.raise_dispute": Kind.MOVE,
    "api.read_dispute": Kind.LOOK,
    "api.confirm_remedy": Kind.MOVE,
    "api.settle_dispute": Kind.MOVE,
    "api.read_score": Kind.LOOK,
    "api.read_legal_moves": Kind.LOOK,
    "api.found_group": Kind.CREATE,
    "api.read_group": Kind.LOOK,
    "api.keep_results": Kind.MOVE,
    "api.take_out_result": Kind.MOVE,
    "docs.read_contract": Kind.READ,
    "docs.read_docs": Kind.READ,
    "docs.list_problems": Kind.READ,
    "docs.read_problem": Kind.READ,
    "docs.live": Kind.FREE,
    "docs.ready": Kind.FREE,
    "docs.static": Kind.FREE,
}
"""Endpoint -> what asking for it is. The pages have theirs in `web.request_kinds`."""


class Limiter:
    """Counts requests in the ledger's Redis. Safe to share between threads.

    `scale` multiplies how many are admitted; with 0 nothing is counted. `now` tells the time in milliseconds, in tests
    only: everywhere else it is the clock of Redis, which is the same for all workers.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        scale: int = 1,
        limits: Iterable[Limit] = LIMITS,
        now: Callable[[], int] | None = None,
    ) -> None:
        self._ledger = ledger
        self._scale = scale
        self._limits: dict[tuple[Kind, Per], list[Limit]] = {}
        for limit in limits:
            self._limits.setdefault((limit.kind, limit.per), []).append(limit)
        self._now = now
        self._away_until = -math.inf

    def counts(self, kind: Kind) -> bool:
        """Whether requests of a kind are counted at all."""
        return self._scale > 0 and kind is not Kind.FREE

    def admit(self, kind: Kind, address: str, key: str | None = None, role: Role | None = None) -> None:
        """Count a request, or refuse it. `role` is what `key` is known to allow at the table. Raises `RateLimited`.

        While the store is away, what is in `CLOSED` raises `StoreAway`, and everything else is admitted.
        """
        if not self.counts(kind):
            return
        if kind not in CLOSED and monotonic() < self._away_until:
            return
        per = Per.ADDRESS if role is None else Per.SEAT if role.kind == "seat" else Per.SHARED
        if (kind, per) not in self._limits:
            per = Per.ADDRESS
        limits = self._limits[kind, per]
        if per is not Per.ADDRESS:
            limits = limits + self._limits.get((kind, Per.HOME), [])
        try:
            wait, _ = self.count(hashed_address(address), limits, hashed(key or ""))
        except StoreAway:
            self._away_until = monotonic() + REST
            if kind in CLOSED:
                raise
            return
        if wait:
            raise RateLimited(math.ceil(wait / 1000))

    def count(self, home: str, limits: Iterable[Limit], key: str = "") -> tuple[int, int]:
        """Count a request from a home, with a key or without, against several limits at once.

        How many milliseconds to wait (0: it is counted), and how many more would be admitted. Raises `StoreAway`.
        """
        keys, arguments = [], []
        for limit in limits:
            whose = key if limit.per in OF_A_KEY else limit.per
            keys.append(f"{{l:{home}}}:{whose}:{limit.kind}:{limit.seconds}")
            arguments += [limit.many * self._scale, limit.seconds * 1000]
        if self._now is not None:
            arguments.append(self._now())
        wait, left = self._ledger.run(LIMIT, keys, *arguments)
        return wait, left


def hashed_address(address: str) -> str:
    """An address as it is counted and kept: of IPv6 the network (/64) that one home has."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # a name that a proxy gave, or nothing at all behind a socket
        return hashed(address)
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or ipaddress.IPv6Address(int(found) >> 64 << 64)
    return hashlib.sha256(found.packed).hexdigest()
