"""Loops around assertions: one that never meets anything holds nothing, and fails its test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def over(items: Iterable[T]) -> Iterator[T]:
    """Go through the items of a loop, of which there has to be one.

    >>> list(over("ab"))
    ['a', 'b']
    >>> list(over(""))
    Traceback (most recent call last):
    AssertionError: a loop around assertions met nothing: they cannot fail

    Raises:
        AssertionError: the end is reached, and there was no item.
    """
    empty = True
    for item in items:
        empty = False
        yield item
    if empty:
        raise AssertionError("a loop around assertions met nothing: they cannot fail")
