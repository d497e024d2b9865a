"""The form that opens a table, as a game describes it: groups of fields, and the setup that they mean.

A form is made anew of the values that it has so far: a field that `updates` brings or takes away others, with a script
as soon as it changes, without one by a button. The setup is made of the values of the fields that are shown, defaults
included, so that what one sees is what one gets. The check is the schema of the API, and the way from what is wrong
back to its field is the same for all games.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    names_player: bool = False
    """It is a player's name: those that the browser knows are suggested."""


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
    following: Callable[[Any, Any], Any] = lambda setup, _: setup
    """(setup, state) -> the setup of the next game of the same players; `state` is how this one came out. It is the
    same one unless a game says otherwise."""
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


def how_many(values: Values, numbers: Collection[int]) -> tuple[int, Group]:
    """How many play, the fewest where none of these numbers is given; and the question."""
    least, most = min(numbers), max(numbers)
    given = whole(values.get("players", ""))
    players = min(max(given, least), most) if isinstance(given, int) else least
    choices = tuple(FieldChoice(str(number), str(number)) for number in range(least, most + 1))
    return players, Group(
        (Field("players", _("How many play?"), "/players", "row", str(players), choices, updates=True),)
    )


def name_field(
    key: int | Seat, place: int, values: Values, *, label: str = "", about: str = "", seat: Seat | None = None
) -> Field:
    """The name of the player in a place of the setup; `key` ends the field's name."""
    name, pointer = f"name-{key}", f"/players/{place}/name"
    hint = _("if you like") if about else _("Name (if you like)")
    return Field(
        name, label or _("Name"), pointer, "text", values.get(name, ""), (), about, "", hint, seat, names_player=True
    )


def apart(values: Values, names: Sequence[str], choices: Sequence[str]) -> list[str]:
    """What fields say that do not keep the same choice: what was filled in, else the first choice that is free."""
    given = [values.get(name) for name in names]
    free = (choice for choice in choices if choice not in given)
    return [each or next(free, "") for each in given]


def player_fields(
    players: int, values: Values, words: Words, offered: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Field, ...]]:
    """Of each player, in turn order: the colour, the name, and what else is `offered`; no two choose the same.

    Where nothing but the colour is offered, it is the player's number that stands beside it.
    """
    numbers = range(1, players + 1)
    chosen = {what: apart(values, [f"{what}-{n}" for n in numbers], names) for what, names in offered.items()}
    choices = {what: tuple(FieldChoice(name, words.name(name)) for name in names) for what, names in offered.items()}
    for place, number in enumerate(numbers):
        title, fields = _("Player %(number)s", number=number), []
        for what in offered:
            label, about = (title, "") if len(offered) == 1 else (words.text["opening"][what], title)
            name, pointer, value = f"{what}-{number}", f"/players/{place}/{what}", chosen[what][place]
            seat = value if what == "colour" else None
            field = Field(name, label, pointer, "select", value, choices[what], about=about, seat=seat, apart=what)
            fields.append(field)
        yield fields[0], name_field(number, place, values, about=title), *fields[1:]


def named(values: Values, name: str) -> dict[str, str]:
    """The member of a player's name, if one was given."""
    return {"name": values[name]} if values.get(name, "").strip() else {}


def players_of(values: Values, members: Iterable[str] = ("colour",)) -> list[dict[str, str]]:
    """The players of `how_many` and `player_fields`, as JSON."""
    return [
        {what: values[f"{what}-{number}"] for what in members if values[f"{what}-{number}"]}
        | named(values, f"name-{number}")
        for number in range(1, int(values["players"]) + 1)
    ]


def player_values(setup: Any, members: Iterable[str] = ("colour",)) -> dict[str, str]:
    """The values of `players_of` that mean the players of a setup."""
    values = {"players": str(len(setup.players))}
    for number, player in enumerate(setup.players, 1):
        values |= {f"{member}-{number}": getattr(player, member) or "" for member in (*members, "name")}
    return values
