"""The pages of disputes, without a script: links and forms raise, settle and undo them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask

from service.http.current import REFEREE
from service.referee.remedies import view_dispute
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.question_pages import text_with
from tests.support.records import RECORD_PATHS
from tests.web.conftest import Visitor

Visitors = Callable[..., Visitor]
QUESTION = "Is that <b>one</b> too many?"


def a_table(guest: Visitor) -> str:
    """The address of a table with three moves."""
    table = guest.open()
    for move in ("r b9c9", "r g1h1", "h e5"):
        guest.place(table, move)
    return table


def remedies_of(page: Document) -> list[str]:
    """The remedies offered on a dispute's page."""
    inputs = (found for tag, found in page.elements if tag == "input" and found.get("name") == "remedy")
    return [found["value"] or "" for found in inputs if found.get("type") == "radio"]


def settling(page: Document, remedy: str) -> tuple[str, dict[str, str]]:
    """The form that settles a dispute, with one of its remedies chosen."""
    assert remedy in remedies_of(page)
    address, fields = page.form("/settlement")
    return address, {**fields, "remedy": remedy}


def test_what_would_change_nothing_is_not_offered(visitor: Visitors, app: Flask) -> None:
    """The page leaves out the remedy `replay` where it leads to the same table; the API offers it."""
    guest = visitor()
    table = a_table(guest)
    guest.send(guest.see(f"{table}/disputes/new?entry=3").form("/disputes", entry="3"), question=QUESTION)
    referee: Referee = app.extensions[REFEREE]
    host = guest.client.get_cookie("keys", path=table)
    assert host is not None
    found, _role = referee.table(table[3:], host.value.partition(".")[2].partition(":")[0])
    offered = {each.remedy: each.revision.state == found.state for each in view_dispute(found, 1).remedies}
    assert offered == {"stands": True, "go_back": False, "replay": True, "adjust": True}
    page = guest.see(f"{table}/disputes/1")
    assert remedies_of(page) == ["stands", "go_back"]
    assert f"{table}/disputes/1/here" in page.links()


@pytest.mark.parametrize(
    ("language", "words"), [("en", ("No longer in play:", "Settled")), ("fr", ("Plus en jeu :", "Tranché"))]
)
def test_a_dispute_is_raised_settled_and_taken_back(language: str, words: tuple[str, str], visitor: Visitors) -> None:
    """The log links to the form, which raises the dispute; it is settled, with one field for words, and undone.

    The dispute's page does not list the players' supplies.
    """
    guest = visitor(language)
    table = a_table(guest)
    assert f"{table}/disputes/new?entry=3" in guest.see(f"{table}/moves?entry=3").links()
    asked = guest.see(f"{table}/disputes/new?entry=3")
    raised = guest.send(asked.form("/disputes", entry="3"), question=QUESTION)
    assert QUESTION in raised.text
    assert words[0] in raised.text
    assert not re.search(r"bricks left|Il reste \d+ briques", raised.text)
    parted = {"en": "g1–h1; ", "fr": "g1–h1 ; "}[language]
    assert parted in raised.text
    labels = re.findall(r'<label [^>]*for="?words[^>]*>.*?</label>', guest.get(f"{table}/disputes/1").text)
    assert [action for action, _ in raised.forms if action.endswith("/settlement")] == [
        f"{table}/disputes/1/settlement"
    ]
    assert len(labels) == 1
    assert f"{table}/disputes/1" in guest.see(table).links()
    settled = guest.send(settling(raised, "go_back"))
    assert words[1] in settled.text
    assert not [action for action, _ in settled.forms if action.endswith("/settlement")]
    assert f"{table}/disputes/1" in guest.see(f"{table}/moves").links()
    assert f"{table}/disputes/1" not in guest.see(table).links()
    guest.send(guest.see(table).form("/rewind", to="5"))
    assert guest.see(f"{table}/disputes/1").form("/settlement", remedy="stands")


def test_a_verdict_can_be_disputed(visitor: Visitors) -> None:
    """A move that is not played can be disputed from its verdict."""
    guest = visitor()
    table = a_table(guest)
    where = f"{table}/disputes/new?move=h+c4"
    assert where in guest.see(f"{table}?move=h+c4").links()
    raised = guest.send(guest.see(where).form("/disputes", move="h c4"), question=QUESTION)
    assert "Nothing changes on the board." in raised.text


def test_who_is_second_sees_the_dispute_of_the_first(visitor: Visitors) -> None:
    """A second dispute about an entry leads to the first; one about another entry is raised despite a newer version."""
    guest = visitor()
    table = a_table(guest)
    form = guest.see(f"{table}/disputes/new?entry=3").form("/disputes", entry="3")
    other = guest.see(f"{table}/disputes/new?entry=4").form("/disputes", entry="4")
    guest.send(form, question="First?")
    assert "Second?" in guest.send(other, question="Second?").text
    again = guest.see(f"{table}/disputes/new?entry=3").form("/disputes", entry="3")
    assert "First?" in guest.send(again, question="Third?").text
    stale = guest.see(f"{table}/disputes/1").form("/settlement", remedy="stands")
    guest.send(guest.see(f"{table}/disputes/2").form("/settlement", remedy="stands"))
    assert guest.post(*stale).status_code == 412
    assert guest.post(stale[0], {**stale[1], "version": "7", "key": ""}).status_code in (412, 303)


def test_a_settlement_that_changed_nothing_is_taken_back(visitor: Visitors) -> None:
    """On a dispute's page the host undoes and redoes a settlement that changed nothing."""
    guest = visitor()
    table = a_table(guest)
    guest.send(guest.see(f"{table}/disputes/new?entry=3").form("/disputes", entry="3"), question="?")
    there = f"{table}/disputes/1"
    guest.send(guest.see(there).form("/settlement", remedy="stands"))
    settled = guest.see(there)
    assert "Undo the settlement" in settled.text
    guest.send(settled.form("/rewind"))
    opened = guest.see(there)
    assert "Undone since." in opened.text
    assert opened.form("/settlement", remedy="stands")
    guest.send(opened.form("/rewind"))
    assert "Undone since." not in guest.see(there).text


def test_what_is_no_dispute_is_said(visitor: Visitors) -> None:
    """Invalid forms and addresses of disputes get 404 or 422, and the form keeps the question."""
    guest = visitor()
    table = a_table(guest)
    assert guest.get(f"{table}/disputes/1").status_code == 404
    for path in (f"{table}/disputes/new", f"{table}/disputes/new?entry=99"):
        assert guest.get(path).status_code == 200
    form = guest.see(f"{table}/disputes/new?entry=3").form("/disputes", entry="3")
    for fields in ({"question": ""}, {"question": "x" * 301}, {"entry": "99", "question": "?"}, {"version": ""}):
        assert guest.post(form[0], {**form[1], **fields}).status_code == 422
    typed = guest.post(form[0], {**form[1], "question": "y" * 301})
    assert "y" * 301 in typed.text
    assert guest.post(f"{table}/disputes/7/settlement", {"version": "4", "remedy": "stands"}).status_code == 404
    guest.send(form, question="?")
    bad = guest.see(f"{table}/disputes/1").form("/settlement", remedy="stands")
    assert guest.post(bad[0], {**bad[1], "remedy": "burn"}).status_code == 422
    for path in ("disputes", "disputes/1/settlement", "disputes/1/confirmation"):
        assert guest.get(f"{table}/{path}").status_code == 303


def test_a_question_of_several_lines_is_put_on_one(visitor: Visitors) -> None:
    """The field of the question has several lines: its line breaks are blanks, and count once. A control character in
    a line is refused.
    """
    guest = visitor()
    table = a_table(guest)
    form = guest.see(f"{table}/disputes/new?entry=3").form("/disputes", entry="3")
    lines = ["Is that", "", "one too many?" + "x" * 279]
    assert guest.post(form[0], {**form[1], "question": "Is\x07 that one?"}).status_code == 422
    assert lines[-1] in guest.send(form, question="\r\n".join(lines)).text
    assert f"Is that {lines[-1]}" in guest.see(f"{table}/disputes/1").text


@pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_game_has_its_disputes(path: object, visitor: Visitors, ledger: Ledger) -> None:
    """In every recorded game, a move in the middle can be disputed, with remedies to choose from."""
    guest = visitor("fr")
    name = f"{path.parent.name}/{path.stem}"  # type: ignore[attr-defined]  # it is a path
    table = guest.sit(ledger, name, 12)
    page = guest.send(guest.see(f"{table}/disputes/new?entry=7").form("/disputes", entry="7"), question="Vraiment ?")
    assert "Vraiment ?" in page.text
    assert remedies_of(page)[:2] == ["stands", "go_back"]
    assert f"{table}/disputes/1/here" in page.links()


# --- entries that are no moves ---------------------------------------------------------------------------------------

DEEDS = {
    "en": ("No longer in play: White: house on e5", "In play again: White: house on e5"),
    "fr": ("Plus en jeu : Blanc : maison en e5", "De nouveau en jeu : Blanc : maison en e5"),
}


def is_marked(page: Document, mark: str) -> bool:
    """Whether a row of the log has a mark."""
    return any(tag == "li" and mark in (found.get("class") or "").split() for tag, found in page.elements)


@pytest.mark.parametrize("language", DEEDS)
def test_an_undo_is_disputed_from_the_log_and_taken_back(language: str, visitor: Visitors) -> None:
    """The page names the undone move before and after the dispute is raised; the remedy names what it restores."""
    out, back = DEEDS[language]
    guest = visitor(language)
    table = a_table(guest)
    guest.send(guest.see(table).form("/rewind", to="3"))
    assert f"{table}/disputes/new?entry=5" in guest.see(f"{table}/moves?entry=5").links()
    asked = guest.see(f"{table}/disputes/new?entry=5")
    assert out in asked.text
    raised = guest.send(asked.form("/disputes", entry="5"), question=QUESTION)
    for said in (QUESTION, out, back):
        assert said in raised.text
    assert is_marked(guest.see(f"{table}/moves"), "undone")
    guest.send(settling(raised, "go_back"))
    assert not is_marked(guest.see(f"{table}/moves"), "undone")


def test_every_entry_that_changes_the_table_has_its_dispute(visitor: Visitors) -> None:
    """Opening, readings, amendment and position can be disputed, but not the entry of a dispute."""
    guest = visitor()
    table = a_table(guest)
    guest.send(guest.see(f"{table}/readings").form("/readings"), **{"reading-stuck": "turn_is_cut"})
    guest.send(guest.see(f"{table}/amend/preview?do=delete&entry=4").form("/amend"))
    here = str(guest.client.get(f"{table}/here").headers["Location"])
    empty = {"cells": {}, "due": "white", "first_turn": False}
    guest.send(guest.see(f"{table}/here/{text_with(here, **empty)}").form("/here"))
    last = 8  # the amendment entered the readings again
    titles = {1: "Table opened", 5: "Rules read from here on", 6: "Amended", last: "The board was corrected"}
    for number, (entry, title) in enumerate(titles.items(), start=1):
        assert f"{table}/disputes/new?entry={entry}" in guest.see(f"{table}/moves?entry={entry}").links()
        asked = guest.see(f"{table}/disputes/new?entry={entry}")
        assert title in asked.text
        assert asked.text.count("The game cannot have come to this") == (entry == last), "the title tells it"
        raised = guest.send(asked.form("/disputes", entry=str(entry)), question=f"Why {entry}?")
        assert title in raised.text
        remedy = "no_change" if entry == 5 else "stands"
        assert guest.see(f"{table}/disputes/{number}").form("/settlement", remedy=remedy)
    assert "Gone from b9" in guest.see(f"{table}/disputes/4").text
    assert f"{table}/disputes/new?entry={last + 1}" not in guest.see(f"{table}/moves?entry={last + 1}").links()
    assert guest.get(f"{table}/case?dispute=1").status_code == 422


@pytest.mark.parametrize(("language", "said"), [("en", "Nothing changes"), ("fr", "Rien ne change")])
def test_what_was_taken_out_does_not_stand(language: str, said: str, visitor: Visitors) -> None:
    """Once its move is undone, a dispute offers `put_back` and `no_change`; the old form gets 409."""
    guest = visitor(language)
    table = a_table(guest)
    guest.send(guest.see(f"{table}/disputes/new?entry=4").form("/disputes", entry="4"), question=QUESTION)
    page = guest.see(f"{table}/disputes/1")
    stands = page.form("/settlement", remedy="stands")
    guest.send(guest.see(table).form("/rewind", to="3"))
    assert guest.post(stands[0], {**stands[1], "version": "6"}).status_code == 409
    page = guest.see(f"{table}/disputes/1")
    assert settling(page, "put_back")
    settled = guest.send(page.form("/settlement", remedy="no_change"))
    assert said in settled.text
    assert said in guest.see(f"{table}/moves").text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_the_table_decided_is_kept_in_its_words(language: str, visitor: Visitors) -> None:
    """Optional words of a settlement stand on its page and in the log; a refused text stays in the form."""
    guest = visitor(language)
    table = a_table(guest)
    for entry in (3, 4):
        form = guest.see(f"{table}/disputes/new?entry={entry}").form("/disputes", entry=str(entry))
        guest.send(form, question=QUESTION)
    words = "We <i>all</i> counted six."
    form = guest.see(f"{table}/disputes/1").form("/settlement", remedy="stands")
    assert form[1]["text"] == ""
    refused = guest.post(form[0], {**form[1], "text": "x" * 301})
    assert (refused.status_code, "x" * 301 in refused.text) == (422, True)
    assert words in guest.send(form, text=words).text
    assert words in guest.see(f"{table}/moves").text
    form = guest.see(f"{table}/disputes/2").form("/settlement", remedy="stands")
    guest.send(form)
    assert guest.see(f"{table}/moves").text.count(words) == 1


def test_words_go_with_a_position_that_settles_too(visitor: Visitors) -> None:
    """The form that settles a dispute by a position takes words, too."""
    guest = visitor()
    table = a_table(guest)
    guest.send(guest.see(f"{table}/disputes/new?entry=3").form("/disputes", entry="3"), question=QUESTION)
    here = str(guest.client.get(f"{table}/disputes/1/here").headers["Location"])
    seen = guest.see(f"{table}/disputes/1/here/{text_with(here, cells={})}")
    form = seen.form("/disputes/1/here")
    assert guest.post(form[0], {**form[1], "decided": "x" * 301}).status_code == 422
    assert "As it lay." in guest.send(form, decided="As it lay.").text
