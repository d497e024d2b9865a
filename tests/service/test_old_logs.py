"""Logs of earlier releases still give the same tables.

``logs/<game>-<rules version>.json`` has the entries as they were stored, whose turn it was after each, and the position
at some versions, as that release reported them. A third part of the name says what else a log is about.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import GAMES
from service import schemas
from service.referee import fold
from service.schemas.parsing import encode
from service.tables import codec
from service.tables.entries import Unreadable
from service.tables.table import Table
from tests.rules.play import often
from tests.support.log_kinds import LATER
from tests.support.loops import over
from tests.support.stored_logs import FOLDER, VALUES, answers_of, put, table_of_log, ways

LOGS = sorted(FOLDER.glob("*.json"))
every_log = pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)


def same(now: Any, then: Any) -> bool:
    """Whether everything from then is still there; later additions do not matter."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(key in now and same(now[key], value) for key, value in then.items())
    if isinstance(then, list):
        return isinstance(now, list) and len(now) == len(then) and all(map(same, now, then))
    return bool(now == then)


@every_log
def test_an_old_log_makes_the_same_states(path: Path) -> None:
    """At every version, the turn and the position are those that the release reported."""
    written = json.loads(path.read_text(encoding="utf-8"))
    table = table_of_log(written["log"])
    assert [table.game.due(state).seat for state in table.states] == written["due"]
    for version, position in written["positions"].items():
        now = schemas.plain(table.game.position(table.states[int(version) - 1]))
        assert same(now, position), version


@every_log
def test_an_old_entry_is_stored_again_in_the_same_bytes(path: Path) -> None:
    """An old entry, decoded and encoded again, has the same bytes."""
    for number, entry in over(enumerate(json.loads(path.read_text(encoding="utf-8"))["log"], start=1)):
        payload = orjson.dumps(entry)
        assert codec.encode(codec.decode(number, payload)) == payload


def test_a_name_of_which_nothing_is_seen_was_let_through_once() -> None:
    """A log with an invisible name can be read, and the player is called by the colour."""
    log = json.loads(LOGS[0].read_text(encoding="utf-8"))["log"]
    log[0]["setup"]["players"][0]["name"] = "\u2800\u200b"
    assert table_of_log(log).setup.players[0].name is None


@every_log
def test_a_reading_that_came_later_is_what_was_followed_before(path: Path) -> None:
    """A table keeps the readings stored at its opening; later readings have the value of the rules of then."""
    written = json.loads(path.read_text(encoding="utf-8"))
    table = table_of_log(written["log"])
    kept = written["log"][0]["setup"]["readings"]
    for reading in over(table.game.readings):
        assert table.state.readings[reading.key] == kept.get(reading.key, reading.before or reading.default)


def test_every_game_has_a_log_of_the_last_release() -> None:
    """Every game has a log."""
    assert {path.stem.partition("-")[0] for path in LOGS} == set(GAMES)


def test_a_setup_of_the_log_is_filled_up_with_what_was_followed_before() -> None:
    """The control: an added reading has its `before` value in old tables and its default in new ones."""
    opened = json.loads(LOGS[0].read_text(encoding="utf-8"))["log"][0]
    game = GAMES[opened["game"]]
    first, *others = game.readings
    added = replace(game, readings=(replace(first, before=first.values[-1]), *others))
    silent = opened["setup"] | {"readings": {other.key: other.default for other in others}}
    assert schemas.stored_setup(added, silent).readings[first.key] == first.values[-1] != first.default
    assert schemas.stored_setup(added, opened["setup"]) == schemas.stored_setup(game, opened["setup"])


def test_an_army_of_an_old_table_attacks_as_it_did_then() -> None:
    """Under the old rules a dead lord's army attacked with all lay titles: d'Arc's 5 won. Now the barony's 2 count.

    The control: under today's rules the same attack is lost.
    """
    path = FOLDER / "fief-1-armies.json"
    log = json.loads(path.read_text(encoding="utf-8"))["log"]
    (attack,) = (entry for entry in log if entry.get("move", "").startswith("attack"))
    number = log.index(attack) + 1
    then, now = table_of_log(log), table_of_log([log[0] | {"rules_version": "2"}, *log[1:]])
    assert "Arthur" in then.states[number - 1].lords and "Henri" not in then.states[number - 1].lords
    assert "Henri" in now.states[number - 1].lords and "Arthur" not in now.states[number - 1].lords
    move = then.game.read(attack["move"])
    assert then.game.check(then.states[number - 2], move).legal
    assert then.game.check(now.states[number - 2], move).broken_rules == ("FI-73",)


@pytest.mark.parametrize(
    ("entry", "change"),
    [
        (0, {"setup": {"readings": {"of_tomorrow": "yes"}}}),
        (0, {"setup": {"weather": "fine"}}),
        (1, {"move": "hop over"}),
    ],
    ids=["a reading", "a field", "a move"],
)
def test_what_a_newer_release_wrote_cannot_be_read(entry: int, change: dict[str, Any]) -> None:
    """An unknown setup member or move makes the log unreadable."""
    log = json.loads(LOGS[0].read_text(encoding="utf-8"))["log"]
    if "setup" in change:
        change = {"setup": log[0]["setup"] | change["setup"]}
    log[entry] |= change
    with pytest.raises(Unreadable):
        table_of_log(log)


@pytest.mark.parametrize(
    "change",
    [
        {"setup": None},
        {"setup": []},
        {"setup": {"readings": []}},
        {"setup": {"readings": None}},
        {"setup": {"players": {}}},
        {"setup": {"players": ["black", "white"]}},
        {"setup": {"players": [{"colour": "black", "name": {}}, {"colour": "white"}]}},
        {"rules_version": "3"},
        {"rules_version": "2.1"},
        {"rules_version": "of spring"},
        {"at": "2026-11-22T00:00:00"},
    ],
    ids=str,
)
def test_an_opening_of_another_release_cannot_be_read(change: dict[str, Any]) -> None:
    """An opening with an unknown form of setup, or by newer rules, is unreadable."""
    log = json.loads((FOLDER / "villefranche-1.json").read_text(encoding="utf-8"))["log"]
    if change.get("setup"):
        change = {"setup": log[0]["setup"] | change["setup"]}
    with pytest.raises(Unreadable):
        table_of_log([log[0] | change])


@pytest.mark.parametrize(("version", "read"), [("", True), ("0", True), ("1.9", True), ("2", True), ("3", False)])
def test_a_move_by_newer_rules_cannot_be_read(version: str, read: bool) -> None:
    """A move by newer rules is unreadable; one by known rules is read."""
    log = json.loads((FOLDER / "villefranche-1.json").read_text(encoding="utf-8"))["log"][:2]
    log[1] |= {"rules_version": version}
    if read:
        assert len(table_of_log(log).states) == 2
    else:
        with pytest.raises(Unreadable):
            table_of_log(log)


@pytest.mark.parametrize("code", ["of_tomorrow", "{", "{n.real}", "{0}"])
def test_a_sentence_of_another_release_is_said_by_its_code(code: str) -> None:
    """A finding with an unknown code is shown by its code, and never formatted."""
    finding = {"rule": "VF-99", "code": code, "values": {"n": 1}, "evidence": [], "needs": []}
    log = json.loads((FOLDER / "villefranche-1.json").read_text(encoding="utf-8"))["log"][:2]
    log[1] |= {"findings": [finding]}
    entry: Any = answers_of(table_of_log(log), 2)[0]
    assert entry["findings"][0]["text"] == f"VF-99.{code}"


# --- later types of entries --------------------------------------------------------------------------------------

DECISION_LOG = FOLDER / "villefranche-2-decided.json"
"""A log with all other types of entries of its release, most of them undone and redone."""


def test_a_table_has_the_names_that_were_given_last() -> None:
    """Players have the names given last, for earlier moves, too; a removed name is none."""
    table = table_of_log(json.loads(DECISION_LOG.read_text(encoding="utf-8"))["log"])
    assert [player.name for player in table.setup.players] == ["Ada", None]


@pytest.mark.parametrize("kind", LATER)
def test_a_worker_from_before_an_entry_refuses_its_log(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that does not know an entry type reads the log up to the first such entry and refuses the rest. The
    control: a current worker reads all of it.
    """
    log, tables = log_and_tables(DECISION_LOG)
    first = next(place for place, entry in enumerate(log) if entry["type"] == kind)
    assert table_of_log(log).state == tables[-1].state
    monkeypatch.setattr(codec, "READERS", {name: read for name, read in codec.READERS.items() if name != kind})
    known = table_of_log(log[:first])
    assert known.state == tables[first - 1].state
    for last in (first + 1, len(log)):
        with pytest.raises(Unreadable, match=f"'{kind}'"):
            fold.extend(known, list(enumerate(map(orjson.dumps, log[first:last]), start=first + 1)))
        with pytest.raises(Unreadable, match=f"'{kind}'"):
            table_of_log(log[:last])


@pytest.mark.parametrize(
    ("kind", "way", "value"),
    [
        ("settled", ("remedy",), "toss_a_coin"),
        ("confirmed", ("remedy",), "toss_a_coin"),
        ("confirmed", ("dispute",), None),
        ("disputed", ("ruling",), "perhaps"),
        ("readings", ("readings", "of_tomorrow"), "yes"),
        ("checkpoint", ("led",), "perhaps"),
        ("checkpoint", ("position", "weather"), "fine"),
        ("amended", ("change", "do"), "swap"),
        ("amended", ("change", "misfits"), "ask"),
        ("amended", ("change", "moves"), []),
        ("amended", ("change", "moves"), [["r d9e9", False]] * 2),
        ("amended", ("change", "moves"), [["hop over", False]]),
        ("amended", ("change", "entry"), 11),
        ("amended", ("change", "entry"), -2),
        ("amended", ("changed",), [0]),
        ("rolled", ("for",), "rain"),
        ("rolled", ("with",), "a_hat"),
        ("rolled", ("throws",), []),
        ("rolled", ("throws", 0, "seat"), "red"),
        ("rolled", ("throws", 0, "dice"), [["ordinary", 7]]),
        ("rolled", ("throws", 0, "dice"), [["ordinary", 6]]),
        ("rolled", ("throws", 3, "dice"), [["ordinary", 6]]),
        ("rolled", ("move",), "r d9e9"),
        ("rolled", ("rules_version",), "999"),
    ],
    ids=str,
)
def test_what_a_newer_release_wrote_into_a_known_entry_is_never_guessed_at(
    kind: str, way: tuple[str, ...], value: Any
) -> None:
    """An unknown value in a known entry makes the log unreadable. The control: the original entry can be read."""
    log, tables = log_and_tables(DECISION_LOG)
    place = next(place for place, entry in enumerate(log) if entry["type"] == kind)
    entry: Any = orjson.loads(orjson.dumps(log[place]))
    assert fold.extend(tables[place - 1], [(place + 1, orjson.dumps(entry))]) == tables[place]
    *holders, member = way
    reduce(getitem, holders, entry)[member] = value
    with pytest.raises(Unreadable):
        fold.extend(tables[place - 1], [(place + 1, orjson.dumps(entry))])


def test_a_log_is_stored_again_as_it_was_read() -> None:
    """A log with every type of entry, encoded again, gives the same bytes, table and responses, at each version."""
    log, tables = log_and_tables(DECISION_LOG)
    assert {entry["type"] for entry in log} == set(codec.READERS)
    again = [codec.encode(entry) for entry in tables[-1].entries]
    assert again == list(map(orjson.dumps, log))
    whole = table_of_log(list(map(orjson.loads, again)))
    assert whole == tables[-1]
    assert encode(answers_of(whole, 1)) == encode(answers_of(tables[-1], 1))
    for version, table in enumerate(tables, start=1):
        then = fold.table_at_version(whole, version)
        assert (then, then.undo_to, then.redo_to) == (table, table.undo_to, table.redo_to)


# --- any value anywhere ------------------------------------------------------------------------------------------

NEXT = 3
"""How many entries after a changed one are read."""


@cache
def log_and_tables(path: Path) -> tuple[list[Any], tuple[Table, ...]]:
    """A log, and the table after each of its entries."""
    log = json.loads(path.read_text(encoding="utf-8"))["log"]
    tables = [table_of_log(log[:1])]
    for number, entry in enumerate(log[1:], start=2):
        tables.append(fold.extend(tables[-1], [(number, orjson.dumps(entry))]))
    return log, tuple(tables)


@pytest.mark.parametrize(
    ("name", "played", "other"),
    [
        (
            "fief-1",
            "move Henri Belleville>Pugnac>Tournus",
            "move Isabelle Belleville>Pugnac>Tournus",
        ),  # who is not there
        ("robber_knights-1", "(-1,2) plain castle >. 1", "(0,0) plain castle >. 1"),  # on a tile
    ],
)
def test_a_move_that_nobody_could_enter_is_unreadable(name: str, played: str, other: str) -> None:
    """A well-formed move that the table does not allow makes the log unreadable. The control: the original move can be
    read.
    """
    log, tables = log_and_tables(FOLDER / f"{name}.json")
    place = next(place for place, entry in enumerate(log) if entry.get("move") == played)
    fold.extend(tables[place - 1], [(place + 1, orjson.dumps(log[place]))])
    with pytest.raises(Unreadable):
        fold.extend(tables[place - 1], [(place + 1, orjson.dumps(log[place] | {"move": other}))])


@every_log
@settings(max_examples=often(60))
@given(data=st.data())
def test_whatever_stands_in_an_entry_it_is_read_or_said_to_be_unreadable(path: Path, data: st.DataObject) -> None:
    """With any value in any member, a log is either readable, with all its responses, or `Unreadable`."""
    log, tables = log_and_tables(path)
    place = data.draw(st.just(0) | st.integers(0, len(log) - 1), "entry")
    way = data.draw(st.sampled_from(tuple(ways(log[place]))), "member")
    entry = put(log[place], way, data.draw(VALUES | st.sampled_from(log).map(lambda each: each.get("move")), "value"))
    changed = [(n, orjson.dumps(each)) for n, each in enumerate((entry, *log[place + 1 :][:NEXT]), start=place + 1)]
    try:
        table = fold.extend(tables[place - 1], changed) if place else fold.fold("A" * 22, changed, timedelta(days=1))
    except Unreadable:
        return
    assert encode(answers_of(table, place + 1))
