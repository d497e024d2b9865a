"""Dice with results that a test sets."""

from __future__ import annotations

from collections.abc import Callable


def falling(*picks: int) -> Callable[[int], int]:
    """A picker that returns these picks, one after the other; each must be below the given bound."""
    left = iter(picks)

    def pick(below: int) -> int:
        picked = next(left)
        assert 0 <= picked < below
        return picked

    return pick
