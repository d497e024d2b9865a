"""Robber Knights: partial positions as JSON, what can lie there, and what is ruled on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

from rules.robber_knights import GAME
from rules.robber_knights.moves import Move
from rules.robber_knights.tiles import FACES
from rules.unknowns import PartialRuling, judge
from tests.support.json_forms import read_position, read_setup

Json = dict[str, Any]
Place = tuple[int, int]
SETUP: Json = {"players": [{"colour": "red"}, {"colour": "blue"}]}
FEW = ("lake", "plain", "plain town", "forest village", "mountain")
"""A face of each landscape, and one that scores otherwise."""


def read(position: Json, setup: Json = SETUP) -> tuple[Any, Any]:
    """A setup and a position of their JSON."""
    return read_setup(GAME, setup, beside_position=True), read_position(GAME, position, partial=True)


def rule_on(position: Json, move: str, setup: Json = SETUP) -> PartialRuling:
    """The ruling on a move in a position that leaves cells open."""
    form, entered = read(position, setup)
    rules = GAME.unknowns
    assert rules
    known = rules.known_part(form, entered)
    return judge(GAME, GAME.enter(form, known), rules.cells(form, entered), GAME.read(move))


def tile(x: int, y: int, face: str, *knights: str, **more: Any) -> Json:
    """A tile as JSON."""
    return {"cell": [x, y], "face": face, **({"knights": list(knights)} if knights else {}), **more}


def stacks() -> Iterator[list[str]]:
    """Every number of knights of each colour, and each of these on top."""
    for red, blue in product(range(5), repeat=2):
        knights = ["red"] * red + ["blue"] * blue
        if len(knights) <= 4:
            yield from {
                top: [*knights[: knights.index(top)], *knights[knights.index(top) + 1 :], top] for top in knights
            }.values()


def what_can_lie(chance: Random, *, all_of_it: bool) -> list[Json | None]:
    """What can lie on a cell: no tile, or each face with knights; with those of a few colours where not `all_of_it`."""
    found: list[Json | None] = [None]
    for face in FACES if all_of_it else FEW:
        some = stacks() if all_of_it else (chance.choices(("red", "blue"), k=n) for n in range(1, 5))
        found += [{"face": face}, *({"face": face, "knights": knights} for knights in some)]
    return found


def below(known: Json) -> Iterator[Json]:
    """The stacks that a covered one may be."""
    upper = known["knights"]
    for number in range(5 - len(upper)):
        for colours in product(("red", "blue"), repeat=number):
            yield {"face": known["face"], "knights": [*colours, *upper]}


def fill(position: Json, at: Mapping[Place, Json | None]) -> Json:
    """A position with these cells so, and no other unknown one."""
    tiles = [each for each in position["tiles"] if tuple(each["cell"]) not in at]
    return {**position, "tiles": [*tiles, *({"cell": list(cell), **there} for cell, there in at.items() if there)]}


def some_position(chance: Random, number: int) -> tuple[Json, dict[Place, Json]]:
    """A row of tiles with some beside it, and what is known of `number` unknown cells of it."""
    cells = [(x, 0) for x in range(5)] + chance.sample([(x, y) for x in range(5) for y in (-1, 1)], 2)
    unknown: dict[Place, Json] = {cell: {"face": "?"} for cell in chance.sample(cells[:4], number)}
    tiles = []
    for x, y in cells:
        if chance.random() < 0.1 and (x, y) not in unknown:
            continue
        face = chance.choice(("plain", "plain town") if chance.random() < 0.85 else FEW)
        knights = chance.choices(("red", "blue"), k=chance.choice((0, 0, 1, 2)) if face != "lake" else 0)
        there: Json = {"face": face, "knights": knights}
        if (x, y) in unknown and knights and chance.random() < 0.4:
            unknown[x, y] = there = there | {"covered": True}
        tiles.append({"cell": [x, y], **unknown.get((x, y), there)})
    supply = (
        {"red": 30 - chance.randrange(4), "blue": 30 - chance.randrange(3)}
        if number < 2 and chance.random() < 0.3
        else {}
    )
    return {"tiles": tiles, "due": "red", "placed": 0, "supply": supply}, unknown


def some_move(chance: Random) -> Move:
    """A castle beside the row, its knights along it; now and then another tile, or knights that stay."""
    left = [str(chance.choice((1, 1, 1, 1, 2))) for _ in range(chance.choice((3, 4, 4, 5)))]
    far = chance.choice(("(-1,0)", "(-1,0)", "(-1,0)", "(0,0)", "(2,1)"))
    how = "s" if far == "(2,1)" else "e"
    text = f"{far} {chance.choice(('plain castle', 'plain castle', 'forest castle'))} >{how} {' '.join(left)}"
    return GAME.read(chance.choice((text, text, text, text, "(2,1) lake", "(-1,0) plain castle >. 2")))
