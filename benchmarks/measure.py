"""Times two ways to do the same work in turn in one process, and compares the figures of a run with goals and records.

A ratio is the median of many short slices: each divides the CPU time of one run by that of the run beside it. Its
spread is half the distance between the quartiles of the slices.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import Final, NamedTuple, TypeAlias

import orjson

Run: TypeAlias = Callable[[], object]
ROUNDS: Final = 60
RATIO: Final = "ratio"
RECORDS: Final = Path(__file__).with_name("figures.json")
"""The ratios of an earlier run, each with its spread: ratios do not depend on the machine."""


class Ratio(NamedTuple):
    """A ratio and its spread."""

    value: float
    spread: float = 0.0


class Figure(NamedTuple):
    """A measured value in a unit, with its goal, which is a maximum."""

    name: str
    value: float
    goal: float
    unit: str = RATIO
    spread: float = 0.0

    def faults(self, records: Mapping[str, Sequence[float]]) -> list[str]:
        """The faults of the figure: it is over its goal, or worse than the record by more than the larger spread."""
        found = []
        if self.value > self.goal:
            found.append(f"{self.name}: {self.value:.2f} {self.unit}, over its goal {self.goal:.2f}")
        before, spread = records.get(self.name, (self.value, 0.0)) if self.unit == RATIO else (self.value, 0.0)
        if self.value > before + max(spread, self.spread):
            found.append(f"{self.name}: {self.value:.2f}, worse than {before:.2f} by more than its spread {spread:.2f}")
        return found


FIGURES: Final[list[Figure]] = []
"""The figures of this run."""


def ratio(ours: Run, theirs: Run, *, rounds: int = ROUNDS) -> Ratio:
    """The CPU time of `ours`, divided by that of `theirs`."""
    gc.disable()  # the garbage of one must not be collected in the time of the other
    gc.freeze()  # the collection after each slice scans what was made in it, not all that is loaded
    try:
        return ratio_of([_slice(ours, theirs, turn) for turn in range(rounds)])
    finally:
        gc.unfreeze()
        gc.enable()


def _slice(ours: Run, theirs: Run, turn: int) -> float:
    """One run of each. The first run after a collection is slower: the two take turns at it."""
    took = [0.0, 0.0]
    for number, run in ((0, ours), (1, theirs))[:: 1 if turn % 2 else -1]:
        start = process_time()
        run()
        took[number] = process_time() - start
    gc.collect()
    return took[0] / took[1]


def ratio_of(slices: Sequence[float]) -> Ratio:
    """The ratio of several slices."""
    low, _, high = quantiles(slices, n=4)
    return Ratio(median(slices), (high - low) / 2)


def report(words: str, name: str, value: Ratio | float, goal: float, unit: str = RATIO, *, by: float = 1.0) -> None:
    """Print a figure and add it to those of this run. `by` scales it, as from games to moves."""
    found, spread = value if isinstance(value, Ratio) else (value, 0.0)
    figure = Figure(name, found * by, goal, unit, spread * by)
    FIGURES.append(figure)
    margin = f" ± {figure.spread:.2f}" if spread else ""
    print(f"{words}\n{name} {unit} {figure.value:.2f}{margin} goal {goal:.2f}", flush=True)


def read_records() -> Mapping[str, Sequence[float]]:
    """The earlier figures: name -> value, spread."""
    records: Mapping[str, Sequence[float]] = orjson.loads(RECORDS.read_bytes()) if RECORDS.exists() else {}
    return records


def write_records(figures: Sequence[Figure]) -> None:
    """Record the ratios among these figures in place of earlier ones of the same names."""
    new = {each.name: (round(each.value, 3), round(each.spread, 3)) for each in figures if each.unit == RATIO}
    RECORDS.write_bytes(
        orjson.dumps({**read_records(), **new}, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"
    )
