"""``bastide serve``: the service on this machine, with a private Redis unless one is named, until it is interrupted."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, closing
from types import FrameType
from typing import Final, TextIO

import segno

from service.config import Settings, lan_address
from service.errors import StoreAway
from service.ledger import Ledger
from service.startup import CannotServe, NoServer, Unfit, strangers
from service.supervisor import PrivateRedis

APPLICATION: Final = "service.app:create_app()"
TENDING: Final = 2.0
"""Seconds between two looks at whether the private Redis is alive."""
LISTENING: Final = 0.05
"""Seconds between two looks at whether the service listens."""


def serve(settings: Settings, out: TextIO = sys.stdout) -> int:
    """Serve until interrupted or ended; the exit status of the server. Raises `CannotServe`."""
    _check(settings)
    with ExitStack() as stack:
        try:
            url = settings.redis_url or _private_redis(settings, stack, out)
            with closing(Ledger(url)) as ledger:
                ledger.check()
        except (NoServer, Unfit) as error:
            raise CannotServe(str(error)) from error
        except StoreAway as error:
            raise CannotServe(f"Redis does not answer at REDIS_URL: {error}") from error
        return _run(settings, url, out)


def _check(settings: Settings) -> None:
    if foreign := strangers():
        listed = "; ".join(f"{name} comes from {origin}" for name, origin in foreign.items())
        raise CannotServe(
            f"Another package has taken the place of one of Bastide's: {listed}. Use an environment of its own."
        )
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", settings.port))  # noqa: S104 - the phones at the table are to reach it
        except OSError as error:
            raise CannotServe(
                f"Port {settings.port} cannot be used ({error.strerror}): choose another with PORT."
            ) from error


def _private_redis(settings: Settings, stack: ExitStack, out: TextIO) -> str:
    """Start or join the private Redis; its address. It is left at the end, and looked after until then."""
    private = PrivateRedis(settings.data)
    private.start()
    stack.callback(private.stop)
    left = threading.Event()

    def tend() -> None:
        while not left.wait(TENDING):
            try:
                if private.tend():
                    print("The private Redis had ended; it runs again.", file=out, flush=True)
            except NoServer as error:
                print(error, file=out, flush=True)

    tender = threading.Thread(target=tend, daemon=True)
    tender.start()
    stack.callback(tender.join)
    stack.callback(left.set)
    print(f"Games are kept in {private.folder}", file=out, flush=True)
    return private.url


def _run(settings: Settings, url: str, out: TextIO) -> int:
    command = [sys.executable, "-P", "-m", "gunicorn", "--config", "python:service.gunicorn_conf", APPLICATION]
    environment = os.environ | {"REDIS_URL": url, "PORT": str(settings.port)}
    server = subprocess.Popen(command, env=environment)  # noqa: S603 - our own server

    def end(_number: int, _frame: FrameType | None) -> None:
        server.terminate()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    if _listens(server, settings.port):
        announce(settings.port, out)
    return server.wait()


def _listens(server: subprocess.Popen[bytes], port: int) -> bool:
    """Wait until the server accepts connections; False if it ends instead."""
    while True:
        try:
            server.wait(LISTENING)
        except subprocess.TimeoutExpired:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
            except OSError:
                continue
            return True
        return False


def announce(port: int, out: TextIO) -> None:
    """Say where Bastide is to be found, with a code for the phones."""
    print(f"\nBastide is at  http://localhost:{port}/", file=out)
    if address := lan_address():
        url = f"http://{address}:{port}/"
        print(f"On phones in the same network:  {url}", file=out)
        segno.make(url, error="m").terminal(out, compact=True)
    print("Ctrl-C ends it.", file=out, flush=True)
