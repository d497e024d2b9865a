"""How much work an answer is: steps, counted where the work is done, and refused beyond what was allowed.

A step is a rule that is heard, or as much work as that. There is no clock in it: the same question takes the same steps
everywhere. Nothing is counted unless somebody has said how many are allowed; who asks the rules alone has no end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final, TypeVar

REST: Final = 500
"""Steps between two rests: some milliseconds of work."""

T = TypeVar("T")


class TooMuch(Exception):
    """The answer would take more steps than are allowed."""


class Effort:
    """The steps that are allowed, those that were spent, and what lets others have their turn now and then.

    `extra` of both are beside what was asked for (`spend_beside`).
    """

    __slots__ = ("_next", "extra", "most", "rest", "steps")

    def __init__(self, most: int | None, rest: Callable[[], None] | None = None) -> None:
        self.most = most
        self.steps = self.extra = 0
        self.rest = rest
        self._next = REST

    def add(self, steps: int) -> None:
        """Count steps. Raises `TooMuch`."""
        self.steps += steps
        if self.most is not None and self.steps > self.most + self.extra:
            raise TooMuch
        if self.rest is not None and self.steps >= self._next:
            self._next = self.steps + REST
            self.rest()


_present: ContextVar[Effort | None] = ContextVar("effort", default=None)


def spend(steps: int = 1) -> None:
    """Count steps. Raises `TooMuch`."""
    effort = _present.get()
    if effort is not None:
        effort.add(steps)


def require(steps: int) -> None:
    """Ask, before the first of many steps, whether so many are left; none is counted. Raises `TooMuch`.

    >>> with at_most(2):
    ...     require(2)
    """
    effort = _present.get()
    if effort is not None and effort.most is not None and effort.steps + steps > effort.most + effort.extra:
        raise TooMuch


def steps_spent() -> int:
    """The steps that were counted by now; 0 where none are.

    >>> with at_most(2):
    ...     spend()
    ...     steps_spent()
    1
    """
    effort = _present.get()
    return 0 if effort is None else effort.steps


def each(items: Iterable[T], steps: int = 1) -> Iterator[T]:
    """The items, each of which is so many steps. Raises `TooMuch`."""
    for item in items:
        spend(steps)
        yield item


@contextmanager
def at_most(steps: int | None, rest: Callable[[], None] | None = None) -> Iterator[Effort]:
    """Allow so many steps, or with None any number. An outer allowance stays as it is.

    `rest` is called after each `REST` steps or a little more; without it, the outer one still applies.

    >>> with at_most(2) as effort:
    ...     spend()
    >>> effort.steps
    1
    """
    around = _present.get()
    effort = Effort(steps, rest or (around.rest if around is not None else None))
    token = _present.set(effort)
    try:
        yield effort
    finally:
        _present.reset(token)


def within(steps: int, do: Callable[[], T]) -> T | None:
    """What some work comes to; None where it takes more steps than these. Raises `TooMuch` where fewer are left.

    >>> within(2, steps_spent), within(2, lambda: spend(3))
    (0, None)
    """
    found: T | None = None
    with suppress(TooMuch), at_most(steps) as effort:
        found = do()
    spend(min(effort.steps, steps))
    return found


def allow_all() -> None:
    """From now on any number of steps is allowed, for what has been done already is answered."""
    effort = _present.get()
    if effort is not None:
        effort.most = None


def is_unlimited() -> bool:
    """Whether any number of steps is allowed just now: what is done is not to be refused."""
    effort = _present.get()
    return effort is None or effort.most is None


def spend_beside(steps: int) -> None:
    """Count steps for which nobody is refused: they were spent, and as many more are allowed."""
    effort = _present.get()
    if effort is not None:
        effort.extra += steps
        effort.add(steps)


@contextmanager
def beside(most: int | None = None) -> Iterator[None]:
    """Count what is done within as `spend_beside` does; of its own steps, it may have so many. Raises `TooMuch`."""
    effort = Effort(0)
    try:
        with at_most(most) as effort:
            yield
    finally:
        spend_beside(effort.steps)


def is_half_spent() -> bool:
    """Whether half of the allowed steps are spent. A list may then stop, and continue with another request."""
    effort = _present.get()
    return effort is not None and effort.most is not None and 2 * (effort.steps - effort.extra) > effort.most
