"""Moves are numbered from 1, apart from the entries of the log: undo and amendments do not change a move's number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from service.storage.ledger import Ledger
from service.tables.entries import Played
from tests.support.api import Api
from tests.support.tables import recorded_table

FIRST = ("r b9c9", "r g1h1", "h e3")


@pytest.fixture
def api(app: Flask) -> Api:
    return Api(app)


def beside(answer: Any) -> Iterator[tuple[int, int | None]]:
    """Each entry named in a response, with its move's number."""
    if isinstance(answer, dict):
        if "move_number" in answer:
            yield answer["entry" if "entry" in answer else "version"], answer["move_number"]
        for value in answer.values():
            yield from beside(value)
    if isinstance(answer, list):
        for value in answer:
            yield from beside(value)


def test_a_move_keeps_its_number(api: Api) -> None:
    """A move that replaces an undone one gets its number; readings have none."""
    table = api.open(FIRST)
    api.post(f"{table.path}/rewind", {"to": 3}, key=table.host, version=4)
    readings = {"readings": {"stuck": "turn_is_cut"}}
    assert api.send("PUT", f"{table.path}/readings", readings, key=table.host, version=5).status_code == 200
    played: Any = api.post(f"{table.path}/moves", {"move": "h d4"}, key=table.host, version=6).json
    assert [(each["version"], each["move_number"]) for each in played["entries"]] == [(7, 3)]
    log: Any = api.get(f"{table.path}/log", key=table.watch).json
    numbers = {each["version"]: each.get("move_number", "none") for each in log["entries"]}
    assert numbers == {1: "none", 2: 1, 3: 2, 4: 3, 5: "none", 6: "none", 7: 3}
    seen: Any = api.get(table.path, key=table.watch).json
    assert [each["move_number"] for each in seen["moves"]] == [1, 2, 3]
    assert seen["move_count"] == 3


def test_disputes_and_amendments_name_it_beside_the_entry(api: Api) -> None:
    """The move's number is beside the entry of a dispute and of a move that no longer fits; null for other entries."""
    table = api.open(("r b9c9", "r g1h1", "h e3"))
    about = {"about": {"entry": 3}, "question": "Was that so?"}
    api.post(f"{table.path}/disputes", about, key=table.host, version=4)
    log: Any = api.get(f"{table.path}/log", key=table.watch).json
    assert list(beside(log["entries"][-1])) == [(3, 2)]
    dispute: Any = api.get(f"{table.path}/disputes/1", key=table.watch).json
    assert (dispute["about"]["entry"], dispute["about"]["move_number"]) == (3, 2)
    opening = {"about": {"entry": 1}, "question": "And that?"}
    made: Any = api.post(f"{table.path}/disputes", opening, key=table.host, version=5).json
    assert (made["about"]["entry"], made["about"]["move_number"]) == (1, None)
    change = {"replace": {"entry": 2, "move": "r g1h1"}, "misfits": "leave_out"}
    preview: Any = api.post(f"{table.path}/amend", change | {"dry_run": True}, key=table.host, version=6).json
    assert list(beside(preview["amendment"]["breaks"])) == [(3, 2)]


@pytest.mark.parametrize("name", ["villefranche/stood_and_cut", "fief/three_alone"])
def test_numbers_count_the_moves_in_play(name: str, ledger: Ledger) -> None:
    """Moves in play are numbered from 1 without gaps."""
    table = recorded_table(ledger, name).table
    assert [table.move_number(number) for number in table.moves] == list(range(1, len(table.moves) + 1))
    assert all(isinstance(table.entries[number - 1], Played) for number in table.moves)
    assert [table.move_number(odd) for odd in (None, 0, 1, table.version + 1)] == [None] * 4
