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
    """Read a game's TOML data: ``rulebook``, ``cases``, ``text/en`` or ``text/fr``.

    It is one file, or a folder of that name, whose files are read as one text in the order of their names.
    """
    folder = files(__name__) / game
    whole = folder / name
    parts = sorted(whole.iterdir(), key=lambda part: part.name) if whole.is_dir() else [folder / f"{name}.toml"]
    # One text, and not tables put together here: TOML itself then refuses a table that two files have.
    return tomllib.loads("\n".join(part.read_text(encoding="utf-8") for part in parts))
