"""The rules of the games, in pure Python: each sub-package has the `GAME` of its name, as installed packages do."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from glob import escape, glob
from importlib import import_module
from pkgutil import get_data, iter_modules
from typing import Any, Final, TypeAlias

from rules.caches import cache, freeze
from rules.game import Game
from rules.old_names import accept_old_modules

_Game: TypeAlias = Game[Any, Any]
GROUP: Final = "bastide.games"
ARCHIVES: Final = (".zip", ".whl", ".egg")
accept_old_modules({"rules.foretold": "rules.forecasts", "rules.spoken": "rules.styled_name"})


class BadPackage(ValueError):
    """A package announces a game, and has none that can be used."""


def _may_announce(place: str) -> bool:
    """Whether a distribution in a folder of the path names our group; it opens no archive.

    It does without `pathlib`, which takes longer to load than the whole search.
    """
    if place.endswith(ARCHIVES):
        return bool(glob(escape(place)))  # noqa: PTH207  # see above
    for file in glob(f"{escape(place or '.')}/*-info/entry_points.txt"):  # noqa: PTH207  # see above
        with open(file, "rb") as content:  # noqa: PTH123  # see above
            if GROUP.encode() in content.read():
                return True
    return False


class _Games(Mapping[str, _Game]):
    """The games of these packages by their ids, each loaded at its first use. Once all are loaded, `GAMES` becomes a
    dictionary.
    """

    def __init__(self, packages: Mapping[str, str]) -> None:
        self._packages, self._games = packages, dict[str, _Game]()

    def __getitem__(self, name: str) -> _Game:
        """The game of an id."""
        game = self._games.get(name)
        if game is None:
            game = self._games[name] = import_module(self._packages[name]).GAME
            if len(self._games) == len(self._packages):
                globals()["GAMES"] = dict(self)  # its look-ups run no Python
        return game

    def __iter__(self) -> Iterator[str]:
        """The ids."""
        return iter(self._packages)

    def __len__(self) -> int:
        """The number of games."""
        return len(self._packages)


def find_games() -> tuple[Mapping[str, _Game], Mapping[str, str]]:
    """Every game by its id, and the package of each: those of this package by name, then others by name.

    Raises `BadPackage` if two games have the same id, or if a package that announces a game has none.
    """
    packages = {module.name: f"{__name__}.{module.name}" for module in iter_modules(__path__) if module.ispkg}
    if not any(map(_may_announce, sys.path)):
        return _Games(packages), packages
    from importlib.metadata import entry_points  # noqa: PLC0415  # it takes longer to load than most games

    games = {name: import_module(package).GAME for name, package in packages.items()}
    for package in sorted({point.module for point in entry_points(group=GROUP)}):
        game = _game_of(package)
        if game.id in games:
            raise BadPackage(f"{packages[game.id]} and {package} are both the game {game.id!r}")
        games[game.id], packages[game.id] = game, package
    return games, packages


def _game_of(package: str) -> _Game:
    """The `GAME` of a package that announces one. Raises `BadPackage`."""
    try:
        game = import_module(package).GAME
    except Exception as error:  # the code of another package may raise anything
        raise BadPackage(f"the package {package} announces a game, but: {describe(error)}") from error
    if not isinstance(game, Game):
        raise BadPackage(f"the package {package} announces a game, but its GAME is no rules.game.Game")
    return game


def describe(error: Exception) -> str:
    """An error in the code of another package, with the line that raised it."""
    from traceback import extract_tb  # noqa: PLC0415  # a start without such an error does not need it

    lines = [frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    return f"{type(error).__name__}: {error} ({lines[-1].filename}, line {lines[-1].lineno})"


GAMES: Mapping[str, _Game]
PACKAGES: Mapping[str, str]


def __getattr__(name: str) -> object:
    """`GAMES` and `PACKAGES`, found at their first use, so that a program that needs only the kernel does not wait."""
    if name not in ("GAMES", "PACKAGES"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = dict(zip(("GAMES", "PACKAGES"), find_games(), strict=True))
    globals().update(found)
    return found[name]


@cache()
def load(game: str, name: str) -> Mapping[str, Any]:
    """Read a game's TOML data from its own package: ``rulebook``, ``cases``, ``text/en`` or ``case_text/en``.

    It is one file, or a folder of that name, whose files are joined to one text in the order of their names.
    """
    import tomllib  # noqa: PLC0415  # whoever only plays reads none

    # One text, not merged tables: TOML itself then rejects a table that two files have.
    parts = _parts(import_module(__name__).PACKAGES[game], name)
    try:
        return freeze(tomllib.loads("\n".join(part.decode() for part in parts)))
    except ValueError as error:
        raise ValueError(f"{name}.toml: {error}") from error


def _parts(package: str, name: str) -> list[bytes]:
    """The file of a name, or the files of the folder."""
    with suppress(FileNotFoundError):
        if content := get_data(package, f"{name}.toml"):
            return [content]
    from importlib.resources import files  # noqa: PLC0415  # it takes long to load, and few of our data are folders

    folder = files(package)
    whole = folder / name
    parts = sorted(whole.iterdir(), key=lambda part: part.name) if whole.is_dir() else [folder / f"{name}.toml"]
    return [part.read_bytes() for part in parts]
