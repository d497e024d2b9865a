"""A table's keys: the host lists, makes, renews and revokes them, and revoked keys open nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from service.errors import NoTable
from service.http.current import REFEREE
from service.storage.ledger import Ledger
from service.tables.keys import MAX_KEYS, hash_of, proof_of
from tests.support.api import V1, Api, OpenTable, application
from tests.support.loops import over
from tests.support.provoker import BODIES


def read(response: Any, status: int = 200) -> Any:
    """The body of an answer with an expected status."""
    assert response.status_code == status, response.get_data(as_text=True)
    return response.json


def keys_of(api: Api, table: OpenTable) -> Any:
    """The keys of a table, as its host sees them."""
    return read(api.get(f"{table.path}/keys", key=table.host))["keys"]


# --- listing -----------------------------------------------------------------------------------------------------


def test_the_host_sees_the_keys_by_role_and_no_secret(api: Api) -> None:
    """Keys are listed in the order host, seats, watchers, without any key or hash."""
    table = api.open(["r b1c1"])
    answer = api.get(f"{table.path}/keys", key=table.host)
    assert [(each["role"], each["player"], each["own"], each["revoked"]) for each in read(answer)["keys"]] == [
        ("host", None, True, False),
        ("black", "black", False, False),
        ("white", "white", False, False),
        ("watch", None, False, False),
    ]
    text = answer.get_data(as_text=True)
    assert not [key for key in (table.host, table.watch, *table.seats.values()) if key in text]
    assert "hash" not in text
    assert len({each["key"] for each in read(answer)["keys"]}) == 4


# --- making, renewing and revoking -------------------------------------------------------------------------------


def make(api: Api, table: OpenTable, role: str, **asked: Any) -> Any:
    """Make another key."""
    return read(api.post(f"{table.path}/keys", {"role": role} | asked, key=table.host), 201)


def renew(api: Api, table: OpenTable, role: str, key: str | None = None, idempotency_key: str | None = None) -> Any:
    """Renew a role's keys; returns the new one."""
    there = f"{table.path}/keys/{role}/renewal"
    return read(api.post(there, {}, key=key or table.host, idempotency_key=idempotency_key), 201)


def end(api: Api, table: OpenTable, which: object, key: str | None = None) -> int:
    """The status of revoking a key, or all keys of a role."""
    return api.send("DELETE", f"{table.path}/keys/{which}", key=key or table.host).status_code


def status(api: Api, table: OpenTable, key: str) -> int:
    """The status of reading the table with a key."""
    return api.get(table.path, key=key).status_code


def problem(answer: Any, status: int) -> str:
    """The type of a problem."""
    return str(read(answer, status)["type"]).removeprefix("/problems/")


@pytest.mark.parametrize(
    ("role", "kind", "plays"), [("host", "host", 201), ("black", "seat", 201), ("watch", "watch", 403)]
)
def test_a_further_key_opens_the_table_in_its_role(api: Api, role: str, kind: str, plays: int) -> None:
    """A new key opens the table at once, beside the existing ones; its link has it after ``#``, and the host sees its
    label.
    """
    table = api.open()
    made = make(api, table, role, label="Screen")
    assert made["link"].endswith(f"/t/{table.id}#{made['secret']}")
    assert (made["role"], made["label"], made["own"], made["parent"]) == (role, "Screen", False, None)
    seen = read(api.get(table.path, key=made["secret"]))
    assert (seen["role"], seen["player"]) == (kind, "black" if kind == "seat" else None)
    assert api.play(table, "r b1c1", version=2, key=made["secret"]).status_code == plays
    assert [each["label"] for each in keys_of(api, table) if each["role"] == role] == [None, "Screen"]
    assert {status(api, table, key) for key in (table.host, table.watch, *table.seats.values())} == {200}


def test_a_renewed_key_is_refused_at_once_and_everywhere(api: Api, redis_url: str) -> None:
    """Every operation refuses a renewed key, also at a worker with an older table in its cache, and after any request.

    Neither an error nor a repeated response tells its holder anything. The control: the new key and others' keys work.
    """
    table, (before, *after) = api.open(["r b1c1"]), [Api(application(redis_url)) for _ in range(4)]
    old = table.seats["white"]
    assert status(before, table, old) == 200
    first = api.play(table, "r b9c9", version=2, key=old, idempotency_key="mine")
    assert first.status_code == 201
    assert {status(each, table, old) for each in after} == {200}
    new = renew(api, table, "white")["secret"]
    assert api.play(table, "h e4", version=5, key=table.host).status_code == 201
    for other, version, move, name in over(
        [
            (after[0], 3, "h e4", "late"),
            (after[1], 3, "h a1", "refused"),
            (after[2], 2, "r b9c9", "mine"),
            (before, 2, "r b9c9", "mine"),
            (api, 6, "r d9e9", "next"),
        ]
    ):
        answer = other.play(table, move, version=version, key=old, idempotency_key=name)
        assert problem(answer, 410) == "key-ended", (version, move)
    parts = {"id": table.id, "number": 1, "role": "watch", "key": "2"}
    for method, path, operation in over(Api.contract.operations()):
        if "{id}" in path:
            body = BODIES.get(operation["operationId"])
            answer = api.send(method, path.format(**parts), body, key=old, version=6)
            assert problem(answer, 410) == "key-ended", (method, path)
    assert read(api.get(table.path, key=table.host))["version"] == 6
    for key in (new, table.host, table.watch, table.seats["black"]):
        assert status(before, table, key) == 200
    assert before.post(f"{table.path}/rolls", BODIES["roll"], key=new, version=6).status_code == 201


def test_a_worker_that_knows_an_older_table_lets_a_new_key_in(api: Api, redis_url: str) -> None:
    """A worker with an older table reads the new key's entry. The control: a wrong key is refused."""
    table, elsewhere = api.open(), Api(application(redis_url))
    assert status(elsewhere, table, table.host) == 200
    made = make(api, table, "black")["secret"]
    assert elsewhere.play(table, "r b1c1", version=1, key=made).status_code == 201
    assert elsewhere.play(table, "r b9c9", version=3, key="A" * 22).status_code == 404


def test_a_seat_is_ended_and_gets_another_key(api: Api) -> None:
    """Revoking a seat ends all its keys, and others' keys stay; renewing it makes a new one. A second revocation
    changes nothing.
    """
    table = api.open()
    further = make(api, table, "black")["secret"]
    assert [end(api, table, "black") for _ in range(2)] == [204, 204]
    assert {status(api, table, key) for key in (further, table.seats["black"])} == {410}
    assert status(api, table, table.seats["white"]) == 200
    new = renew(api, table, "black")["secret"]
    assert status(api, table, new) == 200
    assert [each["revoked"] for each in keys_of(api, table) if each["role"] == "black"] == [True, True, False]


def test_no_key_ends_itself(api: Api) -> None:
    """No key can revoke itself, so the host is never locked out.

    When the host renews its role, the key of that request stays, and the new one can revoke it.
    """
    table = api.open()
    own = next(each["key"] for each in keys_of(api, table) if each["own"])
    assert problem(api.send("DELETE", f"{table.path}/keys/{own}", key=table.host), 409) == "own-key"
    assert end(api, table, "host") == 204
    first, second = make(api, table, "host")["secret"], renew(api, table, "host")["secret"]
    assert [status(api, table, key) for key in (table.host, first, second)] == [200, 410, 200]
    assert end(api, table, own, second) == 204
    assert [status(api, table, key) for key in (table.host, second)] == [410, 200]


@pytest.mark.parametrize("which", ["9", "0", "green", "-1", "A" * 300])
def test_an_unknown_key_or_role_is_not_there(api: Api, which: str) -> None:
    """Revoking or renewing an unknown key or role is 404 and writes nothing."""
    table = api.open()
    assert problem(api.send("DELETE", f"{table.path}/keys/{which}", key=table.host), 404) == "no-such-key"
    assert problem(api.post(f"{table.path}/keys/{which}/renewal", {}, key=table.host), 404) == "no-such-key"
    assert problem(api.post(f"{table.path}/keys/1/renewal", {}, key=table.host), 404) == "no-such-key"
    assert len(keys_of(api, table)) == 4


@pytest.mark.parametrize(
    ("body", "pointer", "kind"),
    [
        ({"role": "green"}, "/role", "wrong-value"),
        ({}, "/role", "missing-field"),
        ({"role": "host", "until": "2999-01-01T00:00:00Z"}, "/until", "wrong-value"),
        ({"role": "watch", "until": "2020-01-01T00:00:00Z"}, "/until", "wrong-value"),
        ({"role": "watch", "until": "2999-01-01T00:00:00"}, "/until", "wrong-type"),
        ({"role": "watch", "until": "tomorrow"}, "/until", "wrong-type"),
        ({"role": "watch", "until": 1}, "/until", "wrong-type"),
    ],
    ids=str,
)
def test_a_key_that_cannot_be_is_refused_with_the_field(api: Api, body: Any, pointer: str, kind: str) -> None:
    """A request for an invalid key is 422 with the pointer, and makes none."""
    table = api.open()
    found = read(api.post(f"{table.path}/keys", body, key=table.host), 422)
    assert (found["type"], found["errors"][0]["pointer"]) == (f"/problems/{kind}", pointer)
    assert len(keys_of(api, table)) == 4


def test_a_repeated_request_makes_one_key(api: Api) -> None:
    """The same key comes back, even after moves and after its revocation. A short `Idempotency-Key`, from which the key
    could be guessed, is refused. Without one, the control, each request makes another key.
    """
    table, name = api.open(), "Zm9yLXlvdXItZXllcy1vbmx5"
    body = {"role": "black", "label": "Phone"}
    first = api.post(f"{table.path}/keys", body, key=table.host, idempotency_key=name)
    assert api.play(table, "r b1c1", version=2).status_code == 201
    assert end(api, table, read(first, 201)["key"]) == 204
    again = api.post(f"{table.path}/keys", body, key=table.host, idempotency_key=name)
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    for path, other in ((f"{table.path}/keys", {"role": "white"}), (f"{table.path}/keys/black/renewal", {})):
        assert problem(api.post(path, other, key=table.host, idempotency_key=name), 422) == "key-reused"
        short = api.post(path, other, key=table.host, idempotency_key="short")
        assert problem(short, 422) == "key-short"
    one, other = (renew(api, table, "white", idempotency_key="B" * 22) for _ in range(2))
    assert one == other
    assert make(api, table, "watch")["secret"] != make(api, table, "watch")["secret"]


def test_a_table_has_so_many_keys(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table has a maximum of keys. In a full log, the host can still revoke one."""
    monkeypatch.setattr("service.referee.access.MAX_KEYS", 5)
    assert MAX_KEYS > 5
    table = api.open()
    made = make(api, table, "watch")
    assert problem(api.post(f"{table.path}/keys", {"role": "watch"}, key=table.host), 409) == "table-full"
    monkeypatch.setattr("service.referee.plans.MAX_ENTRIES", 2)
    monkeypatch.setattr("service.referee.plans.OF_THE_HOST", 1)
    assert problem(api.play(table, "r b1c1", version=2), 409) == "table-full"
    assert end(api, table, made["key"]) == 204
    monkeypatch.undo()
    make(api, table, "watch")


def test_the_log_has_hashes_and_feeds_have_nothing_of_keys(api: Api, ledger: Ledger) -> None:
    """The log stores hashes, not keys. Log, events and export leave these entries out, and a move on the version before
    them succeeds.
    """
    table = api.open(["r b1c1"])
    made = make(api, table, "black", label="Phone")
    renew(api, table, "watch")
    stored = b"".join(entry for _, entry in ledger.read(table.id)).decode()
    assert '"key_made"' in stored
    assert made["secret"] not in stored
    assert api.play(table, "r b9c9", version=2).status_code == 201
    assert [each["version"] for each in api.log(table)["entries"]] == [1, 2, 6]
    exported = api.get(f"{table.path}/export", key=table.host).get_data(as_text=True)
    assert "key" not in exported
    assert [each["type"] for each in json.loads(exported)["entries"]] == ["opened", "played", "played"]


# --- derived keys ------------------------------------------------------------------------------------------------


def test_a_derived_key_ends_with_its_time(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A derived key works until its time and no longer. The control: a key without an end still works."""
    times = [datetime(2026, 11, 27, 20, tzinfo=UTC)]
    monkeypatch.setattr(api.app.extensions[REFEREE], "_now", lambda: times[0])
    table = api.open()
    until = times[0] + timedelta(hours=2)
    seat, look = (make(api, table, role, until=until.isoformat()) for role in ("black", "watch"))
    own = next(each["key"] for each in keys_of(api, table) if each["own"])
    assert (seat["parent"], seat["until"]) == (own, "2026-11-27T22:00:00Z")
    times[0] = until - timedelta(seconds=1)
    assert api.play(table, "r b1c1", version=3, key=seat["secret"]).status_code == 201
    assert api.play(table, "r b9c9", version=4, key=look["secret"]).status_code == 403
    times[0] = until
    for made in (seat, look):
        assert problem(api.get(table.path, key=made["secret"]), 410) == "key-ended"
    assert problem(api.play(table, "r b9c9", version=4, key=seat["secret"]), 410) == "key-ended"
    assert status(api, table, table.seats["black"]) == 200


def test_no_key_follows_from_the_idempotency_key_of_a_move(api: Api) -> None:
    """The idempotency key of a move is in the store, so none may make a key. The control: another one does."""
    table = api.open()
    assert api.play(table, "r b1c1", version=1, idempotency_key="A" * 22).status_code == 201
    there = f"{table.path}/keys"
    asked = {"role": "watch"}
    assert problem(api.post(there, asked, key=table.host, idempotency_key="A" * 22), 422) == "key-reused"
    read(api.post(there, asked, key=table.host, idempotency_key="B" * 22), 201)


def test_a_poll_ends_with_the_time_of_its_key(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A poll with a derived key waits until the key ends, and is then refused.

    The control: a poll with another key waits its full time.
    """
    times, waits = [datetime(2026, 11, 27, 20, tzinfo=UTC)], []
    use = api.app.extensions[REFEREE]
    monkeypatch.setattr(use, "_now", lambda: times[0])
    table = api.open()
    made = make(api, table, "watch", until=(times[0] + timedelta(seconds=4)).isoformat())

    def wait(_table: str, _after: int, seconds: float) -> bool:
        waits.append(seconds)
        times[0] += timedelta(seconds=seconds)
        return False

    monkeypatch.setattr(use._store, "wait", wait)
    known = {"If-None-Match": '"2"'}
    poll = api.get(f"{table.path}?wait=20", key=made["secret"], headers=known)
    assert (problem(poll, 410), waits) == ("key-ended", [4])
    assert api.get(f"{table.path}?wait=20", key=table.host, headers=known).status_code == 304
    assert waits == [4, 20]


def test_a_derived_key_derives_none_and_ends_with_its_parent(api: Api) -> None:
    """A derived key makes no keys, and ends with the host's key that made it.

    The controls: a key derived from another host's key, and one without an end, stay.
    """
    table, until = api.open(), "2999-01-01T00:00:00Z"
    host = make(api, table, "host")["secret"]
    there = f"{table.path}/keys"
    derived = read(api.post(there, {"role": "white", "until": until}, key=host), 201)["secret"]
    further = read(api.post(there, {"role": "white"}, key=host), 201)["secret"]
    other = make(api, table, "watch", until=until)["secret"]
    for key in (derived, other):
        for body in ({"role": "watch", "until": until}, {"role": "watch"}):
            assert api.post(there, body, key=key).status_code == 403
    assert end(api, table, "host") == 204
    assert [status(api, table, key) for key in (host, derived, further, other)] == [410, 410, 200, 200]


# --- the opening -------------------------------------------------------------------------------------------------


def test_a_repeated_opening_gives_no_ended_key_out(api: Api, redis_url: str) -> None:
    """Once an opening's key has ended, repeating the opening or import is 409, also at a worker with an older table.
    The control: making another key changes nothing.
    """
    table = api.open()
    sent = read(api.get(f"{table.path}/export", key=table.host))
    for name, body in over({"A" * 22: {"game": "villefranche"}, "B" * 22: sent}.items()):
        elsewhere = Api(application(redis_url))
        first = read(api.post(f"{V1}/tables", body, idempotency_key=name), 201)
        opened = OpenTable(first["id"], first["keys"]["host"], first["keys"]["seats"], first["keys"]["watch"])
        further = make(api, opened, "host")
        assert end(api, opened, further["key"]) == 204
        assert read(elsewhere.post(f"{V1}/tables", body, idempotency_key=name), 201)["keys"] == first["keys"]
        renew(api, opened, "black")
        for where in (elsewhere, api):
            assert problem(where.post(f"{V1}/tables", body, idempotency_key=name), 409) == "key-renewed"
        other = {"game": "villefranche", "moves": ["r b1c1"]}
        assert problem(api.post(f"{V1}/tables", other, idempotency_key=name), 422) == "key-reused"


# --- the log -----------------------------------------------------------------------------------------------------

OTHER_HASH = "0f" * 32


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "key_made", "hash": OTHER_HASH, "role": "green"},
        {"type": "key_made", "hash": OTHER_HASH, "role": "host", "until": "2999-01-01T00:00:00Z", "parent": 1},
        {"type": "key_made", "hash": OTHER_HASH, "role": "watch", "until": "2999-01-01T00:00:00Z", "parent": 2},
        {"type": "key_made", "hash": OTHER_HASH, "role": "watch", "until": "2999-01-01T00:00:00Z", "parent": 9},
        {"type": "key_made", "hash": "{host}", "role": "watch"},
        {"type": "key_revoked", "key": 0},
        {"type": "key_revoked", "key": 9},
    ],
    ids=str,
)
def test_an_entry_of_a_key_that_cannot_be_is_unreadable(api: Api, ledger: Ledger, entry: dict[str, Any]) -> None:
    """An impossible key entry makes the log unreadable, like one of a newer release. The control: a possible one is
    read.
    """
    table = api.open()
    head = {"at": "2026-01-01T00:00:00Z", "by": "host", "label": ""}
    stored = head | {"type": "key_made", "hash": OTHER_HASH[::-1], "role": "watch"}
    ledger.append(table.id, 1, "x", [orjson.dumps(stored)], "")
    assert len(keys_of(api, table)) == 5
    stored = head | {name: hash_of(table.host) if value == "{host}" else value for name, value in entry.items()}
    ledger.append(table.id, 2, "y", [orjson.dumps(stored)], "")
    assert problem(api.get(table.path, key=table.host), 503) == "newer-log"


# --- a phone's recent tables -------------------------------------------------------------------------------------


def test_what_an_ended_key_has_seen_shows_no_score_any_more(api: Api) -> None:
    """A phone's first page identifies tables by a proof of the key, which no longer works once the key has ended."""
    table, referee = api.open(), api.app.extensions[REFEREE]
    old = table.seats["black"]
    assert referee.table_by_proof(table.id, proof_of(old)).id == table.id
    renew(api, table, "black")
    with pytest.raises(NoTable):
        referee.table_by_proof(table.id, proof_of(old))
