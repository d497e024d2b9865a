"""Dice that fall as a test says."""

from __future__ import annotations

from collections.abc import Callable


def falling(*picks: int) -> Callable[[int], int]:
    """Chance that comes out so, one pick after the other; each is below what was asked for."""
    left = iter(picks)

    def pick(below: int) -> int:
        picked = next(left)
        assert 0 <= picked < below
        return picked

    return pick
