"""Symbols of Villa Paletti: its columns and their lock, and the icons made from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.caches import cache
from rules.kernel import Seat
from rules.villa_paletti.columns import COLOURS, FIRST_FLOOR, SUPPLY
from rules.villa_paletti.moves import Abort, Column, Move, Neutral, NeutralAbort
from web.board.shapes import ICON, MAX_ICONS, Shape, Symbol, path

SLOT, ROW = 60, 130
"""A place: its width, and the height from a floor to the next one."""
SLAB = 22
"""The thickness of a floor; the columns fill the rest of the height."""
THICK: Mapping[str, int] = {"small": 15, "hex": 30, "big": 42}
NEUTRAL = "neutral"
"""The ink of a column in the picture of a move that does not say which colour is neutral."""


def rect(ink: str, x: float, y: float, width: float, height: float, *, ghost: bool = False) -> Shape:
    """A rectangle."""
    return Shape("rect", ink, {"x": x, "y": y, "width": width, "height": height}, ghost=ghost)


# --- the columns, as symbols that stand on (0, 0) ----------------------------------------------------------------


def _column(colour: str, shape: str) -> Iterator[Shape]:
    high, half = ROW - SLAB, THICK[shape] / 2
    if shape == "hex":
        yield path(f"column-{colour}", f"M{-half} 0V{-high}H{half}V0Z")
        yield path("column-edge", f"M{-half / 2} 0V{-high}M{half / 2} 0V{-high}")
    else:
        yield path(
            f"column-{colour}", f"M{-half} -3V{5 - high}A{half} 5 0 0 1 {half} {5 - high}V-3A{half} 3 0 0 1 {-half} -3Z"
        )
        yield path("column-edge", f"M{-half} {5 - high}A{half} 5 0 0 0 {half} {5 - high}")
    if shape == "big":
        yield path("column-edge", f"M{-half} -22H{half}M{-half} {24 - high}H{half}")


def _symbols() -> tuple[Symbol, ...]:
    """The columns, each standing on (0, 0), and the lock on one."""
    lock = (
        path("lock-bow", "M-6 -52V-58A6 6 0 0 1 6 -58V-52"),
        rect("lock", -10, -53, 20, 16),
    )
    return (
        *(
            Symbol(f"column-{colour}-{shape}", tuple(_column(colour, shape)))
            for colour in (*COLOURS, NEUTRAL)
            for shape in SUPPLY
        ),
        Symbol("column-lock", lock),
    )


def use(symbol: str, x: float, y: float, *, ghost: bool = False, scale: float = 1) -> Shape:
    """A symbol standing at a point."""
    at: dict[str, int | float | str] = {"href": f"#{symbol}", "x": x, "y": y}
    if scale != 1:
        at = {"href": f"#{symbol}", "transform": f"translate({x:g} {y:g}) scale({scale:g})"}
    return Shape("use", "", at, ghost=ghost)


def picture(colour: str, shape: str, *, locked: bool = False) -> tuple[Shape, ...]:
    """A column in a square of `ICON` units, with its lock."""
    column = use(f"column-{colour}-{shape}", ICON / 2, ICON - 4, scale=0.85)
    return (column, use("column-lock", ICON / 2, ICON - 4, scale=0.95)) if locked else (column,)


SYMBOLS = _symbols()


# --- icons -------------------------------------------------------------------------------------------------------


@cache(MAX_ICONS)  # the stock of a player is remembered by which icon it has
def icon(kind: str, seat: Seat | None) -> tuple[Shape, ...]:
    """A kind of move, or a player's piece, in a square of 100 units."""
    colour = next((colour for colour in COLOURS if colour == seat), COLOURS[0])
    kind = kind.removesuffix("_locked")
    if kind in ("seal", "previous"):
        inner = Shape("circle", f"piece-{colour}", {"cx": 50, "cy": 50, "r": 22})
        return (Shape("circle", "seal", {"cx": 50, "cy": 50, "r": 38}), *([inner] if kind == "seal" else []))
    if kind.startswith("floor"):  # "floor 3" is one in its own colour
        return (rect(f"floor-{kind.removeprefix('floor').strip() or FIRST_FLOOR}", 6, 40, 88, 20),)
    if kind in ("crash", "fell"):
        return (path("falling", "M8 92L36 78L50 30L62 34L54 80L92 92ZM60 20L84 8L92 22L68 34Z"),)
    if kind == "end":
        return (rect("falling", 28, 28, 44, 44),)
    if kind == "done":
        return (path("lock", "M12 54L26 42L41 60L76 18L90 30L43 86Z"),)
    return picture(NEUTRAL if kind.startswith("neutral") else colour, "big", locked=kind.endswith("abort"))


def sketch(move: Move, seat: Seat | None) -> tuple[Shape, ...]:
    """The column in its colour and shape; the fall of the villa, and any other move, as its kind."""
    if getattr(move, "crash", False):
        return icon("fell", seat)
    if isinstance(move, Column | Abort):
        return picture(move.colour, move.shape, locked=isinstance(move, Abort))
    if isinstance(move, Neutral | NeutralAbort):
        return picture(NEUTRAL, move.shape, locked=isinstance(move, NeutralAbort))
    return icon(move.kind, seat)
