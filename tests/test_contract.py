"""The contract is true: its paths are the routes, its shapes are those of the rules, and it lists every status."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator
from typing import Any

import brotli  # type: ignore[import-untyped]  # it has no types
import pytest
import yaml
from jsonschema_rs import ValidationError
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, TestResponse

import rules
from rules.caches import thaw
from service.http import openapi
from service.http.problems import PROBLEMS
from tests.support.api import READ, V1, Api, OpenTable, application, escape
from tests.support.loops import over
from tests.support.provoker import OPERATIONS, Provoker
from tests.support.redis_server import RedisServer

CONTRACT = Api.contract
LISTED_VALUES = [
    (operation["operationId"], int(status))
    for _, _, operation in CONTRACT.operations()
    for status in operation["responses"]
    if status != "default"
]


def test_the_contract_is_valid_openapi() -> None:
    """The file is OpenAPI 3.1."""
    from openapi_spec_validator import validate  # slow to import, in every process

    validate(thaw(openapi.description()))


def defaults(found: Any, pointer: str = "") -> Iterator[tuple[Any, str]]:
    """Each default, and the pointer to its shape. The keys of `properties` and `responses` are names."""
    items = enumerate(found) if isinstance(found, list) else found.items() if isinstance(found, dict) else ()
    named = pointer.endswith(("/properties", "/responses"))
    for name, each in items:
        if named or name not in {"default", "example", "examples"}:
            yield from defaults(each, f"{pointer}/{escape(str(name))}")
        elif name == "default":
            yield each, pointer


def test_every_default_fits_its_shape() -> None:
    """Every default of the contract fits its shape. The control: no such shape takes an unknown member."""
    for value, pointer in over(defaults(CONTRACT.description)):
        CONTRACT.fits(value, pointer)
        with pytest.raises(ValidationError):
            CONTRACT.fits({"no such member": 7}, pointer)


def test_the_routes_are_the_paths_of_the_contract(api: Api) -> None:
    """Lock 1: the contract lists exactly the routes of the API."""
    ours = {
        (method, re.sub(r"<[^>]+>", "{}", rule.rule))
        for rule in api.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.endpoint.startswith(("api.", "docs.", "health.")) and not rule.endpoint.endswith(".static")
    }
    theirs = {(method, re.sub(r"\{[^}]+\}", "{}", path)) for method, path, _ in CONTRACT.operations()}
    assert ours == theirs


def test_the_endpoints_are_the_operations_of_the_contract(api: Api) -> None:
    """Every view has the name of its `operationId`, in snake case."""
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
    components = thaw(openapi.description())["components"]["schemas"]
    generated = READ["application/yaml"](
        yaml.dump(thaw(openapi.generated_components()), Dumper=yaml.CSafeDumper).encode()
    )
    assert {name: components.get(name) for name in generated} == generated
    assert openapi.expected_text() == openapi.text(), "write it anew with: python -m service.http.openapi"


def test_every_shape_of_the_contract_is_used() -> None:
    """The contract refers to each of its shapes."""
    text = openapi.text()
    unused = [name for name in thaw(openapi.description())["components"]["schemas"] if f"/schemas/{name}" not in text]
    assert not unused


@pytest.mark.parametrize(("operation", "status"), LISTED_VALUES)
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


def change(
    response: TestResponse, *, status: str | None = None, headers: Headers | None = None, body: bytes | None = None
) -> TestResponse:
    """A copy of an answer with another status, headers or body."""
    return TestResponse(
        [response.data if body is None else body],
        status or response.status,
        headers or response.headers,
        request=response.request,
    )


def test_an_answer_that_departs_is_noticed(api: Api) -> None:
    """The control: a body, a header, a media type or a status that the contract does not describe is noticed."""
    response = api.get(f"{V1}/games")
    CONTRACT.hold(change(response))
    headers = response.headers
    without = Headers([(name, value) for name, value in headers if name != "Content-Language"])
    for other in (
        change(response, body=b"{}"),
        change(response, headers=without),
        change(response, headers=Headers([*without, ("Content-Language", "la")])),
        change(response, headers=Headers([("Content-Type", "text/plain"), ("Content-Language", "en")])),
        change(response, status="402 Payment Required"),
    ):
        with pytest.raises((AssertionError, ValidationError)):
            CONTRACT.hold(other)


def test_a_request_that_departs_is_noticed(api: Api) -> None:
    """The control: a request that the contract does not allow is noticed if the service accepts it."""
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
    """The type of a problem is the address of a page about it, in both languages."""
    for language, other in (("en", "fr"), ("fr", "en")):
        page = api.http.get(f"/problems/{slug}", headers={"Accept-Language": language})
        assert page.status_code == 200
        text = page.get_data(as_text=True)
        assert f'<html lang="{language}">' in text
        assert f'<section lang="{other}">' in text
        assert page.headers["Content-Language"] == language


def test_the_contract_is_served_as_it_is(api: Api) -> None:
    """If all games are found, the served contract is the file; `test_games_taken_away` tests the other case."""
    assert api.http.get(f"{V1}/openapi.yaml").get_data(as_text=True) == openapi.text()


def test_the_readable_contract_needs_no_other_host(api: Api) -> None:
    """The page lists every operation, and loads nothing from other hosts."""
    page = api.http.get(f"{V1}/docs").get_data(as_text=True)
    for method, path, _ in CONTRACT.operations():
        assert f"<b>{method}</b> {path}" in page
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
    assert re.findall("<script[^>]*>", page) == [f'<script type="module" src="{V1}/static/docs.js">']
    assert " style=" not in page


@pytest.mark.parametrize("path", ["docs", "openapi.yaml"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_who_has_the_contract_is_not_sent_it_again(path: str, language: str, api: Api) -> None:
    """Compressed or not, the text has one ETag, which gets a 304. Only the ETag of the page depends on the language."""
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
    """`GameId` of the contract lists exactly the games."""
    assert thaw(openapi.description())["components"]["schemas"]["GameId"]["enum"] == sorted(rules.GAMES)


def test_every_example_is_of_a_game_that_there_is() -> None:
    """While all games are found, the served contract has every example of the file."""
    assert thaw(openapi.description()) == READ["application/yaml"](openapi.text().encode())
    assert set(re.findall(r"x-game: (\w+)", openapi.text())) <= set(rules.GAMES)


def test_examples_are_what_they_are_examples_of(api: Api) -> None:
    """The bodies that the contract gives as examples have no malformed member."""
    table: OpenTable = api.open()
    group: Any = api.post(f"{V1}/groups", {"name": "Tuesday"}).json
    accepted = 0
    for method, path, operation in CONTRACT.operations():
        examples = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {})
        for name, example in examples.items():
            options: dict[str, Any] = {"key": table.host, "version": 1} if "{id}" in path else {}
            options = {"key": group["key"]} if "{group}" in path else options
            there = path.format(game="villefranche", id=table.id, group=group["id"], number=1, role="watch")
            response = api.send(method, there, example["value"], **options)
            good = (201,) if path.endswith(("/tables", "/groups")) else (200, 201, 409, 412, 422)
            good = (404,) if path.endswith("/join") else good  # this code does not exist
            assert response.status_code in good, (path, name, response.json)
            assert "errors" not in (response.json or {}), (path, name, response.json)
            accepted += 1
    assert accepted


def test_without_a_game_the_contract_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a game is missing, the served contract has only the others; with all games, it is the file."""
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
    """Every operation rejects an unknown parameter, as it does an unknown member of a body; none is ignored.
    `after`, which a list takes in its query, is unknown to an operation with a body.
    """
    table = api.open()
    group: Any = api.post(f"{V1}/groups", {"name": "Tuesday"}).json
    view: Any = api.post(f"{table.path}/views", {"label": "Club"}, key=table.host).json
    key = group["key"] if "{group}" in path else table.host
    there = {"game": "villefranche", "rule": "VF-1", "case": "VF-C1", "id": table.id, "group": group["id"], "number": 1}
    there |= {"role": "watch", "key": "2"}
    for name in ("mvoe", *(("after",) if method not in ("GET", "HEAD") else ())):
        where = f"{path.format(**there, view=view['id'])}?{name}=1"
        answer = api.send(method, where, None if method in ("GET", "DELETE") else {}, key=key, version=1)
        said: Any = answer.json
        assert answer.status_code == 422, where
        assert (f"/{name}", "/problems/unknown-field") in {(each["pointer"], each["type"]) for each in said["errors"]}
    assert api.get(table.path, key=table.host).status_code == 200
