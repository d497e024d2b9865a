"""Fief: moves with any names of the table in any place, and tables where much stood that the rules forbid."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.fief import GAME
from rules.fief.data import COLOURS, Data, land
from rules.fief.state import Player, Setup, State
from tests.rules.fief.list_entries import stand_in
from tests.rules.fief.near_moves import move_to_try
from tests.rules.fief.ways import choose
from tests.rules.play import often, readings
from tests.support.loops import over

PRINTED_LAND = land(Data())
MOVES = often(120)
TRIES = 40


def a_setup(chance: Random) -> Setup:
    """Any players with any lords in any villages, under any readings."""
    number = chance.randint(3, 6)
    colours = chance.sample(COLOURS, number)
    lords = chance.sample((*PRINTED_LAND.men, *PRINTED_LAND.women), number)
    villages = chance.sample(PRINTED_LAND.villages, number)
    players = tuple(map(Player, colours, lords, villages))
    return Setup(players, readings=readings(GAME, chance))


def games(*, standing: float) -> Any:
    """States of games in which moves that the rules may forbid stand as often as this."""

    def played(chance: Random) -> list[tuple[Setup, State]]:
        form = a_setup(chance)
        state = GAME.setup(form)
        states = []
        for number in range(MOVES):
            states.append((form, state))
            move = move_to_try(state, chance) if chance.random() < standing else choose(state, chance, number)
            if move is None:
                break
            if GAME.cannot_stand(state, move) is None:
                state = GAME.apply(state, move)
        return states

    return st.integers(0, 2**32 - 1).map(Random).map(lambda chance: (chance, played(chance)))


slow = settings(max_examples=often(15), deadline=None)


@slow
@given(game=games(standing=0.3))
def test_every_legal_move_with_names_of_the_table_is_listed(game: tuple[Random, list[tuple[Setup, State]]]) -> None:
    """A move that checks legal has its entry in the list; the entry is listed exactly where it is legal itself."""
    chance, states = game
    for _, state in over(states[::4]):
        listed = set(GAME.moves(state))
        assert all(stand_in(state, move) in listed for move in listed)
        for move in (move_to_try(state, chance) for _ in range(TRIES)):
            entry = stand_in(state, move)
            assert GAME.check(state, entry).legal == (entry in listed), (move, entry)
            assert entry in listed or not GAME.check(state, move).legal, (move, entry)


@slow
@given(game=games(standing=0.6))
def test_whatever_stood_leaves_a_table_that_can_be_entered(game: tuple[Random, list[tuple[Setup, State]]]) -> None:
    """At every moment the position has no problems and is the same table again; somebody can go on, or it is over."""
    for form, state in over(game[1]):
        position = GAME.position(state)
        assert GAME.problems(form, position) == ()
        assert GAME.enter(form, position) == state
        assert GAME.due(state).ended or next(GAME.moves(state), None) is not None


@slow
@given(game=games(standing=0.3))
def test_check_has_an_answer_to_any_names(game: tuple[Random, list[tuple[Setup, State]]]) -> None:
    """Whatever is tried, a refused move has its findings, and the nearest moves are legal ones of its kind."""
    chance, states = game
    for _, state in over(states[::6]):
        for move in over(move_to_try(state, chance) for _ in range(5)):
            verdict = GAME.check(state, move)
            assert verdict.legal == (not verdict.broken_rules)
            offered = GAME.nearest(state, move)
            assert all(type(other) is type(move) and GAME.check(state, other).legal for other in offered)


@slow
@given(game=games(standing=0.1))
def test_the_dead_and_the_living_share_the_cards(game: tuple[Random, list[tuple[Setup, State]]]) -> None:
    """Every title is held by a living lord, and no lord is both dead and alive."""
    for _, state in over(game[1]):
        holders = {*state.titles.values(), *state.bishops.values(), *state.cardinals, *state.princes}
        holders |= {name for name in (state.pope, state.king, state.regent, state.arc) if name}
        assert holders <= state.lords.keys()
        assert not state.dead & state.lords.keys()
