"""The villa as it stands: columns, floors, the seal above, and below what is out of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from rules.villa_paletti.columns import COLOURS, SUPPLY, Colour, Count, Group
from rules.villa_paletti.state import State, name_of
from service.texts import Words
from web.board.shapes import Shape
from web.games.villa_paletti.symbols import ROW, SLAB, SLOT, rect, use

SKY, PLINTH, YARD = 92, 46, 74
"""The heights above the top level, of the base plate, and below it where the columns out of the game lie."""
WIDTH = SLOT * (1 + len(COLOURS) * len(SUPPLY))
PLACE: Mapping[tuple[Colour, str], int] = {
    kind: number for number, kind in enumerate(((colour, shape) for colour in COLOURS for shape in SUPPLY), 1)
}
"""Colour and shape -> the place from the left; the first one is the level's own."""
LETTER = 15
"""How wide a letter is, about, in a line of words."""
APART = 18
"""Like columns beside each other are so far apart."""
MOST: Final = 2_000
"""So many groups of columns are remembered as they are drawn: most stand as they stood before a move."""


def _text(ink: str, x: float, y: float, size: int, text: str, *, middle: bool = True) -> Shape:
    anchor = {"text-anchor": "middle"} if middle else {}
    return Shape("text", ink, {"x": x, "y": y, "font-size": size, **anchor}, text)


def corner(group: Group) -> tuple[int, int]:
    """The upper left corner of a group's place."""
    return PLACE[group.colour, group.shape] * SLOT, -(group.level + 1) * ROW


@lru_cache(maxsize=MOST)
def standing(group: Group, now: Count, before: Count) -> tuple[Shape, ...]:
    """The columns of a group; those that have come, and those that have gone, are ghosts. Locks on the first ones."""
    return tuple(_columns(group, now, before))


def _columns(group: Group, now: Count, before: Count) -> Iterator[Shape]:
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
        yield Shape("circle", f"piece-{name_of(state, state.holder)}", {"cx": 46, "cy": y, "r": 19})
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
    said = words.say("board", "out")
    yield _text("villa-word", 12, PLINTH + 50, 26, said, middle=False)
    x = 40.0 + LETTER * len(said)
    for (colour, shape), n in sorted(state.out.items()):
        for _ in range(n):
            yield use(f"column-{colour}-{shape}", x, PLINTH + YARD - 8, scale=0.5)
            x += 28
