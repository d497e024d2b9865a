"""The contract's page: operations by tag, with parameters, keys and commands to paste."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any
from urllib.parse import parse_qs

import pytest
from flask import Flask
from selectolax.lexbor import LexborHTMLParser

from rules.caches import thaw
from service.http import openapi
from service.http.docs.reference import chapters
from tests.support.loops import over

DESCRIPTION: Any = thaw(openapi.description())
OPERATIONS = {
    one["operationId"]: (method, path, item, one)
    for path, item in DESCRIPTION["paths"].items()
    for method, one in item.items()
    if isinstance(one, dict) and "operationId" in one
}


def parameters_of(name: str) -> list[Any]:
    """The parameters of an operation in the contract."""
    _, _, item, one = OPERATIONS[name]
    found = [*item.get("parameters", ()), *one.get("parameters", ())]
    return [
        DESCRIPTION["components"]["parameters"][each["$ref"].split("/")[-1]] if "$ref" in each else each
        for each in found
    ]


def test_every_operation_is_in_the_chapter_of_its_tag() -> None:
    """Operations are listed by tag, in the contract's order, with all their parameters."""
    found = chapters(openapi.description())
    assert [chapter.name for chapter in found] == [tag["name"] for tag in DESCRIPTION["tags"]]
    assert {one.id: chapter.name for chapter in found for one in chapter.operations} == {
        name: one["tags"][0] for name, (_, _, _, one) in OPERATIONS.items()
    }
    for one in over(one for chapter in found for one in chapter.operations):
        assert [each.name for each in one.parameters] == [each["name"] for each in parameters_of(one.id)]
        assert bool(one.keys) == bool(OPERATIONS[one.id][3]["security"])


def test_a_parameter_says_its_type_default_and_bounds() -> None:
    """A parameter has the contract's type, default and bounds; a list of values is written out."""
    found = {one.id: one for chapter in chapters(openapi.description()) for one in chapter.operations}
    limit = next(each for each in found["readLegalMoves"].parameters if each.name == "limit")
    assert (limit.type, limit.default, limit.bounds, limit.required) == ("integer", "1000", "≥ 1, ≤ 5000", False)
    game = next(each for each in found["readGame"].parameters if each.name == "game")
    assert (game.place, game.required) == ("path", True)
    exported = next(each for each in found["exportTable"].parameters if each.name == "format")
    assert "svg" in exported.type.split(" | ")


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_command_sends_the_example(name: str) -> None:
    """In a shell, each command has the contract's method, address, headers and body."""
    method, path, _, one = OPERATIONS[name]
    [operation] = [
        each for chapter in chapters(openapi.description()) for each in chapter.operations if each.id == name
    ]
    content = one.get("requestBody", {}).get("content", {}).get("application/json", {})
    examples = content.get("examples", {"": None})
    assert operation.requests.keys() == examples.keys()
    for label, command in operation.requests.items():
        words = shlex.split(command)
        assert words[0] == "curl"
        address = next(word for word in words if word.startswith("$BASTIDE"))
        there, _, query = address.removeprefix("$BASTIDE").partition("?")
        assert re.fullmatch(re.sub(r"\\{[^}]+\\}", "[^/{}]+", re.escape(path)), there)
        assert set(parse_qs(query)) == {
            each["name"] for each in parameters_of(name) if each["in"] == "query" and each.get("required")
        }
        headers = [words[at + 1].partition(": ")[0] for at, word in enumerate(words) if word == "-H"]
        needed = {each["name"] for each in parameters_of(name) if each["in"] == "header" and each.get("required")}
        assert needed <= set(headers)
        assert ("Authorization" in headers) == bool(one["security"])
        body = words[words.index("-d") + 1] if "-d" in words else None
        assert ("-X" in words) == (method not in ("get", "post"))
        assert (method == "post") <= (body is not None) or not content
        assert (json.loads(body) if body else None) == (examples[label] or {}).get("value")


def test_nobody_is_given_a_secret_to_copy() -> None:
    """If keys follow from an idempotency key, the command generates one. The control: a move's is a fixed example."""
    found = {one.id: one for chapter in chapters(openapi.description()) for one in chapter.operations}
    sent = {
        name: {re.sub(r".*Idempotency-Key: (\S[^'\"]*).*", r"\1", each) for each in found[name].requests.values()}
        for name in ("openTable", "makeKey", "renewKey", "join", "play")
    }
    moves = next(each["example"] for each in parameters_of("play") if each["name"] == "Idempotency-Key")
    assert sent.pop("play") == {moves}
    assert set().union(*sent.values()) == {"$(openssl rand -hex 16)"}
    for name in sent:
        assert not [each for each in parameters_of(name) if each["name"] == "Idempotency-Key" and "example" in each]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_is_folded(app: Flask, language: str) -> None:
    """All operations and schemas are folded and have anchors, and every link within the page leads to one."""
    page = app.test_client().get("/api/v1/docs", headers={"Accept-Language": language})
    whole = LexborHTMLParser(page.text)
    assert not whole.css("details[open]")
    ids = {one.attributes["id"] for one in whole.css("[id]")}
    assert OPERATIONS.keys() <= ids
    assert {f"shape-{name}" for name in DESCRIPTION["components"]["schemas"]} <= ids
    for one in over(whole.css("main a[href^='#']")):
        assert (one.attributes["href"] or "")[1:] in ids
    assert "hidden" in whole.css("#search")[0].attributes
