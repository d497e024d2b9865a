"""The inks of Villefranche: the land, what lies flat on it, and the sides of its pieces."""

from __future__ import annotations

from collections.abc import Mapping

from web.board.inks import GRASS, PAVING, Ink, dark_face, faint, ink, light_face, surface

INKS: Mapping[str, Ink] = {
    "land": surface(*GRASS),
    "stone": surface(*PAVING),
    "pad": surface("#978d7c", "#4a463e"),
    "market": surface("#dcc08c", "#9c8250"),
    "cobble": faint("#a88a52", 4, dark="#5f4c25"),
    "gate": ink("#7a4d22", "#3c2408", 4, forced_colours={"fill": "CanvasText"}),
    "gateway": ink("#f0dcae", "#3c2408", 3, forced_colours={"fill": "Canvas"}),
    "dark-side": dark_face("#434953", "#363b44"),
    "dark-seam": ink("none", "#8a929d", 2.5, dark="#79828e", forced_colours={"stroke": "Canvas"}),
    "light-side": light_face("#f6eedc", "#e6dcc5"),
    "light-seam": ink("none", "#9a8a68", 2.5, dark="#8a7a58"),
}
