"""An answer in parts has the changed parts; merged into the page shown, they give the whole page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any, Final

import pytest

from rules import GAMES
from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.records import record_of, records_of
from tests.web.conftest import MARKS, ORIGIN, PART, Visitor, having

Visitors = Callable[..., Visitor]
VOID: Final = frozenset({"input", "meta", "link", "br", "img", "hr"})
RANDOM: Final = re.compile(r'(name="key" value=")[^"]+')
LATE: Final = ("architekton/stood", "fief/five_and_much_stood", "robber_knights/four_and_much_stood")
MAX_BYTES: Final = 5_000
"""Limit for a tap on a late board, by gzip; the whole part has 5,000 to 7,000."""
MAX_AT_FIRST: Final = 8_000
"""Limit for the whole page, by gzip."""
MAX_UNDO: Final = 6_000
"""Limit for an undo or a redo, by brotli and in French."""


class Node:
    """An element of a page, with its contents."""

    def __init__(self, tag: str, attributes: dict[str, str | None]) -> None:
        self.tag, self.attributes = tag, attributes
        self.content: list[Node | str] = []
        self.data: dict[str, Any] = {}

    def every(self) -> Iterator[Node]:
        """This element and all within."""
        yield self
        for part in self.content:
            if isinstance(part, Node):
                yield from part.every()

    def node_of(self, name: str) -> Node | None:
        """The element with an id, or None."""
        return next((node for node in self.every() if node.attributes.get("id") == name), None)

    def replace(self, name: str, other: Node) -> None:
        """Put an element in place of the one with this id."""
        for node in self.every():
            node.content = [
                other if isinstance(part, Node) and part.attributes.get("id") == name else part for part in node.content
            ]

    def data_of_scripts(self) -> dict[str, Any]:
        """The page data."""
        return next(node.data for node in self.every() if node.data)

    def value(self) -> Any:
        """The element and its contents, as values to compare."""
        text = [part if isinstance(part, Node) else " ".join(part.split()) for part in self.content]
        return (
            self.tag,
            self.attributes,
            self.data,
            [part.value() if isinstance(part, Node) else part for part in text if part],
        )


class Page(HTMLParser):
    """Parses a page, or a part of one, into elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open = [Node("", {})]
        self.feed(RANDOM.sub(r"\1", text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an element, and enter it."""
        node = Node(tag, dict(attrs))
        self.open[-1].content.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an empty element."""
        self.open[-1].content.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        """Add text, or note the page data."""
        if self.open[-1].tag == "script" and data.startswith("{"):
            self.open[-1].data = json.loads(data)
        else:
            self.open[-1].content.append(data)


def read(text: str) -> Node:
    """The root of a page."""
    return Page(text).open[0]


def merge(page: Node, answer: Node) -> None:
    """Merge an answer in parts into a page, as htmx and our script do."""
    parts = [part for part in answer.content if isinstance(part, Node) and "hx-swap-oob" not in part.attributes]
    parts += [part for svg in parts if svg.tag == "svg" for part in svg.content if isinstance(part, Node)]
    for part in [part for part in parts if part.tag != "svg"]:
        for place in [node for node in part.every() if "data-kept" in node.attributes]:
            kept = page.node_of(place.attributes["id"] or "")
            assert kept is not None, "what is left out is there"
            part.replace(place.attributes["id"] or "", kept)
        assert page.node_of(part.attributes["id"] or "") is not None, "every part has its place"
        if part.data:
            part.data = {"site": page.data_of_scripts()["site"], **part.data}
        page.replace(part.attributes["id"] or "", part)
    table, told = page.node_of("table"), page.node_of("page-data")
    assert table is not None
    assert told is not None
    table.attributes["class"] = told.data.pop("look")
    table.attributes["data-version"] = str(told.data["version"])
    if (slider := page.node_of("step")) is not None:
        slider.attributes["value"] = str(told.data["step"])
    if (select := page.node_of("round")) is not None:
        for number, option in enumerate((node for node in select.every() if node.tag == "option"), start=1):
            option.attributes = {"selected": None} if number == told.data["round"] else {}
    chosen = told.data["board"]["chosen"]
    for cell in (node for node in page.every() if node.attributes.get("class") == "cell"):
        cell.attributes.pop("aria-current", None)
        if cell.attributes["id"] in chosen:
            cell.attributes["aria-current"] = "true"


def ways(page: str, table: str, move: str) -> list[str]:
    """Addresses to visit at a table: cells, due kinds, a move, the zoomed board, other sections, and back."""
    cells = [each.replace("&amp;", "&") for each in re.findall(r'<a class="cell"[^>]* href="([^"]+)"', page)]
    kinds = [each.replace("&amp;", "&") for each in re.findall(r'<a class="kind[^>]* href="([^"]+)"', page)]
    asked = f"{table}?move={move.replace(' ', '+')}"
    near = f"{table}?zoom={cells[len(cells) // 2].partition('at=')[2]}"
    return [
        *cells[:: len(cells) // 3], *kinds[:2], asked, table, near, cells[1], f"{table}/moves?entry=4",
        f"{table}/moves?entry=5", f"{table}/moves?do=chart", f"{table}/moves?entry=5", f"{table}/score", table,
    ]  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_parts_make_the_whole(game: str, visitor: Visitors, ledger: Ledger) -> None:
    """Through views, a move and its undo, the page merged from parts equals the page as loaded."""
    guest = visitor("fr")
    name = records_of(game)[0].stem
    moves = record_of(f"{game}/{name}")["moves"]
    number = len(moves) * 2 // 3
    table = guest.sit(ledger, f"{game}/{name}", number)
    move = moves[number] if isinstance(moves[number], str) else moves[number]["move"]
    text = guest.get(table, **PART).text
    page = read(text)
    marks = {one or other for one, other in MARKS.findall(text)}
    assert marks

    def follow(path: str) -> None:
        whole = guest.get(path, **PART)
        answer = guest.get(path, **PART, **{"Bastide-Has": " ".join(having_now(page))})
        assert answer.headers["HX-Reswap"] == "parts"
        assert "HX-Reswap" not in whole.headers
        assert len(answer.text) < len(whole.text)
        merge(page, read(answer.text))
        assert page.node_of("table").value() == read(whole.text).node_of("table").value(), path  # type: ignore[union-attr]  # it is there

    for path in ways(text, table, move):
        follow(path)
    placed = guest.place(table, move, **({} if isinstance(moves[number], str) else {"stands": "yes"}))
    follow(table)
    guest.send(placed.form("/rewind"))
    follow(table)


@pytest.mark.parametrize("name", LATE)
def test_a_first_view_and_a_tap_are_small(name: str, visitor: Visitors, ledger: Ledger) -> None:
    """On a late board the page, a tapped cell and a verdict keep to their limits by gzip."""
    guest = visitor()
    record = record_of(name)["moves"]
    number = len(record) - 6
    table = guest.sit(ledger, name, number)
    text = guest.get(table).text
    assert len(guest.get(table, **{"Accept-Encoding": "gzip"}).data) <= MAX_AT_FIRST
    move = record[number] if isinstance(record[number], str) else record[number]["move"]
    for path in ways(text, table, move)[:7]:
        answer = guest.get(path, **having(text), **{"Accept-Encoding": "gzip"})
        assert (answer.status_code, answer.headers["Content-Encoding"]) == (200, "gzip")
        assert len(answer.data) <= MAX_BYTES, path


@pytest.mark.parametrize("game", GAMES)
def test_an_undo_is_small(game: str, visitor: Visitors, ledger: Ledger) -> None:
    """In each game's longest record, undo and redo at two thirds and at the end are answered in small parts."""
    name = max((f"{game}/{path.stem}" for path in records_of(game)), key=lambda name: len(record_of(name)["moves"]))
    moves = len(record_of(name)["moves"])
    for number in (moves * 2 // 3, moves):
        guest = visitor("fr")
        table = guest.sit(ledger, name, number)
        for _ in ("undo", "redo"):
            text = guest.get(table).text
            if f"{table}?do=undo" in Document(text).links():  # a finished game asks first
                text = guest.get(f"{table}?do=undo").text
            address, fields = Document(text).form("/rewind")
            answer = guest.post(address, fields, {"Origin": ORIGIN, **having(text), "Accept-Encoding": "br"})
            assert (answer.status_code, answer.headers["HX-Reswap"]) == (200, "parts")
            assert answer.headers["Content-Encoding"] == "br"
            assert len(answer.data) <= MAX_UNDO, (name, number)


def test_what_shows_something_else_gets_all_of_it(visitor: Visitors) -> None:
    """A browser that shows another table or language, or sends unknown marks, gets the whole part."""
    guest = visitor("en")
    table, other = guest.open(), guest.open()
    here = having(guest.get(table).text)
    assert guest.get(table, **here).headers["HX-Reswap"] == "parts"
    odd = ({**here, "Bastide-Has": marks} for marks in ("", "x", "m" * 9, "é", "," * 9000))
    french = having(visitor("fr").get(table).text)
    for headers in (having(guest.get(other).text), french, *odd):
        answer = guest.get(table, **headers)
        assert "HX-Reswap" not in answer.headers
        assert answer.text.lstrip().startswith('<div id="table"')
    whole = guest.get(table, **here, **{"HX-History-Restore-Request": "true"})
    assert "<html" in whole.text
    assert "HX-Reswap" not in whole.headers


def test_what_is_refused_is_in_parts_too(visitor: Visitors) -> None:
    """A late form gets 412 in parts, which say so and bring what the other phone changed."""
    guest = visitor()
    table = guest.open()
    address, fields = guest.see(f"{table}?move=r+g1h1").form("/play")
    here = having(guest.get(table).text)
    guest.place(table, "r b9c9")
    answer = guest.post(address, fields, {"Origin": ORIGIN, **here})
    assert (answer.status_code, answer.headers["HX-Reswap"]) == (412, "parts")
    assert "Another phone was faster" in answer.text
    assert 'id="players"' in answer.text, "what the other phone has changed"


def having_now(page: Node) -> list[str]:
    """The marks that our script would send from a page."""
    names = [node.attributes["data-mark"] or "" for node in page.every() if "data-mark" in node.attributes]
    ids = [node.attributes["id"] or "" for node in page.every() if node.tag == "g" and "id" in node.attributes]
    return [*names, *(each for each in ids if len(each) == 9 and each[0] == "m")]


def test_what_a_form_did_is_in_its_answer(visitor: Visitors) -> None:
    """After a form, the script gets the page in parts and the new version; a browser is redirected to the page."""
    guest = visitor("en")
    table = guest.open()
    address, fields = guest.see(f"{table}?move=r+g1h1").form("/play")
    answer = guest.post(address, fields, {"Origin": ORIGIN, **having(guest.get(table).text)})
    assert (answer.status_code, answer.headers["HX-Reswap"]) == (200, "parts")
    assert (answer.headers["HX-Replace-Url"], answer.headers["Bastide-Done"]) == (table, "2")
    assert Document(answer.text).data["version"] == 2
    assert 'class="toast placed"' in answer.text
    address, fields = guest.see(table).form("/rewind")
    undone = guest.post(address, fields, {"Origin": ORIGIN})
    assert (undone.status_code, undone.headers["Location"]) == (303, f"{table}?done=3")
    assert "Bastide-Done" not in undone.headers
