"""Architekton: partial positions as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from rules.architekton import GAME
from rules.architekton.moves import Move
from rules.unknowns import PartialRuling, judge
from tests.support.json_forms import read_position, read_setup

Json = dict[str, Any]
Place = tuple[int, int]
SETUP: Json = {"layout": [{"cell": [0, 0], "tile": "earth"}, {"cell": [1, 1], "tile": "water"}]}
LANDS = ("earth", "meadow", "water", "forest")


def read(position: Json) -> tuple[Any, Any]:
    """The setup and a position of its JSON."""
    return read_setup(GAME, SETUP, beside_position=True), read_position(GAME, position, partial=True)


def town(lands: Mapping[Place, str], buildings: Mapping[Place, str] | None = None, **more: Any) -> Json:
    """A position: landscapes by their names, buildings by their sides and the first letter of their house's colour."""
    colours = {"l": {"house": "light"}, "d": {"house": "dark"}, "": {}}
    return {
        "landscapes": [{"cell": list(cell), "landscape": name} for cell, name in lands.items()],
        "buildings": [
            {"cell": list(cell), "sides": text[:4], **colours[text[4:]]} for cell, text in (buildings or {}).items()
        ],
        **more,
    }


def some_position(chance: Random, number: int) -> tuple[Json, list[Place], Move]:
    """A move, and a town around its cell of which `number` cells that may matter are unknown."""
    landscape = chance.random() < 0.6
    beside = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    beyond = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if abs(x) + abs(y) == 2]
    near, far = (beside, beyond) if landscape else ([], beside)
    buildings = {
        cell: "".join(chance.choices("EEEM", k=4)) + chance.choice("lld") for cell in near if chance.random() < 0.6
    }
    lands = {cell: chance.choice(("earth", "earth", "meadow")) for cell in far if chance.random() < 0.85}
    every = [*near, *far, (0, 0)] if chance.random() < 0.1 else [*near, *far]
    unknown = chance.sample([*every, (3, 0), (0, 3), (3, 3)], number)
    known = {cell: text for cell, text in buildings.items() if cell not in unknown}
    open_ = {cell: name for cell, name in lands.items() if cell not in unknown} | dict.fromkeys(unknown, "?")
    own = [f"({x},{y})" for (x, y), text in known.items() if text.endswith("l")]
    answer = f" keep {chance.choice(own)}" if own and chance.random() < 0.3 else ""
    sides = " ".join(chance.choices("EEMF", k=4))
    text = f"(0,0) landscape {chance.choice('EEM')}{answer}" if landscape else f"(0,0) building {sides}"
    return town(open_, known, chips={"light": chance.randrange(4), "dark": 2}), unknown, GAME.read(text)


def rule_on(position: Json, move: str) -> PartialRuling:
    """The ruling on a move in a position that leaves cells open."""
    form, entered = read(position)
    assert GAME.unknowns
    state = GAME.enter(form, GAME.unknowns.known_part(form, entered))
    return judge(GAME, state, GAME.unknowns.cells(form, entered), GAME.read(move))


FAR: Json = {"rest": "unknown"}


CORNERS = {(-3, -3): "earth", (3, 3): "meadow"}


ELEVEN = {(2 * x, -9): "EEEEl" for x in range(11)}


DISPLAY: Json = {"display": {"buildings": ["FFMM"] * 3, "landscapes": ["E", "F", "W"]}}
