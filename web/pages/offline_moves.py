"""The legal moves of a table, from which a phone can choose after it loses its connection."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from markupsafe import Markup

from rules.kernel import Cell, Seat
from service.tables.keys import Role
from service.tables.table import Table
from service.types import AnyGame, Move, State
from web.board.markup import shapes_markup
from web.board.shapes import Spot
from web.browser.bidi import words_among
from web.games import pages_of
from web.pages.table_page import drawing_of
from web.panels.context import player_names
from web.panels.sentences import capitalise, phrase

MOST: Final = 400
"""The maximum number of sent moves; others can be typed."""
MAX_CANDIDATES: Final = 4 * MOST
"""The maximum number of legal moves to choose these from."""


class LegalMove(NamedTuple):
    """A legal move: its notation, its words, its kind, and the keys of its cells on the board.

    `next_seat`: the player after it. `distinction`: the difference from another move with the same words, if any.
    """

    notation: str
    words: str
    kind: str
    cells: tuple[str, ...]
    next_seat: Seat | None
    distinction: str


class OfflineMoves(NamedTuple):
    """The data of a table that a phone stores: the player due, the players by seat, and the moves to choose from.

    `kinds`: the kinds of these moves, in words. `some`: there are more legal moves. `passes`: the next player after a
    queued move, by the player who would be next if it were played now, and by the player who makes it.
    `pictures`: the pictures of the moves, by player; `ghosts`: the number of each move's picture, in the order of
    `moves`, with the cells where it stands.
    """

    version: int
    due: Seat | None
    seats: Sequence[tuple[Seat, str]]
    kinds: Mapping[str, str]
    moves: Sequence[LegalMove]
    some: bool
    passes: Mapping[Seat, Mapping[Seat, Seat]]
    pictures: Mapping[Seat, Sequence[Markup]]
    ghosts: Sequence[tuple[int, tuple[str, ...]]]


def offline_moves_of(table: Table, role: Role, language: str) -> OfflineMoves:
    """The data for use without a connection, in the game's order; a seat gets no moves in another seat's turn."""
    game, state = table.game, table.state
    words = pages_of(game.id).words_for(words_among(language, game.id, table.setup), state)
    may = role.plays and (role.seat is None or table.due.seat in (None, role.seat))
    legal = list(islice(game.moves(state), MAX_CANDIDATES)) if may else []
    moves = _moves_to_send(game, legal)
    phrases = [capitalise(phrase(words, game, move, state)) for move in moves]
    spots = {spot.cell: spot for spot in drawing_of(state, game.id, language).board.spots}
    cells = [[spots[cell] for cell in game.cells_of(move) if cell in spots] for move in moves]
    names = player_names(table, words)
    then, lie = zip(*(_outcome(game, state, move) for move in moves), strict=True) if moves else ((), ())
    pictures, numbers = _pictures(table, moves, tuple(names))
    keys = [tuple(spots[cell].key for cell in there if cell in spots) for there in lie]
    return OfflineMoves(
        table.version,
        table.due.seat,
        tuple(names.items()),
        {kind: capitalise(words.name(kind)) for kind in dict.fromkeys(move.kind for move in moves)},
        [
            LegalMove(game.write(move), text, move.kind, tuple(spot.key for spot in at), seat, apart)
            for move, text, at, seat, apart in zip(
                moves, phrases, cells, then, _distinctions(phrases, cells), strict=True
            )
        ],
        len(moves) < len(legal),
        _passes(table.due.seat, then, tuple(names)),
        pictures,
        list(zip(numbers, keys, strict=True)),
    )


def _pictures(table: Table, moves: Sequence[Move], seats: Sequence[Seat]) -> tuple[dict[Seat, list[Markup]], list[int]]:
    """The pictures of moves, each once, for every player; and the number of each move's picture."""
    pages, state = pages_of(table.game.id), table.state

    def picture(move: Move, seat: Seat | None) -> Markup:
        return shapes_markup(pages.picture(state, move, seat, move.kind))

    first: dict[Markup, Move] = {}
    drawn = [picture(move, table.due.seat) for move in moves]
    for markup, move in zip(drawn, moves, strict=True):
        first.setdefault(markup, move)
    numbers = {markup: number for number, markup in enumerate(first)}
    by_seat = {seat: [picture(move, seat) for move in first.values()] for seat in seats} if first else {}
    return by_seat, [numbers[markup] for markup in drawn]


def _outcome(game: AnyGame, state: State, move: Move) -> tuple[Seat | None, Sequence[Cell]]:
    """The player after a move, and the cells of its pieces then: as its game says, else the first cell."""
    after, pages = game.apply(state, move), pages_of(game.id)
    cells = game.cells_of(move) if move.kind in pages.spread_kinds else game.cells_of(move)[:1]
    landing = pages.landing_cells(after, move)
    return game.due(after).seat, cells if landing is None else landing


def _moves_to_send(game: AnyGame, moves: Sequence[Move]) -> list[Move]:
    """The moves to send: if there are too many, the first ones of each kind at each cell."""
    before: dict[tuple[str, tuple[Cell, ...]], int] = defaultdict(int)
    turns = []
    for move in moves:
        place = (move.kind, game.cells_of(move)[:1])
        turns.append(before[place])
        before[place] += 1
    first = sorted(range(len(moves)), key=turns.__getitem__)[:MOST]
    return [moves[number] for number in sorted(first)]


def _passes(due: Seat | None, then: Sequence[Seat | None], seats: Sequence[Seat]) -> dict[Seat, dict[Seat, Seat]]:
    """The next seat if a move is made now -> the seat that makes it later -> the next seat then.

    >>> _passes("a", ["b"], "abc")
    {'b': {'a': 'b', 'b': 'c', 'c': 'a'}}
    """
    if due not in seats:
        return {}
    return {
        seat: {
            other: seats[(seats.index(other) + seats.index(seat) - seats.index(due)) % len(seats)] for other in seats
        }
        for seat in seats
        if seat in then
    }


def _distinctions(phrases: Sequence[str], cells: Sequence[Sequence[Spot]]) -> list[str]:
    """For moves with the same words: the names of the cells that not all of them touch, if these differ."""
    same: dict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(phrases):
        same[text].append(number)
    found = [""] * len(phrases)
    for numbers in (some for some in same.values() if len(some) > 1):
        shared = set[Cell].intersection(*({spot.cell for spot in cells[number]} for number in numbers))
        names = [
            ", ".join(spot.name.partition("; ")[0] for spot in cells[number] if spot.cell not in shared)
            for number in numbers
        ]
        if len(set(names)) == len(names):
            for number, name in zip(numbers, names, strict=True):
                found[number] = name
    return found
