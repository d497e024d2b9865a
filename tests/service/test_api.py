"""The API as integrators see it: whole games, versions, waiting, languages, headers and permissions."""

from __future__ import annotations

import html
import itertools
import re
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

import rules
from rules.caches import thaw
from rules.effects import OF_EVERY_GAME
from service.app import create_app
from service.config import Settings
from service.http import responses
from service.http.current import REFEREE
from service.http.problems import PROBLEMS
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from tests.support.api import RULINGS, V1, Api, OpenTable, application
from tests.support.loops import over
from tests.support.records import RECORD_PATHS, record_of, said_of
from tests.support.redis_server import RedisServer

OPENING = ("r b1c1", "r b9c9", "h e4", "r d1e1", "h e6")


def read(response: TestResponse, status: int = 200) -> Any:
    """The body of an answer with an expected status."""
    assert response.status_code == status, response.get_data(as_text=True)
    return response.json


# --- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_game_through_the_api(path: Path, api: Api) -> None:
    """A recorded game, played move by move at a table, has the recorded score sheet, ranking and end."""
    game, said = record_of(path), said_of(path)["end"]
    opened = read(api.post(f"{V1}/tables", {"game": game["game"], "setup": game["setup"]}), 201)
    table, headers = f"{V1}/tables/{opened['id']}", {"key": opened["keys"]["host"]}
    for version, move in enumerate(game["moves"], start=1):
        body = {"move": move} if isinstance(move, str) else move
        read(api.post(f"{table}/moves", body, version=version, idempotency_key=f"{version}", **headers), 201)
    now = read(api.get(table, **headers))
    assert (now["ended"] or {}).get("rule") == said["ended"]
    assert {player["colour"]: player["total"] for player in now["score"]["players"]} == said["totals"]
    assert [
        [player["colour"], line["rule"], line["points"]]
        for player in now["score"]["players"]
        for line in player["lines"]
    ] == [line[:3] for line in said["lines"]]
    ranking = [[place["place"], place["colours"], place["decided_by"]] for place in now["score"]["ranking"]]
    assert ranking == [place[:3] for place in said["ranking"]]
    assert now["move_count"] == len(game["moves"])
    assert read(api.get(f"{table}/score", **headers)) == now["score"]
    start = {"setup": game["setup"], "moves": game["moves"]}
    assert read(api.post(f"{V1}/games/{game['game']}/scores", start)) == now["score"]
    placed = read(api.post(f"{V1}/games/{game['game']}/positions", start))
    assert placed["position"] == now["position"]
    again = read(api.post(f"{V1}/games/{game['game']}/scores", {"setup": game["setup"], "position": now["position"]}))
    assert again == now["score"]


def test_the_score_of_a_line_is_the_sum_of_its_evidence(api: Api) -> None:
    """The points of a line are the sum of its evidence's points."""
    for path in over(RECORD_PATHS):
        game = record_of(path)
        sheet = read(api.post(f"{V1}/games/{game['game']}/scores", {"setup": game["setup"], "moves": game["moves"]}))
        for player in sheet["players"]:
            assert player["total"] == sum(line["points"] for line in player["lines"])
            for line in player["lines"]:
                assert line["points"] == sum(shown["points"] for shown in line["evidence"])
        assert all(change["text"] for change in sheet["sensitivity"])


def test_what_can_be_told_ahead_is_on_the_sheet(api: Api) -> None:
    """During a game, the sheet says how near the end is and who leads, with rule and cells; after the end, nothing."""
    game = record_of("robber_knights/knights_decide")
    path, start = f"{V1}/games/{game['game']}/scores", {"setup": game["setup"], "moves": game["moves"]}
    assert read(api.post(path, start))["foretold"] == []
    told = read(api.post(path, {**start, "moves": game["moves"][:-1]}))["foretold"]
    assert told[0] == {
        "about": "end",
        "soon": True,
        "rule": "RK-30",
        "code": "next",
        "text": "The game ends with the next tile: Yann’s.",
        "facts": {"colour": "yellow"},
        "evidence": [],
    }
    assert {"standing", "short"} == {each["about"] for each in told[1:]}


def test_a_whole_game_in_one_request(api: Api) -> None:
    """A whole game opens a table in one request, with the moves that stood."""
    game = record_of("villefranche/stood_and_cut")
    opened = read(api.post(f"{V1}/tables", game), 201)
    assert opened["move_count"] == len(game["moves"])
    log = read(api.get(f"{V1}/tables/{opened['id']}/log?limit=500", key=opened["keys"]["host"]))
    assert any(entry["stands"] for entry in log["entries"][1:])


def worked_cases(api: Api, game: str, most: int = 50, which: str = "") -> list[Any]:
    """All worked cases of a game, read page by page."""
    found: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = read(api.get(f"{V1}/games/{game}/cases?after={after}&limit={most}{which}"))
        assert len(page["cases"]) == most or page["next"] is None
        found, after = found + page["cases"], page["next"]
    return found


CASES: dict[str, list[Any]] = {}


def all_cases(api: Api, game: str) -> list[Any]:
    """All worked cases of a game, read once for all tests. About half of the calls find them in the cache."""
    return CASES.get(game) or CASES.setdefault(game, worked_cases(api, game))


def test_worked_cases_come_page_by_page(api: Api) -> None:
    """Pages of any size add up to all cases, once each and in order; after the last case there is an empty page."""
    once = worked_cases(api, "architekton")
    assert worked_cases(api, "architekton", 7) == once
    assert len({case["id"] for case in once}) == len(once) > 50
    assert read(api.get(f"{V1}/games/architekton/cases?after={len(once)}")) == {"cases": [], "next": None}
    refused = read(api.get(f"{V1}/games/architekton/cases?limit=51"), 422)
    assert refused["errors"][0]["pointer"] == "/limit"


@pytest.mark.parametrize("game", rules.GAMES)
def test_a_game_tells_all_about_itself(game: str, api: Api) -> None:
    """A game's description has its readings, move kinds, rules with printed places and worked cases, with filters."""
    page = read(api.get(f"{V1}/games/{game}"))
    assert {kind["kind"] for kind in page["kinds"]} == set(rules.GAMES[game].kinds)
    assert all(reading["why"] and len(reading["values"]) > 1 for reading in page["readings"])
    listed = read(api.get(f"{V1}/games/{game}/rules"))
    book = listed["rules"]
    by_chapter = [(chapter["chapter"], name) for chapter in listed["chapters"] for name in chapter["rules"]]
    assert sorted(by_chapter) == sorted((rule["chapter"]["chapter"], rule["id"]) for rule in book)
    assert {reading["key"]: reading for rule in book for reading in rule["readings"]} == {
        reading["key"]: reading for reading in page["readings"]
    }
    assert all(rule["title"] and rule["text"] and rule["printed"] for rule in book)
    french = read(api.get(f"{V1}/games/{game}/rules", headers={"Accept-Language": "fr"}))["rules"]
    assert all(rule["printed"] != other["printed"] for rule, other in zip(book, french, strict=True))
    assert sum(page["rules"].values()) == len(book)
    assert read(api.get(f"{V1}/games/{game}/rules/{book[0]['id']}")) == book[0]
    cases = all_cases(api, game)
    assert read(api.get(f"{V1}/games/{game}/cases/{cases[-1]['number']}")) == cases[-1]
    rule, key = book[-1]["id"], page["readings"][-1]["key"]
    assert worked_cases(api, game, 50, f"&rule={rule}") == [case for case in cases if case["rule"] == rule] != []
    assert worked_cases(api, game, 50, f"&reading={key}") == [case for case in cases if key in case["readings"]] != []
    assert worked_cases(api, game, 50, "&rule=x") == []
    assert {case["rule"] for case in cases} <= {rule["id"] for rule in book}
    assert {case for rule in book for case in rule["cases"]} == {case["id"] for case in cases}


def test_default_data_can_be_read_and_replaced(api: Api) -> None:
    """A game's replaceable data are on its page, can be sent back, and count when changed."""
    assert [game for game in rules.GAMES if read(api.get(f"{V1}/games/{game}"))["default_data"]] == [
        name for name, game in rules.GAMES.items() if game.data is not None
    ]
    data = read(api.get(f"{V1}/games/fief"))["default_data"]
    assert {village["fief"] for village in data["map"]["villages"]} == {f"F{n}" for n in range(1, 9)}
    assert "Guenièvre" in data["lords"]["women"]
    assert data["prices"]["castle"] == 4
    game = record_of("fief/three_alone")
    castle = game["moves"].index(next(move for move in game["moves"] if str(move).startswith("buy castle")))
    asked = {"moves": game["moves"][:castle], "move": game["moves"][castle]}
    for price, ruling in ((4, "legal"), (40, "illegal")):
        setup = game["setup"] | {"data": data | {"prices": data["prices"] | {"castle": price}}}
        assert read(api.post(f"{V1}/games/fief/rulings", asked | {"setup": setup}))["ruling"] == ruling


@pytest.mark.parametrize("game", rules.GAMES)
def test_the_cases_are_rulings_of_the_api(game: str, api: Api) -> None:
    """The API rules on each worked case's position and move as the case says."""
    ruled = [each for each in all_cases(api, game) if each["notation"] is not None and "ruling" in each]
    shown: Counter[str] = Counter()
    for case in over(ruled):
        entered = {"setup": case["setup"], "position": case["position"]}
        answer = api.post(f"{V1}/games/{game}/rulings", {**entered, "move": case["move"]})
        if answer.status_code == 422:
            assert read(api.post(f"{V1}/games/{game}/positions", entered))["problems"], case["id"]
            continue
        ruling = read(answer)
        broken = {finding["rule"] for finding in ruling["findings"] if finding["ruling"] == "illegal"}
        assert (ruling["ruling"], broken) == (case["ruling"], set(case.get("broken", ()))), case["id"]
        told = [
            one["rule"] + f".{one['code']}".rstrip(".") for one in ruling["effects"] if one["code"] not in OF_EVERY_GAME
        ]
        if "effects" in case or ruling["ruling"] == "illegal":
            shown[ruling["ruling"]] += 1
            expected = case.get("effects", []) if ruling["ruling"] != "illegal" else []
            assert list(dict.fromkeys(told)) == list(dict.fromkeys(expected)), case["id"]
    assert shown["legal"] and shown["illegal"]


# --- rulings -----------------------------------------------------------------------------------------------------


def test_a_ruling_tells_what_would_change_it(api: Api) -> None:
    """A ruling lists the other values of readings only if they would change it, and the nearest legal moves."""
    ruling = read(api.post(RULINGS, {"moves": ["r b1c1", "r b9c9"], "move": "h b5"}))
    assert ruling["ruling"] == "illegal"
    assert ruling["by"] == "white"
    assert ruling["readings"] == []
    assert ruling["nearest"]
    assert ruling["can_stand"]
    for near in ruling["nearest"]:
        assert read(api.post(RULINGS, {"moves": ["r b1c1", "r b9c9"], "move": near}))["ruling"] == "legal"


CORNER_TOWER = ["r b1c1", "r b9c9", "t a9", "r a2a3", "t a9", "r h9g9"]
"""Four ramparts, and a corner tower that White and Black have begun."""


def test_a_ruling_tells_what_the_move_brings_about(api: Api) -> None:
    """A ruling lists the effects of the move in the reader's language, the most important first, with cells, and the
    next turn. White's second storey owns the tower: one point, or two under the other reading. An illegal move has no
    effects.
    """
    ruling = read(api.post(RULINGS, {"moves": CORNER_TOWER, "move": "t a9"}, headers={"Accept-Language": "fr"}))
    owned, left, points = ruling["effects"]
    assert (owned["rule"], owned["code"], owned["facts"]["colour"]) == ("VF-12", "owned", "white")
    assert owned["text"].startswith("La tour d’angle en a9 est attribuée à Blanc, vaut 1 point")
    assert owned["evidence"] == [{"cell": "a9", "black": 1, "white": 2}]
    assert left["text"] == "Il reste 8 cylindres à Blanc."
    assert (points["code"], points["facts"]) == ("points", {"seats": ["white"], "was": [0], "now": [1]})
    assert ruling["due"]["colour"] == "black"
    (other,) = ruling["readings"]
    assert (other["key"], other["value"], other["ruling"]) == ("corner_tower_points", "2", "legal")
    assert "vaut 2 points" in other["text"]
    refused = read(api.post(RULINGS, {"move": "h e5"}))
    assert (refused["effects"], refused["due"]) == ([], None)


def test_the_log_tells_what_each_move_brought_about(api: Api) -> None:
    """The response to a move, the log and the table list the same effects as the ruling, also for a move that stood."""
    table = api.open(moves=CORNER_TOWER)
    told = read(api.post(RULINGS, {"moves": CORNER_TOWER, "move": "t a9"}))["effects"]
    played = read(api.play(table, "t a9", version=7), 201)
    assert played["entries"][0]["effects"] == told
    assert api.log(table)["entries"][-1]["effects"] == told
    assert read(api.get(table.path, key=table.host))["moves"][-1]["effects"] == told
    body = {"move": "t i1", "stands": True}
    stood = read(api.post(f"{table.path}/moves", body, version=8, key=table.host), 201)
    assert stood["entries"][0]["ruling"] == "illegal"
    assert [one["code"] for one in stood["entries"][0]["effects"]] == ["storeys", "cylinder"]


def test_a_ruling_explains_itself_where_asked(api: Api) -> None:
    """With `explain`, a ruling lists every rule that had no objection, with its counts; without it, none."""
    asked = {"moves": ["r b1c1", "r b9c9"], "move": "h b8"}
    assert "heard" not in read(api.post(RULINGS, asked))
    ruling = read(api.post(RULINGS, asked | {"explain": True}))
    heard = {one["rule"]: one for one in ruling["heard"]}
    assert not heard.keys() & {finding["rule"] for finding in ruling["findings"] if finding["ruling"] != "legal"}
    assert heard["VF-20"]["title"] and heard["VF-20"]["counted"] is None
    assert heard["VF-22"]["counted"]["facts"]["own"] >= heard["VF-22"]["counted"]["facts"]["opponent"]
    bad = api.post(RULINGS, asked | {"explain": "yes"})
    assert (bad.status_code, bad.json["errors"][0]["pointer"]) == (422, "/explain")  # type: ignore[index]


def test_a_move_is_the_same_as_object_and_as_notation(api: Api) -> None:
    """A move has the same ruling as an object and as notation, with its two cells in any order."""
    answers = [
        read(api.post(RULINGS, {"move": move}))
        for move in ("r b1c1", "r c1b1", {"kind": "rampart", "cells": ["c1", "b1"]})
    ]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["move"] == {"kind": "rampart", "cells": ["b1", "c1"]}
    assert answers[0]["notation"] == "r b1c1"


def test_legal_moves_by_kind_and_cell(api: Api) -> None:
    """Filters by kind and cell narrow the list of legal moves, as they do at a table."""
    table = api.open(OPENING[:2])
    asked = {"moves": list(OPENING[:2])}
    everything = read(api.post(f"{V1}/games/villefranche/legal-moves", asked))
    assert everything["count"] == len(everything["moves"])
    assert everything["due"]["colour"] == "white"
    houses = read(api.post(f"{V1}/games/villefranche/legal-moves", asked | {"kind": "house"}))
    assert 0 < houses["count"] < everything["count"]
    one = read(api.post(f"{V1}/games/villefranche/legal-moves", asked | {"kind": "house", "at": "e4"}))
    assert one["moves"] == ["h e4"]
    assert read(api.get(f"{table.path}/legal-moves?kind=house&at=e4", key=table.watch)) == one
    assert read(api.get(f"{table.path}/legal-moves", key=table.watch)) == everything


def test_a_card_of_any_time_is_played_out_of_turn(api: Api) -> None:
    """In Fief a lord may murder at any time: a seat's key can play and undo it in another player's turn."""
    game = record_of("fief/three_alone")
    before = game["moves"].index("next", 8)
    opened = read(
        api.post(f"{V1}/tables", {k: game[k] for k in ("game", "setup")} | {"moves": game["moves"][:before]}), 201
    )
    path, version, turn = f"{V1}/tables/{opened['id']}", opened["version"], opened["due"]["colour"]
    lords = opened["position"]["lords"]
    colour, murderer = next((lord["player"], lord["name"]) for lord in lords if lord["player"] != turn)
    murder = {"move": f"assassin {next(lord['name'] for lord in lords if lord['name'] != murderer)} by {murderer}"}
    other = opened["keys"]["seats"][colour]
    assert read(api.post(f"{path}/moves", {"move": "next"}, key=other, version=version), 403)["type"].endswith(
        "other-seat"
    )
    assert read(api.post(f"{path}/moves", murder | {"stands": True}, key=other, version=version), 403)
    for seat in opened["keys"]["seats"].keys() - {colour}:
        assert read(api.post(f"{path}/moves", murder, key=opened["keys"]["seats"][seat], version=version), 403)
    played = read(api.post(f"{path}/moves", murder, key=other, version=version), 201)
    assert played["entries"][0]["by"] == colour
    in_turn = opened["keys"]["seats"][turn]
    assert read(api.post(f"{path}/rewind", {"to": version}, key=in_turn, version=version + 1), 403)
    assert read(api.post(f"{path}/rewind", {"to": version}, key=other, version=version + 1), 201)


@pytest.mark.parametrize(("gifts", "status"), [("phase", 201), ("own_part", 422)])
def test_the_kings_player_gives_in_anothers_part(api: Api, gifts: str, status: int) -> None:
    """The king's seat can give a fief in Blue's turn, and no other seat can; under the other reading the gift is
    illegal.
    """
    book = thaw(rules.load("fief", "cases"))
    setup = {**book["setup"], "readings": {"gifts": gifts}}
    opened = read(api.post(f"{V1}/tables", {"game": "fief", "setup": setup}), 201)
    path, keys = f"{V1}/tables/{opened['id']}", opened["keys"]
    crown = {**book["positions"]["crown"]["position"], "turn": "blue", "armies": [], "estates": [], "sieges": []}
    on = read(api.send("PUT", f"{path}/position", {"position": crown}, key=keys["host"], version=opened["version"]))
    gift, seats = {"move": "give F7 Charles"}, keys["seats"]
    for seat in ("blue", "green"):
        assert read(api.post(f"{path}/moves", gift, key=seats[seat], version=on["version"]), 403)
    played = read(api.post(f"{path}/moves", gift, key=seats["red"], version=on["version"]), status)
    if status == 201:
        assert (played["entries"][0]["by"], played["due"]["colour"]) == ("red", "blue")


def test_a_village_is_given_away_by_its_player_alone(api: Api) -> None:
    """In any turn, only the village's seat and the host can exchange a village."""
    game = record_of("fief/three_alone")
    asked = {name: game[name] for name in ("game", "setup")}
    opened = read(api.post(f"{V1}/tables", asked | {"moves": ["next"] * 4}), 201)
    path, version, keys = f"{V1}/tables/{opened['id']}/moves", opened["version"], opened["keys"]["seats"]
    assert opened["due"]["colour"] == "black"
    for seat in ("black", "white"):
        for stands in (False, True):
            given = {"move": "cede St Paul Black", "stands": stands}
            refused = read(api.post(path, given, key=keys[seat], version=version), 403)
            assert refused["type"].endswith("other-seat")
            assert refused["detail"] == "It is Bruno's move; this key is for another seat."
    theirs = read(api.post(path, {"move": "cede St Paul Black"}, key=keys["green"], version=version), 201)
    assert theirs["entries"][0]["by"] == "green"
    refused = read(api.post(path, {"move": "cede St Paul White"}, key=keys["green"], version=version + 1), 403)
    assert refused["detail"] == "It is Ada's move; this key is for another seat."
    assert read(api.post(path, {"move": "cede La Salle Green"}, key=opened["keys"]["host"], version=version + 1), 201)
    refused = read(api.post(path, {"move": "cede Beaujeu White"}, key=keys["green"], version=version + 2), 422)
    assert [finding["rule"] for finding in refused["ruling"]["findings"]] == ["FI-57"]


def test_what_the_host_enters_for_another_seat_is_that_seats(api: Api) -> None:
    """In Black's part, Green's exchange and Green's murder count as Green's moves, a purchase as Black's. Justice may
    be anybody's, so it counts as nobody's.
    """
    game = record_of("fief/three_alone")
    asked = {name: game[name] for name in ("game", "setup")}
    opened = read(api.post(f"{V1}/tables", asked | {"moves": ["next"] * 4}), 201)
    path, host, version = f"{V1}/tables/{opened['id']}", opened["keys"]["host"], opened["version"]
    lords = {lord["player"]: lord["name"] for lord in opened["position"]["lords"]}
    moves = {
        "cede St Paul Black": "green",
        f"assassin {lords['white']} by {lords['green']}": "green",
        f"justice {lords['green']}": None,
        "buy card": "black",
    }
    for number, (move, by) in enumerate(moves.items()):
        played = read(api.post(f"{path}/moves", {"move": move}, key=host, version=version + number), 201)
        [entry] = played["entries"]
        assert (entry["by"], entry["recorded_by"]) == (by, "host"), move
    ruling = {"setup": game["setup"], "moves": ["next"] * 4, "move": "cede St Paul Black"}
    ruled = read(api.post(f"{V1}/games/fief/rulings", ruling))
    assert ruled["by"] == "green"


def test_nobodys_turn_is_not_the_end(api: Api) -> None:
    """In Fief's first phases, every seat can play; the error for a move to let stand says that it is nobody's turn."""
    game = record_of("fief/three_alone")
    opened = read(api.post(f"{V1}/tables", {name: game[name] for name in ("game", "setup")}), 201)
    path, key = f"{V1}/tables/{opened['id']}/moves", next(iter(opened["keys"]["seats"].values()))
    refused = read(api.post(path, {"move": "buy card", "stands": True}, key=key, version=1), 403)
    assert refused["detail"] == "It is nobody's turn: only the host can let a move stand."
    assert read(api.post(path, {"move": "next"}, key=key, version=1), 201)


def test_a_table_that_nobody_saw_begin(api: Api) -> None:
    """With a position, a setup need not say how the game began; without one it must."""
    tiles = [{"cell": [n, 0], "face": face} for n, face in enumerate(("plain", "forest village", "plain town"))]
    asked = {"position": {"tiles": tiles, "due": "yellow"}, "move": "(-1,0) plain castle >e 1 1 2 1"}
    for setup in ({}, {"setup": {"players": [{"colour": "red"}, {"colour": "yellow"}]}}):
        assert read(api.post(f"{V1}/games/robber_knights/rulings", asked | setup))["ruling"] == "legal"
    twice = {"setup": {"players": [{"colour": "yellow"}, {"colour": "yellow"}]}}
    refused = read(api.post(f"{V1}/games/robber_knights/rulings", asked | twice), 422)
    assert [error["pointer"] for error in refused["errors"]] == ["/setup/players/1/colour"]
    refused = read(api.post(f"{V1}/games/robber_knights/rulings", {"move": asked["move"]}), 422)
    assert [error["pointer"] for error in refused["errors"]] == ["/setup/layout"]


def test_a_position_as_a_picture(api: Api) -> None:
    """A client that accepts SVG gets the board as the pages draw it."""
    wanted = {"Accept": "image/svg+xml"}
    response = api.post(f"{V1}/games/villefranche/positions", {"moves": ["r b1c1"]}, headers=wanted)
    assert response.content_type == "image/svg+xml"
    assert response.get_data(as_text=True).lstrip().startswith("<svg")
    assert "Accept" in response.headers["Vary"]


def test_a_position_without_a_picture(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no board can be drawn, a client that accepts only SVG gets 406; one that also takes JSON gets JSON."""
    monkeypatch.setattr("web.board_image.all_pages", dict)
    path, played = f"{V1}/games/villefranche/positions", {"moves": ["r b1c1"]}
    refused = api.post(path, played, headers={"Accept": "image/svg+xml"})
    assert read(refused, 406)["type"] == "/problems/not-acceptable"
    for accept in ("image/svg+xml, application/json;q=0.1", "*/*", ""):
        assert read(api.post(path, played, headers={"Accept": accept}))["problems"] == []


# --- versions ----------------------------------------------------------------------------------------------------


def test_the_version_is_the_entity_tag(api: Api) -> None:
    """`ETag` is the version, and `If-None-Match` in any form of it gets 304."""
    table = api.open(OPENING)
    response = api.get(table.path, key=table.watch)
    assert response.headers["ETag"] == '"6"'
    for tag in ('"6"', 'W/"6"', '"5", "6"', "6"):
        same = api.get(table.path, key=table.watch, headers={"If-None-Match": tag})
        assert (same.status_code, same.get_data()) == (304, b"")
    for tag in ('"5"', '"66"', "*?", "sixth"):
        assert api.get(table.path, key=table.watch, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("tag", ['"1"', 'W/"1"', ' "1" '])
def test_a_change_names_its_version_however_the_tag_is_written(tag: str, api: Api) -> None:
    """`If-Match` takes the version as a strong or weak tag, for a compressing proxy makes it weak."""
    response = api.play(api.open(), "r b1c1", version=tag)
    assert response.status_code == 201
    assert response.headers["ETag"] == '"2"'


@pytest.mark.parametrize("language", ["en", "fr"])
def test_all_problems_are_listed_for_programs(language: str, api: Api) -> None:
    """`/problems` lists all problems as JSON for programs, and as a page for browsers."""
    headers = {"Accept-Language": language}
    found = api.get("/problems", headers={**headers, "Accept": "application/json"})
    listed = {each["type"]: each for each in read(found)["problems"]}
    assert listed.keys() == {f"/problems/{kind}" for kind in PROBLEMS}
    stale = listed["/problems/stale"]
    assert stale["status"] == 412
    assert read(api.play(api.open(), "r b1c1", version=7, headers=headers), 412)["title"] == stale["title"]
    assert stale["about"] in html.unescape(api.get("/problems/stale", headers=headers).text)
    assert read(api.get("/problems/stale", headers={**headers, "Accept": "application/json"})) == stale
    for path, accept in itertools.product(("", "/stale"), ("text/html,application/xhtml+xml,*/*;q=0.8", "*/*")):
        assert api.get(f"/problems{path}", headers={**headers, "Accept": accept}).mimetype == "text/html"


@pytest.mark.parametrize("log", [False, True])
def test_waiting_for_news(log: bool, own_redis: Callable[..., RedisServer]) -> None:
    """A waiting request for table or log gets its response once another client plays; one that is behind, at once.

    To wait, a request must name a version: otherwise the error says how.
    """
    app = application(own_redis().url)
    api = Api(app)
    table = api.open()

    def wait(seconds: int, version: int) -> TestResponse:
        path, after, tag = (
            (f"{table.path}/log", f"&after={version}", {})
            if log
            else (table.path, "", {"If-None-Match": f'"{version}"'})
        )
        return Api(app).get(f"{path}?wait={seconds}{after}", key=table.watch, headers=tag)

    answers: list[TestResponse] = []
    waiting = threading.Thread(target=lambda: answers.append(wait(20, 1)))
    waiting.start()
    api.play(table, "r b1c1", version=1)
    waiting.join()
    assert [read(each)["version"] for each in (answers[0], wait(20, 1))] == [2, 2]
    held = wait(1, 2)
    assert (held.status_code, held.json and (held.json["entries"], held.json["next"])) == (
        (200, ([], None)) if log else (304, None)
    )
    path = f"{table.path}/log" if log else table.path
    problem = read(api.get(f"{path}?wait=20", key=table.watch), 422)
    assert [(each["pointer"], "after" in each["detail"]) for each in problem["errors"]] == [("/wait", log)]
    assert api.get(f"{path}?wait=0", key=table.watch).status_code == 200


def test_two_clients_race_and_one_wins(own_redis: Callable[..., RedisServer]) -> None:
    """Of two moves on one version one is written; the other client gets 412 with that move."""
    app = application(own_redis().url)
    for _ in range(10):
        table = Api(app).open()
        start = threading.Barrier(2)
        answers: dict[str, TestResponse] = {}

        def race(move: str, table: OpenTable, start: threading.Barrier, answers: dict[str, TestResponse]) -> None:
            start.wait()
            answers[move] = Api(app).play(table, move, version=1, idempotency_key=move[2:])

        racers = [threading.Thread(target=race, args=(move, table, start, answers)) for move in ("r b1c1", "r b9c9")]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
        assert sorted(answer.status_code for answer in answers.values()) == [201, 412]
        won, lost = sorted(answers.values(), key=lambda answer: answer.status_code)
        assert read(lost, 412)["missing"] == read(won, 201)["entries"]
        assert len(Api(app).log(table)["entries"]) == 2


Act = tuple[str, str, str, Any]
SETTLE: Act = "POST", "disputes/1/settlement", "host", {"remedy": "go_back"}
KEEP: Act = "POST", "disputes/1/settlement", "host", {"remedy": "stands"}
CONFIRM: Act = "POST", "disputes/1/confirmation", "white", {"remedy": "go_back"}
AMEND: Act = "POST", "amend", "host", {"replace": {"entry": 2, "move": "r d1e1"}}
PLAY: Act = "POST", "moves", "white", {"move": "r b9c9"}
ENTER: Act = "PUT", "position", "host", {"position": {"cells": {}, "due": "white"}}
DISPUTE: Act = "POST", "disputes", "black", {"about": {"move": "h e5"}, "question": "May White?"}
READ: Act = "PUT", "readings", "host", {"readings": {"stuck": "turn_is_cut"}}
UNDO: Act = "POST", "rewind", "host", {"to": 1}
RACES = [
    # the late request, the first one, and the status of the late one when repeated on the new version
    ("settle, confirm", SETTLE, CONFIRM, 409),
    ("confirm, settle", CONFIRM, SETTLE, 409),
    ("settle, settle", SETTLE, KEEP, 409),
    ("amend, play", AMEND, PLAY, 201),
    ("play, amend", PLAY, AMEND, 201),
    ("amend, settle", AMEND, SETTLE, 422),
    ("enter, dispute", ENTER, DISPUTE, 200),
    ("dispute, enter", DISPUTE, ENTER, 201),
    ("dispute, dispute", DISPUTE, DISPUTE, 409),
    ("read, undo", READ, UNDO, 200),
    ("undo, read", UNDO, READ, 201),
]


@pytest.mark.parametrize(("late", "first", "again"), [race[1:] for race in RACES], ids=[race[0] for race in RACES])
def test_of_two_phones_at_once_one_is_first(
    late: Act, first: Act, again: int, api: Api, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another worker writes first, the late request gets 412 with the missing entries and writes nothing. Its key is
    not used up, and nothing is written twice. The control: alone, it succeeds.
    """
    other = Api(application(redis_url))
    ledger = api.app.extensions[REFEREE]._store._ledger
    append = ledger.append
    answers: list[TestResponse] = []

    def ask(by: Api, act: Act, version: int, name: str | None = None) -> TestResponse:
        method, path, who, body = act
        key = {"host": table.host, **table.seats}[who]
        return by.send(method, f"{table.path}/{path}", body, key=key, version=version, idempotency_key=name)

    def overtaken(*arguments: Any, **options: Any) -> Any:
        monkeypatch.setattr(ledger, "append", append)
        answers.append(ask(other, first, 4))
        return append(*arguments, **options)

    for lone in (True, False):
        table = api.open(["r b1c1"])
        assert (
            api.post(f"{table.path}/disputes", OPERATIONS["raiseDispute"], key=table.host, version=2).status_code == 201
        )
        agreed = api.post(f"{table.path}/disputes/1/confirmation", CONFIRM[-1], key=table.seats["black"], version=3)
        assert read(agreed, 201)["version"] == 4
        if lone:
            assert ask(api, late, 4).status_code in (200, 201)
    monkeypatch.setattr(ledger, "append", overtaken)
    refused = read(ask(api, late, 4, "tap"), 412)
    (won,) = answers
    now = read(won, won.status_code)["version"]
    log = api.log(table)
    assert (log["version"], refused["missing"]) == (now, log["entries"][4:])
    assert ask(api, late, now, "tap").status_code == again
    after = api.log(table)["entries"]
    assert after[:now] == log["entries"]
    assert (len(after) > now) == (again < 300)
    assert sum(entry["type"] == "settled" for entry in after) <= 1


def test_the_same_key_again_is_the_same_answer(api: Api) -> None:
    """A request repeated with its key gets the same bytes, marked as a replay; the log has the move once."""
    table = api.open()
    first = api.play(table, "r b1c1", version=1, idempotency_key="a")
    api.play(table, "r b9c9", version=2)
    again = api.play(table, "r b1c1", version=1, idempotency_key="a")
    assert again.get_data() == first.get_data()
    assert (first.headers.get("Idempotent-Replayed"), again.headers["Idempotent-Replayed"]) == (None, "true")
    assert len(api.log(table)["entries"]) == 3


def test_several_moves_are_kept_up_to_the_first_refused(api: Api) -> None:
    """Of several moves, those before the first illegal one are written, and the response says why it was refused."""
    table = api.open()
    done = read(api.play(table, "r b1c1", "r b9c9", "h b5", "h e4", version=1), 201)
    assert [entry["notation"] for entry in done["entries"]] == ["r b1c1", "r b9c9"]
    assert done["refused"]["index"] == 2
    assert done["refused"]["ruling"]["notation"] == "h b5"
    assert done["version"] == 3


def test_a_move_that_stands_is_marked_for_good(api: Api) -> None:
    """The log marks a move that stood, with its ruling."""
    table = api.open()
    read(api.post(f"{table.path}/moves", {"move": "h e4", "stands": True}, key=table.host, version=1), 201)
    entry = api.log(table)["entries"][1]
    assert (entry["stands"], entry["ruling"], entry["findings"][0]["rule"]) == (True, "illegal", "VF-1")


def test_undo_and_redo(api: Api) -> None:
    """A table says where undo and redo lead; each writes an entry, and both restore the position."""
    table = api.open(OPENING)
    before = read(api.get(table.path, key=table.host))
    assert (before["undo_to"], before["redo_to"]) == (5, None)
    read(api.post(f"{table.path}/rewind", {"to": 5}, key=table.host, version=6), 201)
    undone = read(api.get(table.path, key=table.host))
    assert (undone["version"], undone["undo_to"], undone["redo_to"], undone["move_count"]) == (7, 4, 6, 4)
    read(api.post(f"{table.path}/rewind", {"to": 6}, key=table.host, version=7), 201)
    redone = read(api.get(table.path, key=table.host))
    for part in ("position", "due", "moves", "score", "undo_to"):
        assert redone[part] == before[part]
    assert [entry["type"] for entry in api.log(table)["entries"]] == ["opened", *["played"] * 5, *["rewound"] * 2]


def test_the_log_comes_in_pages(api: Api) -> None:
    """The API returns a log in pages, and `next` leads from each page to the next one."""
    table = api.open(OPENING)
    found, after = [], 0
    while after is not None:
        page = read(api.get(f"{table.path}/log?after={after}&limit=2", key=table.watch))
        found += [entry["version"] for entry in page["entries"]]
        after = page["next"]
    assert found == [1, 2, 3, 4, 5, 6]
    [error] = read(api.get(f"{table.path}/log?after=-1", key=table.watch), 422)["errors"]
    assert error["detail"] == "Give a number from 0 to 2147483647."


# --- languages ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accepted", "spoken"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("fr-CH, en;q=0.8", "fr"),
        ("fr;q=0, de", "en"),
        ("en-GB", "en"),
        ("de", "en"),
        ("de, fr;q=0.5", "fr"),
        ("fr;q=0", "en"),
        ("*", "en"),
        ("x" * 10_000, "en"),
        ("fr" + ",x" * 5_000, "en"),
        (";;;q=x,,,", "en"),
        ("../../etc/passwd", "en"),
        ("tlh", "en"),
    ],
)
def test_the_language_is_the_readers(accepted: str, spoken: str, api: Api) -> None:
    """Words follow `Accept-Language`; unknown or malformed languages get English."""
    response = api.post(RULINGS, {"move": "h e4"}, headers={"Accept-Language": accepted})
    assert response.headers["Content-Language"] == spoken
    assert "Accept-Language" in response.headers["Vary"]
    text = read(response)["findings"][0]["text"]
    assert text.startswith("The first turn") == (spoken == "en")


def test_codes_never_change_with_the_language(api: Api) -> None:
    """Between languages, only sentences, titles and labels differ."""
    table = api.open(OPENING)

    def without_words(value: Any) -> Any:
        if isinstance(value, dict):
            words = {"text", "title", "label", "detail", "why", "name", "tagline", "components", "coordinates"}
            return {key: without_words(member) for key, member in value.items() if key not in {*words, "notation"}}
        return [without_words(item) for item in value] if isinstance(value, list) else value

    for path in (table.path, f"{table.path}/log", f"{V1}/games/villefranche", f"{V1}/games/villefranche/cases"):
        english, french = (
            read(api.get(path, key=table.host, headers={"Accept-Language": language})) for language in ("en", "fr")
        )
        assert english != french
        assert without_words(english) == without_words(french)


# --- safety ------------------------------------------------------------------------------------------------------


def test_every_answer_guards_the_browser(api: Api, redis_url: str) -> None:
    """Every response has the same strict headers: pages, errors and unknown addresses, too."""

    class BrokenView(Referee):
        def log(self, *_: Any, **__: Any) -> Any:
            raise ZeroDivisionError

    table = api.open()
    broken: Flask = create_app(Settings.of({"REDIS_URL": redis_url}), BrokenView(Ledger(redis_url)))
    answers = [
        api.get(f"{V1}/games"),
        api.get(table.path, key=table.host, headers={"If-None-Match": '"1"'}),
        api.get(table.path),
        api.http.get("/nowhere"),
        api.http.get("/nowhere", headers={"Accept": "text/html"}),
        api.http.get("/livez"),
        api.http.get("/problems/stale"),
        api.http.get(f"{V1}/docs"),
        api.http.get(f"{V1}/static/docs.css"),
        api.http.get("/", headers={"Host": "evil.example"}),
        api.http.get("/"),
        api.post(RULINGS, raw=b"{"),
        Api(broken).get(f"{table.path}/log", key=table.host),
    ]
    assert {answer.status_code for answer in answers} >= {200, 304, 400, 401, 404, 500}
    for answer in answers:
        for name, value in responses.SECURITY_HEADERS:
            assert answer.headers.getlist(name) == [value], (answer.request.path, name)
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert "Strict-Transport-Security" not in answer.headers
        answer.close()
    assert "unsafe" not in responses.CONTENT_SECURITY_POLICY


def test_https_stays_https(redis_url: str) -> None:
    """Behind a trusted proxy with https, responses have HSTS. Without one, `X-Forwarded-Proto` has no effect."""
    trusting = create_app(Settings.of({"REDIS_URL": redis_url, "BASTIDE_PROXIES": "1"}))
    headers = {"X-Forwarded-Proto": "https"}
    assert trusting.test_client().get("/livez", headers=headers).headers["Strict-Transport-Security"]
    assert (
        "Strict-Transport-Security" not in application(redis_url).test_client().get("/livez", headers=headers).headers
    )


def test_keys_are_told_once_and_kept_nowhere(api: Api, ledger: Ledger) -> None:
    """Only the response that opens a table contains its keys, and no cache may store it. The stored log contains no
    key.
    """
    response = api.post(f"{V1}/tables", {"game": "villefranche"})
    made = read(response, 201)
    assert response.headers["Cache-Control"] == "no-store"
    keys = [made["keys"]["host"], made["keys"]["watch"], *made["keys"]["seats"].values()]
    assert all(re.fullmatch("[A-Za-z0-9_-]{22}", key) for key in keys)
    assert made["links"]["watch"] == f"http://localhost/t/{made['id']}#{made['keys']['watch']}"
    stored = b"".join(payload for _, payload in ledger.read(made["id"]))
    shown = api.get(f"{V1}/tables/{made['id']}", key=keys[0]).get_data()
    shown += api.get(f"{V1}/tables/{made['id']}/log", key=keys[0]).get_data()
    for key in keys:
        assert key.encode() not in stored + shown
    assert b"hash" not in shown
    assert made["keys"].keys() == {"host", "seats", "watch"}


ROLES = ("anonymous", "other table", "watch", "black", "white", "host")
MATRIX: dict[str, tuple[int, int, int, int, int, int]] = {
    "readTable": (401, 404, 200, 200, 200, 200),
    "readLog": (401, 404, 200, 200, 200, 200),
    "renamePlayers": (401, 404, 403, 200, 403, 200),
    "readEvents": (401, 404, 200, 200, 200, 200),
    "exportTable": (401, 404, 403, 403, 403, 200),
    "readPosition": (401, 404, 200, 200, 200, 200),
    "readScore": (401, 404, 200, 200, 200, 200),
    "readLegalMoves": (401, 404, 200, 200, 200, 200),
    "play": (401, 404, 403, 403, 201, 201),
    "rewind": (401, 404, 403, 201, 403, 201),
    "amend": (401, 404, 403, 201, 201, 201),
    "roll": (401, 404, 403, 201, 201, 201),
    "readReadings": (401, 404, 200, 200, 200, 200),
    "setReadings": (401, 404, 403, 403, 403, 200),
    "enterPosition": (401, 404, 403, 403, 403, 200),
    "ruleAtTable": (401, 404, 200, 200, 200, 200),
    "raiseDispute": (401, 404, 403, 201, 201, 201),
    "listDisputes": (401, 404, 200, 200, 200, 200),
    "readDispute": (401, 404, 200, 200, 200, 200),
    "confirmRemedy": (401, 404, 403, 201, 201, 403),
    "settleDispute": (401, 404, 403, 403, 403, 201),
    "listKeys": (401, 404, 403, 403, 403, 200),
    "makeKey": (401, 404, 403, 403, 403, 201),
    "renewKey": (401, 404, 403, 403, 403, 201),
    "revokeKey": (401, 404, 403, 403, 403, 204),
    "makeJoinCode": (401, 404, 403, 403, 403, 201),
    "listViews": (401, 404, 403, 403, 403, 200),
    "makeView": (401, 404, 403, 403, 403, 201),
    "revokeView": (401, 404, 403, 403, 403, 204),
    "deleteTable": (401, 404, 403, 403, 403, 204),
}
OPERATIONS = {
    "play": {"move": "r b9c9"},
    "rewind": {"to": 1},
    "renamePlayers": {"names": {"black": "Ada"}},
    "amend": {"delete": {"entry": 2}},
    "roll": {"for": "dice", "dice": 2},
    "setReadings": {"readings": {"stuck": "turn_is_cut"}},
    "enterPosition": {"position": {"cells": {}, "due": "white"}},
    "ruleAtTable": {"move": "r b9c9"},
    "raiseDispute": {"about": {"entry": 2}, "question": "May Black?"},
    "confirmRemedy": {"remedy": "stands"},
    "settleDispute": {"remedy": "go_back"},
    "makeView": {"label": "Club"},
    "makeKey": {"role": "watch"},
    "renewKey": {},
    "makeJoinCode": {"role": "watch"},
}


WRITES = [
    operation
    for operation in OPERATIONS
    if operation not in ("ruleAtTable", "makeView", "makeKey", "renewKey", "makeJoinCode")
]
"""The operations that write an entry at a version."""


@pytest.mark.parametrize("operation", [o["operationId"] for _, p, o in Api.contract.operations() if "{id}" in p])
@pytest.mark.parametrize("role", ROLES)
def test_who_may_do_what(operation: str, role: str, api: Api) -> None:
    """Each operation on a table responds to each kind of key as the matrix says; a new operation needs its own row.

    White is due, and Black has moved.
    """
    table, other = api.open(["r b1c1"]), api.open()
    key = {
        "anonymous": None,
        "other table": other.host,
        "watch": table.watch,
        "host": table.host,
        **table.seats,
    }[role]
    method, path = next((m, p) for m, p, o in Api.contract.operations() if o["operationId"] == operation)
    version = 2
    if "{number}" in path:
        made = "makeView" if "/views/" in path else "raiseDispute"
        there = f"{table.path}/{'views' if made == 'makeView' else 'disputes'}"
        assert api.post(there, OPERATIONS[made], key=table.host, version=version).status_code == 201
        version = 3
    before = api.log(table)
    there = path.format(id=table.id, number=1, role="watch", key="2")
    response = api.send(method, there, OPERATIONS.get(operation), key=key, version=version)
    assert response.status_code == MATRIX[operation][ROLES.index(role)]
    if response.status_code >= 400:
        assert api.log(table) == before


def test_the_contract_names_the_keys_that_an_operation_takes() -> None:
    """`security` lists exactly the keys that an operation accepts; a dry run of a position also accepts a seat's."""
    operations = {o["operationId"]: o for _, _, o in Api.contract.operations()}
    for operation, statuses in over(MATRIX.items()):
        named = {scheme.removesuffix("Key") for each in operations[operation]["security"] for scheme in each}
        may = {role for role, status in zip(ROLES, statuses, strict=True) if status < 400}
        seat = {"seat"} if may & {"black", "white"} or operation == "enterPosition" else set()
        assert named == (may - {"black", "white"}) | seat, operation


def ready(operation: str, api: Api) -> tuple[OpenTable, int, Callable[..., TestResponse]]:
    """A table at which the operation is possible, its version, and a function that sends it."""
    method, path = next((m, p) for m, p, o in Api.contract.operations() if o["operationId"] == operation)
    table = api.open(["r b1c1"])
    if "{number}" in path:
        assert (
            api.post(f"{table.path}/disputes", OPERATIONS["raiseDispute"], key=table.host, version=2).status_code == 201
        )
    key = table.seats["black"] if operation == "confirmRemedy" else table.host

    def send(body: Any = None, **options: Any) -> TestResponse:
        there = path.format(id=table.id, number=1)
        return api.send(method, there, OPERATIONS[operation] if body is None else body, **({"key": key} | options))

    return table, 3 if "{number}" in path else 2, send


@pytest.mark.parametrize("operation", WRITES)
def test_every_change_is_made_on_its_own_version(operation: str, api: Api) -> None:
    """Without a valid current version a change writes nothing; on an old one, the error has the missing entries. The
    control: on the current version it is written.
    """
    table, version, send = ready(operation, api)
    before = api.log(table)
    for none in (None, "*", ""):
        assert read(send(version=none), 428)["type"] == "/problems/version-required"
    for tag in (version - 1, version + 1, 0, '"yesterday"', f'"{version}", "{version + 1}"', '"' + "9" * 400 + '"'):
        stale = read(send(version=tag), 412)
        assert (stale["type"], stale["version"]) == ("/problems/stale", version)
        if tag == version - 1:
            assert stale["missing"] == before["entries"][version - 1 :]
    assert api.log(table) == before
    made = send(version=version)
    assert made.status_code in (200, 201)
    assert api.log(table)["version"] == read(made, made.status_code)["version"] > version


OTHERWISE: dict[str, Any] = {
    "play": {"move": "r d9e9"},
    "rewind": {"to": 2},
    "renamePlayers": {"names": {"black": "Bea"}},
    "amend": {"delete": {"entry": 2}, "misfits": "stop"},
    "roll": {"for": "dice", "dice": 3},
    "setReadings": {"readings": {"stuck": "ends"}},
    "enterPosition": {"position": {"cells": {}, "due": "black"}},
    "raiseDispute": {"about": {"entry": 2}, "question": "May White?"},
    "confirmRemedy": {"remedy": "go_back"},
    "settleDispute": {"remedy": "go_back", "text": "We all agree."},
}
"""The same operations with other bodies."""


@pytest.mark.parametrize("operation", WRITES)
def test_every_change_is_made_once(operation: str, api: Api) -> None:
    """A repeated key gets the same bytes, whatever was written since; with another request it is refused. The control:
    without a key, the repeated request is stale.
    """
    table, version, send = ready(operation, api)
    first = send(version=version, idempotency_key="once")
    assert first.status_code in (200, 201)
    now = read(first, first.status_code)["version"]
    since: list[tuple[str, str, Any]] = [
        ("PUT", "readings", {"readings": {"parish_walls": "included"}}),
        ("POST", "disputes", {"about": {"move": "h e5"}, "question": "?"}),
        ("POST", "disputes/1/settlement", {"remedy": "stands"}),
    ]
    for method, path, body in since:
        answer = api.send(method, f"{table.path}/{path}", body, key=table.host, version=now)
        now += answer.status_code < 300
    log = api.log(table)
    assert log["version"] == now > read(first, first.status_code)["version"]
    again = send(version=version, idempotency_key="once")
    assert (again.status_code, again.get_data()) == (first.status_code, first.get_data())
    assert (first.headers.get("Idempotent-Replayed"), again.headers["Idempotent-Replayed"]) == (None, "true")
    assert again.headers["ETag"] == first.headers["ETag"]
    for on in (version, now):
        assert read(send(OTHERWISE[operation], version=on, idempotency_key="once"), 422)["type"].endswith("key-reused")
    assert send(version=version).status_code == 412
    assert api.log(table) == log


def test_looking_changes_nothing(api: Api, ledger: Ledger) -> None:
    """GET and HEAD, sent twice to every address, do not change the log."""
    table = api.open(OPENING)
    assert read(api.post(f"{table.path}/disputes", OPERATIONS["raiseDispute"], key=table.host, version=6), 201)
    view = read(api.post(f"{table.path}/views", OPERATIONS["makeView"], key=table.host), 201)["id"]
    before = ledger.read(table.id)
    parts = {"game": "villefranche", "rule": "VF-22", "case": "VF-C17", "id": table.id, "slug": "stale", "number": 1}
    for _ in range(2):
        for method, path, _operation in Api.contract.operations():
            if method == "GET" and "{group}" not in path:
                there = path.format(**parts, view=view)
                there += "?q=tower" if path.endswith("/search") else ""
                assert api.get(there, key=table.host).status_code == 200
                assert api.send("HEAD", there, key=table.host).status_code == 200
    assert ledger.read(table.id) == before
