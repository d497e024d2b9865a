"""Names from right to left: isolated in the text of pages, and bare for programs and forms."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any
from urllib.parse import unquote

import pytest

from rules import GAMES
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from tests.support.group_pages import found_group, import_file
from tests.support.records import record_of, records_of
from tests.support.tables import open_record
from tests.web.conftest import Visitor
from web.browser.bidi import ISOLATE, UNTIL, isolate_name, strip_isolates
from web.games import all_pages

Visitors = Callable[..., Visitor]
HEBREW = ("שרה", "דוד", "רות", "לאה", "משה", "נח")
LETTERS = re.compile("[\u0590-\u05ff]+")
FILLED_IN = re.compile(r'\b(?:value|title)="[^"]*"|<textarea(?! class="link")[^>]*>[^<]*')
"""Values of attributes and fields, which have bare names."""
PAGES = (
    "",
    "/moves",
    "/moves?entry=4",
    "/score",
    "/turns",
    "/moves?entry=10&do=chart",
    "/share",
    "/sheet",
    "/sheet.txt",
    "/log.txt",
)
PICTURES = ("/sheet.svg", "/board.svg")


def seat_players(guest: Visitor, ledger: Ledger, game_id: str, names: tuple[str, ...]) -> str:
    """Sit at a finished table whose players have these names; returns its address."""
    path = records_of(game_id)[0]
    record, _game = record_of(path), GAMES[game_id]
    for player, name in zip(record["setup"]["players"], names, strict=False):
        player["name"] = name
    new = open_record(Referee(ledger), record)
    address = f"/t/{new.table.id}"
    guest.client.set_cookie("keys", f"host.{new.keys.host}", path=address)
    guest.post(f"{address}/join", {"key": new.keys.host})
    return address


def names_on(page: str) -> Iterator[tuple[str, str, str]]:
    """The Hebrew names on a page, each with the characters before and after it."""
    text = unescape(FILLED_IN.sub("", page))
    for found in LETTERS.finditer(text):
        yield text[: found.start()][-1:], found[0], text[found.end() :][:1]


@pytest.mark.parametrize("game", sorted(all_pages()))
def test_a_name_from_the_right_turns_nothing_beside_it(game: str, visitor: Visitors, ledger: Ledger) -> None:
    """Pages, texts and pictures of a table isolate Hebrew names. The control: plain names are not isolated."""
    guest, control = visitor(), visitor()
    hebrew = seat_players(guest, ledger, game, HEBREW)
    plain = seat_players(control, ledger, game, tuple("ABCDEF"))
    for path in (*PAGES, *PICTURES, None):
        page = guest.get("/" if path is None else hebrew + path)
        assert page.status_code == 200, path
        found = list(names_on(page.text))
        assert found or path in ("/board.svg", "/share"), path
        assert {(before, after) for before, _, after in found} <= {(ISOLATE, UNTIL)}, (path, found)
        other = control.get("/" if path is None else plain + path).text
        assert ISOLATE not in other, path
        assert UNTIL not in other, path


def test_programs_and_forms_have_the_bare_name(visitor: Visitors, ledger: Ledger) -> None:
    """Files of a table and a group, the link to another app and the form for a result have the bare name."""
    guest = visitor()
    table = seat_players(guest, ledger, "villefranche", HEBREW)
    keeping = guest.see(f"{table}/result").form("/result")
    group = guest.post(keeping[0], keeping[1]).headers["Location"]
    link = unquote(re.findall('href="(https://app.bgstats[^"]+)', guest.get(f"{table}/sheet").text)[0])
    files = [f"{table}/sheet.csv", f"{table}/sheet.json", f"{group}/results.csv", f"{group}/results.json"]
    for text in (link, json.dumps(keeping, ensure_ascii=False), *(guest.get(path).text for path in files)):
        assert HEBREW[0] in text, text
        assert strip_isolates(text) == text


def test_a_name_is_no_formula_in_a_file(visitor: Visitors, ledger: Ledger) -> None:
    """A CSV escapes a formula in a name, also with Hebrew letters. The control: another name is unchanged."""
    guest = visitor()
    table = seat_players(guest, ledger, "villefranche", ('=1+1&"א"', "דוד"))
    rows = list(csv.reader(guest.get(f"{table}/sheet.csv").text.splitlines()))
    assert [row[0] for row in rows[1:]] == ['\'=1+1&"א"', "דוד"]


def test_a_name_that_is_cut_ends_where_it_is_cut(visitor: Visitors, ledger: Ledger) -> None:
    """The isolate of a name cut in the chart ends before the points."""
    guest = visitor()
    table = seat_players(guest, ledger, "villefranche", ("דוד בן גוריון", "Anne"))
    page = unescape(guest.get(f"{table}/moves?do=chart").text)
    assert re.search(f"{ISOLATE}דוד בן[^{UNTIL}<]*…{UNTIL} -?[0-9]+<", page)


def test_a_groups_page_says_points_beside_the_names_that_have_them(visitor: Visitors) -> None:
    """A group's sentences, lists and records isolate names from right to left, and no others."""
    guest = visitor()
    group = found_group(guest)
    players: list[Any] = [
        {"name": name, "points": points, "won": points == 30}
        for name, points in ((HEBREW[0], 30), ("Anne", 20), ("سارة", 10))
    ]
    value = {"game": "villefranche", "day": "2026-11-20", "players": players}
    assert import_file(guest, group, {"results": [value]}).status_code == 303
    text = guest.see(group).text
    first = f"{ISOLATE}{HEBREW[0]}{UNTIL}"
    assert f"{first} 30, Anne 20, {ISOLATE}سارة{UNTIL} 10" in text
    for sentence in ("{} wins by 10", "Best score: 30, {}", "Clearest win: by 10, {}"):
        assert sentence.format(first) in text
    assert isolate_name("Zoé 大") == "Zoé 大"
