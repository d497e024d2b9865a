"""A game's rules against `python-chess`: ruling, list of legal moves and replay, over a recorded game."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.chess_game import ChessGame
from benchmarks.games import Recorded
from benchmarks.measure import ratio, report


class Goals(NamedTuple):
    """The greatest ratios that are aimed at."""

    check_apply: float
    legal_moves: float
    replay: float


def compare(game_id: str, recorded: str, goals: Goals, *, per_move: bool = False, middle: bool = False) -> None:
    """Print the three figures.

    `per_move`: lists are compared by the moves they hold, not list by list; `middle`: only the list in the middle of
    the game is made, not that before each move.
    """
    played = Recorded.of(game_id, recorded)
    game, plies, name = played.game, len(played.moves), game_id.replace("_", "-")
    asked = [played.states[plies // 2]] if middle else played.states[:-1]
    chess_game = ChessGame.of(plies)
    list_chess, chess_moves = chess_game.lister()

    def list_moves() -> None:
        for state in asked:
            list(game.moves(state))

    report(
        f"A recorded game of {plies} moves: check (every finding with its evidence) and apply of each move, "
        f"against is_legal and push of {plies} plies of chess.",
        f"{name}-check-apply",
        ratio(played.judge_and_play, chess_game.judge_and_play),
        goals.check_apply,
    )
    listed = sum(len(list(game.moves(state))) for state in asked)
    report(
        f"The list of legal moves {'in the middle of the game' if middle else f'before each of the {plies} moves'} "
        f"({listed / len(asked):.0f} a list), against legal_moves before each ply of the chess game "
        f"({chess_moves / plies:.0f} a list){', per move listed' if per_move else ''}.",
        f"{name}-legal-moves",
        ratio(list_moves, list_chess) * (chess_moves / listed if per_move else 1),
        goals.legal_moves,
    )
    report(
        f"Replay of the {plies} moves from the setup, against push of {plies} plies.",
        f"{name}-replay",
        ratio(played.replay, chess_game.replay),
        goals.replay,
    )
