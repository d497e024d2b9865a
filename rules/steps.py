"""The work for an answer in steps, counted where the work is done, and refused beyond the allowed number.

A step is a rule that is heard, or as much work as that. No clock is involved: the same question takes the same steps
everywhere. Steps are counted only inside `at_most`; a program that uses the rules alone has no limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final, TypeVar

REST: Final = 500
"""The steps between two calls of `rest`: some milliseconds of work."""

T = TypeVar("T")


class TooMuch(Exception):
    """The answer would take more steps than allowed."""


class Effort:
    """The allowed steps, the spent steps, and `rest`, which yields to other requests now and then.

    `extra` steps count in both, since they are not part of the answer (`spend_beside`).
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
    """Check before many steps that as many are left; count none. Raises `TooMuch`.

    >>> with at_most(2):
    ...     require(2)
    """
    effort = _present.get()
    if effort is not None and effort.most is not None and effort.steps + steps > effort.most + effort.extra:
        raise TooMuch


def steps_spent() -> int:
    """The steps counted so far; 0 outside `at_most`.

    >>> with at_most(2):
    ...     spend()
    ...     steps_spent()
    1
    """
    effort = _present.get()
    return 0 if effort is None else effort.steps


def each(items: Iterable[T], steps: int = 1) -> Iterator[T]:
    """The items, each of which costs `steps`. Raises `TooMuch`."""
    for item in items:
        spend(steps)
        yield item


@contextmanager
def at_most(steps: int | None, rest: Callable[[], None] | None = None) -> Iterator[Effort]:
    """Allow a number of steps, or with None any number. An outer allowance does not change.

    `rest` is called after each `REST` steps or a little more; without it, the outer one applies.

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
    """The result of some work; None if it takes more than `steps`. Raises `TooMuch` if the outer allowance has fewer.

    >>> within(2, steps_spent), within(2, lambda: spend(3))
    (0, None)
    """
    found: T | None = None
    with suppress(TooMuch), at_most(steps) as effort:
        found = do()
    spend(min(effort.steps, steps))
    return found


def allow_all() -> None:
    """Allow any number of steps from now on: a change that is already made must be answered."""
    effort = _present.get()
    if effort is not None:
        effort.most = None


def is_unlimited() -> bool:
    """Whether any number of steps is allowed now."""
    effort = _present.get()
    return effort is None or effort.most is None


def spend_beside(steps: int) -> None:
    """Count steps that never cause a refusal: they raise the spent and the allowed number alike."""
    effort = _present.get()
    if effort is not None:
        effort.extra += steps
        effort.add(steps)


@contextmanager
def beside(most: int | None = None) -> Iterator[None]:
    """Count the steps within like `spend_beside`; they have a limit of their own, `most`. Raises `TooMuch`."""
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
