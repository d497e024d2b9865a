"""The inks of Villefranche: the land and what lies flat on it."""

from __future__ import annotations

from collections.abc import Mapping

from web.board.inks import Ink, faint, ink, surface

INKS: Mapping[str, Ink] = {
    "land": surface("#b3c794", "#61754f"),
    "stone": surface("#a79e8e", "#59544b"),
    "pad": surface("#978d7c", "#4a463e"),
    "market": surface("#dcc08c", "#9c8250"),
    "cobble": faint("#a88a52", 4, dark="#5f4c25"),
    "gate": ink("#7a4d22", "#3c2408", 4, forced={"fill": "CanvasText"}),
    "gateway": ink("#f0dcae", "#3c2408", 3, forced={"fill": "Canvas"}),
}
