"""Folding a log: what is in play, what was undone, and entries of older and newer releases."""

from __future__ import annotations

import tracemalloc
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any

import orjson
import pytest

import rules
from rules.changes import Reachability
from rules.kernel import Fact, Facts, Finding, Ruling
from rules.styled_name import StyledName
from service.errors import Forbidden
from service.i18n.sentences import words
from service.referee import dispute as settling
from service.referee import fold, plans, remedies
from service.referee.replay import revision_to
from service.schemas import default_setup
from service.tables import codec, history
from service.tables.entries import (
    Amended,
    Checkpoint,
    Confirmed,
    Die,
    Disputed,
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
from service.tables.keys import Role
from service.tables.stored_values import StoredObject, require_type
from service.tables.table import Table
from tests.support.loops import over
from tests.support.worst import calls

GAME = rules.GAMES["villefranche"]
NOW = datetime(2026, 11, 21, 12, 30, 0, 123456, tzinfo=UTC)
DAY = timedelta(days=1)
ID = "A" * 22


def opening() -> bytes:
    return codec.encode(Opened(1, NOW, "host", GAME.id, default_setup(GAME) or {}, "1", {"hash": "host"}))


def play_entry(notation: str) -> bytes:
    return codec.encode(Played(0, NOW, "host", notation, "black", rules_version="1"))


def rewound(to: int, dispute: int | None = None) -> bytes:
    return codec.encode(Rewound(0, NOW, "host", to, dispute))


def read_as(dispute: int | None = None, /, **values: str) -> bytes:
    return codec.encode(ReadingsSet(0, NOW, "host", values, "1", dispute))


def again(notation: str, dispute: int) -> bytes:
    return codec.encode(Played(0, NOW, "host", notation, "black", rules_version="1", dispute=dispute))


def dispute_entry(entry: int | None, notation: str | None = "r b9c9") -> bytes:
    return codec.encode(Disputed(0, NOW, "white", entry, notation, "May one?", rules_version="1"))


def confirmation(remedy: str, by: str = "black", dispute: int = 1) -> bytes:
    return codec.encode(Confirmed(0, NOW, by, dispute, remedy))


def settlement(remedy: str, dispute: int = 1) -> bytes:
    return codec.encode(Settled(0, NOW, "host", dispute, remedy))


def fold_log(*payloads: bytes) -> Table:
    return fold.fold(ID, list(enumerate((opening(), *payloads), start=1)), DAY)


RAMPARTS = ("r b1c1", "r b9c9", "h e4", "r d1e1")


def test_a_new_table_is_at_version_one_with_nothing_in_play() -> None:
    """After its first entry, a table has nothing to undo or redo."""
    table = fold_log()
    assert (table.version, table.line, table.redoable_moves, table.undo_to, table.redo_to) == (1, (), (), None, None)
    assert table.expires_at == NOW + DAY


def test_the_line_is_the_moves_in_play_and_ahead_those_undone() -> None:
    """Undo and redo move along one line; each is an entry, and no entry is removed."""
    table = fold_log(*map(play_entry, RAMPARTS), rewound(3))
    assert (table.line, table.redoable_moves, table.version) == ((2, 3), (4, 5), 6)
    assert table.state == table.states[2]
    assert (table.undo_to, table.redo_to) == (2, 4)
    table = fold_log(*map(play_entry, RAMPARTS), rewound(3), rewound(5))
    assert (table.line, table.redoable_moves) == ((2, 3, 4, 5), ())
    assert [entry.notation for entry in table.last_moves(9)] == list(RAMPARTS)


def test_undo_goes_back_to_the_start() -> None:
    """All moves can be undone, back to the version that opened the table."""
    table = fold_log(*map(play_entry, RAMPARTS[:1]))
    assert table.undo_to == 1
    table = fold_log(*map(play_entry, RAMPARTS[:1]), rewound(1))
    assert (table.line, table.redoable_moves, table.redo_to) == ((), (2,), 2)
    assert table.state == table.states[0]


def test_a_new_move_ends_redo() -> None:
    """Undone moves cannot be reached once a new move was played, through any version that had them in play."""
    table = fold_log(*map(play_entry, RAMPARTS[:3]), rewound(2), play_entry("r d9e9"))
    assert (table.line, table.redoable_moves) == ((2, 6), ())
    assert [table.line_at(version) for version in range(8)] == [None, (), (2,), None, None, (2,), (2, 6), None]


def test_a_version_after_an_undo_leads_where_the_undo_led() -> None:
    """A version stands for the moves in play at it, without undone ones."""
    table = fold_log(*map(play_entry, RAMPARTS[:2]), rewound(2), rewound(3))
    assert table.line_at(4) == (2,)
    assert table.line_at(5) == (2, 3)


def test_folding_in_steps_is_folding_at_once() -> None:
    """Extending a table by new entries gives the same table as folding the whole log."""
    payloads = [*map(play_entry, RAMPARTS), rewound(3), play_entry("h f4"), rewound(2)]
    log = list(enumerate((opening(), *payloads), start=1))
    whole = fold.fold(ID, log, DAY)
    for cut in over(range(1, len(log))):
        assert fold.extend(fold.fold(ID, log[:cut], DAY), log[cut:]) == whole


def test_replaying_never_judges() -> None:
    """Folding does not judge moves: an illegal one, or one judged by other rules, is played again."""
    stood = Played(2, NOW, "host", "h e5", "black", Ruling.ILLEGAL, stands=True, rules_version="0")
    table = fold_log(codec.encode(stood))
    assert table.state == GAME.apply(table.states[0], GAME.read("h e5"))
    assert table.move_entry(2).rules_version == "0"


WHY = Finding("VF-6", Facts("gone", {"cell": "c4"}, (Fact(("c4",)),)))
ENTRIES = (
    Opened(1, NOW, "host", GAME.id, {"readings": {}}, "1", {"a": "host", "b": "black"}),
    Played(2, NOW, "black", "h c4", "black", rules_version="1"),
    Played(
        3,
        NOW,
        "host",
        "h c4",
        "white",
        Ruling.ILLEGAL,
        True,
        (
            Finding(
                "X-1", Facts("code", {"n": 1, "cells": ("a1", "b2")}, (Fact(("a1",), {"black": 2}),), needs=("x",))
            ),
            Finding("X-2", Facts(evidence=(Fact(((0, 1), (-2, 3))),), ruling=Ruling.UNPROVEN)),
        ),
        "2",
    ),
    Rewound(4, NOW, "white", 2),
    Rewound(4, NOW, "white", 2, dispute=1),
    Played(5, NOW, "host", "h c4", "white", dispute=1),
    ReadingsSet(5, NOW, "host", {"stuck": "turn_is_cut"}, "2"),
    ReadingsSet(5, NOW, "host", {}, "2", dispute=1),
    Checkpoint(5, NOW, "host", {"cells": {}, "due": "white"}, Reachability.IMPOSSIBLE, (), (WHY,), 2, "2"),
    Checkpoint(5, NOW, "host", {"due": "white"}, Reachability.POSSIBLE, ("h c4", "r b1c1"), dispute=1),
    Disputed(6, NOW, "black", 3, "h c4", "Is that not one house too many?", Ruling.ILLEGAL, (), "2"),
    Disputed(6, NOW, "black", None, "h c4", "May I?"),
    Disputed(6, NOW, "black", 4, None, "Why did you take that back?", rules_version="2"),
    Confirmed(7, NOW, "white", 1, "go_back"),
    Settled(8, NOW, "host", 1, "replay", "We all agree."),
    Confirmed(9, NOW, "white", None, "", LogChange("delete", 3, (), "stop")),
    Rolled(10, NOW, "host", "dice", (Throw((Die("ordinary", 2), Die("ordinary", 6))),), {"ordinary": (1, 2, 6)}),
    Amended(10, NOW, "host", LogChange("replace", 3, (LateMove("h c4", stands=True),)), 2, (0, 4, 5), (5,)),
)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: type(entry).__name__)
def test_an_entry_is_stored_without_loss(entry: Any) -> None:
    """An entry decoded after encoding is the same."""
    assert codec.decode(entry.number, codec.encode(entry)) == entry


def test_an_entry_as_it_is_stored_takes_its_bytes() -> None:
    """Encoded entries take little more memory than their bytes."""
    tracemalloc.start()
    try:
        payloads = [play_entry("r b1c1") for _ in range(100)]
        size = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert size < 2 * sum(map(len, payloads))


def test_a_name_is_said_in_full_out_of_the_log_too() -> None:
    """Names stored in the log, nested or in a list, are worded as in the ruling."""
    head = StyledName("Henri", "called_bishop", {"name": "Henri", "village": "Sigy"})
    name = StyledName("Henri", "titled", {"head": head, "titles": (StyledName("Henri", "count", {"village": "Sigy"}),)})
    finding = Finding("FI-10", Facts("church", {"lord": name, "others": (name, "Othon"), "n": 2}))
    entry = Played(2, NOW, "host", "next", None, Ruling.ILLEGAL, True, (finding,), "1")
    [read] = codec.decode(2, codec.encode(entry)).findings  # type: ignore[union-attr]  # it was played
    assert read == finding
    assert words("en", "fief").finding_text(read) == words("en", "fief").finding_text(finding)
    assert (
        words("en", "fief").render_value(read.facts.values["lord"]) == "Monsignor Henri, Bishop of Sigy, Count of Sigy"
    )


def test_an_entry_of_an_older_version_is_read() -> None:
    """Fields that were added later have defaults: a stored move without them can be read."""
    old = b'{"type":"played","at":"2026-01-02T03:04:05Z","by":"host","move":"r b1c1"}'
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert codec.decode(2, old) == Played(2, at, "host", "r b1c1", None)
    assert fold_log(old).last_moves(1)[0].ruling is Ruling.LEGAL
    older = b'{"type":"played","at":"2026-01-02T03:04:05Z","by":"host","move":"r b1c1","findings":[{"rule":"VF-22"}]}'
    entry = codec.decode(2, older)
    assert isinstance(entry, Played)
    assert entry.findings == (Finding("VF-22", Facts()),)


def test_a_field_of_a_newer_version_is_passed_over() -> None:
    """An unknown field of an entry is ignored, so that older servers read newer entries."""
    stored = orjson.loads(play_entry("r b1c1")) | {"weather": "fine"}
    assert codec.decode(2, orjson.dumps(stored)) == codec.decode(2, play_entry("r b1c1"))


@pytest.mark.parametrize(
    "log",
    [
        [play_entry("r b1c1")],
        [opening(), opening()],
        [opening(), b'{"type":"teleported","at":"2026-01-02T03:04:05Z","by":"host"}'],
        [opening(), rewound(7)],
        [opening().replace(b"villefranche", b"chess")],
        [opening(), dispute_entry(2)],
        [opening(), dispute_entry(None, "h z9")],
        [opening(), dispute_entry(None, None)],
        [opening(), play_entry("r b1c1"), dispute_entry(2, None)],
        [opening(), dispute_entry(1)],
        [opening(), dispute_entry(0, None)],
        [opening(), dispute_entry(1, None), dispute_entry(2, None)],
        [opening(), dispute_entry(1, None), settlement("stands"), rewound(4, 1)],
        [opening(), confirmation("stands")],
        [opening(), dispute_entry(None), confirmation("burn_it")],
        [opening(), dispute_entry(None), settlement("stands", 2)],
        [opening(), play_entry("r b1c1"), rewound(1, 1)],
        [opening(), dispute_entry(None).replace(b'"rules_version":"1"', b'"rules_version":"999"')],
        [opening(), read_as(of_tomorrow="yes")],
        [opening(), read_as(stuck="sometimes")],
        [opening(), read_as(stuck="ends").replace(b'"ends"', b"1")],
        [opening(), read_as(stuck="ends").replace(b'"rules_version":"1"', b'"rules_version":"999"')],
        [opening(), read_as(1, stuck="ends")],
    ],
    ids=[
        "no opening",
        "two openings",
        "a newer kind",
        "no way there",
        "no such game",
        "about no move",
        "about a move that cannot be read",
        "about nothing",
        "about a move without it",
        "about an opening that is a move",
        "about no entry",
        "about a dispute",
        "a settlement that goes to no version",
        "no such dispute to confirm",
        "no such remedy",
        "no such dispute to settle",
        "no such dispute to go back for",
        "a dispute by newer rules",
        "no such reading",
        "no such value of a reading",
        "a reading that is a number",
        "readings by newer rules",
        "no such dispute to read anew for",
    ],
)
def test_a_log_that_cannot_be_read_says_so(log: list[bytes]) -> None:
    """Anything unknown in a log is `Unreadable`, never a guess."""
    with pytest.raises(Unreadable):
        fold.fold(ID, list(enumerate(log, start=1)), DAY)


# --- entries in play other than moves ------------------------------------------------------------------------------


def test_readings_count_from_where_they_were_set_and_what_was_played_stays() -> None:
    """Readings that were set count from there on; undo and redo treat them like a move."""
    log = (
        *map(play_entry, RAMPARTS[:2]),
        read_as(stuck="turn_is_cut", parish_walls="included"),
        *map(play_entry, RAMPARTS[2:]),
    )
    table, plain = fold_log(*log), fold_log(*map(play_entry, RAMPARTS))
    assert (table.line, table.undo_to) == ((2, 3, 4, 5, 6), 5)
    assert [state.readings["stuck"] for state in table.states] == ["ends"] * 3 + ["turn_is_cut"] * 3
    assert GAME.with_readings(table.state, plain.state.readings) == plain.state
    assert (table.moves, table.last_moves(9)) == ((2, 3, 5, 6), tuple(map(table.move_entry, (2, 3, 5, 6))))
    assert [each.number for each in table.last_moves(3)] == [3, 5, 6]
    undone = fold_log(*log, rewound(3))
    assert (undone.line, undone.redoable_moves, undone.redo_to) == ((2, 3), (4, 5, 6), 4)
    assert undone.state == plain.states[2]
    redone = fold_log(*log, rewound(3), rewound(4))
    assert (redone.line, redone.undo_to, redone.state) == ((2, 3, 4), 3, table.states[3])


def test_a_reading_that_was_set_is_no_move() -> None:
    """An entry that sets readings has no seat and no move, and a dispute about it names no move."""
    table = fold_log(read_as(stuck="turn_is_cut"))
    assert table.line_entry(2).seat is None
    with pytest.raises(LookupError):
        table.move_entry(2)
    with pytest.raises(LookupError):
        fold_log(dispute_entry(None)).line_entry(2)
    with pytest.raises(Unreadable):
        fold_log(read_as(stuck="turn_is_cut"), dispute_entry(2))
    assert fold_log(read_as(stuck="turn_is_cut"), dispute_entry(2, None)).dispute_entry(1).version == 1


def test_every_state_is_had_with_readings_set_and_moves_undone_in_any_order() -> None:
    """After readings and undos in any order, each state is that of its line, as when the log is folded at once."""
    chance, table, log = Random(7), fold_log(), [(1, opening())]
    lines: list[tuple[int, ...]] = [()]
    for number in range(2, 150):
        what = chance.random()
        if what < 0.15:
            to = chance.choice((1, *table.line)[-5:])
            payload, line = rewound(to), lines[to - 1]
        elif what < 0.4:
            reading = chance.choice(GAME.readings)
            payload, line = (
                codec.encode(ReadingsSet(0, NOW, "host", {reading.key: chance.choice(reading.values)})),
                (*table.line, number),
            )
        else:
            move = chance.choice([*islice(GAME.moves(table.state), 9)] or [GAME.read("h e4")])
            payload, line = play_entry(GAME.write(move)), (*table.line, number)
        log.append((number, payload))
        table = fold.extend(table, log[-1:])
        lines.append(line)
        assert table.line == line
    assert fold.fold(ID, log, DAY) == table
    assert len(table.line) > history.APART
    for version, line in enumerate(lines, start=1):
        state = table.states[0]
        for entry in map(table.line_entry, line):
            if isinstance(entry, Played):
                state = GAME.apply(state, GAME.read(entry.notation))
            elif isinstance(entry, ReadingsSet):
                state = GAME.with_readings(state, entry.readings)
        assert table.states[version - 1] == state


def test_what_is_no_move_is_made_again_when_a_dispute_is_replayed() -> None:
    """Replaying a dispute also sets later readings again, and undo reverses all of it."""
    stood = codec.encode(Played(0, NOW, "host", "h e5", "black", Ruling.ILLEGAL, stands=True, rules_version="1"))
    table = fold_log(stood, read_as(stuck="turn_is_cut"), play_entry("r b1c1"), dispute_entry(2, "h e5"))
    (replay,) = [
        offer for offer in remedies.available_remedies(table, table.dispute_entry(1)) if offer.remedy == "replay"
    ]
    assert replay.revision.state is not None
    assert (replay.revision.lost_entries, len(replay.revision.steps), replay.revision.state.readings["stuck"]) == (
        (2,),
        2,
        "turn_is_cut",
    )
    plan = settling.plan_settlement(table, Role("host"), 1, settling.SettlementRequest("replay"), NOW)
    assert [type(each) for each in plan.entries] == [Settled, Rewound, ReadingsSet, Played]
    assert [getattr(each, "dispute", None) for each in plan.entries] == [1] * 4
    assert plan.table.state == replay.revision.state
    assert fold.extend(table, list(enumerate(plan.payloads, start=6))) == plan.table
    back = plans.plan_rewind(plan.table, Role("host"), plan.table.undo_to or 0, NOW).table
    assert (back.line, back.state) == (table.line, table.state)


def test_a_revision_says_what_going_to_a_version_does() -> None:
    """For each version that can be reached, a revision names the entries that go and come back, and the state."""
    table = fold_log(
        *map(play_entry, RAMPARTS[:3]), rewound(2), read_as(stuck="turn_is_cut"), rewound(5), play_entry("h f4")
    )
    there = [to for to in range(1, table.version) if table.line_at(to) is not None]
    assert len(there) > 1
    for to in over(there):
        revision, after = revision_to(table, to), plans.plan_rewind(table, Role("host"), to, NOW).table
        assert {*table.line} - {*revision.lost_entries} | {*revision.restored_entries} == {*after.line}
        assert {*revision.lost_entries} <= {*table.line} and {*table.line}.isdisjoint(revision.restored_entries)
        assert (revision.state, revision.steps) == (after.state, ())


def test_a_seat_takes_back_nothing_but_its_own_moves() -> None:
    """A seat cannot undo readings that the host has set, even together with its own move."""
    table = fold_log(play_entry("r b1c1"), read_as(stuck="turn_is_cut"))
    assert plans.plan_rewind(table, Role("host"), 1, NOW).table.line == ()
    for to in (1, 2):
        with pytest.raises(Forbidden):
            plans.plan_rewind(table, Role("seat", "black"), to, NOW)


def test_a_worker_that_does_not_know_an_entry_of_the_line_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that does not know an entry refuses the log from there on."""
    log = list(enumerate((opening(), play_entry("r b1c1"), read_as(stuck="ends"), play_entry("r b9c9")), start=1))
    assert fold.fold(ID, log, DAY).line == (2, 3, 4)
    monkeypatch.setattr(codec, "READERS", {name: codec.READERS[name] for name in ("opened", "played", "rewound")})
    known = fold.fold(ID, log[:2], DAY)
    for number in (3, 4):
        with pytest.raises(Unreadable, match="'readings'"):
            fold.extend(known, log[2:number])


# --- disputes ------------------------------------------------------------------------------------------------------

DISPUTE_LOG = (*map(play_entry, RAMPARTS), dispute_entry(3))
"""Versions 1 to 5 are moves; version 6 disputes the second move."""
REWIND_LOG = (settlement("replay"), rewound(2, 1), again("r d9e9", 1))
"""Versions 7 to 9 settle it: back to before that move, and another one in its place."""


def test_a_dispute_changes_nothing_on_the_table() -> None:
    """A dispute raised, confirmed and settled as it stands changes neither the moves in play nor undo and redo."""
    plain = fold_log(*map(play_entry, RAMPARTS), rewound(4))
    argued = fold_log(
        *map(play_entry, RAMPARTS),
        rewound(4),
        dispute_entry(3),
        confirmation("go_back"),
        confirmation("stands"),
        settlement("stands"),
    )
    for name in ("line", "redoable_moves", "state", "undo_to", "redo_to"):
        assert getattr(argued, name) == getattr(plain, name), name
    (dispute,) = argued.disputes
    assert (dispute.entry_number, dispute.confirmations, dispute.settlement_number, dispute.open) == (
        7,
        {"black": 9},
        10,
        False,
    )
    assert argued.dispute_entry(1).entry == 3


def test_undo_takes_a_settlement_back_and_redo_puts_it_back() -> None:
    """Undo and redo treat a settlement as one step; once undone, the dispute is open again."""
    table = fold_log(*DISPUTE_LOG, confirmation("stands"), *(settlement("replay"), rewound(2, 1), again("r d9e9", 1)))
    assert (table.line, table.redoable_moves, table.undo_to, table.redo_to) == ((2, 10), (), 7, None)
    assert not table.disputes[0].open
    back = fold_log(*DISPUTE_LOG, confirmation("stands"), *REWIND_LOG, rewound(7))
    assert (back.line, back.redoable_moves, back.undo_to, back.redo_to) == ((2, 3, 4, 5), (), 4, 10)
    assert back.state == back.states[4]
    assert back.disputes[0].open
    assert back.disputes[0].confirmations == {}
    forward = fold_log(*DISPUTE_LOG, confirmation("stands"), *REWIND_LOG, rewound(7), rewound(10))
    assert (forward.line, forward.redoable_moves, forward.undo_to, forward.redo_to) == ((2, 10), (), 7, None)
    assert (forward.state, forward.disputes[0].open) == (table.state, False)


def test_what_a_settlement_took_away_is_not_put_back_move_by_move() -> None:
    """After a settlement that goes back there is nothing to redo, and undo reverses the settlement."""
    table = fold_log(*DISPUTE_LOG, settlement("go_back"), rewound(2, 1))
    assert (table.line, table.redoable_moves, table.undo_to, table.redo_to) == ((2,), (), 6, None)
    plain = fold_log(*map(play_entry, RAMPARTS), rewound(2))
    assert (plain.line, plain.redoable_moves, table.state) == ((2,), (3, 4, 5), plain.state)


def test_after_new_moves_a_settlement_is_taken_back_only_once_they_are_undone() -> None:
    """A settlement can be undone only after the moves played since."""
    played_on = fold_log(*DISPUTE_LOG, *REWIND_LOG, play_entry("h e4"))
    assert (played_on.undo_to, played_on.line_at(6)) == (9, None)
    undone = fold_log(*DISPUTE_LOG, *REWIND_LOG, play_entry("h e4"), rewound(9))
    assert (undone.undo_to, undone.redo_to, undone.line_at(6)) == (6, 10, (2, 3, 4, 5))
    with pytest.raises(Unreadable):
        fold_log(*DISPUTE_LOG, *REWIND_LOG, play_entry("h e4"), rewound(6))


def test_of_two_settlements_the_last_is_taken_back_first() -> None:
    """Settlements are undone in reverse order, and redone in order."""
    log = (*map(play_entry, RAMPARTS), dispute_entry(5), dispute_entry(3), settlement("go_back"), rewound(4, 1))
    both = (*log, settlement("go_back", 2), rewound(2, 2))
    steps = [fold_log(*both)]
    for _ in range(2):
        to = steps[-1].undo_to
        assert to is not None
        both = (*both, rewound(to))
        steps.append(fold_log(*both))
    assert [table.line for table in steps] == [(2,), (2, 3, 4), (2, 3, 4, 5)]
    for line in ((2, 3, 4), (2,)):
        to = fold_log(*both).redo_to
        assert to is not None
        both = (*both, rewound(to))
        assert fold_log(*both).line == line


def test_undo_never_puts_a_settlement_back() -> None:
    """After a settlement is undone, undo takes back the last move, even if another dispute was settled after it."""
    both = (*DISPUTE_LOG, dispute_entry(5), settlement("go_back"), rewound(2, 1), settlement("stands", 2))
    assert (fold_log(*both).undo_to, fold_log(*both).redo_to) == (7, None)
    undone = fold_log(*both, rewound(7))
    assert (undone.line, undone.undo_to, undone.redo_to) == ((2, 3, 4, 5), 4, 9)


@pytest.mark.parametrize("remedy", ["stands", "replay"])
def test_a_settlement_that_changes_nothing_is_taken_back_and_put_back(remedy: str) -> None:
    """A settlement that changes nothing can be undone and redone by its versions while the same moves are in play;
    undone moves can still be redone.
    """
    log = (*DISPUTE_LOG, rewound(4), settlement(remedy))
    before, back = fold_log(*log), fold_log(*log, rewound(7, 1))
    assert [each.disputes[0].open for each in (before, back)] == [False, True]
    assert before.redo_to == 5
    again = fold_log(*log, rewound(7, 1), rewound(8, 1))
    assert again.disputes[0].open is False
    for each in (back, again):
        assert (each.line, each.undo_to, each.redo_to) == (before.line, before.undo_to, before.redo_to)
    gone_on = (*log, play_entry("h e5"), rewound(7))
    assert fold_log(*gone_on).disputes[0].open is False


@pytest.mark.parametrize("remedy", ["stands", "go_back"])
def test_many_disputes_are_little_work(remedy: str) -> None:
    """With twice as many settled disputes, reading a table takes less than three times the work."""

    def settled_by(many: int) -> Table:
        log: list[bytes] = []
        for number in range(1, many + 1):
            log += [play_entry("r b1c1"), dispute_entry(len(log) + 2), settlement(remedy, number)]
            log.append(rewound(len(log) - 2, number if remedy == "go_back" else None))
        return fold_log(*log)

    def work(table: Table) -> int:
        return calls(lambda: (table.undo_to, table.redo_to, table.line_at(1)))

    few, many = settled_by(50), settled_by(100)
    assert [len(each.disputes) for each in (few, many)] == [50, 100]
    assert work(many) < 3 * work(few)


def test_a_dispute_of_an_older_release_is_read() -> None:
    """A stored dispute without later fields is one about a move."""
    stored = b'{"type":"disputed","at":"2026-01-02T03:04:05Z","by":"white","entry":2,"move":"r b9c9","question":"?"}'
    entry = codec.decode(3, stored)
    assert entry == Disputed(3, entry.at, "white", 2, "r b9c9", "?")


def test_a_worker_that_knows_only_moves_refuses_another_dispute(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dispute about another entry has no move, so that an older worker refuses it."""
    log = list(enumerate((opening(), dispute_entry(1, None)), start=1))
    assert fold.fold(ID, log, DAY).dispute_entry(1).entry == 1

    def older(head: codec.Head, stored: StoredObject) -> Disputed:
        return Disputed(*head, stored["entry"], require_type(str, stored["move"]), stored["question"])

    monkeypatch.setattr(codec, "READERS", {**codec.READERS, "disputed": older})
    with pytest.raises(Unreadable):
        fold.fold(ID, log, DAY)


def test_a_worker_that_knows_only_older_entries_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that does not know disputes reads the log up to the first, and refuses the rest."""
    log = list(enumerate((opening(), *DISPUTE_LOG, *REWIND_LOG), start=1))
    assert fold.fold(ID, log, DAY).line == (2, 9)
    monkeypatch.setattr(codec, "READERS", {name: codec.READERS[name] for name in ("opened", "played", "rewound")})
    known = fold.fold(ID, log[:5], DAY)
    assert known.line == (2, 3, 4, 5)
    for number in range(5, len(log)):
        with pytest.raises(Unreadable):
            fold.extend(known, log[5 : number + 1])
