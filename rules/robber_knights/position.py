"""Robber Knights: converts a table to a position as players would write it down, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from itertools import product

from rules.defaults import position_problem
from rules.forms import is_unknown, rest_is_unknown
from rules.kernel import Finding
from rules.robber_knights.hands import IMPOSSIBLE, PlayedTile, hands_after
from rules.robber_knights.legality import INITIAL
from rules.robber_knights.moves import KNIGHTS, MAX_ON_A_TILE, Cell
from rules.robber_knights.play import backs_of, hands_of_layout, seat_players
from rules.robber_knights.state import (
    BELOW,
    COLOURS,
    FREE,
    SIDE,
    UNKNOWN,
    UNTOLD,
    Box,
    Colour,
    LaidTile,
    Player,
    Position,
    Setup,
    StandingTile,
    State,
)
from rules.robber_knights.tiles import FACES, IN_LAYOUT, TILES, TO_LAY, Face

_COLOUR: Mapping[str, Colour] = {initial: colour for colour, initial in INITIAL.items()}


# --- writing down ------------------------------------------------------------------------------------------------


def position(state: State) -> Position:
    """The tiles with their knights from the bottom up, the laid tiles, the supplies, and the turn."""
    colours = state.colours
    laid_tiles: Mapping[Colour, tuple[LaidTile, ...]] | None = None
    if state.laid is not None:
        laid_tiles = {colours[n]: tuple(LaidTile(*tile) for tile in tiles) for n, tiles in enumerate(state.laid)}
    return Position(
        tiles=tuple(
            standing_tile(cell, face, state.stacks.get(cell, ""), state.backs.get(cell))
            for cell, face in sorted(state.tiles.items())
        ),
        laid=laid_tiles,
        supply={colours[n]: number for n, number in enumerate(state.supply) if number is not None},
        left={colours[n]: number for n, number in enumerate(state.left) if number != UNKNOWN},
        due=colours[state.player],
        placed=None if state.placed == UNKNOWN else 2 if state.placed == 2 else 1 if state.placed else 0,
    )


def standing_tile(cell: Cell, face: Face, stack: str, colour: Colour | None = None) -> StandingTile:
    """A tile with the knights of a state's stack."""
    knights = tuple(_COLOUR[initial] for initial in stack.lstrip(BELOW))
    return StandingTile(cell, face, knights, stack.startswith(BELOW), colour)


# --- entering ----------------------------------------------------------------------------------------------------


def enter(form: Setup, entered_position: Position) -> State:
    """The state of an entered position, which `problems` has checked. The setup may lack the starting layout, which
    nobody remembers at the end of a game.
    """
    form = _with_players(form, entered_position)
    state = seat_players(form)
    colours = state.colours
    tiles = table(form, entered_position)
    unknown = frozenset(tile.cell for tile in entered_position.tiles if is_unknown(tile.face))
    rest = rest_of(form, entered_position)
    laid_tiles = laid_tiles_of(colours, entered_position)
    left = tiles_left_of(colours, entered_position, len(tiles))
    player = colours.index(entered_position.due) if entered_position.due in colours else 0
    laid_tiles_of_player = None if laid_tiles is None else laid_tiles[player]
    begun = len(tiles) + len(unknown) + len(rest) > IN_LAYOUT * len(colours)
    return state._replace(
        tiles=tiles,
        stacks=_stacks_of(entered_position),
        box=rectangle(tiles) if tiles else state.box,
        backs=_backs_on(tiles, form, entered_position),
        supply=tuple(_supply(colour, entered_position) for colour in colours),
        left=left,
        laid=laid_tiles,
        hands=None if laid_tiles is None or not form.layout else hands_after(hands_of_layout(form), laid_tiles),
        player=player,
        placed=_placed_this_turn(entered_position, begun, left[player], laid_tiles_of_player),
        unknown=unknown,
        rest=rest,
    )


def _stacks_of(entered_position: Position) -> dict[Cell, str]:
    """The knights on each tile, as in a state."""
    return {
        tile.cell: BELOW * tile.covered + "".join(INITIAL[colour] for colour in tile.knights)
        for tile in entered_position.tiles
        if tile.knights or tile.covered
    }


def _backs_on(tiles: Mapping[Cell, Face], form: Setup, entered_position: Position) -> dict[Cell, Colour]:
    """The known colours of the tiles."""
    entered_backs = {
        tile.cell: tile.colour for tile in entered_position.tiles if tile.colour is not None and tile.cell in tiles
    }
    return backs_of(form) | entered_backs


def rest_of(form: Setup, entered_position: Position) -> frozenset[Cell]:
    """The cells without an entry where tiles may lie, if the rest is unknown (`RK-11`)."""
    if not rest_is_unknown(entered_position):
        return frozenset()
    tiles = table(form, entered_position)
    entered_cells = tiles.keys() | {tile.cell for tile in entered_position.tiles}
    left, bottom, right, top = rectangle(tiles or entered_cells or {(0, 0)})
    most = SIDE[len(_with_players(form, entered_position).players)]
    columns, rows = max(most - (right - left + 1), 0), max(most - (top - bottom + 1), 0)
    every = product(range(left - columns, right + columns + 1), range(bottom - rows, top + rows + 1))
    return frozenset(every) - entered_cells


def rectangle(cells: Mapping[Cell, object] | Set[Cell]) -> Box:
    """The rectangle around some cells."""
    columns, rows = [x for x, _ in cells], [y for _, y in cells]
    return min(columns), min(rows), max(columns), max(rows)


def _with_players(form: Setup, entered_position: Position) -> Setup:
    """The setup with the players whose colours the position shows, if it names no players; two at least."""
    if form.players is not UNTOLD:
        return form
    position_colours = (
        (entered_position.laid or {}).keys()
        | entered_position.supply.keys()
        | entered_position.left.keys()
        | {entered_position.due}
    )
    known_colours = position_colours.union(
        *[{*tile.knights, tile.colour} for tile in entered_position.tiles], {tile.colour for tile in form.layout}
    )
    players = [Player(colour) for colour in COLOURS if colour in known_colours]
    players += [player for player in UNTOLD if player.colour not in known_colours][: max(len(UNTOLD) - len(players), 0)]
    return replace(form, players=tuple(players))


def _supply(colour: Colour, entered_position: Position) -> int | None:
    """The knights left: as entered, else those not on the table, if none may lie hidden there."""
    if colour in entered_position.supply:
        return entered_position.supply[colour]
    return None if _most_hidden_knights(entered_position) else KNIGHTS - _entered_knights(colour, entered_position)


def _entered_knights(colour: Colour, entered_position: Position) -> int:
    return sum(tile.knights.count(colour) for tile in entered_position.tiles)


def _most_hidden_knights(entered_position: Position) -> int:
    """The maximum number of hidden knights, of all colours."""
    if rest_is_unknown(entered_position):
        return KNIGHTS * len(COLOURS)
    unseen = [tile for tile in entered_position.tiles if tile.covered or (is_unknown(tile.face) and not tile.knights)]
    return sum(max(0, MAX_ON_A_TILE - len(tile.knights)) for tile in unseen)


def _placed_this_turn(
    entered_position: Position, begun: bool, left: int, laid_tiles: tuple[PlayedTile, ...] | None
) -> int:
    """The number of tiles laid in this turn: as entered, or 0 if the player has laid none at all, or unknown."""
    if entered_position.placed is not None:
        return entered_position.placed
    return UNKNOWN if begun and laid_tiles != () and left not in (0, TO_LAY) else 0


def table(form: Setup, entered_position: Position) -> dict[Cell, Face]:
    """All tiles on the table, with those of the starting layout."""
    tiles = {entry.cell: entry.tile for entry in form.layout}
    return tiles | {
        tile.cell: tile.face for tile in entered_position.tiles if tile.face != FREE and not is_unknown(tile.face)
    }


def laid_tiles_of(colours: tuple[Colour, ...], entered_position: Position) -> tuple[tuple[PlayedTile, ...], ...] | None:
    """The tiles laid by each player in order, or None if they were not entered."""
    if entered_position.laid is None:
        return None
    return tuple(
        tuple(PlayedTile(tile.face, tile.letter, tile.stood) for tile in entered_position.laid.get(colour, ()))
        for colour in colours
    )


def tiles_left_of(colours: tuple[Colour, ...], entered_position: Position, tiles: int) -> tuple[int, ...]:
    """The number of tiles left of each player: as entered, or counted, or unknown."""
    if tiles >= TILES * len(colours) and not entered_position.left:
        return (0,) * len(colours)
    counted = (
        {}
        if entered_position.laid is None
        else {colour: TO_LAY - len(entered_position.laid.get(colour, ())) for colour in colours}
    )
    return tuple(entered_position.left.get(colour, counted.get(colour, UNKNOWN)) for colour in colours)


# --- what cannot stand on a table --------------------------------------------------------------------------------


def problems(form: Setup, entered_position: Position) -> tuple[Finding, ...]:
    """Everything that cannot stand on a table. The setup is one that `setup` takes."""
    form = _with_players(form, entered_position)
    colours = tuple(player.colour for player in form.players)
    return (
        *_strangers(colours, entered_position),
        *_layout(form, entered_position),
        *_cells(entered_position),
        *_faces(form, entered_position),
        *_backs(form, entered_position),
        *_order(form, colours, entered_position),
        *_knights(colours, entered_position),
        *_turn(colours, entered_position, len(table(form, entered_position))),
    )


def _strangers(colours: tuple[Colour, ...], entered_position: Position) -> Iterator[Finding]:
    """Colours that nobody plays."""
    rules_and_colours: list[tuple[str, Colour]] = [
        ("RK-26", colour) for tile in entered_position.tiles for colour in tile.knights
    ]
    rules_and_colours += [("RK-12", colour) for colour in entered_position.laid or ()]
    rules_and_colours += [("RK-12", tile.colour) for tile in entered_position.tiles if tile.colour is not None]
    rules_and_colours += [("RK-26", colour) for colour in entered_position.supply]
    rules_and_colours += [
        ("RK-4", colour)
        for colour in (*entered_position.left, *([entered_position.due] if entered_position.due else []))
    ]
    for rule, colour in dict.fromkeys(rules_and_colours):
        if colour not in colours:
            tiles = [
                tile
                for tile in entered_position.tiles
                if colour in (tile.knights if rule == "RK-26" else (tile.colour,))
            ]
            yield position_problem(rule, "stranger", dict.fromkeys(tile.cell for tile in tiles), colour=colour)


def _layout(form: Setup, entered_position: Position) -> Iterator[Finding]:
    """The tiles of the starting layout never change."""
    tiles = {tile.cell: tile.face for tile in entered_position.tiles}
    for entry in form.layout:
        if tiles.get(entry.cell, entry.tile) != entry.tile:
            yield position_problem("RK-1", "layout", (entry.cell,), cell=entry.cell, face=entry.tile)
    backs = backs_of(form)
    for tile in entered_position.tiles:
        if tile.colour is not None and backs.get(tile.cell, tile.colour) != tile.colour:
            yield position_problem(
                "RK-1", "back", (tile.cell,), cell=tile.cell, colour=backs[tile.cell], face=tile.face
            )


def _cells(entered_position: Position) -> Iterator[Finding]:
    """One tile a cell."""
    for cell, number in Counter(tile.cell for tile in entered_position.tiles).items():
        if number > 1:
            yield position_problem("RK-10", "twice", (cell,), cell=cell, n=number)


def _faces(form: Setup, entered_position: Position) -> Iterator[Finding]:
    """Only existing faces, and no more than their copies; if the laid tiles are known, exactly those."""
    tiles = table(form, entered_position)
    stood: Counter[Face] = Counter()
    laid_counts: Counter[Face] = Counter(entry.tile for entry in form.layout)
    for tile in (tile for of_player in (entered_position.laid or {}).values() for tile in of_player):
        laid_counts[tile.face] += 1
        stood[tile.face] += tile.stood
    for face, number in sorted((Counter(tiles.values()) | laid_counts).items()):
        cells = tuple(sorted(cell for cell, tile_face in tiles.items() if tile_face == face))
        on_table, most = len(cells), len(form.players) * FACES.get(face, 0)
        if face not in FACES:
            yield position_problem("RK-12", "no_face", cells, face=face)
        elif entered_position.laid is not None and not _matches_laid(
            entered_position, on_table, laid_counts[face], layout_known=bool(form.layout)
        ):
            yield position_problem("RK-12", "table", cells, face=face, n=on_table, laid=laid_counts[face])
        elif number - stood[face] > most:
            yield position_problem("RK-12", "copies", cells, face=face, n=on_table, most=most)


def _matches_laid(entered_position: Position, on_table: int, laid_count: int, *, layout_known: bool) -> bool:
    """Whether as many tiles of a face lie on the table as were laid; at least as many, unless `layout_known`.

    Some of them may lie on unknown cells.
    """
    unknown = _max_unknown(entered_position)
    return laid_count - unknown <= on_table and (on_table <= laid_count or not layout_known)


def _max_unknown(entered_position: Position) -> int:
    """The maximum number of tiles on unknown cells."""
    if rest_is_unknown(entered_position):
        return TILES * len(COLOURS)
    return sum(is_unknown(tile.face) for tile in entered_position.tiles)


def _backs(form: Setup, entered_position: Position) -> Iterator[Finding]:
    """No more tiles of a face in a colour than the colour has, except those that stood."""
    tiles = table(form, entered_position)
    found: dict[tuple[Colour, Face], list[Cell]] = {}
    for cell, colour in _backs_on(tiles, form, entered_position).items():
        found.setdefault((colour, tiles[cell]), []).append(cell)
    for (colour, face), cells in sorted(found.items()):
        stood = sum(tile.stood for tile in (entered_position.laid or {}).get(colour, ()) if tile.face == face)
        if len(cells) - stood > FACES.get(face, len(cells)):
            yield position_problem(
                "RK-12", "own", sorted(cells), colour=colour, face=face, n=len(cells), most=FACES[face]
            )


def _order(form: Setup, colours: tuple[Colour, ...], entered_position: Position) -> Iterator[Finding]:
    """The laid tiles can have been in hand in this order, except those that stood."""
    laid_tiles = laid_tiles_of(colours, entered_position)
    if laid_tiles is None:
        return
    hands = hands_after(hands_of_layout(form), laid_tiles)
    impossible = [colour for colour, free in zip(colours, hands.free, strict=True) if set(free) == {IMPOSSIBLE}]
    for colour in impossible:
        yield position_problem("RK-12", "laid", colour=colour)
    if form.layout and not hands.kept_options and not impossible:
        yield position_problem("RK-12", "together")
    for colour, tiles in zip(colours, laid_tiles, strict=True):
        if len(tiles) > TO_LAY:
            yield position_problem("RK-12", "too_many", colour=colour, n=len(tiles), most=TO_LAY)


def _knights(colours: tuple[Colour, ...], entered_position: Position) -> Iterator[Finding]:
    """Thirty knights a player, on the table and in supply; some may be hidden under others."""
    numbers = {
        colour: _entered_knights(colour, entered_position) + entered_position.supply.get(colour, 0)
        for colour in colours
    }
    missing = sum(max(0, KNIGHTS - number) for colour, number in numbers.items() if colour in entered_position.supply)
    for colour, number in numbers.items():
        cells = tuple(tile.cell for tile in entered_position.tiles if colour in tile.knights)
        if number > KNIGHTS:
            yield position_problem("RK-26", "many", cells, colour=colour, n=number, most=KNIGHTS)
        elif (
            number < KNIGHTS and missing > _most_hidden_knights(entered_position) and colour in entered_position.supply
        ):
            yield position_problem("RK-26", "few", cells, colour=colour, n=number, most=KNIGHTS)


def _turn(colours: tuple[Colour, ...], entered_position: Position, tiles: int) -> Iterator[Finding]:
    """The player in turn has tiles left, and has laid those of the turn; the tiles left and laid add up to all."""
    left = dict(zip(colours, tiles_left_of(colours, entered_position, tiles), strict=True))
    numbers = (
        None
        if entered_position.laid is None
        else {colour: len(entered_position.laid.get(colour, ())) for colour in colours}
    )
    yield from _tiles_left_problems(left, numbers, entered_position, tiles)
    due = entered_position.due or colours[0]
    if due not in colours:
        return
    if not left[due] and any(left.values()):
        yield position_problem("RK-4", "out", colour=due)
    placed, laid = entered_position.placed or 0, TO_LAY - left[due] if numbers is None else numbers[due]
    if placed > laid:
        yield position_problem("RK-3", "placed", colour=due, n=placed, laid=laid)


def _tiles_left_problems(
    left: Mapping[Colour, int], laid_counts: Mapping[Colour, int] | None, entered_position: Position, tiles: int
) -> Iterator[Finding]:
    for colour in left:
        entered_count = entered_position.left.get(colour)
        if laid_counts is not None and entered_count is not None and entered_count + laid_counts[colour] != TO_LAY:
            yield position_problem(
                "RK-4", "left", colour=colour, n=entered_count, laid=laid_counts[colour], most=TO_LAY
            )
    unknown = _max_unknown(entered_position)
    if (
        laid_counts is None
        and UNKNOWN not in left.values()
        and not 0 <= TILES * len(left) - tiles - sum(left.values()) <= unknown
    ):
        yield position_problem("RK-4", "sum", n=sum(left.values()), laid=tiles, most=TILES * len(left))
