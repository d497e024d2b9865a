"""Positions of Fief of which only a part was entered, and what the rest can be: villages, and lords who stand there.

By the JSON of the position and the components alone.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.rules.fief.oracle import Json, Table

UNKNOWN = "?"
CASTLES, CITIES, CARDS = 12, 8, 3


def rest_filled(table: Table, partial: Json, chance: Random) -> Json:
    """A position by chance of which this is what was entered, where the rest is unknown."""
    filled = copy.deepcopy({name: told for name, told in partial.items() if name not in ("rest", "absent")})
    entered = {v for villages in partial["control"].values() for v in villages} | {*partial["villages"]}
    unseen = [village for village in table.villages if village not in entered]
    _build_villages(table, filled, unseen, chance)
    names = {lord["name"] for lord in partial["lords"]}.union(partial.get("absent", ()), partial.get("dead", ()))
    strangers = [name for name in (*table.men, *table.women) if name not in names]
    chance.shuffle(strangers)
    came = strangers[: chance.choice((0, 1, 2, 3, len(strangers)))]
    lords = [{"name": n, "player": chance.choice(table.colours), "place": chance.choice(unseen)} for n in came]
    _couple(table, filled, lords, chance)
    for title, holder in _titles(table, filled, lords, chance):
        _give(holder, title)
    filled["lords"] += lords
    dead = [name for name in strangers if name not in came and chance.random() < 0.3]
    filled["dead"] = [*partial.get("dead", ()), *dead]
    return filled


def _build_villages(table: Table, filled: Json, unseen: list[str], chance: Random) -> None:
    """Controllers and buildings of the villages that were not entered, as many as there are and one city a fief."""
    told = filled["villages"]
    castles = sum(each.get("building") == "castle" for each in told.values()) + len(filled.get("castles", ()))
    cities = {table.villages[v]["fief"] for v, each in told.items() if each.get("building") == "city"}
    cities |= {table.villages[v]["fief"] for v in filled.get("cities", ())}
    shares = chance.choice(((1, 0, 0), (2, 1, 1), (1, 2, 2), (1, 6, 0), (1, 0, 6)))
    for village in unseen:
        (building,) = chance.choices((None, "castle", "city"), shares)
        fief = table.villages[village]["fief"]
        if (building == "castle" and castles >= CASTLES) or (
            building == "city" and (fief in cities or len(cities) >= CITIES)
        ):
            building = None
        castles += building == "castle"
        cities |= {fief} if building == "city" else set()
        seen = {"controller": chance.choice((None, *table.colours)), "building": building}
        told[village] = {name: value for name, value in seen.items() if value}


def _couple(table: Table, filled: Json, lords: list[Json], chance: Random) -> None:
    """Marriages of those who were not entered, and of one whose spouse is unknown."""
    men = [lord for lord in lords if lord["name"] in table.men]
    women = [lord for lord in lords if lord["name"] in table.women]
    for open_ in [lord for lord in filled["lords"] if lord.get("spouse") == UNKNOWN]:
        del open_["spouse"]
        free = women if open_["name"] in table.men else men
        if free and chance.random() < 0.6:
            _marry(open_, free.pop())
    for man, woman in zip(men, women, strict=False):
        if chance.random() < 0.5:
            _marry(man, woman)


def _marry(one: Json, other: Json) -> None:
    one["spouse"], other["spouse"] = other["name"], one["name"]


def _titles(table: Table, filled: Json, lords: list[Json], chance: Random) -> Iterator[tuple[tuple[str, Any], Json]]:
    """Titles and marks that nobody who was entered has, each for one of the others."""
    held = filled["lords"]
    men = [lord for lord in lords if lord["name"] in table.men]
    women = [lord for lord in lords if lord["name"] in table.women]
    crown = [("king", men), ("regent", women)]
    chance.shuffle(crown)
    once: list[tuple[str, list[Json]]] = [("pope", men), ("arc", women)]
    if not any(lord.get("king") or lord.get("regent") for lord in held):
        once.append(crown[0])
    for title, of in once:
        if not any(lord.get(title) for lord in held) and of and chance.random() < 0.5:
            yield (title, True), chance.choice(of)
    yield from _of_the_church(table, held, men, chance)
    fiefs = {fief for lord in held for fief in _known_holdings(lord, "fiefs")}
    for fief in table.fiefs():
        if fief not in fiefs and _has_city(table, filled, fief) and lords and chance.random() < 0.6:
            yield ("fiefs", fief), chance.choice(lords)
    for lord in lords:
        yield from (((mark, True), lord) for mark in ("excommunicated", "marked") if chance.random() < 0.1)


def _of_the_church(
    table: Table, held: list[Json], men: list[Json], chance: Random
) -> Iterator[tuple[tuple[str, Any], Json]]:
    """Sees and cardinals' titles that are left."""
    for number in sorted({village["bishopric"] for village in table.villages.values()}):
        if not any(number in _known_holdings(lord, "bishop") for lord in held) and men and chance.random() < 0.4:
            yield ("bishop", number), chance.choice(men)
    origins = [lord.get("cardinal") for lord in held]
    for kind, left in (("title", 1 - origins.count("title")), ("card", CARDS - origins.count("card"))):
        for man in chance.sample(men, chance.randint(0, max(min(left, len(men)), 0))):
            yield ("cardinal", kind), man


def _known_holdings(lord: Json, code: str) -> list[Any]:
    """What a lord is known to hold."""
    found: Any = lord.get(code, [])
    return [] if found == UNKNOWN else found


def _has_city(table: Table, filled: Json, fief: str) -> bool:
    told = filled["villages"]
    built = [v for v in table.of_fief(fief) if told.get(v, {}).get("building") == "city"]
    return bool(built) or not {*table.of_fief(fief)}.isdisjoint(filled.get("cities", ()))


def _give(lord: Json, title: tuple[str, Any]) -> None:
    name, value = title
    if name in ("bishop", "fiefs"):
        lord.setdefault(name, []).append(value)
    else:
        lord.setdefault(name, value)
