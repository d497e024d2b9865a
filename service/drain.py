"""Whether this worker is ending: it answers what it has, keeps nobody waiting, and tells its balancer."""

from __future__ import annotations

_begun = False


def begin() -> None:
    """From now on the worker is ending. Safe in a handler of signals."""
    global _begun  # noqa: PLW0603 - one worker is one process, and it ends once
    _begun = True


def begun() -> bool:
    """Whether the worker is ending."""
    return _begun
