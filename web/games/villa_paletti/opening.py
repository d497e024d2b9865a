"""The opening form of Villa Paletti: two to four players in turn order, and their colours.

With two players, each has two colours; with three players, the colour that remains is neutral (`VP-2`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from rules.villa_paletti.columns import COLOURS
from rules.villa_paletti.play import OF_EACH
from rules.villa_paletti.state import Setup
from service.i18n.sentences import Words
from service.types import JsonObject
from web.browser.language import _
from web.form_fields import (
    Field,
    FieldChoice,
    FieldGroup,
    Opening,
    Values,
    distinct_values,
    name_field,
    name_member,
    player_count,
)


def _names(players: int) -> list[list[str]]:
    """The fields of the colours of each player."""
    each = range(1, OF_EACH[players] + 1)
    return [[f"colour-{number}-{place}" for place in each] for number in range(1, players + 1)]


def _fields(players: int, values: Values, words: Words) -> Iterator[Field]:
    """The colours and the name of each player."""
    names = _names(players)
    flat = [name for of_player in names for name in of_player]
    colours = dict(zip(flat, distinct_values(values, flat, COLOURS), strict=True))
    choices = tuple(FieldChoice(colour, words.name(colour)) for colour in COLOURS)
    for place, of_player in enumerate(names):
        label, pointer = _("Player %(number)s", number=place + 1), f"/players/{place}"
        for number, name in enumerate(of_player):
            title = label if not number else words.say("opening", "second", {"n": place + 1})
            at, colour = f"{pointer}/colours/{number}", colours[name]
            yield Field(
                name, title, at, "select", colour, choices, seat=colour, distinct_group="colour", updates=players == 3
            )  # then one colour remains
        yield name_field(place + 1, place, values, about=label)


def _neutral_hint(fields: Sequence[Field], words: Words) -> str:
    """The text on the remaining colour, if any."""
    taken = {field.value for field in fields}
    left = [colour for colour in COLOURS if colour not in taken]
    return words.say("opening", "neutral", {"colour": left[0]}) if len(left) == 1 else ""


def _groups(values: Values, words: Words) -> Sequence[FieldGroup]:
    """The number of players, and their colours in turn order."""
    players, count_group = player_count(values, OF_EACH)
    fields = tuple(_fields(players, values, words))
    hint = " ".join(filter(None, (words.text["opening"]["order"], _neutral_hint(fields, words))))
    columns: Literal[1, 2] = 1 if OF_EACH[players] > 1 else 2
    return count_group, FieldGroup(fields, words.text["opening"]["players"], hint, "/players", columns)


def _setup(values: Values) -> JsonObject:
    """The players with their colours; the neutral colour follows from these."""
    names = _names(int(values["players"]))
    return {
        "players": [
            {"colours": [values[name] for name in of_player], **name_member(values, f"name-{number}")}
            for number, of_player in enumerate(names, 1)
        ]
    }


def _values(setup: Setup) -> Values:
    """The values of the players and colours for a setup."""
    values = {"players": str(len(setup.players))}
    for number, player in enumerate(setup.players, 1):
        values |= {f"colour-{number}-{place}": colour for place, colour in enumerate(player.colours, 1)}
        values[f"name-{number}"] = player.name or ""
    return values


OPENING = Opening(_groups, _setup, _values)
