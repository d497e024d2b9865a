"""Questions with unknown cells on the pages: what was never entered is unknown, and the answer leads on from there."""

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
    assert 'aria-label="c4, not yet known"' in unescape(hand.html)
    hand.click("rest")
    assert "unseen-mark" not in hand.html
    hand.click("rest")
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
    """Site 1 of figure 3, all by taps: two naves are known, and whether a bell tower stands on one of them is not.

    Nothing is told as if it were certain; the church is on offer where the answer leads, and its bell tower decides.
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
    """A house on the unknown cell: then no nave can reach there from the next one, and nothing is amiss."""
    hand = Asker(visitor(), "/ask/villefranche?at=c8")
    hand.choose("church, with c7")
    hand.click("c-c7")
    hand.choose("unknown")
    hand.choose("house", 1)
    assert 'aria-label="c7, White’s house"' in hand.html
    assert "This is impossible" not in hand.page.text


def test_what_is_refused_for_certain_is_grouped_by_rule(visitor: Visitors) -> None:
    """On a cell that is taken, whatever lies elsewhere: each rule in a line, its pieces below it, and none is legal.

    The control: on an unknown cell nothing is certain, so nothing is said to be legal or not.
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
    """Where the rest is empty, a cell that nobody has looked at is told by a tap, and drawn."""
    hand = Asker(visitor("fr"), "/ask/villefranche")
    hand.click("rest")
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
    assert "Only a ruling or a look at a position takes what is unknown" in unescape(answer.text)


# --- what an unknown cell is called ------------------------------------------------------------------------------


def cell_names(hand: Asker) -> dict[str, str]:
    """The id of each cell, and what a screen reader says of it."""
    cells = [found for tag, found in hand.page.elements if tag == "a" and found.get("class") == "cell"]
    return {found["id"] or "": found["aria-label"] or "" for found in cells}


def unknown_board(hand: Asker) -> str:
    """A board with unknown cells, and the id of one of them: on boards that grow, one is made unknown."""
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
    """Above its choices, where the move is chosen, and to a screen reader; every one of them, and no other."""
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
    """Nothing that is offered there is said to be legal or not: what lies around may decide."""
    hand = Asker(visitor(), f"/ask/{game}")
    hand.click(unknown_board(hand))
    hand.click("ask")
    assert "not legal" not in hand.html.lower()


def kinds(hand: Asker) -> list[str]:
    """The ids of the kinds of moves that the page offers to be asked about."""
    links = [found["id"] or "" for tag, found in hand.page.elements if tag == "a" and found.get("id")]
    return [link for link in links if link.startswith("m-")]


def test_a_move_made_by_answers_is_ruled_on_with_what_is_unknown(visitor: Visitors) -> None:
    """A landscape chosen by its picture, beside a cell that nobody has looked at: it cannot be told, as when typed."""
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
    """In how many places a kind may go, and whether the game is over, what is known alone does not tell."""
    hand = Asker(visitor(), f"/ask/{game}")
    unknown_board(hand)
    hand.click("ask")
    assert "unseen-mark" in hand.html
    assert 'class="count"' not in hand.html
    assert "The winner" not in hand.page.text


# --- how many taps it takes --------------------------------------------------------------------------------------


@every_game
def test_a_question_is_asked_in_three_taps(visitor: Visitors, game: str) -> None:
    """From the first page: the game, the cell, the move; a move without a cell is one less. Then the ruling."""
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
    """Where nearly all is unknown, the cell in question is marked, the nearest cells are lit and named, none beyond the
    board; one tap says that all else is empty, and asks the same again.
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
    """From the answer to the cell that it names, and back to the same move by one tap."""
    hand = Asker(visitor(), "/ask/villefranche")
    hand.click("ask")
    hand.go("?move=h+c4")
    hand.click("look-2")
    hand.choose("house")
    hand.click("ask")
    assert "House on c4" in hand.page.text
