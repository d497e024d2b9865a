"""What lies on the table now: entered by one entry, told against what the log gives, undone like a move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

import rules
from rules.changes import Led
from rules.ranking import totals
from service import codec, wire
from service.entries import DELETE, Checkpoint, LogChange, Unreadable
from service.errors import Forbidden, Impossible, KeyReused, Stale
from service.fold import extend, fold
from service.judgements import Try
from service.ledger import Ledger
from service.referee import Referee
from service.store import Done
from service.table import Table
from tests.api import Api
from tests.rules.play import RECORDED

GAME = rules.GAMES["villefranche"]
MOVES = ("r b1c1", "r b9c9", "h c4")
ON = ("r d1e1", "t a1")
"""What Black may go on with."""


class Host:
    """A table of the first moves of a recorded game, as its host has it, and what its position is later."""

    def __init__(self, ledger: Ledger, path: Path | None = None, *, left: int = 2) -> None:
        record: Any = {"game": GAME.id, "setup": {}, "moves": [*MOVES, *ON]}
        record = record if path is None else json.loads(path.read_text())
        self.game = rules.GAMES[record["game"]]
        moves = [each if isinstance(each, dict) else {"move": each} for each in record["moves"]]
        self.tries = [Try(self.game.read(each["move"]), each.get("stands", False)) for each in moves]
        self.referee = Referee(ledger)
        setup = wire.load(wire.of(self.game).setup, record["setup"])
        self.opened = self.referee.open(self.game.id, setup, self.tries[:-left])
        self.id, self.key = self.opened.table.id, self.opened.keys.host
        state = self.now().state
        for each in self.tries[-left:]:
            state = self.game.apply(state, each.move)
        self.later = state

    def now(self) -> Table:
        return self.referee.table(self.id, self.key)[0]

    def enter(self, position: Any, key: str | None = None, version: int | None = None, name: str | None = None) -> Done:
        on = version or self.now().version
        return self.referee.checkpoint(self.id, key or self.key, position, version=on, idempotency_key=name)


@pytest.fixture
def host(ledger: Ledger) -> Host:
    return Host(ledger)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_game_goes_on_from_a_position_and_back_by_undo(path: Path, ledger: Ledger) -> None:
    """In every recorded game: play, score and rulings go on from there, and undo, redo and a new worker have both."""
    host = Host(ledger, path, left=4)
    game, before = host.game, host.now()
    state = game.apply(before.state, host.tries[-4].move)
    done = host.enter(game.position(state))
    (entry,) = done.entries
    assert isinstance(entry, Checkpoint)
    assert entry.led != Led.IMPOSSIBLE.value or any(each.stands for each in host.tries)
    after = host.now()
    assert (after.state, after.moves, after.line[-1]) == (state, before.moves, entry.number)
    assert totals(game, after.state) == totals(game, state)
    host.referee.play(host.id, host.key, host.tries[-3:], version=after.version)
    assert host.now().state == host.later
    assert Referee(ledger).table(host.id, host.key)[0].state == host.later
    host.referee.rewind(host.id, host.key, before.version, version=host.now().version)
    assert (host.now().state, host.now().line) == (before.state, before.line)
    host.referee.rewind(host.id, host.key, entry.number, version=host.now().version)
    assert host.now().state == state
    log = list(enumerate([codec.encode(each) for each in host.now().entries], start=1))
    assert fold(host.id, log, before.lifetime).state == state


def test_a_position_tells_how_play_can_have_led_there(host: Host) -> None:
    """The missing moves are its way, in an order that the rules allow; the entry keeps them."""
    (entry,) = host.enter(host.game.position(host.later)).entries
    assert isinstance(entry, Checkpoint)
    assert (entry.led, sorted(entry.way), entry.why) == ("possible", sorted(ON), ())
    assert codec.decode(entry.number, codec.encode(entry)) == entry


def test_what_the_log_gives_already_is_no_entry(host: Host) -> None:
    """Nor is a key used up by it; and a key that was used is answered as then, and not twice."""
    here, there = host.game.position(host.now().state), host.game.position(host.later)
    version = host.now().version
    assert host.enter(here, name="one").entries == ()
    assert host.enter(there, name="one").version == version + 1
    assert host.enter(there, version=version, name="one").replayed
    assert host.now().version == version + 1
    with pytest.raises(KeyReused):
        host.enter(here, name="one")
    with pytest.raises(Stale):
        host.enter(here, version=version)


def test_only_the_host_enters_a_position_and_takes_it_back(host: Host) -> None:
    """Neither a seat nor who watches."""
    there = host.game.position(host.later)
    for key in (*host.opened.keys.seats.values(), host.opened.keys.watch):
        with pytest.raises(Forbidden):
            host.enter(there, key)
    before = host.now().version
    host.enter(there)
    with pytest.raises(Forbidden):
        host.referee.rewind(host.id, host.opened.keys.seats["black"], before, version=before + 1)


def test_a_position_with_problems_is_refused_with_all_of_them(host: Host) -> None:
    """Eleven cubes, and half a brick: nothing is written."""
    cube, version = {"piece": "cube", "colour": "white"}, host.now().version
    cells: Any = {f"{column}{row}": [cube] for column in "bcdefg" for row in (2, 3)}
    cells["h1"] = [{"piece": "brick", "colour": "white", "second": "g1"}]
    position = wire.load(wire.of(host.game).position, {"cells": cells})
    with pytest.raises(Impossible) as refused:
        host.enter(position)
    assert {each.rule for each in refused.value.problems} == {"VF-5", "VF-6"}
    assert host.referee.compared(host.id, host.key, position).told is None
    assert host.now().version == version


def test_readings_that_were_changed_stay(host: Host) -> None:
    """A position says nothing of the readings: those in force by then go on."""
    host.referee.read_otherwise(host.id, host.key, {"stuck": "turn_is_cut"}, version=host.now().version)
    host.enter(host.game.position(host.later))
    assert host.now().state.readings["stuck"] == "turn_is_cut"


@pytest.mark.parametrize("position", [{"cells": 1}, {"of_tomorrow": []}, {"cells": {"z1": []}}, []], ids=str)
def test_a_position_of_another_release_says_so(position: Any, host: Host) -> None:
    """Never is a log folded without it."""
    table = host.now()
    entry = Checkpoint(table.version + 1, table.opened_at, "host", position)
    with pytest.raises(Unreadable):
        extend(table, [(entry.number, codec.encode(entry))])


def test_a_worker_that_does_not_know_it_refuses(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says so clearly, and folds no move after it."""
    table = host.now()
    (entry,) = host.enter(host.game.position(host.later)).entries
    monkeypatch.setattr(codec, "READERS", {name: it for name, it in codec.READERS.items() if name != "checkpoint"})
    with pytest.raises(Unreadable, match="'checkpoint'"):
        extend(table, [(entry.number, codec.encode(entry))])


def answer(response: TestResponse) -> Any:
    """What an answer says."""
    return response.json


def test_a_position_by_the_api(api: Api) -> None:
    """It is compared first, entered with the version that it is meant for, and told in the log, in both languages."""
    table = api.open()
    path = f"{table.path}/position"
    bricks = {"b1": "c1", "c1": "b1"}
    cells = {at: [{"piece": "brick", "colour": "black", "second": second}] for at, second in bricks.items()}
    body: Any = {"position": {"cells": cells, "due": "white"}}
    asked = answer(api.send("PUT", path, body | {"dry_run": True}, key=table.host))
    assert (asked["entries"], asked["told"]["led"], asked["told"]["way"]) == ([], "possible", ["r b1c1"])
    assert [(each["what"], each["cells"], each["by"]) for each in asked["told"]["changes"]] == [
        ("added", ["b1", "c1"], "black")
    ]
    version = asked["version"]
    assert api.send("PUT", path, body, key=table.host).status_code == 428
    assert api.send("PUT", path, body, key=table.watch, version=version).status_code == 403
    done = answer(api.send("PUT", path, body, key=table.host, version=version))
    assert done["told"] == asked["told"]
    (entry,) = answer(api.get(f"{table.path}/log?after={version}", key=table.watch))["entries"]
    assert (entry["type"], entry["position"]["cells"], entry["way"]) == ("checkpoint", cells, ["r b1c1"])
    assert {name: entry[name] for name in done["told"]} == done["told"]
    again = answer(api.send("PUT", path, body, key=table.host, version=done["version"]))
    assert (again["entries"], again["told"]["led"], again["told"]["changes"]) == ([], "possible", [])
    less = answer(api.send("PUT", path, {"position": {}}, key=table.host, version=done["version"]))
    assert less["told"]["led"] == "impossible"
    assert [each["rule"] for each in less["told"]["why"]] == ["VF-6"]


def test_what_is_amended_before_it_changes_nothing_after_it(host: Host) -> None:
    """A position is what lies there, whatever was entered before: it is made again as it was."""
    host.enter(host.game.position(host.later))
    table = host.now()
    host.referee.amend(host.id, host.key, LogChange(DELETE, 2), version=table.version)
    after = host.now()
    assert after.line != table.line
    again = after.in_line(after.line[-1])
    assert isinstance(again, Checkpoint)
    assert (after.state, again.led, again.way) == (host.later, "undecided", ())
