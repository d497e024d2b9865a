"""Draws an SVG document as PNG. The letters are our own font's, so that no picture depends on the machine."""

from __future__ import annotations

import re
from math import sqrt
from pathlib import Path
from typing import Final

from resvg_py import svg_to_bytes

from rules.steps import spend
from service.runtime.budget import OUTPUT_BYTES, PIXELS_A_STEP

PIXELS: Final = 640_000
"""Pixels of a picture, whatever its shape: 800 × 800, which takes a tenth of a second. Nothing else runs meanwhile."""
FAMILY: Final = "DejaVu Sans"
FONTS: Final = [str(file) for file in sorted((Path(__file__).parents[1] / "fonts").glob("*.ttf"))]
SIZE: Final = re.compile(r' width="([0-9.]+)" height="([0-9.]+)"')


def png(svg: str) -> bytes:
    """One of our SVG documents as PNG, on white. Raises `TooMuch` before it draws.

    A sign that the font lacks is drawn as an empty box. Nothing but the font is read from files or addresses.
    """
    spend(PIXELS // PIXELS_A_STEP + len(svg) // OUTPUT_BYTES)
    size = SIZE.search(svg)
    if size is None:
        raise ValueError("the document does not say its size")
    wide, high = map(float, size.groups())
    return svg_to_bytes(
        svg_string=svg,
        width=max(1, int(sqrt(PIXELS * wide / high))),
        background="white",
        skip_system_fonts=True,
        font_files=FONTS,
        sans_serif_family=FAMILY,
        serif_family=FAMILY,  # what an unknown family falls back to
    )
