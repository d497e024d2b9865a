"""Where the JSON of a position may be unknown, by the forms alone."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from service.wire.fields import Lookup, Many, Perhaps
from service.wire.objects import Nested

Path = tuple[str | int, ...]
"""A place in JSON: names of members, and numbers in lists."""


def places(field: Any, value: Any, path: Path = ()) -> Iterator[Path]:
    """Where in the JSON of a position ``"?"`` may stand."""
    if isinstance(field, Perhaps):
        if path[-1] != "rest":
            yield path
        yield from places(field.inner, value, path)
    elif isinstance(field, Nested) and isinstance(value, dict):
        for name, member in value.items():
            yield from places(field.schema.fields[name], member, (*path, name))
    elif isinstance(field, Many) and isinstance(value, list):
        for number, member in enumerate(value):
            yield from places(field.inner, member, (*path, number))
    elif isinstance(field, Lookup) and isinstance(value, dict):
        for name, member in value.items():
            yield from places(field.members, member, (*path, name))


def at(value: Any, path: Path) -> Any:
    """What stands in a place."""
    for step in path:
        value = value[step]
    return value


def with_(value: Any, changes: Mapping[Path, Any]) -> Any:
    """The same JSON with something else in some places."""
    made = copy.deepcopy(value)
    for path, new in changes.items():
        at(made, path[:-1])[path[-1]] = new
    return made
