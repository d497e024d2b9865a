"""A Redis of the tests' own, that can be frozen, killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Self

from service.ledger import Ledger
from service.supervisor import server_options, server_program


class RedisServer:
    """A Redis server on a unix socket in a folder of its own, ended by its id."""

    def __init__(self, *options: str, program: str | None = None, folder: Path | None = None) -> None:
        # Not pytest's own temporary folder: a socket's path has to be short.
        self.folder = folder or Path(tempfile.mkdtemp(prefix="bastide-"))
        self.socket = self.folder / "s"
        self.url = f"unix://{self.socket}"
        self.options = options
        self.program = program or server_program()
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def durable(cls) -> Self:
        """A server that has every entry on the disk before it answers, as the service's own has."""
        folder = Path(tempfile.mkdtemp(prefix="bastide-"))
        return cls(*server_options(folder, folder / "s"), folder=folder)

    @property
    def pid(self) -> int:
        """The id of the process that runs now."""
        assert self._process is not None, "not started"
        return self._process.pid

    def command(self) -> Sequence[str]:
        """The words it is started with."""
        fixed = ["--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.folder)]
        return [self.program, *fixed, "--save", "", *self.options]

    def start(self) -> Self:
        """Start it and return once it answers; raises `ChildProcessError` when it ends instead."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        with closing(Ledger(self.url)) as ledger:
            while not ledger.ping():
                if self._process.poll() is not None:
                    raise ChildProcessError((self.folder / "log").read_text()[-2000:])
        return self

    def kill(self) -> None:
        """End it as a power cut would: it does not notice."""
        self._send(signal.SIGKILL)

    def freeze(self) -> None:
        """Stop it from running; it keeps its connections and answers nothing."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it run on: it does what was asked of it meanwhile."""
        os.kill(self.pid, signal.SIGCONT)

    def close(self) -> None:
        """End it and remove its folder."""
        if self._process is not None and self._process.poll() is None:
            self._send(signal.SIGKILL)
        shutil.rmtree(self.folder)

    def _send(self, number: int) -> None:
        assert self._process is not None, "not started"
        self._process.send_signal(number)
        self._process.wait(30)
