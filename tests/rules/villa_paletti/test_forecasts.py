"""Villa Paletti: what is told ahead comes true when one plays on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

from rules.villa_paletti import GAME
from rules.villa_paletti.columns import RED_FLOOR, VALUE
from rules.villa_paletti.seal import colour_or_nobody
from rules.villa_paletti.state import State
from tests.rules.forecasts_in_play import ahead, assert_told_before_the_end, case_states
from tests.rules.play import SEED, AnyGame, every_nth_step, often, random_game
from tests.support.loops import over

GAMES = often(180)
"""Random games, of which some end because nobody can build."""
EXAMPLES = often(60)
MAX_TRIED = 6
"""Every way is tried where so many columns of the players may still be moved up or locked."""
OF_A_TURN = 2
"""No turn takes more of these: one that is tried is locked, another one is taken; or the asker moves then."""


def test_what_may_end_a_game_is_told() -> None:
    """Before the move that ends a game, the rule that ends it has told that it may come soon.

    That nobody can build may be said at any time, without a sign; not where the engine says it.
    """
    assert_told_before_the_end(GAME, sudden={"VP-16", "VP-17"})
    seen: Counter[str] = Counter()
    for before in over(games_that_ran_out()):
        assert soon(before), before
        seen["no floor" if before.top == RED_FLOOR else "a floor left"] += 1
    assert seen["a floor left"] > GAMES // 20


def games_that_ran_out() -> Iterator[State]:
    """The last state but one of random games that ended because nobody could build, without anybody's saying so."""
    game: AnyGame = GAME
    for number in range(GAMES):
        *_, (before, _), (after, _) = random_game(game, Random(f"{SEED} villa runs out {number}"))
        if after.ended is None:
            yield before


def soon(state: State) -> bool:
    """Whether it is told that soon nobody may be able to build."""
    return any(told.soon for told in GAME.forecasts(state) if told.rule == "VP-17")


def test_soon_is_this_turn_or_the_next() -> None:
    """It is told exactly where legal moves of this turn and the next lead there, all of them tried without order."""
    seen: Counter[tuple[bool, bool]] = Counter()
    game: AnyGame = GAME
    for number in range(EXAMPLES):
        steps = list(random_game(game, Random(f"{SEED} villa soon {number}")))[-6:-1]
        for state, _ in steps:
            if own_columns(state) <= MAX_TRIED:
                can = runs_out(state, 2, {})
                assert soon(state) == can, state
                seen[can, state.top == RED_FLOOR] += 1
    assert seen[True, False] > EXAMPLES // 3 and seen[False, False] > EXAMPLES // 3


def runs_out(state: State, turns: int, known: dict[Any, bool]) -> bool:
    """Whether so many turns can end the game because nobody can build."""
    key = (frozenset(state.columns.items()), state.top, state.player, state.own, state.asked, turns)
    if key not in known:
        known[key] = False
        kinds = [kind for kind in GAME.kinds if kind not in ("crash", "end")]
        for after in (GAME.apply(state, move) for move in GAME.moves(state, kinds)):
            left = turns - (not after.own and not after.asked)
            if GAME.due(after).ended is not None or (
                left and own_columns(after) <= OF_A_TURN * left and runs_out(after, left, known)
            ):
                known[key] = True
                break
    return known[key]


def own_columns(state: State) -> int:
    """The players' columns below the top level that are not locked."""
    free = (group for group in state.columns if group.level < state.top and group.colour != state.neutral)
    return sum(state.columns[group].n - state.columns[group].locked for group in free)


def test_it_is_won_as_told() -> None:
    """Whoever brings the villa down, the one told wins; a column takes the seal with the points told, no fewer."""
    seen = {"would": 0, "would_nobody": 0, "nobody": 0, "early": 0, "short": 0}
    game: AnyGame = GAME
    for state in chain((state for state, _ in every_nth_step(game, 7)), case_states(game, "VP-10", "VP-31", "VP-40")):
        if game.due(state).ended is not None:
            continue
        for told in game.forecasts(state):
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
                        took = colour_or_nobody(after, after.holder) == name
                        assert took == (VALUE[column.shape] >= n)
                        seen[code] += 1
    assert all(seen.values()), seen


def test_it_has_no_more_columns_than_told() -> None:
    """Once the last floor lies, no more columns are moved or locked than were told; those without one move none."""
    seen = 0
    for told, steps in ahead(GAME, "VP-17.columns", "VP-17.floor", "VP-10.none", cases=["VP-12"], nth=3):
        values: Any = told.facts.values
        if told.facts.code == "columns":
            kinds = [move.kind for _, move in steps if move is not None]
            assert sum(kind in ("column", "abort", "neutral", "neutral_abort") for kind in kinds) <= values["n"]
            seen += 1
        elif told.facts.code == "floor":
            laid = next((n for n, (state, _) in enumerate(steps) if state.top > steps[0][0].top), len(steps))
            kinds = [move.kind for _, move in steps[:laid] if move is not None]
            assert sum(kind in ("column", "abort", "neutral", "neutral_abort") for kind in kinds) <= values["n"]
            seen += 1
        else:
            game, names = GAME, values["colours"]
            for name in names:
                turn = game.turn_of(steps[0][0], str(name))
                assert not list(game.moves(turn._replace(own=turn.neutral is not None), ("column",)))
    assert seen
