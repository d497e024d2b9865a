"""Old names: until 0.2.0 a game from another package may use them, with a warning."""

from __future__ import annotations

import importlib
import warnings
from contextlib import suppress
from dataclasses import fields
from typing import Any, Final

import pytest

import web.games  # noqa: F401  # all modules with old names are imported by it
from rules import GAMES, kernel
from rules.game import Game
from rules.old_names import OLD_ATTRIBUTES, OLD_MEMBERS, OLD_MODULES
from service.i18n import sentences
from web.board.inks import ink

old_ink: Any = ink
GAME = next(iter(GAMES.values()))
MEMBERS = [(made, old) for made, names in OLD_MEMBERS.items() for old in names]
ATTRIBUTES = [(module, old) for module, names in OLD_ATTRIBUTES.items() for old in names]
IMPORTS: Final = """
rules: effects forms
rules.defaults: differing_by ended_by legal_among nearest_by not_due passes wrong
rules.effects: ENDED OF_EVERY_GAME Points change_of effect
rules.foretold: AT_EQUAL_POINTS by_points end short standing
rules.forms: Between Malformed Most OnTable OrUnknown Pattern Reading Rest THE_REST UNKNOWN chosen is_unknown
    rest_is_unknown
rules.kernel: Bounds Cell Changes Due Effect Ended Fact Facts Finding Foretold Game Line NOTHING ORDINARY
    ORDINARY_FACES Piece Place Rule Ruling Seat Value Verdict counted hear
rules.ranking: ByPoints Standing Tiebreak
rules.spoken: Spoken
rules.steps: each spend
rules.sums: Joint Sums
rules.unknowns: DIFFERS Extremes Filling MOST_CHECKS MOST_TRIED TooMany UnknownRules apart in_both
service.errors: Invalid
service.kept: kept
service.texts: NOBODY Words words
service.wire: load of plain
web: fields
web.board.inks: GRASS Ink LABEL LABEL_BY_NIGHT PAVING REVERSED ROUND ROUND_ENDS SEATS dark_face faint ink light_face
    surface writing
web.board.lettering: ELLIPSIS fitted width
web.board.shapes: Board ICON MOST_ICONS Shape Spot Stock Symbol path
web.fields: Card Control Field FieldChoice FieldGroup Gallery Opening Values apart how_many name_field named
web.kernel: Answer Brush BrushGroup Choice ChoiceGroup Codes Draft ERASER Entered GamePages Option Portrait
    PositionEntry Question Roll SUM Stroke Touch
web.language: _
"""
"""Module -> what the five games imported from it before their modules and classes were renamed."""


def imported_names() -> list[tuple[str, str]]:
    """Each module, with each name that was imported from it."""
    lines = (line.split(": ") for line in IMPORTS.replace("\n    ", " ").strip().splitlines())
    return [(module, name) for module, names in lines for name in names.split()]


@pytest.mark.parametrize(("module", "name"), imported_names())
def test_what_games_imported_before_is_found(module: str, name: str) -> None:
    """Each name can be imported, with a warning exactly if it has a new name."""
    home = OLD_MODULES.get(module, module)  # modules: see `test_a_module_is_imported_by_its_old_name_with_a_warning`
    whole = f"{home}.{name}"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = importlib.import_module(home)
        if not hasattr(found, name):
            importlib.import_module(OLD_MODULES.get(whole, whole))
    is_old = name in OLD_ATTRIBUTES.get(home, ())
    assert [str(each.message).partition(" is called ")[0] for each in caught] == [whole] * is_old


def test_a_function_takes_an_argument_by_its_old_name_with_a_warning() -> None:
    """The old argument has the effect of the new one; an unknown one is refused."""
    with pytest.warns(DeprecationWarning, match=r"ink\.forced is called forced_colours now"):
        found = old_ink("#fff", forced={"fill": "Canvas"})
    assert found == ink("#fff", forced_colours={"fill": "Canvas"})
    with pytest.raises(TypeError, match="never"):
        old_ink("#fff", never=None)


def test_a_sentence_takes_an_argument_by_its_old_name_with_a_warning() -> None:
    """The old argument keeps the codes in the sentence, as it did before."""
    words: Any = sentences.words("en", "fief")
    values = {"player": "red"}
    with pytest.warns(DeprecationWarning, match=r"say\.named is called replace_codes now"):
        found = words.say("opening", "lord_of", values, named=False)
    assert found == "Tap the lord that red drew." != words.say("opening", "lord_of", values)


@pytest.mark.parametrize("old", OLD_MEMBERS[Game])
def test_a_game_takes_a_field_by_its_old_name_with_a_warning(old: str) -> None:
    """A game made with the old name of a field equals one with the new name; an unknown name is refused."""
    new = OLD_MEMBERS[Game][old]
    given = {field.name: getattr(GAME, field.name) for field in fields(Game)}
    as_before = {old if name == new else name: value for name, value in given.items()}
    assert as_before.keys() != given.keys()
    with pytest.warns(DeprecationWarning, match=f"Game.{old} is called {new} now"):
        assert Game(**as_before) == GAME
    with pytest.raises(TypeError, match="never"):
        Game(**given | {"never": None})


def test_what_has_no_init_of_its_own_takes_old_names_too() -> None:
    """A named tuple, which is made by its `__new__`, takes and gives a member by its old name."""
    made: Any = kernel.TiebreakFigures
    with pytest.warns(DeprecationWarning, match=r"TiebreakFigures\.of is called figures now"):
        figures = made("VF-1", of=())
    assert figures == kernel.TiebreakFigures("VF-1", ())
    with pytest.warns(DeprecationWarning, match=r"TiebreakFigures\.of is called figures now"):
        assert figures.of == ()


@pytest.mark.parametrize(("made", "old"), MEMBERS)
def test_a_member_is_read_by_its_old_name_with_a_warning(made: Any, old: str) -> None:
    """The class has the new name, and its objects also give the member by the old one; an unknown name is missing."""
    new = OLD_MEMBERS[made][old]
    empty = (tuple if issubclass(made, tuple) else object).__new__(made)
    assert new in {*dir(made), *made.__annotations__}
    with (
        pytest.warns(DeprecationWarning, match=f"{made.__name__}.{old} is called {new} now"),
        suppress(AttributeError, IndexError),
    ):
        getattr(empty, old)  # the object is empty
    with pytest.raises(AttributeError, match="never"):
        _ = empty.never


@pytest.mark.parametrize(("name", "old"), ATTRIBUTES)
def test_a_name_of_a_module_is_found_by_its_old_one_with_a_warning(name: str, old: str) -> None:
    """The old name gives the same object as the new one; an unknown name raises `AttributeError`."""
    module, new = importlib.import_module(name), OLD_ATTRIBUTES[name][old]
    with pytest.warns(DeprecationWarning, match=f"{name}.{old} is called {new} now"):
        found = getattr(module, old)
    home, _, attribute = new.rpartition(".")
    assert found is getattr(importlib.import_module(home or name), attribute)
    with pytest.raises(AttributeError, match="never"):
        _ = module.never
