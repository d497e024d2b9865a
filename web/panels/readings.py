"""The panel of the readings of a table: those that could matter now come first, and each can be changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from rules.records import dataclass
from service.i18n import sentences
from service.tables.active_readings import ActiveReading, readings_of
from service.tables.table import Table
from web.board.scene import Light
from web.panels.context import Focus, TableContext
from web.panels.sentences import new_key

FIELD: Final = "reading-"
"""The prefix of the form's fields."""


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """A reading: its values as value, words, and whether it is in force; `says`: the words of the one in force.

    `rules`: those that use it, if it could matter now.
    """

    name: str
    title: str
    why: str
    says: str
    values: tuple[tuple[str, str, bool], ...]
    rules: tuple[str, ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class ReadingsPanel:
    """The readings in force: those that could matter now, by the first reason why, and the others."""

    template: ClassVar[str] = "panel/readings.html"
    now: tuple[tuple[str, tuple[ReadingRow, ...]], ...]
    others: tuple[ReadingRow, ...]
    key: str


def readings(context: TableContext) -> Focus[ReadingsPanel]:
    """The readings, below the current board."""
    table = context.table
    found = readings_of(table, context.sheet())
    now: dict[str, tuple[ReadingRow, ...]] = {}
    for each in found:
        if each.matters:
            reason = sentences.say(context.words.language, "matters", each.matters[0].code)
            now[reason] = (*now.get(reason, ()), _row(context, each))
    others = tuple(_row(context, each) for each in found if not each.matters)
    panel = ReadingsPanel(tuple(now.items()), others, new_key())
    return Focus(panel, table.state, light=Light(last_cells=context.last_move_cells()))


def _row(context: TableContext, one: ActiveReading) -> ReadingRow:
    words, key = context.words, one.reading.key
    text: dict[str, Any] = words.text["readings"][key]
    return ReadingRow(
        FIELD + key,
        text["title"],
        text["why"],
        text["values"][one.value],
        tuple((value, text["values"][value], value == one.value) for value in one.reading.values),
        tuple(dict.fromkeys(rule for why in one.matters for rule in why.rules)),
        one.value != one.opening_value,
    )


def count_unusual_readings(table: Table) -> int:
    """The number of readings with an unusual value."""
    return sum(table.state.readings[reading.key] != reading.default for reading in table.game.readings)


def readings_in_form(form: Mapping[str, str]) -> dict[str, str]:
    """The readings that a form chooses."""
    return {name.removeprefix(FIELD): value for name, value in form.items() if name.startswith(FIELD)}
