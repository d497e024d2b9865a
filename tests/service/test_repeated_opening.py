"""An opening that is repeated with its idempotency key opens one table: id and keys are derived from that key."""

from __future__ import annotations

import base64
import hashlib
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from rules import GAMES
from service import schemas
from service.errors import Full
from service.referee import plans
from service.referee.use_cases import NewTable, Referee
from service.storage.ledger import Ledger
from tests.support.api import V1, Api
from tests.support.records import record_of
from tests.support.redis_call import redis_call

SEED = "Zm9yLXlvdXItZXllcy1vbmx5"
TABLES = f"{V1}/tables"
OPENING = {"game": "villefranche", "moves": ["r b1c1", "r b9c9"]}
NAMED_SETUP = {"players": [{"colour": "black", "name": "Ada"}, {"colour": "white", "name": "Ben"}]}
RECORDS = (
    "villefranche/stood_and_cut",
    "robber_knights/two_at_seven",
    "architekton/box_and_series",
    "villa_paletti/nobody_can_build",
    "fief/three_alone",
)


def body_of(name: str) -> dict[str, Any]:
    """The request that opens a recorded game with its first three moves."""
    record = record_of(name)
    moves = [entry if isinstance(entry, str) else entry["move"] for entry in record["moves"][:3]]
    return {"game": record["game"], "setup": record["setup"], "moves": moves}


def logs(ledger: Ledger) -> int:
    """The number of tables' logs in the store."""
    return len(redis_call(ledger, "KEYS", "{t:*}:log"))


def problem(answer: Any, status: int) -> str:
    """The type of a problem with this status."""
    assert answer.status_code == status, answer.json
    kind: str = answer.json["type"]
    return kind


@pytest.mark.parametrize("name", RECORDS)
def test_a_repeated_opening_is_the_same_answer(name: str, api: Api, ledger: Ledger) -> None:
    """A repeated opening gets the same response, whatever was played since, and opens no table. The control: without a
    key, each opens one.
    """
    body = body_of(name)
    first = api.post(TABLES, body, idempotency_key=SEED)
    made: Any = first.json
    keys, path = made["keys"], first.headers["Location"]
    undone = {"to": made["version"] - 1}
    assert api.post(f"{path}/rewind", undone, key=keys["host"], version=made["version"]).status_code == 201
    again = api.post(TABLES, body, idempotency_key=SEED)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.get_data() == first.get_data()
    assert (first.headers.get("Idempotent-Replayed"), again.headers["Idempotent-Replayed"]) == (None, "true")
    assert (again.headers["Location"], again.headers["ETag"]) == (path, first.headers["ETag"])
    assert logs(ledger) == 1
    assert api.get(path, key=keys["watch"]).status_code == 200
    other: Any = [api.post(TABLES, body).json for _ in range(2)]
    assert logs(ledger) == 3
    secrets = [each[of] for each in (made, *other) for of in ("id",)] + [
        key for each in (made, *other) for key in (each["keys"]["host"], each["keys"]["watch"])
    ]
    assert len(set(secrets)) == 9


def test_id_and_keys_follow_by_labels_of_their_own(api: Api) -> None:
    """Id and keys are the first 22 characters of SHA-256 over a label and the idempotency key, and all differ."""

    def follows(*label: str) -> str:
        digest = hashlib.sha256("\0".join((*label, SEED)).encode()).digest()
        return base64.urlsafe_b64encode(digest).decode()[:22]

    made: Any = api.post(TABLES, OPENING, idempotency_key=SEED).json
    assert made["id"] == follows("table")
    assert made["keys"] == {
        "host": follows("host"),
        "watch": follows("watch"),
        "seats": {"black": follows("seat", "black"), "white": follows("seat", "white")},
    }
    assert len({made["id"], made["keys"]["host"], made["keys"]["watch"], *made["keys"]["seats"].values()}) == 5


def test_the_idempotency_key_of_an_opening_is_stored_nowhere(
    api: Api, ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    """Redis and the logs contain neither the idempotency key of an opening nor a key that follows from it."""
    caplog.set_level(0)
    made: Any = api.post(TABLES, OPENING, idempotency_key=SEED).json
    api.post(TABLES, {"game": "fief"}, idempotency_key=SEED)
    api.post(TABLES, OPENING, idempotency_key=SEED[:21])
    path = f"{TABLES}/{made['id']}"
    api.post(f"{path}/moves", {"move": "h c8"}, key=made["keys"]["host"], version=3, idempotency_key="of-a-move")

    def stored_bytes() -> Iterator[bytes]:
        for key in redis_call(ledger, "KEYS", "*"):
            yield key
            kind = redis_call(ledger, "TYPE", key)
            if kind == b"hash":
                yield from redis_call(ledger, "HGETALL", key)
            elif kind == b"stream":
                yield from (field for _, fields in redis_call(ledger, "XRANGE", key, "-", "+") for field in fields)

    # The control: a move's idempotency key is stored.
    everything = b"\n".join(stored_bytes()) + caplog.text.encode()
    assert b"of-a-move" in everything
    secrets = [SEED, SEED[:21], made["keys"]["host"], made["keys"]["watch"], *made["keys"]["seats"].values()]
    assert not [secret for secret in secrets if secret.encode() in everything]


def test_another_opening_under_a_key_is_refused(api: Api, ledger: Ledger) -> None:
    """A key sent with another game, setup or moves is refused; the same request with its members in another order is
    not.
    """
    api.post(TABLES, OPENING, idempotency_key=SEED)
    others: list[Any] = [
        {"game": "villefranche"},
        body_of("robber_knights/two_at_seven"),
        OPENING | {"moves": ["r b1c1"]},
        OPENING | {"setup": NAMED_SETUP},
        {"game": "villefranche", "setup": NAMED_SETUP, "begins": schemas.BY_DIE},
    ]
    for other in others:
        assert problem(api.post(TABLES, other, idempotency_key=SEED), 422) == "/problems/key-reused"
    alike = {"moves": OPENING["moves"], "setup": {}, "game": "villefranche"}
    assert api.post(TABLES, alike, idempotency_key=SEED).headers["Idempotent-Replayed"] == "true"
    assert logs(ledger) == 1


@pytest.mark.parametrize(("key", "status"), [("k" * 21, 422), ("k" * 22, 201), ("k" * 255, 201)])
def test_the_key_of_an_opening_is_long(key: str, status: int, api: Api, ledger: Ledger) -> None:
    """An opening's key has at least 22 characters, since the host's key follows from it. The control: a move's may be
    shorter.
    """
    answer = api.post(TABLES, OPENING, idempotency_key=key)
    assert answer.status_code == status
    assert status == 201 or problem(answer, 422) == "/problems/key-short"
    assert logs(ledger) == (status == 201)
    assert api.play(api.open(), "r b1c1", version=1, idempotency_key="k").status_code == 201


def test_what_could_not_be_opened_uses_up_no_key(api: Api, ledger: Ledger) -> None:
    """A refused opening does not use up its key."""
    wrong = {"game": "villefranche", "moves": ["r b1c1", "h e4"]}
    for _ in range(2):
        assert problem(api.post(TABLES, wrong, idempotency_key=SEED), 422) == "/problems/move-refused"
        assert logs(ledger) == 0
    assert api.post(TABLES, OPENING, idempotency_key=SEED).headers.get("Idempotent-Replayed") is None


def test_a_deleted_table_is_not_opened_again(api: Api, ledger: Ledger) -> None:
    """Repeating the opening of a deleted table is 410, and opens none."""
    made: Any = api.post(TABLES, OPENING, idempotency_key=SEED).json
    assert api.send("DELETE", f"{TABLES}/{made['id']}", key=made["keys"]["host"]).status_code == 204
    assert problem(api.post(TABLES, OPENING, idempotency_key=SEED), 410) == "/problems/expired"
    assert logs(ledger) == 0


def test_nobody_rolls_again_for_the_start(ledger: Ledger) -> None:
    """A repeated opening does not roll again for who begins. The control: with another key it does."""
    fallen = iter([5, 0, 0, 5, 0, 5])
    referee = Referee(ledger, pick=lambda _: next(fallen))
    setup = schemas.load(schemas.of(GAMES["villefranche"]).setup, NAMED_SETUP)
    first, again, other = (
        referee.open("villefranche", setup, die=True, idempotency_key=key) for key in (SEED, SEED, SEED[::-1])
    )
    assert again.table.entries == first.table.entries
    assert (first.is_replay, again.is_replay, other.is_replay) == (False, True, False)
    named = ["name='Ada'", "name='Ben'"]
    assert [re.findall("name='...'", repr(each.table.setup)) for each in (first, other)] == [named, named[::-1]]


def test_an_opening_is_answered_whatever_is_wrong_now(
    ledger: Ledger, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker repeats the first response even if it would now refuse the opening. The control: with a new key it
    refuses.
    """
    setup = schemas.load(schemas.of(GAMES["villefranche"]).setup, {})
    first = Referee(ledger).open("villefranche", setup, idempotency_key=SEED)

    def refuse(*_: object) -> None:
        raise Full("table", "entries")

    monkeypatch.setattr(plans, "plan_opening", refuse)
    other = Referee(Ledger(redis_url))
    assert other.open("villefranche", setup, idempotency_key=SEED) == NewTable(first.table, first.keys, is_replay=True)
    with pytest.raises(Full):
        other.open("villefranche", setup, idempotency_key=SEED[::-1])


def test_of_two_openings_at_once_one_opens(ledger: Ledger, redis_url: str) -> None:
    """Two workers that get the same request at the same time answer with the same table."""
    setup = schemas.load(schemas.of(GAMES["villefranche"]).setup, {})
    workers = [Referee(ledger), Referee(Ledger(redis_url))]
    for number in range(25):
        start = threading.Barrier(2)
        opened: list[NewTable] = []

        def race(worker: Referee, key: str, start: threading.Barrier, to: list[NewTable]) -> None:
            start.wait()
            to.append(worker.open("villefranche", setup, idempotency_key=key))

        threads = [threading.Thread(target=race, args=(worker, f"{SEED}{number}", start, opened)) for worker in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        one, two = opened
        assert (one.table, one.keys) == (two.table, two.keys)
        assert {one.is_replay, two.is_replay} == {True, False}
