"""Villefranche: the buildings on a table. `put` adds a piece, `read_table` reads a whole table from its stacks.

A piece on a site that the rules allow changes the sets directly. After any other piece (a move that stood), the table
is read again: a test checks that both ways agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from rules.villefranche.board import BIT, CORNER_NUMBER, CORNERS, ENCLOSURE, GRID, pair_of
from rules.villefranche.enclosure import AGAIN, SIDE_OF_RAMPART
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, OnTwo, Rampart, Roof
from rules.villefranche.state import State, Town

Owners: TypeAlias = "tuple[int | None, int | None, int | None, int | None]"
STEP: Mapping[str, int] = {"N": GRID.stride, "E": 1, "S": -GRID.stride, "W": -1}
"""A brick's letter -> from its cell to its second cell."""
DIRECTION: Mapping[int, str] = {step: letter for letter, step in STEP.items()}
PIECE_LETTERS = ("CPYNESWB", "cpyneswb")
"""The letters of a stack: Black's, White's."""
HALF = "B"
"""A brick with an unknown second cell: a piece on its cell, and no building."""


Pieces: TypeAlias = "tuple[tuple[Town, Town], int, int, Owners]"
"""The data read from the stacks: `towns`, `walls`, `laid` and `corners` of a state."""


def put(state: State, move: Move) -> State:
    """The table after the player due has put down this piece, with the next placement due."""
    return _USUAL[type(move)](state, move) or _unusual(state, move)


def tower_owner(stack: str) -> int | None:
    """The first player with a second storey in a corner tower, from the bottom; None while it has no owner."""
    storeys = [0, 0]
    for letter in stack:
        if letter in "Yy":
            player = 0 if letter == "Y" else 1
            storeys[player] += 1
            if storeys[player] == 2:
                return player
    return None


# --- a piece on a site that the rules allow ----------------------------------------------------------------------


def _after(
    state: State, cells: int, stacks: Mapping[int, str], town: Town, enclosure: tuple[int, int, Owners] | None = None
) -> State:
    """The next state: the player due's town has changed; after the last placement of a turn it is the other's turn.

    `enclosure`: its walls, the number of ramparts, and the corners, where the move changes them.
    """
    walls, rampart_count, corners = enclosure or (state.walls, state.rampart_count, state.corners)
    player = state.player
    towns = (state.towns[0], town) if player else (town, state.towns[1])
    taken_cells = state.taken_cells | cells
    placement = 2
    if state.placement == 2 or state.first_turn:
        player, placement = 1 - player, 1
    fields = (
        stacks,
        towns,
        taken_cells,
        walls,
        rampart_count,
        corners,
        player,
        placement,
        False,
        state.readings,
        state.enclosed,
        state.in_hand,
        state.partial,
    )
    return tuple.__new__(State, fields)  # a tenth of a replay quicker than to call State with them


def _stacks_with_piece(state: State, index: int, letters: str) -> Mapping[int, str]:
    """The stacks with a piece of the player due on one cell."""
    stacks = dict(state.stacks)
    stacks[index] = stacks.get(index, "") + letters[state.player]
    return stacks


def _stacks_with_brick(state: State, site: tuple[int, ...]) -> Mapping[int, str]:
    """The stacks with a brick of the player due on two cells, the lower one first."""
    first, second = site
    here, there = ("EW", "ew")[state.player] if second - first == 1 else ("NS", "ns")[state.player]
    stacks = dict(state.stacks)
    stacks[first] = stacks.get(first, "") + here
    stacks[second] = stacks.get(second, "") + there
    return stacks


def _rampart(state: State, move: Rampart) -> State | None:
    cells, pair = move.bits, move.pair
    if pair not in SIDE_OF_RAMPART or state.taken_cells & cells:
        return None
    bricks, cubes, pyramids, cylinders, counts, *sets, ramparts = state.towns[state.player]
    town = Town(bricks - 1, cubes, pyramids, cylinders, counts + cells, *sets, ramparts | cells)  # type: ignore[call-arg]  # mypy takes the starred middle to be of any length
    stacks = _stacks_with_brick(state, move.site)
    return _after(state, cells, stacks, town, (state.walls | pair, state.rampart_count + 1, state.corners))


def _corner_storey(state: State, move: CornerStorey) -> State | None:
    index = move.site[0]
    if index not in CORNER_NUMBER:
        return None
    bricks, cubes, pyramids, cylinders, count, *sets = state.towns[state.player]
    town = Town(bricks, cubes, pyramids, cylinders - 1, count + move.bits, *sets)
    stacks = _stacks_with_piece(state, index, "Yy")
    corners = list(state.corners)
    corners[CORNER_NUMBER[index]] = tower_owner(stacks[index])
    a1, i1, a9, i9 = corners
    return _after(state, move.bits, stacks, town, (state.walls, state.rampart_count, (a1, i1, a9, i9)))


def _house(state: State, move: House) -> State | None:
    cell = move.bits
    if (state.taken_cells | CORNERS) & cell:
        return None
    bricks, cubes, pyramids, cylinders, count, houses, *sets = state.towns[state.player]
    town = Town(bricks, cubes - 1, pyramids, cylinders, count + cell, houses | cell, *sets)
    return _after(state, move.bits, _stacks_with_piece(state, move.site[0], "Cc"), town)


def _roof(state: State, move: Roof) -> State | None:
    cell = move.bits
    bricks, cubes, pyramids, cylinders, count, houses, shops, *sets = state.towns[state.player]
    if not houses & cell:
        return None
    town = Town(bricks, cubes, pyramids - 1, cylinders, count + cell, houses ^ cell, shops | cell, *sets)
    return _after(state, move.bits, _stacks_with_piece(state, move.site[0], "Pp"), town)


def _noble_storey(state: State, move: NobleStorey) -> State | None:
    cell = move.bits
    bricks, cubes, pyramids, cylinders, count, houses, shops, begun, raised, towers, *sets = state.towns[state.player]
    if not (state.taken_cells | CORNERS) & cell:
        begun |= cell
    elif begun & cell:
        begun, raised = begun ^ cell, raised | cell
    elif raised & cell:
        raised, towers = raised ^ cell, towers | cell
    else:
        return None
    town = Town(bricks, cubes, pyramids, cylinders - 1, count + cell, houses, shops, begun, raised, towers, *sets)
    return _after(state, move.bits, _stacks_with_piece(state, move.site[0], "Yy"), town)


def _nave(state: State, move: Nave) -> State | None:
    cells, pair = move.bits, move.pair
    own = state.towns[state.player]
    naves, doubles = own.naves, own.doubles
    if not (state.taken_cells | ENCLOSURE) & cells:
        naves |= pair
    elif naves & pair:
        naves, doubles = naves ^ pair, doubles | pair
    else:
        return None
    town = own._replace(bricks=own.bricks - 1, counts=own.counts + cells, naves=naves, doubles=doubles)
    return _after(state, cells, _stacks_with_brick(state, move.site), town)


def _bell_tower(state: State, move: BellTower) -> State | None:
    index = move.site[0]
    own = state.towns[state.player]
    if not GRID.cells_of_pairs(own.doubles) & move.bits:
        return None
    pair = pair_of(index, index + STEP[state.stacks[index][0].upper()])
    town = own._replace(
        pyramids=own.pyramids - 1,
        counts=own.counts + move.bits,
        doubles=own.doubles ^ pair,
        churches=own.churches | pair,
    )
    return _after(state, move.bits, _stacks_with_piece(state, index, "Pp"), town)


_USUAL: Mapping[type, Callable[[State, Any], State | None]] = {
    Rampart: _rampart,
    CornerStorey: _corner_storey,
    House: _house,
    Roof: _roof,
    NobleStorey: _noble_storey,
    Nave: _nave,
    BellTower: _bell_tower,
}


# --- any piece anywhere, and whole tables ------------------------------------------------------------------------


_LETTERS: Mapping[type, str] = {House: "Cc", Roof: "Pp", BellTower: "Pp", NobleStorey: "Yy", CornerStorey: "Yy"}


def _unusual(state: State, move: Move) -> State:
    if isinstance(move, OnTwo):
        stacks = _stacks_with_brick(state, move.site)
    else:
        stacks = _stacks_with_piece(state, move.site[0], _LETTERS[type(move)])
    towns, walls, rampart_count, corners = read_table(stacks)
    after = _after(state, move.bits, stacks, towns[state.player], (walls, rampart_count, corners))
    return after._replace(towns=towns)  # the other player's buildings too: a piece on them may spoil them


def read_table(stacks: Mapping[int, str]) -> Pieces:
    """Read all buildings, counts and supplies from the stacks.

    A finished building stays one, whatever pieces of the same colour lie on it; an unfinished one must consist of
    exactly its own pieces. A stack of two colours is no building.
    """
    towns = (_read_town(stacks, 0), _read_town(stacks, 1))
    walls = 0
    rampart_count = 0
    for index, stack in stacks.items():
        for letter in stack:
            step = STEP.get(letter.upper(), 0)
            if step > 0 and (BIT[index] | BIT[index + step]) & ~ENCLOSURE == 0:
                pair = pair_of(index, index + step)
                walls |= pair << AGAIN if walls & pair else pair
                rampart_count += 1
    a1, i1, a9, i9 = (tower_owner(stacks.get(index, "")) for index in CORNER_NUMBER)
    return towns, walls, rampart_count, (a1, i1, a9, i9)


def _read_town(stacks: Mapping[int, str], player: int) -> Town:
    letters = PIECE_LETTERS[player]
    used = dict.fromkeys("CPYB", 0)
    sets = dict.fromkeys(
        ("houses", "shops", "begun_towers", "raised_towers", "towers", "naves", "doubles", "churches"), 0
    )
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
    return Town(10 - used["B"], 10 - used["C"], 10 - used["P"], 10 - used["Y"], counts=count, ramparts=ramparts, **sets)


def _read_building(stack: str, stacks: Mapping[int, str], index: int, letters: str) -> tuple[str, int]:
    """The building of a stack of one colour: the name of a set in `Town`, and its cell or pair."""
    exact = {"C": "houses", "Y": "begun_towers", "YY": "raised_towers"}.get(stack)
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
