"""Random requests: each response is one that the contract describes, and none is a server error."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import orjson
import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rules import GAMES
from rules.game import Game
from service import schemas
from service.storage.ledger import Ledger
from tests.rules.play import often, random_game, setup_of
from tests.support.api import V1, Api
from tests.support.damaged_json import at, shaken

OPERATIONS = {operation["operationId"]: (method, path) for method, path, operation in Api.contract.operations()}


@pytest.fixture(scope="module")
def schema(application: Flask) -> Any:
    """The contract as served."""
    from tests.service import conformance

    return conformance.contract_of(application)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_whatever_is_sent(operation: str, api: Api, schema: Any) -> None:
    """For each operation, requests that fit the contract and ones that do not, at an existing table."""
    from tests.service import conformance

    method, path = OPERATIONS[operation]
    made = schema[path][method]
    cases = st.one_of(conformance.requests(made))
    tables = [api.open()]
    group: Any = api.post(f"{V1}/groups", {"name": "Tuesday"}).json

    @settings(
        max_examples=often(25),
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(case=cases)
    def send(case: Any) -> None:
        headers = {"Accept-Encoding": "identity"}  # the client of these requests does not decode
        if "{id}" in path:
            case.path_parameters["id"] = tables[-1].id
            headers["Authorization"] = f"Bearer {tables[-1].host}"
        if "{group}" in path:
            case.path_parameters["group"] = group["id"]
            headers["Authorization"] = f"Bearer {group['key']}"
        response = case.call(headers=headers)
        if response.status_code == 400 and response.json()["type"] == "/problems/bad-request":
            return  # not well-formed HTTP: the server in front of us says so
        conformance.hold(case, response, headers)
        if response.status_code == 204:
            tables.append(api.open())

    send()


# --- each game's own bodies --------------------------------------------------------------------------------------


def bodies(game: Game[Any, Any], chance: Random) -> Iterator[dict[str, Any]]:
    """Setups, positions and moves from random games, one of the three damaged."""
    form = setup_of(game, chance)
    played = [(state, move) for state, move in random_game(game, chance, form) if move is not None]
    for _ in range(often(50)):
        state, move = chance.choice(played)
        there = {"setup": form, "position": game.position(state), "move": move}
        body = orjson.loads(orjson.dumps({name: schemas.plain(value) for name, value in there.items()}))
        name = chance.choice(("setup", "position", "position", "move"))
        yield body | {name: shaken(body[name], chance)}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_shaken_bodies_of_each_game(game: Game[Any, Any], api: Api) -> None:
    """A damaged setup, position or move is handled, or refused as the contract says: with a pointer to an existing
    place, and no sentence with a gap.
    """
    chance, seen = Random(5), set()
    for body in (body for _ in range(2) for body in bodies(game, chance)):
        start = {name: body[name] for name in ("setup", "position")}
        for path, sent in (("rulings", body), ("legal-moves", start), ("scores", start), ("positions", start)):
            language = {"Accept-Language": chance.choice(("en", "fr"))}
            response = api.post(f"{V1}/games/{game.id}/{path}", sent, headers=language)
            seen.add((path, response.status_code))
            assert response.status_code in (200, 422), (path, sent)
            assert "…" not in response.get_data(as_text=True), (path, sent)
            answer: Any = response.json
            for error in answer.get("errors", ()):
                steps = error["pointer"].split("/")[1:-1]
                at(sent, tuple(int(step) if step.isdigit() else step for step in steps))
    assert seen == set(product(("rulings", "legal-moves", "scores", "positions"), (200, 422)))


# --- bytes -------------------------------------------------------------------------------------------------------

BODIES = (
    b'{"move": "r b1c1"}',
    b'{"move": {"kind": "rampart", "cells": ["b9", "c9"]}, "stands": true}',
    b'{"moves": ["r b1c1", {"move": "h e4", "stands": true}, {"kind": "house", "cell": "e6"}]}',
)
PIECES = (
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"true",
    b"1e9",
    b"-1",
    b"\x00",
    b"\xff",
    b"\\u0000",
    b"\xc3\xa9",
)


def damage(body: bytes, chance: Random) -> bytes:
    """A body with a few bytes lost, doubled or replaced."""
    for _ in range(chance.randint(1, 4)):
        at, to = sorted(chance.randint(0, len(body)) for _ in range(2))
        middle = chance.choice(
            (b"", chance.choice(PIECES), body[at:to] * 2, chance.randbytes(2), chance.choice(BODIES))
        )
        body = body[:at] + middle + body[chance.choice((at, to)) :]
    return body


def test_damaged_bodies_are_refused_and_leave_the_log(api: Api, ledger: Ledger) -> None:
    """A damaged body gets 201 or a 4xx problem, and a refused one writes nothing."""
    chance = Random(7)
    table = api.open()
    version, seen = 1, set()
    for _ in range(often(3_000)):
        headers = {"Authorization": f"Bearer {table.host}", "If-Match": f'"{version}"'}
        body = damage(chance.choice(BODIES), chance)
        response = api.http.post(f"{table.path}/moves", data=body, headers=headers, content_type="application/json")
        seen.add(response.status_code)
        length = len(ledger.read(table.id))
        if response.status_code == 201:
            made: Any = response.json
            version = made["version"]
            table, version = (api.open(), 1) if version > 20 else (table, version)
        else:
            assert response.status_code in (400, 411, 413, 422), (body, response.get_data())
            assert length == version, body
    assert seen >= {201, 400, 422}
