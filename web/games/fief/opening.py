"""How a table of Fief is opened: three to six players from the first one on, each with a lord and a village (`FI-1`).

The lords and villages are drawn at the table, so that they are entered anew each time. A table may play by prices of
its own, or on a map and with lords of its own, which are pasted as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Final

from rules.fief.data import COLOURS, LORDS, Prices, printed_map
from rules.fief.state import PLAYERS, Setup
from service.texts import Words
from web.fields import (
    Field,
    FieldChoice,
    Group,
    Opening,
    Values,
    apart,
    how_many,
    json_of,
    name_field,
    named,
    number_of,
    player_values,
    whole,
)
from web.language import _

LEAST: Final = min(PLAYERS)
MOST: Final = max(PLAYERS)
MOST_JSON: Final = 20_000
"""Characters of a map or of lists of lords."""
PRICES: Final[Mapping[str, str]] = {field.name: str(field.default) for field in fields(Prices)}
"""What costs something -> the price that is printed."""


# --- the lords and villages that one chooses from ----------------------------------------------------------------


def _names(members: Any, name: str = "") -> tuple[str, ...]:
    """The names in a list of pasted JSON, as far as it is one."""
    listed = members if isinstance(members, list) else []
    found = [member.get(name) if isinstance(member, dict) else member for member in listed]
    return tuple(dict.fromkeys(each for each in found if isinstance(each, str) and each))


def _lords(values: Values) -> tuple[str, ...]:
    """The lords, of the table's own lists where these can be read."""
    pasted = json_of(values.get("lords", ""))
    own = (*_names(pasted.get("men")), *_names(pasted.get("women"))) if isinstance(pasted, dict) else ()
    return own or (*LORDS.men, *LORDS.women)


def _villages(values: Values) -> tuple[str, ...]:
    """The villages, of the table's own map where it can be read."""
    pasted = json_of(values.get("map", ""))
    own = _names(pasted.get("villages"), "name") if isinstance(pasted, dict) else ()
    return own or tuple(village.name for village in printed_map().villages)


# --- fields ------------------------------------------------------------------------------------------------------


def _players(values: Values, words: Words) -> Iterator[Group]:
    """A group for each player: the colour, the name, the lord and the village."""
    players = number_of(values, "players", LEAST, MOST)
    offered = {"colour": COLOURS, "lord": _lords(values), "village": _villages(values)}
    chosen = {
        what: apart(values, [f"{what}-{number + 1}" for number in range(players)], names)
        for what, names in offered.items()
    }
    for place in range(players):
        title, pointer, number = _("Player %(number)s", number=place + 1), f"/players/{place}", place + 1
        found = {
            what: Field(
                f"{what}-{number}",
                words.text["opening"][what],
                f"{pointer}/{what}",
                "select",
                chosen[what][place],
                tuple(FieldChoice(name, words.name(name)) for name in names),
                about=title,
                seat=chosen[what][place] if what == "colour" else None,
                apart=what,
            )
            for what, names in offered.items()
        }
        name = name_field(f"name-{number}", f"{pointer}/name", values, label=_("Name"), about=title)
        in_order = (found["colour"], name, found["lord"], found["village"])
        yield Group(in_order, title, "" if place else words.text["opening"]["order"], pointer, columns=2)


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
        for what in ("map", "lords")
    )
    return Group(
        asked, text["data"], text["data_hint"], "/data", folded=True, changed=any(field.value for field in asked)
    )


# --- the opening -------------------------------------------------------------------------------------------------


def _groups(values: Values, words: Words) -> Sequence[Group]:
    """How many play, each of them, the prices, and what else the table replaces."""
    return how_many(values, LEAST, MOST), *_players(values, words), _prices(values, words), _own_data(values, words)


def _setup(values: Values) -> dict[str, Any]:
    """The players, and of the data what is not as printed."""
    players = [
        {what: values[f"{what}-{number}"] for what in ("colour", "lord", "village") if values[f"{what}-{number}"]}
        | named(values, f"name-{number}")
        for number in range(1, int(values["players"]) + 1)
    ]
    prices = {what: whole(price) for what in PRICES if (price := values[f"price-{what}"]) != PRICES[what]}
    data: dict[str, Any] = {"prices": prices} if prices else {}
    data |= {what: json_of(values[what]) for what in ("map", "lords") if values[what].strip()}
    return {"players": players, **({"data": data} if data else {})}


def _values(setup: Setup) -> Values:
    """The players, prices, map and lords that mean a setup."""
    values = player_values(setup)
    for number, player in enumerate(setup.players, 1):
        values |= {f"lord-{number}": player.lord, f"village-{number}": player.village}
    values |= {f"price-{what}": str(getattr(setup.data.prices, what)) for what in PRICES}
    for what, own in (("map", setup.data.map), ("lords", setup.data.lords)):
        if own is not None:
            values[what] = json.dumps(_bare(asdict(own)), ensure_ascii=False)
    return values


def _bare(value: Any) -> Any:
    """A form as JSON, without what it leaves out."""
    if isinstance(value, dict):
        return {name: _bare(member) for name, member in value.items() if member is not None}
    return [_bare(member) for member in value] if isinstance(value, list | tuple) else value


OPENING = Opening(_groups, _setup, _values, front=("buy_castle", "lord", "king", "pope", "darc", "buy_castle"))
