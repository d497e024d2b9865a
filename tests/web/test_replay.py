"""The log as replay: every step has its board, its verdict and an address; forms work without a script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import service.referee.score_history
from service.runtime.budget import BUDGET
from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.log_pages import open_entries
from tests.support.records import record_of
from tests.web.conftest import PART, Visitor, having

Visitors = Callable[..., Visitor]


def step(page: Document) -> str:
    """The step on the page."""
    return str(page.data["step"])


def link(page: Document, name: str) -> str:
    """The address of the link with this id."""
    return next(found["href"] or "" for _, found in page.elements if found.get("id") == name)


def ids_of(page: Document) -> set[str]:
    """The ids of its elements."""
    return {found["id"] or "" for _, found in page.elements if "id" in found}


def sent_to(guest: Visitor, path: str) -> str:
    """The address to which this one redirects."""
    answer = guest.get(path)
    assert answer.status_code == 303, (path, answer.status_code)
    return answer.headers["Location"]


def test_a_game_is_gone_through_step_by_step(visitor: Visitors, ledger: Ledger) -> None:
    """First, back, on and last are links; slider and rounds are forms; the points are those of the step."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut")
    last = guest.see(f"{table}/moves")
    assert (step(last), "later" in ids_of(last), "end" in ids_of(last)) == ("76", False, False)
    first = guest.see(link(last, "first"))
    assert (step(first), "earlier" in ids_of(first)) == ("0", False)
    assert open_entries(guest.get(link(last, "first")).text) == [1]
    second = guest.see(link(guest.see(link(first, "later")), "later"))
    assert (step(second), step(guest.see(link(second, "earlier")))) == ("2", "1")
    action, fields = second.form("/moves", step="2")
    assert sent_to(guest, f"{action}?step=40") == f"{table}/moves?entry=41#e-41"
    assert (action, fields) == (f"{table}/moves", {"step": "2"})
    round_four = guest.see(sent_to(guest, f"{action}?round=4"))
    assert "Round 4, move 12 of 76" in round_four.text
    assert ["points: 33" in page.text for page in (first, round_four, last)] == [False, False, True]


def test_a_step_has_the_verdict_of_then(visitor: Visitors, ledger: Ledger) -> None:
    """An illegal move that stood has its verdict and its actions below its own row; a tap on the row closes them."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut")
    moves = record_of("villefranche/stood_and_cut")["moves"]
    stood = next(number for number, move in enumerate(moves, start=1) if "stands" in move)
    text = guest.get(f"{table}/moves?entry={stood + 1}").text
    row = text.partition(f'id="e-{stood + 1}"')[2]
    assert open_entries(text) == [stood + 1]
    assert f'<span class="number">{stood}</span>' in row.partition("</a>")[0]
    below = Document(row.partition("</a>")[2].partition("</article>")[0])
    assert re.match(rf"Not legal, but agreed by .* entry {stood + 1} Dispute Ask from here Go on", below.text)
    assert f"{table}/disputes/new?entry={stood + 1}" in below.links()
    assert 'class="reasons"' not in row.partition("</article>")[2]
    assert not open_entries(guest.get(link(Document(text), f"e-{stood + 1}")).text)


def test_a_move_has_one_number_everywhere(visitor: Visitors, ledger: Ledger) -> None:
    """A move has the same number in log, replay, dispute and sheet, also after an undo. Addresses and the text of the
    log have the numbers of entries.
    """
    guest = visitor()
    table = guest.open(**{"name-black": "Ada", "name-white": "Bo"})
    for move in ("r b9c9", "r g1h1"):
        guest.place(table, move)
    guest.send(guest.see(table).form("/rewind", to="2"))
    guest.place(table, "r g2h2")  # entry 5, the second move in play
    page = guest.get(f"{table}/moves?entry=5").text
    shown = re.findall(r'<a id="e-(\d+)"[^>]*>(?:<span class="number">(\d+)</span>)?', page)
    assert shown == [("5", "2"), ("4", ""), ("3", "2"), ("2", "1"), ("1", "")]
    assert "move 2 of 2" in page and "entry 5" in page
    assert "Back to no. 1, Ada: rampart on b9–c9" in page
    raised = guest.send(guest.see(f"{table}/disputes/new?entry=5").form("/disputes"), question="Why?")
    assert "No. 2, Bo: rampart on g2–h2" in raised.text
    log = guest.see(f"{table}/moves").text
    assert "The host Dispute 1, about no. 2, Bo: rampart" in log  # only the heading names the player in turn
    assert "2 Bo: rampart on g2–h2" in guest.see(f"{table}/sheet").text
    text = guest.get(f"{table}/log.txt").text
    assert "\n5. Bo: rampart on g2–h2" in text and "\n4. Back to no. 2, Ada: rampart on b9–c9" in text
    assert "dispute 1, about no. 5, Bo" in text


OLD = {
    "/log": "",
    "/log?entry=4": "?entry=4#e-4",
    "/log?entry=4&show=VF-4": "?show=VF-4&entry=4#e-4",
    "/log?before=9": "?before=9",
    "/log?entry=4&before=9&zoom=e5": "?entry=4&before=9&zoom=e5#e-4",
    "/log?done=7": "?done=7",
    "/replay": "?entry=13#e-13",
    "/replay?step=0": "?entry=1#e-1",
    "/replay?step=5": "?entry=6#e-6",
    "/replay?step=5&zoom=e5": "?entry=6&zoom=e5#e-6",
    "/replay?step=5&show=VF-4": "?show=VF-4&entry=6#e-6",
    "/replay?round=2": "?entry=5#e-5",
    "/replay?entry=4": "?entry=4#e-4",
    "/replay?do=undo": "?entry=13&do=undo#e-13",
    "/replay?step=5&lang=fr": "?entry=6#e-6",
    "/replay?step=999": "?entry=13#e-13",
    "/replay?round=999": "?entry=13#e-13",
    "/replay?entry=999": "?entry=13#e-13",
    "/replay?step=x": "?entry=13#e-13",
}
"""Each old form of address of log and replay -> the query of the present one."""


@pytest.mark.parametrize("old", OLD)
def test_an_old_address_leads_to_the_same_entry(old: str, visitor: Visitors, ledger: Ledger) -> None:
    """An old address, as in messages and bookmarks, redirects to the log with the same entry open."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 12)
    there = sent_to(guest, table + old)
    assert there == f"{table}/moves{OLD[old]}"
    entry = re.search(r"\bentry=(\d+)", OLD[old])
    assert open_entries(guest.get(there).text) == ([int(entry[1])] if entry else [])
    assert (guest.see(table).elements[0][1]["lang"] == "fr") == ("lang=fr" in old)


def test_what_is_no_step_is_met_with_one(visitor: Visitors, ledger: Ledger) -> None:
    """Steps and rounds beyond the end redirect to the last step; an invalid entry or step opens no entry."""
    guest = visitor("fr")
    table = guest.sit(ledger, "robber_knights/drawn", 6)
    for odd in ("step=999", "round=999", "round=0"):
        assert step(guest.see(sent_to(guest, f"{table}/moves?{odd}"))) == "6", odd
    for odd in ("entry=999", "entry=0", "step=-1", "step=x"):
        answer = guest.get(f"{table}/moves?{odd}")
        assert (answer.status_code, open_entries(answer.text), step(Document(answer.text))) == (200, [], "6"), odd
    assert "at-step" not in ids_of(guest.see(f"{guest.open()}/moves"))


def test_a_slider_that_is_dragged_is_not_replaced(visitor: Visitors, ledger: Ledger) -> None:
    """A browser that shows a step gets the next without the slider, at its own address; from the board, with it."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 30)
    page = guest.get(f"{table}/moves?entry=21").text
    there = guest.get(f"{table}/moves?step=21", **having(page))
    assert (there.status_code, there.headers["HX-Replace-Url"]) == (200, f"{table}/moves?entry=22")
    assert (step(Document(there.text)), open_entries(there.text)) == ("21", [22])
    assert 'id="reel"' not in there.text
    assert 'id="step"' in page
    board = guest.get(table).text
    assert 'id="step"' not in board
    assert 'id="step"' in guest.get(f"{table}/moves", **having(board)).text
    assert 'id="reel"' in guest.get(table, **having(page)).text


class Drawing(Document):
    """A page, with the shapes of its chart."""

    def all(self, ink: str) -> list[dict[str, str | None]]:
        """The elements drawn in an ink."""
        return [found for _, found in self.elements if ink in (found.get("class") or "").split()]


def test_the_score_is_drawn_and_told_in_numbers(visitor: Visitors, ledger: Ledger) -> None:
    """Each player's line differs in dash, marker and name; a table beside the chart has the points of each step.

    A link opens the chart, which stays open from step to step.
    """
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/four_and_much_stood")
    plain = guest.see(f"{table}/moves?entry=1")
    assert "curve" not in ids_of(plain)
    page = Drawing(guest.get(link(plain, "to-chart")).text)
    lines, seats = page.all("course"), ("yellow", "red", "green", "blue")
    assert len({line.get("stroke-dasharray") for line in lines}) == len(lines) == 4
    markers = [
        {
            (found["d"] or "").partition("m")[2]
            for found in page.all("marker")
            if f"piece-{seat}" in (found["class"] or "")
        }
        for seat in seats
    ]
    assert all(len(each) == 1 for each in markers)
    assert len(set.union(*markers)) == 4
    assert " 94 15 13 16 17 " in page.text
    assert f"{table}/moves?entry=13&do=chart" in page.links()
    assert "curve" in ids_of(guest.see(link(page, "later")))
    assert page.form("/moves?do=chart")[1] == {"do": "chart", "step": "0"}
    assert sent_to(guest, f"{table}/moves?do=chart&step=3") == f"{table}/moves?entry=4&do=chart#e-4"
    assert "curve" not in ids_of(guest.see(link(page, "to-chart")))
    assert not Drawing(guest.get(f"{guest.open()}/moves?do=chart").text).all("course")


def test_readings_and_disputes_that_mattered_are_marked(visitor: Visitors, ledger: Ledger) -> None:
    """The chart marks a dispute and new readings at their steps, and lists them."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 12)
    calm = Drawing(guest.get(f"{table}/moves?do=chart").text)
    assert "Where there was a dispute" not in calm.text
    guest.send(guest.see(f"{table}/disputes/new?entry=5").form("/disputes"), question="Was that so?")
    page = guest.see(f"{table}/readings")
    guest.send(page.form("/readings"), **{"reading-corporation": "single_colour"})
    seen = Drawing(guest.get(f"{table}/moves?do=chart").text)
    assert step(seen) == "13"
    assert "Where there was a dispute (1) Move 4 " in seen.text
    assert "After move 12 Rules read from here on: " in seen.text
    assert len(seen.all("moment")) == len(calm.all("moment")) + 2


def test_a_chart_is_sent_once(visitor: Visitors, ledger: Ledger) -> None:
    """From step to step the chart is not sent again; after an undo it is."""
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/drawn", 20)
    page = guest.get(f"{table}/moves?entry=6&do=chart").text
    assert 'id="chart"' in page
    assert 'id="chart"' not in guest.get(f"{table}/moves?entry=7&do=chart", **having(page)).text
    undo = guest.see(table).form("/rewind", to="20")
    guest.send(undo)
    assert 'id="chart"' in guest.get(f"{table}/moves?entry=7&do=chart", **having(page)).text


def test_what_is_too_much_for_a_request_is_counted_on(
    visitor: Visitors, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chart that exceeds the budget says where it ends, and its link counts on; all steps work meanwhile."""
    monkeypatch.setattr(service.referee.score_history, "SCORE_STEPS", BUDGET // 15)
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/drawn", 20)
    page = guest.see(f"{table}/moves?do=chart")
    assert (step(page), "Counted up to move 7." in page.text) == ("20", True)
    further = guest.see(link(page, "count-on"))
    assert "Counted up to move 15." in further.text
    assert "Counted up to" not in guest.see(link(further, "count-on")).text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_undo_of_an_ended_game_asks_once(visitor: Visitors, ledger: Ledger, language: str) -> None:
    """Undo of a finished game first says what it does, and *Cancel* keeps the move. Redo ends the game at once."""
    guest = visitor(language)
    table = guest.sit(ledger, "villefranche/stood_and_cut")
    before = ledger.read(table.rpartition("/")[2])
    ended = guest.see(table)
    assert not [fields for action, fields in ended.forms if action.endswith("/rewind")]
    asks = guest.see(link(ended, "undo"))
    assert {"en": "This reopens the game.", "fr": "La partie reprend."}[language] in asks.text
    kept = guest.see(link(asks, "no-undo"))
    assert ("asks-undo" in ids_of(kept), ledger.read(table.rpartition("/")[2])) == (False, before)
    done = guest.send(asks.form("/rewind", to="76"))
    assert "redo" in ids_of(done)
    assert len(ledger.read(table.rpartition("/")[2])) == len(before) + 1
    again = guest.send(done.form("/rewind", to="77"))
    assert link(again, "undo") == link(ended, "undo")


def test_undo_of_the_move_that_ends_a_game_asks_too(visitor: Visitors, ledger: Ledger) -> None:
    """Undo before the last move acts at once; after it, undo asks."""
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/drawn", len(record_of("robber_knights/drawn")["moves"]) - 1)
    assert guest.see(table).form("/rewind")
    done = guest.place(table, str(record_of("robber_knights/drawn")["moves"][-1]))
    assert link(done, "undo") == f"{table}?do=undo"


def test_undo_of_a_game_that_goes_on_asks_nothing(visitor: Visitors, ledger: Ledger) -> None:
    """In a game in play, undo acts at once, whatever the address says; only the board of a finished one asks."""
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/drawn", 20)
    page = guest.see(f"{table}?do=undo")
    assert "asks-undo" not in ids_of(page)
    assert page.form("/rewind", to="20")
    assert "asks-undo" not in ids_of(guest.see(f"{guest.open()}?do=undo"))
    ended = guest.sit(ledger, "villefranche/stood_and_cut")
    assert "asks-undo" not in ids_of(guest.see(f"{ended}/score?do=undo"))
    assert guest.get(f"{ended}?do=undo", **PART).text.count('id="asks-undo"') == 1
