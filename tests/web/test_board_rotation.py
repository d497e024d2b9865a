"""A board turned towards the player: on this phone, in every game; its arrows lead where they point."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.web.conftest import Visitor, having
from web.board.scene import Neighbour, rotate_neighbours

Visitors = Callable[..., Visitor]
RECORDED_TABLES = (
    "villefranche/stood_and_cut",
    "robber_knights/drawn",
    "architekton/stood",
    "villa_paletti/holder_brings_it_down",
    "fief/three_alone",
)


def leads(page: Document, link: str) -> str:
    """The address of the link with this id."""
    return next(found["href"] or "" for _, found in page.elements if found.get("id") == link)


def drawing_of(page: Document) -> tuple[list[float], str | None, str | None]:
    """The board's `viewBox`, the rotation of its layers, and the turn in the page data."""
    squares = next(found for _, found in page.elements if found.get("id") == "squares")
    groups = (found.get("transform") or "" for tag, found in page.elements if tag == "g")
    around = next((transform for transform in groups if transform.startswith("rotate")), None)
    return (
        [float(part) for part in (squares["viewBox"] or "").split()],
        around,
        str(page.data["board"]["turn"] or "") or None,
    )


@pytest.mark.parametrize("recorded", RECORDED_TABLES)
def test_every_board_turns(recorded: str, visitor: Visitors, ledger: Ledger) -> None:
    """Each tap turns the board by a quarter around the middle of the view; the fourth restores it."""
    guest = visitor()
    table = guest.sit(ledger, recorded, 3)
    (x, y, width, height), nothing, _ = drawing_of(guest.see(table))
    assert nothing is None
    for turn in (1, 2, 3):
        guest.see(leads(guest.see(table), "turn-board"))
        (left, top, across, down), around, told = drawing_of(guest.see(table))
        assert (across, down) == ((height, width) if turn % 2 else (width, height))
        middle = (x + width / 2, y + height / 2)
        assert (left + across / 2, top + down / 2) == pytest.approx(middle, abs=0.1)
        assert around is not None
        assert around.startswith(f"rotate({90 * turn} ")
        assert told == str(turn)
    guest.see(leads(guest.see(table), "turn-board"))
    assert drawing_of(guest.see(table)) == ([x, y, width, height], None, None)


def test_a_board_is_turned_on_one_phone(visitor: Visitors, ledger: Ledger) -> None:
    """A turn counts for all tables, questions and counts of this browser only; an invalid value changes nothing."""
    guest, other = visitor(), visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 5)
    link = leads(guest.see(f"{table}?at=c4&zoom=c4"), "turn-board")
    assert link == f"{table}?at=c4&zoom=c4&turned=1"
    guest.see(link)
    for path in (guest.open(), "/count/villefranche", "/ask/villefranche", f"{table}/score"):
        assert drawing_of(guest.see(path))[2] == "1", path
    assert drawing_of(other.see(other.sit(ledger, "villefranche/stood_and_cut", 5)))[2] is None
    assert drawing_of(guest.see(f"{table}?turned=7"))[2] == "1"


def test_ways_lead_where_they_point(visitor: Visitors, ledger: Ledger) -> None:
    """On a board in any turn, the arrow up leads to the cell shown above."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 5)
    for turn, above in ((0, "d5"), (1, "c4"), (2, "d3"), (3, "e4")):
        href = leads(guest.see(f"{table}?at=d4&turned={turn}"), "go-up")
        assert f"at={above}" in href, turn


def test_ways_at_the_edge() -> None:
    """Turning the arrows changes their directions only: none is added, and one without a cell stays without one."""
    ways = (Neighbour("left", "west"), Neighbour("down", None))
    assert rotate_neighbours(ways, 0) == ways
    assert rotate_neighbours(ways, 1) == (Neighbour("left", None), Neighbour("up", "west"))
    assert rotate_neighbours(ways, 2) == (Neighbour("up", None), Neighbour("right", "west"))


def test_what_is_turned_is_sent_once(visitor: Visitors, ledger: Ledger) -> None:
    """A turn sends the whole board again; turning to what the browser has does not."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 5)
    asked = having(guest.get(table).text)
    answer = guest.get(f"{table}?turned=1", **asked)
    assert "rotate(90 " in answer.text
    assert answer.headers["HX-Replace-Url"] == table
    assert 'id="squares"' not in guest.get(f"{table}?turned=0", **asked).text
