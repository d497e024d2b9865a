"""Converts the entries of a log to the JSON that Redis stores, and back.

A field that was added later has a default, so that every old entry can still be read. An unknown field, which a newer
worker wrote, is ignored.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Final, TypeAlias, TypeVar

import orjson

from rules.changes import Reachability
from rules.kernel import Fact, Facts, Finding, Ruling, Value
from rules.spoken import StyledName
from service.tables.entries import (
    BATTLE,
    BEGINS,
    CHANGES,
    DELETE,
    MAX_SHOWN,
    MISFIT_POLICIES,
    PURPOSES,
    REPLACE,
    SERVER,
    Amended,
    AnyEntry,
    Checkpoint,
    Confirmed,
    Die,
    Disputed,
    InLine,
    LateMove,
    LogChange,
    Opened,
    Played,
    ReadingsSet,
    Rewound,
    Rolled,
    Settled,
    Throw,
    Unreadable,
)
from service.types import Json, JsonObject

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


TOO_LATE: Final = 9_000
"""A year of which a log says nothing: what is kept after it would have no end that can be told."""


class Foreign(ValueError):
    """Something stored is not what it is here: another release wrote it."""


class StoredObject(dict[str, Any]):
    """An object as it was stored, by this version or another. A member that is missing raises `Foreign`."""

    def __missing__(self, name: str) -> object:
        raise Foreign(f"no {name!r}")


Head: TypeAlias = tuple[int, datetime, str]
"""What every entry has: its number, its time, and the role whose key made it."""
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
}
"""Entry -> its name, in the log and in the API."""


def encode(entry: AnyEntry) -> bytes:
    """An entry as the log keeps it; its number is the log's own."""
    stored = {"type": TYPES[type(entry)], "at": entry.at, "by": entry.by, **_members(entry)}
    # copied, for it is remembered: what orjson returns holds on to all the room that was set aside for it, 4 kB or more
    return bytes(memoryview(orjson.dumps(stored, option=orjson.OPT_UTC_Z)))


def _members(entry: AnyEntry) -> JsonObject:
    """What an entry has of its own."""
    match entry:
        case Played():
            return {
                "move": entry.notation,
                "seat": entry.seat,
                "ruling": entry.ruling.value,
                "stands": entry.stands,
                "findings": [_finding_json(each) for each in entry.findings],
                "rules_version": entry.rules_version,
                **_dispute_json(entry),
            }
        case Rewound():
            return {"to": entry.to, **_dispute_json(entry)}
        case ReadingsSet():
            return {"readings": entry.readings, "rules_version": entry.rules_version, **_dispute_json(entry)}
        case Checkpoint():
            return {
                "position": entry.position,
                "led": entry.led,
                "way": entry.way,
                "why": [_finding_json(each) for each in entry.why],
                "looked": entry.looked,
                "rules_version": entry.rules_version,
                **_dispute_json(entry),
            }
        case Disputed():
            return {
                "entry": entry.entry,
                "move": entry.notation,
                "question": entry.question,
                "ruling": entry.ruling.value,
                "findings": [_finding_json(each) for each in entry.findings],
                "rules_version": entry.rules_version,
            }
        case Confirmed():
            agreed: JsonObject = {} if entry.change is None else {"change": _change_json(entry.change)}
            return {"dispute": entry.dispute, "remedy": entry.remedy, **agreed}
        case Amended():
            return {"change": _change_json(entry.change), "to": entry.to, "line": entry.line, "changed": entry.changed}
        case Settled():
            return {"dispute": entry.dispute, "remedy": entry.remedy, "text": entry.text}
        case Rolled():
            return {
                "for": entry.purpose,
                "throws": [_throw_json(each) for each in entry.throws],
                "faces": entry.faces,
                "move": entry.notation,
                "camp": entry.camp,
                "with": entry.source,
                "rules_version": entry.rules_version,
            }
    return {"game": entry.game, "setup": entry.setup, "rules_version": entry.rules_version, "keys": entry.keys}


def _dispute_json(entry: InLine | Rewound) -> JsonObject:
    """The dispute that an entry names, if it names one."""
    return {} if entry.dispute is None else {"dispute": entry.dispute}


def decode(number: int, payload: bytes) -> AnyEntry:
    """An entry of the log, of this version or an older one. Raises `Unreadable`, and
    `ValueError` for what is no JSON.
    """
    return _entry(number, orjson.loads(payload))


def pack(payloads: Sequence[bytes]) -> bytes:
    """Entries as they are stored, in little room."""
    return zlib.compress(b"[%b]" % b",".join(payloads), level=1)


def unpack(first: int, packed: bytes) -> tuple[AnyEntry, ...]:
    """The entries that were packed, by the number of the first. Raises `Unreadable`."""
    stored: list[Json] = orjson.loads(zlib.decompress(packed))
    return tuple([_entry(number, each) for number, each in enumerate(stored, first)])


def _entry(number: int, stored: Json) -> AnyEntry:
    """An entry as it was stored. Raises `Unreadable` where a member is missing or is not what it is here."""
    try:
        return _decode_by_type(number, members(stored))
    except (Foreign, RecursionError) as error:
        raise Unreadable(f"entry {number} is of another release: {error!r}") from error


def _decode_by_type(number: int, stored: StoredObject) -> AnyEntry:
    kind = require_type(str, stored["type"])
    if kind not in READERS:
        raise Unreadable(f"entry {number} is {kind!r}")
    return READERS[kind]((number, moment(stored["at"]), require_type(str, stored["by"])), stored)


def _decode_opened(head: Head, stored: StoredObject) -> Opened:
    game, setup, version = (
        require_type(str, stored["game"]),
        require_type(dict, stored["setup"]),
        require_type(str, stored["rules_version"]),
    )
    return Opened(*head, game, setup, version, _typed_mapping(str, stored["keys"]))


def _decode_played(head: Head, stored: StoredObject) -> Played:
    ruling, findings, version = _decode_ruling(stored)
    move, stands = require_type(str, stored["move"]), require_type(bool, stored.get("stands", False))
    return Played(
        *head, move, _maybe(str, stored, "seat"), ruling, stands, findings, version, _maybe(int, stored, "dispute")
    )


def _decode_rewound(head: Head, stored: StoredObject) -> Rewound:
    return Rewound(*head, require_type(int, stored["to"]), _maybe(int, stored, "dispute"))


def _decode_readings(head: Head, stored: StoredObject) -> ReadingsSet:
    version = require_type(str, stored.get("rules_version", ""))
    return ReadingsSet(*head, _typed_mapping(str, stored["readings"]), version, _maybe(int, stored, "dispute"))


def _decode_checkpoint(head: Head, stored: StoredObject) -> Checkpoint:
    position, led = require_type(dict, stored["position"]), _one(Reachability, stored.get("led", "undecided")).value
    way = tuple([require_type(str, each) for each in require_type(list, stored.get("way", []))])
    why = tuple(map(_finding, require_type(list, stored.get("why", []))))
    looked, version = require_type(int, stored.get("looked", 0)), require_type(str, stored.get("rules_version", ""))
    return Checkpoint(*head, position, led, way, why, looked, version, _maybe(int, stored, "dispute"))


def _decode_disputed(head: Head, stored: StoredObject) -> Disputed:
    about = _maybe(int, stored, "entry"), _maybe(str, stored, "move"), require_type(str, stored["question"])
    return Disputed(*head, *about, *_decode_ruling(stored))


def _decode_confirmed(head: Head, stored: StoredObject) -> Confirmed:
    change = None if "change" not in stored else _change(stored["change"])
    dispute = None if change is not None else require_type(int, stored["dispute"])
    return Confirmed(*head, dispute, require_type(str, stored["remedy"]), change)


def _decode_amended(head: Head, stored: StoredObject) -> Amended:
    line, changed = (require_type(list, stored.get(name, [])) for name in ("line", "changed"))
    numbers = tuple([require_type(int, each) for each in line]), tuple([require_type(int, each) for each in changed])
    return Amended(*head, _change(stored["change"]), require_type(int, stored["to"]), *numbers)


def _change_json(change: LogChange) -> JsonObject:
    """A change of the log as it is written down."""
    return {**change._asdict(), "moves": [list(late) for late in change.moves]}


def _change(value: Json) -> LogChange:
    """A change of the log as it was stored."""
    stored = members(value)
    moves = tuple(
        [
            LateMove(require_type(str, notation), require_type(bool, stands))
            for notation, stands in _pairs(stored["moves"])
        ]
    )
    do, misfits = _among(CHANGES, stored["do"]), _among(MISFIT_POLICIES, stored["misfits"])
    if (do != DELETE) != bool(moves) or (do == REPLACE and len(moves) > 1):
        raise Foreign("moves")
    return LogChange(do, require_type(int, stored["entry"]), moves, misfits)


def _decode_settled(head: Head, stored: StoredObject) -> Settled:
    dispute, text = require_type(int, stored["dispute"]), require_type(str, stored.get("text", ""))
    return Settled(*head, dispute, require_type(str, stored["remedy"]), text)


def _throw_json(throw: Throw) -> JsonObject:
    """A throw as it is written down."""
    whose: JsonObject = {} if throw.seat is None else {"seat": throw.seat}
    return {"dice": [list(die) for die in throw.dice], **whose}


def _decode_rolled(head: Head, stored: StoredObject) -> Rolled:
    purpose, throws = _among(PURPOSES, stored["for"]), tuple(map(_throw, require_type(list, stored["throws"])))
    faces = {
        kind: tuple([require_type(int, face) for face in each])
        for kind, each in require_type(dict, stored["faces"]).items()
    }
    notation, version = _maybe(str, stored, "move"), require_type(str, stored.get("rules_version", ""))
    entry = Rolled(
        *head, purpose, throws, faces, notation, require_type(str, stored.get("camp", "")), rules_version=version
    )
    known = stored["with"] == SERVER and all(0 <= face <= MAX_SHOWN for each in faces.values() for face in each)
    shown = all(throw.dice and all(die.shows in faces.get(die.kind, ()) for die in throw.dice) for throw in throws)
    apart = _one_is_left(entry) if purpose == BEGINS else len(throws) == 1
    if not (known and shown and apart) or {purpose == BATTLE} != {notation is not None, bool(entry.camp)}:
        raise Foreign("throws")
    return entry


def _throw(value: Json) -> Throw:
    """A throw as it was stored."""
    stored = members(value)
    dice = tuple([Die(require_type(str, kind), require_type(int, shows)) for kind, shows in _pairs(stored["dice"])])
    return Throw(dice, _maybe(str, stored, "seat"))


def _one_is_left(entry: Rolled) -> bool:
    """Whether throws for who begins say so: each of those who were level threw again, until one was ahead."""
    left = frozenset(throw.seat for throw in entry.throws)
    for thrown in entry.rounds:
        if left != {throw.seat for throw in thrown} or len(left) != len(thrown):
            return False
        best = max(throw.total for throw in thrown)
        left = frozenset(throw.seat for throw in thrown if throw.total == best)
    return len(left) == 1 and None not in left and sum(map(len, entry.rounds)) == len(entry.throws)


READERS: Final[Mapping[str, Callable[[Head, StoredObject], AnyEntry]]] = {
    "opened": _decode_opened,
    "played": _decode_played,
    "rewound": _decode_rewound,
    "readings": _decode_readings,
    "checkpoint": _decode_checkpoint,
    "disputed": _decode_disputed,
    "confirmed": _decode_confirmed,
    "settled": _decode_settled,
    "amended": _decode_amended,
    "rolled": _decode_rolled,
}
"""Name of an entry -> what reads it. A worker without its name refuses a log."""


def _decode_ruling(stored: StoredObject) -> tuple[Ruling, tuple[Finding, ...], str]:
    """The ruling of an entry, what was found, and the rules that found it."""
    return (
        _one(Ruling, stored.get("ruling", "legal")),
        tuple(map(_finding, require_type(list, stored.get("findings", [])))),
        require_type(str, stored.get("rules_version", "")),
    )


def require_type(kind: type[T], value: object) -> T:
    """A value that is of one type, and a truth value is no number. Raises `Foreign`."""
    if type(value) is kind:
        return value
    raise Foreign(f"{kind.__name__}: {value!r}")


def members(value: Json) -> StoredObject:
    """An object as it was stored. Raises `Foreign`."""
    return StoredObject(require_type(dict, value))


def _one(kind: type[E], value: object) -> E:
    """The member of an enumeration with a value. Raises `Foreign`."""
    found = next((each for each in kind if each.value == value), None)
    if found is None:
        raise Foreign(f"{kind.__name__}: {value!r}")
    return found


def _among(known: Sequence[T], value: object) -> T:
    """The value that is equal to one of those that are known. Raises `Foreign`."""
    found = next((each for each in known if each == value), None)
    if found is None:
        raise Foreign(f"{value!r}")
    return found


def _pairs(value: Json) -> list[list[object]]:
    """A list of lists of two. Raises `Foreign`."""
    pairs = [require_type(list, each) for each in require_type(list, value)]
    if any(len(each) != 2 for each in pairs):
        raise Foreign("pairs")
    return pairs


def _maybe(kind: type[T], stored: StoredObject, name: str) -> T | None:
    """A member that may be null or missing. Raises `Foreign`."""
    value = stored.get(name)
    return None if value is None else require_type(kind, value)


def _typed_mapping(kind: type[T], value: object) -> dict[str, T]:
    """An object whose members are all of one type. Raises `Foreign`."""
    return {name: require_type(kind, member) for name, member in require_type(dict, value).items()}


def moment(value: object) -> datetime:
    """A time, in UTC: one that does not say of where it is cannot be compared. Raises `Foreign`."""
    try:
        at = datetime.fromisoformat(require_type(str, value))
        if at.tzinfo is not None and at.year < TOO_LATE:
            return at.astimezone(UTC)
    except (OverflowError, ValueError):
        pass
    raise Foreign(f"{value!r}")


def findings_to_keep(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What of a verdict goes into the log: all that was said, and the cells that show an objection.

    The cells of a count that let a move pass are left out: the numbers are in the sentence, and whoever wants to see
    the cells has the position.
    """
    return tuple(
        [
            Finding(rule, facts._replace(evidence=() if facts.ruling is Ruling.LEGAL else tuple(facts.evidence)))
            for rule, facts in findings
        ]
    )


def _finding_json(finding: Finding) -> JsonObject:
    """A finding as it is written down."""
    facts = finding.facts
    return {
        "rule": finding.rule,
        "code": facts.code,
        "ruling": facts.ruling.value,
        "values": {name: _value_json(value) for name, value in facts.values.items()},
        "evidence": [[fact.cells, dict(fact.counts)] for fact in facts.evidence],
        "needs": facts.needs,
    }


def _finding(value: Json) -> Finding:
    """A finding as it was written down; JSON's lists become the tuples that they were."""
    stored = members(value)
    evidence = _pairs(stored.get("evidence", []))
    facts = Facts(
        require_type(str, stored.get("code", "")),
        {name: _value_of(value) for name, value in require_type(dict, stored.get("values", {})).items()},
        tuple(Fact(_value_of(require_type(list, cells)), _typed_mapping(int, counts)) for cells, counts in evidence),
        _one(Ruling, stored.get("ruling", "illegal")),
        tuple([require_type(str, each) for each in require_type(list, stored.get("needs", []))]),
    )
    return Finding(require_type(str, stored["rule"]), facts)


def _value_json(value: Value) -> Json:
    """A value as it is written down; a name that is said in full with the words for it."""
    if isinstance(value, StyledName):
        words = {name: _value_json(each) for name, each in value.values.items()}
        return {"name": str(value), "said": value.code, "values": words}
    return [_value_json(item) for item in value] if isinstance(value, tuple) else value


def _value_of(value: object) -> Any:
    """A value as it was before it was written down."""
    if isinstance(value, dict):
        stored = StoredObject(value)
        words = {name: _value_of(each) for name, each in require_type(dict, stored["values"]).items()}
        return StyledName(require_type(str, stored["name"]), require_type(str, stored["said"]), words)
    return tuple(_value_of(item) for item in value) if isinstance(value, list) else value
