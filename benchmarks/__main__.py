"""Run the benchmarks, which are the modules here named ``bench_…``, or only some: ``unknowns post``.

Exits with 1 if a figure is over its goal, or worse than the one in ``figures.json`` by more than its spread. RECORD=1
writes the figures of this run to that file.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

from benchmarks.measure import FIGURES, read_records, write_records

ON_REQUEST: Final = frozenset({"boardgame_io", "caches", "paint", "routes"})
"""Benchmarks that take minutes: they run only if named."""


def main(names: list[str]) -> int:
    """Run benchmarks, all but those of `ON_REQUEST` if none is named."""
    every = [path.stem.removeprefix("bench_") for path in sorted(Path(__file__).parent.glob("bench_*.py"))]
    if unknown := set(names).difference(every):
        sys.exit(f"There is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(every)}.")
    for name in names or [each for each in every if each not in ON_REQUEST]:
        import_module(f"benchmarks.bench_{name}").main()
    if os.environ.get("RECORD"):
        write_records(FIGURES)
    records = read_records()
    faults = [fault for figure in FIGURES for fault in figure.faults(records)]
    print("", *faults, f"{len(FIGURES)} figures, {len(faults)} of them bad.", sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
