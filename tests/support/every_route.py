"""Ordinary requests to every route of the application: addresses, bodies, forms, and the tables that they need.

`every_page.py` has the pages and the tables; this module adds the API, the files, and all changes. `worst.py` has the
requests that take the most work; `route_work.py` counts the work of these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import Any, Final
from urllib.parse import urlencode

import orjson
from flask import Flask

import service
from rules import GAMES, load
from service.cases import numbering
from service.http.current import groups, referee
from tests.support.api import V1
from tests.support.document import Document
from tests.support.every_page import ASTRAY, PAGES, open_all
from tests.support.forms import FILLED_FIELDS
from tests.support.records import longest_of, record_of
from tests.support.tables import long_export, open_table
from tests.web.conftest import ORIGIN, Visitor


@dataclass(frozen=True, slots=True)
class Row:
    """A request to a route. In an address, a name in braces is the id of a table or of the group, and
    ``{<name>_<role>}`` a key of it.

    `body`: sent as JSON. `form`: the end of a form's address; `path` is then the page that has the form, and `fields`
    are filled in. Without `form`, the `fields` are all that is sent. `link`: a part of the address of a link on that
    page, or of the page to which it redirects. It is followed, with `beyond` appended. `is_refused`: asks for something
    that does not exist.
    """

    method: str
    path: str
    body: Any = None
    form: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    link: str = ""
    beyond: str = ""
    is_refused: bool = False

    @property
    def name(self) -> str:
        """The row's name in a report."""
        beside = (self.form, self.link, self.beyond, *self.headers.values())
        return " ".join((self.method, self.path, *filter(None, beside)))


def get(path: str, **headers: str) -> Row:
    """A row that reads an address."""
    return Row("GET", path, headers=headers)


def form_row(path: str, form: str, **fields: str) -> Row:
    """A row that sends a form."""
    return Row("POST", path, form=form, fields=fields)


# --- the API -----------------------------------------------------------------------------------------------------


@cache
def longest(game_id: str) -> tuple[str, Any]:
    """The recorded game with the most moves: its name, and its record."""
    name = longest_of(game_id)
    return name, record_of(name)


def asked_of(game_id: str) -> Iterator[Row]:
    """API requests about a game: its rules and cases, and questions about its longest recorded game."""
    there, record = f"{V1}/games/{game_id}", longest(game_id)[1]
    rule = next(iter(load(game_id, "rulebook")))
    for path in ("", "/rules", f"/rules/{rule}", "/cases", "/search?q=the+first+player"):
        yield get(there + path)
    yield get(f"{there}/cases/{_first_case(game_id)}")
    played = {"setup": record["setup"], "moves": record["moves"]}
    last = record["moves"][-1]
    asked = last["move"] if isinstance(last, dict) else last
    yield Row("POST", f"{there}/rulings", {**played, "moves": record["moves"][:-1], "move": asked, "explain": True})
    yield Row("POST", f"{there}/rulings/batch", {"rulings": [{"setup": record["setup"], "move": asked}] * 5})
    yield Row("POST", f"{there}/legal-moves", {**played, "moves": record["moves"][: len(record["moves"]) // 2]})
    yield Row("POST", f"{there}/scores", played)
    for form in ("application/json", "image/svg+xml"):
        yield Row("POST", f"{there}/positions", played, headers={"Accept": form})
    yield Row("POST", f"{V1}/tables", {"game": game_id, **played})
    yield Row("POST", f"{V1}/tables", long_export(game_id, 200), headers={"Prefer": "import"})
    for path in (
        "",
        "?fields=due",
        "/position",
        "/export",
        "/export?format=png&of=sheet",
        "/log?limit=500",
        "/events?after=0",
        "/score",
        "/legal-moves?limit=5000",
        "/readings",
    ):
        yield get(f"{V1}/tables/{{{game_id}}}{path}")


def _first_case(game_id: str) -> str:
    return str(numbering.name(load(game_id, "cases")["case"][0]))


GROUP_RESULT: Final = {
    "game": "Go",
    "day": "2026-01-05",
    "players": [{"name": "Ada", "points": 9, "won": True}, {"name": "Ben", "points": 4, "won": False}],
}
WRITTEN_ROWS: Final = (
    Row("POST", f"{V1}/tables/{{going}}/moves", {"move": "h d4", "stands": True}),
    Row("POST", f"{V1}/tables/{{going}}/rewind", {"to": 3}),
    Row("PATCH", f"{V1}/tables/{{going}}", {"names": {"black": "Ada"}}),
    Row("PUT", f"{V1}/tables/{{going}}/readings", {"readings": {"stuck": "turn_is_cut"}}),
    Row("POST", f"{V1}/tables/{{going}}/amend", {"delete": {"entry": 3}, "misfits": "stand"}),
    Row("PUT", f"{V1}/tables/{{going}}/position", {"position": {"cells": {}, "due": "black"}}),
    Row("POST", f"{V1}/tables/{{going}}/rulings", {"move": "h d4", "explain": True}),
    Row("POST", f"{V1}/tables/{{going}}/rolls", {"for": "dice", "dice": 2}),
    Row("POST", f"{V1}/tables/{{going}}/disputes", {"about": {"entry": 4}, "question": "?"}),
    get(f"{V1}/tables/{{disputed}}/disputes"),
    get(f"{V1}/tables/{{disputed}}/disputes/1"),
    Row(
        "POST",
        f"{V1}/tables/{{disputed}}/disputes/1/confirmation",
        {"remedy": "stands"},
        headers={"Authorization": "Bearer {disputed_seat}"},
    ),
    Row("POST", f"{V1}/tables/{{disputed}}/disputes/1/settlement", {"remedy": "stands"}),
    get(f"{V1}/tables/{{phases}}/keys"),
    Row("POST", f"{V1}/tables/{{phases}}/keys", {"role": "watch", "label": "Screen"}),
    Row("POST", f"{V1}/tables/{{phases}}/keys/watch/renewal", {}),
    Row("DELETE", f"{V1}/tables/{{phases}}/keys/2"),
    Row("POST", f"{V1}/tables/{{phases}}/join-codes", {"role": "watch"}),
    Row("POST", f"{V1}/join", {"code": "AAAA-AAAA"}, is_refused=True),
    get(f"{V1}/tables/{{phases}}/views"),
    Row("POST", f"{V1}/tables/{{phases}}/views", {"label": "Club"}),
    Row("DELETE", f"{V1}/tables/{{phases}}/views/1"),
    *(get(f"{V1}/views/{{view}}{path}") for path in ("", "/score.json", "/score.txt", "/events?after=0")),
    get("/p/{view}?lang=fr"),
    get(f"/p/{{view}}/1.fr.svg?v={service.__version__}"),
    Row("DELETE", f"{V1}/tables/{{ended}}"),
    Row("POST", f"{V1}/groups", {"name": "Club"}),
    get(f"{V1}/groups/{{group}}"),
    Row("POST", f"{V1}/groups/{{group}}/results", {"results": [GROUP_RESULT]}),
    Row("DELETE", f"{V1}/groups/{{group}}/results/2"),
)
"""Requests that change something, or read a table, a group or a public view."""
TEXTS: Final = tuple(
    get(path, **{"Accept-Encoding": coding})
    for path in (f"{V1}/docs", f"{V1}/openapi.yaml")
    for coding in ("identity", "gzip", "br", "zstd")
) + tuple(
    map(
        get,
        (
            f"{V1}/games",
            f"{V1}/limits",
            f"{V1}/static/docs.css",
            "/problems",
            "/problems/too-many-requests",
            "/livez",
            "/readyz",
        ),
    )
)

# --- pages, files and forms ----------------------------------------------------------------------------------------

AT_TABLE: Final = ("", "/score", "/moves", "/log", "/replay", "/sheet", "/share", "/board.svg")
"""Pages and files of the longest recorded game of each game, …"""
ALSO: Final = (
    "/moves?entry=4", "/moves?do=chart", "/moves?step=30", "/replay?step=30", "/turns", "/join", "/again", "/readings",
    "/amend?entry=2&do=insert",
    "/amend/preview?entry=2&do=delete", "/here", "/what-if", "/then?entry=2", "/disputes/new?entry=2", "/ahead",
    "/sheet.svg", "/sheet.txt", "/sheet.csv", "/sheet.json", "/log.txt", "/play", "/rewind", "/roll", "/disputes",
)  # fmt: skip
"""… and more of the one that has the most moves of all."""


def looked_at(game_id: str) -> Iterator[Row]:
    """The pages and the files of a game, and of its table."""
    most = max(GAMES, key=lambda other: len(longest(other)[1]["moves"]))
    for path in (*AT_TABLE, *(ALSO if game_id == most else ())):
        yield get(f"/t/{{{game_id}}}{path}")
    rule, case = next(iter(load(game_id, "rulebook"))), _first_case(game_id)
    picture = [f"/cases/{case}.svg"] if game_id == most else []
    for path in ("", "?q=the+first+player", f"/{rule}", "/cases", f"/cases/{case}", *picture):
        yield get(f"/rules/{game_id}{path}")
    yield get(f"/count/{game_id}")
    yield get(f"/ask/{game_id}")
    yield get(f"/assets/games/{game_id}.svg", **PACKED_HEADERS)
    yield get(f"/assets/inks/{game_id}.css", **PACKED_HEADERS)
    yield form_row(f"/?{urlencode({'game': game_id, **FILLED_FIELDS[game_id]})}", "/")


PACKED_HEADERS: Final = {"Accept-Encoding": "gzip, br"}
FILES: Final = (
    "/assets/inks.css", "/assets/app.js", "/assets/app.css", "/worker.js", "/app/fr.webmanifest", "/app/en/offline",
    "/g/results.json", "/g/results.csv", "/g/{group}/results.json", "/g/{group}/results.csv", "/g/keep",
    "/g/{group}/import", "/t/{phases}/views", "/t/{phases}/views/1/revoke", "/t/{phases}/keys/watch/renew",
    "/t/{phases}/keys/watch/end", "/t/{phases}/codes/watch",
    "/t/{disputed}/disputes/1/settlement", "/t/{disputed}/disputes/1/confirmation",
)  # fmt: skip
CONFIRMATION: Final = "/t/{disputed}/disputes/1/confirmation"
"""Where a player confirms a remedy: the only page that these rows request with the key of a seat."""
FORMS: Final = (
    form_row("/", "/tables", do="remove"),
    form_row("/t/{going}?move=h+d4", "/play"),
    form_row("/t/{going}/moves?entry=4", "/rewind"),
    form_row("/t/{going}/moves?entry=4", "/play-on"),
    form_row("/t/{going}/readings", "/readings"),
    form_row("/t/{going}/amend/preview?entry=3&do=delete", "/amend"),
    form_row("/t/{disputed}/here", "/here"),
    form_row("/t/{going}/join", "/join", key="{going_host}"),
    form_row("/t/{going}/turns", "/turns"),
    form_row("/t/{phases}/share", "/views", label="Club"),
    form_row("/t/{phases}/share", "/revoke"),
    form_row("/t/{phases}/share", "/watch/renew"),
    form_row("/t/{phases}/share", "/watch/end"),
    form_row("/t/{phases}/share", "/codes/watch"),
    Row("POST", "/join", form="/join", fields={"code": "AAAA-AAAA"}, is_refused=True),
    form_row("/t/{going}/moves?show=dice", "/roll", dice="2"),
    form_row("/t/{disputed}/disputes/new?entry=4", "/disputes", question="?"),
    form_row("/t/{disputed}/disputes/1", "/settlement", remedy="stands"),
    form_row("/t/{disputed}/disputes/1/here", "/here"),
    Row("POST", CONFIRMATION, fields={"version": "5", "remedy": "stands"}),
    Row("GET", "/t/{disputed}/here", link="/here/"),
    Row("GET", "/t/{disputed}/disputes/1/here", link="/disputes/1/here/"),
    Row("GET", "/t/{going}/what-if", link="?kind=readings"),
    Row("GET", "/t/{going}/what-if?move=h+c4", link="/move"),
    Row("GET", "/t/{going}/what-if", link="/count/villefranche/"),
    get("/t/{going}/count/villefranche"),
    get("/t/{going}/ask/villefranche"),
    Row("GET", "/ask/villefranche?brush=black-shop&paint=c4", link="/ask/villefranche/"),
    Row("GET", "/ask/villefranche?brush=black-shop&paint=c4", link="/ask/villefranche/", beyond="/case?move=h+e5"),
    get("/t/{disputed}/case?dispute=1"),
    form_row("/t/{ended}/result", "/result"),
    form_row("/g", "/g", name="Club"),
    form_row("/g?of=phone", "/g/keep"),
    form_row("/g/{group}", "/import", file=json.dumps({"results": [GROUP_RESULT]})),
    form_row("/g/{group}", "/out"),
    form_row("/g/{group}?out=3", "/back"),
    form_row("/g/{group}/clear", "/clear"),
    form_row("/g/{group}/leave", "/leave"),
    form_row("/g/{group}/join", "/join", key="{group_host}"),
    form_row("/g/{group}/add", "/add", **{"game": "Go", "name-1": "Ada"}),
)


# --- all rows ----------------------------------------------------------------------------------------------------


@cache
def parts() -> Mapping[str, Sequence[Row]]:
    """All rows, in parts that can be measured separately; each row is in one part."""
    pages = [Row("GET", path, is_refused=name in ASTRAY) for name, path in PAGES.items()]
    every: dict[str, Sequence[Row]] = {
        "texts and changes": (*TEXTS, *WRITTEN_ROWS, *FORMS, *(get(path, **PACKED_HEADERS) for path in FILES)),
        **{game: (*asked_of(game), *looked_at(game)) for game in GAMES},
        "pages": pages,
    }
    owners = {row.name: name for name, some in reversed(every.items()) for row in some}
    return {
        name: [row for row in {row.name: row for row in some}.values() if owners[row.name] == name]
        for name, some in every.items()
    }


def rows() -> Iterator[Row]:
    """All rows, each once."""
    yield from chain.from_iterable(parts().values())


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it is sent: a form if there are `fields`, else JSON or nothing."""

    method: str
    path: str
    body: bytes | None
    fields: Mapping[str, str]
    headers: Mapping[str, str]


class Opening:
    """Tables and a group for these rows, with a browser that has the keys of all of them."""

    def __init__(self, app: Flask) -> None:
        with app.app_context():
            own = open_all(referee(), groups())
            records = {game: open_table(referee(), longest(game)[0]) for game in GAMES}
        self.places = replace(own, tables={**own.tables, **records})
        self.visitor = Visitor(app.test_client())
        for each in self.places.tables.values():  # the first page lists the tables that were joined
            self.visitor.post(f"/t/{each.table.id}/join", {"key": each.keys.host})
        for name, value, path in self.places.cookies():
            self.visitor.client.set_cookie(name, value, path=path)
        tables = self.places.tables.items()
        hosts = {f"{name}_host": each.keys.host for name, each in tables}
        seats = {f"{name}_seat": next(iter(each.keys.seats.values())) for name, each in tables}
        self.names = {**self.places.ids, **hosts, **seats, "group_host": self.places.key}

    def cookies(self) -> Sequence[tuple[str, str, str]]:
        """The name, the value and the path of each cookie of the browser."""
        recent = self.visitor.client.get_cookie("recent")
        assert recent is not None
        seat, key = next(iter(self.places.tables["disputed"].keys.seats.items()))
        seated = ("keys", f"{seat}.{key}", CONFIRMATION.format(**self.names))
        return (seated, *self.places.cookies(), ("recent", recent.value, "/"))

    def request(self, row: Row, language: str) -> Request:
        """The request of a row; opens the page that has its form or its link."""
        path, given = row.path.format(**self.names), {"Accept-Language": language}
        headers = given | self._keys(row) | {name: value.format(**self.names) for name, value in row.headers.items()}
        if row.form:
            page = self.visitor.client.get(path, headers=given, follow_redirects=True)
            filled = {
                name: value if name == "file" else value.format(**self.names) for name, value in row.fields.items()
            }
            address, fields = Document(page.text).form(row.form)
            return Request(row.method, address, None, {**fields, **filled}, {**given, "Origin": ORIGIN})
        if row.link:
            page = self.visitor.client.get(path, headers=given, follow_redirects=True)
            found = (page.request.path, *Document(page.text).links())
            path = next(link for link in found if row.link in link) + row.beyond
        if row.fields:
            return Request(row.method, path, None, row.fields, {**given, "Origin": ORIGIN})
        if row.body is None:
            return Request(row.method, path, None, {}, headers)
        return Request(row.method, path, orjson.dumps(row.body), {}, {**headers, "Content-Type": "application/json"})

    def _keys(self, row: Row) -> dict[str, str]:
        """The headers that the API asks for: the key of the host or of the group, and a change's version."""
        found = re.match(rf"{V1}/(tables|groups)/\{{(\w+)\}}", row.path)
        if found is None:
            return {}
        key = {"Authorization": f"Bearer {self.names[found[2] + '_host']}"}
        if found[1] == "groups" or row.method == "GET":
            return key
        table = self.visitor.client.get(found[0].format(**self.names), headers=key)
        return {**key, "If-Match": table.headers["ETag"]}
