"""The long forms: each does harm for a while, and reports what became of the acknowledged changes."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import islice, repeat
from pathlib import Path
from random import Random
from typing import Final

from rules import GAMES
from service.storage.ledger import Ledger
from tests.chaos import clock, games
from tests.chaos.cluster import ClusterServers
from tests.chaos.disk import kill_on_a_slow_disk
from tests.chaos.load import Load, Verdict, together
from tests.chaos.proxy import Balancer, Proxy, Toxic, toxics
from tests.chaos.sentinel import SentinelServers
from tests.chaos.shims import JUMPING_CLOCK, SLOW_DISK, shim
from tests.chaos.soak import soak
from tests.chaos.storm import Storm
from tests.chaos.streams import count_wrong, followers
from tests.chaos.victim import Sudden, Victim
from tests.support.records import RECORD_PATHS
from tests.support.redis_server import Harm, RedisServer, durable_options, free_ports
from tests.support.service_process import runs

PATIENT: Final = 1.0
"""Seconds in which 99 of 100 changes are acknowledged in a crash storm."""
SOAK_P99: Final = 0.15
OUTAGE_OF_A_CLUSTER: Final = 10.0
"""Seconds in which every change is acknowledged when the primary of its slot is lost; …"""
OUTAGE_WITH_SENTINELS: Final = 5.0
"""… and when sentinels have to name another."""
BAD_NETWORK: Final = 45.0
"""Seconds in which every change, with all its tries, is acknowledged through two bad networks."""
SIZE: Final = 500
"""Bytes of an entry: small, as the design keeps many in memory to compare them."""
GROWTH: Final = 0.1
"""The share by which the workers' memory may grow."""
RESTARTS: Final = 6
STOP_SECONDS: Final = 15.0
"""Seconds in which a server ends after a signal: `TimeoutStopSec` of `deploy/bastide.service`."""
LIFE: Final = 8.0
"""Seconds from the start within which a server gets the signal to end."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the acknowledged changes, what else is wrong, and what took too long."""

    verdict: Verdict | None = None
    wrong: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    skip_reason: str = ""
    """Why the design did not run, …"""
    failure: str = ""
    """… or where it broke off."""

    @property
    def is_harmed(self) -> bool:
        """Whether anything is wrong or late."""
        found = self.verdict
        return bool(
            self.wrong
            or self.late
            or (found and (found.lost_count or found.doubled_count or found.gaps or found.disorder))
        )


@dataclass(frozen=True, slots=True)
class Design:
    """A way to do harm; `run` takes the factor by which its figures are multiplied.

    A control has to find something wrong. Its name is that of the design that it controls, and a `c`.
    """

    name: str
    what: str
    run: Callable[[float], Result]
    control: bool = False
    alone: str = ""
    """Why it has no control."""


@contextmanager
def _victim(**settings: str) -> Iterator[Victim]:
    with tempfile.TemporaryDirectory(prefix="bastide-") as folder:
        victim = Victim(Path(folder) / "data", **settings)
        try:
            yield victim
        finally:
            victim.end()


def _wrong(**found: object) -> tuple[str, ...]:
    """The findings that are not empty, each with its name."""
    return tuple(f"{name.replace('_', ' ')}: {value}" for name, value in found.items() if value)


def in_time(verdict: Verdict, most: float) -> Result:
    """The result for entries that must each be acknowledged within so many seconds."""
    return Result(verdict, late=_too_late(verdict, most))


def _too_late(verdict: Verdict, most: float) -> tuple[str, ...]:
    """The slowest change, if it took longer than so many seconds."""
    return _wrong(outage=verdict.slowest > most and f"{verdict.slowest:.2f} s, {most:g} at most")


def _of_storm(storm: Storm, verdict: Verdict, late: tuple[str, ...] = (), **more: object) -> Result:
    broken = [(answer.status, answer.body) for answer in storm.unpromised_answers]
    return Result(verdict, _wrong(not_promised=broken[:3], **more), late)


def crash_storm(scale: float) -> Result:
    """R1, R7: 10,000 changes by 16 players at 8 tables; 16 kills of a worker, and 4 of Redis."""
    with _victim() as victim:
        each = max(10, round(10_000 * scale / 16))
        storm = Storm(victim.port).crowd(victim, tables=8, players=16, changes=each).start()
        victim.kill_while(storm, max(4, round(16 * scale)), 16 * each, 4)
        storm.join()
        verdict = storm.verdict(victim.read)
    late = verdict.p99 > PATIENT and f"{verdict.p99:.2f} s: {storm.slowest().tries}"
    return _of_storm(storm, verdict, _wrong(p99=late))


def without_keys(scale: float) -> Result:
    """R1c: every other answer is lost, and no request has a key."""
    with _victim() as victim, closing(Proxy(victim.port, life=3).start()) as proxy:
        proxy.worsen([Toxic("reset", end="reset"), Toxic("clean")])
        storm = Storm(proxy.port, sends_keys=False).crowd(
            victim, tables=8, players=16, changes=max(5, round(250 * scale))
        )
        storm.start().join()
        return _of_storm(storm, storm.verdict(victim.read))


def slow_disk(scale: float) -> Result:
    """R2: five kills while each flush takes 20 ms."""
    with tempfile.TemporaryDirectory() as folder:
        made = shim(SLOW_DISK, Path(folder))
        return Result(kill_on_a_slow_disk(made, "always", tables=4, kills=5, some=max(50, round(400 * scale))))


def slow_disk_flushed_seldom(scale: float) -> Result:
    """R2c: five kills while each flush takes 1.5 s, and there is one a second."""
    with tempfile.TemporaryDirectory() as folder:
        made = shim(SLOW_DISK, Path(folder))
        return Result(kill_on_a_slow_disk(made, "everysec", tables=4, kills=5, some=max(50, round(4000 * scale))))


def lagging_replica(scale: float) -> Result:
    """R4: twice, a primary is killed while its replica lags; each entry waits for a replica."""
    return in_time(_lagging(scale)[0], OUTAGE_OF_A_CLUSTER)


def no_wait(scale: float) -> Result:
    """R4c: the same, but entries wait for no replica."""
    return Result(_lagging(scale / 10)[1])


def _lagging(scale: float) -> tuple[Verdict, Verdict]:
    """The verdicts on entries that wait for a replica, and on entries beside them that do not."""
    floods: list[Verdict] = []
    with ExitStack() as stack:
        cluster = stack.enter_context(closing(ClusterServers().start()))
        ledger, careless = (stack.enter_context(closing(Ledger(cluster.url, replicas=count))) for count in (1, 0))
        tables = list(islice(cluster.tables_on(cluster.primary_of("0" * 22)), 24))
        steady = Load(ledger, tables[:8], size=SIZE).start()
        for part in (tables[8:16], tables[16:]):
            steady.until(max(200, round(45_000 * scale)))
            flood = cluster.lose_behind(cluster.primary_of("0" * 22), Load(careless, part).start)
            floods.append(flood.verdict(cluster.read))
        steady.until(200)
        steady.stop()
        cluster.until_whole()
        return steady.verdict(cluster.read), together(floods)


def taken_over(scale: float) -> Result:
    """R4b: one primary is killed and one is frozen, each until another has taken over."""
    ways: Sequence[Harm] = ("kill", "freeze")
    with closing(ClusterServers().start()) as cluster, closing(Ledger(cluster.url, replicas=1)) as ledger:
        load = Load(ledger, islice(cluster.tables_on(cluster.primary_of("0" * 22)), 8), size=SIZE).start()
        for way in ways:
            load.until(max(200, round(20_000 * scale)))
            cluster.lose(cluster.primary_of("0" * 22), way)
            cluster.until_whole()
        load.until(200)
        load.stop()
        return in_time(load.verdict(cluster.read), OUTAGE_OF_A_CLUSTER)


def sentinels(scale: float) -> Result:
    """R5: twice, the primary that sentinels name is killed."""
    with closing(SentinelServers().start()) as servers, closing(Ledger(servers.url, replicas=1)) as ledger:
        load = Load(ledger, [f"s{number}".rjust(22, "0") for number in range(8)], size=SIZE).start()
        for _ in range(2):
            load.until(max(200, round(20_000 * scale)))
            servers.lose("kill")
            servers.until_whole()
        load.until(200)
        load.stop()
        return in_time(load.verdict(servers.read), OUTAGE_WITH_SENTINELS)


def sentinels_behind(scale: float) -> Result:
    """R5c: a primary is killed while its replicas lag, and entries wait for none."""
    with closing(SentinelServers().start()) as servers, closing(Ledger(servers.url)) as ledger:
        tables = [f"s{number}".rjust(22, "0") for number in range(8)]
        return Result(servers.lose_behind(Load(ledger, tables).start).verdict(servers.read))


def rolling_restart(scale: float) -> Result:
    """R9: two servers behind a balancer are restarted in turn, six times, under 12 players: no request fails."""
    return _rolling(scale, lambda victim: victim.end())


def killed_instead(scale: float) -> Result:
    """R9c: six times one of the two servers is killed, and starts again."""
    return _rolling(scale / 6, lambda victim: victim.end(signal.SIGKILL))


def _rolling(scale: float, end: Callable[[Victim], object]) -> Result:
    """Two servers on one folder: one ends while the other serves; both are ready again before the next one ends."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bastide-"))) / "data"
        ports = free_ports(2)
        victims = [Victim(folder, PORT=str(port)) for port in ports]
        stack.callback(lambda: [victim.end() for victim in victims])
        balancer = stack.enter_context(closing(Balancer(ports).start()))
        changes = max(100, round(600 * scale))
        storm = Storm(balancer.port, patience=60).crowd(victims[0], tables=12, players=12, changes=changes).start()
        for restart in range(1, RESTARTS + 1):
            storm.until(12 * changes * restart // (RESTARTS + 2))
            balancer.until(ports)
            end(victims[restart % 2])
            victims[restart % 2] = Victim(folder, PORT=str(ports[restart % 2]))
        storm.join()
        failed = (storm.statuses[0] or storm.statuses[503]) and (dict(storm.statuses), storm.slowest().tries)
        return _of_storm(storm, storm.verdict(victims[0].read), failed=failed)


def ended_at_any_moment(scale: float) -> Result:
    """R9t: SIGTERM at 20 random moments of start, play and end, HUP, HUP, TERM at every fourth: each ends in time."""
    late, left = [], []
    for seed in range(max(4, round(20 * scale))):
        chance = Random(seed)
        with tempfile.TemporaryDirectory(prefix="bastide-") as folder:
            victim = Sudden(Path(folder) / "data")
            victim.wait(chance.uniform(0, LIFE))
            before = [signal.SIGHUP, signal.SIGHUP] if seed % 4 == 3 else []
            took = victim.end_by([*before, signal.SIGTERM], chance.uniform(0, 1))
            late += [f"seed {seed}: {took:.1f} s"] if took > STOP_SECONDS else []
            left += [f"seed {seed}"] if victim.folder.exists() and runs(victim.folder) else []
    return Result(wrong=_wrong(Redis_left=left), late=_wrong(late=late))


def bad_networks(scale: float) -> Result:
    """R10: 14,000 changes through two proxies: 2 s of delay, 1 kB/s, resets, silence, halves and slices."""
    return _bad_networks(scale, sends_keys=True)


def bad_networks_without_keys(scale: float) -> Result:
    """R10c: the same with requests that have no key."""
    return _bad_networks(scale / 25, sends_keys=False)


def _bad_networks(scale: float, *, sends_keys: bool) -> Result:
    [port] = free_ports(1)
    with ExitStack() as stack:
        redis = stack.enter_context(
            closing(RedisServer("--bind", "127.0.0.1", "--port", str(port), *durable_options()).start())
        )
        inner = stack.enter_context(closing(Proxy(port, life=50).start()))
        victim = stack.enter_context(_victim(REDIS_URL=f"redis://127.0.0.1:{inner.port}"))
        outer = stack.enter_context(closing(Proxy(victim.port, life=10).start()))
        storm = Storm(outer.port, sends_keys=sends_keys).crowd(
            victim, tables=28, players=56, changes=max(5, round(250 * scale))
        )
        for proxy in (inner, outer):
            proxy.worsen(toxics(delay=2, rate=1000))
        storm.start().join()
        verdict = storm.verdict(redis.log)
        late = _too_late(verdict, BAD_NETWORK) if sends_keys else ()
        return _of_storm(storm, verdict, late)


def jumping_clock(scale: float) -> Result:
    """R13: every recorded game, with clocks that jump an hour to and fro."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | shim(JUMPING_CLOCK, Path(folder))
        with closing(RedisServer(*durable_options(), environment=environment).start()) as redis:
            other = [
                f"{record.parent.name}/{record.stem}"
                for record in islice(RECORD_PATHS, max(5, round(len(RECORD_PATHS) * scale)))
                if clock.play(record, redis, repeat(0 * clock.HOUR)).state
                != clock.play(record, redis, clock.jumps()).state
            ]
    return Result(wrong=_wrong(not_the_same=other))


def in_order_of_time(scale: float) -> Result:
    """R13c: with such clocks, sorting a log by its times changes its order."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | shim(JUMPING_CLOCK, Path(folder))
        with closing(RedisServer(*durable_options(), environment=environment).start()) as redis:
            played = [(record, clock.play(record, redis, clock.jumps()).entries) for record in games.ONE_OF_EACH]
    other = [
        f"{record.parent.name}/{record.stem}"
        for record, entries in played
        if sorted(entries, key=lambda entry: entry.at) != list(entries)
    ]
    return Result(wrong=_wrong(another_order=other))


def long_soak(scale: float) -> Result:
    """R15: an hour, 50 tables with 4 phones each, which ask every 2 s; a change each 5 s."""
    with _victim() as victim:
        soaked, missing, growth = soak(victim, 50, 60 * scale)
    slow = soaked.p99 > SOAK_P99 and f"{soaked.p99:.3f} s"
    grown = growth > GROWTH and f"by {growth:.0%}"
    verdict = Verdict(soaked.acknowledged_count, missing, 0, 0, max(soaked.waits), p99=soaked.p99)
    return Result(verdict, _wrong(failed=soaked.failures and dict(soaked.statuses), memory=grown), _wrong(p99=slow))


def soak_without_bounds(scale: float) -> Result:
    """R15c: a tenth of it, while new tables are opened all the time and the workers may cache them all."""
    with _victim(BASTIDE_CACHE_MB="100000") as victim:
        _, _, growth = soak(victim, 10, max(2, 6 * scale), opening=True)
    return Result(wrong=_wrong(memory=growth > GROWTH and f"by {growth:.0%}"))


def streams_through_kills(scale: float) -> Result:
    """R16: 200 clients follow the logs of 8 tables; 8 kills of a worker, and 2 of the primary of one table."""
    return _streams(scale, resumes=True)


def streams_without_ids(scale: float) -> Result:
    """R16c: the same with clients that do not send the id of the last entry."""
    return _streams(scale, resumes=False)


def _streams(scale: float, *, resumes: bool) -> Result:
    with closing(ClusterServers().start()) as cluster, _victim(REDIS_URL=cluster.url, BASTIDE_REPLICAS="1") as victim:
        each, kills = max(10, round(250 * scale)), 8
        storm = Storm(victim.port).crowd(victim, tables=8, players=16, changes=each)
        with followers(storm, 200, resumes=resumes) as found:
            storm.start()
            for kill in range(1, kills + 1):
                storm.until(16 * each * kill // (kills + 1))
                victim.kill_worker()
                if kill % 4 == 0:
                    cluster.lose(cluster.primary_of(storm.players[0].table), "kill")
                    cluster.until_whole()
            storm.join()
            wrong = count_wrong(found, victim, storm)
        return _of_storm(storm, storm.verdict(cluster.read), streams_that_are_not_the_log=wrong)


def whole_games(scale: float) -> Result:
    """A game of each kind on a cluster, whose primary is killed twice."""
    found: list[Result] = []
    with closing(ClusterServers().start()) as cluster, _victim(REDIS_URL=cluster.url) as victim:
        for _ in range(max(1, round(5 * scale))):
            storm, verdict, ends = games.play_all(cluster, victim)
            found.append(_of_storm(storm, verdict, another_end=ends.count(False)))
    wrong = tuple(wrong for each in found for wrong in each.wrong)
    return Result(together(each.verdict for each in found if each.verdict), wrong)


def _tests(*words: str, **counts: Callable[[float], int]) -> Callable[[float], Result]:
    """A design that runs tests; `counts` are variables that set the number of examples at a scale."""

    def run(scale: float) -> Result:
        environment: Mapping[str, str] = os.environ | {name: str(count(scale)) for name, count in counts.items()}
        command = [sys.executable, "-m", "pytest", "-q", "-n0", *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return Result(wrong=_wrong(failed=done.returncode and done.stdout[-2000:]))

    return run


def guided_fuzz(scale: float) -> Result:
    """F4: ten minutes for each game; inputs that reach new lines are stored in build/."""
    if importlib.util.find_spec("atheris") is None:
        return Result(skip_reason="atheris has no wheel for this Python on this machine")
    crashed = []
    for game in sorted(GAMES):
        corpus = Path("build", "corpus", game)
        corpus.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "tests.chaos.fuzzer", game, str(corpus)]
        options = [f"-max_total_time={round(600 * scale) + 1}", f"-artifact_prefix={corpus.parent}/{game}-"]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        if done.returncode:
            crashed.append(f"{game}: {done.stderr[-1500:]}{done.stdout[-1500:]}")
    return Result(wrong=_wrong(crashed=crashed))


DESIGNS: Final = (
    Design("R1", "crash storm; R7: order", crash_storm),
    Design("R1c", "without keys", without_keys, control=True),
    Design("R2", "slow disk", slow_disk),
    Design("R2c", "flushed once a second", slow_disk_flushed_seldom, control=True),
    Design("R4", "replica lags, primary killed", lagging_replica),
    Design("R4c", "no replica confirms", no_wait, control=True),
    Design(
        "R4b",
        "primary killed, or frozen",
        taken_over,
        alone="R4c is its control: a primary whose replica keeps up loses nothing on loopback, whoever waits for it",
    ),
    Design("R5", "sentinels, primary killed", sentinels),
    Design("R5c", "replicas lag, none confirms", sentinels_behind, control=True),
    Design(
        "R6",
        "ledger and model",
        _tests("tests/service/test_ledger_model.py", "-k", "model", MODEL_RUNS=lambda scale: round(5000 * scale) + 1),
        alone="it does no harm: it compares",
    ),
    Design(
        "R8",
        "replay is live",
        _tests(
            "tests/service/test_referee.py", "-k", "every_ply", GAMES_REPLAYED=lambda scale: round(1000 * scale) + 1
        ),
        alone="it does no harm: it compares",
    ),
    Design("R9", "restarted in turn, six times", rolling_restart),
    Design("R9c", "killed in turn, six times", killed_instead, control=True),
    Design(
        "R9t",
        "ended at any moment",
        ended_at_any_moment,
        alone="R9c shows what an end without a word does; here a clock is looked at",
    ),
    Design("R10", "bad networks", bad_networks),
    Design("R10c", "without keys", bad_networks_without_keys, control=True),
    Design("R13", "clocks that jump", jumping_clock),
    Design("R13c", "a log in order of its times", in_order_of_time, control=True),
    Design("R15", "soak", long_soak),
    Design("R15c", "memory without bounds", soak_without_bounds, control=True),
    Design("R16", "streams, workers killed", streams_through_kills),
    Design("R16c", "without the last id", streams_without_ids, control=True),
    Design(
        "F3",
        "laws of random games",
        _tests("tests/rules/test_laws.py", GAMES_SHARED=lambda scale: round(1000 * scale) + 1),
        alone="it does no harm: mutation testing shows what the laws see",
    ),
    Design("F4", "fuzzer that follows lines", guided_fuzz, alone="it does no harm: a crash speaks for itself"),
    Design("games", "whole games on a cluster", whole_games, alone="R4c is its control: it has the same primaries"),
)
