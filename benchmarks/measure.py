"""Two ways to do as much work, timed in turn in one process: this module prints their ratio, never a time."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time
from typing import TypeAlias

Run: TypeAlias = Callable[[], object]
ROUNDS = 60
"""Enough that the quickest run of either was disturbed by nothing."""


def ratio(ours: Run, theirs: Run, *, rounds: int = ROUNDS) -> float:
    """CPU time of the quickest run of `ours` to that of `theirs`; they take turns, so that both meet the same noise."""
    one, other = slices(lambda: ours, lambda: theirs, rounds=rounds)
    return one / other


def slices(ours: Callable[[], Run], theirs: Callable[[], Run], *, rounds: int) -> list[float]:
    """CPU time of the quickest run of each; each run is prepared first, which is not timed."""
    best = [float("inf"), float("inf")]
    gc.disable()  # what one leaves behind shall not be swept up in the other's time
    try:
        for turn in range(rounds):
            # What runs first after a collection is slower: that is now the one, now the other.
            for number, prepare in ((0, ours), (1, theirs))[:: 1 if turn % 2 else -1]:
                run = prepare()
                start = process_time()
                run()
                best[number] = min(best[number], process_time() - start)
            gc.collect()
    finally:
        gc.enable()
    return best


def report(words: str, name: str, value: float, goal: float) -> None:
    """Print what was measured, in words, and the line with the figure."""
    print(words)
    print(f"{name} ratio {value:.2f} goal {goal:.2f}")
