"""Robber Knights against `python-chess`: ruling, list of legal moves and replay, over a game of as many moves."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.chess_game import ChessGame
from benchmarks.measure import ratio, report
from rules.robber_knights import GAME
from service import wire

RECORDED = Path(__file__).parents[1] / "tests" / "games" / "robber_knights" / "three_with_letters.json"


def main() -> None:
    """Print the three figures."""
    record = json.loads(RECORDED.read_text())
    moves = [GAME.read(notation) for notation in record["moves"]]
    states = [GAME.setup(wire.load(wire.of(GAME).setup, record["setup"]))]
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
        f"A recorded game of {plies} moves, two in five with letters: check (each finding with its evidence) and apply "
        f"of each move, against is_legal and push of {plies} plies of chess.",
        "robber-knights-check-apply",
        ratio(judge_and_play, chess_game.judge_and_play),
        3.0,
    )
    listed = sum(len(list(GAME.moves(state))) for state in states[:-1])
    report(
        f"The list of legal moves before each of the {plies} moves ({listed / plies:.0f} a list on average), a move, "
        f"against legal_moves before each ply of the chess game ({chess_moves / plies:.0f} a list), a move.",
        "robber-knights-legal-moves",
        ratio(list_moves, list_chess) * chess_moves / listed,
        6.0,
    )
    report(
        f"Replay of the {plies} moves from the setup, against push of {plies} plies.",
        "robber-knights-replay",
        ratio(replay, chess_game.replay),
        2.0,
    )


if __name__ == "__main__":
    main()
