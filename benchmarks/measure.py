"""Two ways to do as much work, timed in turn in one process: their ratio is what is said, never a time."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time

ROUNDS = 60
"""Enough that the quickest run of either was disturbed by nothing."""


def ratio(ours: Callable[[], object], theirs: Callable[[], object], *, rounds: int = ROUNDS) -> float:
    """CPU time of the quickest run of `ours` to that of `theirs`; they take turns, so that both meet the same noise."""
    best = [float("inf"), float("inf")]
    gc.disable()  # what one leaves behind shall not be swept up in the other's time
    try:
        for _ in range(rounds):
            for number, run in enumerate((ours, theirs)):
                start = process_time()
                run()
                best[number] = min(best[number], process_time() - start)
            gc.collect()
    finally:
        gc.enable()
    return best[0] / best[1]


def report(words: str, name: str, value: float, goal: float) -> None:
    """Print what was measured, in words, and the line with the figure."""
    print(words)
    print(f"{name} ratio {value:.2f} goal {goal:.2f}")
