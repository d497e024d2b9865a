"""Villefranche: what can be told of a town against an earlier one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from rules.changes import compare_positions
from rules.villefranche import GAME
from rules.villefranche.state import Piece, Position, Setup
from tests.rules.table_pairs import agrees, always_found, tables_within, why


def after(*moves: str) -> Position:
    """The position after some moves."""
    state = GAME.setup(Setup())
    for move in moves:
        state = GAME.apply(state, GAME.read(move))
    position: Position = GAME.position(state)
    return position


BEFORE = GAME.enter(Setup(), after("r b1c1", "r b9c9", "h c4"))


def rules_against(position: Position) -> set[str]:
    """The rules that make a position impossible from there on."""
    return why(compare_positions(GAME, BEFORE, GAME.enter(Setup(), position)))


def test_a_few_placements_are_always_found_and_never_undone() -> None:
    """Up to eight."""
    always_found(GAME, (1, 2, 3, 8))


def test_a_piece_that_has_gone_is_told_with_its_cell() -> None:
    """What has been placed stays."""
    position = after("r b1c1", "r b9c9", "h c5")
    found = compare_positions(GAME, BEFORE, GAME.enter(Setup(), position))
    assert why(found) == {"VF-6"}
    assert [(each.what, each.cells, each.to and each.to.cells) for each in found.changes] == [
        ("moved", ("c4", "c5"), ("c5",))
    ]
    assert [fact.cells for fact in found.why[0].facts.evidence] == [("c4",)]


def test_more_pieces_of_a_colour_than_its_turns_are_impossible() -> None:
    """Black is due with two placements, then White: two houses of White's alone are nobody's turn."""
    position = after("r b1c1", "r b9c9", "h c4")
    houses = {"d4": (Piece("cube", "white"),), "e4": (Piece("cube", "white"),)}
    assert rules_against(replace(position, cells={**position.cells, **houses})) == {"VF-4"}


def test_another_turn_than_the_pieces_tell_is_impossible() -> None:
    """The same pieces, and White due."""
    assert rules_against(replace(after("r b1c1", "r b9c9", "h c4"), due="white")) == {"VF-4"}


def test_every_order_of_what_no_order_allows_is_tried() -> None:
    """A rampart is missing in each turn: no rule speaks against the pieces alone, and no order of them is legal."""
    position = after("r b1c1", "r b9c9", "h c4")
    houses = {"d4": (Piece("cube", "black"),), "c6": (Piece("cube", "black"),)}
    found = compare_positions(
        GAME, BEFORE, GAME.enter(Setup(), replace(position, cells={**position.cells, **houses}, due="white"))
    )
    assert (why(found), found.searched_depth) == (set(), 2)


def test_a_plain_search_finds_the_same() -> None:
    """Of the towns two moves on, with a piece taken or the turn changed: possible are those that all moves lead to."""
    chance, seen = Random(7), Counter[bool]()
    for start in (("r b1c1", "r b9c9"), ("r b1c1", "r b9c9", "h c4", "r d1e1", "t a1", "r d9e9")):
        state = GAME.enter(Setup(), after(*start))
        there = [GAME.position(each) for each in tables_within(GAME, state, 2)]
        for position in chance.sample(there, 8):
            for entered in (position, *_changes(position)):
                if not GAME.problems(Setup(), entered):
                    seen[agrees(GAME, state, GAME.enter(Setup(), entered), there, 2)] += 1
    assert min(seen[True], seen[False]) > 10


def _changes(position: Position) -> Iterator[Position]:
    """The position with something else in it."""
    for cell in list(position.cells)[:4]:
        yield replace(position, cells={other: it for other, it in position.cells.items() if other != cell})
    yield replace(position, due="white" if position.due == "black" else "black")
