"""Waiting for a table's next entry: what wakes the waiters, and when. No test waits for a clock."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Semaphore

import pytest

from service.errors import StoreAway
from service.referee.use_cases import Referee
from service.referee.watcher import END, EVERY, Watcher
from service.runtime import shutdown
from service.storage.ledger import Ledger
from tests.support.host import Host, open_table
from tests.support.redis_server import RedisServer, until

ONE, OTHER = "1" * 22, "2" * 22
LONG = 120.0
"""Seconds within which a waiter must wake, or the test fails."""


class Store:
    """The versions of tables, and a stopped clock: `watcher` looks when the test allows it."""

    def __init__(self) -> None:
        self.versions: dict[str, int] = {}
        self.looks: list[set[str]] = []
        self.pauses: list[float] = []
        self.fault: Exception | None = None
        self._let, self._paused = Semaphore(0), Semaphore(0)
        self.watcher = Watcher(self._look, self._pause)

    def let_look(self) -> None:
        """Let the watcher look once; returns when it pauses again or has stopped."""
        self._let.release()
        until(lambda: self._paused.acquire(blocking=False) or not self.watcher._is_looking)

    def let_all_go(self) -> None:
        """Let the watcher look until no request waits."""
        while self.watcher._is_looking:
            self.let_look()
        for each in (self._let, self._paused):
            while each.acquire(blocking=False):
                pass

    def _look(self, tables: Collection[str]) -> Mapping[str, int]:
        self.looks.append(set(tables))
        if self.fault is not None:
            raise self.fault
        return {table: self.versions[table] for table in tables if table in self.versions}

    def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._paused.release()
        self._let.acquire()


@pytest.fixture
def store() -> Iterator[Store]:
    """A store that is not watched yet."""
    store = Store()
    yield store
    store.let_all_go()


@contextmanager
def waiting(store: Store, *tables: str, after: int = 1) -> Iterator[list[Future[bool]]]:
    """One waiter for each of these tables, and the futures of their results."""
    with ThreadPoolExecutor(len(tables)) as threads:
        answers = [threads.submit(store.watcher.wait, table, after, LONG) for table in tables]
        until(lambda: sum(map(len, store.watcher._waiters.values())) == len(tables))
        until(lambda: store._paused.acquire(blocking=False))
        yield answers


def test_an_entry_of_this_worker_wakes_at_once(store: Store) -> None:
    """An entry written by this worker wakes its waiters without a look; waiters of a known version or another table
    wait on.
    """
    with waiting(store, ONE, OTHER) as (one, other):
        store.watcher.announce(ONE, 1)
        store.watcher.announce(OTHER, 1)
        assert sum(map(len, store.watcher._waiters.values())) == 2
        store.watcher.announce(ONE, 2)
        assert one.result(LONG)
        assert (store.looks, other.done()) == ([], False)
        store.watcher.announce(OTHER, END)
        assert other.result(LONG)


def test_one_look_is_for_all_who_wait(store: Store) -> None:
    """One look asks for all tables that have waiters, and wakes only those with news."""
    store.versions = {ONE: 1, OTHER: 1}
    with waiting(store, ONE, ONE, OTHER) as (first, second, other):
        store.let_look()
        assert store.looks == [{ONE, OTHER}]
        assert [each.done() for each in (first, second, other)] == [False] * 3
        store.versions[ONE] = 2
        store.let_look()
        assert first.result(LONG) and second.result(LONG)
        until(lambda: set(store.watcher._waiters) == {OTHER})
        assert not other.done()
        store.versions[OTHER] = END
        store.let_look()
        assert other.result(LONG)
        assert store.looks == [{ONE, OTHER}, {ONE, OTHER}, {OTHER}]
    assert set(store.pauses) == {EVERY}


def test_nobody_looks_where_nobody_waits(store: Store) -> None:
    """The watcher stops when the last waiter has gone, and starts again with the next."""
    assert (store.looks, store.pauses) == ([], [])
    for times in (1, 2):
        with waiting(store, ONE) as (one,):
            store.watcher.announce(ONE, 2)
            assert one.result(LONG)
            until(lambda: not store.watcher._waiters)
            store.let_all_go()
            assert (store.looks, len(store.pauses)) == ([], times)


@pytest.mark.parametrize("fault", [StoreAway("away"), None, ValueError("a fault of ours")])
def test_who_waits_is_told_that_the_store_is_away(store: Store, fault: Exception | None) -> None:
    """A waiter gets `StoreAway` if the look fails or does not know its table; in the latter case, others wait on."""
    store.fault = fault
    store.versions = {} if fault else {OTHER: 1}
    with waiting(store, ONE, OTHER) as (one, other):
        store.let_look()
        with pytest.raises(StoreAway):
            one.result(LONG)
        if fault is None:
            assert not other.done()
            store.watcher.announce(OTHER, 2)
            assert other.result(LONG)
        else:
            with pytest.raises(StoreAway):
                other.result(LONG)


def test_who_waits_is_let_go_where_the_worker_ends(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the worker ends, all waiters return without asking the store, and new ones do not wait."""
    with waiting(store, ONE, OTHER) as answers:
        monkeypatch.setattr(shutdown, "_is_ending", True)
        store.let_look()
        assert [each.result(LONG) for each in answers] == [False, False]
    assert store.looks == []
    assert not store.watcher.wait(ONE, 1, LONG)


def test_a_wait_ends_with_its_time(store: Store) -> None:
    """A wait that times out leaves no waiter behind."""
    assert not store.watcher.wait(ONE, 1, 0)
    assert store.watcher._waiters == {}


def test_what_the_referee_writes_wakes_at_once(store: Store, ledger: Ledger) -> None:
    """A move, and the deletion of a table, by this worker's referee wake its waiters without a look."""
    referee = Referee(ledger, watcher=store.watcher)
    host = Host(referee, open_table(referee))
    with waiting(store, host.id) as (told,):
        host.play("r b1c1", version=1)
        assert told.result(LONG)
    with ThreadPoolExecutor(1) as phone:
        told = phone.submit(referee.await_entry, host.id, 2, LONG)
        until(lambda: bool(store.watcher._waiters))
        referee.delete(host.id, host.key)
        assert told.result(LONG)
    assert store.looks == []


def test_workers_hear_of_each_other(own_redis: Callable[..., RedisServer]) -> None:
    """A move, and the deletion of a table, by another worker wake this worker's waiters at the next look."""
    url = own_redis().url
    here, there = Referee(Ledger(url)), Referee(Ledger(url))
    host = Host(there, open_table(there))
    with ThreadPoolExecutor(1) as phone:
        told = phone.submit(here.wait, host.id, host.key, 1, LONG)
        until(lambda: bool(here._store._watcher._waiters))
        host.play("r b1c1", version=1)
        assert told.result(LONG)[0].version == 2
        ended = phone.submit(here.await_entry, host.id, 2, LONG)
        until(lambda: bool(here._store._watcher._waiters))
        there.delete(host.id, host.key)
        assert ended.result(LONG)
