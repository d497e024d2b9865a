"""The checklist of SECURITY.md names tests that there are; and what no other test holds of its lines."""

from __future__ import annotations

import ast
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import pytest
from flask import Flask

from service.storage.ledger import Ledger
from tests.support.api import V1, Api
from tests.support.redis_call import redis_call
from tests.web.conftest import ORIGIN, Visitor

ROOT: Final = Path(__file__).parents[1]
LINES: Final = 36
NO_TEST: Final = "No test"
KEYS_OF_OTHERS: Final = {
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "a key of a cloud": r"\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}\b",
    "a token of a forge": r"\bgh[pousr]_[A-Za-z0-9]{36}\b|\bglpat-[A-Za-z0-9_-]{20}\b|\bpypi-[A-Za-z0-9_-]{40,}",
}
"""What a key looks like that must not be in a file."""

# --- the checklist -----------------------------------------------------------------------------------------------


class Row(NamedTuple):
    """A line of the checklist."""

    number: int
    about: str
    holds: str
    test: str


def checklist() -> list[Row]:
    """The lines of the checklist."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("## The checklist")[2]
    rows = re.findall(r"^\| (\d+) \| (.+?) \| (.+) \| (.+) \|$", text, re.MULTILINE)
    return [Row(int(number), about, holds, test) for number, about, holds, test in rows]


def docstring_of(named: str) -> str | None:
    """The first paragraph of a test's docstring, in one line; None where there is no such test."""
    path, _, name = named.strip("`").partition("::")
    file = ROOT / "tests" / path
    tree = ast.parse(file.read_text(encoding="utf-8")) if file.is_file() else ast.Module([], [])
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
    return None


def test_the_checklist_is_whole() -> None:
    """Each number has a line at least, and each line names one test, or says that there is none."""
    rows = checklist()
    assert [row.number for row in rows] == sorted(row.number for row in rows)
    assert {row.number for row in rows} == set(range(1, LINES + 1))
    assert [row for row in rows if row.test != NO_TEST and not re.fullmatch(r"`[\w/]+\.py::test_\w+`", row.test)] == []


def test_each_line_of_the_checklist_is_what_its_test_says() -> None:
    """No line rests on a test that is gone or says something else; the controls: both are noticed."""
    rows = [row for row in checklist() if row.test != NO_TEST]
    assert len(rows) >= LINES
    assert [(row.test, row.holds) for row in rows if docstring_of(row.test) != row.holds] == []
    assert docstring_of("`test_security.py::test_nothing`") is None
    assert docstring_of("`nowhere.py::test_x`") is None
    assert docstring_of("`test_security.py::test_a_body_needs_a_length`") != "A body has a length."


def test_every_test_that_the_text_names_is_there() -> None:
    """Those named beside the checklist, too."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    named = re.findall(r"`[\w/]+\.py::test_\w+`", text)
    assert named
    assert [each for each in named if docstring_of(each) is None] == []


# --- requests ----------------------------------------------------------------------------------------------------


@pytest.fixture
def guest(app: Flask) -> Visitor:
    """Somebody with a browser."""
    return Visitor(app.test_client())


def pages(app: Flask) -> Iterator[str]:
    """The addresses of all pages that can be looked at, their parts to be filled in."""
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("web.") and "GET" in (rule.methods or ()):
            yield re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)


def test_looking_at_pages_changes_nothing(guest: Visitor, app: Flask, ledger: Ledger) -> None:
    """Each page answers GET and HEAD twice. The log does not change, and no other table is created."""
    table = guest.open()
    table_id = table.rpartition("/")[2]
    before, known = ledger.read(table_id), redis_call(ledger, "DBSIZE")
    parts = {"table_id": table_id, "game_id": "villefranche", "filename": "app.css", "name": "app"}
    seen = set()
    for path in [*pages(app)] * 2:
        there = re.sub(r"\{(\w+)\}", lambda part: parts.get(part[1], "x"), path)
        for method in ("GET", "HEAD"):
            with guest.client.open(there, method=method) as answer:
                seen.add(answer.status_code)
    assert 200 in seen
    assert max(seen) < 500
    assert ledger.read(table_id) == before
    assert redis_call(ledger, "DBSIZE") == known


@pytest.mark.parametrize("path", ["/", f"{V1}/games", f"{V1}/tables", "/livez"])
def test_no_other_origin_may_read(api: Api, path: str) -> None:
    """No response, not even to a preflight, allows another origin to read it."""
    foreign = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for method in ("GET", "OPTIONS"):
        answer = api.http.open(path, method=method, headers=foreign)
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", f"{V1}/games", "/livez", "/assets/app.js"])
def test_methods_that_nobody_needs_are_refused(api: Api, method: str, path: str) -> None:
    """The server rejects unused methods such as TRACE, and never echoes the request."""
    answer = api.http.open(path, method=method, headers={"Cookie": "keys=canary", "Origin": ORIGIN})
    assert answer.status_code in (403, 405)
    assert b"canary" not in answer.get_data()


@pytest.mark.parametrize(
    "path",
    [
        *("/assets/", "/assets", f"{V1}/static/", "/static/", "/data/", "/assets/../app.py", "/assets/%2e%2e/app.py"),
        *("/.git/config", "/.env", "/service/config.py", "/metrics", "/debug", "/console", "/server-status"),
    ],
)
def test_nothing_is_listed_and_nothing_of_the_inside_is_served(app: Flask, path: str) -> None:
    """Folders, source files, settings, metrics and consoles get 404."""
    answer = app.test_client().get(path)
    assert answer.status_code == 404
    assert not app.debug


ODD: Final = (
    '"><img src=x onerror=alert(1)>',
    "é😀",
    "x\r\nHX-Redirect: //evil.example",
    "//evil.example/",
    '{"x": {"y": 1}}',
    "\x00\x7f",
)
"""What somebody could put into a name or an address, to do harm in a header."""
OURS: Final = re.compile(r"parts|\.?[/?](?!/)[!$'()*,/:;?@\w.~%=&+-]*", re.ASCII)
"""A word of ours, or an address on this host, written as addresses are: no blank, no quote, no bracket, no control."""


def for_htmx(guest: Visitor, path: str, **fields: str) -> dict[str, str]:
    """The headers for htmx of what it is answered when it asks for the part of a page."""
    asked = {"HX-Request": "true", "HX-Target": "table", "HX-Current-URL": f"{ORIGIN}/{quote(ODD[0])}"}
    answer = guest.post(path, fields, {"Origin": ORIGIN} | asked) if fields else guest.get(path, **asked)
    assert answer.status_code < 500, path
    return {name: value for name, value in answer.headers if name.upper().startswith("HX-")}


@pytest.mark.parametrize("text", ODD)
def test_headers_for_htmx_carry_no_text(guest: Visitor, text: str) -> None:
    """A header for htmx contains a fixed word or an address on this host. Text from the request is escaped in it.

    The control: such headers there are, and some carry what was asked for, escaped.
    """
    table, odd = guest.open(**{"name-black": "é😀"}), quote(text)
    form = guest.see(f"{table}?move=r+b9c9").form("/play")
    found = [
        *(for_htmx(guest, f"{table}?{name}={odd}") for name in ("move", "at", "so", "kind", "zoom", "show", "lang")),
        *(for_htmx(guest, f"{table}/{page}?at={odd}&move={odd}") for page in ("moves", "score", "amend")),
        *(for_htmx(guest, f"/{kind}/villefranche?at={odd}&brush={odd}&paint=a1") for kind in ("count", "ask")),
        for_htmx(guest, f"{table}?since=1&move={odd}"),
        for_htmx(guest, form[0], **{**form[1], "zoom": text, "move": text}),
        for_htmx(guest, form[0], **form[1]),
    ]
    values = [value for headers in found for value in headers.values()]
    assert len(values) > 5
    assert [value for value in values if not OURS.fullmatch(value)] == []
    assert any("move=" in value for value in values)
    assert [odd for odd in (f"/t/x?move={ODD[0]}", *ODD) if OURS.fullmatch(odd)] == []


def test_a_body_needs_a_length(api: Api) -> None:
    """The server rejects a chunked body, which states no length, with 411."""
    chunked = {"Transfer-Encoding": "chunked"}
    answer = api.http.post(f"{V1}/tables", input_stream=None, headers=chunked, content_type="application/json")
    assert answer.status_code == 411


# --- the service itself ------------------------------------------------------------------------------------------


def connections(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """To whom connections are made from now on."""
    made: list[Any] = []
    connect = socket.socket.connect

    def note(self: socket.socket, address: Any) -> None:
        made.append(address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", note)
    return made


def test_the_service_calls_nobody(guest: Visitor, api: Api, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever addresses a client sends, connections are made to Redis alone; the control: any other is noticed."""
    made = connections(monkeypatch)
    link = "http://198.51.100.1/"
    table = guest.open(**{"name-black": link})
    guest.place(table, "r b9c9")
    for page in ("", "/score", "/moves", "/share"):
        assert guest.get(table + page, Referer=link).status_code == 200
    opened = api.open(["r b1c1"])
    for method, path, _ in Api.contract.operations():
        names = {"game": "villefranche", "rule": "VF-22", "case": "VF-C17", "slug": "stale"}
        there = path.format(
            **names, id=opened.id, group="A" * 22, number=1, role="watch", key="2", view=f"{opened.id}.{'A' * 22}"
        )
        api.send(method, there, {"url": link} if method == "POST" else None, key=opened.host, version=2)
    assert set(made) <= {redis_url.removeprefix("unix://")}
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen("http://127.0.0.1:9/", timeout=5)
    assert ("127.0.0.1", 9) in made


@pytest.mark.parametrize(
    "environment",
    [
        {"BASTIDE_LIMITS": "none"},
        {"REDIS_URL": "http://x"},
        {"REDIS_URL": "redis://x?timeout=x"},
        {"BASTIDE_REPLICAS": "1"},
        {"BASTIDE_HOSTS": "table.example club.example"},
        {"BASTIDE_PROXIE": "1"},
    ],
    ids=str,
)
def test_the_service_does_not_start_with_a_wrong_setting(environment: dict[str, str]) -> None:
    """The service does not start with an invalid setting: the command exits with 2 and names the setting."""
    command = [sys.executable, "-m", "service.cli", "serve"]
    clean = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": "/nowhere"}
    done = subprocess.run(command, env=clean | environment, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    assert next(iter(environment)) in done.stderr
    assert "Traceback" not in done.stderr


def sources() -> Iterator[Path]:
    """Every file of ours that is text."""
    for folder in ("rules", "service", "web", "tests", "benchmarks", "scripts", "deploy", "docs", "."):
        found = (ROOT / folder).glob("*") if folder == "." else (ROOT / folder).rglob("*")
        for path in found:
            if path.is_file() and path.suffix not in (".png", ".mo", ".pyc", ".lock") and path.name[0] != ".":
                yield path


@pytest.mark.parametrize("kind", KEYS_OF_OTHERS)
def test_no_file_has_a_key(kind: str) -> None:
    """No file in the repository contains a private key or an access token."""
    pattern = re.compile(KEYS_OF_OTHERS[kind])
    found = [path for path in sources() if pattern.search(path.read_text(encoding="utf-8", errors="replace"))]
    assert [path for path in found if path != Path(__file__)] == []


def test_keys_would_be_found() -> None:
    """The control: one of each kind."""
    planted = {
        "a private key": "-----BEGIN RSA PRIVATE KEY-----",
        "a key of a cloud": f"AKIA{'Q' * 16}",
        "a token of a forge": f"ghp_{'a1' * 18}",
    }
    assert planted.keys() == KEYS_OF_OTHERS.keys()
    assert all(re.search(KEYS_OF_OTHERS[kind], text) for kind, text in planted.items())
    assert len(list(sources())) > 200
