"""The standard for the games' rules: a chess game played by `python-chess`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import chess

# Kasparov - Topalov, Wijk aan Zee 1999: many pieces for a long time, and about as many legal moves as an average game.
SAN = """
e4 d6 d4 Nf6 Nc3 g6 Be3 Bg7 Qd2 c6 f3 b5 Nge2 Nbd7 Bh6 Bxh6 Qxh6 Bb7 a3 e5 O-O-O Qe7 Kb1 a6 Nc1 O-O-O Nb3 exd4 Rxd4 c5
Rd1 Nb6 g3 Kb8 Na5 Ba8 Bh3 d5 Qf4+ Ka7 Rhe1 d4 Nd5 Nbxd5 exd5 Qd6 Rxd4 cxd4 Re7+ Kb6 Qxd4+ Kxa5 b4+ Ka4 Qc3 Qxd5 Ra7
Bb7 Rxb7 Qc4 Qxf6 Kxa3 Qxa6+ Kxb4 c3+ Kxc3 Qa1+ Kd2 Qb2+ Kd1 Bf1 Rd2 Rd7 Rxd7 Bxc4 bxc4 Qxh8 Rd3 Qa8 c3 Qa4+ Ke1
"""


@dataclass(frozen=True)
class ChessGame:
    """The first plies of the game."""

    moves: tuple[chess.Move, ...]

    @classmethod
    def of(cls, plies: int) -> ChessGame:
        """The game up to a number of plies."""
        board = chess.Board()
        return cls(tuple(board.push_san(san) for san in SAN.split()[:plies]))

    def judge_and_play(self) -> None:
        """Check whether each move is legal, and play it."""
        board = chess.Board()
        for move in self.moves:
            board.is_legal(move)
            board.push(move)

    def replay(self) -> None:
        """Play each move."""
        board = chess.Board()
        for move in self.moves:
            board.push(move)

    def lister(self) -> tuple[Callable[[], None], int]:
        """A function that lists the legal moves before each move of the game, and their total number."""
        board = chess.Board()
        boards = []
        for move in self.moves:
            boards.append(board.copy(stack=False))
            board.push(move)

        def run() -> None:
            for before in boards:
                list(before.legal_moves)

        return run, sum(before.legal_moves.count() for before in boards)
