"""Villefranche against `python-chess`: ruling, list of legal moves and replay, over a game of as many moves."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.chess_game import ChessGame
from benchmarks.measure import ratio, report
from rules.villefranche import GAME
from rules.villefranche.state import Setup

RECORDED = Path(__file__).parents[1] / "tests" / "games" / "villefranche" / "five_buildings.json"


def main() -> None:
    """Print the three figures."""
    moves = [GAME.read(notation) for notation in json.loads(RECORDED.read_text())["moves"]]
    states = [GAME.setup(Setup())]
    for move in moves:
        states.append(GAME.apply(states[-1], move))
    start = states[0]
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
        for state in states[:-1]:
            list(GAME.moves(state))

    plies = len(moves)
    report(
        f"A recorded game of {plies} moves: check (every finding with its evidence) and apply of each move, "
        f"against is_legal and push of {plies} plies of chess.",
        "villefranche-check-apply",
        ratio(judge_and_play, chess_game.judge_and_play),
        2.0,
    )
    listed = sum(len(list(GAME.moves(state))) for state in states[:-1])
    report(
        f"The list of legal moves before each of the {plies} moves ({listed / plies:.0f} a list on average), "
        f"against legal_moves before each ply of the chess game ({chess_moves / plies:.0f} a list).",
        "villefranche-legal-moves",
        ratio(list_moves, list_chess),
        2.0,
    )
    report(
        f"Replay of the {plies} moves from the setup, against push of {plies} plies.",
        "villefranche-replay",
        ratio(replay, chess_game.replay),
        1.0,
    )


if __name__ == "__main__":
    main()
