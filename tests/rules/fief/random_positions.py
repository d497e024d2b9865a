"""Positions of Fief by chance: titles, places and villages dealt out as no single game would have them."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.rules.fief.oracle import Json, Table

PLACES = 4
"""So many villages the lords are crowded into, that there is something to fight about."""


def shaken(table: Table, chance: Random, phase: str) -> Json:
    """A position that could stand on a table."""
    villages = list(table.villages)
    places = chance.sample(villages, PLACES)
    owners = {village: chance.choice([*table.colours, *table.colours, None]) for village in villages}
    owners |= {place: chance.choice(table.colours) for place in places}
    names = [*table.men, *table.women]
    lords = {
        name: {"name": name, "player": chance.choice(table.colours), "place": chance.choice(places)}
        for name in chance.sample(names, chance.randint(len(names) // 2, len(names)))
    }
    position: Json = {
        "first": chance.choice(table.colours),
        "phase": phase,
        "control": {player: [v for v in villages if owners[v] == player] for player in table.colours},
        "cities": [
            chance.choice(table.of_fief(fief)) for fief in table.fiefs() if chance.random() < 0.7
        ],
    }  # fmt: skip
    position["castles"] = [v for v in places if v not in position["cities"] and chance.random() < 0.5]
    for step in (_churchmen, _laymen, _fiefs):
        step(table, chance, lords, position)
    position["lords"] = list(lords.values())
    if phase == "purchases":
        position["spent"] = {position["first"]: chance.randint(0, 6)}
    if phase in {"movements", "combats"}:
        position |= _on_the_way(table, chance, position, phase)
    return position


def _some(chance: Random, names: list[str], share: float) -> str | None:
    return chance.choice(names) if names and chance.random() < share else None


def _churchmen(table: Table, chance: Random, lords: dict[str, Json], _: Json) -> None:
    """Bishops, of whom some are cardinals, and perhaps the pope."""
    men = [name for name in lords if name in table.men]
    bishops = []
    for number in {village["bishopric"] for village in table.villages.values()}:
        bishop = _some(chance, [name for name in men if name not in bishops], 0.6)
        if bishop:
            lords[bishop] |= {"bishop": [number], "elected": chance.random() < 0.2}
            bishops.append(bishop)
    for bishop, kind in zip(bishops, ("title", "card", "card", "card"), strict=False):
        if chance.random() < 0.6:
            lords[bishop]["cardinal"] = kind
    pope = _some(chance, bishops, 0.5)
    if pope:
        lords[pope]["pope"] = True
        if chance.random() < 0.3:
            lords[pope] |= {"bishop": [], "elected": False}


def _laymen(table: Table, chance: Random, lords: dict[str, Json], _: Json) -> None:
    """A king or a regent perhaps, marriages, d'Arc, crown princes, the excommunicated."""
    men = [name for name in lords if name in table.men and "bishop" not in lords[name]]
    women = [name for name in lords if name in table.women]
    king = _some(chance, men, 0.5)
    if king:
        lords[king]["king"] = True
    allied: set[Any] = set()
    for man, woman in zip(men, women, strict=False):
        players = {lords[man]["player"], lords[woman]["player"]}
        if len(players) == 2 and not players & allied:
            allied |= players
            lords[man]["spouse"], lords[woman]["spouse"] = woman, man
    single = [woman for woman in women if "spouse" not in lords[woman]]
    for mark, share in (("arc", 0.5), ("regent", 0.0 if king else 0.6)):
        chosen = _some(chance, single, share)
        if chosen:
            lords[chosen][mark] = True
    princes = [name for name in lords if name in table.men and name != king]
    for number, prince in enumerate(chance.sample(princes, min(2, len(princes))), 1):
        lords[prince]["prince"] = number
    outcast = _some(chance, [name for name in (*men, *women) if name != king], 0.5)
    if outcast:
        lords[outcast]["excommunicated"] = True


def _fiefs(table: Table, chance: Random, lords: dict[str, Json], position: Json) -> None:
    """Most cities have a lord who bears the title, whoever controls them."""
    for city in position["cities"]:
        holder = _some(chance, list(lords), 0.8)
        if holder:
            lords[holder].setdefault("fiefs", []).append(table.villages[city]["fief"])


def _on_the_way(table: Table, chance: Random, position: Json, phase: str) -> Json:
    """What has happened since the movements began: strengths of before, armies of the dead, arrivals, sieges."""
    lords = position["lords"]
    dead = [name for name in table.men if all(lord["name"] != name for lord in lords)]
    found: Json = {
        "dead": dead,
        "ranks": _ranks(table, chance, lords),
        "armies": [_army(chance, name, chance.choice(lords), lords) for name in dead if chance.random() < 0.7],
        "sieges": [siege for siege in _sieges(position) if chance.random() < 0.7],
    }
    if phase == "movements":
        ends = [(here, there) for road in table.roads for here, there in (sorted(road), sorted(road, reverse=True))]
        came = [end for end in sorted(ends) if chance.random() < 0.3]
        found["arrivals"] = [{"player": chance.choice(table.colours), "village": v, "road": r} for v, r in came]
        found["moved"] = [lord["name"] for lord in lords if chance.random() < 0.1]
    return found


def _rank(chance: Random) -> Json:
    return {"lay": chance.randint(0, 5), "church": chance.choice((0, 2, 3, 4))}


def _ranks(table: Table, chance: Random, lords: list[Json]) -> Json:
    """Strengths of before, some with the fiefs of then: of those of now some, and one that was lost."""
    ranks = {lord["name"]: _rank(chance) for lord in lords if chance.random() < 0.2}
    held = {fief for lord in lords for fief in lord.get("fiefs", ())}
    free = [fief for fief in table.fiefs() if fief not in held]
    for lord in lords:
        if lord["name"] in ranks and chance.random() < 0.5:
            kept = [fief for fief in lord.get("fiefs", ()) if chance.random() < 0.5]
            ranks[lord["name"]]["fiefs"] = [*kept, *([free.pop()] if free else [])]
    return ranks


def _army(chance: Random, name: str, friend: Json, lords: list[Json]) -> Json:
    """The army of a dead lord of a friend's player, where the friend stands."""
    heirs = [lord["name"] for lord in lords if lord["player"] == friend["player"]]
    army = {"lord": name, "player": friend["player"], "place": friend["place"], **_rank(chance)}
    army |= {"fief": chance.choice((0, 2, 3, 4))} if army["lay"] == 5 else {}
    return army | ({"heir": chance.choice(heirs)} if chance.random() < 0.7 else {})


def _sieges(position: Json) -> list[Json]:
    """Every siege that there could be."""
    strong = {*position["castles"], *position["cities"]}
    owner = {village: player for player, mine in position["control"].items() for village in mine}
    found = {(lord["player"], lord["place"]) for lord in position["lords"] if lord["place"] in strong}
    return [{"player": p, "village": v} for p, v in sorted(found) if owner.get(v) not in {p, None}]
