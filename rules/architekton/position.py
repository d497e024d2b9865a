"""Architekton: converts a table to a position as players would write it down, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules.architekton.box import (
    BUILDINGS,
    CHIPS,
    DISPLAY_SIZE,
    HOUSES,
    OF_EACH_LANDSCAPE,
    PILE,
    STARTING,
    TILES,
    TILES_A_TURN,
)
from rules.architekton.play import setup, sorted_display
from rules.architekton.settlement import is_surrounded, mismatch_count, price
from rules.architekton.state import (
    COLOURS,
    FREE,
    BuildingTile,
    Chips,
    Colour,
    Display,
    LandscapeTile,
    Position,
    Setup,
    State,
)
from rules.architekton.tiles import LANDSCAPE, LETTER, Landscape, Square, canonical, landscapes, tile_text
from rules.defaults import position_problem
from rules.forms import is_unknown, rest_is_unknown
from rules.kernel import Fact, Facts, Finding, Value


def position(state: State) -> Position:
    """The tiles from west to east and south to north, the chips, and the moment of the game."""
    sorted_tiles = sorted(state.tiles.items())
    owner = {cell: COLOURS[player] for cell, player in state.houses.items()}
    light, dark = state.chips
    display = state.display
    return Position(
        landscapes=tuple(LandscapeTile(cell, LANDSCAPE[tile]) for cell, tile in sorted_tiles if len(tile) == 1),
        buildings=tuple(BuildingTile(cell, tile, owner.get(cell)) for cell, tile in sorted_tiles if len(tile) > 1),
        chips=Chips(light, dark),
        turn=COLOURS[state.player],
        laid=state.laid,
        pending=state.pending,
        display=display and Display(display.buildings, display.landscapes),
        left=state.left,
        empty=state.empty,
    )


def enter(form: Setup, entered_position: Position) -> State:
    """The state of an entered position. Trusts it: `problems` says what is wrong with one."""
    houses = {tile.cell: COLOURS.index(tile.house) for tile in entered_position.buildings if tile.house is not None}
    lands = {cell: LETTER[landscape] for cell, landscape in _known_landscapes(entered_position)}
    built = {tile.cell: tile.sides for tile in entered_position.buildings}
    owners = list(houses.values())
    return setup(form)._replace(
        tiles=lands | built,
        houses=houses,
        building_count=len(built),
        supply=(
            _houses_left_of("light", owners.count(0), entered_position),
            _houses_left_of("dark", owners.count(1), entered_position),
        ),
        chips=(entered_position.chips.light, entered_position.chips.dark),
        player=COLOURS.index(entered_position.turn),
        laid=entered_position.laid,
        pending=entered_position.pending,
        display=sorted_display(entered_position.display),
        left=entered_position.left,
        empty=entered_position.empty,
        unknown=frozenset(tile.cell for tile in entered_position.landscapes if is_unknown(tile.landscape)),
        entered_cells=entered_cells(entered_position) if rest_is_unknown(entered_position) else None,
        players_with_known_supply=frozenset(COLOURS.index(colour) for colour in entered_position.supply),
    )


def _houses_left_of(colour: Colour, standing: int, entered_position: Position) -> int:
    """The houses that a player has left: as entered, else those not on the table."""
    return entered_position.supply.get(colour, max(HOUSES - standing, 0))


def entered_cells(entered_position: Position) -> frozenset[Square]:
    """The entered cells, also those entered as unknown."""
    return frozenset(
        [tile.cell for tile in entered_position.landscapes] + [tile.cell for tile in entered_position.buildings]
    )


def _known_landscapes(entered_position: Position) -> list[tuple[Square, Landscape]]:
    """The known landscapes on the table, each with its cell."""
    tiles = [tile for tile in entered_position.landscapes if not is_unknown(tile.landscape)]
    return [(tile.cell, tile.landscape) for tile in tiles if tile.landscape != FREE]


def problems(form: Setup, entered_position: Position) -> tuple[Finding, ...]:
    """Everything that cannot be on a table: too many of something, two tiles on a cell, a moment that never comes."""
    return (
        *_display(entered_position),
        *_tiles(form, entered_position),
        *_cells(entered_position),
        *_houses(form, entered_position),
        *_moment(entered_position),
        *_claims(form, entered_position),
    )


def _display(entered_position: Position) -> Iterator[Finding]:
    if entered_position.display is None:
        return
    tiles_by_kind = {"building": entered_position.display.buildings, "landscape": entered_position.display.landscapes}
    for kind, tiles in tiles_by_kind.items():
        if len(tiles) > DISPLAY_SIZE:
            yield Finding("AR-1", Facts("display", {"kind": kind, "n": len(tiles)}))


def _tiles(form: Setup, entered_position: Position) -> Iterator[Finding]:
    """`AR-3`: the tiles on the table and in the display came out of one box."""
    display = entered_position.display or Display()
    lands = Counter(
        [
            *(landscape for _, landscape in _known_landscapes(entered_position)),
            *(LANDSCAPE[it] for it in display.landscapes),
        ]
    )
    for landscape, number in sorted(lands.items()):
        if number > OF_EACH_LANDSCAPE:
            cells = tuple(sorted(tile.cell for tile in entered_position.landscapes if tile.landscape == landscape))
            yield Finding("AR-3", Facts("position", {"landscape": landscape, "n": number}, (Fact(cells),)))
    built = Counter(map(canonical, [*(tile.sides for tile in entered_position.buildings), *display.buildings]))
    if built.total() > BUILDINGS:
        yield position_problem("AR-3", "buildings", (tile.cell for tile in entered_position.buildings), n=built.total())
    if form.set is None:
        return
    for tile, number in sorted((built - Counter(map(canonical, form.set))).items()):
        cells = tuple(
            sorted(building.cell for building in entered_position.buildings if canonical(building.sides) == tile)
        )
        values: dict[str, Value] = {"tile": tile_text(tile), "sides": landscapes(tile), "n": number}
        yield Finding("AR-3", Facts("position_box", values, (Fact(cells),)))


def _cells(entered_position: Position) -> Iterator[Finding]:
    tile_counts = Counter(
        [*(tile.cell for tile in entered_position.landscapes), *(tile.cell for tile in entered_position.buildings)]
    )
    for cell, number in sorted(tile_counts.items()):
        if number > 1:
            yield position_problem("AR-10", cells=(cell,), cell=cell, n=number)


def _houses(form: Setup, entered_position: Position) -> Iterator[Finding]:
    """`AR-13`, `AR-24`: as many houses as a player has, and no more chips than exist if none is owed."""
    for colour in COLOURS:
        cells = tuple(sorted(tile.cell for tile in entered_position.buildings if tile.house == colour))
        number = len(cells) + entered_position.supply.get(colour, 0)
        few = colour in entered_position.supply and number + _most_unknown_tiles(entered_position) < HOUSES
        if number > HOUSES or few:
            yield position_problem("AR-13", cells=cells, colour=colour, n=number)
    chips = entered_position.chips.light + entered_position.chips.dark
    if form.readings.get("pool") == "limited" and chips > CHIPS:
        yield position_problem("AR-24", n=chips)


def _moment(entered_position: Position) -> Iterator[Finding]:
    """`AR-2`, `AR-30`, `AR-34`: the turn, the last turns and the empty ones fit together."""
    in_turn = bool(entered_position.laid or entered_position.pending)
    if entered_position.laid == TILES_A_TURN and not entered_position.pending:
        yield position_problem("AR-2", n=entered_position.laid)
    unknown = _most_unknown_tiles(entered_position)
    used = (
        len(entered_position.buildings) + unknown > PILE
        or len(_known_landscapes(entered_position)) + unknown > PILE + STARTING
    )
    if entered_position.left is not None and not used:
        yield position_problem("AR-30", n=entered_position.left)
    if entered_position.left == 0 and in_turn:
        yield position_problem("AR-30", "over", n=entered_position.laid)
    if entered_position.empty and in_turn:
        yield position_problem("AR-34", n=entered_position.empty)


def _most_unknown_tiles(entered_position: Position) -> int:
    """The most tiles that unknown cells can have: each may have one of either kind."""
    unknown = sum(is_unknown(tile.landscape) for tile in entered_position.landscapes)
    return unknown + TILES * rest_is_unknown(entered_position)


def _claims(form: Setup, entered_position: Position) -> Iterator[Finding]:
    """`AR-25`: the pending entries are payments, each once, and the other player has to answer."""
    state = enter(form, entered_position)
    cells_claimed = set()
    for number, claim in enumerate(entered_position.pending):
        cell = claim.cell
        pays = cell in state.houses and is_surrounded(state.tiles, cell) and mismatch_count(state.tiles, cell)
        if cell in cells_claimed or not pays or not entered_position.laid:
            yield position_problem("AR-25", cells=(cell,), cell=cell)
            continue
        cells_claimed.add(cell)
        own = state.houses[cell] == state.player
        values: dict[str, Value] = {"cell": cell, "sides": landscapes(state.tiles[cell])}
        evidence = (Fact((cell,)),)
        if number == 0 and claim.answer is not None:
            if state.chips[state.houses[cell]] >= price(state, claim):
                yield Finding("AR-25", Facts("settled", values, evidence))
        elif own != (claim.answer is not None):
            yield Finding("AR-25", Facts("own" if own else "asked", values, evidence))
