"""The panel of the readings of a table: those that could matter now come first, and each can be changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from service.i18n import sentences
from service.tables.active_readings import ActiveReading, readings_of
from service.tables.table import Table
from web.board.scene import Light
from web.panels.context import Focus, TableContext
from web.panels.sentences import new_key

FIELD: Final = "reading-"
"""What the names of the form's fields begin with."""


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """A reading: its values as value, words, and whether it is in force; `says` are those words.

    `matters` are sentences on why it could matter now, each with the rules that look at it.
    """

    name: str
    title: str
    why: str
    says: str
    values: tuple[tuple[str, str, bool], ...]
    matters: tuple[tuple[str, tuple[str, ...]], ...]
    changed: bool


@dataclass(frozen=True, slots=True)
class ReadingsPanel:
    """The readings in force: those that could matter now, and the others."""

    template: ClassVar[str] = "panel/readings.html"
    now: tuple[ReadingRow, ...]
    others: tuple[ReadingRow, ...]
    key: str


def readings(context: TableContext) -> Focus[ReadingsPanel]:
    """How the rules are read, below the board as it is."""
    table = context.table
    found = readings_of(table, context.sheet())
    rows = [(each, _row(context, each)) for each in found]
    now, others = (tuple(row for each, row in rows if bool(each.matters) is so) for so in (True, False))
    return Focus(ReadingsPanel(now, others, new_key()), table.state, light=Light(last_cells=context.last_move_cells()))


def _row(context: TableContext, one: ActiveReading) -> ReadingRow:
    words, key = context.words, one.reading.key
    text: dict[str, Any] = words.text["readings"][key]
    return ReadingRow(
        FIELD + key,
        text["title"],
        text["why"],
        text["values"][one.value],
        tuple((value, text["values"][value], value == one.value) for value in one.reading.values),
        tuple((sentences.say(words.language, "matters", why.code), why.rules) for why in one.matters),
        one.value != one.opening_value,
    )


def count_unusual_readings(table: Table) -> int:
    """How many readings have another value than usual."""
    return sum(table.state.readings[reading.key] != reading.default for reading in table.game.readings)


def readings_in_form(form: Mapping[str, str]) -> dict[str, str]:
    """The readings that a form chooses."""
    return {name.removeprefix(FIELD): value for name, value in form.items() if name.startswith(FIELD)}
