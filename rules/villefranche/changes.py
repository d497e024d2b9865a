"""Villefranche: compares a table with an earlier one. Players only add pieces, and never remove one (`VF-6`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping

from rules.kernel import Changes, Fact, Facts, Finding, Piece
from rules.villefranche.board import BIT, CORNER_NUMBER, ENCLOSURE, NAMES
from rules.villefranche.moves import BellTower, CornerStorey, House, Move, Nave, NobleStorey, Rampart, Roof
from rules.villefranche.pieces import PIECE_LETTERS, STEP
from rules.villefranche.state import COLOURS, PieceName, State

_PIECE: Mapping[str, PieceName] = {"C": "cube", "P": "pyramid", "Y": "cylinder"}


def pieces(state: State) -> Mapping[Piece, int]:
    """The pieces with their cells; a brick once."""
    return Counter(
        _piece_at(index, letter) for index, stack in state.stacks.items() for letter in stack if _counts(letter)
    )


def _counts(letter: str) -> bool:
    """Whether a piece counts at this cell: a brick counts at its lower cell only."""
    return STEP.get(letter.upper(), 1) > 0


def _piece_at(index: int, letter: str) -> Piece:
    colour, step = _colour(letter), STEP.get(letter.upper())
    cells = (NAMES[index],) if step is None else (NAMES[index], NAMES[index + step])
    return Piece("piece", (("colour", colour), ("piece", _PIECE.get(letter.upper(), "brick"))), cells, cells, colour)


def _colour(letter: str) -> str:
    return COLOURS[0] if letter in PIECE_LETTERS[0] else COLOURS[1]


# --- objections --------------------------------------------------------------------------------------------------


def objections(before: State, after: State) -> Iterator[Finding]:
    """A piece that is missing or lies below others (`VF-6`); more pieces of a colour than its turns allow (`VF-4`)."""
    for index, stack in before.stacks.items():
        now = after.stacks.get(index, "")
        if not now.startswith(stack):
            cell = NAMES[index]
            code = "gone" if Counter(stack) - Counter(now) else "order"
            yield Finding("VF-6", Facts(code, {"cell": cell}, (Fact((cell,)),)))
            return
    yield from _turns(before, after)


def _turns(before: State, after: State) -> Iterator[Finding]:
    """Each player has put down as many pieces as the turns in between have placements, and the turn matches that.

    If a turn may be cut (reading `stuck`), it has one placement or two.
    """
    put = _new_piece_counts(before, after)
    target = _due_to(before, sum(put))
    values = {"first": COLOURS[0], "second": COLOURS[1], "black": put[0], "white": put[1]}
    if before.readings["stuck"] == "turn_is_cut":
        if max(put) > 2 * (min(put) + 1):
            yield Finding("VF-4", Facts("cut", values, _grown_cells(before, after)))
    elif put != target[0]:
        due = {"black_due": target[0][0], "white_due": target[0][1]}
        yield Finding("VF-4", Facts("turns", {**values, **due}, _grown_cells(before, after)))
    elif (after.player, after.placement, after.first_turn) != target[1]:
        player, placement, _ = target[1]
        yield Finding("VF-4", Facts("due", {"colour": COLOURS[player], "n": placement}))


def _new_piece_counts(before: State, after: State) -> tuple[int, int]:
    """The number of new pieces of each colour."""
    put = [0, 0]
    for index, stack in after.stacks.items():
        for letter in stack[len(before.stacks.get(index, "")) :]:
            put[letter not in PIECE_LETTERS[0]] += _counts(letter)
    return put[0], put[1]


def _due_to(state: State, n: int) -> tuple[tuple[int, int], tuple[int, int, bool]]:
    """The number of each player's placements among the next `n`, and what is due after them."""
    player, placement, first = state.player, state.placement, state.first_turn
    put = [0, 0]
    for _ in range(n):
        put[player] += 1
        player, placement = (1 - player, 1) if placement == 2 or first else (player, 2)
        first = False
    return (put[0], put[1]), (player, placement, first)


def _grown_cells(before: State, after: State) -> tuple[Fact, ...]:
    """The cells with new pieces."""
    cells = [NAMES[index] for index, stack in after.stacks.items() if len(stack) > len(before.stacks.get(index, ""))]
    return (Fact(tuple(sorted(cells))),) if cells else ()


# --- a way -------------------------------------------------------------------------------------------------------


def towards(state: State, target: State) -> Iterator[Move]:
    """The next missing piece of each cell, if it belongs to the player due."""
    for index, stack in target.stacks.items():
        there = len(state.stacks.get(index, ""))
        letter = stack[there : there + 1]
        if letter and letter in PIECE_LETTERS[state.player] and _counts(letter):
            yield from _moves_to_put(state, index, letter.upper())


def _moves_to_put(state: State, index: int, letter: str) -> Iterator[Move]:
    """The moves that put a piece there."""
    cell, step = NAMES[index], STEP.get(letter)
    if step is not None:
        walls = not (BIT[index] | BIT[index + step]) & ~ENCLOSURE
        yield (Rampart if walls else Nave)((cell, NAMES[index + step]))
    elif letter == "C":
        yield House(cell)
    elif letter == "Y":
        yield CornerStorey(cell) if index in CORNER_NUMBER else NobleStorey(cell)
    else:
        yield Roof(cell) if BIT[index] & state.towns[state.player].houses else BellTower(cell)


def least(state: State, target: State) -> int:
    """The number of missing pieces."""
    return max(sum(_new_piece_counts(state, target)), 1)


def key(state: State) -> Hashable:
    """The pieces, and the placement that is due."""
    return frozenset(state.stacks.items()), state.player, state.placement, state.first_turn


def same(state: State, target: State) -> bool:
    """Whether the pieces and the placement that is due are the same."""
    return state[:1] == target[:1] and state[6:9] == target[6:9]


CHANGES: Changes[State, Move] = Changes(
    pieces=pieces, objections=objections, towards=towards, every_way=True, least=least, same=same, key=key
)
