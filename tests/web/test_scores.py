"""The points on the board: where each of them comes from, without a word of which game it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from random import Random

import pytest

from rules import GAMES
from rules.kernel import Fact, Line
from service import rulings
from service.ledger import Ledger
from tests.rules.play import random_game
from tests.web.conftest import Visitor
from web import scores
from web.boards import drawings

LATE = 100
"""So many moves are looked at of a game."""


@pytest.mark.parametrize("name", drawings())
def test_every_point_is_on_its_cell(name: str) -> None:
    """At any time, what stands on the cells adds up, player by player, to all points that come from a cell."""
    game = GAMES[name]
    for state, _ in islice(random_game(game, Random(1)), 0, LATE, 10):
        sheet = rulings.sheet(game, state)
        found: Counter[str] = Counter()
        for fact in scores.overview(sheet.lines):
            assert len(fact.cells) == 1
            found.update(fact.counts)
        for seat, lines in sheet.lines.items():
            facts = [fact for line in lines for fact in line.evidence if fact.cells]
            assert found[seat] == sum(fact.counts.get("points", 0) for fact in facts)


def test_points_of_a_group_stand_on_each_of_its_cells() -> None:
    """As many points as cells are one on each; else they stand on the first together, with all others of the player."""
    lines = {
        "red": (
            Line("red", "A", 2, (Fact(("a", "b"), {"points": 2}),)),
            Line("red", "B", 4, (Fact(("b", "c"), {"points": 3}), Fact((), {"points": 1}))),
        ),
        "blue": (Line("blue", "A", 5, (Fact(("b",), {"points": 5}),)),),
    }
    assert {fact.cells: dict(fact.counts) for fact in scores.overview(lines)} == {
        ("a",): {"red": 1},
        ("b",): {"red": 4, "blue": 5},
    }


def test_points_are_on_the_board_at_the_end(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Once the game is over, the board shows the points of both players; the score does at any time, or one line's.

    Gil has points on eight tiles and Yann on ten.
    """
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/knights_decide")
    badges = [f"badge seat-{seat}" for seat in ("green", "yellow")]
    for path in (table, f"{table}/score"):
        classes = [attributes.get("class") for _, attributes in guest.see(path).elements]
        assert [classes.count(badge) for badge in badges] == [8, 10]
    lit = guest.see(f"{table}/score?show=RK-31.green")
    assert [attributes.get("class") for _, attributes in lit.elements].count("badge") == 8
    going = guest.sit(ledger, "robber_knights/knights_decide", 20)
    assert "badge" not in guest.get(going).text
