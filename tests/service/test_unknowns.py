"""Positions with unknown cells through the API: rulings say what is certain, and name what is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from werkzeug.test import TestResponse

from tests.support.api import V1, Api
from tests.support.loops import over

WHITE = [{"piece": "cube", "colour": "white"}]
HOUSE: dict[str, Any] = {"cells": {"c4": WHITE, "d5": "?", "d6": "?"}, "enclosed": True}
"""White's house beside c5, and two unknown cells."""
FAULTS = sorted(Path(__file__).with_name("unknowns").glob("*.json"))
"""Positions whose ruling or effect was once contradicted by one of their fillings; with that filling."""
RULINGS = f"{V1}/games/villefranche/rulings"


def rule(api: Api, position: dict[str, Any], move: str = "h c5", **more: Any) -> Any:
    """The ruling on a move."""
    answer = api.post(RULINGS, {"position": position, "move": move, **more})
    assert answer.status_code == 200, answer.text
    return answer.json


def ask(answer: TestResponse) -> Any:
    """The JSON of a response."""
    return answer.json


def fill(**cells: Any) -> dict[str, Any]:
    """The same position with some cells filled in."""
    return {**HOUSE, "cells": {**HOUSE["cells"], **cells}}


def test_a_ruling_names_the_cells_that_decide_and_entering_them_settles_it(api: Api) -> None:
    said = rule(api, HOUSE)
    assert said["ruling"] == "unproven"
    assert [need["unknown"] for need in said["needs"]] == ["d5", "d6"]
    (finding,) = said["findings"]
    assert (finding["rule"], finding["ruling"], finding["needs"]) == ("VF-22", "unproven", ["d5", "d6"])
    assert "d5 and d6" in finding["text"]
    black = [{"piece": "cube", "colour": "black"}]
    assert rule(api, fill(d5=black, d6=black))["ruling"] == "legal"
    assert rule(api, fill(d5=[], d6=[]))["ruling"] == "illegal"


def test_what_is_certain_is_said_with_bounds(api: Api) -> None:
    """Black has three pieces beside the site and White one: an unknown cell cannot change that, so the ruling has
    bounds.
    """
    tower = [{"piece": "cylinder", "colour": "black"}] * 3
    said = rule(api, fill(d5=tower, b5=tower))
    assert (said["ruling"], said["needs"]) == ("legal", [])
    (counted,) = [each for each in said["effects"] if each["rule"] == "VF-22"]
    assert counted["facts"]["own"] == {"least": 6, "most": 9}
    assert "6–9" in counted["text"]


def test_the_rest_may_be_unknown_and_facts_of_the_whole_table_are_named(api: Api) -> None:
    around: dict[str, Any] = {f"{x}{y}": [] for x in "bcd" for y in (4, 5, 6)}
    position = {"cells": around, "rest": "unknown"}
    said = rule(api, position)
    assert [need["unknown"] for need in said["needs"]] == ["enclosed", "in_hand black cube"]
    assert said["needs"][0]["text"] == "whether the enclosure is whole"
    known = {**position, "enclosed": True, "in_hand": {"black": {"cube": True}}}
    assert rule(api, known)["ruling"] == "legal"


def test_a_score_and_a_list_of_moves_need_every_cell(api: Api) -> None:
    for what in ("scores", "legal-moves"):
        answer = api.post(f"{V1}/games/villefranche/{what}", {"position": HOUSE})
        assert answer.status_code == 422
        (error,) = ask(answer)["errors"]
        assert error["pointer"] == "/position"
        assert "d5, d6" in error["detail"]


def test_the_problems_of_what_is_known_are_told(api: Api) -> None:
    answer = api.post(f"{V1}/games/villefranche/positions", {"position": fill(e2=WHITE * 8, f2=WHITE * 8)})
    assert ask(answer)["unknown"] == ["d5", "d6"]
    assert [problem["rule"] for problem in ask(answer)["problems"]] == ["VF-6"]


def test_what_cannot_be_unknown_is_refused_by_its_name(api: Api) -> None:
    """A value other than ``?``, and a fact that must be known, are refused with their pointers."""
    for position, pointer in (({"cells": {"c4": "!"}}, "/position/cells/c4"), ({"due": "?"}, "/position/due")):
        answer = api.post(RULINGS, {"position": position, "move": "h c5"})
        assert answer.status_code == 422
        assert [error["pointer"] for error in ask(answer)["errors"]] == [pointer]


@pytest.mark.parametrize("path", FAULTS, ids=lambda path: path.stem)
def test_what_was_contradicted_once_is_not(path: Path, api: Api) -> None:
    """The ruling is `unproven`, and the effects listed are those of the filling, too."""
    case = orjson.loads(path.read_bytes())
    answers = {}
    for name in ("partial", "filled"):
        body = {"setup": case["setup"], "position": case[name], "move": case["move"]}
        answers[name] = ask(api.post(f"{V1}/games/{case['game']}/rulings", body))
    partial, filled = answers["partial"], answers["filled"]
    assert filled["ruling"] == "legal"
    assert (partial["ruling"], partial["needs"]) == ("unproven", partial["needs"] or None)
    told = [(effect["rule"], effect["code"]) for effect in filled["effects"]]
    assert all((effect["rule"], effect["code"]) in told for effect in partial["effects"])


def test_a_cell_without_a_name_is_written_as_in_a_move(api: Api) -> None:
    """On a board without cell names, a needed cell is named by column and row."""
    tiles = [{"cell": [0, 0], "face": "plain"}, {"cell": [1, 0], "face": "?"}, {"cell": [-1, -1], "face": "?"}]
    body = {"position": {"tiles": tiles, "due": "red"}, "move": "(2,0) lake"}
    said = ask(api.post(f"{V1}/games/robber_knights/rulings", body))
    assert "(1,0)" in [need["text"] for need in said["needs"]]


def test_what_a_game_cannot_leave_open_is_said_in_its_words(api: Api) -> None:
    """The error about a pending payment beside an unknown cell uses the game's own words."""
    position = {
        "landscapes": [{"cell": [0, 0], "landscape": "forest"}, {"cell": [1, 1], "landscape": "?"}],
        "buildings": [{"cell": [0, 1], "sides": "FWME", "house": "light"}],
        "pending": [{"cell": [0, 1]}],
    }
    setup = {"layout": [{"cell": [0, 0], "tile": "forest"}, {"cell": [1, -1], "tile": "earth"}]}
    answer = api.post(f"{V1}/games/architekton/rulings", {"setup": setup, "position": position, "move": "pass"})
    assert answer.status_code == 422
    assert [error["pointer"] for error in ask(answer)["errors"]] == ["/position/pending/0/cell"]
    assert "Enter what lies at (0,1) and around it: a payment is pending" in answer.text


# --- everything unknown ----------------------------------------------------------------------------------------------

VILLA: dict[str, Any] = {
    "top": 3,
    "rest": "unknown",
    **dict.fromkeys(("due", "part", "asked", "holder", "previous"), "?"),
}
"""A villa of which only the height is known."""
COLOURS = ("red", "blue", "yellow", "green")
COUNTRY: dict[str, Any] = {"rest": "unknown", **dict.fromkeys(("first", "arc_gone", "excommunication", "sieges"), "?")}
"""A country of which nothing is known."""
TRIO = [
    {"colour": "red", "lord": "Arthur", "village": "Sigy"},
    {"colour": "blue", "lord": "Blanche", "village": "Blaye"},
    {"colour": "green", "lord": "Charles", "village": "Tournus"},
]
EVERYTHING = {
    "villa_paletti": (
        {"players": [{"colours": [colour]} for colour in COLOURS[:3]]},
        [(VILLA, move) for move in ("red small 0", "floor", "floor ! blue red small 0 fail none", "n small 0")],
    ),
    "fief": (
        {"players": TRIO},
        [
            (COUNTRY, "marry Arthur Blanche"),
            (COUNTRY | {"phase": "king", "held": "?"}, "king: Arthur; Arthur>Charles"),
            (COUNTRY | {"phase": "purchases", "turn": "?"}, "buy castle Sigy"),
            (COUNTRY | {"phase": "movements", "turn": "?", "moved": "?", "arrivals": "?"}, "move Arthur Sigy>St Paul"),
            (COUNTRY | {"phase": "combats", "turn": "?", "attacked": "?"}, "attack Sigy Red>Blue 1:1"),
        ],
    ),
}
"""Game -> a setup, and moves in positions with everything unknown that may be."""


@pytest.mark.parametrize("game", EVERYTHING)
def test_what_is_asked_of_a_table_that_nobody_has_looked_at_is_answered(game: str, api: Api) -> None:
    """Every ruling is `unproven`, names what is needed, and is never too much work."""
    setup, questions = EVERYTHING[game]
    for position, move in over(questions):
        body = {"setup": setup, "position": position, "move": move}
        answer = api.post(f"{V1}/games/{game}/rulings", body)
        assert answer.status_code == 200, (move, answer.text)
        said = ask(answer)
        assert said["ruling"] == "unproven", move
        assert said["needs"], move
