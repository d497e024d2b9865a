"""Kinds of entries that a log of the first version does not have."""

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
