"""The kernel's examples are true: they show a rule, a verdict and a game."""

from __future__ import annotations

import doctest
from dataclasses import fields

import pytest

from rules import GAMES, kernel
from rules.old_fields import NEW_FIELDS

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


@pytest.mark.parametrize("old", NEW_FIELDS)
def test_a_game_takes_a_field_by_its_old_name_with_a_warning(old: str) -> None:
    """A game of another package starts as before, and reads the new name; a name that never was is refused."""
    given = {field.name: getattr(GAME, field.name) for field in fields(kernel.Game)}
    as_before = {old if name == NEW_FIELDS[old] else name: value for name, value in given.items()}
    assert as_before.keys() != given.keys()
    with pytest.warns(DeprecationWarning, match=f"Game.{old} is called {NEW_FIELDS[old]} now"):
        assert kernel.Game(**as_before) == GAME
    with pytest.raises(TypeError, match="never"):
        kernel.Game(**given | {"never": None})
