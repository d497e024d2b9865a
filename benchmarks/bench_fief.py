"""Fief against `python-chess`, over a recorded game."""

from __future__ import annotations

from benchmarks.against_chess import Goals, compare


def main() -> None:
    """Print the three figures."""
    compare("fief", "four_as_a_pair", Goals(check_apply=5.0, legal_moves=8.0, replay=8.0), per_move=True)


if __name__ == "__main__":
    main()
