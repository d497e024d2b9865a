"""Join codes: the host makes them, and each gives one key, for a short time. Guessing is limited."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from service.errors import Stale, StoreAway
from service.http.current import REFEREE
from service.referee.join_codes import LENGTH, SIGNS
from service.referee.plans import Plan
from service.referee.repository import ChangeRequest, WriteOutcome
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from tests.support.api import V1, Api, OpenTable
from tests.support.limit_clock import Clock
from tests.support.loops import over
from tests.support.redis_call import redis_call

JOIN = f"{V1}/join"
WRONG = "AAAA-AAAA"


def read(response: Any, status: int = 201) -> Any:
    """The body of an answer with an expected status."""
    assert response.status_code == status, response.get_data(as_text=True)
    return response.json


def make(api: Api, table: OpenTable, role: str = "watch", key: str | None = None) -> str:
    """A join code."""
    made = read(api.post(f"{table.path}/join-codes", {"role": role}, key=key or table.host))
    return str(made["code"])


def problem(response: Any, status: int) -> str:
    """The kind of a problem."""
    return str(read(response, status)["type"]).removeprefix("/problems/")


def logs_of_codes(ledger: Ledger) -> list[bytes]:
    """The Redis keys of the codes' logs."""
    return sorted(redis_call(ledger, "KEYS", "{t:c:*}:log"))


@pytest.mark.parametrize(("role", "kind"), [("black", "seat"), ("watch", "watch")])
def test_a_code_is_exchanged_for_a_key_of_its_role(api: Api, role: str, kind: str) -> None:
    """A code typed in lower case and with spaces gives a key of its role, which the host can revoke."""
    table = api.open()
    code = make(api, table, role)
    assert len(code.replace("-", "")) == LENGTH
    assert {*code} <= {*SIGNS, "-"}
    made = read(api.post(JOIN, {"code": f" {code.lower().replace('-', ' ')} "}))
    assert (made["table"], made["role"]) == (table.id, role)
    assert made["link"].endswith(f"/t/{table.id}#{made['secret']}")
    assert read(api.get(table.path, key=made["secret"]), 200)["role"] == kind
    assert api.send("DELETE", f"{table.path}/keys/{made['key']}", key=table.host).status_code == 204
    assert problem(api.get(table.path, key=made["secret"]), 410) == "key-ended"


def test_no_code_gives_the_key_of_the_host(api: Api) -> None:
    """No code can be made for the host or an unknown role."""
    table = api.open()
    for role in ("host", "green"):
        answer = read(api.post(f"{table.path}/join-codes", {"role": role}, key=table.host), 422)
        assert answer["errors"][0]["pointer"] == "/role"


def test_a_code_is_used_once(api: Api) -> None:
    """A join code works once: GET does not use it up, and of many phones at once one gets a key."""
    table = api.open()
    code = make(api, table)
    for _ in range(3):
        assert api.http.get(JOIN).status_code == 405
    with ThreadPoolExecutor(8) as phones:
        found = [
            each.status_code
            for each in phones.map(lambda _: api.app.test_client().post(JOIN, json={"code": code}), range(8))
        ]
    assert sorted(found) == [201, *[410] * 7]
    assert problem(api.post(JOIN, {"code": code}), 410) == "code-ended"
    assert len(read(api.get(f"{table.path}/keys", key=table.host), 200)["keys"]) == 5


def test_a_repeated_exchange_gets_the_same_key(api: Api) -> None:
    """An exchange repeated with its `Idempotency-Key`, which must be long, gets the same key. The control: another one
    gets 410.
    """
    table = api.open()
    code = make(api, table)
    assert problem(api.post(JOIN, {"code": code}, idempotency_key="short"), 422) == "key-short"
    first = api.post(JOIN, {"code": code}, idempotency_key="A" * 22)
    assert api.play(table, "r b1c1", version=2).status_code == 201
    again = api.post(JOIN, {"code": code.replace("-", " ").lower()}, idempotency_key="A" * 22)
    assert (again.json, again.headers["Idempotent-Replayed"]) == (read(first), "true")
    assert problem(api.post(JOIN, {"code": code}, idempotency_key="B" * 22), 410) == "code-ended"
    other = make(api, table)
    assert problem(api.post(JOIN, {"code": other}, idempotency_key="A" * 22), 422) == "key-reused"


@pytest.mark.parametrize("code", [WRONG, "AAAAAAA", "AAAAAAAAA", "0AAAAAAA", "ÀAAAAAAA", "{t}", "*"])
def test_a_wrong_code_opens_nothing(api: Api, code: str, ledger: Ledger) -> None:
    """A wrong code, well-formed or not, is 404, and starts no log."""
    api.open()
    assert problem(api.post(JOIN, {"code": code}), 404) == "no-code"
    assert logs_of_codes(ledger) == []


def test_a_code_lives_ten_minutes(api: Api, ledger: Ledger) -> None:
    """Redis forgets a join code after ten minutes, and for an hour more that there was one."""
    table = api.open()
    code = make(api, table)
    (log,) = logs_of_codes(ledger)
    assert 590 <= redis_call(ledger, "TTL", log) <= 600
    mark = log.decode().replace(":log", ":mark")
    assert 600 < redis_call(ledger, "TTL", mark) <= 4200
    redis_call(ledger, "DEL", log)
    assert problem(api.post(JOIN, {"code": code}), 410) == "code-ended"
    redis_call(ledger, "DEL", mark)
    assert problem(api.post(JOIN, {"code": code}), 404) == "no-code"


def test_the_store_has_the_hash_of_a_code(api: Api, ledger: Ledger) -> None:
    """Redis contains neither a join code nor a key, nor an idempotency key from which one follows, under any name."""
    table = api.open()
    code, used, there = make(api, table, "black"), make(api, table), f"{table.path}/keys"
    made = [
        read(api.post(JOIN, {"code": used}, idempotency_key="A" * 22)),
        read(api.post(there, {"role": "watch"}, key=table.host, idempotency_key="B" * 22)),
        read(api.post(f"{there}/white/renewal", {}, key=table.host, idempotency_key="C" * 22)),
    ]
    stored = b"".join(value_of(ledger, key) for key in redis_call(ledger, "KEYS", "*"))
    assert b"black" in stored
    secrets = [table.host, *(each["secret"] for each in made), *(letter * 22 for letter in "ABC")]
    for each in (code, code.replace("-", ""), used, used.replace("-", ""), *secrets):
        assert each.encode() not in stored


def test_a_repeated_exchange_gets_its_key_whatever_the_host_ended(api: Api) -> None:
    """A repeated exchange gets its key even after the host has revoked it. The control: without the idempotency key it
    is 410.
    """
    table = api.open()
    code = make(api, table, "black")
    made = read(api.post(JOIN, {"code": code}, idempotency_key="A" * 22))
    assert api.send("DELETE", f"{table.path}/keys/2", key=table.host).status_code == 204
    assert api.send("DELETE", f"{table.path}/keys/3", key=table.host).status_code == 204
    assert read(api.post(JOIN, {"code": code}, idempotency_key="A" * 22)) == made
    assert problem(api.post(JOIN, {"code": code}), 410) == "code-ended"


def test_no_phone_loses_its_code_because_others_come_at_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exchange that loses twenty races is planned again each time, and succeeds."""
    use: Referee = api.app.extensions[REFEREE]
    table = api.open()
    code, others, write = make(api, table), iter(range(20)), use._store.write

    def late(request: ChangeRequest, plan: Plan) -> WriteOutcome:
        if next(others, None) is not None:
            raise Stale(plan.table, request.version)
        return write(request, plan)

    monkeypatch.setattr(use._store, "write", late)
    read(api.post(JOIN, {"code": code}))
    assert list(others) == []


def value_of(ledger: Ledger, key: bytes) -> bytes:
    """A Redis key and its value."""
    ways = {b"stream": ("XRANGE", key, "-", "+"), b"hash": ("HGETALL", key), b"list": ("LRANGE", key, 0, -1)}
    way = ways.get(redis_call(ledger, "TYPE", key), ("GET", key))
    return key + repr(redis_call(ledger, *way)).encode()


@pytest.mark.parametrize("way", ["end", "renew"])
def test_a_code_ends_with_the_keys_of_its_role(api: Api, way: str) -> None:
    """Revoking or renewing a role ends its codes.

    The controls: codes of another role, and later ones.
    """
    table = api.open()
    before, other = make(api, table, "black"), make(api, table)
    there = f"{table.path}/keys/black"
    if way == "end":
        assert api.send("DELETE", there, key=table.host).status_code == 204
    else:
        read(api.post(f"{there}/renewal", {}, key=table.host))
    assert problem(api.post(JOIN, {"code": before}), 410) == "code-ended"
    for code in (other, make(api, table, "black")):
        read(api.post(JOIN, {"code": code}))


def test_a_code_ends_with_the_key_of_its_host(api: Api) -> None:
    """Revoking a host's key ends its codes. The control: another host key's code works. A deleted table's codes are
    410.
    """
    table = api.open()
    other: Any = read(api.post(f"{table.path}/keys", {"role": "host"}, key=table.host))
    ended, control, late = make(api, table, key=other["secret"]), make(api, table), make(api, table)
    assert api.send("DELETE", f"{table.path}/keys/{other['key']}", key=table.host).status_code == 204
    assert problem(api.post(JOIN, {"code": ended}), 410) == "code-ended"
    read(api.post(JOIN, {"code": control}))
    assert api.send("DELETE", table.path, key=table.host).status_code == 204
    assert problem(api.post(JOIN, {"code": late}), 410) == "expired"


# --- guessing ----------------------------------------------------------------------------------------------------


def ask(app: Flask, code: str, address: str = "192.0.2.1") -> Any:
    """The response to a code sent from an address."""
    return app.test_client().post(JOIN, json={"code": code}, environ_base={"REMOTE_ADDR": address})


def test_an_address_has_five_wrong_codes_a_minute(limited_app: Callable[..., Flask]) -> None:
    """After five wrong join codes in a minute an address gets 429, even for a right one.

    Right codes do not count, and other addresses, the control, do not wait.
    """
    app = limited_app()
    api = Api(app)
    table = api.open()
    for _ in range(7):
        assert ask(app, make(api, table)).status_code == 201
    code = make(api, table)
    assert [ask(app, WRONG).status_code for _ in range(6)] == [404] * 5 + [429]
    refused = ask(app, code)
    assert (refused.status_code, refused.json["limit"]) == (429, "code-address-60")
    assert int(refused.headers["Retry-After"]) > 0
    assert ask(app, code, "198.51.100.7").status_code == 201


def test_a_code_that_nobody_could_look_for_is_not_a_wrong_one(
    limited_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While codes cannot be read, wrong codes do not count; afterwards an address still has five."""
    app = limited_app()
    with monkeypatch.context() as broken:
        broken.setattr("service.referee.join_codes.JoinCodes._read", _away)
        assert [ask(app, WRONG).status_code for _ in range(6)] == [503] * 6
    assert [ask(app, WRONG).status_code for _ in range(6)] == [404] * 5 + [429]


def _away(*_: object) -> None:
    raise StoreAway("away")


def test_all_addresses_together_have_a_hundred(limited_app: Callable[..., Flask]) -> None:
    """After a hundred wrong join codes in a minute, any further one waits, also from an address that has sent none."""
    app = limited_app()
    api = Api(app)
    code = make(api, api.open())
    for number in over(range(100)):
        assert ask(app, WRONG, f"198.51.100.{number // 5}").status_code == 404
    for sent in (WRONG, code):
        refused = ask(app, sent, "203.0.113.1")
        assert (refused.status_code, refused.json["limit"]) == (429, "code-all-60")


def test_right_codes_keep_no_wrong_ones(limited_app: Callable[..., Flask], clock: Clock) -> None:
    """Wrong codes count for a minute, however many right codes come meanwhile."""
    app = limited_app()
    api = Api(app)
    table = api.open()
    for number in over(range(96)):
        assert ask(app, WRONG, f"198.51.100.{number // 5}").status_code == 404
    for _ in over(range(4)):
        clock.advance(15)
        for _ in range(4):
            assert ask(app, make(api, table), "203.0.113.1").status_code == 201
    for number in over(range(100)):
        assert ask(app, WRONG, f"192.0.2.{number // 5}").status_code == 404
    assert ask(app, WRONG, "203.0.113.1").status_code == 429
