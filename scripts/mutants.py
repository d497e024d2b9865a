"""The changes that `scripts/mutate.py` makes: which places of a module can be changed, and how.

Cosmic Ray (https://cosmic-ray.readthedocs.io) changes Python. For Lua there is no such tool: there a sign, a number or
a word becomes another one, and a call of a Redis command is removed.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from cosmic_ray.ast import ast_nodes, get_ast  # type: ignore[import-untyped]  # it has no types
from cosmic_ray.mutating import mutate_code  # type: ignore[import-untyped]  # see above
from cosmic_ray.operators.provider import OperatorProvider  # type: ignore[import-untyped]  # see above

ROOT: Final = Path(__file__).parents[1]
MEANINGLESS: Final = ("_Is", "_IsNot", "Is_Eq", "IsNot_NotEq")
"""Ends of operators whose changes mean nothing: `is` and `==` agree on None, and on equal values only by accident."""
UNHEARD: Final = ("frozen", "repr", "slots", "strict")
"""Arguments that change no answer: they concern immutability, `repr`, memory, and checks of equal lengths."""
IN_LUA: Final[Sequence[tuple[str, Callable[[str], Sequence[str]]]]] = (
    (r"==|~=", lambda sign: ("~=",) if sign == "==" else ("==",)),
    (r"[<>]=?", lambda sign: [each for each in ("<", "<=", ">", ">=") if each != sign]),
    (r" [-+*/] ", lambda sign: [f" {each} " for each in "-+*" if each != sign.strip()]),
    (r"\b\d+\b", lambda number: (str(int(number) + 1), str(int(number) - 1))),
    (r"\b(?:and|or)\b", lambda word: ("or",) if word == "and" else ("and",)),
    (r"math\.(?:max|min)", lambda name: ("math.min",) if name == "math.max" else ("math.max",)),
    (r"\bnot ", lambda _: ("",)),
    (r"(?m)^ *redis\.(?:call|set_repl)\(.*\)$", lambda _: ("",)),
)
"""Patterns of what is changed in a script, each with what it may become."""

Position = tuple[int, int]
Change = Callable[[], str | None]
"""Makes the changed source of a module."""


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    module: Path
    source: str

    def difference(self) -> str:
        """The change as a diff."""
        name = str(self.module.relative_to(ROOT))
        before, after = self.module.read_text().splitlines(), self.source.splitlines()
        return "\n".join(list(difflib.unified_diff(before, after, name, name, n=1, lineterm=""))[2:])


def mutants(modules: Sequence[Path], chance: Random) -> Iterator[Mutant]:
    """The changes of some modules in random order; every place is changed once."""
    found = [(module, ways) for module in modules for ways in changes(module)]
    for module, ways in chance.sample(found, len(found)):
        changed = chance.choice(ways)()
        if changed and (module.suffix == ".lua" or meaning(changed) not in (None, meaning(module.read_text()))):
            yield Mutant(module, changed)


def changes(module: Path) -> list[list[Change]]:
    """The possible changes of each place of a module."""
    source = module.read_text()
    if module.suffix == ".lua":
        return [[partial(str, each) for each in ways] for ways in of_lua(source)]
    of = operators()
    return [[partial(mutate_code, source, of[name], each) for name, each in ways] for ways in places(source).values()]


# --- Lua ---------------------------------------------------------------------------------------------------------


def of_lua(source: str) -> Iterator[list[str]]:
    """The changed sources, place by place; comments are skipped."""
    code = re.sub("--.*", lambda comment: " " * len(comment[0]), source)
    for pattern, others in IN_LUA:
        for found in re.finditer(pattern, code):
            yield [f"{source[: found.start()]}{other}{source[found.end() :]}" for other in others(found[0])]


# --- Python ------------------------------------------------------------------------------------------------------


def types_said(source: str) -> list[tuple[Position, Position]]:
    """The places of annotations, which no running function reads: from and to, as (line, column)."""
    found: list[ast.expr | None] = []
    for node in ast.walk(ast.parse(source)):
        found += [getattr(node, name, None) for name in ("annotation", "returns")]
    return [
        ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)) for node in found if node
    ]


def places(source: str) -> dict[Position, list[tuple[str, int]]]:
    """Place of a module -> the operators that can change it, each with the number of this occurrence."""
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
    """The operators of Cosmic Ray that take no arguments, without those that are `MEANINGLESS`."""
    provider = OperatorProvider()
    chosen = {name: provider[name] for name in provider if not name.endswith(MEANINGLESS)}
    return {name: operator() for name, operator in chosen.items() if not operator.arguments()}


def meaning(source: str) -> str | None:
    """The meaning of a source, without layout, caches and `UNHEARD`; None if it is no Python."""
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
