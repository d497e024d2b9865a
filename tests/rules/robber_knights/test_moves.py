"""The list of legal moves of Robber Knights: all that is legal, counted anew tile by tile."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules.forms import Malformed
from rules.kernel import Ruling
from rules.robber_knights import GAME
from rules.robber_knights.legal_moves import is_site, sites
from rules.robber_knights.moves import STEP, Cell, Knights, Move, Stop, Tile
from rules.robber_knights.state import SIDE, UNKNOWN, LayoutTile, Player, Position, Setup, StandingTile, State
from rules.robber_knights.tiles import FACES
from tests.rules.play import often, seeds, setup_of, shared_games
from tests.rules.robber_knights.list_entries import stand_in
from tests.support.loops import over

MOST = 5


def test_a_table_is_scored_without_its_layout() -> None:
    """Where the starting layout lay need not be known: what lies on the table is counted, and no tile beside it."""
    form = Setup((Player("red"), Player("blue")))
    entered = Position((StandingTile((4, 2), "plain town", ("blue", "red")), StandingTile((5, 2), "lake")))
    state = GAME.enter(form, entered)
    assert not GAME.problems(form, entered)
    assert [(line.seat, line.code, line.points) for line in GAME.score(state) if line.rule == "RK-31"] == [
        ("red", "castle", 0),
        ("red", "village", 0),
        ("red", "town", 3),
        ("blue", "castle", 0),
        ("blue", "village", 0),
        ("blue", "town", 0),
    ]
    assert GAME.position(state).tiles == entered.tiles
    assert GAME.enter(form, Position()).tiles == {}
    with pytest.raises(Malformed, match="colour_twice"):
        GAME.enter(Setup((Player("red"), Player("red"))), entered)
    with pytest.raises(Malformed, match="layout_size"):
        GAME.setup(form)


def deployments() -> list[Knights | None]:
    """Every deployment of up to five knights that can be written without too many zeros, legal anywhere or not."""
    found: list[Knights | None] = [None]
    found += [Knights((number,)) for number in range(1, MOST + 1)]
    for length in range(2, MOST + 1):
        for left in product(range(MOST + 1), repeat=length):
            if left[-1] and sum(left) <= MOST and left.count(0) <= 1:
                found += [Knights(left, direction) for direction in STEP]
    return found


EVERY_DEPLOYMENT = deployments()


def some_state(chance: Random) -> State:
    """A state of a random game in which tiles and knights that the rules forbid stood now and then."""
    state: State = GAME.setup(setup_of(GAME, chance))
    for _ in range(chance.randrange(60)):
        listed = list(GAME.moves(state))
        if not listed:  # the end, or moves that stood have left a hand that fits nowhere
            break
        move = chance.choice(listed)
        wild = GAME.read(f"({chance.randint(-3, 9)},{chance.randint(-3, 9)}) {chance.choice(list(FACES))} >. 2")
        if chance.random() < 0.1 and GAME.cannot_stand(state, wild) is None:
            move = wild
        state = GAME.apply(state, move)
    return state


def tiles_alone(state: State, *, backs: bool) -> State:
    """The same table as somebody enters it who knows of no starting layout, nor what was laid when."""
    seen = tuple(tile if backs else replace(tile, colour=None) for tile in GAME.position(state).tiles)
    form = Setup(tuple(map(Player, state.colours)), readings=state.readings)
    entered = Position(seen, due=state.colours[state.player])
    assert not GAME.problems(form, entered)
    alone: State = GAME.enter(form, entered)
    return alone


@settings(max_examples=often(20), deadline=None)
@given(chance=seeds(), backs=st.booleans())
def test_a_table_without_its_layout_is_ruled_on(chance: Random, backs: bool) -> None:
    """No tile is unproven. Every rule but `RK-12` says what it says at the whole table; `RK-12` counts copies alone."""
    state = legal_state(chance)
    alone = tiles_alone(state, backs=backs)
    assert GAME.score(alone) == GAME.score(state)
    assert GAME.ranking(alone) == GAME.ranking(state)
    colour = state.colours[state.player]
    for cell in chance.sample(around(state), 8):
        face = chance.choice(list(FACES))
        move = Tile(cell, face, None, chance.choice(EVERY_DEPLOYMENT))
        now, then = GAME.check(alone, move), GAME.check(state, move)
        assert now.ruling is not Ruling.UNPROVEN
        assert set(now.broken_rules) - {"RK-12"} == set(then.broken_rules) - {"RK-12"}
        there = [tile for tile in GAME.position(state).tiles if tile.face == face]
        own = sum(tile.colour == colour for tile in there) if backs else 0
        gone = own >= FACES[face] or len(there) >= FACES[face] * len(state.colours)
        assert ("RK-12" in now.broken_rules) == gone


def legal_state(chance: Random) -> State:
    """A state of a random game in which nothing stood."""
    state: State = GAME.setup(setup_of(GAME, chance))
    for _ in range(chance.randrange(40)):
        state = GAME.apply(state, chance.choice(list(GAME.moves(state))))
    return state


@settings(max_examples=often(6), deadline=None)
@given(chance=seeds(), backs=st.booleans())
def test_a_table_without_its_layout_lists_its_moves(chance: Random, backs: bool) -> None:
    """What is legal there is listed, and all that is listed is legal."""
    alone = tiles_alone(legal_state(chance), backs=backs)
    listed = set(GAME.moves(alone))
    assert Stop() not in listed
    near = [cell for cell in around(alone) if cell not in alone.tiles]
    for cell in chance.sample(near, min(2, len(near))):
        found = {Tile(cell, face, None, knights) for face in FACES for knights in EVERY_DEPLOYMENT}
        legal = {move for move in found if GAME.check(alone, move).legal}
        assert legal == {move for move in listed if isinstance(move, Tile) and move.cell == cell}


def test_all_tiles_on_the_table_are_the_end() -> None:
    """`RK-30`: of a table without its layout, too, whether it was entered whole or the last tile was laid on it."""
    for played in over(shared_games(GAME)):
        last, _ = played.steps[-1]
        state, move = [step for step in played.steps if isinstance(step[1], Tile)][-1]
        assert GAME.due(tiles_alone(last, backs=True)).ended == GAME.due(last).ended
        alone = tiles_alone(state, backs=True)
        assert GAME.due(alone).ended is None
        assert GAME.due(GAME.apply(alone, move)).ended == GAME.due(last).ended


def test_what_is_laid_on_an_entered_table_is_remembered() -> None:
    """The back of a tile that was laid is known, and so is what its player has laid, whatever else is not."""
    form = Setup((Player("red"), Player("blue")))
    tiles = tuple(StandingTile((n, 0), "plain village") for n in range(5))
    state = GAME.enter(form, Position(tiles))
    assert (state.placed, GAME.due(state).code) == (UNKNOWN, "tile")
    after = GAME.apply(state, GAME.read("(5,0) lake"))
    assert GAME.check(after, Stop()).legal
    assert GAME.check(after, GAME.read("(6,0) lake")).broken_rules == ("RK-12",)
    assert GAME.enter(form, GAME.position(after)) == after
    laid = GAME.enter(form, Position((*tiles, StandingTile((5, 0), "lake")), laid={"red": (), "blue": ()}))
    stood = GAME.apply(GAME.apply(laid, GAME.read("(6,0) lake")), GAME.read("(7,0) lake"))
    assert stood.laid is not None
    assert [tile.stood for tile in stood.laid[0]] == [False, True]


def around(state: State) -> list[Cell]:
    left, bottom, right, top = state.box
    return [(x, y) for x in range(left - 1, right + 2) for y in range(bottom - 1, top + 2)]


@settings(max_examples=often(12), deadline=None)
@given(chance=seeds())
def test_the_list_is_everything_that_is_legal(chance: Random) -> None:
    """On a few cells each face with each deployment is legal if and only if it is listed; far away nothing is."""
    state = some_state(chance)
    listed = set(GAME.moves(state))
    cells = around(state)
    near = [cell for cell in cells if cell not in state.tiles]
    assert {move.cell for move in listed if isinstance(move, Tile)} <= set(near)
    for cell in chance.sample(near, 3):
        legal: set[Move] = set()
        for face in FACES:
            for knights in (
                EVERY_DEPLOYMENT if GAME.check(state, Tile(cell, face)).legal or "castle" in face else [None]
            ):
                move = Tile(cell, face, None, knights)
                if GAME.check(state, move).legal:
                    legal.add(move)
        assert legal == {move for move in listed if isinstance(move, Tile) and move.cell == cell}
    assert (Stop() in listed) == GAME.check(state, Stop()).legal


@given(chance=seeds())
def test_a_site_is_one_of_the_listed_sites(chance: Random) -> None:
    """Each cell around the country, and those of its tiles, is a site if and only if the list has it."""
    state = some_state(chance)
    listed = set(sites(state))
    cells = {*around(state), *state.tiles}
    assert listed <= cells
    assert {cell for cell in cells if is_site(state, cell)} == listed


def test_stacks_and_supplies_add_up() -> None:
    """Thirty knights a player, on the table and in supply; the top of each stack is whose move came last there."""
    for played in over(shared_games(GAME)):
        top: dict[Cell, str] = {}
        for state, move in over(played.steps):
            for colour, supply in zip(state.colours, state.supply, strict=True):
                assert supply == 30 - sum(stack.count(colour[0]) for stack in state.stacks.values())
            assert {cell: stack[-1] for cell, stack in state.stacks.items()} == top
            if isinstance(move, Tile) and move.knights:
                initial = state.colours[state.player][0]
                dx, dy = STEP[move.knights.march or "n"]
                cells = [(move.cell[0] + n * dx, move.cell[1] + n * dy) for n in range(len(move.knights.left))]
                top |= {cell: initial for cell, left in zip(cells, move.knights.left, strict=True) if left}


def test_the_country_keeps_its_size() -> None:
    """In legal play no rectangle is too large, and all tiles are laid in the end."""
    for played in over(shared_games(GAME)):
        state, _ = played.steps[-1]
        left, bottom, right, top = state.box
        players = len(state.colours)
        assert max(right - left, top - bottom) < SIDE[players]
        assert len(state.tiles) == 24 * players


def test_points_counted_anew() -> None:
    """Each building scores for the colour on top of it, in the line of its kind."""
    for state, _ in over(step for played in shared_games(GAME) for step in played.steps):
        worth = {"castle": 1, "village": 2, "town": 3}
        points = {(colour, building): 0 for colour in state.colours for building in worth}
        for tile in GAME.position(state).tiles:
            building = tile.face.split()[-1]
            if tile.knights and building in worth:
                points[tile.knights[-1], building] += worth[building]
        lines = [line for line in GAME.score(state) if line.rule == "RK-31"]
        assert [((line.seat, line.code), line.points) for line in lines] == list(points.items())


LAYOUT = (
    LayoutTile((0, 0), "plain"),
    LayoutTile((1, 0), "plain village"),
    LayoutTile((0, 1), "mountain"),
    LayoutTile((1, 1), "plain village"),
)


@pytest.mark.parametrize(
    ("form", "pointer"),
    [
        (Setup(), "/layout"),
        (Setup((Player("red"),), LAYOUT), "/players"),
        (Setup(tuple(map(Player, ("red", "blue", "green", "yellow", "red")))), "/players"),  # type: ignore[arg-type]
        (Setup((Player("red"), Player("red")), LAYOUT), "/players/1/colour"),
        (Setup(layout=LAYOUT[:3]), "/layout"),
        (Setup(layout=(*LAYOUT[:3], LAYOUT[0])), "/layout/3/cell"),
        (Setup(layout=(*LAYOUT[:3], LayoutTile((2, 0), "plain"))), "/layout"),
        (Setup(layout=tuple(LayoutTile((n + 1, 0), tile.tile) for n, tile in enumerate(LAYOUT))), "/layout"),
        (Setup(layout=tuple(LayoutTile((n, n), tile.tile) for n, tile in enumerate(LAYOUT))), "/layout"),
        (Setup(layout=(*LAYOUT[:3], LayoutTile((1, 1), "plain castle"))), "/layout/3/tile"),
        (Setup(layout=(*LAYOUT[:3], LayoutTile((1, 1), "lake"))), "/layout/3/tile"),
        (Setup(layout=(*LAYOUT[:3], LayoutTile((1, 1), "plain", "green"))), "/layout/3/colour"),
        (Setup(layout=tuple(LayoutTile(tile.cell, "plain") for tile in LAYOUT)), "/layout"),
        (Setup(layout=(LAYOUT[0], LAYOUT[2], *(LayoutTile(t.cell, t.tile, "blue") for t in LAYOUT[1::2]))), "/layout"),
    ],
)
def test_a_setup_that_nobody_can_have_dealt_names_the_field(form: Setup, pointer: str) -> None:
    """`RK-1`: players, shape, faces, and backs; what is wrong is named by its field."""
    with pytest.raises(Malformed) as refused:
        GAME.setup(form)
    assert refused.value.pointer == pointer


def test_layouts_lie_either_way_round() -> None:
    """Two rows of three or three rows of two, or a single row or column; and a common face at most once a player."""
    faces = ("plain", "mountain", "plain village", "plain", "mountain", "plain village")
    players = (Player("red"), Player("blue"), Player("green"))
    for width in (1, 2, 3, 6):
        layout = tuple(LayoutTile((n % width, n // width), face) for n, face in enumerate(faces))  # type: ignore[arg-type]
        assert len(GAME.setup(Setup(players, layout)).tiles) == 6


def test_a_covered_stack_grows_and_stays_covered() -> None:
    """Knights laid on a stack of which only the top is known go on top of it; what lies below stays open."""
    under = StandingTile((1, 0), "plain village", ("blue",), covered=True)
    form = Setup(layout=LAYOUT)
    state = GAME.enter(form, Position(tiles=(under,), laid={}, supply={"blue": 30}))
    state = GAME.apply(state, GAME.read("(2,0) plain castle >w 1 1"))
    assert StandingTile((1, 0), "plain village", ("blue", "blue"), covered=True) in GAME.position(state).tiles
    assert GAME.enter(form, GAME.position(state)) == state


@pytest.mark.parametrize(
    ("red", "placed", "problems"), [(22, 2, ["RK-3"]), (22, 0, []), (21, 2, ["RK-3"]), (20, 2, [])]
)
def test_tiles_of_a_turn_are_tiles_of_the_game(red: int, placed: Literal[0, 2], problems: list[str]) -> None:
    """`RK-3`: of 22 to lay, Red has 22, 21 or 20 left: none, one or two are laid, and no more in this turn."""
    faces = (*["plain"] * 3, *["plain village"] * 3, "plain town", "forest village")
    tiles = tuple(StandingTile((n % 3, n // 3), face) for n, face in enumerate(faces))  # type: ignore[arg-type]  # faces
    entered = Position(tiles=tiles, placed=placed, left={"red": red, "yellow": 40 - red})
    found = GAME.problems(Setup((Player("red"), Player("yellow"))), entered)
    assert [problem.rule for problem in found] == problems
    assert [problem.facts.values for problem in found] == [{"colour": "red", "n": 2, "laid": 22 - red}] * len(problems)


@pytest.mark.parametrize(
    "text",
    [
        "(2,0) plain castle >. 0",
        "(2,0) plain castle >. 1 1",
        "(2,0) plain castle >e 1",
        "(2,0) plain castle >e 1 0",
        "(2,0) plain castle >e 01 1",
        "(02,0) plain castle",
        "(+2,0) plain castle",
        "(-0,0) plain castle",
        "(2, 0) plain castle",
        "(2,0) castle plain",
        "(2,0) plain castle :C",
        "(2,0) plain castle:F",
        "(2,0)  plain castle",
        "(2,0) plain castle ",
        "(9007199254740992,0) plain",
        "(٢,0) plain",
        "Stop",
        "stop\n",
        "",
    ],
)
def test_text_that_is_no_move(text: str) -> None:
    """The notation has one way to write each move, and nothing beside it."""
    with pytest.raises(Malformed):
        GAME.read(text)


@settings(max_examples=often(10), deadline=None)
@given(chance=seeds(), letter=st.sampled_from("ABCDE"))
def test_a_letter_is_listed_without_it(chance: Random, letter: str) -> None:
    """A move with its letter stands in the list as the one without, which it can only narrow."""
    state = some_state(chance)
    tiles = sorted({move for move in GAME.moves(state) if isinstance(move, Tile)}, key=GAME.write)
    assume(tiles)
    for move in over(chance.sample(tiles, min(20, len(tiles)))):
        text = GAME.write(move).replace(move.face, f"{move.face}:{letter}", 1)
        lettered = GAME.read(text)
        assert GAME.write(lettered) == text
        assert stand_in(state, lettered) == move
