"""The doctests of the modules that all games share pass; they show a rule, a verdict and a game."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import rules

EXAMPLES = {
    test.name.removeprefix("rules."): test
    for path in sorted(Path(rules.__file__).parent.glob("[a-z]*.py"))
    for test in doctest.DocTestFinder(exclude_empty=True).find(import_module(f"rules.{path.stem}"))
    if test.examples
}


def test_the_kernel_and_the_game_have_examples() -> None:
    """`Rule`, `hear` and `Game`, with which authors of games begin, have doctests."""
    assert EXAMPLES.keys() >= {"kernel.Rule", "kernel.hear", "game.Game"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_says_what_the_module_does(name: str) -> None:
    """Each doctest passes, and has an example."""
    runner = doctest.DocTestRunner()
    runner.run(EXAMPLES[name])
    assert runner.tries > 0
    assert runner.failures == 0
