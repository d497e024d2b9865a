"""The bar below a ruling, which sums up the move; and the players' supplies after it."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest

from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.web.conftest import Visitor

Visitors = Callable[..., Visitor]
FIEF = "fief/five_and_much_stood"


def text_of(html: str) -> str:
    """The text of some HTML, on one line."""
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def in_short(page: str) -> str:
    """The text of the bar."""
    found = re.search(r'<p class="in-short[^>]*>(.*?)</p>', page, re.DOTALL)
    assert found
    return text_of(found[1])


def supplies(page: str) -> list[list[int]]:
    """Each player's supplies, from the strip above the board."""
    strip = page.partition('<section class="players"')[2].partition("</section>")[0]
    left = re.compile(r'class="left.*?</span>(\d+)</span>', re.DOTALL)
    return [[int(n) for n in left.findall(one)] for one in strip.split('class="stock"')[1:]]


@pytest.mark.parametrize(
    ("language", "move", "said"),
    [
        ("en", "attack St André Blue>White 9:1", "The attack wins in St André, 12 to 9: Denis against Bruno."),
        ("fr", "attack St André Blue>White 9:1", "Le camp attaquant l’emporte à St André, 12 contre 9"),
        ("en", "attack Sigy Blue>White 9:1", "Denis has no living lord without a church title in Sigy."),
    ],
)
def test_the_bar_says_what_a_move_comes_to(
    language: str, move: str, said: str, visitor: Visitors, ledger: Ledger
) -> None:
    """The bar says who wins and by how much, or the first objection, which the page does not repeat."""
    guest = visitor(language)
    table = guest.sit(ledger, FIEF, 270)
    page = guest.get(f"{table}?move={quote(move)}").text
    sentence = in_short(page)
    assert said in sentence
    assert text_of(page).count(sentence) == 1


@pytest.mark.parametrize(
    ("record", "number", "address", "counted"),
    [
        ("villefranche/stood_and_cut", 30, "/moves?entry=9", r"\b(?:brick|cube|pyramid|cylinder)s? left"),
        ("villefranche/stood_and_cut", 0, "?move=r+b9c9", r"\b(?:brick|cube|pyramid|cylinder)s? left"),
        ("robber_knights/two_at_seven", 14, "/moves?entry=9", r"\d (?:knight|tile)s? left"),
        ("architekton/box_and_series", 30, "/moves?entry=9", "[Hh]ouses (?:left|in supply)"),
    ],
)
def test_supplies_stand_in_the_strip_only(
    visitor: Visitors, ledger: Ledger, record: str, number: int, address: str, counted: str
) -> None:
    """Neither an open entry of the log nor a verdict repeats the supplies of the strip."""
    guest = visitor("en")
    page = guest.get(f"{guest.sit(ledger, record, number)}{address}").text
    panel = text_of(page.partition('id="panel"')[2])
    assert supplies(page)
    assert re.findall(counted, panel) == []


def test_the_strip_shows_what_is_left_after_the_move(visitor: Visitors, ledger: Ledger) -> None:
    """During a move's questions, too, the strip shows the supplies after it: no money after buying a castle."""
    guest = visitor("en")
    table = guest.sit(ledger, "fief/three_alone", 27)
    assert "in-short" not in guest.get(f"{table}?kind=buy_castle").text
    page = guest.get(f"{table}?kind=buy_castle&so=at:Sigy").text
    assert [4, 0, 0] in supplies(page)
    assert "stock" not in page.partition('id="actions"')[2]


@pytest.mark.parametrize(("move", "taken"), [("h d4", 1), ("h d3", 0)], ids=["legal", "not legal"])
def test_only_a_legal_move_takes_of_the_supplies(move: str, taken: int, visitor: Visitors, ledger: Ledger) -> None:
    """The verdict on an illegal move lowers no number on the strip; a legal one does."""
    guest = visitor("en")
    table = guest.sit(ledger, "villefranche/gate_decides", 40)
    before, after = supplies(guest.get(table).text), supplies(guest.get(f"{table}?move={quote(move)}").text)
    assert sum(map(sum, before)) - sum(map(sum, after)) == taken


def test_an_answer_moves_nothing_above_the_questions(visitor: Visitors, ledger: Ledger) -> None:
    """The head of the panel is the same before and after each answer."""
    guest = visitor("en")
    at = guest.sit(ledger, FIEF, 270) + "?kind=attack&at=st-andre"
    pages = [guest.get(at).text, guest.get(f"{at}&so=attack:9").text, guest.get(f"{at}&so=attack:9;defence:2").text]
    heads = {re.sub(' href="[^"]*"', "", page.partition("draft-head")[2].partition("</p>")[0]) for page in pages}
    assert len(heads) == 1
    assert "St André, city of" in heads.pop()


@pytest.mark.parametrize(
    ("number", "path"), [(271, "/moves?entry=272"), (270, "?move=" + quote("attack St André Blue>White 9:1"))]
)
def test_a_combat_says_what_each_number_is(number: int, path: str, visitor: Visitors, ledger: Ledger) -> None:
    """Log and verdict name the strengths and dice of a combat, and the side of each."""
    guest = visitor("en")
    page = guest.get(guest.sit(ledger, FIEF, number) + path).text
    dice = page.partition('<ul class="reasons" data-sight="reasons">')[2].partition("<details>")[0]
    assert "Attack: strength 3 + dice 9 = 12. Defence: strength 8 + dice 1 = 9." in dice
    assert "The attack wins." in dice
    assert {"Philippe: strength 5", "St André: strength 3"} <= {
        re.sub("^His Majesty King ", "", line) for line in re.findall("<li>([^<]+)</li>", dice)
    }
    assert "dice of the attack and of the defence: 9 and 1" in page


@pytest.mark.parametrize("address", ["?done=272", "?since=271"], ids=["own phone", "another phone"])
def test_the_news_of_a_combat_is_who_won(address: str, visitor: Visitors, ledger: Ledger) -> None:
    """The news of a combat, on either phone, say who won and by how much."""
    guest = visitor("en")
    page = guest.get(guest.sit(ledger, FIEF, 271) + address).text
    toast = page.partition('<p class="toast')[2].partition("</p>")[0]
    assert "The attack wins in St André, 12 to 9: Denis against Bruno" in toast


def test_what_stands_names_who_agreed(visitor: Visitors, ledger: Ledger) -> None:
    """The page says by whose consent a refused move would stand, and then the log does."""
    guest = visitor("en")
    table = guest.sit(ledger, "villefranche/gate_decides", 40)
    page = guest.get(f"{table}?move=h+d3").text
    assert "Agreed by Pierre and Jeanne." in page
    assert "By consent of" not in guest.get(f"{table}?move=h+d4").text
    guest.send(Document(page).form("/play", move="h d3"))
    assert "Not legal, but agreed by Pierre and Jeanne." in guest.see(f"{table}/moves?entry=42").text


def test_why_is_open_where_a_move_is_refused_or_disputed(visitor: Visitors, ledger: Ledger) -> None:
    """A legal move's reasons are folded until it is disputed; an illegal move's are open."""
    guest = visitor("en")
    table = guest.sit(ledger, "villefranche/gate_decides", 40)

    def is_open(move: str) -> bool:
        """Whether the reasons of a ruling are shown."""
        before, why, _ = guest.get(f"{table}?move={move}").text.partition('<summary id="why">')
        assert why
        return before.endswith("<details open>")

    assert (is_open("h+d4"), is_open("h+d3"), is_open("h+d4&show=VF-21")) == (False, True, True)
    guest.send(guest.see(f"{table}/disputes/new?move=h+d4").form("/disputes"), question="May it lie there?")
    assert is_open("h+d4")


@pytest.mark.parametrize(
    "name", [FIEF, "architekton/early_end", "villa_paletti/holder_brings_it_down", "villa_paletti/nobody_can_build"]
)
def test_the_end_names_the_winner_once(name: str, visitor: Visitors, ledger: Ledger) -> None:
    """The end names the winner once, and the reason without the name."""
    guest = visitor()
    page = guest.get(guest.sit(ledger, name)).text
    said = text_of(page.partition('<p class="ended">')[2].partition("</p>")[0])
    winner = said.partition(" wins")[0]
    assert 0 < len(winner) < 20
    assert said.count(winner) == 1, said
