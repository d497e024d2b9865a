"""The saving by each cache: the CPU of a page or a move without it, against the same with it.

The switch must exist before the caches, so this runs in a process of its own (`benchmarks.caches`).
"""

from __future__ import annotations

import subprocess
import sys


def main() -> None:
    """Print a line for each cache."""
    subprocess.run([sys.executable, "-m", "benchmarks.caches"], check=True)  # a module of ours


if __name__ == "__main__":
    main()
