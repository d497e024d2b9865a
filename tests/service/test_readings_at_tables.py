"""Readings changed during play: one entry, undone like a move, listed with those that matter now first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

import rules
from rules.ranking import totals
from service.errors import Forbidden, KeyReused, Stale
from service.referee.repository import ChangeRequest, WriteOutcome
from service.referee.use_cases import NewTable, Referee
from service.rulings.judge import sheet
from service.storage.ledger import Ledger
from service.tables.active_readings import readings_of
from service.tables.entries import ReadingsSet
from service.tables.table import Table
from tests.support.api import Api
from tests.support.records import RECORD_PATHS, record_of
from tests.support.tables import open_record

GAME = rules.GAMES["villefranche"]
MOVES = ("r b1c1", "r b9c9", "h e4")


class Host:
    """The host's view of a table."""

    def __init__(self, ledger: Ledger, path: Path | None = None) -> None:
        self.referee = Referee(ledger)
        self.new_table = self.open(path)
        self.id, self.key = self.new_table.table.id, self.new_table.keys.host

    def open(self, path: Path | None) -> NewTable:
        """Open a table with a recorded game, or a few moves."""
        record: Any = {"game": GAME.id, "setup": {}, "moves": MOVES} if path is None else record_of(path)
        return open_record(self.referee, record)

    def now(self) -> Table:
        return self.referee.table(self.id, self.key)[0]

    def read(
        self, key: str | None = None, version: int | None = None, name: str | None = None, **values: str
    ) -> WriteOutcome:
        on = version or self.now().version
        return self.referee.set_readings(ChangeRequest(self.id, key or self.key, on, name), values)


@pytest.fixture
def host(ledger: Ledger) -> Host:
    return Host(ledger)


@pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_game_goes_on_under_other_readings_and_back_by_undo(path: Path, ledger: Ledger) -> None:
    """In every recorded game, other readings keep the moves and change the score; undo and redo switch between both."""
    host = Host(ledger, path)
    before = host.now()
    now = before.state.readings
    values = {one.key: next(each for each in one.values if each != now[one.key]) for one in before.game.readings}
    done = host.referee.set_readings(ChangeRequest(host.id, host.key, before.version), values)
    assert [dict(each.readings) for each in done.entries if isinstance(each, ReadingsSet)] == [values]
    assert len(done.entries) == 1
    after = host.now()
    read = before.game.with_readings(before.state, values)
    assert (after.state, after.moves) == (read, before.moves)
    assert sheet(after.game, after.state).totals == totals(before.game, read)
    host.referee.rewind(ChangeRequest(host.id, host.key, after.version), after.undo_to or 0)
    undone = host.now()
    assert (undone.state, undone.moves, undone.redo_to) == (before.state, before.moves, done.version)
    host.referee.rewind(ChangeRequest(host.id, host.key, undone.version), done.version)
    assert host.now().state == read


def test_readings_that_are_in_force_already_are_no_entry(host: Host) -> None:
    """Setting the readings in force writes no entry and uses up no key, but needs the current version."""
    version = host.now().version
    done = host.read(name="one", stuck="ends")
    assert (done.entries, done.version, host.now().version) == ((), version, version)
    assert host.read(name="one", stuck="turn_is_cut").version == version + 1
    assert host.read(name="one", version=version, stuck="turn_is_cut").is_replay
    with pytest.raises(KeyReused):
        host.read(name="one", stuck="ends")
    with pytest.raises(Stale):
        host.read(version=version, stuck="turn_is_cut")


def test_only_the_host_sets_readings(host: Host) -> None:
    """Neither a seat nor a watcher can set readings."""
    for key in (*host.new_table.keys.seats.values(), host.new_table.keys.watch):
        with pytest.raises(Forbidden):
            host.read(key, stuck="turn_is_cut")


@pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_could_matter_now_comes_first(path: Path, ledger: Ledger) -> None:
    """Readings that matter now come first, with reasons: the score, only if it would change, and rules that name the
    reading.
    """
    table = Host(ledger, path).now()
    scored = sheet(table.game, table.state)
    told = readings_of(table, scored)
    assert sorted(one.reading.key for one in told) == sorted(one.key for one in table.game.readings)
    assert [bool(one.matters) for one in told] == sorted((bool(one.matters) for one in told), reverse=True)
    book = rules.load(table.game.id, "rulebook")
    for one in told:
        reasons = {why.code: why.rules for why in one.matters}
        others = [value for value in one.reading.values if value != one.value]
        states = [table.game.with_readings(table.state, {one.reading.key: value}) for value in others]
        now = (totals(table.game, table.state), scored.ranking)
        changes = [(totals(table.game, state), table.game.ranking(state)) != now for state in states]
        assert ("score" in reasons) <= any(changes)
        assert all(one.reading.key in book[rule]["readings"] for looked in reasons.values() for rule in looked)
        assert all(reasons[code] for code in reasons.keys() - {"score"})


def answer(response: TestResponse) -> Any:
    """The JSON of a response."""
    return response.json


def test_readings_by_the_api(api: Api) -> None:
    """The API lists readings, sets them at a version, and shows them at the table and in its log."""
    table = api.open()
    path = f"{table.path}/readings"
    told = answer(api.get(path, key=table.watch))
    assert {one["key"]: one["value"] for one in told["readings"]} == {one.key: one.default for one in GAME.readings}
    body = {"readings": {"stuck": "turn_is_cut"}}
    assert api.send("PUT", path, body, key=table.host).status_code == 428
    assert api.send("PUT", path, body, key=table.watch, version=told["version"]).status_code == 403
    done = answer(api.send("PUT", path, body, key=table.host, version=told["version"]))
    (entry,) = done["entries"]
    assert (entry["type"], entry["readings"]) == ("readings", {"stuck": "turn_is_cut"})
    now = answer(api.get(table.path, key=table.watch))
    assert (now["readings"]["stuck"], now["setup"]["readings"]["stuck"]) == ("turn_is_cut", "ends")
    (stuck,) = (one for one in answer(api.get(path, key=table.watch))["readings"] if one["key"] == "stuck")
    assert (stuck["value"], stuck["opened"]) == ("turn_is_cut", "ends")
    assert answer(api.send("PUT", path, body, key=table.host, version=done["version"]))["entries"] == []


@pytest.mark.parametrize(
    ("readings", "pointer"),
    [({"of_tomorrow": "yes"}, "/readings/of_tomorrow"), ({"stuck": "never"}, "/readings/stuck"), ([], "/readings")],
    ids=str,
)
def test_what_is_no_reading_is_said(readings: Any, pointer: str, api: Api) -> None:
    """An unknown reading or value is 422 with its pointer, and nothing is written."""
    table = api.open()
    version = answer(api.get(table.path, key=table.host))["version"]
    said = api.send("PUT", f"{table.path}/readings", {"readings": readings}, key=table.host, version=version)
    assert said.status_code == 422
    assert [each["pointer"] for each in answer(said)["errors"]] == [pointer]
    assert answer(api.get(table.path, key=table.host))["version"] == version
