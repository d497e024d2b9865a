"""A position entered by taps, and its score: laws for every game, then the pages without a script."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any
from urllib.parse import urljoin

import orjson
import pytest
from flask import Flask

from service.app import create_app
from service.config import Settings
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from service.rulings import judge
from tests.rules.play import often
from tests.support.count_pages import (
    NOT_TEXTS,
    TAPS,
    Hand,
    choices_at,
    entry_of,
    every_game,
    positions_to_count,
    snapshots,
    text_of,
)
from tests.support.document import Document
from tests.support.loops import over
from tests.web.conftest import PART, Visitor
from web.board.inks import merge_inks
from web.game_pages import AnyPages
from web.games import all_pages
from web.games.architekton import entry as architekton
from web.pages.editor_page import why_unread
from web.panels.editor import position as panel
from web.panels.editor.position import count_position, counted_games
from web.position_url import MAX_STEPS, MAX_TEXT, Packer, Trail, Unread, snapshot_of, step_of

Visitors = Callable[..., Visitor]


def piece_names(game: Any, pages: Any, state: Any) -> set[Any]:
    """The named pieces of a state, if it has any."""
    return set(pages.full_names(state, words("en", game.id), None))


# --- the laws of every game ----------------------------------------------------------------------------------------


@every_game
def test_an_entry_begins_without_a_problem(game: Any, pages: AnyPages) -> None:
    """The blank position, of the empty text, can be counted, drawn and tapped in every language."""
    blank = snapshot_of(game, entry_of(pages), Trail.of(""))
    for language in over(LANGUAGES):
        made = count_position(game, entry_of(pages), blank, words(language, game.id))
        assert not made.problems
        assert len(made.sheet.totals) in game.players
        assert any(entry_of(pages).choices(blank, spot.cell, words(language, game.id)) for spot in made.board.spots)


@every_game
@pytest.mark.parametrize("seed", range(often(6)))
def test_any_taps_can_be_counted(game: Any, pages: AnyPages, seed: int) -> None:
    """A position of any taps, with problems or without, is drawn and scored; its address holds all of it."""
    chance = Random(seed)
    trail = Trail()
    for entered in over(snapshots(game.id, seed)):
        made = count_position(game, entry_of(pages), entered, words(chance.choice(LANGUAGES), game.id))
        assert made.sheet.ranking
        text = Packer(trail.steps).text(step_of(entered))
        assert len(text) <= MAX_TEXT
        trail = Trail.of(text)
        read = snapshot_of(game, entry_of(pages), trail)
        assert replace(read.setup, readings=entered.setup.readings) == entered.setup
        assert read.position == entered.position


@every_game
def test_a_position_of_a_game_is_counted_as_in_the_game(game: Any, pages: AnyPages) -> None:
    """A table's position counts as at the table, without problems; the board has each cell that its evidence lights.

    Evidence may also name a piece that has a name.
    """
    for number in range(3):
        for entered, state in over(positions_to_count(game, number)):
            made = count_position(game, entry_of(pages), entered, words("en", game.id))
            assert not made.problems
            assert made.sheet.lines == judge.sheet(game, state).lines
            cells = {spot.cell for spot in made.board.spots} | piece_names(game, pages, state)
            facts = [fact for lines in made.sheet.lines.values() for line in lines for fact in line.evidence]
            assert {cell for fact in facts for cell in fact.cells} <= cells


@every_game
def test_picks_are_told_apart(game: Any, pages: AnyPages) -> None:
    """A group's choices have different labels in every language, none of them a code; their icons can be drawn."""
    symbols, inks = {symbol.id for symbol in pages.symbols}, merge_inks((pages.inks,))
    for entered in over(snapshots(game.id, 0)[:: TAPS // often(15)]):
        cells = [spot.cell for spot in count_position(game, entry_of(pages), entered, words("en", game.id)).board.spots]
        for language in over(LANGUAGES):
            for group in over(
                group
                for cell in (*cells, None)
                for group in entry_of(pages).choices(entered, cell, words(language, game.id))
            ):
                labels = [choice.label for choice in group.choices]
                assert labels and len(set(labels)) == len(labels)
                assert not any("edit_" in label or "{" in label or "…" in label for label in (group.title, *labels))
                for shape in (shape for choice in group.choices for shape in choice.icon):
                    assert shape.ink in inks or str(shape.attributes["href"]).removeprefix("#") in symbols


@every_game
def test_what_is_entered_can_be_taken_away(game: Any, pages: AnyPages) -> None:
    """Emptying each cell leaves no piece on the board, whatever was entered."""
    for seed in range(3):
        *_, entered = snapshots(game.id, seed)
        assert count_position(game, entry_of(pages), entered, words("en", game.id)).board.pieces
        for spot in count_position(game, entry_of(pages), entered, words("en", game.id)).board.spots:
            entered = next(
                (choice.snapshot for choice in choices_at(pages, entered, spot.cell) if not choice.label), entered
            )
        pieces = count_position(game, entry_of(pages), entered, words("en", game.id)).board.pieces
        assert not [shape for shape in pieces if shape.tag == "use"], "floors stay, pieces do not"


# --- the text of an address ----------------------------------------------------------------------------------------


def test_the_last_taps_can_be_undone() -> None:
    """A text holds the last taps one by one; it drops the older half where it would grow too long."""
    trail = Trail()
    for number in range(MAX_STEPS + 5):
        trail = Trail.of(Packer(trail.steps).text({"n": number}))
    assert [step["n"] for step in trail.steps] == list(range(4, MAX_STEPS + 5))
    back = trail.without_last()
    assert back is not None
    assert Trail.of(back.text()) == back == Trail(trail.steps[:-1])
    assert Trail(trail.steps[:1]).without_last() is None
    assert Trail.of(trail.last_only().text()) == Trail(({"n": MAX_STEPS + 4},))
    noise = Random(1)
    steps = [{"n": noise.randbytes(400).hex()} for _ in range(MAX_STEPS)]
    text = Packer(steps[:-1]).text(steps[-1])
    kept = Trail.of(text).steps
    assert len(text) <= MAX_TEXT
    assert 1 < len(kept) < MAX_STEPS
    assert list(kept) == steps[-len(kept) :]


@pytest.mark.parametrize("text", NOT_TEXTS.values(), ids=NOT_TEXTS)
@pytest.mark.parametrize("game", [game.id for game in counted_games()])
def test_a_text_that_is_none_is_answered(visitor: Visitors, game: str, text: str) -> None:
    """An address whose text is no position answers 422 and says so in the page's language."""
    answer = visitor("fr").get(f"/count/{game}/{text}")
    assert answer.status_code == 422
    assert "Ce lien ne contient aucun plateau à compter" in Document(answer.text).text
    assert visitor().get(f"/count/{game}/{text}", **PART).status_code == 422


def test_what_is_wrong_with_a_position_is_said(visitor: Visitors) -> None:
    """For a position that cannot be counted the page names the field or the rule; half a brick counts all the same."""
    players = [{"colour": "blue"}, {"colour": "yellow"}]
    for game, setup, position, said in (
        ("villefranche", {}, {"cells": {"z9": []}}, "is not a cell"),
        ("villefranche", {"players": []}, {}, "One player is Black and the other is White"),
        ("robber_knights", {"players": players[:1] * 2}, {}, "Each colour plays once"),
        ("architekton", {}, {}, "The two first landscapes: This field is required."),
        ("robber_knights", {"players": players}, {"tiles": [{"cell": [0, 0]}]}, "No. 1: This field is required."),
        ("fief", {"players": [{"colour": "red"}]}, {}, "Red, Lord: This field is required."),
        ("villefranche", {}, {"cells": {"c4": [{"piece": "x", "colour": "black"}]}}, "c4: Choose one of these"),
        ("villefranche", {}, {"due": "green"}, "Choose one of these: Black, White."),
        ("villefranche", {}, {"bogus": 1}, "bogus: There is no such field"),
    ):
        answer = visitor().get(f"/count/{game}/{text_of({'setup': setup, 'position': position})}")
        assert answer.status_code == 422
        assert said in Document(answer.text).text
        assert "(/" not in Document(answer.text).text, "a pointer is for programs"
    stranger = {"tiles": [{"cell": [0, 0], "face": "plain castle", "knights": ["red"]}]}
    text = text_of({"setup": {"players": players}, "position": stranger})
    assert "Red is not playing and has no knights" in visitor().see(f"/count/robber_knights/{text}").text
    half = {"cells": {"c4": [{"piece": "brick", "colour": "black"}]}}
    counted = visitor().see(f"/count/villefranche/{text_of({'setup': {}, 'position': half})}").text
    assert "The brick on c4 covers two cells" in counted
    assert "Total 0 0" in counted


def test_what_could_be_read_is_kept(visitor: Visitors) -> None:
    """A position with an unknown cell and field gets a link on with the rest; an unreadable one, to an empty board."""
    shop = [{"piece": "cube", "colour": "black"}, {"piece": "pyramid", "colour": "black"}]
    position = {"cells": {"c4": shop, "z9": [], "d4": shop}, "rest": "?!", "due": "white"}
    for where in ("count", "ask"):
        guest = visitor()
        answer = guest.get(f"/{where}/villefranche/{text_of({'setup': {}, 'position': position})}")
        assert answer.status_code == 422
        [link] = [found["href"] or "" for _, found in Document(answer.text).elements if found.get("id") == "onward"]
        page = guest.get(link)
        assert page.status_code == 200
        assert "c4, Black’s shop" in page.text
        assert "d4, Black’s shop" in page.text
        nothing = guest.get(f"/{where}/villefranche/{NOT_TEXTS['cut']}")
        assert f'href="/{where}/villefranche">Begin with an empty board' in nothing.text


def test_a_link_of_another_game_leads_to_that_game(visitor: Visitors) -> None:
    """Where an address names the wrong game, the page names the right one, and links to the position there."""
    guest = visitor()
    page = guest.get("/ask/villefranche").text
    [first] = [link["href"] or "" for _, link in Document(page).elements if link.get("id") == "p-1-3"]
    answer = guest.get(first.replace("villefranche", "fief"))
    assert answer.status_code == 422
    said = Document(answer.text).text
    assert "This link holds a board of Villefranche, not of Fief." in said
    assert "reading" not in said
    [onward] = [link["href"] or "" for _, link in Document(answer.text).elements if link.get("id") == "onward"]
    assert onward.partition("?")[0] == first.partition("?")[0]
    assert guest.get(onward).status_code == 200


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value's place in JSON: its container, and its key or index there."""
    for name, inner in list(value.items()) if isinstance(value, dict) else list(enumerate(value)):
        yield value, name
        if isinstance(inner, dict | list):
            yield from leaves(inner)


@every_game
def test_whatever_a_text_holds_is_counted_or_refused(app: Flask, game: Any, pages: AnyPages) -> None:
    """A position with parts exchanged, removed or doubled is counted, or refused with a sentence."""
    chance = Random(game.id)
    known = [orjson.loads(orjson.dumps(step_of(entered))) for entered, _ in positions_to_count(game, 0)]
    said = []
    for _ in range(often(400)):
        step = copy.deepcopy(chance.choice(known))
        for _ in range(chance.randint(1, 3)):
            holder, name = chance.choice(list(leaves(step)))
            other, at = chance.choice(list(leaves(chance.choice(known))))
            holder[name] = chance.choice([other[at], other[at], None, -1, 99, "", [], {}])
        try:
            made = count_position(
                game, entry_of(pages), snapshot_of(game, entry_of(pages), Trail((step,))), words("en", game.id)
            )
        except Unread as error:
            with app.test_request_context(headers={"Accept-Language": "fr"}):
                said.append(why_unread(error, game))
        else:
            assert made.sheet.totals
    assert 0 < len(said) < often(400)
    assert all(said)


# --- the pages -----------------------------------------------------------------------------------------------------


def test_two_shops_are_a_corporation(visitor: Visitors) -> None:
    """Two taps enter a building and update the score: two adjacent shops of one colour give two points."""
    hand = Hand(visitor(), "villefranche")
    assert hand.totals == [0, 0]
    for cell in ("c4", "d4"):
        hand.cell(cell)
        hand.choose("shop", 1)
        assert "aria-current" in hand.html
    assert hand.totals == [0, 2]
    assert "White leads, 2–0" in hand.page.text
    hand.click("s-VF-62-2")
    assert hand.html.count('class="mark lit"') == 2
    hand.cell("c4")
    hand.choose("nothing")
    assert hand.totals == [0, 0]


def test_the_top_knight_scores_a_tile(visitor: Visitors) -> None:
    """Taps enter players, a face, and knights from the bottom up; a town's three points go to the top knight."""
    hand = Hand(visitor(), "robber_knights")
    hand.choose("Green")
    assert hand.totals == [0, 0, 0]
    hand.cell("0,0")
    hand.choose("town in the forest")
    hand.choose("Blue on top")
    assert hand.totals == [3, 0, 0]
    hand.choose("Green on top")
    assert hand.totals == [0, 0, 3]
    assert "from the bottom: Blue and Green" in hand.page.text
    hand.cell("1,0")
    hand.choose("castle in the plain")
    hand.choose("Blue on top")
    assert hand.totals == [1, 0, 3]
    hand.cell("0,0")
    hand.choose("top one off")
    assert hand.totals == [4, 0, 0]
    hand.click("cancel")
    for colour in ("Blue", "Yellow"):
        hand.choose(colour)
        assert len(hand.totals) == (3 if colour == "Blue" else 2), "whoever has knights on the table has played"


def test_a_house_among_three_landscapes_stays(visitor: Visitors) -> None:
    """Taps enter a building, its house, landscapes and chips; a house that stays is a point, and so is a chip."""
    hand = Hand(visitor(), "architekton")
    assert hand.totals == [1, 1]
    hand.cell("0,0")
    hand.choose("house of Dark")
    for number, (cell, landscape) in enumerate((("1,0", "water"), ("0,1", "earth"), ("-1,0", "water")), 1):
        hand.cell(cell)
        hand.choose(landscape)
        assert hand.totals == [1, 2 if number == 3 else 1]
    hand.cell("0,0")
    hand.choose("Top: earth")
    assert '<details class="more" open>' in hand.html
    assert "sides top, right, bottom, left: earth, " in hand.page.text
    assert hand.totals == [1, 2]
    hand.click("cancel")
    hand.choose("one more", 1)
    assert hand.totals == [1, 3]


def test_what_cannot_be_less_keeps_its_place(visitor: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    """At zero and at the maximum, the tap that would pass the limit is disabled and stays in its place."""
    monkeypatch.setattr(architekton, "MAX_CHIPS", 2)
    hand = Hand(visitor(), "architekton")
    assert hand.takes(2) == [("a", "one less"), ("a", "one more")]
    hand.choose("one less")
    assert hand.totals == [0, 1]
    assert hand.takes(2) == [("span", "one less"), ("a", "one more")]
    assert re.search(r'<span class="take off"[^>]* role="link" aria-disabled="true"', hand.html)
    for chips in (1, 2):
        hand.choose("one more")
        assert hand.totals == [chips, 1]
    assert hand.takes(2) == [("a", "one less"), ("span", "one more")]


def test_taps_can_be_undone_and_all_be_cleared(visitor: Visitors) -> None:
    """Undo takes back one tap after the other, also a clearing; the shared link has the position without the taps."""
    hand = Hand(visitor(), "villefranche")
    assert "Undo" in hand.page.text
    assert not any(found.get("id") in ("undo", "clear") for _, found in hand.page.elements)
    hand.cell("c4")
    hand.choose("house")
    hand.choose("shop")
    hand.click("clear")
    assert "Black’s shop" not in hand.html
    hand.click("undo")
    assert 'aria-label="c4, Black’s shop"' in hand.html
    link = next(found["value"] or "" for _, found in hand.page.elements if found.get("id") == "link")
    hand.click("undo")
    assert 'aria-label="c4, Black’s house"' in hand.html
    hand.click("undo")
    assert 'aria-label="c4, free"' in hand.html
    hand.go(link)
    assert 'aria-label="c4, Black’s shop"' in hand.html
    assert not any(found.get("id") == "undo" for _, found in hand.page.elements)


def test_too_many_pieces_are_said_and_counted(visitor: Visitors) -> None:
    """A seventh water is a problem: the page names its rule and lights it on the board; count and taps go on."""
    hand = Hand(visitor(), "architekton")
    for number in range(7):
        hand.cell(f"{number},0")
        hand.choose("water")
        assert ("This is impossible" in hand.page.text) == (number == 6)
    assert "AR-3" in hand.page.text
    assert hand.html.count('class="mark lit"') == 7
    assert hand.totals == [1, 1]
    hand.cell("6,0")
    hand.choose("earth")
    assert "This is impossible" not in hand.page.text


def test_a_pick_that_changes_nothing_is_no_step(visitor: Visitors) -> None:
    """A tap on the present choice changes neither the position nor the history."""
    hand = Hand(visitor(), "villefranche")
    hand.cell("c4")
    hand.choose("house")
    before = hand.url.partition("?")[0]
    hand.choose("house")
    assert hand.url.partition("?")[0] == before
    assert 'hx-push-url="true" aria-current' not in hand.html


def test_every_link_of_a_count_leads_somewhere(visitor: Visitors) -> None:
    """No link of a count is broken, whatever its address asks for beside the position."""
    guest = visitor("fr")
    for game in over(counted_games()):
        for query in ("", "?at=0,0", "?at=c4", "?at=nowhere&zoom=c4", "?zoom=0,0&show=x.y", "?show=VF-6&kind=9"):
            path = f"/count/{game.id}{query}"
            for link in over(link for link in guest.see(path).links()[::9] if not link.startswith("#")):
                assert guest.get(urljoin(path, link)).status_code == 200, link


def test_only_what_changes_is_sent(visitor: Visitors) -> None:
    """Htmx gets the part that it swaps, with the points for screen readers."""
    guest = visitor()
    page = guest.see("/count/villefranche")
    assert any(found.get("id") == "table" for _, found in page.elements)
    answer = guest.get("/count/villefranche?at=c4", **PART)
    assert "<html" not in answer.text
    assert 'hx-swap-oob="innerHTML">Black 0, White 0</p>' in answer.text


def test_the_first_page_offers_every_game_that_can_be_counted(visitor: Visitors) -> None:
    """Each game with an editable board has links to count and to ask, after the one that opens a table."""
    links = visitor().see("/").links()
    for each in counted_games():
        at = links.index(f"/?game={each.id}")
        assert links[at + 1 : at + 3] == [f"/count/{each.id}", f"/ask/{each.id}"]
    assert len(counted_games()) >= 3


def test_a_game_without_such_a_board_is_not_offered(visitor: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without an editor is not offered, and its address answers 404."""
    game = counted_games()[0].id
    others = {name: replace(pages, entry=None) if name == game else pages for name, pages in all_pages().items()}
    monkeypatch.setattr(panel, "all_pages", lambda: others)
    guest = visitor()
    assert f"/count/{game}" not in guest.see("/").links()
    for name in (game, "chess"):
        assert guest.get(f"/count/{name}").status_code == 404


def test_a_count_needs_no_store() -> None:
    """Without Redis a position can be entered and counted."""
    app = create_app(Settings.of({"REDIS_URL": "unix:///nowhere", "BASTIDE_HOSTS": "localhost"}))
    hand = Hand(Visitor(app.test_client()), "villefranche")
    hand.cell("c4")
    hand.choose("shop")
    hand.cell("c5")
    hand.choose("shop")
    assert hand.totals == [2, 0]
