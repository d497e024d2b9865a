"""The inks of the boards, and the picture of a board that stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from web.boards import Board, Shape, Symbol, drawings

INKS: Mapping[str, Mapping[str, str]] = {
    # the board
    "land": {"fill": "#b3c794"},
    "stone": {"fill": "#a79e8e"},
    "pad": {"fill": "#978d7c"},
    "market": {"fill": "#dcc08c"},
    "cobble": {"fill": "none", "stroke": "#a88a52", "stroke-width": "4"},
    "line": {"fill": "none", "stroke": "#4b4a37", "stroke-opacity": "0.28", "stroke-width": "2"},
    "label": {"fill": "#2f2b22"},
    "gate": {"fill": "#7a4d22", "stroke": "#3c2408", "stroke-width": "4"},
    "gateway": {"fill": "#f0dcae", "stroke": "#3c2408", "stroke-width": "3"},
    # tiles: landscapes, and what tells them apart without colour
    "table": {"fill": "#e9e4d6"},
    "free": {
        "fill": "none",
        "stroke": "#2f2b22",
        "stroke-opacity": "0.45",
        "stroke-width": "3",
        "stroke-dasharray": "9 7",
    },
    "earth": {"fill": "#d9a066", "stroke": "#4b3a22", "stroke-width": "2"},
    "meadow": {"fill": "#b7d36a", "stroke": "#4b3a22", "stroke-width": "2"},
    "water": {"fill": "#8fc1e3", "stroke": "#4b3a22", "stroke-width": "2"},
    "forest": {"fill": "#6fa36a", "stroke": "#4b3a22", "stroke-width": "2"},
    "plot": {"fill": "#efe6d2", "stroke": "#4b3a22", "stroke-width": "3"},
    "motif": {"fill": "none", "stroke": "#2f2b22", "stroke-width": "2"},
    "motif-full": {"fill": "#2f2b22"},
    "letter": {"fill": "#1d1a14"},
    "chip": {"fill": "#e8c35a", "stroke": "#4b3a22", "stroke-width": "4"},
    # the pieces, of dark and of light material: faces by the light that falls on them, then what is drawn on a face
    "dark-top": {"fill": "#5a616b", "stroke": "#0b0d10", "stroke-width": "4", "stroke-linejoin": "round"},
    "dark-front": {"fill": "#2b3038", "stroke": "#0b0d10", "stroke-width": "4", "stroke-linejoin": "round"},
    "dark-side": {"fill": "#434953", "stroke": "#0b0d10", "stroke-width": "4", "stroke-linejoin": "round"},
    "dark-mark": {"fill": "#f3c74f"},
    "dark-seam": {"fill": "none", "stroke": "#8a929d", "stroke-width": "2.5"},
    "light-top": {"fill": "#fffdf6", "stroke": "#574a33", "stroke-width": "4", "stroke-linejoin": "round"},
    "light-front": {"fill": "#eadfc7", "stroke": "#574a33", "stroke-width": "4", "stroke-linejoin": "round"},
    "light-side": {"fill": "#f6eedc", "stroke": "#574a33", "stroke-width": "4", "stroke-linejoin": "round"},
    "light-mark": {"fill": "#7d5730"},
    "light-seam": {"fill": "none", "stroke": "#9a8a68", "stroke-width": "2.5"},
    # tiles: landscapes, and the buildings on them
    "site": {"fill": "none", "stroke": "#6b6350", "stroke-width": "3", "stroke-dasharray": "9 8"},
    "tile-lake": {"fill": "#8fbcdb", "stroke": "#2f2b22", "stroke-width": "3"},
    "tile-mountain": {"fill": "#c9c3b8", "stroke": "#2f2b22", "stroke-width": "3"},
    "tile-plain": {"fill": "#d6dd9c", "stroke": "#2f2b22", "stroke-width": "3"},
    "tile-forest": {"fill": "#8db37c", "stroke": "#2f2b22", "stroke-width": "3"},
    "tile-wave": {"fill": "none", "stroke": "#23587d", "stroke-width": "4", "stroke-linecap": "round"},
    "tile-peak": {"fill": "#8a8276", "stroke": "#3f3a31", "stroke-width": "3", "stroke-linejoin": "round"},
    "tile-snow": {"fill": "#ffffff"},
    "tile-grass": {"fill": "none", "stroke": "#6f7a2c", "stroke-width": "3", "stroke-linecap": "round"},
    "tile-tree": {"fill": "#2f6b3a", "stroke": "#173d1f", "stroke-width": "3", "stroke-linejoin": "round"},
    "tile-letter": {"fill": "#2f2b22", "font-weight": "600"},
    "building": {"fill": "#f4e6c8", "stroke": "#3c2408", "stroke-width": "4", "stroke-linejoin": "round"},
    "march": {"fill": "#221d14"},
    "building-mark": {"fill": "#6b3a1a"},
    # knights, with the letter of their colour
    "knight-blue": {"fill": "#1f5fbf", "stroke": "#0b1f40", "stroke-width": "3"},
    "knight-yellow": {"fill": "#ffd23c", "stroke": "#5c4600", "stroke-width": "3"},
    "knight-green": {"fill": "#1f8a4c", "stroke": "#062e16", "stroke-width": "3"},
    "knight-red": {"fill": "#c8232c", "stroke": "#430609", "stroke-width": "3"},
    "knight-letter-blue": {"fill": "#ffffff", "font-weight": "700"},
    "knight-letter-yellow": {"fill": "#231a00", "font-weight": "700"},
    "knight-letter-green": {"fill": "#ffffff", "font-weight": "700"},
    "knight-letter-red": {"fill": "#ffffff", "font-weight": "700"},
    "knight-below": {"fill": "#2f2b22"},
    # a country of villages in fiefs and bishoprics, joined by roads; what stands there has the colours of the knights
    "knight-black": {"fill": "#20242a", "stroke": "#000000", "stroke-width": "3"},
    "knight-white": {"fill": "#fffdf6", "stroke": "#574a33", "stroke-width": "3"},
    "knight-letter-black": {"fill": "#ffffff", "font-weight": "700"},
    "knight-letter-white": {"fill": "#231a00", "font-weight": "700"},
    "road": {"fill": "none", "stroke": "#a08a64", "stroke-width": "9", "stroke-linecap": "round"},
    "village-name": {
        "fill": "#2f2b22",
        "font-weight": "600",
        "stroke": "#e9e4d6",
        "stroke-width": "6",
        "paint-order": "stroke",
    },
    **{
        f"domain-{number}": {"fill": fill, "stroke": "#4b3a22", "stroke-width": "3"}
        for number, fill in enumerate(
            ("#e6a79a", "#ece0c0", "#cfb0d8", "#c4dd9b", "#ecd06a", "#f0b274", "#8fb58a", "#a9c6e6"), 1
        )
    },
    "domain-name": {"fill": "#2f2b22", "font-weight": "600"},
    "see": {"fill": "#fffdf6", "stroke": "#2f2b22", "stroke-width": "2"},
    "see-number": {"fill": "#2f2b22", "font-weight": "700"},
    "seat": {"fill": "#4a2a6b", "stroke": "#fffdf6", "stroke-width": "2"},
    "seat-number": {"fill": "#ffffff", "font-weight": "700"},
    "flagpole": {"fill": "none", "stroke": "#2f2b22", "stroke-width": "4", "stroke-linecap": "round"},
    "crown": {"fill": "#ffcf33", "stroke": "#4b3a22", "stroke-width": "2", "stroke-linejoin": "round"},
    "church": {"fill": "#4a2a6b", "stroke": "#fffdf6", "stroke-width": "2"},
    "icon-name": {"fill": "#2f2b22", "font-weight": "600"},
    "sign": {"fill": "#2f2b22"},
    "blade": {"fill": "#8a8f98", "stroke": "#2f2b22", "stroke-width": "3", "stroke-linejoin": "round"},
    "written": {"fill": "#4b3a22"},
    "charter": {"fill": "#f4e6c8", "stroke": "#4b3a22", "stroke-width": "4", "stroke-linejoin": "round"},
    "ring": {"fill": "none", "stroke": "#c99a1e", "stroke-width": "7"},
    "struck": {"fill": "none", "stroke": "#e01b24", "stroke-width": "5", "stroke-linecap": "round"},
    # a villa from the side: its floors, its columns, the seal
    "sky": {"fill": "#e7eef2"},
    "plinth": {"fill": "#6d4a2a"},
    "floor-1": {"fill": "#2f6fc0", "stroke": "#10294a", "stroke-width": "3"},
    "floor-2": {"fill": "#3f9a5a", "stroke": "#123a1f", "stroke-width": "3"},
    "floor-3": {"fill": "#f0cf3f", "stroke": "#5c4600", "stroke-width": "3"},
    "floor-4": {"fill": "#ef9238", "stroke": "#5b2f06", "stroke-width": "3"},
    "floor-5": {"fill": "#cf3a35", "stroke": "#430609", "stroke-width": "3"},
    "column-blue": {"fill": "#1f5fbf", "stroke": "#0b1f40", "stroke-width": "2.5"},
    "column-yellow": {"fill": "#ffd23c", "stroke": "#5c4600", "stroke-width": "2.5"},
    "column-green": {"fill": "#1f8a4c", "stroke": "#062e16", "stroke-width": "2.5"},
    "column-red": {"fill": "#c8232c", "stroke": "#430609", "stroke-width": "2.5"},
    "column-neutral": {"fill": "#d9cfba", "stroke": "#3d3423", "stroke-width": "2.5"},
    "column-edge": {"fill": "none", "stroke": "#231a00", "stroke-width": "2.5"},
    "lock": {"fill": "#ffffff", "stroke": "#231a00", "stroke-width": "2.5"},
    "lock-bow": {"fill": "none", "stroke": "#231a00", "stroke-width": "4"},
    "seal": {"fill": "#e8c35a", "stroke": "#5c4600", "stroke-width": "4"},
    "falling": {"fill": "#9c1d18"},
    "villa-word": {"fill": "#2f2b22", "font-weight": "600"},
    "villa-name": {"fill": "#ffffff", "font-weight": "600"},
    "villa-level": {"fill": "#5c5444", "font-weight": "700"},
}
"""Ink -> its attributes in the stand-alone picture. The style sheet has the same inks for the pages."""


def _attributes(attributes: Mapping[str, Any]) -> str:
    return "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes.items())


def _element(shape: Shape) -> str:
    attributes = _attributes({**INKS.get(shape.ink, {}), **shape.attributes})
    if shape.ghost:
        attributes += ' opacity="0.6"'
    return f"<{shape.tag}{attributes}>{escape(shape.text)}</{shape.tag}>"


def _elements(shapes: Iterable[Shape]) -> Iterator[str]:
    return (_element(shape) for shape in shapes)


def picture(game: str, state: Any, language: str) -> str:
    """The picture of a state: an SVG document that needs no style sheet. Raises `KeyError` for a game without board."""
    drawing = drawings()[game]
    return picture_of(drawing.draw(state, language), drawing.symbols())


def picture_of(board: Board, symbols: Iterable[Symbol]) -> str:
    """A board as an SVG document; every cell that holds something is named for those who cannot see it."""
    left, top, width, height = board.box
    defined = "".join(
        f'<symbol id={quoteattr(symbol.id)} overflow="visible">{"".join(_elements(symbol.shapes))}</symbol>'
        for symbol in symbols
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img" font-family="sans-serif">'
        f"<title>{escape('; '.join(spot.name for spot in board.spots))}</title>"
        f"<defs>{defined}</defs>{''.join(_elements((*board.ground, *board.pieces)))}</svg>"
    )
