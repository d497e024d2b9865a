"""Positions of Fief with something unknown, and all that it can be.

By the JSON of the position and the components alone.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from random import Random
from typing import Any

from tests.rules.fief.oracle import Json, Table

UNKNOWN = "?"
OF_OFFICES = 5
"""What king, pope and queen bring."""
MOST = 12
"""A number that may be unknown is at most so great here."""
FLAGS = ("pope", "king", "regent", "arc", "excommunicated", "marked", "elected")
SMALL: Json = {
    "players": [
        {"colour": "red", "lord": "Al", "village": "Aix"},
        {"colour": "blue", "lord": "Eve", "village": "Bar"},
        {"colour": "green", "lord": "Bo", "village": "Cas"},
    ],
    "data": {
        "map": {
            "villages": [
                {"name": "Aix", "fief": "F1", "bishopric": 1, "seat": True},
                {"name": "Bar", "fief": "F1", "bishopric": 1},
                {"name": "Cas", "fief": "F2", "bishopric": 1},
                {"name": "Dol", "fief": "F2", "bishopric": 1},
            ],
            "roads": [["Aix", "Bar"], ["Bar", "Cas"], ["Cas", "Dol"], ["Dol", "Aix"]],
        },
        "lords": {"men": ["Al", "Bo", "Cy", "Dan", "Ed"], "women": ["Eve", "Fay", "Gil"]},
    },
}
"""A map so small that much of what it can be is tried."""
Way = tuple[Any, ...]
"""Where in the JSON something is unknown: names and numbers."""


def at(position: Json, way: Way) -> Any:
    """What is there."""
    found: Any = position
    for step in way:
        found = found[step]
    return found


def put(position: Json, way: Way, value: Any) -> None:
    """Put something there; None takes it away."""
    place = at(position, way[:-1])
    if value is None and not isinstance(place, list):
        place.pop(way[-1], None)
    else:
        place[way[-1]] = value


# --- what may be unknown -----------------------------------------------------------------------------------------


def hide(position: Json, ways: list[Way]) -> Json:
    """The position with these unknown."""
    partial = copy.deepcopy(position)
    for way in ways:
        _hide(partial, way)
    return partial


def _hide(partial: Json, way: Way) -> None:
    if way[0] == "villages":
        _whole(partial, way[1])
        if len(way) == 2:
            partial["villages"][way[1]] = UNKNOWN
            return
    if way[-1] == "spouse":
        _alone(partial, at(partial, way[:-1]))
    if way[0] in ("murders", "income", "spent"):
        partial.setdefault(way[0], {})
    put(partial, way, UNKNOWN)


def _whole(partial: Json, village: str) -> None:
    """A village that is told of by itself."""
    if village in partial.setdefault("villages", {}):
        return
    told = told_of(partial, village)
    for villages in partial["control"].values():
        if village in villages:
            villages.remove(village)
    for built in (partial.get("castles", []), partial.get("cities", [])):
        if village in built:
            built.remove(village)
    partial["villages"][village] = told


def told_of(position: Json, village: str) -> Json:
    """What lists tell of a village."""
    told: Json = {}
    for colour, villages in position["control"].items():
        if village in villages:
            told["controller"] = colour
    for building, lists in (("castle", "castles"), ("city", "cities")):
        if village in position.get(lists, []):
            told["building"] = building
    return told


def _alone(partial: Json, lord: Json) -> None:
    """The other one of a marriage says nothing of it."""
    for other in partial["lords"]:
        if other.get("spouse") == lord["name"]:
            del other["spouse"]


def hideable(table: Table, position: Json, move: Json, chance: Random, number: int) -> list[Way]:
    """Some facts that may be unknown, most of them about villages and lords that a move names."""
    spoken = set(_words(move))
    near = [v for v in table.villages if v in spoken or {table.villages[v]["fief"]} & spoken]
    villages: list[Way] = [("villages", v) for v in [*near, *near, chance.choice(list(table.villages))]]
    villages += [(*way, part) for way in villages for part in ("controller", "building")]
    numbers = [n for n, lord in enumerate(position["lords"]) if lord["name"] in spoken or lord["place"] in spoken]
    lords: list[Way] = [
        ("lords", n, fact)
        for n in [*numbers, *numbers, chance.randrange(len(position["lords"]))]
        for fact in ("player", "place", "spouse", "fiefs", "bishop", "cardinal", *FLAGS)
    ]
    found: list[Way] = []
    for _ in range(number):
        way = chance.choice(chance.choice((villages, villages, lords, lords, _scalars(table, position["phase"]))))
        if all(way[: len(other)] != other and other[: len(way)] != way for other in found):
            found.append(way)
    return found


def _scalars(table: Table, phase: str) -> list[Way]:
    """The facts of the table that may be unknown."""
    ways: dict[str, list[Way]] = {
        "bishops": [("held",)],
        "pope": [("held",)],
        "king": [("held",)],
        "purchases": [("turn",), *((code, c) for code in ("income", "spent") for c in table.colours)],
        "movements": [("turn",), ("moved",), ("arrivals",), ("sieges",)],
        "combats": [("turn",), ("attacked",), ("sieges",)],
    }
    rare: list[Way] = [("arc_gone",), ("excommunication",), *(("murders", colour) for colour in table.colours)]
    return ways.get(phase, rare) * 2 + rare


def _words(value: Any) -> Iterator[str]:
    """Every text in some JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _words(each)


# --- what it can be ----------------------------------------------------------------------------------------------


def fillings(table: Table, partial: Json, ways: list[Way]) -> Iterator[tuple[tuple[Any, ...], Json]]:
    """Every way to fill in what is unknown, with the position then."""
    for values in product(*(list(values_of(table, partial, way)) for way in ways)):
        yield values, _fill(partial, ways, values)


def some_fillings(
    table: Table, partial: Json, ways: list[Way], chance: Random, times: int
) -> Iterator[tuple[tuple[Any, ...], Json]]:
    """The same, of so many by chance."""
    each = [list(values_of(table, partial, way)) for way in ways]
    for _ in range(times):
        values = tuple(chance.choice(found) for found in each)
        yield values, _fill(partial, ways, values)


def _fill(partial: Json, ways: list[Way], values: tuple[Any, ...]) -> Json:
    filled = copy.deepcopy(partial)
    for way, value in zip(ways, values, strict=True):
        if way[-1] == "spouse":
            _marry(filled, at(filled, way[:-1]), value)
        else:
            put(filled, way, None if value == "left out" else value)
    return filled


def _marry(filled: Json, lord: Json, value: str | None) -> None:
    if value is None:
        lord.pop("spouse", None)
        return
    lord["spouse"] = value
    for other in filled["lords"]:
        if other["name"] == value and other.get("spouse") in (None, UNKNOWN):
            other["spouse"] = lord["name"]


def values_of(table: Table, partial: Json, way: Way) -> Iterator[Any]:
    if way[0] == "villages":
        yield from _of_a_village(table, way)
    elif way[0] == "lords":
        told = OF_A_LORD.get(way[2], _flags)
        yield from told(table, partial, at(partial, way[:-1]))
    else:
        yield from OF_THE_TABLE[way[0]](table, partial)


def _of_a_village(table: Table, way: Way) -> Iterator[Any]:
    colours, buildings = (None, *table.colours), (None, "castle", "city")
    if way[-1] == "controller":
        yield from colours
    elif way[-1] == "building":
        yield from buildings
    else:
        for colour, building in product(colours, buildings):
            yield {k: v for k, v in (("controller", colour), ("building", building)) if v is not None}


def _flags(_table: Table, _partial: Json, _lord: Json) -> Iterator[Any]:
    yield from (False, True)


def _sexes(table: Table, name: str) -> bool:
    return name in table.men


def _spouses(table: Table, partial: Json, lord: Json) -> Iterator[Any]:
    yield None
    for other in partial["lords"]:
        if _sexes(table, other["name"]) != _sexes(table, lord["name"]) and other.get("spouse") in (None, UNKNOWN):
            yield other["name"]


def _fiefs(table: Table, partial: Json, _: Json) -> Iterator[Any]:
    """Every set of the fiefs that nobody else holds and that may have a city."""
    held = {fief for lord in partial["lords"] for fief in lord.get("fiefs", ()) if lord.get("fiefs") != UNKNOWN}
    free = [fief for fief in table.fiefs() if fief not in held and any(map(_cities(partial), table.of_fief(fief)))]
    yield from _sets(free)


def _cities(partial: Json) -> Callable[[str], bool]:
    """Whether a village is, or may be, a city."""
    told = partial.get("villages", {})

    def may_be(village: str) -> bool:
        seen = told.get(village, {})
        building = UNKNOWN if seen == UNKNOWN else seen.get("building")
        return village in partial.get("cities", ()) or building in ("city", UNKNOWN)

    return may_be


def _sees(table: Table, partial: Json, _: Json) -> Iterator[Any]:
    """Every set of the bishoprics that nobody else holds."""
    held = {number for lord in partial["lords"] for number in lord.get("bishop", ()) if lord.get("bishop") != UNKNOWN}
    yield from _sets(sorted({village["bishopric"] for village in table.villages.values()} - held))


def _sets(each: list[Any]) -> Iterator[Any]:
    return (list(some) for n in range(len(each) + 1) for some in combinations(each, n))


OF_A_LORD: Mapping[str, Callable[[Table, Json, Json], Iterator[Any]]] = {
    "player": lambda table, *_: iter(table.colours),
    "place": lambda table, *_: iter(table.villages),
    "spouse": _spouses,
    "fiefs": _fiefs,
    "bishop": _sees,
    "cardinal": lambda *_: iter((None, "card", "title")),
}


def _names(partial: Json) -> list[str]:
    return [lord["name"] for lord in partial["lords"]]


def _arrivals(table: Table, _: Json) -> Iterator[Any]:
    yield []
    for road in table.roads:
        for village, other in (sorted(road), sorted(road, reverse=True)):
            yield from ([{"player": colour, "village": village, "road": other}] for colour in table.colours)


def _sieges(table: Table, _: Json) -> Iterator[Any]:
    yield []
    yield from ([{"player": c, "village": v}] for c, v in product(table.colours, table.villages))


def _attacks(table: Table, _: Json) -> Iterator[Any]:
    yield []
    yield from ([village] for village in table.villages)


OF_THE_TABLE: Mapping[str, Callable[[Table, Json], Iterator[Any]]] = {
    "turn": lambda table, _: iter(table.colours),
    "held": lambda _, partial: iter(range(6) if partial["phase"] == "bishops" else (0, 1)),
    "arc_gone": lambda *_: iter((False, True)),
    "excommunication": lambda _, partial: iter((None, *_names(partial))),
    "moved": lambda _, partial: iter(
        [[], *([name] for name in _names(partial)), *map(list, combinations(_names(partial), 2))]
    ),
    "arrivals": _arrivals,
    "attacked": _attacks,
    "sieges": _sieges,
    "murders": lambda *_: iter(("left out", 1, 2)),
    "income": lambda table, _: iter(range(min(MOST, len(table.villages) + OF_OFFICES + 1))),
    "spent": lambda *_: iter(range(MOST)),
}
