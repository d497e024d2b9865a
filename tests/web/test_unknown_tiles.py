"""Questions with unknown cells on boards that grow: Robber Knights and Architekton."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from service.i18n.formatter import say
from tests.support.count_pages import PLACE
from tests.support.question_pages import Asker
from tests.web.conftest import PART, Visitor

Visitors = Callable[..., Visitor]


@pytest.mark.parametrize(
    ("game", "first", "second", "move"),
    [
        ("robber_knights", "plain", "village in the plain", "(-1,0)+plain+castle+>e+1+1+1"),
        ("architekton", "earth", "earth", "(-1,1)+building+E+E+E+E"),
    ],
)
def test_the_answer_leads_to_a_cell_that_nobody_looked_at(
    visitor: Visitors, game: str, first: str, second: str, move: str
) -> None:
    """The ruling names an unknown cell beside the tiles and links to it; once it is entered, the ruling is certain."""
    at = "1,0" if game == "robber_knights" else "0,1"
    hand = Asker(visitor(), f"/ask/{game}")
    hand.click("c-0,0")
    hand.choose(first)
    hand.click("cancel")
    hand.click(f"c-{at}")
    hand.choose("unknown")
    assert "not yet known" in unescape(hand.html)
    hand.click("cancel")
    hand.click("rest")
    hand.click("ask")
    hand.go(f"?move={move}")
    assert "Undecided" in hand.page.text
    assert re.search(r"To decide it, look at the cell in row \d, column \d\.", hand.page.text)
    assert not PLACE.search(hand.page.text)
    hand.click("look-1")
    assert f"at={at}" in hand.url
    hand.choose(second)
    hand.click("ask")
    hand.go(f"?move={move}")
    assert "Undecided" not in hand.page.text


@pytest.mark.parametrize("kind", ["landscape", "building"])
def test_beside_unknown_cells_no_tile_is_said_to_match_nothing(visitor: Visitors, kind: str) -> None:
    """On a board of which nothing is told, no line says that no tile fits. Another test checks the line of a table."""
    hand = Asker(visitor(), "/ask/architekton")
    hand.click("ask")
    hand.go(f"?at=0,0&kind={kind}")
    for said in ("None of these matches a side", "No such building may lie here"):
        assert said not in hand.page.text


def test_what_is_to_look_at_follows_no_preposition(visitor: Visitors) -> None:
    """In French, clauses such as « si l’enceinte est complète » are named after a colon, not after « de »."""
    hand = Asker(visitor("fr"), "/ask/architekton")
    hand.click("ask")
    hand.go("?at=0,0&kind=landscape&so=E")
    assert "Indécis" in hand.page.text
    assert "de une" not in hand.page.text
    for key in ("unproven", "needs_many"):
        said = say("fr", "unknown", key, {"rule": "Bord à bord", "needs": "si l’enceinte est complète"})
        assert said.endswith("\u00a0: si l’enceinte est complète.")


@pytest.mark.parametrize("game", ["robber_knights", "architekton"])
def test_between_what_is_entered_nothing_is_known(visitor: Visitors, game: str) -> None:
    """In the rectangle around the entered tiles, other cells are unknown until entered as free."""
    hand = Asker(visitor("fr"), f"/ask/{game}")
    name = "plaine" if game == "robber_knights" else "terre"
    for cell in ("0,0", "1,1") if game == "architekton" else ("0,0", "1,0", "1,1"):
        hand.click(f"c-{cell}")
        hand.choose(name)
        hand.click("cancel")
    unknown = hand.html.count("unseen-mark")
    assert unknown
    hand.click("c-0,1")
    hand.choose("rien")
    assert hand.html.count("unseen-mark") == unknown - 1
    hand.choose("inconnu")
    assert hand.html.count("unseen-mark") == unknown


def test_no_ruling_looks_at_sides_that_nobody_entered(visitor: Visitors) -> None:
    """Rulings beside a building without entered sides are undecided, even after a count, until all four are entered."""
    hand = Asker(visitor(), "/ask/architekton")
    hand.click("c-0,0")
    hand.choose("house of Light")
    hand.click("cancel")
    earth = "(1,0)+landscape+E"
    hand.click("ask")
    hand.go(f"?move={earth}")
    assert not PLACE.search(hand.page.text), "no cell is named by its numbers"
    hand.click("look-1")
    hand.click("cancel")
    hand.click("c-0,1")
    hand.choose("water")
    hand.click("cancel")
    hand.click("rest")
    for side in ("", "Top: water", "Right: earth", "Bottom: meadow"):
        if side:
            hand.choose(side)
        else:
            hand.click("count")
        hand.click("ask")
        hand.go(f"?move={earth}")
        assert "Undecided" in hand.page.text, side
        hand.click("look-1")
        assert "at=0,0" in hand.url
    hand.choose("Left: meadow")
    hand.click("ask")
    hand.go(f"?move={earth}")
    assert "Legal" in hand.page.text
    assert "Undecided" not in hand.page.text


def test_the_page_says_why_it_does_not_count(visitor: Visitors) -> None:
    """The disabled link to the count has its reason, until no cell is unknown."""
    hand = Asker(visitor(), "/ask/architekton")
    hand.click("c-0,0")
    hand.choose("unknown")
    assert "Nothing is counted while a cell is unknown." in hand.page.text
    assert hand.html.count('aria-describedby="why-not"') == 1
    hand.choose("earth")
    assert "Nothing is counted" not in hand.page.text
    hand.click("count")


def test_the_part_of_a_page_has_its_title(visitor: Visitors) -> None:
    """The part that htmx swaps has the title of its page."""
    guest = visitor()
    for path, title in (("count", "Count"), ("ask", "Ask")):
        part = guest.get(f"/{path}/architekton", **PART).text
        assert f"<title>{title}: Architekton – Bastide</title>" in part
        assert guest.get(f"/{path}/architekton").text.count("<title>") == 1
