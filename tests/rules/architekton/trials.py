"""Questions about Architekton of which something is unknown, and what can lie there, by the page alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

from rules.architekton import GAME
from tests.rules.architekton.positions import LANDS, Json, Place, read, some_position, town
from tests.rules.trials import Trial, WholeFilling

SAMPLES = 60
HOUSES, BUILDINGS, OF_EACH = 12, 22, 6
BESIDE = ((0, 1), (1, 0), (0, -1), (-1, 0))
SIDES = ["".join(each) for each in product("EFMW", repeat=4)]


def trials(chance: Random, times: int) -> Iterator[Trial]:
    """One or two cells are unknown, or the rest is, with the houses that are left or without."""
    for number in range(times):
        yield _rest(chance) if number % 2 else _some(chance)


def _content(chance: Random, *, building: bool) -> Json:
    """A landscape, or a building with a house or without."""
    if not building:
        return {"landscape": chance.choice(LANDS)}
    house = chance.choice(({}, {"house": "light"}, {"house": "dark"}))
    return {"sides": chance.choice((*["EEEE", "MMMM"] * 40, *SIDES)), **house}


def _some(chance: Random) -> Trial:
    number = chance.choice((1, 2))
    position, unknown, move = some_position(chance, number)
    houses: tuple[Json, ...] = ({}, {"house": "light"}, {"house": "dark"})
    sides = SIDES if number < 2 else ["EEEE", "MMMM", "FFFF", "WWWW", *chance.sample(SIDES, 3)]
    can: list[Json | None] = [None, *({"landscape": name} for name in LANDS)]
    can += [{"sides": each, **house} for each in sides for house in houses]
    ways = (dict(zip(unknown, way, strict=True)) for way in product(can, repeat=number))
    fillings = [each for way in ways if (each := _filling(position, way, move))]
    return Trial(read(position)[0], position, move, fillings, every=number < 2, outcome=False)


def _filling(position: Json, way: Mapping[Place, Json | None], move: Any) -> WholeFilling | None:
    """A whole position with the tile that is laid still in the player's hand, and what the engine may name of it."""
    lands = [each for each in position["landscapes"] if each["landscape"] not in ("?", "free")]
    lands += [{"cell": list(cell), **there} for cell, there in way.items() if there and "landscape" in there]
    built = [*position["buildings"]]
    built += [{"cell": list(cell), **there} for cell, there in way.items() if there and "sides" in there]
    if sum(each["landscape"] == getattr(move, "landscape", "") for each in lands) >= OF_EACH:
        return None
    if len(built) >= BUILDINGS:
        return None
    whole = {**position, "landscapes": lands, "buildings": built, "rest": None}
    standing = sum(each.get("house") == "light" for each in built)
    left = position.get("supply", {}).get("light", HOUSES - standing)
    at: dict[Any, object] = {**way}
    return WholeFilling(whole, {**at, "houses light": left})


# --- the rest is unknown ---------------------------------------------------------------------------------------------


def _rest(chance: Random) -> Trial:
    """A few tiles, and a tile beside them; what lies around it by chance, and sometimes all houses far away."""
    columns, rows = chance.choice(((1, 1), (2, 1), (2, 2), (3, 2)))
    lands: dict[Place, str] = {}
    buildings: dict[Place, str] = {}
    for x, y in product(range(columns), range(rows)):
        if (x + y) % 2:
            buildings[x, y] = "".join(chance.choices("EEM", k=4)) + chance.choice("lld")
        else:
            lands[x, y] = chance.choice(("earth", "earth", "meadow"))
    (x, y), (across, up) = chance.choice([*lands, *buildings]), chance.choice(BESIDE)
    at, known = (x + across, y + up), {*lands, *buildings}
    near = [(at[0] + right, at[1] + above) for right, above in product(range(-2, 3), repeat=2)]
    looked_at = chance.choice((0.4, 0.9, 1, 1))
    free = [cell for cell in near if cell not in known and chance.random() < looked_at]
    told: Json = chance.choice(({}, {"supply": {"light": 3}}, {"supply": {"light": chance.choice((0, 1, 5))}}))
    partial = town({**lands, **dict.fromkeys(free, "free")}, buildings, rest="unknown", **told)
    landscape = (x, y) in buildings
    tile = f"landscape {chance.choice('EM')}" if landscape else f"building {' '.join(chance.choices('EEMF', k=4))}"
    move = GAME.read(f"({at[0]},{at[1]}) {tile}")
    unknown = [cell for cell in near if cell not in known and cell not in free]
    made = (_filling(partial, _around(unknown, at, told, buildings, chance), move) for _ in range(SAMPLES))
    return Trial(read(partial)[0], partial, move, [each for each in made if each], outcome=False)


def _around(
    unknown: list[Place], at: Place, told: Json, buildings: Mapping[Place, str], chance: Random
) -> dict[Place, Json | None]:
    often, one = chance.choice((0.1, 0.5, 0.95)), chance.choice(("earth", "meadow"))
    way: dict[Place, Json | None] = dict.fromkeys(unknown)
    for cell in unknown:
        if chance.random() < (0.1 if cell == at else often):
            same = (sum(cell) - sum(at)) % 2 == 0
            as_due = chance.random() < 0.95
            way[cell] = (
                _content(chance, building=same is not as_due and bool(buildings))
                if chance.random() < 0.5
                else {"landscape": one}
            )
    if not told and chance.random() < 0.2:
        left = HOUSES - sum(text.endswith("l") for text in buildings.values())
        left -= sum(bool(there) and there.get("house") == "light" for there in way.values() if there)
        way |= {(20 + 2 * n, 20): {"sides": "EFMW", "house": "light"} for n in range(max(left, 0))}
    return way
