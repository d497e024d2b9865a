"""The places where the JSON of a position may be unknown, and checks of what a ruling on it needs."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any, get_args

from rules.kernel import Ruling
from tests.support.json_forms import hint_of, members_of

Path = tuple[str | int, ...]
"""A path in JSON: names of members, and indexes of lists."""


def places(annotation: Any, value: Any, path: Path = ()) -> Iterator[Path]:
    """Where in the JSON of a position, or of another form, ``"?"`` may stand."""
    hint = hint_of(annotation)
    base, inner = hint.base, get_args(hint.base)
    if hint.unknown is not None and path[-1] != "rest":
        yield path
    if isinstance(value, list):
        for number, member in enumerate(value):
            yield from places(inner[0], member, (*path, number))
    elif isinstance(value, dict):
        is_form = isinstance(base, type) and is_dataclass(base)
        members = members_of(base) if is_form else dict.fromkeys(value, inner[-1])
        for name, member in value.items():
            yield from places(members[name], member, (*path, name))


def at(value: Any, path: Path) -> Any:
    """The value at a path."""
    for step in path:
        value = value[step]
    return value


def with_(value: Any, changes: Mapping[Path, Any]) -> Any:
    """A copy of the JSON with new values at some paths."""
    made = copy.deepcopy(value)
    for path, new in changes.items():
        at(made, path[:-1])[path[-1]] = new
    return made


def needs_decide(seen: Mapping[tuple[Any, ...], Ruling], looked_at: Iterable[int]) -> bool:
    """Whether any two fillings that agree in these of their needed places have the same ruling.

    `seen`: (contents of the needed places, the whole filling) -> the ruling.
    """
    places = tuple(looked_at)
    found: dict[tuple[Any, ...], Ruling] = {}
    return all(
        found.setdefault(tuple(needed[number] for number in places), ruling) is ruling
        for (needed, _), ruling in seen.items()
    )


def held_to_needs(seen: Mapping[tuple[Any, ...], Ruling], needs: int, shown: object) -> None:
    """Assert that the needed places decide the ruling, and that none is idle; `needs` is their number."""
    assert needs_decide(seen, range(needs)), shown
    for idle in range(needs):
        assert not needs_decide(seen, [number for number in range(needs) if number != idle]), (shown, idle)


def figures(game: str, unknown: int, rulings: Mapping[Ruling, int]) -> str:
    """A line that says how often each ruling was given with `unknown` unknown cells."""
    counts = ", ".join(f"{ruling.value} {n}" for ruling, n in rulings.items())
    return f"\n{game}, {unknown} unknown: {counts}; unproven where fillings agree: 0\n"
