"""Fief: a number of which only the bounds are known, because what it counts is unknown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from rules.kernel import Bounds, Facts


class Range:
    """A number from `least` to `most` that rules and effects can calculate with.

    What a comparison says of each of these numbers, it says; where it depends, `ask` raises what has to be known first.
    """

    __slots__ = ("ask", "least", "most")

    def __init__(self, least: int, most: int, ask: Callable[[], NoReturn]) -> None:
        self.least, self.most, self.ask = least, most, ask

    def __add__(self, other: int | Range) -> Range:
        least, most = _ends(other)
        return Range(self.least + least, self.most + most, self.ask)

    __radd__ = __add__

    def __neg__(self) -> Range:
        return Range(-self.most, -self.least, self.ask)

    def __sub__(self, other: int | Range) -> Range:
        return self + (-other)

    def __rsub__(self, other: int) -> Range:
        return -self + other

    def __lt__(self, other: int) -> bool:
        return self._decide(self.most < other, self.least >= other)

    def __ge__(self, other: int) -> bool:
        return not self < other

    def __gt__(self, other: int) -> bool:
        return self._decide(self.least > other, self.most <= other)

    def __le__(self, other: int) -> bool:
        return not self > other

    def __bool__(self) -> bool:
        return self._decide(self.least > 0 or self.most < 0, self.least == self.most == 0)

    def _decide(self, holds: bool, fails: bool) -> bool:
        if not (holds or fails):
            self.ask()
        return holds


def _ends(number: int | Range) -> tuple[int, int]:
    return (number.least, number.most) if isinstance(number, Range) else (number, number)


def with_bounds(facts: Facts) -> Facts:
    """Facts with the bounds of each number that is not known exactly."""
    if not any(isinstance(value, Range) for value in facts.values.values()):
        return facts
    return facts._replace(values={name: _bounds(value) for name, value in facts.values.items()})


def _bounds(value: Any) -> Any:
    if not isinstance(value, Range):
        return value
    return Bounds(value.least, value.most) if value.least < value.most else value.least
