"""Makes two modules of the client: its models, of the contract, a `TypedDict` for each schema; and the client that
waits, of the one that awaits.

Hatchling calls `initialize` for a wheel and for an editable installation alike. So neither is ever committed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from datamodel_code_generator import generate
from datamodel_code_generator.config import LiteralType  # type: ignore[attr-defined]  # it is exported nowhere
from datamodel_code_generator.enums import DataModelType, InputFileType, OpenAPIScope
from datamodel_code_generator.format import Formatter, PythonVersion
from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONTRACT = "../../openapi.yaml"
MODELS, AWAITS, WAITS = (f"bastide_client/{name}.py" for name in ("models", "async_client", "client"))
WAITING = {
    r"\basync |\bawait ": "",
    r"\bAsync(Bastide|Table|Iterator)": r"\1",
    r"httpx\.AsyncClient": "httpx.Client",
    r"\basyncio\b": "time",
    r"\b(__)?a(enter__|exit__|close|read|iter_lines)\b": r"\1\2",
    r"\A.*": '"""The client that waits for its answers, made of `async_client`."""',
}
"""What stands in the one client, and what in its place in the other."""


def class_name(schema: str) -> str:
    """The name of a schema as that of a class: `villefranche.Position` -> `VillefranchePosition`."""
    return "".join(part[0].upper() + part[1:] for part in re.split(r"[._]", schema))


def open_schema(part: Any, schemas: dict[str, Any]) -> Any:
    """A schema as a client reads it: it may have further members, and its parts are one, as far as they are objects."""
    if isinstance(part, list):
        return [open_schema(each, schemas) for each in part]
    if not isinstance(part, dict):
        return part
    if "allOf" in part:
        part = {**{name: each for name, each in part.items() if name != "allOf"}, **merge(part["allOf"], schemas)}
    if "anyOf" in part:
        part = {**part, "anyOf": [each for each in part["anyOf"] if not is_foreign(each, schemas)]}
    left_out = {"unevaluatedProperties", *(["additionalProperties"] if "properties" in part else [])}
    found = {name: open_schema(each, schemas) for name, each in part.items() if name not in left_out}
    if found.get("additionalProperties") is False:
        del found["additionalProperties"]
    return found


def is_foreign(part: Any, schemas: dict[str, Any]) -> bool:
    """Whether a schema stands for all that the contract does not know: beside it, types could tell nothing apart."""
    schema = schemas[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    return any("not" in member for member in schema.get("properties", {}).values())


def merge(parts: list[Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """The parts of an `allOf` as one, of which a later one says a member anew; what is no object stays as it is."""
    whole: dict[str, Any] = {}
    for part in parts:
        each = schemas[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        if "properties" not in each and "allOf" not in each:
            return {**part, **{name: value for name, value in whole.items() if name == "description"}}
        each = {**each, **merge(each["allOf"], schemas)} if "allOf" in each else each
        for name, value in each.items():
            if name == "properties":
                whole[name] = {**whole.get(name, {}), **value}
            elif name == "required":
                whole[name] = [*whole.get(name, ()), *value]
            elif name != "allOf":
                whole[name] = value
    return whole


def contract_of_models(text: str) -> dict[str, Any]:
    """The schemas of a contract, under names that a class may have."""
    text = re.sub(r"(#/components/schemas/)([\w.]+)", lambda found: found[1] + class_name(found[2]), text)
    contract = yaml.safe_load(text)
    schemas = {class_name(name): schema for name, schema in contract["components"]["schemas"].items()}
    opened = {name: open_schema(schema, schemas) for name, schema in schemas.items()}
    return {"openapi": contract["openapi"], "info": contract["info"], "paths": {}, "components": {"schemas": opened}}


def write_models(contract: Path, into: Path) -> None:
    """Write the module of the models."""
    generate(
        yaml.safe_dump(contract_of_models(contract.read_text("utf-8")), sort_keys=False),
        input_file_type=InputFileType.OpenAPI,
        input_filename="openapi.yaml",
        output=into,
        output_model_type=DataModelType.TypingTypedDict,
        target_python_version=PythonVersion.PY_311,
        openapi_scopes=[OpenAPIScope.Schemas],
        enum_field_as_literal=LiteralType.All,
        use_union_operator=True,
        use_standard_collections=True,
        use_schema_description=True,
        use_field_description=True,
        disable_timestamp=True,
        formatters=[Formatter.BUILTIN],
    )


def write_client(awaits: Path, into: Path) -> None:
    """Write the module of the client that waits."""
    text = awaits.read_text("utf-8")
    for there, here in WAITING.items():
        text = re.sub(there, here, text)
    into.write_text(text, "utf-8")


class Modules(BuildHookInterface[BuilderConfig]):
    """Makes the modules, and puts them into what is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # any kind of build
        """Called by Hatchling before it builds."""
        contract = Path(self.root, CONTRACT)
        if contract.exists():  # a source distribution has the models already
            write_models(contract, Path(self.root, MODELS))
        write_client(Path(self.root, AWAITS), Path(self.root, WAITS))
        build_data["artifacts"] += [MODELS, WAITS]
