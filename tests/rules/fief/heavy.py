"""The largest table of Fief that can be sent: all villages, roads and lords that its data may have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.fief.data import COLOURS, MAX_LORDS, MAX_ROADS, MAX_VILLAGES

VILLAGES = [f"v{number}" for number in range(MAX_VILLAGES)]
MEN = [f"m{number}" for number in range(MAX_LORDS * 2 // 3)]
WOMEN = [f"w{number}" for number in range(MAX_LORDS - len(MEN))]


def setup() -> dict[str, Any]:
    """Six players on a map where every village has as many roads as it may have."""
    villages = [
        {"name": name, "fief": f"f{n // 4}", "bishopric": 1 + n * 5 // MAX_VILLAGES, "seat": n % 12 == 0}
        for n, name in enumerate(VILLAGES)
    ]
    roads = [
        [name, VILLAGES[(n + far) % MAX_VILLAGES]]
        for n, name in enumerate(VILLAGES)
        for far in range(1, MAX_ROADS // 2 + 1)
    ]
    players = [{"colour": colour, "lord": MEN[n], "village": VILLAGES[n]} for n, colour in enumerate(COLOURS)]
    data = {"map": {"villages": villages, "roads": roads}, "lords": {"men": MEN, "women": WOMEN}}
    return {"players": players, "data": data}


def starts() -> Iterator[dict[str, Any]]:
    """All lords in play, nearly all of them one player's, who controls the whole map; in every phase."""
    colours = [*COLOURS[1:], *[COLOURS[0]] * MAX_LORDS]
    lords = [
        {"name": name, "player": colours[n], "place": VILLAGES[n % MAX_VILLAGES]}
        for n, name in enumerate((*MEN, *WOMEN))
    ]
    there = {"first": COLOURS[0], "control": {COLOURS[0]: VILLAGES}, "castles": VILLAGES[::6], "lords": lords}
    for phase in ("purchases", "movements", "combats"):
        yield {"setup": setup(), "position": {**there, "phase": phase, "turn": COLOURS[0]}}
    for phase in ("marriages", "bishops", "pope", "king"):
        yield {"setup": setup(), "position": {**there, "phase": phase}}
    yield {"setup": setup(), "moves": ["next"] * 5_000}
    yield {"setup": setup(), "moves": [{"move": "next", "stands": True}] * 5_000}
