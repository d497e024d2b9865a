"""The combats of Fief worked out a second time, naively, from the JSON of a position alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.rules.fief.oracle import Json, Table, controller, is_queen, of_church, there


@dataclass(frozen=True)
class Fight:
    """An attack: where, by whom and on whom."""

    village: str
    attackers: Sequence[str]
    enemies: Sequence[str]


def lay_strength(table: Table, position: Json, lord: Json) -> int:
    """Man, woman, the highest fief, king or queen, d'Arc: the highest of these."""
    ranks = [len(table.of_fief(fief)) for fief in lord["fiefs"]]
    crowned = lord["king"] or is_queen(position, lord) or lord["arc"]
    return max([1 if lord["name"] in table.men else 0, *ranks, 5 if crowned else 0])


def church_strength(lord: Json) -> int:
    """Pope 4, cardinal 3, bishop 2."""
    if lord["pope"]:
        return 4
    if lord.get("cardinal"):
        return 3
    return 2 if lord["bishop"] else 0


def titles_now(table: Table, position: Json) -> dict[str, tuple[int, int]]:
    """What the titles of each lord are worth now: in any fight, and in defence by the church."""
    return {lord["name"]: (lay_strength(table, position, lord), church_strength(lord)) for lord in position["lords"]}


def ranks(table: Table, position: Json) -> dict[str, tuple[int, int]]:
    """The same as it counts in this round's combats: where the position says otherwise, as it says."""
    said = {name: (rank["lay"], rank["church"]) for name, rank in position["ranks"].items()}
    return {**titles_now(table, position), **said}


def attack_strength(table: Table, position: Json, lord: Json) -> int:
    """What a lord is worth in attack: of the fiefs that were held when the movements began, those held still."""
    then, lay = position["ranks"].get(lord["name"]), ranks(table, position)[lord["name"]][0]
    if then is None or lay not in {2, 3, 4} or table.readings["lost_title"] == "counts":
        return lay
    there = [fief for fief in lord["fiefs"] if then.get("fiefs") is None or fief in then["fiefs"]]
    return min(lay, max([1 if lord["name"] in table.men else 0, *(len(table.of_fief(fief)) for fief in there)]))


def may_fight(table: Table, position: Json, fight: Fight) -> bool:
    """Whether the two camps can be named so."""
    armies = {army["player"] for army in position["armies"] if army["place"] == fight.village}
    present = {lord["player"] for lord in there(position, fight.village, table.colours)} | armies
    present |= {controller(position, fight.village) or ""}
    lead = all(any(not of_church(lord) for lord in there(position, fight.village, [p])) for p in fight.attackers)
    apart = not set(fight.attackers) & set(fight.enemies)
    return lead and apart and present.issuperset(fight.enemies) and fight.village not in position["attacked"]


def camp(position: Json, fight: Fight) -> list[Json]:
    """The lords who attack."""
    return [lord for lord in there(position, fight.village, fight.attackers) if not of_church(lord)]


def led_armies(table: Table, position: Json, fight: Fight) -> list[Json]:
    """The armies of dead lords that join the attack: their heir leads them."""
    leaders = {lord["name"] for lord in camp(position, fight)}
    may = table.readings["dead_army"] == "heir_may_attack"
    here = [a for a in position["armies"] if may and a["place"] == fight.village and a.get("heir") in leaders]
    return [army for army in here if fief_strength(army)]


def fief_strength(army: Json) -> int:
    """What an army is worth in attack: the highest fief, which crown and d'Arc hide and man and woman do not have."""
    return int(army["fief"]) if army["fief"] else {2: 2, 3: 3, 4: 4}.get(army["lay"], 0)


def armies_of(position: Json, village: str, players: Sequence[str]) -> Iterator[Json]:
    """The armies of these players' dead in a village."""
    return (army for army in position["armies"] if army["place"] == village and army["player"] in players)


def strengths(table: Table, position: Json, fight: Fight) -> tuple[int, int]:
    """The strength of the attack and of the defence."""
    rank = ranks(table, position)
    attack = sum(attack_strength(table, position, lord) for lord in camp(position, fight))
    attack += sum(fief_strength(army) for army in led_armies(table, position, fight))
    defence = sum(max(rank[lord["name"]]) for lord in there(position, fight.village, fight.enemies))
    defence += sum(max(army["lay"], army["church"]) for army in armies_of(position, fight.village, fight.enemies))
    return attack, defence + place_strength(position, fight)


def place_strength(position: Json, fight: Fight) -> int:
    """What the place adds to the defence."""
    if controller(position, fight.village) not in fight.enemies:
        return 0
    return 3 if fight.village in position["cities"] else 2 if fight.village in position["castles"] else 1


def dice_of(greater: int) -> tuple[int, int, int]:
    """How many battle dice a strength asks for, and the least and the greatest sum that they can show."""
    number = 0
    while 3 * number < greater:
        number += 1
    ordinary, battle = number // 2, number % 2
    return number, ordinary, 6 * ordinary + 3 * battle


# --- what becomes of it ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What an attack leaves: who lives, who controls what, which castles stand, which armies of the dead are left."""

    living: frozenset[str]
    control: frozenset[tuple[str, str]]
    castles: frozenset[str]
    armies: frozenset[str]


def outcome_of(position: Json) -> Outcome:
    """The same as a position shows it."""
    return Outcome(
        frozenset(lord["name"] for lord in position["lords"]),
        frozenset((village, player) for player, mine in position["control"].items() for village in mine),
        frozenset(position["castles"]),
        frozenset(army["lord"] for army in position["armies"]),
    )


def outcome(table: Table, position: Json, fight: Fight, dice: tuple[int, int]) -> Outcome:
    """What this attack with these dice leaves."""
    attack, defence = strengths(table, position, fight)
    before = outcome_of(position)
    if attack + dice[0] == defence + dice[1]:
        return before
    won = attack + dice[0] > defence + dice[1]
    fallen = there(position, fight.village, fight.enemies) if won else camp(position, fight)
    lost = armies_of(position, fight.village, fight.enemies) if won else led_armies(table, position, fight)
    living = before.living - {lord["name"] for lord in fallen}
    armies = before.armies - {army["lord"] for army in lost}
    if not won or controller(position, fight.village) not in fight.enemies:
        return Outcome(living, before.control, before.castles, armies)
    taken = {fight.village, *villages_lost(table, position, fight, living)}
    kept = {(village, player) for village, player in before.control if village not in taken}
    gained = {(village, fight.attackers[0]) for village in taken}
    return Outcome(living, frozenset(kept | gained), before.castles - {fight.village}, armies)


def villages_lost(table: Table, position: Json, fight: Fight, living: frozenset[str]) -> Iterator[str]:
    """The other villages of a fief that change hands with its city."""
    if fight.village not in position["cities"]:
        return
    fief = table.villages[fight.village]["fief"]
    whole = table.readings["city_falls"] == "whole_fief"
    old = controller(position, fight.village)
    saver = next((lord["player"] for lord in position["lords"] if fief in lord["fiefs"]), None) if whole else old
    for village in table.of_fief(fief):
        saved = any(lord["name"] in living for lord in there(position, village, [saver or ""]))
        spared = saved and saver != fight.attackers[0]
        if village != fight.village and not spared and (whole or controller(position, village) == old):
            yield village
