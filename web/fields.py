"""The form that opens a table, as a game describes it: groups of fields, and the setup that they mean.

A form is made anew of the values that it has so far: a field that `updates` brings or takes away others, with a script
as soon as it changes, without one by a button. The setup is made of the values of the fields that are shown, defaults
included, so that what one sees is what one gets. The check is the schema of the API, and the way from what is wrong
back to its field is the same for all games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rules.kernel import Seat
from service.texts import Words
from service.wire import parse
from web.board.shapes import Shape
from web.language import _

Values: TypeAlias = Mapping[str, str]
"""Name of a field -> what was filled in. Any field may be missing, and anything may be in it."""
Control: TypeAlias = Literal["text", "number", "area", "select", "list", "row"]
"""How a field is filled in. `list`: one choice a line, with a button; `row`: choices side by side, for pictures."""
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """A value that a field offers; `picture` is drawn in a square of `ICON` units."""

    value: str
    label: str
    picture: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name in the form, and the JSON pointer of the member of the setup that it makes, if it makes one.

    What the schema says of the member, or of anything below it, is said beside the field.
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
    most: int = LONGEST_NAME
    """How many characters it takes."""
    updates: bool = False
    """Other fields depend on it."""
    apart: str = ""
    """No two fields with the same word here keep the same choice: the one changed last has it, the other a free one."""
    read: tuple[FieldChoice, ...] = ()
    """What was read of the text, to be looked at."""


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that belong together, in one column or two.

    What is said of `pointer`, or of what lies below it and belongs to no field, is said on top of the group.
    """

    fields: tuple[Field, ...]
    title: str = ""
    hint: str = ""
    pointer: str = ""
    columns: Literal[1, 2] = 1
    notes: tuple[str, ...] = ()
    """What is already seen to be wrong, before the form is sent."""
    folded: bool = False
    """It is for those who look for it: only its title is seen, and `hint` with it."""
    changed: bool = False
    """It is folded, but says something else than usual."""
    about: str = ""
    """A line within a folded group."""

    @property
    def updates(self) -> bool:
        """Whether the form depends on a field of it."""
        return any(field.updates for field in self.fields)


def _same_setup(setup: Any, _state: Any) -> Any:
    """Whoever won, the next game is set up like this one."""
    return setup


@dataclass(frozen=True, slots=True)
class Opening:
    """How tables of a game are opened: a value made of functions."""

    groups: Callable[[Values, Words], Sequence[Group]]
    """(values, words) -> the fields, with their values or defaults. The readings are added to them."""
    setup: Callable[[Values], dict[str, Any]]
    """The values of all fields that are shown -> the JSON of the setup that is meant, without the readings; what cannot
    be meant is left for the schema."""
    values: Callable[[Any], Values]
    """A setup -> the values that mean it."""
    following: Callable[[Any, Any], Any] = _same_setup
    """(setup, state) -> the setup of the next game of the same players; `state` is how this one came out."""
    drawn: tuple[str, ...] = ()
    """How the names of those fields begin that chance decides: they are entered anew for each game."""
    front: tuple[str, ...] = ()
    """The pieces on top of the form, by the names that the game's `icon` knows."""


# --- what several games need -------------------------------------------------------------------------------------


def whole(text: str) -> int | str:
    """A whole number, or the text as it is, about which the schema will complain."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def json_of(text: str) -> Any:
    """Pasted JSON, or the text as it is, about which the schema will complain."""
    try:
        return parse(text.encode())
    except ValueError:
        return text


def number_of(values: Values, name: str, least: int, most: int) -> int:
    """A number that decides how many fields there are: within its bounds, the least where none is given."""
    number = whole(values.get(name, ""))
    return min(max(number, least), most) if isinstance(number, int) else least


def how_many(values: Values, least: int, most: int) -> Group:
    """How many play."""
    choices = tuple(FieldChoice(str(number), str(number)) for number in range(least, most + 1))
    number = str(number_of(values, "players", least, most))
    field = Field("players", _("How many play?"), "/players", "row", number, choices, updates=True)
    return Group((field,))


def name_field(
    name: str, pointer: str, values: Values, *, label: str = "", about: str = "", seat: Seat | None = None
) -> Field:
    """A player's name."""
    value, hint = values.get(name, ""), _("if you like") if about else _("Name (if you like)")
    return Field(name, label or _("Name"), pointer, value=value, about=about, placeholder=hint, seat=seat)


def apart(values: Values, names: Sequence[str], choices: Sequence[str]) -> list[str]:
    """What fields say that do not keep the same choice: what was filled in, else the first choice that is free."""
    given = [values.get(name) for name in names]
    free = (choice for choice in choices if choice not in given)
    return [each or next(free, "") for each in given]


def player_fields(players: int, values: Values, words: Words, colours: Sequence[Seat]) -> tuple[Field, ...]:
    """The colour and the name of each player, in turn order."""
    names = [f"colour-{number}" for number in range(1, players + 1)]
    choices = tuple(FieldChoice(seat, words.name(seat)) for seat in colours)
    fields = []
    for place, (name, colour) in enumerate(zip(names, apart(values, names, colours), strict=True)):
        label, pointer = _("Player %(number)s", number=place + 1), f"/players/{place}"
        fields += [
            Field(name, label, f"{pointer}/colour", "select", colour, choices, seat=colour, apart="colour"),
            name_field(f"name-{place + 1}", f"{pointer}/name", values, about=label),
        ]
    return tuple(fields)


def named(values: Values, name: str) -> dict[str, str]:
    """The member of a player's name, if one was given."""
    return {"name": values[name]} if values.get(name, "").strip() else {}


def players_of(values: Values) -> list[dict[str, str]]:
    """The players of `how_many` and `player_fields`, as JSON."""
    numbers = range(1, int(values["players"]) + 1)
    return [{"colour": values[f"colour-{number}"], **named(values, f"name-{number}")} for number in numbers]


def player_values(setup: Any) -> dict[str, str]:
    """The values of `players_of` that mean the players of a setup."""
    values = {"players": str(len(setup.players))}
    for number, player in enumerate(setup.players, 1):
        values |= {f"colour-{number}": player.colour, f"name-{number}": player.name or ""}
    return values
