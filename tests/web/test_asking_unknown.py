"""Questions with unknown cells on the pages: what was never entered is unknown, and the answer leads on from there."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

from tests.web.conftest import Visitor
from tests.web.test_asking import Asker

Visitors = Callable[..., Visitor]
AROUND = [f"{x}{y}" for x in "bcd" for y in (3, 4, 5)]


def around(hand: Asker, *but: str) -> None:
    """Say that the cells of a neighbourhood are free, but some."""
    for cell in AROUND:
        if cell not in but:
            hand.click(f"c-{cell}")
            hand.choose("nothing")
            hand.click("cancel")


def test_a_question_begins_with_all_cells_unknown(visitor: Visitors) -> None:
    """Every cell is drawn as unknown and said to be; one tap says that the rest is empty, and another takes it back."""
    hand = Asker(visitor(), "/ask/villefranche")
    assert hand.html.count("unseen-mark") == 80
    assert 'aria-label="c4: unknown"' in unescape(hand.html)
    hand.choose("is empty")
    assert "unseen-mark" not in hand.html
    hand.choose("is unknown")
    assert hand.html.count("unseen-mark") == 80


def test_the_answer_names_the_cell_that_decides_and_leads_to_it(visitor: Visitors) -> None:
    """White's house beside the site, one unknown cell: the cell is named and lit; entering it settles the question."""
    hand = Asker(visitor(), "/ask/villefranche")
    around(hand, "b3", "b4")
    hand.click("c-b3")
    hand.choose("house", 1)
    hand.click("cancel")
    hand.click("ask")
    hand.go("?move=h+c4")
    assert "Cannot be told" in hand.page.text
    assert "To decide it, look at b4." in hand.page.text
    assert hand.html.count("mark needed") == 1
    hand.click("look-1")
    assert "at=b4" in hand.url
    hand.choose("house")
    hand.click("ask")
    hand.go("?move=h+c4")
    assert "Cannot be told" not in hand.page.text
    assert "VF-22" in hand.page.text
    assert "mark needed" not in hand.html


def test_a_tap_makes_a_cell_unknown_again(visitor: Visitors) -> None:
    """Where the rest is empty, a cell that nobody has looked at is told by a tap, and drawn."""
    hand = Asker(visitor("fr"), "/ask/villefranche")
    hand.choose("est vide")
    hand.click("c-d5")
    hand.choose("inconnu")
    assert hand.html.count("unseen-mark") == 1
    hand.choose("maison")
    assert "unseen-mark" not in hand.html


def test_a_count_has_no_unknown_cells(visitor: Visitors) -> None:
    """An address with unknown cells is a question and no count: the score would be a guess."""
    hand = Asker(visitor(), "/ask/villefranche")
    hand.click("c-d5")
    hand.choose("nothing")
    text = hand.url.partition("/ask/villefranche/")[2].partition("?")[0]
    answer = visitor().get(f"/count/villefranche/{text}")
    assert answer.status_code == 422
    assert "only where a ruling is asked for" in unescape(answer.text)
