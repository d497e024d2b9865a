"""Painting a position: with a piece chosen as brush, each tap on a cell puts it there. Laws, then pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from rules import GAMES
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from service.storage.ledger import Ledger
from tests.rules.play import often
from tests.support.count_pages import TAPS, Hand, entry_of, every_game, snapshots
from tests.support.document import Document
from tests.support.loops import over
from tests.web.conftest import PART, Visitor
from web.board.inks import merge_inks
from web.game_pages import ERASER, AnyPages, Brush, Snapshot
from web.games import pages_of
from web.panels.editor.position import count_position
from web.position_url import Trail, snapshot_of

Visitors = Callable[..., Visitor]


def brushes(game: Any, pages: AnyPages, entered: Snapshot, chosen: str = "") -> list[Brush]:
    """Every brush of a game."""
    return [
        brush for group in entry_of(pages).brushes(entered, chosen, words("en", game.id)) for brush in group.brushes
    ]


def sample(game: Any, pages: AnyPages) -> Iterator[tuple[Snapshot, list[Any]]]:
    """Positions of random taps, for counts and questions in turn, with the cells of their boards.

    In those for questions the rest is unknown, and so is one entered cell.
    """
    for number, known in enumerate(snapshots(game.id, 0)[:: TAPS // often(8)]):
        cells = [spot.cell for spot in count_position(game, entry_of(pages), known, words("en", game.id)).board.spots]
        entered = known
        if number % 2:
            entered = entry_of(pages).mark_unknown(known)
            entered = entry_of(pages).hide(entered, cells[number * 7 % len(cells)]) or entered
        yield entered, cells


# --- the laws of every game ----------------------------------------------------------------------------------------


@every_game
def test_brushes_are_told_apart(game: Any, pages: AnyPages) -> None:
    """Brushes differ in code and, in every language, in label; none shows a code, and each icon can be drawn."""
    symbols, inks = {symbol.id for symbol in pages.symbols}, merge_inks((pages.inks,))
    blank = entry_of(pages).blank()
    codes = [brush.code for brush in brushes(game, pages, blank)]
    assert codes and len(set(codes)) == len(codes)
    assert ERASER not in codes
    for language in LANGUAGES:
        for group in entry_of(pages).brushes(blank, "", words(language, game.id)):
            assert len({brush.label for brush in group.brushes}) == len(group.brushes)
            for brush in group.brushes:
                assert re.fullmatch(r"[A-Za-z0-9,_. -]{1,20}", brush.code)
                assert not any("brush_" in text or "{" in text for text in (brush.label, brush.name, group.note))
                assert all(s.ink in inks or str(s.attributes["href"])[1:] in symbols for s in brush.icon)


@every_game
def test_a_brush_does_what_a_choice_does(game: Any, pages: AnyPages) -> None:
    """A tap with a brush gives the same position as its choice."""
    seen = set()
    for entered, cells in sample(game, pages):
        for cell in cells:
            groups = entry_of(pages).choices(entered, cell, words("en", game.id))
            for choice in (choice for group in groups for choice in group.choices if choice.brush):
                stroke = entry_of(pages).paint(entered, choice.brush)(cell)
                seen.add(choice.brush)
                if stroke is None or stroke.takes:
                    assert choice.is_chosen or choice.snapshot == entered, (choice.brush, cell)
                    continue
                assert stroke.snapshot == choice.snapshot, (choice.brush, cell)
    assert len(seen) > 2


@every_game
def test_the_same_tap_again_takes_a_piece_away(game: Any, pages: AnyPages) -> None:
    """A second tap removes what the first has put, unless it adds one on top; every result can be counted."""
    taken = 0
    for entered, cells in sample(game, pages):
        for brush in brushes(game, pages, entered):
            for cell in cells[:: max(1, len(cells) // often(7))]:
                stroke = entry_of(pages).paint(entered, brush.code)(cell)
                if stroke is None or stroke.takes:
                    continue
                assert stroke.snapshot != entered
                assert count_position(game, entry_of(pages), stroke.snapshot, words("en", game.id)).sheet.ranking
                again = entry_of(pages).paint(stroke.snapshot, brush.code)(cell)
                if again is not None and again.takes:
                    taken += 1
                    assert again.snapshot != stroke.snapshot
                    assert not entry_of(pages).paint(again.snapshot, brush.code)(cell).takes
    assert taken


@every_game
def test_the_eraser_empties_every_cell(game: Any, pages: AnyPages) -> None:
    """The eraser removes what the choice without a label removes; on a free cell it does nothing."""
    for entered, cells in over(sample(game, pages)):
        for cell in over(cells):
            groups = entry_of(pages).choices(entered, cell, words("en", game.id))
            nothing = next((choice for group in groups for choice in group.choices if not choice.label), None)
            stroke = entry_of(pages).paint(entered, ERASER)(cell)
            assert stroke is None or stroke.takes
            assert (stroke.snapshot if stroke else entered) == (nothing.snapshot if nothing else entered), cell


# --- the pages -----------------------------------------------------------------------------------------------------


class Painter(Hand):
    """Paints by links, without a script, and counts the taps."""

    taps = 0

    def go(self, href: str) -> None:
        """Follow a link and its redirects."""
        self.taps += 1
        before = self.url
        super_go = href if href.startswith("/") else (before.partition("?")[0] + href)
        answer = self.visitor.client.get(super_go, headers={"Accept-Language": "en"}, follow_redirects=True)
        assert answer.status_code == 200, super_go
        self.url = answer.request.full_path.removesuffix("?") if answer.request.query_string else answer.request.path
        self.html = answer.text

    def take(self, code: str) -> None:
        """Choose a brush by its code."""
        href = next(href for href in self.page.links() if parse_qs(urlsplit(href).query).get("brush") == [code])
        self.go(href)

    def paint(self, *cells: str) -> None:
        """Tap cells."""
        for cell in cells:
            self.cell(cell)

    def name(self, cell: str) -> str:
        """The label of a cell."""
        return next(found["aria-label"] or "" for _, found in self.page.elements if found.get("id") == f"c-{cell}")


def test_ten_shops_are_eleven_taps(visitor: Visitors) -> None:
    """Ten shops take one tap for the brush and ten on cells; labels say what a tap does; the brush can be put down."""
    hand = Painter(visitor(), "villefranche")
    hand.take("black-shop")
    assert "Black’s shop Tap the cells. Put down" in hand.page.text
    assert hand.name("c4") == "c4, free. A tap here: Black’s shop"
    assert hand.name("b9") == "b9, enclosure, free. A tap here: nothing changes"
    hand.paint(*(f"{column}{row}" for row in (3, 4) for column in "bcdfg"))
    assert hand.taps == 11
    assert hand.totals[0] > 0
    assert hand.name("g4") == "g4, Black’s shop. A tap here: take it away"
    assert "g4, Black’s shop" in hand.page.text
    hand.paint("g4")
    assert hand.name("g4") == "g4, free. A tap here: Black’s shop"
    hand.click("undo")
    assert hand.name("g4") == "g4, Black’s shop. A tap here: take it away"
    hand.take(ERASER)
    hand.paint("g4")
    assert hand.name("g4") == "g4, free. A tap here: nothing changes"
    hand.click("down")
    assert hand.name("g4") == "g4, free"
    assert "brush" not in hand.url


def test_a_brush_that_changes_nothing_says_so(visitor: Visitors) -> None:
    """Where a piece cannot be entered, the page says that nothing changes. An impossible position can be painted."""
    hand = Painter(visitor(), "villefranche")
    hand.take("white-house")
    before = hand.url.partition("?")[0]
    hand.paint("b9")
    assert hand.url.partition("?")[0] == before
    assert "White’s house: nothing changes here." in hand.page.text
    hand.paint(*(f"{column}2" for column in "bcdefgh"), *(f"{column}3" for column in "bcdefgh"))
    assert "This is impossible" in hand.page.text


def test_what_stands_on_a_cell_can_be_repeated(visitor: Visitors) -> None:
    """A chosen cell offers its piece as a brush: a building of Architekton with its sides, which can be turned."""
    hand = Painter(visitor(), "architekton")
    hand.cell("0,0")
    hand.choose("house of Dark")
    assert 'id="repeat"' not in hand.html, "nobody has entered its sides"
    for side in ("Top: water", "Right: meadow", "Bottom: water", "Left: forest"):
        hand.choose(side)
    hand.take("building-dark-WMWF")
    sides = "sides top, right, bottom, left: water, meadow, water and forest"
    assert sides in hand.name("1,0").partition("A tap here: ")[2]
    hand.click("turn-brush")
    assert "brush=building-dark-FWMW" in hand.url
    hand.paint("1,0")
    assert "left: forest, water, meadow and water" in hand.name("1,0").partition(". A tap")[0]


def test_a_brush_that_is_none_is_not_there(visitor: Visitors) -> None:
    """The page ignores an invalid brush or cell, and refuses an invalid text; it paints nothing."""
    guest = visitor()
    for query in ("brush=nonsense", "brush=black-shop&paint=z9", "brush=nonsense&paint=c4", "paint=c4"):
        answer = guest.client.get(f"/count/villefranche?{query}", follow_redirects=True)
        assert answer.status_code == 200
        assert "Black’s shop. A tap here: take" not in answer.text
    assert guest.get("/count/villefranche/nonsense?brush=black-shop&paint=c4").status_code == 422
    many = ";".join(["c4"] * 500)
    answer = guest.client.get(f"/count/villefranche?brush=black-shop&paint={many}", follow_redirects=True)
    assert answer.status_code == 200


def test_the_script_is_shown_at_once_what_was_painted(visitor: Visitors) -> None:
    """Htmx gets the painted page at once, with its address; the live region names the cell, and each tap is a step."""
    guest = visitor()
    answer = guest.get("/count/villefranche?brush=white-house&paint=c4;d4;c4", **PART)
    there = answer.headers["HX-Push-Url"]
    assert "brush=white-house" in there and "at=c4" in there
    assert "c4, free; Black 0, White 0" in Document(answer.text).text
    text = urlsplit(there).path.rpartition("/")[2]
    assert len(Trail.of(text).steps) == 4
    assert [name for name, value in Document(answer.text).elements if value.get("hreflang")] == ["a"] * (
        len(LANGUAGES) - 1
    )
    assert f'{urlsplit(there).path}?brush=white-house&amp;lang=fr"' in answer.text
    assert guest.get(there).status_code == 200
    here = {**PART, "HX-Current-URL": "http://localhost/count/villefranche"}
    for chosen in ("brush=white-house", "at=c4", "kind=readings"):  # a reload shows the same
        answer = guest.get(f"/count/villefranche?{chosen}", **here)
        assert answer.headers["HX-Replace-Url"] == f"/count/villefranche?{chosen}"
        assert "HX-Push-Url" not in answer.headers
    assert "HX-Replace-Url" not in guest.get(urlsplit(there).path, **here).headers, "Back undoes a tap"


def test_a_question_and_a_table_are_painted_too(visitor: Visitors, ledger: Ledger) -> None:
    """A question also has a brush for unknown cells; a table's present position is painted like a count."""
    hand = Painter(visitor(), "villefranche")
    hand.url, hand.html = "/ask/villefranche", hand.visitor.get("/ask/villefranche").text
    hand.take("white-tower")
    hand.paint("c4", "d4")
    hand.take("unknown")
    hand.paint("d4")
    assert hand.name("d4") == "d4, not yet known. A tap here: nothing changes"
    assert "noble tower" in hand.name("c4")
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 9)
    hand = Painter(guest, "villefranche")
    hand.go(f"{table}/here")
    hand.take("black-house")
    hand.paint("c6", "d6")
    assert hand.url.startswith(f"{table}/here/")
    assert "Against the log" in hand.page.text
    assert "d6, Pierre’s house" in hand.name("d6")


def test_undo_takes_back_a_tap_of_the_question_in_its_count(visitor: Visitors) -> None:
    """A count undoes the taps of its question; a step back to an unknown cell leads back to the question."""
    hand = Painter(visitor(), "villefranche")
    hand.go("/ask/villefranche")
    hand.take("unknown")
    hand.paint("c4")
    hand.take("black-tower")
    hand.paint("c4", "c4", "d4")
    hand.click("count")
    hand.click("undo")
    assert hand.url.startswith("/count/villefranche/")
    assert hand.name("d4").startswith("d4, free")
    hand.click("ask")
    assert "/move" in hand.url
    hand.click("to-position")
    hand.click("count")
    hand.click("undo")
    assert "storeys: 1 of 3" in hand.name("c4")
    hand.click("undo")
    assert hand.url.startswith("/ask/villefranche/")
    assert "not yet known" in hand.name("c4")


def test_a_brush_speaks_french(visitor: Visitors) -> None:
    """The brush's name and the cells' labels are in the page's language."""
    page = visitor("fr").see("/count/villefranche?brush=black-shop")
    assert "boutique de Noir" in page.text
    names = [found["aria-label"] or "" for _, found in page.elements if found.get("id") == "c-c4"]
    assert names == ["c4, libre. Toucher ici\u00a0: boutique de Noir"]


def test_a_painted_position_is_read_as_it_was_entered(visitor: Visitors) -> None:
    """The control: painting gives the same position as taps and choices on the same cells."""
    painted, chosen = Painter(visitor(), "villefranche"), Painter(visitor(), "villefranche")
    painted.take("white-shop")
    painted.paint("c4", "d4")
    for cell in ("c4", "d4"):
        chosen.cell(cell)
        chosen.choose("shop", 1)
    assert (painted.taps, chosen.taps) == (3, 4)

    def position(hand: Painter) -> Any:
        text = hand.url.partition("?")[0].rpartition("/")[2]
        return snapshot_of(GAMES["villefranche"], entry_of(pages_of("villefranche")), Trail.of(text)).position

    assert position(painted) == position(chosen)


def test_a_second_tap_adds_columns(visitor: Visitors) -> None:
    """In Villa Paletti each tap with a brush adds columns, up to the last one."""
    hand = Painter(visitor(), "villa_paletti")
    hand.take("n1")
    cells = {str(found.get("id"))[2:]: found.get("aria-label") or "" for _, found in hand.page.elements}
    cell = next(key for key, name in cells.items() if "A tap here" in name and "nothing changes" not in name)
    names = []
    for _ in range(6):
        hand.paint(cell)
        names.append(hand.name(cell).partition(". A tap")[0])
    assert len(set(names)) > 2
    assert names[-1] == names[-2], "there are no more"
    assert hand.name(cell).endswith("A tap here: nothing changes")


def test_what_a_tap_has_changed_is_not_said_to_change_nothing(visitor: Visitors) -> None:
    """A tap that replaces a town or adds a knight does not say that nothing changes; a knight without a tile does."""
    hand = Painter(visitor(), "robber_knights")
    for code in ("plain town", "knight-blue", "plain castle"):
        hand.go("?brush=" + code)
        hand.paint("0,0")
        assert "nothing changes here" not in hand.page.text, code
    hand.go("?brush=knight-blue")
    hand.paint("1,0")
    assert "nothing changes here" in hand.page.text
