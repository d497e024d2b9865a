"""Draws the board of Villa Paletti: the villa from the side, level by level, with the seal above it.

Every group of equal columns has its own place on each level: the colours side by side, and of each colour the small,
the hexagonal and the big columns. So a column can be recognized without its colour, by its place and its shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from rules.caches import cache
from rules.kernel import Cell
from rules.villa_paletti import GAME
from rules.villa_paletti.columns import KINDS, RED_FLOOR, Count, Group
from rules.villa_paletti.moves import Column, Move, Neutral
from rules.villa_paletti.state import State, name_of
from rules.villa_paletti.villa import cell_of, level_cell, own_columns
from service.i18n.sentences import NOBODY, Words, words
from web.board.shapes import Board, Spot, Stock
from web.games.villa_paletti import scenery
from web.games.villa_paletti.symbols import ROW, SLOT, icon

NONE = Count(0, 0)
MOST = 2_000
"""The maximum number of groups with a cached name. A move leaves most names as they were."""
BARELY = 0.5
"""The width of a place that only the keyboard can reach."""


def _name(state: State, group: Group, words: Words) -> str:
    count = state.columns.get(group, NONE)
    return _group_text("locked" if count.locked else "standing" if count.n else "empty", state, group, words)


def _group_text(code: str, state: State, group: Group, words: Words) -> str:
    """A group with its number, in the words of a code."""
    return _cached_group_text(code, group, state.columns.get(group, NONE), words, neutral=group.colour == state.neutral)


@cache(MOST)
def _cached_group_text(code: str, group: Group, count: Count, words: Words, *, neutral: bool) -> str:
    colour = words.say("board", "neutral_colour", {"colour": group.colour}) if neutral else group.colour
    values = {"colour": colour, "shape": group.shape, "level": group.level, "n": count.n, "locked": count.locked}
    return words.say("board", code, values)


def unknown_spot_name(state: State, spot: Spot, _: Collection[Cell], words: Words) -> str:
    """The name of columns whose number, or number of locks, is unknown."""
    groups = (Group(colour, shape, level) for level in range(state.top + 1) for colour, shape in KINDS)
    group = next(each for each in groups if cell_of(state, each) == spot.cell)
    if group in state.columns:
        return words.say("board", "unknown_locked", {"name": spot.name})
    return _group_text("unknown", state, group, words)


def icon_name(state: State, kind: str) -> str:
    """The icon of a kind of move: the next floor has its own colour."""
    return f"floor {min(state.top + 1, RED_FLOOR)}" if kind == "floor" else kind


def landing_cells(state: State, move: Move) -> tuple[Cell, ...] | None:
    """The new place of a column that was moved up."""
    if not isinstance(move, Column | Neutral) or move.crash:
        return None
    colour = state.neutral if isinstance(move, Neutral) else move.colour
    return None if colour is None else (cell_of(state, Group(colour, move.shape, state.top)),)


def draw(state: State, language: str, before: State | None = None, people: Mapping[str, str] = NOBODY) -> Board:
    """Draw a state; with `before`, columns that were added, removed or locked since then are ghosts."""
    board_words, then = words(language, GAME.id).with_people(people), before or state
    groups = sorted(
        {*state.columns, *then.columns}, key=lambda group: (group.level, scenery.PLACE[group.colour, group.shape])
    )
    high = scenery.SKY + (state.top + 1) * ROW
    return Board(
        box=(0, -high, scenery.WIDTH, high + scenery.plinth(board_words) + (scenery.YARD if state.out else 0)),
        ground=(
            *scenery.ground(state, board_words),
            *scenery.above(state, board_words),
            *scenery.yard(state, board_words),
        ),
        pieces=(
            *scenery.floors(state, then),
            *(
                shape
                for group in groups
                for shape in scenery.column_shapes(group, state.columns.get(group, NONE), then.columns.get(group, NONE))
            ),
        ),
        spots=tuple(_spots(state, board_words)),
        stock={name_of(state, number): tuple(_stock(state, number)) for number in range(len(state.players))},
        row=0,
    )


def draw_entry(state: State, language: str, people: Mapping[str, str] = NOBODY) -> Board:
    """The villa with every place as wide as it looks, since players may enter anything there."""
    board = draw(state, language, None, people)
    return replace(board, spots=tuple(replace(spot, reach=None) for spot in board.spots))


def _spots(state: State, words: Words) -> Iterator[Spot]:
    """The places in reading order: from the top level down, the level itself first. The touch areas of the top level,
    where most happens, include the sky above. The name of a level has the full text of a cut line above or below it.
    """
    cut = scenery.full_texts(state, words)
    for level in range(state.top, -1, -1):
        name = words.say("board", "level", {"level": level, "floor": f"floor {level}"})
        name = "; ".join(filter(None, (name, cut.get(level))))
        reaches, sky = _reaches(state, level), scenery.SKY if level == state.top else 0
        yield Spot(level_cell(level), f"level.{level}", name, 0, -(level + 1) * ROW, SLOT, ROW, reaches[0], sky)
        for colour, shape in scenery.PLACE:
            group = Group(colour, shape, level)
            cell = cell_of(state, group)
            x, y = scenery.corner(group)
            yield Spot(cell, cell.replace(" ", "."), _name(state, group, words), x, y, SLOT, ROW, reaches[x], sky)


def _reaches(state: State, level: int) -> dict[int, tuple[float, float]]:
    """The touch areas of a level and of the columns on it, by the left edge of each place: the nearest one.

    An empty place gives its area to the columns beside it, since it allows no action. Keys and screen readers reach it,
    from left to right.
    """
    lefts = [0, *sorted(scenery.corner(group)[0] for group in state.columns if group.level == level)]
    edges = [0.0, *((one + other + SLOT) / 2 for one, other in pairwise(lefts)), float(scenery.WIDTH)]
    found: dict[int, tuple[float, float]] = {}
    for left, after, (edge, end) in zip(lefts, (*lefts[1:], scenery.WIDTH), pairwise(edges), strict=True):
        found[left] = (edge, end - edge)
        empty = range(left + SLOT, after, SLOT)
        found |= {x: (min(x + SLOT / 2, end - len(empty) + n), BARELY) for n, x in enumerate(empty)}
    return found


def _stock(state: State, player: int) -> Iterator[Stock]:
    colour = name_of(state, player)
    free = Counter(dict.fromkeys(state.players[player], 0))
    for group in own_columns(state, player):
        free[group.colour] += state.columns[group].n - state.columns[group].locked
    for own, n in free.items():
        yield Stock(f"free_{own}", n, icon("column", own))
    if player == state.holder:
        yield Stock("seal", 1, icon("seal", colour))
    elif player == state.previous:
        yield Stock("previous", 1, icon("previous", colour))
