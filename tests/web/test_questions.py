"""Questions about a position in the address, without a table, for every game; and *What if* at a table."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from itertools import islice
from random import Random
from typing import Any
from urllib.parse import urlencode, urljoin

import pytest
from flask import Flask

from rules.kernel import Ruling
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from service.referee.use_cases import Referee
from service.rulings import judge
from service.storage.ledger import Ledger
from tests.support.count_pages import NOT_TEXTS, every_game, positions_to_count, said_by, snapshots
from tests.support.document import Document
from tests.support.loops import over
from tests.support.question_pages import Asker, text_of
from tests.support.records import RECORD_PATHS, records_of
from tests.web.conftest import PART, Visitor
from web.browser.address import EditorAddress
from web.browser.public_url import PublicUrl
from web.game_pages import AnyPages, Choice, Snapshot
from web.pages.editor_page import move_view
from web.panels.editor.editor import IS_ALLOWED, Editor
from web.panels.editor.position import count_position, counted_games
from web.panels.moves.verdict import VerdictPanel
from web.position_url import Trail, Unread, starting_position

Visitors = Callable[..., Visitor]
HOST = PublicUrl("http://localhost", only_here=False)
NOTATION = "(1,0) building E E E E"


def ask(app: Flask, game: Any, entered: Snapshot, language: str = "en", **asked: Any) -> Any:
    """The view of a question's page."""
    with app.test_request_context(headers={"Accept-Language": language}):
        there = EditorAddress(text_of(entered), "move", **asked)
        view = ("web.ask_move", {"game_id": game.id})
        return move_view(Editor.of(game, there, words(language, game.id), view, IS_ALLOWED), HOST)


def moments(pages: AnyPages, entered: Snapshot, language: str = "en") -> list[Choice]:
    """The choices for the moment of a position, such as whose turn it is."""
    assert pages.entry is not None
    return [choice for group in pages.entry.moment(entered, said_by(pages, language)) for choice in group.choices]


# --- the laws of every game ----------------------------------------------------------------------------------------


@every_game
def test_a_position_of_a_game_is_ruled_on_as_at_the_table(app: Flask, game: Any, pages: AnyPages) -> None:
    """A table's position in an address gets the table's rulings, for legal and refused moves, with the nearest ones."""
    seen = set()
    for entered, state in positions_to_count(game, 1):
        everywhere = pages.draw(state, "en").spots
        options = [option for spot in everywhere[::3] for option in pages.options(state, spot.cell)]
        moves = [*islice(game.moves(state), 2), *(move for option in options[::5] for move in option.moves[:1])]
        for move in moves[:6]:
            judgement = judge.judge(game, state, move)
            panel = ask(app, game, entered, move=game.write(move)).panel
            assert isinstance(panel, VerdictPanel)
            assert (panel.ruling, panel.notation) == (judgement.ruling.value, judgement.notation)
            spoken = {finding.rule for finding in judgement.verdict.findings}
            assert {reason.rule for reason in panel.reasons} == spoken
            assert len(panel.nearest) == len(judgement.nearest_moves)
            seen.add(judgement.ruling)
    assert seen >= {Ruling.LEGAL}


@every_game
def test_whatever_is_entered_can_be_asked_about(app: Flask, game: Any, pages: AnyPages) -> None:
    """Any tapped position, with problems or without, can be asked about, at any cell and for any kind of move."""
    chance, problems = Random(game.id), 0
    for entered in snapshots(game.id, 2)[::6]:
        now = chance.choice([entered, *(choice.snapshot for choice in moments(pages, entered))])
        assert pages.entry is not None
        spots = count_position(game, pages.entry, now, words("en", game.id)).board.spots
        for kind in (None, *game.kinds):
            view = ask(app, game, now, at=chance.choice(spots).key, kind=kind)
            problems += bool(view.problems)
            for move in (getattr(row, "href", "") for row in getattr(view.panel, "rows", ())[:2]):
                assert move.startswith("?")
    assert problems or game.id != "architekton", "some taps lead to problems, and are ruled on all the same"


@every_game
def test_every_moment_can_be_entered(app: Flask, game: Any, pages: AnyPages) -> None:
    """The choices for the moment have different labels in every language, and change who is due."""
    assert pages.entry is not None
    for language in LANGUAGES:
        for entered in snapshots(game.id, 0)[:20:6]:
            for group in pages.entry.moment(entered, words(language, game.id)):
                labels = [choice.label for choice in group.choices]
                assert group.title and labels and len(set(labels)) == len(labels)
                assert not any("moment_" in label or "{" in label for label in (group.title, *labels))
            dues = set()
            for choice in moments(pages, entered, language):
                dues.add(ask(app, game, choice.snapshot, language).due)
            assert len(dues) > 1


@every_game
def test_a_move_that_is_not_due_is_asked_about(app: Flask, game: Any, pages: AnyPages) -> None:
    """Every kind of move that is not due has a link."""
    for entered, state in over([*positions_to_count(game, 2)][:6]):
        view = ask(app, game, entered)
        due = game.due(state)
        assert len(view.others) == len(set(game.kinds) - set(due.kinds))
        assert all(other.href.startswith("?") for other in view.others)


# --- the pages ---------------------------------------------------------------------------------------------------


def test_a_question_from_the_first_page(visitor: Visitors) -> None:
    """From the first page to game, cells, move and ruling; another browser sees the same ruling by its link."""
    hand = Asker(visitor())
    assert "/ask/architekton" in hand.page.links()
    hand.go("/ask/architekton")
    hand.click("c-0,0")
    hand.choose("water")
    hand.click("ask")
    assert hand.url.endswith("/move?at=0,0")
    hand.click("c-1,0")
    hand.go(f"?move={NOTATION}")
    assert "Not legal" in hand.page.text
    assert "AR-12" in hand.page.text
    link = next(found["value"] or "" for _, found in hand.page.elements if found.get("id") == "link")
    other = Asker(visitor("fr"), link)
    assert "Interdit" in other.page.text
    assert 'id="to-position"' not in hand.html  # Back leads there
    hand.click("cancel")
    hand.choose("Dark, second")
    assert "Dark, second" in hand.page.text


def test_a_roof_on_a_house_of_the_other_is_refused(visitor: Visitors) -> None:
    """In Villefranche a black roof is refused on a white house (`VF-31`); the page has no form to place it."""
    hand = Asker(visitor(), "/ask/villefranche?at=c4")
    hand.choose("house", 1)
    assert 'aria-label="c4, White’s house"' in hand.html
    hand.click("cancel")
    hand.choose("Black, second")
    hand.click("ask")
    hand.click("c-c4")
    hand.click("o-roof")
    assert "Not legal" in hand.page.text
    assert "VF-31" in hand.page.text
    assert 'method="post"' not in hand.html, "nobody plays here"


@pytest.mark.parametrize("text", NOT_TEXTS.values(), ids=NOT_TEXTS)
@pytest.mark.parametrize("game", [game.id for game in counted_games()])
def test_an_address_that_is_none_is_answered(visitor: Visitors, game: str, text: str) -> None:
    """Both pages answer 422 to a text that is no position, and say so."""
    for address in (f"/ask/{game}/{text}", f"/ask/{game}/{text}/move?at=c4"):
        answer = visitor("fr").get(address)
        assert answer.status_code == 422
        assert "Ce lien ne contient aucun plateau à juger" in Document(answer.text).text
        assert visitor().get(address, **PART).status_code == 422


def test_what_is_no_game_or_no_move_is_said(visitor: Visitors) -> None:
    """An unknown game answers 404; for invalid notation the page says that it is no move."""
    assert visitor().get("/ask/chess").status_code == 404
    assert visitor().get("/ask/chess/x/move").status_code == 404
    for game in counted_games():
        hand = Asker(visitor(), f"/ask/{game.id}")
        hand.click("ask")
        hand.go("?move=%3Cb%3Enonsense")
        assert "“<b>nonsense” is not a move of this game." in hand.page.text


def test_every_link_of_a_question_leads_somewhere(visitor: Visitors) -> None:
    """No link of a question is broken, whatever its address asks for beside the position."""
    guest = visitor("fr")
    followed: set[str] = set()
    for game in over(counted_games()):
        start = next(link for link in guest.see(f"/ask/{game.id}").links() if "/move" in link)
        for query in ("", "?at=0,0", "?at=c4&kind=roof", "?at=nowhere&zoom=c4", "?kind=nothing&so=a;b", "?kind=bishop"):
            path = f"{start.partition('?')[0]}{query}"
            links = {urljoin(path, link) for link in guest.see(path).links()[::7] if not link.startswith("#")}
            assert links
            for link in links - followed:
                assert guest.get(link).status_code == 200, link
            followed |= links


@every_game
def test_a_question_shows_whose_turn_a_ruling_takes_it_to_be(game: Any, pages: AnyPages) -> None:
    """Even a blank question marks who is taken to be due: one player, or nobody knows."""
    assert pages.entry is not None
    blank = starting_position(pages.entry, asks=True)
    for group in pages.entry.moment(blank, said_by(pages, "en")):
        if not group.seldom and group.title.startswith("Who"):
            assert sum(choice.is_chosen for choice in group.choices) == 1, (game.id, group.title)


# --- what if -----------------------------------------------------------------------------------------------------


@every_game
def test_what_if_leaves_the_table_alone(visitor: Visitors, ledger: Ledger, game: Any, pages: AnyPages) -> None:
    """*What if* opens the table's board as a question, which anybody with the link sees; the log does not change."""
    name = min(path.stem for path in records_of(game.id))
    guest = visitor()
    table = guest.sit(ledger, f"{game.id}/{name}", 5)
    before = guest.see(f"{table}/moves").text
    answer = guest.get(f"{table}/what-if?at=c4")
    assert answer.status_code == 303
    there = answer.headers["Location"]
    assert "at=c4" in there
    stranger = visitor("fr")
    page = stranger.see(there)
    assert pages.entry is not None
    assert "post" not in {attributes.get("method") for tag, attributes in page.elements if tag == "form"}
    assert f"{table}/what-if" in unescape(guest.get(table).text)
    assert guest.see(f"{table}/moves").text == before
    assert stranger.get(f"{table}/what-if").status_code == 401


def test_what_if_tells_no_names(visitor: Visitors) -> None:
    """The link contains the position without the players' names."""
    guest = visitor()
    table = guest.open(**{"name-black": "Ada", "name-white": "Grace"})
    there = guest.get(f"{table}/what-if").headers["Location"]
    text = there.partition("/villefranche/")[2].partition("/")[0]
    assert "Ada" not in str(Trail.of(text).steps)
    with pytest.raises(Unread):
        Trail.of(text[:-2])


@pytest.mark.parametrize(("language", "colour"), [("en", "Black"), ("fr", "Noir")])
def test_what_if_calls_the_players_by_name_on_this_phone_alone(visitor: Visitors, language: str, colour: str) -> None:
    """A table's question names its players on this phone, on all its pages. Another phone sees colours by the shared
    link, as does this phone by a link without its table.
    """
    guest = visitor(language)
    table = guest.open(**{"name-black": "Ada", "name-white": "Grace"})
    for move in ("r b1c1", "r g1h1", "r d1e1"):
        guest.place(table, move)
    there = guest.get(f"{table}/what-if").headers["Location"]
    asked = guest.see(there)
    assert colour not in asked.text
    assert "Ada" in asked.text
    cell = next(urljoin(there, link) for link in asked.links() if "at=b9" in link)
    enters = [link for link in asked.links() if link.startswith(f"{table}/ask/") and "/move" not in link]
    entered = next(link for link in enters if "kind=readings" not in link)
    chosen = next(urljoin(entered, link) for link in guest.see(entered).links() if "at=b9" in link)
    known = {link.partition("?")[0] for link in (entered, chosen, there)}
    links = guest.see(chosen).links()
    changed = next(link for link in links if "at=b9" in link and link.partition("?")[0] not in known | {""})
    for path in (cell, entered, chosen, changed):
        page = guest.see(path)
        assert colour not in page.text, path
        assert "Ada" in page.text
    assert "Ada" in guest.see(f"{there}?move=r+b9c9").text
    sent = next(attributes["value"] for _, attributes in asked.elements if attributes.get("id") == "link")
    assert sent is not None
    assert table.rpartition("/")[2] not in sent
    guest.client.delete_cookie("recent")  # the names do not depend on the first page's list
    assert "Ada" in guest.see(there).text
    assert f'href="{table}"' in guest.get(there).text
    for who, path in ((visitor(language), there), (guest, sent), (guest, there.replace("/t/", "/t/-"))):
        page = who.see(path.removeprefix("http://localhost"))
        assert colour in page.text
        assert "Ada" not in page.text


# --- from the log of a table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted({path.parent.name for path in RECORD_PATHS}))
def test_a_question_is_asked_from_an_entry_of_the_log(name: str, visitor: Visitors, ledger: Ledger) -> None:
    """In every game, an entry of the log opens the board before it, where its move gets the same ruling."""
    guest = visitor()
    path = records_of(name)[0]
    table = guest.sit(ledger, f"{name}/{path.stem}", 12)
    referee = Referee(ledger)
    key = guest.client.get_cookie("keys", path=table)
    assert key is not None
    before = referee.table(table.removeprefix("/t/"), key.decoded_value.partition(".")[2])[0]
    entry = before.move_entry(before.line[6])
    where = f"{table}/what-if?entry={entry.number}"
    assert where in guest.see(f"{table}/moves?entry={entry.number}").links()
    answer = guest.get(where)
    assert answer.status_code == 303
    there = answer.headers["Location"]
    page = guest.see(f"{there}{'&' if '?' in there else '?'}{urlencode({'move': entry.notation})}")
    assert ("Legal" if entry.ruling is Ruling.LEGAL else "Not legal") in page.text
    assert not [action for action, _ in page.forms if action.endswith("/play")]


@pytest.mark.parametrize(("language", "said"), [("en", "The board before no. 2"), ("fr", "Le plateau avant le n° 2")])
def test_a_position_too_long_for_an_address_is_asked_about_at_its_table(
    language: str, said: str, visitor: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a board has its page at the table, with cells and rulings; no move can be placed, disputed or reported."""
    monkeypatch.setattr("web.pages.editor_page.MAX_TEXT", 10)
    guest = visitor(language)
    table = guest.open()
    for move in ("r b9c9", "r g1h1", "h e5"):
        guest.place(table, move)
    then = guest.get(f"{table}/what-if?entry=3").headers["Location"]
    assert then == f"{table}/then?entry=3"
    page = guest.see(then)
    assert said in page.text
    assert "?at=e5&entry=3" in page.links()
    ruled = guest.see(f"{then}&move=r+b9c9")
    assert "VF-" in ruled.text
    legal = guest.see(f"{then}&move=r+g1h1")
    for asked in (ruled, legal):
        assert not [action for action, _ in asked.forms if action.endswith(("/play", "/case"))]
        assert not [link for link in asked.links() if "/disputes/new" in link]
    nearby = [link for link in ruled.links() if link.startswith("?") and "move=" in link and "entry=3" in link]
    assert nearby
    assert guest.get(f"{then}&since=4").status_code == 204
    for none in ("then", "then?entry=1", "then?entry=99"):
        assert guest.get(f"{table}/{none}").headers["Location"] == f"{table}/moves"
    assert "“nonsense”" in guest.see(f"{then}&move=nonsense").text or language == "fr"
    assert visitor().get(then).status_code == 401


# --- one editor --------------------------------------------------------------------------------------------------


def test_each_ending_leads_to_the_others(visitor: Visitors) -> None:
    """*What if* leads to the table's present board, to the count, to the question and back to the table; another
    phone gets no link to the table.
    """
    guest = visitor()
    table = guest.open(**{"name-black": "Ada", "name-white": "Grace"})
    guest.place(table, "r b1c1")
    hand = Asker(guest, guest.get(f"{table}/what-if").headers["Location"])
    here = hand.url
    assert "What if: nothing is entered" in hand.page.text
    hand.click("go-on")
    assert "This is what the log gives." in hand.page.text
    hand.click("count")
    assert "Count: Villefranche" in hand.page.text
    hand.click("ask")
    assert hand.url.partition("?")[0] == here.partition("?")[0]
    assert f'href="{table}" hx-boost="false"' in hand.html
    stranger = visitor().get(here).text
    assert table not in stranger.replace(here.partition("?")[0], "")
    entry = Asker(guest, guest.get(f"{table}/what-if?entry=2").headers["Location"])
    assert f'href="{table}/moves?entry=2" hx-boost="false"' in entry.html


def test_readings_are_chosen_for_a_question(visitor: Visitors) -> None:
    """The button at the top opens the readings, of which one can be chosen for the question."""
    hand = Asker(visitor(), "/ask/villefranche")
    hand.click("to-readings")
    assert "How the rules are read" in hand.page.text
    links = [found["id"] or "" for _, found in hand.page.elements if (found.get("class") or "") == "take"]
    chosen = [found["id"] for _, found in hand.page.elements if found.get("aria-current") == "true"]
    other = next(link for link in links if link not in chosen)
    hand.click(other)
    assert other in [found.get("id") for _, found in hand.page.elements if found.get("aria-current") == "true"]
    hand.click("cancel")
    assert "Who places next" in hand.page.text
