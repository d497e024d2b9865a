"""The contract of the API: `openapi.yaml`, written by hand but for the shapes of the games' moves and positions.

Those are generated from the annotations of the rules. ``python -m service.contract`` writes them into the file, after
its marker; a test holds that they are what it would write.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

import rules
from service.wire import json_schemas

HERE: Final = Path(__file__).parent
MARKER: Final = "    # What follows is written by `python -m service.contract`"


@cache
def path() -> Path:
    """Where the contract is: beside the packages in the project, within ours where they are installed."""
    packaged = HERE / "openapi.yaml"
    return packaged if packaged.exists() else HERE.parent / "openapi.yaml"


@cache
def text() -> str:
    """The contract as it is written."""
    return path().read_text(encoding="utf-8")


@cache
def description() -> dict[str, Any]:
    """The contract, read."""
    read: dict[str, Any] = yaml.safe_load(text())
    return read


def generated() -> dict[str, Any]:
    """The components that the rules make: each game's setup, position and moves, and what is any game's."""
    schemas = {f"{game}.{name}": schema for game in rules.GAMES for name, schema in json_schemas(game).items()}
    unions = {"MoveObject": ".move.", "Setup": ".setup", "Position": ".position"}
    for union, part in unions.items():
        schemas[union] = {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in schemas if part in name]}
    return schemas


def written() -> str:
    """The contract with its generated part as it has to be."""
    head, marker, tail = text().partition(MARKER)
    line = tail.partition("\n")[0]
    dumped = yaml.dump(
        generated(), Dumper=_Whole, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None
    )
    return f"{head}{marker}{line}\n" + "".join(f"    {row}\n" for row in dumped.splitlines())


class _Whole(yaml.SafeDumper):
    """Writes everything out, where the same shape comes twice too."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002  # of yaml
        """No anchors."""
        return True


if __name__ == "__main__":
    path().write_text(written(), encoding="utf-8")
