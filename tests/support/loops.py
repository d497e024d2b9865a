"""Loops around assertions: one without an item asserts nothing, and fails its test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def over(items: Iterable[T]) -> Iterator[T]:
    """Yield the items of a loop, at least one.

    >>> list(over("ab"))
    ['a', 'b']
    >>> list(over(""))
    Traceback (most recent call last):
    AssertionError: a loop around assertions met nothing: they cannot fail

    Raises:
        AssertionError: there was no item.
    """
    empty = True
    for item in items:
        empty = False
        yield item
    if empty:
        raise AssertionError("a loop around assertions met nothing: they cannot fail")
