"""One table: the entries of its log, and the pure fold that makes a `Table` of them.

The log is the truth and entries never change. Replaying never judges: `apply` trusts what was written down, so a
corrected rule never rewrites a game that was played. A field that was added later has a default, so that every old
entry can still be read; a field that is not known here (a newer worker wrote it) is passed over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import orjson

import rules
from rules.kernel import Due, Fact, Facts, Finding, Ruling, Seat
from rules.spoken import Spoken
from service import wire
from service.rulings import AnyGame

HOST = "host"
WATCH = "watch"


class Unreadable(Exception):
    """An entry that this version cannot read: a newer worker wrote it, or a game is not installed here."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a key allows: the host everything, a seat its own moves, a watcher only to look."""

    kind: Literal["host", "seat", "watch"]
    seat: Seat | None = None

    @property
    def name(self) -> str:
        """``host``, ``watch`` or the colour of the seat."""
        return self.seat or self.kind

    @property
    def plays(self) -> bool:
        """Whether it may play moves at all."""
        return self.kind != WATCH

    @staticmethod
    @cache
    def named(name: str) -> Role:
        """The role of a name as the log keeps it."""
        if name == HOST:
            return Role("host")
        return Role("watch") if name == WATCH else Role("seat", name)


# Every entry has a number (the table's version after it), a time (UTC), and the name of the role whose key did it.


class Opened(NamedTuple):
    """The first entry. `keys`: SHA-256 of a key, in hex -> name of its role; never shown."""

    number: int
    at: datetime
    by: str
    game: str
    setup: Mapping[str, Any]
    rules_version: str
    keys: Mapping[str, str]


class Played(NamedTuple):
    """A move, as it was judged then. `stands`: the rules forbade it and the table let it stand."""

    number: int
    at: datetime
    by: str
    notation: str
    seat: Seat | None
    ruling: Ruling = Ruling.LEGAL
    stands: bool = False
    findings: tuple[Finding, ...] = ()
    rules_version: str = ""


class Rewound(NamedTuple):
    """Back to how the table was at version `to`, or forward again to it."""

    number: int
    at: datetime
    by: str
    to: int


AnyEntry: TypeAlias = Opened | Played | Rewound
# Entries to come keep to the same pattern: amended, checkpoint, disputed, settled, renamed, closed.


@dataclass(frozen=True)  # without slots: what is due is asked once, and kept
class Table:
    """The fold of a log. `states[v - 1]` and `tips[v - 1]` are the state and the last move in play at version v.

    `line` are the numbers of the moves in play, `ahead` those that were undone and can be redone, next first.
    `tail` is the last entry as stored, by which a worker sees that its memory is still the log's.
    """

    id: str
    game: AnyGame = field(repr=False)
    setup: Any
    lifetime: timedelta
    keys: Mapping[str, str]
    entries: tuple[AnyEntry, ...]
    states: tuple[Any, ...]
    tips: tuple[int, ...]
    line: tuple[int, ...] = ()
    ahead: tuple[int, ...] = ()
    tail: bytes = field(default=b"", repr=False)

    @cached_property
    def due(self) -> Due:
        """Whose move it is and which kinds, or the end."""
        return self.game.due(self.state)

    @property
    def version(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    @property
    def state(self) -> Any:
        """The state now."""
        return self.states[-1]

    @property
    def opened_at(self) -> datetime:
        """When the table was opened."""
        return self.entries[0].at

    @property
    def expires_at(self) -> datetime:
        """When the table goes, if nothing more happens."""
        return self.entries[-1].at + self.lifetime

    @property
    def moves(self) -> tuple[Played, ...]:
        """The moves in play, in order."""
        return tuple(self.played(number) for number in self.line)

    @property
    def undo_to(self) -> int | None:
        """The version that undoes the last move, or None where there is none."""
        if not self.line:
            return None
        return self.line[-2] if len(self.line) > 1 else 1

    @property
    def redo_to(self) -> int | None:
        """The version that redoes the next undone move, or None where there is none."""
        return self.ahead[0] if self.ahead else None

    def played(self, number: int) -> Played:
        """The move of an entry's number."""
        entry = self.entries[number - 1]
        if isinstance(entry, Played):
            return entry
        raise LookupError(f"entry {number} is no move")

    def role(self, key: str) -> Role | None:
        """What a key allows here, or None for a key of some other table."""
        name = self.keys.get(hashed(key))
        return None if name is None else Role.named(name)

    def line_at(self, version: int) -> tuple[int, ...] | None:
        """The moves in play at a version, if one can go there now: back, or forward along undone moves; else None."""
        if not 1 <= version <= self.version:
            return None
        tip = self.tips[version - 1]
        path = self.line + self.ahead
        if tip == 1:
            return ()
        return path[: path.index(tip) + 1] if tip in path else None


def hashed(key: str) -> str:
    """A key as the log keeps it. Keys are random and long, so that a plain hash is enough."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


# --- the fold ----------------------------------------------------------------------------------------------------


def fold(table_id: str, log: Sequence[tuple[int, bytes]], lifetime: timedelta) -> Table:
    """Make a table of its whole log, from entry 1 on. Raises `Unreadable`."""
    first = decode(*log[0])
    if not isinstance(first, Opened):
        raise Unreadable(f"entry 1 is {type(first).__name__}")
    game = rules.GAMES.get(first.game)
    if game is None:
        raise Unreadable(f"no game {first.game!r} here")
    setup = wire.stored_setup(game, first.setup)
    table = Table(table_id, game, setup, lifetime, first.keys, (first,), (game.setup(setup),), (1,), tail=log[0][1])
    return extend(table, log[1:])


def extend(table: Table, log: Sequence[tuple[int, bytes]]) -> Table:
    """The table after more entries of its log. Raises `Unreadable`."""
    for number, payload in log:
        table = after(table, decode(number, payload), payload)
    return table


def after(table: Table, entry: AnyEntry, payload: bytes, state: Any | None = None) -> Table:
    """The table after one more entry. `state` is the state after it, where it is known already."""
    if isinstance(entry, Played):
        if state is None:
            state = table.game.apply(table.state, table.game.read(entry.notation))
        return _grown(table, entry, payload, state, entry.number, (*table.line, entry.number), ())
    if isinstance(entry, Rewound):
        line = table.line_at(entry.to)
        if line is None:
            raise Unreadable(f"entry {entry.number} goes to {entry.to}")
        tip = line[-1] if line else 1
        ahead = (table.line + table.ahead)[len(line) :]
        return _grown(table, entry, payload, table.states[entry.to - 1], tip, line, ahead)
    raise Unreadable(f"entry {entry.number} opens an open table")


def _grown(
    table: Table, entry: AnyEntry, payload: bytes, state: Any, tip: int, line: tuple[int, ...], ahead: tuple[int, ...]
) -> Table:
    return Table(
        table.id,
        table.game,
        table.setup,
        table.lifetime,
        table.keys,
        (*table.entries, entry),
        (*table.states, state),
        (*table.tips, tip),
        line,
        ahead,
        payload,
    )


# --- as stored ---------------------------------------------------------------------------------------------------


def encode(entry: AnyEntry) -> bytes:
    """An entry as the log keeps it; its number is the log's own."""
    if isinstance(entry, Played):
        stored = {
            "type": "played",
            "at": entry.at,
            "by": entry.by,
            "move": entry.notation,
            "seat": entry.seat,
            "ruling": entry.ruling.value,
            "stands": entry.stands,
            "findings": [_kept(each) for each in entry.findings],
            "rules_version": entry.rules_version,
        }
    elif isinstance(entry, Rewound):
        stored = {"type": "rewound", "at": entry.at, "by": entry.by, "to": entry.to}
    else:
        stored = {"type": "opened", "at": entry.at, "by": entry.by, "game": entry.game, "setup": entry.setup}
        stored |= {"rules_version": entry.rules_version, "keys": entry.keys}
    return orjson.dumps(stored, option=orjson.OPT_UTC_Z)


def decode(number: int, payload: bytes) -> AnyEntry:
    """An entry of the log, of this version or an older one. Raises `Unreadable`."""
    stored: dict[str, Any] = orjson.loads(payload)
    at, by = datetime.fromisoformat(stored["at"]), stored["by"]
    match stored["type"]:
        case "opened":
            return Opened(number, at, by, stored["game"], stored["setup"], stored["rules_version"], stored["keys"])
        case "played":
            return Played(
                number,
                at,
                by,
                stored["move"],
                stored.get("seat"),
                Ruling(stored.get("ruling", "legal")),
                stored.get("stands", False),
                tuple(map(_finding, stored.get("findings", ()))),
                stored.get("rules_version", ""),
            )
        case "rewound":
            return Rewound(number, at, by, stored["to"])
        case other:
            raise Unreadable(f"entry {number} is {other!r}")


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


def _kept(finding: Finding) -> dict[str, Any]:
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


def _finding(stored: Mapping[str, Any]) -> Finding:
    """A finding as it was written down; JSON's lists become the tuples that they were."""
    facts = Facts(
        stored.get("code", ""),
        {name: _tupled(value) for name, value in stored.get("values", {}).items()},
        tuple(Fact(_tupled(cells), counts) for cells, counts in stored.get("evidence", ())),
        Ruling(stored.get("ruling", "illegal")),
        tuple(stored.get("needs", ())),
    )
    return Finding(stored["rule"], facts)


def _written(value: Any) -> Any:
    """A value as it is written down; a name that is said in full with the words for it."""
    if isinstance(value, Spoken):
        words = {name: _written(each) for name, each in value.values.items()}
        return {"name": str(value), "said": value.code, "values": words}
    return [_written(item) for item in value] if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    """A value as it was before it was written down."""
    if isinstance(value, dict):
        return Spoken(value["name"], value["said"], {name: _tupled(each) for name, each in value["values"].items()})
    return tuple(_tupled(item) for item in value) if isinstance(value, list) else value
