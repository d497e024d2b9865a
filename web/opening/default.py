"""The default opening form, made from the schema of a game's setup.

Players have a colour, a name, and the other members that the schema requires of each. Of the other members of the
setup, the host chooses a word from a list, fills in a number or a text, or pastes anything else as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from rules.records import dataclass
from service import schemas
from service.i18n.sentences import Words
from service.types import AnyGame, Json, JsonObject, Setup
from web import form_fields
from web.form_fields import Control, Field, FieldChoice, FieldGroup, Opening, Values

MAX_TEXT = 20_000
"""Characters of a member that is pasted as JSON."""
OWN_FIELDS = frozenset({"players", "readings"})
"""The members of a setup that have fields of their own kind."""


def default_opening(game: AnyGame) -> Opening:
    """The opening of a game by the schema of its setup."""
    form = _SchemaForm(game, schemas.json_schemas(game.id)["setup"]["properties"])
    return Opening(form.groups, form.setup, form.values)


@dataclass(frozen=True, slots=True)
class _SchemaForm:
    """A form by the schemas of a setup's members."""

    game: AnyGame
    members: Mapping[str, Any]

    @property
    def player_schemas(self) -> Mapping[str, Any]:
        """The schemas of a player's members."""
        found: Mapping[str, Any] = self.members["players"]["items"]["properties"]
        return found

    @property
    def has_fixed_seats(self) -> bool:
        """Whether all colours are always in play: then nobody chooses one."""
        return self.game.players == (len(self.game.seats),)

    def groups(self, values: Values, words: Words) -> Sequence[FieldGroup]:
        """The players, then the other members."""
        rest = tuple(
            self.field(member, f"/{member}", schema, values, words)
            for member, schema in self.members.items()
            if member not in OWN_FIELDS
        )
        found = [FieldGroup(rest)] if rest else []
        if self.has_fixed_seats:
            return (FieldGroup(tuple(self.names(values, words))), *found)
        players, count_group = form_fields.player_count(values, self.game.players)
        return (count_group, FieldGroup(tuple(self.players(players, values, words)), columns=2), *found)

    def names(self, values: Values, words: Words) -> Iterator[Field]:
        """A name for each colour."""
        for number, seat in enumerate(self.game.seats):
            yield form_fields.name_field(seat, number, values, label=words.name(seat), seat=seat)

    def players(self, players: int, values: Values, words: Words) -> Iterator[Field]:
        """The fields of each player, in turn order; no two have the same colour."""
        rest = {member: schema for member, schema in self.player_schemas.items() if member not in ("colour", "name")}
        each = form_fields.player_fields(players, values, words, self.game.seats)
        for number, (colour, name) in enumerate(each, 1):
            yield colour
            for member, schema in rest.items():
                pointer = f"/players/{number - 1}/{member}"
                yield self.field(f"{member}-{number}", pointer, schema, values, words, about=name.about)
            yield name

    def field(
        self, name: str, pointer: str, schema: Mapping[str, Any], values: Values, words: Words, about: str = ""
    ) -> Field:
        """The field of a member."""
        member = pointer.rpartition("/")[2]
        label = words.text.get("opening", {}).get(member) or words.name(member)
        control, most = _control(schema)
        choices = tuple(
            FieldChoice(value or "", words.name(value) if value else "–") for value in schema.get("enum", ())
        )
        usual = schema.get("default")
        value = values.get(name, "" if usual is None or control == "area" else str(usual))
        return Field(name, label, pointer, control, value, choices, about=about, max_length=most)

    def setup(self, values: Values) -> JsonObject:
        """The JSON of the setup, without empty fields."""
        rest = {
            member: _member(schema, values[member])
            for member, schema in self.members.items()
            if member not in OWN_FIELDS and values[member].strip()
        }
        return {"players": list(self.players_of(values)), **rest}

    def players_of(self, values: Values) -> Iterator[Mapping[str, Json]]:
        """The players as JSON."""
        if self.has_fixed_seats:
            yield from ({"colour": seat, **form_fields.name_member(values, f"name-{seat}")} for seat in self.game.seats)
            return
        for number in range(1, int(values["players"]) + 1):
            texts = {member: values.get(f"{member}-{number}", "") for member in self.player_schemas}
            yield {member: _member(self.player_schemas[member], text) for member, text in texts.items() if text.strip()}

    def values(self, setup: Setup) -> Values:
        """The form's values for a setup."""
        plain = schemas.plain(setup)
        found = {member: _text(plain[member]) for member in self.members if member in plain.keys() - OWN_FIELDS}
        found["players"] = str(len(plain["players"]))
        for number, player in enumerate(plain["players"], 1):
            key = player["colour"] if self.has_fixed_seats else number
            found |= {f"{member}-{key}": _text(value) for member, value in player.items()}
        return found


def _control(schema: Mapping[str, Any]) -> tuple[Control, int]:
    """The control of a member, and the maximum number of its characters."""
    if "enum" in schema:
        return "select", MAX_TEXT
    match schema.get("type"):
        case "integer" | ["integer", "null"]:
            return "number", MAX_TEXT
        case "string" | ["string", "null"]:
            return "text", schema.get("maxLength", MAX_TEXT)
    return "area", MAX_TEXT


def _member(schema: Mapping[str, Any], text: str) -> Json:
    """The value of a member from a text."""
    control, _most = _control(schema)
    return (
        form_fields.parse_whole(text)
        if control == "number"
        else form_fields.json_of(text)
        if control == "area"
        else text
    )


def _text(value: object) -> str:
    """A member as the text of its field."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()
