"""The form that opens a table, as a game describes it: groups of fields, and the setup that their values make.

The server makes the form again from the values that it has so far, since a field with `updates` adds or removes other
fields. A script requests this at each change; without a script, a button does. The values of the visible fields make
the setup, defaults included, so that players get what they see. The API's schema checks it, and all games find the
field of an error in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from rules.kernel import Seat
from rules.old_names import accept_old_members, old_attributes
from rules.records import dataclass
from service.errors import NotJson
from service.i18n.sentences import Words
from service.schemas import BY_DIE, parse
from service.types import Json, JsonObject, Setup
from web.board.shapes import Shape
from web.browser.language import _

Values: TypeAlias = Mapping[str, str]
"""Name of a field -> its text. Any field may be missing, and any text may be invalid."""
Control: TypeAlias = Literal["text", "number", "area", "select", "list", "row", "picked"]
"""How a field is filled in. `list`: one choice a line, with a button; `row`: choices side by side, for pictures;
`picked`: by the other fields of its group, one word after another, and a tap on its picture takes one back.
"""
LONGEST_NAME = 40
BEGINS: Final = "begins"
"""The field that says who begins."""


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """A value that a field offers; `picture` is drawn in a square of `ICON` units."""

    value: str
    label: str
    picture: tuple[Shape, ...] = ()


@accept_old_members(
    apart="distinct_group",
    drawn="is_drawn",
    most="max_length",
    read="previews",
)
@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name in the form, and the JSON pointer of the member of the setup that it makes, if it makes one.

    The errors of the member, and of anything below it, stand beside the field.
    """

    name: str
    label: str
    pointer: str
    control: Control = "text"
    value: str = ""
    choices: tuple[FieldChoice, ...] = ()
    about: str = ""
    """The rest of the label, for those who cannot see what the field stands beside."""
    hint: str = ""
    placeholder: str = ""
    seat: Seat | None = None
    """Whose field it is, by the token beside its label."""
    max_length: int = LONGEST_NAME
    """The maximum number of characters."""
    updates: bool = False
    """Other fields depend on it."""
    distinct_group: str = ""
    """Fields with the same word here need different choices: the field changed last has it, another gets a free one."""
    previews: tuple[FieldChoice, ...] = ()
    """The values that were read from the text, for a check by eye."""
    names_player: bool = False
    """It is a player's name: those that the browser knows are suggested."""

    @property
    def is_drawn(self) -> bool:
        """Whether chance decided it at the table: it is empty until somebody enters the result."""
        return bool(self.distinct_group) and not all(choice.value for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Card:
    """A choice of drawn fields, as a button: a tap gives it to the next player without one, or takes it back.

    `what`, `value`: the `distinct_group` of the fields, and the choice. `whose`: who has it, and the seat.
    """

    what: str
    value: str
    label: str
    seat: Seat | None = None
    whose: str = ""
    picture: tuple[Shape, ...] = ()
    """Drawn in a square of `ICON` units; none where the card lies on a map."""
    at: tuple[float, float, float, float] | None = None
    """Where it lies on the map: left, top, width, height."""


@dataclass(frozen=True, slots=True)
class Gallery:
    """Cards to choose from, beside each other, or as places on a map: its `box`, and what is drawn on it."""

    title: str
    cards: tuple[Card, ...]
    box: tuple[float, float, float, float] | None = None
    drawing: tuple[Shape, ...] = ()


@accept_old_members(
    changed="differs",
    folded="is_folded",
    needed="missing_part",
)
@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields that belong together, in one column or two.

    The errors of `pointer`, and of members below it without a field, stand on top of the group.
    """

    fields: tuple[Field, ...]
    title: str = ""
    hint: str = ""
    pointer: str = ""
    columns: Literal[1, 2] = 1
    notes: tuple[str, ...] = ()
    """The errors that are known before the form is sent."""
    is_folded: bool = False
    """Few players need it: only its title is visible, with the `hint`."""
    differs: bool = False
    """It is folded, but its values are not the usual ones."""
    about: str = ""
    """A line within a folded group."""
    galleries: tuple[Gallery, ...] = ()
    """The cards that fill in its fields by a tap."""
    missing_part: str = ""
    """What a player must still enter before a table can be opened, in words."""

    @property
    def updates(self) -> bool:
        """Whether the form depends on a field of it."""
        return any(field.updates for field in self.fields)


@accept_old_members(
    drawn="drawn_prefixes",
    following="next_setup",
)
@dataclass(frozen=True, slots=True)
class Opening:
    """How tables of a game are opened: a value made of functions."""

    groups: Callable[[Values, Words], Sequence[FieldGroup]]
    """(values, words) -> the fields, with their values or defaults. The form adds the readings."""
    setup: Callable[[Values], JsonObject]
    """The values of all visible fields -> the JSON of their setup, without the readings; the schema rejects invalid
    values."""
    values: Callable[[Any], Values]
    """A setup -> the values that mean it."""
    next_setup: Callable[[Any, Any], Any] = lambda setup, _: setup
    """(setup, last state) -> the setup of the next game of the same players: the same one by default."""
    drawn_prefixes: tuple[str, ...] = ()
    """The prefixes of the fields that chance decides: players enter them again for each game."""
    front: tuple[str, ...] = ()
    """No longer drawn; 0.2.0 drops it."""


# --- what several games need -------------------------------------------------------------------------------------


def parse_whole(text: str) -> int | str:
    """A whole number, or the text unchanged, which the schema will reject."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def json_of(text: str) -> Json:
    """Pasted JSON, or the text unchanged, which the schema will reject."""
    try:
        return parse(text.encode())
    except (NotJson, UnicodeEncodeError):  # half of a character is no text
        return text


def player_count(values: Values, numbers: Collection[int]) -> tuple[int, FieldGroup]:
    """The number of players, the lowest of the `numbers` by default; and its field."""
    least, most = min(numbers), max(numbers)
    count = parse_whole(values.get("players", ""))
    players = min(max(count, least), most) if isinstance(count, int) else least
    choices = tuple(FieldChoice(str(number), str(number)) for number in range(least, most + 1))
    return players, FieldGroup(
        (Field("players", _("How many play?"), "/players", "row", str(players), choices, updates=True),)
    )


def begins_field(values: Values, players: Sequence[FieldChoice], hint: str = "", pointer: str = "") -> Field:
    """Who begins: one of the players, the first one by default, or the one whom a die chooses."""
    choices = (*players, FieldChoice(BY_DIE, _("A die decides")))
    value = values.get(BEGINS, "")
    chosen = value if value in (choice.value for choice in choices) else choices[0].value
    return Field(BEGINS, _("Who begins?"), pointer, "row", chosen, choices, hint=hint)


def name_field(
    key: int | Seat, place: int, values: Values, *, label: str = "", about: str = "", seat: Seat | None = None
) -> Field:
    """The name of the player in a place of the setup; `key` ends the field's name."""
    name, pointer = f"name-{key}", f"/players/{place}/name"
    hint = _("if you like") if about else _("Name (if you like)")
    return Field(
        name, label or _("Name"), pointer, "text", values.get(name, ""), (), about, "", hint, seat, names_player=True
    )


def distinct_values(values: Values, names: Sequence[str], choices: Sequence[str]) -> list[str]:
    """The values of fields that need different choices: the given value, else the first free choice."""
    current = [values.get(name) for name in names]
    free = (choice for choice in choices if choice not in current)
    return [each or next(free, "") for each in current]


def player_fields(players: int, values: Values, words: Words, colours: Sequence[Seat]) -> Iterator[tuple[Field, Field]]:
    """For each player, in turn order: the colour, a different one for each, and the name."""
    numbers = range(1, players + 1)
    chosen = distinct_values(values, [f"colour-{n}" for n in numbers], colours)
    choices = tuple(FieldChoice(colour, words.name(colour)) for colour in colours)
    for place, (number, colour) in enumerate(zip(numbers, chosen, strict=True)):
        title, name, pointer = _("Player %(number)s", number=number), f"colour-{number}", f"/players/{place}/colour"
        field = Field(name, title, pointer, "select", colour, choices, seat=colour, distinct_group="colour")
        yield field, name_field(number, place, values, about=title)


def drawn_fields(
    what: str, players: Sequence[tuple[Field, Field]], values: Values, label: str, choices: Sequence[FieldChoice]
) -> tuple[Field, ...]:
    """A field for each player of `player_fields`: the player's draw, empty until entered, and different for all."""
    all_choices = (FieldChoice("", "–"), *choices)
    found = []
    for place, (colour, name) in enumerate(players):
        number, player = place + 1, player_label(colour, name)
        key, pointer = f"{what}-{number}", f"/players/{place}/{what}"
        field = Field(key, player, pointer, "select", values.get(key, ""), all_choices, about=label, seat=colour.value)
        found.append(replace(field, distinct_group=what))
    return tuple(found)


def player_label(colour: Field, name: Field) -> str:
    """The name of a player in the form, or else the chosen colour."""
    labels = {choice.value: choice.label for choice in colour.choices}
    return name.value.strip() or labels.get(colour.value, colour.value) or colour.label


def name_member(values: Values, name: str) -> dict[str, str]:
    """The member of a player's name, if one was given."""
    return {"name": values[name]} if values.get(name, "").strip() else {}


def players_of(values: Values, members: Iterable[str] = ("colour",)) -> list[dict[str, str]]:
    """The players of `player_count` and `player_fields`, as JSON."""
    return [
        {what: values[f"{what}-{number}"] for what in members if values[f"{what}-{number}"]}
        | name_member(values, f"name-{number}")
        for number in range(1, int(values["players"]) + 1)
    ]


def player_values(setup: Setup, members: Iterable[str] = ("colour",)) -> dict[str, str]:
    """The form's values that `players_of` turns into the players of a setup."""
    values = {"players": str(len(setup.players))}
    for number, player in enumerate(setup.players, 1):
        values |= {f"{member}-{number}": getattr(player, member) or "" for member in (*members, "name")}
    return values


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        apart="distinct_values",
        called="player_label",
        how_many="player_count",
        named="name_member",
        whole="parse_whole",
    )
