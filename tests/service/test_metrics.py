"""Metrics count every request, even when workers are killed, and identify nobody."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest
import yaml

from tests.chaos.victim import WORKERS, Victim, children
from tests.rules.play import often
from tests.support.redis_server import free_ports, until
from tests.support.service_process import ROOT, ServiceProcess

KILLS, RESTARTS, REQUESTS = often(20), often(6), 5
"""Kills of workers, starts of the server, and requests between two kills."""
SAMPLE = re.compile(r"([a-z_]+)(?:\{(.*)\})? (\S+)")
LABEL = re.compile(r'([a-z]+)="((?:[^"\\]|\\.)*)"')
QUERY = re.compile(r"(bastide_[a-z_]+)(?:\{([^}]*)\})?")
Samples = Counter[tuple[str, tuple[tuple[str, str], ...]]]


def scrape(port: int) -> Samples:
    """The samples as Prometheus would read them: (name, labels) -> value."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    found = [SAMPLE.fullmatch(line) for line in lines if not line.startswith("#")]
    return Counter({(each[1], tuple(sorted(LABEL.findall(each[2] or "")))): float(each[3]) for each in found if each})


def answers(port: int) -> bool:
    """Whether the metrics' port accepts connections."""
    with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def total(samples: Samples, name: str, **labels: str) -> float:
    """The sum of the samples of a name with these labels."""
    return sum(value for (each, own), value in samples.items() if each == name and labels.items() <= dict(own).items())


def games_asked(samples: Samples) -> float:
    return total(samples, "bastide_requests_total", route="/api/v1/games", status="200")


@pytest.fixture(scope="module")
def port() -> int:
    return free_ports(1)[0]


@pytest.fixture(scope="module")
def shared_service(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[ServiceProcess]:
    """A service with metrics, after a few moves."""
    process = ServiceProcess(tmp_path_factory.mktemp("metrics"), BASTIDE_METRICS=f"127.0.0.1:{port}")
    path, keys = process.table()
    host = {"Authorization": f"Bearer {keys['host']}", "If-Match": '"1"'}
    assert process.ask("POST", f"{path}/moves", {"move": "nonsense"}, **host)[0] == 422
    move = process.ask("GET", f"{path}/legal-moves", **host)[1]["moves"][0]
    assert process.ask("POST", f"{path}/moves", {"move": move}, **host)[0] == 201
    assert process.ask("POST", f"{path}/moves", {"move": move}, **host)[0] == 412
    until(answers, port)
    yield process
    process.end()


def test_they_are_said_and_served_apart(shared_service: ServiceProcess, port: int) -> None:
    """`serve` prints the metrics' address; the public port does not have them."""
    assert f"Metrics are at  http://127.0.0.1:{port}/metrics" in shared_service.first_lines
    assert shared_service.ask("GET", "/metrics")[0] == 404


def test_what_was_played_is_counted(shared_service: ServiceProcess, port: int) -> None:
    """The samples have requests by route and status, rulings by game, writes by outcome, and the use of Redis and
    caches.
    """
    samples = scrape(port)
    route = "/api/v1/tables/<table_id>/moves"
    statuses = [total(samples, "bastide_requests_total", route=route, status=each) for each in ("201", "412", "422")]
    assert statuses == [1, 1, 1]
    assert total(samples, "bastide_request_seconds_count", route=route) == 3
    assert total(samples, "bastide_rulings_total", game="villefranche", outcome="legal") == 1
    ends = {end: total(samples, "bastide_writes_total", outcome=end) for end in ("written", "conflict")}
    assert ends == {"written": 2, "conflict": 1}
    assert total(samples, "bastide_redis_seconds_count") >= 4
    until(lambda: total(scrape(port), "bastide_table_cache_bytes") > 0)
    assert total(scrape(port), "bastide_cache_hits_total") > 0


def test_no_label_says_who(shared_service: ServiceProcess, port: int) -> None:
    """Labels contain no ids and no keys; requests without a route have the label `none`."""
    path, keys = shared_service.table()
    shared_service.ask("GET", "/nowhere/canary?key=canary")
    shared_service.ask("CANARY", path, Authorization="Bearer canary")
    values = {value for _, labels in scrape(port) for _, value in labels}
    assert "none" in values
    assert not [value for value in values if "canary" in value.lower() or path.rpartition("/")[2] in value]
    assert keys["host"] not in values


def metric_names(samples: Samples) -> dict[str, set[str]]:
    """Name -> the names of its labels."""
    names: dict[str, set[str]] = {}
    for name, labels in samples:
        names.setdefault(name, {"job"}).update(label for label, _ in labels)
    return names


@pytest.mark.parametrize("file", ["alerts.yml", "grafana.json"])
def test_each_query_names_what_there_is(shared_service: ServiceProcess, port: int, file: str) -> None:
    """Each query uses existing metrics and labels, or those of failures and limits, which have no samples here."""
    text = (ROOT / "deploy" / file).read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    queries = (
        [rule["expr"] for group in data["groups"] for rule in group["rules"]]
        if file == "alerts.yml"
        else [target["expr"] for panel in data["panels"] for target in panel["targets"]]
    )
    assert len(queries) >= 5
    names = metric_names(scrape(port)) | {
        "bastide_failures_total": {"job", "cause"},
        "bastide_limited_total": {"job", "limit"},
    }
    for query in queries:
        for name, selected in QUERY.findall(query):
            assert name in names, query
            labels = {*re.findall(r"([a-z]+)!?=", selected), *re.findall(r"by \(([a-z, ]+)\)", query)}
            assert {label.strip() for each in labels for label in each.split(",")} <= names[name] | {"le"}, query


def test_a_wrong_name_in_a_query_would_be_seen() -> None:
    """The control: the pattern finds a wrong name in a query."""
    assert QUERY.findall('sum(rate(bastide_request_total{jobs="x"}[5m]))') == [("bastide_request_total", 'jobs="x"')]


def count_through_kills(victim: Victim, port: int, kills: int) -> None:
    """Send requests and kill a worker, `kills` times: each request is counted once."""
    until(answers, port)
    for killed in range(1, kills + 1):
        for _ in range(REQUESTS):
            assert victim.ask("GET", "/api/v1/games")[0] == 200
        until(lambda: games_asked(scrape(port)) >= killed * REQUESTS)  # noqa: B023  # asked at once
        [worker, *_] = victim.workers()
        os.kill(worker, signal.SIGKILL)
        until(lambda: worker not in victim.workers() and len(victim.workers()) >= WORKERS)  # noqa: B023  # see above
    assert games_asked(scrape(port)) == kills * REQUESTS


def test_counters_are_exact_over_kills_and_restarts(tmp_path: Path) -> None:
    """Counters lose nothing when a worker is killed, and start from 0 with the server."""
    for kills in (KILLS, *[1] * (RESTARTS - 1)):
        [port] = free_ports(1)
        victim = Victim(tmp_path / "data", BASTIDE_METRICS=f"127.0.0.1:{port}")
        try:
            count_through_kills(victim, port, kills)
        finally:
            assert victim.end() == 0


def test_a_server_of_metrics_that_is_killed_is_replaced(shared_service: ServiceProcess, port: int) -> None:
    """A killed metrics server is replaced, and keeps its counts."""
    before = games_asked(scrape(port))
    assert shared_service.ask("GET", "/api/v1/games")[0] == 200
    [child] = [each for each in children(shared_service.process.pid) if is_metrics_server(each)]
    os.kill(child, signal.SIGKILL)
    until(lambda: any(is_metrics_server(each) and each != child for each in children(shared_service.process.pid)))
    until(answers, port)
    assert games_asked(scrape(port)) == before + 1


def is_metrics_server(process: int) -> bool:
    """Whether a process serves metrics."""
    with suppress(OSError):
        return b"metrics_server" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


def test_an_address_that_is_taken_stops_the_start(tmp_path: Path, shared_service: ServiceProcess, port: int) -> None:
    """A metrics address that is taken stops the start, with the name of the setting."""
    with pytest.raises(AssertionError, match=f"BASTIDE_METRICS='127.0.0.1:{port}' cannot be used"):
        ServiceProcess(tmp_path / "data", BASTIDE_METRICS=f"127.0.0.1:{port}")


def test_the_dashboard_has_a_panel_for_each_metric() -> None:
    """The dashboard has ten panels, with different titles."""
    dashboard = json.loads((ROOT / "deploy" / "grafana.json").read_text(encoding="utf-8"))
    titles = [panel["title"] for panel in dashboard["panels"]]
    assert len(titles) == len(set(titles)) == 10
