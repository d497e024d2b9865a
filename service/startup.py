"""Checks before the service starts, and the errors that stop it. Each message says what to do.

Other packages may be called `rules`, `service` or `web`, too. If one is installed, Python may import it in place of
ours, and the service would fail in strange ways. So the start looks for such a package and names it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Final

DISTRIBUTION: Final = "bastide"
PACKAGES: Final = ("rules", "service", "web")
SERVED_VARIABLE: Final = "BASTIDE_SERVED"
"""`bastide serve` sets it for the server that it becomes: the store is checked, and the server prints its address."""
METRICS_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus-client finds the folder for the metrics of all processes."""
KEEPER_VARIABLE: Final = "BASTIDE_TENDER"
"""Set likewise: the keeper of the private Redis, as `service.storage.private_redis.keeper_start` writes it."""

VARIABLE_PREFIX: Final = "BASTIDE_"
"""The prefix of all our variables, and of no other that anybody needs."""
MARKS: Final = frozenset({SERVED_VARIABLE, KEEPER_VARIABLE})
DEPLOYMENT_VARIABLES: Final = frozenset({"BASTIDE_HOST", "BASTIDE_UPSTREAM", "BASTIDE_USERS"})
"""Further variables of the files in ``deploy/``: a proxy and the service may share one file of settings."""
KUBERNETES: Final = ("BASTIDE_PORT", "BASTIDE_SERVICE_")
"""The prefixes of the variables that Kubernetes sets for a service called bastide."""


class BadSetting(ValueError):
    """An environment variable that cannot be used as it is."""

    def __init__(self, name: str, value: str, wanted: str) -> None:
        super().__init__(f"{name}={value!r} cannot be used: it has to be {wanted}.")


class NoSetting(BadSetting):
    """Environment variables that look like settings but are not. Their values may be secrets, so they are not shown."""

    def __init__(self, names: Sequence[str], setting_names: Sequence[str]) -> None:
        plural = "are no settings" if len(names) > 1 else "is no setting"
        ValueError.__init__(
            self, f"{', '.join(names)} {plural} of Bastide. The settings are {', '.join(setting_names)}."
        )


class NoServer(Exception):
    """No server program for a private Redis, or it does not start."""


class Unfit(Exception):
    """The store would lose entries or lacks a command."""


class CannotServe(Exception):
    """The service cannot start."""


def refuse_strangers() -> None:
    """Refuse to start if Python finds another distribution's package in place of one of ours. Raises `CannotServe`.

    Call this before loading any other module of ours but the settings: a stranger may lack the imported names.
    """
    if found := strangers():
        listed = "; ".join(f"{name} comes from {origin}" for name, origin in found.items())
        raise CannotServe(
            f"Another package has taken the place of one of Bastide's: {listed}. Use an environment of its own."
        )


def strangers() -> dict[str, str]:
    """The packages that are not ours, and the file of each, with the name of its distribution if it is another one."""
    from importlib import metadata  # noqa: PLC0415  # slow to load, and only needed at a start

    home = Path(__file__).resolve().parent.parent
    claims = metadata.packages_distributions()
    found = {}
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        origin = Path(spec.origin).resolve() if spec and spec.origin else None
        if others := sorted(set(claims.get(name, ())) - {DISTRIBUTION}):
            found[name] = ", ".join(f"{_file_of(other, name)} of {other}" for other in others)
        elif origin is None or origin.parent.parent != home:
            found[name] = str(origin) if origin else "nowhere"
    return found


def _file_of(distribution: str, package: str) -> str:
    """The first file of a distribution in a package; the package's name if the distribution lists no files."""
    from importlib import metadata  # noqa: PLC0415  # see above

    installed = metadata.distribution(distribution)
    files = sorted(file for file in installed.files or () if file.parts[0] == package)
    return str(installed.locate_file(files[0])) if files else package
