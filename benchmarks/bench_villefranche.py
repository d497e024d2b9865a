"""Villefranche against `python-chess`, over a recorded game."""

from __future__ import annotations

from benchmarks.against_chess import Goals, compare


def main() -> None:
    """Print the three figures."""
    compare("villefranche", "five_buildings", Goals(check_apply=2.0, legal_moves=2.0, replay=1.0))


if __name__ == "__main__":
    main()
