"""Architekton against `python-chess`: ruling, list of legal moves and replay, over a game of as many moves."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.chess_game import ChessGame
from benchmarks.measure import ratio, report
from rules.architekton import GAME
from service import wire

RECORDED = Path(__file__).parents[1] / "tests" / "games" / "architekton" / "houses_moved.json"


def main() -> None:
    """Print the three figures."""
    record = json.loads(RECORDED.read_text())
    moves = [GAME.read(notation) for notation in record["moves"]]
    states = [GAME.setup(wire.load(wire.of(GAME).setup, record["setup"]))]
    for move in moves:
        states.append(GAME.apply(states[-1], move))
    start, middle = states[0], states[len(moves) // 2]
    chess_game = ChessGame.of(len(moves))
    list_chess, chess_moves = chess_game.lister()

    def judge_and_play() -> None:
        state = start
        for move in moves:
            GAME.check(state, move)
            state = GAME.apply(state, move)

    def replay() -> None:
        state = start
        for move in moves:
            state = GAME.apply(state, move)

    def list_moves() -> None:
        list(GAME.moves(middle))

    plies = len(moves)
    report(
        f"A recorded game of {plies} moves: check (every finding with its evidence) and apply of each move, "
        f"against is_legal and push of {plies} plies of chess.",
        "architekton-check-apply",
        ratio(judge_and_play, chess_game.judge_and_play),
        3.0,
    )
    listed = len(list(GAME.moves(middle)))
    report(
        f"The list of legal moves in the middle of the game, per move listed ({listed} listed: every tile there could "
        f"be), against legal_moves of the chess game ({chess_moves / plies:.0f} a list), per move listed.",
        "architekton-legal-moves",
        ratio(list_moves, list_chess) * chess_moves / listed,
        6.0,
    )
    report(
        f"Replay of the {plies} moves from the setup, against push of {plies} plies.",
        "architekton-replay",
        ratio(replay, chess_game.replay),
        2.0,
    )


if __name__ == "__main__":
    main()
