"""How much work an answer is: steps, counted where the work is done, and refused beyond what was allowed.

A step is a rule that is heard, or as much work as that. There is no clock in it: the same question takes the same steps
everywhere. Nothing is counted unless somebody has said how many are allowed; who asks the rules alone has no end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class TooMuch(Exception):
    """The answer would take more steps than are allowed."""


class Effort:
    """The steps that are allowed, and those that were spent."""

    __slots__ = ("most", "spent")

    def __init__(self, most: int | None) -> None:
        self.most = most
        self.spent = 0


_present: ContextVar[Effort | None] = ContextVar("effort", default=None)


def spend(steps: int = 1) -> None:
    """Count steps. Raises `TooMuch`."""
    effort = _present.get()
    if effort is not None:
        effort.spent += steps
        if effort.most is not None and effort.spent > effort.most:
            raise TooMuch


def each(items: Iterable[T], steps: int = 1) -> Iterator[T]:
    """The items, each of which is so many steps. Raises `TooMuch`."""
    for item in items:
        spend(steps)
        yield item


@contextmanager
def at_most(steps: int | None) -> Iterator[Effort]:
    """Allow so many steps, or with None any number; what was allowed around it is not touched.

    >>> with at_most(2) as effort:
    ...     spend()
    >>> effort.spent
    1
    """
    effort = Effort(steps)
    token = _present.set(effort)
    try:
        yield effort
    finally:
        _present.reset(token)


def allow_all() -> None:
    """From now on any number of steps is allowed, for what has been done already is answered."""
    effort = _present.get()
    if effort is not None:
        effort.most = None


def half_spent() -> bool:
    """Whether half of what is allowed is spent: a list may then end, and be gone on with in another request."""
    effort = _present.get()
    return effort is not None and effort.most is not None and 2 * effort.spent > effort.most
