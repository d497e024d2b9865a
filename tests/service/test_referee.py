"""The use cases, on a real Redis: permissions, repeated requests, and a worker's cache."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from datetime import timedelta
from random import Random
from typing import Any

import pytest

import rules
from rules.game import Game
from rules.kernel import Ruling
from service.errors import (
    Expired,
    Forbidden,
    Full,
    KeyReused,
    NoGame,
    NoTable,
    RateLimited,
    Refused,
    Stale,
    Unauthorised,
    Unreachable,
)
from service.judgements import AttemptedMove
from service.referee import places, plans
from service.referee.fold import fold
from service.referee.repository import ChangeRequest, WriteOutcome
from service.referee.use_cases import NewTable, Referee
from service.rulings import judge
from service.runtime.areas import areas_of
from service.schemas import load, of
from service.storage.ledger import Ledger
from service.tables.codec import findings_to_keep
from service.tables.entries import Opened, Played, Renamed, Rewound
from service.tables.players import names_of
from tests.rules.play import random_game, setup_of
from tests.support.host import GAME, Host, open_table, tries
from tests.support.loops import over
from tests.support.redis_call import redis_call
from tests.support.redis_server import RedisServer

REPLAYS = int(os.environ.get("GAMES_REPLAYED", "3"))
"""How many random games of each game are replayed."""
OPENING = ("r b1c1", "r b9c9", "h e4", "r d1e1", "h e6")
"""Black's rampart, White's turn, Black's turn."""


@pytest.fixture
def referee(ledger: Ledger) -> Referee:
    return Referee(ledger)


@pytest.fixture
def new_table(referee: Referee) -> NewTable:
    return open_table(referee)


@pytest.fixture
def host(referee: Referee, new_table: NewTable) -> Host:
    return Host(referee, new_table)


# --- opening and looking -----------------------------------------------------------------------------------------


def test_a_table_opens_with_a_key_for_everybody(referee: Referee, new_table: NewTable) -> None:
    """Each key opens the table in its role, and the log does not contain it."""
    keys = new_table.keys
    roles = {
        key: referee.table(new_table.table.id, key)[1].name for key in (keys.host, keys.watch, *keys.seats.values())
    }
    assert set(roles.values()) == {"host", "watch", "black", "white"}
    stored = repr(new_table.table.entries)
    assert not [key for key in roles if key in stored]


def test_ids_and_keys_cannot_be_guessed(referee: Referee) -> None:
    """A table's id and its keys have 128 random bits each, and no two of them are the same."""
    made = [open_table(referee) for _ in range(20)]
    secrets = [s for t in made for s in (t.table.id, t.keys.host, t.keys.watch, *t.keys.seats.values())]
    assert len(set(secrets)) == len(secrets)
    assert {len(secret) for secret in secrets} == {22}


def test_a_table_opens_with_moves_or_not_at_all(referee: Referee, ledger: Ledger) -> None:
    """A table opens with its moves; if one is illegal, no table is opened."""
    table = open_table(referee, *OPENING).table
    assert [move.notation for move in table.last_moves(9)] == list(OPENING)
    before = redis_call(ledger, "DBSIZE")
    with pytest.raises(Refused) as refused:
        open_table(referee, "r b1c1", "h e4")
    assert refused.value.index == 1
    assert redis_call(ledger, "DBSIZE") == before


def test_the_readings_of_a_table_stay_what_they_were(referee: Referee) -> None:
    """Opening a table stores all readings, so that a later change of defaults does not affect it."""
    opening = open_table(referee, stuck="turn_is_cut").table.entries[0]
    assert isinstance(opening, Opened)
    readings = opening.setup["readings"]
    assert isinstance(readings, dict)
    assert set(readings) == {reading.key for reading in GAME.readings}


def test_there_is_no_table_without_its_key(referee: Referee, new_table: NewTable) -> None:
    """A missing key is one error; a wrong key and an unknown or malformed id are another, the same for all."""
    with pytest.raises(Unauthorised):
        referee.table(new_table.table.id, None)
    other = open_table(referee)
    for table_id, key in (
        (new_table.table.id, other.keys.host),
        ("A" * 22, new_table.keys.host),
        ("}" * 22, new_table.keys.host),
        ("", new_table.keys.host),
    ):
        with pytest.raises(NoTable):
            referee.table(table_id, key)


def test_no_such_game(referee: Referee) -> None:
    """An unknown game opens no table."""
    with pytest.raises(NoGame):
        referee.open("chess", load(of(GAME).setup, {}))


# --- playing -----------------------------------------------------------------------------------------------------


def test_a_move_is_recorded_with_its_ruling(host: Host) -> None:
    """The entry of a move has its seat, the role of the key, its findings and the rules' version."""
    host.play(*OPENING[:2], version=1)
    done = host.play("h e4", version=3)
    (entry,) = done.entries
    assert isinstance(entry, Played)
    assert (entry.number, entry.by, entry.seat, entry.notation) == (4, "host", "white", "h e4")
    assert [finding.rule for finding in entry.findings] == ["VF-22"]
    assert entry.rules_version == GAME.rules_version
    assert done.due.seat == "black"


def test_moves_are_kept_up_to_the_first_that_is_refused(host: Host) -> None:
    """Moves before the first illegal one are written, and the rest is not judged."""
    done = host.play("r b1c1", "r b9c9", "h b5", "h e4", version=1)
    assert [entry.number for entry in done.entries] == [2, 3]
    assert done.refusal is not None
    assert done.refusal.index == 2
    assert done.refusal.judgement.verdict.broken_rules == ("VF-23",)
    assert host.now() == done.table


def test_a_refused_move_leaves_the_log_as_it_was(host: Host) -> None:
    """If the first move is illegal, nothing is written, and the error has the position."""
    before = host.now()
    with pytest.raises(Refused) as refused:
        host.play("h e4", version=1)
    assert refused.value.judgement.verdict.broken_rules == ("VF-1",)
    assert refused.value.state == before.state
    assert host.now() == before


def test_what_the_rules_forbid_can_stand(host: Host) -> None:
    """A forbidden move can stand by consent: it is recorded as such, with its ruling."""
    done = host.play("h e4", version=1, stands=True)
    (entry,) = done.entries
    assert isinstance(entry, Played)
    assert entry.stands
    assert entry.ruling.value == "illegal"
    assert [finding.rule for finding in entry.findings if finding.ruling is Ruling.ILLEGAL] == ["VF-1"]


def test_a_legal_move_that_was_to_stand_is_just_a_move(host: Host) -> None:
    """A legal move sent with `stands` is recorded as an ordinary move."""
    (entry,) = host.play("r b1c1", version=1, stands=True).entries
    assert isinstance(entry, Played)
    assert not entry.stands


def test_only_what_can_lie_there_can_stand(host: Host) -> None:
    """A move that is physically impossible, such as a brick on two distant cells, cannot stand."""
    before = host.now()
    with pytest.raises(Refused) as refused:
        host.play("r b1d1", version=1, stands=True)
    assert refused.value.stands
    assert refused.value.judgement.cannot_stand is not None
    assert host.now() == before


def test_a_seat_plays_its_own_moves_only(host: Host, new_table: NewTable) -> None:
    """White's key cannot play Black's move, alone or after White's own moves. A rejected request stores none of its
    moves.
    """
    seats = new_table.keys.seats
    with pytest.raises(Forbidden) as forbidden:
        host.play("r b1c1", version=1, key=seats["white"])
    assert (forbidden.value.reason, forbidden.value.seat) == ("seat", "black")
    host.play("r b1c1", version=1, key=seats["black"])
    before = host.now()
    with pytest.raises(Forbidden):
        host.play("r b9c9", "h e4", "r d1e1", version=2, key=seats["white"])
    assert host.now() == before
    host.play("r b9c9", "h e4", version=2, key=seats["white"])


def test_a_watching_key_changes_nothing(host: Host, new_table: NewTable) -> None:
    """A watching key can read everything and change nothing."""
    host.play("r b1c1", version=1)
    watch = new_table.keys.watch
    attempts: Iterable[Callable[[], object]] = (
        lambda: host.play("r b9c9", version=2, key=watch),
        lambda: host.rewind(1, version=2, key=watch),
        lambda: host.referee.delete(host.id, watch),
    )
    for attempt in attempts:
        with pytest.raises(Forbidden):
            attempt()
    assert host.referee.log(host.id, watch).table.version == 2


def test_after_the_end_only_the_host_lets_a_move_stand(host: Host, new_table: NewTable) -> None:
    """After the end of the game, a seat's move is refused, and only the host can let one stand."""
    moves = [GAME.write(move) for _, move in default_game(Random(5)) if move is not None]
    done = host.play(*moves, version=1)
    assert done.due.ended is not None
    black = new_table.keys.seats["black"]
    with pytest.raises(Refused):
        host.play("h e5", version=done.version, key=black)
    with pytest.raises(Forbidden) as forbidden:
        host.play("h e5", version=done.version, key=black, stands=True)
    assert forbidden.value.reason == "over"


def test_a_log_has_an_end(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full log rejects a request whole: it does not store the first part of its moves."""
    monkeypatch.setattr(plans, "MAX_ENTRIES", 3)
    with pytest.raises(Full):
        host.play("r b1c1", "r b9c9", "h e4", version=1)
    host.play("r b1c1", "r b9c9", version=1)
    assert host.now().version == 3


def test_a_log_has_an_end_in_bytes(referee: Referee, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit in bytes is exact, for a move and for the moves that open a table."""
    size = host.play("r b1c1", version=1).table.size
    assert size == sum(len(payload) for _, payload in referee._store._ledger.read(host.id))
    monkeypatch.setattr(plans, "MAX_BYTES", size)
    for too_much in (
        lambda: host.play("r b9c9", version=2),
        lambda: open_table(referee, "r b1c1", "r b9c9"),
    ):
        with pytest.raises(Full):
            too_much()
    assert host.now().version == 2
    assert open_table(referee, "r b1c1").table.size == size
    monkeypatch.setattr(plans, "MAX_BYTES", size - 1)
    with pytest.raises(Full):
        open_table(referee, "r b1c1")


def test_the_moves_that_open_a_table_are_no_more_than_a_log_may_have(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The opening moves and the opening entry together are within the limit of entries."""
    monkeypatch.setattr(plans, "MAX_ENTRIES", 3)
    assert open_table(referee, *OPENING[:2]).table.version == 3
    with pytest.raises(Full):
        open_table(referee, *OPENING[:3])


# --- versions and repeated requests ------------------------------------------------------------------------------


def test_a_change_on_an_old_version_is_refused_with_what_is_missing(host: Host) -> None:
    """A change on an old version gets the missing entries, and writes nothing."""
    host.play("r b1c1", "r b9c9", version=1)
    with pytest.raises(Stale) as stale:
        host.play("r d1e1", version=1)
    assert [entry.number for entry in stale.value.missing] == [2, 3]
    assert stale.value.table == host.now()
    assert host.now().version == 3


@pytest.mark.parametrize("version", [0, 7, 2**31])
def test_a_version_that_there_is_not_is_refused(host: Host, version: int) -> None:
    """A version that does not exist is stale."""
    with pytest.raises(Stale) as stale:
        host.play("r b1c1", version=version)
    assert stale.value.missing == ()


def test_the_same_request_again_is_the_same_answer(host: Host) -> None:
    """A repeated request gets its first result, however late."""
    first = host.play("r b1c1", version=1, name="a")
    host.play("r b9c9", "h e4", version=2)
    again = host.play("r b1c1", version=1, name="a")
    assert again.is_replay
    assert (again.version, again.entries, again.due) == (first.version, first.entries, first.due)
    assert host.now().version == 4


def test_a_request_that_another_worker_carried_out_is_answered_as_there(
    host: Host, new_table: NewTable, ledger: Ledger
) -> None:
    """A worker with an older table in its cache reads on, and returns the other worker's result."""
    behind = Host(Referee(ledger), new_table)
    assert behind.now().version == 1
    first = host.play("r b1c1", version=1, name="a")
    again = behind.play("r b1c1", version=1, name="a")
    assert (again.is_replay, again.version, again.entries, again.due) == (True, 2, first.entries, first.due)


def test_a_repeated_request_is_a_replay_whatever_is_wrong_now(host: Host, new_table: NewTable) -> None:
    """A repeated request gets its first result, whatever version it names now."""
    black = new_table.keys.seats["black"]
    first = host.play("r b1c1", version=1, name="a", key=black)
    for version in (1, 2, 9):
        again = host.play("r b1c1", version=version, name="a", key=black)
        assert (again.is_replay, again.entries) == (True, first.entries)


def test_a_replay_tells_where_several_moves_were_stopped(host: Host) -> None:
    """A replay repeats the refusal of the rest of the moves, too."""
    first = host.play("r b1c1", "r b9c9", "h b5", version=1, name="a")
    again = host.play("r b1c1", "r b9c9", "h b5", version=1, name="a")
    assert again.is_replay
    assert first.refusal is not None
    assert again.refusal is not None
    assert (again.refusal.index, again.refusal.judgement) == (first.refusal.index, first.refusal.judgement)


def test_a_key_names_one_request(host: Host) -> None:
    """An idempotency key used for another move, change or role is refused, and nothing is written."""
    host.play("r b1c1", version=1, name="a")
    attempts: Iterable[Callable[[], object]] = (
        lambda: host.play("r b9c9", version=2, name="a"),
        lambda: host.play("h e5", version=2, name="a"),
        lambda: host.play("r b1c1", version=1, name="a", stands=True),
        lambda: host.rewind(1, version=2, name="a"),
    )
    for attempt in attempts:
        with pytest.raises(KeyReused):
            attempt()
    assert host.now().version == 2


def test_a_refusal_uses_up_no_key(host: Host) -> None:
    """A refused request does not use up its key."""
    with pytest.raises(Refused):
        host.play("h e4", version=1, name="a")
    assert not host.play("r b1c1", version=1, name="a").is_replay


def test_without_a_key_the_version_keeps_a_move_from_being_played_twice(host: Host) -> None:
    """Without a key, a repeated move is stale."""
    host.play("r b1c1", version=1)
    with pytest.raises(Stale):
        host.play("r b1c1", version=1)


def test_of_two_racing_clients_one_wins(ledger: Ledger, redis_url: str) -> None:
    """When two workers append a move to the same version, one succeeds, and the other gets a conflict."""
    workers = [Referee(ledger), Referee(Ledger(redis_url))]
    for _ in range(25):
        opened = open_table(workers[0])
        start = threading.Barrier(2)
        outcomes: list[object] = []

        def race(worker: Referee, notation: str, opened: NewTable, start: threading.Barrier, to: list[object]) -> None:
            start.wait()
            try:
                to.append(worker.play(ChangeRequest(opened.table.id, opened.keys.host, 1), tries(notation)))
            except Stale as stale:
                to.append(stale)

        threads = [
            threading.Thread(target=race, args=(worker, notation, opened, start, outcomes))
            for worker, notation in zip(workers, ("r b1c1", "r b9c9"), strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (won,) = [outcome for outcome in outcomes if isinstance(outcome, WriteOutcome)]
        (lost,) = [outcome for outcome in outcomes if isinstance(outcome, Stale)]
        assert lost.missing == won.entries
        assert workers[0].table(opened.table.id, opened.keys.host)[0].entries[1:] == won.entries


# --- undo and redo -----------------------------------------------------------------------------------------------


def test_undo_and_redo(host: Host) -> None:
    """Undo and redo move along the moves in play, and each is an entry."""
    played = host.play(*OPENING, version=1).table
    undone = host.rewind(2, version=6).table
    assert undone.state == played.states[1]
    assert undone.redoable_moves == (3, 4, 5, 6)
    redone = host.rewind(6, version=7).table
    assert redone.state == played.state
    assert [type(entry) for entry in redone.entries[-2:]] == [Rewound, Rewound]


def test_there_is_no_way_to_what_was_replaced(host: Host) -> None:
    """After a new move, undone moves cannot be redone."""
    host.play(*OPENING[:2], version=1)
    host.rewind(2, version=3)
    host.play("r d9e9", version=4)
    before = host.now()
    for to in (3, 99, 0):
        with pytest.raises(Unreachable):
            host.rewind(to, version=5)
    assert host.now() == before


def test_a_seat_takes_back_its_own_moves_only(host: Host, new_table: NewTable) -> None:
    """A seat can undo and redo its own moves, but not another seat's."""
    host.play(*OPENING[:3], version=1)
    black, white = (new_table.keys.seats[colour] for colour in ("black", "white"))
    for key, to in ((white, 1), (black, 2)):
        with pytest.raises(Forbidden) as forbidden:
            host.rewind(to, version=4, key=key)
        assert forbidden.value.reason == "moves"
    host.rewind(2, version=4, key=white)
    with pytest.raises(Forbidden):
        host.rewind(4, version=5, key=black)
    host.rewind(4, version=5, key=white)


def test_a_seat_takes_back_what_it_entered_of_nobodys_turn(referee: Referee) -> None:
    """A move that is nobody's turn can be undone by the key that entered it and by the host's, and no other."""
    game = rules.GAMES["fief"]
    opened = referee.open(game.id, setup_of(game, Random(1)))
    host, moves = Host(referee, opened), [AttemptedMove(game.read("next"))]
    mine, other = list(opened.keys.seats.values())[:2]
    referee.play(ChangeRequest(host.id, mine, 1), moves)
    referee.play(ChangeRequest(host.id, host.key, 2), moves)
    for key, to in ((mine, 2), (mine, 1), (other, 2)):
        with pytest.raises(Forbidden):
            host.rewind(to, version=3, key=key)
    host.rewind(2, version=3)
    with pytest.raises(Forbidden):
        host.rewind(1, version=4, key=other)
    host.rewind(1, version=4, key=mine)
    with pytest.raises(Forbidden):
        host.rewind(2, version=5, key=other)
    host.rewind(2, version=5, key=mine)
    assert host.now().line == (2,)


def test_what_is_refused_at_a_table_that_the_store_has_lost_writes_nothing(host: Host, ledger: Ledger) -> None:
    """If the store has lost a cached table, a refused request does not create a log."""
    host.now()
    redis_call(ledger, "FLUSHALL")
    with pytest.raises(Refused):
        host.play("h e4", version=1, name="a")
    assert redis_call(ledger, "DBSIZE") == 0


def test_a_repeated_undo_undoes_once(host: Host) -> None:
    """An undo repeated with its key is one undo."""
    host.play(*OPENING[:2], version=1)
    first = host.rewind(2, version=3, name="u")
    again = host.rewind(2, version=3, name="u")
    assert again.is_replay
    assert (again.entries, again.due) == (first.entries, first.due)
    assert host.now().version == 4


# --- a worker's cache --------------------------------------------------------------------------------------------


def test_workers_see_each_others_moves(referee: Referee, ledger: Ledger, new_table: NewTable) -> None:
    """Workers read each other's moves and play on."""
    host, other = Host(referee, new_table), Host(Referee(ledger), new_table)
    host.play("r b1c1", version=1)
    other.play("r b9c9", version=2)
    host.play("h e4", version=3)
    assert other.now() == host.now()


def test_a_worker_that_remembers_more_than_the_log_folds_anew(ledger: Ledger) -> None:
    """If the store has lost the end of a log, a worker drops its cached table and follows the log."""
    referee = Referee(ledger)
    opened = open_table(referee, "r b1c1", "r b9c9")
    host = Host(referee, opened)
    assert host.now().version == 3
    log = f"{{t:{host.id}}}:log"
    *kept, (number, lost) = redis_call(ledger, "XRANGE", log, "-", "+")
    redis_call(ledger, "DEL", log)
    for each, fields in kept:
        redis_call(ledger, "XADD", log, each, *fields)
    assert host.now().version == 2
    redis_call(ledger, "XADD", log, number, lost[0], lost[1].replace(b"r b9c9", b"r d9e9"))
    assert host.now().last_moves(1)[0].notation == "r d9e9"


def test_a_deleted_table_is_gone_for_everybody(referee: Referee, ledger: Ledger, new_table: NewTable) -> None:
    """A deleted table is gone at every worker, also one with the table in its cache."""
    other = Referee(ledger)
    other.table(new_table.table.id, new_table.keys.host)
    with pytest.raises(Forbidden):
        referee.delete(new_table.table.id, new_table.keys.seats["black"])
    referee.delete(new_table.table.id, new_table.keys.host)
    for worker in (referee, other):
        with pytest.raises(Expired):
            worker.play(ChangeRequest(new_table.table.id, new_table.keys.host, 1), tries("r b1c1"))
        with pytest.raises(Expired):
            worker.table(new_table.table.id, new_table.keys.host)


def test_a_worker_forgets_the_tables_used_longest_ago(ledger: Ledger) -> None:
    """The cache stays within its weight by dropping the tables used longest ago; a dropped table is read again."""
    log = tries(*OPENING, stands=True)
    weight = open_table(Referee(ledger)).table.weight
    referee, chance = Referee(ledger, cache=3 * weight), Random(7)
    made = [open_table(referee) for _ in range(12)]
    tables, seen = referee._store._tables, [each.table.id for each in made]
    for _ in range(60):
        each = chance.choice(made)
        now, _ = referee.table(each.table.id, each.keys.host)
        seen.append(now.id)
        if now.version == 1 and chance.random() < 0.5:
            seen.append(referee.play(ChangeRequest(now.id, each.keys.host, 1), log).table.id)
        assert tables.weight == sum(table.weight for table, _ in tables._things.values()) <= 3 * weight
        assert list(tables._things) == list(dict.fromkeys(reversed(seen)))[: len(tables)][::-1]
        assert len(tables) >= 1
    for each in over(made):
        assert referee.table(each.table.id, each.keys.host)[0].id == each.table.id


def test_a_table_too_heavy_to_be_remembered_is_played_at(ledger: Ledger) -> None:
    """A table too heavy for the cache is read each time, and its older state is dropped."""
    light = open_table(Referee(ledger)).table.weight
    host = Host(referee := Referee(ledger, cache=light + 100), open_table(referee))
    assert len(referee._store._tables) == 1
    for version, move in enumerate(OPENING, start=1):
        assert host.play(move, version=version).table.version == host.now().version == version + 1
    assert (len(referee._store._tables), referee._store._tables.weight) == (0, 0)
    assert host.rewind(3, version=6).table.line == (2, 3)


def test_waiting_ends_when_something_is_new(own_redis: Callable[..., RedisServer]) -> None:
    """A waiting request gets the table after the next entry, or unchanged when its time is over."""
    ledger = Ledger(own_redis().url)
    referee = Referee(ledger)
    opened = open_table(referee)
    host = Host(referee, opened)
    seen: list[int] = []
    waiting = threading.Thread(
        target=lambda: seen.append(referee.wait(host.id, host.key, after=1, seconds=20)[0].version)
    )
    waiting.start()
    host.play("r b1c1", version=1)
    waiting.join()
    assert seen == [2]
    assert referee.wait(host.id, host.key, after=1, seconds=20)[0].version == 2
    assert referee.wait(host.id, host.key, after=2, seconds=0.01)[0].version == 2


def test_waiting_is_counted_by_home(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two addresses of one IPv6 network share a home's waiting places; another network has its own."""
    monkeypatch.setattr(places, "OF_ADDRESS", 1)
    with host.referee.places.place("another", areas_of("2001:db8::1")):
        with pytest.raises(RateLimited):
            host.referee.wait(host.id, host.key, 1, 0.01, "2001:db8::2:1")
        assert host.referee.wait(host.id, host.key, 1, 0.01, "2001:db8:0:1::1")[0].version == 1


def test_the_log_comes_in_pages(host: Host) -> None:
    """The pages of a log have every entry once, in order."""
    host.play(*OPENING, version=1)
    pages, after = [], 0
    while True:
        page = host.referee.log(host.id, host.key, after, 4)
        pages.append([entry.number for entry in page.entries])
        if page.next is None:
            break
        after = page.next
    assert pages == [[1, 2, 3, 4], [5, 6]]


# --- replaying ---------------------------------------------------------------------------------------------------


def default_game(chance: Random) -> Iterable[tuple[Any, Any]]:
    """A random game under the default readings, from the setup of a new table."""
    state = GAME.setup(load(of(GAME).setup, {}))
    while True:
        legal = list(GAME.moves(state))
        if not legal:
            yield state, None
            return
        move = chance.choice(legal)
        yield state, move
        state = GAME.apply(state, move)


@pytest.mark.parametrize("game", rules.GAMES.values(), ids=lambda game: game.id)
@pytest.mark.parametrize("seed", range(REPLAYS))
def test_replay_is_live_at_every_ply(game: Game[Any, Any], seed: int, ledger: Ledger) -> None:
    """At every move of a random game, a new worker derives the same state, legal moves, score and rulings from the log.

    The worker is a new referee, not a new process, which would take seconds for each game: all that a process caches of
    a table is in its referee. A restarted service finds its tables in `test_serve`.
    """
    chance = Random(seed)
    setup = setup_of(game, chance)
    live = [(state, move) for state, move in random_game(game, chance, setup) if move is not None]
    referee = Referee(ledger)
    opened = referee.open(game.id, setup)
    done = referee.play(ChangeRequest(opened.table.id, opened.keys.host, 1), [AttemptedMove(move) for _, move in live])
    assert done.refusal is None
    log = ledger.read(opened.table.id)
    folded = fold(opened.table.id, log, timedelta(days=90))
    fresh = Referee(ledger).table(opened.table.id, opened.keys.host)[0]
    assert fresh == folded == done.table
    for version, (state, move) in enumerate(live, start=1):
        kept = fresh.states[version - 1]
        assert kept == state
        assert set(game.moves(kept)) == set(game.moves(state))
        entry = fresh.move_entry(version + 1)
        verdict = game.check(state, move)
        in_turn = None if move.kind in game.out_of_turn else game.due(state).seat
        assert (entry.notation, entry.seat) == (game.write(move), game.owner_of(state, move) or in_turn)
        assert (entry.ruling, entry.findings) == (verdict.ruling, findings_to_keep(verdict.findings))
        if version % 10 == 0:
            assert judge.sheet(game, kept) == judge.sheet(game, state)


def test_names_are_the_next_entry_of_a_log_with_moves(ledger: Ledger) -> None:
    """A player renamed after two moves is entry 4, and a new worker reads it so; the control: right after the opening
    it is entry 2.
    """
    for moves, number in (OPENING[:2], 4), ((), 2):
        referee = Referee(ledger)
        host = Host(referee, open_table(referee, *moves))
        done = referee.rename(ChangeRequest(host.id, host.key, number - 1), {"black": "Ada"})
        assert [(entry.number, type(entry)) for entry in done.entries] == [(number, Renamed)]
        fresh = Referee(ledger).table(host.id, host.key)[0]
        assert (fresh.version, names_of(fresh.setup)["black"]) == (number, "Ada")
