"""`make attack`: attacks on a service that was started as the README says, a line for each thing that has to hold.

Every other module of this folder with a function ``attack`` is one: it takes the `Arena` and yields rows, including
those of its control. The exit status is 1 if any row is wrong.
"""

from __future__ import annotations

import argparse
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from tests.attack.arena import Arena, Row

Attack: TypeAlias = Callable[[Arena], Iterator[Row]]


def attacks() -> dict[str, Attack]:
    """The attacks by name, in the order of their names."""
    names = sorted(file.stem for file in Path(__file__).parent.glob("*.py") if not file.stem.startswith("_"))
    modules = {name: import_module(f"tests.attack.{name}") for name in names}
    return {name: module.attack for name, module in modules.items() if hasattr(module, "attack")}


def line(row: Row) -> str:
    """The printed form of a row."""
    if row.control:
        verdict = "harm seen, as it has to be" if row.holds else "FOUND NOTHING"
    else:
        verdict = "ok" if row.holds else "WRONG"
    return f"  {'control: ' if row.control else ''}{row.claim}\n      {verdict}: {row.measurement}"


def attempt(name: str, attack: Attack) -> int:
    """Carry out an attack; returns the number of its wrong rows. One that breaks off stops no other."""
    print(name, flush=True)
    wrong = rows = 0
    try:
        with Arena() as arena:
            for row in attack(arena):
                print(line(row), flush=True)
                rows += 1
                wrong += not row.holds
    except Exception:  # the other attacks still run, and the exit status counts this one
        print(f"  BROKEN OFF\n{traceback.format_exc()[-2000:]}", flush=True)
        return wrong + 1
    return wrong if rows else 1


def main(words: Sequence[str]) -> int:
    """Carry out the attacks that are named, or all; returns the exit status."""
    known = attacks()
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=", ".join(known))
    asked = parser.parse_args(words).attacks or list(known)
    if unknown := set(asked) - set(known):
        parser.error(f"no such attack: {', '.join(sorted(unknown))}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that started services are ended
    wrong = sum(attempt(name, known[name]) for name in asked)
    print(f"{len(asked)} attacks, {wrong} findings that are not as they have to be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
