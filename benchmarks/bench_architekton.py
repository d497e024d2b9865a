"""Architekton against `python-chess`, over a recorded game."""

from __future__ import annotations

from benchmarks.against_chess import Goals, compare


def main() -> None:
    """Print the three figures."""
    compare(
        "architekton", "houses_moved", Goals(check_apply=1.9, legal_moves=1.2, replay=1.6), per_move=True, middle=True
    )


if __name__ == "__main__":
    main()
