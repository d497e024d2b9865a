"""The service under persistent players, while its workers and its Redis are killed and its networks are bad.

Short forms of what `make chaos` does for minutes. They count what became of the acknowledged changes; none asserts a
time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from tests.chaos.cluster import ClusterServers
from tests.chaos.games import KILLS, ONE_OF_EACH, play_all
from tests.chaos.load import Verdict
from tests.chaos.proxy import Proxy, Toxic, toxics
from tests.chaos.storm import Acknowledgement, Storm, count_misplaced
from tests.chaos.streams import count_wrong, followers
from tests.chaos.victim import Victim
from tests.support.redis_server import RedisServer, durable_options, free_ports

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the processes to kill are found as on Linux only")
CHANGES = 40
"""Changes of each player."""
KINDS = {toxic.name for toxic in toxics(0, 1)}


def losses(verdict: Verdict) -> tuple[int, int, int, int]:
    """All zero if every acknowledged change is in the log, once, and in order."""
    return verdict.lost_count, verdict.doubled_count, verdict.gaps, verdict.disorder


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    """A service with a private Redis."""
    victim = Victim(tmp_path_factory.mktemp("victim") / "data")
    yield victim
    victim.end()


def test_a_crash_storm_loses_and_doubles_nothing(victim: Victim) -> None:
    """Eight players at four tables, workers and Redis are killed: every change is in its log, once, and in order."""
    storm = Storm(victim.port).crowd(victim, tables=4, players=8, changes=CHANGES).start()
    victim.kill_while(storm, 4, 8 * CHANGES)
    storm.join()
    verdict = storm.verdict(victim.read)
    assert losses(verdict) == (0, 0, 0, 0)
    assert verdict.acknowledged_count == 8 * CHANGES
    assert storm.unpromised_answers == []
    assert min(victim.kill_counts.values()) > 0


def test_without_keys_a_lost_answer_doubles(victim: Victim) -> None:
    """The control: players whose requests have no key make a change twice, and the verdict counts it."""
    proxy = Proxy(victim.port, life=3).start()
    proxy.worsen([Toxic("reset", end="reset"), Toxic("clean")])
    try:
        storm = Storm(proxy.port, sends_keys=False).crowd(victim, tables=2, players=2, changes=5).start()
        storm.join()
    finally:
        proxy.close()
    verdict = storm.verdict(victim.read)
    assert verdict.acknowledged_count == 10
    assert verdict.doubled_count > 0
    assert (verdict.lost_count, verdict.gaps) == (0, 0)


@pytest.mark.parametrize("resumes", [True, False])
def test_streams_tell_the_log_through_kills(victim: Victim, resumes: bool) -> None:
    """40 clients follow four tables while workers and Redis are killed: each sees the log, in order, once.

    The control: clients that do not send the id of the last entry see another sequence.
    """
    storm = Storm(victim.port).crowd(victim, tables=4, players=8, changes=CHANGES)
    with followers(storm, 40, resumes=resumes) as found:
        storm.start()
        victim.kill_while(storm, 4, 8 * CHANGES)
        storm.join()
        wrong = count_wrong(found, victim, storm)
    assert max(each.streams for each in found) > 1
    assert (wrong == 0) == resumes


def acknowledgement(number: int, sent: float, heard: float) -> Acknowledgement:
    return Acknowledgement(number, "", sent, heard, ())


def test_disorder_is_found() -> None:
    """The control of the order: an entry requested after another's acknowledgement must not be numbered before it."""
    assert count_misplaced([acknowledgement(2, 0, 1), acknowledgement(3, 2, 3), acknowledgement(4, 2, 4)]) == 0
    assert count_misplaced([acknowledgement(3, 0, 2), acknowledgement(2, 1, 3)]) == 0
    assert count_misplaced([acknowledgement(3, 0, 1), acknowledgement(2, 2, 3), acknowledgement(4, 2, 3)]) == 1


def test_bad_networks_lose_and_double_nothing(
    own_redis: Callable[..., RedisServer], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Players reach the service, and the service its Redis, by connections that are slow, break, or go silent.

    Each answer is a promised one; every acknowledged change is in its log, once, and in order.
    """
    [port] = free_ports(1)
    redis = own_redis("--bind", "127.0.0.1", "--port", str(port), *durable_options())
    inner = Proxy(port, life=10).start()
    url = f"redis://127.0.0.1:{inner.port}"
    victim = Victim(tmp_path_factory.mktemp("victim") / "data", REDIS_URL=url, BASTIDE_WORKERS="1")
    outer = Proxy(victim.port, life=5).start()
    try:
        storm = Storm(outer.port, patience=1).crowd(victim, tables=7, players=14, changes=10)
        for proxy in (inner, outer):
            proxy.worsen(toxics(delay=0.1, rate=20_000))
        storm.start().join()
    finally:
        victim.end()
        for proxy in (outer, inner):
            proxy.close()
    verdict = storm.verdict(redis.log)
    assert losses(verdict) == (0, 0, 0, 0)
    assert verdict.acknowledged_count == 140
    assert storm.unpromised_answers == []
    assert storm.statuses[0] > 0
    assert inner.connection_counts.keys() & outer.connection_counts.keys() >= KINDS


def test_whole_games_while_their_primary_is_killed(
    cluster: ClusterServers, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """One game of each kind is played to its recorded end, every move once, while their primary is killed twice."""
    victim = Victim(tmp_path_factory.mktemp("victim") / "data", REDIS_URL=cluster.url, BASTIDE_WORKERS="1")
    try:
        storm, verdict, ends = play_all(cluster, victim)
    finally:
        victim.end()
    assert ends == [True] * len(ONE_OF_EACH) == [True] * 5
    assert losses(verdict) == (0, 0, 0, 0)
    assert storm.unpromised_answers == []
    assert KILLS == 2
