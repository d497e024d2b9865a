"""The worst requests to each operation of the contract: bodies that are made to take much work, and its count.

Work is counted in function calls, of Python's own too: like a time, but the same each time. `CASES` has the requests
of every operation; what only one game has, such as the largest map, is in ``tests/rules/<game>/heavy.py``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from cProfile import Profile
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, TypeAlias
from unittest.mock import patch
from urllib.parse import urlencode

import orjson
from flask import Flask, request, request_started
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from rules.caches import thaw
from rules.forms import UNKNOWN
from rules.steps import Effort
from service import schemas
from service.http.request import BULK, SMALL
from service.rulings.game_info import rule_list
from service.rulings.rule_search import look_up
from service.runtime.budget import EFFORT
from service.schemas.game_schemas import MAX_MOVES, MAX_NOTATION
from tests.rules.partial import Path as Place
from tests.rules.partial import places, with_
from tests.rules.play import AnyGame, some_game
from tests.support.api import V1
from tests.support.json_forms import members_of
from tests.support.tables import long_export

Json: TypeAlias = dict[str, Any]
Drawing: TypeAlias = Callable[[st.DataObject, AnyGame, float], Json]
"""(source of choices, game, part of the largest body) -> a body."""


# --- bodies ------------------------------------------------------------------------------------------------------


@cache
def heavy(game_id: str) -> Sequence[Json]:
    """Starts of a game that take as much work as its bounds allow, if it has a module `heavy`."""
    there = Path(__file__).parents[1] / "rules" / game_id / "heavy.py"
    return tuple(import_module(f"tests.rules.{game_id}.heavy").starts()) if there.exists() else ()


def plain(value: Any) -> Any:
    """A form of a game as a client sends it."""
    return orjson.loads(orjson.dumps(schemas.plain(value)))


def shorten(body: Json, most: int = BULK) -> Json:
    """Cut the moves of a body until it has at most `most` bytes."""
    while body["moves"] and len(orjson.dumps(body)) > most:
        body["moves"] = body["moves"][: len(body["moves"]) * 9 // 10]
    return body


def many_moves(data: st.DataObject, game: AnyGame, part: float, most: int = BULK) -> Json:
    """The moves of a game, as played or repeated, perhaps each to stand whatever the rules say."""
    chance = Random(data.draw(st.integers(0, 99), "game"))
    played = some_game(game, chance)
    moves = [move for _, move in played.steps if move is not None]
    first, last = data.draw(st.tuples(st.integers(0, 20), st.integers(1, len(moves))), "from, so many")
    form = data.draw(st.sampled_from(("notation", "object", "stands", "object that stands")), "form")
    written = [plain(move) if "object" in form else game.write(move) for move in moves[first : first + last] or moves]
    again = data.draw(st.sampled_from((1, 500, 800, 1_000, 5_000)), "moves")
    listed = list(islice(cycle(written), len(moves) if again == 1 else again))
    if "stands" in form:
        listed = [{"move": move, "stands": True} for move in listed]
    return shorten({"setup": plain(played.form), "moves": listed}, int(most * part))


def grow(value: Any, schema: Any, part: float) -> Any:
    """JSON in which each list repeats its items up to `part` of the number that the schema allows."""
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        other = schema.get("additionalProperties") or {}
        return {name: grow(each, inner.get(name, other), part) for name, each in value.items()}
    if isinstance(value, list) and value:
        items = [grow(each, schema.get("items", {}), part) for each in value]
        return list(islice(cycle(items), max(len(items), int(part * schema.get("maxItems", 0)))))
    return value


def position(data: st.DataObject, game: AnyGame, part: float) -> Json:
    """A position of a game, as it was, or grown to the bounds."""
    chance = Random(data.draw(st.integers(0, 99), "position"))
    played = some_game(game, chance)
    there = plain(game.position(played.some_state(chance)))
    if data.draw(st.booleans(), "grown"):
        there = grow(there, thaw(schemas.json_schemas(game.id))["position"], part)
    return {"setup": plain(played.form), "position": there}


def in_part(data: st.DataObject, game: AnyGame, _part: float) -> Json:
    """A position with many unknown cells and facts, perhaps an unknown rest, and cells far from each other."""
    chance = Random(data.draw(st.integers(0, 99), "position"))
    played = some_game(game, chance)
    there = plain(game.position(played.some_state(chance)))
    part = data.draw(st.sampled_from((0.1, 0.5, 1.0)), "unknown")
    chosen: list[Place] = []
    for place in places(game.position_form, there):
        if chance.random() < part and not any(place[: len(each)] == each for each in chosen):
            chosen.append(place)
    there = with_(there, dict.fromkeys(chosen, UNKNOWN))
    if "rest" in members_of(game.position_form) and data.draw(st.booleans(), "rest"):
        there["rest"] = "unknown"
    return {"setup": plain(played.form), "position": apart(there, data.draw(st.sampled_from((1, 3, 10)), "apart"))}


def apart(value: Any, times: int) -> Any:
    """JSON in which cells of a board without an edge are `times` as far from each other."""
    if isinstance(value, dict):
        return {name: apart(each, times) for name, each in value.items()}
    if isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value):
        return [each * times for each in value]
    return [apart(each, times) for each in value] if isinstance(value, list) else value


def junk(data: st.DataObject, game: AnyGame, part: float, most: int = BULK) -> Json:
    """Bodies that no client sends: names and values without end."""
    size = int(most * part)
    notation = made_move(game) * MAX_NOTATION
    return data.draw(
        st.sampled_from(
            (
                {f"{number}": 1 for number in range(size // 12)},
                {"moves": [1] * min(size // 2 - 10, 90_000)},
                {"moves": [notation[:MAX_NOTATION]] * (size // MAX_NOTATION)},
                {"moves": [{f"{number}": 1 for number in range(size // 12)}]},
                {"move": "(" * (size - 20), "setup": {"readings": {f"{number}": "" for number in range(20)}}},
                {"setup": {"readings": {f"{number}": "" for number in range(size // 12)}}},
                {"setup": {"players": [{"name": "\u0344" * 80}] * (size // 200)}},
                {"moves": [nest(18)] * (size // 37), "setup": {}},
                {"moves": [[]] * (size // 3), "setup": {}},
                {"moves": nest(200), "setup": {}},
                {"position": {"tiles": [[]] * (size // 4), "cells": {f"{n}": [] for n in range(size // 14)}}},
            )
        ),
        "junk",
    )


def nest(levels: int) -> Any:
    """Lists nested so many levels deep."""
    inner: list[Any] = []
    for _ in range(levels - 1):
        inner = [inner]
    return inner


def start(data: st.DataObject, game: AnyGame, part: float) -> Json:
    """The start of a question without a table."""
    ways: list[Drawing] = [many_moves, position, junk]
    if heavy(game.id):
        ways.append(lambda data, game, _part: data.draw(st.sampled_from(heavy(game.id)), "heavy"))
    return data.draw(st.sampled_from(ways), "way")(data, game, part)


# --- operations --------------------------------------------------------------------------------------------------


@dataclass
class PreparedRequest:
    """A request, ready to be sent."""

    method: str
    path: str
    body: Json | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


def ruling(data: st.DataObject, game: AnyGame, part: float) -> Json:
    """A start, and a move of some game of the same kind: legal there or not."""
    chance = Random(data.draw(st.integers(0, 999), "move"))
    moves = [move for _, move in some_game(game, chance).steps if move is not None]
    return start(data, game, part) | {"move": game.write(chance.choice(moves)), "explain": data.draw(st.booleans())}


def ruling_in_part(data: st.DataObject, game: AnyGame, part: float) -> Json:
    """A position with many unknowns, and a move of a game of the same kind."""
    moves = [move for _, move in some_game(game, Random(data.draw(st.integers(0, 999), "move"))).steps if move]
    return in_part(data, game, part) | {"move": game.write(data.draw(st.sampled_from(moves), "which")), "anyway": True}


def listing(data: st.DataObject, game: AnyGame, part: float) -> Json:
    """A start of which one legal move is listed, or up to 5,000."""
    return start(data, game, part) | {"limit": data.draw(st.sampled_from((1, 5_000)), "limit")}


def opening(data: st.DataObject, game: AnyGame, part: float) -> Json:
    """A table with many moves."""
    way = data.draw(st.sampled_from((many_moves, junk)), "way")
    return way(data, game, part) | {"game": game.id}


def importing(data: st.DataObject, game: AnyGame, part: float) -> Json:
    """The export of a long table, or of one whose last entry is broken."""
    sent: Json = long_export(game.id, int(MAX_MOVES * part))
    if data.draw(st.booleans(), "broken"):
        sent["entries"].append({"type": "rewound"})
    return sent


class Client:
    """Sends requests to an application, and counts what each of them costs."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.http: FlaskClient = app.test_client()

    def send(self, asked: PreparedRequest) -> TestResponse:
        """Send a request."""
        data = None if asked.body is None else orjson.dumps(asked.body)
        return self.http.open(
            asked.path, method=asked.method, data=data, headers=asked.headers, content_type="application/json"
        )

    @contextmanager
    def efforts(self) -> Iterator[list[Effort]]:
        """Collect the effort of each request that is sent here."""
        spent: list[Effort] = []

        def note(*_: object, **__: object) -> None:
            spent.append(request.environ[EFFORT])

        with request_started.connected_to(note, self.app):
            yield spent

    def open_table(self, body: Json) -> tuple[str, dict[str, str]]:
        """Open a table; returns its address, and headers with the host's key and the version."""
        made: Any = self.send(PreparedRequest("POST", f"{V1}/tables", body)).json
        if "keys" not in made:
            made = self.send(
                PreparedRequest("POST", f"{V1}/tables", {name: body[name] for name in ("game", "setup")})
            ).json
        headers = {"Authorization": f"Bearer {made['keys']['host']}", "If-Match": f'"{made["version"]}"'}
        return f"{V1}/tables/{made['id']}", headers


Case: TypeAlias = Callable[[Client, st.DataObject, AnyGame, float], PreparedRequest]


def of_game(path: str, made: Drawing, **headers: str) -> Case:
    """An operation that asks a game without a table."""
    return lambda _client, data, game, part: PreparedRequest(
        "POST", f"{V1}/games/{game.id}/{path}", made(data, game, part), headers
    )


def naming(_data: st.DataObject, game: AnyGame, _part: float) -> Json:
    """The longest name for every player."""
    return {"names": dict.fromkeys(game.seats, "M" * 40)}


def batch(data: st.DataObject, game: AnyGame, part: float) -> Json:
    """A hundred questions at once: the same dear one, or junk."""
    one = data.draw(st.sampled_from((ruling, ruling_in_part, junk)), "question")(data, game, part / 4)
    return {"rulings": [one] * 100}


def searching(_client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """A search for words that are in many lines, or for no words."""
    words = data.draw(
        st.sampled_from(
            ("a b c d e f g h i j k l", "the a and of on it no is to in own not", "la de un les et on", "x" * 100)
        ),
        "q",
    )
    look_up(game.id, "x", "en")  # a worker reads the texts of a game once
    return PreparedRequest("GET", f"{V1}/games/{game.id}/search?{urlencode({'q': words})}")


def at_table(method: str, path: str = "", made: Drawing | None = None, **headers: str) -> Case:
    """An operation at a table of many moves."""

    def case(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
        body = None if made is None else made(data, game, part)
        there, own = client.open_table(many_moves(data, game, min(part, 0.1)) | {"game": game.id})
        return PreparedRequest(method, there + path, body, own | headers)

    return case


def by_view(path: str) -> Case:
    """A public view of a table of many moves."""

    def case(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
        there, own = client.open_table(many_moves(data, game, min(part, 0.1)) | {"game": game.id})
        made: Any = client.send(PreparedRequest("POST", f"{there}/views", {"label": "Club"}, own)).json
        return PreparedRequest("GET", f"{V1}/views/{made['id']}{path}")

    return case


def place_request(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """A position, or its picture."""
    accept = data.draw(st.sampled_from(("application/json", "image/svg+xml")), "form")
    return of_game("positions", start, Accept=accept)(client, data, game, part)


def playing(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """Many moves at once, from the beginning of a game on."""
    made = many_moves(data, game, part, data.draw(st.sampled_from((SMALL, BULK)), "size"))
    there, own = client.open_table({"game": game.id, "setup": made.pop("setup")})
    last_only = data.draw(st.booleans(), "last only")
    return PreparedRequest("POST", f"{there}/moves", made | {"last_only": last_only}, own)


def too_late(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """A move for the first version of a table of many moves."""
    there, own = client.open_table(many_moves(data, game, min(part, 0.1)) | {"game": game.id})
    return PreparedRequest("POST", f"{there}/moves", {"move": made_move(game)}, own | {"If-Match": '"1"'})


def entering(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """A position entered at a table of many moves: one of some game, as it was or grown."""
    made = many_moves(data, game, min(part, 0.1))
    there = position(data, game, part)
    table, own = client.open_table(made | {"game": game.id})
    body = {"position": there["position"], "dry_run": data.draw(st.booleans(), "dry run")}
    return PreparedRequest("PUT", f"{table}/position", body, own)


def asking(_data: st.DataObject, game: AnyGame, _part: float) -> Json:
    """A move, and a question about every rule that does not object."""
    return {"move": made_move(game), "explain": True}


def rolling(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """At a table of many moves: the dice of a camp for a move, or six dice."""
    there, own = client.open_table(many_moves(data, game, min(part, 0.1)) | {"game": game.id})
    battle = {"for": "battle", "move": made_move(game), "camp": "attack"}
    dice: dict[str, Any] = {"for": "dice", "dice": 6}
    body = data.draw(st.sampled_from((battle, dice)), "body")
    return PreparedRequest("POST", f"{there}/rolls", body, own)


def disputing(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """A dispute about the first move of many."""
    rule_list(game, "en")  # a worker reads the rules of a game once
    there, own = client.open_table(many_moves(data, game, min(part, 0.1)) | {"game": game.id})
    return PreparedRequest("POST", f"{there}/disputes", {"about": {"entry": 2}, "question": "?" * 300}, own)


def amending(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """Delete the first move of many, or insert many before it."""
    there, own = client.open_table(many_moves(data, game, min(part, 0.1)) | {"game": game.id})
    late = many_moves(data, game, part, SMALL // 2)["moves"]
    what = data.draw(st.sampled_from(({"delete": {"entry": 2}}, {"insert": {"after": 1, "moves": late}})), "change")
    misfits = data.draw(st.sampled_from(("leave_out", "stop", "stand")), "misfits")
    body = what | {"misfits": misfits, "dry_run": data.draw(st.booleans(), "dry run")}
    return PreparedRequest("POST", f"{there}/amend", body, own)


def disputing_no_move(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """A dispute about another entry: it undid many moves, changed readings, or deleted the first of many."""
    asked = disputing(client, data, game, part)
    there, own = asked.path.removesuffix("/disputes"), dict(asked.headers)
    other = {one.key: next(value for value in one.values if value != one.default) for one in game.readings}
    deeds: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("POST", "/rewind", {"to": 1}),
        ("PUT", "/readings", {"readings": other}),
        ("POST", "/amend", {"delete": {"entry": 2}}),
    )
    method, path, body = data.draw(st.sampled_from(deeds), "deed")
    number = int(own["If-Match"].strip('"')) + 1
    done = client.send(PreparedRequest(method, there + path, body, own))
    about = {"entry": number if done.status_code < 300 else 1}
    own |= {"If-Match": done.headers.get("ETag", own["If-Match"])}
    return PreparedRequest("POST", asked.path, {"about": about, "question": "?"}, own)


def dispute(method: str, path: str, body: Json | None = None, raised: Case = disputing) -> Case:
    """A request about such a dispute."""

    def case(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
        asked = raised(client, data, game, part)
        number = client.send(asked).headers.get("ETag", asked.headers["If-Match"])
        return PreparedRequest(method, asked.path + path, body, dict(asked.headers) | {"If-Match": number})

    return case


def adjusting(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """Settle such a dispute by a position of some game, as it was or grown."""
    body = {"remedy": "adjust", "text": "!" * 300, "position": position(data, game, part)["position"]}
    return dispute("POST", "/1/settlement", body)(client, data, game, part)


def made_move(game: AnyGame) -> str:
    """Some move."""
    return game.write(next(move for _, move in some_game(game, Random(1)).steps if move is not None))


def in_group(client: Client, part: float) -> tuple[str, Mapping[str, str]]:
    """Found a group with many results; returns its address and the header that opens it."""
    made: Any = client.send(PreparedRequest("POST", f"{V1}/groups", {"name": "Club"})).json
    there, own = f"{V1}/groups/{made['id']}", {"Authorization": f"Bearer {made['key']}"}
    client.send(PreparedRequest("POST", f"{there}/results", results(part), own))
    return there, own


def results(part: float) -> Json:
    """As many results, each of twelve players, as fit into `part` of the largest body."""
    players = [{"name": f"{n}", "points": n, "won": n > 8} for n in range(12)]
    one = {"game": "Go", "day": "2026-11-22", "players": players}
    return {"results": [one] * int(BULK * part / len(orjson.dumps(one)))}


def keeping(client: Client, data: st.DataObject, game: AnyGame, part: float) -> PreparedRequest:
    """Many results, or malformed ones."""
    there, own = in_group(client, part / 2)
    body = data.draw(st.sampled_from((results(part), {"results": [{}] * 2_000}, junk(data, game, part))), "body")
    return PreparedRequest("POST", f"{there}/results", body, own)


def reading(client: Client, _data: st.DataObject, _game: AnyGame, part: float) -> PreparedRequest:
    """Read a group of many results."""
    there, own = in_group(client, part)
    return PreparedRequest("GET", there, None, own)


CASES: Mapping[str, Sequence[Case]] = {
    "rule": (of_game("rulings", ruling), of_game("rulings", ruling_in_part)),
    "ruleBatch": (of_game("rulings/batch", batch),),
    "findLegalMoves": (of_game("legal-moves", listing),),
    "score": (of_game("scores", start), of_game("scores", in_part)),
    "place": (place_request,),
    "searchRules": (searching,),
    "openTable": (
        lambda _client, data, game, part: PreparedRequest("POST", f"{V1}/tables", opening(data, game, part)),
        lambda _client, data, game, part: PreparedRequest("POST", f"{V1}/tables", importing(data, game, part)),
    ),
    "play": (playing, too_late),
    "rewind": (at_table("POST", "/rewind", lambda data, game, part: junk(data, game, part, SMALL)),),
    "readReadings": (at_table("GET", "/readings"),),
    "setReadings": (at_table("PUT", "/readings", lambda data, game, part: junk(data, game, part, SMALL)),),
    "amend": (amending,),
    "enterPosition": (entering,),
    "ruleAtTable": (at_table("POST", "/rulings", asking),),
    "roll": (rolling, at_table("POST", "/rolls", lambda data, game, part: junk(data, game, part, SMALL))),
    "raiseDispute": (disputing, disputing_no_move),
    "renamePlayers": (at_table("PATCH", "", naming),),
    "readPosition": (at_table("GET", "/position"), at_table("GET", "/position?version=2")),
    "listDisputes": (dispute("GET", ""),),
    "readDispute": (dispute("GET", "/1"), dispute("GET", "/1", raised=disputing_no_move)),
    "confirmRemedy": (dispute("POST", "/1/confirmation", {"remedy": "replay"}),),
    "settleDispute": (dispute("POST", "/1/settlement", {"remedy": "replay"}), adjusting),
    "readTable": (at_table("GET"),),
    "exportTable": tuple(at_table("GET", f"/export?format={form}") for form in ("json", "text", "csv", "svg", "png")),
    "readLog": (at_table("GET", "/log?limit=500"),),
    "readEvents": (at_table("GET", "/events?after=0"),),
    "readScore": (at_table("GET", "/score"),),
    "readLegalMoves": (at_table("GET", "/legal-moves?limit=5000"),),
    "listKeys": (at_table("GET", "/keys"),),
    "makeKey": (at_table("POST", "/keys", lambda data, game, part: junk(data, game, part, SMALL)),),
    "renewKey": (at_table("POST", "/keys/watch/renewal", lambda data, game, part: junk(data, game, part, SMALL)),),
    "revokeKey": (at_table("DELETE", "/keys/watch"),),
    "makeJoinCode": (at_table("POST", "/join-codes", lambda data, game, part: junk(data, game, part, SMALL)),),
    "join": (lambda _client, data, game, part: PreparedRequest("POST", f"{V1}/join", junk(data, game, part, SMALL)),),
    "listViews": (at_table("GET", "/views"),),
    "makeView": (at_table("POST", "/views", lambda data, game, part: junk(data, game, part, SMALL)),),
    "revokeView": (at_table("DELETE", "/views/1"),),
    "readView": (by_view(""),),
    "readViewScore": (by_view("/score.json"),),
    "readViewScoreText": (by_view("/score.txt"),),
    "readViewEvents": (by_view("/events?after=0"),),
    "deleteTable": (at_table("DELETE"),),
    "foundGroup": (
        lambda _client, data, game, part: PreparedRequest("POST", f"{V1}/groups", junk(data, game, part, SMALL)),
    ),
    "readGroup": (reading,),
    "keepResults": (keeping,),
}
"""Operation -> the worst requests to it that are known."""


# --- work --------------------------------------------------------------------------------------------------------


WITHOUT_STEPS = 250_000
"""Calls that any request may make, however few steps it counts; drawing the largest map takes most of them."""
CALLS_A_STEP = 30


def calls(do: Callable[[], object]) -> int:
    """The number of function calls, of Python's own too."""
    return sum(spans(do))


def spans(do: Callable[[], object]) -> list[int]:
    """The number of function calls, of Python's own too, before each pause for other requests, and after the last."""
    made: list[int] = []
    profiler, sleep = Profile(subcalls=False), time.sleep  # no callers are recorded

    def note() -> None:
        profiler.disable()
        made.append(sum(entry.callcount for entry in profiler.getstats()))
        profiler.clear()

    def rest(seconds: float) -> None:
        note()
        sleep(seconds)
        profiler.enable()

    with patch.object(time, "sleep", rest):  # where a request yields to others
        profiler.enable()
        try:
            do()
        finally:
            note()
    return made


def looking(examples: int) -> settings:
    """The settings of a search for the worst of so many bodies: it aims at more work, and stores nothing."""
    return settings(
        max_examples=examples,
        deadline=None,
        phases=[Phase.generate, Phase.target],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
