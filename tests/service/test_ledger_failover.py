"""Failover: acknowledged entries survive when another server takes over, in a cluster and with sentinels.

Each test checks every acknowledged entry; none asserts a time.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from itertools import islice
from pathlib import Path

import pytest

from service.errors import StoreAway
from service.referee.use_cases import Referee
from service.referee.watcher import Watcher
from service.startup import Unfit
from service.storage.ledger import Ledger
from service.storage.redis_check import promise
from tests.chaos.cluster import ClusterServers, Node
from tests.chaos.load import Load
from tests.chaos.sentinel import SentinelServers
from tests.support.host import Host, open_table
from tests.support.redis_server import Harm, free_ports, until
from tests.support.redis_user import PASSWORD, RULES, TABLE, use_everything

TABLES = 4
SOME = 100
"""The entries acknowledged before and after the failure."""


@pytest.fixture
def sentinels() -> Iterator[SentinelServers]:
    """Three servers and three sentinels for one test: after it, they need ten seconds to recover."""
    servers = SentinelServers()
    try:
        yield servers.start()
    finally:
        servers.close()


def test_no_entry_is_lost_with_a_primary_whose_replica_lags(cluster: ClusterServers) -> None:
    """A replica is frozen until it lags, its primary is killed, and the replica takes over: no entry is lost.

    The control does not wait for replicas, and must lose acknowledged entries, or this test proves nothing.
    """
    victim = cluster.primary_of("0" * 22)
    tables = list(islice(cluster.tables_on(victim), 2 * TABLES))
    with closing(Ledger(cluster.url, replicas=1)) as ledger, closing(Ledger(cluster.url)) as careless:
        load = Load(ledger, tables[:TABLES]).start()
        load.until(SOME)
        control = cluster.lose_behind(victim, Load(careless, tables[TABLES:]).start)
        load.until(SOME)
        load.stop()
        cluster.until_whole()
    kept, lost = load.verdict(cluster.read), control.verdict(cluster.read)
    assert (kept.lost_count, kept.doubled_count, kept.gaps) == (0, 0, 0)
    assert kept.acknowledged_count >= 2 * SOME
    assert lost.lost_count > 0, "the control lost nothing"


def test_a_worker_that_knows_a_lost_entry_folds_anew(cluster: ClusterServers) -> None:
    """An entry written without a replica is lost with its primary, and a worker that has it in its cache drops it."""
    victim = cluster.primary_of("0" * 22)
    flood = islice(cluster.tables_on(victim), 30, 30 + TABLES)
    with closing(Ledger(cluster.url, replicas=1)) as ledger, closing(Ledger(cluster.url)) as careless:
        opened = open_table(Referee(ledger))
        while cluster.primary_of(opened.table.id) is not victim:
            opened = open_table(Referee(ledger))
        host = Host(Referee(careless), opened)

        def write() -> Load:
            load = Load(careless, flood).start()
            load.until(10 * SOME)
            assert host.play("r b1c1", version=1).version == 2
            return load

        cluster.lose_behind(victim, write)
        assert host.now().version == 1
        assert host.play("r d1e1", version=1).version == 2
        cluster.until_whole()


def _wait_for_entry(watcher: Watcher, table: str, after: int) -> bool:
    """Wait for an entry as a client does: try again while the store is away."""
    while True:
        with suppress(StoreAway):
            return watcher.wait(table, after, 120)


@pytest.mark.parametrize(("way", "first"), [("kill", 10), ("freeze", 20)])
def test_another_node_takes_over(cluster: ClusterServers, way: Harm, first: int) -> None:
    """When a primary is killed or freezes, a replica takes over, and writing and waiting go on."""
    victim = cluster.primary_of("0" * 22)
    *tables, quiet = islice(cluster.tables_on(victim), first, first + TABLES + 1)
    with closing(Ledger(cluster.url, replicas=1)) as ledger, ThreadPoolExecutor(1) as phone:
        version = ledger.append(quiet, 0, f"{way} 0", [b"0"], "").last
        told = phone.submit(_wait_for_entry, Watcher(ledger.versions), quiet, version)
        load = Load(ledger, tables).start()
        load.until(SOME)
        cluster.lose(victim, way)
        load.until(SOME)
        ledger.append(quiet, version, f"{way} 1", [b"1"], "")
        assert told.result()  # a waiter at the old node gets the entry from the new one
        load.stop()
        cluster.until_whole()
    verdict = load.verdict(cluster.read)
    assert cluster.primary_of(quiet) is not victim
    assert (verdict.lost_count, verdict.doubled_count, verdict.gaps) == (0, 0, 0)
    assert verdict.acknowledged_count >= 2 * SOME


def test_who_may_take_over_has_to_keep_games_too(cluster: ClusterServers) -> None:
    """The service does not start if a replica's settings could lose games; the error names the replica."""
    replica = cluster.replica_of(cluster.primaries()[0])
    with closing(Ledger(cluster.url, replicas=1, patience=1)) as ledger:
        assert ledger.check() == [promise("always", 1)]
        for setting, unfit, usual in (
            ("appendfsync", "everysec", "always"),
            ("maxmemory-policy", "allkeys-lru", "noeviction"),
        ):
            replica.ask("CONFIG", "SET", setting, unfit)
            try:
                with pytest.raises(Unfit, match=rf"127\.0\.0\.1:{replica.port} .*{setting} {unfit}"):
                    ledger.check()
            finally:
                replica.ask("CONFIG", "SET", setting, usual)
        replica.freeze()
        try:
            unseen, promised = ledger.check()
        finally:
            replica.thaw()
    assert f"127.0.0.1:{replica.port}" in unseen
    assert promised == promise("always", 1)
    with closing(Ledger(cluster.url, replicas=2)) as ledger, pytest.raises(StoreAway, match="BASTIDE_REPLICAS=2"):
        ledger.check()  # a replica may be away for a moment: one may start later
    cluster.until_whole()


def test_sentinels_name_another_primary(sentinels: SentinelServers) -> None:
    """When the primary is killed, the sentinels choose another, and writing goes on with the remaining replica.

    `check` suggests to require both replicas.
    """
    with closing(Ledger(sentinels.url, replicas=1)) as ledger:
        assert any("BASTIDE_REPLICAS=2" in said for said in ledger.check())
        # Small entries: both replicas have all of them, whichever the sentinels choose.
        load = Load(ledger, [str(number).rjust(22, "0") for number in range(TABLES)], size=100).start()
        load.until(SOME)
        sentinels.lose("kill")
        load.until(SOME)
        load.stop()
    verdict = load.verdict(sentinels.read)
    assert (verdict.lost_count, verdict.doubled_count, verdict.gaps) == (0, 0, 0)
    assert verdict.acknowledged_count >= 2 * SOME


def test_a_primary_that_comes_back_confirms_nothing(sentinels: SentinelServers) -> None:
    """A frozen primary that returns after its replacement must not acknowledge anything.

    Both replicas must confirm. With one of two, that one may still belong to the old primary.
    """
    with closing(Ledger(sentinels.url, replicas=2)) as ledger:
        assert ledger.check() == [promise("always", 2)]
        load = Load(ledger, [str(number).rjust(22, "0") for number in range(TABLES)]).start()
        load.until(SOME)
        sentinels.lose("freeze")
        load.stop()
    verdict = load.verdict(sentinels.read)
    assert (verdict.lost_count, verdict.doubled_count, verdict.gaps) == (0, 0, 0)
    assert verdict.acknowledged_count >= SOME


def test_a_table_that_moves_is_found(cluster: ClusterServers) -> None:
    """A table that moves to another node is away while its keys are split, and otherwise found.

    One call reads the versions of this table and of one that stays.
    """
    table = "m" * 22
    source = cluster.primary_of(table)
    other = next(cluster.tables_on(source))
    target = next(node for node in cluster.primaries() if node is not source)
    steps = []
    with ExitStack() as stack:
        patient = stack.enter_context(closing(Ledger(cluster.url, replicas=1)))
        hasty = stack.enter_context(closing(Ledger(cluster.url, patience=1)))
        look = stack.enter_context(closing(Ledger(cluster.url)))  # it learns of the move only by its looks
        version = patient.append(table, 0, "open", [b"0"], "").last
        stays = patient.versions([other])[other]
        for step in cluster.move(table, target):
            ledger = hasty if step == "partly" else patient  # when the table is whole, a busy machine may take its time
            try:
                version = ledger.append(table, version, step, [step.encode()], "").last
                assert look.versions([other, table]) == {other: stays, table: version}
                assert len(ledger.read(table)) == version
                steps.append(step)
            except StoreAway as away:
                steps.append(type(away.__cause__).__name__)
    assert steps == ["begun", "TryAgainError", "all", "done"]
    assert list(cluster.read(table).values()) == [b"0", b"begun", b"all", b"done"]
    assert cluster.primary_of(table) is target


def test_the_user_of_the_service_may_do_all_that_a_cluster_needs(cluster: ClusterServers) -> None:
    """The ACL rules of `deploy/` suffice in a cluster, also while a table moves."""
    for node in cluster.nodes:
        for user in RULES.splitlines():
            node.ask("ACL", "SETUSER", *user.split()[1:])
    url = cluster.url.replace("//", f"//bastide:{PASSWORD}@")
    use_everything(url, 1)
    target = next(node for node in cluster.primaries() if node is not cluster.primary_of(TABLE))
    with closing(Ledger(url)) as ledger:
        assert [len(ledger.read(TABLE)) for _ in cluster.move(TABLE, target)] == [1, 1, 1, 1]
    assert [node.ask("ACL", "LOG") for node in cluster.primaries()] == [[]] * 3


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A self-signed certificate of this machine, with its key beside it."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("openssl makes the certificate, and is not on this machine")
    made = tmp_path / "cert.pem"
    subject = ("-subj", "/CN=bastide", "-addext", "subjectAltName=IP:127.0.0.1")
    files = ("-keyout", made.with_suffix(".key"), "-out", made)
    subprocess.run([openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *files], check=True)
    return made


@pytest.fixture
def tls_node(certificate: Path) -> Iterator[Node]:
    """A cluster of one node that requires TLS and a password."""
    port, bus = free_ports(2)
    files = {"cert": certificate, "key": certificate.with_suffix(".key"), "ca-cert": certificate}
    options = [word for name, path in files.items() for word in (f"--tls-{name}-file", str(path))]
    node = Node(0, bus, "--tls-port", str(port), "--tls-cluster", "yes", "--tls-auth-clients", "no", *options)
    node.port = port
    try:
        node.start()
        node.ask("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        node.ask("CONFIG", "SET", "requirepass", PASSWORD)
        until(lambda: "cluster_state:ok" in node.text_of("CLUSTER", "INFO"))
        yield node
    except ChildProcessError as error:
        if "TLS support" not in str(error):
            raise
        pytest.skip("the server on this machine was built without TLS")
    finally:
        node.close()


def test_a_password_and_tls_count_for_every_node(certificate: Path, tls_node: Node) -> None:
    """Password and TLS of the address apply to every node that the cluster names; without them it refuses."""
    where = f"127.0.0.1:{tls_node.port}?ssl_ca_certs={certificate}"
    with closing(Ledger(f"rediss+cluster://:{PASSWORD}@{where}")) as ledger:
        ledger.append(TABLE, 0, "open", [b"0"], "")
        assert ledger.read(TABLE) == [(1, b"0")]
    plain = f"redis+cluster://:{PASSWORD}@127.0.0.1:{tls_node.port}"
    for refused in (plain, f"rediss+cluster://:other@{where}", f"rediss+cluster://{where}"):
        with closing(Ledger(refused, patience=0.2)) as ledger, pytest.raises(StoreAway):
            ledger.read(TABLE)
