"""Questions about Robber Knights of which something is unknown, and what can lie there, by the page alone.

Tiles that nobody entered keep the rectangle within seven columns and rows (`RK-11`); knights are those of the box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from rules.robber_knights import GAME
from rules.robber_knights.tiles import FACES
from tests.rules.robber_knights.positions import (
    Json,
    Place,
    below,
    fill,
    read,
    some_move,
    some_position,
    what_can_lie,
)
from tests.rules.trials import Trial, WholeFilling

MOST = 7
"""The most columns and rows of two players' rectangle."""
SAMPLES = 60
STEPS = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
SOME_FACES = ("lake", "plain", "plain town", "forest village", "mountain", "plain castle")


def trials(chance: Random, times: int) -> Iterator[Trial]:
    """One or two cells are unknown, each filled with whatever can lie there; or the rest is, on a small table."""
    made = 0
    while made < times:
        trial = _rest(chance) if made % 2 else _some(chance)
        if trial is not None:
            made += 1
            yield trial


def _some(chance: Random) -> Trial | None:
    number = chance.choice((1, 1, 2))
    position, unknown = some_position(chance, number)
    if all(known["face"] != "?" for known in unknown.values()):
        return None  # of stacks alone of which the upper knights are known the rules themselves say what is open
    move = some_move(chance)
    can = [
        list(below(known)) if known.get("covered") else what_can_lie(chance, all_of_it=number < 2)
        for known in unknown.values()
    ]
    ways = (dict(zip(unknown, at, strict=True)) for at in product(*can))
    fillings = [_filling(fill(position, way), way) for way in ways]
    standing = [each for each in fillings if _in_hand(each.position, move)]
    return Trial(read(position)[0], position, move, standing, every=number < 2, outcome=False) if standing else None


def _filling(position: Json, way: Any) -> WholeFilling:
    """A whole position, and all that the engine may name of it."""
    tiles = position["tiles"]
    seen = Counter(knight for tile in tiles for knight in tile.get("knights", ()))
    supply = position.get("supply", {})
    facts: dict[Any, object] = {f"knights {who}": supply.get(who, 30 - seen[who]) for who in ("red", "blue")}
    facts["supply"] = facts["knights red"]
    facts["stack"] = sorted((tile["cell"], tile.get("knights", ())) for tile in tiles)
    facts["placed"] = GAME.enter(*read(position)).placed
    return WholeFilling(position, {**way, **facts})


def _in_hand(position: Json, move: Any) -> bool:
    """Whether the tile that is laid can be one that does not lie there."""
    face = getattr(move, "face", None)
    return face is None or sum(tile["face"] == face for tile in position["tiles"]) < 2 * FACES[face]


# --- the rest is unknown ---------------------------------------------------------------------------------------------


def _rest(chance: Random) -> Trial:
    """A few tiles, and a tile beside or near them, its knights marching over the edge or not."""
    columns, rows = chance.choice(((1, 1), (2, 1), (3, 1), (2, 2), (5, 1), (7, 1), (3, 2)))
    tiles: dict[Place, Json] = {(0, 0): {"face": "plain"}}
    for cell in product(range(columns), range(rows)):
        if chance.random() < 0.8:
            tiles[cell] = _tile(chance)
        elif cell != (0, 0) and chance.random() < 0.5:
            tiles[cell] = {"face": "free"}
    x, y = chance.choice(sorted(tiles))
    across, up = chance.choice(list(STEPS.values()))
    far = chance.choice((1, 1, 1, 2))
    at = (x + far * across, y + far * up)
    tiles.update({cell: {"face": "free"} for cell in [at] if cell not in tiles and chance.random() < 0.5})
    march = " ".join(str(chance.choice((1, 1, 2))) for _ in range(chance.choice((2, 2, 3))))
    face, way = chance.choice(("plain castle", "forest castle")), chance.choice(list(STEPS))
    text = f"({at[0]},{at[1]}) " + chance.choice(("lake", f"{face} >{way} {march}", f"{face} >{way} {march}"))
    move = GAME.read(text)
    listed = [{"cell": list(cell), **tile} for cell, tile in tiles.items()]
    partial: Json = {"tiles": listed, "rest": "unknown", "due": "red"}
    if chance.random() < 0.7:
        partial["supply"] = {"red": chance.choice((3, 20, 25))}
    made = (_spread(partial, tiles, at, STEPS[way], chance) for _ in range(SAMPLES))
    fillings = [each for each in made if _in_hand(each.position, move)]
    return Trial(read(partial)[0], partial, move, fillings, outcome=False)


def _tile(chance: Random) -> Json:
    face = chance.choice(SOME_FACES)
    knights = chance.choices(("red", "blue"), k=chance.choice((0, 0, 1, 2, 3))) if face != "lake" else []
    return {"face": face, "knights": knights}


def _spread(partial: Json, tiles: dict[Place, Json], at: Place, step: Place, chance: Random) -> WholeFilling:
    """Tiles on some cells of a rectangle of seven columns and rows that has all those known."""
    known = [cell for cell, tile in tiles.items() if tile["face"] != "free"]
    left, bottom = (
        chance.randint(max(cell[axis] for cell in known) - MOST + 1, min(cell[axis] for cell in known))
        for axis in (0, 1)
    )
    line = [(at[0] + n * step[0], at[1] + n * step[1]) for n in range(1, 4)]
    often = chance.choice((0.02, 0.2, 0.5))
    way: dict[Place, Json | None] = {}
    for cell in product(range(left, left + MOST), range(bottom, bottom + MOST)):
        likely = chance.choice((0.2, 1)) if cell in line else 0.1 if cell == at else often
        if cell not in tiles and chance.random() < likely:
            way[cell] = _tile(chance)
    all_of_them = {**{cell: tile for cell, tile in tiles.items() if tile["face"] != "free"}, **way}
    listed = [{"cell": list(cell), **tile} for cell, tile in all_of_them.items() if tile]
    return _filling({**partial, "tiles": listed, "rest": None}, way)
