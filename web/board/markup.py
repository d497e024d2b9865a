"""Shapes and cells as elements of a page.

A board has hundreds of them, so they are written here rather than in a template: it takes a tenth of the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from markupsafe import Markup, escape

from web.board.layers import Element, Layer, last
from web.board.shapes import Number, Shape, Spot, placed

MOST: Final = 4_000
"""So many elements are remembered: most of a board is as it was before a move."""
SPECIAL: Final = re.compile("[&<>\"']")


def drawn(shapes: Iterable[Shape]) -> Markup:
    """Shapes as elements of SVG, in their order."""
    return Markup("".join(html for html, _ in _written(shapes)))  # noqa: S704  # each value of a shape is escaped


def piece(shapes: Iterable[Shape]) -> Markup:
    """Shapes as a picture beside words."""
    look = 'class="piece" viewBox="0 0 100 100" aria-hidden="true"'
    return Markup(f"<svg {look}>{drawn(shapes)}</svg>")  # noqa: S704  # as above


def layer(name: str, shapes: Iterable[Shape]) -> Layer:
    """The same as a layer of a board."""
    return Layer.of(name, (Element(html, last(html, many)) for html, many in _written(shapes)))


def _written(shapes: Iterable[Shape]) -> Iterator[tuple[str, int]]:
    """Elements, and how many shapes are in each."""
    for place, there in placed(shapes):
        if place:
            yield f'<g transform="{place}">{"".join(map(_shape, there))}</g>', len(there)
        else:
            yield from ((_shape(shape), 1) for shape in there)


def _shape(shape: Shape) -> str:
    """An element; its classes are its ink, whether it is a ghost, and whether it is words, and no sign or number."""
    classes = f"{shape.ink} ghost" if shape.ghost else shape.ink
    if len(shape.text) > 1 and shape.text != shape.text.upper():
        classes += " words"
    return _element(shape.tag, classes, shape.text, tuple(shape.attributes.items()))


@lru_cache(maxsize=MOST)
def _element(tag: str, classes: str, text: str, attributes: tuple[tuple[str, Number], ...]) -> str:
    given = f' class="{_safe(classes)}"' if classes else ""
    written = "".join([f' {name}="{_safe(value)}"' for name, value in attributes])
    return f"<{tag}{given}{written}>{_safe(text)}</{tag}>" if text else f"<{tag}{given}{written}/>"


def tappable(spot: Spot, href: str, label: str) -> Element:
    """A cell that can be tapped."""
    link = f'<a class="cell" id="c-{spot.key}" href="{_safe(href)}" aria-label="{_safe(label)}"'
    x, width = spot.reach or (spot.x, spot.width)
    y, height = spot.y - spot.above, spot.height + spot.above
    place = f'><rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/></a>'
    return Element(link + place, last(spot.key))


def _safe(value: Number) -> str:
    """A value as it may stand in an attribute or a text."""
    text = value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
    return str(escape(text)) if SPECIAL.search(text) else text
