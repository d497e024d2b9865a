"""Cookies of an earlier release, recorded with their names, paths and contents, are read."""

from __future__ import annotations

import pytest
from flask import Flask, Response

from web.browser import cookies, recent_tables
from web.browser.recent_tables import RecentTable

TABLE = "AbCdEfGhIjKlMnOpQrStUv"
YEAR = 31_536_000
KEPT_TABLE = RecentTable(
    TABLE,
    "p" * 20,
    "villefranche",
    ("black", "white"),
    ("Ada", "Bérénice"),
    "2026-11-20T19:30",
    "Friday",
    version=12,
    mark="m" * 8,
    moves=11,
    end="ended",
    code="winner",
    first=("white",),
    points=(3, 5),
    winners=("white",),
    by_points=True,
)
RECENT = (
    "eNptjUEKwjAURO_y1ykkKQq6q6IiIiLqKmSRNr8kGkMJseKReo5ezAREXDi79xhmhICqXupVuzHb687t_aE7hlO89ECg-5Oke-sctkH5xiAQAbVTzS35p7ERQSZTaZV4MQ5h"
    "HLxtsgRO-bRgrOD0zGbzkqbCOlitXkAYJ3D_JBEjgF6jzpPWewz55Dtekon84RgeKOUb3KtAhA=="
)
KEYS = f"host.{'h' * 22}:black.{'b' * 22}"
GROUPS = f"{TABLE}.{'g' * 22}"


def test_old_cookies_are_read(app: Flask) -> None:
    """The old cookies give the list of tables, the keys of a table in order, and the groups."""
    with app.test_request_context(headers={"Cookie": f"recent={RECENT}; keys={KEYS}; groups={GROUPS}"}):
        assert recent_tables.recent_tables() == (KEPT_TABLE,)
        assert list(cookies.keys().items()) == [("host", "h" * 22), ("black", "b" * 22)]
        assert cookies.groups() == {TABLE: "g" * 22}


@pytest.mark.parametrize(
    ("name", "value", "path", "age"),
    [("recent", RECENT, "/", YEAR), ("keys", KEYS, f"/t/{TABLE}", 7_776_000), ("groups", GROUPS, "/", 34_560_000)],
)
def test_cookies_are_set_as_before(app: Flask, name: str, value: str, path: str, age: int) -> None:
    """Cookies are set unchanged, as a phone may meet both releases while instances are restarted in turn."""
    response = Response()
    with app.test_request_context():
        if name == "recent":
            recent_tables.store(response, [KEPT_TABLE])
        elif name == "keys":
            cookies.keep(response, path, {"host": "h" * 22, "black": "b" * 22})
        else:
            cookies.hold(response, TABLE, "g" * 22)
    head, *rest = response.headers["Set-Cookie"].split("; ")
    assert head == f"{name}={value}"
    assert {f"Path={path}", f"Max-Age={age}", "HttpOnly", "SameSite=Lax"} < set(rest)
