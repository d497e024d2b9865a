"""Entering the current position: one entry, compared with the log's position, undone like a move."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

import rules
from rules import GAMES
from rules.changes import Reachability
from rules.ranking import totals
from service import schemas
from service.errors import Forbidden, Impossible, Invalid, KeyReused, Stale
from service.judgements import AttemptedMove
from service.referee import enter_position
from service.referee.fold import extend, fold
from service.referee.repository import ChangeRequest, WriteOutcome
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from service.tables import codec
from service.tables.apply_entry import setup_with_readings
from service.tables.entries import DELETE, Checkpoint, LogChange, Unreadable
from service.tables.table import Table
from tests.rules.play import AnyGame, setups
from tests.support.api import V1, Api
from tests.support.records import RECORD_PATHS, record_of
from tests.support.tables import tries_of

GAME = rules.GAMES["villefranche"]
MOVES = ("r b1c1", "r b9c9", "h c4")
ON = ("r d1e1", "t a1")
"""Black's next moves."""


class Host:
    """The host's view of a table: the first moves of a game, and its state after some more."""

    def __init__(self, ledger: Ledger, path: Path | None = None, *, left: int = 2) -> None:
        record: Any = {"game": GAME.id, "setup": {}, "moves": [*MOVES, *ON]}
        record = record if path is None else record_of(path)
        self.game = rules.GAMES[record["game"]]
        self.tries = tries_of(record)
        self.referee = Referee(ledger)
        setup = schemas.load(schemas.of(self.game).setup, record["setup"])
        self.new_table = self.referee.open(self.game.id, setup, self.tries[:-left])
        self.id, self.key = self.new_table.table.id, self.new_table.keys.host
        state = self.now().state
        for each in self.tries[-left:]:
            state = self.game.apply(state, each.move)
        self.later = state

    def now(self) -> Table:
        return self.referee.table(self.id, self.key)[0]

    def enter(
        self, position: Any, key: str | None = None, version: int | None = None, name: str | None = None
    ) -> WriteOutcome:
        on = version or self.now().version
        return self.referee.enter_position(ChangeRequest(self.id, key or self.key, on, name), position)


@pytest.fixture
def host(ledger: Ledger) -> Host:
    return Host(ledger)


@pytest.mark.parametrize("was", ["asker_moves", "turn_over"])
def test_what_another_reading_brought_about_is_no_problem(was: str, ledger: Ledger) -> None:
    """An objection left the asker the turn; then the table reads that it ends it. The host enters the same position and
    the one with another column locked. Where it never was so, such a position is impossible.
    """
    game, referee = rules.GAMES["villa_paletti"], Referee(ledger)
    players = [{"colours": [colour]} for colour in ("red", "blue", "yellow", "green")]
    form = schemas.load(schemas.of(game).setup, {"players": players, "readings": {"after_objection": was}})
    opened = referee.open(game.id, form, [AttemptedMove(game.read("floor ! green red big 0 ok"))])

    def change(version: int) -> ChangeRequest:
        return ChangeRequest(opened.table.id, opened.keys.host, version)

    referee.set_readings(change(2), {"after_objection": "turn_over"})
    table = referee.table(opened.table.id, opened.keys.host)[0]
    here = replace(game.position(table.state), asked=True, due="red")
    column, *others = here.columns
    other = replace(here, columns=(replace(column, locked=1), *others))
    if was == "turn_over":
        for position in (here, other):
            with pytest.raises(Impossible):
                referee.enter_position(change(table.version), position)
        return
    assert referee.enter_position(change(table.version), here).entries == ()
    done = referee.enter_position(change(table.version), other)
    assert done.table.state == referee.table(opened.table.id, opened.keys.host)[0].state != table.state
    assert fold(table.id, ledger.read(table.id), table.lifetime) == done.table


@pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_game_goes_on_from_a_position_and_back_by_undo(path: Path, ledger: Ledger) -> None:
    """In every recorded game, play, score and rulings continue from an entered position. Undo and redo lead back and
    forth, and another worker agrees.
    """
    host = Host(ledger, path, left=4)
    game, before = host.game, host.now()
    state = game.apply(before.state, host.tries[-4].move)
    done = host.enter(game.position(state))
    (entry,) = done.entries
    assert isinstance(entry, Checkpoint)
    assert entry.led != Reachability.IMPOSSIBLE.value or any(each.stands for each in host.tries)
    after = host.now()
    assert (after.state, after.moves, after.line[-1]) == (state, before.moves, entry.number)
    assert totals(game, after.state) == totals(game, state)
    host.referee.play(ChangeRequest(host.id, host.key, after.version), host.tries[-3:])
    assert host.now().state == host.later
    assert Referee(ledger).table(host.id, host.key)[0].state == host.later
    host.referee.rewind(ChangeRequest(host.id, host.key, host.now().version), before.version)
    assert (host.now().state, host.now().line) == (before.state, before.line)
    host.referee.rewind(ChangeRequest(host.id, host.key, host.now().version), entry.number)
    assert host.now().state == state
    log = list(enumerate([codec.encode(each) for each in host.now().entries], start=1))
    assert fold(host.id, log, before.lifetime).state == state


def test_a_position_tells_how_play_can_have_led_there(host: Host) -> None:
    """The entry stores the missing moves that lead to the position, if the rules allow them."""
    (entry,) = host.enter(host.game.position(host.later)).entries
    assert isinstance(entry, Checkpoint)
    assert (entry.led, sorted(entry.way), entry.why) == ("possible", sorted(ON), ())
    assert codec.decode(entry.number, codec.encode(entry)) == entry


def test_what_the_log_gives_already_is_no_entry(host: Host) -> None:
    """A position that is the current one writes no entry and uses up no key. A used key gets its first response."""
    here, there = host.game.position(host.now().state), host.game.position(host.later)
    version = host.now().version
    assert host.enter(here, name="one").entries == ()
    assert host.enter(there, name="one").version == version + 1
    assert host.enter(there, version=version, name="one").is_replay
    assert host.now().version == version + 1
    with pytest.raises(KeyReused):
        host.enter(here, name="one")
    with pytest.raises(Stale):
        host.enter(here, version=version)


def test_only_the_host_enters_a_position_and_takes_it_back(host: Host) -> None:
    """Neither a seat nor a watcher can enter a position, and a seat cannot undo one."""
    there = host.game.position(host.later)
    for key in (*host.new_table.keys.seats.values(), host.new_table.keys.watch):
        with pytest.raises(Forbidden):
            host.enter(there, key)
    before = host.now().version
    host.enter(there)
    with pytest.raises(Forbidden):
        host.referee.rewind(ChangeRequest(host.id, host.new_table.keys.seats["black"], before + 1), before)


def test_a_position_with_problems_is_refused_with_all_of_them(host: Host) -> None:
    """An impossible position is refused with all its problems, and nothing is written."""
    cube, version = {"piece": "cube", "colour": "white"}, host.now().version
    cells: Any = {f"{column}{row}": [cube] for column in "bcdefg" for row in (2, 3)}
    cells["h1"] = [{"piece": "brick", "colour": "white", "second": "g1"}]
    position = schemas.load(schemas.of(host.game).position, {"cells": cells})
    with pytest.raises(Impossible) as refused:
        host.enter(position)
    assert {each.rule for each in refused.value.problems} == {"VF-5", "VF-6"}
    assert host.referee.preview_position(ChangeRequest(host.id, host.key, version), position).comparison is None
    assert host.now().version == version


def test_readings_that_were_changed_stay(host: Host) -> None:
    """Changed readings stay in force after a position is entered."""
    host.referee.set_readings(ChangeRequest(host.id, host.key, host.now().version), {"stuck": "turn_is_cut"})
    host.enter(host.game.position(host.later))
    assert host.now().state.readings["stuck"] == "turn_is_cut"


@pytest.mark.parametrize("position", [{"cells": 1}, {"of_tomorrow": []}, {"cells": {"z1": []}}, []], ids=str)
def test_a_position_of_another_release_says_so(position: Any, host: Host) -> None:
    """A position in a form unknown to this release makes the log unreadable."""
    table = host.now()
    entry = Checkpoint(table.version + 1, table.opened_at, "host", position)
    with pytest.raises(Unreadable):
        extend(table, [(entry.number, codec.encode(entry))])


def test_a_worker_that_does_not_know_it_refuses(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that does not know entered positions refuses the log."""
    table = host.now()
    (entry,) = host.enter(host.game.position(host.later)).entries
    monkeypatch.setattr(codec, "READERS", {name: it for name, it in codec.READERS.items() if name != "checkpoint"})
    with pytest.raises(Unreadable, match="'checkpoint'"):
        extend(table, [(entry.number, codec.encode(entry))])


def answer(response: TestResponse) -> Any:
    """The JSON of a response."""
    return response.json


def test_a_position_by_the_api(api: Api) -> None:
    """The API compares a position first, then enters it at its version, and the log has the comparison."""
    table = api.open()
    path = f"{table.path}/position"
    bricks = {"b1": "c1", "c1": "b1"}
    cells = {at: [{"piece": "brick", "colour": "black", "second": second}] for at, second in bricks.items()}
    body: Any = {"position": {"cells": cells, "due": "white"}}
    assert api.send("PUT", path, body | {"dry_run": True}, key=table.host).status_code == 428
    assert api.send("PUT", path, body | {"dry_run": True}, key=table.host, version=9).status_code == 412
    asked = answer(api.send("PUT", path, body | {"dry_run": True}, key=table.host, version=1))
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
    bare = {"position": {"cells": {}, "due": "black"}}
    less = answer(api.send("PUT", path, bare, key=table.host, version=done["version"]))
    assert less["told"]["led"] == "impossible"
    assert [each["rule"] for each in less["told"]["why"]] == ["VF-6"]


ON_TABLE = {
    "architekton": {"landscapes", "buildings", "chips"},
    "fief": {"control", "castles", "cities", "lords", "armies", "sieges", "estates"},
    "robber_knights": {"tiles"},
    "villa_paletti": {"columns", "out"},
    "villefranche": {"cells"},
}
"""The members of a position that each game keeps on the table."""


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_pieces_are_named_or_the_table_stays_as_it_is(game: Any, api: Api) -> None:
    """At a table, a position must name every kind of piece, even if there are none: otherwise the error points at those
    missing, and nothing changes. The control: a complete position is entered. Without a table, parts are enough.
    """
    setup = json.loads(json.dumps(schemas.plain(setups(game.id)[-1])))
    opened = answer(api.post(f"{V1}/tables", {"game": game.id, "setup": setup}))
    path, on = f"{V1}/tables/{opened['id']}", {"key": opened["keys"]["host"], "version": opened["version"]}
    whole = opened["position"]
    assert whole.keys() >= ON_TABLE[game.id]
    parts = [{}, *({name: whole[name] for name in whole if name != left} for left in sorted(ON_TABLE[game.id]))]
    for part in parts:
        for dry_run in (False, True):
            refused = api.send("PUT", f"{path}/position", {"position": part, "dry_run": dry_run}, **on)
            missing = {f"/position/{name}" for name in ON_TABLE[game.id] - part.keys()}
            assert refused.status_code == 422 and answer(refused)["type"] == "/problems/missing-field"
            assert {each["pointer"] for each in answer(refused)["errors"]} == missing
    now = answer(api.get(path, key=on["key"]))
    assert (now["version"], now["position"]) == (opened["version"], whole)
    assert api.send("PUT", f"{path}/position", {"position": whole}, **on).status_code == 200
    nothing = {name: type(whole[name])() for name in ON_TABLE[game.id]}
    bare = {"position": whole | nothing, "dry_run": True}
    assert api.send("PUT", f"{path}/position", bare, **on).status_code == 200
    where = f"{V1}/games/{game.id}/positions"
    assert api.post(where, {"setup": setup, "position": {}}).status_code == 200


def telling_states(path: Path) -> Iterator[tuple[AnyGame, Any, Any]]:
    """A game, its setup with current readings, and a state: for each state of a recorded game whose position has a new
    set of telling members, and for the last.
    """
    record = record_of(path)
    game = GAMES[record["game"]]
    setup, silent = schemas.load(schemas.of(game).setup, record["setup"]), schemas.plain(game.position_form())
    tries = tries_of(record)
    state, seen = game.setup(setup), set[frozenset[str]]()
    for number in range(len(tries) + 1):
        state = game.apply(state, tries[number - 1].move) if number else state
        position = schemas.plain(game.position(state))
        tells = frozenset(name for name in position if position[name] != silent.get(name))
        if tells not in seen or number == len(tries):
            yield game, setup_with_readings(setup, state), state
        seen.add(tells)


@pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_member_of_a_position_is_lost_without_a_word(path: Path, ledger: Ledger) -> None:
    """A position without one member is refused with its pointer, has problems, or gives the same state: nothing is lost
    silently. The control: the whole position.
    """
    table, refused = Host(ledger, path).now(), 0
    for game, setup, state in telling_states(path):
        there = replace(table, setup=setup, history=replace(table.history, state=state))
        whole, silent = schemas.plain(game.position(state)), schemas.plain(game.position_form())
        assert enter_position.compare_position(there, game.position(state), names=whole).state == state
        for left in [name for name in whole if whole[name] != silent.get(name)]:
            part = {name: whole[name] for name in whole if name != left}
            try:
                position = schemas.load(schemas.of(game).on_table, part)
                found = enter_position.compare_position(there, position, names=part)
                assert found.problems or found.state == state, left
            except Invalid as error:
                pointers = {pointer.removeprefix("/position") for pointer, _ in error.field_errors}
                assert pointers == {f"/{left}"}
                refused += 1
    assert refused > 1


def test_armies_sieges_and_estates_do_not_vanish(api: Api) -> None:
    """Armies, sieges, estates and the dead that a position leaves out are reported; an empty list removes them."""
    record = record_of("fief/four_as_a_pair")
    body = {"game": "fief", "setup": record["setup"], "moves": record["moves"][:35]}
    opened = answer(api.post(f"{V1}/tables", body))
    path, on = f"{V1}/tables/{opened['id']}", {"key": opened["keys"]["host"], "version": opened["version"]}
    whole = opened["position"]
    assert whole["armies"]
    for left in ("armies", "sieges", "estates", "dead"):
        part = {"position": {name: whole[name] for name in whole if name != left}}
        refused = api.send("PUT", f"{path}/position", part, **on)
        assert refused.status_code == 422, left
        assert [each["pointer"] for each in answer(refused)["errors"]] == [f"/position/{left}"]
    now = answer(api.get(path, key=on["key"]))
    assert (now["version"], now["position"]) == (opened["version"], whole)
    gone = api.send("PUT", f"{path}/position", {"position": whole | {"armies": []}}, **on)
    assert gone.status_code == 200
    assert answer(api.get(path, key=on["key"]))["position"]["armies"] == []


def test_what_was_entered_is_answered_again_whatever_the_table_has_by_then(api: Api) -> None:
    """A repeated request gets its first response, even if its position would now lack a member."""
    table = api.open()
    path, body = f"{table.path}/position", {"position": {"cells": {}, "due": "white"}}
    first = api.send("PUT", path, body, key=table.host, version=1, idempotency_key="one")
    assert first.status_code == 200
    later = {"position": {"cells": {}, "due": "white", "placement": 2}}
    assert api.send("PUT", path, later, key=table.host, version=2).status_code == 200
    assert api.send("PUT", path, body, key=table.host, version=1, idempotency_key="one").status_code == 200
    lost = api.send("PUT", path, body, key=table.host, version=3)
    assert (lost.status_code, answer(lost)["errors"][0]["pointer"]) == (422, "/position/placement")


def test_what_is_amended_before_it_changes_nothing_after_it(host: Host) -> None:
    """Amending an earlier move leaves an entered position as it is."""
    host.enter(host.game.position(host.later))
    table = host.now()
    host.referee.amend(ChangeRequest(host.id, host.key, table.version), LogChange(DELETE, 2))
    after = host.now()
    assert after.line != table.line
    again = after.line_entry(after.line[-1])
    assert isinstance(again, Checkpoint)
    assert (after.state, again.led, again.way) == (host.later, "undecided", ())
