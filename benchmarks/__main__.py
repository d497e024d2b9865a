"""All benchmarks, the modules here whose names begin with ``bench_``; or those named: ``unknowns post``."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

every = [path.stem.removeprefix("bench_") for path in sorted(Path(__file__).parent.glob("bench_*.py"))]
if unknown := set(sys.argv[1:]).difference(every):
    sys.exit(f"There is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(every)}.")
for name in sys.argv[1:] or every:
    import_module(f"benchmarks.bench_{name}").main()
