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
from typing import Any, Final

import pytest
from flask import Flask

from service.ledger import Ledger
from tests.api import V1, Api
from tests.web.conftest import ORIGIN, Visitor

ROOT: Final = Path(__file__).parents[1]
LINES: Final = 36
NOT_HELD: Final = ("Does not apply", "Waits")
KEYS_OF_OTHERS: Final = {
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "a key of a cloud": r"\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}\b",
    "a token of a forge": r"\bgh[pousr]_[A-Za-z0-9]{36}\b|\bglpat-[A-Za-z0-9_-]{20}\b|\bpypi-[A-Za-z0-9_-]{40,}",
}
"""What a key looks like that must not be in a file."""

# --- the checklist -----------------------------------------------------------------------------------------------


def checklist() -> list[list[str]]:
    """The rows of the checklist: number, what, held by."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("## The checklist")[2]
    rows = re.findall(r"^\| (\d+) \| (.+) \| (.+) \|$", text, re.MULTILINE)
    return [list(row) for row in rows]


def missing(held: str) -> list[str]:
    """The tests that are named and are not there."""
    found = []
    for path, name in re.findall(r"`([\w/]+\.py)::(\w+)`", held):
        file = ROOT / "tests" / path
        tree = ast.parse(file.read_text(encoding="utf-8")) if file.exists() else ast.Module([], [])
        if not any(isinstance(node, ast.FunctionDef) and node.name == name for node in tree.body):
            found.append(f"{path}::{name}")
    return found


def test_the_checklist_is_whole() -> None:
    """Each of its lines is held by a test, or says why it does not apply, or that it waits."""
    rows = checklist()
    assert [int(number) for number, _, _ in rows] == list(range(1, LINES + 1))
    for number, _, held in rows:
        assert "::test_" in held or any(f"{word}:" in held for word in NOT_HELD), number


def test_every_test_of_the_checklist_is_there() -> None:
    """No line rests on a test that was renamed or removed; the control: such tests are noticed."""
    assert {number: missing(held) for number, _, held in checklist() if missing(held)} == {}
    assert missing("`test_security.py::test_nothing`, `nowhere.py::test_x`") == [
        "test_security.py::test_nothing",
        "nowhere.py::test_x",
    ]


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
    """Every page, twice, and its head: the log is as it was, and no other table came to be."""
    table = guest.open()
    table_id = table.rpartition("/")[2]
    before, known = ledger.read(table_id), ledger._call("DBSIZE")
    parts = {"table_id": table_id, "game_id": "villefranche", "filename": "app.js"}
    seen = set()
    for path in [*pages(app)] * 2:
        there = re.sub(r"\{(\w+)\}", lambda part: parts.get(part[1], "x"), path)
        for method in ("GET", "HEAD"):
            with guest.client.open(there, method=method) as answer:
                seen.add(answer.status_code)
    assert 200 in seen
    assert max(seen) < 500
    assert ledger.read(table_id) == before
    assert ledger._call("DBSIZE") == known


@pytest.mark.parametrize("path", ["/", f"{V1}/games", f"{V1}/tables", "/livez"])
def test_no_other_origin_may_read(api: Api, path: str) -> None:
    """Neither an answer nor a preflight lets another origin in."""
    foreign = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for method in ("GET", "OPTIONS"):
        answer = api.http.open(path, method=method, headers=foreign)
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", f"{V1}/games", "/livez", "/assets/app.js"])
def test_methods_that_nobody_needs_are_refused(api: Api, method: str, path: str) -> None:
    """What was sent is not sent back."""
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
    """Folders, sources, settings, figures and consoles are not there."""
    answer = app.test_client().get(path)
    assert answer.status_code == 404
    assert not app.debug


def test_no_answer_steers_htmx(guest: Visitor) -> None:
    """No answer has a header for htmx, in which a name could do harm."""
    table = guest.open(**{"name-black": "é😀"})
    form = guest.see(f"{table}?move=r+b9c9").form("/play")
    for answer in (
        guest.post(*form, {"Origin": ORIGIN, "HX-Request": "true"}),
        guest.get(table, **{"HX-Request": "true"}),
    ):
        assert not [name for name, _ in answer.headers if name.upper().startswith("HX-")]


def test_a_body_needs_a_length(api: Api) -> None:
    """One that comes in chunks is refused, and not cut."""
    chunked = {"Transfer-Encoding": "chunked"}
    answer = api.http.post(f"{V1}/tables", input_stream=None, headers=chunked, content_type="application/json")
    assert answer.status_code == 411


# --- the service itself ------------------------------------------------------------------------------------------


def connected(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """To whom connections are made from now on."""
    made: list[Any] = []
    connect = socket.socket.connect

    def noted(self: socket.socket, address: Any) -> None:
        made.append(address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", noted)
    return made


def test_the_service_calls_nobody(guest: Visitor, api: Api, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever addresses a client sends, connections are made to Redis alone; the control: any other is noticed."""
    made = connected(monkeypatch)
    link = "http://198.51.100.1/"
    table = guest.open(**{"name-black": link})
    guest.place(table, "r b9c9")
    for page in ("", "/score", "/log", "/share"):
        assert guest.get(table + page, Referer=link).status_code == 200
    opened = api.open(["r b1c1"])
    for method, path, _ in Api.contract.operations():
        names = {"game": "villefranche", "rule": "VF-22", "case": "VF-C17", "slug": "stale"}
        there = path.format(**names, id=opened.id, group="A" * 22, number=1)
        api.send(method, there, {"url": link} if method == "POST" else None, key=opened.host, version=2)
    assert set(made) <= {redis_url.removeprefix("unix://")}
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen("http://127.0.0.1:9/", timeout=5)
    assert ("127.0.0.1", 9) in made


@pytest.mark.parametrize(
    "environment",
    [{"BASTIDE_LIMITS": "none"}, {"REDIS_URL": "http://x"}, {"REDIS_URL": "redis://x?timeout=x"}],
    ids=str,
)
def test_the_service_does_not_start_with_a_wrong_setting(environment: dict[str, str]) -> None:
    """A slip in a setting is no open door: the command ends with 2, and says which it is."""
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
    """Nothing that opens anything is in the tree."""
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
