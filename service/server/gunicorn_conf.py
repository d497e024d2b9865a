"""gunicorn's settings: ``gunicorn --config python:service.gunicorn_conf 'service.app:create_app()'`` (see Procfile).

This module is imported before the worker patches the sockets, so it imports nothing that would use the old ones. The
application is loaded once, and the workers are forked from it, so that gunicorn replaces a killed worker at once.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import segno

from service.addresses import host_in_url
from service.config import Settings, lan_address
from service.runtime.shutdown import ACCEPT_SECONDS, ENDING_SIGNALS
from service.server.metrics_server import MetricsServer
from service.startup import SERVED_VARIABLE, BadSetting, CannotServe, refuse_strangers
from service.storage.private_redis import keeper_start

if TYPE_CHECKING:
    from types import FrameType

    from gunicorn.arbiter import Arbiter
    from gunicorn.workers.base import Worker

try:
    _settings = Settings.of()
except BadSetting as error:
    raise SystemExit(str(error)) from error

_metrics = MetricsServer(*_settings.metrics) if _settings.metrics else None

SPARE_FILES: Final = 400
"""Files that a worker opens besides its clients' connections: mostly connections to Redis."""

chdir = str(Path(__file__).resolve().parents[2])
"""The folder of our own packages: gunicorn imports the application from here first."""
bind = f"{host_in_url(_settings.bind)}:{_settings.port}"
preload_app = True
worker_class = "service.server.worker.Worker"
logger_class = "service.server.request_log.RequestLog"
workers = _settings.workers
worker_connections = _settings.connections
keepalive = 5
"""Seconds for the head of a request, and between two requests."""
graceful_timeout = ACCEPT_SECONDS + 6
"""Seconds to shut down: a worker accepts connections, then lets clients finish for longer than `keepalive`."""
control_socket_disable = True
"""No socket in the user's home through which a running server can be changed."""
forwarded_allow_ips = ""
"""gunicorn trusts no proxy about https: the application itself checks the proxies in its settings."""
limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 6142
"""Bytes: one cookie of the length that browsers store at most (4,096), and the cookies of these pages."""
if Path("/dev/shm").is_dir():  # noqa: S108 - for the workers' heartbeats, which a slow disk must not delay
    worker_tmp_dir = "/dev/shm"  # noqa: S108 - see above


def nworkers_changed(_: Arbiter, _new: int, before: int | None) -> None:
    """Refuse to start without a store. Of gunicorn's hooks, only this one runs before the application is loaded.

    So it installs signal handlers: gunicorn's own come later, and the first process of a container ignores signals
    that it does not handle.
    """
    if before is not None:
        return
    gc.disable()  # until `when_ready`: what is loaded by then is never garbage, and a scan takes a tenth of the start
    for number in ENDING_SIGNALS:
        signal.signal(number, _end_at_once)
    try:
        if SERVED_VARIABLE not in os.environ:
            refuse_strangers()
        if _settings.redis_url:
            _refuse_games()
    except CannotServe as error:
        raise SystemExit(str(error)) from error
    if not _settings.redis_url:
        raise SystemExit("REDIS_URL is not set. `bastide serve` starts a private Redis; gunicorn alone does not.")


def _refuse_games() -> None:
    """Refuse games of other packages that lack something. Raises `CannotServe`."""
    from service.guest_games import refuse_games  # noqa: PLC0415  # not before the sockets are cooperative

    refuse_games()
    from service.app import check_pages  # noqa: PLC0415  # see above; and not before the games can be loaded

    check_pages()


def _end_at_once(_number: int, _frame: FrameType | None) -> None:
    """Exit before there is a worker: there are no requests yet, and the keeper of Redis notices the exit.

    The running code might catch an exception.
    """
    os._exit(0)


def on_starting(server: Any) -> None:
    """Refuse to start on a store that would lose games; only warn if the store is unreachable.

    SIGHUP ends the server, as SIGTERM does: new code needs a restart, and closing the terminal ends the server, too.
    """
    server.handle_hup = server.handle_term
    os.register_at_fork(after_in_parent=_unblock_signals)
    _open_files(server)
    if _metrics:
        try:
            _metrics.prepare()
        except BadSetting as error:
            raise SystemExit(str(error)) from error
    if SERVED_VARIABLE in os.environ:
        return
    command = [sys.executable, "-m", "service.cli", "check"]
    done = subprocess.run(command, cwd=chdir, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode == 1:
        server.log.warning(done.stderr.strip())
    elif done.returncode:
        raise SystemExit(done.stderr.strip())
    for line in done.stdout.splitlines():
        server.log.info(line)


def when_ready(server: Any) -> None:
    """Prepare for the first worker, and print the address of Bastide. From now on watch the keeper."""
    from service.app import warm  # noqa: PLC0415  # not before the sockets are cooperative

    warm(server.app.wsgi())
    # What was loaded is never garbage. The collector must not scan it again, which would also copy it into the memory
    # of each worker. It does not scan it first either: loading leaves half a megabyte of garbage, and the pages that
    # this would free are those that each worker then writes to.
    gc.enable()
    gc.freeze()
    keeper_start.watch(server)
    if _metrics:
        _metrics.replace()
        keeper_start.watch_child(server, _metrics, "What serves the metrics")
    if SERVED_VARIABLE in os.environ:
        _say_where()


def child_exit(_: Arbiter, worker: Worker) -> None:
    """Drop the gauges of a worker that has ended."""
    if _metrics:
        _metrics.forget(int(worker.pid))


def pre_fork(_: Arbiter, _worker: object) -> None:
    """Block signals until the worker has its own handlers; with those of its parent, it would never end."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING_SIGNALS)


def _unblock_signals() -> None:
    """Unblock signals in the process that has forked a worker."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING_SIGNALS)


def _say_where() -> None:
    """Print the address of Bastide, with a QR code for phones."""
    here = "localhost" if _settings.bind.is_unspecified or _settings.bind.is_loopback else host_in_url(_settings.bind)
    print(f"\nBastide is at  http://{here}:{_settings.port}/")
    if address := lan_address(str(_settings.bind)):
        url = f"http://{address}:{_settings.port}/"
        print(f"On phones in the same network:  {url}")
        segno.make(url, error="m").terminal(compact=True)
    if _metrics:
        print(f"Metrics are at  {_metrics.url}")
    print("Ctrl-C ends it.", flush=True)


def on_exit(_: Arbiter) -> None:
    """Tell the keeper of the private Redis that the server ends, and wait for the keeper to finish."""
    if _metrics:
        _metrics.end()
    keeper_start.end()


def _open_files(server: Any) -> None:
    """Allow this process and its workers as many open files as their connections need, if the system does."""
    wanted = _settings.connections + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        server.log.warning(
            "The system allows %d open files: fewer than %d connections.", allowed, _settings.connections
        )
