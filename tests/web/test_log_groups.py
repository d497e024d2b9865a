"""The log is grouped by round, phase and turn, and shows notation in an open entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

import pytest

import web.panels.log.log
from rules.steps import at_most
from service.referee.score_history import ScoreCache, build_history
from service.runtime.budget import APPLY_STEPS
from service.storage.ledger import Ledger
from service.tables.rounds import Turn, count_rounds, rounds_of
from tests.support.log_pages import groups_of
from tests.support.tables import recorded_table
from tests.web.conftest import Visitor


def test_entries_stand_below_their_phase_and_whose_turn_it_was(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Neighbouring groups have different phases or turns, and together hold the whole log."""
    for name, titles in (
        ("fief/three_alone", {"Marriages", "Election of the bishops", "Purchases Ada", "Movements Bruno"}),
        ("villefranche/gate_decides", {"Pierre", "Jeanne"}),
    ):
        guest = visitor()
        groups = groups_of(guest.get(guest.sit(ledger, name, 60) + "/moves").text)
        assert titles <= {title for title, *_ in groups}
        assert all(one[0] != other[0] for one, other in pairwise(groups))
        assert all(start == numbers[0] for _, start, numbers in groups)
        assert [number for *_, numbers in groups for number in numbers] == list(range(61, 1, -1))


def test_what_is_no_move_stands_in_the_turn_in_which_it_was_entered(visitor: Callable[..., Visitor]) -> None:
    """An undo stands in the turn of its move; an open entry shows its notation."""
    guest = visitor()
    table = guest.open()
    guest.place(table, "r b9c9")
    guest.send(guest.see(table).form("/rewind", to="1"))
    page = guest.get(f"{table}/moves").text
    assert [(title, start) for title, start, _ in groups_of(page)] == [("Black", 3)]
    assert "<code>" not in page
    assert "<code>r b9c9</code>" in guest.get(f"{table}/moves?entry=2").text


def test_a_dispute_of_the_host_is_in_nobodys_turn(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The host's dispute stands under *The host*; the control, a player's, stands in that player's turn."""
    titles = {}
    for seat in (None, "black"):
        guest = visitor()
        table = guest.sit(ledger, "villefranche/gate_decides", 3, seat=seat)
        form = guest.see(f"{table}/disputes/new?entry=3").form("/disputes", entry="3")
        guest.send(form, question="May it lie there?")
        titles[seat] = [title for title, *_ in groups_of(guest.get(f"{table}/moves").text)]
    assert titles[None] == ["The host", *titles["black"]]
    assert "The host" not in titles["black"]


def rounds(page: str) -> dict[int, int]:
    """Entry -> the round of its heading."""
    found, now = {}, 0
    for begins, number in re.findall(r'<h2 class="of-round">Round (\d+)</h2>|<a id="e-(\d+)"', page):
        now = int(begins) if begins else now
        if number:
            found[int(number)] = now
    return found


@pytest.mark.parametrize("name", ["fief/three_alone", "architekton/houses_moved", "villefranche/gate_decides"])
def test_rounds_are_those_of_the_replay(
    name: str, visitor: Callable[..., Visitor], ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each move has the same round as in the replay, even on a page that begins within a round."""
    guest = visitor()
    table = guest.sit(ledger, name, 150)
    seen, _ = build_history(recorded_table(ledger, name, 150).table, ScoreCache())
    monkeypatch.setattr(web.panels.log.log, "ROWS", 12)
    page = guest.get(f"{table}/moves?before=27").text
    said = rounds(page)
    assert said == {number: seen.round_of(seen.numbers.index(number)) for number in range(26, 14, -1)}
    assert page.index('<h2 class="of-round">') < page.index('<h3 class="turn">')
    assert '<h2 class="turn">' not in page
    assert len(set(said.values())) > (name != "fief/three_alone")


def test_what_was_undone_stands_in_the_round_in_which_it_was_entered(
    visitor: Callable[..., Visitor], ledger: Ledger
) -> None:
    """An undo stands in the round of its entry, the next move in the reopened round; a single round has no heading."""
    guest = visitor()
    name = "villefranche/gate_decides"
    table = guest.sit(ledger, name, 12)
    before = rounds(guest.get(f"{table}/moves").text)
    assert before[13] > 1
    end = next(number for number in range(13, 1, -1) if before[number] < before[13])
    move = recorded_table(ledger, name, 12).table.move_entry(end).notation
    guest.send(guest.see(f"{table}/moves?entry={end - 1}").form("/rewind", to=str(end - 1)))
    guest.place(table, move)
    assert rounds(guest.get(f"{table}/moves").text) == {**before, 14: before[13], 15: before[end]}
    alone = guest.open()
    guest.place(alone, "r b9c9")
    assert "of-round" not in guest.get(f"{alone}/moves").text


def test_rounds_are_counted_once_and_in_parts(ledger: Ledger) -> None:
    """Known rounds cost no steps of the rules; with a small budget, several calls count all rounds."""
    table = recorded_table(ledger, "robber_knights/drawn").table
    whole = count_rounds(table, {})
    assert list(whole) == [1, *table.line]
    with at_most(0):
        assert count_rounds(table, whole) == whole
    known: Mapping[int, Turn] = {}
    sizes = []
    while len(known) < len(whole):
        with at_most(40 * APPLY_STEPS) as effort:
            known = count_rounds(table, known)
        sizes.append(len(known))
        assert effort.steps < 40 * APPLY_STEPS
    assert known == whole and len(sizes) > 1
    assert set(rounds_of(table, range(1, 9), {})) == {0}
