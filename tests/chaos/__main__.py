"""`make chaos`: the long forms, one after another, a line for each; the status says whether all is as it has to be."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence

from tests.chaos.designs import DESIGNS, Design, Result


def line(design: Design, result: Result) -> str:
    """What a design found."""
    found = result.verdict
    counts = ""
    if found:
        counts = f"{found.acknowledged:>8,} acknowledged {found.lost:>6,} lost {found.doubled:>5,} doubled "
        counts += f"{found.gaps:>3,} gaps   slowest {found.slowest:6.2f} s"
        counts += f"   p99 {found.p99:.2f} s" if found.p99 else ""
    wrong = "".join(f"\n      {each}" for each in result.wrong)
    return f"{design.name:<7}{design.what:<30}{said(design, result)}  {counts}{wrong}"


def said(design: Design, result: Result) -> str:
    """Whether it is as it has to be."""
    if result.skipped:
        return f"skipped: {result.skipped}"
    if result.broken:
        return f"BROKEN OFF\n{result.broken}"
    if design.control:
        return "red, as it has to be" if result.harmed else "FOUND NOTHING"
    return "WRONG" if result.harmed else "ok"


def attempt(design: Design, scale: float) -> Result:
    """What a design found; one that breaks off does not stop the others."""
    try:
        return design.run(scale)
    except Exception:
        return Result(broken=traceback.format_exc()[-1500:])


def main(words: Sequence[str]) -> int:
    """Run the designs that are named, or all; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("designs", nargs="*", metavar="DESIGN", help=", ".join(design.name for design in DESIGNS))
    parser.add_argument("--scale", type=float, default=1.0, help="what the figures are multiplied with, at most 3")
    asked = parser.parse_args(words)
    names = {design.name for design in DESIGNS}
    if unknown := set(asked.designs) - names:
        parser.error(f"no such design: {', '.join(sorted(unknown))}")
    if not 0 < asked.scale <= 3:  # a table takes 5,000 entries
        parser.error("the scale is more than 0 and at most 3")
    bad, skipped, run = 0, [], 0
    for design in DESIGNS:
        if design.name in (asked.designs or names):
            result = attempt(design, asked.scale)
            print(line(design, result), flush=True)
            bad += bool(result.broken) or (not result.skipped and result.harmed != design.control)
            skipped += [design.name] if result.skipped else []
            run += 1
    left_out = f": {', '.join(skipped)}" if skipped else ""
    print(f"{run - bad - len(skipped)} as it has to be, {bad} not, {len(skipped)} skipped{left_out}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
