"""The points on the board and the score sheet, for every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice, pairwise
from random import Random

import pytest

from rules import GAMES
from rules.kernel import Ended, Fact, Line, Place
from service.i18n import sentences
from service.judgements import Sheet
from service.rulings import judge
from service.storage.ledger import Ledger
from tests.rules.play import random_game
from tests.web.conftest import Visitor
from web.games import all_pages
from web.games.robber_knights.board import CELL
from web.panels.score import score
from web.panels.sentences import nowrap_points

LATE = 100
"""The most moves played of a game."""


@pytest.mark.parametrize("name", all_pages())
def test_every_point_is_on_its_cell(name: str) -> None:
    """In any state, the points on the cells add up, per player, to all points that come from a cell."""
    game = GAMES[name]
    seen = 0
    for state, _ in islice(random_game(game, Random(1)), 0, LATE, 10):
        sheet = judge.sheet(game, state)
        found: Counter[str] = Counter()
        for fact in score.overview(sheet.lines):
            assert len(fact.cells) == 1
            found.update(fact.counts)
        for seat, lines in sheet.lines.items():
            facts = [fact for line in lines for fact in line.evidence if fact.cells]
            assert found[seat] == sum(fact.counts.get("points", 0) for fact in facts)
            seen += len(facts)
    assert bool(seen) == (name != "villa_paletti"), "none of its points comes from a cell"


def test_points_of_a_group_stand_on_each_of_its_cells() -> None:
    """A group with a point per cell shows one on each; other groups show their sum on the first cell."""
    lines = {
        "red": (
            Line("red", "A", 2, (Fact(("a", "b"), {"points": 2}),)),
            Line("red", "B", 4, (Fact(("b", "c"), {"points": 3}), Fact((), {"points": 1}))),
        ),
        "blue": (Line("blue", "A", 5, (Fact(("b",), {"points": 5}),)),),
    }
    assert {fact.cells: dict(fact.counts) for fact in score.overview(lines)} == {
        ("a",): {"red": 1},
        ("b",): {"red": 4, "blue": 5},
    }


def test_points_are_on_the_board_at_the_end(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The board of a finished game, and its score, show both players' points; a line of the score lights its own.

    Gil has points on eight tiles and Yann on ten.
    """
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/knights_decide")
    badges = [f"badge seat-{seat}" for seat in ("green", "yellow")]
    for path in (table, f"{table}/score"):
        classes = [attributes.get("class") for _, attributes in guest.see(path).elements]
        assert [classes.count(badge) for badge in badges] == [8, 10]
    for kind, tiles in (("castle", 5), ("village", 2), ("town", 1)):
        lit = guest.see(f"{table}/score?show=RK-31.{kind}.green")
        assert [attributes.get("class") for _, attributes in lit.elements].count("badge") == tiles
    going = guest.sit(ledger, "robber_knights/knights_decide", 20)
    assert "badge" not in guest.get(going).text


def test_points_hide_no_knight(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Points stand to the left of the knights, which are at the right edge of their tile."""
    guest = visitor()
    elements = guest.see(guest.sit(ledger, "robber_knights/knights_decide")).elements
    found = [after for before, after in pairwise(elements) if str(before[1].get("class")).startswith("badge")]
    assert len(found) == 18
    for _, badge in found:
        assert float(badge["x"] or 0) % CELL + float(badge["width"] or 0) <= 80 - 15


def test_a_count_with_a_number_in_its_word_says_it(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The score of a series of Architekton numbers its games, even the first."""
    guest = visitor()
    text = guest.see(f"{guest.sit(ledger, 'architekton/box_and_series')}/score").text
    assert "won game 1, series points before this game: 1, series points after it: 2, wins the series" in text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "AR-40 Iris won game 1, series points before this game: 1"),
        ("fr", "AR-40 Iris a gagné la manche 1, points de manche avant celle-ci : 1"),
    ],
)
def test_what_is_long_stands_across_the_sheet(
    visitor: Callable[..., Visitor], ledger: Ledger, language: str, said: str
) -> None:
    """A series has one cell across the sheet, below the line's name, with each player's words; short words and
    numbers stay in the player's column.
    """
    guest = visitor(language)
    page = guest.see(f"{guest.sit(ledger, 'architekton/box_and_series')}/score")
    across = [found for tag, found in page.elements if tag == "td" and found.get("class") == "across"]
    assert [found["colspan"] for found in across] == ["3"]
    assert said in page.text
    villa = guest.see(f"{guest.sit(ledger, 'villa_paletti/holder_brings_it_down', 14)}/score")
    assert "across" not in [found.get("class") for _, found in villa.elements]


@pytest.mark.parametrize(
    ("name", "language", "label", "left"),
    [("knights_decide", "fr", "Chevaliers restants", "0 1"), ("drawn", "en", "Knights left", "0 0")],
)
def test_the_knights_left_stand_on_the_sheet(
    visitor: Callable[..., Visitor], ledger: Ledger, name: str, language: str, label: str, left: str
) -> None:
    """The knights left of both players have their own line (`RK-32`), with 0 for none."""
    guest = visitor(language)
    text = guest.see(f"{guest.sit(ledger, f'robber_knights/{name}')}/score").text
    assert label in text
    assert f"RK-32 {left} Total" in text


@pytest.mark.parametrize(
    ("language", "end", "tie"),
    [
        ("en", "The game ends after 2 more tiles (Yann 2).", "At equal points the knights left decide: Yann’s."),
        (
            "fr",
            "La partie finit après 2 autres plaquettes (Yann 2).",
            "les chevaliers restants décident : ceux de Yann.",
        ),
    ],
)
def test_what_is_told_ahead_stands_by_the_board_near_the_end(
    visitor: Callable[..., Visitor], ledger: Ledger, language: str, end: str, tie: str
) -> None:
    """Near the end, board and score say how near it is and what would decide a tie; earlier the board says neither."""
    guest = visitor(language)
    going, near, over = (guest.sit(ledger, "robber_knights/knights_decide", *moves) for moves in ((20,), (44,), ()))
    for page in (guest.see(near), guest.see(f"{near}/score")):
        assert end in page.text and tie in page.text
    assert tie.partition(":")[0] in guest.see(f"{going}/score").text
    for path in (going, over, f"{over}/score"):
        shown = [attributes.get("class") or "" for _, attributes in guest.see(path).elements]
        assert not [classes for classes in shown if "foretold" in classes.split()]


NAMES = {"red": "Anne", "blue": "Bruno", "green": "Chloé", "yellow": "David"}
OVER = Ended("RK-2")


@pytest.mark.parametrize(
    ("first", "totals", "over", "said"),
    [
        (("red",), (5, 2, 1), None, "Anne leads, 5–2–1"),
        (("blue",), (2, 5, 1), OVER, "Bruno wins, 5–2–1"),
        (("red", "green"), (5, 2, 5), None, "Anne and Chloé lead together, 5–5–2"),
        (("red", "green"), (5, 2, 5), OVER, "Anne and Chloé win together, 5–5–2"),
        (("red", "blue", "green"), (2, 2, 2), None, "Level, 2–2–2"),
        (("red", "blue", "green"), (2, 2, 2), OVER, "A draw, 2–2–2"),
    ],
)
def test_who_is_first_is_named(first: tuple[str, ...], totals: tuple[int, ...], over: Ended | None, said: str) -> None:
    """A first place shared by some players, not all, is no draw: the sentence names those who share it."""
    seats = ("red", "blue", "green")
    sheet = Sheet(
        GAMES["robber_knights"], {}, dict(zip(seats, totals, strict=True)), (Place(1, first, "total"),), over, ()
    )
    names = {seat: NAMES[seat] for seat in seats}
    assert score.ranking(sentences.words("en", "robber_knights"), sheet, names)[0] == said


@pytest.mark.parametrize(
    ("game", "totals", "places", "said"),
    [
        ("fief", (0, 1, 4, 0), [Place(1, ("blue", "green"), "FI-82")], "Bruno (1) and Chloé (4) win together"),
        ("fief", (1, 3, 0, 0), [Place(1, ("blue",), "FI-81")], "Bruno wins, 3–1–0–0"),
        ("fief", (1, 2, 0, 0), [Place(None, ("red", "blue", "green", "yellow"), "FI-80")], "yet, 2–1–0–0"),
        ("architekton", (9, 4), [Place(1, ("blue",), "AR-22"), Place(2, ("red",), "AR-22")], "Bruno wins, 4–9"),
    ],
)
def test_points_stand_beside_whose_they_are(game: str, totals: tuple[int, ...], places: list[Place], said: str) -> None:
    """Joint winners with different points have them beside their names; otherwise a line of all points follows."""
    seats = dict(zip(NAMES, totals, strict=False))
    how = score.table_standing(sentences.words("en", game), places, seats, over=True)
    assert score.standing_text(sentences.words("en", game), how, NAMES).endswith(said)


@pytest.mark.parametrize("path", ["sheet", "sheet.txt", "sheet.svg", "score"])
def test_a_pair_of_fief_has_its_points_beside_its_names(
    path: str, visitor: Callable[..., Visitor], ledger: Ledger
) -> None:
    """Sheet, text, picture and score put the points of a pair of Fief beside its names."""
    guest = visitor("fr")
    table = guest.sit(ledger, "fief/four_as_a_pair")
    text = guest.get(f"{table}/{path}").text
    assert "Bruno (1) et Chloé (4) gagnent ensemble" in text
    assert "4–1" not in text


@pytest.mark.parametrize(
    ("name", "number", "said"),
    [
        ("two_and_no_floor_after_a_failure", 5, "As yet nobody would win"),
        ("two_and_no_floor_after_a_failure", None, "Roy wins by the seal"),
        ("holder_brings_it_down", 6, "Gil would win by the seal"),
        ("holder_brings_it_down", None, "Gil wins by the seal"),
    ],
)
def test_where_points_decide_nothing_they_are_not_named(
    visitor: Callable[..., Visitor], ledger: Ledger, name: str, number: int | None, said: str
) -> None:
    """In Villa Paletti the score names the winner by the seal, without points."""
    guest = visitor()
    table = guest.sit(ledger, f"villa_paletti/{name}", number)
    assert f"{said} " in guest.see(f"{table}/score").text


def test_nobody_wins_by_the_seal(visitor: Callable[..., Visitor]) -> None:
    """A villa that falls before anybody has had the seal has no winner, and the page says so."""
    guest = visitor("fr")
    colours = {"colour-1-1": "yellow", "colour-2-1": "red", "colour-3-1": "green"}
    table = guest.open(game="villa_paletti", players="3", **colours)
    page = guest.place(table, "crash red")
    assert "Personne ne gagne" in page.text
    assert "nulle" not in page.text


def test_where_words_stand_in_place_of_points_nobody_has_none(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The seal's line says who holds it and who held it; other players have a dash, not 0."""
    guest = visitor()
    page = guest.see(f"{guest.sit(ledger, 'villa_paletti/holder_brings_it_down', 14)}/score")
    assert "VP-33 holds the seal – – held it before " in page.text


def test_no_line_ends_amid_the_points_of_all() -> None:
    """Several points in a row stay on one line; a name's markup is escaped."""
    assert nowrap_points("Ada wins, 3–0–10") == 'Ada wins, <span class="whole">3–0–10</span>'
    assert nowrap_points("1–<b> leads, 4") == "1–&lt;b&gt; leads, 4"
