"""Whether this worker is ending: it answers what it has, keeps nobody waiting, and tells its balancer.

When the workers are renewed, an old one goes on until a new one can take over: to load the application takes a second
or more. The two bytes by which they know of each other are shared by all processes that are forked from this one.
"""

from __future__ import annotations

import mmap

_begun = False
_shared = mmap.mmap(-1, 2)
"""The number of the last renewal, and that of the last one of which a worker is ready; both go round after 255."""


def begin() -> None:
    """From now on the worker is ending. Safe in a handler of signals."""
    global _begun  # noqa: PLW0603 - one worker is one process, and it ends once
    _begun = True


def begun() -> bool:
    """Whether the worker is ending."""
    return _begun


def renew() -> None:
    """New workers are about to be made. gunicorn's own process calls this."""
    _shared[0] = (_shared[0] + 1) % 256


def renewal() -> int:
    """The number of the last renewal: the one that a worker belongs to which is made now."""
    return _shared[0]


def take_over(number: int) -> None:
    """A worker of this renewal is ready."""
    _shared[1] = number


def awaited(number: int) -> bool:
    """Whether a worker of this renewal has been replaced by one that is not ready yet."""
    return number != _shared[0] != _shared[1]
