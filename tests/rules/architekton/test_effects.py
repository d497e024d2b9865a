"""Architekton: what is told of a move, against what a player sees on the table before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from random import Random
from typing import Any

from rules import load
from rules.architekton import GAME
from rules.architekton.effects import effects
from rules.architekton.moves import Move
from rules.architekton.state import Position, State
from rules.effects import OF_EVERY_GAME
from rules.forms import plain
from rules.kernel import Effect
from tests.rules.play import SEED, every_nth_step
from tests.support.json_forms import read_setup
from tests.support.loops import over
from tests.support.records import RECORD_PATHS, notations_of, record_of

Cell = tuple[int, int]
Step = tuple[State, Move, State]
FOREIGN_MOVES = 10
"""Moves of other games that are tried at a table, most of them forbidden there."""


# --- what a player sees ------------------------------------------------------------------------------------------


def letters(position: Position) -> dict[Cell, str]:
    """Each landscape by its letter."""
    return {tile.cell: tile.landscape[0].upper() for tile in position.landscapes}


def facing(position: Position, cell: Cell) -> list[str]:
    """The landscapes north, east, south and west of a cell, "" where there is none."""
    x, y = cell
    lands = letters(position)
    return [lands.get(near, "") for near in ((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y))]


def landscapes_beside(position: Position) -> dict[Cell, int]:
    """How many landscapes lie beside each building."""
    return {tile.cell: 4 - facing(position, tile.cell).count("") for tile in position.buildings}


def matching(position: Position, cell: Cell) -> int:
    """How many sides of a building match."""
    [sides] = [tile.sides for tile in position.buildings if tile.cell == cell]
    return sum(side == land for side, land in zip(sides, facing(position, cell), strict=True))


def chips(state: State) -> Counter[str]:
    """The chips of each player; no chips are chips, too."""
    given = GAME.position(state).chips
    return Counter({"light": given.light, "dark": given.dark})


# --- what was played ---------------------------------------------------------------------------------------------


@cache
def recorded_moves() -> tuple[tuple[State, Move], ...]:
    """The recorded games, in which forbidden moves stood and houses and chips ran out; under each reading of `pool`."""
    found = []
    for path in RECORD_PATHS:
        if path.parent.name == GAME.id:
            record = record_of(path)
            state = GAME.setup(read_setup(GAME, record["setup"]))
            for notation in notations_of(record):
                move = GAME.read(notation)
                found += [(GAME.with_readings(state, {"pool": pool}), move) for pool in ("unlimited", "limited")]
                state = GAME.apply(state, move)
    return tuple(found)


def recorded_steps() -> Iterator[Step]:
    """What was played in the shared and in the recorded games."""
    for state, move in chain(every_nth_step(GAME, 1), recorded_moves()):
        if move is not None:
            yield state, move, GAME.apply(state, move)


def steps_to_try() -> Iterator[Step]:
    """What can stand at those tables, whatever the rules say: moves of other games, and of other moments."""
    chance = Random(SEED)
    known = [move for _, move, _ in recorded_steps()]
    for state, _, _ in list(recorded_steps())[::5]:
        for move in chance.sample(known, FOREIGN_MOVES):
            if GAME.cannot_stand(state, move) is None:
                yield state, move, GAME.apply(state, move)


def every_step() -> Iterator[tuple[Step, dict[str, list[Mapping[str, Any]]]]]:
    """Each move with the values of all that is told of it, by rule and code."""
    for step in chain(recorded_steps(), steps_to_try()):
        told: dict[str, list[Mapping[str, Any]]] = {}
        for effect in effects(*step):
            told.setdefault(name(effect), []).append(effect.facts.values)
        yield step, told


def name(effect: Effect) -> str:
    """The rule and the code of an effect, as its sentence is listed."""
    return f"{effect.rule}.{effect.facts.code}"


# --- what is told ------------------------------------------------------------------------------------------------

GAIN, PAYMENTS = "AR-20.gain", ("AR-20.pays", "AR-21.takes", "AR-21.free")
BUILDING_EFFECTS = (GAIN, "AR-24.lost", *PAYMENTS, "AR-22.lost", "AR-21.asked", "AR-21.keep_loses", "AR-21.both_lose")
"""What is told of a building with its four sides."""


def test_chips_told_are_the_chips_that_change_hands() -> None:
    """A gain is one chip, a payment as many as are told; what is told to be left is what is there in the end."""
    seen: set[str] = set()
    for (before, move, after), told in every_step():
        seen |= told.keys()
        held = chips(before)
        for values in told.get(GAIN, ()):
            held[values["colour"]] += 1
            assert held[values["colour"]] == values["chips"]
        for effect in (each for each in effects(before, move, after) if name(each) in PAYMENTS):
            values = effect.facts.values
            held[str(values["colour"])] -= int(str(values["n"]))
            assert held[str(values["colour"])] == values["chips"]
        assert dict(held) == dict(chips(after))
    assert seen >= {GAIN, *PAYMENTS}


def test_every_building_that_is_surrounded_is_told_with_the_sides_that_match() -> None:
    """A building with a house is told once when it is surrounded, settled, asked about or waiting; else it is not."""
    laid = (step for step in every_step() if step[0][1].kind in {"building", "landscape"})
    told_of = 0
    for (before, move, after), told in laid:
        was, now = GAME.position(before), GAME.position(after)
        full = {cell for cell, n in landscapes_beside(now).items() if n == 4 and landscapes_beside(was).get(cell) != 4}
        shown = [effect for effect in effects(before, move, after) if name(effect) in BUILDING_EFFECTS]
        waiting = sum(values["n"] for values in told.get("AR-25.waiting", ()))
        houseless = sum(values["n"] for values in told.get("AR-20.no_house", ()))
        lost = len(after.pending) - 1 if "AR-22.lost" in told else 0
        assert len(shown) + waiting + houseless + lost == len(full)
        told_of += len(shown)
        for effect in shown:
            [cell] = effect.facts.evidence[0].cells
            assert effect.facts.values["match"] == matching(now, cell)  # type: ignore[arg-type]  # a cell of two numbers
            assert cell in full
    assert told_of


def test_what_is_asked_tells_which_answer_loses() -> None:
    """Each answer costs what is told, or loses the game for its player where that is told."""
    loses = {"AR-21.asked": (False, False), "AR-21.keep_loses": (True, False), "AR-21.both_lose": (True, True)}
    seen = set()
    for (_, _, after), told in every_step():
        codes = told.keys() & loses.keys()
        seen |= codes
        assert bool(codes) == (GAME.due(after).code == "answer")
        for code in codes:
            [values] = told[code]
            x, y = after.pending[0].cell
            for answer, price, lost in zip(("keep", "take"), ("n", "less"), loses[code], strict=True):
                move = GAME.read(f"{answer} ({x},{y})")
                found = [
                    each for each in effects(after, move, GAME.apply(after, move)) if name(each) in BUILDING_EFFECTS
                ]
                of_it = next(each.facts for each in found if each.facts.evidence[0].cells == ((x, y),))
                assert of_it.values["n"] == values[price] and of_it.values["colour"] == values["colour"]
                assert lost == ("AR-22.lost" in map(name, found) and of_it.code == "lost")
    assert seen == loses.keys()


def test_houses_told_are_the_houses_left() -> None:
    """A house that is set leaves as many in supply as are told; one that moves leaves another building without one."""
    for _, told in over(step for step in every_step() if step[0][1].kind != "building"):
        assert not told.keys() & {"AR-13.set", "AR-13.moved", "AR-13.none"}
    seen: set[str] = set()
    for (before, _, after), told in (step for step in every_step() if step[0][1].kind == "building"):
        houses = [{tile.cell: tile.house for tile in GAME.position(state).buildings} for state in (before, after)]
        colour = GAME.position(before).turn
        seen |= told.keys()
        for values in told.get("AR-13.set", ()):
            assert values["n"] == 12 - list(houses[1].values()).count(colour)
        left = {cell for cell, house in houses[0].items() if house and not houses[1][cell]}
        assert ("AR-13.moved" in told) == bool(left)
    assert seen >= {"AR-13.set", "AR-13.moved"}


def test_what_would_be_taken_off_and_the_groups_are_told_when_they_change() -> None:
    """A building is told to stay when it has its third landscape; a group, when its line of the sheet changes."""
    seen: set[str] = set()
    for (before, _, after), told in every_step():
        seen |= told.keys()
        beside = [landscapes_beside(GAME.position(state)) for state in (before, after)]
        stay = [{cell for cell, n in each.items() if n > 2} for each in beside]
        assert sum(values["n"] for values in told.get("AR-31.stays", ())) == len(stay[1] - stay[0])
        for code in {"AR-31.would_go", "AR-31.gone"} & told.keys():
            [values] = told[code]
            assert values["n"] == len(beside[1]) - len(stay[1])
        lines = [
            {line.seat: line.points for line in GAME.score(state) if line.rule == "AR-32"} for state in (before, after)
        ]
        groups = {values["colour"]: (values["was"], values["n"]) for values in told.get("AR-32.group", ())}
        assert groups == {seat: (n, lines[1][seat]) for seat, n in lines[0].items() if n != lines[1][seat]}
    assert seen >= {"AR-31.would_go", "AR-31.gone", "AR-31.stays", "AR-32.group"}


def test_a_move_that_tells_nothing_changes_nothing_but_its_own_piece() -> None:
    """A tile is laid or turned up, and the turn is passed on; what else lies on the table stays."""
    silent = 0
    for (before, move, after), told in every_step():
        if told:
            continue
        silent += 1
        was, now = plain(GAME.position(before)), plain(GAME.position(after))
        own = {"up_building": (), "up_landscape": (), "landscape": ("landscapes", "laid", "turn", "empty")}[move.kind]
        assert {key for key in was if was[key] != now[key]} <= {*own, "display"}
        assert len(after.tiles) - len(before.tiles) == (move.kind == "landscape")
    assert silent


def test_the_last_turns_are_told_when_they_begin() -> None:
    """They are told once, with as many players as turns are left, and never again."""
    begins = 0
    for (before, _, after), told in every_step():
        left = [GAME.position(state).left for state in (before, after)]
        begun = left[0] is None and left[1] is not None and GAME.due(after).ended is None
        assert ("AR-30.last_turns" in told) == begun
        begins += begun
        for values in told.get("AR-30.last_turns", ()):
            assert values["n"] == left[1] == len(values["colours"])
            assert values["colours"][0] == GAME.position(after).turn
    assert begins


def test_every_sentence_has_a_case() -> None:
    """Whatever can be told is told in a worked case, and no code is one that every game has."""
    listed = load(GAME.id, "cases")["case"]
    told = {code for case in listed for code in (*case.get("effects", ()), *case.get("told", ()))}
    assert told == load(GAME.id, "text/en")["effects"].keys()
    assert OF_EVERY_GAME.isdisjoint(code.partition(".")[2] for code in told)
