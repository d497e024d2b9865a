"""Past one machine: what was acknowledged is there after another server has taken over, in a cluster and by sentinels.

Each test counts what became of the entries that were acknowledged; none asserts a time.
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
"""Entries that are acknowledged before and after a server is harmed."""


@pytest.fixture
def sentinels() -> Iterator[SentinelServers]:
    """Three servers and three sentinels of the test's own: it takes them ten seconds to be well again."""
    servers = SentinelServers()
    try:
        yield servers.start()
    finally:
        servers.close()


def test_no_entry_is_lost_with_a_primary_whose_replica_lags(cluster: ClusterServers) -> None:
    """The replica is frozen until much is unsent, the primary is killed, the replica takes over.

    The control waits for no replica: it has to lose entries that it was told were kept, or this test proves nothing.
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
    assert (kept.lost, kept.doubled, kept.gaps) == (0, 0, 0)
    assert kept.acknowledged >= 2 * SOME
    assert lost.lost > 0, "the control lost nothing"


def test_a_worker_that_knows_a_lost_entry_folds_anew(cluster: ClusterServers) -> None:
    """What was written without a replica is lost with its primary: whoever remembers it reads the log again."""
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
    """Wait for an entry as a client does: it asks again where the store was away."""
    while True:
        with suppress(StoreAway):
            return watcher.wait(table, after, 120)


@pytest.mark.parametrize(("way", "first"), [("kill", 10), ("freeze", 20)])
def test_another_node_takes_over(cluster: ClusterServers, way: Harm, first: int) -> None:
    """A primary is killed, or stands still until another has taken over: writing goes on, and so does waiting."""
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
        assert told.result()  # whoever waited where it was waits where it is now
        load.stop()
        cluster.until_whole()
    verdict = load.verdict(cluster.read)
    assert cluster.primary_of(quiet) is not victim
    assert (verdict.lost, verdict.doubled, verdict.gaps) == (0, 0, 0)
    assert verdict.acknowledged >= 2 * SOME


def test_who_may_take_over_has_to_keep_games_too(cluster: ClusterServers) -> None:
    """A replica's own file counts: the service does not start where it is kept up less. It is named in the sentence."""
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
    """The primary is killed, and the sentinels name another: writing goes on, with the replica that is left.

    What it is worth that one of two replicas has to confirm is said at the start.
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
    assert (verdict.lost, verdict.doubled, verdict.gaps) == (0, 0, 0)
    assert verdict.acknowledged >= 2 * SOME


def test_a_primary_that_comes_back_confirms_nothing(sentinels: SentinelServers) -> None:
    """It stood still until another was named, and does not know: what is asked of it then must not count.

    Both replicas have to confirm. With one of two, the one that was not named may still be with the old primary.
    """
    with closing(Ledger(sentinels.url, replicas=2)) as ledger:
        assert ledger.check() == [promise("always", 2)]
        load = Load(ledger, [str(number).rjust(22, "0") for number in range(TABLES)]).start()
        load.until(SOME)
        sentinels.lose("freeze")
        load.stop()
    verdict = load.verdict(sentinels.read)
    assert (verdict.lost, verdict.doubled, verdict.gaps) == (0, 0, 0)
    assert verdict.acknowledged >= SOME


def test_a_table_that_moves_is_found(cluster: ClusterServers) -> None:
    """While its keys are at two nodes the table is away; before, between and after, it is where it is.

    Whoever asks for the versions of this table and of one that stays gets both.
    """
    table = "m" * 22
    source = cluster.primary_of(table)
    other = next(cluster.tables_on(source))
    target = next(node for node in cluster.primaries() if node is not source)
    steps = []
    with ExitStack() as stack:
        patient = stack.enter_context(closing(Ledger(cluster.url, replicas=1)))
        hasty = stack.enter_context(closing(Ledger(cluster.url, patience=1)))
        look = stack.enter_context(closing(Ledger(cluster.url)))  # it hears of the move by its looks only
        version = patient.append(table, 0, "open", [b"0"], "").last
        stays = patient.versions([other])[other]
        for step in cluster.move(table, target):
            ledger = hasty if step == "partly" else patient  # where it is, a busy machine may take its time
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
    """The rules that are handed out are enough, also while a table moves."""
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
    """A certificate of this machine, signed by itself; its key is beside it."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("openssl makes the certificate, and is not on this machine")
    made = tmp_path / "cert.pem"
    subject = ("-subj", "/CN=bastide", "-addext", "subjectAltName=IP:127.0.0.1")
    files = ("-keyout", made.with_suffix(".key"), "-out", made)
    subprocess.run([openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *files], check=True)
    return made


@pytest.fixture
def tls_node(certificate: Path) -> Iterator[Node]:
    """A cluster of one node that speaks TLS only, and wants a password."""
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
    """A node is found by the cluster's own word, and spoken to as the address says; otherwise it answers nothing."""
    where = f"127.0.0.1:{tls_node.port}?ssl_ca_certs={certificate}"
    with closing(Ledger(f"rediss+cluster://:{PASSWORD}@{where}")) as ledger:
        ledger.append(TABLE, 0, "open", [b"0"], "")
        assert ledger.read(TABLE) == [(1, b"0")]
    plain = f"redis+cluster://:{PASSWORD}@127.0.0.1:{tls_node.port}"
    for refused in (plain, f"rediss+cluster://:other@{where}", f"rediss+cluster://{where}"):
        with closing(Ledger(refused, patience=0.2)) as ledger, pytest.raises(StoreAway):
            ledger.read(TABLE)
