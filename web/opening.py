"""The form that opens a table: read, checked by the same schema as the API's, and given back with what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import rules
from rules.kernel import Seat
from service import texts, wire
from service.complaints import Invalid
from service.rulings import AnyGame
from web.boards import drawings


@dataclass(frozen=True, slots=True)
class Form:
    """What was filled in. `names`: seat -> name; `readings`: key -> value; `complaints`: field -> what is wrong."""

    game: AnyGame
    names: Mapping[Seat, str]
    readings: Mapping[str, str]
    complaints: Mapping[str, str]

    @property
    def changed(self) -> bool:
        """Whether a reading is not the default."""
        return any(self.readings[reading.key] != reading.default for reading in self.game.readings)


def games() -> tuple[AnyGame, ...]:
    """The games that can be opened on a page: those that have a board, and begin without being told how it lies."""
    drawn = tuple(game for name, game in rules.GAMES.items() if name in drawings())
    return tuple(game for game in drawn if wire.default_setup(game) is not None)


def form_of(values: Mapping[str, str]) -> Form:
    """Read the form's fields, or start one with the defaults."""
    known = {game.id: game for game in games()}
    game = known.get(values.get("game", "")) or next(iter(known.values()))
    return Form(
        game,
        {seat: values.get(f"name-{seat}", "") for seat in game.seats},
        {reading.key: values.get(f"reading-{reading.key}", reading.default) for reading in game.readings},
        {},
    )


def setup_of(form: Form) -> tuple[str, Any]:
    """The game and the setup that a form means. Raises `Invalid`."""
    players: list[dict[str, str]] = []
    for seat, name in form.names.items():
        players.append({"colour": seat} | ({"name": name} if name.strip() else {}))
    setup = {"players": players, "readings": dict(form.readings)}
    return form.game.id, wire.load(wire.of(form.game).setup, setup)


def with_complaints(form: Form, error: Invalid, language: str) -> Form:
    """The same form with what is wrong beside its fields."""
    found = {}
    seats = tuple(form.names)
    for pointer, complaint in error.complaints:
        said = texts.complaint(language, complaint)
        match pointer.split("/")[1:]:
            case ["players", place, "name"] if place.isdigit() and int(place) < len(seats):
                found[f"name-{seats[int(place)]}"] = said
            case ["readings", key]:
                found[f"reading-{key}"] = said
            case _:
                found["form"] = said
    return replace(form, complaints=found)
