"""Thousands of watchers of a public view behind the shipped nginx configuration: how few requests reach the worker."""

from __future__ import annotations

import getpass
import http.client
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.redis_server import free_ports, until
from tests.support.service_process import ServiceProcess

NGINX: Final = shutil.which("nginx")
FILE: Final = Path(__file__).parents[2] / "deploy" / "nginx.conf"
WATCHERS: Final = 2_000
AT_ONCE: Final = 20
"""How many of them ask at once."""
MOST_A_SECOND: Final = 3
ENCODINGS: Final = ("gzip, deflate, br, zstd", "gzip, deflate", "identity", "br")
"""The `Accept-Encoding` of different browsers."""
pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


def own_file(folder: Path, port: int, upstream: int) -> Path:
    """The shipped configuration, changed to run without TLS on free ports and to log its cache status.

    All watchers have one address here, so its limits are those of a thousand.
    """
    text = FILE.read_text(encoding="utf-8")
    text = re.sub(r"    server \{\n        listen 80 .*?\n    \}\n", "", text, count=1, flags=re.DOTALL)
    text = re.sub(r"listen 443 ssl http2;\n\s+listen \[::\]:443 ssl http2;", f"listen 127.0.0.1:{port};", text)
    text = re.sub(r"\n\s+ssl_\w+ [^;]+;", "", text)
    text = text.replace("server 127.0.0.1:8000;", f"server 127.0.0.1:{upstream};")
    text = text.replace("/var/cache/nginx/bastide", f"{folder}/views")
    text = text.replace("limit_conn connections 200;", "").replace("rate=400r/s", "rate=400000r/s")
    log = f"log_format found '$upstream_cache_status $request_uri';\n    access_log {folder}/access.log found;"
    text = text.replace("access_log off;", log)
    folders = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"    {each}_temp_path {folder}/{each};\n" for each in folders)
    text = text.replace("http {\n", f"http {{\n{temporary}", 1)
    path = folder / "nginx.conf"
    own = f"daemon off;\nuser {getpass.getuser()};\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
    path.write_text(own + text, encoding="utf-8")
    return path


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    """A service behind a proxy."""
    process = ServiceProcess(tmp_path / "data", BASTIDE_PROXIES="1", BASTIDE_LIMITS="off")
    yield process
    process.end()


@pytest.fixture
def port(service: ServiceProcess, tmp_path: Path) -> Iterator[int]:
    """The port of an nginx in front of it."""
    assert NGINX is not None
    port = free_ports(1)[0]
    config = own_file(tmp_path, port, service.port)
    with subprocess.Popen([NGINX, "-p", str(tmp_path), "-c", str(config)]) as process:
        until(lambda: answers(port))
        yield port
        process.send_signal(signal.SIGTERM)


def answers(port: int) -> bool:
    """Whether nginx and the service respond."""
    try:
        return get(port, "/livez")[0] == 200
    except OSError:
        return False


def get(port: int, path: str, encoding: str = "identity") -> tuple[int, str]:
    """Status and text of a response; checks that its encoding was accepted."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers={"Accept-Encoding": encoding, "Host": "localhost"})
        response = connection.getresponse()
        assert response.getheader("Content-Encoding", "identity") in ("identity", *encoding.split(", "))
        return response.status, response.read().decode("utf-8", "replace")
    finally:
        connection.close()


def is_gone(port: int, link: str) -> bool:
    """Whether an address is 410."""
    return get(port, link)[0] == 410


def watch(port: int, link: str, number: int) -> int:
    """Load a view's page twice and its drawing, like a watcher; returns the drawing's version."""
    status, page = get(port, link)
    found = re.search(r'src="(/p/[^"]+/(\d+)\.\w+\.svg[^"]*)"', page)
    assert (status, found is not None) == (200, True)
    assert found is not None
    assert get(port, link, ENCODINGS[number % len(ENCODINGS)])[0] == 200
    assert get(port, found[1], ENCODINGS[number % len(ENCODINGS)])[0] == 200
    return int(found[2])


def test_two_thousand_watchers_are_three_requests_a_second(service: ServiceProcess, port: int, tmp_path: Path) -> None:
    """The worker gets at most one request a second for each address, and draws each version once. The control: requests
    for anything but public views all reach it.
    """
    status, table = service.ask("POST", "/api/v1/tables", {"game": "villefranche"})
    assert status == 201
    key = {"Authorization": f"Bearer {table['keys']['host']}"}
    status, view = service.ask("POST", f"/api/v1/tables/{table['id']}/views", {"label": "Club"}, **key)
    link = "/p/" + view["link"].rpartition("/p/")[2]
    began, versions = time.monotonic(), {2}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for version, move in enumerate(("r b1c1", "r b9c9", "h e4", "r d1e1"), start=2):
            seen = set(pool.map(lambda number: watch(port, link, number), range(WATCHERS // 4)))
            assert seen <= versions
            there = f"/api/v1/tables/{table['id']}/moves"
            status, _ = service.ask("POST", there, {"move": move}, **key, **{"If-Match": f'"{version}"'})
            assert status == 201
            versions.add(version + 1)
    seconds = time.monotonic() - began
    for _ in range(5):
        get(port, "/api/v1/games")
    log, reached = tmp_path / "access.log", dict[str, Any]()
    until(lambda: log.read_text().count("/api/v1/games") == 5)  # nginx logs a request after its response
    for line in log.read_text().splitlines():
        how, path = line.split(" ", 1)
        if how != "HIT" and how != "UPDATING":
            reached[path] = reached.get(path, 0) + 1
    drawings = {path: times for path, times in reached.items() if ".svg" in path}
    assert set(drawings.values()) == {1}
    assert reached[link] <= seconds + 2
    assert sum(reached.values()) <= MOST_A_SECOND * (seconds + 2)
    assert reached["/api/v1/games"] == 5


@pytest.mark.parametrize("ends", ["the view", "the table"])
def test_what_ended_leaves_the_cache(service: ServiceProcess, port: int, ends: str) -> None:
    """Once one watcher gets 410 for a revoked view or deleted table, all of them do."""
    _, table = service.ask("POST", "/api/v1/tables", {"game": "villefranche"})
    key, path = {"Authorization": f"Bearer {table['keys']['host']}"}, f"/api/v1/tables/{table['id']}"
    _, view = service.ask("POST", f"{path}/views", {"label": "Club"}, **key)
    links = ["/p/" + view["link"].rpartition("/p/")[2], f"/api/v1/views/{view['id']}"]
    assert {get(port, link)[0] for link in links} == {200}
    connection = http.client.HTTPConnection("127.0.0.1", service.port)
    connection.request("DELETE", f"{path}/views/1" if ends == "the view" else path, headers=key)
    assert connection.getresponse().status == 204
    connection.close()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for link in links:
            until(partial(is_gone, port, link))
            assert set(pool.map(partial(is_gone, port), [link] * (WATCHERS // 4))) == {True}
