"""Villa Paletti seen from the side: columns and floors as shapes, the seal above, what is out of the game below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from rules.villa_paletti.columns import COLOURS, SUPPLY, Colour, Count, Group
from rules.villa_paletti.state import State, name_of
from service.texts import Words
from web.boards import ICON, Shape, Symbol

SLOT, ROW = 60, 130
"""A place: its width, and the height from a floor to the next one."""
SLAB = 22
"""How thick a floor is; the columns fill what is left of the height."""
SKY, PLINTH, YARD = 92, 46, 74
"""The heights above the top level, of the base plate, and below it where the columns out of the game lie."""
WIDTH = SLOT * (1 + len(COLOURS) * len(SUPPLY))
PLACE: Mapping[tuple[Colour, str], int] = {
    kind: number for number, kind in enumerate(((colour, shape) for colour in COLOURS for shape in SUPPLY), 1)
}
"""Colour and shape -> the place from the left; the first one is the level's own."""
THICK: Mapping[str, int] = {"small": 15, "hex": 30, "big": 42}
NEUTRAL = "neutral"
"""The ink of a column in the picture of a move that does not say which colour is neutral."""
APART = 18
"""Like columns beside each other are so far apart."""


def path(ink: str, d: str, *, ghost: bool = False) -> Shape:
    """An outline."""
    return Shape("path", ink, {"d": d}, ghost=ghost)


def rect(ink: str, x: float, y: float, width: float, height: float, *, ghost: bool = False) -> Shape:
    """A rectangle."""
    return Shape("rect", ink, {"x": x, "y": y, "width": width, "height": height}, ghost=ghost)


def _text(ink: str, x: float, y: float, size: int, text: str, *, middle: bool = True) -> Shape:
    anchor = {"text-anchor": "middle"} if middle else {}
    return Shape("text", ink, {"x": x, "y": y, "font-size": size, **anchor}, text)


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


@cache
def symbols() -> tuple[Symbol, ...]:
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


# --- the villa ---------------------------------------------------------------------------------------------------


def corner(group: Group) -> tuple[int, int]:
    """The upper left corner of a group's place."""
    return PLACE[group.colour, group.shape] * SLOT, -(group.level + 1) * ROW


def standing(group: Group, now: Count, before: Count) -> Iterator[Shape]:
    """The columns of a group; those that have come, and those that have gone, are ghosts. Locks on the first ones."""
    x, y = corner(group)
    most = max(now.n, before.n)
    stays = min(now.n, before.n)
    for number in range(most):
        middle = x + SLOT / 2 + (number - (most - 1) / 2) * APART
        yield use(f"column-{group.colour}-{group.shape}", middle, y + ROW, ghost=number >= stays)
        if number < now.locked:
            yield use("column-lock", middle, y + ROW, ghost=number >= before.locked)


def floors(state: State, before: State) -> Iterator[Shape]:
    """The floors from the bottom up; one that is new is a ghost."""
    for level in range(1, state.top + 1):
        yield rect(f"floor-{level}", 6, -level * ROW, WIDTH - 12, SLAB, ghost=level > before.top)


def ground(state: State, words: Words) -> Iterator[Shape]:
    """Sky, base plate with the names of the colours, and the number of every level."""
    high = SKY + (state.top + 1) * ROW
    yield rect("sky", 0, -high, WIDTH, high)
    yield rect("plinth", 0, 0, WIDTH, PLINTH)
    for number, colour in enumerate(COLOURS):
        x = SLOT * (1 + number * len(SUPPLY)) + SLOT * len(SUPPLY) / 2
        said = (
            words.say("board", "neutral_colour", {"colour": colour}) if colour == state.neutral else words.name(colour)
        )
        yield _text("villa-name", x, 33, 28 if colour != state.neutral else 19, said)
    for level in range(state.top + 1):
        yield _text("villa-level", SLOT / 2, -level * ROW - 34, 44, str(level))


def above(state: State, words: Words) -> Iterator[Shape]:
    """The seal: who has it, and who had it before."""
    y = -(state.top + 1) * ROW - SKY / 2
    yield Shape("circle", "seal", {"cx": 46, "cy": y, "r": 30})
    if state.holder is not None:
        yield Shape("circle", f"knight-{name_of(state, state.holder)}", {"cx": 46, "cy": y, "r": 19})
    yield _text("villa-word", 90, y + 11, 32, _seal(state, words), middle=False)


def _seal(state: State, words: Words) -> str:
    """Who has the seal, in words."""
    if state.holder is None:
        return words.say("board", "seal_none")
    values = {"holder": name_of(state, state.holder)}
    if state.previous is None:
        return words.say("board", "seal", values)
    return words.say("board", "seal_previous", {**values, "previous": name_of(state, state.previous)})


def yard(state: State, words: Words) -> Iterator[Shape]:
    """The columns out of the game, small, below the base plate."""
    if not state.out:
        return
    yield _text("villa-word", 12, PLINTH + 50, 26, words.say("board", "out"), middle=False)
    x = 200.0
    for (colour, shape), n in sorted(state.out.items()):
        for _ in range(n):
            yield use(f"column-{colour}-{shape}", x, PLINTH + YARD - 8, scale=0.5)
            x += 28
