"""Pages call players by their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest

from rules import GAMES
from service.i18n import sentences
from service.storage.ledger import Ledger
from tests.support.count_pages import PLACE
from tests.support.loops import over
from tests.support.records import records_of
from tests.web.conftest import Document, Visitor
from web.games import all_pages

SPOKEN_ATTRIBUTES = ("aria-label", "title", "alt", "placeholder")
MAX_LINKS = 8
"""The most links followed per page."""


class _Texts(HTMLParser):
    """All texts and spoken attributes of a page, each with the class of its element."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[tuple[str, str]] = []
        self.around = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element's spoken attributes."""
        given = dict(attrs)
        self.around = given.get("class") or tag
        self.texts += [(tag, given[name] or "") for name in SPOKEN_ATTRIBUTES if given.get(name)]

    def handle_data(self, data: str) -> None:
        """Note a text."""
        if data.strip() and self.around not in ("script", "style", "code"):
            self.texts.append((self.around, " ".join(data.split())))


def _pages(guest: Visitor, table: str) -> Iterator[tuple[str, str]]:
    """Pages of a table, with some of the kinds, cells and answers to which they link."""
    first = [table, *(f"{table}/{page}" for page in ("moves", "score", "share", "join", "moves?entry=3"))]
    for address in first:
        answer = guest.get(address)
        assert answer.status_code == 200, address
        yield address, answer.text
    links = dict.fromkeys(Document(guest.get(table).text).links())
    kinds = [link for link in links if "kind=" in link]
    cells = [link for link in links if "at=" in link]
    for address in (*kinds[:MAX_LINKS], *cells[:: max(1, len(cells) // MAX_LINKS)]):
        page = guest.get(address).text
        yield address, page
        for next_ in dict.fromkeys(link for link in Document(page).links() if "so=" in link or "move=" in link):
            yield next_, guest.get(next_).text
            break


def _pages_of_entry(guest: Visitor, table: str) -> Iterator[tuple[str, str]]:
    """The page on which the present board is entered, and some of its cells."""
    here = guest.get(f"{table}/here").headers["Location"]
    page = guest.get(here).text
    yield here, page
    cells = [link for link in dict.fromkeys(Document(page).links()) if "at=" in link]
    for link in cells[:: max(1, 2 * len(cells) // MAX_LINKS)]:
        address = urljoin(here, link)
        yield address, guest.get(address).text


@pytest.mark.parametrize("game", sorted(all_pages()))
def test_no_page_says_a_colour_or_a_place_where_a_name_is_meant(
    visitor: Callable[..., Visitor], ledger: Ledger, game: str
) -> None:
    """Pages say colours of pieces only, or in brackets after a name, and no coordinates of cells."""
    words = sentences.words("en", game)
    colours = "|".join(words.name(seat) for seat in GAMES[game].seats)
    colour = re.compile(rf"(?<!\()\b({colours})\b")
    guest, name = visitor(), records_of(game)[0].stem
    table = guest.sit(ledger, f"{game}/{name}", 12)
    for address, page in over((*_pages(guest, table), *_pages_of_entry(guest, table))):
        for around, said in over(_Texts(page).texts):
            of_piece = "villa-name" in around.split() or "column" in said
            assert of_piece or not colour.search(said), (address, said)
            assert not PLACE.search(said), (address, said)
