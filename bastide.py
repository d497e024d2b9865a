"""The command `bastide`, as it is installed: it looks whether `service` is ours before anything of that is loaded.

Another package of that name may be found in place of ours, and lack all that is wanted of it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Final

HOME: Final = Path(__file__).resolve().parent
FAILURE_STATUS: Final = 3
"""The exit status of `service.cli` for a service that cannot start."""


def main() -> int:
    """Run the command; its exit status."""
    found = find_spec("service")
    if found is None or not found.origin or Path(found.origin).resolve().parent != HOME / "service":
        print(f"bastide: {_refusal()}", file=sys.stderr)
        return FAILURE_STATUS
    from service.cli.commands import main as run  # noqa: PLC0415  # not before it is known to be ours

    return run()


def _refusal() -> str:
    """What our own check says, which needs nothing else of ours: it is read by its file."""
    path = HOME / "service" / "startup.py"
    spec = spec_from_file_location("startup", path)
    if spec is None or spec.loader is None:
        return f"{path} cannot be read."
    startup = module_from_spec(spec)
    spec.loader.exec_module(startup)
    try:
        startup.refuse_strangers()
    except startup.CannotServe as error:
        return str(error)
    return f"{HOME / 'service'} is not where Python finds the package."
