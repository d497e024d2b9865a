"""A panel's offers: possible pieces first, with their counts, and why the others are impossible, said once."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rules import GAMES
from rules.steps import at_most
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from service.storage.ledger import Ledger
from tests.support.loops import over
from tests.support.tables import recorded_table
from tests.web.conftest import Visitor
from web.panels.moves import choose

Visitors = Callable[..., Visitor]
VILLEFRANCHE = "villefranche/gate_decides"
FIEF = "fief/three_alone"
FOLD = '<details class="more"'


def text_of(html: str) -> str:
    """The text of some HTML, on one line."""
    return " ".join(re.sub("<[^>]+>", " ", html).split())


@pytest.mark.parametrize(
    ("language", "name", "number", "headline"),
    [
        ("en", VILLEFRANCHE, 71, "Pierre places the first piece of the turn: noble storey."),
        ("fr", VILLEFRANCHE, 71, "Pierre pose la première pièce du tour\u00a0: étage de tour de noblesse."),
        ("en", VILLEFRANCHE, 28, "Pierre places the second piece of the turn: a corner storey or a house."),
        ("en", FIEF, 0, "Marriages: announce them now, or go on."),
        ("fr", FIEF, 1, "Mariages\u00a0: personne ne peut se marier."),
        ("en", FIEF, 19, "Ada can attack nobody."),
    ],
)
def test_the_headline_offers_only_what_is_possible(
    language: str, name: str, number: int, headline: str, visitor: Visitors, ledger: Ledger
) -> None:
    """The headline names what is due, as far as it is possible, or says that nothing is. *What if* has the same
    headline.
    """
    guest = visitor(language)
    table = guest.sit(ledger, name, number)
    page = guest.get(table).text
    state = text_of(
        page.partition('<div class="state" data-sight="whole">')[2].partition("</div>")[0].replace("\u00a0", "&nbsp;")
    )
    assert state.replace("&nbsp;", "\u00a0").startswith(headline)
    assert " ".join(headline.split()) in guest.see(guest.get(f"{table}/what-if").headers["Location"]).text


def test_each_piece_has_its_count_and_what_is_impossible_is_folded(visitor: Visitors, ledger: Ledger) -> None:
    """Each possible piece has its number of places, even one; a fold below lists the impossible ones."""
    guest = visitor()
    panel = guest.get(guest.sit(ledger, VILLEFRANCHE, 71)).text.partition('<div class="kinds" data-sight="choices">')[2]
    first, _, folded = panel.partition(FOLD)
    assert text_of(first).endswith("Noble storey 1 place")
    assert [text_of(kind) for kind in re.findall(r'<a class="kind none.*?</a>', folded)] == [
        f"{name} 0 places" for name in ("House", "Roof", "Nave", "Bell tower")
    ]


def test_a_refusal_is_said_once(visitor: Visitors, ledger: Ledger) -> None:
    """On the market square, one sentence refuses all five pieces; each still has a link to its verdict."""
    guest = visitor()
    table = guest.sit(ledger, VILLEFRANCHE, 40)
    page = guest.get(f"{table}?at=e5").text
    assert page.count("Nothing is ever built on the market square, e5.") == 1
    links = re.findall(r'id="o-(\w+)" href="([^"]+)"', page.partition(FOLD)[0])
    assert [name for name, _ in links] == ["house", "roof", "noble_storey", "nave", "bell_tower"]
    for _, href in links[:2]:
        assert "market square" in guest.get(href.replace("&amp;", "&")).text


@pytest.mark.parametrize(
    ("language", "clause"),
    [
        ("en", "A corner tower has no owner yet, so the second piece is a corner storey or a house."),
        (
            "fr",
            "Une tour d’angle n’est pas attribuée : la seconde pièce est un étage de tour d’angle ou une maison.",
        ),
    ],
)
def test_what_is_refused_in_several_sentences_has_what_these_share(
    language: str, clause: str, visitor: Visitors, ledger: Ledger
) -> None:
    """Pieces refused in different sentences share the part that is the same for all."""
    guest = visitor(language)
    page = guest.get(guest.sit(ledger, VILLEFRANCHE, 28) + "?at=d4").text
    why = [text_of(one) for one in re.findall(r'<p class="why illegal">(.*?)</p>', page)]
    assert clause in why


def test_what_is_due_and_may_not_go_on_a_cell_says_first_why(visitor: Visitors, ledger: Ledger) -> None:
    """The due house and its refusal come first; the other pieces are folded away."""
    guest = visitor()
    first, _, folded = guest.get(guest.sit(ledger, VILLEFRANCHE, 2) + "?at=c8").text.partition(FOLD)
    assert re.findall(r'id="o-(\w+)"', first) == ["house"]
    assert "roof" in re.findall(r'id="o-(\w+)"', folded)


def test_what_may_go_on_a_cell_comes_first(visitor: Visitors, ledger: Ledger) -> None:
    """The roof, which may go on the house, comes first; why other pieces may not is folded away."""
    guest = visitor()
    page = guest.get(guest.sit(ledger, VILLEFRANCHE, 40) + "?at=d3").text
    first, _, folded = page.partition('<ul class="rows"')[2].partition(FOLD)
    assert "Roof" in text_of(first)
    assert "A house needs a free cell" not in first
    assert "A house needs a free cell: d3 is taken." in text_of(folded)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_words_for_what_is_possible_are_of_what_is_due(game: str, language: str) -> None:
    """Each text for a partly or wholly impossible step belongs to the text of that step."""
    due = words(language, game).text["due"]
    for code in over(due):
        base, dot, how = code.partition(".")
        assert base in due
        assert how in (("some", "none") if dot else ("",))


def test_a_purchase_that_nobody_can_have_says_so(visitor: Visitors, ledger: Ledger) -> None:
    """The page says so beside the remaining income."""
    guest = visitor()
    page = text_of(guest.get(guest.sit(ledger, FIEF, 27) + "?kind=buy_title").text)
    assert "There is no lord in play who could have it. Income: 4 of 4 left." in page


def test_moves_that_are_remembered_count_as_many_steps(ledger: Ledger) -> None:
    """A state's list of moves is made once; a request that finds it cached is charged the same steps."""
    table = recorded_table(ledger, FIEF, 19).table
    context: Any = SimpleNamespace(game=table.game, state=table.state)
    with at_most(None) as first:
        made = choose.legal_moves(context)
    with at_most(None) as again:
        assert choose.legal_moves(context) is made
    assert first.steps == again.steps > 0


def test_nobody_is_asked_what_has_one_answer(visitor: Visitors, ledger: Ledger) -> None:
    """With one possible kind of move the panel shows no question; with several it does."""
    guest = visitor()
    for number, seen in ((30, "unseen"), (28, "hint")):
        page = guest.get(guest.sit(ledger, "architekton/box_and_series", number)).text
        lead = re.search(r'<p class="([a-z]+)" id="where">', page)
        assert lead and lead[1] == seen, (number, page.partition('id="where"')[2][:200])
