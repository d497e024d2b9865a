"""The shutdown of a worker: it tells its balancer first, and accepts connections for a few more seconds."""

from __future__ import annotations

import signal
from typing import Final

ENDING_SIGNALS: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
"""The signals that end a server: SIGINT and SIGQUIT at once, the others once its clients have their answers."""
ACCEPT_SECONDS: Final = 4
"""Seconds in which a worker that ends takes connections: a balancer that looks every two has seen it by then."""

_is_ending = False


def begin() -> None:
    """From now on the worker is ending. Safe in a handler of signals."""
    global _is_ending  # noqa: PLW0603  # one flag of the process, set by a handler of signals
    _is_ending = True


def has_begun() -> bool:
    """Whether the worker is ending."""
    return _is_ending
