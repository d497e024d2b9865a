"""The machine fails: the disk is slow, the clock jumps. Each has its control."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import pairwise, repeat
from pathlib import Path

import pytest

from rules.ranking import totals
from service.config import Fsync
from service.rulings import judge
from service.tables.entries import Played
from tests.chaos.clock import HOUR, clock_of, jumps, play
from tests.chaos.disk import kill_on_a_slow_disk
from tests.chaos.games import ONE_OF_EACH
from tests.chaos.shims import JUMPING_CLOCK, SLOW_DISK, NoCompiler, shim
from tests.support.redis_server import RedisServer, durable_options

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD is of Linux")


def shim_environment(source: str, folder: Path) -> dict[str, str]:
    try:
        return shim(source, folder)
    except NoCompiler as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("fsync", ["always", "everysec"])
def test_a_slow_disk_loses_what_was_not_flushed(fsync: Fsync, tmp_path: Path) -> None:
    """A server that flushes each entry loses none when it is killed while the disk is busy.

    The control flushes once a second, and has to lose some acknowledged entries.
    """
    verdict = kill_on_a_slow_disk(shim_environment(SLOW_DISK, tmp_path), fsync, tables=4, kills=2, some=100)
    assert (verdict.doubled_count, verdict.gaps) == (0, 0)
    assert verdict.acknowledged_count >= 200
    assert (verdict.lost_count > 0) == (fsync == "everysec")


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis whose clock jumps."""
    environment = os.environ | shim_environment(JUMPING_CLOCK, tmp_path)
    server = RedisServer(*durable_options(), environment=environment)
    yield server.start()
    server.close()


@pytest.mark.parametrize("record", ONE_OF_EACH, ids=lambda record: record.parent.name)
def test_a_clock_that_jumps_changes_no_game(record: Path, redis: RedisServer) -> None:
    """The clocks of the service and of Redis jump an hour to and fro; the order, the state and the score stay.

    The times of the entries, and the time of Redis, show the jumps.
    """
    calm, wild = play(record, redis, repeat(0 * HOUR)), play(record, redis, jumps())
    assert wild.state == calm.state
    assert [each.number for each in wild.entries] == list(range(1, wild.version + 1))
    assert [_without_time(each) for each in wild.entries] == [_without_time(each) for each in calm.entries]
    assert totals(wild.game, wild.state) == totals(calm.game, calm.state)
    assert judge.sheet(wild.game, wild.state) == judge.sheet(calm.game, calm.state)
    assert any(one.at > other.at for one, other in pairwise(wild.entries))
    shown = [clock_of(redis) for _ in range(200)]
    assert max(shown) - min(shown) >= HOUR.total_seconds()


def _without_time(entry: object) -> object:
    return (entry.notation, entry.seat, entry.ruling, entry.findings) if isinstance(entry, Played) else type(entry)
