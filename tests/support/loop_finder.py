"""Finds tests, in their source, that assert only in a loop that may be empty or under a condition that may be false."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef
Loop = ast.For | ast.AsyncFor
Around = Loop | ast.If
"""What may skip an assertion. A condition that leaves a loop or a test encloses the statements after it."""
LEAVING = ast.Continue | ast.Return | ast.Break
KEEP = {"enumerate", "sorted", "reversed", "list", "tuple", "set", "dict", "zip", "product", "over", "range"}
VIEWS = {"items", "values", "keys", "split"}


def is_call(node: ast.AST | None, *names: str) -> bool:
    """Whether a node calls one of these functions, by name or as an attribute."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    return (isinstance(function, ast.Name) and function.id in names) or (
        isinstance(function, ast.Attribute) and function.attr in names
    )


def asserts(node: ast.AST, helpers: set[str]) -> bool:
    """Whether a statement asserts by itself, or is only a call of a helper."""
    if isinstance(node, ast.Assert):
        return True
    if isinstance(node, ast.With):
        return any(is_call(item.context_expr, "raises") for item in node.items)
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return False
    function = node.value.func
    if isinstance(function, ast.Attribute) and is_call(function.value, "expect"):
        return True
    return isinstance(function, ast.Name) and function.id in helpers


def reach(node: ast.AST, helpers: set[str], around: tuple[Around, ...] = ()) -> Iterator[tuple[Around, ...]]:
    """The loops and conditions around each assertion, outermost first, but not one that asserts in both branches."""
    if isinstance(node, ast.If):
        branches = [reached_in(branch, helpers, around) for branch in (node.body, node.orelse)]
        within = around if all(branches) else (*around, node)
        for branch in (node.body, node.orelse):
            yield from reached_in(branch, helpers, within)
        return
    inner = (*around, node) if isinstance(node, Loop) else around
    for _, value in ast.iter_fields(node):
        if isinstance(value, list):
            yield from reached_in([each for each in value if isinstance(each, ast.AST)], helpers, inner)


def reached_in(block: Sequence[Any], helpers: set[str], around: tuple[Around, ...]) -> list[tuple[Around, ...]]:
    """The same for a block of statements."""
    for index, each in enumerate(block):
        if isinstance(each, ast.If) and not each.orelse and isinstance(each.body[-1], LEAVING):
            whole = ast.copy_location(ast.If(each.test, each.body, [*block[index + 1 :]]), each)
            return [*reached_in(block[:index], helpers, around), *reach(whole, helpers, around)]
    found = []
    for each in block:
        if asserts(each, helpers):
            found.append(around)
        if not isinstance(each, ast.expr):
            found += reach(each, helpers, around)
    return found


@dataclass
class Names:
    """The values assigned to each name; unknown for a parameter, or without a plain assignment."""

    values_by_name: dict[str, list[ast.expr | None]] = field(default_factory=dict)

    @classmethod
    def of(cls, statements: Iterator[ast.AST]) -> Names:
        """The names that some statements assign."""
        names = cls()
        for each in statements:
            if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
                names.values_by_name.setdefault(each.targets[0].id, []).append(each.value)
            elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                names.values_by_name.setdefault(each.target.id, []).append(each.value)
            elif isinstance(each, ast.arg):
                names.values_by_name.setdefault(each.arg, []).append(None)
        return names

    def within(self, inner: Names) -> Names:
        """These names, overridden by those of a function."""
        return Names({**self.values_by_name, **inner.values_by_name})

    def meets(self, node: ast.expr | None) -> bool:
        """Whether an iterable certainly has an item."""
        match node:
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return any(not isinstance(each, ast.Starred) or self.meets(each.value) for each in elements)
            case ast.Dict(keys=keys, values=values):
                return any(key is not None or self.meets(value) for key, value in zip(keys, values, strict=True))
            case ast.Constant(value=str(text)):
                return bool(text)
            case ast.Name(id=name):
                return name in self.values_by_name and all(self.meets(each) for each in self.values_by_name[name])
            case ast.BinOp(op=ast.Add() | ast.BitOr(), left=left, right=right):
                return self.meets(left) or self.meets(right)
            case ast.Call():
                return self._call_meets(node)
        return False

    def _call_meets(self, node: ast.Call) -> bool:
        if is_call(node, "over", "count"):
            return True
        if is_call(node, "range"):
            try:
                return bool(range(*(ast.literal_eval(each) for each in node.args)))
            except (ValueError, TypeError):
                return False
        if isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS:
            return self.meets(node.func.value)
        return bool(node.args) and is_call(node, *KEEP) and all(self.meets(each) for each in node.args)


def functions(tree: ast.AST) -> list[Function]:
    """All functions of a module, of its classes too."""
    return [each for each in ast.walk(tree) if isinstance(each, Function)]


def helpers_of(trees: list[ast.Module]) -> set[str]:
    """The names of the functions that assert but are no tests."""
    plain = [each for tree in trees for each in functions(tree) if not each.name.startswith("test_")]
    return {each.name for each in plain if any(True for _ in reach(each, set()))}


def empty_loops(tree: ast.Module, helpers: set[str]) -> dict[str, list[Around]]:
    """For each test that asserts only within loops or conditions, those that may skip all its assertions."""
    names = Names.of(iter(tree.body))
    found = {}
    for test in functions(tree):
        if test.name.startswith("test_") and (
            around := _doubtful(test, names.within(Names.of(ast.walk(test))), helpers)
        ):
            found[test.name] = around
    return found


def _doubtful(test: Function, names: Names, helpers: set[str]) -> list[Around]:
    paths = list(reach(test, helpers))
    if () in paths:
        return []

    def sure(each: Around) -> bool:
        return isinstance(each, Loop) and names.meets(each.iter)

    doubtful = [[each for each in path if not sure(each)] for path in paths]
    outermost = [path[0] for path in paths if isinstance(path[0], Loop) and not sure(path[0])]
    inner = min(doubtful, key=len, default=[])
    return list({id(each): each for each in (*outermost, *inner)}.values())
