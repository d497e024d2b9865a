"""Robber Knights: the effects of a tile with its knights, without the points of all and the end. It never judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rules.effects import effect
from rules.kernel import Bounds, Effect, Fact, Value
from rules.robber_knights.hands import drawn_letter, possible_letters
from rules.robber_knights.legality import INITIAL, knights_on, supply_of
from rules.robber_knights.moves import MAX_ON_A_TILE, Cell, Move, Tile, route
from rules.robber_knights.scoring import knights_left, score
from rules.robber_knights.state import SIDE, Colour, State
from rules.robber_knights.tiles import CASTLES, LAKES, MINIMUM, POINTS, TO_LAY, Face
from rules.styled_name import StyledName

OF_INITIAL = {initial: colour for colour, initial in INITIAL.items()}
TELLING = ("taken", "gained", "kept", "nothing")
"""The possible changes of a tile's points, the most important first."""
EACH = "_each"
"""The suffix of these codes for several equal tiles."""


class KnightsOnTile(NamedTuple):
    """Knights that a march leaves on a tile: their number, the stack before, from the bottom up, and whether it was
    open; and the total now, or None if others may be hidden there.
    """

    cell: Cell
    face: Face
    number: int
    before: str
    was_open: bool
    total: int | None

    @property
    def known_total(self) -> Mapping[str, int]:
        """The total for the evidence, if it is known."""
        return {} if self.total is None else {"total": self.total}


def effects(before: State, move: Move, after: State) -> tuple[Effect, ...]:
    """The points of the tiles that the knights reach, who can still enter them, the turn, and what is left to play.

    After the last tile of all, only the points, the knights left and the ties.
    """
    if not isinstance(move, Tile):
        return tuple(_skipped_players(before, after))
    tiles = _tiles_with_knights(before, move, after)
    scored, supply = _scoring_effects(before.colours[before.player], tiles), _supply(before, move, after)
    if not any(after.left):
        return (*scored, *supply, *ties(after))
    return (
        *scored,
        *_closed_tiles(tiles),
        *_empty(before, move),
        *_turn(before, after),
        *supply,
        *_room(tiles),
        *_rectangle(before, after),
        *_draw_effect(before, after),
        *_letters(before, after),
    )


def _tiles_with_knights(before: State, move: Tile, after: State) -> list[KnightsOnTile]:
    if move.knights is None:
        return []
    return [
        _knights_on_tile(before, after, cell, number)
        for cell, number in zip(route(move), move.knights.left, strict=True)
        if number
    ]


def _knights_on_tile(before: State, after: State, cell: Cell, number: int) -> KnightsOnTile:
    face, stack = after.tiles[cell], before.stacks.get(cell, "")
    fewest, most = knights_on(after, after.stacks[cell])
    was_open = _open(face, knights_on(before, stack)[0])
    return KnightsOnTile(cell, face, number, stack, was_open, fewest if fewest == most else None)


def _faces(tiles: Iterable[KnightsOnTile]) -> tuple[str, ...]:
    """The faces of some tiles, each once, with the number of tiles if there are several."""
    numbers = Counter(left.face for left in tiles)
    return tuple(
        [face if n == 1 else StyledName(face, "several", {"face": face, "n": n}) for face, n in numbers.items()]
    )


# --- the tiles that the knights reach ----------------------------------------------------------------------------


def _scoring_effects(colour: Colour, tiles: list[KnightsOnTile]) -> list[Effect]:
    """`RK-31`: the points of each of them, for whom now and before; taken ones and higher points first.

    Tiles with the same effect share one effect.
    """
    alike: dict[tuple[Face, int, str | None], list[KnightsOnTile]] = {}
    for left in sorted(tiles, key=lambda left: -POINTS[left.face]):
        alike.setdefault((left.face, left.number, OF_INITIAL.get(left.before[-1:])), []).append(left)
    score_effects = [_scores(colour, before, there) for (_, _, before), there in alike.items()]
    return sorted(score_effects, key=lambda each: TELLING.index(each.facts.code.removesuffix(EACH)))


def _scores(colour: Colour, before: str | None, tiles: list[KnightsOnTile]) -> Effect:
    """The points of equal tiles, for each of them."""
    face, number, points = tiles[0].face, tiles[0].number, POINTS[tiles[0].face]
    code = "nothing" if not points else "gained" if before is None else "kept" if before == colour else "taken"
    values: dict[str, Value] = {"colour": colour, "face": face, "n": number, "points": points, "before": before}
    evidence = tuple([Fact((left.cell,), {"left": number, **left.known_total}) for left in tiles])
    if len(tiles) > 1:
        code, values["tiles"] = code + EACH, len(tiles)
    return effect("RK-31", code, values, evidence)


def _closed_tiles(tiles: list[KnightsOnTile]) -> Iterator[Effect]:
    """`RK-23`, `RK-25`: the tiles that nobody can enter from now on, full or without room for the knights they need."""
    alike: dict[tuple[str, int, int], list[KnightsOnTile]] = {}
    for left in tiles:
        if left.total is not None and left.was_open and not _open(left.face, left.total):
            full = left.total >= MAX_ON_A_TILE
            key = ("RK-23", left.total, 0) if full else ("RK-25", left.total, MINIMUM[left.face])
            alike.setdefault(key, []).append(left)
    for (rule, n, least), there in alike.items():
        facts = tuple([Fact((left.cell,), {"total": n, "least": MINIMUM[left.face]}) for left in there])
        yield effect(rule, "closed", {"faces": _faces(there), "n": n, "least": least}, facts)


def _open(face: Face, there: int) -> bool:
    return face not in LAKES and there + MINIMUM[face] <= MAX_ON_A_TILE


def _room(tiles: list[KnightsOnTile]) -> Iterator[Effect]:
    """`RK-23`: the number of knights that may still enter the open tiles, those with equal room together."""
    by_room: dict[int, list[KnightsOnTile]] = {}
    for left in tiles:
        if left.total is not None and _open(left.face, left.total):
            by_room.setdefault(MAX_ON_A_TILE - left.total, []).append(left)
    for room, there in sorted(by_room.items()):
        evidence = tuple([Fact((left.cell,), left.known_total) for left in there])
        yield effect("RK-23", "room", {"n": room, "faces": _faces(there)}, evidence)


# --- the player's supply -----------------------------------------------------------------------------------------


def _empty(before: State, move: Tile) -> Iterator[Effect]:
    """`RK-20`: a castle that brings nobody now never will."""
    if move.knights is None and move.face in CASTLES:
        values = {"colour": before.colours[before.player], "face": move.face}
        yield effect("RK-20", "empty", values, (Fact((move.cell,)),))


def _supply(before: State, move: Tile, after: State) -> Iterator[Effect]:
    """`RK-26`: the knights left, if known."""
    if move.knights is None:
        return
    fewest, most = supply_of(after, before.player)
    if fewest == most:
        values = {"colour": before.colours[before.player], "n": most}
        yield effect("RK-26", "left" if most else "none", values)


def _draw_effect(before: State, after: State) -> Iterator[Effect]:
    """`RK-3`, `RK-12`: the letter of the drawn tile, or an empty pile, if the tiles left are known."""
    player = before.player
    if after.left[player] <= 0 or before.left[player] < 0:
        return
    values = {"colour": before.colours[player], "n": after.left[player]}
    letter = drawn_letter(TO_LAY - after.left[player])
    if letter is None:
        yield effect("RK-12", "pile_empty", values)
    else:
        yield effect("RK-12", "drawn", {**values, "letter": letter})


def _letters(before: State, after: State) -> Iterator[Effect]:
    """`RK-12`: the letters that the tiles in the player's hand may have, if all laid tiles are known."""
    player = before.player
    if after.hands is None or after.laid is None or after.left[player] <= 0:
        return
    letters = possible_letters(after.hands, player, after.laid[player])
    yield effect("RK-12", "hand", {"colour": before.colours[player], "letters": letters, "n": len(letters)})


# --- the end ------------------------------------------------------------------------------------------------------


def ties(after: State) -> Iterator[Effect]:
    """`RK-32`: the players with equal points, the best first: the knights left decide, or leave them equal, or hidden
    knights leave that open.
    """
    totals: Counter[Colour] = Counter()
    for line in score(after):
        totals[line.seat] += line.points  # type: ignore[index]  # the seats of this game are its colours
    for points in sorted(set(totals.values()), reverse=True):
        tied = [colour for colour in after.colours if totals[colour] == points]
        if len(tied) > 1:
            yield _tie(after, tied, points, everybody=len(tied) == len(after.colours))


def _tie(after: State, tied: list[Colour], points: int, *, everybody: bool) -> Effect:
    standings = [knights_left(after, colour, tied) for colour in tied]
    if len({standing.key for standing in standings}) > 1:
        code = "decides"
    elif any(isinstance(standing.figure, Bounds) for standing in standings):
        code = "open"
    else:
        code = "draw" if everybody else "shared"
    values: dict[str, Value] = {
        "colours": tuple(tied),
        "points": points,
        "knights": tuple([_knights(after, each) for each in tied]),
    }
    return effect("RK-32", code, values, [fact for standing in standings for fact in standing.evidence])


def _knights(after: State, colour: Colour) -> StyledName:
    """A player with the knights left, or their bounds if some may lie hidden."""
    fewest, most = supply_of(after, after.colours.index(colour))
    if fewest == most:
        return StyledName(colour, "left", {"colour": colour, "n": most})
    return StyledName(colour, "between", {"colour": colour, "fewest": fewest, "most": most})


# --- the turn and the rectangle ----------------------------------------------------------------------------------


def _turn(before: State, after: State) -> Iterator[Effect]:
    """`RK-3`, `RK-4`: a turn that ends by itself, and the players who are skipped then."""
    if after.placed:
        return
    colour = before.colours[before.player]
    if after.left[before.player]:
        yield effect("RK-3", "third", {"colour": colour})
    else:
        yield effect("RK-4", "last", {"colour": colour})
    yield from _skipped_players(before, after)


def _skipped_players(before: State, after: State) -> Iterator[Effect]:
    """`RK-4`: the players without a tile between the player of this turn and that of the next."""
    number = len(before.colours)
    steps = (after.player - before.player) % number or number
    skipped = tuple([before.colours[(before.player + step) % number] for step in range(1, steps)])
    if skipped:
        yield effect("RK-4", "passed_over", {"colours": skipped, "n": len(skipped)})


def _rectangle(before: State, after: State) -> Iterator[Effect]:
    """`RK-11`: the rectangle if it grows, and the columns and rows that it may still add."""
    if after.box == before.box:
        return
    left, bottom, right, top = after.box
    width, height, most = right - left + 1, top - bottom + 1, SIDE[len(after.colours)]
    columns, rows = max(0, most - width), max(0, most - height)
    code = ("grown" if rows else "no_row") if columns else ("no_column" if rows else "full")
    yield effect("RK-11", code, {"width": width, "height": height, "columns": columns, "rows": rows})
