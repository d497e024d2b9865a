"""Disputes: the effect of each remedy, who may settle, and races of two phones."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

import rules
from rules.ranking import totals
from service import schemas
from service.errors import (
    AlreadyDisputed,
    AlreadySettled,
    Forbidden,
    Impossible,
    Invalid,
    KeyReused,
    NoDispute,
    NoRemedy,
    Stale,
)
from service.judgements import AttemptedMove
from service.referee import remedies
from service.referee.dispute import DisputeSubject, SettlementRequest
from service.referee.replay import Revision
from service.referee.repository import ChangeRequest, WriteOutcome
from service.referee.use_cases import NewTable, Referee
from service.runtime.budget import BUDGET
from service.storage.ledger import Ledger
from service.tables.decisions import ADJUST, NO_CHANGE, PUT_BACK, REMEDIES, Remedy
from service.tables.entries import (
    DELETE,
    INSERT,
    ChangeKind,
    Checkpoint,
    Confirmed,
    Disputed,
    LateMove,
    LogChange,
    Played,
    Rewound,
    Settled,
)
from service.tables.table import Table
from tests.support.api import V1, Api
from tests.support.records import RECORD_PATHS, record_of, records_of

GAME = rules.GAMES["villefranche"]
QUESTION = "Is that not one house too many?"
STOOD = ("r b1c1", "r b9c9", "h e4", "r d1e1", "h e6")
"""The third move is White's; later moves may be legal without it, where it stood out of turn."""


class Phones:
    """A table, and requests to it by each role."""

    def __init__(self, referee: Referee, opened: NewTable) -> None:
        self.referee = referee
        self.id = opened.table.id
        self.keys = {"host": opened.keys.host, "watch": opened.keys.watch, **opened.keys.seats}
        self.seats = tuple(opened.keys.seats)

    def now(self) -> Table:
        return self.referee.table(self.id, self.keys["host"])[0]

    def dispute(
        self, about: int | str, who: str = "host", version: int | None = None, name: str | None = None
    ) -> WriteOutcome:
        what = DisputeSubject(about) if isinstance(about, int) else DisputeSubject(None, self.now().game.read(about))
        version = version or self.now().version
        return self.referee.raise_dispute(ChangeRequest(self.id, self.keys[who], version, name), what, QUESTION)

    def settle(self, remedy: Remedy, number: int = 1, who: str = "host", name: str | None = None) -> WriteOutcome:
        return self.decide(SettlementRequest(remedy, "Agreed."), number, who, name)

    def decide(
        self, how: SettlementRequest, number: int = 1, who: str = "host", name: str | None = None
    ) -> WriteOutcome:
        version = self.now().version
        return self.referee.settle(ChangeRequest(self.id, self.keys[who], version, name), number, how)

    def confirm(self, remedy: Remedy, who: str, number: int = 1) -> WriteOutcome:
        return self.referee.confirm(ChangeRequest(self.id, self.keys[who], self.now().version), number, remedy)

    def rewind(self, to: int, who: str = "host") -> WriteOutcome:
        return self.referee.rewind(ChangeRequest(self.id, self.keys[who], self.now().version), to)

    def amend(self, do: ChangeKind, entry: int, *moves: str) -> WriteOutcome:
        change = LogChange(do, entry, tuple(map(LateMove, moves)))
        return self.referee.amend(ChangeRequest(self.id, self.keys["host"], self.now().version), change)

    def read(self, **readings: str) -> WriteOutcome:
        return self.referee.set_readings(ChangeRequest(self.id, self.keys["host"], self.now().version), readings)

    def enter(self, position: Any) -> WriteOutcome:
        return self.referee.enter_position(ChangeRequest(self.id, self.keys["host"], self.now().version), position)

    def offers(self, number: int = 1) -> dict[str, remedies.RemedyPreview]:
        return {offer.remedy: offer for offer in self.hear(number).remedies}

    def play(self, *moves: str, stands: bool = False) -> WriteOutcome:
        tries = [AttemptedMove(GAME.read(move), stands) for move in moves]
        return self.referee.play(ChangeRequest(self.id, self.keys["host"], self.now().version), tries)

    def hear(self, number: int = 1) -> remedies.DisputeView:
        return self.referee.dispute(self.id, self.keys["watch"], number)


@pytest.fixture
def referee(ledger: Ledger) -> Referee:
    return Referee(ledger)


@pytest.fixture
def phones(referee: Referee) -> Phones:
    """A game of a few moves; the third is White's."""
    setup = schemas.load(schemas.of(GAME).setup, {})
    return Phones(referee, referee.open(GAME.id, setup, [AttemptedMove(GAME.read(move)) for move in STOOD]))


def play_record(referee: Referee, path: Path) -> Phones:
    """A table with a whole recorded game."""
    record = record_of(path)
    game = rules.GAMES[record["game"]]
    moves = []
    for entry in record["moves"]:
        plain = isinstance(entry, str)
        moves.append(AttemptedMove(game.read(entry if plain else entry["move"]), not plain))
    return Phones(referee, referee.open(game.id, schemas.load(schemas.of(game).setup, record["setup"]), moves))


# --- what a remedy does --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_remedy_does_what_it_said(path: Path, referee: Referee) -> None:
    """In every recorded game, `stands` changes nothing, `go_back` rewinds, `replay` keeps all moves that still fit.
    Each gives the score and state of its offer, and undo reverses it.
    """
    phones = play_record(referee, path)
    before = phones.now()
    chance = Random(path.name)
    done: set[Remedy] = set()
    for entry in (chance.choice(before.line), before.line[-1]):
        phones.dispute(entry)
        assert phones.now().state == before.state
        for remedy in ("go_back", "replay", "stands"):
            number = len(phones.now().disputes)
            if not phones.now().disputes[-1].open:
                phones.dispute(entry)
                number += 1
            offers = {each.remedy: each for each in phones.hear(number).remedies}
            if remedy not in offers:
                assert remedy == "replay"
                assert len(before.line) - before.line.index(entry) > remedies.MAX_AGAIN
                continue
            offer = offers[remedy]
            settled, table = phones.settle(offer.remedy, number), phones.now()
            done.add(offer.remedy)
            assert (table.state, offer.totals) == (offer.revision.state, totals(table.game, table.state))
            if not offer.revision.lost_entries:
                assert (table.state, table.line) == (before.state, before.line)
                assert [type(each) for each in settled.entries] == [Settled]
                continue
            assert remedy != "stands"
            assert {each.dispute for each in settled.entries if isinstance(each, Played | Rewound | Settled)} == {
                number
            }
            if remedy == "go_back":
                assert table.state == before.states[entry - 2]
            assert set(table.line).isdisjoint(offer.revision.lost_entries)
            phones.rewind(table.undo_to or 0)
            assert (phones.now().state, phones.now().line) == (before.state, before.line)
    assert done == {*REMEDIES} - {ADJUST, NO_CHANGE, PUT_BACK}


def test_what_fits_without_a_move_that_stood_is_played_again(phones: Phones) -> None:
    """`replay` removes the disputed move and plays all later moves that still fit."""
    phones.play("h b5", stands=True)
    stood = phones.now().line[-1]
    phones.play("h e5", stands=True)
    phones.dispute(stood)
    (replay,) = [offer for offer in phones.hear().remedies if offer.remedy == "replay"]
    assert stood in replay.revision.lost_entries
    done = phones.settle("replay")
    table = phones.now()
    assert stood not in table.line
    assert table.state == replay.revision.state
    again = [each for each in done.entries if isinstance(each, Played)]
    assert [table.game.read(each.notation) for each in again] == [
        step.action.move for step in replay.revision.steps if isinstance(step.action, AttemptedMove)
    ]
    assert all(each.stands for each in again if each.ruling.value == "illegal")


def test_a_move_that_becomes_anothers_is_told(referee: Referee) -> None:
    """`replay` lists the later moves that become another player's, as they do once it is done."""
    early = ("r i7i8", "r b9c9", "h g6", "r i4i5", "h e3", "r g9h9", "t i9")
    tries = [AttemptedMove(GAME.read(move)) for move in early] + [AttemptedMove(GAME.read("h e5"), stands=True)]
    tries += [AttemptedMove(GAME.read(move)) for move in ("h h4", "r e9f9", "h e8", "r a6a7")]
    phones = Phones(referee, referee.open(GAME.id, schemas.load(schemas.of(GAME).setup, {}), tries))
    before = phones.now()
    phones.dispute(9)
    replay = phones.offers()["replay"]
    told = {
        step.original_number: (before.move_entry(step.original_number).seat, step.seat)
        for step in replay.revision.changed_steps
    }
    phones.settle("replay")
    after = phones.now()
    again = [after.line_entry(number) for number in after.line if number not in before.line]
    whose = {
        step.original_number: (before.move_entry(step.original_number).seat, made.seat)
        for step, made in zip(replay.revision.steps, again, strict=True)
    }
    assert told == {number: seats for number, seats in whose.items() if len(set(seats)) == 2}
    assert told


def test_what_breaks_is_named_with_its_ruling(phones: Phones) -> None:
    """If a later move no longer fits, `replay` names the first with its ruling."""
    phones.play("h b5", stands=True)
    stood = phones.now().line[-1]
    following = next(iter(GAME.moves(phones.now().state)))
    phones.play(GAME.write(following))
    phones.dispute(stood)
    (replay,) = [offer for offer in phones.hear().remedies if offer.remedy == "replay"]
    if replay.first_misfit is not None:
        assert replay.first_misfit.entry in replay.revision.lost_entries
        assert replay.first_misfit.entry != stood
        assert not replay.first_misfit.judgement.verdict.legal
    assert set(replay.revision.lost_entries) >= {stood}


def test_a_move_that_was_not_played_is_ruled_on_where_it_was_asked(phones: Phones) -> None:
    """A dispute about a move that was not played keeps its position and ruling. `go_back` is offered only once another
    move was played.
    """
    legal = [GAME.write(move) for move in list(GAME.moves(phones.now().state))[:2]]
    phones.dispute(legal[0], "black" if phones.now().due.seat != "black" else "white")
    hearing = phones.hear()
    assert hearing.judgement is not None
    assert (hearing.about.entry, hearing.judgement.ruling.value) == (None, "legal")
    assert [offer.remedy for offer in hearing.remedies] == ["no_change", "adjust"]
    phones.play(legal[1])
    later = phones.hear()
    assert later.state == hearing.state
    assert [(offer.remedy, offer.revision.lost_entries) for offer in later.remedies] == [
        ("no_change", ()),
        ("go_back", (8,)),
        ("adjust", ()),
    ]


def test_replaying_that_is_too_much_work_is_no_remedy(phones: Phones, monkeypatch: pytest.MonkeyPatch) -> None:
    """If replaying the moves is too much work, `replay` is not offered; the other remedies are."""
    phones.dispute(2)
    assert [offer.remedy for offer in phones.hear().remedies] == ["stands", "go_back", "replay", "adjust"]
    assert remedies.MAX_REPLAYED < BUDGET / 2
    monkeypatch.setattr(remedies, "MAX_REPLAYED", 10)
    assert [offer.remedy for offer in phones.hear().remedies] == ["stands", "go_back", "adjust"]


def test_the_remedies_are_those_of_the_type() -> None:
    """The constant lists all remedies of the type."""
    assert get_args(Remedy) == REMEDIES


# --- entries out of play ---------------------------------------------------------------------------------------------

TAKEN_OUT: dict[str, Callable[[Phones], Any]] = {
    "rewound": lambda phones: phones.rewind(4),
    "amended": lambda phones: phones.amend(DELETE, 6),
    "settled": lambda phones: (phones.dispute(6), phones.settle("go_back", len(phones.now().disputes))),
}
"""Ways to take the last move out of play."""


@pytest.mark.parametrize(
    ("out", "early"), [("rewound", True), ("rewound", False), ("amended", True), ("amended", False), ("settled", False)]
)
def test_what_is_not_in_play_does_not_stand(out: str, early: bool, phones: Phones) -> None:
    """A disputed move that is out of play cannot stand: it can be put back, with all that went with it. Undo takes it
    out again.
    """
    before = phones.now()
    if early:
        phones.dispute(6)
        assert [*phones.offers()] == ["stands", "go_back", "replay", "adjust"]
    TAKEN_OUT[out](phones)
    if not early:
        phones.dispute(6)
    number, gone = len(phones.now().disputes), phones.now()
    assert 6 not in gone.line
    assert [*phones.offers(number)] == ["no_change", "put_back", "adjust"]
    with pytest.raises(NoRemedy) as refused:
        phones.settle("stands", number)
    assert refused.value.remedies == ("no_change", "put_back", "adjust")
    offer = phones.offers(number)["put_back"]
    assert (offer.revision.lost_entries, offer.revision.restored_entries) == (
        (),
        tuple(each for each in before.line if each not in gone.line),
    )
    phones.settle("put_back", number)
    there = phones.now()
    assert (there.state, there.line, there.redoable_moves) == (before.state, before.line, ())
    assert offer.totals == totals(GAME, there.state)
    phones.rewind(there.undo_to or 0)
    assert (phones.now().line, phones.hear(number).status) == (gone.line, "undone")
    phones.settle("no_change", number)
    assert (phones.now().line, phones.hear(number).status) == (gone.line, "settled")


def test_what_is_put_back_takes_the_place_of_what_was_played_since(phones: Phones) -> None:
    """The offer to put a move back names the moves that go and come back."""
    phones.rewind(3)
    phones.play("h e4", stands=True)
    phones.dispute(5)
    assert (
        phones.offers()["put_back"].revision.lost_entries,
        phones.offers()["put_back"].revision.restored_entries,
    ) == (
        (8,),
        (4, 5, 6),
    )
    phones.settle("put_back")
    assert phones.now().line == (2, 3, 4, 5, 6)


# --- entries other than moves ----------------------------------------------------------------------------------------


def position(phones: Phones, version: int) -> Any:
    """The position at a version."""
    table = phones.now()
    return table.game.position(table.states[version - 1])


DEEDS: dict[str, Callable[[Phones], Any]] = {
    "readings": lambda phones: phones.read(stuck="turn_is_cut"),
    "checkpoint": lambda phones: phones.enter(position(phones, 3)),
    "rewound": lambda phones: phones.rewind(4),
    "redone": lambda phones: (phones.rewind(4), phones.rewind(6)),
    "amended": lambda phones: phones.amend(DELETE, 6),
    "inserted": lambda phones: phones.amend(INSERT, 6, GAME.write(next(iter(GAME.moves(phones.now().state))))),
}
"""Changes to a table other than moves."""


@pytest.mark.parametrize("played_on", [False, True], ids=["at once", "played on"])
@pytest.mark.parametrize("do", DEEDS.values(), ids=DEEDS)
def test_what_is_no_move_is_disputed(do: Callable[[Phones], Any], played_on: bool, phones: Phones) -> None:
    """An entry other than a move can stand or be reversed, also after new moves, which are replayed where they fit.
    Each remedy has the effect of its offer, undo reverses it, and another worker agrees.
    """
    do(phones)
    entry = phones.now().amendments[-1].settlement_number if phones.now().amendments else phones.now().version
    assert entry is not None
    was = phones.now().states[entry - 2]
    if played_on:
        phones.play(GAME.write(next(iter(GAME.moves(phones.now().state)))))
    before = phones.now()
    phones.dispute(entry)
    hearing = phones.hear()
    assert (hearing.judgement, hearing.about.notation) == (None, None)
    remedies_there = ["stands", "go_back", *(["replay"] if played_on else []), "adjust"]
    assert [*phones.offers()] == [each for each in remedies_there if each != "adjust" or do is not DEEDS["readings"]]
    assert phones.offers()["go_back"].revision.state == was
    for remedy in ("stands", "replay", "go_back"):
        number = len(phones.now().disputes)
        if not phones.now().disputes[-1].open:
            phones.dispute(entry)
            number += 1
        if remedy not in phones.offers(number):
            continue
        offer = phones.offers(number)[remedy]
        phones.settle(offer.remedy, number)
        after = phones.now()
        assert (after.state, offer.totals) == (offer.revision.state, totals(GAME, after.state))
        read = Referee(phones.referee._store._ledger).table(phones.id, phones.keys["host"])[0]
        assert (read.state, read.line, read.disputes) == (after.state, after.line, after.disputes)
        if remedy == "stands":
            assert after.line == before.line
            continue
        again = {step.original_number for step in offer.revision.steps}
        assert {*before.line} - {*after.line} - again == {*offer.revision.lost_entries}
        assert {each for each in after.line if each <= before.version} - {*before.line} == {
            *offer.revision.restored_entries
        }
        phones.rewind(after.undo_to or 0)
        assert (phones.now().state, phones.now().line) == (before.state, before.line)


def test_what_an_entry_did_is_told(phones: Phones) -> None:
    """A dispute describes the disputed entry: entries removed and restored, readings, and whether the position is
    reachable.
    """
    phones.rewind(4)
    phones.dispute(7)
    deed = phones.hear().entry_effect
    assert deed is not None
    assert (deed.revision.lost_entries, deed.revision.restored_entries) == ((5, 6), ())
    phones.read(stuck="turn_is_cut")
    phones.dispute(9)
    deed = phones.hear(2).entry_effect
    assert deed is not None
    assert [(one.key, one.old_value, one.new_value) for one in deed.readings] == [("stuck", "ends", "turn_is_cut")]
    phones.enter(position(phones, 3))
    phones.dispute(11)
    deed = phones.hear(3).entry_effect
    assert deed is not None
    assert deed.comparison is not None
    assert (deed.comparison.reachability.value, bool(deed.comparison.why), deed.problems) == ("impossible", True, ())
    assert {change.what for change in deed.changes} == {"vanished"}
    phones.amend(DELETE, 4)
    phones.dispute(13)
    deed = phones.hear(4).entry_effect
    assert deed is not None
    assert deed.amendment is not None
    assert 4 in deed.revision.lost_entries


def test_the_opening_can_be_disputed(phones: Phones) -> None:
    """A dispute about the opening can end with `stands` or with another position: there is nothing to go back to."""
    phones.dispute(1)
    hearing = phones.hear()
    assert hearing.state == phones.now().states[0]
    assert [*phones.offers()] == ["stands", "adjust"]
    phones.decide(SettlementRequest(ADJUST, "", position(phones, 2)))
    assert GAME.position(phones.now().state) == position(phones, 2)


def test_a_reading_is_changed_and_no_position_entered_for_it(phones: Phones) -> None:
    """A dispute about readings offers no position to enter."""
    phones.read(stuck="turn_is_cut")
    phones.dispute(7)
    assert [*phones.offers()] == ["stands", "go_back"]
    with pytest.raises(NoRemedy):
        phones.decide(SettlementRequest(ADJUST, "", position(phones, 3)))


def test_an_undo_that_was_taken_back_is_not_in_play(phones: Phones) -> None:
    """An undo that was redone is not in play, so a dispute about it has nothing to settle."""
    phones.rewind(4)
    phones.dispute(7)
    assert "stands" in phones.offers()
    phones.rewind(6)
    assert [*phones.offers()] == ["no_change", "adjust"]


def test_a_settlement_that_goes_to_before_an_amendment_is_its_own(phones: Phones) -> None:
    """Going back before a move that an amendment inserted is a settlement; undo reverses it, not the amendment."""
    amended = phones.amend(INSERT, 6, GAME.write(next(iter(GAME.moves(phones.now().state))))).version
    line = phones.now().line
    assert amended == line[-1]
    phones.dispute(amended)
    phones.settle("go_back")
    table = phones.now()
    assert (table.line, table.redo_to, phones.hear().status) == ((2, 3, 4, 5, 6), None, "settled")
    phones.rewind(table.undo_to or 0)
    assert (phones.now().line, phones.hear().status) == (line, "undone")
    assert not phones.now().amendments[0].is_undone


@pytest.mark.parametrize("game", sorted(rules.GAMES))
def test_every_game_disputes_what_is_no_move(game: str, referee: Referee) -> None:
    """In every game, going back before an undo, a position or an amendment restores the table."""
    phones = play_record(referee, records_of(game)[0])
    done: list[Callable[[int], WriteOutcome]] = [
        phones.rewind,
        lambda number: phones.enter(position(phones, number)),
        lambda _: phones.amend(DELETE, phones.now().line[-1]),
    ]
    for do in done:
        before = phones.now()
        do(before.line[-3])
        entry = before.version + 1
        phones.dispute(entry)
        deed = phones.hear(len(phones.now().disputes)).entry_effect
        assert deed is not None
        assert (deed.before, deed.entry.number) == (totals(before.game, before.state), entry)
        phones.settle("go_back", len(phones.now().disputes))
        assert (phones.now().state, phones.now().line) == (before.state, before.line)


# --- positions entered by hand ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_position_is_adjusted_by_hand(path: Path, referee: Referee, ledger: Ledger) -> None:
    """In every recorded game, `adjust` writes a settlement and a position of the dispute. Undo and redo treat both as
    one step, and another worker agrees.
    """
    phones = play_record(referee, path)
    game, before = phones.now().game, phones.now()
    phones.dispute(before.line[-1])
    entered = game.position(before.states[before.line[-3] - 1])
    offer = phones.hear().remedies[-1]
    assert (offer.remedy, offer.revision, offer.totals) == ("adjust", Revision(None, before.state), None)
    done = phones.decide(SettlementRequest(ADJUST, "As it was.", entered))
    settled, checkpoint = done.entries
    assert isinstance(settled, Settled)
    assert isinstance(checkpoint, Checkpoint)
    assert (settled.remedy, settled.dispute, checkpoint.dispute, phones.hear().status) == (ADJUST, 1, 1, "settled")
    after = phones.now()
    assert game.position(after.state) == entered
    assert after.line == (*before.line, checkpoint.number)
    phones.rewind(after.undo_to or 0)
    assert (phones.now().state, phones.now().line, phones.hear().status) == (before.state, before.line, "undone")
    phones.rewind(checkpoint.number)
    assert (phones.now().state, phones.hear().status) == (after.state, "settled")
    read = Referee(ledger).table(phones.id, phones.keys["host"])[0]
    assert (read.state, read.disputes) == (after.state, phones.now().disputes)


def test_only_the_host_adjusts(phones: Phones) -> None:
    """A seat can neither confirm nor settle with `adjust`, and nothing is written."""
    black, _ = phones.seats
    phones.dispute(4)
    version, there = phones.now().version, GAME.position(phones.now().states[2])
    with pytest.raises(Forbidden) as forbidden:
        phones.confirm(ADJUST, black)
    assert forbidden.value.reason == "host"
    with pytest.raises(Forbidden):
        phones.decide(SettlementRequest(ADJUST, "", there), who=black)
    assert phones.now().version == version


def test_a_position_that_cannot_be_settles_nothing(phones: Phones) -> None:
    """An impossible position is refused with its problems; the current position settles the dispute without another
    entry.
    """
    phones.dispute(4)
    version = phones.now().version
    half = {"cells": {"b1": [{"piece": "brick", "colour": "black", "second": "c1"}]}}
    with pytest.raises(Impossible) as impossible:
        phones.decide(SettlementRequest(ADJUST, "", schemas.load(schemas.of(GAME).position, half)))
    assert impossible.value.problems
    assert (phones.now().version, phones.hear().status) == (version, "open")
    done = phones.decide(SettlementRequest(ADJUST, "", GAME.position(phones.now().state)))
    assert [type(each) for each in done.entries] == [Settled]
    assert phones.hear().status == "settled"


def test_a_position_belongs_to_the_request(phones: Phones) -> None:
    """A repeated settlement gets the first response; another position under its key is refused."""
    phones.dispute(4)
    earlier, now = (GAME.position(phones.now().states[number]) for number in (2, 3))
    version = phones.now().version
    first = phones.decide(SettlementRequest(ADJUST, "", earlier), name="one")
    again = phones.referee.settle(
        ChangeRequest(phones.id, phones.keys["host"], version, "one"), 1, SettlementRequest(ADJUST, "", earlier)
    )
    assert again.is_replay
    assert again.entries == first.entries
    with pytest.raises(KeyReused):
        phones.decide(SettlementRequest(ADJUST, "", now), name="one")


# --- permissions and races -----------------------------------------------------------------------------------------


def test_all_seats_settle_by_confirming_the_same(phones: Phones) -> None:
    """A dispute is settled once all seats' latest confirmations name the same remedy."""
    black, white = phones.seats
    phones.dispute(4, white)
    assert [type(each) for each in phones.confirm("go_back", black).entries] == [Confirmed]
    assert [type(each) for each in phones.confirm("stands", white).entries] == [Confirmed]
    assert phones.hear().confirmations == {black: "go_back", white: "stands"}
    done = phones.confirm("go_back", white)
    assert [type(each) for each in done.entries] == [Confirmed, Settled, Rewound]
    assert phones.hear().status == "settled"
    assert phones.now().line == (2, 3)


def test_a_confirmation_counts_for_the_moves_that_were_in_play(phones: Phones) -> None:
    """Confirmations no longer count once another move was played."""
    black, white = phones.seats
    phones.dispute(4)
    phones.confirm("go_back", black)
    phones.play(GAME.write(next(iter(GAME.moves(phones.now().state)))))
    assert phones.hear().confirmations == {}
    assert [type(each) for each in phones.confirm("go_back", white).entries] == [Confirmed]
    assert phones.hear().status == "open"


def test_who_may_do_what(phones: Phones) -> None:
    """Watchers cannot raise disputes, seats cannot settle or undo a settlement, and the host does not confirm."""
    black, _ = phones.seats
    with pytest.raises(Forbidden):
        phones.dispute(4, "watch")
    phones.dispute(4, black)
    with pytest.raises(Forbidden):
        phones.settle("stands", who=black)
    with pytest.raises(Forbidden):
        phones.confirm("stands", "host")
    phones.settle("go_back")
    with pytest.raises(Forbidden) as forbidden:
        phones.rewind(phones.now().undo_to or 0, black)
    assert forbidden.value.reason == "host"


def test_a_dispute_is_settled_once(phones: Phones) -> None:
    """A dispute is settled once. If its settlement is undone, it can be settled again; it is readable throughout."""
    phones.dispute(4)
    first = phones.settle("go_back", name="s")
    with pytest.raises(AlreadySettled):
        phones.settle("stands")
    again = phones.settle("go_back", name="s")
    assert (again.is_replay, again.entries) == (True, first.entries)
    phones.rewind(phones.now().undo_to or 0)
    hearing = phones.hear()
    assert (hearing.status, hearing.settlement) == ("undone", first.entries[0])
    phones.settle("stands")
    assert phones.hear().status == "settled"
    with pytest.raises(NoDispute):
        phones.settle("stands", 2)


def test_a_move_is_in_one_open_dispute(phones: Phones) -> None:
    """A move can be in one open dispute only; other moves can be disputed meanwhile."""
    phones.dispute(4)
    with pytest.raises(AlreadyDisputed) as already:
        phones.dispute(4, "black")
    assert already.value.dispute == 1
    phones.dispute(3)
    phones.settle("stands")
    phones.dispute(4)
    assert len(phones.now().disputes) == 3


def test_what_changes_nothing_cannot_be_disputed(phones: Phones) -> None:
    """An entry about a dispute, or one that does not exist, cannot be disputed."""
    phones.dispute(4)
    phones.confirm("stands", phones.seats[0])
    phones.settle("stands")
    for entry in (0, 7, 8, 9, 99):
        with pytest.raises(Invalid):
            phones.dispute(entry)


def test_of_two_phones_that_dispute_the_same_at_once_one_is_first(ledger: Ledger, phones: Phones) -> None:
    """Of two phones that dispute the same move at once, the later one gets a conflict with the missing entry."""
    others = [Phones.__new__(Phones), Phones.__new__(Phones)]
    for other in others:
        other.__dict__ |= phones.__dict__ | {"referee": Referee(ledger)}
    version = phones.now().version
    answers: list[Any] = []
    start = threading.Barrier(len(others))

    def ask(other: Phones, who: str) -> None:
        start.wait()
        try:
            answers.append(other.dispute(4, who, version))
        except Stale as stale:
            answers.append(stale)

    threads = [threading.Thread(target=ask, args=pair) for pair in zip(others, phones.seats, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (stale,) = [answer for answer in answers if isinstance(answer, Stale)]
    (done,) = [answer for answer in answers if isinstance(answer, WriteOutcome)]
    assert stale.missing == done.entries
    assert isinstance(done.entries[0], Disputed)
    assert len(phones.now().disputes) == 1
    with pytest.raises(AlreadyDisputed):
        phones.dispute(4, phones.seats[1])


# --- as JSON ---------------------------------------------------------------------------------------------------------


def test_a_dispute_is_told_in_full(api: Api) -> None:
    """A dispute lists every rule that was checked, with its text and printed place, the position and who raised it; in
    both languages.
    """
    table = api.open(list(STOOD))
    path = f"{table.path}/disputes"
    body = {"about": {"entry": 4}, "question": "  Why may White?  "}
    made = api.post(path, body, key=table.seats["black"], version=6)
    assert made.status_code == 201
    assert made.headers["Location"] == f"{path}/1"
    said: Any = api.get(f"{path}/1", key=table.watch).json
    assert said == made.json
    assert (said["question"], said["raised_by"], said["about"]["entry"]) == ("Why may White?", "black", 4)
    assert {each["rule"] for each in said["ruling"]["findings"]} <= {each["id"] for each in said["rules"]}
    assert said["ruling"]["heard"]
    assert said["rules"][0]["printed"]
    there: Any = api.post(f"{V1}/games/villefranche/positions", {"moves": list(STOOD[:2])}).json
    assert said["position"] == there["position"]
    texts = {each["remedy"]: (each["text"], each["loses"], each["plays"]) for each in said["remedies"]}
    assert texts["replay"] == ("All later moves still fit. Nothing changes.", [], 0)
    french: Any = api.get(f"{path}/1", key=table.watch, headers={"Accept-Language": "fr"}).json
    assert french["remedies"][0]["text"] != said["remedies"][0]["text"]
    settled: Any = api.post(f"{path}/1/settlement", {"remedy": "go_back"}, key=table.host, version=7).json
    assert [each["type"] for each in settled["entries"]] == ["settled", "rewound"]
    said = api.get(f"{path}/1", key=table.watch).json
    assert (said["status"], said["remedies"], said["settlement"]["entries"]) == ("settled", [], [8, 9])
    assert api.post(f"{path}/1/settlement", {"remedy": "stands"}, key=table.host, version=9).status_code == 409
    assert [each["type"] for each in api.log(table)["entries"]][-3:] == ["disputed", "settled", "rewound"]


@pytest.mark.parametrize("about", [{}, {"entry": 2, "move": "h e4"}, {"entry": 99}, {"entry": 0}, {"move": "h z9"}])
def test_what_is_disputed_is_one_thing(about: Any, api: Api) -> None:
    """A dispute names either an existing entry or a move."""
    table = api.open(list(STOOD))
    answer = api.post(f"{table.path}/disputes", {"about": about, "question": "?"}, key=table.host, version=6)
    assert answer.status_code == 422
    for question in ("", " ", "x" * 301, "a\u0007b"):
        body = {"about": {"entry": 2}, "question": question}
        assert api.post(f"{table.path}/disputes", body, key=table.host, version=6).status_code == 422


@pytest.mark.parametrize(("language", "said"), [("en", "It returns to play"), ("fr", "Il revient en jeu")])
def test_a_remedy_that_is_not_offered_is_refused(language: str, said: str, api: Api) -> None:
    """A remedy that is not offered is 409, with the remedies that are: a move out of play cannot stand."""
    table = api.open(list(STOOD))
    path, spoken = f"{table.path}/disputes", {"Accept-Language": language}
    api.post(path, {"about": {"entry": 6}, "question": "?"}, key=table.host, version=6)
    assert api.post(f"{table.path}/amend", {"delete": {"entry": 6}}, key=table.host, version=7).status_code == 201
    told: Any = api.get(f"{path}/1", key=table.watch, headers=spoken).json
    assert told["about"]["in_play"] is False
    assert [each["remedy"] for each in told["remedies"]] == ["no_change", "put_back", "adjust"]
    assert said in told["remedies"][1]["text"]
    assert told["remedies"][1]["restores"] == [6]
    refused: Any = api.post(f"{path}/1/settlement", {"remedy": "stands"}, key=table.host, version=8, headers=spoken)
    assert (refused.status_code, refused.json["type"]) == (409, "/problems/no-remedy")
    assert "no_change, put_back" in refused.json["detail"]
    sent: Any = {"remedy": "stands"}
    assert api.post(f"{path}/1/confirmation", sent, key=table.seats["black"], version=8).status_code == 409
    settled: Any = api.post(f"{path}/1/settlement", {"remedy": "put_back"}, key=table.host, version=8).json
    assert [each["type"] for each in settled["entries"]] == ["settled", "rewound"]


def test_a_dispute_about_no_move_is_told_in_full(api: Api) -> None:
    """A dispute about any other type of entry has its effect in place of a ruling."""
    table = api.open(list(STOOD))
    there: Any = api.post(f"{V1}/games/villefranche/positions", {"moves": list(STOOD[:1])}).json
    api.post(f"{table.path}/rewind", {"to": 4}, key=table.host, version=6)
    api.send("PUT", f"{table.path}/readings", {"readings": {"stuck": "turn_is_cut"}}, key=table.host, version=7)
    api.send("PUT", f"{table.path}/position", {"position": there["position"]}, key=table.host, version=8)
    api.post(f"{table.path}/amend", {"delete": {"entry": 4}}, key=table.host, version=9)
    types = {1: "opened", 7: "rewound", 8: "readings", 9: "checkpoint", 10: "amended"}
    version = 12  # the amendment wrote the readings and the position again
    for number, (entry, kind) in enumerate(types.items(), start=1):
        body = {"about": {"entry": entry}, "question": "Why?"}
        made: Any = api.post(f"{table.path}/disputes", body, key=table.host, version=version).json
        version += 1
        assert (made["dispute"], made["about"]["entry"], made["about"]["type"]) == (number, entry, kind)
        assert {made["ruling"], made["ruled"], made["about"]["move"], made["about"]["notation"]} == {None}
        did = made["did"]
        assert bool(did["readings"]) == (kind == "readings")
        assert bool(did["told"]) == (kind == "checkpoint")
        assert bool(did["amendment"]) == (kind == "amended")
        assert (did["out"] == [5, 6]) == (kind == "rewound")
        assert {each["id"] for each in made["rules"]} >= {each["rule"] for each in (did["told"] or {"why": []})["why"]}
        logged: Any = api.log(table)["entries"][-1]
        assert (logged["entry"], logged["move"], logged["ruling"], logged["findings"]) == (entry, None, None, None)


def test_a_position_is_adjusted_through_the_api(api: Api) -> None:
    """`adjust` needs a position and offers no score; other remedies take no position, and a seat gets `host-only`."""
    table = api.open(list(STOOD[:2]))
    there: Any = api.post(f"{V1}/games/villefranche/positions", {"moves": list(STOOD[:1])}).json
    path = f"{table.path}/disputes"
    made: Any = api.post(path, {"about": {"entry": 3}, "question": "?"}, key=table.host, version=3).json
    assert made["remedies"][-1]["remedy"] == "adjust"
    assert made["remedies"][-1]["score"] is None
    for wrong in ({"remedy": "adjust"}, {"remedy": "stands", "position": there["position"]}):
        refused: Any = api.post(f"{path}/1/settlement", wrong, key=table.host, version=4).json
        assert [each["pointer"] for each in refused["errors"]] == ["/position"]
    half = {"cells": {"b1": [{"piece": "brick", "colour": "black", "second": "c1"}]}}
    body = {"remedy": "adjust", "position": half}
    impossible: Any = api.post(f"{path}/1/settlement", body, key=table.host, version=4)
    assert (impossible.status_code, bool(impossible.json["problems"])) == (422, True)
    answer: Any = api.post(f"{path}/1/confirmation", {"remedy": "adjust"}, key=table.seats["black"], version=4)
    assert (answer.status_code, answer.json["type"].rpartition("/")[2]) == (403, "host-only")
    body = {"remedy": "adjust", "text": "As it was.", "position": there["position"]}
    settled: Any = api.post(f"{path}/1/settlement", body, key=table.host, version=4).json
    assert [(each["type"], each["dispute"]) for each in settled["entries"]] == [("settled", 1), ("checkpoint", 1)]
    said: Any = api.get(f"{path}/1", key=table.watch).json
    assert (said["settlement"]["remedy"], said["settlement"]["entries"]) == ("adjust", [5, 6])


def test_a_move_is_ruled_on_as_the_table_is_and_was(api: Api) -> None:
    """A table's ruling on a possible move is that without a table, now or at a version; watchers may ask, and nothing
    is written.
    """
    table = api.open(list(STOOD[:2]))
    path = f"{table.path}/rulings"
    before = api.log(table)
    for version, played in ((1, []), (2, STOOD[:1]), (3, STOOD[:2]), (None, STOOD[:2])):
        body = {"move": "h e4", "explain": True} | ({} if version is None else {"version": version})
        said: Any = api.post(path, body, key=table.watch)
        assert said.status_code == 200
        without = {"moves": list(played), "move": "h e4", "explain": True}
        plain: Any = api.post(f"{V1}/games/villefranche/rulings", without)
        assert said.json == plain.json
    refused: Any = api.post(path, {"move": "h e4", "version": 4}, key=table.watch)
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, "/version")
    assert api.log(table) == before
