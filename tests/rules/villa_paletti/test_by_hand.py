"""Villa Paletti: whole games against the same games played by hand, column by column (`by_hand`).

After every move the table, the points, the seal and the places are the same; and of moves by chance the same rules are
broken.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from rules import GAMES
from rules.forms import Malformed, plain
from rules.ranking import totals
from tests.rules.play import often, random_game, readings, seeds
from tests.rules.villa_paletti.by_hand import COLOURS, Column, Villa, about_the_seal
from tests.support.json_forms import read_setup
from tests.support.loops import over

GAME = GAMES["villa_paletti"]
TABLES: tuple[list[tuple[str, ...]], ...] = (
    [("red",), ("blue",), ("yellow",), ("green",)],
    [("green",), ("yellow",), ("blue",)],
    [("blue", "red"), ("green", "yellow")],
)
LONG = 60
"""Moves of a long game; a villa that lasted longer has no columns left."""
TRIES = 25
"""Moves that are tried at every turn, most of them illegal."""
SHAPES = ("small", "hex", "big", "small*", "hex*", "big*")

games = settings(max_examples=often(12), deadline=None)
tables = pytest.mark.parametrize("players", TABLES, ids=["four", "three", "two"])


def open_both(players: list[tuple[str, ...]], chosen: dict[str, str]) -> tuple[Any, Villa]:
    """The same table twice: the program's and the one played by hand."""
    setup = {"players": [{"colours": list(colours)} for colours in players], "readings": chosen}
    form = read_setup(GAME, setup)
    return GAME.setup(form), Villa(list(players), chosen)


def position_json(state: Any) -> dict[str, Any]:
    """The program's position, without the order of its lists."""
    said = plain(GAME.position(state))
    turn = {"due": said["due"], "part": said["part"], "asked": said["asked"]}
    ended = said.get("ended")
    return {
        "columns": {tuple(c[key] for key in ("colour", "shape", "level", "n", "locked")) for c in said["columns"]},
        "out": {(c["colour"], c["shape"], c["n"]) for c in said["out"]},
        "top": said["top"],
        "holder": said.get("holder"),
        "previous": said.get("previous"),
        "ended": ended and {key: value for key, value in ended.items() if value is not None},
        **({} if GAME.due(state).ended else turn),
    }


def agree(state: Any, villa: Villa, played: list[str]) -> None:
    """The table, the points, the end and the places are the same."""
    assert position_json(state) == villa.position(), played
    assert totals(GAME, state) == {colours[0]: villa.points(n) for n, colours in enumerate(villa.players)}, played
    assert [set(place.seats) for place in GAME.ranking(state)] == villa.places(), played
    assert {place.place is None for place in GAME.ranking(state)} == {villa.winner() is None}, played
    ended = GAME.due(state).ended
    assert (ended.rule if ended else None) == villa.ended.get("rule"), played


# --- moves by chance -------------------------------------------------------------------------------------------------


def a_column(villa: Villa, chance: Random, *colours: str) -> str:
    """A column as it is named: mostly one that stands on the villa, of these colours if there is one."""
    level, shape, colour = chance.randint(0, 5), chance.choice(SHAPES), chance.choice(COLOURS)
    standing = [column for column in villa.columns if column.level is not None]
    wanted: list[Column] = [column for column in standing if column.colour in colours] or standing
    if wanted and chance.random() < 0.85:
        found = chance.choice(wanted)
        assert found.level is not None
        level, colour, shape = found.level, found.colour, found.shape + "*" * (chance.random() < 0.1)
    return f"{colour} {shape} {level}"


def any_move(villa: Villa, chance: Random) -> str:
    """A move of any kind, legal or not."""
    own, other = villa.players[villa.player], chance.choice(COLOURS)
    if chance.random() < 0.7:
        other = chance.choice(chance.choice([colours for colours in villa.players if colours != own]))
    others = next((colours for colours in villa.players if other in colours), (other,))
    neutral = a_column(villa, chance, villa.neutral or "green").partition(" ")[2]
    second = a_column(villa, chance, villa.neutral or "green").partition(" ")[2]
    any_colour = villa.readings["objection_column"] == "any" and chance.random() < 0.6
    tried = a_column(villa, chance, *chance.choice([others, COLOURS]) if any_colour else own)
    objection = f"floor ! {other} {tried}"
    shape, _, level = tried.partition(" ")[2].partition(" ")
    locked = f"{tried.split()[0]} {shape.removesuffix('*')}* {level}"
    taken = chance.choice(["none", a_column(villa, chance, *others), tried, locked])
    crash = " crash" * (chance.random() < 0.1)
    moves = [
        f"{a_column(villa, chance, *own)}{crash}",
        f"x {a_column(villa, chance, *own)}{crash}",
        f"n {neutral}{crash}",
        f"n x {neutral}{crash}",
        f"n x {neutral} ! {other} {second}{crash or chance.choice(['', ' fail'])}",
        f"floor{crash}",
        "floor -",
        f"{objection} {crash.strip() or 'ok'}",
        f"{objection} fail {taken}",
        f"{objection} fail {taken} -",
        "done",
        chance.choice(["crash", "end", f"crash {other}"]),
    ]
    return chance.choice(moves)


def next_move(villa: Villa, tried: list[str], chance: Random) -> str | None:
    """A legal one of the moves tried: rather one that goes on, and rather one that builds."""
    legal = [move for move in tried if not villa.broken_rules(move)]
    going_on = [move for move in legal if "crash" not in move and move != "end"]
    building = [move for move in going_on if move[0] != "x" and "!" not in move and move not in {"floor -", "done"}]
    falling = [move for move in legal if move.endswith(" crash")]
    for moves, odds in ((falling, 0.03), (building, 0.6), (going_on, 0.99), (legal, 1.0)):
        if moves and chance.random() < odds:
            return chance.choice(moves)
    return None


# --- the two agree ---------------------------------------------------------------------------------------------------


@tables
@games
@given(chance=seeds())
def test_a_long_game_is_the_same_by_hand(players: list[tuple[str, ...]], chance: Random) -> None:
    """Of every move that is tried the same rules are broken, and what is played leaves the same table."""
    state, villa = open_both(players, readings(GAME, chance))
    played: list[str] = []
    while len(played) < LONG:
        tried = [any_move(villa, chance) for _ in range(TRIES)]
        for notation in over(tried):
            verdict = GAME.check(state, GAME.read(notation))
            assert set(verdict.broken_rules) == villa.broken_rules(notation), (villa.readings, played, notation)
        move = next_move(villa, tried, chance)
        if move is None:
            break
        state = GAME.apply(state, GAME.read(move))
        villa.play(move)
        played.append(move)
        agree(state, villa, played)


@tables
@games
@given(chance=seeds())
def test_a_game_of_listed_moves_is_the_same_by_hand(players: list[tuple[str, ...]], chance: Random) -> None:
    """What the program lists as legal is legal by hand, and leaves the same table."""
    chosen = readings(GAME, chance)
    _, villa = open_both(players, chosen)
    setup = {"players": [{"colours": list(colours)} for colours in players], "readings": chosen}
    played: list[str] = []
    for state, move in over(random_game(GAME, chance, read_setup(GAME, setup))):
        agree(state, villa, played)
        assert {listed for listed in map(GAME.write, GAME.moves(state)) if villa.broken_rules(listed)} == set()
        if move is not None:
            played.append(GAME.write(move))
            villa.play(played[-1])


@games
@given(chance=seeds())
def test_the_seal_wanders_as_by_hand(chance: Random) -> None:
    """Where columns come and go on the green floor, the seal is where it is by hand."""
    state, villa = open_both(TABLES[0], readings(GAME, chance))
    played = ["red small 0", "blue small 0", "yellow small 0", "floor"]
    for move in played:
        state = GAME.apply(state, GAME.read(move))
        villa.play(move)
    for _ in over(range(LONG)):
        placed, lost = about_the_seal(villa)
        move = chance.choice(lost if lost and chance.random() < 0.4 else placed or ["floor -"])
        assert GAME.check(state, GAME.read(move)).legal, played
        state = GAME.apply(state, GAME.read(move))
        villa.play(move)
        played.append(move)
        agree(state, villa, played)
        if villa.ended:
            break


@pytest.mark.parametrize(
    "notation",
    [
        "floor ! yellow red hex 1 fail yellow small 0 crash",
        "floor ! yellow red hex 1 fail none crash",
        "floor ! yellow red hex 1 ok crash",
        "floor ! yellow red hex 1 ok -",
        "floor - crash",
        "n small 0 ! yellow hex 0",
        "n x small 1 ! yellow hex 0 fail crash",
        "red small 6",
        "small 1",
    ],
)
def test_what_cannot_have_happened_is_no_move(notation: str) -> None:
    """`VP-16`: a villa that fell has no result besides; and other lines that are none."""
    with pytest.raises(Malformed):
        GAME.read(notation)
