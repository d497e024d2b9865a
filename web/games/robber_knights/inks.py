"""The inks of Robber Knights: landscapes, and their marks that need no colour."""

from __future__ import annotations

from collections.abc import Mapping

from web.board.inks import LABEL, ROUND, ROUND_ENDS, Ink, faint, ink, text_ink

INKS: Mapping[str, Ink] = {
    "site": faint("#6b6350", 3, dark="#8b8170", style={"stroke-dasharray": "9 8"}),
    "tile-lake": ink("#8fbcdb", LABEL, 3, dark="#4d7ea0"),
    "tile-mountain": ink("#c9c3b8", LABEL, 3, dark="#8d877c"),
    "tile-plain": ink("#d6dd9c", LABEL, 3, dark="#9aa463"),
    "tile-forest": ink("#8db37c", LABEL, 3, dark="#5a8250"),
    "tile-wave": ink("none", "#23587d", 4, style=ROUND_ENDS),
    "tile-peak": ink("#8a8276", "#3f3a31", 3, style=ROUND),
    "tile-snow": ink("#ffffff"),
    "tile-grass": ink("none", "#6f7a2c", 3, style=ROUND_ENDS),
    "tile-tree": ink("#2f6b3a", "#173d1f", 3, style=ROUND),
    "tile-letter": text_ink(LABEL),
    "march": ink("#221d14", dark="#efe8da"),
    "knight-below": ink(LABEL),
}
