"""Villa Paletti: what is told ahead comes true when one plays on."""

from __future__ import annotations

from itertools import chain
from typing import Any

from rules.villa_paletti import GAME
from rules.villa_paletti.columns import VALUE
from rules.villa_paletti.seal import called
from tests.rules.play import AnyGame, every_nth_step
from tests.rules.told import ahead, assert_told_before_the_end, case_states


def test_what_may_end_a_game_is_told() -> None:
    """Before the move that ends a game, the rule that ends it has told that it may come soon."""
    assert_told_before_the_end(GAME, sudden={"VP-16", "VP-17"})


def test_it_is_won_as_told() -> None:
    """Whoever brings the villa down, the one told wins; a column takes the seal with the points told, no fewer."""
    seen = {"would": 0, "would_nobody": 0, "nobody": 0, "early": 0, "short": 0}
    game: AnyGame = GAME
    for state in chain((state for state, _ in every_nth_step(game, 7)), case_states(game, "VP-10", "VP-31", "VP-40")):
        if game.due(state).ended is not None:
            continue
        for told in game.foretold(state):
            values: Any = told.facts.values
            code = told.facts.code
            if told.rule == "VP-40":
                for hand in game.seats_of(state):
                    ended = game.due(game.apply(state, game.read(f"crash {hand}"))).ended
                    holder = values.get("holder", "nobody")
                    best = values["winner"] if hand == holder else holder
                    assert ended is not None and ended.values["winner"] == best
                seen[code] += 1
            elif told.rule == "VP-31":
                names = values["colours"]
                points = values["points"]
                for name, n in zip(names, points, strict=True):
                    turn = game.turn_of(state, str(name))
                    for column in game.moves(turn._replace(own=turn.neutral is not None), ("column",)):
                        after = game.apply(turn, column)
                        took = called(after, after.holder) == name
                        assert took == (VALUE[column.shape] >= n)
                        seen[code] += 1
    assert all(seen.values()), seen


def test_it_has_no_more_columns_than_told() -> None:
    """Once the last floor lies, no more columns are moved or locked than were told; those without one move none."""
    seen = 0
    for told, steps in ahead(GAME, "VP-17.columns", "VP-10.none", cases=["VP-12"], nth=3):
        values: Any = told.facts.values
        if told.facts.code == "columns":
            kinds = [move.kind for _, move in steps if move is not None]
            assert sum(kind in ("column", "abort", "neutral", "neutral_abort") for kind in kinds) <= values["n"]
            seen += 1
        else:
            game, names = GAME, values["colours"]
            for name in names:
                turn = game.turn_of(steps[0][0], str(name))
                assert not list(game.moves(turn._replace(own=turn.neutral is not None), ("column",)))
    assert seen
