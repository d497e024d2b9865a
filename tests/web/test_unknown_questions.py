"""Questions with unknown cells on the pages: cells never entered are unknown; the ruling links to those that matter."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from tests.support.question_pages import Asker
from tests.web.conftest import Visitor
from web.panels.editor.position import counted_games

Visitors = Callable[..., Visitor]
every_game = pytest.mark.parametrize("game", [game.id for game in counted_games()])
MARKS = {"en": "not yet known", "fr": "pas encore connu"}
CHOOSE = {"en": "unknown", "fr": "inconnu"}
AROUND = [f"{x}{y}" for x in "bcd" for y in (3, 4, 5)]


def around(hand: Asker, *but: str) -> None:
    """Enter the cells of a neighbourhood as free, except some."""
    for cell in AROUND:
        if cell not in but:
            hand.click(f"c-{cell}")
            hand.choose("nothing")
            hand.click("cancel")


def test_a_question_begins_with_all_cells_unknown(visitor: Visitors) -> None:
    """Every cell is drawn and labelled as unknown; one tap declares the rest empty, and another takes that back."""
    hand = Asker(visitor(), "/ask/villefranche")
    assert hand.html.count("unseen-mark") == 80
    assert 'aria-label="c4, not yet known"' in unescape(hand.html)
    hand.click("rest")
    assert "unseen-mark" not in hand.html
    hand.click("rest")
    assert hand.html.count("unseen-mark") == 80


def test_the_answer_names_the_cell_that_decides_and_leads_to_it(visitor: Visitors) -> None:
    """The ruling names, lights and links the one unknown cell that decides; entering it settles the question."""
    hand = Asker(visitor(), "/ask/villefranche")
    around(hand, "b3", "b4")
    hand.click("c-b3")
    hand.choose("house", 1)
    hand.click("cancel")
    hand.click("ask")
    hand.go("?move=h+c4")
    assert "Undecided" in hand.page.text
    assert "To decide it, look at b4." in hand.page.text
    assert hand.html.count("mark needed") == 1
    hand.click("look-1")
    assert "at=b4" in hand.url
    hand.choose("house")
    hand.click("ask")
    hand.go("?move=h+c4")
    assert "Undecided" not in hand.page.text
    assert "VF-22" in hand.page.text
    assert "mark needed" not in hand.html


def test_what_only_a_bell_tower_decides_is_entered_on_its_cell(visitor: Visitors) -> None:
    """Site 1 of figure 3, by taps: two naves are known, but not whether one has a bell tower.

    The ruling is undecided and links to the cell, where the church with its bell tower decides.
    """
    hand = Asker(visitor(), "/ask/villefranche")
    hand.choose("White, first")
    taps = {"c9": ("rampart, with b9", 0), "d9": ("rampart, with e9", 1), "d7": ("nothing", 0), "d8": ("nothing", 0)}
    taps |= {"e8": ("house", 1), "e7": ("shop", 1), "c8": ("church, with c7", 0)}
    for cell, (label, number) in taps.items():
        hand.click(f"c-{cell}")
        hand.choose(label, number)
        if cell != "c8":
            hand.click("cancel")
    hand.choose("naves: 2")
    hand.click("c-c7")
    hand.choose("unknown")
    hand.click("ask")
    hand.go("?move=h+d8")
    assert "Undecided House on d8" in hand.page.text
    assert "To decide it, look at c7." in hand.page.text
    assert "If the move is legal: 5 to 5 around d8" in hand.page.text
    assert ">c7</span>" in hand.html
    hand.click("look-1")
    hand.choose("with bell tower")
    hand.click("ask")
    hand.go("?move=h+d8")
    assert "Around d8 White has 5 and Black 6: White needs at least as many." in hand.page.text


def test_what_is_built_on_half_a_church_takes_its_other_half(visitor: Visitors) -> None:
    """A house on the unknown half of a church removes the nave, and makes no problem."""
    hand = Asker(visitor(), "/ask/villefranche?at=c8")
    hand.choose("church, with c7")
    hand.click("c-c7")
    hand.choose("unknown")
    hand.choose("house", 1)
    assert 'aria-label="c7, White’s house"' in hand.html
    assert "This is impossible" not in hand.page.text


def test_what_is_refused_for_certain_is_grouped_by_rule(visitor: Visitors) -> None:
    """On a taken cell, each rule that refuses has one line with its pieces below, and no piece is legal.

    The control: on an unknown cell no piece is called legal or illegal.
    """
    hand = Asker(visitor(), "/ask/robber_knights?at=0,0")
    hand.choose("lake")
    hand.click("ask")
    assert hand.page.text.count("A tile needs a free place, and this one is taken: lake.") == 1
    assert hand.html.count('class="together"') == 1
    assert hand.html.count('class="kind none"') == 9
    assert 'class="row may' not in hand.html
    hand = Asker(visitor(), "/ask/robber_knights?at=0,0")
    hand.click("ask")
    assert hand.html.count('class="row may"') == 9
    assert 'class="why' not in hand.html


def test_a_tap_makes_a_cell_unknown_again(visitor: Visitors) -> None:
    """With the rest empty, one tap makes a cell unknown, as drawn, and a piece makes it known."""
    hand = Asker(visitor("fr"), "/ask/villefranche")
    hand.click("rest")
    hand.click("c-d5")
    hand.choose("inconnu")
    assert hand.html.count("unseen-mark") == 1
    hand.choose("maison")
    assert "unseen-mark" not in hand.html


def test_a_count_has_no_unknown_cells(visitor: Visitors) -> None:
    """A count refuses an address with unknown cells, since its score would be a guess."""
    hand = Asker(visitor(), "/ask/villefranche")
    hand.click("c-d5")
    hand.choose("nothing")
    text = hand.url.partition("/ask/villefranche/")[2].partition("?")[0]
    answer = visitor().get(f"/count/villefranche/{text}")
    assert answer.status_code == 422
    assert "Only a ruling or a look at a position takes what is unknown" in unescape(answer.text)


# --- the label of an unknown cell --------------------------------------------------------------------------------


def cell_names(hand: Asker) -> dict[str, str]:
    """Id of each cell -> its label for screen readers."""
    cells = [found for tag, found in hand.page.elements if tag == "a" and found.get("class") == "cell"]
    return {found["id"] or "": found["aria-label"] or "" for found in cells}


def unknown_board(hand: Asker) -> str:
    """The id of an unknown cell; a board that grows gets one first."""
    if "unseen-mark" not in hand.html:
        hand.click(next(iter(cell_names(hand))))
        hand.click("p-1-1")
        hand.click("cancel")
        hand.click(next(iter(cell_names(hand))))
        hand.choose(CHOOSE[hand.visitor.language])
        hand.click("cancel")
    mark = MARKS[hand.visitor.language]
    return next(cell for cell, name in cell_names(hand).items() if mark in name)


@every_game
@pytest.mark.parametrize("language", ["en", "fr"])
def test_an_unknown_cell_is_called_unknown(visitor: Visitors, game: str, language: str) -> None:
    """Each unknown cell, and no other, is called unknown: above its choices, where moves are chosen, in its label."""
    hand = Asker(visitor(language), f"/ask/{game}")
    cell, mark = unknown_board(hand), MARKS[language]
    unknown = sum(mark in name for name in cell_names(hand).values())
    assert unknown == hand.html.count("unseen-mark")
    hand.click(cell)
    for _ in range(2):
        assert sum(mark in name for name in cell_names(hand).values()) == unknown
        head = re.findall(r"<h2>([^<]*)</h2>|<p class=\"hint\">([^<]*)</p>", hand.html)
        assert any(mark in part for parts in head for part in parts), (game, head)
        if "/move" not in hand.url:
            hand.click("ask")


@every_game
def test_no_kind_of_move_is_refused_at_an_unknown_cell(visitor: Visitors, game: str) -> None:
    """At an unknown cell no offer is called illegal, as other cells may decide."""
    hand = Asker(visitor(), f"/ask/{game}")
    hand.click(unknown_board(hand))
    hand.click("ask")
    assert "not legal" not in hand.html.lower()


def kinds(hand: Asker) -> list[str]:
    """The ids of the kinds of moves to ask about."""
    links = [found["id"] or "" for tag, found in hand.page.elements if tag == "a" and found.get("id")]
    return [link for link in links if link.startswith("m-")]


def test_a_move_made_by_answers_is_ruled_on_with_what_is_unknown(visitor: Visitors) -> None:
    """A landscape chosen by its picture beside an unknown cell is undecided, as when typed."""
    hand = Asker(visitor(), "/ask/architekton")
    hand.click("c-0,0")
    hand.click("p-1-1")
    for side, landscape in {"Top": "earth", "Right": "forest", "Bottom": "meadow", "Left": "water"}.items():
        hand.choose(f"{side}: {landscape}")
    hand.click("cancel")
    hand.click("c-1,1")
    hand.choose("unknown")
    hand.click("cancel")
    hand.click("rest")
    hand.click("c-1,0")
    hand.click(kinds(hand)[0])
    hand.click("q1-1")
    assert "Undecided" in hand.page.text
    assert hand.html.count("mark needed") == 1


@every_game
def test_nothing_is_counted_or_ended_where_all_is_unknown(visitor: Visitors, game: str) -> None:
    """With unknown cells, the page neither counts a kind's places nor says that the game is over."""
    hand = Asker(visitor(), f"/ask/{game}")
    unknown_board(hand)
    hand.click("ask")
    assert "unseen-mark" in hand.html
    assert 'class="count"' not in hand.html
    assert "The winner" not in hand.page.text


# --- how many taps it takes --------------------------------------------------------------------------------------


@every_game
def test_a_question_is_asked_in_three_taps(visitor: Visitors, game: str) -> None:
    """From the first page, three taps lead to a ruling: game, cell, move; a move without a cell takes two."""
    hand = Asker(visitor())
    assert f"/ask/{game}" in hand.page.links()
    hand.go(f"/ask/{game}")
    unknown_board(hand)
    start, cells = hand.url, [*cell_names(hand)]
    while not kinds(hand):
        hand.go(start)
        hand.click(cells.pop())
    hand.click(kinds(hand)[0])
    assert "/move?" in hand.url
    assert any(f'class="{shown}' in hand.html for shown in ("verdict ", "answers", "rows", "known")), hand.page.text


def test_what_is_needed_comes_nearest_first(visitor: Visitors) -> None:
    """With nearly all cells unknown, the page marks the cell in question, and lights and lists the nearest ones on the
    board. One tap declares all others empty and rules again.
    """
    hand = Asker(visitor(), "/ask/villefranche")
    hand.click("ask")
    hand.go("?move=h+c4")
    assert hand.html.count('class="mark unproven"') == 1
    assert hand.html.count("mark needed") == hand.html.count("unseen-mark wanted") == 12
    looks = re.findall(r'id="look-\d+".*?<span>(.*?)</span>', hand.html)
    assert looks[0] == "c4"
    assert set(looks[1:5]) == {"b4", "d4", "c3", "c5"}
    hand.click("rest")
    assert "Undecided" not in hand.page.text
    assert "House on c4" in hand.page.text
    hand = Asker(visitor(), "/ask/robber_knights?at=0,0")
    hand.choose("plain")
    hand.click("ask")
    hand.go("?move=(1,0)+plain")
    assert "Undecided" in hand.page.text
    assert not re.search(r"row (-|\d\d)|column (-|\d\d)", hand.page.text)


def test_what_was_looked_up_answers_the_same_question(visitor: Visitors) -> None:
    """From a cell that the ruling named, one tap leads back to the same move."""
    hand = Asker(visitor(), "/ask/villefranche")
    hand.click("ask")
    hand.go("?move=h+c4")
    hand.click("look-2")
    hand.choose("house")
    hand.click("ask")
    assert "House on c4" in hand.page.text
