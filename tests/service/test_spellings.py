"""One name for a player and one spelling of a cell: whatever a response contains can be sent back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from rules.forms import PLAYER
from tests.rules.play import EVERY_GAME, AnyGame
from tests.support.api import V1, Api
from tests.support.loops import over

NUMBERED_GAMES = [game for game in EVERY_GAME if game.id in ("architekton", "robber_knights")]
"""The games whose cells are pairs of numbers."""
EVERY_NTH = 7
"""One in this many worked cases is tested."""


def ids(game: AnyGame) -> str:
    """A game's id, for the names of tests."""
    return game.id


def read(response: Any, status: int = 200) -> Any:
    """The body of an answer with an expected status."""
    assert response.status_code == status, response.get_data(as_text=True)
    return response.json


def worked_cases(api: Api, game: AnyGame) -> Iterator[dict[str, Any]]:
    """Some of the worked cases, from the API."""
    path = f"{V1}/games/{game.id}/cases"
    while path:
        page = api.get(path)
        yield from read(page)["cases"][::EVERY_NTH]
        path = page.headers.get("Link", "").partition(">")[0][1:]


def cells_in(answer: Any) -> Iterator[Any]:
    """Every cell in a response."""
    if isinstance(answer, list):
        for each in answer:
            yield from cells_in(each)
    elif isinstance(answer, dict):
        for name, value in answer.items():
            if name == "cell":
                yield value
            elif name == "cells" and isinstance(value, list):
                yield from value
            else:
                yield from cells_in(value)


@pytest.mark.parametrize("game", EVERY_GAME, ids=ids)
def test_every_cell_of_an_answer_is_taken_back(api: Api, game: AnyGame) -> None:
    """Every cell of a response can be a filter, and positions and moves can be sent back."""
    found: dict[bytes, Any] = {}
    for case in over(worked_cases(api, game)):
        asked = {"setup": case["setup"], "position": case["position"], "anyway": True}
        answer = read(api.post(f"{V1}/games/{game.id}/positions", asked))
        if case["move"] is not None:
            answer = [answer, read(api.post(f"{V1}/games/{game.id}/rulings", asked | {"move": case["move"]}))]
        found |= {orjson.dumps(cell): cell for cell in cells_in(answer)}
    assert len(found) > 4
    start = {"setup": read(api.get(f"{V1}/games/{game.id}"))["default_setup"], "limit": 1}
    for cell in found.values():
        read(api.post(f"{V1}/games/{game.id}/legal-moves", start | {"at": cell}))


def respell(value: Any, spelling: str) -> Any:
    """The same JSON with each pair of numbers as text."""
    if isinstance(value, dict):
        return {name: respell(each, spelling) for name, each in value.items()}
    if isinstance(value, list):
        if len(value) == 2 and all(type(each) is int for each in value):
            return spelling.format(*value)
        return [respell(each, spelling) for each in value]
    return value


@pytest.mark.parametrize("game", NUMBERED_GAMES, ids=ids)
@pytest.mark.parametrize("spelling", ["{},{}", "({},{})", "[{},{}]"])
def test_a_cell_of_two_numbers_is_read_as_text(api: Api, game: AnyGame, spelling: str) -> None:
    """In setups, positions and moves, a cell as text means the same as a list."""
    cases = [each for each in worked_cases(api, game) if each["move"] is not None]
    for case in over(each for each in cases if "left" not in each["move"].get("knights", {})):  # no cell, but numbers
        members = {name: case[name] for name in ("setup", "position", "move")}
        lists = api.post(f"{V1}/games/{game.id}/rulings", members | {"anyway": True})
        texts = api.post(f"{V1}/games/{game.id}/rulings", respell(members, spelling) | {"anyway": True})
        assert (texts.status_code, texts.json) == (lists.status_code, lists.json)


@pytest.mark.parametrize("text", ["1", "1,", "1,2,3", "(1,2", "[1,2)", "1.0,2", "a,b", "1, 2", "99999999999999999,0"])
@pytest.mark.parametrize("game", NUMBERED_GAMES, ids=ids)
def test_a_text_that_is_no_cell_is_refused(api: Api, game: AnyGame, text: str) -> None:
    """A text that is no cell is refused with its pointer."""
    start = {"setup": read(api.get(f"{V1}/games/{game.id}"))["default_setup"], "at": text}
    problem = read(api.post(f"{V1}/games/{game.id}/legal-moves", start), 422)
    assert [error["pointer"] for error in problem["errors"]] == ["/at"]


# --- one word for a player ---------------------------------------------------------------------------------------

OLD_NAMES = ("colour", "by", "raised_by")


def players_of(setup: dict[str, Any]) -> list[dict[str, Any]]:
    """The players of a setup."""
    players: list[dict[str, Any]] = setup["players"]
    return players


@pytest.mark.parametrize("game", [each for each in EVERY_GAME if each.id != "villa_paletti"], ids=ids)
def test_a_setup_names_its_players_by_either_name(api: Api, game: AnyGame) -> None:
    """A setup's players may be given by `colour`, `player` or both; two different names or none are refused."""
    default = read(api.get(f"{V1}/games/{game.id}"))["default_setup"]
    path, asked = f"{V1}/games/{game.id}/positions", default | {"readings": {}}
    old = read(api.post(path, {"setup": asked}))
    new = [{PLAYER: each["colour"]} | {n: v for n, v in each.items() if n != "colour"} for each in default["players"]]
    assert read(api.post(path, {"setup": asked | {"players": new}})) == old
    both = [one | other for one, other in zip(default["players"], new, strict=True)]
    assert read(api.post(path, {"setup": asked | {"players": both}})) == old
    two = [both[0] | {PLAYER: both[1][PLAYER]}, *both[1:]]
    nobody = [{n: v for n, v in both[0].items() if n not in ("colour", PLAYER)}, *both[1:]]
    for wrong in (two, nobody):
        problem = read(api.post(path, {"setup": asked | {"players": wrong}}), 422)
        assert [error["pointer"] for error in problem["errors"]] == [f"/setup/players/0/{PLAYER}"]


def test_a_move_names_its_player_by_either_name(api: Api) -> None:
    """In Villa Paletti, a move names the objector by `by` or `player`."""
    path, move = f"{V1}/games/villa_paletti/rulings", {"kind": "crash", "by": "red"}
    old = read(api.post(path, {"move": move}))
    assert old["move"] == move | {PLAYER: "red"}
    assert read(api.post(path, {"move": {"kind": "crash", PLAYER: "red"}})) == old
    problem = read(api.post(path, {"move": move | {PLAYER: "blue"}}), 422)
    assert [error["pointer"] for error in problem["errors"]] == [f"/move/{PLAYER}"]
    assert "by" in problem["detail"]


def test_answers_have_both_names(api: Api) -> None:
    """Wherever a response has an older name for a player, `player` is beside it with the same value."""
    table = api.open(["r b1c1"], players=[{"colour": "black", "name": "Ada"}, {"colour": "white"}])
    read(api.post(f"{table.path}/disputes", {"about": {"entry": 2}, "question": "So?"}, key=table.host, version=2), 201)
    answers = [read(api.get(f"{table.path}{path}", key=table.host)) for path in ("", "/log", "/score", "/disputes/1")]
    seen = set()

    def look(answer: Any) -> None:
        if isinstance(answer, list):
            for each in answer:
                look(each)
        elif isinstance(answer, dict):
            for name in {*OLD_NAMES} & answer.keys() if "piece" not in answer else ():
                assert answer[PLAYER] == (None if answer[name] == "host" else answer[name]), (name, answer)
                seen.add(name)
            for name in {"seats", "colours"} & answer.keys():
                assert answer["players"] == answer[name]
            for name, value in answer.items():
                if name != "facts":
                    look(value)

    look(answers)
    assert seen == {*OLD_NAMES}


def test_the_log_keeps_its_own_form(api: Api) -> None:
    """Stored and exported logs keep the older names."""
    table = api.open(["r b1c1"])
    stored = read(api.get(f"{table.path}/export", key=table.host))["entries"][0]["setup"]
    assert PLAYER not in str(players_of(stored)[0])


@pytest.mark.parametrize("game", EVERY_GAME, ids=ids)
def test_the_default_setup_says_player(api: Api, game: AnyGame) -> None:
    """A default setup says `player` and opens a table; Villa Paletti's players have columns."""
    setup = read(api.get(f"{V1}/games/{game.id}"))["default_setup"]
    assert read(api.post(f"{V1}/tables", {"game": game.id, "setup": setup}), 201)
    assert all("player" in each for each in setup["players"]) == (game.id != "villa_paletti")
