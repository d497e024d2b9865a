"""The comparison of a table with an earlier one is sound in every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

import rules
from rules.changes import END, OVER, Reachability, compare_positions
from tests.rules.list_entries import unlisted_move
from tests.rules.play import EVERY_GAME, SEED, AnyGame, often, shared_games
from tests.rules.table_pairs import pairs
from tests.support.loops import over
from tests.support.recorded_games import enter, plies, position_json
from tests.support.records import records_of

every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id, scope="module")


@every_game
def test_nothing_is_objected_to_play(game: AnyGame) -> None:
    """`objections` is empty for two tables of one legal game, however far apart."""
    seen = 0
    for before, after, _ in pairs(game, 13):
        assert list(game.changes.objections(before, after)) == []
        seen += 1
    assert seen > 20


@every_game
def test_what_was_played_is_never_impossible_and_a_way_leads_there(game: AnyGame) -> None:
    """A later table of a legal game is possible or undecided; a way that is found replays legally to its position."""
    ways = 0
    for before, after, apart in pairs(game, 211, (0, 1, 2, 3, 5)):
        found = compare_positions(game, before, after)
        assert found.reachability is not Reachability.IMPOSSIBLE
        if found.reachability is Reachability.UNDECIDED:
            assert found.searched_depth < apart
            continue
        state = before
        for move in found.way:
            assert game.check(state, move).legal
            state = game.apply(state, move)
        assert game.position(state) == game.position(after)
        assert len(found.way) <= apart
        ways += apart > 0
    assert ways


ONE_MOVE = often(1200)
"""Moves for which the tables before and after are compared."""


@cache
def tables(game_id: str) -> tuple[tuple[Any, Any], ...]:
    """Setups and states of the recorded games, and of random ones, with their readings."""
    recorded = records_of(game_id)
    found = [(form, state) for path in recorded for _, form, state, _ in plies(path)]
    found += [(played.form, state) for played in shared_games(rules.GAMES[game_id]) for state, _ in played.steps]
    return tuple(found)


def one_move(game: AnyGame, chance: Random) -> Iterator[tuple[Any, Any, Any]]:
    """A table, a random legal move of any kind, listed or not, and the position after it, as entered."""
    for _ in range(ONE_MOVE):
        form, state = chance.choice(tables(game.id))
        kinds = list(game.due(state).kinds)
        listed: list[Any] = []
        while kinds and not listed:
            kind = chance.choice(kinds)
            kinds.remove(kind)
            listed = list(islice(game.moves(state, (kind,)), 200))
        if not listed:
            continue
        move = chance.choice(listed)
        other = unlisted_move(game, state, move, chance)
        move = other if chance.random() < 0.5 and game.check(state, other).legal else move
        yield state, move, enter(game, form, position_json(game, game.apply(state, move)))


@every_game
def test_one_legal_move_is_a_way_of_one_move(game: AnyGame, capsys: pytest.CaptureFixture[str]) -> None:
    """The position after a legal move of any kind is possible, by a way of one move."""
    seen: Counter[str] = Counter()
    for state, move, after in over(one_move(game, Random(f"{SEED} one move {game.id}"))):
        found = compare_positions(game, state, after)
        assert (found.reachability, len(found.way)) == (Reachability.POSSIBLE, 1), (game.write(move), found, state)
        assert game.position(game.apply(state, found.way[0])) == game.position(after)
        seen[move.kind] += 1
        seen["the end"] += game.due(after).ended is not None
        assert (END in {change.piece.code for change in found.changes}) == (game.due(after).ended is not None)
    with capsys.disabled():
        print(f"\n{game.id}: one move each, {dict(seen)}", end=" ")  # noqa: T201  # the figures are a part of the result


@every_game
def test_a_way_that_is_not_tried_is_found_missing(game: AnyGame) -> None:
    """The control: if no move is tried, the answer is undecided, not impossible."""
    blind = replace(game, changes=replace(game.changes, towards=lambda *_: iter(()), every_way=False))
    for state, _, after in over(islice(one_move(game, Random(f"{SEED} one move {game.id}")), 20)):
        found = compare_positions(blind, state, after)
        assert (found.reachability, found.searched_depth) == (Reachability.UNDECIDED, 0)


@every_game
def test_no_way_is_passed_over_as_too_short(game: AnyGame) -> None:
    """The least number of missing moves is never larger than the number played."""
    for before, after, apart in over(pairs(game, 31, (1, 2, 5, 13))):
        assert game.changes.least(before, after) <= apart or before == after


@every_game
def test_tables_are_told_apart_as_their_positions_are(game: AnyGame) -> None:
    """`key` and `same` find two tables of a game equal exactly if their positions are equal."""
    key, same = game.changes.key, game.changes.same
    for before, after, _ in over(pairs(game, 31, (0, 1, 2, 5))):
        equal = game.position(before) == game.position(after)
        assert key is None or (key(before) == key(after)) == equal
        assert same is None or same(before, after) == equal


@every_game
def test_nothing_follows_the_end(game: AnyGame) -> None:
    """After the end another position is impossible, by the rule that ended the game."""
    for played in over(shared_games(game)):
        (last, _), (other, _) = played.steps[-1], played.steps[0]
        found = compare_positions(game, last, other)
        assert found.reachability is Reachability.IMPOSSIBLE
        end = game.due(last).ended
        assert end is not None
        assert (found.why[0].rule, found.why[0].facts.code) == (end.rule, OVER)
