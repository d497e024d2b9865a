"""The helper `over` makes an empty loop around assertions fail; all tests use it, and none asserts by chance."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.support.loop_finder import empty_loops, helpers_of
from tests.support.loops import over

TESTS = Path(__file__).parent

HELD_LOOPS = """
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

def test_branches(found):
    for each in over(found):
        if each:
            assert each
        else:
            assert not each

def test_left(found):
    for each in over(found):
        if not each:
            assert each is None
            continue
        assert each

def test_counted(found):
    seen = 0
    for each in found:
        if each:
            assert each > 1
            seen += 1
    assert seen
"""
"""Tests that always assert: beside a loop, in each branch, by a helper, or over what certainly has an item."""

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

def test_condition(found):
    for each in over(found):
        if each:
            assert each > 1

def test_skipped(found):
    for each in over(found):
        if not each:
            continue
        assert each > 1

def test_returned(found):
    if not found:
        return
    assert found > 1
"""


def test_a_loop_that_never_meets_anything_fails() -> None:
    """A loop without an item fails. The controls pass: a loop with items, and one that is left early."""
    assert list(over("ab")) == ["a", "b"]
    assert next(over("ab")) == "a"
    with pytest.raises(AssertionError, match="met nothing"):
        list(over(each for each in "ab" if each == "c"))


def test_loops_that_may_be_empty_are_found() -> None:
    """Each test that may skip its assertions is found. The control: no test that always asserts is."""
    held, empty = ast.parse(HELD_LOOPS), ast.parse(EMPTY)
    helpers = helpers_of([held])
    assert empty_loops(held, helpers) == {}
    assert list(empty_loops(empty, helpers)) == [
        "test_plain",
        "test_parameter",
        "test_inner",
        "test_second",
        "test_none",
        "test_condition",
        "test_skipped",
        "test_returned",
    ]


def test_no_test_asserts_where_nothing_may_be_reached_alone() -> None:
    """A loop around assertions goes through `over(…)`, or what certainly has an item; a condition filters the items
    before the loop, or the test counts them.
    """
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(TESTS.rglob("*.py"))}
    helpers = helpers_of(list(trees.values()))
    found = [
        f"{path.relative_to(TESTS)}:{each.lineno} {test}"
        for path, tree in trees.items()
        for test, around in empty_loops(tree, helpers).items()
        for each in around
    ]
    assert not found
