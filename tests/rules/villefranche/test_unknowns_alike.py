"""Villefranche with many unknown cells: what counts as one filling, what is told of all, and how much it costs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from random import Random
from typing import Any

import pytest

from rules.kernel import Bounds, Effect, Ruling, hear
from rules.steps import at_most
from rules.unknowns import MOST_CHECKS, Filling, TooMany
from rules.villefranche import GAME
from service import wire
from service.budget import BUDGET
from tests.rules.play import SEED, often, shared_game
from tests.rules.villefranche.test_unknowns import COLUMNS, KINDS, RULES, SETUP, ask, house, piece, read, tower

QUESTIONS = often(24)
MOST = 300
"""So many fillings of a question are heard one by one."""
LINE = [f"{x}{y}" for x in COLUMNS for y in range(1, 10)]


# --- what is alike -----------------------------------------------------------------------------------------------


def questions(chance: Random, number: int) -> Iterator[tuple[Any, Any, Sequence[Any]]]:
    """States of random games, with a move, and `number` unknown cells on its site and around it, and one anywhere."""
    for _ in range(QUESTIONS):
        played = shared_game(GAME.id, chance.randrange(3))
        state, move = chance.choice(played.steps[len(played.steps) // 3 : -1])
        cell = str(GAME.cells_of(move)[-1])
        if chance.random() < 0.5:
            move = GAME.kinds[chance.choice(KINDS)](cell)
        x, y = COLUMNS.index(cell[0]), int(cell[1])
        near = [f"{COLUMNS[a]}{b}" for a in (x - 1, x, x + 1) for b in (y - 1, y, y + 1) if 0 <= a < 9 and 0 < b < 10]
        position = wire.plain(GAME.position(state))
        some = {*chance.sample(near, min(number, len(near))), chance.choice(LINE)} - {"e5"}
        told = {"due": position["due"], "enclosed": chance.choice((True, None))}
        entered = read({**position["cells"], **dict.fromkeys(some, "?")}, **told)
        known = RULES.known(SETUP, entered)
        if not GAME.problems(SETUP, known):
            state = GAME.enter(SETUP, known)
            yield state, move, RULES.matter(state, move, RULES.cells(SETUP, entered))


def said(state: Any, move: Any, cells: Sequence[Any], filling: Filling) -> Any:
    """What is said of a filling, but for the evidence on unknown cells; None where it cannot stand."""
    filled = RULES.fill(state, filling)
    if filled is None:
        return None
    verdict = hear(GAME.book[GAME.phase(filled), type(move)], filled, move)
    findings = [
        (rule, facts.code, dict(facts.values), [fact for fact in facts.evidence if not {*fact.cells} & {*cells}])
        for rule, facts in verdict.findings
    ]
    return verdict.ruling, verdict.silent, findings


def unlike(chance: Random, alike: Callable[..., Callable[[Filling], Hashable]]) -> tuple[int, int]:
    """Of how many fillings something else is said than of another that is alike; and how many were alike."""
    others = merged = 0
    for state, move, cells in questions(chance, 3):
        seen: dict[Hashable, Any] = {}
        sort = alike(state, move, cells)
        assert RULES.fillings is not None
        try:
            every = list(RULES.fillings(state, move, cells))
        except TooMany:
            continue
        for filling in chance.sample(every, min(len(every), MOST)):
            key, now = sort(filling), said(state, move, cells, filling)
            merged += key in seen
            others += seen.setdefault(key, now) != now
    return others, merged


def test_of_alike_fillings_the_same_is_said() -> None:
    """One that is heard stands for all; many are."""
    assert RULES.alike is not None
    others, merged = unlike(Random(f"{SEED} alike"), RULES.alike)
    assert others == 0
    assert merged > QUESTIONS * 10


@pytest.mark.parametrize("forgotten", [1, 2])
def test_what_is_forgotten_shows(forgotten: int) -> None:
    """The control: without what is looked at itself, or without what is counted, something else is said of some."""

    def alike(state: Any, move: Any, cells: Sequence[Any]) -> Callable[[Filling], Hashable]:
        assert RULES.alike is not None
        whole: Callable[[Filling], Any] = RULES.alike(state, move, cells)
        return lambda filling: tuple(part for place, part in enumerate(whole(filling) or ()) if place != forgotten)

    assert unlike(Random(f"{SEED} alike"), alike)[0] > 0


# --- what is told of all -----------------------------------------------------------------------------------------


def effect(effects: Sequence[Effect], rule: str) -> Effect | None:
    """The effect of a rule."""
    return next((each for each in effects if each.rule == rule), None)


def test_as_many_of_either_colour_may_be_around() -> None:
    """On four cells two towers of each may stand: six to six. And three of White's beside a known house are as many."""
    said = ask({"b4": "?", "b5": "?", "b6": "?", "c4": "?"}, "h c5")
    assert effect(said.effects, "VF-22") is None, "it may be as many, or more"
    lead = {f"d{row}": tower("black") for row in (4, 6)} | {"d5": house("black"), "c6": tower("black")}
    told = effect(ask({**lead, "b4": "?", "b5": "?", "b6": "?"}, "h c5").effects, "VF-22")
    assert told is not None
    assert (told.facts.values["own"], told.facts.values["opponent"]) == (Bounds(10, 19), Bounds(0, 9))


def test_pieces_left_are_told_where_none_can_be_on_what_is_unknown() -> None:
    """On a corner stand cylinders only: the cubes are counted; not where a cell of the town is unknown."""
    told = effect(ask({"a1": "?", "g7": house("black")}, "h c5").effects, "VF-6")
    assert told is not None
    assert told.facts.values["n"] == 8
    assert effect(ask({"g8": "?", "g7": house("black")}, "h c5").effects, "VF-6") is None


def test_the_gates_are_told_where_the_town_is_unknown() -> None:
    """Who holds a gate depends on the enclosure alone."""
    bricks = {"c1": "d1", "e1": "f1", "g1": "h1"}
    halves = {**bricks, **{there: here for here, there in bricks.items()}}
    walls = {cell: [piece("brick", "black", other)] for cell, other in halves.items()}
    told = {**walls, "i1": [piece("cylinder", "black")] * 2, "a1": [piece("cylinder", "black")]}
    more = {"enclosed": None, "placement": 2}
    held = effect(ask({**told, "c5": "?"}, "t a1", **more).effects, "VF-60")
    assert held is not None
    assert held.facts.values["gate"] == "b1"
    assert effect(ask({**told, "a5": "?"}, "t a1", **more).effects, "VF-60") is None


# --- how much it costs -------------------------------------------------------------------------------------------


MOVES = ("h c5", "s c5", "n c5", "e c5c6", "b c5", "r b1c1", "t a1")


def around(number: int) -> list[str]:
    """So many cells, from c5 on, the nearest first."""
    far = {cell: max(abs(COLUMNS.index(cell[0]) - 2), abs(int(cell[1]) - 5)) for cell in LINE if cell != "e5"}
    return sorted(far, key=lambda cell: (far[cell], cell))[:number]


@pytest.mark.parametrize(("number", "most"), [(2, 60), (6, 800), (9, 1_200), (80, MOST_CHECKS // 2)])
@pytest.mark.parametrize("move", MOVES)
def test_many_unknown_cells_take_few_checks(move: str, number: int, most: int) -> None:
    """And so few steps that no request is refused for them, with the readings that may be tried."""
    with at_most(BUDGET // 2) as effort:
        told = ask(dict.fromkeys(around(number), "?"), move)
    assert told.checks <= most
    assert effort.spent <= 12 * most + 400
    assert bool(told.needs) == (told.verdict.ruling is Ruling.UNPROVEN)


@pytest.mark.parametrize("move", MOVES)
def test_a_whole_board_may_be_unknown(move: str) -> None:
    """Where nothing at all was entered, the answer names what to look at."""
    with at_most(BUDGET // 2):
        told = ask({}, move, rest="unknown")
    assert told.verdict.ruling is Ruling.UNPROVEN
    assert told.needs


def test_eight_cells_are_decided_where_only_the_majority_is_asked() -> None:
    """Whatever stands around the house: each of them may decide, and nothing is left undecided."""
    around_it = dict.fromkeys(sorted(set(around(9)) - {"c5"}), "?")
    told = ask({**around_it, "c5": house("black"), "g7": house("white")}, "s c5")
    assert (told.exact, told.verdict.ruling, set(told.needs)) == (True, Ruling.UNPROVEN, set(around_it))
