"""The opening form of Fief: three to six players, the first one at the top, each with a lord and a village (`FI-1`).

Players draw the lords and villages at the table. So these fields are empty until somebody taps a portrait and a place
on the map (`drawn`). A table may use its own prices, or its own map and lords, pasted as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from rules.fief import GAME
from rules.fief.data import COLOURS, LORDS, Data, Land, Prices, land, printed_map
from rules.fief.state import PLAYERS, Setup
from service.errors import Invalid
from service.i18n.sentences import Words
from service.schemas import load, of, plain
from service.types import JsonObject
from web import form_fields
from web.form_fields import Field, FieldChoice, FieldGroup, Opening, Values
from web.games.fief.opening_draw import OpeningDraw

MAX_JSON: Final = 20_000
"""The maximum characters of a map or of lists of lords."""
PRICES: Final[Mapping[str, str]] = {what: str(price) for what, price in plain(Prices()).items()}
"""Purchase -> the printed price."""
OF_EACH: Final[tuple[str, ...]] = ("colour", "lord", "village")
"""The members that differ for each player."""
OWN: Final[tuple[str, ...]] = ("map", "lords")
"""The data that a table may replace by its own."""


# --- the lords and villages to choose from -----------------------------------------------------------------------


def _names(members: object, name: str = "") -> tuple[str, ...]:
    """The names in a list of pasted JSON; empty if it is no such list."""
    listed = members if isinstance(members, list) else []
    found = [member.get(name) if isinstance(member, dict) else member for member in listed]
    return tuple(dict.fromkeys(each for each in found if isinstance(each, str) and each))


def _lords(values: Values) -> tuple[str, ...]:
    """The lords, from the table's own lists if these are valid."""
    pasted = form_fields.json_of(values.get("lords", ""))
    own = (*_names(pasted.get("men")), *_names(pasted.get("women"))) if isinstance(pasted, dict) else ()
    return own or (*LORDS.men, *LORDS.women)


def _women(values: Values) -> frozenset[str]:
    """The lords who are women."""
    pasted = form_fields.json_of(values.get("lords", ""))
    if not isinstance(pasted, dict) or not (_names(pasted.get("men")) or _names(pasted.get("women"))):
        return frozenset(LORDS.women)
    return frozenset(_names(pasted.get("women")))


def _villages(values: Values) -> tuple[str, ...]:
    """The villages, from the table's own map if it is valid."""
    pasted = form_fields.json_of(values.get("map", ""))
    own = _names(pasted.get("villages"), "name") if isinstance(pasted, dict) else ()
    return own or tuple(village.name for village in printed_map().villages)


def _land(values: Values) -> Land | None:
    """The map for the drawing: the table's own, or the printed one; None while the table's own has errors."""
    if not values.get("map", "").strip():
        return land(Data())
    data = {what: form_fields.json_of(values[what]) for what in OWN if values.get(what, "").strip()}
    sat = zip(COLOURS[: min(PLAYERS)], _lords(values), _villages(values), strict=False)
    players = [{"colour": colour, "lord": lord, "village": village} for colour, lord, village in sat]
    try:
        setup: Setup = load(of(GAME).setup, {"players": players, "data": data})
    except Invalid:
        return None
    return land(setup.data)


# --- fields ------------------------------------------------------------------------------------------------------


def _players(values: Values, words: Words) -> Iterator[FieldGroup]:
    """The number of players; each player's colour and name; the lord and the village that each of them drew."""
    players, count_group = form_fields.player_count(values, PLAYERS)
    yield count_group
    each = tuple(form_fields.player_fields(players, values, words, COLOURS))
    yield FieldGroup(
        tuple(chain.from_iterable(each)), words.text["opening"]["players"], words.text["opening"]["order"], columns=2
    )
    draws = {}
    for what, names in (("lord", _lords(values)), ("village", _villages(values))):
        choices = tuple(FieldChoice(name, words.name(name)) for name in names)
        draws[what] = form_fields.drawn_fields(what, each, values, words.text["opening"][what], choices)
    table = OpeningDraw(draws["lord"], draws["village"], _women(values), _land(values), words)
    for what, galleries in (("lord", table.portraits()), ("village", table.map())):
        title, hint = words.text["opening"][f"{what}s"], table.prompt(what)
        yield FieldGroup(
            draws[what], title, hint, columns=2, galleries=galleries, missing_part=table.missing_part(what)
        )


def _prices(values: Values, words: Words) -> FieldGroup:
    """The prices."""
    text = words.text["opening"]
    price_fields = tuple(
        Field(
            f"price-{what}", text[f"price_{what}"], f"/data/prices/{what}", "number", values.get(f"price-{what}", usual)
        )
        for what, usual in PRICES.items()
    )
    changed = any(field.value != PRICES[field.name.removeprefix("price-")] for field in price_fields)
    return FieldGroup(
        price_fields, text["prices"], text["prices_hint"], "/data/prices", columns=2, is_folded=True, differs=changed
    )


def _own_data(values: Values, words: Words) -> FieldGroup:
    """The table's own map and lords."""
    text = words.text["opening"]
    data_fields = tuple(
        Field(
            what,
            text[what],
            f"/data/{what}",
            "area",
            values.get(what, ""),
            hint=words.say("opening", f"{what}_hint"),
            max_length=MAX_JSON,
            updates=True,
        )
        for what in OWN
    )
    return FieldGroup(
        data_fields,
        text["data"],
        text["data_hint"],
        "/data",
        is_folded=True,
        differs=any(field.value for field in data_fields),
    )


# --- the opening -------------------------------------------------------------------------------------------------


def _groups(values: Values, words: Words) -> Sequence[FieldGroup]:
    """The players, the prices, and the other data that the table replaces."""
    return *_players(values, words), _prices(values, words), _own_data(values, words)


def _setup(values: Values) -> JsonObject:
    """The players, and the data that differ from the printed ones."""
    prices = {
        what: form_fields.parse_whole(price) for what in PRICES if (price := values[f"price-{what}"]) != PRICES[what]
    }
    data: JsonObject = {"prices": prices} if prices else {}
    data |= {what: form_fields.json_of(values[what]) for what in OWN if values[what].strip()}
    return {"players": form_fields.players_of(values, OF_EACH), **({"data": data} if data else {})}


def _values(setup: Setup) -> Values:
    """The values of the players, prices, map and lords for a setup."""
    data = plain(setup.data)
    prices = {f"price-{what}": str(price) for what, price in data["prices"].items()}
    own = {what: json.dumps(data[what], ensure_ascii=False) for what in OWN if what in data}
    return {**form_fields.player_values(setup, OF_EACH), **prices, **own}


OPENING = Opening(
    _groups,
    _setup,
    _values,
    drawn_prefixes=("lord-", "village-"),
)
