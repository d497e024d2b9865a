"""The parts of the JSON forms of setups, moves and positions: constraints, and the readings that a table chose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, get_type_hints

from rules.old_names import old_attributes
from rules.records import dataclass

Plain: TypeAlias = dict[str, Any]
"""A setup, a move or a position as JSON; the annotations of the form define its members."""
UNKNOWN: Final = "?"
"""Stands for something unknown in a partial position (`rules.unknowns`)."""
EMPTY: Final = "empty"
"""The value of `rest` in a position if every omitted cell is empty; …"""
THE_REST: Final = "unknown"
"""… and if every omitted cell is unknown."""
PLAYER: Final = "player"
"""The member of every form's JSON that names a player, …"""
SAYS_PLAYER: Final = MappingProxyType({PLAYER: True})
"""… and the metadata of a dataclass's field with an older name for it: requests and responses have both."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Constraint of an annotated string: a regular expression that matches all of it, and an example.

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
    """Constraint of an annotated tuple or mapping of any length: its maximum number of items or members.

    Each one has it, so that every request is loaded and ruled on quickly; a mapping of literals needs none.
    """

    n: int


@dataclass(frozen=True, slots=True)
class OrUnknown:
    """Mark of a member of a position, or of the items of its tuple or mapping: it may be unknown, and is then `word`.

    The type beside it is that of a known value; only `UnknownRules.cells` and `UnknownRules.known_part` can get an
    unknown one, and test it with `is_unknown`. A request without unknown cells rejects `word`. Beside other marks in
    any order: ``Annotated[tuple[Piece, ...], Most(8), OrUnknown()]``; before ``| None``.
    """

    word: str = UNKNOWN


@dataclass(frozen=True, slots=True)
class OnTable:
    """Mark of a member of a position: pieces that lie on the table. A position with all that lies there must have it,
    even if empty; other positions may leave it out.
    """


@dataclass(frozen=True, slots=True)
class NumberedCell:
    """Mark of a cell that is two numbers: ``Annotated[tuple[int, int], NumberedCell()]``. A text such as ``1,-2`` is
    valid, too.
    """


def on_table(form: type) -> tuple[str, ...]:
    """The members of the form of a position that are marked `OnTable`."""
    hints = get_type_hints(form, include_extras=True)
    return tuple(name for name, hint in hints.items() if OnTable() in getattr(hint, "__metadata__", ()))


Rest: TypeAlias = Annotated[Literal["empty"], OrUnknown(THE_REST)] | None
"""The member ``rest: Rest = None`` of a position: whether each omitted cell is ``empty`` (or None) or ``unknown``; on a
board that grows, also beyond the entered cells."""


def is_unknown(value: object) -> bool:
    """Whether a member of a partial position is unknown. It takes any value, since the type is that of a known one."""
    return value == UNKNOWN


def rest_is_unknown(position: Any) -> bool:
    """Whether each omitted cell of a partial position is unknown; never in a game whose positions have no `rest`."""
    return bool(getattr(position, "rest", None) == THE_REST)


class Malformed(ValueError):
    """Text or JSON that is not a move, a setup or a position of the game.

    `pointer` is a JSON pointer (RFC 6901) into the value; `code` names the sentence in the game's ``[malformed]``
    texts, and `values` fills it.
    """

    def __init__(self, code: str, pointer: str = "", **values: object) -> None:
        super().__init__(code, pointer, values)
        self.code = code
        self.pointer = pointer
        self.values: Mapping[str, Any] = values


@dataclass(frozen=True, slots=True)
class Reading:
    """A place where the printed rules can be read in several ways. The first value is the default.

    `scores`: whether the score can depend on it; every reading may change a ruling. `before`: the value that the rules
    followed before this reading existed, if that is not the default: tables opened at that time keep it.
    """

    key: str
    values: tuple[str, ...]
    scores: bool = False
    before: str = ""

    @property
    def default(self) -> str:
        """The value a table has unless it chose another."""
        return self.values[0]


def chosen_readings(readings: Sequence[Reading], chosen: Mapping[str, str]) -> dict[str, str]:
    """The readings of a setup, with the defaults for the others. Raises `Malformed` for an unknown reading or value."""
    readings_by_key = {reading.key: reading for reading in readings}
    for key, value in chosen.items():
        if key not in readings_by_key:
            raise Malformed("unknown_reading", f"/readings/{key}", values=tuple(readings_by_key))
        if value not in readings_by_key[key].values:
            raise Malformed("unknown_reading_value", f"/readings/{key}", values=readings_by_key[key].values)
    return {reading.key: chosen.get(reading.key, reading.default) for reading in readings}


class TrackedReadings(dict[str, str]):
    """The readings of a state. They record which of them were read."""

    def __init__(self, readings: Mapping[str, str]) -> None:
        super().__init__(readings)
        self._keys_read: set[str] = set()

    def __getitem__(self, key: str) -> str:
        """The value of a reading, which is recorded as read."""
        self._keys_read.add(key)
        return super().__getitem__(key)

    def pop_keys_read(self) -> frozenset[str]:
        """The readings that were read since the last call."""
        keys_read = frozenset(self._keys_read)
        self._keys_read.clear()
        return keys_read


def with_readings(state: Any, readings: Mapping[str, str]) -> Any:
    """The same position with some readings changed, for a state that is a named tuple."""
    are_tracked = isinstance(readings, TrackedReadings)
    return state._replace(readings=readings if are_tracked else {**state.readings, **readings})


def plain(form: object, *, is_answer: bool = False) -> Plain:
    """A setup, a move or a position (a dataclass of a game) as JSON, without null members.

    `is_answer`: a member marked `SAYS_PLAYER` also appears as `PLAYER`.
    """
    if not is_dataclass(form) or isinstance(form, type):
        raise TypeError(f"no form of a game: {form!r}")
    members: Plain = {}
    for member in fields(form):
        if member.init and (value := getattr(form, member.name)) is not None:
            if is_answer and PLAYER in member.metadata:
                members[PLAYER] = value
            members[member.name] = _plain(value, is_answer=is_answer)
    kind = getattr(form, "kind", None)
    return {"kind": kind, **members} if kind is not None and "kind" not in members else members


def _plain(value: object, *, is_answer: bool) -> Any:
    if isinstance(value, str | int | float):
        return value
    if value is None:
        return None
    if isinstance(value, Mapping):
        return {name: _plain(member, is_answer=is_answer) for name, member in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item, is_answer=is_answer) for item in value]
    return plain(value, is_answer=is_answer)


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        chosen="chosen_readings",
    )
