"""An ordinary request to every route: milliseconds of CPU in a worker that has just started, and again.

The tests check the counted work of the same requests; times depend on the machine, so the goal fits a slow one.
"""

from __future__ import annotations

from typing import Final

from benchmarks.measure import report
from tests.support.every_route import rows
from tests.support.route_work import every_work

GOAL: Final = 200
"""The maximum milliseconds of CPU for a repeated request."""
ROWS: Final = 20
"""The number of printed routes, the dearest ones."""


def main() -> None:
    """Print the dearest routes, the dearest of all last."""
    every = [
        (1000 * each.again.seconds, 1000 * each.first.seconds, each.row.name)
        for each in every_work(list(rows()), counted=False)
    ]
    for again, first, name in sorted(every)[-ROWS:]:
        print(f"{name}: {again:.0f} ms of CPU, {first:.0f} at first")
    first, name = max((first, name) for _, first, name in every)
    again, _, dearest = max(every)
    words = f"The dearest route, {dearest}; at first {first:.0f} ms ({name})."
    report(words, "worst-route", again, GOAL, "ms")


if __name__ == "__main__":
    main()
