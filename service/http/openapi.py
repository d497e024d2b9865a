"""The contract of the API: `openapi.yaml`, written by hand except the shapes of the games' moves and positions.

These shapes are generated from the annotations of the rules. ``python -m service.http.openapi`` writes them into the
file, after its marker, and a test compares the two. The served contract has the installed games. If they are the file's
own games, it is the file. If not, it has only their shapes, and no example of another game (``x-game``). Likewise, its
schema `Language` lists the installed languages, not the file's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import yaml

import rules
from rules.caches import thaw
from rules.forms import on_table
from rules.steps import REST, spend
from service.i18n.languages import LANGUAGES
from service.runtime.budget import BYTES
from service.runtime.first_use import Once
from service.schemas import answer_schemas, json_schemas
from service.types import Json, JsonObject

HERE: Final = Path(__file__).parents[1]
MARKER: Final = "    # What follows is written by `python -m service.http.openapi`"
RECORD_MARKER: Final = "  # What follows is recorded by `make contract`"
EXAMPLE_REFERENCE: Final = "#/components/examples/"
GAME: Final = "x-game"
"""The member that names the game of an object of the contract, such as an example."""

STATEMENTS: Final = "x-statements"
"""The component that lists the findings and effects of each game by rule and code, with the names of their facts."""

LANGUAGE: Final = re.compile(r"(?<=^    Language: \{ type: string, enum: \[)[^]]*", re.MULTILINE)
"""The languages in the file."""

SCALARS: Final = (str, int, float, type(None))
"""The types of most values of the contract: they are tested first."""
WORD_STEPS: Final = 5
"""Steps to write an event of YAML."""

OpenApi: TypeAlias = Mapping[str, Any]
"""A description as parsed from YAML; OpenAPI 3.1 defines its content."""


def path() -> Path:
    """The path of the contract: beside the packages in the project, inside `service` where it is installed."""
    packaged = HERE / "openapi.yaml"
    return packaged if packaged.exists() else HERE.parent / "openapi.yaml"


def text() -> str:
    """The text of the contract for the project's own games, with the installed languages."""
    return LANGUAGE.sub(", ".join(LANGUAGES), path().read_text(encoding="utf-8"))


@Once
def served_text() -> str:
    """The text of the contract for the installed games."""
    _, shapes, _ = _parts()
    if set(re.findall(r"^    (\w+)\.setup:$", shapes, re.MULTILINE)) == set(rules.GAMES):
        return text()
    return _dump_yaml(thaw(description()))


@Once
def description() -> OpenApi:
    """The contract for the installed games, parsed."""
    head, _, record = _parts()
    read: dict[str, Any] = yaml.load(_Text(head + record), Loader=_Reader)  # noqa: S506  # a safe loader
    recorded = read["components"].get("examples", {})
    gone = {f"{EXAMPLE_REFERENCE}{name}" for name, example in recorded.items() if not _is_installed(example, ())}
    read["components"]["schemas"] |= generated_components()
    part: OpenApi = _installed_part(read, gone)
    return part


def _parts() -> tuple[str, str, str]:
    """The three parts of the text: written by hand, the games' shapes, and the record."""
    head, _, generated = text().partition(MARKER)
    shapes, _, record = generated.partition(RECORD_MARKER)
    return head, shapes, record.partition("\n")[2]


def _installed_part(value: Any, gone: Collection[str]) -> Any:
    """A part of the contract, frozen, without the objects of missing games and the members that this empties.

    `gone`: the references to examples of missing games.
    """
    spend()
    if isinstance(value, SCALARS):
        return value
    if isinstance(value, list | tuple):
        return tuple(_installed_part(item, gone) for item in value if _is_installed(item, gone))
    if not isinstance(value, Mapping):
        return value
    members = {
        name: (member, _installed_part(member, gone)) for name, member in value.items() if _is_installed(member, gone)
    }
    return MappingProxyType({name: left for name, (member, left) in members.items() if left or not member})


def _is_installed(value: Json, gone: Collection[str]) -> bool:
    if isinstance(value, SCALARS) or not isinstance(value, Mapping):
        return True
    return value.get(GAME) in (None, *rules.GAMES) and value.get("$ref") not in gone


def generated_components() -> JsonObject:
    """The components generated from the rules: each game's setup, position and moves, and their unions.

    A shape that starts with ``Given`` is for requests. The other is for responses: it requires the members that they
    always have, and names its game. A move has one shape for both if they are equal. For an unknown game there is a
    shape that requires only its name.
    """
    schemas: JsonObject = {}
    for name in rules.GAMES:
        spend(REST)  # yield to other requests at each game
        given, answered = json_schemas(name), answer_schemas(name)
        schemas |= {f"{name}.{form}": schema for form, schema in answered.items()}
        schemas |= {f"{name}.{f'given_{form}' if form in answered else form}": each for form, each in given.items()}
    for union, form in (("Setup", "setup"), ("Position", "position")):
        schemas[union] = _any_of(*(f"{game}.{form}" for game in rules.GAMES), "OtherGame")
        schemas[f"Given{union}"] = _any_of(*(f"{game}.given_{form}" for game in rules.GAMES))
    moves = [name for name in schemas if ".move." in name]
    kinds = {kind for game in rules.GAMES.values() for kind in game.kinds}
    schemas["OtherMove"] = _other("kind", kinds, "A move of a kind that this description does not know.")
    schemas["OtherGame"] = _other("game", rules.GAMES, "Of a game that this description does not know.")
    schemas["MoveObject"] = _any_of(*moves, "OtherMove")
    schemas["GivenMove"] = _any_of(*(_given_name(name, schemas) for name in moves))
    for game in rules.GAMES.values():
        position, required_names = _reference(f"{game.id}.given_position"), on_table(game.position_form)
        needed: JsonObject = {"properties": {name: {} for name in required_names}, "required": list(required_names)}
        schemas[f"{game.id}.on_table"] = {"allOf": [position, needed]}
    schemas["PositionOnTable"] = _any_of(*(f"{game}.on_table" for game in rules.GAMES))
    schemas["GameId"] = {"type": "string", "enum": sorted(rules.GAMES)}
    return schemas


def _given_name(move: str, schemas: JsonObject) -> str:
    """The request shape of a move, by its response shape."""
    given = move.replace(".move.", ".given_move.")
    return given if given in schemas else move


def _other(member: str, known: Iterable[str], description: str) -> JsonObject:
    """The shape of later additions: an unknown value of this member, with any other members."""
    named: JsonObject = {"type": "string", "not": {"enum": sorted(known)}}
    return {"type": "object", "description": description, "required": [member], "properties": {member: named}}


def _reference(name: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{name}"}


def _any_of(*names: str) -> JsonObject:
    return {"anyOf": [_reference(name) for name in names]}


def expected_text() -> str:
    """The text of the contract with its generated part updated."""
    head, shapes, record = _parts()
    made = "".join(f"    {row}\n" for row in _dump_yaml(thaw(generated_components())).splitlines())
    line, _, _ = shapes.partition("\n")
    return f"{head}{MARKER}{line}\n{made}{RECORD_MARKER}.\n{record}"


def with_record(examples: Mapping[str, Json], statements: Mapping[str, Json]) -> str:
    """The contract with these examples of responses, by name, and the statements of each game."""
    head, _, _ = expected_text().partition(RECORD_MARKER)
    record = _dump_yaml({"examples": {**examples}, STATEMENTS: {**statements}})
    made = "".join(f"  {row}\n" for row in record.splitlines())
    return f"{head}{RECORD_MARKER}.\n{made}"


def _dump_yaml(value: Mapping[str, Json]) -> str:
    return yaml.dump(value, Dumper=_FullDumper, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)


class _Text:
    """A text that is read in parts, each counted as steps, so that the worker yields to other requests."""

    def __init__(self, text: str) -> None:
        self._stream = BytesIO(text.encode())

    def read(self, size: int = -1, /) -> bytes:
        """The next part, of at most `size` bytes."""
        part = self._stream.read(size)
        spend(len(part) // BYTES)
        return part


class _Reader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # libyaml is not everywhere
    """Reads YAML, and counts a step for each value."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:  # of yaml
        """The value of a node."""
        spend()
        return super().construct_object(node, deep)


class _FullDumper(yaml.SafeDumper):
    """Writes YAML without aliases. It counts steps for each value, and for each event."""

    def represent_data(self, data: object) -> yaml.Node:
        """The node of a value. A text of several lines is quoted, with its line breaks escaped."""
        spend()
        node: yaml.Node = super().represent_data(data)
        if isinstance(node, yaml.ScalarNode) and "\n" in node.value:
            node.style = '"'
        return node

    def emit(self, event: yaml.Event) -> None:
        """Write an event."""
        spend(WORD_STEPS)
        super().emit(event)

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002  # of yaml
        """No anchors."""
        return True


if __name__ == "__main__":
    path().write_text(expected_text(), encoding="utf-8")
