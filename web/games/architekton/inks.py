"""The inks of Architekton: landscapes and their drawings."""

from __future__ import annotations

from collections.abc import Mapping

from web.board.inks import Ink, ink, text_ink

MARK = "#1d1a14"
MARK_BY_NIGHT = "#0b0a07"


def tile(fill: str, dark: str, width: float = 2) -> Ink:
    """The ink of a tile or of its print, with its edge."""
    return ink(fill, "#4b3a22", width, dark=dark, dark_edge="#15120c")


INKS: Mapping[str, Ink] = {
    "earth": tile("#d9a066", "#a06f3d"),
    "meadow": tile("#b7d36a", "#7f983d"),
    "water": tile("#8fc1e3", "#4f86ab"),
    "forest": tile("#6fa36a", "#47744a"),
    "plot": tile("#efe6d2", "#b9ad92", 3),
    "motif": ink("none", MARK, 2, dark=MARK_BY_NIGHT),
    "motif-full": ink(MARK, dark=MARK_BY_NIGHT),
    "letter": text_ink(MARK, dark=MARK_BY_NIGHT),
}
