"""The laws that every game obeys, written once and run for each game that is found.

They use the random games that the tests of a run share: all of their states, a part of them, or random ones.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import GAMES, load
from rules.effects import ENDED, OF_EVERY_GAME, POINTS, Points, effects_of, points_of
from rules.forms import Malformed
from rules.kernel import Ruling
from rules.ranking import totals
from tests.rules.forms import moves
from tests.rules.list_entries import stand_in
from tests.rules.play import (
    EVERY_GAME,
    SHARED_GAMES,
    AnyGame,
    every_nth_step,
    seeds,
    setups,
    shared_games,
    some_game,
    some_state,
)
from tests.support.loops import over

# All laws of a game run one after the other, so that few processes play its games.
every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id, scope="module")
quick = settings(max_examples=max(SHARED_GAMES // 2, 1), deadline=None)
thorough = settings(max_examples=2 * SHARED_GAMES, deadline=None)
most_thorough = settings(max_examples=3 * SHARED_GAMES, deadline=None)


def stand_moves(game: AnyGame, state: Any, drawn: list[Any]) -> Any:
    """The state after some moves, forbidden ones too; moves that cannot physically stand are skipped."""
    for move in drawn:
        if game.cannot_stand(state, move) is None:
            state = game.apply(state, move)
    return state


@every_game
def test_setup_is_deterministic(game: AnyGame) -> None:
    """The same setup gives the same table."""
    assert [game.setup(form) for form in setups(game.id)] == [game.setup(form) for form in setups(game.id)]


def test_what_only_goes_on_is_one_move() -> None:
    """A kind of move that only passes has no fields, reads back from its notation, and is never out of turn."""
    for game, kind in over((each, kind) for each in GAMES.values() for kind in each.pass_moves):
        assert not [member.name for member in fields(game.kinds[kind]) if member.init]
        move = game.kinds[kind]()
        assert game.read(game.write(move)) == move and kind not in game.out_of_turn


@every_game
def test_random_play_ends_without_a_dead_end(game: AnyGame) -> None:
    """Until the end there is a legal move, by the seat due or by nobody; after it there is none."""
    for state, move in over(step for played in shared_games(game) for step in played.steps):
        due = game.due(state)
        if move is None:
            assert due.ended is not None
            assert due.seat is None
            assert due.kinds == ()
            assert list(game.moves(state)) == []
        else:
            assert due.seat is None or due.seat in game.seats_of(state)
            assert due.ended is None
            assert type(move) in {game.kinds[kind] for kind in due.kinds}


@every_game
def test_every_listed_move_is_legal(game: AnyGame) -> None:
    """`moves` lists only legal moves, each once; its lists by kind add up to the whole list."""
    for state, _ in over(every_nth_step(game, 4)):
        listed = list(game.moves(state))
        assert len(set(listed)) == len(listed)
        assert [move for move in listed if not game.check(state, move).legal] == []
        by_kind = [move for kind in game.due(state).kinds for move in game.moves(state, (kind,))]
        assert Counter(by_kind) == Counter(listed)


@every_game
@most_thorough
@given(data=st.data(), chance=seeds())
def test_every_legal_move_is_listed(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """A random legal move has its entry in `moves`, also on tables where forbidden moves stood."""
    state = stand_moves(game, some_state(game, chance), data.draw(st.lists(moves(game), max_size=3)))
    listed = set(game.moves(state))
    for move in data.draw(st.lists(moves(game), min_size=5, max_size=20)):
        entry = stand_in(game, state, move)
        assert game.check(state, entry).legal == (entry in listed)
        assert entry in listed or not game.check(state, move).legal
    assert all(game.check(state, move).legal for move in listed)


@every_game
@most_thorough
@given(data=st.data(), chance=seeds())
def test_check_and_apply_change_nothing(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """`check` and `apply` do not change the given state, and return the same again."""
    state = some_state(game, chance)
    before = game.position(state)
    for move in over(data.draw(st.lists(moves(game), min_size=1, max_size=5))):
        verdict = game.check(state, move)
        assert game.check(state, move) == verdict
        assert verdict.legal == (not [f for f in verdict.findings if f.ruling is not Ruling.LEGAL])
        assert set(verdict.broken_rules) <= set(verdict.heard_rules)
        if game.cannot_stand(state, move) is None:
            assert game.apply(state, move) == game.apply(state, move)
        assert game.position(state) == before


@every_game
@thorough
@given(data=st.data(), chance=seeds())
def test_pieces_are_conserved(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """Any moves, forbidden ones too, leave a position without problems, such as a piece too many."""
    played = some_game(game, chance)
    state = stand_moves(game, played.some_state(chance), data.draw(st.lists(moves(game), max_size=4)))
    assert game.problems(played.form, game.position(state)) == ()


@every_game
@thorough
@given(data=st.data(), chance=seeds())
def test_positions_convert_back(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """A state's position, entered again, gives the same state."""
    played = some_game(game, chance)
    state = stand_moves(game, played.some_state(chance), data.draw(st.lists(moves(game), max_size=3)))
    entered = game.enter(played.form, game.position(state))
    assert entered == state


@every_game
@thorough
@given(data=st.data())
def test_notation_converts_back(game: AnyGame, data: st.DataObject) -> None:
    """A move that is written and read again is the same move."""
    move = data.draw(moves(game))
    assert game.read(game.write(move)) == move


@every_game
@thorough
@given(text=st.text(max_size=12))
def test_other_text_is_no_notation(game: AnyGame, text: str) -> None:
    """Any text is either malformed, with a known code, or a move that survives writing and reading."""
    try:
        move = game.read(text)
    except Malformed as malformed:
        code = malformed.code
    else:
        assert game.read(game.write(move)) == move
        return
    assert code in load(game.id, "text/en")["malformed"]


@every_game
def test_evidence_adds_up(game: AnyGame) -> None:
    """Each line's evidence adds up to its points, its rule is in the rulebook, and each player has a place."""
    rulebook = load(game.id, "rulebook")
    for state, _ in over(every_nth_step(game, 2)):
        for line in game.score(state):
            assert sum(fact.counts["points"] for fact in line.evidence) == line.points
            assert line.rule in rulebook
        places = game.ranking(state)
        assert sorted(seat for place in places for seat in place.seats) == sorted(game.seats_of(state))
        numbers = [place.place for place in places]
        assert set(numbers) == {None} or numbers == sorted(number for number in numbers if number is not None)


@every_game
@thorough
@given(data=st.data(), chance=seeds())
def test_points_are_those_of_the_lines(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """Points that a game counts without its lines equal the sums of the lines by player and rule, in their order: in
    play, after forbidden moves, and under any readings.
    """
    state = stand_moves(game, some_state(game, chance), data.draw(st.lists(moves(game), max_size=3)))
    readings = {reading.key: data.draw(st.sampled_from(reading.values)) for reading in game.readings}
    for table in over([state, game.with_readings(state, readings)]):
        by_lines = replace(game, points=None)
        assert _with_points(points_of(game, table)) == _with_points(points_of(by_lines, table))


def _with_points(points: Points) -> list[tuple[tuple[str, str], int]]:
    return [(of, n) for of, n in points.items() if n]


@every_game
@thorough
@given(data=st.data(), chance=seeds())
def test_the_player_on_move_is_whose_move_is_due(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """`player_on_move`, where a game has it, names the seat that `due` names, until the game ends."""
    state = some_state(game, chance)
    for table in over([state, stand_moves(game, state, data.draw(st.lists(moves(game), max_size=3)))]):
        due = game.due(table)
        told = due.seat if game.player_on_move is None else game.player_on_move(table)
        assert due.ended is not None or told == due.seat


@every_game
def test_effects_are_of_rules_and_add_up(game: AnyGame) -> None:
    """The effects of a legal move belong to rules of the rulebook, and are the same each time. Their points add up to
    the change of the score, and they tell the end exactly if the game ends.
    """
    rulebook = load(game.id, "rulebook")
    for state, move in over((state, move) for state, move in every_nth_step(game, 3) if move is not None):
        after = game.apply(state, move)
        told = effects_of(game, state, move, after)
        assert told == effects_of(game, state, move, after)
        assert {effect.rule for effect in told} <= rulebook.keys()
        assert not OF_EVERY_GAME & {effect.facts.code for effect in game.effects(state, move, after)}
        assert {effect.facts.ruling for effect in told} <= {Ruling.LEGAL}
        changed = dict.fromkeys(game.seats_of(state), 0)
        for effect in told:
            if effect.facts.code == POINTS:
                values: Any = effect.facts.values
                for seat, was, now in zip(values["seats"], values["was"], values["now"], strict=True):
                    changed[seat] += now - was
        before = totals(game, state)
        assert {seat: before[seat] + change for seat, change in changed.items()} == totals(game, after)
        assert (ENDED in [effect.facts.code for effect in told]) == (game.due(after).ended is not None)


def test_the_ranking_follows_the_points() -> None:
    """Where points decide a place, the better placed player has more points."""
    ends = [(game, played.steps[-1][0]) for game in GAMES.values() for played in shared_games(game)]
    places = [(totals(game, state), *pair) for game, state in ends for pair in pairwise(game.ranking(state))]
    for sums, better, worse in over(each for each in places if each[2].decided_by == "total"):
        assert min(sums[seat] for seat in better.seats) > max(sums[seat] for seat in worse.seats)


@every_game
@most_thorough
@given(data=st.data(), chance=seeds())
def test_every_finding_is_in_the_rulebook(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """A rule with a finding is in the rulebook as enforced."""
    rulebook = load(game.id, "rulebook")
    state = some_state(game, chance)
    tried = data.draw(st.lists(moves(game), min_size=1, max_size=10))
    heard = {finding.rule for move in tried for finding in game.check(state, move).findings}
    assert heard <= {rule for rule, entry in rulebook.items() if entry["status"] == "enforced"}


@every_game
@quick
@given(data=st.data(), chance=seeds())
def test_nearest_moves_are_legal(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """At most three moves are offered in place of a refused one, all legal and of its kind."""
    state = some_state(game, chance)
    move = data.draw(moves(game))
    offered = game.nearest(state, move)
    assert len(offered) <= 3
    assert all(type(other) is type(move) and game.check(state, other).legal for other in offered)


@every_game
@quick
@given(chance=seeds())
def test_a_reading_changed_and_changed_back_is_the_same_table(game: AnyGame, chance: Random) -> None:
    """Changing a reading and changing it back leaves the same score."""
    state = some_state(game, chance)
    for reading in over(game.readings):
        for value in over(reading.values):
            other = game.with_readings(state, {reading.key: value})
            assert other.readings[reading.key] == value
            assert game.score(game.with_readings(other, state.readings)) == game.score(state)
