"""The form that opens a table: fills in its fields, checks them by the API's schema, shows errors beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from itertools import repeat

import rules
from rules.kernel import Seat
from rules.records import dataclass
from service import schemas
from service.errors import Invalid
from service.i18n import sentences
from service.i18n.sentences import Words
from service.schemas import BY_DIE
from service.tables.table import Table
from service.types import AnyGame, Setup
from service.validation import FieldError
from web import form_fields
from web.browser.language import _, language
from web.form_fields import Field, FieldChoice, FieldGroup, Opening, Values
from web.games import all_pages, pages_of
from web.opening.default import default_opening

PART = "opening"
"""The id of the form, which htmx swaps when a change adds or removes fields."""
FORM = "form"
"""The place of an error that belongs to no field."""
MAX_NAMED = 40
"""The maximum letters of an unknown name in an error."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a game, perhaps incomplete.

    `errors`: name of a field or group -> its errors.
    """

    game: AnyGame
    groups: tuple[FieldGroup, ...]
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def fields(self) -> Iterator[Field]:
        """Every field, in order."""
        return (each for group in self.groups for each in group.fields)

    @property
    def values(self) -> dict[str, str]:
        """The values of all fields."""
        return {each.name: each.value for each in self.fields}

    @property
    def troubles(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """The places with errors, in order: id, label, sentences."""
        places = [(PART, "", FORM)]
        for number, group in enumerate(self.groups):
            places.append((f"group-{number}", group.title, f"group-{number}"))
            places += [(each.name, _label(each), each.name) for each in group.fields]
        return ((where, label, self.errors[key]) for where, label, key in places if key in self.errors)

    @property
    def missing_parts(self) -> list[tuple[str, str]]:
        """The required groups that are not filled in yet: id, and what is missing."""
        return [
            (f"group-{number}", group.missing_part) for number, group in enumerate(self.groups) if group.missing_part
        ]

    @property
    def needs_only_names(self) -> bool:
        """Whether only names are missing: the first typed name then completes the form."""
        needing = [group for group in self.groups if group.missing_part]
        return bool(needing) and all(each.names_player for group in needing for each in group.fields)

    def number_groups(self, *, folded: bool) -> list[tuple[int, FieldGroup]]:
        """The groups with their numbers: the visible ones, or those that are folded away."""
        return [(number, group) for number, group in enumerate(self.groups) if group.is_folded == folded]

    def is_wrong(self, number: int) -> bool:
        """Whether a group contains an error."""
        return not {f"group-{number}", *(each.name for each in self.groups[number].fields)}.isdisjoint(self.errors)

    @property
    def folded_titles(self) -> tuple[str, ...]:
        """The titles of the folded groups that differ from the usual, or else of all folded groups."""
        folded = [group for group in self.groups if group.is_folded]
        return tuple(group.title for group in [each for each in folded if each.differs] or folded)

    @property
    def is_unfolded(self) -> bool:
        """Whether the folded groups are open: a field in them has changed, or contains an error."""
        return any(group.differs or group.notes or self.is_wrong(at) for at, group in self.number_groups(folded=True))


def _label(field: Field) -> str:
    """The whole label of a field."""
    return ", ".join(filter(None, (field.label, field.about)))


# --- the games ---------------------------------------------------------------------------------------------------


def opening_of(game: AnyGame) -> Opening:
    """The opening form of a game: its own, or one made from the schema of its setup."""
    return pages_of(game.id).opening or default_opening(game)


def games() -> tuple[AnyGame, ...]:
    """The games that a page can open. First come those that ask for names only."""
    found = (rules.GAMES[name] for name in all_pages())
    return tuple(
        sorted(found, key=lambda game: pages_of(game.id).opening is not None or schemas.default_setup(game) is None)
    )


# --- filling it in -----------------------------------------------------------------------------------------------


def form_of(values: Values, changed: str | None = None) -> Form:
    """The form with some values, or one with the defaults; `changed` is the field that the player changed last."""
    games_by_id = {game.id: game for game in games()}
    game = games_by_id.get(values.get("game", "")) or next(iter(games_by_id.values()))
    form = _build_form(game, values)
    return _build_form(game, {**values, **_resolve_clash(form, changed)}) if changed else form


def again(table: Table) -> Form:
    """The form for the next game of the same players. The fields that chance decided are empty."""
    opening = opening_of(table.game)
    setup = opening.next_setup(table.setup, table.state)
    values = {
        name: value for name, value in opening.values(setup).items() if not name.startswith(opening.drawn_prefixes)
    }
    readings = {f"reading-{key}": value for key, value in table.state.readings.items()}
    return _build_form(table.game, {**readings, **values})


def _build_form(game: AnyGame, values: Values) -> Form:
    opening, words = opening_of(game), sentences.words(language(), game.id)
    groups = _with_starter(game, tuple(opening.groups(values, words)), values, words)
    return Form(game, (*groups, *_readings(game, values, words)))


def _with_starter(
    game: AnyGame, groups: tuple[FieldGroup, ...], values: Values, words: Words
) -> tuple[FieldGroup, ...]:
    """The groups, with a field for who begins after the players, unless the game asks that itself."""
    fields = [(at, each) for at, group in enumerate(groups) for each in group.fields]
    players = [at for at, each in fields if each.names_player]
    if not players or any(each.name == form_fields.BEGINS for _at, each in fields):
        return groups
    colour = _starting_colour(game)
    first = FieldChoice("", words.name(colour) if colour else _("Player %(number)s", number=1))
    hint = _("%(colour)s begins. The die says who plays it.", colour=first.label) if colour else ""
    asked = replace(form_fields.begins_field(values, (first,), hint), updates=bool(colour))
    last = players[-1]
    nameless = not any(each.value.strip() for _at, each in fields if each.names_player)
    if colour and asked.value == BY_DIE and nameless:
        groups = (*groups[:last], replace(groups[last], missing_part=_("names")), *groups[last + 1 :])
    return (*groups[: last + 1], FieldGroup((asked,)), *groups[last + 1 :])


def _starting_colour(game: AnyGame) -> Seat | None:
    """The colour that always begins; None where the first player does, whatever the colour."""
    if schemas.default_setup(game) is None:
        return None
    setup = schemas.load(schemas.of(game).setup, {})
    return setup.players[0].colour if game.setup_with_starter(setup, 1) == setup else None


def _readings(game: AnyGame, values: Values, words: Words) -> Iterator[FieldGroup]:
    """The fields of the readings, for a game that has any."""
    fields = []
    for reading in game.readings:
        text, name = words.text["readings"][reading.key], f"reading-{reading.key}"
        choices = tuple(FieldChoice(value, text["values"][value]) for value in reading.values)
        chosen = values.get(name, reading.default)
        pointer = f"/readings/{reading.key}"
        fields.append(Field(name, text["title"], pointer, "list", chosen, choices, hint=text["why"]))
    changed = any(each.value != each.choices[0].value for each in fields)
    about = _("Some printed rules can be read in several ways: choose one.")
    hint = _("changed") if changed else _("the usual way")
    if fields:
        yield FieldGroup(tuple(fields), _("How the rules are read"), hint, is_folded=True, about=about, differs=changed)


def _resolve_clash(form: Form, changed: str) -> dict[str, str]:
    """A free choice for a field with the same choice as the one changed last, or none if the choice was drawn."""
    fields = {each.name: each for each in form.fields}
    if changed not in fields or not fields[changed].distinct_group:
        return {}
    rivals = [each for each in fields.values() if each.distinct_group == fields[changed].distinct_group]
    taken = {each.value for each in rivals}
    free = (choice.value for choice in fields[changed].choices if choice.value and choice.value not in taken)
    left = repeat("") if fields[changed].is_drawn else free
    same = (each for each in rivals if each.name != changed and each.value == fields[changed].value)
    return {each.name: value for each, value in zip(same, left, strict=False)}


# --- what it means -----------------------------------------------------------------------------------------------


def setup_of(form: Form) -> tuple[str, Setup]:
    """The game and the setup that a form means. Raises `Invalid`."""
    opening, values = opening_of(form.game), form.values
    readings = {reading.key: values[f"reading-{reading.key}"] for reading in form.game.readings}
    setup = {**opening.setup(values), "readings": readings}
    return form.game.id, schemas.load(schemas.of(form.game).setup, setup)


def with_errors(form: Form, error: Invalid) -> Form:
    """The same form with the errors beside its fields."""
    found: dict[str, list[str]] = {}
    for pointer, field_error in sorted(error.field_errors, key=lambda each: _steps(each[0])):
        name, rest = _place(form, pointer)
        found.setdefault(name, []).append(_field_error_text(form, name, rest, field_error))
    return replace(form, errors={name: tuple(dict.fromkeys(texts)) for name, texts in found.items()})


def errors_in_words(game: AnyGame, error: Invalid) -> Iterator[str]:
    """The errors in the setup or position of an address, each after the label of its field in this form."""
    form = form_of({"game": game.id, "players": str(max(game.players))})
    for _where, label, texts in with_errors(form, error).troubles:
        yield from (_("%(who)s: %(what)s", who=label, what=text) if label else text for text in texts)


def _steps(pointer: str) -> list[tuple[int, str]]:
    """The steps of a JSON pointer, as a key for sorting: item 2 comes before item 10."""
    return [(int(step), "") if step.isdigit() else (-1, step) for step in pointer.split("/")]


def _place(form: Form, pointer: str) -> tuple[str, str]:
    """The field or group at a JSON pointer, or the nearest one around it, and the rest of the pointer."""
    places = [(each.pointer, each.name) for each in form.fields]
    places += [(group.pointer, f"group-{number}") for number, group in enumerate(form.groups)]
    within = [place for place in places if place[0] and f"{pointer}/".startswith(f"{place[0]}/")]
    above, name = max(within, key=lambda place: len(place[0]), default=("", FORM))
    return name, pointer.removeprefix(above)


def _field_error_text(form: Form, place: str, rest: str, field_error: FieldError) -> str:
    """The text of an error, with the number of the item in a list, or with the name of a member without a field."""
    words = sentences.words(language(), form.game.id)
    named = {
        name: tuple(map(words.name, map(str, value))) if isinstance(value, tuple) else value
        for name, value in field_error.values.items()
    }
    what = sentences.field_error(language(), FieldError(field_error.code, field_error.game, **named))
    steps = rest.split("/")[1:]
    if place == FORM and field_error.code != "unknown_field":
        steps = steps[1:]  # the member itself has no name in words
    if steps and steps[0].isdecimal():
        return _("No. %(number)s: %(what)s", number=int(steps[0][:9]) + 1, what=what)
    if steps and place == FORM:
        return _("%(who)s: %(what)s", who=words.name(steps[0][:MAX_NAMED]), what=what)
    return what
