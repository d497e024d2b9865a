"""A game's rules against `python-chess`: ruling, list of legal moves and replay, over a recorded game."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.chess_game import ChessGame
from benchmarks.games import RecordedGame
from benchmarks.measure import ratio, report


class Goals(NamedTuple):
    """The maximum ratios."""

    check_apply: float
    legal_moves: float
    replay: float


def compare(game_id: str, record: str, goals: Goals, *, per_move: bool = False, middle: bool = False) -> None:
    """Print the three figures; `per_move` and `middle` are those of `compare_lists`."""
    played = RecordedGame.of(game_id, record)
    plies, name = len(played.moves), game_id.replace("_", "-")
    chess_game = ChessGame.of(plies)
    report(
        f"A recorded game of {plies} moves: check (every finding with its evidence) and apply of each move, "
        f"against is_legal and push of {plies} plies of chess.",
        f"{name}-check-apply",
        ratio(played.judge_and_play, chess_game.judge_and_play),
        goals.check_apply,
    )
    compare_lists(played, chess_game, goals.legal_moves, per_move=per_move, middle=middle)
    report(
        f"Replay of the {plies} moves from the setup, against push of {plies} plies.",
        f"{name}-replay",
        ratio(played.replay, chess_game.replay),
        goals.replay,
    )


def compare_lists(played: RecordedGame, chess_game: ChessGame, goal: float, *, per_move: bool, middle: bool) -> None:
    """Print the figure of the list of legal moves.

    `per_move`: compare the times per listed move, not per list; `middle`: make only the list in the middle of the game,
    not the one before each move.
    """
    game, plies = played.game, len(played.moves)
    states = [played.states[plies // 2]] if middle else played.states[:-1]
    list_chess, chess_moves = chess_game.lister()

    def list_moves() -> None:
        for state in states:
            list(game.moves(state))

    found = sum(len(list(game.moves(state))) for state in states)
    report(
        f"The list of legal moves {'in the middle of the game' if middle else f'before each of the {plies} moves'} "
        f"({found / len(states):.0f} a list), against legal_moves before each ply of the chess game "
        f"({chess_moves / plies:.0f} a list){', per move listed' if per_move else ''}.",
        f"{game.id.replace('_', '-')}-legal-moves",
        ratio(list_moves, list_chess),
        goal,
        by=chess_moves / found if per_move else 1,
    )
