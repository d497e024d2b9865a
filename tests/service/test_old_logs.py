"""Logs that earlier releases wrote: a table that was opened then goes on as it began.

``logs/<game>-<rules version>.json`` has the entries as they were stored, who was due after each, and the position at
some of the versions, as that release told them; a third part of the name says what else a log is about.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules import GAMES
from service import fold, wire
from service.entries import Unreadable

LOGS = sorted(Path(__file__).with_name("logs").glob("*.json"))
every_log = pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)


def folded(log: list[Any]) -> Any:
    """The table that a log makes."""
    return fold.fold("A" * 22, list(enumerate(map(orjson.dumps, log), start=1)), timedelta(days=1))


def same(now: Any, then: Any) -> bool:
    """Whether what was written then is all there still; what came later beside it does not matter."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(key in now and same(now[key], value) for key, value in then.items())
    if isinstance(then, list):
        return isinstance(now, list) and len(now) == len(then) and all(map(same, now, then))
    return bool(now == then)


@every_log
def test_an_old_log_makes_the_same_states(path: Path) -> None:
    """At every version the same player is due, and the position is the one that the release told."""
    written = json.loads(path.read_text(encoding="utf-8"))
    table = folded(written["log"])
    assert [table.game.due(state).seat for state in table.states] == written["due"]
    for version, position in written["positions"].items():
        now = wire.plain(table.game.position(table.states[int(version) - 1]))
        assert same(now, position), version


def test_a_name_of_which_nothing_is_seen_was_let_through_once() -> None:
    """A table that has one in its log opens, and calls that player by the colour."""
    log = json.loads(LOGS[0].read_text(encoding="utf-8"))["log"]
    log[0]["setup"]["players"][0]["name"] = "\u2800\u200b"
    assert folded(log).setup.players[0].name is None


@every_log
def test_a_reading_that_came_later_is_what_was_followed_before(path: Path) -> None:
    """A table keeps the readings that it was opened with; one that there was not has the value of the rules of then."""
    written = json.loads(path.read_text(encoding="utf-8"))
    table = folded(written["log"])
    kept = written["log"][0]["setup"]["readings"]
    for reading in table.game.readings:
        assert table.state.readings[reading.key] == kept.get(reading.key, reading.before or reading.default)


def test_every_game_has_a_log_of_the_last_release() -> None:
    """No game is forgotten."""
    assert {path.stem.partition("-")[0] for path in LOGS} == set(GAMES)


def test_a_setup_of_the_log_is_filled_up_with_what_was_followed_before() -> None:
    """The control: a reading that is added takes its `before` in old tables and its default in new ones."""
    opened = json.loads(LOGS[0].read_text(encoding="utf-8"))["log"][0]
    game = GAMES[opened["game"]]
    first, *others = game.readings
    added = replace(game, readings=(replace(first, before=first.values[-1]), *others))
    silent = opened["setup"] | {"readings": {other.key: other.default for other in others}}
    assert wire.stored_setup(added, silent).readings[first.key] == first.values[-1] != first.default
    assert wire.stored_setup(added, opened["setup"]) == wire.stored_setup(game, opened["setup"])


def test_an_army_of_an_old_table_attacks_as_it_did_then() -> None:
    """Then a dead lord's army attacked with the strength of all lay titles: d'Arc's 5 won. Now the barony's 2 count.

    The same moves under the rules of today are the control: there the attack is lost.
    """
    path = Path(__file__).with_name("logs") / "fief-1-armies.json"
    log = json.loads(path.read_text(encoding="utf-8"))["log"]
    (attack,) = (entry for entry in log if entry.get("move", "").startswith("attack"))
    number = log.index(attack) + 1
    then, now = folded(log), folded([log[0] | {"rules_version": "2"}, *log[1:]])
    assert "Arthur" in then.states[number - 1].lords and "Henri" not in then.states[number - 1].lords
    assert "Henri" in now.states[number - 1].lords and "Arthur" not in now.states[number - 1].lords
    move = then.game.read(attack["move"])
    assert then.game.check(then.states[number - 2], move).legal
    assert then.game.check(now.states[number - 2], move).broken == ("FI-73",)


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
    """A set-up or a move that this release does not know is an error of its own, never a guess."""
    log = json.loads(LOGS[0].read_text(encoding="utf-8"))["log"]
    if "setup" in change:
        change = {"setup": log[0]["setup"] | change["setup"]}
    log[entry] |= change
    with pytest.raises(Unreadable):
        folded(log)
