"""Plans the log of a new table from the export of another: it applies the entries, and rules on none.

An export is only a report: each entry must follow from the entries before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, TypeAlias

import orjson

import rules
from rules.forms import Malformed
from rules.kernel import Finding
from rules.steps import spend
from service import schemas
from service.errors import Invalid
from service.referee import amendment_report
from service.referee.fold import fold, fold_entry
from service.referee.plans import Plan
from service.referee.replay import seat_of
from service.runtime.budget import FOLD_STEPS
from service.tables import codec
from service.tables.entries import (
    BATTLE,
    MAX_DICE,
    Amended,
    AnyEntry,
    BrokenLog,
    Checkpoint,
    Confirmed,
    Disputed,
    Opened,
    Played,
    Renamed,
    Rolled,
    Settled,
    Unlisted,
    Unreadable,
)
from service.tables.export import MARK
from service.tables.fault_log import guard_replay
from service.tables.keys import HOST
from service.tables.table import Table
from service.types import AnyGame, Json, JsonObject, Setup
from service.validation import FieldError

Faults: TypeAlias = Iterator[tuple[str, FieldError]]
"""The faults of an entry: pointers within it, and errors."""
OPENING: Final = codec.TYPES[Opened]
LATER_TYPES: Final = tuple(
    name for kind, name in codec.TYPES.items() if name != OPENING and not issubclass(kind, Unlisted)
)
EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
CLOCK_SKEW: Final = timedelta(days=1)
"""The most that the clock of an export's server may be ahead."""
FOREIGN: Final = FieldError("no_such_entry")
"""The error for a value that no entry of this kind has."""


def read_opening(game: AnyGame, stored: JsonObject, now: datetime) -> tuple[Opened, Setup]:
    """The first entry of an export, and its setup. Raises `Invalid`."""
    entry = _read_entry(1, stored | {"keys": {}}, (OPENING,))
    _require_none(0, _member_faults(1, entry, stored))
    if not isinstance(entry, Opened) or entry.game != game.id:
        raise Invalid([("/entries/0/game", FieldError("not_one_of", values=(game.id,)))])
    try:
        setup = schemas.stored_setup(game, entry.setup)
    except Unreadable:
        raise Invalid([("/entries/0/setup", FOREIGN)]) from None
    _require_none(0, _head_faults(entry, (), now))
    return entry, setup


def plan_import(table_id: str, opening: Opened, sent: Sequence[JsonObject], lifetime: timedelta) -> Plan:
    """Plan a table with all entries of an export, of which `opening` is the first. Raises `Invalid`."""
    entries: list[AnyEntry] = [opening]
    payloads = [codec.encode(opening)]
    try:
        table = fold(table_id, [(1, payloads[0])], lifetime)
    except (BrokenLog, Unreadable):
        raise Invalid([("/entries/0", FOREIGN)]) from None
    for number, stored in enumerate(sent[1:], start=2):
        spend(FOLD_STEPS)
        entry, payload = _check_entry(table, number, stored, opening.imported_at or opening.at)
        table = _follow(table, entry, payload)
        entries.append(entry)
        payloads.append(payload)
    _check_amendments(table)
    return Plan(table, tuple(entries), tuple(payloads))


def _check_entry(table: Table, number: int, stored: JsonObject, now: datetime) -> tuple[AnyEntry, bytes]:
    """An entry that can follow at a table, and its stored form. Raises `Invalid`."""
    entry = _read_entry(number, stored, LATER_TYPES)
    _require_none(number - 1, _member_faults(number, entry, stored))
    _require_none(number - 1, _head_faults(entry, table.game.seats_of(table.state), now))
    try:
        with guard_replay(table.game.id, number, partial(codec.encode, entry)):
            found = _known_faults(table, entry)
    except (BrokenLog, Unreadable):
        found = (("", FOREIGN),)
    _require_none(number - 1, found)
    return entry, codec.encode(entry)


def _follow(table: Table, entry: AnyEntry, payload: bytes) -> Table:
    """The table after one more entry. Raises `Invalid`."""
    try:
        with guard_replay(table.game.id, entry.number, partial(bytes, payload)):
            return fold_entry(table, entry, payload)
    except (BrokenLog, Unreadable):
        raise Invalid([(f"/entries/{entry.number - 1}", FieldError("does_not_follow"))]) from None


def _check_amendments(table: Table) -> None:
    """Check that each amendment is complete, so that it can be reported. Raises `Invalid`."""
    for each in table.amendments:
        if (number := each.settlement_number) is None:
            continue
        try:
            with guard_replay(table.game.id, number, partial(codec.encode, table.entries[number - 1])):
                _report_amendment(table, number, each.last_number)
        except (BrokenLog, Unreadable):
            raise Invalid([(f"/entries/{number - 1}", FieldError("does_not_follow"))]) from None


def _report_amendment(table: Table, number: int, last_number: int) -> None:
    """Report an amendment, to see whether that raises an error."""
    if last_number > table.version:
        raise Unreadable(f"entry {number} is followed by too few")
    amendment_report.amendment(table, number)


def _require_none(place: int, faults: Faults | Sequence[tuple[str, FieldError]]) -> None:
    """Raise `Invalid` if the entry at a place has a fault."""
    if found := [(f"/entries/{place}{pointer}", error) for pointer, error in faults]:
        raise Invalid(found)


# --- an entry in the request -------------------------------------------------------------------------------------


def _read_entry(number: int, stored: JsonObject, types: Sequence[str]) -> AnyEntry:
    """An entry of one of these types. Raises `Invalid`."""
    pointer = f"/entries/{number - 1}"
    if "type" not in stored:
        raise Invalid([(f"{pointer}/type", FieldError("missing"))])
    if stored["type"] not in types:
        raise Invalid([(f"{pointer}/type", FieldError("not_one_of", values=tuple(types)))])
    if type(stored.get(MARK, True)) is not bool:
        raise Invalid([(f"{pointer}/{MARK}", FieldError("not_boolean"))])
    try:
        return codec.entry_of(number, {name: value for name, value in stored.items() if name != MARK})
    except Unreadable:
        raise Invalid([(pointer, FOREIGN)]) from None


def _member_faults(number: int, entry: AnyEntry, stored: JsonObject) -> Faults:
    """Faults for the sent members that the entry does not have, or has with another value."""
    written: JsonObject = orjson.loads(codec.encode(entry))
    if number == 1:
        del written["keys"]
    yield from _differences(written, {name: value for name, value in stored.items() if name != MARK})


def _differences(written: Json, sent: Json, pointer: str = "") -> Faults:
    """The differences between the sent JSON and the written one, member by member."""
    if isinstance(written, Mapping) and isinstance(sent, Mapping):
        for name, value in sent.items():
            here = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            if name in written:
                yield from _differences(written[name], value, here)
            else:
                yield here, FieldError("unknown_field")
    elif isinstance(written, list) and isinstance(sent, list) and len(written) == len(sent):
        for place, (one, other) in enumerate(zip(written, sent, strict=True)):
            yield from _differences(one, other, f"{pointer}/{place}")
    elif type(written) is not type(sent) or written != sent:
        yield pointer, FOREIGN


# --- an entry at its table ---------------------------------------------------------------------------------------


def _head_faults(entry: AnyEntry, seats: Sequence[str], now: datetime) -> Faults:
    """Faults of the role and the time of an entry."""
    roles = seats if isinstance(entry, Confirmed) else (HOST, *seats)
    if entry.by not in roles:
        yield "/by", FieldError("not_one_of", values=tuple(roles))
    if not EARLIEST <= entry.at <= now + CLOCK_SKEW:
        yield "/at", FieldError("no_such_time")


def _known_faults(table: Table, entry: AnyEntry) -> Sequence[tuple[str, FieldError]]:
    """The faults of an entry. An invalid notation is one, too, and not a fault of the service."""
    try:
        return tuple(_content_faults(table, entry))
    except Malformed:
        return (("", FOREIGN),)


def _content_faults(table: Table, entry: AnyEntry) -> Faults:
    """Faults for content that nobody can have entered there, besides those that the fold finds."""
    match entry:
        case Played():
            yield from _seat_faults(table, entry)
            yield from _finding_faults(table.game, entry.findings, "/findings")
        case Disputed():
            yield from _text_faults(entry.question, "/question")
            yield from _finding_faults(table.game, entry.findings, "/findings")
        case Settled() if entry.text:
            yield from _text_faults(entry.text, "/text")
        case Checkpoint():
            for notation in entry.way:
                table.game.read(notation)
            yield from _finding_faults(table.game, entry.why, "/why")
        case Amended() if entry.to not in (1, *table.line):
            yield "/to", FieldError("does_not_follow")
        case Rolled():
            yield from _roll_faults(table, entry)
        case Renamed():
            yield from _name_faults(entry.names)


def _seat_faults(table: Table, entry: Played) -> Faults:
    """Faults of a move's seat. The only rule here is that players take turns: a move of any time may be anybody's."""
    game, state = table.game, table.state
    move = game.read(entry.notation)
    anybody = (None, *game.seats_of(state)) if move.kind in game.out_of_turn else ()
    is_possible = entry.seat in (seat_of(game, state, move), table.due.seat, *anybody)
    if not is_possible:
        yield "/seat", FieldError("out_of_turn")


def _finding_faults(game: AnyGame, findings: Sequence[Finding], pointer: str) -> Faults:
    """Faults for rules in findings that the game does not have."""
    book = rules.load(game.id, "rulebook")
    for place, finding in enumerate(findings):
        if finding.rule not in book:
            yield f"{pointer}/{place}/rule", FieldError("no_such_rule")


def _text_faults(text: str, pointer: str) -> Faults:
    """Faults of a text that the form would not accept."""
    try:
        schemas.load(schemas.DECISION_FORM, {"text": text})
    except Invalid as error:
        yield from ((pointer, fault) for _, fault in error.field_errors)


def _name_faults(names: Mapping[str, str]) -> Faults:
    """Faults of names that a request could not have set or removed."""
    sent = {seat: name or None for seat, name in names.items()}
    try:
        taken = schemas.load(schemas.NAMES_BODY, {"names": sent})["names"]
    except Invalid as error:
        yield from error.field_errors
    else:
        if taken != sent:
            yield "/names", FOREIGN


def _roll_faults(table: Table, entry: Rolled) -> Faults:
    """Faults for dice that the game does not have, or of a wrong number."""
    game = table.game
    if any(game.dice.get(kind) != faces for kind, faces in entry.faces.items()):
        yield "/faces", FieldError("not_one_of", values=tuple(game.dice))
    if any(len(throw.dice) > MAX_DICE for throw in entry.throws) and entry.purpose != BATTLE:
        yield "/throws", FieldError("too_many", most=MAX_DICE)
    if entry.purpose == BATTLE:
        camps = game.dice_thrown(table.state, game.read(entry.notation or ""))
        thrown = Counter(die.kind for die in entry.throws[0].dice)
        if entry.camp not in camps or thrown != Counter(camps[entry.camp]):
            yield "/throws", FieldError("does_not_follow")
