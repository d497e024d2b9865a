"""Old names: a game from another package uses them until 0.2.0, and is warned."""

from __future__ import annotations

import importlib
from contextlib import suppress
from dataclasses import fields
from typing import Any

import pytest

import web.games  # noqa: F401  # all modules with old names are imported by it
from rules import GAMES, kernel
from rules.game import Game
from rules.old_names import OLD_ATTRIBUTES, OLD_MEMBERS

GAME = next(iter(GAMES.values()))
MEMBERS = [(made, old) for made, names in OLD_MEMBERS.items() for old in names]
ATTRIBUTES = [(module, old) for module, names in OLD_ATTRIBUTES.items() for old in names]


@pytest.mark.parametrize("old", OLD_MEMBERS[Game])
def test_a_game_takes_a_field_by_its_old_name_with_a_warning(old: str) -> None:
    """A game of another package starts as before, and reads the new name; a name that never was is refused."""
    new = OLD_MEMBERS[Game][old]
    given = {field.name: getattr(GAME, field.name) for field in fields(Game)}
    as_before = {old if name == new else name: value for name, value in given.items()}
    assert as_before.keys() != given.keys()
    with pytest.warns(DeprecationWarning, match=f"Game.{old} is called {new} now"):
        assert Game(**as_before) == GAME
    with pytest.raises(TypeError, match="never"):
        Game(**given | {"never": None})


def test_what_has_no_init_of_its_own_takes_old_names_too() -> None:
    """A named tuple is made by its `__new__`."""
    made: Any = kernel.TiebreakFigures
    with pytest.warns(DeprecationWarning, match=r"TiebreakFigures\.of is called figures now"):
        figures = made("VF-1", of=())
    assert figures == kernel.TiebreakFigures("VF-1", ())
    with pytest.warns(DeprecationWarning, match=r"TiebreakFigures\.of is called figures now"):
        assert figures.of == ()


@pytest.mark.parametrize(("made", "old"), MEMBERS)
def test_a_member_is_read_by_its_old_name_with_a_warning(made: Any, old: str) -> None:
    """The class has the new name, and each of its objects gives it by the old one; a name that never was is missing."""
    new = OLD_MEMBERS[made][old]
    empty = (tuple if issubclass(made, tuple) else object).__new__(made)
    assert new in {*dir(made), *made.__annotations__}
    with (
        pytest.warns(DeprecationWarning, match=f"{made.__name__}.{old} is called {new} now"),
        suppress(AttributeError, IndexError),
    ):
        getattr(empty, old)  # it was never filled in
    with pytest.raises(AttributeError, match="never"):
        _ = empty.never


@pytest.mark.parametrize(("name", "old"), ATTRIBUTES)
def test_a_name_of_a_module_is_found_by_its_old_one_with_a_warning(name: str, old: str) -> None:
    """What was imported before is the very same; a name that never was cannot be imported."""
    module, new = importlib.import_module(name), OLD_ATTRIBUTES[name][old]
    with pytest.warns(DeprecationWarning, match=f"{name}.{old} is called {new} now"):
        found = getattr(module, old)
    home, _, attribute = new.rpartition(".")
    assert found is getattr(importlib.import_module(home or name), attribute)
    with pytest.raises(AttributeError, match="never"):
        _ = module.never
