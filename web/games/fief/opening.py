"""How a table of Fief is opened: three to six players from the first one on, each with a lord and a village (`FI-1`).

The lords and villages are drawn at the table, so that they are entered anew each time. A table may play by prices of
its own, or on a map and with lords of its own, which are pasted as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rules.fief.data import COLOURS, LORDS, Prices, printed_map
from rules.fief.state import PLAYERS, Setup
from service.texts import Words
from service.wire import plain
from web import fields
from web.fields import Field, Group, Opening, Values

MOST_JSON: Final = 20_000
"""Characters of a map or of lists of lords."""
PRICES: Final[Mapping[str, str]] = {what: str(price) for what, price in plain(Prices()).items()}
"""What costs something -> the price that is printed."""
OF_EACH: Final[tuple[str, ...]] = ("colour", "lord", "village")
"""What each player has that nobody else has."""
OWN: Final[tuple[str, ...]] = ("map", "lords")
"""What a table may replace by its own."""


# --- the lords and villages that one chooses from ----------------------------------------------------------------


def _names(members: Any, name: str = "") -> tuple[str, ...]:
    """The names in a list of pasted JSON, as far as it is one."""
    listed = members if isinstance(members, list) else []
    found = [member.get(name) if isinstance(member, dict) else member for member in listed]
    return tuple(dict.fromkeys(each for each in found if isinstance(each, str) and each))


def _lords(values: Values) -> tuple[str, ...]:
    """The lords, of the table's own lists where these can be read."""
    pasted = fields.json_of(values.get("lords", ""))
    own = (*_names(pasted.get("men")), *_names(pasted.get("women"))) if isinstance(pasted, dict) else ()
    return own or (*LORDS.men, *LORDS.women)


def _villages(values: Values) -> tuple[str, ...]:
    """The villages, of the table's own map where it can be read."""
    pasted = fields.json_of(values.get("map", ""))
    own = _names(pasted.get("villages"), "name") if isinstance(pasted, dict) else ()
    return own or tuple(village.name for village in printed_map().villages)


# --- fields ------------------------------------------------------------------------------------------------------


def _players(values: Values, words: Words) -> Iterator[Group]:
    """How many play, and a group for each player: the colour, the name, the lord and the village."""
    players, asked = fields.how_many(values, PLAYERS)
    yield asked
    offered = {"colour": COLOURS, "lord": _lords(values), "village": _villages(values)}
    for place, each in enumerate(fields.player_fields(players, values, words, offered)):
        order = "" if place else words.text["opening"]["order"]
        yield Group(each, each[0].about, order, f"/players/{place}", columns=2)


def _prices(values: Values, words: Words) -> Group:
    """What things cost."""
    text = words.text["opening"]
    asked = tuple(
        Field(
            f"price-{what}", text[f"price_{what}"], f"/data/prices/{what}", "number", values.get(f"price-{what}", usual)
        )
        for what, usual in PRICES.items()
    )
    changed = any(field.value != PRICES[field.name.removeprefix("price-")] for field in asked)
    return Group(asked, text["prices"], text["prices_hint"], "/data/prices", columns=2, folded=True, changed=changed)


def _own_data(values: Values, words: Words) -> Group:
    """A map and lords of the table's own."""
    text = words.text["opening"]
    asked = tuple(
        Field(
            what,
            text[what],
            f"/data/{what}",
            "area",
            values.get(what, ""),
            hint=words.say("opening", f"{what}_hint"),
            most=MOST_JSON,
            updates=True,
        )
        for what in OWN
    )
    return Group(
        asked, text["data"], text["data_hint"], "/data", folded=True, changed=any(field.value for field in asked)
    )


# --- the opening -------------------------------------------------------------------------------------------------


def _groups(values: Values, words: Words) -> Sequence[Group]:
    """The players, the prices, and what else the table replaces."""
    return *_players(values, words), _prices(values, words), _own_data(values, words)


def _setup(values: Values) -> dict[str, Any]:
    """The players, and of the data what is not as printed."""
    prices = {what: fields.whole(price) for what in PRICES if (price := values[f"price-{what}"]) != PRICES[what]}
    data: dict[str, Any] = {"prices": prices} if prices else {}
    data |= {what: fields.json_of(values[what]) for what in OWN if values[what].strip()}
    return {"players": fields.players_of(values, OF_EACH), **({"data": data} if data else {})}


def _values(setup: Setup) -> Values:
    """The players, prices, map and lords that mean a setup."""
    data = plain(setup.data)
    prices = {f"price-{what}": str(price) for what, price in data["prices"].items()}
    own = {what: json.dumps(data[what], ensure_ascii=False) for what in OWN if what in data}
    return {**fields.player_values(setup, OF_EACH), **prices, **own}


OPENING = Opening(_groups, _setup, _values, front=("buy_castle", "lord", "king", "pope", "darc", "buy_castle"))
