"""What both clients have in common: moves, problems, conflicts, and when a request is repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import uniform
from secrets import token_urlsafe
from typing import Any, Final, TypeAlias

import httpx

from bastide_client import models

Move: TypeAlias = str | Mapping[str, Any]
"""A move in the game's notation, or as the API spells it."""
REPEATED: Final = frozenset({429, 500, 502, 503, 504})
"""Statuses after which the same request may be answered otherwise."""
STALE: Final = 412
TIMEOUT: Final = httpx.Timeout(10, read=30)
"""Seconds for an answer: one that waits for news comes after 25."""
STREAM: Final = httpx.Timeout(10, read=60)
"""Seconds that a stream may be silent: it says at least every 15 that it is there."""


class Problem(Exception):  # the API's word
    """What the service refused, and why (RFC 9457); `body` is all that it said."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status, self.body = status, body
        self.type: str = body.get("type", "about:blank")
        self.title: str = body.get("title", "")
        self.detail: str = body.get("detail", "")
        super().__init__(f"{status} {self.title}: {self.detail}")

    @property
    def ruling(self) -> models.Ruling | None:
        """The ruling on the move that was refused, if a ruling refused it."""
        return self.body.get("ruling")


@dataclass(frozen=True)
class Conflict:
    """The table has changed since the version that was named: the moves that were to be played, and what came first."""

    moves: tuple[Move, ...]
    version: int
    missing: Sequence[models.Entry]
    """The entries since then, at most 100."""


Resolve: TypeAlias = Callable[[Conflict], Sequence[Move] | None]
"""Decides which moves are played after what came first. None: nothing is played, and the problem is raised."""


@dataclass(frozen=True)
class Retries:
    """How often a request is repeated under the same key, and the seconds before the first time; they double each time.
    Where the service says when to come again, that counts; where it says later than after `patience` seconds, the
    problem is raised at once.
    """

    most: int = 6
    seconds: float = 0.5
    longest: float = 30
    patience: float = 300

    def pauses(self) -> Iterator[float]:
        """The seconds before each repetition, by chance somewhat fewer, so that not all clients come at once."""
        for number in range(self.most):
            yield min(self.seconds * 2**number, self.longest) * uniform(0.5, 1)  # noqa: S311  # no secret


def idempotency_key() -> str:
    """A secret name for a request: the keys of a new table follow from it."""
    return token_urlsafe(32)


def checked(response: httpx.Response) -> httpx.Response:
    """An answer that is no problem. Raises `Problem`."""
    if response.is_success:
        return response
    try:
        body = response.json()
    except ValueError:  # a proxy's own page
        body = {}
    raise Problem(response.status_code, body if isinstance(body, dict) else {})


@contextmanager
def going_on() -> Iterator[None]:
    """Suppress what time may change: no answer, or a problem after which the same request may be answered otherwise."""
    try:
        yield
    except httpx.TransportError:
        pass
    except Problem as problem:
        if problem.status not in REPEATED:
            raise


def retry_after(response: httpx.Response) -> float:
    """The seconds after which the service wants to be asked again."""
    seconds = response.headers.get("Retry-After", "")
    return float(seconds) if seconds.isdecimal() else 0
