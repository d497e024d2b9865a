"""A server that begins anew without anybody noticing: new code, in the same process, on the same sockets.

The workers are forked from a process that has loaded the application, so new workers alone would run the old code. The
process executes itself again instead, and keeps its sockets; its workers go on meanwhile. As soon as the application is
loaded, they end, and new ones take over. gunicorn's own way (USR2) makes a second server beside the first, which would
have to be ended by hand, and of which neither systemd nor the tender of the private Redis would know.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any, Final

RELIEVED: Final = "BASTIDE_RELIEVED"
"""Set for a server that has begun anew: the processes of its old workers."""
SIGNALS: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)
"""Signals that wait while nobody is there to handle them."""

LOADING: Final = 60
"""Seconds that new code may take to be loaded. The server hears no signal meanwhile."""


def renewed() -> bool:
    """Whether this server has begun anew, and still has its old workers."""
    return RELIEVED in os.environ


def begin_anew(server: Any) -> None:
    """Execute the running server again, where its code can be loaded; else say why not, and return."""
    command = [sys.executable, *sys.orig_argv[1:]]
    where = server.START_CTX["cwd"]
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # what was heard but not handled would be forgotten
    wrong = _wrong([*command, "--check-config"], where)
    if wrong is not None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        server.log.error("The code that is there now cannot be loaded; the old one goes on.\n%s", wrong)
        return
    environment = os.environ | {
        # As gunicorn hands its sockets on to a server that takes over from it.
        "GUNICORN_PID": str(os.getpid()),
        "GUNICORN_FD": ",".join(str(listener.fileno()) for listener in server.LISTENERS),
        RELIEVED: ",".join(map(str, server.WORKERS)),
    }
    os.chdir(where)
    os.execve(sys.executable, command, environment)  # noqa: S606 - our own


def _wrong(command: list[str], where: str) -> str | None:
    """What a command says is wrong, or that it does not end; None where nothing is."""
    try:
        tried = subprocess.run(  # noqa: S603 - our own
            command, cwd=where, capture_output=True, text=True, check=False, timeout=LOADING
        )
    except subprocess.TimeoutExpired:
        return f"It was not loaded within {LOADING} seconds."
    return tried.stderr.strip() if tried.returncode else None


def relieve() -> None:
    """Let the old workers end, now that new ones are there at once, and handle what signals have come meanwhile."""
    for process in os.environ.pop(RELIEVED).split(","):
        with suppress(ProcessLookupError, ValueError):  # none was left, or it has ended
            os.kill(int(process), signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
