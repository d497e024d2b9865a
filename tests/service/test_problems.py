"""Bad input and failures: each has its own problem type, with words in both languages, and leaves the log as it was."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

import orjson
import pytest
from flask import Flask
from werkzeug.test import TestResponse

import rules
from service.app import create_app
from service.config import Settings
from service.http.problems import PROBLEMS
from service.http.serializers import rulings, tables
from service.i18n.grammar import service_words
from service.i18n.languages import LANGUAGES
from service.referee.use_cases import Referee
from service.rulings import judge
from service.storage.ledger import Ledger
from service.tables import codec
from tests.support.api import RULINGS, V1, Api, OpenTable, application
from tests.support.bad_bodies import NOT_JSON
from tests.support.log_kinds import LATER
from tests.support.redis_call import redis_call
from tests.support.redis_server import RedisServer, until


def problem_of(response: TestResponse, slug: str) -> Any:
    """The body of a response, which must be a problem of this type."""
    body: Any = response.json
    assert (body["type"], body["status"]) == (f"/problems/{slug}", PROBLEMS[slug]), body
    assert response.status_code == PROBLEMS[slug]
    assert response.content_type == "application/problem+json"
    assert body["instance"] == response.request.path
    return body


@dataclass(frozen=True)
class Bad:
    """A bad request to a table: its differences from a good one, and the expected problem."""

    slug: str
    body: Any = field(default_factory=lambda: {"move": "r b9c9"})
    to: str = "moves"
    options: dict[str, Any] = field(default_factory=dict)
    pointer: str | None = None


NAVE = {"kind": "nave", "cells": ["c3", "c3"]}
BAD: dict[str, Bad] = {
    "unknown field": Bad("unknown-field", {"move": "r b9c9", "mvoe": 1}, pointer="/mvoe"),
    "unknown field of a move": Bad(
        "unknown-field", {"move": {"kind": "house", "cell": "c4", "x": 1}}, pointer="/move/x"
    ),
    "nothing": Bad("wrong-value", {}, pointer="/move"),
    "no kind": Bad("missing-field", {"move": {}}, pointer="/move/kind"),
    "wrong type": Bad("wrong-type", {"move": 7}, pointer="/move"),
    "no object": Bad("wrong-type", [], pointer=""),
    "unknown cell": Bad("unknown-cell", {"move": {"kind": "house", "cell": "z9"}}, pointer="/move/cell"),
    "a cell twice": Bad("wrong-value", {"move": NAVE}, pointer="/move/cells"),
    "a move of another game": Bad("foreign-move", {"move": {"kind": "knight", "to": 3}}, pointer="/move/kind"),
    "notation of another game": Bad("unreadable-notation", {"move": "k c4"}, pointer="/move"),
    "no notation": Bad("unreadable-notation", {"move": "e2-e4"}, pointer="/move"),
    "move and moves": Bad("wrong-value", {"move": "r b9c9", "moves": ["r b9c9"]}, pointer="/moves"),
    "several things": Bad("invalid", {"move": 7, "x": 1}),
    "NUL": Bad("unreadable-notation", {"move": "h\u0000c4"}, pointer="/move"),
    "a long text": Bad("unreadable-notation", {"move": "h c4" * 3_000}, pointer="/move"),
    "wrong media type": Bad("wrong-media-type", options={"content_type": "text/plain"}),
    "no media type": Bad("wrong-media-type", options={"content_type": ""}),
    "too large": Bad("too-large", options={"raw": b'{"move": "' + b"x" * 262_144 + b'"}'}),
    "no key": Bad("no-key", options={"key": None}),
    "an empty key": Bad("no-key", options={"key": ""}),
    "another way to send a key": Bad("no-key", options={"key": None, "headers": {"Authorization": "Basic eDp5"}}),
    "no version": Bad("version-required", options={"version": None}),
    "any version": Bad("version-required", options={"version": "*"}),
    "an old version": Bad("stale", options={"version": 1}),
    "a version to come": Bad("stale", options={"version": 3}),
    "version 0": Bad("stale", options={"version": 0}),
    "no version at all": Bad("stale", options={"version": '"yesterday"'}),
    "a version of 400 digits": Bad("stale", options={"version": '"' + "9" * 400 + '"'}),
    "not due": Bad("move-refused", {"move": "h e4"}),
    "not due, several": Bad("move-refused", {"moves": ["h e4", "h e6"]}),
    "cannot lie there": Bad("cannot-stand", {"move": "r b9d9", "stands": True}),
    "a version without quotes": Bad("bad-header", options={"version": "2"}),
    "a weak version without quotes": Bad("bad-header", options={"version": "W/2"}),
    "a version with half its quotes": Bad("bad-header", options={"version": '"2'}),
    "a version in lower case weak": Bad("bad-header", options={"version": 'w/"2"'}),
    "versions without a comma": Bad("bad-header", options={"version": '"1" "2"'}),
    "an empty name of a request": Bad("bad-header", options={"idempotency_key": ""}),
    "a long name of a request": Bad("bad-header", options={"idempotency_key": "x" * 256}),
    "a name of a request with spaces": Bad("bad-header", options={"idempotency_key": "a b"}),
    "a used name": Bad("key-reused", options={"idempotency_key": "used"}),
    "a used name for another change": Bad("key-reused", {"to": 1}, "rewind", {"idempotency_key": "used"}),
    "to nowhere": Bad("cannot-rewind", {"to": 9}, "rewind"),
    "to version 0": Bad("wrong-value", {"to": 0}, "rewind", pointer="/to"),
    "to a text": Bad("wrong-type", {"to": "1"}, "rewind", pointer="/to"),
    "to true": Bad("wrong-type", {"to": True}, "rewind", pointer="/to"),
    "to a fraction": Bad("wrong-type", {"to": 1.0}, "rewind", pointer="/to"),
    "to more than there are": Bad("wrong-value", {"to": 2**40}, "rewind", pointer="/to"),
    "to more than an int": Bad("wrong-type", {"to": 2**64 - 1 + 0.0}, "rewind", pointer="/to"),
    "rewind without a version": Bad("version-required", {"to": 1}, "rewind", {"version": None}),
    "rewind an old version": Bad("stale", {"to": 1}, "rewind", {"version": 1}),
}
BAD |= {
    f"not JSON: {name}": Bad("not-json", options={"raw": body})
    for name, body in NOT_JSON.items()
    if 0 < len(body) < 16_384
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_bad_input_has_its_own_problem_and_leaves_the_log(bad: Bad, api: Api) -> None:
    """Each kind of invalid input gets its own problem, in the reader's language. The log does not change."""
    table = api.open()
    api.play(table, "r b1c1", version=1, idempotency_key="used")
    log = api.log(table)
    words = set()
    for language in LANGUAGES:
        options = {"key": table.host, "version": 2, **bad.options}
        options["headers"] = {"Accept-Language": language, **options.get("headers", {})}
        body = problem_of(api.post(f"{table.path}/{bad.to}", bad.body, **options), bad.slug)
        assert body["title"] == service_words(language)["problems"][bad.slug]["title"]
        assert body["detail"]
        words.add(body["detail"])
        if bad.pointer is not None:
            (error,) = body["errors"]
            assert error["pointer"] == bad.pointer
            assert error["type"] == body["type"]
            assert body["detail"] == (f"{bad.pointer}: {error['detail']}" if bad.pointer else error["detail"])
    assert len(words) == len(LANGUAGES)
    assert api.log(table) == log


def test_roles_are_told_apart(api: Api) -> None:
    """A watcher's move, a move of another seat and a request that needs the host's key get three different problems.
    The log does not change.
    """
    table = api.open()
    api.play(table, "r b1c1", version=1)
    log = api.log(table)
    black = table.seats["black"]
    problem_of(api.play(table, "r b9c9", version=2, key=table.watch), "only-watching")
    assert "White" in problem_of(api.play(table, "r b9c9", version=2, key=black), "other-seat")["detail"]
    french = {"Accept-Language": "fr"}
    assert (
        "Blanc" in problem_of(api.play(table, "r b9c9", version=2, key=black, headers=french), "other-seat")["detail"]
    )
    for key in (table.watch, *table.seats.values()):
        problem_of(api.send("DELETE", table.path, key=key), "host-only")
    assert api.log(table) == log


def test_another_seats_move_names_the_player_where_a_name_was_given(api: Api) -> None:
    """The error names the other player by their name, or else by their colour."""
    table = api.open(players=[{"colour": "black"}, {"colour": "white", "name": "Nadia"}])
    api.play(table, "r b1c1", version=1)
    said = problem_of(api.play(table, "r b9c9", version=2, key=table.seats["black"]), "other-seat")["detail"]
    assert "Nadia" in said and "White" not in said
    api.play(table, "r b9c9", "h e4", version=2)
    said = problem_of(api.play(table, "r d1e1", version=4, key=table.seats["white"]), "other-seat")["detail"]
    assert "Black" in said


def test_unknown_foreign_and_malformed_tables_are_the_same(api: Api) -> None:
    """An unknown, a malformed and another table's id get the same response, so nobody can search for tables."""
    table, other = api.open(), api.open()
    bodies = []
    for table_id in (other.id, "A" * 22, "A" * 21, "A" * 22 + "%7D", "%00", "é" * 22, "{t:x}"):
        for method, part in (("GET", ""), ("GET", "/log"), ("POST", "/moves"), ("DELETE", "")):
            response = api.send(
                method,
                f"{V1}/tables/{table_id}{part}",
                {"move": "r b1c1"} if method == "POST" else None,
                key=table.host,
                version=1,
            )
            body = problem_of(response, "no-table")
            del body["instance"]
            bodies.append(body)
    assert all(body == bodies[0] for body in bodies)


def test_without_a_key_nothing_is_told_of_a_table(api: Api) -> None:
    """Without a key, an existing and an unknown table give the same error."""
    there = problem_of(api.get(api.open().path), "no-key")
    nowhere = problem_of(api.get(f"{V1}/tables/{'A' * 22}"), "no-key")
    assert there | {"instance": ""} == nowhere | {"instance": ""}


def test_an_expired_table_says_so(redis_url: str) -> None:
    """A table that has expired gets another problem than a table that never existed."""
    ledger = Ledger(redis_url, ttl=timedelta(seconds=1))
    api = Api(create_app(Settings.of({"REDIS_URL": redis_url}), Referee(ledger, lifetime=timedelta(seconds=1))))
    table = api.open()
    redis_call(ledger, "DEL", f"{{t:{table.id}}}:log", f"{{t:{table.id}}}:idem")  # as when its lifetime ends
    problem_of(api.get(table.path, key=table.host), "expired")
    problem_of(api.play(table, "r b1c1", version=1), "expired")


def test_a_deleted_table_says_so(api: Api) -> None:
    """A deleted table stays deleted: later requests are 410."""
    table = api.open()
    assert api.send("DELETE", table.path, key=table.host).status_code == 204
    problem_of(api.send("DELETE", table.path, key=table.host), "expired")
    problem_of(api.play(table, "r b1c1", version=1), "expired")


def test_stale_tells_what_is_missing(api: Api) -> None:
    """A change on an old version gets the current version and the missing entries."""
    table = api.open()
    api.play(table, "r b1c1", version=1)
    response = api.play(table, "r b9c9", version=1)
    body = problem_of(response, "stale")
    assert body["version"] == 2
    assert [entry["notation"] for entry in body["missing"]] == ["r b1c1"]
    assert response.headers["ETag"] == '"2"'
    assert body["missing"] == api.log(table)["entries"][1:]


def test_stale_says_where_more_is_missing_than_it_lists(api: Api) -> None:
    """A client that is far behind gets the first 100 missing entries, and where to read on."""
    table = api.open()
    api.play(table, "r b1c1", version=1)
    for version in range(2, 103):
        api.send("POST", f"{table.path}/rewind", {"to": 1 + version % 2}, key=table.host, version=version)
    body = problem_of(api.play(table, "r b9c9", version=3), "stale")
    assert [entry["version"] for entry in body["missing"]] == list(range(4, 104))
    assert body["next"] is None
    body = problem_of(api.play(table, "r b9c9", version=1), "stale")
    assert [entry["version"] for entry in body["missing"]] == list(range(2, 102))
    assert (body["version"], body["next"]) == (103, 101)
    assert "100" in body["detail"]
    rest = api.get(f"{table.path}/log?after={body['next']}", key=table.host).json
    assert rest is not None and [entry["version"] for entry in rest["entries"]] == [102, 103]


def test_a_refused_move_has_its_ruling_and_the_position(api: Api) -> None:
    """In a list of moves, the error names the first illegal one, with its ruling and the position before it."""
    body = problem_of(api.post(RULINGS, {"moves": ["r b1c1", "r b9c9", "h b5"], "move": "h e4"}), "move-refused")
    assert body["index"] == 2
    assert [finding["rule"] for finding in body["ruling"]["findings"] if finding["ruling"] == "illegal"] == ["VF-23"]
    assert body["ruling"]["by"] == "white"
    assert set(body["position"]["cells"]) == {"b1", "c1", "b9", "c9"}
    assert body["detail"].startswith("h b5 is not legal. ")


def test_an_impossible_position_has_all_its_problems(api: Api) -> None:
    """An impossible position is refused with all its problems."""
    cells = {f"{column}{row}": [{"piece": "cube", "colour": "black"}] for column in "bcdefgh" for row in (2, 3)}
    position = {"cells": cells | {"a1": [{"piece": "brick", "colour": "white"}]}}
    asked: dict[str, Any] = {"position": position}
    body = problem_of(api.post(RULINGS, asked | {"move": "h e4"}), "impossible-position")
    assert [problem["rule"] for problem in body["problems"]] == ["VF-5", "VF-6"]
    placed = api.post(f"{V1}/games/villefranche/positions", asked)
    assert placed.status_code == 200
    assert placed.json["problems"] == body["problems"]  # type: ignore[index]


@pytest.mark.parametrize("asked", [{"move": "stop"}, {}], ids=["rulings", "scores"])
def test_an_impossible_position_names_the_players_by_their_names(api: Api, asked: dict[str, Any]) -> None:
    """Problems of a position name players as the setup does."""
    players = [{"colour": "red", "name": "Rosa"}, {"colour": "blue", "name": "Yann"}]
    body = {"setup": {"players": players}, "position": {"supply": {"red": 3}}} | asked
    address = f"{V1}/games/robber_knights/{'rulings' if asked else 'scores'}"
    [problem] = problem_of(api.post(address, body), "impossible-position")["problems"]
    assert "Rosa" in problem["text"] and "Red" not in problem["text"]


def test_unknown_games_and_rules(api: Api) -> None:
    """An unknown game in the path, one in the body and an unknown rule have different problem types."""
    problem_of(api.get(f"{V1}/games/chess"), "no-game")
    problem_of(api.post(f"{V1}/games/chess/rulings", {"move": "e4"}), "no-game")
    problem_of(api.get(f"{V1}/games/villefranche/rules/VF-999"), "no-rule")
    problem_of(api.get(f"{V1}/games/villefranche/cases/VF-C9999"), "no-case")
    problem_of(api.post(f"{V1}/tables", {"game": "chess"}), "unknown-game")
    problem_of(api.post(f"{V1}/tables", {}), "missing-field")
    problem_of(api.post(f"{V1}/tables", {"game": 1}), "wrong-type")
    reading = {"game": "villefranche", "setup": {"readings": {"castling": "no"}}}
    problem_of(api.post(f"{V1}/tables", reading), "unknown-reading")


def test_what_is_not_there_and_what_cannot_be_done_there(api: Api) -> None:
    """An unknown address and a wrong method are problems, too."""
    problem_of(api.get(f"{V1}/nowhere"), "not-found")
    problem_of(api.get(f"{V1}/games/"), "not-found")
    problem_of(api.get(f"{V1}//games"), "not-found")
    response = api.send("PUT", f"{V1}/tables", {})
    problem_of(response, "method-not-allowed")
    assert "POST" in response.headers["Allow"]
    problem_of(api.send("TRACE", f"{V1}/games"), "method-not-allowed")


def test_a_foreign_host_is_refused(api: Api) -> None:
    """The server accepts only the hosts of its settings."""
    problem_of(api.http.get(f"{V1}/games", headers={"Host": "evil.example"}), "foreign-host")
    assert api.http.get(f"{V1}/games", headers={"Host": "localhost:8123"}).status_code == 200


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("localhost", True),
        ("LOCALHOST", True),
        ("LocalHost:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]", True),
        ("[::1]:8000", True),
        ("club.example", True),
        ("Evening.Club.Example:443", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("evilclub.example", False),
        ("127.0.0.1.evil.example", False),
        ("[::2]:8000", False),
        ("::1", False),
        ("", False),
        ("local host", False),
        ("localhost@evil.example", False),
    ],
)
def test_a_host_is_known_in_any_case_and_by_any_address(host: str, ours: bool) -> None:
    """A host matches in upper and lower case, and as an IPv6 address in brackets. A host that only resembles one is
    rejected.
    """
    hosts = "localhost,127.0.0.1,[::1],.club.example"
    app = create_app(Settings.of({"REDIS_URL": "unix:///nowhere", "BASTIDE_HOSTS": hosts}))
    answer = app.test_client().get(f"{V1}/games", headers={"Host": host})
    assert answer.status_code == (200 if ours else 400), answer.get_data(as_text=True)
    if not ours:
        problem_of(answer, "foreign-host")


def test_large_bodies_are_for_whole_games(api: Api) -> None:
    """A list of moves may be long for a whole game; the budget and the contract limit it."""
    moves = ["r b1c1"] * 5_000
    problem_of(api.post(RULINGS, {"moves": moves[:2_000], "move": "r b9c9"}), "move-refused")
    problem_of(api.post(RULINGS, {"moves": moves, "move": "r b9c9"}), "too-much-work")
    problem_of(api.post(RULINGS, {"moves": [*moves, "r b1c1"], "move": "r b9c9"}), "wrong-value")
    problem_of(api.post(RULINGS, {"moves": [{"kind": "house", "cell": "c4"}] * 10_000}), "too-large")


def away(own_redis: Callable[..., RedisServer]) -> tuple[Api, OpenTable, RedisServer]:
    """A table with one move, and the server of its store."""
    server = own_redis()
    api = Api(application(server.url))
    table = api.open()
    api.play(table, "r b1c1", version=1, idempotency_key="first")
    return api, table, server


def test_without_its_store_the_service_says_so_and_catches_up(own_redis: Callable[..., RedisServer]) -> None:
    """While Redis is down, requests for tables are 503 with `Retry-After`, and others succeed. Once it is back, the log
    is unchanged, and retries succeed.
    """
    api, table, server = away(own_redis)
    log = api.log(table)
    server.kill()
    titles = set()
    for language in LANGUAGES:
        headers = {"Accept-Language": language}
        for response in (
            api.get(table.path, key=table.host, headers=headers),
            api.play(table, "r b9c9", version=2, idempotency_key="second", headers=headers),
            api.post(f"{V1}/tables", {"game": "villefranche"}, headers=headers),
            api.send("DELETE", table.path, key=table.host, headers=headers),
            api.get("/readyz", headers=headers),
        ):
            titles.add(problem_of(response, "store-away")["title"])
            assert int(response.headers["Retry-After"]) > 0
    assert len(titles) == len(LANGUAGES)
    assert api.post(RULINGS, {"move": "r b1c1"}).status_code == 200
    assert api.get("/livez").status_code == 200
    server.start()
    assert api.log(table) == log
    until(lambda: api.get("/readyz").status_code == 200)  # what the store told stands for a second
    assert api.play(table, "r b9c9", version=2, idempotency_key="second").status_code == 201
    assert api.play(table, "r b1c1", version=1, idempotency_key="first").headers["Idempotent-Replayed"] == "true"


def test_a_log_of_a_newer_version_is_asked_for_later(api: Api, ledger: Ledger) -> None:
    """A table with an unknown type of entry is 503 `newer-log`, with `Retry-After`."""
    table = api.open()
    ledger.append(table.id, 1, "x", [b'{"type":"teleported","at":"2026-01-01T00:00:00Z","by":"host"}'], "")
    response = api.get(table.path, key=table.host)
    problem_of(response, "newer-log")
    assert int(response.headers["Retry-After"]) > 0


@pytest.mark.parametrize("kind", LATER)
def test_a_worker_from_before_an_entry_writes_nothing_beside_it(
    kind: str, api: Api, ledger: Ledger, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that does not know an entry neither reads nor changes its table, at its cached version or the current
    one. The control: once it knows the entry, it does.
    """
    made: dict[str, tuple[str, str, str, Any]] = {
        "disputed": ("POST", "disputes", "host", {"about": {"entry": 2}, "question": "?"}),
        "confirmed": ("POST", "amend", "black", {"delete": {"entry": 2}}),
        "settled": ("POST", "disputes/1/settlement", "host", {"remedy": "stands"}),
        "readings": ("PUT", "readings", "host", {"readings": {"stuck": "turn_is_cut"}}),
        "amended": ("POST", "amend", "host", {"delete": {"entry": 2}}),
        "checkpoint": ("PUT", "position", "host", {"position": {"cells": {}, "due": "white"}}),
        "rolled": ("POST", "rolls", "host", {"for": "dice", "dice": 1}),
        "renamed": ("PATCH", "", "black", {"names": {"black": "Ada"}}),
        "view_made": ("POST", "views", "host", {"label": "Club"}),
        "view_revoked": ("DELETE", "views/1", "host", None),
        "key_made": ("POST", "keys", "host", {"role": "watch"}),
        "key_revoked": ("DELETE", "keys/2", "host", None),
    }
    table, other = api.open(["r b1c1"]), Api(application(redis_url))
    version = 2
    if kind == "settled":
        assert api.post(f"{table.path}/disputes", made["disputed"][-1], key=table.host, version=2).status_code == 201
        version = 3
    if kind == "view_revoked":
        assert api.post(f"{table.path}/views", made["view_made"][-1], key=table.host).status_code == 201
        version = 3
    method, path, who, body = made[kind]
    keys = {"host": table.host, **table.seats}
    there = f"{table.path}/{path}".rstrip("/")
    assert other.send(method, there, body, key=keys[who], version=version).status_code in (200, 201, 204)
    log = ledger.read(table.id)
    known = codec.READERS
    monkeypatch.setattr(codec, "READERS", {name: read for name, read in known.items() if name != kind})
    for on in (version, len(log)):
        problem_of(api.play(table, "r b9c9", version=on), "newer-log")
        problem_of(api.post(f"{table.path}/rewind", {"to": 1}, key=table.host, version=on), "newer-log")
        problem_of(
            api.send("PUT", f"{table.path}/readings", made["readings"][-1], key=table.host, version=on), "newer-log"
        )
    for there in ("", "/log", "/score", "/disputes/1"):
        assert int(api.get(table.path + there, key=table.host).headers["Retry-After"]) > 0
    assert ledger.read(table.id) == log
    monkeypatch.setattr(codec, "READERS", known)
    assert api.post(f"{table.path}/rewind", {"to": 1}, key=table.host, version=len(log)).status_code == 201


def test_an_error_of_ours_shows_nothing_of_the_inside(redis_url: str) -> None:
    """A fault of the server gets a problem without a trace; the server's log records it once."""

    class BrokenRequest(Referee):
        def table(self, table_id: str, key: str | None) -> Any:
            raise ZeroDivisionError("secret detail")

    app: Flask = create_app(Settings.of({"REDIS_URL": redis_url}), BrokenRequest(Ledger(redis_url)))
    response = Api(app).get(f"{V1}/tables/{'A' * 22}", key="x")
    body = problem_of(response, "internal")
    assert "secret" not in response.get_data(as_text=True)
    assert "ZeroDivision" not in body["detail"]


# --- the server's own faults -------------------------------------------------------------------------------------

NAME: Final = "Anselme-of-the-payload"


@pytest.fixture
def live(redis_url: str) -> Api:
    """The API of an application that handles unexpected exceptions."""
    app = application(redis_url)
    app.testing = False
    return Api(app)


def fails(*_: Any, **__: Any) -> Any:
    """A serializer that fails with a message that quotes the request."""
    raise KeyError(NAME)


@pytest.mark.parametrize("anyway", [False, True])
@pytest.mark.parametrize(
    ("path", "broken"),
    [("rulings", "ruling"), ("scores", "sheet"), ("legal-moves", "legal_moves"), ("positions", "position")],
)
def test_a_fault_of_ours_is_no_impossible_position(
    path: str, broken: str, anyway: bool, live: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A failing serializer is 500, also for an impossible position. The log has one line with game and payload hash,
    but no data of the request. The control: without the fault, the request succeeds.
    """
    body: dict[str, Any] = {"setup": {"players": [{"colour": "black", "name": NAME}, {"colour": "white"}]}}
    body |= {"position": {"first_turn": True, "due": "white"}, "anyway": True} if anyway else {"position": {}}
    body |= {"move": "h c5"} if path == "rulings" else {}
    where = f"{V1}/games/villefranche/{path}"
    assert live.post(where, body).status_code == 200
    monkeypatch.setattr(rulings, broken, fails)
    caplog.clear()
    response = live.http.post(where, data=orjson.dumps(body), content_type="application/json")
    problem_of(response, "internal")
    (record,) = caplog.records
    said = record.getMessage()
    assert "KeyError" in said and "villefranche" in said and "service/http/games.py:" in said
    assert sha256(orjson.dumps(body)).hexdigest() in said
    assert NAME not in said + response.get_data(as_text=True) and record.exc_info is None


def test_a_fault_on_a_page_shows_nothing_of_the_inside(
    live: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A page with a fault shows the general error; the log has the game and the hash of the address."""
    client = live.http
    for path in ("/count/villefranche", "/ask/villefranche"):
        assert client.get(path).status_code == 200
    monkeypatch.setattr(judge, "sheet", fails)
    for path in ("/count/villefranche", "/ask/villefranche"):
        caplog.clear()
        response = client.get(path)
        assert response.status_code == 500 and response.mimetype == "text/html"
        assert service_words("en")["problems"]["internal"]["detail"] in html.unescape(response.text)
        (record,) = caplog.records
        assert "villefranche" in record.getMessage() and sha256(f"{path}?".encode()).hexdigest() in record.getMessage()
        assert NAME not in record.getMessage() + response.text and "Traceback" not in response.text


def test_a_fault_at_a_table_is_told_with_its_game_and_without_its_keys(
    live: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log of a fault at a table has its game, but neither its key nor its id."""
    table = live.open()
    assert live.get(table.path, key=table.host).status_code == 200
    monkeypatch.setattr(tables, "table", fails)
    problem_of(live.get(table.path, key=table.host), "internal")
    said = caplog.records[-1].getMessage()
    assert "villefranche" in said
    assert table.host not in said and table.id not in said and NAME not in said


def test_a_log_that_cannot_be_replayed_is_no_newer_one(
    api: Api, ledger: Ledger, redis_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An exception in the rules and an entry that is not JSON are each `unreadable-log`, logged with the game and the
    hash of the entry. The control: without the fault, the table can be read.
    """
    table, damaged = api.open(["r b1c1"]), api.open()
    ledger.append(damaged.id, 1, "x", [b'{"type": "played", "at'], "")
    entries = ledger.read(table.id)
    with monkeypatch.context() as fault:
        broken = replace(rules.GAMES["villefranche"], apply=fails)
        fault.setattr(rules, "GAMES", MappingProxyType({**rules.GAMES, "villefranche": broken}))
        other = Api(application(redis_url))
        for path in ("", "/log", "/score"):
            response = other.get(table.path + path, key=table.host)
            problem_of(response, "unreadable-log")
            assert int(response.headers["Retry-After"]) > 0
        said = [record.getMessage() for record in caplog.records]
        assert len(said) == 3
        assert all("KeyError" in each and "villefranche" in each for each in said)
        assert all(sha256(entries[1][1]).hexdigest() in each for each in said)
        assert not [each for each in said if NAME in each or table.id in each]
    problem_of(api.get(damaged.path, key=damaged.host), "unreadable-log")
    assert Api(application(redis_url)).get(table.path, key=table.host).status_code == 200
