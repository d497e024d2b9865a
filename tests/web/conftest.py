"""A browser without scripts: Flask's test client, which keeps cookies and sends a browser's headers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.records import FOLDER
from tests.support.tables import recorded_table

ORIGIN = "http://localhost"
PART = {"HX-Request": "true", "HX-Target": "table"}
"""The headers with which htmx asks for a part of a page."""
MARKS = re.compile(r'data-mark="([^"]+)"|<g id="(m[^"]{8})"')
"""The marks of the parts of a page, and of the groups of a board."""


def having(page: str) -> dict[str, str]:
    """The headers that htmx and our script send from this page: they list the marks of all its parts."""
    return {**PART, "Bastide-Has": " ".join(one or other for one, other in MARKS.findall(page))}


def pages_data(game_id: str) -> Mapping[str, Any]:
    """A game's data for the tests of pages, from ``tests/games/<game>/pages.toml``; empty without that file."""
    there = FOLDER / game_id / "pages.toml"
    return tomllib.loads(there.read_text(encoding="utf-8")) if there.exists() else {}


@dataclass
class Visitor:
    """A browser without a script."""

    client: Client
    language: str = "en"

    def get(self, path: str, **headers: str) -> TestResponse:
        """Load a page."""
        return self.client.get(path, headers={"Accept-Language": self.language, **headers})

    def post(self, path: str, data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> TestResponse:
        """Send a form with the `Origin` of our pages, unless `headers` are given."""
        given = {"Origin": ORIGIN} if headers is None else headers
        return self.client.post(path, data=data, headers={"Accept-Language": self.language, **given})

    def see(self, path: str) -> Document:
        """Load a page, which must answer 200."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return Document(answer.text)

    def send(self, form: tuple[str, Mapping[str, str]], **fields: str) -> Document:
        """Send a form, with these fields filled in, and load the page to which it redirects."""
        answer = self.post(form[0], {**form[1], **fields})
        assert answer.status_code == 303, (answer.status_code, answer.text[-2000:])
        return self.see(answer.headers["Location"])

    def open(self, **fields: str) -> str:
        """Open a table; returns its address."""
        answer = self.post("/", {"game": "villefranche", **fields})
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

    def sit(self, ledger: Ledger, name: str, number: int | None = None, *, seat: str | None = None) -> str:
        """Sit at a recorded game after `number` of its moves (or all), as host or as `seat`; returns its address."""
        table = recorded_table(ledger, name, number)
        address = f"/t/{table.table.id}"
        held = f"{seat}.{table.keys.seats[seat]}" if seat else f"host.{table.keys.host}"
        self.client.set_cookie("keys", held, path=address)
        return address

    def place(self, table: str, move: str, **fields: str) -> Document:
        """Ask about a move and place it."""
        page = self.see(f"{table}?move={move}")
        return self.send(page.form("/play", move=move), **fields)


@pytest.fixture
def visitor(app: Flask) -> Callable[..., Visitor]:
    """Makes visitors."""

    def make(language: str = "en") -> Visitor:
        return Visitor(app.test_client(), language)

    return make
