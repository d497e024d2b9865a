"""Full tables: seats reach their limits first, and the host can still undo and settle in a full log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from service.referee import plans
from service.referee.plans import MAX_BYTES, MAX_ENTRIES, MAX_NOTES
from service.referee.roll_dice import MAX_ROLLS
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from service.tables.codec import encode
from service.tables.entries import Disputed, Played, Rewound
from tests.rules.play import EVERY_GAME
from tests.support.api import V1, Api, OpenTable
from tests.support.long_tables import ON, long_log, long_table
from tests.support.tables import recorded_table

AT = datetime(2026, 11, 22, tzinfo=UTC)
RESERVE = MAX_ENTRIES // 10
FULL = (409, "/problems/table-full")
MOVE = "r b1c1"
TWO = {"for": "dice", "dice": 2}


def kind(answer: Any) -> tuple[int, str]:
    """The status and the problem type of a response."""
    return answer.status_code, answer.json.get("type", "")


def fill_log(ledger: Ledger, table: OpenTable, payloads: Sequence[bytes], version: int) -> int:
    """Append entries to the log, past the service's checks; returns the last version."""
    return ledger.append(table.id, version, f"{version}", payloads, "").last


def disputes(number: int, by: str = "white") -> list[bytes]:
    """This many disputes: entries that change nothing on the table."""
    return [encode(Disputed(0, AT, by, None, "r d9e9", "?", rules_version="2"))] * number


# --- dice --------------------------------------------------------------------------------------------------------


def test_a_seat_rolls_so_often_until_something_else_lies_there(api: Api) -> None:
    """After 6 rolls a seat gets an error until a move is played; the other seat and the host may still roll."""
    table = api.open()
    there, white, black = f"{table.path}/rolls", table.seats["white"], table.seats["black"]
    version = 1
    for _ in range(MAX_ROLLS):
        assert api.post(there, TWO, key=white, version=version).status_code == 201
        version += 1
    for spoken, said in (("en", "you have rolled 6 times"), ("fr", "vous avez lancé 6 fois")):
        refused: Any = api.post(there, TWO, key=white, version=version, headers={"Accept-Language": spoken})
        assert kind(refused) == (422, "/problems/wrong-value")
        assert [each["pointer"] for each in refused.json["errors"]] == ["/for"]
        assert said in refused.json["detail"]
    assert len(api.log(table)["entries"]) == version
    for key in (black, table.host, table.host):
        assert api.post(there, TWO, key=key, version=version).status_code == 201
        version += 1
    assert api.play(table, MOVE, version=version).status_code == 201
    assert api.post(there, TWO, key=white, version=version + 1).status_code == 201
    assert api.post(f"{table.path}/rewind", {"to": 1}, key=table.host, version=version + 2).status_code == 201
    assert api.post(there, TWO, key=white, version=version + 3).status_code == 422


def test_no_dice_are_due_when_the_game_has_ended(ledger: Ledger, api: Api) -> None:
    """Once the game has ended, neither the host nor a seat can roll."""
    opened = recorded_table(ledger, "villefranche/five_buildings")
    assert opened.table.due.ended is not None
    there, version = f"{V1}/tables/{opened.table.id}/rolls", opened.table.version
    for key in (opened.keys.host, opened.keys.seats["white"]):
        refused: Any = api.post(there, TWO, key=key, version=version)
        assert (kind(refused), refused.json["errors"][0]["pointer"]) == ((422, "/problems/wrong-value"), "/for")
    log: Any = api.get(f"{V1}/tables/{opened.table.id}/log?after={version}", key=opened.keys.host).json
    assert log["entries"] == []


def test_a_camp_rolls_once_for_a_move(ledger: Ledger, api: Api) -> None:
    """A camp rolls once for an attack, so it cannot choose a sum. The move is then played with both camps' sums."""
    opened = recorded_table(ledger, "fief/five_and_much_stood", 270)
    there, version, key = f"{V1}/tables/{opened.table.id}", opened.table.version, opened.keys.host
    body = {"for": "battle", "move": "attack St André Blue>White 0:0", "camp": "attack"}
    sums = []
    for camp in ("attack", "defence"):
        rolled: Any = api.post(f"{there}/rolls", body | {"camp": camp}, key=key, version=version)
        assert rolled.status_code == 201
        sums.append(rolled.json["entries"][0]["throws"][0]["sum"])
        version += 1
        again: Any = api.post(f"{there}/rolls", body | {"camp": camp}, key=key, version=version)
        assert (again.status_code, again.json["errors"][0]["pointer"]) == (422, "/camp")
    move = body["move"].replace("0:0", f"{sums[0]}:{sums[1]}")
    assert api.post(f"{there}/moves", {"move": move}, key=key, version=version).status_code == 201


def test_a_seat_rolls_for_no_other_attack_of_the_camp(ledger: Ledger, api: Api) -> None:
    """A seat that rolled for an attack cannot roll again for another list of camps. The control: the host can."""
    opened = recorded_table(ledger, "fief/five_and_much_stood", 83)
    there, version, blue = f"{V1}/tables/{opened.table.id}/rolls", opened.table.version, opened.keys.seats["blue"]
    body = {"for": "battle", "move": "attack St Médard Blue,Green>Black 0:0", "camp": "attack"}
    others = [body | {"move": f"attack St Médard {camps} 0:0"} for camps in ("Green,Blue>Black", "Blue>Black")]
    assert api.post(there, body, key=blue, version=version).status_code == 201
    for spoken, said in (("en", "rolled for another move"), ("fr", "lancé pour un autre coup")):
        for each in others:
            refused: Any = api.post(there, each, key=blue, version=version + 1, headers={"Accept-Language": spoken})
            assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, "/camp")
            assert said in refused.json["detail"]
    assert api.post(there, body | {"camp": "defence"}, key=blue, version=version + 1).status_code == 201
    assert api.post(there, others[1], key=opened.keys.host, version=version + 2).status_code == 201


# --- confirmations -----------------------------------------------------------------------------------------------


def test_who_confirms_the_same_again_writes_nothing(api: Api) -> None:
    """A seat that repeats its confirmation gets 201 without an entry; confirming another remedy writes one."""
    table = api.open([MOVE])
    white = table.seats["white"]
    about = {"about": {"entry": 2}, "question": "May Black?"}
    assert api.post(f"{table.path}/disputes", about, key=white, version=2).status_code == 201
    confirm, amend = f"{table.path}/disputes/1/confirmation", f"{table.path}/amend"
    change = {"delete": {"entry": 2}}
    for version, path, body in (
        (3, confirm, {"remedy": "stands"}),
        (4, amend, change),
        (5, confirm, {"remedy": "go_back"}),
    ):
        first: Any = api.post(path, body, key=white, version=version)
        assert (first.status_code, len(first.json["entries"]), first.json["version"]) == (201, 1, version + 1)
        for _ in range(3):
            again: Any = api.post(path, body, key=white, version=version + 1)
            assert (again.status_code, again.json["entries"], again.json["version"]) == (201, [], version + 1)
    assert len(api.log(table)["entries"]) == 6
    settled: Any = api.post(confirm, {"remedy": "go_back"}, key=table.seats["black"], version=6)
    assert [each["type"] for each in settled.json["entries"]] == ["confirmed", "settled", "rewound"]


def test_what_was_confirmed_before_other_moves_is_confirmed_anew(api: Api) -> None:
    """Control: after a new move, the same confirmation is an entry again."""
    table = api.open([MOVE])
    white = table.seats["white"]
    api.post(f"{table.path}/disputes", {"about": {"entry": 2}, "question": "?"}, key=white, version=2)
    confirm = f"{table.path}/disputes/1/confirmation"
    assert api.post(confirm, {"remedy": "stands"}, key=white, version=3).status_code == 201
    assert api.play(table, "r b9c9", version=4).status_code == 201
    again: Any = api.post(confirm, {"remedy": "stands"}, key=white, version=5)
    assert [each["type"] for each in again.json["entries"]] == ["confirmed"]


# --- room --------------------------------------------------------------------------------------------------------


def test_a_seat_makes_so_many_entries_that_are_no_moves(api: Api, ledger: Ledger) -> None:
    """A seat with the maximum of entries that are not moves gets an error for the next one, in its language. It can
    still play moves, and the other seats and the host are not affected.
    """
    table = api.open()
    white, black = table.seats["white"], table.seats["black"]
    version = fill_log(ledger, table, disputes(MAX_NOTES - 1), 1)
    assert api.post(f"{table.path}/rolls", TWO, key=white, version=version).status_code == 201
    for spoken, said in (
        ("en", "1000 entries that are no moves"),
        ("fr", "1000 entrées qui ne sont pas des coups"),
    ):
        refused: Any = api.post(
            f"{table.path}/rolls", TWO, key=white, version=version + 1, headers={"Accept-Language": spoken}
        )
        assert kind(refused) == FULL
        assert said in refused.json["detail"], refused.json["detail"]
    assert api.post(f"{table.path}/rolls", TWO, key=black, version=version + 1).status_code == 201
    assert api.post(f"{table.path}/rolls", TWO, key=table.host, version=version + 2).status_code == 201
    assert api.play(table, MOVE, version=version + 3).status_code == 201
    assert api.play(table, "r b9c9", version=version + 4, key=white).status_code == 201
    undo = api.post(f"{table.path}/rewind", {"to": version + 4}, key=white, version=version + 5)
    assert kind(undo) == FULL


def test_how_many_there_are_is_carried_along_and_told_from_the_log(api: Api, ledger: Ledger) -> None:
    """A worker that reads the log gets the same counts of entries other than moves, per seat and for the host."""
    table = api.open([MOVE])
    api.post(f"{table.path}/rolls", TWO, key=table.seats["white"], version=2)
    api.post(f"{table.path}/rewind", {"to": 1}, key=table.host, version=3)
    api.post(f"{table.path}/rolls", TWO, key=table.seats["white"], version=4)
    there = Referee(ledger).table(table.id, table.host)[0]
    assert there.note_counts == {"white": 2, "host": 1}
    assert all(not isinstance(each, Played) for each in there.entries[2:])


def test_the_last_tenth_of_a_log_is_the_hosts(api: Api, ledger: Ledger) -> None:
    """In the last tenth of a log, the server rejects every entry of a seat, moves too, and says why. The host can fill
    it.
    """
    table = api.open()
    last = MAX_ENTRIES * 9 // 10
    version = fill_log(ledger, table, disputes(last - 2, "host"), 1)
    assert api.play(table, MOVE, version=version, key=table.seats["black"]).status_code == 201
    white = table.seats["white"]
    tried: tuple[tuple[str, dict[str, Any]], ...] = (
        ("moves", {"move": "r b9c9"}),
        ("rolls", TWO),
        ("disputes", {"about": {"entry": last}, "question": "?"}),
        ("disputes/1/confirmation", {"remedy": "no_change"}),
        ("amend", {"delete": {"entry": last}}),
    )
    for path, body in tried:
        for spoken, said in (("en", "the last tenth"), ("fr", "le dernier dixième")):
            answer: Any = api.post(
                f"{table.path}/{path}", body, key=white, version=last, headers={"Accept-Language": spoken}
            )
            assert kind(answer) == FULL, (path, answer.json)
            assert said in answer.json["detail"]
    back = api.post(f"{table.path}/rewind", {"to": 1}, key=table.seats["black"], version=last)
    assert kind(back) == FULL
    assert api.play(table, "r b9c9", version=last).status_code == 201


def test_a_full_table_is_undone_settled_and_deleted(api: Api, ledger: Ledger) -> None:
    """The host can still undo, redo, settle and delete at a full table, within the reserve; nobody can write anything
    else.
    """
    table = api.open([MOVE])
    version = fill_log(ledger, table, disputes(MAX_ENTRIES - 3), 2)
    version = fill_log(ledger, table, [encode(Disputed(0, AT, "white", 2, MOVE, "?", rules_version="2"))], version)
    assert version == MAX_ENTRIES
    for path, body in (("moves", {"move": "r b9c9"}), ("rolls", TWO), ("amend", {"delete": {"entry": 2}})):
        assert kind(api.post(f"{table.path}/{path}", body, key=table.host, version=version)) == FULL
    undone = api.post(f"{table.path}/rewind", {"to": 1}, key=table.host, version=version)
    redone = api.post(f"{table.path}/rewind", {"to": 2}, key=table.host, version=version + 1)
    number = MAX_ENTRIES - 2
    settled: Any = api.post(
        f"{table.path}/disputes/{number}/settlement", {"remedy": "go_back"}, key=table.host, version=version + 2
    )
    assert [each.status_code for each in (undone, redone, settled)] == [201, 201, 201], settled.json
    assert [each["type"] for each in settled.json["entries"]] == ["settled", "rewound"]
    seat = api.post(f"{table.path}/rolls", TWO, key=table.seats["black"], version=version + 4)
    assert kind(seat) == FULL
    version = fill_log(ledger, table, [encode(Rewound(0, AT, "host", 1))] * (RESERVE - 4), version + 4)
    assert version == MAX_ENTRIES + RESERVE
    assert kind(api.post(f"{table.path}/rewind", {"to": 1}, key=table.host, version=version)) == FULL
    assert api.get(table.path, key=table.watch).status_code == 200
    assert api.send("DELETE", table.path, key=table.host).status_code == 204


def test_bytes_have_the_same_bounds(api: Api, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """In bytes, too, seats stop a tenth before the host, and undo has a tenth more."""
    table, longer = api.open([MOVE]), api.open([MOVE, "r b9c9"])
    size = Referee(ledger).table(longer.id, longer.host)[0].size
    monkeypatch.setattr(plans, "MAX_BYTES", size + 10)
    assert kind(api.play(table, "r b9c9", version=2, key=table.seats["white"])) == FULL
    assert api.play(table, "r b9c9", version=2).status_code == 201
    assert kind(api.play(table, "h e4", version=3)) == FULL
    monkeypatch.setattr(plans, "MAX_BYTES", size - 10)
    assert api.post(f"{table.path}/rewind", {"to": 2}, key=table.host, version=3).status_code == 201
    monkeypatch.setattr(plans, "MAX_BYTES", size * 9 // 10)
    assert kind(api.post(f"{table.path}/rewind", {"to": 3}, key=table.host, version=4)) == FULL


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_in_every_game_a_full_table_is_undone(game: Any, api: Api, ledger: Ledger) -> None:
    """In a log that is full of real entries, the host undoes the last one and redoes it; the position is the same."""
    table = long_table(ledger, game.id, ON)
    there: Any = api.get(table.path, key=table.host).json
    version = MAX_ENTRIES
    for to in (version - 1, version):
        answer: Any = api.post(f"{table.path}/rewind", {"to": to}, key=table.host, version=version)
        assert answer.status_code == 201, answer.json
        version += 1
    now: Any = api.get(table.path, key=table.host).json
    assert (now["position"], now["version"]) == (there["position"], MAX_ENTRIES + 2)
    assert sum(map(len, long_log(game.id, ON, MAX_ENTRIES)[1])) < MAX_BYTES
    assert isinstance(Referee(ledger).table(table.id, table.host)[0].entries[-1], Rewound)
