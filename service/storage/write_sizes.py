"""Estimates the bytes that a request adds to Redis, from measurements (`tests/service/test_filling.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

LOG: Final = 4_800
"""Bytes of a log before its first entry, with its mark: a stream reserves memory."""
REQUEST: Final = 120
"""The bytes of a stored request, without its key and its fingerprint."""
ENTRY: Final = 28
"""Bytes of an entry besides its payload, …"""
SPARE: Final = 8
"""… of which an eighth is reserved in addition."""


@dataclass(slots=True)
class WriteSize:
    """The bytes that a request has added to Redis so far."""

    bytes: int = 0


_present: ContextVar[WriteSize | None] = ContextVar("filling", default=None)


def size_of(payloads: Sequence[bytes], key: str, fingerprint: str, *, opens: bool) -> int:
    """The bytes that an append takes in Redis; `opens`: it is the first of its log."""
    entries = sum(len(payload) + len(payload) // SPARE + ENTRY for payload in payloads)
    return entries + REQUEST + len(key) + len(fingerprint) + (LOG if opens else 0)


def add_bytes(size: int) -> None:
    """Count bytes that Redis stores from now on."""
    filling = _present.get()
    if filling is not None:
        filling.bytes += size


@contextmanager
def count() -> Iterator[WriteSize]:
    """Count the bytes of the writes in this context.

    >>> with count() as filling:
    ...     fill(3)
    ...     filling.bytes
    3
    """
    filling = WriteSize()
    token = _present.set(filling)
    try:
        yield filling
    finally:
        _present.reset(token)
