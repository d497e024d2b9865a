"""What integrators need besides play: parts of a table, disputes, limits, other origins, paged lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from flask import Flask

from service.http import games
from service.http.serializers.tables import TABLE_MEMBERS
from service.limits.endpoints import ENDPOINTS
from service.limits.rate_limits import LIMITS
from tests.rules.play import EVERY_GAME, AnyGame
from tests.support.api import RULINGS, V1, Api, application
from tests.support.records import longest_of, record_of

CLUB = "https://club.example"
NONSENSE = ("xyz", "", "move", "12", "(0,0)", "h z99", "😀", "a" * 700)
"""Texts that are no move in any game."""


def read(response: Any, status: int = 200) -> Any:
    """The body of an answer with an expected status."""
    assert response.status_code == status, response.get_data(as_text=True)
    return response.json


# --- parts of a table --------------------------------------------------------------------------------------------


def test_a_table_by_fields_has_these_alone(api: Api) -> None:
    """`fields` returns the named members of a table only; for an unknown name, the error points at `/fields`."""
    table = api.open(["r b1c1"])
    whole = read(api.get(table.path, key=table.host))
    assert whole.keys() == TABLE_MEMBERS.keys()
    some = read(api.get(f"{table.path}?fields=due,%20score", key=table.host))
    assert some == {name: whole[name] for name in ("id", "game", "version", "due", "score")}
    for wrong in ("due,scores", "", ",", "due,"):
        problem = read(api.get(f"{table.path}?fields={wrong}", key=table.host), 422)
        assert [error["pointer"] for error in problem["errors"]] == ["/fields"], wrong


def test_a_position_is_the_one_of_its_version(api: Api) -> None:
    """A position is the newest or that of a version; a version to come is refused."""
    table = api.open(["r b1c1", "r b9c9"])
    newest = read(api.get(f"{table.path}/position", key=table.watch))
    assert newest == {"version": 3, "position": read(api.get(table.path, key=table.host))["position"]}
    before = api.get(f"{table.path}/position?version=2", key=table.watch)
    assert read(before)["position"]["cells"].keys() == {"b1", "c1"}
    assert before.headers["ETag"] == '"2"'
    assert read(api.get(f"{table.path}/position?version=4", key=table.watch), 422)["errors"][0]["pointer"] == "/version"


def test_disputes_are_listed_page_by_page(api: Api) -> None:
    """Each listed dispute is a part of the full one; the next page is in the body and in `Link`."""
    table = api.open(["r b1c1"])
    for number, about in enumerate(({"entry": 2}, {"move": "h e4"}, {"move": "h e6"})):
        body = {"about": about, "question": f"Is it so, {number}?"}
        read(api.post(f"{table.path}/disputes", body, key=table.host, version=2 + number), 201)
    settled = {"remedy": "no_change"}
    read(api.post(f"{table.path}/disputes/2/settlement", settled, key=table.host, version=5), 201)
    first = api.get(f"{table.path}/disputes?limit=2", key=table.watch)
    listed = read(first)["disputes"]
    assert [(each["dispute"], each["status"]) for each in listed] == [(1, "open"), (2, "settled")]
    for each in listed:
        whole = read(api.get(f"{table.path}/disputes/{each['dispute']}", key=table.watch))
        assert {name: whole[name] for name in each} == each
    assert first.headers["Link"] == f'<{table.path}/disputes?limit=2&after=2>; rel="next"'
    last = api.get(first.headers["Link"].partition(">")[0][1:], key=table.watch)
    assert [each["dispute"] for each in read(last)["disputes"]] == [3]
    assert (last.json["next"], "Link" in last.headers) == (None, False)  # type: ignore[index]  # it is an object


@pytest.mark.parametrize("path", ["log?limit=2", "legal-moves?limit=3&kind=rampart"])
def test_each_list_is_read_to_its_end_by_link(api: Api, path: str) -> None:
    """Following `Link` gives the whole list."""
    table = api.open(["r b1c1", "r b9c9", "h e4"])
    name = "entries" if path.startswith("log") else "moves"
    found, address = [], f"{table.path}/{path}"
    whole = f"{table.path}/{path.replace('limit=2', '').replace('limit=3&', '')}"
    while address:
        page = api.get(address, key=table.host)
        found += read(page)[name]
        address = page.headers.get("Link", "").partition(">")[0][1:]
    assert found == read(api.get(whole, key=table.host))[name]
    assert len(found) > 3


# --- games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_a_table_of_every_game_opens_by_its_default_setup(api: Api, game: AnyGame) -> None:
    """The default setup on a game's page opens a table with legal moves."""
    setup = read(api.get(f"{V1}/games/{game.id}"))["default_setup"]
    table = read(api.post(f"{V1}/tables", {"game": game.id, "setup": setup}), 201)
    assert read(api.get(f"{V1}/tables/{table['id']}/legal-moves?limit=1", key=table["keys"]["host"]))["moves"]


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_nonsense_is_one_type_of_problem(api: Api, game: AnyGame) -> None:
    """Nonsense in place of a move is the same problem type in every game, and `detail` names the member."""
    setup = read(api.get(f"{V1}/games/{game.id}"))["default_setup"]
    for text in NONSENSE:
        problem = read(api.post(f"{V1}/games/{game.id}/rulings", {"setup": setup, "move": text}), 422)
        assert problem["type"] == "/problems/unreadable-notation", text
        assert problem["detail"].startswith("/move: ")


# --- limits ------------------------------------------------------------------------------------------------------


def test_a_refusal_names_a_limit_of_the_list(limited_app: Callable[..., Flask]) -> None:
    """Each limit has its own name, and a 429 names the one that was reached, after as many requests as it says."""
    api = Api(limited_app())
    listed = read(api.get(f"{V1}/limits"))
    limits = {each["limit"]: each for each in listed["limits"]}
    assert len(limits) == len(listed["limits"])
    assert {each.name for each in LIMITS} < limits.keys()
    ask = limits["ask-address-3"]
    assert (ask["most"], ask["seconds"], ask["kind"]) == (60, 3, "ask")
    for _ in range(60):
        read(api.post(RULINGS, {"move": "r b1c1"}))
    assert read(api.post(RULINGS, {"move": "r b1c1"}), 429)["limit"] == "ask-address-3"
    operations = [name for each in listed["kinds"] for name in each["operations"]]
    assert sorted(operations) == sorted({*operations})
    assert len(operations) == sum(name.startswith("api.") for name in ENDPOINTS)


def test_the_limits_are_those_of_this_service(api: Api, redis_url: str) -> None:
    """`/limits` is empty if limits are off and scaled with `BASTIDE_LIMITS`; the limits of a request stay."""
    listed = read(api.get(f"{V1}/limits"))
    assert (listed["limits"], listed["table_entries"]) == ([], 5_000)
    assert listed["body_bytes"] == {"usual": 16_384, "moves": 262_144, "export": 1_000_000}
    doubled = read(Api(application(redis_url, limits="2")).get(f"{V1}/limits"))["limits"]
    assert [each["most"] for each in doubled if each["limit"] == "ask-address-3"] == [120]


# --- other origins -----------------------------------------------------------------------------------------------


@pytest.fixture
def open_api(redis_url: str) -> Flask:
    """A service that allows a club's origin."""
    return application(redis_url, BASTIDE_ORIGINS=f"{CLUB}, http://localhost:3000")


def test_a_page_of_an_allowed_origin_may_ask(open_api: Flask) -> None:
    """A page of an allowed origin may send a preflight and a request, without cookies."""
    client = open_api.test_client()
    asked = {"Origin": CLUB, "Access-Control-Request-Method": "POST"}
    asked["Access-Control-Request-Headers"] = "authorization,if-match,last-event-id"
    before = client.options(f"{V1}/tables/{'A' * 22}/moves", headers=asked)
    assert before.status_code == 200
    assert before.headers["Access-Control-Allow-Origin"] == CLUB
    assert before.headers["Access-Control-Allow-Headers"].lower() == "authorization, if-match, last-event-id"
    refused = client.post(f"{V1}/tables/{'A' * 22}/moves", json={"move": "r b1c1"}, headers={"Origin": CLUB})
    assert (refused.status_code, refused.headers["Access-Control-Allow-Origin"]) == (401, CLUB)
    for answer in (before, refused):
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Origin" in ", ".join(answer.headers.getlist("Vary")).split(", ")


@pytest.mark.parametrize("origins", [CLUB, f"{CLUB}, http://localhost:3000"])
@pytest.mark.parametrize("origin", [CLUB, "https://other.example", None])
def test_a_cache_passes_no_answer_to_another_origin(redis_url: str, origins: str, origin: str | None) -> None:
    """Every response has `Vary: Origin`, so that caches keep origins apart."""
    client = application(redis_url, BASTIDE_ORIGINS=origins).test_client()
    for path in (f"{V1}/openapi.yaml", f"{V1}/games", f"{V1}/nothing"):
        answer = client.get(path, headers={"Origin": origin} if origin else {})
        assert "Origin" in ", ".join(answer.headers.getlist("Vary")).split(", ")


@pytest.mark.parametrize("path", [f"{V1}/games", "/", "/livez"])
@pytest.mark.parametrize("origin", [CLUB, "https://club.example.evil.example", "http://localhost", "null"])
def test_no_other_origin_and_no_page_is_let_in(open_api: Flask, app: Flask, path: str, origin: str) -> None:
    """CORS headers are only for the API and for configured origins; by default for none."""
    answer = open_api.test_client().get(path, headers={"Origin": origin, "Host": "localhost"})
    allowed = path.startswith(V1) and origin == CLUB
    assert ("Access-Control-Allow-Origin" in answer.headers) == allowed
    assert "Access-Control-Allow-Origin" not in app.test_client().get(path, headers={"Origin": origin}).headers


# --- request ids -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [f"{V1}/games", f"{V1}/nothing", "/", "/livez", f"{V1}/tables/{'A' * 22}"])
def test_every_answer_has_the_id_of_its_request(api: Api, path: str) -> None:
    """A response has the client's request id if it is well-formed, else a new one each time."""
    client = api.app.test_client()
    assert client.get(path, headers={"X-Request-Id": "My-id-7"}).headers["X-Request-Id"] == "My-id-7"
    odd = ("a b", "x" * 65, "é", "")
    ours = [client.get(path, headers={"X-Request-Id": sent}).headers["X-Request-Id"] for sent in odd]
    assert len({*ours, client.get(path).headers["X-Request-Id"]}) == 5
    assert all(each.isalnum() and len(each) == 16 for each in ours)


def test_a_fault_is_logged_with_the_id_of_its_request(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log has the request id with a fault, so that users can refer to it."""
    app.testing = False
    monkeypatch.setitem(app.view_functions, "api.list_games", lambda: orjson.loads("{"))
    try:
        answer = app.test_client().get(f"{V1}/games", headers={"X-Request-Id": "the-one"})
    finally:
        app.testing = True
    assert answer.status_code == 500
    assert "api.list_games the-one" in caplog.text


# --- many at once ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_each_answer_of_a_batch_is_that_of_its_own_request(api: Api, game: AnyGame) -> None:
    """A batch of rulings gives the same responses, in order, as single requests, also for problems."""
    cases = read(api.get(f"{V1}/games/{game.id}/cases?limit=50"))["cases"]
    of_cases = [{name: case[name] for name in ("setup", "position", "move")} for case in cases if case["move"]]
    asked: list[Any] = [*of_cases[:40], {"move": "xyz"}, {"move": 7, "unknown": 1}, {}, {"moves": ["xyz"], "move": 1}]
    client, there = api.app.test_client(), f"{V1}/games/{game.id}/rulings"  # some of these break the contract
    together = read(client.post(f"{there}/batch", json={"rulings": asked}))["rulings"]
    assert len(together) == len(asked)
    for question, answer in zip(asked, together, strict=True):
        alone: Any = client.post(there, json=question).json
        assert {**answer, "instance": ""} == {**alone, "instance": ""}
    assert sum("type" in answer for answer in together) >= 4


def test_a_batch_has_its_bounds(api: Api) -> None:
    """A batch has at most 100 questions, and one that is too much work fails alone."""
    there = f"{V1}/games/villefranche/rulings/batch"
    assert read(api.post(there, {"rulings": [{"move": "r b1c1"}] * 101}), 422)["errors"][0]["pointer"] == "/rulings"
    much = {"moves": ["r b1c1"] * 3_500, "move": "r b1c1"}
    dear, cheap = read(api.post(there, {"rulings": [much, {"move": "r b1c1"}]}))["rulings"]
    assert (dear["type"], cheap["ruling"]) == ("/problems/too-much-work", "legal")


def test_all_questions_of_a_batch_have_the_work_of_ten_requests(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """The questions of a batch share a budget, and those beyond it are refused. The control: with a larger budget all
    are answered.
    """
    asked = {"rulings": [{"move": "r b1c1"}] * 10}
    told: list[list[bool]] = []
    for steps in (60, 100_000):
        monkeypatch.setattr(games, "BATCH_STEPS", steps)
        answers = read(api.post(f"{V1}/games/villefranche/rulings/batch", asked))["rulings"]
        told.append(["ruling" in answer for answer in answers])
    some, every = told
    assert some[0] and not some[-1] and some == sorted(some, reverse=True)
    assert all(every)


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_a_whole_game_is_played_in_one_request(api: Api, game: AnyGame) -> None:
    """A whole recorded game, played in one request with `last_only`, gives the same table and returns the last entry
    only.
    """
    record = record_of(longest_of(game.id))
    moves = record["moves"]
    table = read(api.post(f"{V1}/tables", {"game": game.id, "setup": record["setup"]}), 201)
    there, key = f"{V1}/tables/{table['id']}", table["keys"]["host"]
    body = {"moves": moves, "last_only": True}
    (last,) = read(api.post(f"{there}/moves", body, key=key, version=1), 201)["entries"]
    whole = read(api.post(f"{V1}/tables", {"game": game.id, "setup": record["setup"], "moves": moves}), 201)
    now = read(api.get(there, key=key))
    assert last == now["moves"][-1] | {"at": last["at"]}
    same = ("version", "position", "score", "due", "ended", "move_count")
    assert [now[name] for name in same] == [whole[name] for name in same]


def test_many_moves_are_answered_in_full_or_by_the_last(api: Api) -> None:
    """500 moves in one request are too much work to return in full, but can be played with `last_only`."""
    setup = read(api.get(f"{V1}/games/robber_knights"))["default_setup"]
    table = read(api.post(f"{V1}/tables", {"game": "robber_knights", "setup": setup}), 201)
    there, key = f"{V1}/tables/{table['id']}", table["keys"]["host"]
    moves = [{"move": "stop", "stands": True}] * 500
    refused = read(api.post(f"{there}/moves", {"moves": moves}, key=key, version=1), 422)
    assert refused["type"] == "/problems/too-much-work"
    answer = read(api.post(f"{there}/moves", {"moves": moves, "last_only": True}, key=key, version=1), 201)
    assert (answer["version"], len(answer["entries"])) == (501, 1)


# --- names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_players_get_other_names(api: Api, game: AnyGame) -> None:
    """A renamed player has the new name in setup and export; the same name again writes nothing."""
    record = record_of(longest_of(game.id))
    asked: Any = {"game": game.id, "setup": record["setup"], "moves": record["moves"][:2]}
    opened = read(api.post(f"{V1}/tables", asked), 201)
    there, key = f"{V1}/tables/{opened['id']}", opened["keys"]["host"]
    first, second, *_ = opened["keys"]["seats"]
    body = {"names": {first: "Zoé", second: None}}
    written = read(api.send("PATCH", there, body, key=key, version=opened["version"]))
    (entry,) = written["entries"]
    assert (entry["type"], entry["names"]) == ("renamed", body["names"])
    now = read(api.get(there, key=key))
    assert [player.get("name") for player in now["setup"]["players"]][:2] == ["Zoé", None]
    assert now["position"] == opened["position"]
    assert read(api.send("PATCH", there, body, key=key, version=now["version"]))["entries"] == []
    from_here = read(api.get(f"{there}/export?entry={now['version']}", key=key))
    other = read(api.post(f"{V1}/tables", from_here), 201)
    assert (other["setup"], other["position"]) == (now["setup"], now["position"])


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/moves", {"move": "r d9e9"}),
        ("POST", "/amend", {"delete": {"entry": 2}}),
        ("PUT", "/position", {"position": {"cells": {}, "due": "white"}}),
        ("PATCH", "", {"names": {"white": "Bob"}}),
    ],
)
def test_a_repeated_request_hears_the_names_of_then(method: str, path: str, body: Any, api: Api) -> None:
    """A repeated request gets the first response, with its names. The control: a new request has the new names."""
    table = api.open(["r b9c9"], players=[{"player": "black", "name": "Ben"}, {"player": "white", "name": "Ada"}])
    asked: Any = {"key": table.host, "version": 2, "idempotency_key": "first"}
    first: Any = api.send(method, table.path + path, body, **asked)
    names = {"names": {"white": "Eve", "black": "Tom"}}
    read(api.send("PATCH", table.path, names, key=table.host, version=first.json["version"]))
    again = api.send(method, table.path + path, body, **asked)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.get_data() == first.get_data()
    assert re.search("Ada|Ben|Bob", first.json["due"]["text"])
    assert re.search("Eve|Tom", read(api.get(table.path, key=table.host))["due"]["text"])


def test_who_may_name_whom(api: Api) -> None:
    """A seat may rename itself, the host anyone, a watcher nobody; invalid names and players are refused."""
    table = api.open()
    black = {"names": {"black": "Ada"}}
    refused = read(api.send("PATCH", table.path, black, key=table.seats["white"], version=1), 403)
    assert refused["type"].endswith("seat")
    assert refused["detail"] == "A seat's key names its own player only."  # and not whose turn it is
    assert read(api.send("PATCH", table.path, black, key=table.watch, version=1), 403)["type"].endswith("only-watching")
    for names, pointer in (
        ({"red": "Ada"}, "/names/red"),
        ({}, "/names"),
        ({"black": "\u202e"}, "/names/black"),
        ({"black": "x" * 41}, "/names/black"),
        ({"black": 7}, "/names/black"),
        (["Ada"], "/names"),
    ):
        sent = api.app.test_client().patch(
            table.path, json={"names": names}, headers={"Authorization": f"Bearer {table.host}", "If-Match": '"1"'}
        )
        assert [error["pointer"] for error in read(sent, 422)["errors"]] == [pointer], names
    assert len(api.log(table)["entries"]) == 1
    for version, key in ((1, table.seats["black"]), (2, table.host)):
        body = black if version == 1 else {"names": {"white": "Ben"}}
        assert len(read(api.send("PATCH", table.path, body, key=key, version=version))["entries"]) == 1
