"""The shutdown of a worker: it tells its balancer first, and accepts connections for a few more seconds."""

from __future__ import annotations

import signal
from typing import Final

ENDING_SIGNALS: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
"""The signals that end a server: SIGINT and SIGQUIT at once, the others once its clients have their answers."""
ACCEPT_SECONDS: Final = 4
"""Seconds of shutdown in which a worker accepts connections: balancers that check every two notice it by then."""

_is_ending = False


def begin() -> None:
    """Begin the shutdown of the worker. Safe in a signal handler."""
    global _is_ending  # noqa: PLW0603  # one flag of the process, set by a handler of signals
    _is_ending = True


def has_begun() -> bool:
    """Whether the worker is shutting down."""
    return _is_ending
