"""A game's score history: the score after each entry in play, counted once."""

from __future__ import annotations

from dataclasses import replace

import pytest

import service.referee.score_history
from rules.ranking import totals
from rules.steps import at_most
from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from service.referee.score_history import ScoreAfter, ScoreCache, ScoreHistory, build_history
from service.referee.use_cases import Referee
from service.runtime.budget import SCORE_STEPS
from service.storage.ledger import Ledger
from service.tables.table import Table
from tests.support.tables import recorded_table

ROUNDS = {"fief/three_alone": 7, "architekton/houses_moved": 8, "villa_paletti/nobody_can_build": 10}


def test_each_step_stands_as_its_state_says(ledger: Ledger) -> None:
    """The score of each step is that of its state; undone moves are no steps."""
    new = recorded_table(ledger, "villefranche/stood_and_cut", 12)
    done = Referee(ledger).rewind(ChangeRequest(new.table.id, new.keys.host, 13), 9)
    table, _ = Referee(ledger).table(new.table.id, new.keys.host)
    seen, _ = build_history(table, ScoreCache())
    assert (done.version, seen.numbers, seen.last_step) == (14, (1, *range(2, 10)), 8)
    assert seen.is_complete
    for number, stand in zip(seen.numbers, seen.scores, strict=True):
        state = table.states[number - 1]
        assert stand.totals == totals(table.game, state)


def test_a_reading_matters_where_another_would_have_ruled_otherwise(ledger: Ledger) -> None:
    """A step lists the readings whose other values would change its ruling; some steps have none."""
    from service.rulings.judge import judge

    table = recorded_table(ledger, "villefranche/stood_and_cut", 40).table
    seen, _ = build_history(table, ScoreCache())
    told = [stand.readings for stand in seen.scores]
    assert () in told[1:]
    for number, readings in zip(seen.numbers[1:], told[1:], strict=True):
        move = table.game.read(table.move_entry(number).notation)
        found = judge(table.game, table.states[number - 2], move).alternatives
        assert readings == tuple(dict.fromkeys(other.key for other in found))
    assert any(told)


@pytest.mark.parametrize("name", ROUNDS)
def test_rounds_begin_where_the_first_player_begins(name: str, ledger: Ledger) -> None:
    """Every round begins with the turn of the same player or as the game says; turns out of order begin none."""
    table = recorded_table(ledger, name).table
    seen, _ = build_history(table, ScoreCache())
    assert len(seen.rounds) == ROUNDS[name]
    begun = [table.states[seen.numbers[first - 1] - 1] for first in seen.rounds]
    where = {(table.game.phase(state), table.game.due(state).seat) for state in begun}
    assert len({seat for _, seat in where if seat}) <= 1
    assert [seen.round_of(first) for first in seen.rounds] == list(range(1, len(seen.rounds) + 1))
    assert seen.round_of(0) == 1


def test_a_step_is_counted_once(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """A score that is cached is not counted again: with one more entry, only that one is."""
    new = recorded_table(ledger, "robber_knights/drawn", 20)
    known = ScoreCache()
    counted: list[int] = []
    count = service.referee.score_history._score_at

    def counting(table: Table, number: int) -> ScoreAfter:
        counted.append(number)
        return count(table, number)

    monkeypatch.setattr(service.referee.score_history, "_score_at", counting)
    _, known = build_history(new.table, known)
    assert counted == list(range(1, 22))
    with at_most(0):
        assert build_history(new.table, known)[0].is_complete
    move = next(new.table.game.moves(new.table.state))
    more = Referee(ledger).play(ChangeRequest(new.table.id, new.keys.host, 21), [AttemptedMove(move)]).table
    assert build_history(more, known)[0].last_step == 21
    assert counted == list(range(1, 23))


def test_a_long_game_is_counted_in_several_requests(ledger: Ledger) -> None:
    """One request counts scores for at most half of its budget; the next request continues."""
    table = recorded_table(ledger, "robber_knights/drawn").table
    known = ScoreCache()
    seen: list[ScoreHistory] = []
    while not seen or not seen[-1].is_complete:
        with at_most(40 * SCORE_STEPS) as effort:
            history, known = build_history(table, known)
        seen.append(history)
        assert effort.steps < 40 * SCORE_STEPS
    assert [len(each.scores) for each in seen] == sorted({len(each.scores) for each in seen})
    assert 2 <= len(seen) <= 4
    assert seen[-1] == build_history(table, ScoreCache())[0]
    assert not replace(seen[-1], scores=seen[0].scores).is_complete
