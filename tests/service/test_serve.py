"""`bastide serve` as users start it: a private Redis, a printed address, and no process left at the end."""

from __future__ import annotations

import http.client
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from service.config import lan_address
from tests.support.redis_server import RedisServer, free_ports, until
from tests.support.service_process import ROOT, SERVE, ServiceProcess, runs

Start = Callable[..., "ServiceProcess"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts services on one data folder, and ends those that a test leaves running."""
    started: list[ServiceProcess] = []

    def start(command: Sequence[str] = SERVE, **settings: str) -> ServiceProcess:
        started.append(ServiceProcess(tmp_path / "data", command, **settings))
        return started[-1]

    yield start
    for served in started:
        if served.process.poll() is None:
            served.end()


@pytest.mark.parametrize(
    ("bind", "heard", "shown"),
    [("127.0.0.1", {"127.0.0.1"}, False), ("::1", {"::1"}, False), ("::", {"127.0.0.1", "::1"}, True)],
)
def test_it_listens_where_it_is_told(bind: str, heard: set[str], shown: bool, start: Start) -> None:
    """The service listens only where configured, and prints an address for phones only if they can reach it."""
    served = start(BASTIDE_BIND=bind)
    for address in ("127.0.0.1", "::1"):
        connection = http.client.HTTPConnection(address, served.port, timeout=120)
        try:
            connection.request("GET", "/livez")
            assert (connection.getresponse().status, address in heard) == (200, True)
        except ConnectionRefusedError:
            assert address not in heard
        finally:
            connection.close()
    text = "\n".join(served.first_lines)
    assert f"http://localhost:{served.port}/" in text
    lan = lan_address(bind)
    assert ("On phones" in text) is (shown and lan is not None)
    assert lan is None or f"http://{lan}:{served.port}/" in text


def test_an_address_of_another_machine_is_named(tmp_path: Path) -> None:
    """An address that is not this machine's is refused with the setting's name, before anything is created."""
    command = [sys.executable, "-m", "service.cli", "serve"]
    own = {"PORT": str(free_ports(1)[0]), "BASTIDE_DATA": str(tmp_path / "data"), "BASTIDE_BIND": "192.0.2.1"}
    done = subprocess.run(command, env=os.environ | own, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "BASTIDE_BIND" in done.stderr
    assert not (tmp_path / "data").exists()


def test_it_ends_cleanly_and_keeps_the_games(start: Start, tmp_path: Path) -> None:
    """`bastide serve` prints its address and data folder, and is ready. SIGTERM ends it and its Redis.

    Started again, it has the table with its move. Ctrl-C ends it as well.
    """
    served = start()
    text = "\n".join(served.first_lines)
    assert f"http://localhost:{served.port}/" in text
    assert str(tmp_path / "data") in text
    if address := re.search(r"On phones .*(http://\S+)", text):
        assert address[1].endswith(f":{served.port}/")
        assert "▀" in text, "no code to photograph"
    for path in ("/livez", "/readyz"):
        assert served.ask("GET", path)[0] == 200
    path, keys = served.table()
    key = f"Bearer {keys['host']}"
    change = {"Authorization": key, "If-Match": '"1"', "Idempotency-Key": "tap"}
    assert served.ask("POST", f"{path}/moves", {"move": "r b9c9"}, **change)[0] == 201
    assert served.end(signal.SIGTERM) == 0
    assert not runs(tmp_path / "data")
    again = start()
    status, found = again.ask("GET", path, Authorization=key)
    assert (status, found["version"]) == (200, 2)
    status, replayed = again.ask("POST", f"{path}/moves", {"move": "r b9c9"}, **change)
    assert replayed["version"] == 2
    assert again.end(signal.SIGINT) == 0
    assert not runs(tmp_path / "data")


def test_services_share_the_games(start: Start, tmp_path: Path) -> None:
    """Services on one data folder read each other's tables, and Redis runs until the last has ended.

    When a service is killed, its workers end, and Redis only once no other service uses it.
    """
    one, two = start(), start()
    path, keys = one.table()
    key = f"Bearer {keys['watch']}"
    assert two.ask("GET", path, Authorization=key)[0] == 200
    assert one.end() == 0
    assert runs(tmp_path / "data")
    three = start()
    assert two.end(signal.SIGKILL) == -signal.SIGKILL
    assert runs(tmp_path / "data")
    assert three.ask("GET", path, Authorization=key)[0] == 200
    three.end(signal.SIGKILL)
    assert not runs(tmp_path / "data")


def keepers(served: ServiceProcess) -> list[int]:
    """The process ids of its Redis keepers: one, but for a moment."""
    command = ["pgrep", "-P", str(served.process.pid), "-f", "service.storage.private_redis.keeper"]
    return [int(each) for each in subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.split()]


def test_a_killed_tender_has_a_successor(start: Start, tmp_path: Path) -> None:
    """A killed keeper is replaced, with a message, and the new one restarts a Redis that dies. Nothing is left running
    at the end.
    """
    served = start()
    path, keys = served.table()
    number = tmp_path / "data" / "server.pid"
    redis = number.read_text()
    [keeper] = keepers(served)
    os.kill(keeper, signal.SIGKILL)
    until(lambda: keepers(served) not in ([], [keeper]))
    assert "another one is started" in served.until("tends the private Redis")[-1]
    assert number.read_text() == redis, "the Redis that runs is taken over"
    os.kill(int(redis), signal.SIGKILL)
    until(lambda: served.ask("GET", "/readyz")[0] == 200 and number.read_text() != redis)
    assert served.ask("GET", path, Authorization=f"Bearer {keys['watch']}")[0] == 200
    # Killed at the end, before the server can notice: yet another one ends Redis.
    served.process.send_signal(signal.SIGSTOP)
    os.kill(keepers(served)[0], signal.SIGKILL)
    served.process.send_signal(signal.SIGTERM)
    assert served.end(signal.SIGCONT) == 0
    assert not runs(tmp_path / "data")


def test_a_closed_terminal_ends_it(tmp_path: Path) -> None:
    """When its terminal is closed, the service and its Redis end."""
    folder = tmp_path / "data"
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"PORT": str(free_ports(1)[0]), "BASTIDE_DATA": str(folder)}
        os.environ.pop("REDIS_URL", None)
        os.execv(sys.executable, [sys.executable, "-m", "service.cli", "serve"])  # noqa: S606 - our own
    said = b""
    while b"Booting worker" not in said:
        said += os.read(terminal, 10_000)
    assert runs(folder)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not runs(folder)


def commands() -> Iterator[tuple[str, list[str], dict[str, str]]]:
    """The commands of the Procfile and of the systemd unit: source, arguments, environment."""
    line = (ROOT / "Procfile").read_text().removeprefix("web: ")
    yield "Procfile", ["sh", "-c", f"exec {line}"], {}
    unit = (ROOT / "deploy" / "bastide.service").read_text()
    (line,) = re.findall(r"^ExecStart=/opt/bastide/.venv/bin/(.*)$", unit, re.MULTILINE)
    program, *options = line.split()
    (variables,) = re.findall(r"^Environment=(.*)$", unit, re.MULTILINE)
    own = dict(variable.split("=") for variable in variables.split())
    yield "unit", [str(Path(sys.executable).with_name(program)), *options], own


@pytest.mark.parametrize(("words", "own"), [pytest.param(*each, id=name) for name, *each in commands()])
def test_it_starts_as_procfile_and_unit_say(
    words: list[str], own: dict[str, str], start: Start, own_redis: Callable[..., RedisServer], tmp_path: Path
) -> None:
    """With a store and a port, either command serves the configured host, and starts no Redis of its own."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    given = {"REDIS_URL": own_redis().url, "BASTIDE_HOSTS": "play.example.org", "PATH": path}
    served = start(words, **own, **given)
    until(lambda: served.ask("GET", "/readyz", Host="play.example.org")[0] == 200)
    assert not (tmp_path / "data").exists()
    assert served.end() == 0


def test_gunicorn_alone_needs_a_store() -> None:
    """The Procfile's command without REDIS_URL says what is missing instead of failing at the first request."""
    procfile = (ROOT / "Procfile").read_text()
    command = procfile.removeprefix("web: gunicorn ").replace('"', "").split()
    environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    done = subprocess.run(
        [sys.executable, "-m", "gunicorn", *command], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "REDIS_URL is not set" in done.stderr
    assert "Traceback" not in done.stderr
