"""What is checked before the service starts, and what may keep it from starting. Each message says what to do.

Other packages may be called `rules`, `service` or `web`, too. If one is installed, Python may import it in place of
ours, and the service would fail in strange ways. So the start looks for it and names it.
"""

from __future__ import annotations

import importlib.util
from importlib import metadata
from pathlib import Path
from typing import Final

DISTRIBUTION: Final = "bastide"
PACKAGES: Final = ("rules", "service", "web")
SERVED: Final = "BASTIDE_SERVED"
"""`bastide serve` sets it for the server that it becomes: the store was looked at, and somebody wants the address."""
TENDER: Final = "BASTIDE_TENDER"
"""Set likewise: who tends the private Redis, as `service.tending` writes it."""


class BadSetting(ValueError):
    """An environment variable that cannot be used as it is."""

    def __init__(self, name: str, value: str, wanted: str) -> None:
        super().__init__(f"{name}={value!r} cannot be used: it has to be {wanted}.")


class NoServer(Exception):
    """No server program for a private Redis, or it does not start."""


class Unfit(Exception):
    """The store would lose entries or lacks a command."""


class CannotServe(Exception):
    """The service cannot start."""


def strangers() -> dict[str, str]:
    """The packages that are not ours, and where they come from."""
    home = Path(__file__).resolve().parent.parent
    claims = metadata.packages_distributions()
    found = {}
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        origin = Path(spec.origin).resolve() if spec and spec.origin else None
        others = set(claims.get(name, ())) - {DISTRIBUTION}
        if others:
            found[name] = ", ".join(sorted(others))
        elif origin is None or origin.parent.parent != home:
            found[name] = str(origin) if origin else "nowhere"
    return found
