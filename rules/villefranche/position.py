"""Villefranche: converts a table to a position as players would write it down, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from rules.defaults import position_problem
from rules.kernel import Fact, Facts, Finding
from rules.villefranche.board import BIT, INDEX, NAMES, pair_of
from rules.villefranche.grid import members
from rules.villefranche.pieces import DIRECTION, HALF, STEP, read_table
from rules.villefranche.play import cut_turn, setup
from rules.villefranche.state import COLOURS, SUPPLY, PartialPosition, Piece, PieceName, Position, Setup, State, Town

_LETTER: Mapping[PieceName, str] = {"cube": "C", "pyramid": "P", "cylinder": "Y"}
_PIECE: Mapping[str, PieceName] = {letter: piece for piece, letter in _LETTER.items()}


def position(state: State) -> Position:
    """The pieces of each cell from the bottom up, and whose placement is due."""
    cells = {
        NAMES[index]: tuple(_piece(letter, index) for letter in state.stacks[index])
        for index in members(state.taken_cells)
    }
    placement: Literal[1, 2] = 1 if state.placement == 1 else 2
    return Position(cells, COLOURS[state.player], placement, state.first_turn, state.enclosed or None)


def _piece(letter: str, index: int) -> Piece:
    colour = COLOURS[0] if letter.isupper() else COLOURS[1]
    step = STEP.get(letter.upper())
    if step is None:
        return Piece(_PIECE.get(letter.upper(), "brick"), colour)
    return Piece("brick", colour, NAMES[index + step])


def enter(form: Setup, entered_position: Position) -> State:
    """The state of an entered position. Trusts it: `problems` says what is wrong with one."""
    stacks = {
        INDEX[cell]: "".join(_letter(cell, piece) for piece in pieces)
        for cell, pieces in entered_position.cells.items()
        if pieces
    }
    towns, walls, rampart_count, corners = read_table(stacks)
    state = setup(form)._replace(
        stacks=stacks,
        towns=_in_hand(towns, entered_position),
        taken_cells=sum(BIT[index] for index in stacks),
        walls=walls,
        rampart_count=rampart_count,
        corners=corners,
        player=COLOURS.index(entered_position.due),
        placement=entered_position.placement,
        first_turn=entered_position.first_turn,
        partial=isinstance(entered_position, PartialPosition),
        enclosed=bool(entered_position.enclosed),
        in_hand=frozenset(
            (colour, piece, some)
            for colour, kinds in (entered_position.in_hand or {}).items()
            for piece, some in kinds.items()
        ),
    )
    return cut_turn(state)


def _in_hand(towns: tuple[Town, Town], entered_position: Position) -> tuple[Town, Town]:
    """The towns with pieces of a kind left, or none, as entered."""
    in_hand = entered_position.in_hand or {}
    black, white = (
        with_pieces_left(town, in_hand.get(colour, {})) for colour, town in zip(COLOURS, towns, strict=True)
    )
    return black, white


def with_pieces_left(town: Town, has_pieces: Mapping[PieceName, bool]) -> Town:
    """A town with pieces of each kind left, or none."""
    left = {f"{piece}s": max(getattr(town, f"{piece}s"), 1) if some else 0 for piece, some in has_pieces.items()}
    return town._replace(**left) if left else town


def _letter(cell: str, piece: Piece) -> str:
    letter = _LETTER.get(piece.piece)
    if letter is None:
        step = _step(cell, piece)
        letter = DIRECTION.get(step, HALF)
    return letter if piece.colour == COLOURS[0] else letter.lower()


def _step(cell: str, brick: Piece) -> int:
    """The offset from a brick's cell to its second cell, or 0 if they do not touch."""
    if brick.second is None or not pair_of(INDEX[cell], INDEX[brick.second]):
        return 0
    return INDEX[brick.second] - INDEX[cell]


def problems(form: Setup, entered_position: Position) -> tuple[Finding, ...]:
    """Everything that cannot stand on a table: too many pieces, half bricks, an impossible first turn."""
    return (*_first_turn(entered_position), *_bricks(entered_position), *_supply(entered_position))


def _first_turn(entered_position: Position) -> Iterator[Finding]:
    standing = tuple(sorted(cell for cell, pieces in entered_position.cells.items() if pieces))
    if entered_position.first_turn and (
        entered_position.placement != 1 or entered_position.due != COLOURS[0] or standing
    ):
        yield position_problem("VF-1", cells=standing, colour=COLOURS[0])


def _bricks(entered_position: Position) -> Iterator[Finding]:
    """A brick is listed on both its cells, as often and in the same colour; nothing else has a second cell."""
    halves = Counter(
        (cell, piece.second or "", piece.colour)
        for cell, pieces in entered_position.cells.items()
        for piece in pieces
        if piece.piece == "brick"
    )
    half = {
        cell
        for (cell, second, colour), number in halves.items()
        if not second or not pair_of(INDEX[cell], INDEX[second]) or halves[second, cell, colour] != number
    }
    for cell in sorted(half):
        yield Finding("VF-5", Facts("brick", {"cell": cell}, (Fact((cell,)),)))
    for cell in sorted(entered_position.cells):
        if any(piece.piece != "brick" and piece.second is not None for piece in entered_position.cells[cell]):
            yield Finding("VF-5", Facts("second", {"cell": cell}, (Fact((cell,)),)))


def _supply(entered_position: Position) -> Iterator[Finding]:
    used = Counter((piece.piece, piece.colour) for pieces in entered_position.cells.values() for piece in pieces)
    for colour in COLOURS:
        for name, most in SUPPLY.items():
            number = used[name, colour]
            if name == "brick":
                number = (number + 1) // 2
            if number > most:
                cells = tuple(
                    sorted(
                        cell
                        for cell, pieces in entered_position.cells.items()
                        if any((piece.piece, piece.colour) == (name, colour) for piece in pieces)
                    )
                )
                yield position_problem("VF-6", cells=cells, piece=name, colour=colour, n=number, most=most)
