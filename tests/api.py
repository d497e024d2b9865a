"""A client of the API for tests, which holds every answer to the contract."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import yaml
from flask import Flask
from openapi_core import Config, OpenAPI
from openapi_core.contrib.werkzeug.requests import WerkzeugOpenAPIRequest
from openapi_core.contrib.werkzeug.responses import WerkzeugOpenAPIResponse
from werkzeug.test import TestResponse
from werkzeug.wrappers import Request

from service import contract
from service.app import create_app
from service.config import Settings

V1 = "/api/v1"
RULINGS = f"{V1}/games/villefranche/rulings"
UNLISTED = {405, 429, 500}
"""What any operation may answer without its being listed there."""


def application(redis_url: str) -> Flask:
    """The application on a Redis, which lets through what nobody has expected."""
    app = create_app(Settings.of({"REDIS_URL": redis_url, "BASTIDE_HOSTS": "localhost"}))
    app.testing = True
    return app


class Sent(WerkzeugOpenAPIRequest):
    """A request, with the body that was sent: the application has read it."""

    def __init__(self, request: Request, body: bytes) -> None:
        super().__init__(request)
        self.sent = body

    @property
    def body(self) -> bytes:
        """The body."""
        return self.sent


class Contract:
    """The contract, as something that answers are held to."""

    def __init__(self) -> None:
        deserializers: dict[str, Callable[[bytes], Any]] = {
            "application/problem+json": orjson.loads,
            "application/yaml": yaml.safe_load,
            "image/svg+xml": bytes.decode,
        }
        self.openapi = OpenAPI.from_dict(
            contract.description(), config=Config(extra_media_type_deserializers=deserializers)
        )
        self.paths = contract.description()["paths"]

    def operations(self) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """Method, path and operation, of all operations."""
        for path, item in self.paths.items():
            for method, operation in item.items():
                if method in ("get", "post", "put", "patch", "delete"):
                    yield method.upper(), path, operation

    def operation(self, method: str, path: str) -> Mapping[str, Any] | None:
        """The operation that a request calls."""
        for other, template, operation in self.operations():
            if other == method and re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", template), path):
                return operation
        return None

    def hold(self, response: TestResponse, body: bytes = b"") -> None:
        """Fail unless the answer is one that the contract describes, and, where it is no problem, the request too.

        An address that is not in the contract is none of its business.
        """
        operation = self.operation(response.request.method, response.request.path)
        if operation is None or response.status_code in UNLISTED:
            return
        assert str(response.status_code) in operation["responses"], f"{response.status}: not listed"
        asked = Sent(response.request, body)
        self.openapi.validate_response(asked, WerkzeugOpenAPIResponse(response))
        if response.status_code < 400:
            self.openapi.validate_request(asked)


_CONTRACT = Contract()


@dataclass(frozen=True)
class OpenTable:
    """A table and its keys, as a client has them."""

    id: str
    host: str
    seats: Mapping[str, str]
    watch: str

    @property
    def path(self) -> str:
        """Its address."""
        return f"{V1}/tables/{self.id}"


class Api:
    """Sends requests and holds what comes back to the contract."""

    contract = _CONTRACT

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.http = app.test_client()

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        version: int | str | None = None,
        idempotency_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
        content_type: str | None = "application/json",
    ) -> TestResponse:
        """Send a request; `body` goes as JSON, `raw` as it is."""
        sent = dict(headers or {})
        if key is not None:
            sent["Authorization"] = f"Bearer {key}"
        if version is not None:
            sent["If-Match"] = f'"{version}"' if isinstance(version, int) else version
        if idempotency_key is not None:
            sent["Idempotency-Key"] = idempotency_key
        data = raw if raw is not None else None if body is None else orjson.dumps(body)
        response = self.http.open(
            path, method=method, data=data, headers=sent, content_type=content_type if data is not None else None
        )
        self.contract.hold(response, data or b"")
        return response

    def get(self, path: str, **options: Any) -> TestResponse:
        """GET."""
        return self.send("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> TestResponse:
        """POST."""
        return self.send("POST", path, body, **options)

    def open(self, moves: Sequence[Any] = (), **setup: Any) -> OpenTable:
        """Open a table."""
        response = self.post(f"{V1}/tables", {"game": "villefranche", "setup": setup, "moves": list(moves)})
        assert response.status_code == 201, response.json
        made: Any = response.json
        return OpenTable(made["id"], made["keys"]["host"], made["keys"]["seats"], made["keys"]["watch"])

    def play(self, table: OpenTable, *moves: Any, version: int | str, **options: Any) -> TestResponse:
        """Play moves, with the host's key unless another is given."""
        body = {"move": moves[0]} if len(moves) == 1 else {"moves": list(moves)}
        return self.post(f"{table.path}/moves", body, version=version, **({"key": table.host} | options))

    def log(self, table: OpenTable) -> Any:
        """The whole log, as everybody at the table can read it."""
        return self.get(f"{table.path}/log?limit=500", key=table.host).json
