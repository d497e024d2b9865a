"""Robber Knights against `python-chess`, over a recorded game."""

from __future__ import annotations

from benchmarks.against_chess import Goals, compare


def main() -> None:
    """Print the three figures."""
    compare("robber_knights", "three_with_letters", Goals(check_apply=1.6, legal_moves=1.2, replay=1.6), per_move=True)


if __name__ == "__main__":
    main()
