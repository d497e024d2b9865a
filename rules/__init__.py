"""The rules of the games: pure Python. Every sub-package with a `GAME` is a game."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from typing import Any

from rules.kernel import Game


def _find() -> dict[str, Game[Any, Any]]:
    found = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__) if module.ispkg)
    return {package.GAME.id: package.GAME for package in found}


GAMES: Mapping[str, Game[Any, Any]] = _find()


@cache
def load(game: str, name: str) -> dict[str, Any]:
    """Read one of a game's TOML files: ``rulebook``, ``cases``, ``text/en`` or ``text/fr``."""
    return tomllib.loads(files(__name__).joinpath(game, f"{name}.toml").read_text(encoding="utf-8"))
