"""Marriages, purchases, cards and gifts of Fief worked out a second time, naively, from the JSON of a position."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple, TypeAlias

from tests.rules.fief.oracle import Json, Table, ally, cardinals, controller, income, is_queen, of_church, there

Things: TypeAlias = "set[tuple[str | int, ...]]"


class Try(NamedTuple):
    """A move in notation, the rules that it breaks, and what it takes away and brings where it is legal."""

    notation: str
    broken_rules: set[str]
    losses: Things
    gains: Things


RANKS = {2: "baron", 3: "count", 4: "duke"}
CASTLES, CITIES, CARDINALS = 12, 8, 3


def things(position: Json) -> Things:
    """All that purchases, cards and gifts can change."""
    lords = position["lords"]
    return {
        *(("castle", village) for village in position["castles"]),
        *(("city", village) for village in position["cities"]),
        *(("control", village, player) for player, mine in position["control"].items() for village in mine),
        *(("title", fief, lord["name"]) for lord in lords for fief in lord["fiefs"]),
        *(("lord", lord["name"], lord["player"], lord["place"]) for lord in lords),
        *(("cardinal", lord["name"], lord["cardinal"]) for lord in cardinals(position)),
        *(("prince", lord["name"]) for lord in lords if lord.get("prince")),
        *(("arc", lord["name"]) for lord in lords if lord["arc"]),
        *(("dead", name) for name in position["dead"]),
        *(("spent", player, n) for player, n in position["spent"].items() if n),
    }


def payment(position: Json, price: int) -> tuple[Things, Things]:
    """What a price changes."""
    player = position["turn"]
    before = position["spent"].get(player, 0)
    return {("spent", player, before)} if price else set(), {("spent", player, before + price)} if price else set()


def marry(table: Table, position: Json, man: Json, woman: Json) -> set[str]:
    """A man and a woman, unmarried, he not of the church, she not d'Arc, of two players without an alliance."""
    fit = man["name"] in table.men and woman["name"] in table.women and not of_church(man) and not woman["arc"]
    free = not man.get("spouse") and not woman.get("spouse")
    apart = man["player"] != woman["player"]
    single = ally(position, man["player"]) is None and ally(position, woman["player"]) is None
    return set() if fit and free and apart and single else {"FI-10"}


def tries(table: Table, position: Json, chance: Random) -> Iterator[Try]:
    """Moves by chance of the player in turn in the purchases, and what each breaks."""
    for _ in range(6):
        village, lord = chance.choice(list(table.villages)), chance.choice(position["lords"])
        consent = chance.choice([None, *table.colours])
        yield buy_castle(table, position, village)
        yield buy_title(table, position, chance.choice(table.fiefs()), lord, _castle(position, chance))
        yield buy_cardinal(table, position, lord, consent)
        yield card_of_cardinal(table, position, lord, consent)
        yield card_of_lord(table, position, chance.choice([*table.men, *table.women]), village, chance.random() < 0.5)
        yield card_of_arc(table, position, lord)
        yield cede(table, position, village, chance.choice(table.colours))
    for fief in table.fiefs():
        for lord in position["lords"]:
            if fief not in lord["fiefs"]:
                yield give(table, position, fief, lord)


def _castle(position: Json, chance: Random) -> str | None:
    castles: list[str] = position["castles"]
    return chance.choice([None, None, *castles])


# --- purchases -------------------------------------------------------------------------------------------------------


def dear(table: Table, position: Json, price: int) -> set[str]:
    """What a price that cannot be paid breaks."""
    player = position["turn"]
    left = income(table, position, player) - position["spent"].get(player, 0)
    return {"FI-50"} if price > left else set()


def absent(table: Table, position: Json, village: str, player: str) -> bool:
    """Whether a lord of the player is missing at a castle where one must be."""
    return table.readings["castle_lord"] == "yes" and not there(position, village, [player])


def buy_castle(table: Table, position: Json, village: str) -> Try:
    """On a plain village of one's own, while tiles are left."""
    player = position["turn"]
    plain = village not in (*position["castles"], *position["cities"]) and controller(position, village) == player
    left = len(position["castles"]) < CASTLES
    wrong = not plain or not left or absent(table, position, village, player)
    gone, come = payment(position, table.prices["castle"])
    broken = dear(table, position, table.prices["castle"]) | ({"FI-51"} if wrong else set())
    return Try(f"buy castle {village}", broken, gone, come | {("castle", village)})


def may_have_title(table: Table, position: Json, fief: str, player: str, at: str | None) -> bool:
    """Whether a player may turn a castle of a fief into its city."""
    villages = table.of_fief(fief)
    castles = [village for village in villages if village in position["castles"]]
    whole = all(controller(position, village) == player for village in villages)
    city = any(village in position["cities"] for village in villages) or len(position["cities"]) >= CITIES
    if not whole or city or (at not in castles if at else len(castles) != 1):
        return False
    return not absent(table, position, at or castles[0], player)


def buy_title(table: Table, position: Json, fief: str, lord: Json, at: str | None) -> Try:
    """For a lord of one's own."""
    player = position["turn"]
    fit = lord["player"] == player and may_have_title(table, position, fief, player, at)
    price = table.prices[RANKS[len(table.of_fief(fief))]] + table.prices["city"]
    notation = f"buy title {fief} {lord['name']}" + (f" at {at}" if at else "")
    gone, come = payment(position, price)
    there_now = raised_castle(table, position, fief, at)
    broken = dear(table, position, price) | (set() if fit else {"FI-52"})
    return Try(
        notation, broken, gone | {("castle", there_now)}, come | {("city", there_now), ("title", fief, lord["name"])}
    )


def raised_castle(table: Table, position: Json, fief: str, at: str | None) -> str:
    """The castle that becomes the city."""
    castles = [village for village in table.of_fief(fief) if village in position["castles"]]
    return at or next(iter(castles), "")


def may_be_cardinal(table: Table, position: Json, lord: Json) -> bool:
    """Whether a lord of the player in turn may become cardinal, if the pope likes."""
    player = position["turn"]
    man = lord["name"] in table.men and not lord.get("spouse")
    fit = lord["bishop"] if table.readings["cardinal"] == "bishop" else man
    barred = lord.get("cardinal") or lord["pope"] or lord["excommunicated"] or lord["player"] != player
    return bool(fit) and not barred


def has_consent(position: Json, consent: str | None) -> bool:
    """Whether the pope's player, if there is one, is in turn or consents."""
    popes = [other["player"] for other in position["lords"] if other["pope"]]
    return all(pope in {position["turn"], consent} for pope in popes)


def consent_notation(consent: str | None) -> str:
    """A consent in notation."""
    return f" !{consent.capitalize()}" if consent else ""


def buy_cardinal(table: Table, position: Json, lord: Json, consent: str | None) -> Try:
    """The one title for sale."""
    sold = any(other["cardinal"] == "title" for other in cardinals(position))
    free = table.readings["cardinal_consent"] == "cards" or has_consent(position, consent)
    fit = may_be_cardinal(table, position, lord) and free and not sold
    broken = dear(table, position, table.prices["cardinal"]) | (set() if fit else {"FI-53"})
    gone, come = payment(position, table.prices["cardinal"])
    return Try(
        f"buy cardinal {lord['name']}{consent_notation(consent)}",
        broken,
        gone,
        come | {("cardinal", lord["name"], "title")},
    )


# --- cards -----------------------------------------------------------------------------------------------------------


def card_of_cardinal(table: Table, position: Json, lord: Json, consent: str | None) -> Try:
    """Three of these there are."""
    played = sum(other["cardinal"] == "card" for other in cardinals(position))
    broken = {"FI-54"} if played >= CARDINALS else set()
    broken |= set() if may_be_cardinal(table, position, lord) and has_consent(position, consent) else {"FI-53"}
    return Try(
        f"cardinal {lord['name']}{consent_notation(consent)}", broken, set(), {("cardinal", lord["name"], "card")}
    )


def card_of_lord(table: Table, position: Json, name: str, village: str, dauphin: bool) -> Try:
    """Into a village of one's own; as crown prince only a man, of the player of the queen or regent."""
    player = position["turn"]
    strong = {v for v in (*position["castles"], *position["cities"]) if controller(position, v) == player}
    gone = name in position["dead"] and table.readings["dead_lords"] == "gone"
    known = any(lord["name"] == name for lord in position["lords"]) or gone
    at_castle = table.readings["lord_entry"] == "controlled" or not strong or village in strong
    queens = {lord["player"] for lord in position["lords"] if is_queen(position, lord)}
    heir = not dauphin or (name in table.men and player in queens)
    fit = not known and controller(position, village) == player and at_castle and heir
    come: Things = {("lord", name, player, village), *([("prince", name)] if dauphin else [])}
    broken = set() if fit else {"FI-54"}
    return Try(f"lord {name} {village}{' dauphin' if dauphin else ''}", broken, {("dead", name)}, come)


def card_of_arc(table: Table, position: Json, lord: Json) -> Try:
    """On an unmarried woman of one's own, if nobody has it."""
    taken = position["arc_gone"] or any(other["arc"] for other in position["lords"])
    fit = lord["name"] in table.women and lord["player"] == position["turn"] and not lord.get("spouse")
    return Try(f"darc {lord['name']}", set() if fit and not taken else {"FI-54"}, set(), {("arc", lord["name"])})


# --- gifts -----------------------------------------------------------------------------------------------------------


def cede(table: Table, position: Json, village: str, player: str) -> Try:
    """A village, not a city, from who controls it to another player; perhaps only in the giver's own purchases."""
    bound = table.readings["exchanges"] == "purchases"
    giver = controller(position, village)
    fit = giver not in {None, player} and village not in position["cities"]
    broken = set() if fit and (not bound or giver == position.get("turn")) else {"FI-57"}
    if bound and position["phase"] != "purchases":
        broken = {"FI-3"}
    gone: Things = {("control", village, giver)} if giver else set()
    return Try(f"cede {village} {player.capitalize()}", broken, gone, {("control", village, player)})


def give(table: Table, position: Json, fief: str, lord: Json) -> Try:
    """By the sovereign, in any part or in the own one, or in the family, in the own one."""
    sovereign = next((other for other in position["lords"] if other["king"] or other["regent"]), None)
    holder = next((other for other in position["lords"] if fief in other["fiefs"]), None)
    family = holder is not None and holder is not sovereign
    giver = holder if family else sovereign
    bound = family or table.readings["gifts"] == "own_part"
    broken = set() if sovereign or holder else {"FI-55"}
    city = next((village for village in table.of_fief(fief) if village in position["cities"]), None)
    if not city and not may_have_title(table, position, fief, lord["player"], None):
        broken.add("FI-52")
    if family and holder and not in_the_family(table, holder, fief, lord):
        broken.add("FI-56")
    if bound and giver is not None and giver["player"] != position["turn"]:
        broken = {"FI-3"}
    gone, come = gift_changes(table, position, fief, lord, "" if family or giver is None else giver["player"])
    gone |= {("title", fief, holder["name"])} if holder else set()
    return Try(f"give {fief} {lord['name']}", broken, gone, come | {("title", fief, lord["name"])})


def gift_changes(table: Table, position: Json, fief: str, lord: Json, player: str) -> tuple[Things, Things]:
    """What a gift of a fief changes beside the title: the castle becomes a city, or the city goes to another player."""
    city = next((village for village in table.of_fief(fief) if village in position["cities"]), None)
    if city is None:
        castle = raised_castle(table, position, fief, None)
        return {("castle", castle)}, {("city", castle)}
    if table.readings["fief_gift"] == "with_city" and controller(position, city) == player:
        return {("control", city, player)}, {("control", city, lord["player"])}
    return set(), set()


def in_the_family(table: Table, holder: Json, fief: str, lord: Json) -> bool:
    """To another lord of the same player, keeping one of the highest rank."""
    kept = [len(table.of_fief(other)) for other in holder["fiefs"] if other != fief]
    return lord["player"] == holder["player"] and max(kept, default=0) >= len(table.of_fief(fief))
