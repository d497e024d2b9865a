"""The names in the opening form: fills in the players of an earlier table, and swaps two of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from rules.records import dataclass
from web.browser import recent_tables
from web.form_fields import Field, Values
from web.opening.form import Form, form_of

LINE_UP: Final = "line-up"
"""The button that fills in the names of a table: its value is the table's place among those that are offered."""
SWAP: Final = "swap"
"""The button that swaps a name with the one before: its value is the name's field."""
MAX_LINE_UPS: Final = 4


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The offers of a form: single names, all names of a table at once, and each field with the one it swaps with."""

    single_names: tuple[str, ...]
    line_ups: tuple[tuple[str, ...], ...]
    swaps: Mapping[str, str]


def suggestions(form: Form) -> Suggestions:
    """What this browser suggests for a form."""
    swaps = {later.name: before.name for before, later in pairwise(_fields(form))}
    return Suggestions(recent_tables.known_names(), _line_ups(form), swaps)


def _fields(form: Form) -> tuple[Field, ...]:
    """The fields of the players' names, in order."""
    return tuple(field for field in form.fields if field.names_player)


def _line_ups(form: Form) -> tuple[tuple[str, ...], ...]:
    """The players of each recent table of this browser, if this game allows that many; the last table first."""
    sat: dict[tuple[str, ...], tuple[str, ...]] = {}
    for each in recent_tables.recent_tables():
        if all(each.names) and len(each.names) in form.game.players:
            sat.setdefault(tuple(sorted(each.names)), each.names)
    return tuple(sat.values())[:MAX_LINE_UPS]


def arrange_names(values: Values) -> Values:
    """The values after a tap on a button that fills in or swaps names."""
    form = form_of(values)
    if values.get(LINE_UP) is not None:
        offered = {str(place): names for place, names in enumerate(_line_ups(form))}
        names = offered.get(values[LINE_UP], ())
        values = {**values, "players": str(len(names))} if names else values
        seats = _fields(form_of(values))
        return {**values, **{field.name: name for field, name in zip(seats, names, strict=False)}}
    before = suggestions(form).swaps.get(values.get(SWAP, ""))
    if before is None:
        return values
    later = values[SWAP]
    return {**values, before: values.get(later, ""), later: values.get(before, "")}
