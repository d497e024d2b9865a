"""The inks of Fief: villages in fiefs and bishoprics, and their pieces."""

from __future__ import annotations

from collections.abc import Mapping

from web.board.inks import LABEL, LABEL_BY_NIGHT, REVERSED_STYLE, ROUND, ROUND_ENDS, Ink, faint, ink, text_ink

DOMAINS = (
    ("#e6a79a", "#b5786c"),
    ("#ece0c0", "#b9ab87"),
    ("#cfb0d8", "#9b7ca6"),
    ("#c4dd9b", "#8fa968"),
    ("#ecd06a", "#b89a3a"),
    ("#f0b274", "#bd8148"),
    ("#8fb58a", "#5f875b"),
    ("#a9c6e6", "#7495b8"),
)
"""The colours of the fiefs, by day and by night."""

INKS: Mapping[str, Ink] = {
    "road": faint("#a08a64", 9, dark="#7d6c4e", style=ROUND_ENDS),
    "village-name": ink(
        LABEL,
        "#e9e4d6",
        6,
        dark=LABEL_BY_NIGHT,
        dark_edge="#37342c",
        forced_colours=REVERSED_STYLE,
        style={"font-weight": "600", "paint-order": "stroke", "font-family": "system-ui, sans-serif"},
    ),
    **{f"domain-{number}": ink(fill, "#4b3a22", 3, dark=dark) for number, (fill, dark) in enumerate(DOMAINS, 1)},
    "domain-name": text_ink(LABEL, dark="#14110a"),
    "see": ink("#fffdf6", LABEL, 2),
    "see-number": text_ink(LABEL, 700),
    "seat": ink("#4a2a6b", "#fffdf6", 2, forced_colours={"fill": "CanvasText", "stroke": "CanvasText"}),
    "seat-number": text_ink("#fff", 700, forced_colours={"fill": "Canvas"}),
    "flagpole": faint(LABEL, 4, style=ROUND_ENDS),
    "crown": ink("#ffcf33", "#4b3a22", 2, style=ROUND),
    "church": ink("#4a2a6b", "#fffdf6", 2),
    "icon-name": text_ink(LABEL, dark=LABEL_BY_NIGHT),
    "sign": ink(LABEL, dark=LABEL_BY_NIGHT),
    "blade": ink("#8a8f98", LABEL, 3, style=ROUND),
    "written": ink("#4b3a22"),
    "charter": ink("#f4e6c8", "#4b3a22", 4, style=ROUND),
    "ring": ink("none", "#c99a1e", 7),
    "struck": ink("none", "#e01b24", 5, style=ROUND_ENDS),
}
