"""The helper that makes an empty loop around assertions fail, and that all tests use it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.loop_finder import empty_loops, helpers_of
from tests.loops import over

TESTS = Path(__file__).parent

HELD = """
NAMED = {"a": 1}

def holds(each):
    assert each

def test_before(found):
    assert found
    for each in found:
        assert each

def test_met(found):
    for each in over(found):
        assert each

def test_known():
    for n, (name, each) in enumerate(NAMED.items()):
        for other in range(3):
            holds(each)

def test_raises(found):
    for each in over(found):
        for part in each:
            assert part
        with pytest.raises(KeyError):
            found[each]
"""
"""What holds: an assertion besides, a helper, and iterables that are seen to have an item."""

EMPTY = """
def holds(each):
    assert each

def test_plain(found):
    for each in found:
        assert each

def test_parameter(NAMED):
    for each in NAMED:
        if each:
            holds(each)

def test_inner(found):
    for each in over(found):
        for part in each:
            assert part

def test_second(found):
    for each in (1, 2):
        assert each
    for each in found[1:]:
        with pytest.raises(KeyError):
            found[each]

def test_none():
    for each in range(0):
        assert each
"""


def test_a_loop_that_never_meets_anything_fails() -> None:
    """One that meets something, the control, does not, nor one that is left early."""
    assert list(over("ab")) == ["a", "b"]
    assert next(over("ab")) == "a"
    with pytest.raises(AssertionError, match="met nothing"):
        list(over(each for each in "ab" if each == "c"))


def test_loops_that_may_be_empty_are_found() -> None:
    """Each of one kind is; what holds, the control, is not."""
    held, empty = ast.parse(HELD), ast.parse(EMPTY)
    helpers = helpers_of([held])
    assert empty_loops(held, helpers) == {}
    assert list(empty_loops(empty, helpers)) == [
        "test_plain",
        "test_parameter",
        "test_inner",
        "test_second",
        "test_none",
    ]


def test_no_test_asserts_within_loops_alone_that_may_be_empty() -> None:
    """Such a loop goes through `over(…)`, or through what is seen in the same module to have an item."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(TESTS.rglob("*.py"))}
    helpers = helpers_of(list(trees.values()))
    found = [
        f"{path.relative_to(TESTS)}:{loop.lineno} {test}"
        for path, tree in trees.items()
        for test, loops in empty_loops(tree, helpers).items()
        for loop in loops
    ]
    assert not found
