"""The rules of the games, in pure Python: each sub-package with a `GAME`, and those of installed packages."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pkgutil import iter_modules
from typing import Any

from rules.caches import cache, freeze
from rules.game import Game
from rules.old_names import accept_old_modules

GROUP = "bastide.games"
accept_old_modules({"rules.foretold": "rules.forecasts", "rules.spoken": "rules.styled_name"})


def _packages() -> Iterator[str]:
    """Where games are: those of this package by name, then those that are announced, by name too."""
    own = (f"{__name__}.{module.name}" for module in iter_modules(__path__) if module.ispkg)
    yield from (package for package in own if hasattr(import_module(package), "GAME"))
    yield from sorted({point.module for point in entry_points(group=GROUP)})


def find_games() -> tuple[dict[str, Game[Any, Any]], dict[str, str]]:
    """Every game by its id, and the package that each is from.

    Raises `ValueError` if two games have the same id, and passes on any error in a package that announces games.
    """
    games: dict[str, Game[Any, Any]] = {}
    packages: dict[str, str] = {}
    for package in _packages():
        game = import_module(package).GAME
        if game.id in games:
            raise ValueError(f"{packages[game.id]} and {package} are both the game {game.id!r}")
        games[game.id], packages[game.id] = game, package
    return games, packages


GAMES: Mapping[str, Game[Any, Any]]
PACKAGES: Mapping[str, str]


def __getattr__(name: str) -> object:
    """`GAMES` and `PACKAGES`, found when somebody asks first: who needs only the kernel does not wait for the games."""
    if name not in ("GAMES", "PACKAGES"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = dict(zip(("GAMES", "PACKAGES"), find_games(), strict=True))
    globals().update(found)
    return found[name]


@cache()
def load(game: str, name: str) -> Mapping[str, Any]:
    """Read a game's TOML data from its own package: ``rulebook``, ``cases``, ``text/en`` or ``case_text/en``.

    It is one file, or a folder of that name, whose files are read as one text in the order of their names.
    """
    folder = files(import_module(__name__).PACKAGES[game])
    whole = folder / name
    parts = sorted(whole.iterdir(), key=lambda part: part.name) if whole.is_dir() else [folder / f"{name}.toml"]
    # One text, and not tables put together here: TOML itself then refuses a table that two files have.
    return freeze(tomllib.loads("\n".join(part.read_text(encoding="utf-8") for part in parts)))
