"""The form that opens a table: its fields, filled in, checked by the same schema as the API's, and given back with
what is wrong beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import cycle
from typing import Any

import rules
from service import texts, wire
from service.datatypes import AnyGame
from service.errors import Invalid
from service.table import Table
from service.texts import Words
from service.validation import Complaint
from web.boards import Shape, drawings
from web.language import _, language
from web.openings import Choice, Field, Group, Opening, Plain, Values, openings

PART = "opening"
"""The id of the form, which htmx swaps where a change brings other fields."""
FORM = "form"
"""Where a complaint is said that belongs to no field."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a game, as far as it is filled in.

    `front`: the pieces on top of it. `complaints`: name of a field or group -> what is wrong there.
    """

    game: AnyGame
    groups: tuple[Group, ...]
    front: tuple[tuple[Shape, ...], ...] = ()
    complaints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def fields(self) -> Iterator[Field]:
        """Every field, in order."""
        return (each for group in self.groups for each in group.fields)

    @property
    def values(self) -> dict[str, str]:
        """What the fields say."""
        return {each.name: each.value for each in self.fields}

    @property
    def troubles(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """The places where something is wrong, in order: id, label, sentences."""
        places = [(PART, "", FORM)]
        for number, group in enumerate(self.groups):
            places.append((f"group-{number}", group.title, f"group-{number}"))
            places += [(each.name, each.label, each.name) for each in group.fields]
        return ((where, label, self.complaints[key]) for where, label, key in places if key in self.complaints)

    def is_open(self, number: int) -> bool:
        """Whether a folded group is seen whole: something in it was changed, or is wrong."""
        group = self.groups[number]
        names = {f"group-{number}", *(each.name for each in group.fields)}
        return group.changed or bool(group.notes) or not names.isdisjoint(self.complaints)


# --- the games ---------------------------------------------------------------------------------------------------


def opening_of(game: AnyGame) -> Opening | None:
    """How tables of a game are opened on a page; None for a game that cannot be."""
    setup = wire.default_setup(game)
    if game.id in openings() or setup is None:
        return openings().get(game.id)
    return Plain(tuple(game.kinds), [player["colour"] for player in setup["players"]])


def games() -> tuple[AnyGame, ...]:
    """The games that can be opened on a page: those that have a board, and an opening of some kind.

    First come those that ask for nothing but names.
    """
    found = (game for name, game in rules.GAMES.items() if name in drawings() and opening_of(game) is not None)
    return tuple(sorted(found, key=lambda game: game.id in openings()))


# --- filling it in -----------------------------------------------------------------------------------------------


def form_of(values: Values, changed: str | None = None) -> Form:
    """The form with some values, or one with the defaults; `changed` is the field that was changed last."""
    known = {game.id: game for game in games()}
    game = known.get(values.get("game", "")) or next(iter(known.values()))
    form = _made(game, values)
    return _made(game, {**values, **_given_way(form, changed)}) if changed else form


def again(table: Table) -> Form:
    """The form with which those at a table begin anew."""
    opening = opening_of(table.game)
    assert opening is not None  # noqa: S101  # a table is seen only where its game has a board, and then an opening
    readings = {f"reading-{key}": value for key, value in table.setup.readings.items()}
    return _made(table.game, {**readings, **opening.again(table.setup, table.state)})


def _made(game: AnyGame, values: Values) -> Form:
    opening, words = opening_of(game), texts.words(language(), game.id)
    assert opening is not None  # noqa: S101  # see `games`
    icon, seats = drawings()[game.id].icon, cycle(game.seats)
    front = tuple(icon(piece, seat) for piece, seat in zip(opening.front, seats, strict=False))
    return Form(game, (*opening.groups(values, words), *_readings(game, values, words)), front)


def _readings(game: AnyGame, values: Values, words: Words) -> Iterator[Group]:
    """How the rules are read, where they can be read in several ways."""
    fields = []
    for reading in game.readings:
        text, name = words.text["readings"][reading.key], f"reading-{reading.key}"
        choices = tuple(Choice(value, text["values"][value]) for value in reading.values)
        chosen = values.get(name, reading.default)
        pointer = f"/readings/{reading.key}"
        fields.append(Field(name, text["title"], pointer, "list", chosen, choices, hint=text["why"]))
    changed = any(each.value != each.choices[0].value for each in fields)
    about = _("Where the printed rules can be read in several ways, the table agrees on one.")
    hint = _("changed") if changed else _("the usual way")
    if fields:
        yield Group(tuple(fields), _("How the rules are read"), hint, folded=True, about=about, changed=changed)


def _given_way(form: Form, changed: str) -> dict[str, str]:
    """The field that kept the choice of the one changed last takes a free one."""
    fields = {each.name: each for each in form.fields}
    if changed not in fields or not fields[changed].apart:
        return {}
    rivals = [each for each in fields.values() if each.apart == fields[changed].apart]
    taken = {each.value for each in rivals}
    free = (choice.value for choice in fields[changed].choices if choice.value and choice.value not in taken)
    same = (each for each in rivals if each.name != changed and each.value == fields[changed].value)
    return {each.name: value for each, value in zip(same, free, strict=False)}


# --- what it means -----------------------------------------------------------------------------------------------


def setup_of(form: Form) -> tuple[str, Any]:
    """The game and the setup that a form means. Raises `Invalid`."""
    opening, values = opening_of(form.game), form.values
    assert opening is not None  # noqa: S101  # see `games`
    readings = {reading.key: values[f"reading-{reading.key}"] for reading in form.game.readings}
    setup = {**opening.setup(values), "readings": readings}
    return form.game.id, wire.load(wire.of(form.game).setup, setup)


def with_complaints(form: Form, error: Invalid) -> Form:
    """The same form with what is wrong beside its fields."""
    found: dict[str, list[str]] = {}
    for pointer, complaint in sorted(error.complaints, key=lambda each: _steps(each[0])):
        name, rest = _place(form, pointer)
        found.setdefault(name, []).append(_said(rest, complaint))
    return replace(form, complaints={name: tuple(dict.fromkeys(said)) for name, said in found.items()})


def _steps(pointer: str) -> list[tuple[int, str]]:
    """The steps of a pointer, to be sorted as one counts."""
    return [(int(step), "") if step.isdigit() else (-1, step) for step in pointer.split("/")]


def _place(form: Form, pointer: str) -> tuple[str, str]:
    """The field or group that a pointer leads to, or that holds what it leads to; and the rest of the pointer."""
    places = [(each.pointer, each.name) for each in form.fields]
    places += [(group.pointer, f"group-{number}") for number, group in enumerate(form.groups)]
    within = [place for place in places if place[0] and f"{pointer}/".startswith(f"{place[0]}/")]
    above, name = max(within, key=lambda place: len(place[0]), default=("", FORM))
    return name, pointer.removeprefix(above)


def _said(rest: str, complaint: Complaint) -> str:
    """What is wrong, with the number of the item where the field holds several."""
    what = texts.complaint(language(), complaint)
    number = rest.removeprefix("/")
    return _("No. %(number)s: %(what)s", number=int(number) + 1, what=what) if number.isdigit() else what
