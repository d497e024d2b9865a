"""The entries of a log as they are stored: JSON.

A field that was added later has a default, so that every old entry can still be read; a field that is not known here
(a newer worker wrote it) is passed over.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias, TypeVar

import orjson

from rules.changes import Led
from rules.kernel import Fact, Facts, Finding, Ruling, Value
from rules.spoken import Spoken
from service.datatypes import Json, JsonObject
from service.entries import (
    BATTLE,
    BEGINS,
    CHANGES,
    DELETE,
    MISFITS,
    MOST_SHOWN,
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
    Late,
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

T = TypeVar("T")
Stored: TypeAlias = Mapping[str, Any]
"""An object as it was stored, by this version or another."""
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
                "findings": [_kept(each) for each in entry.findings],
                "rules_version": entry.rules_version,
                **_named_dispute(entry),
            }
        case Rewound():
            return {"to": entry.to, **_named_dispute(entry)}
        case ReadingsSet():
            return {"readings": entry.readings, "rules_version": entry.rules_version, **_named_dispute(entry)}
        case Checkpoint():
            return {
                "position": entry.position,
                "led": entry.led,
                "way": entry.way,
                "why": [_kept(each) for each in entry.why],
                "looked": entry.looked,
                "rules_version": entry.rules_version,
                **_named_dispute(entry),
            }
        case Disputed():
            return {
                "entry": entry.entry,
                "move": entry.notation,
                "question": entry.question,
                "ruling": entry.ruling.value,
                "findings": [_kept(each) for each in entry.findings],
                "rules_version": entry.rules_version,
            }
        case Confirmed():
            agreed: JsonObject = {} if entry.change is None else {"change": _kept_change(entry.change)}
            return {"dispute": entry.dispute, "remedy": entry.remedy, **agreed}
        case Amended():
            return {"change": _kept_change(entry.change), "to": entry.to, "line": entry.line, "changed": entry.changed}
        case Settled():
            return {"dispute": entry.dispute, "remedy": entry.remedy, "text": entry.text}
        case Rolled():
            return {
                "for": entry.purpose,
                "throws": [_kept_throw(each) for each in entry.throws],
                "faces": entry.faces,
                "move": entry.notation,
                "camp": entry.camp,
                "with": entry.source,
                "rules_version": entry.rules_version,
            }
    return {"game": entry.game, "setup": entry.setup, "rules_version": entry.rules_version, "keys": entry.keys}


def _named_dispute(entry: InLine | Rewound) -> JsonObject:
    """The dispute that an entry names, if it names one."""
    return {} if entry.dispute is None else {"dispute": entry.dispute}


def decode(number: int, payload: bytes) -> AnyEntry:
    """An entry of the log, of this version or an older one. Raises `Unreadable`."""
    return _entry(number, orjson.loads(payload))


def pack(payloads: Sequence[bytes]) -> bytes:
    """Entries as they are stored, in little room."""
    return zlib.compress(b"[%b]" % b",".join(payloads), level=1)


def unpack(first: int, packed: bytes) -> tuple[AnyEntry, ...]:
    """The entries that were packed, by the number of the first. Raises `Unreadable`."""
    stored: list[Stored] = orjson.loads(zlib.decompress(packed))
    return tuple([_entry(number, each) for number, each in enumerate(stored, first)])


def _entry(number: int, stored: Stored) -> AnyEntry:
    """An entry as it was stored. Raises `Unreadable` where a member is missing or is not what it is here."""
    try:
        return _made(number, stored)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Unreadable(f"entry {number} is of another release: {error!r}") from error


def _made(number: int, stored: Stored) -> AnyEntry:
    kind = _of(str, stored["type"])
    if kind not in READERS:
        raise Unreadable(f"entry {number} is {kind!r}")
    return READERS[kind]((number, _time(stored["at"]), _of(str, stored["by"])), stored)


def _opened(head: Head, stored: Stored) -> Opened:
    game, setup, version = _of(str, stored["game"]), _of(dict, stored["setup"]), _of(str, stored["rules_version"])
    return Opened(*head, game, setup, version, _named(str, stored["keys"]))


def _played(head: Head, stored: Stored) -> Played:
    ruling, findings, version = _ruled(stored)
    move, seat, stands = _of(str, stored["move"]), _maybe(str, stored, "seat"), _of(bool, stored.get("stands", False))
    return Played(*head, move, seat, ruling, stands, findings, version, _maybe(int, stored, "dispute"))


def _rewound(head: Head, stored: Stored) -> Rewound:
    return Rewound(*head, _of(int, stored["to"]), _maybe(int, stored, "dispute"))


def _readings(head: Head, stored: Stored) -> ReadingsSet:
    version = _of(str, stored.get("rules_version", ""))
    return ReadingsSet(*head, _named(str, stored["readings"]), version, _maybe(int, stored, "dispute"))


def _checkpoint(head: Head, stored: Stored) -> Checkpoint:
    position, led = _of(dict, stored["position"]), Led(stored.get("led", "undecided")).value
    way = tuple([_of(str, each) for each in _of(list, stored.get("way", []))])
    why = tuple(map(_finding, _of(list, stored.get("why", []))))
    looked, version = _of(int, stored.get("looked", 0)), _of(str, stored.get("rules_version", ""))
    return Checkpoint(*head, position, led, way, why, looked, version, _maybe(int, stored, "dispute"))


def _disputed(head: Head, stored: Stored) -> Disputed:
    about = _maybe(int, stored, "entry"), _maybe(str, stored, "move"), _of(str, stored["question"])
    return Disputed(*head, *about, *_ruled(stored))


def _confirmed(head: Head, stored: Stored) -> Confirmed:
    change = None if "change" not in stored else _change(stored["change"])
    dispute = None if change is not None else _of(int, stored["dispute"])
    return Confirmed(*head, dispute, _of(str, stored["remedy"]), change)


def _amended(head: Head, stored: Stored) -> Amended:
    line, changed = (_of(list, stored.get(name, [])) for name in ("line", "changed"))
    numbers = tuple([_of(int, each) for each in line]), tuple([_of(int, each) for each in changed])
    return Amended(*head, _change(stored["change"]), _of(int, stored["to"]), *numbers)


def _kept_change(change: LogChange) -> JsonObject:
    """A change of the log as it is written down."""
    return {**change._asdict(), "moves": [list(late) for late in change.moves]}


def _change(stored: Stored) -> LogChange:
    """A change of the log as it was stored."""
    moves = tuple([Late(_of(str, notation), _of(bool, stands)) for notation, stands in stored["moves"]])
    do, misfits = CHANGES[CHANGES.index(stored["do"])], MISFITS[MISFITS.index(stored["misfits"])]
    if (do != DELETE) != bool(moves) or (do == REPLACE and len(moves) > 1):
        raise ValueError(moves)
    return LogChange(do, _of(int, stored["entry"]), moves, misfits)


def _settled(head: Head, stored: Stored) -> Settled:
    return Settled(*head, _of(int, stored["dispute"]), _of(str, stored["remedy"]), _of(str, stored.get("text", "")))


def _kept_throw(throw: Throw) -> JsonObject:
    """A throw as it is written down."""
    whose: JsonObject = {} if throw.seat is None else {"seat": throw.seat}
    return {"dice": [list(die) for die in throw.dice], **whose}


def _rolled(head: Head, stored: Stored) -> Rolled:
    purpose, throws = PURPOSES[PURPOSES.index(stored["for"])], tuple(map(_throw, _of(list, stored["throws"])))
    faces = {kind: tuple([_of(int, face) for face in each]) for kind, each in _of(dict, stored["faces"]).items()}
    notation, version = _maybe(str, stored, "move"), _of(str, stored.get("rules_version", ""))
    entry = Rolled(*head, purpose, throws, faces, notation, _of(str, stored.get("camp", "")), rules_version=version)
    known = stored["with"] == SERVER and all(0 <= face <= MOST_SHOWN for each in faces.values() for face in each)
    shown = all(throw.dice and all(die.shows in faces[die.kind] for die in throw.dice) for throw in throws)
    apart = _one_is_left(entry) if purpose == BEGINS else len(throws) == 1
    if not (known and shown and apart) or {purpose == BATTLE} != {notation is not None, bool(entry.camp)}:
        raise ValueError(throws)
    return entry


def _throw(stored: Stored) -> Throw:
    """A throw as it was stored."""
    return Throw(
        tuple([Die(_of(str, kind), _of(int, shows)) for kind, shows in stored["dice"]]), _maybe(str, stored, "seat")
    )


def _one_is_left(entry: Rolled) -> bool:
    """Whether throws for who begins say so: each of those who were level threw again, until one was ahead."""
    left = frozenset(throw.seat for throw in entry.throws)
    for thrown in entry.rounds:
        if left != {throw.seat for throw in thrown} or len(left) != len(thrown):
            return False
        best = max(throw.total for throw in thrown)
        left = frozenset(throw.seat for throw in thrown if throw.total == best)
    return len(left) == 1 and None not in left and sum(map(len, entry.rounds)) == len(entry.throws)


READERS: Final[Mapping[str, Callable[[Head, Stored], AnyEntry]]] = {
    "opened": _opened,
    "played": _played,
    "rewound": _rewound,
    "readings": _readings,
    "checkpoint": _checkpoint,
    "disputed": _disputed,
    "confirmed": _confirmed,
    "settled": _settled,
    "amended": _amended,
    "rolled": _rolled,
}
"""Name of an entry -> what reads it. A worker without its name refuses a log."""


def _ruled(stored: Stored) -> tuple[Ruling, tuple[Finding, ...], str]:
    """The ruling of an entry, what was found, and the rules that found it."""
    return (
        Ruling(stored.get("ruling", "legal")),
        tuple(map(_finding, _of(list, stored.get("findings", [])))),
        _of(str, stored.get("rules_version", "")),
    )


def _of(kind: type[T], value: object) -> T:
    """A value that is of one type, and a truth value is no number. Raises `TypeError`."""
    if type(value) is kind:
        return value
    raise TypeError(f"{kind.__name__}: {value!r}")


def _maybe(kind: type[T], stored: Stored, name: str) -> T | None:
    """A member that may be null or missing. Raises `TypeError`."""
    value = stored.get(name)
    return None if value is None else _of(kind, value)


def _named(kind: type[T], value: object) -> dict[str, T]:
    """An object whose members are all of one type. Raises `TypeError`."""
    return {name: _of(kind, member) for name, member in _of(dict, value).items()}


def _time(value: object) -> datetime:
    """A time, in UTC: one that does not say of where it is cannot be compared. Raises `ValueError`."""
    at = datetime.fromisoformat(_of(str, value))
    if at.tzinfo is None:
        raise ValueError(value)
    return at.astimezone(UTC)


def to_keep(findings: Sequence[Finding]) -> tuple[Finding, ...]:
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


def _kept(finding: Finding) -> JsonObject:
    """A finding as it is written down."""
    facts = finding.facts
    return {
        "rule": finding.rule,
        "code": facts.code,
        "ruling": facts.ruling.value,
        "values": {name: _written(value) for name, value in facts.values.items()},
        "evidence": [[fact.cells, dict(fact.counts)] for fact in facts.evidence],
        "needs": facts.needs,
    }


def _finding(stored: Stored) -> Finding:
    """A finding as it was written down; JSON's lists become the tuples that they were."""
    facts = Facts(
        _of(str, stored.get("code", "")),
        {name: _tupled(value) for name, value in _of(dict, stored.get("values", {})).items()},
        tuple(Fact(_tupled(_of(list, cells)), _named(int, counts)) for cells, counts in stored.get("evidence", ())),
        Ruling(stored.get("ruling", "illegal")),
        tuple([_of(str, each) for each in _of(list, stored.get("needs", []))]),
    )
    return Finding(_of(str, stored["rule"]), facts)


def _written(value: Value) -> Json:
    """A value as it is written down; a name that is said in full with the words for it."""
    if isinstance(value, Spoken):
        words = {name: _written(each) for name, each in value.values.items()}
        return {"name": str(value), "said": value.code, "values": words}
    return [_written(item) for item in value] if isinstance(value, tuple) else value


def _tupled(value: object) -> Any:
    """A value as it was before it was written down."""
    if isinstance(value, dict):
        words = {name: _tupled(each) for name, each in _of(dict, value["values"]).items()}
        return Spoken(_of(str, value["name"]), _of(str, value["said"]), words)
    return tuple(_tupled(item) for item in value) if isinstance(value, list) else value
