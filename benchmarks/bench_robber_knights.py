"""Robber Knights against `python-chess`, over a recorded game."""

from __future__ import annotations

from benchmarks.against_chess import Goals, compare


def main() -> None:
    """Print the three figures."""
    compare("robber_knights", "three_with_letters", Goals(check_apply=3.0, legal_moves=6.0, replay=2.0), per_move=True)


if __name__ == "__main__":
    main()
