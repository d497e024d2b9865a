"""JSON in which a few things are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from operator import getitem
from random import Random
from typing import Any

from rules.forms import UNKNOWN

STRANGE: tuple[Any, ...] = (None, True, -1, 0, 99, 10**9, 1.5, "", "x", "red", [], {}, [[]], "\u00e9" * 50, "a\u0000")
Slot = tuple[Any, ...]


def slots(value: Any, path: Slot = ()) -> Iterator[Slot]:
    """The path to every member and item within a value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in members:
        yield (*path, step)
        yield from slots(inner, (*path, step))


def at(value: Any, path: Slot) -> Any:
    """The value at a path."""
    return reduce(getitem, path, value)


def shaken(value: Any, chance: Random) -> Any:
    """JSON with one to three values deleted, doubled, unknown, or replaced by strange ones or others of it."""
    value = deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        ways = list(slots(value))
        if not ways:
            return value
        *way, step = chance.choice(ways)
        holder = at(value, tuple(way))
        alike = [at(value, other) for other in ways if type(at(value, other)) is type(holder[step])]
        what = chance.choice(("gone", "twice", "strange", "unknown", "unknown", "elsewhere", "elsewhere", "elsewhere"))
        if what == "gone":
            del holder[step]
        elif what == "twice" and isinstance(holder, list):
            holder.append(deepcopy(holder[step]))
        elif what == "unknown":
            holder[step] = UNKNOWN
        else:
            holder[step] = deepcopy(chance.choice(STRANGE if what == "strange" else alike))
    return value
