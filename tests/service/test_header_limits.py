"""Long request headers: they are refused with a problem, or cost little work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.http.header_limits import MAX_HEAD
from service.server import gunicorn_conf
from tests.support.api import Api
from tests.support.loops import over
from tests.support.worst import calls
from web.browser import cookies as session
from web.browser import language, recent_tables

LISTS = {"Accept": "a/b;q=0.5,", "If-None-Match": "1,", "Cookie": "a=b;", "Accept-Language": "a,", "X-A": "1,"}
"""Header fields that are lists, with an item of each."""
MORE = 60_000
"""How many more calls a request may take with long headers: a page reads its whole cookie."""


def field(name: str, size: int) -> str:
    """A list field of this many characters."""
    item = LISTS[name]
    return (item * (size // len(item))).rstrip(",;")


def requests(api: Api) -> Iterator[tuple[str, str]]:
    """Method and path of every route."""
    for rule in api.app.url_map.iter_rules():
        path = rule.rule
        for argument in rule.arguments:
            given = {"table_id": "A" * 22, "game_id": "fief"}.get(argument, "x")
            path = path.replace(f"<{argument}>", given).replace(f"<path:{argument}>", given)
        yield ("GET" if "GET" in (rule.methods or ()) else "POST"), path


def test_no_head_is_much_work(api: Api) -> None:
    """Request headers of the maximum length cost little work. The server rejects longer ones for even less work."""
    http = api.app.test_client(use_cookies=False)  # the client's own cookies would replace these

    def work(method: str, path: str, size: int) -> tuple[int, int]:
        """Status and calls of a request with headers of this size."""
        head = {name: field(name, size // len(LISTS)) for name in LISTS if size}
        answers: list[Any] = []
        made = calls(lambda: answers.append(http.open(path, method=method, json={}, headers=head)))
        return answers[0].status_code, made

    for method, path in over(dict.fromkeys(requests(api))):
        (_, plain), (full, much), (long, little) = (work(method, path, size) for size in (0, MAX_HEAD - 500, 480_000))
        assert (full == 431, long) == (False, 431), path
        assert much - plain < MORE, path
        assert little - plain < 5_000, path


def test_cookies_as_long_as_browsers_keep_them_are_taken() -> None:
    """The largest possible cookies, with recent tables and all keys of a table, are within the limits."""
    keys = ":".join(["x" * 20 + "." + "k" * 22] * session.MAX_KEYS)
    cookies = f"{recent_tables.RECENT}={'r' * 4096}; {session.KEYS}={keys}; {language.COOKIE}=en"
    assert len(cookies) < gunicorn_conf.limit_request_field_size
    assert gunicorn_conf.limit_request_field_size < MAX_HEAD / 2


def test_a_head_too_long_is_told_in_the_language_of_the_reader(api: Api) -> None:
    """Headers that are too long are a problem for programs and a page for readers, in both languages."""
    for spoken, said in (("en", "too long"), ("fr", "trop longs")):
        head = {"Accept-Language": spoken, "X-A": "1" * MAX_HEAD}
        problem = api.http.get("/api/v1/games", headers=head)
        told: Any = problem.json
        assert (problem.status_code, told["type"]) == (431, "/problems/headers-too-large")
        assert said in told["detail"]
        page = api.http.get("/", headers={"Accept": "text/html"} | head)
        assert (page.status_code, page.mimetype, said in page.text) == (431, "text/html", True)


def test_fields_that_nobody_needs_so_long_say_nothing(api: Api) -> None:
    """A list header that is too long is ignored as a whole."""
    table = api.open()
    long = ",".join(['"1"'] * 200)
    assert api.get(table.path, key=table.host, headers={"If-None-Match": '"1"'}).status_code == 304
    assert api.get(table.path, key=table.host, headers={"If-None-Match": long}).status_code == 200
    body: dict[str, list[str]] = {"moves": []}
    kinds = [
        api.post("/api/v1/games/villefranche/positions", body, headers={"Accept": accept}).mimetype
        for accept in ("image/svg+xml", "image/svg+xml" + ",a/b" * 200)
    ]
    assert kinds == ["image/svg+xml", "application/json"]
