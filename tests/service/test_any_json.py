"""In every game, any JSON that fits the forms is either entered, ruled on, played and scored, or refused in words.

`enter`, `judge` and `apply` raise only `Malformed` and `Invalid`; any other exception is our fault.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from rules import GAMES
from rules.caches import thaw
from rules.forms import Malformed
from rules.steps import TooMuch, at_most
from service import schemas as wire
from service.errors import Impossible, Invalid
from service.rulings import judge
from service.runtime.budget import BUDGET
from tests.rules.play import EVERY_GAME, SHARED_GAMES, AnyGame, seeds, shared_game
from tests.service.fitting_json import fitting, texts_of
from tests.support.api import V1, Api
from tests.support.damaged_json import shaken
from tests.support.json_forms import members_of
from tests.support.loops import over
from tests.support.records import FOLDER

every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
REFUSAL = "refused"
LEGAL_MOVES = 3
"""The legal moves of a position that are also judged and played."""
IN_WORDS = (Impossible, Invalid, Malformed, TooMuch)
"""The exceptions that refuse a request in words; `TooMuch` is for questions that need too much work."""


def json_of(form: Any) -> Any:
    """A form as JSON."""
    return orjson.loads(orjson.dumps(wire.plain(form)))


@cache
def texts_in(game_id: str) -> frozenset[str]:
    """The texts in a game's setups and positions, such as cell names."""
    played = shared_game(game_id, 0)
    found = [json_of(GAMES[game_id].position(played.steps[len(played.steps) // 2][0])), json_of(played.form)]
    return frozenset(text for each in found for text in texts_of(each))


@st.composite
def bodies(draw: st.DrawFn, game: AnyGame) -> dict[str, Any]:
    """A setup, a position and a move: each made from its schema, or taken from a game and possibly damaged.

    Each draw depends only on earlier draws, not on the game's content.
    """
    schemas, names = thaw(wire.json_schemas(game.id)), texts_in(game.id)
    chance = draw(seeds())
    played = shared_game(game.id, chance.randrange(SHARED_GAMES))
    state, move = chance.choice(played.steps[:-1])
    real = {"setup": json_of(played.form), "position": json_of(game.position(state)), "move": json_of(move)}
    kinds = [name for name in schemas if name.startswith("move.")]
    kind = draw(st.sampled_from(kinds))
    made = {"setup": schemas["setup"], "position": schemas["position"], "move": schemas[kind]}
    body = {name: _draw(draw, made[name], real[name], names) for name in real}
    if draw(st.booleans()) and isinstance(body["position"], dict) and "rest" in members_of(game.position_form):
        body["position"]["rest"] = "unknown"
    return body


def _draw(draw: st.DrawFn, schema: Any, real: Any, names: frozenset[str]) -> Any:
    """JSON made from a schema, real JSON, or real JSON with a few changes."""
    way = draw(st.sampled_from(("fitting", "real", "shaken")))
    if way == "fitting":
        return draw(fitting(schema, names))
    return shaken(real, draw(seeds())) if way == "shaken" else real


def read(game: AnyGame, body: dict[str, Any]) -> tuple[Any, Any, Any]:
    """A setup, a position and a move, as the service reads them. Raises `Invalid`."""
    forms = wire.of(game)
    setup = wire.load(forms.setup_of_position, body["setup"])
    with wire.allow_unknown():
        position = wire.load(forms.position, body["position"])
    return setup, position, wire.load(forms.table_ruling_body, {"move": body["move"]})["move"]


def ask_all(game: AnyGame, setup: Any, position: Any, move: Any) -> str:
    """Enter a position and ask everything about it; returns the outcome, or raises an exception of `IN_WORDS`."""
    with at_most(BUDGET):
        unknown = judge.unknown_of(game, setup, position)
        known = judge.known_position(game, setup, position, in_part=True)
        problems = game.problems(setup, known)
        state = judge.enter_with_problems(game, setup, known, problems)
        game.position(state)
    with suppress(TooMuch), at_most(BUDGET):
        judge.sheet(game, state, problems)
    with suppress(*IN_WORDS), at_most(BUDGET):
        judge.judge(game, state, move, unknown)
    with suppress(TooMuch), at_most(BUDGET):
        listed = () if unknown else tuple(islice(game.moves(state), LEGAL_MOVES))
        for each in (move, *listed):
            verdict = game.check(state, each)
            judge.rules_without_objection(state, each, verdict)
            if game.cannot_stand(state, each) is None:
                game.due(game.apply(state, each))
    return "ruled on, with problems" if problems else "ruled on"


def in_words(game: AnyGame, body: dict[str, Any]) -> str:
    """The outcome for a body, which may be a refusal; any other exception fails the test."""
    try:
        return ask_all(game, *read(game, body))
    except IN_WORDS:
        return REFUSAL
    except Exception as error:
        raise AssertionError(orjson.dumps(body).decode()) from error


@every_game
@settings(max_examples=12 * SHARED_GAMES, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_json_the_forms_take_nothing_is_raised_but_words(game: AnyGame, data: st.DataObject) -> None:
    """Any setup, position and move that can be read are entered, ruled on, played and scored, or refused."""
    event(in_words(game, data.draw(bodies(game))))


def known_faults() -> Iterator[Any]:
    """Known faults of ``tests/games/<game>/faults.toml``, if there is one: game, body and outcome."""
    for game in EVERY_GAME:
        path = FOLDER / game.id / "faults.toml"
        told = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {"faults": {}}
        for name, fault in told["faults"].items():
            body = {
                "setup": told["setup"] | fault.get("setup", {}),
                "position": fault["position"],
                "move": fault["move"],
            }
            yield pytest.param(game, body, fault["outcome"], id=f"{game.id}: {name}")


@pytest.mark.parametrize(("game", "body", "outcome"), tuple(known_faults()))
def test_faults_that_were_found_stay_mended(game: AnyGame, body: dict[str, Any], outcome: str, api: Api) -> None:
    """Known faults stay fixed, and the API responds to them."""
    assert in_words(game, body) == outcome
    answer = api.post(f"{V1}/games/{game.id}/rulings", body | {"anyway": True})
    assert answer.status_code == (422 if outcome == REFUSAL else 200)


@every_game
def test_a_position_as_it_is_played_is_ruled_on(game: AnyGame) -> None:
    """The control: real setups, positions and moves are never refused."""
    played = shared_game(game.id, 0)
    for state, move in over(played.steps[:-1:7]):
        body = {"setup": json_of(played.form), "position": json_of(game.position(state)), "move": json_of(move)}
        assert ask_all(game, *read(game, body)) == "ruled on"
