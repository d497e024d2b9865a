"""Groups through the API: every response is checked against the contract."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api import V1, Api

ADA, BEN = {"name": "Ada", "points": 24, "won": True}, {"name": "Ben", "points": 19, "won": False}
GO = {"game": "Go", "day": "2026-11-22", "players": [ADA, BEN]}


@pytest.fixture
def group(api: Api) -> tuple[str, str]:
    """A group: its address and its key."""
    made = api.post(f"{V1}/groups", {"name": "Tuesday"})
    body: Any = made.json
    assert made.status_code == 201
    assert made.headers["Location"] == f"{V1}/groups/{body['id']}"
    assert body["link"] == f"http://localhost/g/{body['id']}#{body['key']}"
    return made.headers["Location"], body["key"]


def test_a_group_is_founded_filled_read_and_emptied(api: Api, group: tuple[str, str]) -> None:
    """Statistics are those of the counting results; removing a result twice removes it once."""
    there, key = group
    other = {**GO, "day": "2026-11-21", "players": [{**ADA, "points": 10, "won": False}, {**BEN, "won": True}]}
    kept: Any = api.post(f"{there}/results", {"results": [GO, other]}, key=key).json
    assert [(each["number"], each["day"]) for each in kept["results"]] == [(3, "2026-11-21"), (2, "2026-11-22")]
    (go,) = kept["statistics"]["games"]
    assert (go["best"], go["clearest"]) == ({"names": ["Ada"], "points": 24}, {"numbers": [3], "margin": 9})
    ada = kept["statistics"]["players"][0]
    assert ada == {
        "name": "Ada", "played": 2, "won": 1, "streak": 1, "longest_streak": 1, "average": 17.0, "best": 24
    }  # fmt: skip
    for _ in range(2):
        assert api.send("DELETE", f"{there}/results/3", key=key).status_code == 204
    left = api.get(there, key=key)
    now: Any = left.json
    assert [each["number"] for each in now["results"]] == [2]
    assert left.headers["ETag"] == f'"{now["version"]}"' == '"4"'


def test_what_is_sent_again_is_kept_once(api: Api, group: tuple[str, str]) -> None:
    """A repeated key stores results once, even late; without a key, equal results are not stored again. Two equal ones
    in a body are two.
    """
    there, key = group
    for _ in range(2):
        first: Any = api.post(f"{there}/results", {"results": [GO, GO]}, key=key, idempotency_key="once").json
        assert len(first["results"]) == 2
    assert api.send("DELETE", f"{there}/results/2", key=key).status_code == 204
    late: Any = api.post(f"{there}/results", {"results": [GO, GO]}, key=key, idempotency_key="once").json
    assert len(late["results"]) == 1
    assert (first["added"], late["added"]) == ({"new": 2, "back": 0, "differing": 0},) * 2
    back: Any = api.post(f"{there}/results", {"results": [GO, GO]}, key=key).json
    assert (len(back["results"]), back["added"]) == (2, {"new": 1, "back": 1, "differing": 0})
    changed = {**back["results"][0], "players": [BEN]}
    del changed["number"]
    kept: Any = api.post(f"{there}/results", {"results": [changed]}, key=key).json
    assert (kept["results"], kept["added"]) == (back["results"], {"new": 0, "back": 0, "differing": 1})
    another = {**GO, "day": "2026-11-23"}
    reused = api.post(f"{there}/results", {"results": [another]}, key=key, idempotency_key="once")
    body: Any = reused.json
    assert (reused.status_code, body["type"]) == (422, "/problems/key-reused")


def test_two_groups_are_never_one(api: Api) -> None:
    """Ids and keys of groups are random, even with the same idempotency key."""
    made: list[Any] = [api.post(f"{V1}/groups", {"name": "Tuesday"}, idempotency_key="1").json for _ in range(2)]
    assert len({each["id"] for each in made}) == len({each["key"] for each in made}) == 2


def test_a_key_opens_its_group_only(api: Api, group: tuple[str, str]) -> None:
    """Only a group's own key opens it, not another group's or a table's; nor does it open a table."""
    there, key = group
    other: Any = api.post(f"{V1}/groups", {"name": "Other"}).json
    table = api.open()
    assert api.get(there).status_code == 401
    for wrong in (other["key"], table.host):
        for method, path, body in (
            ("GET", "", None),
            ("POST", "/results", {"results": []}),
            ("DELETE", "/results/2", None),
        ):
            answer = api.send(method, there + path, body, key=wrong)
            said: Any = answer.json
            assert (answer.status_code, said["type"]) == (404, "/problems/no-group")
    assert api.get(f"{V1}/groups/{table.id}", key=table.host).status_code == 404
    assert api.get(table.path, key=key).status_code == 404
    assert api.get(f"{V1}/tables/{there.rpartition('/')[2]}", key=key).status_code == 404


def test_wrong_keys_are_counted(limited_app: Any) -> None:
    """An address that tries many wrong keys gets 429."""
    api = Api(limited_app())
    there = f"{V1}/groups/{'A' * 22}"
    assert [api.get(there, key=f"{n}" * 22).status_code for n in range(6)] == [404] * 5 + [429]
