"""`make chaos`: the long forms, one after another, a line for each; the exit status is 1 if any is wrong."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tests.chaos.designs import DESIGNS, Design, Result

WHOLE: Final = 1.0
"""The scale at which each control finds its fault; below it, a control may be too small for that."""


def line(design: Design, result: Result, scale: float, *, times: bool = True) -> str:
    """The line that reports what a design found; without times unless `times`."""
    found = result.verdict
    counts = ""
    if found:
        counts = f"{found.acknowledged_count:>8,} acknowledged {found.lost_count:>6,} lost "
        counts += f"{found.doubled_count:>5,} doubled {found.gaps:>3,} gaps"
        counts += f"   slowest {found.slowest:6.2f} s" if times else ""
        counts += f"   p99 {found.p99:.2f} s" if times and found.p99 else ""
    wrong = "".join(f"\n      {each}" for each in (*result.wrong, *result.late))
    return f"{design.name:<7}{design.what:<30}{sentence_of(design, result, scale)}  {counts}{wrong}"


def too_small(design: Design, result: Result, scale: float) -> bool:
    """Whether a control found nothing because its scale is too small: it then neither passes nor fails."""
    return design.control and not result.is_harmed and not result.failure and not result.skip_reason and scale < WHOLE


def sentence_of(design: Design, result: Result, scale: float) -> str:
    """The verdict on a design's result, in words."""
    if too_small(design, result, scale):
        return f"too small: it found nothing at {scale:g} of its scale"
    if result.skip_reason:
        return f"skipped: {result.skip_reason}"
    if result.failure:
        return f"BROKEN OFF\n{result.failure}"
    if design.control:
        return "red, as it has to be" if result.is_harmed else "FOUND NOTHING"
    return "WRONG" if result.is_harmed else "ok"


def attempt(design: Design, scale: float, *, times: bool = True) -> Result:
    """Run a design, and ignore what was late unless `times`; an exception in it stops no other."""
    try:
        result = design.run(scale)
        return result if times else replace(result, late=())
    except Exception:
        return Result(failure=traceback.format_exc()[-1500:])


def main(words: Sequence[str]) -> int:
    """Run the designs that are named, or all; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("designs", nargs="*", metavar="DESIGN", help=", ".join(design.name for design in DESIGNS))
    parser.add_argument("--scale", type=float, default=1.0, help="what the figures are multiplied with, at most 3")
    parser.add_argument("--no-time", action="store_true", help="look at no times: for a machine that does other work")
    asked = parser.parse_args(words)
    names = {design.name for design in DESIGNS}
    if unknown := set(asked.designs) - names:
        parser.error(f"no such design: {', '.join(sorted(unknown))}")
    if not 0 < asked.scale <= 3:  # a table takes 5,000 entries
        parser.error("the scale is more than 0 and at most 3")
    return _run(
        [design for design in DESIGNS if design.name in (asked.designs or names)], asked.scale, times=not asked.no_time
    )


def _run(designs: Sequence[Design], scale: float, *, times: bool) -> int:
    """Run some designs, and print a line for each and one for all; returns the exit status."""
    bad = 0
    left_out: dict[str, list[str]] = {"skipped": [], "too small": []}
    for design in designs:
        result = attempt(design, scale, times=times)
        print(line(design, result, scale, times=times), flush=True)
        if result.skip_reason:
            left_out["skipped"].append(design.name)
        elif too_small(design, result, scale):
            left_out["too small"].append(design.name)
        else:
            bad += bool(result.failure) or result.is_harmed != design.control
    good = len(designs) - bad - sum(map(len, left_out.values()))
    told = [f"{len(names)} {why}{': ' if names else ''}{', '.join(names)}" for why, names in left_out.items()]
    print(", ".join((f"{good} as it has to be", f"{bad} not", *told)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
