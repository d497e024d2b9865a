"""The contract holds: its routes are ours, its shapes are those of the rules, and it tells every status there is."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import brotli  # type: ignore[import-untyped]  # it has no types
import pytest
import yaml
from jsonschema_rs import ValidationError
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, TestResponse, run_wsgi_app

import rules
from service.groups import groups
from service.http import openapi
from service.http.current import LIMITER
from service.http.problems import PROBLEMS
from service.limits.rate_limits import LIMITS, Limiter
from service.referee import plans
from tests.support.api import V1, Api, OpenTable, application
from tests.support.redis_server import RedisServer

CONTRACT = Api.contract
OPERATIONS = {operation["operationId"]: (method, path) for method, path, operation in CONTRACT.operations()}
LISTED = [
    (operation["operationId"], int(status))
    for _, _, operation in CONTRACT.operations()
    for status in operation["responses"]
    if status != "default"
]
BODIES: dict[str, Any] = {
    "rule": {"move": "r b1c1"},
    "findLegalMoves": {"kind": "rampart"},
    "score": {"moves": ["r b1c1"]},
    "place": {"moves": ["r b1c1"]},
    "openTable": {"game": "villefranche"},
    "play": {"move": "r b1c1"},
    "rewind": {"to": 1},
    "setReadings": {"readings": {"stuck": "turn_is_cut"}},
    "amend": {"insert": {"after": 1, "moves": ["r b1c1"]}},
    "enterPosition": {"position": {"cells": {}, "due": "white"}},
    "ruleAtTable": {"move": "r b1c1"},
    "roll": {"for": "dice", "dice": 2},
    "raiseDispute": {"about": {"move": "r b1c1"}, "question": "May one?"},
    "confirmRemedy": {"remedy": "no_change"},
    "settleDispute": {"remedy": "no_change"},
    "foundGroup": {"name": "Tuesday"},
    "keepResults": {"results": [{"game": "Go", "day": "2026-11-22", "players": [{"name": "Ada", "won": True}]}]},
}
ABOUT = ("raiseDispute", "confirmRemedy", "settleDispute")
WRITES = ("play", "rewind", "setReadings", "enterPosition", "amend", "roll", *ABOUT)
"""The operations that change a table."""
VERSION = 2
"""Of a table at which something has been disputed."""


def test_the_contract_is_valid_openapi() -> None:
    """The file is OpenAPI 3.1."""
    from openapi_spec_validator import validate  # slow to import, and in every process

    validate(openapi.description())


def test_the_routes_are_the_paths_of_the_contract(api: Api) -> None:
    """Lock 1: every route of the API is in the contract, and the contract has no other."""
    ours = {
        (method, re.sub(r"<[^>]+>", "{}", rule.rule))
        for rule in api.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.endpoint.startswith(("api.", "docs.", "health.")) and not rule.endpoint.endswith(".static")
    }
    theirs = {(method, re.sub(r"\{[^}]+\}", "{}", path)) for method, path, _ in CONTRACT.operations()}
    assert ours == theirs


def test_the_endpoints_are_the_operations_of_the_contract(api: Api) -> None:
    """Every view has the name of its `operationId`, as Python writes names."""
    ours = {
        rule.endpoint.partition(".")[2]: re.sub(r"<[^>]+>", "{}", rule.rule)
        for rule in api.app.url_map.iter_rules()
        if rule.endpoint.startswith(("api.", "docs.", "health.")) and not rule.endpoint.endswith(".static")
    }
    assert ours == {
        re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", name): re.sub(r"\{[^}]+\}", "{}", path)
        for name, (_, path) in OPERATIONS.items()
    }


def test_the_shapes_are_those_of_the_rules() -> None:
    """Lock 2: the generated part of the contract is what the rules' annotations make."""
    components = openapi.description()["components"]["schemas"]
    generated = yaml.safe_load(yaml.safe_dump(openapi.generated_components()))
    assert {name: components.get(name) for name in generated} == generated
    assert openapi.expected_text() == openapi.text(), "write it anew with: python -m service.http.openapi"


def test_every_shape_of_the_contract_is_used() -> None:
    """Nothing is described that no answer has."""
    text = openapi.text()
    unused = [name for name in openapi.description()["components"]["schemas"] if f"/schemas/{name}" not in text]
    assert not unused


class Provoker:
    """Brings each operation to each of its statuses."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.table = api.open()
        group: Any = api.post(f"{V1}/groups", {"name": "Tuesday"}).json
        self.group, self.group_key = group["id"], group["key"]
        dispute = {"about": {"move": "h e4"}, "question": "May one?"}
        assert api.post(f"{self.table.path}/disputes", dispute, key=self.table.host, version=1).status_code == 201
        self.others: dict[int, Callable[[str], TestResponse]] = {
            304: self.known,
            400: lambda operation: self.send(operation, raw=b"{"),
            401: lambda operation: self.send(operation, key=None),
            403: lambda operation: self.send(operation, key=self.table.watch),
            404: lambda operation: self.send(operation, names=("nope", "A" * 22)),
            406: lambda operation: self.send(operation, headers={"Accept": "image/png"}),
            409: self.conflict,
            410: self.gone,
            411: self.without_length,
            412: lambda operation: self.send(operation, version=7),
            413: lambda operation: self.send(operation, raw=b" " * 300_000),
            415: lambda operation: self.send(operation, content_type="text/plain"),
            422: self.unknown_field,
            428: lambda operation: self.send(operation, version=None),
            429: self.too_often,
        }

    def provoke(self, operation: str, status: int) -> TestResponse:
        """Call an operation in such a way that it answers with a status."""
        if status == 200 and operation == "amend":
            return self.send(operation, raw=b'{"insert": {"after": 1, "moves": ["r b1c1"]}, "dry_run": true}')
        return self.send(operation) if status < 300 else self.others[status](operation)

    def path(self, operation: str, names: tuple[str, str] | None = None) -> str:
        """The address of an operation, of what there is or of other names."""
        there = {
            "game": "villefranche",
            "rule": "VF-22",
            "case": "VF-C1",
            "slug": "stale",
            "id": self.table.id,
            "group": self.group,
            "number": 1,
        }
        if names is not None:
            name, table = names
            there = {"game": name, "rule": name, "case": name, "slug": name, "id": table, "group": table, "number": 1}
            if operation in ("readRule", "readCase"):
                there["game"] = "villefranche"
        return OPERATIONS[operation][1].format_map(there)

    def send(
        self, operation: str, *, names: tuple[str, str] | None = None, query: str = "", **other: Any
    ) -> TestResponse:
        """Call an operation as it is meant, but for what is given."""
        options: dict[str, Any] = {}
        if "{id}" in OPERATIONS[operation][1]:
            options["key"] = self.table.host
        if "{group}" in OPERATIONS[operation][1]:
            options["key"] = self.group_key
        if operation == "confirmRemedy":
            options["key"] = self.table.seats["black"]
        if operation in WRITES:
            options["version"] = VERSION
        body = None if "raw" in other else BODIES.get(operation)
        if operation == "searchRules":
            query = f"{query or '?'}&q=rampart"
        return self.api.send(OPERATIONS[operation][0], self.path(operation, names) + query, body, **(options | other))

    def unknown_field(self, operation: str) -> TestResponse:
        """With a field that nobody knows, or a parameter."""
        if operation in BODIES:
            return self.send(operation, raw=b'{"game": "villefranche", "to": 1, "move": "r b1c1", "unknown": 1}')
        return self.send(operation, query="?unknown=1")

    def gone(self, operation: str) -> TestResponse:
        """At a table that was deleted."""
        assert self.send("deleteTable").status_code == 204
        return self.send(operation)

    def known(self, operation: str) -> TestResponse:
        """Ask for what the client has."""
        tag = self.send(operation).headers["ETag"]
        return self.send(operation, headers={"If-None-Match": tag})

    def conflict(self, operation: str) -> TestResponse:
        """Where there is no way, or no room."""
        if operation == "rewind":
            return self.api.post(f"{self.table.path}/rewind", {"to": 99}, key=self.table.host, version=VERSION)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(plans, "MAX_BYTES", 1)
            patch.setattr(groups, "MAX_BYTES", 1)
            return self.send(operation)

    def too_often(self, operation: str) -> TestResponse:
        """Again and again at one moment that admits one: with a key that is known, and with one that is not."""
        once = [replace(limit, many=1) for limit in LIMITS]
        limiter = Limiter(self.api.app.extensions[LIMITER]._ledger, limits=once, now=lambda: 0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(self.api.app.extensions, LIMITER, limiter)
            self.send(operation)
            self.send(operation)
            return self.send(operation)

    def without_length(self, operation: str) -> TestResponse:
        """In chunks."""
        method, _ = OPERATIONS[operation]
        headers = {"Authorization": f"Bearer {self.table.host}", "Transfer-Encoding": "chunked"}
        builder = EnvironBuilder(self.path(operation), method=method, headers=headers.items())
        environ = builder.get_environ()
        environ.pop("CONTENT_LENGTH", None)
        body, status, answered = run_wsgi_app(self.api.app.wsgi_app, environ)
        response = TestResponse(body, status, answered, request=builder.get_request())
        CONTRACT.hold(response)
        return response


@pytest.mark.parametrize(("operation", "status"), LISTED)
def test_every_listed_status_is_seen(
    operation: str, status: int, api: Api, own_redis: Callable[..., RedisServer]
) -> None:
    """Lock 3: each status that the contract lists is answered, in the shape that it lists."""
    if status == 503:
        server = own_redis()
        api = Api(application(server.url))
        provoker = Provoker(api)
        server.kill()
        response = provoker.send(operation)
    else:
        response = Provoker(api).provoke(operation, status)
    assert response.status_code == status, response.get_data(as_text=True)


def changed(
    response: TestResponse, *, status: str | None = None, headers: Headers | None = None, body: bytes | None = None
) -> TestResponse:
    """An answer of which a part is another one."""
    return TestResponse(
        [response.data if body is None else body],
        status or response.status,
        headers or response.headers,
        request=response.request,
    )


def test_an_answer_that_departs_is_noticed(api: Api) -> None:
    """The control: a body, a header or a media type that the contract does not describe, or a status that it lacks."""
    response = api.get(f"{V1}/games")
    CONTRACT.hold(changed(response))
    headers = response.headers
    without = Headers([(name, value) for name, value in headers if name != "Content-Language"])
    for other in (
        changed(response, body=b"{}"),
        changed(response, headers=without),
        changed(response, headers=Headers([*without, ("Content-Language", "la")])),
        changed(response, headers=Headers([("Content-Type", "text/plain"), ("Content-Language", "en")])),
        changed(response, status="402 Payment Required"),
    ):
        with pytest.raises((AssertionError, ValidationError)):
            CONTRACT.hold(other)


def test_a_request_that_departs_is_noticed(api: Api) -> None:
    """The control: what the contract does not allow is noticed if the service lets it pass."""
    table = api.open()
    path = f"{table.path}/moves"
    for method, address, body, key in (
        ("POST", path, b'{"move": 7}', table.host),
        ("POST", path, b"", table.host),
        ("POST", path, b'{"move": "r b1c1"}', None),
        ("GET", f"{table.path}?wait=26", b"", table.host),
    ):
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        request = EnvironBuilder(
            address, method=method, data=body, headers=headers.items(), content_type="application/json"
        ).get_request()
        called = CONTRACT.operation(method, request.path)
        assert called is not None
        with pytest.raises((AssertionError, ValidationError)):
            CONTRACT.hold_request(request, body, *called)


@pytest.mark.parametrize("slug", PROBLEMS)
def test_every_problem_has_its_page(slug: str, api: Api) -> None:
    """The type of a problem leads to a page that says what to do, in both languages."""
    for language, other in (("en", "fr"), ("fr", "en")):
        page = api.http.get(f"/problems/{slug}", headers={"Accept-Language": language})
        assert page.status_code == 200
        text = page.get_data(as_text=True)
        assert f'<html lang="{language}">' in text
        assert f'<section lang="{other}">' in text
        assert page.headers["Content-Language"] == language


def test_the_contract_is_served_as_it_is(api: Api) -> None:
    """What is served, where all games are found, is the file; `test_games_taken_away` has what else is served."""
    assert api.http.get(f"{V1}/openapi.yaml").get_data(as_text=True) == openapi.text()


def test_the_readable_contract_needs_no_other_host(api: Api) -> None:
    """The page tells every operation, and loads nothing from elsewhere."""
    page = api.http.get(f"{V1}/docs").get_data(as_text=True)
    for method, path, _ in CONTRACT.operations():
        assert f"<b>{method}</b> {path}" in page
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
    assert "<script" not in page
    assert " style=" not in page


@pytest.mark.parametrize("path", ["docs", "openapi.yaml"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_who_has_the_contract_is_not_sent_it_again(path: str, language: str, api: Api) -> None:
    """Compressed or not it is the same text, under one tag that changes with it, and with the language."""
    spoken = {"Accept-Language": language}
    plain = api.get(f"{V1}/{path}", headers=spoken)
    for coding, unpacked in (("br", brotli.decompress), ("gzip", gzip.decompress)):
        packed = api.http.get(f"{V1}/{path}", headers={**spoken, "Accept-Encoding": coding})
        assert packed.headers["Content-Encoding"] == coding
        assert {"Accept-Encoding"} <= set(packed.headers["Vary"].split(", "))
        assert unpacked(packed.data) == plain.data
        assert packed.headers["ETag"] == plain.headers["ETag"]
        assert len(packed.data) < len(plain.data) / 4
    known = {**spoken, "If-None-Match": f'"x", {plain.headers["ETag"]}'}
    again = api.get(f"{V1}/{path}", headers=known)
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", plain.headers["ETag"])
    assert again.headers["Cache-Control"] == plain.headers["Cache-Control"]
    assert again.headers["Vary"] == plain.headers["Vary"]
    other = api.get(f"{V1}/{path}", headers={**known, "Accept-Language": "de" if language == "fr" else "fr"})
    assert other.status_code == (200 if path == "docs" else 304)


def test_the_contract_names_every_game() -> None:
    """Whoever reads the contract learns which games there are."""
    assert openapi.description()["components"]["schemas"]["GameId"]["enum"] == sorted(rules.GAMES)


def test_every_example_is_of_a_game_that_there_is() -> None:
    """No example of the file is left out of what is served while all games are found."""
    assert openapi.description() == yaml.safe_load(openapi.text())
    assert set(re.findall(r"x-game: (\w+)", openapi.text())) <= set(rules.GAMES)


def test_examples_are_what_they_are_examples_of(api: Api) -> None:
    """The bodies that the contract gives as examples are accepted as they stand."""
    table: OpenTable = api.open()
    group: Any = api.post(f"{V1}/groups", {"name": "Tuesday"}).json
    accepted = 0
    for method, path, operation in CONTRACT.operations():
        examples = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {})
        for name, example in examples.items():
            options: dict[str, Any] = {"key": table.host, "version": 1} if "{id}" in path else {}
            options = {"key": group["key"]} if "{group}" in path else options
            there = path.format(game="villefranche", id=table.id, group=group["id"], number=1)
            response = api.send(method, there, example["value"], **options)
            good = (201,) if path.endswith(("/tables", "/groups")) else (200, 201, 409, 412, 422)
            assert response.status_code in good, (path, name, response.json)
            assert "errors" not in (response.json or {}), (path, name, response.json)
            accepted += 1
    assert accepted


def test_without_a_game_the_contract_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the games that are found are not the file's, what is served has those only; with all, it is the file."""
    assert openapi.served_text() == openapi.text()
    gone, *left = rules.GAMES
    monkeypatch.setattr(rules, "GAMES", {name: rules.GAMES[name] for name in left})
    for made in (openapi.served_text, openapi.description):
        made.cache_clear()
    try:
        served = openapi.served_text()
    finally:
        for made in (openapi.served_text, openapi.description):
            made.cache_clear()
    assert f"{gone}.setup" not in served
    assert all(f"{name}.setup" in served for name in left)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        (method, path)
        for method, path, operation in Api.contract.operations()
        if path.startswith(f"{V1}/") and operation["operationId"] not in ("readContract", "readDocs")  # two documents
    ],
)
def test_a_parameter_that_there_is_not_is_refused(method: str, path: str, api: Api) -> None:
    """Of every operation, as an unknown member of a body is: nothing that was asked for is passed over in silence.
    `after`, which a list takes in its query, is none of an operation with a body.
    """
    table = api.open()
    group: Any = api.post(f"{V1}/groups", {"name": "Tuesday"}).json
    key = group["key"] if "{group}" in path else table.host
    there = {"game": "villefranche", "rule": "VF-1", "case": "VF-C1", "id": table.id, "group": group["id"], "number": 1}
    for name in ("mvoe", *(("after",) if method not in ("GET", "HEAD") else ())):
        where = f"{path.format(**there)}?{name}=1"
        answer = api.send(method, where, None if method in ("GET", "DELETE") else {}, key=key, version=1)
        said: Any = answer.json
        assert answer.status_code == 422, where
        assert (f"/{name}", "/problems/unknown-field") in {(each["pointer"], each["type"]) for each in said["errors"]}
    assert api.get(table.path, key=table.host).status_code == 200
