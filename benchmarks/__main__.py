"""All benchmarks: every module here whose name begins with ``bench_``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

for path in sorted(Path(__file__).parent.glob("bench_*.py")):
    import_module(f"benchmarks.{path.stem}").main()
