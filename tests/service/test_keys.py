"""The keys of a table: listed, made, renewed and revoked by its host, and what a key that has ended still opens."""

from __future__ import annotations

from typing import Any

from tests.support.api import Api, OpenTable


def read(response: Any, status: int = 200) -> Any:
    """The body of an answer with an expected status."""
    assert response.status_code == status, response.get_data(as_text=True)
    return response.json


def listed(api: Api, table: OpenTable) -> Any:
    """The keys of a table, as its host sees them."""
    return read(api.get(f"{table.path}/keys", key=table.host))["keys"]


# --- listed ------------------------------------------------------------------------------------------------------


def test_the_host_sees_the_keys_by_role_and_no_secret(api: Api) -> None:
    """The host's first, then the seats', then those that look; the answer contains no key and no hash of one."""
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
