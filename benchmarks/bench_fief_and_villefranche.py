"""Fief against Villefranche: the largest state of the five games against one of the smallest, for each move."""

from __future__ import annotations

from benchmarks.games import RecordedGame
from benchmarks.measure import ratio, report

GOAL = 10.0


def main() -> None:
    """Print the two figures."""
    ours, theirs = RecordedGame.of("fief", "three_alone"), RecordedGame.of("villefranche", "five_buildings")
    per_move = len(theirs.moves) / len(ours.moves)
    lengths = f"A recorded game of Fief of {len(ours.moves)} moves against one of Villefranche of {len(theirs.moves)}"
    report(
        f"{lengths}: the ruling (every finding with its evidence), per move.",
        "fief-check",
        ratio(ours.judge, theirs.judge),
        GOAL,
        by=per_move,
    )
    report(f"{lengths}: replay, per move.", "fief-replay", ratio(ours.replay, theirs.replay), GOAL, by=per_move)


if __name__ == "__main__":
    main()
