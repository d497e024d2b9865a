"""What a client of an earlier contract would miss in a later one.

`PROMISE` is the contract that was promised last, without its texts and examples. ``python -m
tests.support.contract_changes`` rewrites it with each release, and where `docs/api-policy.md` lets something end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from rules.caches import thaw
from service.http import openapi
from service.http.openapi import OpenApi
from tests.support.api import Contract

Json: TypeAlias = Mapping[str, Any]
PROMISE: Final = Path(__file__).parents[1] / "tools" / "promised-contract.json"
TEXTS: Final = ("description", "summary", "examples", "example", "x-game", openapi.STATEMENTS)
"""Members of a contract on which no client depends."""


def without_texts(value: Any, *, names: bool = False) -> Any:
    """A contract without its texts and examples. `names`: the keys of this object are names, not keywords."""
    if isinstance(value, list):
        return [without_texts(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: without_texts(each, names=not names and name in ("properties", "schemas", "responses", "parameters"))
        for name, each in value.items()
        if names or name not in TEXTS
    }


class Contracts:
    """Two contracts, compared."""

    def __init__(self, before: OpenApi, after: OpenApi) -> None:
        self._before, self._after = Contract(before), Contract(after)
        self._compared: set[tuple[str, str, bool]] = set()

    def losses(self) -> Iterator[str]:
        """What is missing, and where."""
        later = {f"{method} {path}": operation for method, path, operation in self._after.operations()}
        for method, path, operation in self._before.operations():
            where = f"{method} {path}"
            if where in later:
                yield from self._operation(where, operation, later[where])
            else:
                yield f"{where}: gone"

    def _operation(self, where: str, before: Json, after: Json) -> Iterator[str]:
        if before["operationId"] != after["operationId"]:
            yield f"{where}: has another operationId"
        yield from self._parameters(where, before, after)
        body, later_body = (
            self._content(side, each.get("requestBody", {})) for side, each in self._sides(before, after)
        )
        if later_body and not body:
            yield f"{where}: has a body"
        yield from self._contents(f"{where} body", body, later_body, asked=True)
        for status, answer in before["responses"].items():
            if status not in after["responses"]:
                yield f"{where} {status}: gone"
                continue
            content, later = (
                self._content(side, each) for side, each in self._sides(answer, after["responses"][status])
            )
            if self._has_new_parameter(before, after):
                later = {media: self._as_before(content.get(media, {}), each) for media, each in later.items()}
            yield from self._contents(f"{where} {status}", content, later, asked=False)

    def _has_new_parameter(self, before: Json, after: Json) -> bool:
        known, later = (
            {self._resolve(side, each)["name"] for each in of.get("parameters", ())}
            for side, of in self._sides(before, after)
        )
        return later > known

    def _as_before(self, content: Json, later: Json) -> Json:
        """The answer without a new parameter, which may ask for another shape: the old shape, if it is still there."""
        name = content.get("schema", {}).get("$ref")
        branches = later.get("schema", {}).get("anyOf", ())
        return {"schema": {"$ref": name}} if {"$ref": name} in branches else later

    def _merge(self, contract: Contract, value: Any) -> Json:
        """A schema with the members of all its ``allOf`` parts."""
        schema: dict[str, Any] = self._resolve(contract, value)
        parts = [self._merge(contract, each) for each in schema.get("allOf", ())]
        if not parts:
            return schema
        every = [schema, *parts]
        return schema | {
            "properties": {name: each for part in every for name, each in part.get("properties", {}).items()},
            "required": [name for part in every for name in part.get("required", ())],
        }

    def _parameters(self, where: str, before: Json, after: Json) -> Iterator[str]:
        known, later = (
            {
                (each["in"], each["name"]): each
                for each in (self._resolve(side, one) for one in of.get("parameters", ()))
            }
            for side, of in self._sides(before, after)
        )
        for key, parameter in later.items():
            if parameter.get("required") and not known.get(key, {}).get("required"):
                yield f"{where}: the parameter {key[1]} is required"
        for key, parameter in known.items():
            if key not in later:
                yield f"{where}: the parameter {key[1]} is gone"
            else:
                yield from self._schemas(f"{where} {key[1]}", parameter["schema"], later[key]["schema"], asked=True)

    def _contents(self, where: str, before: Json, after: Json, *, asked: bool) -> Iterator[str]:
        for media, content in before.items():
            if media not in after:
                yield f"{where}: no {media}"
            else:
                yield from self._schemas(where, content.get("schema", {}), after[media].get("schema", {}), asked=asked)

    def _schemas(self, where: str, before: Any, after: Any, *, asked: bool) -> Iterator[str]:
        """Where a value of a request is no longer taken (`asked`), or one of an answer has changed."""
        if asked and "$ref" in before:  # it may be one of several shapes now
            after = next((each for each in after.get("anyOf", ()) if each.get("$ref") == before["$ref"]), after)
        names = before.get("$ref", ""), after.get("$ref", "")
        if all(names):
            if (*names, asked) in self._compared:
                return
            self._compared.add((*names, asked))
            where = names[0].rpartition("/")[2]
        before, after = (self._merge(side, each) for side, each in self._sides(before, after))
        yield from self._values(where, before, after, asked=asked)
        yield from self._members(where, before, after, asked=asked)
        for of in ("items", "additionalProperties"):
            if isinstance(before.get(of), dict) and isinstance(after.get(of), dict):
                yield from self._schemas(f"{where}/{of}", before[of], after[of], asked=asked)
        for of in ("anyOf", "oneOf"):
            yield from self._branches(f"{where}/{of}", before.get(of, []), after.get(of, []), asked=asked)

    def _values(self, where: str, before: Json, after: Json, *, asked: bool) -> Iterator[str]:
        types, later_types = (
            {each} if isinstance(each, str) else {*(each or ())} for each in (before.get("type"), after.get("type"))
        )
        if types and later_types and not (types <= later_types if asked else later_types <= types):
            yield f"{where}: has another type"
        enum, later_enum = before.get("enum"), after.get("enum")
        if asked and later_enum and not (enum and {*enum} <= {*later_enum}):
            yield f"{where}: takes fewer values"
        if not asked and enum and not (later_enum and {*later_enum} <= {*enum}):
            yield f"{where}: has more values"
        if before.get("const") != after.get("const"):
            yield f"{where}: has another value"

    def _members(self, where: str, before: Json, after: Json, *, asked: bool) -> Iterator[str]:
        members, later = before.get("properties", {}), after.get("properties", {})
        required, later_required = ({*each.get("required", ())} for each in (before, after))
        for name in sorted(later_required - required if asked else required - later_required):
            yield f"{where}: {name} is {'required' if asked else 'not always there'}"
        for name, member in members.items():
            if name in later:
                yield from self._schemas(f"{where}/{name}", member, later[name], asked=asked)
            else:
                yield f"{where}: {name} is gone"

    def _branches(self, where: str, before: list[Any], after: list[Any], *, asked: bool) -> Iterator[str]:
        if not asked and {"type": "string"} in after:
            return  # clients read a value added to that enum as a text
        by_name = {each.get("$ref", number): each for number, each in enumerate(after)}
        for number, branch in enumerate(before):
            name = branch.get("$ref", number)
            if name not in by_name and "$ref" in (after[number : number + 1] or ({},))[0]:
                by_name[name] = after[number]  # the branch has got a name, or another one
            if name in by_name:
                yield from self._schemas(f"{where}/{number}", branch, by_name[name], asked=asked)
            else:
                yield f"{where}: {name} is gone"

    def _sides(self, before: Any, after: Any) -> tuple[tuple[Contract, Any], tuple[Contract, Any]]:
        return (self._before, before), (self._after, after)

    def _content(self, contract: Contract, holder: Any) -> Json:
        found: Json = self._resolve(contract, holder).get("content", {})
        return found

    def _resolve(self, contract: Contract, value: Any) -> Any:
        return contract.find(value["$ref"].removeprefix("#"))[1] if "$ref" in value else value


def losses(before: OpenApi, after: OpenApi) -> list[str]:
    """What a client of the earlier contract would miss in the later one; may be empty."""
    return list(Contracts(before, after).losses())


def as_text(contract: OpenApi) -> str:
    """The part of a contract on which clients depend: a line each path and component, for clear diffs."""
    parts = {"paths": contract["paths"]} | contract["components"]
    rows = {
        name: ",\n".join(f"{json.dumps(key)}: {json.dumps(each)}" for key, each in part.items())
        for name, part in parts.items()
    }
    paths, *components = (f'"{name}": {{\n{lines}\n}}' for name, lines in rows.items())
    return f'{{{paths},\n"components": {{{",".join(components)}}}}}\n'


if __name__ == "__main__":
    PROMISE.write_text(as_text(without_texts(thaw(openapi.description()))), encoding="utf-8")
