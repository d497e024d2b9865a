"""Disputes: what each remedy does to a game, who settles, and two phones at once."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

import rules
from rules.ranking import totals
from service import remedies, wire
from service.budget import BUDGET
from service.disputes import ADJUST, REMEDIES, Remedy
from service.entries import Checkpoint, Confirmed, Disputed, Played, Rewound, Settled
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
from service.judgements import Try
from service.ledger import Ledger
from service.referee import NewTable, Referee
from service.settling import About, How
from service.store import Done
from service.table import Table
from tests.api import V1, Api
from tests.rules.play import RECORDED

GAME = rules.GAMES["villefranche"]
QUESTION = "Is that not one house too many?"
STOOD = ("r b1c1", "r b9c9", "h e4", "r d1e1", "h e6")
"""The third move is White's; where it stood out of turn, what follows may fit without it."""


class Phones:
    """A table, and whoever acts there."""

    def __init__(self, referee: Referee, opened: NewTable) -> None:
        self.referee = referee
        self.id = opened.table.id
        self.keys = {"host": opened.keys.host, "watch": opened.keys.watch, **opened.keys.seats}
        self.seats = tuple(opened.keys.seats)

    def now(self) -> Table:
        return self.referee.table(self.id, self.keys["host"])[0]

    def dispute(self, about: int | str, who: str = "host", version: int | None = None, name: str | None = None) -> Done:
        what = About(about) if isinstance(about, int) else About(None, self.now().game.read(about))
        version = version or self.now().version
        return self.referee.raise_dispute(
            self.id, self.keys[who], what, QUESTION, version=version, idempotency_key=name
        )

    def settle(self, remedy: Remedy, number: int = 1, who: str = "host", name: str | None = None) -> Done:
        return self.decide(How(remedy, "Agreed."), number, who, name)

    def decide(self, how: How, number: int = 1, who: str = "host", name: str | None = None) -> Done:
        version = self.now().version
        return self.referee.settle(self.id, self.keys[who], number, how, version=version, idempotency_key=name)

    def confirm(self, remedy: Remedy, who: str, number: int = 1) -> Done:
        return self.referee.confirm(self.id, self.keys[who], number, remedy, version=self.now().version)

    def rewind(self, to: int, who: str = "host") -> Done:
        return self.referee.rewind(self.id, self.keys[who], to, version=self.now().version)

    def play(self, *moves: str, stands: bool = False) -> Done:
        tries = [Try(GAME.read(move), stands) for move in moves]
        return self.referee.play(self.id, self.keys["host"], tries, version=self.now().version)

    def heard(self, number: int = 1) -> remedies.Hearing:
        return self.referee.dispute(self.id, self.keys["watch"], number)


@pytest.fixture
def referee(ledger: Ledger) -> Referee:
    return Referee(ledger)


@pytest.fixture
def phones(referee: Referee) -> Phones:
    """A game of a few moves, of which the third is White's."""
    setup = wire.load(wire.of(GAME).setup, {})
    return Phones(referee, referee.open(GAME.id, setup, [Try(GAME.read(move)) for move in STOOD]))


def recorded(referee: Referee, path: Path) -> Phones:
    """A table with a whole recorded game."""
    record = json.loads(path.read_text())
    game = rules.GAMES[record["game"]]
    moves = []
    for entry in record["moves"]:
        plain = isinstance(entry, str)
        moves.append(Try(game.read(entry if plain else entry["move"]), not plain))
    return Phones(referee, referee.open(game.id, wire.load(wire.of(game).setup, record["setup"]), moves))


# --- what a remedy does --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_remedy_does_what_it_said(path: Path, referee: Referee) -> None:
    """In every recorded game, an entry by chance: `stands` changes nothing, `go_back` is a rewind, `replay` keeps
    everything where nothing has to change; each leaves the score that it told, and undo brings all of it back.
    """
    phones = recorded(referee, path)
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
            offers = {each.remedy: each for each in phones.heard(number).offers}
            if remedy not in offers:
                assert remedy == "replay"
                assert len(before.line) - before.line.index(entry) > remedies.MOST_AGAIN
                continue
            offer = offers[remedy]
            settled, table = phones.settle(offer.remedy, number), phones.now()
            done.add(offer.remedy)
            assert (table.state, offer.totals) == (offer.state, totals(table.game, table.state))
            if not offer.loses:
                assert (table.state, table.line) == (before.state, before.line)
                assert [type(each) for each in settled.entries] == [Settled]
                continue
            assert remedy != "stands"
            assert {each.dispute for each in settled.entries if isinstance(each, Played | Rewound | Settled)} == {
                number
            }
            if remedy == "go_back":
                assert table.state == before.states[entry - 2]
            assert set(table.line).isdisjoint(offer.loses)
            phones.rewind(table.undo_to or 0)
            assert (phones.now().state, phones.now().line) == (before.state, before.line)
    assert done == {*REMEDIES} - {ADJUST}


def test_what_fits_without_a_move_that_stood_is_played_again(phones: Phones) -> None:
    """The disputed move goes, what still fits stays, and the first that breaks is named with its ruling."""
    phones.play("h b5", stands=True)
    stood = phones.now().line[-1]
    phones.play("h e5", stands=True)
    phones.dispute(stood)
    (replay,) = [offer for offer in phones.heard().offers if offer.remedy == "replay"]
    assert stood in replay.loses
    done = phones.settle("replay")
    table = phones.now()
    assert stood not in table.line
    assert table.state == replay.state
    again = [each for each in done.entries if isinstance(each, Played)]
    assert [table.game.read(each.notation) for each in again] == [
        step.again.move for step in replay.plays if isinstance(step.again, Try)
    ]
    assert all(each.stands for each in again if each.ruling.value == "illegal")


def test_what_breaks_is_named_with_its_ruling(phones: Phones) -> None:
    """White's ramparts stood although it was Black's turn: without Black's move the next one is out of turn."""
    phones.play("h b5", stands=True)
    stood = phones.now().line[-1]
    following = next(iter(GAME.moves(phones.now().state)))
    phones.play(GAME.write(following))
    phones.dispute(stood)
    (replay,) = [offer for offer in phones.heard().offers if offer.remedy == "replay"]
    if replay.breaks is not None:
        assert replay.breaks.entry in replay.loses
        assert replay.breaks.entry != stood
        assert not replay.breaks.judgement.verdict.legal
    assert set(replay.loses) >= {stood}


def test_a_move_that_was_not_played_is_ruled_on_where_it_was_asked(phones: Phones) -> None:
    """The position of then stays the dispute's; while nothing more is played there is nothing to go back for."""
    legal = [GAME.write(move) for move in list(GAME.moves(phones.now().state))[:2]]
    phones.dispute(legal[0], "black" if phones.now().due.seat != "black" else "white")
    hearing = phones.heard()
    assert (hearing.about.entry, hearing.judgement.ruling.value) == (None, "legal")
    assert [offer.remedy for offer in hearing.offers] == ["stands", "adjust"]
    phones.play(legal[1])
    later = phones.heard()
    assert later.state == hearing.state
    assert [(offer.remedy, offer.loses) for offer in later.offers] == [
        ("stands", ()),
        ("go_back", (8,)),
        ("adjust", ()),
    ]


def test_of_an_undone_move_nothing_can_be_taken_back(phones: Phones) -> None:
    """It can be disputed all the same, and the ruling is written down."""
    phones.rewind(4)
    phones.dispute(6)
    assert [offer.remedy for offer in phones.heard().offers] == ["stands", "adjust"]
    with pytest.raises(NoRemedy):
        phones.settle("go_back")


def test_replaying_that_is_too_much_work_is_no_remedy(phones: Phones, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dispute about an old move of a long game can be raised and settled, without that remedy."""
    phones.dispute(2)
    assert [offer.remedy for offer in phones.heard().offers] == list(REMEDIES)
    assert remedies.MOST_REPLAYED < BUDGET / 2
    monkeypatch.setattr(remedies, "MOST_REPLAYED", 10)
    assert [offer.remedy for offer in phones.heard().offers] == ["stands", "go_back", "adjust"]


def test_the_remedies_are_those_of_the_type() -> None:
    """What is listed is what the types allow."""
    assert get_args(Remedy) == REMEDIES


# --- what lies there is entered by hand -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_position_is_adjusted_by_hand(path: Path, referee: Referee, ledger: Ledger) -> None:
    """In every recorded game: the settlement and then the position, which name the dispute; undo takes back both as
    one step, redo brings back both, and a new worker reads the same.
    """
    phones = recorded(referee, path)
    game, before = phones.now().game, phones.now()
    phones.dispute(before.line[-1])
    entered = game.position(before.states[before.line[-3] - 1])
    offer = phones.heard().offers[-1]
    assert (offer.remedy, offer.state, offer.totals) == ("adjust", None, None)
    done = phones.decide(How(ADJUST, "As it was.", entered))
    settled, checkpoint = done.entries
    assert isinstance(settled, Settled)
    assert isinstance(checkpoint, Checkpoint)
    assert (settled.remedy, settled.dispute, checkpoint.dispute, phones.heard().status) == (ADJUST, 1, 1, "settled")
    after = phones.now()
    assert game.position(after.state) == entered
    assert after.line == (*before.line, checkpoint.number)
    phones.rewind(after.undo_to or 0)
    assert (phones.now().state, phones.now().line, phones.heard().status) == (before.state, before.line, "undone")
    phones.rewind(checkpoint.number)
    assert (phones.now().state, phones.heard().status) == (after.state, "settled")
    read = Referee(ledger).table(phones.id, phones.keys["host"])[0]
    assert (read.state, read.disputes) == (after.state, phones.now().disputes)


def test_only_the_host_adjusts(phones: Phones) -> None:
    """A seat's confirmation of it is refused, and so is its settlement; nothing is written then."""
    black, _ = phones.seats
    phones.dispute(4)
    version, there = phones.now().version, GAME.position(phones.now().states[2])
    with pytest.raises(Forbidden) as forbidden:
        phones.confirm(ADJUST, black)
    assert forbidden.value.reason == "host"
    with pytest.raises(Forbidden):
        phones.decide(How(ADJUST, "", there), who=black)
    assert phones.now().version == version


def test_a_position_that_cannot_be_settles_nothing(phones: Phones) -> None:
    """It is refused with its problems; one that is there already settles the dispute, and is no entry."""
    phones.dispute(4)
    version = phones.now().version
    half = {"cells": {"b1": [{"piece": "brick", "colour": "black", "second": "c1"}]}}
    with pytest.raises(Impossible) as impossible:
        phones.decide(How(ADJUST, "", wire.load(wire.of(GAME).position, half)))
    assert impossible.value.problems
    assert (phones.now().version, phones.heard().status) == (version, "open")
    done = phones.decide(How(ADJUST, "", GAME.position(phones.now().state)))
    assert [type(each) for each in done.entries] == [Settled]
    assert phones.heard().status == "settled"


def test_a_position_belongs_to_the_request(phones: Phones) -> None:
    """Sent again it is answered as then; another position under the same key is another request."""
    phones.dispute(4)
    earlier, now = (GAME.position(phones.now().states[number]) for number in (2, 3))
    version = phones.now().version
    first = phones.decide(How(ADJUST, "", earlier), name="one")
    again = phones.referee.settle(
        phones.id, phones.keys["host"], 1, How(ADJUST, "", earlier), version=version, idempotency_key="one"
    )
    assert again.replayed
    assert again.entries == first.entries
    with pytest.raises(KeyReused):
        phones.decide(How(ADJUST, "", now), name="one")


# --- who may, and when ---------------------------------------------------------------------------------------------


def test_all_seats_settle_by_confirming_the_same(phones: Phones) -> None:
    """Each on its phone; another remedy settles nothing, and what was confirmed last counts."""
    black, white = phones.seats
    phones.dispute(4, white)
    assert [type(each) for each in phones.confirm("go_back", black).entries] == [Confirmed]
    assert [type(each) for each in phones.confirm("stands", white).entries] == [Confirmed]
    assert phones.heard().confirmed == {black: "go_back", white: "stands"}
    done = phones.confirm("go_back", white)
    assert [type(each) for each in done.entries] == [Confirmed, Settled, Rewound]
    assert phones.heard().status == "settled"
    assert phones.now().line == (2, 3)


def test_a_confirmation_counts_for_the_moves_that_were_in_play(phones: Phones) -> None:
    """Who agreed to lose two moves has not agreed to lose three."""
    black, white = phones.seats
    phones.dispute(4)
    phones.confirm("go_back", black)
    phones.play(GAME.write(next(iter(GAME.moves(phones.now().state)))))
    assert phones.heard().confirmed == {}
    assert [type(each) for each in phones.confirm("go_back", white).entries] == [Confirmed]
    assert phones.heard().status == "open"


def test_who_may_do_what(phones: Phones) -> None:
    """A watcher raises nothing; the host settles and seats confirm; a seat does not take a settlement back."""
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
    """Until it is taken back; then it is open again, and stays readable all the time."""
    phones.dispute(4)
    first = phones.settle("go_back", name="s")
    with pytest.raises(AlreadySettled):
        phones.settle("stands")
    again = phones.settle("go_back", name="s")
    assert (again.replayed, again.entries) == (True, first.entries)
    phones.rewind(phones.now().undo_to or 0)
    hearing = phones.heard()
    assert (hearing.status, hearing.settlement) == ("undone", first.entries[0])
    phones.settle("stands")
    assert phones.heard().status == "settled"
    with pytest.raises(NoDispute):
        phones.settle("stands", 2)


def test_a_move_is_in_one_open_dispute(phones: Phones) -> None:
    """Another one about it waits until that is settled; other moves may be disputed meanwhile."""
    phones.dispute(4)
    with pytest.raises(AlreadyDisputed) as already:
        phones.dispute(4, "black")
    assert already.value.dispute == 1
    phones.dispute(3)
    phones.settle("stands")
    phones.dispute(4)
    assert len(phones.now().disputes) == 3


def test_only_a_move_can_be_disputed(phones: Phones) -> None:
    """Not how the table was opened, not an undo, and nothing that is not there."""
    phones.rewind(4)
    for entry in (1, 7, 99):
        with pytest.raises(Invalid):
            phones.dispute(entry)


def test_of_two_phones_that_dispute_the_same_at_once_one_is_first(ledger: Ledger, phones: Phones) -> None:
    """The other one learns of it: there is one dispute, and its answer names what it is missing."""
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
    (done,) = [answer for answer in answers if isinstance(answer, Done)]
    assert stale.missing == done.entries
    assert isinstance(done.entries[0], Disputed)
    assert len(phones.now().disputes) == 1
    with pytest.raises(AlreadyDisputed):
        phones.dispute(4, phones.seats[1])


# --- as JSON ---------------------------------------------------------------------------------------------------------


def test_a_dispute_is_told_in_full(api: Api) -> None:
    """Every rule heard, its text and where it is printed, the position of then, who raised it; in both languages."""
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
    """An entry or a move, and one that there is."""
    table = api.open(list(STOOD))
    answer = api.post(f"{table.path}/disputes", {"about": about, "question": "?"}, key=table.host, version=6)
    assert answer.status_code == 422
    for question in ("", " ", "x" * 301, "a\u0007b"):
        body = {"about": {"entry": 2}, "question": question}
        assert api.post(f"{table.path}/disputes", body, key=table.host, version=6).status_code == 422


def test_a_position_is_adjusted_through_the_api(api: Api) -> None:
    """The offer has no score; the position goes with this remedy and with no other, and a seat hears whose it is."""
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
