"""The scenery of Villa Paletti: columns and floors, the seal above, and the pieces out of the game below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.villa_paletti.columns import COLOURS, SUPPLY, Colour, Count, Group, Kind
from rules.villa_paletti.state import State, name_of, player_of
from service.i18n.sentences import Words
from web.board.lettering import ELLIPSIS, fit_text, width
from web.board.shapes import Shape
from web.games.villa_paletti.symbols import ROW, SLAB, SLOT, rect, use

SKY, YARD = 92, 74
"""The heights above the top level, and below the base plate where the columns out of the game lie."""
PLINTH, HEIGHT_WITH_NAMES = 46, 70
"""The height of the base plate with the colours on it, and with the names of their players above these."""
BESIDE = 90
"""The left edge of the words beside the seal."""
LEAST, MIN_NAME = 22, 18
"""The smallest type of these words, and of a player's name on the base plate."""
WIDTH = SLOT * (1 + len(COLOURS) * len(SUPPLY))
PLACE: Mapping[Kind, int] = {
    kind: number for number, kind in enumerate(((colour, shape) for colour in COLOURS for shape in SUPPLY), 1)
}
"""Colour and shape -> the place from the left; the first one is the level's own."""
ROOM_NAME = SLOT * len(SUPPLY) - 8
"""The maximum width of a player's name on the base plate."""
LETTER = 15
"""The approximate width of a letter in a line of words."""
APART = 18
"""The distance between equal columns beside each other."""


def _text(ink: str, x: float, y: float, size: float, text: str, *, middle: bool = True) -> Shape:
    anchor = {"text-anchor": "middle"} if middle else {}
    return Shape("text", ink, {"x": x, "y": y, "font-size": size, **anchor}, text)


def corner(group: Group) -> tuple[int, int]:
    """The upper left corner of a group's place."""
    return PLACE[group.colour, group.shape] * SLOT, -(group.level + 1) * ROW


def column_shapes(group: Group, now: Count, before: Count) -> tuple[Shape, ...]:
    """The columns of a group; added and removed ones are ghosts. Locks stand on the first ones."""
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
    """The floors from the bottom up; a new one is a ghost."""
    for level in range(1, state.top + 1):
        yield rect(f"floor-{level}", 6, -level * ROW, WIDTH - 12, SLAB, ghost=level > before.top)


def plinth(words: Words) -> int:
    """The height of the base plate."""
    return HEIGHT_WITH_NAMES if words.people else PLINTH


def ground(state: State, words: Words) -> Iterator[Shape]:
    """Sky, base plate with the players and their colours, and the number of every level."""
    high = SKY + (state.top + 1) * ROW
    yield rect("sky", 0, -high, WIDTH, high)
    yield rect("plinth", 0, 0, WIDTH, plinth(words))
    owners = {colour: _owner(state, colour, words) for colour in COLOURS}
    alike = min(fit_text(owner, ROOM_NAME, 28, MIN_NAME)[1] for owner in owners.values())
    for number, (colour, owner) in enumerate(owners.items()):
        x = SLOT * (1 + number * len(SUPPLY)) + SLOT * len(SUPPLY) / 2
        if owner:
            yield _text("villa-name", x, 31, alike, fit_text(owner, ROOM_NAME, alike, MIN_NAME)[0])
        label = _colour(state, colour, words)
        size, below = (20, 58) if owner else (28 if colour != state.neutral else 19, plinth(words) // 2 + 10)
        yield _text("villa-name", x, below, size, label)
    for level in range(state.top + 1):
        yield _text("villa-level", SLOT / 2, -level * ROW - 34, 44, str(level))


def _owner(state: State, colour: Colour, words: Words) -> str:
    """The name of the player whose columns have a colour, if known."""
    player = player_of(state, colour)
    return "" if player is None else words.people.get(name_of(state, player), "")


def _colour(state: State, colour: Colour, words: Words) -> str:
    return words.say("board", "neutral_colour", {"colour": colour}) if colour == state.neutral else words.name(colour)


def above(state: State, words: Words) -> Iterator[Shape]:
    """The seal: who has it, and who had it before, in one line or two."""
    y = -(state.top + 1) * ROW - SKY / 2
    yield Shape("circle", "seal", {"cx": 46, "cy": y, "r": 30})
    if state.holder is not None:
        yield Shape("circle", f"piece-{name_of(state, state.holder)}", {"cx": 46, "cy": y, "r": 19})
    lines = _seal(state, words)
    for number, (line, size) in enumerate(lines):
        yield _text("villa-word", BESIDE, y + (11 if len(lines) == 1 else 38 * number - 6), size, line, middle=False)


def _seal(state: State, words: Words) -> list[tuple[str, float]]:
    """Who has the seal, in words, with the size of each line: one line if it fits, else two."""
    one, room = seal(state, words), WIDTH - BESIDE - 12
    if width(one) * 32 <= room or state.holder is None or state.previous is None:
        return [fit_text(one, room, 32, LEAST)]
    holder, previous = name_of(state, state.holder), name_of(state, state.previous)
    lines = words.say("board", "seal", {"holder": holder}), words.say("board", "seal_before", {"previous": previous})
    return [fit_text(line, room, 30, LEAST) for line in lines]


def seal(state: State, words: Words) -> str:
    """Who has the seal, and who had it before, in one sentence."""
    if state.holder is None:
        return words.say("board", "seal_none")
    values = {"holder": name_of(state, state.holder)}
    if state.previous is None:
        return words.say("board", "seal", values)
    return words.say("board", "seal_previous", {**values, "previous": name_of(state, state.previous)})


def full_texts(state: State, words: Words) -> Mapping[int, str]:
    """The full text of lines with an ellipsis, by the level that they stand above or below."""
    found = {}
    owners = {colour: _owner(state, colour, words) for colour in COLOURS}
    long = [f"{words.name(colour)} – {name}" for colour, name in owners.items() if width(name) * MIN_NAME > ROOM_NAME]
    if long:
        found[0] = ", ".join(long)
    if any(line.endswith(ELLIPSIS) for line, _ in _seal(state, words)):
        found[state.top] = "; ".join(filter(None, (found.get(state.top), seal(state, words))))
    return found


def yard(state: State, words: Words) -> Iterator[Shape]:
    """The columns out of the game, small, below the base plate."""
    if not state.out:
        return
    label = words.say("board", "out")
    yield _text("villa-word", 12, plinth(words) + 50, 26, label, middle=False)
    x = 40.0 + LETTER * len(label)
    for (colour, shape), n in sorted(state.out.items()):
        for _ in range(n):
            yield use(f"column-{colour}-{shape}", x, plinth(words) + YARD - 8, scale=0.5)
            x += 28
