"""The fold that makes a `Table` from its log.

The log is the truth, and entries never change. The fold never judges: `apply` trusts the entries, so a corrected rule
never rewrites a game that was played.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from types import MappingProxyType

import rules
from rules.forms import Malformed
from rules.steps import spend
from service import schemas
from service.errors import Impossible, Invalid
from service.rulings import judge
from service.runtime.budget import FOLD_STEPS
from service.tables.apply_entry import setup_with_readings
from service.tables.codec import decode, encode
from service.tables.decisions import NO_MOVES, REMEDIES, Decision, Dispute
from service.tables.entries import (
    BEGINS,
    INSERT,
    Amended,
    AnyEntry,
    Checkpoint,
    Confirmed,
    Disputed,
    InLine,
    KeyMade,
    KeyRevoked,
    LogChange,
    NoEntry,
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
from service.tables.fault_log import guard_replay
from service.tables.history import History, LineEntry, Numbers
from service.tables.keys import HOST, WATCH, TableKey
from service.tables.players import names_of, with_names
from service.tables.public_views import PublicView
from service.tables.table import Table
from service.types import AnyGame, Json, Setup, State


def fold(table_id: str, log: Sequence[tuple[int, bytes]], lifetime: timedelta) -> Table:
    """Fold a whole log, from entry 1 on, into its table. Raises `Unreadable`, `BrokenLog`."""
    number, payload = log[0]
    with guard_replay(None, number, lambda: payload):
        table = _table_of_opening(table_id, number, payload, lifetime)
    return extend(table, log[1:])


def _table_of_opening(table_id: str, number: int, payload: bytes, lifetime: timedelta) -> Table:
    """The table after its first entry. Raises `Unreadable`."""
    first = decode(number, payload)
    if not isinstance(first, Opened):
        raise Unreadable(f"entry 1 is {type(first).__name__}")
    game = rules.GAMES.get(first.game)
    if game is None:
        raise Unreadable(f"no game {first.game!r} here")
    _check_release(game, first)
    setup = schemas.stored_setup(game, first.setup)
    state = game.migrate(game.setup(setup), first.rules_version)
    enter = partial(_state_of_position, game, setup, first.rules_version)
    history = History.from_opening(game, first, payload, state, enter)
    since = first.imported_at or first.at
    made = enumerate(first.keys.items(), start=1)
    keys = MappingProxyType({of_key: TableKey(each, role, number, since) for each, (of_key, role) in made})
    return Table(
        table_id, setup, lifetime, keys, history, imported_count=first.imported or 0, imported_at=first.imported_at
    )


def _state_of_position(
    game: AnyGame, setup: Setup, rules_version: str, position: Mapping[str, Json], before: State
) -> State:
    """The state of a position at a table, with the readings in force then. Raises `Malformed`, `Unreadable`."""
    setup = setup_with_readings(setup, before)
    try:
        form = schemas.load(schemas.of(game).position, position)
        state = judge.enter_with_problems(game, setup, form, game.problems(setup, form))
    except (Impossible, Invalid) as error:
        raise Unreadable("a position of another release") from error
    return game.migrate(state, rules_version)


def extend(table: Table, log: Sequence[tuple[int, bytes]]) -> Table:
    """The table after more entries of its log. Raises `Unreadable`, `BrokenLog`."""
    for number, payload in log:
        spend(FOLD_STEPS)
        with guard_replay(table.game.id, number, partial(bytes, payload)):
            table = fold_entry(table, decode(number, payload), payload)
    return table


def table_at_version(table: Table, version: int) -> Table:
    """The table as it was at a version."""
    if version == table.version:
        return table
    log = [(entry.number, encode(entry)) for entry in table.entries[:version]]
    return fold(table.id, log, table.lifetime)


def fold_entry(table: Table, entry: AnyEntry, payload: bytes, state: State | None = None) -> Table:
    """The table after one more entry. `state` is the state after it, if known already. Raises `Unreadable`."""
    now = _fold_by_type(table, entry, payload, state)
    if isinstance(entry, Played):
        return now
    return replace(
        now, note_counts=MappingProxyType({**table.note_counts, entry.by: table.note_counts.get(entry.by, 0) + 1})
    )


def fold_moves(table: Table, line: Sequence[LineEntry]) -> Table:
    """The table after one or more moves that were just judged and do not come from a dispute."""
    return _with_line(table, table.history.with_line_entries(line), len(line))


def _fold_by_type(table: Table, entry: AnyEntry, payload: bytes, state: State | None) -> Table:
    match entry:
        case Played() | ReadingsSet() | Checkpoint():
            return _fold_in_line(table, entry, payload, state)
        case Rewound():
            return _fold_rewind(table, entry, payload)
        case Amended():
            return _fold_amendment(table, entry, payload)
        case Confirmed(change=change) if change is not None:
            return replace(
                table, history=table.history.with_note(entry, payload), amendments=_amendments_after(table, entry)
            )
        case Disputed() | Confirmed() | Settled():
            return replace(
                table, history=table.history.with_note(entry, payload), disputes=_disputes_after(table, entry)
            )
        case Renamed(names=names):
            return replace(table, history=table.history.with_note(entry, payload), setup=_with_names(table, names))
        case ViewMade() | ViewRevoked():
            return replace(table, history=table.history.with_note(entry, payload), views=_views_after(table, entry))
        case KeyMade() | KeyRevoked():
            return replace(table, history=table.history.with_note(entry, payload), keys=_keys_after(table, entry))
        case Rolled():
            _check_roll(table, entry)
            return replace(table, history=table.history.with_note(entry, payload))
    raise Unreadable(f"entry {entry.number} opens an open table")


def _with_names(table: Table, names: Mapping[str, str]) -> Setup:
    """The setup of a table with other names. Raises `Unreadable` for a seat that does not play."""
    if not names.keys() <= names_of(table.setup).keys():
        raise Unreadable(f"{sorted(names)} are not all players")
    return with_names(table.setup, names)


def _views_after(table: Table, entry: ViewMade | ViewRevoked) -> tuple[PublicView, ...]:
    """The public views of a table after one was made or revoked. Raises `Unreadable`."""
    if isinstance(entry, ViewMade):
        return (*table.views, PublicView(len(table.views) + 1, entry))
    if not 1 <= entry.view <= len(table.views) or table.views[entry.view - 1].is_revoked:
        raise Unreadable(f"entry {entry.number} revokes a view {entry.view}")
    return tuple([view._replace(is_revoked=True) if view.number == entry.view else view for view in table.views])


def _keys_after(table: Table, entry: KeyMade | KeyRevoked) -> Mapping[str, TableKey]:
    """The keys of a table after one was made, or revoked with its derived keys. Raises `Unreadable`."""
    if isinstance(entry, KeyRevoked):
        of_key, ended = _valid_key(table, entry.key)
        keys = {**table.keys, of_key: ended._replace(is_revoked=True)}
        if ended.role == HOST:
            derived = {other: each for other, each in keys.items() if each.parent == ended.number}
            keys |= {other: each._replace(is_revoked=True) for other, each in derived.items()}
        return MappingProxyType(keys)
    is_derived = entry.parent is not None
    roles = {WATCH, *table.game.seats_of(table.state)} | (set() if is_derived else {HOST})
    is_by_host = entry.parent is None or _valid_key(table, entry.parent)[1].role == HOST
    if entry.hash in table.keys or entry.role not in roles or not is_by_host:
        raise Unreadable(f"entry {entry.number} makes a key that cannot be")
    made = TableKey(len(table.keys) + 1, entry.role, entry.number, entry.at, entry.label, entry.until, entry.parent)
    return MappingProxyType({**table.keys, entry.hash: made})


def _valid_key(table: Table, number: int) -> tuple[str, TableKey]:
    """The valid key of a number, and its hash. Raises `Unreadable`."""
    of_key = list(table.keys)[number - 1] if 1 <= number <= len(table.keys) else ""  # the first one is number 1
    if of_key and not table.keys[of_key].is_revoked:
        return of_key, table.keys[of_key]
    raise Unreadable(f"there is no key {number}")


def _fold_in_line(table: Table, entry: InLine, payload: bytes, state: State | None) -> Table:
    """The table after one more entry in the line of play. Undone entries leave the line."""
    _check_release(table.game, entry)
    others = table.non_moves if isinstance(entry, Played) else table.non_moves + array("I", [entry.number])
    now = _with_line(table, table.history.with_line_entry(entry, payload, state), 1)
    return _finish_settlement(replace(now, non_moves=others), entry, entry.dispute)


def _with_line(table: Table, history: History, count: int) -> Table:
    """The table with a history that has `count` more entries in the line of play. This drops the undone ones."""
    path = table.path[: table.in_play_count] + history.tips[-count:]
    return replace(table, history=history, path=path, in_play_count=len(path))


# --- disputes ------------------------------------------------------------------------------------------------------


def _fold_rewind(table: Table, entry: Rewound, payload: bytes) -> Table:
    """The table after it changed to another version: by undoing or redoing, or by a settlement.

    A settlement can restore any version that existed. Redo does not put its removed moves back one by one, but those
    that were played after it.
    """
    settles = _is_by_settlement(table, entry)
    crossed = None if settles else table.crossed_decision(entry.to)
    cut = table.cut_at(entry.to)
    if not 1 <= entry.to <= table.version or (not settles and crossed is None and cut is None):
        raise Unreadable(f"entry {entry.number} goes to {entry.to}")
    history = table.history.with_rewind(entry, payload)
    if not settles and crossed is None:
        return _finish_settlement(replace(table, history=history, in_play_count=cut or 0), entry, entry.dispute)
    if crossed is not None and not crossed.changes_play:
        return _cross_decision(replace(table, history=history), crossed)
    line = history.line_to(history.tips[-1])
    there = replace(table, history=history, path=line, in_play_count=len(line))
    if crossed is None:
        return _finish_settlement(there, entry, entry.dispute)
    after = replace(there, path=line + crossed.undone_moves)
    return _cross_decision(after, crossed, table.path[table.in_play_count :])


def _is_by_settlement(table: Table, entry: Rewound) -> bool:
    """Whether a settlement caused a change of version: then it is the entry before.

    No settlement restores the version before itself: a change to that version takes the settlement back.
    """
    number, settled = entry.dispute or 0, entry.number - 1
    return (
        table.has_dispute(number)
        and table.disputes[number - 1].settlement_number == settled
        and entry.to != settled - 1
    )


def _cross_decision(table: Table, decision: Decision, undone_moves: Numbers = NO_MOVES) -> Table:
    """The table after a decision was taken back, or put back; `undone_moves` could be redone before."""
    disputes = tuple([each.with_crossing(undone_moves) if each is decision else each for each in table.disputes])
    amendments = tuple([each.with_crossing(undone_moves) if each is decision else each for each in table.amendments])
    return replace(table, disputes=disputes, amendments=amendments)


def _finish_settlement(table: Table, entry: InLine | Rewound, dispute: int | None) -> Table:
    """The table after an entry, which carries out a dispute's settlement unless `dispute` is None."""
    if dispute is None:
        return table
    old_dispute = _find_dispute(table, entry, dispute)
    return replace(table, disputes=_replace_dispute(table, dispute, old_dispute.with_effect(entry.number)))


def _disputes_after(table: Table, entry: Disputed | Confirmed | Settled) -> tuple[Dispute, ...]:
    """The disputes of a table after one more entry about them. Raises `Unreadable`."""
    if isinstance(entry, Disputed):
        _check_release(table.game, entry)
        _check_dispute(table, entry)
        return (*table.disputes, Dispute(entry.number))
    old_dispute = _find_dispute(table, entry, entry.dispute or 0)
    if entry.remedy not in REMEDIES:
        raise Unreadable(f"entry {entry.number} is the remedy {entry.remedy!r}")
    if isinstance(entry, Settled):
        return _replace_dispute(table, entry.dispute, old_dispute.with_settlement(entry.number))
    return _replace_dispute(table, entry.dispute or 0, old_dispute.with_confirmation(entry.by, entry.number))


def _find_dispute(table: Table, entry: AnyEntry, dispute: int) -> Dispute:
    """The dispute that an entry names. Raises `Unreadable`."""
    if not table.has_dispute(dispute):
        raise Unreadable(f"entry {entry.number} names a dispute {dispute}")
    return table.disputes[dispute - 1]


def _replace_dispute(table: Table, dispute: int, now: Dispute) -> tuple[Dispute, ...]:
    """The disputes of a table, with `now` as the one of a number."""
    return (*table.disputes[: dispute - 1], now, *table.disputes[dispute:])


# --- amendments ----------------------------------------------------------------------------------------------------


def _amendments_after(table: Table, entry: Confirmed) -> tuple[Decision, ...]:
    """The amendments of a table after a seat has confirmed one: the last of them is pending.

    Raises `Unreadable`.
    """
    if entry.change is not None:
        _check_change(table, entry.number, entry.change)
    *earlier, pending = _pending_amendments(table)
    return (*earlier, pending.with_confirmation(entry.by, entry.number))


def _fold_amendment(table: Table, entry: Amended, payload: bytes) -> Table:
    """The table with another line of entries: up to a version in play, then the following ones. Raises `Unreadable`.

    As after a settlement, redo does not put the removed moves back one by one.
    """
    cut = table.cut_at(entry.to)
    is_valid = {*entry.line} >= {*entry.changed} and all(0 <= each < entry.number for each in entry.line)
    if cut is None or cut > table.in_play_count or not is_valid:
        raise Unreadable(f"entry {entry.number} amends what is not in play")
    _check_change(table, entry.number, entry.change, entry.changed)
    *earlier, pending = _pending_amendments(table)
    amendments = (*earlier, pending.with_settlement(entry.number, len(entry.line)))
    history = table.history.with_rewind(entry, payload)
    return replace(table, history=history, path=table.path[:cut], in_play_count=cut, amendments=amendments)


def _pending_amendments(table: Table) -> tuple[Decision, ...]:
    """The amendments of a table, the last of which is pending."""
    pending = table.amendments and table.amendments[-1].settlement_number is None
    return table.amendments if pending else (*table.amendments, Decision())


def _check_change(table: Table, number: int, change: LogChange, changed: Sequence[int] = ()) -> None:
    """Check that a change is about an earlier entry, its moves are readable, and the entries it `changed` are moves.

    Raises `Unreadable`.
    """
    try:
        if (change.do, change.entry) != (INSERT, 1):
            table.line_entry(_check_number(table, change.entry))
        for late in change.moves:
            table.game.read(late.notation)
        for each in changed:
            table.move_entry(_check_number(table, each))
    except (Malformed, NoEntry) as error:
        raise Unreadable(f"entry {number} changes what another release has made") from error


def _check_number(table: Table, number: int) -> int:
    """The number of an existing entry. Raises `NoEntry`."""
    if 1 <= number <= table.version:
        return number
    raise NoEntry(number)


def _check_dispute(table: Table, entry: Disputed) -> None:
    """Check that a dispute is about an earlier disputable entry, or a readable move. Raises `Unreadable`."""
    try:
        about = None if entry.entry is None else table.disputable_entry(entry.entry)
        if about is not None and entry.notation is not None:
            table.move_entry(about.number)
        if about is None or isinstance(about, Played):
            table.game.read(entry.notation or "")
    except (Malformed, NoEntry) as error:
        raise Unreadable(f"entry {entry.number} is about an entry or a move of another release") from error


def _check_roll(table: Table, entry: Rolled) -> None:
    """Check that dice were rolled for a readable move, or for the seats of this table. Raises `Unreadable`."""
    _check_release(table.game, entry)
    seats = {*table.game.seats_of(table.state)} if entry.purpose == BEGINS else {None}
    try:
        if entry.notation is not None:
            table.game.read(entry.notation)
    except Malformed as error:
        raise Unreadable(f"entry {entry.number} is about a move of another release") from error
    if {throw.seat for throw in entry.throws} != seats:
        raise Unreadable(f"entry {entry.number} rolls for others than play here")


def _check_release(game: AnyGame, entry: Opened | InLine | Disputed | Rolled) -> None:
    """Refuse an entry by newer rules, which may have an unknown meaning. Raises `Unreadable`."""
    if entry.rules_version == game.rules_version or not entry.rules_version:
        return
    try:
        is_older = _numbers(entry.rules_version) < _numbers(game.rules_version)
    except ValueError:
        is_older = False
    if not is_older:
        raise Unreadable(f"entry {entry.number} is by the rules {entry.rules_version!r}")


def _numbers(version: str) -> tuple[int, ...]:
    """A version of rules, for comparison. Raises `ValueError`."""
    return tuple(map(int, version.split(".")))
