"""Robber Knights: one small function for each rule that can object, and their common functions."""

from __future__ import annotations

from collections.abc import Mapping

from rules.agreement import DIFFERS
from rules.kernel import LEGAL, UNPROVEN, Bounds, Fact, Facts, counted_facts
from rules.robber_knights.hands import OF_FACE, OF_LETTER, may_lay
from rules.robber_knights.moves import KNIGHTS, MAX_BROUGHT, MAX_ON_A_TILE, STEP, Cell, Stop, Tile, route
from rules.robber_knights.state import BELOW, COLOURS, SIDE, SOMEBODY, UNKNOWN, Colour, State
from rules.robber_knights.tiles import CASTLES, FACES, LAKES, MINIMUM, Face

INITIAL: Mapping[Colour, str] = {colour: colour[0] for colour in COLOURS}


# --- the turn and the end (RK-3, RK-30) --------------------------------------------------------------------------


def first_is_compulsory(state: State, move: Stop) -> Facts | None:
    """`RK-3`: a player may stop after a first tile only."""
    values = {"colour": state.colours[state.player]}
    if state.placed == UNKNOWN:
        return Facts("open", values, (), UNPROVEN, ("placed",))
    return None if state.placed else Facts("", values)


def over(state: State, move: Tile | Stop) -> Facts:
    """`RK-30`: all tiles are laid."""
    return Facts("", {"n": len(state.tiles)})


# --- the cell of the tile (RK-10, RK-11) -------------------------------------------------------------------------


def site(state: State, move: Tile) -> Facts | None:
    """`RK-10`: a free cell that shares an edge with a tile."""
    cell = move.cell
    tiles = state.tiles
    if cell in tiles:
        return Facts("taken", {"cell": cell, "face": tiles[cell]}, (Fact((cell,)),))
    x, y = cell
    if (x + 1, y) in tiles or (x - 1, y) in tiles or (x, y + 1) in tiles or (x, y - 1) in tiles:
        return None
    return Facts("apart", {"cell": cell}, (Fact((cell,)),))


def within(state: State, move: Tile) -> Facts | None:
    """`RK-11`: the rectangle around all tiles stays within its limit. If it already exceeds the limit, it does not
    grow.
    """
    x, y = move.cell
    left, bottom, right, top = state.box
    if left <= x <= right and bottom <= y <= top:
        return None
    values = _rectangle(state, move)
    if values["width"] <= values["most"] and values["height"] <= values["most"]:
        return None
    return Facts("", values, (Fact((move.cell,)),))


def rectangle_size(state: State, move: Tile) -> Facts:
    """`RK-11`: the rectangle with the tile, and its limit."""
    return counted_facts(_rectangle(state, move))


def _rectangle(state: State, move: Tile) -> dict[str, int]:
    (x, y), (left, bottom, right, top) = move.cell, state.box
    width, height = max(right, x) - min(left, x) + 1, max(top, y) - min(bottom, y) + 1
    return {"width": width, "height": height, "most": SIDE[len(state.colours)]}


# --- the tile (RK-12) --------------------------------------------------------------------------------------------


def at_hand(state: State, move: Tile) -> Facts | None:
    """`RK-12`: a tile that the player can have in hand, as far as the laid tiles show."""
    face = move.face
    if face not in FACES:
        return _tile_refusal(state, move, "no_face")
    if move.letter is not None and not OF_FACE[face] & OF_LETTER[move.letter]:
        return _tile_refusal(state, move, "no_letter")
    if state.hands is None or state.laid is None:
        return _by_copies(state, move)
    laid_tiles = state.laid[state.player]
    if may_lay(state.hands, state.player, laid_tiles, face, move.letter):
        return None
    own = sum(1 for tile in laid_tiles if tile.face == face and not tile.stood)
    if own >= FACES[face]:
        return _tile_refusal(state, move, "all_laid")
    return _tile_refusal(state, move, "letter" if move.letter else "")


def _tile_refusal(state: State, move: Tile, code: str) -> Facts:
    number = len(state.laid[state.player]) if state.laid is not None else 0
    most = FACES.get(move.face, 0)
    names = {"face": move.face, "letter": move.letter or "", "colour": state.colours[state.player]}
    return Facts(code, {**names, "n": number, "most": most}, (Fact((move.cell,)),))


def _by_copies(state: State, move: Tile) -> Facts | None:
    """Without the starting layout or the order of the laid tiles: refused if the face has no copy left."""
    cells = tuple(cell for cell, face in state.tiles.items() if face == move.face)
    if own_copies(state, move.face) >= FACES[move.face]:
        own = tuple(cell for cell in cells if state.backs.get(cell) == state.colours[state.player])
        return _tile_refusal(state, move, "all_laid")._replace(evidence=(Fact(own or (move.cell,)),))
    if len(cells) >= len(state.colours) * FACES[move.face]:
        return Facts("on_table", {"face": move.face, "n": len(cells)}, (Fact(cells),))
    return None


def own_copies(state: State, face: Face) -> int:
    """The number of tiles with this face that are known to be the player's: by their backs, or as laid."""
    colour = state.colours[state.player]
    seen_backs = sum(1 for cell, own in state.backs.items() if own == colour and state.tiles[cell] == face)
    laid_tiles = () if state.laid is None else state.laid[state.player]
    return max(seen_backs, sum(1 for tile in laid_tiles if tile.face == face and not tile.stood))


def has_copy(state: State, face: Face) -> bool:
    """Whether the player may have a copy of this face left, if no more is known of the hands."""
    on_table = sum(1 for tile_face in state.tiles.values() if tile_face == face)
    return own_copies(state, face) < FACES[face] and on_table < len(state.colours) * FACES[face]


# --- the knights (RK-20 to RK-26), as if the tile lay there, empty -----------------------------------------------


def may_bring_knights(state: State, move: Tile) -> Facts | None:
    """`RK-20`: up to five knights, and onto a castle only (reading `knights`: at least what its landscape asks for)."""
    number = sum(move.knights.left) if move.knights else 0
    if move.face not in CASTLES:
        return Facts("no_castle", {"n": number, "face": move.face}, (Fact((move.cell,)),)) if number else None
    if number > MAX_BROUGHT:
        return Facts("", {"n": number, "most": MAX_BROUGHT}, (Fact((move.cell,)),))
    least = MINIMUM[move.face]
    if number >= least or state.readings["knights"] == "optional":
        return None
    fewest, most = supply_of(state, state.player)
    values = {"n": number, "least": least, "face": move.face}
    if fewest < least <= most:
        return Facts("open", values, (Fact((move.cell,)),), UNPROVEN, ("supply",))
    return Facts("compulsory", values, (Fact((move.cell,)),)) if fewest >= least else None


def brought_knights_count(_state: State, move: Tile) -> Facts | None:
    """`RK-20`: the number of knights that the castle brings, and that it may bring."""
    number = sum(move.knights.left) if move.knights else 0
    return counted_facts({"n": number, "most": MAX_BROUGHT}) if move.face in CASTLES else None


def over_tiles(state: State, move: Tile) -> Facts | None:
    """`RK-21`: the march runs from tile to tile. That all may stay on the castle is a decision."""
    if move.knights is None:
        return None
    if move.knights.march is None:
        n = move.knights.left[0]
        return Facts("stay", {"n": n}, (Fact((move.cell,), {"left": n}),), LEGAL)
    gaps = tuple([cell for cell in route(move)[1:] if cell not in state.tiles])
    return Facts("", {"cells": gaps, "n": len(gaps)}, (Fact(gaps),)) if gaps else None


def deployment(state: State, move: Tile) -> list[tuple[Cell, Face, str, int]]:
    """Each tile of the deployment: its cell, its face, the stack on it before, and the knights left on it."""
    knights = move.knights
    if knights is None:
        return []
    tiles, stacks = state.tiles, state.stacks
    found: list[tuple[Cell, Face, str, int]] = [(move.cell, move.face, "", knights.left[0])]
    if knights.march is not None:
        x, y = move.cell
        dx, dy = STEP[knights.march]
        for number in knights.left[1:]:
            x, y = cell = (x + dx, y + dy)
            face = tiles.get(cell)
            if face is not None:
                found.append((cell, face, stacks.get(cell, ""), number))
    return found


def enough(state: State, move: Tile) -> Facts | None:
    """`RK-22`: each tile keeps at least what its landscape asks for (reading `castle_minimum`)."""
    if move.knights is None or castle_stays_free(state, move):
        return None
    short = [(cell, face, number) for cell, face, _, number in deployment(state, move) if number < MINIMUM[face]]
    if not short:
        return None
    cell, face, number = short[0]
    evidence = tuple(Fact((cell,), {"left": left, "least": MINIMUM[tile_face]}) for cell, tile_face, left in short)
    return Facts("", {"cell": cell, "face": face, "n": number, "least": MINIMUM[face]}, evidence)


def castle_stays_free(state: State, move: Tile) -> bool:
    """Whether the castle itself needs no knight, as nobody marches from it (reading `castle_minimum`)."""
    stays = move.knights is not None and move.knights.march is None
    return stays and move.face in CASTLES and state.readings["castle_minimum"] == "when_marching"


def at_most(state: State, move: Tile) -> Facts | None:
    """`RK-23`: no more than four knights on a tile when all are left where they stay."""
    if move.knights is None:
        return None
    steps = deployment(state, move)
    fewest, most, evidence, covered = 0, 0, [], {}
    for cell, _, stack, number in steps:
        low = high = len(stack) + number
        if BELOW in stack:
            low, high = (there + number for there in knights_on(state, stack))
            most = max(most, high)
            if number:
                covered[cell] = number
        evidence.append(Fact((cell,), {"total": low} if low == high else {}))
        fewest = max(fewest, low)
    most = max(most, fewest)
    if fewest > MAX_ON_A_TILE:
        return _too_many(state, steps)
    if most > MAX_ON_A_TILE and (facts := _perhaps_too_many(state, covered)):
        return facts
    return Facts("legal", {"n": _number(fewest, most), "most": MAX_ON_A_TILE}, tuple(evidence), LEGAL)


def _too_many(state: State, steps: list[tuple[Cell, Face, str, int]]) -> Facts:
    """The tiles of a deployment with too many knights."""
    full = [
        (cell, face, knights_on(state, stack), number)
        for cell, face, stack, number in steps
        if knights_on(state, stack)[0] + number > MAX_ON_A_TILE
    ]
    cell, face, (low, high), number = full[0]
    evidence = tuple(Fact((cell,), {**_known_number(there), "left": left}) for cell, _, there, left in full)
    counts = {"there": _number(low, high), "n": number, "sum": _number(low + number, high + number)}
    return Facts("", {"cell": cell, "face": face, **counts, "most": MAX_ON_A_TILE}, evidence)


def _number(fewest: int, most: int) -> int | Bounds:
    return fewest if fewest == most else Bounds(fewest, most)


def _known_number(there: tuple[int, int]) -> Mapping[str, int]:
    """The number of knights on a tile before, if no others may be hidden."""
    return {"there": there[0]} if there[0] == there[1] else {}


def _perhaps_too_many(state: State, entering: Mapping[Cell, int]) -> Facts | None:
    """The facts on covered stacks that may have no room for the knights `entering`, if there are any.

    Unproven, unless the hidden knights are so many that in any case one of them has no room.
    """
    stacks = state.stacks
    perhaps = tuple(
        [cell for cell, number in entering.items() if knights_on(state, stacks[cell])[1] + number > MAX_ON_A_TILE]
    )
    if not perhaps:
        return None
    room = hidden_knights(state) - sum([min(room_below(stacks[cell]), number) for cell, number in entering.items()])
    if missing_knights(state)[0] > room:
        return Facts(DIFFERS, {}, (Fact(perhaps),))
    values = {"cells": perhaps, "faces": tuple(state.tiles[cell] for cell in perhaps)}
    return Facts("open", values, (Fact(perhaps),), UNPROVEN, ("stack",))


def no_lake(state: State, move: Tile) -> Facts | None:
    """`RK-24`: no knight on a lake, and none passes one."""
    if move.knights is None:
        return None
    lakes = [(cell, face) for cell, face, _, _ in deployment(state, move) if face in LAKES]
    if not lakes:
        return None
    cells = tuple(cell for cell, _ in lakes)
    return Facts("", {"cells": cells, "faces": tuple(face for _, face in lakes)}, (Fact(cells),))


def no_stop_on_march(state: State, move: Tile) -> Facts | None:
    """`RK-25`: a lake, or a tile without room for the knights it needs, stops the march before it."""
    if move.knights is None or move.knights.march is None:
        return None
    closed, covered = [], {}
    for cell, face, stack, _ in deployment(state, move)[1:]:
        there = knights_on(state, stack)[0] if BELOW in stack else len(stack)
        if face in LAKES or there + MINIMUM[face] > MAX_ON_A_TILE:
            closed.append(cell)
        elif BELOW in stack:
            covered[cell] = MINIMUM[face]
    if closed:
        evidence = tuple(Fact((cell,), _known_number(knights_on(state, state.stacks.get(cell, "")))) for cell in closed)
        return Facts("", {"cells": tuple(closed), "faces": tuple(state.tiles[cell] for cell in closed)}, evidence)
    return _perhaps_too_many(state, covered)


def supply(state: State, move: Tile) -> Facts | None:
    """`RK-26`: no more knights than the player has left."""
    if move.knights is None:
        return None
    number = sum(move.knights.left)
    colour = state.colours[state.player]
    fewest, most = supply_of(state, state.player)
    if number <= fewest:
        return None
    if number <= most:
        return Facts("open", {"colour": colour, "n": number}, (Fact((move.cell,)),), UNPROVEN, ("supply",))
    return Facts("", {"colour": colour, "n": number, "left": most}, (Fact((move.cell,)),))


def supply_count(state: State, move: Tile) -> Facts | None:
    """`RK-26`: the player's knights, if known, and the number that the tile brings."""
    fewest, most = supply_of(state, state.player)
    if move.knights is None or fewest < most:
        return None
    return counted_facts({"colour": state.colours[state.player], "left": most, "n": sum(move.knights.left)})


def supply_of(state: State, player: int) -> tuple[int, int]:
    """The fewest and the most knights that a player can have left, depending on hidden ones."""
    left = state.supply[player]
    if left is not None:
        return left, left
    most = KNIGHTS - visible_knights(state, state.colours[player])
    return max(0, most - max(0, hidden_knights(state) - missing_knights(state)[0])), most


def missing_knights(state: State) -> tuple[int, int]:
    """The fewest and the most knights that are neither visible nor in a supply: all of these are hidden."""
    fewest = most = 0
    for colour, left in zip(state.colours, state.supply, strict=True):
        invisible = KNIGHTS - visible_knights(state, colour)
        fewest += 0 if left is None else max(0, invisible - left)
        most += max(0, invisible - (left or 0))
    return fewest, most


def knights_on(state: State, stack: str) -> tuple[int, int]:
    """The fewest and the most knights in a stack, with those that may be hidden there."""
    if not stack.startswith(BELOW):
        return len(stack), len(stack)
    visible, room, (fewest, most) = len(stack) - 1, room_below(stack), missing_knights(state)
    low = visible + max(0, fewest - (hidden_knights(state) - room))
    return low, max(low, visible + min(room, most))


def hidden_knights(state: State) -> int:
    """The number of knights that may be hidden, or whose colour is unknown."""
    text = "".join(state.stacks.values())
    below = text.count(SOMEBODY)
    if BELOW in text:
        below += sum([room_below(stack) for stack in state.stacks.values()])
    return below + MAX_ON_A_TILE * len(state.unknown_cells - state.stacks.keys())


def room_below(stack: str) -> int:
    """The maximum number of hidden knights in a stack, under the visible ones."""
    return max(0, MAX_ON_A_TILE + 1 - len(stack)) if stack.startswith(BELOW) else 0


def visible_knights(state: State, colour: Colour) -> int:
    """The number of visible knights of a colour on the table."""
    return "".join(state.stacks.values()).count(INITIAL[colour])
