"""What can be told of a table against an earlier one: sound in every game, and told in words."""

from __future__ import annotations

import pytest

import rules
from rules.changes import OVER, Led, compared, told
from service.texts import LANGUAGES, words
from tests.loops import over
from tests.rules.changed import pairs
from tests.rules.play import EVERY_GAME, AnyGame, shared_games

every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id, scope="module")


@every_game
def test_nothing_is_objected_to_play(game: AnyGame) -> None:
    """Of two tables of one legal game, however far apart, nothing is said to stand in the way."""
    seen = 0
    for before, after, _ in pairs(game, 13):
        assert list(game.changes.objections(before, after)) == []
        seen += 1
    assert seen > 20


@every_game
def test_what_was_played_is_never_impossible_and_a_way_leads_there(game: AnyGame) -> None:
    """What play led to is possible or undecided; and a way that is given replays, legally, to that very position."""
    ways = 0
    for before, after, apart in pairs(game, 211, (0, 1, 2, 3, 5)):
        found = told(game, before, after)
        assert found.led is not Led.IMPOSSIBLE
        if found.led is Led.UNDECIDED:
            assert found.looked < apart
            continue
        state = before
        for move in found.way:
            assert game.check(state, move).legal
            state = game.apply(state, move)
        assert game.position(state) == game.position(after)
        assert len(found.way) <= apart
        ways += apart > 0
    assert ways


@every_game
def test_no_way_is_passed_over_as_too_short(game: AnyGame) -> None:
    """The number of moves that are missing at least is never more than were played."""
    for before, after, apart in over(pairs(game, 31, (1, 2, 5, 13))):
        assert game.changes.least(before, after) <= apart or before == after


@every_game
def test_tables_are_told_apart_as_their_positions_are(game: AnyGame) -> None:
    """Two tables of a game have the same key, and are the same, exactly if their positions are equal."""
    key, same = game.changes.key, game.changes.same
    for before, after, _ in over(pairs(game, 31, (0, 1, 2, 5))):
        equal = game.position(before) == game.position(after)
        assert key is None or (key(before) == key(after)) == equal
        assert same is None or same(before, after) == equal


@every_game
def test_nothing_follows_the_end(game: AnyGame) -> None:
    """After the end nothing can be played: another position is impossible, by the rule that ended the game."""
    for played in over(shared_games(game)):
        (last, _), (other, _) = played.steps[-1], played.steps[0]
        found = told(game, last, other)
        assert found.led is Led.IMPOSSIBLE
        end = game.due(last).ended
        assert end is not None
        assert (found.why[0].rule, found.why[0].facts.code) == (end.rule, OVER)


@every_game
def test_whatever_is_told_has_words(game: AnyGame) -> None:
    """Each change, and each thing that stands in the way, becomes a whole sentence in every language."""
    rulebook = rules.load(game.id, "rulebook")
    told_of = set()
    for before, after, _ in pairs(game, 43, (1, 5, 13)):
        for one, other in ((before, after), (after, before)):
            changes, why = compared(game, one, other), list(game.changes.objections(one, other))
            assert {each.rule for each in why} <= rulebook.keys()
            told_of |= {each.what for each in changes}
            for language in LANGUAGES:
                speaking = words(language, game.id)
                said = [*map(speaking.change, changes), *map(speaking.hindrance, why)]
                assert all(text.endswith(".") and not set("{}…") & set(text) for text in said), said
    assert told_of >= {"vanished", "added"}
