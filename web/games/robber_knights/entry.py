"""Enters a position of Robber Knights by taps: a tile by its face, then its knights from the bottom up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.forms import THE_REST, UNKNOWN, is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.robber_knights.state import COLOURS, FREE, SIDE, Colour, Player, Position, Setup, StandingTile
from rules.robber_knights.tiles import DECK, Face
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.games.robber_knights.symbols import icon

FACES: tuple[Face, ...] = tuple(
    sorted({face for faces in DECK.values() for face in faces}, key=lambda face: (face.split()[0], len(face)))
)
"""The faces that exist, those of a landscape together."""


def blank() -> Snapshot:
    """No tile at all: at the end no player remembers the starting layout."""
    return Snapshot(Setup(), Position())


def mark_unknown(snapshot: Snapshot) -> Snapshot:
    """The snapshot with all other cells unknown, also beyond the entered ones."""
    return snapshot.with_changes(rest=THE_REST)


def hide(snapshot: Snapshot, cell: Cell) -> Snapshot | None:
    """The snapshot with an unknown cell; on a tile of the starting layout, only the knights become unknown."""
    return None if isinstance(cell, str) else with_tile(snapshot, cell, StandingTile(cell, UNKNOWN))  # type: ignore[arg-type]  # a mark: `OrUnknown`


def choices(snapshot: Snapshot, cell: Cell | None, words: Words) -> Sequence[ChoiceGroup]:
    """The faces and knights of a cell; beside the board, who plays."""
    if cell is None:
        return (ChoiceGroup(words.say("board", "edit_players"), tuple(_players(snapshot, words))),)
    if isinstance(cell, str):
        return ()
    entered_tile = tile_at(snapshot, cell)
    tile = known_tile(entered_tile)
    faces = ChoiceGroup(words.say("board", "edit_tile"), tuple(_faces(snapshot, cell, tile, words)))
    if tile is None:
        nothing = Choice("", (), now := without_tile(snapshot, cell), now == snapshot)
        bare = (ChoiceGroup("", (nothing,)),) if entered_tile or rest_is_unknown(snapshot.position) else ()
        return (faces, *bare)
    knights = ChoiceGroup(words.say("board", "edit_knights"), tuple(_knights(snapshot, tile, words)))
    return knights, faces, ChoiceGroup("", tuple(_rest(snapshot, tile, words)))


def tile_at(snapshot: Snapshot, cell: Cell) -> StandingTile | None:
    """The entry for a cell, if any."""
    return next((tile for tile in snapshot.position.tiles if tile.cell == cell), None)


def known_tile(tile: StandingTile | None) -> StandingTile | None:
    """The entered tile of a cell, if it is known."""
    return tile if tile and tile.face != FREE and not is_unknown(tile.face) else None


def visible_position(position: Position) -> Position:
    """The tiles, the knights and the turn, without the order of the tiles and who laid them, which is not visible."""
    return replace(position, laid=None, left={}, supply={})


def with_tile(snapshot: Snapshot, cell: Cell, tile: StandingTile | None) -> Snapshot:
    """The snapshot with another tile on a cell, or with none."""
    others = [other for other in snapshot.position.tiles if other.cell != cell]
    tiles = sorted([*others, *([tile] if tile else [])], key=lambda tile: tile.cell)
    return replace(snapshot, position=replace(snapshot.position, tiles=tuple(tiles)))


def _faces(snapshot: Snapshot, cell: tuple[int, int], tile: StandingTile | None, words: Words) -> Iterator[Choice]:
    for face in FACES:
        turned = replace(tile, face=face) if tile else StandingTile(cell, face)
        yield Choice(words.name(face), icon(face, None), with_tile(snapshot, cell, turned), turned == tile, brush=face)


def _knights(snapshot: Snapshot, tile: StandingTile, words: Words) -> Iterator[Choice]:
    """Choices to add a knight of each colour on top, or to remove the top one."""
    for player in snapshot.setup.players:
        more = replace(tile, knights=(*tile.knights, player.colour))
        label = words.say("board", "edit_on_top", {"colour": player.colour})
        now = with_tile(snapshot, tile.cell, more)
        yield Choice(label, picture_of_knight(player.colour, words), now, brush=f"knight-{player.colour}")
    if tile.knights:
        fewer = replace(tile, knights=tile.knights[:-1], covered=tile.covered and len(tile.knights) > 1)
        yield Choice(words.say("board", "edit_off_top"), (), with_tile(snapshot, tile.cell, fewer))


def _rest(snapshot: Snapshot, tile: StandingTile, words: Words) -> Iterator[Choice]:
    """Choices for no tile at all; or for unknown knights under the visible ones."""
    yield Choice("", (), now := without_tile(snapshot, tile.cell), now == snapshot)
    if tile.knights or tile.covered or snapshot.position.rest is not None:
        icon = Shape("text", "label", {"x": 50, "y": 60, "font-size": 70, "text-anchor": "middle"}, "…")
        turned = replace(tile, covered=not tile.covered)
        yield Choice(words.say("board", "edit_below"), (icon,), with_tile(snapshot, tile.cell, turned), tile.covered)


def without_tile(snapshot: Snapshot, cell: tuple[int, int]) -> Snapshot:
    """The snapshot without a tile on a cell, which needs an entry if the rest is unknown."""
    return with_tile(snapshot, cell, StandingTile(cell, FREE) if rest_is_unknown(snapshot.position) else None)


def _players(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    """Every colour, to add or to remove. A colour with knights on the table, or that the game needs, cannot go."""
    playing = {player.colour: player for player in snapshot.setup.players}
    colours_on_board = {colour for tile in snapshot.position.tiles for colour in tile.knights}
    for colour in COLOURS:
        others = {name: player for name, player in playing.items() if name != colour}
        now = others if colour in playing else {**playing, colour: Player(colour)}
        if colour in colours_on_board or len(now) not in SIDE:
            now = playing
        players = tuple(now[name] for name in COLOURS if name in now)
        setup = replace(snapshot.setup, players=players)
        yield Choice(
            words.player(colour), picture_of_knight(colour, words), replace(snapshot, setup=setup), colour in playing
        )


def picture_of_knight(colour: Colour, words: Words) -> tuple[Shape, ...]:
    """A knight that fills the square, with the letter of its colour."""
    at: dict[str, int | str] = {"x": 50, "y": 65, "font-size": 44, "text-anchor": "middle"}
    disc = Shape("use", "", {"href": f"#knight-{colour}", "transform": "translate(-150 -155) scale(2.5)"})
    return disc, Shape("text", f"piece-letter-{colour}", at, words.name(colour)[:1])
