"""Names with markup in a real browser: all are shown as text, and no script in them runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice
from typing import Any, Final

from playwright.sync_api import Page

from rules import GAMES
from service import schemas
from service.judgements import AttemptedMove
from service.referee.use_cases import NewTable
from tests.e2e.conftest import Phone, Server
from tests.support.records import record_of

NAMES: Final = (
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//x.example/x.js></SCRIPT>",
    "</script><script>alert(2)</script>",
    '"><script>alert(3)</script>',
    "'><script>alert(4)</script>",
    "</title><script>alert(5)</script>",
    "</textarea><script>alert(6)</script>",
    "--><script>alert(7)</script>",
    "]]><script>alert(8)</script>",
    "<script >alert`9`</script >",
    "<img src=x onerror=alert(10)>",
    '"><img src=x onerror=alert(11)>',
    "'><img src=x onerror=alert(12)>",
    "</option><img src=x onerror=alert(13)>",
    "</svg><img src=x onerror=alert(14)>",
    "</text><img src=x onerror=alert(15)>",
    "</label><img src=x onerror=alert(16)>",
    "<img/src/onerror=alert(17)>",
    "<IMG SRC=x ONERROR=alert(18)>",
    "<image href=x onerror=alert(19)>",
    "<svg onload=alert(20)>",
    '"><svg/onload=alert(21)>',
    "</title><svg onload=alert(22)>",
    "<svg><script>alert(23)</script>",
    "<svg><a href=javascript:alert(24)>x",
    "<math><mi//xlink:href=x onclick=alert()>",
    "<body onload=alert(26)>",
    "<iframe src=javascript:alert(27)>",
    "<iframe srcdoc='<svg onload=alert(28)>'>",
    "<object data=//x.example>",
    "<embed src=//x.example>",
    "<base href=//x.example/>",
    "<link rel=stylesheet href=//x.example>",
    "<style>*{display:none}</style>",
    "<meta http-equiv=refresh content=0>",
    "<form action=//x.example><button>x",
    "<a href=//x.example>x</a>",
    "<a href=javascript:alert(38)>x</a>",
    "javascript:alert(39)",
    '" autofocus onfocus=alert(40) x="',
    "' onmouseover='alert(41)",
    '" hx-get="/x" hx-trigger="load',
    '" style="position:fixed;inset:0',
    "<details open ontoggle=alert(44)>",
    "<video><source onerror=alert(45)>",
    "{{ 7*7 }}{% raw %}${7*7}#{7*7}<%= 7*7 %>",
    "&lt;img src=x onerror=alert(47)&gt;",
    "&#60;script&#62;alert(48)&#60;/script",
    "\\u003cscript\\u003ealert(49)",
    "%(who)s %s {0} {who} `${alert(50)}`",
)
"""Fifty names of valid length: scripts, handlers, templates, entities, and ends of surrounding markup."""
SEATS: Final = 6
PAGES: Final = ("", "/sheet", "/score", "/moves", "/turns", "/again", "/replay", "?zoom=", "/moves?entry=3")
"""Pages of a table, one for each table."""
MARKUP: Final = """() => [
    ...[...document.querySelectorAll("body *")].filter((one) => [...one.attributes].some(({name, value}) =>
        (name.startsWith("on") || ["srcdoc", "style"].includes(name) && value.includes("fixed")
        || /^(javascript:|\\/\\/|x$)/i.test(value) && ["src", "href", "action", "data", "hx-get"].includes(name)))),
    ...document.querySelectorAll("iframe, object, embed, base, math, video, body style, main meta"),
    ...[...document.scripts].filter((one) => !one.src && one.type !== "application/json"),
].map((one) => one.outerHTML.slice(0, 80))"""
"""Elements and attributes that can only come from a name."""


def six(server: Server, names: tuple[str, ...]) -> NewTable:
    """A table of six players with these names, after eight moves."""
    record = record_of("fief/six_together")
    game = GAMES[record["game"]]
    for player, name in zip(record["setup"]["players"], names, strict=True):
        player["name"] = name
    moves: list[Any] = record["moves"][:8]
    return server.referee.open(
        game.id,
        schemas.load(schemas.of(game).setup, record["setup"]),
        [AttemptedMove(game.read(move)) for move in moves],
    )


def group(server: Server) -> tuple[str, str]:
    """The id and key of a group with a result for every six names."""
    results = [
        {"game": "fief", "day": "2026-01-05", "players": [{"name": name, "points": 3, "won": False} for name in names]}
        for names in tables()
    ]
    found, key = server.groups.create(NAMES[0])
    kept = tuple(schemas.with_ids(schemas.load(schemas.RESULTS, {"results": results})["results"]))
    server.groups.import_results(found.id, key, kept, None)
    return found.id, key


def tables() -> list[tuple[str, ...]]:
    """The names in groups of six, the last filled up with the first names."""
    every = tuple(islice(cycle(NAMES), len(PAGES) * SEATS))
    return [every[at : at + SEATS] for at in range(0, len(every), SEATS)]


def text(page: Page) -> str:
    """The text of a page, with the values of its fields."""
    fields = "[...document.querySelectorAll('input, textarea')].map((it) => it.value)"
    said: str = page.evaluate(f"[document.body.textContent, ...{fields}].join(' ')")
    return said


def test_fifty_names_with_markup_do_nothing(phone: Callable[..., Phone], server: Server) -> None:
    """Pages of tables, the first page and a group show each name as typed. No name opens a dialog, causes an error, or
    adds an element or attribute. The control: a page that takes a name as markup opens a dialog.
    """
    assert len(set(NAMES)) == 50
    made, origin = phone(), {"Origin": server.url, "Sec-Fetch-Site": "same-origin"}
    for names, path in zip(tables(), PAGES, strict=True):
        table = six(server, names)
        address = f"{server.url}/t/{table.table.id}"
        made.context.request.post(f"{address}/join", form={"key": table.keys.host}, headers=origin)
        page = made.open(f"/t/{table.table.id}{path}")
        assert [name for name in names if name not in text(page)] == [], path
        assert page.evaluate(MARKUP) == [], path
    page = made.open("/")
    assert sum(name in text(page) for name in NAMES) >= len(NAMES) / 2  # the cookie has room for these
    assert page.evaluate(MARKUP) == []
    found, key = group(server)
    made.context.request.post(f"{server.url}/g/{found}/join", form={"key": key}, headers=origin)
    page = made.open(f"/g/{found}")
    assert [name for name in NAMES if name not in text(page)] == []
    assert page.evaluate(MARKUP) == []

    control = phone()
    control.expected_complaints = ("10",)
    with control.page.expect_event("dialog") as dialog:
        control.page.set_content(NAMES[10])
    assert dialog.value.message == "10"
    assert len(control.page.evaluate(MARKUP)) == 1
