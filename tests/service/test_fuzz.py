"""The contract tried by chance: whatever is sent, the answer is one that it describes, and never a fault of ours."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from service.ledger import Ledger
from tests.api import V1, Api

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
"""All but that valid data are accepted: a move of the right form may still be refused by the rules."""
OPERATIONS = {operation["operationId"]: (method, path) for method, path, operation in Api.contract.operations()}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_whatever_is_sent(operation: str, api: Api) -> None:
    """Each operation, with data that fit the contract and data that do not, at a table that there is."""
    schema = schemathesis.openapi.from_wsgi(f"{V1}/openapi.yaml", api.app)
    method, path = OPERATIONS[operation]
    made = schema[path][method]
    cases = st.one_of([made.as_strategy(generation_mode=mode) for mode in GenerationMode])
    tables = [api.open()]

    @settings(
        max_examples=25, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None
    )
    @given(case=cases)
    def send(case: Any) -> None:
        headers = {}
        if "{id}" in path:
            case.path_parameters["id"] = tables[-1].id
            headers["Authorization"] = f"Bearer {tables[-1].host}"
        response = case.call(headers=headers)
        if response.status_code == 400 and response.json()["type"] == "/problems/bad-request":
            return  # not well-formed HTTP: the server before us says so
        case.validate_response(response, checks=CHECKS, headers=headers)
        if response.status_code == 204:
            tables.append(api.open())

    send()


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


def damaged(body: bytes, chance: Random) -> bytes:
    """A body with a few bytes lost, doubled or replaced."""
    for _ in range(chance.randint(1, 4)):
        at, to = sorted(chance.randint(0, len(body)) for _ in range(2))
        middle = chance.choice(
            (b"", chance.choice(PIECES), body[at:to] * 2, chance.randbytes(2), chance.choice(BODIES))
        )
        body = body[:at] + middle + body[chance.choice((at, to)) :]
    return body


def test_damaged_bodies_are_refused_and_leave_the_log(api: Api, ledger: Ledger) -> None:
    """Whatever becomes of the bytes on their way, the answer is 201 or a problem of the client's, and what is refused
    is not in the log.
    """
    chance = Random(7)
    table = api.open()
    version, seen = 1, set()
    for _ in range(3_000):
        headers = {"Authorization": f"Bearer {table.host}", "If-Match": f'"{version}"'}
        body = damaged(chance.choice(BODIES), chance)
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
