"""Draws a QR code."""

from __future__ import annotations

from typing import Final

import segno

from rules.records import dataclass

BORDER: Final = 4
"""The quiet zone around a code in modules, as the standard requires."""


@dataclass(frozen=True, slots=True)
class QrCode:
    """A QR code as the path of an SVG of `size` by `size` units."""

    size: int
    path: str


def qr_code(text: str) -> QrCode:
    """Draw a QR code: one path, a square for each dark module."""
    rows = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
    path = "".join(
        f"M{x + BORDER} {y + BORDER}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return QrCode(len(rows) + 2 * BORDER, path)
