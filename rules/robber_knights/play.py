"""Robber Knights: the setup, the move that is due, the result of a move, and the end of the game. `apply` trusts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.forms import Malformed, chosen_readings
from rules.kernel import Due, Ended, Fact, Facts, Seat
from rules.robber_knights import legality as law
from rules.robber_knights.hands import Hands, PlayedTile, hands_at_start, lay
from rules.robber_knights.moves import KNIGHTS, MAX_IN_A_TURN, Cell, Move, Tile, route
from rules.robber_knights.state import (
    COLOURS,
    READINGS,
    SIDE,
    UNKNOWN,
    UNTOLD,
    Box,
    Colour,
    LayoutTile,
    Setup,
    State,
)
from rules.robber_knights.tiles import CASTLE_TILES, FACES, IN_LAYOUT, TILES, TO_LAY

# --- the setup (RK-1, RK-2) --------------------------------------------------------------------------------------


def setup(form: Setup) -> State:
    """The starting layout, and the first player begins. Raises `Malformed`, with the field, if there is no layout."""
    state = seat_players(form)
    hands = _layout(form)
    x, y = (max(tile.cell[axis] for tile in form.layout) for axis in (0, 1))
    tiles = {entry.cell: entry.tile for entry in form.layout}
    return state._replace(tiles=tiles, backs=backs_of(form), box=(0, 0, x, y), hands=hands)


def backs_of(form: Setup) -> dict[Cell, Colour]:
    """The owners of tiles of the starting layout, as known by their backs."""
    return {entry.cell: entry.colour for entry in form.layout if entry.colour is not None}


def seat_players(form: Setup) -> State:
    """The players at a table with no tile on it. Raises `Malformed`, with the field, if they cannot play."""
    colours = tuple(player.colour for player in form.players)
    if len(colours) not in SIDE:
        raise Malformed("players", "/players")
    for number, colour in enumerate(colours):
        if colour in colours[:number]:
            raise Malformed("colour_twice", f"/players/{number}/colour", colour=colour)
        if colour not in COLOURS:
            raise Malformed("colour_unknown", f"/players/{number}/colour", text=colour)
    if form.players is not UNTOLD:
        _of_players(form)
    each = len(colours)
    return State(
        colours=colours,
        tiles={},
        stacks={},
        backs={},
        box=(0, 0, 0, 0),
        supply=(KNIGHTS,) * each,
        left=(TO_LAY,) * each,
        laid=((),) * each,
        hands=None,
        player=0,
        placed=0,
        readings=chosen_readings(READINGS, form.readings),
    )


def _of_players(form: Setup) -> None:
    """The backs of the layout are in the colours of the players. Raises `Malformed`."""
    colours = [player.colour for player in form.players]
    for number, entry in enumerate(form.layout):
        if entry.colour is not None and entry.colour not in colours:
            raise Malformed("layout_colour", f"/layout/{number}/colour", colour=entry.colour)


def _layout(form: Setup) -> Hands:
    colours = [player.colour for player in form.players]
    _rectangle(form.layout, IN_LAYOUT * len(colours))
    for number, entry in enumerate(form.layout):
        if entry.tile not in CASTLE_TILES:
            raise Malformed("layout_face", f"/layout/{number}/tile", face=entry.tile)
    _of_players(form)
    hands = hands_of_layout(form)
    if not hands.kept_options:
        raise Malformed("layout_tiles", "/layout")
    return hands


def _rectangle(layout: Sequence[LayoutTile], number: int) -> None:
    """The layout is a full rectangle that starts at (0, 0), perhaps a single row."""
    if len(layout) != number:
        raise Malformed("layout_size", "/layout", n=number)
    cells = [tile.cell for tile in layout]
    for place, cell in enumerate(cells):
        if cell in cells[:place]:
            raise Malformed("layout_cell", f"/layout/{place}/cell", cell=cell)
    shapes = [(width, number // width) for width in range(1, number + 1) if number % width == 0]
    if not any(set(cells) == {(x, y) for x in range(width) for y in range(height)} for width, height in shapes):
        raise Malformed("layout_shape", "/layout", n=number)


def hands_of_layout(form: Setup) -> Hands:
    """The hands that follow from the layout."""
    numbers = {player.colour: number for number, player in enumerate(form.players)}
    layout = [(entry.tile, None if entry.colour is None else numbers[entry.colour]) for entry in form.layout]
    return hands_at_start(len(numbers), layout)


# --- the move that is due, and the end (RK-3, RK-4, RK-30) -------------------------------------------------------


def seats_of(state: State) -> tuple[Seat, ...]:
    """The colours that play, in turn order."""
    return state.colours


def phase(state: State) -> str:
    """The row of the rulebook: ``play``, or ``over`` when all tiles are laid (`RK-30`)."""
    return "play" if any(state.left) else "over"


def due(state: State) -> Due:
    """Whose move it is: a first tile, or a further one or `stop`; or the end."""
    if not any(state.left):
        return Due(None, (), "ended", {}, Ended("RK-30", {"n": len(state.tiles)}))
    colour = state.colours[state.player]
    kinds = ("tile", "stop") if state.placed else ("tile",)
    code = "tile" if state.placed == UNKNOWN else f"tile_{state.placed + 1}"
    return Due(colour, kinds, code, {"colour": colour})


def turn_of(state: State, seat: Seat) -> State:
    """The same table with a player to begin a turn."""
    return state._replace(player=[str(colour) for colour in state.colours].index(seat), placed=0)


# --- a move ------------------------------------------------------------------------------------------------------


def cannot_stand(state: State, move: Move) -> Facts | None:
    """Why the log rejects a move even if all agree: no such tile exists, its cell is taken, or a knight is missing."""
    if not any(state.left):
        return law.over(state, move)
    if not isinstance(move, Tile):
        return None
    if move.cell in state.tiles:
        return law.site(state, move)
    if move.face not in FACES:
        return law.at_hand(state, move)
    if move.knights is None:
        return None
    short = law.supply(state, move)
    if short is not None and not short.needs:
        return short
    gaps = tuple(
        cell
        for cell, number in zip(route(move)[1:], move.knights.left[1:], strict=False)
        if number and cell not in state.tiles
    )
    return Facts("", {"cells": gaps}, (Fact(gaps),)) if gaps else None


def apply(state: State, move: Move) -> State:
    """Lay the tile with its knights, or stop; and pass the turn on if it is over."""
    if not isinstance(move, Tile):
        return state._replace(player=_next_player(state.player, state.left), placed=0)
    colours, tiles, stacks, backs, box, supply, left, _, _, player, placed, readings, unknown, rest = state
    if move.knights is not None:
        stacks, supply = _deploy_knights(state, move)
    laid_tiles, hands = _record_tile(state, move)
    cell = move.cell
    # `dict` copies all entries at once; a display inserts them one by one.
    tiles, backs = dict(tiles), dict(backs)
    tiles[cell] = move.face
    backs[cell] = colours[player]
    own = left[player]
    if own > 0:
        own -= 1
        numbers = [*left]
        numbers[player] = own
        left = tuple(numbers)
    elif len(tiles) >= TILES * len(left):
        own, left = 0, (0,) * len(left)
    placed = placed + 1 if placed > 0 else 1
    if placed == MAX_IN_A_TURN or not own:
        player, placed = _next_player(player, left), 0
    return State(
        colours, tiles, stacks, backs, _around(box, cell), supply, left, laid_tiles, hands, player, placed, readings,
        unknown and unknown - {cell}, rest and rest - {cell},
    )  # fmt: skip


def _around(box: Box, cell: Cell) -> Box:
    """The rectangle around all tiles with one more."""
    x, y = cell
    x0, y0, x1, y1 = box
    if x0 <= x <= x1 and y0 <= y <= y1:
        return box
    return min(x0, x), min(y0, y), max(x1, x), max(y1, y)


def _record_tile(state: State, move: Tile) -> tuple[tuple[tuple[PlayedTile, ...], ...] | None, Hands | None]:
    """The laid tiles with one more, and the hands then; a refused tile that stood tells nothing (`RK-12`)."""
    laid_tiles, hands, player = state.laid, state.hands, state.player
    if laid_tiles is None:
        return laid_tiles, hands
    own = laid_tiles[player]
    tile = PlayedTile(move.face, move.letter)
    after = None if hands is None else lay(hands, player, own, tile)
    refused = after is None if hands is not None else law.at_hand(state, move) is not None
    if refused:
        tile = tile._replace(stood=True)
    by_player = [*laid_tiles]
    by_player[player] = (*own, tile)
    return tuple(by_player), after or hands


def _next_player(player: int, left: tuple[int, ...]) -> int:
    """The next player who has tiles (`RK-4`); the same one if nobody else has."""
    number = len(left)
    for step in range(1, number):
        other = (player + step) % number
        if left[other]:
            return other
    return player


def _deploy_knights(state: State, move: Tile) -> tuple[Mapping[tuple[int, int], str], tuple[int | None, ...]]:
    """The stacks and supplies after the knights of a move; knights left on others go on top."""
    assert move.knights is not None  # noqa: S101  # the caller asked
    player = state.player
    initial = law.INITIAL[state.colours[player]]
    stacks = dict(state.stacks)
    for cell, number in zip(route(move), move.knights.left, strict=True):
        if number:
            stacks[cell] = stacks.get(cell, "") + initial * number
    supply = list(state.supply)
    own = supply[player]
    if own is not None:
        supply[player] = own - sum(move.knights.left)
    return stacks, tuple(supply)
