"""Pages call players by their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import urljoin

import pytest

from rules import GAMES
from service.i18n import sentences
from service.storage.ledger import Ledger
from tests.support.count_pages import PLACE
from tests.support.document import Document
from tests.support.loops import over
from tests.support.records import records_of
from tests.web.conftest import Visitor
from web.games import all_pages

SPOKEN_ATTRIBUTES = ("aria-label", "title", "alt", "placeholder")
MAX_LINKS = 8
"""The most links followed per page."""


def _texts(page: str) -> list[tuple[str, str]]:
    """All texts and spoken attributes of a page, each with the class of its element, or its tag."""
    whole = Document(page)
    return [
        *((tag, given[name] or "") for tag, given in whole.elements for name in SPOKEN_ATTRIBUTES if given.get(name)),
        *(
            (around.attributes.get("class") or around.tag or "", " ".join(text.split()))
            for around, text in whole.texts
            if text.strip() and around.tag != "code"
        ),
    ]


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
        for around, text in over(_texts(page)):
            of_piece = "villa-name" in around.split() or "column" in text
            assert of_piece or not colour.search(text), (address, text)
            assert not PLACE.search(text), (address, text)
