"""An API client for tests, which checks every answer against the contract."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

import orjson
import yaml
from flask import Flask
from jsonschema_rs import Draft202012, Draft202012Validator, Registry
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse
from werkzeug.wrappers import Request

from rules.caches import thaw
from service.app import create_app
from service.config import Settings
from service.http import openapi
from service.http.events import STREAM_SECONDS

V1 = "/api/v1"
RULINGS = f"{V1}/games/villefranche/rulings"
UNLISTED_ANSWERS = {405, 500}
"""Statuses that any operation may answer though the contract does not list them."""
READ: Mapping[str, Callable[[bytes], Any]] = {
    "application/json": orjson.loads,
    "application/problem+json": orjson.loads,
    "application/yaml": partial(yaml.load, Loader=yaml.CSafeLoader),  # safe, and quick
    "image/png": partial(str, encoding="latin-1"),
}
"""Media type -> how its body is read; any other is text."""


def application(redis_url: str, limits: str = "off", **environment: str) -> Flask:
    """The application on a Redis, which raises unexpected errors; `limits` as in ``BASTIDE_LIMITS``.

    Its streams end once they have sent all events.
    """
    fixed = {"REDIS_URL": redis_url, "BASTIDE_HOSTS": "localhost", "BASTIDE_LIMITS": limits}
    app = create_app(Settings.of(fixed | environment))
    app.config[STREAM_SECONDS] = 0
    app.testing = True
    return app


class Contract:
    """Checks requests and answers against a contract: that of today, or another one."""

    def __init__(self, description: openapi.OpenApi | None = None) -> None:
        self.description: dict[str, Any] = thaw(openapi.description() if description is None else description)
        self.registry = Registry([("urn:contract", self.description)], draft=Draft202012)
        self.validators: dict[str, Draft202012Validator] = {}

    def operations(self) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """Method, path and operation, of all operations."""
        for path, item in self.description["paths"].items():
            for method, operation in item.items():
                if method in ("get", "post", "put", "patch", "delete"):
                    yield method.upper(), path, operation

    def operation(self, method: str, path: str) -> tuple[str, Mapping[str, str]] | None:
        """The JSON pointer of the operation that a request calls, and its path parameters."""
        for other, template, _ in self.operations():
            parts = re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template), path) if other == method else None
            if parts:
                return f"/paths/{escape(template)}/{method.lower()}", parts.groupdict()
        return None

    def find(self, pointer: str) -> tuple[str, Any]:
        """The value at a JSON pointer, and the pointer to it after all ``$ref``: (pointer, value)."""
        found: Any = self.description
        for step in pointer.split("/")[1:]:
            found = found[int(step) if isinstance(found, list) else step.replace("~1", "/").replace("~0", "~")]
        if "$ref" in found:
            return self.find(found["$ref"].removeprefix("#"))
        return pointer, found

    def fits(self, value: Any, pointer: str) -> None:
        """Fail unless a value fits the schema at a pointer."""
        if pointer not in self.validators:
            schema = {"$ref": f"urn:contract#{quote(pointer)}"}
            self.validators[pointer] = Draft202012Validator(schema, registry=self.registry, validate_formats=True)
        self.validators[pointer].validate(value)

    def text_fits(self, text: str, pointer: str) -> None:
        """Fail unless the text of a header or a parameter fits the schema at a pointer."""
        whole = self.find(pointer)[1].get("type") == "integer"
        self.fits(int(text) if whole else text, pointer)

    def hold(self, response: TestResponse, body: bytes = b"") -> None:
        """Fail unless the contract describes the answer and, where that is no problem, the request.

        Ignores addresses that are not in the contract.
        """
        called = self.operation(response.request.method, response.request.path)
        if called is None or response.status_code in UNLISTED_ANSWERS:
            return
        pointer, parts = called
        assert str(response.status_code) in self.find(pointer)[1]["responses"], f"{response.status}: not listed"
        self.hold_answer(response, f"{pointer}/responses/{response.status_code}")
        if response.status_code < 400:
            self.hold_request(response.request, body, pointer, parts)

    def hold_answer(self, response: TestResponse, pointer: str) -> None:
        """Fail unless an answer has the headers, the media type and the body described at a pointer."""
        pointer, described = self.find(pointer)
        for name in described.get("headers", {}):
            place, header = self.find(f"{pointer}/headers/{escape(name)}")
            assert name in response.headers or not header.get("required"), f"no {name}"
            if name in response.headers:
                self.text_fits(response.headers[name], f"{place}/schema")
        if "content" not in described:
            assert response.data == b"", "a body where none is described"
            return
        media = str(response.mimetype)
        assert media in described["content"], f"{media}: not listed"
        self.fits(READ.get(media, bytes.decode)(response.data), f"{pointer}/content/{escape(media)}/schema")

    def hold_request(self, request: Request, body: bytes, pointer: str, parts: Mapping[str, str]) -> None:
        """Fail unless a request has the parameters, the key and the body described at a pointer."""
        operation = self.find(pointer)[1]
        sent: dict[str, Mapping[str, str] | Headers] = {"path": parts, "query": request.args, "header": request.headers}
        for holder in (pointer, pointer.rpartition("/")[0]):
            for number, _ in enumerate(self.find(holder)[1].get("parameters", ())):
                place, parameter = self.find(f"{holder}/parameters/{number}")
                value = sent[parameter["in"]].get(parameter["name"])
                assert value is not None or not parameter.get("required"), f"no {parameter['name']}"
                if value is not None:
                    self.text_fits(value, f"{place}/schema")
        if operation.get("security"):
            assert request.headers.get("Authorization", "").startswith("Bearer "), "no key"
        if "requestBody" in operation:
            place, described = self.find(f"{pointer}/requestBody")
            assert body or not described.get("required"), "no body"
            if body:
                media = request.mimetype
                assert media in described["content"], f"{media}: not listed"
                self.fits(orjson.loads(body), f"{place}/content/{escape(media)}/schema")


def escape(step: str) -> str:
    """Escape a step of a JSON pointer (RFC 6901)."""
    return step.replace("~", "~0").replace("/", "~1")


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
        """The table's address."""
        return f"{V1}/tables/{self.id}"


class Api:
    """Sends requests, and checks each answer against the contract."""

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
