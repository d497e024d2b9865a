"""Breaks the rules and the log one place at a time, and looks whether a test goes red (`make mutate`).

The changes are those of Cosmic Ray (https://cosmic-ray.readthedocs.io), whose own runs can neither be sampled nor end
after a time that is set. Here places are drawn by SEED, in turn from each game, from what games share and from the log,
until MUTATE_SECONDS have passed. Each change is made in a copy in a temporary folder and meets the tests that concern
it, the quickest first, until one is red. A survivor is printed as a difference: a case is missing there, or the change
means nothing. Ends with 1 where fewer than nine in ten were killed. The Lua scripts are not changed: no tool does that.
"""

from __future__ import annotations

import ast
import difflib
import os
import shutil
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from cosmic_ray.ast import ast_nodes, get_ast  # type: ignore[import-untyped]  # it has no types
from cosmic_ray.mutating import mutate_code  # type: ignore[import-untyped]  # see above
from cosmic_ray.operators.provider import OperatorProvider  # type: ignore[import-untyped]  # see above

ROOT: Final = Path(__file__).parents[1]
PARTS: Final = ("pyproject.toml", "CHANGELOG.md", "openapi.yaml", "rules", "service", "web", "tests", "docs")
"""What the tests read: these are copied."""
GAMES: Final = sorted(path.parent.name for path in ROOT.glob("rules/*/__init__.py"))
LOG: Final = ("ledger", "connections", "store", "fold", "history", "codec", "plans")
ENOUGH: Final = 0.9
"""The share of changes that the tests must find."""
MEANINGLESS: Final = ("_Is", "_IsNot", "Is_Eq", "IsNot_NotEq")
"""Whether two equal numbers or words are one object is an accident of the interpreter; None is equal to itself only."""
UNHEARD: Final = ("repr", "slots", "strict")
"""Arguments that change no answer: how an object prints, what it weighs, and that lengths which are equal are so."""
ALWAYS: Final = ("--quiet", "--exitfirst", "--tb=no", "-n0", "-p", "no:cacheprovider", "--hypothesis-seed=0")
SLOWER: Final = 4
"""A change that makes its tests so many times slower has gone round in circles …"""
AT_LEAST: Final = 20
"""… after as many seconds, at least."""
LONGEST: Final = 1800
"""So many seconds the tests of an area may take without a change."""
SAID: Final = "said.txt"
"""What pytest said last, in a copy."""

Position = tuple[int, int]


@dataclass(frozen=True)
class Area:
    """A game, what games share, or the log: its modules, and the tests that concern it, the quickest first."""

    name: str
    modules: Sequence[Path]
    tests: Sequence[str]
    only: str = ""
    """Tests whose name says this are run."""


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    module: Path
    changed: str

    def difference(self) -> str:
        """The change, as a reader sees it."""
        name = str(self.module.relative_to(ROOT))
        before, after = self.module.read_text().splitlines(), self.changed.splitlines()
        return "\n".join(list(difflib.unified_diff(before, after, name, name, n=1, lineterm=""))[2:])


# --- what is changed ---------------------------------------------------------------------------------------------


def areas() -> list[Area]:
    """Every game that is found, what games share, and the log."""
    rules = ("test_cases", "test_recorded_games", "test_laws")
    every = [f"tests/rules/{name}.py" for name in (*rules, "test_sentences", "test_texts")]
    found = [
        Area(game, sorted((ROOT / "rules" / game).rglob("*.py")), [*every[:2], f"tests/rules/{game}", *every[2:]], game)
        for game in GAMES
    ]
    own = [f"tests/rules/test_{name}.py" for name in ("kernel", "spoken", "ranking", "defaults", "readings")]
    wire = [f"tests/service/test_{name}.py" for name in ("wire", "bounded")]
    found.append(
        Area(
            "shared",
            sorted((ROOT / "rules").glob("*.py")),
            [*own, *every, *wire, *(f"tests/rules/{game}" for game in GAMES)],
        )
    )
    names = ("history", "memory", "ledger", "old_logs", "referee", "ledger_model", "table", "bounded")
    slow = ("ledger_durability", "ledger_failover")
    log = [f"tests/service/test_{name}.py" for name in (*names, *slow)]
    return [*found, Area("log", [ROOT / "service" / f"{name}.py" for name in LOG], log)]


def types_said(source: str) -> list[tuple[Position, Position]]:
    """Where types are said, which nothing reads when functions run: from and to, as (line, column)."""
    found: list[Any] = []
    for node in ast.walk(ast.parse(source)):
        found += [getattr(node, name, None) for name in ("annotation", "returns")]
    return [((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)) for node in found if node]


def places(module: Path) -> dict[Position, list[tuple[str, int]]]:
    """Every place of a module that can be changed: the operators that can do it, and which occurrence it is of each."""
    source = module.read_text()
    said = types_said(source)
    nodes = list(ast_nodes(get_ast(source)))
    found: dict[Position, list[tuple[str, int]]] = defaultdict(list)
    for name, operator in operators().items():
        positions = (start for node in nodes for start, _ in operator.mutation_positions(node))
        for occurrence, start in enumerate(positions):
            if not any(first <= start < last for first, last in said):
                found[start].append((name, occurrence))
    return found


def operators() -> Mapping[str, Any]:
    """The operators of Cosmic Ray that need nothing said, but those whose changes mean nothing."""
    provider = OperatorProvider()
    chosen = {name: provider[name] for name in provider if not name.endswith(MEANINGLESS)}
    return {name: operator() for name, operator in chosen.items() if not operator.arguments()}


def mutants(area: Area, chance: Random) -> Iterator[Mutant]:
    """The changes of an area, in the order of chance: every place is as likely, and is changed once."""
    found = [(module, ways) for module in area.modules for ways in places(module).values()]
    for module, ways in chance.sample(found, len(found)):
        name, occurrence = chance.choice(ways)
        source = module.read_text()
        changed = mutate_code(source, operators()[name], occurrence)
        if changed and meaning(changed) not in (None, meaning(source)):
            yield Mutant(module, changed)


def meaning(source: str) -> str | None:
    """What a source says, but for its layout, what makes it fast, and `UNHEARD`; None where it is no Python."""
    try:
        tree = ast.parse(source)
        compile(tree, "mutant", "exec")
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = [each for each in node.decorator_list if ast.unparse(each) != "cache"]
        elif isinstance(node, ast.Call):
            node.keywords = [each for each in node.keywords if each.arg not in UNHEARD]
    return ast.dump(tree)


# --- whether it is seen ------------------------------------------------------------------------------------------


class Only:
    """A plugin of pytest: tests of one game are kept."""

    def __init__(self, name: str) -> None:
        self._name = name

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the tests of other games."""
        items[:] = [item for item in items if self._name in item.nodeid]


def preload() -> None:
    """Import what no change touches, so that each run begins with it."""
    for name in ("apispec", "flask", "gevent", "marshmallow", "orjson", "redis", "yaml", "hypothesis.strategies"):
        __import__(name)


def copied(area: Area, folder: Path) -> Path:
    """A copy of all that the tests of an area read; those of a game need no other game, and begin faster without."""
    others = [game for game in GAMES if area.only not in ("", game)]
    make = partial(shutil.copytree, ignore=shutil.ignore_patterns("__pycache__", "e2e", *others))
    copy = folder / area.name
    copy.mkdir()
    for part in PARTS:
        (make if (ROOT / part).is_dir() else shutil.copy2)(ROOT / part, copy / part)
    return copy


def red(area: Area, copy: Path) -> int:
    """In a process of its own: run the tests of an area on its copy, until one is red."""
    os.setsid()
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    quiet = os.open(copy / SAID, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    return int(pytest.main([*ALWAYS, "-Wignore::pytest.PytestAssertRewriteWarning", *area.tests], [Only(area.only)]))


def outcome(area: Area, copy: Path, limit: float) -> str:
    """What the tests of an area say of the copy: survived, killed, or timed out."""
    child = os.fork()
    if child == 0:
        failed = 1
        try:
            failed = red(area, copy)
        finally:
            os._exit(failed)
    status = None
    try:
        status = waited(child, limit)
    finally:
        if status is None:
            end(child)
    return {None: "timed out", 0: "survived"}.get(status, "killed")


def waited(child: int, seconds: float) -> int | None:
    """How a run ended, 0 where all was green; None where it goes on after so many seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.05)
    return None


def end(child: int) -> None:
    """End a run and all that it has started: first as Ctrl-C does, so that it ends its Redis and removes its files."""
    os.killpg(child, signal.SIGINT)
    if waited(child, 10) is None:
        os.killpg(child, signal.SIGKILL)
        waited(child, 10)


# --- the run -----------------------------------------------------------------------------------------------------


def judge(area: Area, mutant: Mutant, copy: Path, limit: float) -> str:
    """Make a change in the copy, ask the tests, and take it back."""
    there = copy / mutant.module.relative_to(ROOT)
    there.write_text(mutant.changed)
    try:
        return outcome(area, copy, limit)
    finally:
        shutil.copy2(mutant.module, there)


def limit(area: Area, copy: Path) -> float:
    """How long the tests of an area may take with a change, in seconds; they must be green without one."""
    began = time.monotonic()
    if outcome(area, copy, LONGEST) != "survived":
        raise SystemExit(f"{area.name}: a test is red without a change.\n{(copy / SAID).read_text()}")
    taken = time.monotonic() - began
    print(f"{area.name}: green without a change, in {taken:.0f} s", flush=True)
    return SLOWER * taken + AT_LEAST


def run(chosen: Sequence[Area], folder: Path, seconds: float, chance: Random) -> dict[str, Counter[str]]:
    """Change one place after the other, each area in turn, until the time is over; how many ended how, by module."""
    until = time.monotonic() + seconds
    waiting = []
    for area in chosen:
        copy = copied(area, folder)
        waiting.append((area, copy, limit(area, copy), mutants(area, Random(chance.random()))))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
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
    """Run for all areas, or for those that are named; 1 where too many changes were not seen."""
    seconds, seed = float(os.environ.get("MUTATE_SECONDS", "1800")), os.environ.get("SEED") or str(time.time_ns())
    os.environ |= {"GAMES_SEED": "1", "GAMES_SHARED": "6"}
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
