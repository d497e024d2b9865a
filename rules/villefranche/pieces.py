"""Villefranche: what the pieces on a table are. `put` adds a piece, `read_table` reads a whole table from its stacks.

A piece that lands where the rules let it land changes the sets at once. Any other (a move that stood) makes the table
be read anew: a test holds that both ways agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from rules.villefranche.board import (
    AGAIN,
    BIT,
    CORNER_NUMBER,
    CORNERS,
    ENCLOSURE,
    GRID,
    INDEX,
    SIDE_OF_RAMPART,
    pair_of,
)
from rules.villefranche.state import (
    BellTower,
    CornerStorey,
    House,
    Move,
    Nave,
    NobleStorey,
    Rampart,
    Roof,
    State,
    Town,
)

Owners: TypeAlias = "tuple[int | None, int | None, int | None, int | None]"
STEP: Mapping[str, int] = {"N": GRID.stride, "E": 1, "S": -GRID.stride, "W": -1}
"""A brick's letter -> from its cell to its second cell."""
DIRECTION: Mapping[int, str] = {step: letter for letter, step in STEP.items()}
PIECE_LETTERS = ("CPYNESW", "cpynesw")
"""The letters of a stack: Black's, White's."""


class Pieces(NamedTuple):
    """What stands on a table."""

    stacks: Mapping[int, str]
    towns: tuple[Town, Town]
    walls: int
    laid: int
    corners: Owners


def put(state: State, move: Move) -> Pieces:
    """The pieces on the table once the player due has put down this one."""
    return _USUAL[type(move)](state, move) or _unusual(state, move)


def tower_owner(stack: str) -> int | None:
    """Whose second storey is the first one in a corner tower, from the bottom; None while it has no owner."""
    storeys = [0, 0]
    for letter in stack:
        if letter in "Yy":
            player = 0 if letter == "Y" else 1
            storeys[player] += 1
            if storeys[player] == 2:
                return player
    return None


# --- a piece where the rules let it go ---------------------------------------------------------------------------


def _pieces(state: State, town: Town, stacks: Mapping[int, str]) -> Pieces:
    """A change of the player due's town and the stacks alone."""
    towns = (town, state.towns[1]) if state.player == 0 else (state.towns[0], town)
    return Pieces(stacks, towns, state.walls, state.laid, state.corners)


def _rampart(state: State, move: Rampart) -> Pieces | None:
    first, second = INDEX[move.cells[0]], INDEX[move.cells[1]]
    cells = BIT[first] | BIT[second]
    pair = pair_of(first, second)
    if pair not in SIDE_OF_RAMPART or state.taken & cells:
        return None
    own = state.towns[state.player]
    town = own._replace(bricks=own.bricks - 1, count=own.count + cells, ramparts=own.ramparts | cells)
    pieces = _pieces(state, town, {**state.stacks, **_brick(state.player, first, second)})
    return pieces._replace(walls=state.walls | pair, laid=state.laid + 1)


def _corner_storey(state: State, move: CornerStorey) -> Pieces | None:
    index = INDEX[move.cell]
    if index not in CORNER_NUMBER:
        return None
    own = state.towns[state.player]
    stack = state.stacks.get(index, "") + "Yy"[state.player]
    town = own._replace(cylinders=own.cylinders - 1, count=own.count + BIT[index])
    pieces = _pieces(state, town, {**state.stacks, index: stack})
    number = CORNER_NUMBER[index]
    corners = state.corners[:number] + (tower_owner(stack),) + state.corners[number + 1 :]
    return pieces._replace(corners=corners)


def _house(state: State, move: House) -> Pieces | None:
    index = INDEX[move.cell]
    cell = BIT[index]
    if state.taken & cell or cell & CORNERS:
        return None
    own = state.towns[state.player]
    town = own._replace(cubes=own.cubes - 1, count=own.count + cell, houses=own.houses | cell)
    return _pieces(state, town, {**state.stacks, index: "Cc"[state.player]})


def _roof(state: State, move: Roof) -> Pieces | None:
    index = INDEX[move.cell]
    cell = BIT[index]
    own = state.towns[state.player]
    if not own.houses & cell:
        return None
    town = own._replace(
        pyramids=own.pyramids - 1, count=own.count + cell, houses=own.houses ^ cell, shops=own.shops | cell
    )
    return _pieces(state, town, {**state.stacks, index: ("CP", "cp")[state.player]})


def _noble_storey(state: State, move: NobleStorey) -> Pieces | None:
    index = INDEX[move.cell]
    cell = BIT[index]
    own = state.towns[state.player]
    begun, raised, towers = own.begun, own.raised, own.towers
    if not state.taken & cell and not cell & CORNERS:
        begun |= cell
    elif begun & cell:
        begun, raised = begun ^ cell, raised | cell
    elif raised & cell:
        raised, towers = raised ^ cell, towers | cell
    else:
        return None
    town = own._replace(
        cylinders=own.cylinders - 1, count=own.count + cell, begun=begun, raised=raised, towers=towers
    )
    return _pieces(state, town, {**state.stacks, index: state.stacks.get(index, "") + "Yy"[state.player]})


def _nave(state: State, move: Nave) -> Pieces | None:
    first, second = INDEX[move.cells[0]], INDEX[move.cells[1]]
    cells = BIT[first] | BIT[second]
    pair = pair_of(first, second)
    own = state.towns[state.player]
    brick = _brick(state.player, first, second)
    if not state.taken & cells and not cells & ENCLOSURE:
        town = own._replace(bricks=own.bricks - 1, count=own.count + cells, naves=own.naves | pair)
    elif own.naves & pair:
        town = own._replace(
            bricks=own.bricks - 1, count=own.count + cells, naves=own.naves ^ pair, doubles=own.doubles | pair
        )
        brick = {index: letter * 2 for index, letter in brick.items()}
    else:
        return None
    return _pieces(state, town, {**state.stacks, **brick})


def _bell_tower(state: State, move: BellTower) -> Pieces | None:
    index = INDEX[move.cell]
    cell = BIT[index]
    own = state.towns[state.player]
    if not GRID.cells_of_pairs(own.doubles) & cell:
        return None
    stack = state.stacks[index]
    pair = pair_of(index, index + STEP[stack[0].upper()])
    town = own._replace(
        pyramids=own.pyramids - 1, count=own.count + cell, doubles=own.doubles ^ pair, churches=own.churches | pair
    )
    return _pieces(state, town, {**state.stacks, index: stack + "Pp"[state.player]})


def _brick(player: int, first: int, second: int) -> dict[int, str]:
    """The letters of a brick on two cells."""
    letters = {first: DIRECTION[second - first], second: DIRECTION[first - second]}
    return letters if player == 0 else {index: letter.lower() for index, letter in letters.items()}


_USUAL: Mapping[type, Callable[[State, Any], Pieces | None]] = {
    Rampart: _rampart,
    CornerStorey: _corner_storey,
    House: _house,
    Roof: _roof,
    NobleStorey: _noble_storey,
    Nave: _nave,
    BellTower: _bell_tower,
}


# --- any piece anywhere, and whole tables ------------------------------------------------------------------------


def _unusual(state: State, move: Move) -> Pieces:
    if isinstance(move, Rampart | Nave):
        letters = _brick(state.player, INDEX[move.cells[0]], INDEX[move.cells[1]])
    else:
        piece = {House: "C", Roof: "P", BellTower: "P", NobleStorey: "Y", CornerStorey: "Y"}[type(move)]
        letters = {INDEX[move.cell]: piece if state.player == 0 else piece.lower()}
    return read_table({**state.stacks, **{index: state.stacks.get(index, "") + s for index, s in letters.items()}})


def read_table(stacks: Mapping[int, str]) -> Pieces:
    """Read all buildings, counts and supplies from the stacks.

    What is finished stays what it is whatever of the same colour lies on it; what is not finished must be its own
    pieces exactly. A stack of two colours is no building.
    """
    towns = (_read_town(stacks, 0), _read_town(stacks, 1))
    walls = 0
    laid = 0
    for index, stack in stacks.items():
        for letter in stack:
            step = STEP.get(letter.upper(), 0)
            if step > 0 and (BIT[index] | BIT[index + step]) & ~ENCLOSURE == 0:
                pair = pair_of(index, index + step)
                walls |= pair << AGAIN if walls & pair else pair
                laid += 1
    a1, i1, a9, i9 = (tower_owner(stacks.get(index, "")) for index in CORNER_NUMBER)
    return Pieces(stacks, towns, walls, laid, (a1, i1, a9, i9))


def _read_town(stacks: Mapping[int, str], player: int) -> Town:
    letters = PIECE_LETTERS[player]
    used = {letter: 0 for letter in "CPYB"}
    sets = {name: 0 for name in ("houses", "shops", "begun", "raised", "towers", "naves", "doubles", "churches")}
    count = ramparts = 0
    for index, stack in stacks.items():
        own = [letter.upper() for letter in stack if letter in letters]
        count += len(own) * BIT[index]
        for letter in own:
            step = STEP.get(letter)
            if step is None:
                used[letter] += 1
                continue
            used["B"] += step > 0  # a brick is in two stacks: counted in the one of its lower cell
            if (BIT[index] | BIT[index + step]) & ~ENCLOSURE == 0:
                ramparts |= BIT[index]
        if len(own) == len(stack) and index not in CORNER_NUMBER:
            building, cells = _read_building("".join(own), stacks, index, letters)
            if building:
                sets[building] |= cells
    return Town(
        10 - used["B"], 10 - used["C"], 10 - used["P"], 10 - used["Y"], count=count, ramparts=ramparts, **sets
    )


def _read_building(stack: str, stacks: Mapping[int, str], index: int, letters: str) -> tuple[str, int]:
    """What a stack of one colour is: the name of a set of `Town`, and the cell or pair that belongs into it."""
    exact = {"C": "houses", "Y": "begun", "YY": "raised"}.get(stack)
    if exact:
        return exact, BIT[index]
    if stack.startswith("CP"):
        return "shops", BIT[index]
    if stack.startswith("YYY"):
        return "towers", BIT[index]
    if stack[0] in "NE":
        return _read_church(stack, stacks, index, letters)
    return "", 0


def _read_church(stack: str, stacks: Mapping[int, str], index: int, letters: str) -> tuple[str, int]:
    """The church whose lower cell is `index`: both its cells hold the same naves, from the bottom up."""
    second = index + STEP[stack[0]]
    pair = pair_of(index, second)
    other = stacks.get(second, "")
    if any(letter not in letters for letter in other) or not (BIT[index] | BIT[second]) & ~ENCLOSURE:
        return "", 0
    other = other.upper()
    here, there = stack[0], {"N": "S", "E": "W"}[stack[0]]
    if (stack, other) == (here, there):
        return "naves", pair
    if (stack, other) == (here * 2, there * 2):
        return "doubles", pair
    whole = stack.startswith(here * 2) and other.startswith(there * 2)
    return ("churches", pair) if whole and "P" in (stack[2:3], other[2:3]) else ("", 0)



