"""A clock for the limits, which stands still until a test sets it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Clock:
    """Tells the time in milliseconds."""

    now: int = 1_700_000_000_000

    def __call__(self) -> int:
        """The time."""
        return self.now

    def advance(self, seconds: float) -> None:
        """Move the clock forward."""
        self.now += round(seconds * 1000)
