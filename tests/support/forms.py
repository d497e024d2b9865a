"""Values for the form that opens a table: for each game, those of the setup of one of its recorded games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from rules import GAMES
from service.errors import Invalid
from service.i18n.sentences import words
from service.schemas import load, of
from service.types import AnyGame
from tests.rules.play import setups
from web.form_fields import Values
from web.games import all_pages
from web.opening.form import opening_of

NAMES: Final = ("Anne", "Bruno", "Chloé", "Dora", "Émile", "Flore")


def visible_fields(game: AnyGame, given: Values) -> Mapping[str, str]:
    """The fields that a game's form shows for these values, from top to bottom, without the readings."""
    return {
        field.name: field.value
        for group in opening_of(game).groups(given, words("en", game.id))
        for field in group.fields
    }


def values_of_records(game: AnyGame) -> Iterator[Values]:
    """The values for the setups of a game's recorded games, where the form can give the same table."""
    opening = opening_of(game)
    for setup in setups(game.id):
        seen = visible_fields(game, opening.values(setup))
        said = {**opening.setup(seen), "readings": dict(setup.readings)}
        with suppress(Invalid):
            if game.setup(load(of(game).setup, said)) == game.setup(setup):
                yield seen


def _with_names(game: AnyGame) -> Values:
    """The first of these, with names, and a reading that is not the default."""
    values, names = dict(next(values_of_records(game))), iter(NAMES)
    values |= {name: next(names) for name in values if name.startswith("name-")}
    unusual = [(reading.key, reading.values[-1]) for reading in game.readings][-1:]
    return {
        **{name: value for name, value in values.items() if value},
        **{f"reading-{key}": value for key, value in unusual},
    }


FILLED_FIELDS: Mapping[str, Values] = {name: _with_names(GAMES[name]) for name in all_pages()}
"""Game -> name of a field -> its value, from the top of the form to its bottom."""
