"""Converts the entries of a log to the JSON that Redis stores, and back: each field by its type.

A field that was added later has a default, so that every old entry can still be read. An unknown field, which a newer
worker wrote, is ignored.
"""

from __future__ import annotations

import types
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import partial
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin

import orjson

from rules.kernel import LEGAL, Facts, Finding
from service.tables.entries import (
    BATTLE,
    BEGINS,
    DELETE,
    MAX_SHOWN,
    REPLACE,
    Amended,
    AnyEntry,
    Checkpoint,
    Confirmed,
    Die,
    Disputed,
    KeyMade,
    KeyRevoked,
    LateMove,
    LogChange,
    Opened,
    Played,
    ReadingsSet,
    Renamed,
    Rewound,
    Rolled,
    Settled,
    Unreadable,
    ViewMade,
    ViewRevoked,
)
from service.tables.entry_fields import REQUIRED, EntryField, fields_of
from service.tables.keys import HASH
from service.tables.stored_values import (
    Foreign,
    StoredObject,
    finding_json,
    finding_of,
    member_of,
    members,
    moment,
    require_type,
    value_among,
)
from service.types import Json, JsonObject

Head: TypeAlias = tuple[int, datetime, str]
"""The head of every entry: its number, its time, and the role whose key made it."""
Reader: TypeAlias = Callable[[object], object]
"""Reads a stored value. Raises `Foreign`."""
Writer: TypeAlias = Callable[[Any], Json]
TYPES: Final[Mapping[type[AnyEntry], str]] = {
    Opened: "opened",
    Played: "played",
    Rewound: "rewound",
    ReadingsSet: "readings",
    Checkpoint: "checkpoint",
    Disputed: "disputed",
    Confirmed: "confirmed",
    Settled: "settled",
    Amended: "amended",
    Rolled: "rolled",
    Renamed: "renamed",
    ViewMade: "view_made",
    ViewRevoked: "view_revoked",
    KeyMade: "key_made",
    KeyRevoked: "key_revoked",
}
"""Type of an entry -> its name in the log and in the API."""
IMPORT: Final = "imported"
"""The name in the log of an imported opening: a worker that does not know imports refuses the log."""


LISTS: Final = (Die, LateMove)
"""Types that are stored as lists of their values; other types with fields are stored as objects."""


def encode(entry: AnyEntry) -> bytes:
    """Encode an entry for the log, without its number, which the log stores itself."""
    # copied, since it is cached: orjson's own result keeps the whole buffer reserved for it, 4 kB or more
    return bytes(memoryview(orjson.dumps(stored_json(entry), option=orjson.OPT_UTC_Z)))


def stored_json(entry: AnyEntry) -> JsonObject:
    """An entry as the log stores it, without its number."""
    kind = type(entry)
    name = IMPORT if isinstance(entry, Opened) and entry.imported else TYPES[kind]
    return WRITERS[kind](entry, {"type": name, "at": entry.at, "by": entry.by})


def decode(number: int, payload: bytes) -> AnyEntry:
    """Decode an entry of this version or an older one. Raises `Unreadable`, and `ValueError` for invalid JSON."""
    return entry_of(number, orjson.loads(payload))


def pack(payloads: Sequence[bytes]) -> bytes:
    """Compress encoded entries."""
    return zlib.compress(b"[%b]" % b",".join(payloads), level=1)


def unpack(first: int, packed: bytes) -> tuple[AnyEntry, ...]:
    """The packed entries, by the number of the first. Raises `Unreadable`."""
    stored: list[Json] = orjson.loads(zlib.decompress(packed))
    return tuple([entry_of(number, each) for number, each in enumerate(stored, first)])


def entry_of(number: int, stored: Json) -> AnyEntry:
    """Decode a stored entry. Raises `Unreadable` if a member is missing or has another type."""
    try:
        return _decode_by_type(number, members(stored))
    except (Foreign, RecursionError) as error:
        raise Unreadable(f"entry {number} is of another release: {error!r}") from error


def _decode_by_type(number: int, stored: StoredObject) -> AnyEntry:
    name = require_type(str, stored["type"])
    kind = TYPES[Opened] if name == IMPORT else name
    if kind not in READERS or (name == IMPORT) != ("imported" in stored):
        raise Unreadable(f"entry {number} is {name!r}")
    return READERS[kind]((number, moment(stored["at"]), require_type(str, stored["by"])), stored)


# --- each field by its type ----------------------------------------------------------------------------------------


def _object_reader(kind: type[Any]) -> Callable[[Sequence[object], StoredObject], Any]:
    """A function that makes a named tuple of the values of its head and a stored object."""
    fields = [(field.log, _value_if_absent(field), _reader_of(field.hint)) for field in fields_of(kind)]
    check = CHECKS.get(kind)

    def read(head: Sequence[object], stored: StoredObject) -> Any:
        made = kind(
            *head,
            *[
                missing if missing is not REQUIRED and name not in stored else read_value(stored[name])
                for name, missing, read_value in fields
            ],
        )
        if check is not None and not check(made):
            raise Foreign(f"{made!r}")
        return made

    return read


def _value_if_absent(field: EntryField) -> object:
    """The value of a field that was not stored; `REQUIRED` if it must be stored."""
    return None if field.default is REQUIRED and type(None) in get_args(field.hint) else field.default


def _reader_of(hint: Any) -> Reader:
    """The reader of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        read = _reader_of(next(each for each in arguments if each is not type(None)))
        return lambda value: None if value is None else read(value)
    if origin is Literal:
        return partial(value_among, arguments)
    if origin is tuple:
        read = _reader_of(arguments[0])
        return lambda value: tuple([read(each) for each in require_type(list, value)])
    if origin is Mapping and arguments[1] is not object:
        read = _reader_of(arguments[1])
        return lambda value: {name: read(each) for name, each in require_type(dict, value).items()}
    return partial(require_type, dict) if origin is Mapping else _class_reader(hint)


def _class_reader(kind: type[Any]) -> Reader:
    """The reader of a class."""
    if kind is Finding:
        return finding_of
    if issubclass(kind, Enum):
        return partial(member_of, kind)
    if kind is datetime:
        return moment
    if kind in LISTS:
        readers = [_reader_of(field.hint) for field in fields_of(kind)]
        return lambda value: kind(*_values(readers, value))
    if issubclass(kind, tuple):
        read = _object_reader(kind)
        return lambda value: read((), members(value))
    return partial(require_type, kind)


def _values(readers: Sequence[Reader], value: object) -> list[object]:
    """The values of a list with one value per field. Raises `Foreign`."""
    stored = require_type(list, value)
    if len(stored) != len(readers):
        raise Foreign(f"{value!r}")
    return [read(each) for read, each in zip(readers, stored, strict=True)]


def _object_writer(kind: type[tuple[object, ...]]) -> Callable[[Any, JsonObject], JsonObject]:
    """A function that adds the fields of a named tuple to an object."""
    fields = [(field.log, field.null, _writer_of(field.hint)) for field in fields_of(kind)]
    head = len(kind.__annotations__) - len(fields)

    def write(value: tuple[Any, ...], stored: JsonObject) -> JsonObject:
        for (log, null, write_value), member in zip(fields, value[head:], strict=True):
            if null or member is not None:
                stored[log] = member if write_value is None or member is None else write_value(member)
        return stored

    return write


def _writer_of(hint: Any) -> Writer | None:
    """The writer of a type; None if its values are JSON already."""
    arguments = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return _writer_of(next(each for each in arguments if each is not type(None)))
    if get_origin(hint) is tuple:
        write = _writer_of(arguments[0])
        return None if write is None else lambda value: [write(each) for each in value]
    if hint is Finding:
        return finding_json
    if hint in LISTS:
        return list
    if isinstance(hint, type) and issubclass(hint, tuple):
        write_object = _object_writer(hint)
        return lambda value: write_object(value, {})
    return None


# --- beyond the types ----------------------------------------------------------------------------------------------


def _is_possible_change(change: LogChange) -> bool:
    """Whether a change of the log has the right number of moves for its kind."""
    return (change.do != DELETE) == bool(change.moves) and (change.do != REPLACE or len(change.moves) == 1)


def _is_possible_roll(entry: Rolled) -> bool:
    """Whether all dice show possible faces, and the throws suit the purpose."""
    if not all(0 <= face <= MAX_SHOWN for each in entry.faces.values() for face in each):
        return False
    if not all(die.shows in entry.faces.get(die.kind, ()) for throw in entry.throws for die in throw.dice):
        return False
    if not all(throw.dice for throw in entry.throws):
        return False
    apart = _one_is_left(entry) if entry.purpose == BEGINS else len(entry.throws) == 1
    return apart and {entry.purpose == BATTLE} == {entry.notation is not None, bool(entry.camp)}


def _one_is_left(entry: Rolled) -> bool:
    """Whether the throws decide who begins: the players who were level threw again, until one was ahead."""
    left = frozenset(throw.seat for throw in entry.throws)
    for thrown in entry.rounds:
        if left != {throw.seat for throw in thrown} or len(left) != len(thrown):
            return False
        best = max(throw.total for throw in thrown)
        left = frozenset(throw.seat for throw in thrown if throw.total == best)
    return len(left) == 1 and None not in left and sum(map(len, entry.rounds)) == len(entry.throws)


CHECKS: Final[Mapping[type[Any], Callable[[Any], bool]]] = {
    Opened: lambda entry: (entry.imported is None) == (entry.imported_at is None) and entry.imported != 0,
    LogChange: _is_possible_change,
    Confirmed: lambda entry: (entry.dispute is None) != (entry.change is None),
    Rolled: _is_possible_roll,
    Renamed: lambda entry: bool(entry.names),
    KeyMade: lambda entry: HASH.fullmatch(entry.hash) is not None and (entry.until is None) == (entry.parent is None),
    ViewMade: lambda entry: 0 <= entry.since < entry.number and HASH.fullmatch(entry.hash) is not None,
}
READERS: Final[Mapping[str, Callable[[Head, StoredObject], AnyEntry]]] = {
    name: _object_reader(kind) for kind, name in TYPES.items()
}
"""Name of an entry -> its reader. A worker refuses a log with an unknown name."""
WRITERS: Final[Mapping[type[AnyEntry], Callable[[AnyEntry, JsonObject], JsonObject]]] = {
    kind: _object_writer(kind) for kind in TYPES
}


def findings_to_keep(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The part of a verdict that the log stores: all findings, and the cells that show an objection.

    The log omits the cells of a count that lets a move pass: the sentence has the numbers, and the position has the
    cells.
    """
    return tuple(
        [
            Finding(rule, Facts(code, values, () if ruling is LEGAL else tuple(evidence), ruling, needs))
            for rule, (code, values, evidence, ruling, needs) in findings
        ]
    )
