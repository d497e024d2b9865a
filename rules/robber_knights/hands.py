"""Robber Knights: the hands that follow from the laid tiles (`RK-12`), exactly and for all players together.

A player has 24 copies of tiles, a bit each, sorted by letter: all of A are below all of B, and so on. Two of A went
into the starting layout; the castle and one other are kept. What was kept is not known, so a player's hand is followed
for each of the three tiles that may have been (`KEPT`): as the set of copies that are *free*, not laid yet.

A tile without a letter takes the lowest free copy of its face. No other choice is better: no tile of a letter is drawn
before the last one of every earlier letter. So an earlier copy is at hand whenever a later one is, and taking it
restricts less. A tile with a letter takes a copy of that letter. If one without a letter took it before, the player's
tiles are processed again, with the copies of all known letters reserved.

The players are linked only by the starting layout. It shows how many of each of the three tiles were kept, and a
visible back shows who did not keep which. `Hands.kept_options` are the distributions of the kept tiles that the layout
and all laid tiles allow. A tile is refused if it leaves none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import permutations
from operator import or_
from typing import NamedTuple

from rules.robber_knights.tiles import CASTLE_TILES, DECK, FACES, LETTERS, TILES, TO_LAY, Face, Letter

COPIES: tuple[tuple[Letter, Face], ...] = tuple((letter, face) for letter in LETTERS for face in DECK[letter])
"""The copies by their bits."""
OF_FACE: dict[Face, int] = {face: sum(1 << n for n, copy in enumerate(COPIES) if copy[1] == face) for face in FACES}
OF_LETTER: dict[Letter, int] = {
    letter: sum(1 << n for n, copy in enumerate(COPIES) if copy[0] == letter) for letter in LETTERS
}
_WENT = {kept: sum(1 << COPIES.index(("A", face)) for face in CASTLE_TILES if face != kept) for kept in CASTLE_TILES}
AT_FIRST = tuple((1 << TILES) - 1 & ~_WENT[kept] for kept in CASTLE_TILES)
"""The free copies of a player before the first tile, for each tile that the player may have put beside the castle."""
IMPOSSIBLE = -1
"""In place of the free copies: the player cannot have put this tile beside the castle."""


class PlayedTile(NamedTuple):
    """A tile that a player has laid after the start. `stood`: it stood although `RK-12` refused it."""

    face: Face
    letter: Letter | None = None
    stood: bool = False


class Hands(NamedTuple):
    """The known facts of all hands."""

    free: tuple[tuple[int, ...], ...]
    """For each player, for each tile of `CASTLE_TILES`, the free copies, or `IMPOSSIBLE`."""
    kept_options: tuple[tuple[int, ...], ...]
    """The possible distributions of the tiles beside castles: for each player the number in `CASTLE_TILES`."""


EARLIER_LETTERS = tuple(
    sum(copies for n, copies in enumerate(OF_LETTER.values()) if number > 5 * (n - 1)) for number in range(TO_LAY)
)
"""The copies of the letters of which at least one is drawn before each tile: B before the second, C before the seventh.

A letter needs no other check: once its first tile is drawn, one more is drawn with each laid tile, up to its five. So
the drawn tiles of a letter are always ahead of the laid ones; its last tile is laid when its last copy is.
"""


PILE = tuple(letter for letter in LETTERS[1:] for _ in DECK[letter])
"""The letters of a player's pile from the top."""


def drawn_letter(number: int) -> Letter | None:
    """The letter of the tile that a player draws after laying `number` (`RK-3`); None if the pile is empty."""
    return PILE[number - 1] if 0 < number <= len(PILE) else None


def at_hand(copy: int, number: int) -> bool:
    """Whether a copy can be at hand when the player has laid `number` tiles."""
    return number < TO_LAY and bool(copy & EARLIER_LETTERS[number])


def follow(kept_tile: int, tiles: Sequence[PlayedTile], face: Face | None = None) -> int:
    """The free copies of a player who kept a tile and laid these in order, or `IMPOSSIBLE`; of one face, or of all.

    No tile takes a copy of another face: so the tiles of one face are enough for its copies.
    """
    free = AT_FIRST[kept_tile] if face is None else AT_FIRST[kept_tile] & OF_FACE[face]
    asked = [(n, tile) for n, tile in enumerate(tiles) if not tile.stood and face in (None, tile.face)]
    reserved: list[int] = []
    for _, tile in asked:
        copy = 0
        if tile.letter is not None:
            copy = _lowest(free & OF_FACE.get(tile.face, 0) & OF_LETTER[tile.letter])
            if not copy:
                return IMPOSSIBLE
            free ^= copy
        reserved.append(copy)
    for (number, tile), copy in zip(asked, reserved, strict=True):
        taken = copy or _lowest(free & OF_FACE.get(tile.face, 0))
        if not at_hand(taken, number):
            return IMPOSSIBLE
        free &= ~taken
    return free


def _lowest(copies: int) -> int:
    return copies & -copies


def _free_after(
    hands: Hands, player: int, before: Sequence[PlayedTile], face: Face, letter: Letter | None
) -> tuple[int, ...]:
    """The free copies of a player after one more tile, for each tile of `CASTLE_TILES`, or `IMPOSSIBLE`."""
    number = len(before)
    copies = OF_FACE[face] if letter is None else OF_FACE[face] & OF_LETTER[letter]
    drawn = EARLIER_LETTERS[number] if number < TO_LAY else 0
    if not copies & drawn:
        return (IMPOSSIBLE,) * len(CASTLE_TILES)
    found: list[int] = []
    for kept_tile, free in enumerate(hands.free[player]):
        copy = free & copies
        copy &= -copy
        if free == IMPOSSIBLE:
            found.append(free)
        elif copy or letter is None:
            found.append(free ^ copy if copy & drawn else IMPOSSIBLE)
        else:
            of_face = follow(kept_tile, (*before, PlayedTile(face, letter)), face)
            found.append(of_face if of_face == IMPOSSIBLE else free & ~OF_FACE[face] | of_face)
    return tuple(found)


def may_lay(hands: Hands, player: int, before: Sequence[PlayedTile], face: Face, letter: Letter | None) -> bool:
    """Whether a tile can be in a player's hand. `before`: the player's tiles so far."""
    free = _free_after(hands, player, before, face, letter)
    return IMPOSSIBLE not in free or any(free[way[player]] != IMPOSSIBLE for way in hands.kept_options)


def lay(hands: Hands, player: int, before: Sequence[PlayedTile], tile: PlayedTile) -> Hands | None:
    """The hands after a player's next tile; None if it cannot be in hand. `before`: the player's tiles so far."""
    if tile.face not in OF_FACE:
        return None
    free, kept = [*hands.free], hands.kept_options
    free[player] = own = _free_after(hands, player, before, tile.face, tile.letter)
    if IMPOSSIBLE in own:
        kept = tuple([way for way in kept if own[way[player]] != IMPOSSIBLE])
        if not kept:
            return None
    return Hands(tuple(free), kept)


def hands_after(start: Hands, tiles_by_player: Sequence[Sequence[PlayedTile]]) -> Hands:
    """The hands after each player has laid these tiles in order. `kept_options` is empty if no hands allow that."""
    free = tuple(tuple(follow(kept, tiles) for kept in range(len(CASTLE_TILES))) for tiles in tiles_by_player)
    ways = tuple(
        way for way in start.kept_options if all(free[player][kept] != IMPOSSIBLE for player, kept in enumerate(way))
    )
    return Hands(free, ways)


def possible_letters(hands: Hands, player: int, before: Sequence[PlayedTile]) -> tuple[Letter, ...]:
    """The letters that the tiles in a player's hand may have. `before`: the player's tiles so far.

    A letter with a free copy is possible. For any other, a tile without a letter may have been another copy of its
    face: then the last such tile can have been one that is still free.
    """
    frees, drawn = _frees_and_drawn(hands, player, len(before))
    free = reduce(or_, frees, 0)
    untold = {tile.face: n for n, tile in enumerate(before) if tile.letter is None and not tile.stood}
    faces = [face for face, n in untold.items() if at_hand(free & OF_FACE[face], n)] if hands.kept_options else OF_FACE
    return tuple(
        [
            letter
            for letter, copies in OF_LETTER.items()
            if copies & free & drawn
            or (
                copies & drawn
                and any(may_lay(hands, player, before, face, letter) for face in faces if OF_FACE[face] & copies)
            )
        ]
    )


def _frees_and_drawn(hands: Hands, player: int, number: int) -> tuple[list[int], int]:
    """The free copies of a player who has laid `number` tiles, for each tile that may be kept, and the copies drawn."""
    held = {way[player] for way in hands.kept_options}
    frees = [free for kept, free in enumerate(hands.free[player]) if kept in held and free != IMPOSSIBLE]
    return frees, EARLIER_LETTERS[number] if number < TO_LAY else 0


def possible_faces(hands: Hands, player: int, number: int) -> list[Face]:
    """The faces that a player who has laid `number` tiles may lay next, whatever the letter."""
    frees, drawn = _frees_and_drawn(hands, player, number)
    found = []
    for face, copies in OF_FACE.items():
        for free in frees:
            copies_left = free & copies
            if copies_left & -copies_left & drawn:
                found.append(face)
                break
    return found


def hands_at_start(players: int, layout: Sequence[tuple[Face, int | None]]) -> Hands:
    """The hands before the first tile.

    `layout`: the faces of the starting layout, each with its player if known. `kept_options` is empty if the layout is
    impossible (`RK-1`).
    """
    layout_faces = [face for face, _ in layout]
    kept_tiles = [number for number, face in enumerate(CASTLE_TILES) for _ in range(players - layout_faces.count(face))]
    if len(kept_tiles) != players or any(layout_faces.count(face) > players for face in CASTLE_TILES):
        return Hands((AT_FIRST,) * players, ())
    backs = [(player, face) for face, player in layout if player is not None]
    ways = sorted(set(permutations(kept_tiles)))
    open_ways = [way for way in ways if all(CASTLE_TILES[way[player]] != face for player, face in backs)]
    return Hands((AT_FIRST,) * players, tuple(open_ways) if len(set(backs)) == len(backs) else ())
