"""Robber Knights: compares a table with an earlier one. No move takes a tile or a knight from its cell.

The unknown parts of the later table (`UNKNOWN`, hidden knights) fit anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import product

from rules.defaults import missing_tiles
from rules.kernel import Changes, Fact, Facts, Finding, Piece
from rules.robber_knights.legality import INITIAL
from rules.robber_knights.moves import (
    MAX_BROUGHT,
    MAX_IN_A_TURN,
    MAX_ON_A_TILE,
    STEP,
    Cell,
    Direction,
    Knights,
    Move,
    Stop,
    Tile,
)
from rules.robber_knights.state import BELOW, UNKNOWN, Colour, State
from rules.robber_knights.tiles import CASTLES, LAKES, Face, Letter

_COLOUR: Mapping[str, Colour] = {initial: colour for colour, initial in INITIAL.items()}


def pieces(state: State) -> Mapping[Piece, int]:
    """The tiles, and the visible knights on them."""
    found: Counter[Piece] = Counter()
    for cell, face in state.tiles.items():
        found[Piece("tile", (("face", face),), (cell,))] += 1
    for cell, stack in state.stacks.items():
        for initial in stack.lstrip(BELOW):
            colour = _COLOUR[initial]
            found[Piece("knight", (("colour", colour),), (cell,), by=colour)] += 1
    return found


# --- objections --------------------------------------------------------------------------------------------------


def objections(before: State, after: State) -> Iterator[Finding]:
    """A tile or knights that are missing (`RK-10`, `RK-26`), and more than the supply and the turns allow."""
    for cell, face in before.tiles.items():
        if after.tiles.get(cell) != face:
            yield Finding("RK-10", Facts("gone", {"face": face}, (Fact((cell,)),)))
    for cell, stack in before.stacks.items():
        if not _below(stack, after.stacks.get(cell, "")):
            yield Finding("RK-26", Facts("gone", {"face": before.tiles[cell]}, (Fact((cell,)),)))
    yield from _supply_findings(before, after)
    yield from _turns(before, after)


def _below(stack: str, now: str) -> bool:
    """Whether a stack can be the bottom of another one, by their visible knights."""
    if now.startswith(BELOW) or stack.startswith(BELOW):
        return bool(now)
    return now.startswith(stack)


def _supply_findings(before: State, after: State) -> Iterator[Finding]:
    """`RK-26`: as many knights came onto the table as left the supply."""
    if any(stack.startswith(BELOW) for table in (before, after) for stack in table.stacks.values()):
        return
    for colour, had, has in zip(before.colours, before.supply, after.supply, strict=True):
        n = _knights_on_table(after, colour) - _knights_on_table(before, colour)
        if had is not None and (n > had or (has is not None and n != had - has)):
            cells = tuple(sorted(cell for cell, stack in after.stacks.items() if INITIAL[colour] in stack))
            values = {"colour": colour, "n": n, "had": had, "has": had - n if has is None else has}
            yield Finding("RK-26", Facts("supply" if n <= had else "too_many", values, (Fact(cells),)))


def _knights_on_table(state: State, colour: Colour) -> int:
    return sum(stack.count(INITIAL[colour]) for stack in state.stacks.values())


def _turns(before: State, after: State) -> Iterator[Finding]:
    """`RK-3`: one to three tiles a turn, in turn order: the tiles of each player, and their total, fit the turns.

    Checked only while every player has tiles left, since then nobody is skipped.
    """
    if not all(left > 0 for left in after.left) or not all(left > 0 for left in before.left):
        return
    tile_counts = tuple(had - has for had, has in zip(before.left, after.left, strict=True))
    n = len(after.tiles) - len(before.tiles)
    cells = tuple(sorted(after.tiles.keys() - before.tiles.keys()))
    if sum(tile_counts) != n:
        yield Finding("RK-3", Facts("left", {"n": n, "told": sum(tile_counts)}, (Fact(cells),)))
    elif not any(_fits(before, after, tile_counts, turns) for turns in range(1, n + 3)):
        values = {"tiles": tile_counts, "colours": before.colours, "due": after.colours[after.player], "n": n}
        yield Finding("RK-3", Facts("turns", values, (Fact(cells),)))


def _fits(before: State, after: State, tile_counts: tuple[int, ...], turns: int) -> bool:
    """Whether a number of turns, the last of which is the one that is due, fits the tiles of each player."""
    number, placed = len(before.colours), max(before.placed, 0)
    if (before.player + turns - 1) % number != after.player:
        return False
    least, most = [0] * number, [0] * number
    for turn in range(turns):
        player = (before.player + turn) % number
        first, last = turn == 0, turn == turns - 1
        begun = placed if first else 0
        ends = (1, MAX_IN_A_TURN) if not last else (0, 2) if after.placed == UNKNOWN else (after.placed, after.placed)
        if first and before.placed == UNKNOWN:
            ends, begun = (0, ends[1]), 0
        least[player] += max(ends[0] - begun, 0) if not last else ends[0] - begun
        most[player] += ends[1] - begun
    return all(low <= n <= high for low, n, high in zip(least, tile_counts, most, strict=True))


# --- a way -------------------------------------------------------------------------------------------------------


def towards(state: State, target: State) -> Iterator[Move]:
    """The missing tiles that the player may lay, with the missing knights; and the move to stop."""
    colour = state.colours[state.player]
    for cell, face in target.tiles.items():
        if cell not in state.tiles and target.backs.get(cell, colour) == colour:
            letter = _letter(state, target, face)
            yield Tile(cell, face, letter)
            if face in CASTLES and face not in LAKES:
                for knights in _deployments(state, target, cell):
                    yield Tile(cell, face, letter, knights)
    yield Stop()


def _letter(state: State, target: State, face: Face) -> Letter | None:
    """The letter of the player's next tile, if the later table shows it."""
    if target.laid is None or state.laid is None:
        return None
    new_tiles = target.laid[state.player][len(state.laid[state.player]) :]
    return new_tiles[0].letter if new_tiles and new_tiles[0].face == face else None


def _deployments(state: State, target: State, cell: Cell) -> Iterator[Knights]:
    """The ways to leave the missing knights of the player, from a castle."""
    rooms = _room(state, target, cell)
    for number in range(1, min(rooms, MAX_BROUGHT) + 1):
        yield Knights((number,))
    for direction, (dx, dy) in STEP.items():
        route, (x, y) = [rooms], cell
        while len(route) <= MAX_BROUGHT + 1:
            x, y = x + dx, y + dy
            room = _room(state, target, (x, y)) if (x, y) in state.tiles else 0
            if not room:
                break
            route.append(room)
            yield from _marches(direction, route)


def _marches(direction: Direction, rooms: list[int]) -> Iterator[Knights]:
    """The ways to leave knights on each tile of a march; on the castle perhaps none."""
    for left in product(range(rooms[0] + 1), *(range(1, room + 1) for room in rooms[1:])):
        if sum(left) <= MAX_BROUGHT:
            yield Knights(left, direction)


def _room(state: State, target: State, cell: Cell) -> int:
    """The number of the player's knights that may come onto a tile next."""
    stack, now = state.stacks.get(cell, ""), target.stacks.get(cell, "")
    if now.startswith(BELOW) or stack.startswith(BELOW):
        return MAX_ON_A_TILE
    rest = now[len(stack) :]
    return len(rest) - len(rest.lstrip(INITIAL[state.colours[state.player]]))


def key(state: State) -> Hashable:
    """The tiles and knights, the order of the tiles, and the turn."""
    on_table = frozenset(state.tiles.items()), frozenset(state.stacks.items()), frozenset(state.backs.items())
    return *on_table, state.supply, state.left, state.laid, state.player, state.placed


def same(state: State, target: State) -> bool:
    """Whether the tiles, the knights and the turn are the same, as far as entered."""
    if state.tiles != target.tiles or state.player != target.player:
        return False
    if target.placed not in (UNKNOWN, state.placed) or target.laid not in (None, state.laid):
        return False
    counts = zip((*state.left, *state.supply), (*target.left, *target.supply), strict=True)
    if not all(now in (UNKNOWN, None, was) for was, now in counts):
        return False
    if state.stacks.keys() != target.stacks.keys():
        return False
    stacks = all(_like(stack, target.stacks[cell]) for cell, stack in state.stacks.items())
    return stacks and all(state.backs.get(cell) == colour for cell, colour in target.backs.items())


def _like(stack: str, target: str) -> bool:
    """Whether a stack is the target one, by the visible knights."""
    return stack.endswith(target.lstrip(BELOW)) if target.startswith(BELOW) else stack == target


CHANGES: Changes[State, Move] = Changes(
    pieces=pieces, objections=objections, towards=towards, every_way=True, least=missing_tiles, same=same, key=key
)
