"""The replay of a game: every step has its board, its verdict and an address; without a script a form leads there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import service.referee.score_history
from service.runtime.budget import BUDGET
from service.storage.ledger import Ledger
from tests.support.records import record_of
from tests.web.conftest import Document, Visitor, having

Visitors = Callable[..., Visitor]


def step(page: Document) -> str:
    """The step that is shown."""
    return str(page.data["step"])


def link(page: Document, name: str) -> str:
    """Where a link leads."""
    return next(found["href"] or "" for _, found in page.elements if found.get("id") == name)


def named(page: Document) -> set[str]:
    """The ids of its elements."""
    return {found["id"] or "" for _, found in page.elements if "id" in found}


def test_a_game_is_gone_through_step_by_step(visitor: Visitors, ledger: Ledger) -> None:
    """First, back, on and last are links; slider and rounds are forms; the verdict and the points are those of then."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut")
    last = guest.see(link(guest.see(f"{table}/log"), "to-replay"))
    assert (step(last), "later" in named(last), "end" in named(last)) == ("76", False, False)
    first = guest.see(link(last, "first"))
    assert (step(first), "earlier" in named(first)) == ("0", False)
    assert "1. Table opened" in first.text
    second = guest.see(link(guest.see(link(first, "later")), "later"))
    assert (step(second), step(guest.see(link(second, "earlier")))) == ("2", "1")
    action, fields = second.form("/replay", step="2")
    assert step(guest.see(f"{action}?step=40")) == "40"
    assert (action, fields) == (f"{table}/replay", {"step": "2"})
    round_four = guest.see(f"{action}?round=4")
    assert "Round 4, step 12 of 76" in round_four.text
    assert ["points: 33" in page.text for page in (first, round_four, last)] == [False, False, True]


def test_a_step_has_the_verdict_of_then(visitor: Visitors, ledger: Ledger) -> None:
    """A forbidden move that stood is said to be one, with its reasons, and the log's entry is a link away."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut")
    moves = record_of("villefranche/stood_and_cut")["moves"]
    stood = next(number for number, move in enumerate(moves, start=1) if "stands" in move)
    page = guest.see(f"{table}/replay?step={stood}")
    assert "Not legal; it stands by consent of" in page.text
    entry = guest.see(link(page, "in-log"))
    assert "Not legal; it stands by consent of" in entry.text
    assert step(guest.see(link(entry, "to-replay"))) == str(stood)


def test_what_is_no_step_is_met_with_one(visitor: Visitors, ledger: Ledger) -> None:
    """Steps and rounds beyond the end, and entries out of play, lead to the last step; before any move there is one."""
    guest = visitor("fr")
    table = guest.sit(ledger, "robber_knights/drawn", 6)
    for odd in ("step=999", "round=999", "round=0", "entry=999", "step=-1", "step=x"):
        assert step(guest.see(f"{table}/replay?{odd}")) == "6", odd
    assert step(guest.see(f"{guest.open()}/replay")) == "0"


def test_a_slider_that_is_dragged_is_not_replaced(visitor: Visitors, ledger: Ledger) -> None:
    """A browser that has a step is sent the next without the slider; from another page of the table, with all of it."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 30)
    page = guest.get(f"{table}/replay?step=20").text
    there = guest.get(f"{table}/replay?step=21", **having(page))
    assert step(Document(there.text)) == "21"
    assert 'id="reel"' not in there.text
    assert 'id="reel"' in page
    for path in (f"{table}/log", table):
        gone = guest.get(path, **having(page)).text
        assert ('id="table"' in gone, 'id="reel"' in gone) == (True, False)
    assert 'id="reel"' in guest.get(f"{table}/replay", **having(guest.get(table).text)).text


class Drawing(Document):
    """A page, with the shapes of its chart."""

    def all(self, ink: str) -> list[dict[str, str | None]]:
        """What is drawn in an ink."""
        return [found for _, found in self.elements if ink in (found.get("class") or "").split()]


def test_the_score_is_drawn_and_told_in_numbers(visitor: Visitors, ledger: Ledger) -> None:
    """Every player has a line, told apart by dash, marker and name; the table beside it has the points of the steps."""
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/four_and_much_stood")
    page = Drawing(guest.get(f"{table}/replay?step=0").text)
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
    assert page.text.partition(" Board Score Log")[0].endswith(" 94 15 13 16 17")
    assert f"{table}/replay?step=12" in page.links()
    assert not Drawing(guest.get(f"{guest.open()}/replay").text).all("course")


def test_readings_and_disputes_that_mattered_are_marked(visitor: Visitors, ledger: Ledger) -> None:
    """A move that another reading would have ruled otherwise, new readings, and a dispute: each with its step."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 12)
    calm = Drawing(guest.get(f"{table}/replay").text)
    assert "Where there was a dispute" not in calm.text
    guest.send(guest.see(f"{table}/disputes/new?entry=5").form("/disputes"), question="Was that so?")
    page = guest.see(f"{table}/readings")
    guest.send(page.form("/readings"), **{"reading-corporation": "single_colour"})
    seen = Drawing(guest.get(f"{table}/replay").text)
    assert step(seen) == "13"
    assert "Where there was a dispute (1) Step 4 " in seen.text
    assert "Step 13 Read from here on: " in seen.text
    assert len(seen.all("moment")) == len(calm.all("moment")) + 2


def test_a_chart_is_sent_once(visitor: Visitors, ledger: Ledger) -> None:
    """A browser that goes from step to step has it already; after a further move it is another one."""
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/drawn", 20)
    page = guest.get(f"{table}/replay?step=5").text
    assert 'id="curve"' in page
    assert 'id="curve"' not in guest.get(f"{table}/replay?step=6", **having(page)).text
    undo = guest.see(table).form("/rewind", to="20")
    guest.send(undo)
    assert 'id="curve"' in guest.get(f"{table}/replay?step=6", **having(page)).text


def test_what_is_too_much_for_a_request_is_counted_on(
    visitor: Visitors, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chart that ends early says where; every look at it goes on from there. All steps are there meanwhile."""
    monkeypatch.setattr(service.referee.score_history, "SCORE_STEPS", BUDGET // 15)
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/drawn", 20)
    page = guest.see(f"{table}/replay")
    assert (step(page), "Counted up to step 7." in page.text) == ("20", True)
    further = guest.see(link(page, "count-on"))
    assert "Counted up to step 15." in further.text
    assert "Counted up to" not in guest.see(link(further, "count-on")).text


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("page", ["/replay", "/replay?step=3", "/log?entry=3"])
def test_undo_asks_where_one_looks_back(visitor: Visitors, ledger: Ledger, page: str, language: str) -> None:
    """In a replay, and at an earlier board of a finished game, it asks before the last move goes; *Cancel* keeps it.

    The control: at the board of now one tap takes it back.
    """
    guest = visitor(language)
    table = guest.sit(ledger, "villefranche/stood_and_cut")
    before = ledger.read(table.rpartition("/")[2])
    looked = guest.see(f"{table}{page}")
    assert not [fields for action, fields in looked.forms if action.endswith("/rewind") and fields["to"] == "76"]
    asks = guest.see(link(looked, "undo"))
    said = {"en": "Take back what was entered last?", "fr": "Reprendre ce qui a été saisi en dernier ?"}
    assert said[language] in asks.text
    assert step(asks) == "76"
    kept = guest.see(link(asks, "no-undo"))
    assert (step(kept), "asks-undo" in named(kept), ledger.read(table.rpartition("/")[2])) == ("76", False, before)
    done = guest.send(asks.form("/rewind", to="76"))
    assert "toast-redo" in named(done)
    assert len(ledger.read(table.rpartition("/")[2])) == len(before) + 1
    assert guest.see(table).form("/rewind", to="75")


def test_undo_asks_in_the_replay_of_a_game_that_goes_on(visitor: Visitors, ledger: Ledger) -> None:
    """There, too; what has nothing to undo has no question, whatever its address says. Who watches is not asked."""
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/drawn", 20)
    page = guest.see(f"{table}/replay?step=5")
    assert not [action for action, _ in page.forms if action.endswith("/rewind")]
    assert guest.see(link(page, "undo")).form("/rewind")
    assert "asks-undo" not in named(guest.see(f"{guest.open()}/replay?do=undo"))
