"""Villefranche: the table that is kept beside the stacks, against the stacks read anew and counted by hand."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings

from rules.villefranche import GAME
from rules.villefranche.board import INDEX, NAMES, RING
from rules.villefranche.counting import around, influence
from rules.villefranche.moves import KINDS, House, Move, Nave, NobleStorey, OnTwo, Roof
from rules.villefranche.pieces import read_table
from rules.villefranche.state import SUPPLY, Setup, State
from tests.rules.play import often
from tests.rules.villefranche.tables import ALL_MOVES, CELLS, tables
from tests.support.loops import over

quick = settings(max_examples=often(40), deadline=None)
TOUCHING = [
    form((first, second))
    for form in KINDS.values()
    if issubclass(form, OnTwo)
    for first in CELLS
    for second in CELLS
    if first < second and form((first, second)).pair
]
ALL_MOVES += TOUCHING


@quick
@given(tables)
def test_the_sets_are_what_the_stacks_say(state: State) -> None:
    """A piece that changes the sets at once leaves them as they are read from the stacks."""
    towns, walls, laid, corners = read_table(state.stacks)
    assert (towns, walls, laid, corners) == (state.towns, state.walls, state.rampart_count, state.corners)


GROWTHS: list[tuple[list[Move], list[Move]]] = [
    ([Nave(("d4", "e4"))] * 2, [Nave(("c6", "c7"))] * 2),
    ([House("c3"), Roof("c3")], [House("g6"), Roof("g6")]),
    ([NobleStorey("c3")] * 3, [NobleStorey("g6")] * 3),
]


@pytest.mark.parametrize("grown", GROWTHS, ids=lambda grown: grown[0][0].kind)
def test_the_sets_are_what_the_stacks_say_while_two_buildings_grow(grown: tuple[list[Move], list[Move]]) -> None:
    """A player's two buildings of a kind grow piece by piece, in every order: each is what stands there."""
    number = len(grown[0])
    for order in over(set(permutations([0] * number + [1] * number))):
        state, left = GAME.turn_of(GAME.setup(Setup()), "black"), [iter(pieces) for pieces in grown]
        for which in over(order):
            state = GAME.turn_of(GAME.apply(state, next(left[which])), "black")
            assert read_table(state.stacks) == (state.towns, state.walls, state.rampart_count, state.corners)


@quick
@given(tables)
def test_forty_pieces_a_colour(state: State) -> None:
    """What is in supply and what stands on the table are ten of each piece, each colour."""
    entered = GAME.position(state)
    for colour, town in over(zip(("black", "white"), state.towns, strict=True)):
        left = {"brick": town.bricks, "cube": town.cubes, "pyramid": town.pyramids, "cylinder": town.cylinders}
        for piece, number in over(SUPPLY.items()):
            halves = sum((p.piece, p.colour) == (piece, colour) for stack in entered.cells.values() for p in stack)
            assert left[piece] + (halves // 2 if piece == "brick" else halves) == number


@quick
@given(tables)
def test_the_majority_counts_every_piece_on_every_neighbouring_cell(state: State) -> None:
    """`VF-5`: the counts around each site of one or two cells are those of the pieces that stand there."""
    stacks = {INDEX[cell]: stack for cell, stack in GAME.position(state).cells.items()}
    colours = ("black", "white") if state.player == 0 else ("white", "black")
    for site, ring in over(RING.items()):
        pieces = [piece for cell in ring for piece in stacks.get(cell, ())]
        own, opponent = (sum(piece.colour == colour for piece in pieces) for colour in colours)
        assert influence(state, site) == (own, opponent)
        shown = around(state, site)
        assert sum(fact.counts[colours[0]] for fact in shown) == own
        assert sum(fact.counts[colours[1]] for fact in shown) == opponent


@settings(max_examples=often(40), deadline=None)
@given(tables)
def test_the_list_is_all_that_is_legal(state: State) -> None:
    """Every placement there is, asked one by one: the legal ones are the listed ones."""
    legal = {move for move in ALL_MOVES if GAME.check(state, move).legal}
    assert legal == set(GAME.moves(state))


def test_a_site_of_two_cells_has_ten_neighbours() -> None:
    """Eight around one inner cell, ten around two."""
    assert len(RING[(INDEX["d4"],)]) == 8
    assert len(RING[INDEX["d4"], INDEX["e4"]]) == 10
    assert sorted(NAMES[cell] for cell in RING[(INDEX["a1"],)]) == ["a2", "b1", "b2"]
