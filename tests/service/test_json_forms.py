"""The rules' tests read setups and positions by their annotations alone, with the same result as the service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import orjson
import pytest

from rules import load
from rules.cases import position_of, setup_of
from rules.forms import plain
from service import schemas
from service.errors import Invalid
from tests.rules.play import EVERY_GAME, SEED, AnyGame, often, setups, shared_games
from tests.support.damaged_json import shaken
from tests.support.json_forms import read_position, read_setup
from tests.support.loops import over
from tests.support.partial_games import OPEN_GAMES, out_of_games

every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
NTH = 5
"""One in this many positions of a game is read."""
SHAKEN = often(300)
OPEN = often(24)
"""How many positions with unknown facts are read."""


def as_json(form: Any) -> Any:
    """A setup or position as JSON."""
    return orjson.loads(orjson.dumps(plain(form)))


def positions(game: AnyGame) -> Iterator[Any]:
    """Positions of random games, as JSON."""
    yield from (as_json(game.position(state)) for played in shared_games(game) for state, _ in played.steps[::NTH])


@every_game
def test_setups_are_read_as_the_service_reads_them(game: AnyGame) -> None:
    """Both read the setups of worked cases and of random games alike."""
    forms, book = schemas.of(game), load(game.id, "cases")
    for case in over(book["case"]):
        given, beside = setup_of(case, book), position_of(case, book) is not None
        form = forms.setup_of_position if beside else forms.setup
        assert read_setup(game, given, beside_position=beside) == schemas.load(form, given)
    for setup in over(setups(game.id)):
        assert read_setup(game, as_json(setup)) == schemas.load(forms.setup, as_json(setup)) == setup


@every_game
def test_positions_are_read_as_the_service_reads_them(game: AnyGame) -> None:
    """Both read the positions of worked cases and of random games alike."""
    form, book = schemas.of(game).position, load(game.id, "cases")
    of_cases = [given for case in book["case"] if (given := position_of(case, book)) is not None]
    for given in over((*of_cases, *positions(game))):
        assert read_position(game, given) == schemas.load(form, given)


@pytest.mark.parametrize("game", OPEN_GAMES, ids=lambda game: game.id)
def test_what_is_unknown_is_read_as_the_service_reads_it(game: AnyGame) -> None:
    """Both read unknown facts alike, and refuse them where they are not allowed."""
    form = schemas.of(game).position
    for trial in over(out_of_games(game, Random(f"{SEED} read {game.id}"), OPEN)):
        with schemas.allow_unknown():
            assert read_position(game, trial.partial, partial=True) == schemas.load(form, trial.partial)
        with pytest.raises(Invalid):
            schemas.load(form, trial.partial)
        with pytest.raises(ValueError, match=r"\?"):
            read_position(game, trial.partial)


@every_game
def test_what_is_refused_by_the_forms_is_refused_by_the_service(game: AnyGame) -> None:
    """A damaged position that the forms refuse is refused by the service; one that both accept is read alike."""
    form, chance, real = schemas.of(game).position, Random(f"{SEED} shaken {game.id}"), list(positions(game))
    refused = 0
    for _ in range(SHAKEN):
        given = shaken(chance.choice(real), chance)
        try:
            read = read_position(game, given)
        except ValueError:
            refused += 1
            with pytest.raises(Invalid):
                schemas.load(form, given)
        else:
            with suppress(Invalid):  # the service also limits lists and checks texts
                assert schemas.load(form, given) == read
    assert refused > SHAKEN // 3
