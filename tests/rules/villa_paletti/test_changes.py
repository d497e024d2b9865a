"""Villa Paletti: what can be told of a villa against an earlier one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from rules.changes import Reachability, compare_positions
from rules.villa_paletti import GAME
from rules.villa_paletti.columns import Count, Group
from rules.villa_paletti.state import Setup
from tests.rules.table_pairs import agrees, tables_within, why

START = GAME.setup(Setup())


def test_columns_go_up_to_the_top_level_and_never_down() -> None:
    """A column that went down, one that stopped half-way, one that was unlocked, a floor that has gone."""
    up, half = Group("red", "big", 2), Group("red", "big", 1)
    columns = {group: count for group, count in START.columns.items() if group != Group("red", "big", 0)}
    raised = START._replace(columns={**columns, up: Count(1, 1)}, top=2)
    down = START._replace(columns={**columns, half: Count(1, 1)}, top=2)
    assert why(compare_positions(GAME, raised, down)) == {"VP-10"}
    assert why(compare_positions(GAME, START._replace(top=2), down)) == {"VP-10"}
    free = raised._replace(columns={**columns, up: Count(1, 0)})
    assert why(compare_positions(GAME, raised, free)) == {"VP-11"}
    assert "VP-15" in why(compare_positions(GAME, raised, START))


def test_what_has_left_the_game_does_not_come_back() -> None:
    """Nor does the seal become nobody's."""
    columns = {group: count for group, count in START.columns.items() if group != Group("red", "big", 0)}
    without = START._replace(columns=columns, out={("red", "big"): 1})
    assert why(compare_positions(GAME, without, START)) == {"VP-34"}
    assert why(compare_positions(GAME, START._replace(holder=1), START)) == {"VP-32"}


def test_a_plain_search_finds_the_same() -> None:
    """Of the villas one move on, and some in which something is other: possible are those that a move leads to."""
    seen: Counter[bool] = Counter()
    there = [GAME.position(each) for each in tables_within(GAME, START, 1)]
    for position in there[:: len(there) // 3]:
        others = (position, replace(position, due="yellow"), replace(position, holder="red", top=2))
        for entered in others:
            if not GAME.problems(Setup(), entered):
                seen[agrees(GAME, START, GAME.enter(Setup(), entered), there, 1)] += 1
    assert seen[True] and seen[False]


def test_a_collapse_at_an_objection_is_one_move() -> None:
    """The villa that fell in Blue's hands, at a floor of Red's: a way of one move. The control: Red has no column that
    anybody could object with, so that the villa cannot have fallen so, however far was looked.
    """
    fell = GAME.apply(START, GAME.read("floor ! blue red small 0 crash"))
    found = compare_positions(GAME, START, fell)
    (move,) = found.way
    assert GAME.write(move).startswith("floor ! blue red ") and GAME.apply(START, move) == fell
    assert [(change.what, change.piece.code, dict(change.piece.values)) for change in found.changes] == [
        ("added", "end", {"rule": "VP-16", "by": "blue", "winner": "nobody"})
    ]
    columns = {group: Count(count.n, count.n if group.colour == "red" else 0) for group, count in START.columns.items()}
    bound = START._replace(columns=columns)
    never = compare_positions(GAME, bound, bound._replace(ended=fell.ended))
    assert never.reachability is not Reachability.POSSIBLE and never.searched_depth > 1
