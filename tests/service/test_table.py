"""The fold of a log: what is in play, what was undone, and entries of older and newer versions."""

from __future__ import annotations

import tracemalloc
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

import rules
from rules.kernel import Fact, Facts, Finding, Ruling
from rules.spoken import Spoken
from service import codec, fold
from service.entries import Opened, Played, Rewound, Unreadable
from service.table import Table
from service.texts import words
from service.wire import default_setup

GAME = rules.GAMES["villefranche"]
NOW = datetime(2026, 11, 21, 12, 30, 0, 123456, tzinfo=UTC)
DAY = timedelta(days=1)
ID = "A" * 22


def opened() -> bytes:
    return codec.encode(Opened(1, NOW, "host", GAME.id, default_setup(GAME) or {}, "1", {"hash": "host"}))


def played(notation: str) -> bytes:
    return codec.encode(Played(0, NOW, "host", notation, "black", rules_version="1"))


def rewound(to: int) -> bytes:
    return codec.encode(Rewound(0, NOW, "host", to))


def folded(*payloads: bytes) -> Table:
    return fold.fold(ID, list(enumerate((opened(), *payloads), start=1)), DAY)


RAMPARTS = ("r b1c1", "r b9c9", "h e4", "r d1e1")


def test_a_new_table_is_at_version_one_with_nothing_in_play() -> None:
    """The first entry opens, and there is nothing to undo or redo."""
    table = folded()
    assert (table.version, table.line, table.ahead, table.undo_to, table.redo_to) == (1, (), (), None, None)
    assert table.expires_at == NOW + DAY


def test_the_line_is_the_moves_in_play_and_ahead_those_undone() -> None:
    """Undo and redo walk along one line; each is an entry, and no entry goes."""
    table = folded(*map(played, RAMPARTS), rewound(3))
    assert (table.line, table.ahead, table.version) == ((2, 3), (4, 5), 6)
    assert table.state == table.states[2]
    assert (table.undo_to, table.redo_to) == (2, 4)
    table = folded(*map(played, RAMPARTS), rewound(3), rewound(5))
    assert (table.line, table.ahead) == ((2, 3, 4, 5), ())
    assert [entry.notation for entry in table.last_moves(9)] == list(RAMPARTS)


def test_undo_goes_back_to_the_start() -> None:
    """All moves can be undone, by going to the version that opened the table."""
    table = folded(*map(played, RAMPARTS[:1]))
    assert table.undo_to == 1
    table = folded(*map(played, RAMPARTS[:1]), rewound(1))
    assert (table.line, table.ahead, table.redo_to) == ((), (2,), 2)
    assert table.state == table.states[0]


def test_a_new_move_ends_redo() -> None:
    """What was undone is out of reach once something new was played, by any of the versions that had it."""
    table = folded(*map(played, RAMPARTS[:3]), rewound(2), played("r d9e9"))
    assert (table.line, table.ahead) == ((2, 6), ())
    assert [table.line_at(version) for version in range(8)] == [None, (), (2,), None, None, (2,), (2, 6), None]


def test_a_version_after_an_undo_leads_where_the_undo_led() -> None:
    """A version names how the table was then, undone moves left out."""
    table = folded(*map(played, RAMPARTS[:2]), rewound(2), rewound(3))
    assert table.line_at(4) == (2,)
    assert table.line_at(5) == (2, 3)


def test_folding_in_steps_is_folding_at_once() -> None:
    """A worker that reads only what is new has the table that one has that reads everything."""
    payloads = [*map(played, RAMPARTS), rewound(3), played("h f4"), rewound(2)]
    log = list(enumerate((opened(), *payloads), start=1))
    whole = fold.fold(ID, log, DAY)
    for cut in range(1, len(log)):
        assert fold.extend(fold.fold(ID, log[:cut], DAY), log[cut:]) == whole


def test_replaying_never_judges() -> None:
    """A move that no rule would let pass replays, and so does one that was judged by other rules."""
    stood = Played(2, NOW, "host", "h e5", "black", Ruling.ILLEGAL, stands=True, rules_version="0")
    table = folded(codec.encode(stood))
    assert table.state == GAME.apply(table.states[0], GAME.read("h e5"))
    assert table.played(2).rules_version == "0"


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
)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: type(entry).__name__)
def test_an_entry_is_stored_without_loss(entry: Any) -> None:
    """What is written is what is read."""
    assert codec.decode(entry.number, codec.encode(entry)) == entry


def test_an_entry_as_it_is_stored_takes_its_bytes() -> None:
    """What is remembered holds on to no more room than it needs."""
    tracemalloc.start()
    try:
        payloads = [played("r b1c1") for _ in range(100)]
        size = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert size < 2 * sum(map(len, payloads))


def test_a_name_is_said_in_full_out_of_the_log_too() -> None:
    """The log keeps the words for a name, within a list and within another name too."""
    head = Spoken("Henri", "called_bishop", {"name": "Henri", "village": "Sigy"})
    name = Spoken("Henri", "titled", {"head": head, "titles": (Spoken("Henri", "count", {"village": "Sigy"}),)})
    finding = Finding("FI-10", Facts("church", {"lord": name, "others": (name, "Othon"), "n": 2}))
    entry = Played(2, NOW, "host", "next", None, Ruling.ILLEGAL, True, (finding,), "1")
    [read] = codec.decode(2, codec.encode(entry)).findings  # type: ignore[union-attr]  # it was played
    assert read == finding
    assert words("en", "fief").finding(read) == words("en", "fief").finding(finding)
    assert words("en", "fief").put(read.facts.values["lord"]) == "Monsignor Henri, Bishop of Sigy, Count of Sigy"


def test_an_entry_of_an_older_version_is_read() -> None:
    """A field that was added later has a default: a move that was stored with nothing but itself is a move."""
    old = b'{"type":"played","at":"2026-01-02T03:04:05Z","by":"host","move":"r b1c1"}'
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert codec.decode(2, old) == Played(2, at, "host", "r b1c1", None)
    assert folded(old).last_moves(1)[0].ruling is Ruling.LEGAL
    older = b'{"type":"played","at":"2026-01-02T03:04:05Z","by":"host","move":"r b1c1","findings":[{"rule":"VF-22"}]}'
    entry = codec.decode(2, older)
    assert isinstance(entry, Played)
    assert entry.findings == (Finding("VF-22", Facts()),)


def test_a_field_of_a_newer_version_is_passed_over() -> None:
    """While servers are replaced, an older one reads what a newer one wrote."""
    stored = orjson.loads(played("r b1c1")) | {"weather": "fine"}
    assert codec.decode(2, orjson.dumps(stored)) == codec.decode(2, played("r b1c1"))


@pytest.mark.parametrize(
    "log",
    [
        [played("r b1c1")],
        [opened(), opened()],
        [opened(), b'{"type":"teleported","at":"2026-01-02T03:04:05Z","by":"host"}'],
        [opened(), rewound(7)],
        [opened().replace(b"villefranche", b"chess")],
    ],
    ids=["no opening", "two openings", "a newer kind", "no way there", "no such game"],
)
def test_a_log_that_cannot_be_read_says_so(log: list[bytes]) -> None:
    """What this version does not know is an error of its own, never a guess."""
    with pytest.raises(Unreadable):
        fold.fold(ID, list(enumerate(log, start=1)), DAY)
