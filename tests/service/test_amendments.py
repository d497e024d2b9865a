"""Amending the log: which moves are made again or no longer fit, who may amend, and races of two phones."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

import pytest

import rules
from rules.ranking import totals
from service import schemas
from service.errors import Forbidden, Invalid, Refused, Stale
from service.judgements import AttemptedMove
from service.referee import amendment_report, fold
from service.referee.amend import Preview
from service.referee.amendment_report import Amendment, ChangedMove
from service.referee.repository import ChangeRequest, WriteOutcome
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from service.tables import codec
from service.tables.codec import encode
from service.tables.entries import (
    CHANGES,
    DELETE,
    INSERT,
    MISFIT_POLICIES,
    REPLACE,
    STAND,
    STOP,
    Amended,
    AnyEntry,
    Confirmed,
    LateMove,
    LogChange,
    Played,
    Unreadable,
)
from service.tables.table import Table
from tests.rules.play import EVERY_GAME, AnyGame, some_game
from tests.support.api import Api
from tests.support.loops import over

GAME = rules.GAMES["villefranche"]
PLAYED = ("r b1c1", "r b9c9", "h e4", "r d1e1", "h e6")


class Phones:
    """A table, and requests to it by each role."""

    def __init__(self, referee: Referee, game: AnyGame, setup: Any, moves: Any) -> None:
        opened = referee.open(game.id, setup, moves)
        self.referee, self.game, self.id = referee, game, opened.table.id
        self.keys = {"host": opened.keys.host, "watch": opened.keys.watch, **opened.keys.seats}
        self.seats = tuple(opened.keys.seats)

    def now(self) -> Table:
        return self.referee.table(self.id, self.keys["host"])[0]

    def amend(
        self, change: LogChange, who: str = "host", version: int | None = None, name: str | None = None
    ) -> WriteOutcome:
        version = version or self.now().version
        return self.referee.amend(ChangeRequest(self.id, self.keys[who], version, name), change)

    def report(self, change: LogChange) -> Amendment:
        """The effects of an amendment."""
        seen = self.preview(change)
        return amendment_report.amendment(seen.table, seen.number)

    def preview(self, change: LogChange) -> Preview:
        return self.referee.preview(ChangeRequest(self.id, self.keys["host"], self.now().version), change)

    def play(self, *moves: str, who: str = "host") -> WriteOutcome:
        tries = [AttemptedMove(self.game.read(move)) for move in moves]
        return self.referee.play(ChangeRequest(self.id, self.keys[who], self.now().version), tries)

    def rewind(self, to: int | None, who: str = "host") -> WriteOutcome:
        return self.referee.rewind(ChangeRequest(self.id, self.keys[who], self.now().version), to or 0)


@pytest.fixture
def referee(ledger: Ledger) -> Referee:
    return Referee(ledger)


@pytest.fixture
def phones(referee: Referee) -> Phones:
    """A game of a few moves, all entered by the host."""
    setup = schemas.load(schemas.of(GAME).setup, {})
    return Phones(referee, GAME, setup, [AttemptedMove(GAME.read(move)) for move in PLAYED])


def some_phones(referee: Referee, game: AnyGame, chance: Random) -> Phones:
    """A table with a random game, or its first part."""
    played = some_game(game, chance)
    moves = [move for _, move in played.steps if move is not None]
    return Phones(
        referee, game, played.form, [AttemptedMove(move, stands=True) for move in moves[: chance.randint(3, 40)]]
    )


def late_move(move: Played) -> LateMove:
    """A move as it was played, to be entered late."""
    return LateMove(move.notation, move.stands)


def view_of(table: Table) -> tuple[Any, ...]:
    """The state, score, turn and moves of a table."""
    moves = [table.move_entry(number)[3:8] for number in table.moves]
    return table.state, dict(totals(table.game, table.state)), table.due, moves


def last_changes(table: Table) -> tuple[ChangedMove, ...]:
    """The moves changed by the last amendment."""
    return amendment_report.amendment(table, table.amendments[-1].settlement_number or 0).changed_moves


def again(table: Table, *entries: AnyEntry) -> Table:
    """The table as another worker folds it, with further entries."""
    log = [(each.number, encode(each)) for each in (*table.entries, *entries)]
    return fold.fold(table.id, log, table.lifetime)


# --- amending nothing changes nothing ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
@pytest.mark.parametrize("number", range(3))
def test_amending_nothing_changes_nothing(game: AnyGame, number: int, referee: Referee) -> None:
    """Replacing a move by itself changes nothing; neither does deleting a move and inserting it again, or undoing the
    deletion.
    """
    chance = Random(f"{game.id} {number}")
    phones = some_phones(referee, game, chance)
    before = phones.now()
    move = before.move_entry(chance.choice(before.line))
    phones.amend(LogChange(REPLACE, move.number, (late_move(move),)))
    assert view_of(phones.now()) == view_of(before)
    assert again(phones.now()) == phones.now()
    for at in (-1, chance.randrange(len(before.line))):
        line = phones.now().line
        move, place = phones.now().move_entry(line[at]), line[at]
        before_it = line[line.index(place) - 1] if line.index(place) else 1
        told = phones.report(LogChange(DELETE, place))
        assert at != -1 or not told.lost_entries
        phones.amend(LogChange(DELETE, place))
        after = phones.now()
        assert dict(totals(game, after.state)) == dict(told.after)
        if told.lost_entries:
            phones.rewind(after.undo_to)
        else:
            phones.amend(LogChange(INSERT, before_it, (late_move(move),)))
        assert view_of(phones.now()) == view_of(before)
    assert again(phones.now()) == phones.now()


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_an_amendment_is_undone_and_redone_as_one(game: AnyGame, referee: Referee) -> None:
    """Undo and redo treat an amendment as one step, and its preview tells its effect."""
    chance = Random(game.id)
    for misfits in over(MISFIT_POLICIES):
        phones = some_phones(referee, game, chance)
        before = phones.now()
        change = LogChange(DELETE, chance.choice(before.line), (), misfits)
        told = phones.report(change)
        phones.amend(change)
        amended = phones.now()
        assert set(amended.line).isdisjoint({change.entry, *told.lost_entries})
        assert dict(told.after) == dict(totals(game, amended.state))
        assert len(amended.line) == before.line.index(change.entry) + told.replay_count
        phones.rewind(amended.undo_to)
        assert (phones.now().line, phones.now().state) == (before.line, before.state)
        phones.rewind(phones.now().redo_to)
        assert (phones.now().line, phones.now().state, phones.now().redo_to) == (amended.line, amended.state, None)
        assert again(phones.now()) == phones.now()


def test_undo_goes_on_over_an_amendment_and_redo_comes_back(phones: Phones) -> None:
    """What was played after an amendment is redone once the amendment is, unless something else was played then."""
    phones.amend(LogChange(REPLACE, 2, (LateMove("r c1d1"),)))
    phones.play("r a2a3")
    played = phones.now()
    for _ in range(3):
        phones.rewind(phones.now().undo_to)
    assert phones.now().line == (2, 3, 4, 5)
    for _ in range(3):
        phones.rewind(phones.now().redo_to)
    assert (phones.now().line, phones.now().state, phones.now().redo_to) == (played.line, played.state, None)
    assert again(phones.now()) == phones.now()
    phones.rewind(phones.now().undo_to)
    phones.play("r g1h1")
    assert phones.now().redo_to is None


# --- effects of an amendment -----------------------------------------------------------------------------------------


def test_the_old_entries_stay_in_the_log(phones: Phones) -> None:
    """An amendment changes no older entry: it lists the new line, and which entry each new one repeats."""
    before = tuple(phones.now().entries)
    done = phones.amend(LogChange(REPLACE, 3, (LateMove("r d9e9"),)))
    table = phones.now()
    assert tuple(table.entries[: len(before)]) == before
    amended = done.entries[0]
    assert isinstance(amended, Amended)
    assert (amended.to, amended.line) == (2, (0, 4, 5, 6))
    assert table.line == (2, *range(amended.number + 1, table.version + 1))
    assert [table.move_entry(number).notation for number in table.line] == [
        "r b1c1",
        "r d9e9",
        "h e4",
        "r d1e1",
        "h e6",
    ]
    assert table.amendment_of(table.version) == table.amendment_of(amended.number) == amended.number
    assert table.amendment_of(2) is None


def test_what_no_longer_fits_is_told_with_its_ruling(phones: Phones) -> None:
    """A preview names the first move that no longer fits, with its ruling, and the moves lost by each policy."""
    last = phones.now().line[-1]
    change = LogChange(INSERT, 3, (LateMove(phones.now().move_entry(last).notation),))
    with_it = phones.report(change)
    assert with_it.first_misfit is not None
    assert with_it.first_misfit.entry == with_it.lost_entries[0]
    assert not with_it.first_misfit.judgement.verdict.legal
    stopped = phones.report(change._replace(misfits=STOP))
    assert stopped.lost_entries == tuple(number for number in phones.now().line if number >= with_it.lost_entries[0])
    stood = phones.report(change._replace(misfits=STAND))
    assert set(stood.lost_entries) <= set(with_it.lost_entries)
    assert last in with_it.lost_entries
    assert {way.misfits: way.lost_entries for way in phones.preview(change).ways} == {
        each: phones.report(change._replace(misfits=each)).lost_entries for each in MISFIT_POLICIES
    }


def test_what_stood_and_is_legal_now_is_told_and_the_reverse(phones: Phones) -> None:
    """A move that stood is reported if an amendment makes it legal, and the reverse."""
    table = phones.now()
    # a move that is legal after the first two moves, and not after all five
    stood = next(
        move
        for move in GAME.moves(table.states[2])
        if not GAME.check(table.state, move).legal and GAME.cannot_stand(table.state, move) is None
    )
    notation = GAME.write(stood)
    phones.referee.play(
        ChangeRequest(phones.id, phones.keys["host"], table.version), [AttemptedMove(stood, stands=True)]
    )
    for _ in range(3):
        phones.amend(LogChange(DELETE, phones.now().line[2], (), STAND))
    now = phones.now()
    last = now.move_entry(now.line[-1])
    assert (last.notation, last.stands, last.ruling.value) == (notation, False, "legal")
    (legal,) = last_changes(now)
    assert (legal.old_entry.stands, legal.new_entry.stands, legal.new_entry.number) == (True, False, last.number)
    phones.amend(LogChange(INSERT, 3, tuple(map(LateMove, PLAYED[2:])), STAND))
    (back,) = [each for each in last_changes(phones.now()) if each.old_entry.number == last.number]
    assert (back.old_entry.stands, back.new_entry.stands) == (False, True)


def test_a_move_that_becomes_anothers_is_told(referee: Referee) -> None:
    """Deleting a placement shifts the turns: a move that the host entered for White becomes Black's, and the report
    says so.
    """
    moves = (
        "r i7i8",
        "r b9c9",
        "h g6",
        "r i4i5",
        "h e3",
        "r g9h9",
        "t i9",
        "r f1g1",
        "h h4",
        "r e9f9",
        "h e8",
        "r a6a7",
    )
    setup = schemas.of(GAME).setup.load({})
    phones = Phones(referee, GAME, setup, [AttemptedMove(GAME.read(move)) for move in moves])
    told = phones.report(LogChange(DELETE, 9))
    seats = {each.old_entry.number: (each.old_entry.seat, each.new_entry.seat) for each in told.changed_moves}
    phones.amend(LogChange(DELETE, 9))
    now = phones.now()
    again = {
        of: now.move_entry(told.entry.number + place).seat for place, of in enumerate(told.entry.line, start=1) if of
    }
    assert seats == {
        of: (now.move_entry(of).seat, seat) for of, seat in again.items() if now.move_entry(of).seat != seat
    }
    assert ("white", "black") in seats.values()


def test_what_is_no_move_stays_in_the_line_as_it_is(phones: Phones) -> None:
    """Changed readings stay in the line when an earlier move is amended, and can be deleted themselves."""
    version = phones.now().version
    phones.referee.set_readings(ChangeRequest(phones.id, phones.keys["host"], version), {"stuck": "turn_is_cut"})
    phones.play(GAME.write(next(iter(GAME.moves(phones.now().state)))))
    before = phones.now()
    assert before.line == (2, 3, 4, 5, 6, 7, 8)
    phones.amend(LogChange(REPLACE, 6, (LateMove("h e6"),)))
    table = phones.now()
    assert table.line_entry(table.line[-2]) == before.line_entry(7)._replace(
        number=table.line[-2], at=table.entries[-1].at
    )
    assert (table.state, len(table.moves)) == (before.state, len(before.moves))
    phones.amend(LogChange(DELETE, table.line[-2]))
    assert phones.now().state.readings["stuck"] != "turn_is_cut"


def test_what_lay_on_the_table_then_lies_there_whatever_was_amended_before(phones: Phones) -> None:
    """An entered position stays in the line when an earlier move is deleted, and later play continues from it."""
    table = phones.now()
    later = GAME.apply(table.state, next(iter(GAME.moves(table.state))))
    phones.referee.enter_position(ChangeRequest(phones.id, phones.keys["host"], table.version), GAME.position(later))
    phones.play(GAME.write(next(iter(GAME.moves(phones.now().state)))))
    before = phones.now()
    told = phones.report(LogChange(DELETE, 3))
    assert before.line[-2] not in told.lost_entries
    phones.amend(LogChange(DELETE, 3))
    table = phones.now()
    assert (GAME.position(table.state), len(table.line)) == (GAME.position(before.state), 6 - len(told.lost_entries))
    assert again(table) == table
    stopped = phones.report(LogChange(DELETE, table.line[0], (), STOP))
    assert not stopped.lost_entries or table.line[-2] in stopped.lost_entries


def test_late_moves_are_kept_up_to_the_first_that_is_refused(phones: Phones) -> None:
    """Late moves are inserted up to the first illegal one; a repeated request gets the same result."""
    change = LogChange(INSERT, 6, (LateMove("r d9e9"), LateMove("h a1"), LateMove("h b2")))
    done = phones.amend(change, name="once", version=6)
    assert done.refusal is not None
    assert done.refusal.index == 1
    assert [each.change.moves for each in done.entries if isinstance(each, Amended)] == [change.moves[:1]]
    same = phones.amend(change, name="once", version=6)
    assert (same.is_replay, same.entries) == (True, done.entries)
    assert same.refusal is not None
    assert (same.refusal.index, same.refusal.judgement) == (1, done.refusal.judgement)
    with pytest.raises(Refused) as refused:
        phones.amend(LogChange(INSERT, 6, (LateMove("h a1"),)))
    assert refused.value.index == 0


def test_a_move_of_a_players_own_key_never_becomes_anothers(phones: Phones) -> None:
    """A move entered by a seat never becomes another seat's: out of turn, it no longer fits."""
    table = phones.now()
    while table.due.seat == (seat := table.due.seat) and len(table.line) < 9:
        phones.play(GAME.write(next(iter(GAME.moves(table.state)))), who=str(seat))
        table = phones.now()
    own = table.line[5]
    told = phones.report(LogChange(DELETE, table.line[4]))
    assert told.first_misfit is not None
    assert told.first_misfit.entry == own
    assert told.first_misfit.turn not in (None, table.move_entry(own).seat)
    assert phones.report(LogChange(DELETE, table.line[4], (), STAND)).first_misfit == told.first_misfit


def test_only_what_is_in_play_is_amended(phones: Phones) -> None:
    """Only entries in play can be amended: not the opening, an undone move or an entry that does not exist."""
    phones.rewind(4)
    for entry in (5, 7, 99):
        for do in CHANGES:
            with pytest.raises(Invalid):
                phones.amend(LogChange(do, entry, () if do == DELETE else (LateMove("h b2"),)))
    with pytest.raises(Invalid):
        phones.amend(LogChange(DELETE, 1))
    assert phones.now().redoable_moves
    phones.amend(LogChange(DELETE, 2))
    assert not phones.now().redoable_moves


# --- permissions and races -------------------------------------------------------------------------------------------


def test_all_seats_amend_by_confirming_the_same(phones: Phones) -> None:
    """Seats amend together: all confirm the same change while the same moves are in play. Only the host can undo it."""
    black, white = phones.seats
    change, other = LogChange(DELETE, 6), LogChange(DELETE, 5)
    assert [type(each) for each in phones.amend(change, black).entries] == [Confirmed]
    assert [type(each) for each in phones.amend(other, white).entries] == [Confirmed]
    assert phones.now().line == (2, 3, 4, 5, 6)
    assert [type(each) for each in phones.amend(change, white).entries] == [Confirmed, Amended]
    assert phones.now().line == (2, 3, 4, 5)
    with pytest.raises(Forbidden) as forbidden:
        phones.rewind(phones.now().undo_to, black)
    assert forbidden.value.reason == "host"
    phones.rewind(phones.now().undo_to)
    assert [type(each) for each in phones.amend(change, black).entries] == [Confirmed]
    phones.play(GAME.write(next(iter(GAME.moves(phones.now().state)))))
    assert [type(each) for each in phones.amend(change, white).entries] == [Confirmed]
    assert again(phones.now()) == phones.now()
    with pytest.raises(Forbidden):
        phones.amend(change, "watch")


def test_of_two_phones_that_amend_at_once_one_is_first(ledger: Ledger, phones: Phones) -> None:
    """Of two phones that amend at once, the later one gets a conflict with the missing entries."""
    version = phones.now().version
    answers: list[Any] = []
    start = threading.Barrier(2)

    def ask(entry: int) -> None:
        other = Referee(ledger)
        start.wait()
        try:
            answers.append(
                other.amend(ChangeRequest(phones.id, phones.keys["host"], version), LogChange(DELETE, entry))
            )
        except Stale as stale:
            answers.append(stale)

    threads = [threading.Thread(target=ask, args=(entry,)) for entry in (5, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (stale,) = [answer for answer in answers if isinstance(answer, Stale)]
    (done,) = [answer for answer in answers if isinstance(answer, WriteOutcome)]
    assert stale.missing == done.entries
    assert len(phones.now().amendments) == 1


def test_a_worker_that_knows_only_older_entries_refuses(phones: Phones, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that does not know amendments, or confirmations of them, refuses such a log."""
    black, _ = phones.seats
    phones.amend(LogChange(DELETE, 6), black)
    phones.amend(LogChange(DELETE, 6))
    table = phones.now()
    log = [(each.number, encode(each)) for each in table.entries]
    assert fold.fold(table.id, log, table.lifetime) == table
    known = {name: reads for name, reads in codec.READERS.items() if name != "amended"}
    monkeypatch.setattr(codec, "READERS", known)
    with pytest.raises(Unreadable):
        fold.fold(table.id, log, table.lifetime)
    older = [(number, payload.replace(b'"change":', b'"gone":')) for number, payload in log[:7]]
    with pytest.raises(Unreadable):
        fold.fold(table.id, older, table.lifetime)


@pytest.mark.parametrize("line", [(9,), (-1,)], ids=["an entry to come", "no entry"])
def test_an_amendment_of_what_is_not_there_cannot_be_read(line: tuple[int, ...], phones: Phones) -> None:
    """An amendment that refers to entries that do not exist makes the log unreadable."""
    table = phones.now()
    change = LogChange(DELETE, 6)
    entry = Amended(7, table.opened_at, "host", change, 5, line)
    with pytest.raises(Unreadable):
        again(table, entry)
    with pytest.raises(Unreadable):
        again(table, entry._replace(line=(), to=9))


# --- as JSON ---------------------------------------------------------------------------------------------------------


def test_an_amendment_is_told_in_full(api: Api) -> None:
    """The preview and the response describe an amendment, in both languages; a preview writes nothing."""
    table = api.open(list(PLAYED))
    path = f"{table.path}/amend"
    body = {"insert": {"after": 3, "moves": ["h e6", {"move": "h e4", "stands": True}]}}
    before = api.log(table)
    seen: Any = api.post(path, body | {"dry_run": True}, key=table.seats["black"], version=6)
    assert (seen.status_code, seen.headers["ETag"]) == (200, '"6"')
    assert api.log(table) == before
    told = seen.json
    assert told["amendment"]["lost"]
    assert told["amendment"]["breaks"]["ruling"]["findings"]
    assert [way["misfits"] for way in told["ways"]] == list(MISFIT_POLICIES)
    french: Any = api.post(
        path, body | {"dry_run": True}, key=table.host, version=6, headers={"Accept-Language": "fr"}
    ).json
    assert french["amendment"]["breaks"]["ruling"]["findings"] != told["amendment"]["breaks"]["ruling"]["findings"]
    made: Any = api.post(path, body, key=table.host, version=6, idempotency_key="k").json
    assert made["amendment"] == told["amendment"]
    assert [each["type"] for each in made["entries"]] == ["amended", "played", "played"]
    assert made["entries"][0]["change"] == told["amendment"]["change"]
    assert api.post(path, body, key=table.host, version=6, idempotency_key="k").json == made
    assert api.post(path, body, key=table.host, version=6).status_code == 412
    assert api.log(table)["version"] == made["version"]


def test_a_seat_confirms_by_the_same_address(api: Api) -> None:
    """A seat confirms an amendment at the same address; a preview lists who has agreed."""
    table = api.open(list(PLAYED))
    path, body = f"{table.path}/amend", {"delete": {"entry": 6}}
    said: Any = api.post(path, body, key=table.seats["black"], version=6).json
    assert (said["amendment"], said["entries"][0]["type"], said["entries"][0]["dispute"]) == (None, "confirmed", None)
    assert said["entries"][0]["change"] == body | {"misfits": "leave_out"}
    seen: Any = api.post(path, body | {"dry_run": True}, key=table.seats["white"], version=7).json
    assert (seen["agreed"], seen["seats"]) == (["black"], ["black", "white"])
    made: Any = api.post(path, body, key=table.seats["white"], version=7).json
    assert [each["type"] for each in made["entries"]] == ["confirmed", "amended"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"delete": {"entry": 2}, "replace": {"entry": 2, "move": "h e4"}},
        {"delete": {"entry": 99}},
        {"delete": {}},
        {"insert": {"after": 2, "moves": []}},
        {"insert": {"after": 2}},
        {"replace": {"entry": 2, "move": "h z9"}},
        {"delete": {"entry": 2}, "misfits": "burn"},
    ],
)
def test_what_is_amended_is_one_thing(body: Any, api: Api) -> None:
    """A request that is not exactly one valid change is 422."""
    table = api.open(list(PLAYED))
    for dry in (True, False):
        answer = api.post(f"{table.path}/amend", body | {"dry_run": dry}, key=table.host, version=6)
        assert answer.status_code == 422
