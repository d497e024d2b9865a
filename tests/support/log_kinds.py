"""Kinds of entries that logs of the first version lack."""

from __future__ import annotations

LATER = (
    "disputed",
    "confirmed",
    "settled",
    "readings",
    "amended",
    "checkpoint",
    "rolled",
    "renamed",
    "view_made",
    "view_revoked",
    "key_made",
    "key_revoked",
)
