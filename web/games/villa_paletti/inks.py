"""The inks of Villa Paletti: the floors, the columns, the seal."""

from __future__ import annotations

from collections.abc import Mapping

from rules.villa_paletti.columns import COLOURS
from web.board.inks import LABEL, SEATS, Ink, ink, surface, text_ink

FLOORS = (
    ("#2f6fc0", "#10294a"),
    ("#3f9a5a", "#123a1f"),
    ("#f0cf3f", "#5c4600"),
    ("#ef9238", "#5b2f06"),
    ("#cf3a35", "#430609"),
)
"""The floors from the first one up: colour and edge."""

INKS: Mapping[str, Ink] = {
    "sky": surface("#e7eef2", "#232a30"),
    "plinth": surface("#6d4a2a"),
    **{
        f"floor-{level}": ink(fill, edge, 3, forced_colours={"fill": "GrayText", "stroke": "CanvasText"})
        for level, (fill, edge) in enumerate(FLOORS, 1)
    },
    **{f"column-{colour}": ink(SEATS[colour].fill, SEATS[colour].edge, 2.5) for colour in COLOURS},
    "column-neutral": ink("#d9cfba", "#3d3423", 2.5),
    "column-edge": ink("none", "#231a00", 2.5),
    "lock": ink("#fff", "#231a00", 2.5),
    "lock-bow": ink("none", "#231a00", 4),
    "seal": ink("#e8c35a", "#5c4600", 4),
    "falling": ink("#9c1d18", dark="#ff9d92"),
    "villa-word": text_ink(LABEL, dark="#efe8da"),
    "villa-name": text_ink("#fff"),
    "villa-level": text_ink("#5c5444", 700, dark="#b9af9c"),
}
