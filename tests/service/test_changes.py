"""Differences between two positions have words, in every game."""

from __future__ import annotations

import pytest

import rules
from rules.changes import END, Change, changes_between
from rules.kernel import Piece
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from service.schemas import load, of
from tests.rules.play import EVERY_GAME, AnyGame, shared_games
from tests.rules.table_pairs import pairs
from tests.support.loops import over

every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id, scope="module")


@every_game
def test_whatever_is_told_has_words(game: AnyGame) -> None:
    """Each difference, and each objection to it, is a whole sentence in every language.

    A difference's sentence has at most one colon.
    """
    rulebook = rules.load(game.id, "rulebook")
    told_of = set()
    for before, after, _ in pairs(game, 43, (1, 5, 13)):
        for one, other in ((before, after), (after, before)):
            changes, why = changes_between(game, one, other), list(game.changes.objections(one, other))
            assert {each.rule for each in why} <= rulebook.keys()
            told_of |= {each.what for each in changes}
            for language in LANGUAGES:
                speaking = words(language, game.id)
                said = [*map(speaking.change_text, changes), *map(speaking.objection_text, why)]
                assert all(text.count(":") < 2 for text in said[: len(changes)]), said
                assert all(text.endswith(".") and not set("{}…") & set(text) for text in said), said
    assert told_of >= {"vanished", "added"}


@every_game
def test_the_end_is_a_change(game: AnyGame) -> None:
    """The end of a game is the first difference, in its own words; in reverse, the sentence is another."""
    for played in over(shared_games(game)):
        (last, _), (before, _) = played.steps[-1], played.steps[-2]
        end = game.due(last).ended
        assert end is not None
        for language in LANGUAGES:
            speaking = words(language, game.id)
            ended, going_on = changes_between(game, before, last)[0], changes_between(game, last, before)[0]
            assert (ended.what, going_on.what) == ("added", "vanished")
            assert speaking.change_text(ended).endswith(speaking.end_text(end)) and speaking.change_text(
                going_on
            ) != speaking.change_text(ended)
        assert all(change.piece.code != END for change in changes_between(game, last, last))


@pytest.mark.parametrize(
    ("language", "moved", "gone"),
    [
        ("en", "Moved from the base plate to the blue floor: Red’s small column.", "Gone from the base plate: "),
        (
            "fr",
            "Déplacement du plateau de base au plancher bleu : petite colonne ronde de Rouge.",
            "En moins sur le plateau de base : ",
        ),
    ],
)
def test_a_floor_has_its_article(language: str, moved: str, gone: str) -> None:
    """A column of Villa Paletti moves from the base plate to the blue floor, or leaves the game from there."""
    game: AnyGame = rules.GAMES["villa_paletti"]
    speaking, players = words(language, game.id), tuple({"colours": [each]} for each in ("red", "blue", "green"))
    start = game.setup(load(of(game).setup, {"players": [*players, {"colours": ["yellow"]}]}))
    after, out = (game.apply(start, game.read(text)) for text in ("red small 0", "floor ! blue red big 0 ok"))
    assert [speaking.change_text(each) for each in changes_between(game, start, after)] == [moved]
    assert any(speaking.change_text(each).startswith(gone) for each in changes_between(game, start, out))


@pytest.mark.parametrize(
    ("village", "said"),
    [
        ("Issoire", ("En moins à Issoire", "En plus à Issoire", "Déplacement d’Issoire à Sigy")),
        ("Les Essarts", ("En moins aux Essarts", "En plus aux Essarts", "Déplacement des Essarts à Sigy")),
        ("Sigy", ("En moins à Sigy", "En plus à Sigy", "Déplacement de Sigy à Sigy")),
    ],
)
def test_a_village_of_fief_has_its_preposition(village: str, said: tuple[str, ...]) -> None:
    """French says where a castle was and is, with the elisions and contractions of the village's name."""
    castle, there = (Piece("stands", (("building", "castle"),), (each,), each) for each in (village, "Sigy"))
    changes = (Change("vanished", castle, 1), Change("added", castle, 1), Change("moved", castle, 1, there))
    assert [words("fr", "fief").change_text(each) for each in changes] == [f"{each}\u00a0: château." for each in said]
