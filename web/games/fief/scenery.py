"""The scenery of Fief: the map of a state, its pieces, and the description of each village."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from rules.fief.data import Land
from rules.fief.lords import fiefs_of, is_man, lords_at, of_church, queen, sovereign
from rules.fief.state import State
from rules.fief.style import style, title
from rules.kernel import Cell
from service.i18n.sentences import Words
from service.runtime.memoize import memoize_by_identity
from web.board.shapes import Shape, Spot
from web.games.fief import pieces
from web.games.fief.geography import SIDE, Point, box, centres, corner, keys, labels

Piece: TypeAlias = "tuple[str, ...]"
"""The kind of a piece, and its place: a new one is a ghost."""
LORDS_AT = 69
"""The distance of the lords from the upper edge of their village."""
FIRST_LORD, STEP = 4, 35
"""The place of the first lord in a row, and the distance between lords."""
MAX_LANDS, MAX_STANDING = 16, 32
"""The maximum number of cached drawings of maps, and of states with their pieces on the map."""
IN_A_ROW, SMALLER, ROWS_APART = 3, 0.73, 28
"""The maximum number of lords in full size; the scale of more lords; the distance of two rows."""


def points_of(land: Land) -> dict[str, Point]:
    """The middle of each village."""
    return dict(centres(tuple(land.at.items())))


# --- the ground --------------------------------------------------------------------------------------------------


@memoize_by_identity(MAX_LANDS)
def ground(land: Land) -> tuple[Shape, ...]:
    """The empty map."""
    return tuple(_ground(land))


def _ground(land: Land) -> Iterator[Shape]:
    points, fiefs = points_of(land), list(land.fiefs)
    names = labels(tuple(points.items()))
    _, _, width, height = box(points)
    yield Shape("rect", "table", {"x": 0, "y": 0, "width": width, "height": height})
    for one in land.villages:
        yield from (pieces.road(points[one], points[other]) for other in land.roads[one] if one < other)
    for name in land.villages:
        fief, bishopric = land.fief_of[name], land.bishopric_of[name]
        seat = name in land.seats.values()
        yield from pieces.village(*corner(points[name]), (fief, fiefs.index(fief)), bishopric, seat=seat)
    for name in land.villages:
        yield from pieces.label(names[name])


# --- the pieces --------------------------------------------------------------------------------------------------


def marks_of(state: State, name: str) -> frozenset[str]:
    """The marks on a lord beside the initial."""
    marks = {
        "woman": not is_man(state, name),
        "fief": bool(fiefs_of(state, name)),
        "church": of_church(state, name) is not None,
        "crown": name in (sovereign(state), queen(state)),
        "out": name in state.lords and state.lords[name].excommunicated,
    }
    return frozenset(mark for mark, drawn in marks.items() if drawn)


def pieces_on_map(state: State, words: Words) -> dict[Piece, tuple[Shape, ...]]:
    """All pieces on the map, by kind and place."""
    points = points_of(state.land)
    names = [label.frame for label in labels(tuple(points.items())).values()]
    found: dict[Piece, tuple[Shape, ...]] = {}
    for mark in state.arrivals:
        shape = pieces.arrival(mark.player, points[mark.village], points[mark.road], names)
        found["arrival", mark.player, mark.village, mark.road] = (shape,)
    for name in state.land.villages:
        x, y = corner(points[name])
        kind = state.buildings.get(name, "village")
        found[kind, name] = pieces.building(kind, x, y)
        if name in state.control:
            owner = state.control[name]
            found["flag", name, owner] = pieces.flag(owner, letter(owner, words), x, y)
        found |= _lords(state, name, x, y)
    return found


def _lords(state: State, village: str, x: float, y: float) -> dict[Piece, tuple[Shape, ...]]:
    """The lords of a village and the armies of dead ones, side by side."""
    lords, armies = lords_at(state, village), [army for army in state.armies if army.place == village]
    places = _places(len(lords) + len(armies), x, y)
    found: dict[Piece, tuple[Shape, ...]] = {}
    for name in lords:
        marks, player = marks_of(state, name), state.lords[name].player
        found["lord", name, village, *sorted(marks)] = pieces.lord(player, name[:1], marks, *next(places))
    for army in armies:
        found["army", army.lord, village] = pieces.army(army.player, *next(places))
    return found


def _places(number: int, x: float, y: float) -> Iterator[tuple[float, float, float]]:
    """The places of a number of lords in a village, and their scale: without overlaps, if there is room."""
    scale = 1 if number <= IN_A_ROW else SMALLER
    rows = 1 if number <= IN_A_ROW + 1 else 2
    row = -(-number // rows)
    step = min(STEP * scale, (SIDE - FIRST_LORD - pieces.SIZE * scale) / max(row - 1, 1))
    top = LORDS_AT + (pieces.SIZE * (1 - scale) if rows == 1 else -ROWS_APART * SMALLER / 2)
    for place in range(number):
        yield x + FIRST_LORD + place % row * step, y + top + place // row * ROWS_APART, scale


def first_place(x: float, y: float) -> tuple[float, float]:
    """The place of a single lord in the village with a corner."""
    return next(_places(1, x, y))[:2]


def letter(colour: str, words: Words) -> str:
    """The letter of a colour, which no other colour has."""
    return words.say("board", f"mark_{colour}")


def shapes(now: dict[Piece, tuple[Shape, ...]], before: dict[Piece, tuple[Shape, ...]] | None) -> Iterator[Shape]:
    """The shapes of all pieces; new ones are ghosts."""
    for piece, drawn in now.items():
        if before is None or piece in before:
            yield from drawn
        else:
            yield from (replace(shape, ghost=True) for shape in drawn)


# --- in words ----------------------------------------------------------------------------------------------------


class CurrentNames(NamedTuple):
    """The full name of every living lord, and the current name of every fief."""

    lords: Mapping[str, str]
    fiefs: Mapping[str, str]


@memoize_by_identity(MAX_STANDING)
def current_names(state: State) -> CurrentNames:
    """The current names of lords and fiefs."""
    lords = MappingProxyType({name: style(state, name) for name in state.lords})
    return CurrentNames(lords, MappingProxyType({fief: title(state, fief) for fief in state.land.fiefs}))


def spots(state: State, words: Words) -> Iterator[Spot]:
    """The villages as cells to touch."""
    points, key = points_of(state.land), keys(state.land.villages)
    for name in state.land.villages:
        yield Spot(name, key[name], village_text(state, name, words), *corner(points[name]), SIDE, SIDE)


def village_text(state: State, village: str, words: Words) -> str:
    """The description of a village: its building, its controller, its fief and bishopric, and the lords there."""
    land = state.land
    owner = state.control.get(village)
    code = f"{state.buildings.get(village, 'village')}_{'of' if owner else 'free'}"
    values = {"village": village, "colour": owner or "", "fief": current_names(state).fiefs[land.fief_of[village]]}
    see = "seat" if village in land.seats.values() else "see"
    number = pieces.ROMAN[land.bishopric_of[village]]
    parts = [words.say("board", code, values), words.say("board", see, {"number": number})]
    parts += [
        words.say("board", "lord_of", {"lord": current_names(state).lords[name], "colour": state.lords[name].player})
        for name in lords_at(state, village)
    ]
    parts += [words.say("board", "army", {"lord": army.lord}) for army in state.armies if army.place == village]
    return "; ".join(parts)


def unknown_spot_name(state: State, spot: Spot, unknown: Collection[Cell], words: Words) -> str:
    """The name of a village with an unknown controller or building, or both; and the lords there."""
    village = str(spot.cell)
    facts = [fact for fact in (f"control {village}", f"building {village}") if fact in unknown]
    values = {"village": village, "fief": title(state, state.land.fief_of[village]), "facts": words.unknown_list(facts)}
    _, between, others = spot.name.partition("; ")
    return f"{words.say('board', 'unknown_part' if len(facts) == 1 else 'unknown', values)}{between}{others}"
