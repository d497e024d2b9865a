"""Estimates the width of a line of text: the server has no font, and a drawing has no script to measure it.

It assumes letters as wide as those of a bold DejaVu Sans, which is wider than the fonts of phones. So a text fits
if the estimate does.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final
from unicodedata import category, east_asian_width

from rules.old_names import old_attributes
from web.browser.bidi import close_isolates

SLIM: Final = frozenset(" iIjJlftr.,:;'’!|()[]/\\-")
"""Signs that are at most half as wide as their size."""
BROAD: Final = frozenset("MWmw%@–—…œŒæÆ")
BROADEST: Final = frozenset("ЖЩШЮФЫМжщшюфыҖҘԶѾѿﷲﷳ")
LATIN: Final = "\u0370"
"""The first sign of other alphabets, none of whose letters counts as slim."""
LIGATURES: Final = "\ufdf0", "\ufdff"
"""Whole phrases of Arabic in one sign."""
REGULAR: Final = 0.95
"""The maximum width of a sign in regular type, relative to bold type."""
ELLIPSIS: Final = "…"


def _ems(sign: str) -> float:
    """The width of a sign, in units of its type size."""
    kind = category(sign)
    if kind in ("Mn", "Me", "Cf"):  # it stands on the sign before, or only formats it
        return 0
    if sign in SLIM:
        return 0.5
    if LIGATURES[0] <= sign <= LIGATURES[1]:
        return 12
    if sign in BROADEST or kind == "So":
        return 1.35
    if sign in BROAD or sign >= LATIN or east_asian_width(sign) in "WF":
        return 1.12
    return 0.74 if kind == "Ll" else 0.88


def width(text: str, *, bold: bool = True) -> float:
    """The maximum width of a line, in units of its type size."""
    return sum(map(_ems, text)) * (1 if bold else REGULAR)


def fit_text(text: str, room: float, size: float, least: float, *, bold: bool = True) -> tuple[str, float]:
    """A line and the type size in which it fits: the `size` wanted, or a smaller one. If even the `least` is too large,
    the line ends with an ellipsis.
    """
    fits = min(size, room / max(1, width(text, bold=bold)))
    if fits >= least:
        return text, round(fits, 2)
    left = room / least / (1 if bold else REGULAR) - _ems(ELLIPSIS)
    count = sum(1 for width_so_far in accumulate(map(_ems, text)) if width_so_far <= left)
    return close_isolates(text[:count].rstrip(" ,;:-\u200d") + ELLIPSIS), least


def wrap_text(text: str, room: float, size: float, *, bold: bool = True) -> list[str]:
    """A text broken into lines that fit in type of this size; a long word is not broken."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, bold=bold) * size <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        fitted="fit_text",
    )
