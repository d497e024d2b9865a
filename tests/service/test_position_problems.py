"""For every game, a position with several problems: all are reported at once, with rule and cells, in every place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from rules import GAMES
from rules.forms import on_table
from service import schemas
from service.cli import commands
from service.i18n.languages import LANGUAGES
from tests.rules.play import setups
from tests.support.api import V1, Api
from tests.support.loops import over
from tests.web.conftest import Visitor
from web.position_url import Trail

SEAS = [{"cell": [2 * n, 0], "landscape": "water"} for n in range(7)]
FOUR = [
    {"colour": "red", "lord": "Arthur", "village": "Beaujeu"},
    {"colour": "blue", "lord": "Baudoin", "village": "La Salle"},
    {"colour": "green", "lord": "Charles", "village": "Blaye"},
]
LORDS = [
    {"name": "Arthur", "player": "red", "place": "Beaujeu", "king": True},
    {"name": "Baudoin", "player": "blue", "place": "La Salle", "king": True, "spouse": "Aliénor"},
    {"name": "Aliénor", "player": "yellow", "place": "Blaye"},
]
TWO = [{"colour": "blue"}, {"colour": "yellow"}]
Position = tuple[Mapping[str, Any], Mapping[str, Any], Mapping[tuple[str, str], Any], str]
POSITIONS: Mapping[str, Position] = {
    # setup, position, (rule, code) -> the cells that show it, a move to rule on
    "villefranche": (
        {},
        {
            "cells": {
                **{f"{x}{y}": [{"piece": "cube", "colour": "black"}] for x in "cdefgh" for y in (2, 3)},
                "a1": [{"piece": "cylinder", "colour": "white", "second": "a2"}],
            },
            "first_turn": True,
        },
        {
            ("VF-1", "position"): ["a1", *(f"{x}{y}" for x in "cdefgh" for y in (2, 3))],
            ("VF-5", "second"): ["a1"],
            ("VF-6", "position"): [f"{x}{y}" for x in "cdefgh" for y in (2, 3)],
        },
        "h c5",
    ),
    "architekton": (
        {"layout": [{"cell": [0, 0], "tile": "water"}, {"cell": [1, 1], "tile": "earth"}]},
        {"landscapes": [*SEAS, {"cell": [0, 0], "landscape": "earth"}], "laid": 2, "left": 1},
        {
            ("AR-3", "position"): [tile["cell"] for tile in SEAS],
            ("AR-10", "position"): [[0, 0]],
            ("AR-2", "position"): [],
            ("AR-30", "position"): [],
        },
        "(1,0) building E E E E",
    ),
    "robber_knights": (
        {"players": TWO},
        {
            "tiles": [
                {"cell": [0, 0], "face": "plain castle", "knights": ["red"]},
                {"cell": [0, 0], "face": "plain castle"},
                {"cell": [1, 0], "face": "lake", "knights": ["blue"]},
            ],
            "due": "green",
        },
        {
            ("RK-26", "position_stranger"): [[0, 0]],
            ("RK-4", "position_stranger"): [],
            ("RK-10", "position_twice"): [[0, 0]],
        },
        "(0,1) plain village",
    ),
    "villa_paletti": (
        {},
        {
            "columns": [{"colour": "red", "shape": "small", "level": 3, "n": 1, "locked": 2}],
            "holder": "red",
            "top": 1,
        },
        {
            ("VP-11", "position_locked"): ["red small 3"],
            ("VP-15", "position_above"): ["red small 3"],
            ("VP-30", "position_early"): [],
        },
        "red small 3",
    ),
    "fief": (
        {"players": FOUR},
        {
            "phase": "purchases",
            "control": {"red": ["Beaujeu"], "blue": ["Beaujeu"], "yellow": ["Blaye"]},
            "cities": ["Beaujeu", "La Salle"],
            "lords": LORDS,
            "ended": True,
        },
        {
            ("FI-1", "position_stranger"): ["Aliénor", "Blaye"],
            ("FI-1", "position_village_twice"): ["Beaujeu"],
            ("FI-52", "position_two_cities"): ["Beaujeu", "La Salle"],
            ("FI-40", "position_kings"): ["Arthur", "Baudoin"],
            ("FI-10", "position_spouse"): ["Baudoin"],
            ("FI-3", "position_ended"): [],
        },
        "buy castle Beaujeu",
    ),
}
games = pytest.mark.parametrize("game_id", POSITIONS)


def answer_json(answer: TestResponse) -> Any:
    """The JSON of an answer."""
    return answer.json


def cells(problem: Mapping[str, Any]) -> list[Any]:
    """The cells that show a problem, sorted."""
    found = [cell for fact in problem["evidence"] for cell in fact.get("cells", [fact.get("cell")])]
    return sorted(found, key=str)


def test_every_game_has_its_position() -> None:
    """Every game has a position, with at least three problems of at least three rules."""
    assert POSITIONS.keys() == GAMES.keys()
    for _, _, expected, _ in POSITIONS.values():
        assert len(expected) >= 3
        assert len({rule for rule, _ in expected}) >= 3


@games
def test_all_problems_are_told_at_once(app: Flask, game_id: str) -> None:
    """Each problem comes with its rule, a whole sentence and its cells, in both languages."""
    setup, position, expected, _ = POSITIONS[game_id]
    client = app.test_client()
    body = {"setup": setup, "position": position}
    for language in over(LANGUAGES):
        answer = client.post(f"{V1}/games/{game_id}/positions", json=body, headers={"Accept-Language": language})
        assert answer.status_code == 200, answer.text
        problems = answer_json(answer)["problems"]
        found = [(problem["rule"], cells(problem)) for problem in problems]
        for (rule, _code), shown in expected.items():
            assert (rule, sorted(shown, key=str)) in found, (rule, found)
        assert all(problem["text"].endswith(".") and "…" not in problem["text"] for problem in problems)


def test_a_name_that_there_is_not_hides_no_other_problem() -> None:
    """An unknown village, fief and lord are reported together with all other problems."""
    setup, position, expected, _ = POSITIONS["fief"]
    strange = {"name": "Nobody", "player": "red", "place": "Camelot", "fiefs": ["F0"]}
    more = {"cities": [*position["cities"], "Camelot"], "lords": [*position["lords"], strange]}
    game = GAMES["fief"]
    forms = schemas.of(game)
    problems = game.problems(schemas.load(forms.setup, setup), schemas.load(forms.position, {**position, **more}))
    found = {(problem.rule, problem.facts.code) for problem in problems}
    assert found >= {("FI-1", f"position_no_{what}") for what in ("lord", "village", "fief")}
    assert found >= expected.keys()


@games
def test_it_is_scored_and_ruled_on_anyway(api: Api, game_id: str) -> None:
    """With `anyway`, score, legal moves and ruling come with the problems; without it, the problems come alone."""
    setup, position, expected, move = POSITIONS[game_id]
    start = {"setup": setup, "position": position}
    for path, body in (("scores", start), ("legal-moves", start | {"limit": 5}), ("rulings", start | {"move": move})):
        refused = api.post(f"{V1}/games/{game_id}/{path}", body)
        assert refused.status_code == 422
        assert answer_json(refused)["type"].endswith("impossible-position")
        answer = api.post(f"{V1}/games/{game_id}/{path}", body | {"anyway": True})
        assert answer.status_code == 200, answer.text
        assert {problem["rule"] for problem in answer_json(answer)["problems"]} >= {rule for rule, _ in expected}
        assert not answer_json(answer).get("foretold"), "nothing is certain of a table that cannot be"


@games
def test_at_a_table_all_problems_are_told_and_nothing_is_entered(api: Api, game_id: str) -> None:
    """Comparing the position, entering it or settling a dispute by it reports the same problems, with rules and cells,
    and changes nothing. The control: the current position has none.
    """
    game, setup = GAMES[game_id], setups(game_id)[-1]
    move = next(iter(game.moves(game.setup(setup))))
    opening = {"game": game_id, "setup": orjson.loads(orjson.dumps(schemas.plain(setup))), "moves": [game.write(move)]}
    opened = answer_json(api.post(f"{V1}/tables", opening))
    path, on = f"{V1}/tables/{opened['id']}", {"key": opened["keys"]["host"], "version": 3}
    api.post(f"{path}/disputes", {"about": {"entry": 2}, "question": "?"}, **on | {"version": 2})
    named = {name: members for name, members in opened["position"].items() if name in on_table(game.position_form)}
    position = {**{name: type(members)() for name, members in named.items()}, **POSITIONS[game_id][1]}
    found = game.problems(setup, schemas.load(schemas.of(game).position, position))
    expected = [
        [problem.rule, sorted((cell for fact in problem.facts.evidence for cell in fact.cells), key=str)]
        for problem in found
    ]
    assert len({rule for rule, _ in expected}) >= 3
    compared = api.send("PUT", f"{path}/position", {"position": position, "dry_run": True}, **on)
    entered = api.send("PUT", f"{path}/position", {"position": position}, **on)
    settled = api.post(f"{path}/disputes/1/settlement", {"remedy": "adjust", "position": position}, **on)
    assert [answer.status_code for answer in (compared, entered, settled)] == [200, 422, 422]
    for answer in (compared, entered, settled):
        problems = [[problem["rule"], cells(problem)] for problem in answer_json(answer)["problems"]]
        assert problems == orjson.loads(orjson.dumps(expected))
    assert answer_json(api.get(path, key=on["key"]))["version"] == 3
    here = {"position": opened["position"], "dry_run": True}
    assert answer_json(api.send("PUT", f"{path}/position", here, **on))["problems"] == []


@games
def test_the_command_tells_all_problems_and_rules_anyway(
    game_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints a line per problem, in both languages; with `anyway`, also the ruling or score."""
    setup, position, expected, move = POSITIONS[game_id]
    file = tmp_path / "game.json"
    for command, asked in (("rule", {"move": move}), ("score", {})):
        for language in over(LANGUAGES):
            for anyway in (False, True):
                body = {"game": game_id, "setup": setup, "position": position, "anyway": anyway, **asked}
                file.write_bytes(orjson.dumps(body))
                status = commands.main([command, str(file), "--lang", language])
                said = capsys.readouterr()
                assert (status == 2, bool(said.out)) == (not anyway, anyway)
                lines = (said.out or said.err).splitlines()
                assert {rule for rule, _ in expected} <= {line.split()[0] for line in lines if line.strip()}


def test_without_problems_nothing_is_added(app: Flask) -> None:
    """`anyway` changes nothing for a possible position."""
    client, body = app.test_client(), {"position": {"cells": {"c4": [{"piece": "cube", "colour": "white"}]}}}
    plain = client.post(f"{V1}/games/villefranche/scores", json=body)
    assert client.post(f"{V1}/games/villefranche/scores", json=body | {"anyway": True}).json == plain.json


@pytest.mark.parametrize("half", [{}, {"second": "c6"}, {"second": "d4"}])
def test_half_a_brick_is_told_and_the_rest_is_scored(app: Flask, half: dict[str, str]) -> None:
    """A brick with a missing, distant or unlisted second cell is a problem, and the score ignores it. Without `anyway`
    the position is refused.
    """
    shops = [[{"piece": "cube", "colour": "white"}, {"piece": "pyramid", "colour": "white"}]] * 2
    standing = dict(zip(("g4", "g5"), shops, strict=True))
    client, broken = app.test_client(), {**standing, "c4": [{"piece": "brick", "colour": "black", **half}]}
    for path, more in (("scores", {}), ("rulings", {"move": "h c5"}), ("legal-moves", {"limit": 3})):
        body = {"position": {"cells": broken, "enclosed": True}, **more}
        assert client.post(f"{V1}/games/villefranche/{path}", json=body).status_code == 422
        answer = client.post(f"{V1}/games/villefranche/{path}", json=body | {"anyway": True})
        assert answer.status_code == 200, answer.text
        assert [(problem["rule"], cells(problem)) for problem in answer_json(answer)["problems"]] == [("VF-5", ["c4"])]
        if path == "scores":
            rest = client.post(
                f"{V1}/games/villefranche/scores", json={"position": {"cells": standing, "enclosed": True}}
            )
            assert answer_json(answer)["players"] == answer_json(rest)["players"]
            assert [player["total"] for player in answer_json(answer)["players"]] == [0, 2]


@games
def test_the_pages_tell_and_count_and_rule(app: Flask, game_id: str) -> None:
    """The pages that count or ask show every problem, with the score or the ruling."""
    setup, position, expected, move = POSITIONS[game_id]
    text = Trail((orjson.loads(orjson.dumps({"setup": setup, "position": position})),)).text()
    for address in (f"/count/{game_id}/{text}", f"/ask/{game_id}/{text}", f"/ask/{game_id}/{text}/move?move={move}"):
        page = Visitor(app.test_client()).see(address)
        assert "This is impossible" in page.text
        assert not [rule for rule, _ in expected if rule not in page.text]
