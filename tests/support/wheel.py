"""The wheel of the project."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def build(tree: Path, folder: Path) -> Path:
    """Build the wheel of a source tree into a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=tree, check=True, capture_output=True)
    return next(folder.glob("*.whl"))
