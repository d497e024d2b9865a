"""Icons for the moves of Fief, each in a square of 100 units: a lord, a building, a ring, a die."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rules.caches import cache
from rules.kernel import Seat
from web.board.shapes import ICON, MAX_ICONS, Shape
from web.games.fief import pieces

DRAWINGS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "marry": (("ring", "M36 40a20 20 0 1 0 .1 0M64 40a20 20 0 1 0 .1 0"), ("crown", "M28 34L36 24L44 34L36 42Z")),
    "bishop": (("church", "M44 86V40H26V28H44V12H56V28H74V40H56V86Z"),),
    "pope": (("church", "M45 90V56H20V46H45V34H30V25H45V10H55V25H70V34H55V46H80V56H55V90Z"),),
    "king": (("crown", "M14 78V30L34 50L50 22L66 50L86 30V78Z"),),
    "buy_card": (("charter", "M28 14H72V86H28Z"), ("written", "M50 32L62 50L50 68L38 50Z")),
    "buy_title": (("charter", "M24 20H76V80H24Z"), ("written", "M34 34H66V38H34ZM34 46H66V50H34ZM34 58H54V62H34Z")),
    "give": (("charter", "M24 30H76V80H24Z"), ("crown", "M34 30V10L43 20L50 8L57 20L66 10V30Z")),
    "cede": (("sign", "M12 40H60V26L88 46L60 66V52H12Z"),),
    "move": (("sign", "M18 78L40 56L30 46H70V86L60 76L38 94ZM60 14H78V32H60Z"),),
    "attack": (
        ("blade", "M20 16L74 70L66 78L12 24V16ZM80 16L26 70L34 78L88 24V16Z"),
        ("sign", "M60 74L78 92M40 74L22 92"),
    ),
    "siege": (("building", "M28 70V30h10v9h8v-9h8v9h8v-9h10V70Z"), ("blade", "M10 84H90V92H10Z")),
    "take": (
        ("building", "M22 74V40h8v-8h8v8h7V28h10v12h7v-8h8v8h8V74Z"),
        ("crown", "M34 24V6L43 15L50 4L57 15L66 6V24Z"),
    ),
    "heir": (("charter", "M24 34H76V86H24Z"), ("church", "M46 30V18H36V10H46V2H54V10H64V18H54V30Z")),
    "assassin": (("blade", "M46 8H54V60H46ZM32 58H68V66H32Z"), ("sign", "M45 66H55V90H45Z")),
    "justice": (
        ("blade", "M47 14H53V80H47ZM20 22H80V28H20Z"),
        ("sign", "M8 56L20 26L32 56ZM68 56L80 26L92 56ZM32 80H68V88H32Z"),
    ),
    "excommunicate": (("church", "M44 86V40H26V28H44V12H56V28H74V40H56V86Z"), ("struck", "M16 84L84 16")),
    "absolve": (
        ("church", "M44 86V40H26V28H44V12H56V28H74V40H56V86Z"),
        ("crown", "M70 70L78 78L92 58L98 64L78 92L62 78Z"),
    ),
    "annul": (("ring", "M36 40a20 20 0 1 0 .1 0M64 40a20 20 0 1 0 .1 0"), ("struck", "M16 88L84 20")),
    "stock_coins": (("chip", "M50 16a34 34 0 1 0 .1 0Z"), ("written", "M50 34L60 50L50 66L40 50Z")),
    "next": (("sign", "M24 22L62 50L24 78ZM64 22H76V78H64Z"),),
}
"""Kind of move -> its shapes: an ink and a path each."""
BUILDINGS: Final = {"buy_castle": "castle", "stock_villages": "village", "city": "city"}
LORDS: Final = {
    "stock_lords": frozenset[str](),
    "lord": frozenset[str](),
    "cardinal": frozenset({"church"}),
    "buy_cardinal": frozenset({"church"}),
}


@cache(MAX_ICONS)  # the stock of a player is remembered by which icon it has
def icon_of(kind: str, seat: Seat | None) -> tuple[Shape, ...]:
    """A kind of move; a lord in it has the colour of the player due."""
    if kind in BUILDINGS:
        return tuple(_large(shape, 1.9, -60, -58) for shape in pieces.building(BUILDINGS[kind], 0, 0))
    if kind in LORDS:
        return tuple(_large(shape, 2, 18, 22) for shape in pieces.lord(seat or "white", "", LORDS[kind], 0, 0))
    if kind == "darc":
        return pieces.lord(seat or "white", "★", frozenset({"woman"}), 18, 16, 2)
    return tuple(pieces.path(ink, d) for ink, d in DRAWINGS.get(kind, DRAWINGS["next"]))


def icon_of_lord(player: Seat | None, name: str, marks: frozenset[str], *, with_name: bool = True) -> tuple[Shape, ...]:
    """A lord, with the name below, unless the page shows it elsewhere."""
    # The letter has a place and size of its own: the pages turn a text about its own middle.
    if not with_name:
        return pieces.lord(player or "white", name[:1], marks, 18, 24, 2)
    size = min(24, round(1.75 * ICON / max(len(name), 1)))
    drawn = pieces.lord(player or "white", name[:1], marks, 26, 20, 1.5)
    return (*drawn, pieces.text("icon-name", name, ICON / 2, ICON - 2, size))


def portrait_of(player: Seat | None, name: str, *, woman: bool) -> tuple[Shape, ...]:
    """A lord with the initial, as on the map: a shield or a woman's lozenge, in the colour of the player."""
    marks = frozenset({"woman"} if woman else ())
    shapes = pieces.lord(player or "white", name[:1], marks, 12, 10 if woman else 8, 2.4)
    if player is not None:
        return shapes
    parchment = ("charter", "domain-name")
    return tuple(replace(shape, ink=ink) for shape, ink in zip(shapes, parchment, strict=True))


def icon_of_flag(colour: Seat) -> tuple[Shape, ...]:
    """The flag of a controller."""
    return tuple(_large(shape, 1.9, 2, 4) for shape in pieces.flag(colour, "", 0, 0))


def icon_of_fief(name: str, number: int) -> tuple[Shape, ...]:
    """A village of a fief, with its name."""
    square = {"x": 12, "y": 12, "width": 76, "height": 76, "rx": 12}
    ink = f"domain-{number % pieces.FIEF_INKS + 1}"
    return Shape("rect", ink, square), pieces.text("domain-name", name[:4], ICON / 2, 60, 32)


def _large(shape: Shape, scale: float, x: float, y: float) -> Shape:
    """A shape enlarged and moved."""
    turned = f"translate({x:g} {y:g}) scale({scale:g})"
    inner = shape.attributes.get("transform")
    return replace(shape, attributes={**shape.attributes, "transform": f"{turned} {inner}" if inner else turned})
