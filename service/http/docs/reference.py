"""The contract as its page shows it: operations by tag, their parameters, keys and requests."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import urlencode

from rules.records import dataclass
from service.http.openapi import OpenApi
from service.schemas.parsing import encode
from service.types import Json

METHODS: Final = ("get", "post", "put", "patch", "delete")
BOUNDS: Final = {
    "minimum": "≥ {}",
    "maximum": "≤ {}",
    "minLength": "≥ {} characters",
    "maxLength": "≤ {} characters",
    "maxItems": "≤ {} items",
    "pattern": "{}",
}
"""Keyword of a schema that limits a value -> its format."""
EXAMPLE_HEADERS: Final = ("If-Match", "Idempotency-Key")
"""Headers that an example sends although not every request needs them."""
AT_RANDOM: Final = "$(openssl rand -hex 16)"
"""128 random bits, for a header without an example in the contract: a printed example would be no secret."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A line of the table of an operation's parameters."""

    name: str
    place: str
    required: bool
    type: str
    default: str
    bounds: str
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation as the page shows it; `requests` are commands of curl, by the names of their examples."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    keys: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    bodies: Mapping[str, Json]
    requests: Mapping[str, str]
    answers: Mapping[str, OpenApi]


@dataclass(frozen=True, slots=True)
class OperationChapter:
    """The operations with a tag."""

    name: str
    description: str
    operations: tuple[Operation, ...]


def chapters(description: OpenApi) -> list[OperationChapter]:
    """A contract (OpenAPI 3.1) by its tags, in their order."""
    found = list(_operations(description))
    return [
        OperationChapter(tag["name"], tag["description"], tuple(each for name, each in found if name == tag["name"]))
        for tag in description["tags"]
    ]


def _operations(description: OpenApi) -> Iterator[tuple[str, Operation]]:
    """The first tag of each operation, and the operation."""
    schemes = description["components"]["securitySchemes"]
    for path, item in description["paths"].items():
        for method in METHODS:
            if method not in item:
                continue
            one = item[method]
            given = (*item.get("parameters", ()), *one.get("parameters", ()))
            parameters = [resolve(each, description) for each in given]
            content = one.get("requestBody", {}).get("content", {})
            keys = tuple(schemes[name]["description"] for each in one["security"] for name in each)
            operation = Operation(
                one["operationId"],
                method.upper(),
                path,
                one["summary"],
                one.get("description", ""),
                keys,
                tuple(_parameter(each, description) for each in parameters),
                {media: each["schema"] for media, each in content.items()},
                dict(_requests(method, path, parameters, content, bool(keys))),
                {status: resolve(each, description) for status, each in one["responses"].items()},
            )
            yield one["tags"][0], operation


def resolve(value: OpenApi, description: OpenApi) -> OpenApi:
    """The target of a reference, or the value itself."""
    if "$ref" not in value:
        return value
    target = description
    for step in value["$ref"].split("/")[1:]:
        target = target[step]
    return target


def _parameter(parameter: OpenApi, description: OpenApi) -> Parameter:
    schema = resolve(parameter["schema"], description)
    bounds = [form.format(schema[name]) for name, form in BOUNDS.items() if name in schema]
    return Parameter(
        parameter["name"],
        parameter["in"],
        parameter.get("required", False),
        " | ".join(map(str, schema["enum"])) if "enum" in schema else schema.get("type", ""),
        str(schema.get("default", "")),
        ", ".join(bounds),
        parameter.get("description", ""),
    )


def _requests(
    method: str, path: str, parameters: list[OpenApi], content: OpenApi, keyed: bool
) -> Iterator[tuple[str, str]]:
    """The name of each example of an operation, and the curl command that sends it."""
    headers, asked = ["Authorization: Bearer $KEY"] if keyed else [], {}
    for each in parameters:
        if each["in"] == "path":
            path = path.replace(f"{{{each['name']}}}", str(_example(each)))
        elif each["in"] == "query" and each.get("required"):
            asked[each["name"]] = _example(each)
        elif each["in"] == "header" and each["name"] in EXAMPLE_HEADERS:
            headers.append(f"{each['name']}: {each.get('example', AT_RANDOM)}")
    query = f"?{urlencode(asked)}" if asked else ""
    command = ["curl", *(["-X", method.upper()] if method not in ("get", "post") else []), f'"$BASTIDE{path}{query}"']
    command += [f'-H "{each}"' if "$" in each else f"-H {shlex.quote(each)}" for each in headers]
    examples = content.get("application/json", {}).get("examples", {})
    if not examples:
        yield "", " ".join(command)
    for name, example in examples.items():
        body = shlex.quote(encode(example["value"]).decode())
        yield name, " ".join([*command, "-H 'Content-Type: application/json'", f"-d {body}"])


def _example(parameter: OpenApi) -> Json:
    """A value that a parameter may have."""
    examples = parameter.get("examples") or {"": {"value": parameter.get("example", parameter["name"])}}
    value: Json = next(iter(examples.values()))["value"]
    return value
