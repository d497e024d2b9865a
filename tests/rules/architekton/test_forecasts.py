"""Architekton: what is told ahead comes true when one plays on, and on tables made level by hand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from rules import load
from rules.architekton import GAME
from rules.architekton.moves import Building, Keep, Land, Take
from rules.architekton.state import State
from rules.architekton.tiles import AROUND, LETTER
from tests.rules.forecasts_in_play import ahead, assert_tie, assert_told_before_the_end, end_of, playthroughs
from tests.rules.play import AnyGame
from tests.support.case_states import stage
from tests.support.loops import over

TURNS = ("AR-30.turns", "AR-30.after_this", "AR-30.tiles", "AR-34.one")
TABLES = (
    (
        # AR-33: a chip each; Light has two houses apart, a point; Dark makes up for it with a single one.
        [
            "light (2,0) landscape W",
            "light (0,2) landscape E",
            "light (3,1) landscape F",
            "light (4,0) landscape E",
            "light (1,0) building F W M E",
            "light (3,0) building F E M W",
        ],
        ["dark (0,1) building E F E W"],
        "AR-33",
        "light",
    ),
)
"""Pieces that are put down, those that make points level, the rule that decides then, and for whom."""


@pytest.mark.parametrize(("put", "level", "rule", "winner"), TABLES)
def test_a_tie_told_comes_out_so(put: list[str], level: list[str], rule: str, winner: str) -> None:
    """Who would be first at equal points, told while somebody leads, is first once points are level."""
    assert_tie(GAME, put, level, rule, winner)


def test_what_may_end_a_game_is_told() -> None:
    """Before the move that ends a game, the rule that ends it has told that it may come soon."""
    assert_told_before_the_end(GAME, sudden=(), cases=["AR-21", "AR-22", "AR-23", "AR-25"])


def test_it_ends_after_the_turns_told() -> None:
    """So many turns are left, unless somebody cannot pay or both lay nothing; tiles laid begin the last ones."""
    seen = set()
    for told, steps in ahead(GAME, *TURNS, cases=["AR-30", "AR-34"]):
        values: Any = told.facts.values
        code, rule = told.facts.code, end_of(GAME, steps).rule
        state = steps[0][0]
        seen.add(code)
        if code == "one":
            move = steps[0][1]
            assert move.kind != "pass" or rule in ("AR-34", "AR-30")
            continue
        turns = sum(one[0].player != other[0].player for one, other in pairwise(steps))
        last = next((after for after, _ in steps if after.left is not None), None)
        if code == "turns" and rule == "AR-30":
            assert turns == values["n"]
        elif code == "after_this" and last is not None:
            assert last.left == values["n"] and last.player != state.player
        elif code == "tiles" and last is not None:
            before = [after for after, _ in steps if after.left is None and after.laid == 0][-1:]
            for after, begun in (*((each, False) for each in before), (last, True)):
                laid = (
                    after.building_count - state.building_count,
                    len(after.tiles) - after.building_count - (len(state.tiles) - state.building_count),
                )
                reached = laid[0] >= values["buildings"] or laid[1] >= values["landscapes"]
                assert reached is begun, (values, laid)
    assert seen >= {"turns", "tiles", "after_this", "one"}, seen


def test_it_is_lost_with_the_landscape_told() -> None:
    """Whoever surrounds the building, with whatever may lie there, its owner has lost: whatever the answer, or if the
    house stays, as it is told.
    """
    seen = {"loses": 0, "must_match": 0, "must_take": 0}
    for told, steps in ahead(GAME, *(f"AR-22.{code}" for code in seen), cases=["AR-21", "AR-22", "AR-40"], nth=3):
        values: Any = told.facts.values
        state, code = steps[0][0], told.facts.code
        free = told.facts.evidence[1].cells[0]
        moves = GAME.moves(state, ("landscape",)) if GAME.phase(state) == "turn" else iter(())
        for move in moves:
            if not isinstance(move, Land) or move.cell != free:
                continue
            if code != "loses" and move.landscape == values["landscape"]:
                continue
            after = GAME.apply(state, move)
            cell = after.pending[0].cell if after.pending else move.cell
            asked = bool(after.pending) and after.pending[0].answer is None
            ends = [GAME.apply(after, Keep(cell)), GAME.apply(after, Take(cell))] if asked else [after]
            stays = (True, False) if asked else (not move.take,)
            for end, kept in zip(ends, stays, strict=True):
                assert loser(end) == (values["colour"] if kept or code != "must_take" else None), (move, values)
            seen[code] += 1
    assert all(seen.values()), seen


def loser(state: State) -> str | None:
    """Who could not pay, if that has ended the game."""
    ended = GAME.due(state).ended
    return str(ended.values["colour"]) if ended is not None and ended.rule == "AR-22" else None


def losers(state: State) -> set[str]:
    """Who may have lost once all is answered."""
    if GAME.phase(state) == "answer":
        return set().union(*(losers(GAME.apply(state, move)) for move in GAME.moves(state)))
    found = loser(state)
    return set() if found is None else {found}


def may_lose(state: State) -> dict[str, set[str]]:
    """Whom it is told of that soon they may not be able to pay, each with the codes of the sentences."""
    found: dict[str, set[str]] = {}
    for told in GAME.forecasts(state):
        if told.rule == "AR-22":
            values: Any = told.facts.values
            for colour in values.get("colours", (values.get("colour"),)):
                found.setdefault(colour, set()).add(told.facts.code)
    return found


def test_whoever_may_not_be_able_to_pay_is_told() -> None:
    """Of each legal entry after which a player may have lost, whatever is answered, that player has been told."""
    seen: Counter[str] = Counter()
    for steps in over(playthroughs(GAME, "AR-21", "AR-22", "AR-23", "AR-25")):
        for state, move in steps[-5:]:
            told = may_lose(state)
            for legal in GAME.moves(state) if move is not None else ():
                lost = losers(GAME.apply(state, legal))
                assert lost <= told.keys(), (GAME.write(legal), told)
                seen.update(code for colour in lost for code in told[colour])
    assert seen.keys() == {"loses", "must_match", "must_take", "together", "gap", "owes"}, seen


def test_what_is_told_of_payments_may_come() -> None:
    """The control: a tile on the cell told, with its player to lay it, is lost; so is one of the answers waited for."""
    seen: Counter[str] = Counter()
    for told, steps in ahead(GAME, *(f"AR-22.{code}" for code in ("together", "gap", "owes")), cases=["AR-23"], nth=2):
        values: Any = told.facts.values
        state, code = steps[0][0], told.facts.code
        cells = [cell for fact in told.facts.evidence for cell in fact.cells]
        for colour in values.get("colours", (values.get("colour"),)):
            assert colour in (losers(state) if code == "owes" else lost_by_a_tile(state, colour, cells, values))
            seen[code] += 1
    assert len(seen) == 3, seen


def lost_by_a_tile(state: State, colour: str, cells: list[Any], values: Any) -> set[str]:
    """Who may lose once a player lays the tile told on the last of some cells, and lets all houses stay."""
    turn, (*own, cell) = GAME.turn_of(state, colour), cells
    keep = tuple(own)
    if "landscape" in values:
        order = (*own, *(near for near in AROUND[cell] if near in state.houses and near not in own))
        return losers(GAME.apply(turn, Land(cell, values["landscape"], order, keep)))
    first, *others = values["sides"]
    letters = "".join((LETTER[first], *("EMWF"[("EMWF".index(LETTER[each]) + 1) % 4] for each in others)))
    source = None if turn.supply[turn.player] else next(at for at, by in turn.houses.items() if by == turn.player)
    return losers(GAME.apply(turn, Building(cell, letters, source, (), (cell,))))


@pytest.mark.parametrize(
    ("chips", "landscapes", "codes"),
    [
        # A building F W M E; three landscapes lie around it, the west is open.
        ((1, 1), "FWM", {}),
        ((1, 1), "FWE", {"light": {"must_take"}}),
        ((1, 1), "FEE", {"light": {"must_match"}}),
        ((1, 1), "WEE", {"light": {"loses"}}),
        ((0, 1), "FWM", {"light": {"must_take"}}),
        ((3, 1), "WEE", {"light": {"must_take"}}),
        ((4, 1), "WEE", {}),
    ],
)
def test_payments_by_hand(chips: tuple[int, int], landscapes: str, codes: dict[str, set[str]]) -> None:
    """What is told of a building of Light that lacks one landscape: by the sides that differ already, and the chips."""
    around = dict(zip(AROUND[1, 0], landscapes, strict=False))
    game: AnyGame = GAME
    start: Any = stage(game, {}, load(game.id, "cases"))
    state: State = start._replace(tiles={**around, (1, 0): "FWME"}, houses={(1, 0): 0}, chips=chips)
    assert may_lose(state) == codes


def test_of_two_payments_the_western_one_is_told_first() -> None:
    """Two buildings that lack one landscape each are told from west to east, whichever was laid first."""
    game: AnyGame = GAME
    start: Any = stage(game, {}, load(game.id, "cases"))
    west, east = (1, 0), (6, 1)
    tiles = {near: "W" for cell in (west, east) for near in AROUND[cell][:3]} | {west: "FEEM", east: "FEEM"}
    told = []
    for houses in ({west: 0, east: 0}, {east: 0, west: 0}):
        state: State = start._replace(tiles=tiles, houses=houses, chips=(1, 1))
        told.append([each.facts.evidence[0].cells for each in GAME.forecasts(state) if each.rule == "AR-22"])
    assert told[0] == told[1] == [(west,), (east,)]
