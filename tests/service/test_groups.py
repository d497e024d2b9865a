"""Groups: a log of results, with the same guarantees as a table's."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import orjson
import pytest

from service import schemas
from service.errors import GroupFull, Invalid, KeyReused, NoGroup, Unauthorised
from service.groups.groups import SPACE, Groups, can_be_imported_again
from service.http.problems import kind_of
from service.storage.ledger import Ledger
from service.tables import results
from service.tables.entries import BrokenLog, Unreadable
from service.tables.keys import derive_id, hash_of, secret
from service.tables.results import Group, Player, Result, result_json
from tests.support.redis_call import redis_call

LIFETIME = timedelta(days=90)


def result(n: int, *, points: int = 5, at_table: bool = False) -> Result:
    """A result of that day, won by Ada."""
    players = (Player("Ada", points, won=True), Player("Ben", 2, won=False))
    return Result(derive_id(str(n)), "chess", f"2026-01-{n:02}", players, at_table)


@pytest.fixture
def groups(ledger: Ledger) -> Groups:
    """A worker's groups."""
    return Groups(ledger, lifetime=LIFETIME)


@pytest.fixture
def ours(groups: Groups) -> tuple[str, str]:
    """A group: its id and its key."""
    group, key = groups.create("Tuesday")
    return group.id, key


def days(group: Group) -> list[str]:
    """The days of the counting results."""
    return [each.day[-2:] for each in group.counting_results.values()]


def test_a_group_opens_with_its_key_only(groups: Groups, ledger: Ledger, ours: tuple[str, str]) -> None:
    """A wrong key, a wrong id and a malformed id get the same error; the log does not contain the key."""
    group_id, key = ours
    assert groups.group(group_id, key).name == "Tuesday"
    other, other_key = groups.create("Tuesday")
    assert other.id != group_id
    for wrong_id, wrong_key in ((group_id, other_key), (other.id, key), ("A" * 22, key), ("t:x", key), ("", key)):
        with pytest.raises(NoGroup):
            groups.group(wrong_id, wrong_key)
    with pytest.raises(Unauthorised):
        groups.group(group_id, None)
    assert not any(key.encode() in payload for _, payload in ledger.read(SPACE + group_id))


def test_a_request_that_is_repeated_keeps_nothing_twice(groups: Groups, ours: tuple[str, str]) -> None:
    """A repeated request creates one group and stores a result once, whatever came between."""
    once, again = groups.create("Club", "k" * 22), groups.create("Club", "k" * 22)
    assert once == again
    with pytest.raises(KeyReused):
        groups.create("Another", "k" * 22)
    first = groups.save_result(*ours, result(1), "a" * 22)
    groups.save_result(*ours, result(2), "b" * 22)
    groups.remove_result(*ours, 2)
    assert days(first) == ["01"]
    now = groups.save_result(*ours, result(1), "a" * 22)  # late, and removed since: it stays removed
    assert (days(now), now.version) == (["02"], 4)
    with pytest.raises(KeyReused):
        groups.save_result(*ours, result(3), "a" * 22)


def test_a_result_that_is_there_is_not_doubled(groups: Groups, ours: tuple[str, str]) -> None:
    """An equal result writes nothing; a different one from the same table replaces it."""
    groups.save_result(*ours, result(1, at_table=True), None)
    same = groups.import_results(*ours, [result(1, at_table=True), result(1, at_table=True)], None).group
    assert same.version == 2
    other = groups.save_result(*ours, result(1, points=9, at_table=True), None)
    assert [each.players[0].points for each in other.counting_results.values()] == [9]
    assert other.version == 4


def test_what_is_added_overwrites_nothing(groups: Groups, ours: tuple[str, str]) -> None:
    """An import keeps counting results, counts those that differ, and restores removed ones.

    A repeated import reports the same numbers.
    """
    groups.import_results(*ours, [result(1), result(2), result(3)], None)
    groups.remove_result(*ours, 3)
    sent = [result(1, points=99), result(2, points=7), result(3), result(4), result(4, points=8)]
    first, again = (groups.import_results(*ours, sent, "k" * 22) for _ in range(2))
    assert first[1:] == again[1:] == (2, 1, 2)
    assert first.group.version == again.group.version
    assert {each.day[-2:]: each.players[0].points for each in first.group.counting_results.values()} == {
        "01": 5, "02": 7, "03": 5, "04": 5
    }  # fmt: skip
    with pytest.raises(KeyReused):
        groups.import_results(*ours, [result(1)], "k" * 22)


def test_two_who_keep_at_once_both_keep(
    groups: Groups, ledger: Ledger, ours: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that is late plans again: it stores one result per table."""
    late = Groups(ledger, lifetime=LIFETIME)
    looks = [late.group(*ours), groups.save_result(*ours, result(1, at_table=True), None)]
    read, seen = late._read, []

    def look(group_id: str, known: Group | None) -> Group:
        seen.append(group_id)
        return looks.pop(0) if looks else read(group_id, known)

    monkeypatch.setattr(late, "_read", look)
    now = late.import_results(*ours, [result(1, at_table=True), result(2)], None).group
    assert (days(now), now.version, len(seen)) == (["01", "02"], 3, 3)


def test_any_member_takes_out_and_puts_back(groups: Groups, ours: tuple[str, str]) -> None:
    """Removing and restoring a result changes what counts; repeated or unknown, it writes nothing. Results are sorted
    by day.
    """
    groups.import_results(*ours, [result(2), result(1)], None)
    assert days(groups.remove_result(*ours, 2)) == ["01"]
    version = groups.group(*ours).version
    for number in (1, 2, 99, 0):
        assert groups.remove_result(*ours, number).version == version
    assert days(groups.restore_result(*ours, 2)) == ["01", "02"]
    for number in (2, 3, 99):
        assert groups.restore_result(*ours, number).version == version + 1


def test_what_a_worker_remembers_is_what_the_log_says(groups: Groups, ledger: Ledger, ours: tuple[str, str]) -> None:
    """A worker that follows the log has the same group as one that reads all of it, and notices a lost entry."""
    for n in range(1, 4):
        groups.save_result(*ours, result(n), None)
    groups.remove_result(*ours, 3)
    followed, read = groups.group(*ours), Groups(ledger, lifetime=LIFETIME).group(*ours)
    assert followed == read
    assert groups.group(*ours) is followed
    redis_call(ledger, "XDEL", f"{{t:{SPACE}{ours[0]}}}:log", "5-0")
    assert days(groups.group(*ours)) == ["01", "02", "03"]


def test_a_group_goes_when_it_is_not_used(redis_url: str) -> None:
    """A group is deleted a set time after its last entry, longer than a table's, and is then unknown."""
    ledger = Ledger(redis_url, ttl=timedelta(seconds=100))
    groups = Groups(ledger, lifetime=timedelta(seconds=500))
    group, key = groups.create("Ours", "f" * 22)
    ledger.append("t" * 22, 0, "open", [b"x"], "")
    assert abs(ledger.expires_at(SPACE + group.id) - group.expires_at) <= timedelta(seconds=2)
    assert group.expires_at - ledger.expires_at("t" * 22) >= timedelta(seconds=398)
    for part in ("log", "idem"):
        redis_call(ledger, "DEL", f"{{t:{SPACE}{group.id}}}:{part}")  # as when its lifetime ends
    for ask in (
        lambda: groups.group(group.id, key),
        lambda: groups.save_result(group.id, key, result(1), None),
        lambda: groups.create("Ours", "f" * 22),
    ):
        with pytest.raises(NoGroup):
            ask()


@pytest.mark.parametrize(("most", "n"), [("MAX_ENTRIES", 3), ("MAX_BYTES", 500)])
def test_a_group_is_bounded(
    most: str, n: int, groups: Groups, ours: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group that is full by entries or bytes refuses results, and keeps those that it has."""
    monkeypatch.setattr(f"service.groups.groups.{most}", n)
    groups.save_result(*ours, result(1), None)
    with pytest.raises(GroupFull):
        groups.import_results(*ours, [result(2), result(3)], None)
    assert days(groups.group(*ours)) == ["01"]


@pytest.mark.parametrize("most", ["MAX_ENTRIES", "MAX_BYTES"])
def test_all_of_a_full_group_can_be_taken_out(
    most: str, groups: Groups, ours: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a full group every result can still be removed once, within the limit, but none added or restored."""
    monkeypatch.setattr(f"service.groups.groups.{most}", limit := {"MAX_ENTRIES": 30, "MAX_BYTES": 3_000}[most])
    with suppress(GroupFull):
        for n in range(1, 29):
            full = groups.save_result(*ours, result(n), str(n))
    kept = len(full.counting_results)
    assert kept > 5
    assert groups.save_result(*ours, result(1), "1").version == full.version  # an equal result needs no room
    for left, number in enumerate(full.counting_results, 1):
        now = groups.remove_result(*ours, number)
        assert len(now.counting_results) == kept - left
        with pytest.raises(GroupFull):
            groups.restore_result(*ours, number)
    assert not now.counting_results
    assert {"MAX_ENTRIES": now.version, "MAX_BYTES": now.size}[most] <= limit
    assert groups.save_result(*ours, result(1), "1").version == now.version  # a replay: it stays out
    with pytest.raises(GroupFull):
        groups.save_result(*ours, result(1), "another")


@pytest.mark.parametrize(("spare", "back"), [(0, True), (1, False)])
def test_whether_a_file_brings_all_back_is_known_before(
    spare: int, back: bool, groups: Groups, ours: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service tells beforehand whether all results could be removed and imported again; one entry less of room
    decides.
    """
    every = [result(n) for n in range(1, 6)]
    group = groups.import_results(*ours, every, None).group
    monkeypatch.setattr("service.groups.groups.MAX_ENTRIES", 1 + 4 * len(every) - spare)
    assert can_be_imported_again(group, datetime.now(UTC)) is back
    for number in group.counting_results:
        groups.remove_result(*ours, number)
    with nullcontext() if back else pytest.raises(GroupFull):
        groups.import_results(*ours, every, None)


def test_an_entry_that_takes_out_is_no_longer_than_its_room() -> None:
    """The longest removal entry fits the room reserved for it."""
    entry = results.removal_entry(results.MAX_ENTRIES, datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
    assert len(entry) <= results.REMOVAL_BYTES


@pytest.mark.parametrize("payload", [b'{"type":"sung","at":"2026-01-01T00:00:00Z"}', b"[]", b'{"type":"result"}'])
def test_an_entry_of_a_newer_version_is_asked_for_later(
    payload: bytes, groups: Groups, ledger: Ledger, ours: tuple[str, str]
) -> None:
    """An unknown entry makes the log unreadable; the worker does not guess."""
    ledger.append(SPACE + ours[0], 1, "key", (payload,), "")
    with pytest.raises(Unreadable):
        groups.group(*ours)


@pytest.mark.parametrize("payload", [b"{", b'{"type":"result",'])
def test_an_entry_that_is_no_json_is_no_newer_one(
    payload: bytes, groups: Groups, ledger: Ledger, ours: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    """An entry that is not JSON is damage, logged with its hash."""
    ledger.append(SPACE + ours[0], 1, "key", (payload,), "")
    with pytest.raises(BrokenLog) as broken:
        groups.group(*ours)
    assert kind_of(broken.value) == "unreadable-log"
    [record] = caplog.records
    assert sha256(payload).hexdigest() in record.getMessage()


@pytest.mark.parametrize("key", ["\u00e9" * 64, "", "f" * 63, "F" * 64])
def test_a_key_that_is_no_hash_is_damage(key: str, groups: Groups, ledger: Ledger) -> None:
    """A stored key hash that is malformed is damage. The control: with a proper hash, it is another group's key."""
    for stored, refusal in ((key, BrokenLog), (hash_of("another"), NoGroup)):
        group_id = secret()
        ledger.append(SPACE + group_id, 0, "key", (results.founding_entry("Ours", stored, datetime.now(UTC)),), "")
        with pytest.raises(refusal):
            groups.group(group_id, "k" * 22)


def test_a_time_at_the_end_of_all_is_no_time(groups: Groups, ledger: Ledger) -> None:
    """A creation time at the end of the calendar makes the log unreadable, since no lifetime fits after it."""
    group_id, late = secret(), datetime(9999, 12, 31, tzinfo=UTC)
    ledger.append(SPACE + group_id, 0, "key", (results.founding_entry("Ours", hash_of("k" * 22), late),), "")
    with pytest.raises(Unreadable):
        groups.group(group_id, "k" * 22)


def test_no_table_can_be_asked_for_as_a_group(groups: Groups, ledger: Ledger) -> None:
    """The id of a table opens no group."""
    ledger.append("A" * 22, 0, "key", (b"{}",), "")
    with pytest.raises(NoGroup):
        groups.group("A" * 22, "k" * 22)


# --- files -------------------------------------------------------------------------------------------------------


def test_an_export_is_imported_as_it_was(groups: Groups, ours: tuple[str, str]) -> None:
    """An export can be imported into another group, also twice. A full group's export is within the size of a file."""
    kept = groups.import_results(*ours, [result(1), result(2, at_table=True)], None).group
    file = orjson.dumps({"group": kept.name, "results": [result_json(each) for each in kept.counting_results.values()]})
    read = tuple(schemas.with_ids(schemas.load(schemas.RESULTS, schemas.parse(file))["results"]))
    other, key = groups.create("Other")
    for _ in range(2):
        now = groups.import_results(other.id, key, read, None).group
        assert list(now.counting_results.values()) == list(kept.counting_results.values())
    assert len(file) < kept.size
    assert results.MAX_BYTES < results.MAX_FILE


def test_results_without_ids_count_once_a_file() -> None:
    """Two equal results without ids are two, and get the same ids each time the file is read."""
    plain = {"game": "chess", "day": "2026-01-01", "players": [{"name": "Ada", "won": True}]}
    read = [
        tuple(schemas.with_ids(schemas.load(schemas.RESULTS, {"results": [plain, plain]})["results"])) for _ in range(2)
    ]
    assert read[0] == read[1]
    assert len({each.id for each in read[0]}) == 2


GOOD = {"id": "A" * 22, "game": "chess", "day": "2026-01-01", "players": [{"name": "Ada", "won": True}]}
BAD: dict[str, Callable[[], tuple[object, str, str]]] = {
    "no list": lambda: ({}, "/results", "missing"),
    "no object": lambda: ([], "", "not_object"),
    "too many": lambda: ({"results": [GOOD] * (results.MAX_RESULTS + 1)}, "/results", "too_many"),
    "a day that is none": lambda: ({"results": [{**GOOD, "day": "2026-02-30"}]}, "/results/0/day", "pattern"),
    "an id of other form": lambda: ({"results": [{**GOOD, "id": "x"}]}, "/results/0/id", "pattern"),
    "nobody": lambda: ({"results": [{**GOOD, "players": []}]}, "/results/0/players", "missing"),
    "a crowd": lambda: ({"results": [{**GOOD, "players": GOOD["players"] * 13}]}, "/results/0/players", "too_many"),  # type: ignore[operator]  # it is a list
    "two of a name": lambda: (
        {"results": [{**GOOD, "players": [{"name": "Ada", "won": True}, {"name": "ADA ", "won": False}]}]},
        "/results/0/players/1/name",
        "name_twice",
    ),
    "points without bounds": lambda: (
        {"results": [{**GOOD, "players": [{"name": "Ada", "won": True, "points": 10_000}]}]},
        "/results/0/players/0/points",
        "out_of_range",
    ),
    "a long name": lambda: (
        {"results": [{**GOOD, "players": [{"name": "A" * 41, "won": True}]}]},
        "/results/0/players/0/name",
        "too_long",
    ),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_what_is_wrong_with_a_file_is_named(bad: Callable[[], tuple[object, str, str]]) -> None:
    """An error in a file has its pointer and code."""
    value, pointer, code = bad()
    with pytest.raises(Invalid) as raised:
        schemas.load(schemas.RESULTS, value)
    assert [(where, error.code) for where, error in raised.value.field_errors] == [(pointer, code)]
