"""Breaks the rules and the log one place at a time, and checks whether a test fails (`make mutate`).

The changes are those of `scripts/mutants.py`. Cosmic Ray itself can neither sample places nor stop after a set time.
Here SEED draws places, in turn from each game, from what games share and from the log, for MUTATE_SECONDS; before that,
the tests must pass without a change. Each change is made in a copy in a temporary folder; the tests that concern it
run, the quickest first, until one fails. A survivor is printed as a diff: a case is missing there, or the change means
nothing. The exit status is 1 if fewer than nine in ten were killed.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from scripts.mutants import ROOT, Mutant, mutants

PARTS: Final = ("pyproject.toml", "CHANGELOG.md", "openapi.yaml", "rules", "service", "web", "tests", "docs", "deploy")
"""The files that the tests read, and that are copied."""
GAMES: Final = sorted(path.parent.name for path in ROOT.glob("rules/*/__init__.py"))
LOG: Final = (
    "storage/ledger",
    "storage/connections",
    "referee/repository",
    "referee/fold",
    "referee/plans",
    "tables/history",
    "tables/codec",
)
SCRIPTS: Final = ("append", "delete", "lifetime", "limit")
ENOUGH: Final = 0.9
"""The share of changes that the tests must find."""
ALWAYS: Final = ("--quiet", "--exitfirst", "--tb=no", "-n0", "-p", "no:cacheprovider", "--hypothesis-seed=0")
SLOWER: Final = 4
"""A change that makes its tests so many times slower counts as an endless loop …"""
AT_LEAST: Final = 20
"""… after at least so many seconds."""
LONGEST: Final = 1800
"""Seconds that the tests of an area may take without a change."""
PYTEST_OUTPUT: Final = "said.txt"
"""The file of pytest's last output, in a copy."""


@dataclass(frozen=True)
class Area:
    """A game, what games share, or the log: its modules, and the tests that concern it, the quickest first."""

    name: str
    modules: Sequence[Path]
    tests: Sequence[str]
    only: str = ""
    """Only tests with this in their id are run."""


# --- areas -------------------------------------------------------------------------------------------------------


def areas() -> list[Area]:
    """Every game that is found, what games share, and the log."""
    rules = ("test_cases", "test_recorded_cases", "test_recorded_games", "test_laws")
    every = [f"tests/rules/{name}.py" for name in (*rules, "test_readings")]
    every += [f"tests/service/{name}.py" for name in ("test_counts", "test_sentences", "test_texts")]
    own_of = {
        game: [f"tests/{room}/{game}" for room in ("rules", "service") if (ROOT / "tests" / room / game).exists()]
        for game in GAMES
    }
    found = [
        Area(game, sorted((ROOT / "rules" / game).rglob("*.py")), [*every[:3], *own_of[game], *every[3:]], game)
        for game in GAMES
    ]
    own = [f"tests/rules/test_{name}.py" for name in ("kernel", "styled_name", "ranking", "defaults", "games_found")]
    schemas = [f"tests/service/test_{name}.py" for name in ("schemas", "budget")]
    found.append(
        Area(
            "shared",
            sorted((ROOT / "rules").glob("*.py")),
            [*own, *every, *schemas, *chain.from_iterable(own_of.values())],
        )
    )
    return [*found, log()]


def log() -> Area:
    """The log, with the scripts that Redis runs."""
    modules = [ROOT / "service" / f"{name}.py" for name in LOG]
    modules += [ROOT / "service" / "storage" / "lua" / f"{name}.lua" for name in SCRIPTS]
    quick = ("history", "memory", "ledger", "old_logs", "referee", "ledger_model", "table", "limits", "budget")
    use_cases = ("keys", "views", "full_tables", "room", "amendments", "disputes")
    slow = ("ledger_durability", "ledger_failover")
    return Area("log", modules, [f"tests/service/test_{name}.py" for name in (*quick, *use_cases, *slow)])


# --- running the tests of an area --------------------------------------------------------------------------------


class Only:
    """A pytest plugin that keeps only the tests of one game."""

    def __init__(self, name: str) -> None:
        self._name = name

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop the tests of other games."""
        items[:] = [item for item in items if self._name in item.nodeid]


def preload() -> None:
    """Import libraries, which no change touches, so that each run inherits them."""
    for name in ("apispec", "flask", "gevent", "marshmallow", "orjson", "redis", "yaml", "hypothesis.strategies"):
        __import__(name)


def copy_area(area: Area, folder: Path) -> Path:
    """Copy all that the tests of an area read; for a game without the other games, as that starts faster."""
    others = [game for game in GAMES if area.only not in ("", game)]
    make = partial(shutil.copytree, ignore=shutil.ignore_patterns("__pycache__", "e2e", *others))
    copy = folder / area.name
    copy.mkdir()
    for part in PARTS:
        (make if (ROOT / part).is_dir() else shutil.copy2)(ROOT / part, copy / part)
    return copy


def runs_red(area: Area, copy: Path) -> int:
    """Run the tests of an area on its copy until one fails, in a forked process; returns pytest's exit status."""
    os.setsid()
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    quiet = os.open(copy / PYTEST_OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    return int(pytest.main([*ALWAYS, "-Wignore::pytest.PytestAssertRewriteWarning", *area.tests], [Only(area.only)]))


def outcome(area: Area, copy: Path, limit: float) -> str:
    """Run the tests of an area on its copy; returns "survived", "killed" or "timed out"."""
    child = os.fork()
    if child == 0:
        failed = 1
        try:
            failed = runs_red(area, copy)
        finally:
            os._exit(failed)
    status = None
    try:
        status = wait_for(child, limit)
    finally:
        if status is None:
            end(child)
    return {None: "timed out", 0: "survived"}.get(status, "killed")


def wait_for(child: int, seconds: float) -> int | None:
    """The exit status of a run, 0 if all tests passed; None if it still runs after so many seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.05)
    return None


def end(child: int) -> None:
    """End a run and its processes: first by SIGINT, so that it ends its Redis and removes its files."""
    os.killpg(child, signal.SIGINT)
    if wait_for(child, 10) is None:
        os.killpg(child, signal.SIGKILL)
        wait_for(child, 10)


# --- the run -----------------------------------------------------------------------------------------------------


def judge(area: Area, mutant: Mutant, copy: Path, limit: float) -> str:
    """Make a change in the copy, run the tests, and undo the change."""
    there = copy / mutant.module.relative_to(ROOT)
    there.write_text(mutant.source)
    try:
        return outcome(area, copy, limit)
    finally:
        shutil.copy2(mutant.module, there)


def limit(area: Area, copy: Path) -> float:
    """The seconds that the tests of an area may take with a change; they must pass without one."""
    began = time.monotonic()
    if outcome(area, copy, LONGEST) != "survived":
        raise SystemExit(f"{area.name}: a test is red without a change.\n{(copy / PYTEST_OUTPUT).read_text()}")
    taken = time.monotonic() - began
    print(f"{area.name}: green without a change, in {taken:.0f} s", flush=True)
    return SLOWER * taken + AT_LEAST


def run(chosen: Sequence[Area], folder: Path, seconds: float, chance: Random) -> dict[str, Counter[str]]:
    """Try one change after another, each area in turn, for so many seconds; returns the outcomes by module."""
    waiting = []
    for area in chosen:
        copy = copy_area(area, folder)
        waiting.append((area, copy, limit(area, copy), mutants(area.modules, Random(chance.random()))))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    until = time.monotonic() + seconds
    while waiting and time.monotonic() < until:
        area, copy, longest, drawn = waiting.pop(0)
        mutant = next(drawn, None)
        if mutant is None:
            continue
        waiting.append((area, copy, longest, drawn))
        name, found = str(mutant.module.relative_to(ROOT)), judge(area, mutant, copy, longest)
        counts[name][found] += 1
        print("." if found == "killed" else f"\n{found}: {name}\n{mutant.difference()}\n", end="", flush=True)
    return counts


def table(counts: Mapping[str, Counter[str]]) -> Iterator[str]:
    """The lines of the summary: each module, and all."""
    yield f"\n{'':44}{'killed':>8}{'timed out':>11}{'survived':>10}"
    every = sum(counts.values(), Counter())
    for name, found in (*sorted(counts.items()), ("all", every)):
        yield f"{name:44}{found['killed']:8}{found['timed out']:11}{found['survived']:10}"


def main(names: Sequence[str]) -> int:
    """Run for all areas, or for those that are named; returns 1 if too many changes survived."""
    seconds, seed = float(os.environ.get("MUTATE_SECONDS", "1800")), os.environ.get("SEED") or str(time.time_ns())
    os.environ["GAMES_SEED"] = "1"
    chosen = [area for area in areas() if area.name in names or not names]
    print(f"SEED={seed}, {seconds:.0f} s for {', '.join(area.name for area in chosen)}", flush=True)
    preload()
    with TemporaryDirectory() as folder:
        counts = run(chosen, Path(folder), seconds, Random(seed))
    print("\n".join(table(counts)))
    every = sum(counts.values(), Counter())
    share = 1 - every["survived"] / max(every.total(), 1)
    print(f"{share:.0%} of {every.total()} changes were seen; the same changes again: SEED={seed}")
    return int(share < ENOUGH)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
