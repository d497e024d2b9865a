"""Writes shapes and cells as elements of a page.

A board has hundreds of them. Writing them here takes a tenth of the time that a template takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from markupsafe import Markup

from rules.caches import cache
from web.board.layers import Element, Layer, last
from web.board.shapes import Shape, Spot, escape_value, group_by_place

MOST: Final = 4_000
"""The maximum number of cached cells. A move leaves the names and links of most cells as they were."""
LONGEST: Final = 200
"""The maximum length of a link from cells that are cached."""


def shapes_markup(shapes: Iterable[Shape]) -> Markup:
    """Shapes as SVG elements, in order."""
    return Markup("".join([element.html for element in _elements_by_place(shapes)]))  # noqa: S704  # each value is escaped


def piece(shapes: Iterable[Shape]) -> Markup:
    """Shapes as a picture beside words."""
    look = 'class="piece" viewBox="0 0 100 100" aria-hidden="true"'
    return Markup(f"<svg {look}>{shapes_markup(shapes)}</svg>")  # noqa: S704  # as above


def layer(name: str, shapes: Iterable[Shape]) -> Layer:
    """Shapes as a layer of a board."""
    return Layer.of(name, _elements_by_place(shapes))


def _elements_by_place(shapes: Iterable[Shape]) -> Iterator[Element]:
    """Elements; consecutive shapes at the same place become one."""
    for place, there in group_by_place(shapes):
        if place:
            yield _placed_element(place, tuple([shape.element.html for shape in there]))
        else:
            yield from [shape.element for shape in there]


def _placed_element(place: str, elements: tuple[str, ...]) -> Element:
    html = f'<g transform="{place}">{"".join(elements)}</g>'
    return Element(html, last(html, len(elements)))


def cell_link(spot: Spot, href: str) -> Element:
    """A cell that can be tapped. Its address may contain text that somebody typed: a long address is not cached."""
    return _cached_cell_link(spot, href) if len(href) <= LONGEST else _cached_cell_link.__wrapped__(spot, href)


@cache(MOST)
def _cached_cell_link(spot: Spot, href: str) -> Element:
    link = f'<a class="cell" id="c-{spot.key}" href="{escape_value(href)}" aria-label="{escape_value(spot.name)}"'
    x, width = spot.reach or (spot.x, spot.width)
    y, height = spot.y - spot.above, spot.height + spot.above
    place = f'><rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/></a>'
    return Element(link + place, last(spot.key))
