"""Architekton: the setup, the entry that is due, the result of a move, and the end of the game.

`apply` trusts: it lays the tile whatever the rules say, and settles the surrounded buildings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from rules.architekton.box import BUILDINGS, DISPLAY_SIZE, HOUSES, LANDSCAPES, PILE, STARTING, TILES_A_TURN
from rules.architekton.moves import Answer, Building, Keep, Land, Lay, Move, Pass, Take, Up, UpBuilding, UpLandscape
from rules.architekton.settlement import (
    SurroundedBuilding,
    add_to_pair,
    collect,
    find_surrounded,
    mismatch_count,
    price,
    settle,
    unpaid_claim,
)
from rules.architekton.state import COLOURS, READINGS, Claim, Display, LayoutTile, OpenTiles, Result, Setup, State
from rules.architekton.tiles import LETTER, Square, canonical
from rules.forms import Malformed, chosen_readings
from rules.kernel import Ended, Seat, Value

Name = TypeVar("Name", bound=str)
"""The name of a tile: the sides of a building, or the letter of a landscape."""
STARTS = (((0, 0), (1, 1)), ((0, 0), (1, -1)))
"""The possible places of the first two landscapes (`AR-1`)."""


# --- setup -------------------------------------------------------------------------------------------------------


def setup(form: Setup) -> State:
    """Two landscapes on the table, a chip each, and the display if the table has one."""
    colours = [player.colour for player in form.players]
    if sorted(colours) != sorted(COLOURS):
        raise Malformed("colours", "/players")
    _check_layout(form.layout)
    _check_set(form)
    _check_series(form.series)
    first = COLOURS.index(form.players[0].colour)
    return State(
        tiles={tile.cell: LETTER[tile.tile] for tile in form.layout},
        houses={},
        building_count=0,
        supply=(HOUSES, HOUSES),
        chips=(1, 1),
        starts=first,
        player=first,
        laid=0,
        pending=(),
        display=sorted_display(form.display),
        left=None,
        empty=0,
        box=None if form.set is None else tuple(sorted(map(canonical, form.set))),
        series=form.series,
        readings=chosen_readings(READINGS, form.readings),
    )


def sorted_display(display: Display | None) -> OpenTiles | None:
    """The display as tiles, sorted."""
    if display is None:
        return None
    return OpenTiles(tuple(sorted(map(canonical, display.buildings))), tuple(sorted(display.landscapes)))


def _check_layout(layout: tuple[LayoutTile, ...]) -> None:
    if tuple(sorted(tile.cell for tile in layout)) not in {tuple(sorted(cells)) for cells in STARTS}:
        raise Malformed("layout", "/layout")


def _check_set(form: Setup) -> None:
    """`AR-1`, `AR-3`: 22 tiles in a box, three and three in the display, all of them out of the box."""
    if form.set is not None and len(form.set) != BUILDINGS:
        raise Malformed("set", "/set", n=len(form.set))
    if form.display is None:
        return
    if len(form.display.buildings) != DISPLAY_SIZE:
        raise Malformed("display", "/display/buildings", n=len(form.display.buildings))
    if len(form.display.landscapes) != DISPLAY_SIZE:
        raise Malformed("display", "/display/landscapes", n=len(form.display.landscapes))
    if form.set is not None:
        left = Counter(map(canonical, form.set))
        for number, sides in enumerate(form.display.buildings):
            left[canonical(sides)] -= 1
            if left[canonical(sides)] < 0:
                raise Malformed("not_in_set", f"/display/buildings/{number}", text=sides)


def _check_series(series: tuple[Result, ...] | None) -> None:
    """A draw has no early end. Departures from the rule of a series stand, and the sheet points them out (`AR-40`)."""
    for number, result in enumerate(series or ()):
        if result.winner is None and result.early:
            raise Malformed("early_draw", f"/series/{number}/early")


def seats_of(state: State) -> tuple[Seat, ...]:
    """Light and Dark, in turn order."""
    return COLOURS if state.starts == 0 else (COLOURS[1], COLOURS[0])


def round_begins(before: State, after: State) -> bool:
    """Whether the turn returns to the player who began. An answer that the other player owes is no turn."""
    return before.player != after.player == after.starts


# --- the moment of the game --------------------------------------------------------------------------------------


def game_end(state: State) -> Ended | None:
    """The rule that has ended the game: `AR-22`, `AR-30`, `AR-34`, in this order."""
    claim = unpaid_claim(state)
    if claim is not None:
        loser = state.houses[claim.cell]
        values: dict[str, Value] = {"n": price(state, claim), "chips": state.chips[loser], "cell": claim.cell}
        values["differ"] = mismatch_count(state.tiles, claim.cell)
        return Ended("AR-22", {"colour": COLOURS[loser], "winner": COLOURS[1 - loser], **values}, tells_winner=True)
    if state.left == 0:
        return Ended("AR-30")
    return Ended("AR-34") if state.empty >= len(COLOURS) else None


def kinds_to_turn_up(state: State) -> tuple[type[Up], ...]:
    """The kinds of tile to turn up before the turn begins (`AR-30`)."""
    display = state.display
    if display is None or state.laid:
        return ()
    buildings, landscapes = len(display.buildings), len(display.landscapes)
    found: list[type[Up]] = []
    if buildings < DISPLAY_SIZE and state.building_count + buildings < BUILDINGS:
        found.append(UpBuilding)
    if landscapes < DISPLAY_SIZE and len(state.tiles) - state.building_count + landscapes < LANDSCAPES:
        found.append(UpLandscape)
    return tuple(found)


def phase(state: State) -> str:
    """The row of the rulebook: `over`, `answer`, `up` with the kinds to turn up, or `turn`."""
    if state.pending:
        return "answer" if state.pending[0].answer is None else "over"
    if state.left == 0 or state.empty >= len(COLOURS):
        return "over"
    kinds = kinds_to_turn_up(state)
    if not kinds:
        return "turn"
    return kinds[0].kind if len(kinds) == 1 else "up_both"


def turn_of(state: State, seat: Seat) -> State:
    """The same table with a player to begin a turn; pending payments are dropped."""
    return state._replace(player=COLOURS.index(seat), laid=0, pending=(), empty=0)


# --- the result of a move ----------------------------------------------------------------------------------------


def apply(state: State, move: Move) -> State:
    """Make the entry, settle, and pass the turn on when it is over."""
    if isinstance(move, Building | Land):
        return _after_settling(_lay(state, move))
    if isinstance(move, Pass):
        return _end_turn(state._replace(empty=0 if state.laid else state.empty + 1))
    if isinstance(move, Keep | Take):
        return _after_settling(_answer(state, move))
    return _turn_up(state, move)


def _lay(state: State, move: Lay) -> State:
    closed = settled_buildings(state, move)
    tiles, houses, building_count, supply, chips, starts, player, laid, _, display, left, *_ = state
    # `dict` copies all entries at once; a display inserts them one by one.
    tiles = dict(tiles)
    tiles[move.cell] = move.tile
    if isinstance(move, Building):
        houses, supply = _place_house(state, move)
        building_count += 1
    if display is not None:
        display = _display_without(display, move.tile)
    after = State(
        tiles, houses, building_count, supply, chips, starts, player, min(laid + 1, TILES_A_TURN), (), display, left, 0,
        *state[12:17],  # all but `players_with_known_supply`
    )  # fmt: skip
    return settle(after, closed, move) if closed else after


def settled_buildings(state: State, move: Lay) -> list[SurroundedBuilding]:
    """The buildings that a tile settles (`AR-20`); a building without a house is not settled."""
    if isinstance(move, Building) and move.house_from is None and not state.supply[state.player]:
        return []
    return find_surrounded(state, move)


def _place_house(state: State, move: Building) -> tuple[Mapping[Square, int], tuple[int, int]]:
    """The houses and the supplies with the mover's house on a building, if there is one (`AR-13`)."""
    player = state.player
    houses = dict(state.houses)
    if move.house_from is not None:
        del houses[move.house_from]
    elif not state.supply[player]:
        return houses, state.supply
    houses[move.cell] = player
    return houses, state.supply if move.house_from is not None else add_to_pair(state.supply, player, -1)


def _display_without(display: OpenTiles, tile: str) -> OpenTiles:
    """The display without a tile; one from elsewhere (a move that stood) leaves no gap."""
    if len(tile) == 1:
        return display._replace(landscapes=_remove_tile(display.landscapes, tile))
    return display._replace(buildings=_remove_tile(display.buildings, canonical(tile)))


def _remove_tile(tiles: tuple[Name, ...], tile: str) -> tuple[Name, ...]:
    if tile not in tiles:
        return tiles
    place = tiles.index(tile)
    return tiles[:place] + tiles[place + 1 :]


def _answer(state: State, move: Answer) -> State:
    claim = Claim(move.cell, "keep" if isinstance(move, Keep) else "take")
    return collect(state, state.chips, (claim, *state.pending[1:]))


def _turn_up(state: State, move: Up) -> State:
    display = state.display or OpenTiles((), ())
    if isinstance(move, UpBuilding):
        display = display._replace(buildings=tuple(sorted((*display.buildings, move.sides))))
    else:
        display = display._replace(landscapes=tuple(sorted((*display.landscapes, LETTER[move.landscape]))))
    return state._replace(display=display)


def _after_settling(state: State) -> State:
    return _end_turn(state) if state.laid == TILES_A_TURN and not state.pending else state


def _end_turn(state: State) -> State:
    """Pass the turn on; the last turns begin, or one of them is over (`AR-30`)."""
    tiles, houses, building_count, supply, chips, starts, player, _, pending, display, left, empty, *_ = state
    player = 1 - player
    if left is not None:
        left -= 1
    elif empty_piles(state):
        left = 2 if player == starts else 1
    return State(
        tiles, houses, building_count, supply, chips, starts, player, 0, pending, display, left, empty, *state[12:]
    )  # fmt: skip


def empty_piles(state: State) -> tuple[str, ...]:
    """The kinds whose pile cannot refill the display (`AR-30`). Without a display, every tile laid came from it.

    The sum of laid, open and piled tiles is constant: so a pile is too small exactly if more than it had are laid.
    """
    display = state.display
    open_buildings, open_landscapes = (0, 0) if display is None else map(len, display)
    found = []
    if state.building_count > PILE and open_buildings < DISPLAY_SIZE:
        found.append(Building.kind)
    if len(state.tiles) - state.building_count - STARTING > PILE and open_landscapes < DISPLAY_SIZE:
        found.append(Land.kind)
    return tuple(found)
