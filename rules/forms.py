"""What the JSON forms of setups, moves and positions are made of: constraints, and the readings a table chose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Pattern:
    """Constraint of an annotated string: a regular expression it matches whole, and an example.

    `code` names the sentence in the game's ``[malformed]`` texts for a text that does not match; it is filled with
    `text`. Cells have the code ``cell``.
    """

    regex: str
    example: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Between:
    """Constraint of an annotated integer: its least and greatest value, both allowed."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Most:
    """Constraint of an annotated tuple or mapping of any length: how many items or members it has at most.

    Every one has it, so that whatever is sent is read and ruled on quickly; a mapping of literals needs none.
    """

    n: int


class Malformed(ValueError):
    """Text or JSON that is not a move, a setup or a position of the game.

    `pointer` is a JSON pointer (RFC 6901) below the value that was read; `code` names the sentence in the game's
    ``[malformed]`` texts and `values` fills it.
    """

    def __init__(self, code: str, pointer: str = "", **values: Any) -> None:
        super().__init__(code, pointer, values)
        self.code = code
        self.pointer = pointer
        self.values: Mapping[str, Any] = values


@dataclass(frozen=True, slots=True)
class Reading:
    """A place where the printed rules can be read in several ways. The first value is the default.

    `scores` says whether the score can depend on it; every reading may change a ruling. `before` is the value that the
    rules followed before there was this reading, where that is not the default: tables opened then keep to it.
    """

    key: str
    values: tuple[str, ...]
    scores: bool = False
    before: str = ""

    @property
    def default(self) -> str:
        """The value a table has unless it chose another."""
        return self.values[0]


def chosen(readings: Sequence[Reading], given: Mapping[str, str]) -> dict[str, str]:
    """What a setup chose, filled up with the defaults. Raises `Malformed` for a reading or a value that is unknown."""
    known = {reading.key: reading for reading in readings}
    for key, value in given.items():
        if key not in known:
            raise Malformed("unknown_reading", f"/readings/{key}", values=tuple(known))
        if value not in known[key].values:
            raise Malformed("unknown_reading_value", f"/readings/{key}", values=known[key].values)
    return {reading.key: given.get(reading.key, reading.default) for reading in readings}


class Consulted(dict[str, str]):
    """The readings of a state, which remember those that were looked at."""

    def __init__(self, readings: Mapping[str, str]) -> None:
        super().__init__(readings)
        self._seen: set[str] = set()

    def __getitem__(self, key: str) -> str:
        """The value of a reading, which counts as looked at from now on."""
        self._seen.add(key)
        return super().__getitem__(key)

    def seen(self) -> frozenset[str]:
        """The readings that were looked at since this was asked last."""
        seen = frozenset(self._seen)
        self._seen.clear()
        return seen


def with_readings(state: Any, readings: Mapping[str, str]) -> Any:
    """The same position with some readings changed, of a state that is a named tuple."""
    consulted = isinstance(readings, Consulted)
    return state._replace(readings=readings if consulted else {**state.readings, **readings})
