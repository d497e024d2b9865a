"""Fief worked out a second time, naively, from the JSON of a position alone: nothing here knows how the rules do it."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = "dict[str, Any]"
MAP = Path(__file__).parents[3] / "rules" / "fief" / "map.toml"
MEN = [
    *("Arthur", "Baudoin", "Charles", "Éric", "François", "Gauvain"),
    *("Henri", "Lambert", "Othon", "Philippe", "Quentin", "Thierry"),
]
PRICES = {"castle": 4, "cardinal": 2, "card": 1, "baron": 2, "count": 3, "duke": 4, "city": 0}
WOMEN = ["Aliénor", "Blanche", "Guenièvre", "Isabelle", "Jeanne", "Mireille"]


@dataclass(frozen=True)
class Table:
    """What a table is opened with: its players, map, lords, prices and readings."""

    colours: Sequence[str]
    villages: Mapping[str, Json]
    roads: Collection[frozenset[str]]
    men: Sequence[str]
    women: Sequence[str]
    prices: Mapping[str, int]
    readings: Mapping[str, str]

    def of_fief(self, fief: str) -> list[str]:
        """The villages of a fief."""
        return [name for name, village in self.villages.items() if village["fief"] == fief]

    def of_bishopric(self, number: int) -> list[str]:
        """The villages of a bishopric."""
        return [name for name, village in self.villages.items() if village["bishopric"] == number]

    def fiefs(self) -> list[str]:
        """All fiefs."""
        return sorted({village["fief"] for village in self.villages.values()})


def table_of(setup: Json) -> Table:
    """The table of a setup, as JSON."""
    data = setup.get("data") or {}
    land = data.get("map") or tomllib.loads(MAP.read_text())
    lords = data.get("lords") or {"men": MEN, "women": WOMEN}
    return Table(
        [player["colour"] for player in setup["players"]],
        {village["name"]: village for village in land["villages"]},
        {frozenset(road) for road in land["roads"]},
        lords["men"],
        lords["women"],
        PRICES | (data.get("prices") or {}),
        setup["readings"],
    )


# --- what a position shows -------------------------------------------------------------------------------------------


def controller(position: Json, village: str) -> str | None:
    """Who controls a village."""
    return next((player for player, there in position["control"].items() if village in there), None)


def there(position: Json, village: str, players: Iterable[str]) -> list[Json]:
    """The living lords of these players in a village."""
    return [lord for lord in position["lords"] if lord["place"] == village and lord["player"] in players]


def of_church(lord: Json) -> bool:
    """Whether a lord has a church title."""
    return bool(lord["bishop"] or lord.get("cardinal") or lord["pope"])


def is_queen(position: Json, lord: Json) -> bool:
    """The wife of the king, or the regent."""
    kings = [other["name"] for other in position["lords"] if other["king"]]
    return bool(lord["regent"]) or (lord.get("spouse") in kings)


def has_title(position: Json, lord: Json) -> bool:
    """Whether a lord has any title."""
    return bool(lord["fiefs"]) or of_church(lord) or lord["king"] or is_queen(position, lord)


def turn_order(table: Table, position: Json) -> list[str]:
    """The players from the first one on."""
    start = table.colours.index(position["first"])
    return [*table.colours[start:], *table.colours[:start]]


# --- elections -------------------------------------------------------------------------------------------------------


def bishopric_due(table: Table, position: Json) -> int | None:
    """The bishopric that elects now, if one does."""
    for number in range(position["held"] + 1, 6):
        villages = table.of_bishopric(number)
        vacant = not any(number in lord["bishop"] for lord in position["lords"])
        if villages and vacant and all(controller(position, village) for village in villages):
            return number
    return None


def may_be_bishop(table: Table, lord: Json) -> bool:
    """Men, neither bishop, married, king nor excommunicated."""
    barred = lord["bishop"] or lord.get("spouse") or lord["king"] or lord["excommunicated"]
    return lord["name"] in table.men and not barred


def church_votes(table: Table, lord: Json) -> int:
    """What a lord adds to the votes of the player in the election of a bishop."""
    if lord["excommunicated"]:
        return 0
    see = 2 if lord["bishop"] and not lord["elected"] else 0
    each = [3 if lord["pope"] else 0, 3 if lord.get("cardinal") else 0, see]
    return sum(each) if table.readings["church_votes"] == "sum" else max(each)


def votes(table: Table, position: Json, number: int, player: str) -> int:
    """The votes of a player in a bishopric."""
    mine = [village for village in table.of_bishopric(number) if controller(position, village) == player]
    of_land = sum(2 if table.villages[village].get("seat") else 1 for village in mine)
    return of_land + sum(church_votes(table, lord) for lord in position["lords"] if lord["player"] == player)


def cardinals(position: Json) -> list[Json]:
    """The lords with a cardinal's title."""
    return [lord for lord in position["lords"] if lord.get("cardinal")]


def pope_due(position: Json) -> bool:
    """Two cardinals and no pope."""
    return len(cardinals(position)) >= 2 and not any(lord["pope"] for lord in position["lords"])


def may_be_pope(lord: Json) -> bool:
    """Bishops and cardinals, not excommunicated."""
    return bool(lord["bishop"] or lord.get("cardinal")) and not lord["excommunicated"]


def carries(table: Table, position: Json, names: Iterable[str]) -> bool:
    """Whether a cardinal or two bishops are among these lords; the pope is what his own titles make him, or more."""
    lords = [lord for lord in position["lords"] if lord["name"] in names]
    weighs = table.readings["pope_at_election_of_king"] == "as_cardinal"
    high = any(lord.get("cardinal") or (weighs and lord["pope"]) for lord in lords)
    return high or sum(bool(lord["bishop"]) for lord in lords) >= 2


def king_due(table: Table, position: Json) -> bool:
    """No king, three lords with a title, among them a cardinal or two bishops."""
    titled = [lord["name"] for lord in position["lords"] if has_title(position, lord)]
    throne = not any(lord["king"] for lord in position["lords"])
    return throne and len(titled) >= 3 and carries(table, position, titled)


def may_be_king(table: Table, position: Json, lord: Json) -> bool:
    """Men with a title, none of the church, not excommunicated."""
    return (
        lord["name"] in table.men
        and has_title(position, lord)
        and not of_church(lord)
        and not lord["excommunicated"]
    )  # fmt: skip


def most(tally: Mapping[str, int]) -> str | None:
    """Who has more votes than each other candidate."""
    best = max(tally.values(), default=0)
    ahead = [name for name, n in tally.items() if n == best]
    return ahead[0] if len(ahead) == 1 else None


def pope_of(table: Table, candidates: Sequence[str], ballots: Sequence[str]) -> str | None:
    """Who is elected pope by these votes."""
    tally = Counter(ballots)
    if len(candidates) == 1:
        return candidates[0]
    if table.readings["pope_quorum"] == "two":
        ahead = most({name: tally[name] for name in candidates})
        return ahead if ahead and tally[ahead] >= 2 else None
    return next((name for name in candidates if 2 * tally[name] > len(ballots)), None)


# --- incomes, points, who wins ---------------------------------------------------------------------------------------


def income(table: Table, position: Json, player: str) -> int:
    """Villages, king or regent, pope, queen; a regent perhaps as queen too."""
    both = table.readings["regent_income"] == "both"
    own = [lord for lord in position["lords"] if lord["player"] == player]
    bonus = sum(2 * int(lord["king"] or lord["regent"]) + 2 * int(lord["pope"]) for lord in own)
    queens = sum(is_queen(position, lord) and (both or not lord["regent"]) for lord in own)
    return len(position["control"].get(player, ())) + bonus + queens


def points(position: Json, player: str) -> int:
    """Fief titles, king, pope."""
    own = [lord for lord in position["lords"] if lord["player"] == player]
    return sum(len(lord["fiefs"]) + int(lord["king"]) + int(lord["pope"]) for lord in own)


def ally(position: Json, player: str) -> str | None:
    """The player with whom a player is allied by marriage."""
    player_of = {lord["name"]: lord["player"] for lord in position["lords"]}
    wed = (lord for lord in position["lords"] if lord["player"] == player and lord.get("spouse"))
    return next((player_of[lord["spouse"]] for lord in wed), None)


def victors(table: Table, position: Json) -> tuple[str, set[str]]:
    """The rule by which the game is over, if it is, and who wins."""
    anyone = table.readings["solo_victory"] == "anyone"
    free = [player for player in table.colours if anyone or ally(position, player) is None]
    alone = {player for player in free if points(position, player) >= 3}
    if alone:
        return "FI-81", alone
    pairs = [(player, ally(position, player)) for player in table.colours]
    together = {one for one, two in pairs if two and points(position, one) + points(position, two) >= 4}
    return ("FI-82", together) if together else ("", set())


def places(table: Table, position: Json) -> list[tuple[int | None, set[str], str]]:
    """Who wins, and then all others together; nobody has a place while nobody wins."""
    rule, winners = victors(table, position)
    if not winners:
        return [(None, set(table.colours), "FI-80")]
    losers = set(table.colours) - winners
    return [(1, winners, rule), *([(1 + len(winners), losers, rule)] if losers else [])]


# --- movements -------------------------------------------------------------------------------------------------------


def march(
    table: Table, position: Json, lords: Sequence[Json], path: Sequence[str], allowed: Collection[str]
) -> set[str]:
    """What a march of lords of one player breaks."""
    player = lords[0]["player"]
    steps = list(pairwise(path))
    if any(lord["place"] != path[0] for lord in lords) or any(frozenset(step) not in table.roads for step in steps):
        return {"FI-60"}
    broken = set()
    if len(steps) > (3 if any(lord["arc"] for lord in lords) else 2):
        broken.add("FI-60")
    if {lord["name"] for lord in lords} & set(position["moved"]):
        broken.add("FI-60")
    for before, here, after in zip(path, path[1:], path[2:], strict=False):
        if controller(position, here) not in {None, player, *allowed} and after != before:
            broken.add("FI-62")
    for one in position["arrivals"]:
        against = (one["village"], one["road"]) in steps and one["village"] == path[0]
        if against and one["player"] not in {player, *allowed}:
            broken.add("FI-63")
    if controller(position, path[0]) == player and steps and _is_besieged(table, position, path[0]):
        broken.add("FI-77")
    return broken


def march_changes(position: Json, lords: Sequence[Json], path: Sequence[str]) -> tuple[set[Any], set[Any]]:
    """What a legal march takes away and brings: where the lords stand, and villages that nobody controlled."""
    player = lords[0]["player"]
    gone = {("lord", lord["name"], player, path[0]) for lord in lords}
    come = {("lord", lord["name"], player, path[-1]) for lord in lords}
    taken = {("control", village, player) for village in path[1:] if controller(position, village) is None}
    return gone, come | taken


def _is_besieged(table: Table, position: Json, village: str) -> bool:
    strong = village in (*position["castles"], *position["cities"])
    by = [siege["player"] for siege in position["sieges"] if siege["village"] == village]
    return strong and table.readings["sieges"] == "on" and bool(there(position, village, by))
