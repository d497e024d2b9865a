"""The kernel's examples are true: they show a rule, a verdict and a game."""

from __future__ import annotations

import doctest

import pytest

from rules import GAMES, kernel

GAME = next(iter(GAMES.values()))
EXAMPLES = {
    test.name.removeprefix("rules.kernel."): test
    for test in doctest.DocTestFinder(exclude_empty=True).find(kernel)
    if test.examples
}


@pytest.mark.parametrize("name", ["Rule", "hear", "Game"])
def test_the_example_says_what_the_kernel_does(name: str) -> None:
    """Each example runs as it is written, and there is one."""
    runner = doctest.DocTestRunner()
    runner.run(EXAMPLES[name])
    assert runner.tries > 0
    assert runner.failures == 0
