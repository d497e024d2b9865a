"""Calls each operation of the contract as intended, and so that it answers with each of its statuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from werkzeug.test import EnvironBuilder, TestResponse, run_wsgi_app

from service.groups import groups
from service.http.current import LIMITER
from service.limits.rate_limits import LIMITS, Limiter
from service.referee import plans
from tests.support.api import V1, Api

CONTRACT = Api.contract
OPERATIONS = {operation["operationId"]: (method, path) for method, path, operation in CONTRACT.operations()}
BODIES: dict[str, Any] = {
    "rule": {"move": "r b1c1"},
    "ruleBatch": {"rulings": [{"move": "r b1c1"}, {"move": "h e4", "explain": True}]},
    "findLegalMoves": {"kind": "rampart"},
    "score": {"moves": ["r b1c1"]},
    "place": {"moves": ["r b1c1"]},
    "openTable": {"game": "villefranche"},
    "play": {"move": "r b1c1"},
    "rewind": {"to": 1},
    "renamePlayers": {"names": {"black": "Ada", "white": None}},
    "setReadings": {"readings": {"stuck": "turn_is_cut"}},
    "amend": {"insert": {"after": 1, "moves": ["r b1c1"]}},
    "enterPosition": {"position": {"cells": {}, "due": "white"}},
    "ruleAtTable": {"move": "r b1c1"},
    "makeKey": {"role": "watch"},
    "renewKey": {},
    "makeJoinCode": {"role": "watch"},
    "join": {"code": "AAAA-AAAA"},
    "makeView": {"label": "Club"},
    "roll": {"for": "dice", "dice": 2},
    "raiseDispute": {"about": {"move": "r b1c1"}, "question": "May one?"},
    "confirmRemedy": {"remedy": "no_change"},
    "settleDispute": {"remedy": "no_change"},
    "foundGroup": {"name": "Tuesday"},
    "keepResults": {"results": [{"game": "Go", "day": "2026-11-22", "players": [{"name": "Ada", "won": True}]}]},
}
ABOUT = ("raiseDispute", "confirmRemedy", "settleDispute")
WRITES = ("play", "renamePlayers", "rewind", "setReadings", "enterPosition", "amend", "roll", *ABOUT)
"""The operations that change a table."""
VERSION = 3
"""The version of a table with a dispute and a public view."""
OPENING_KEY = "key-of-an-opened-table"


class Provoker:
    """Makes each operation answer with each of its statuses."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.table = api.open()
        group: Any = api.post(f"{V1}/groups", {"name": "Tuesday"}).json
        self.group, self.group_key = group["id"], group["key"]
        dispute = {"about": {"move": "h e4"}, "question": "May one?"}
        assert api.post(f"{self.table.path}/disputes", dispute, key=self.table.host, version=1).status_code == 201
        view: Any = api.post(f"{self.table.path}/views", {"label": "Club"}, key=self.table.host).json
        self.view = view["id"]
        self.code = ""
        """The join code to send; if empty, a new one each time."""
        self.others: dict[int, Callable[[str], TestResponse]] = {
            304: self.ask_again,
            400: lambda operation: self.send(operation, raw=b"{"),
            401: lambda operation: self.send(operation, key=None),
            403: lambda operation: self.send(operation, key=self.table.watch),
            404: lambda operation: self.send(operation, names=("nope", "A" * 22)),
            406: lambda operation: self.send(operation, headers={"Accept": "image/webp"}),
            409: self.conflict,
            410: self.ask_deleted,
            411: self.without_length,
            412: lambda operation: self.send(operation, version=7),
            413: lambda operation: self.send(operation, raw=b" " * 1_100_000),
            415: lambda operation: self.send(operation, content_type="text/plain"),
            422: self.unknown_field,
            428: lambda operation: self.send(operation, version=None),
            429: self.too_often,
        }

    def provoke(self, operation: str, status: int) -> TestResponse:
        """Call an operation so that it answers with a status."""
        if status == 200 and operation == "amend":
            return self.send(operation, raw=b'{"insert": {"after": 1, "moves": ["r b1c1"]}, "dry_run": true}')
        return self.send(operation) if status < 300 else self.others[status](operation)

    def path(self, operation: str, names: tuple[str, str] | None = None) -> str:
        """The address of an operation, with names that exist or with the given ones."""
        there = {
            "game": "villefranche",
            "rule": "VF-22",
            "case": "VF-C1",
            "slug": "stale",
            "id": self.table.id,
            "group": self.group,
            "number": 1,
            "role": "watch",
            "key": "2",
            "view": self.view,
        }
        if names is not None:
            name, table = names
            there = {"game": name, "rule": name, "case": name, "slug": name, "id": table, "group": table, "number": 1}
            there |= {"view": f"{table}.{table}", "role": name, "key": name}
            if operation in ("readRule", "readCase"):
                there["game"] = "villefranche"
        return OPERATIONS[operation][1].format_map(there)

    def send(
        self, operation: str, *, names: tuple[str, str] | None = None, query: str = "", **other: Any
    ) -> TestResponse:
        """Call an operation as intended, but for the given options."""
        options: dict[str, Any] = {}
        if "{id}" in OPERATIONS[operation][1]:
            options["key"] = self.table.host
        if "{group}" in OPERATIONS[operation][1]:
            options["key"] = self.group_key
        if operation == "confirmRemedy":
            options["key"] = self.table.seats["black"]
        if operation in WRITES:
            options["version"] = VERSION
        if operation in ("listProblems", "readProblem"):
            options["headers"] = {"Accept": "application/json"}
        body = None if "raw" in other else BODIES.get(operation)
        if operation == "join" and names is None and body is not None:
            body = {"code": self.code or self.make_code()}
        if operation == "searchRules":
            query = f"{query or '?'}&q=rampart"
        return self.api.send(OPERATIONS[operation][0], self.path(operation, names) + query, body, **(options | other))

    def make_code(self) -> str:
        """A join code of the table; a wrong one where the API makes none."""
        made: Any = self.api.post(f"{self.table.path}/join-codes", BODIES["makeJoinCode"], key=self.table.host).json
        return str(made.get("code", BODIES["join"]["code"]))

    def unknown_field(self, operation: str) -> TestResponse:
        """Send an unknown field or, without a body, an unknown parameter."""
        if operation in BODIES:
            return self.send(operation, raw=b'{"game": "villefranche", "to": 1, "move": "r b1c1", "unknown": 1}')
        return self.send(operation, query="?unknown=1")

    def ask_deleted(self, operation: str) -> TestResponse:
        """Ask for a deleted table, a used code or a revoked view, or repeat the request that opened a deleted table."""
        if operation == "openTable":
            made: Any = self.send(operation, idempotency_key=OPENING_KEY).json
            key = made["keys"]["host"]
            assert self.api.send("DELETE", f"{V1}/tables/{made['id']}", key=key).status_code == 204
            return self.send(operation, idempotency_key=OPENING_KEY)
        if operation == "join":
            self.code = self.make_code()
            assert self.send(operation).status_code == 201
            return self.send(operation)
        if "{view}" in OPERATIONS[operation][1]:
            assert self.send("revokeView").status_code == 204
            return self.send(operation)
        assert self.send("deleteTable").status_code == 204
        return self.send(operation)

    def ask_again(self, operation: str) -> TestResponse:
        """Ask with the ETag that the client has."""
        tag = self.send(operation).headers["ETag"]
        return self.send(operation, headers={"If-None-Match": tag})

    def conflict(self, operation: str) -> TestResponse:
        """Ask for something impossible, or where there is no room."""
        if operation == "revokeKey":
            return self.api.send("DELETE", f"{self.table.path}/keys/1", key=self.table.host)
        if operation == "openTable":
            made: Any = self.send(operation, idempotency_key=OPENING_KEY).json
            ended = self.api.send("DELETE", f"{V1}/tables/{made['id']}/keys/watch", key=made["keys"]["host"])
            assert ended.status_code == 204
            return self.send(operation, idempotency_key=OPENING_KEY)
        if operation == "rewind":
            return self.api.post(f"{self.table.path}/rewind", {"to": 99}, key=self.table.host, version=VERSION)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(plans, "MAX_BYTES", 1)
            patch.setattr(groups, "MAX_BYTES", 1)
            return self.send(operation)

    def too_often(self, operation: str) -> TestResponse:
        """Send three requests at one moment, where each limit admits one."""
        once = [replace(limit, many=1) for limit in LIMITS]
        limiter = Limiter(self.api.app.extensions[LIMITER]._ledger, limits=once, now=lambda: 0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(self.api.app.extensions, LIMITER, limiter)
            self.send(operation)
            self.send(operation)
            return self.send(operation)

    def without_length(self, operation: str) -> TestResponse:
        """Send a request in chunks, without ``Content-Length``."""
        method, _ = OPERATIONS[operation]
        headers = {"Authorization": f"Bearer {self.table.host}", "Transfer-Encoding": "chunked"}
        builder = EnvironBuilder(self.path(operation), method=method, headers=headers.items())
        environ = builder.get_environ()
        environ.pop("CONTENT_LENGTH", None)
        body, status, answered = run_wsgi_app(self.api.app.wsgi_app, environ)
        response = TestResponse(body, status, answered, request=builder.get_request())
        CONTRACT.hold(response)
        return response
