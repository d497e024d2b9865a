"""Shapes as elements of a page.

A board has hundreds of shapes, so they are written here rather than in a template: it takes a tenth of the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from markupsafe import Markup, escape

from web.board.shapes import Number, Shape

SPECIAL: Final = re.compile("[&<>\"']")


def drawn(shapes: Iterable[Shape]) -> Markup:
    """Shapes as elements of SVG, in their order."""
    return Markup("".join(map(_element, shapes)))  # noqa: S704  # each value of a shape is escaped


def _element(shape: Shape) -> str:
    """An element; its classes are its ink, and whether it is a ghost."""
    classes = f"{shape.ink} ghost" if shape.ghost else shape.ink
    attributes = "".join([f' {name}="{_safe(value)}"' for name, value in shape.attributes.items()])
    given = f' class="{_safe(classes)}"' if classes else ""
    return f"<{shape.tag}{given}{attributes}>{_safe(shape.text)}</{shape.tag}>"


def _safe(value: Number) -> str:
    """A value as it may stand in an attribute or a text."""
    text = value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
    return str(escape(text)) if SPECIAL.search(text) else text
