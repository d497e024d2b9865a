"""Writes a board as a stand-alone picture: an SVG document that contains its colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from xml.sax.saxutils import escape, quoteattr

from web.board.inks import Ink
from web.board.shapes import Board, Shape, Symbol, group_by_place


def _attributes(attributes: Mapping[str, object]) -> str:
    return "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes.items())


def _element(shape: Shape, inks: Mapping[str, Ink]) -> str:
    style = inks[shape.ink].light if shape.ink in inks else {}
    attributes = _attributes({**style, **shape.attributes})
    if shape.ghost:
        attributes += ' opacity="0.6"'
    return f"<{shape.tag}{attributes}>{escape(shape.text)}</{shape.tag}>"


def _elements(shapes: Iterable[Shape], inks: Mapping[str, Ink]) -> Iterator[str]:
    for place, there in group_by_place(shapes):
        inside = "".join(_element(shape, inks) for shape in there)
        yield f"<g transform={quoteattr(place)}>{inside}</g>" if place else inside


def _cropped(ground: Shape, box: tuple[float, float, float, float]) -> Shape:
    """A shape of the ground. A rectangle around the whole box, as a page shows it, is cut to the box."""
    if ground.tag != "rect":
        return ground
    x, y, wide, high = (float(ground.attributes[name]) for name in ("x", "y", "width", "height"))
    left, top, width, height = box
    if x > left or y > top or x + wide < left + width or y + high < top + height:
        return ground
    return replace(ground, attributes={**ground.attributes, "x": left, "y": top, "width": width, "height": height})


def document(board: Board, symbols: Iterable[Symbol], inks: Mapping[str, Ink]) -> str:
    """A board as an SVG document. Each occupied cell has a name for readers who cannot see it.

    Nothing lies beyond the box, so nothing is clipped: in another document, clipping would be most of the drawing work.
    """
    left, top, width, height = board.box
    ground = [_cropped(shape, board.box) for shape in board.ground]
    defined = "".join(
        f'<symbol id={quoteattr(symbol.id)} overflow="visible">{"".join(_elements(symbol.shapes, inks))}</symbol>'
        for symbol in symbols
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" overflow="visible" role="img" font-family="sans-serif">'
        f"<title>{escape('; '.join(spot.name for spot in board.spots))}</title>"
        f"<defs>{defined}</defs>{''.join(_elements((*ground, *board.pieces), inks))}</svg>"
    )
