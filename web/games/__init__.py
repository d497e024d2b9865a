"""The pages of the games: each sub-package has `PAGES` for the game of its name, as installed packages do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Final

import rules
from rules.caches import cache
from rules.old_names import accept_old_modules
from web.game_pages import AnyPages

GROUP: Final = "bastide.pages"
accept_old_modules(
    {
        "service.datatypes": "service.types",
        "service.kept": "service.runtime.memoize",
        "service.texts": "service.i18n.sentences",
        "service.wire": "service.schemas",
        "web.fields": "web.form_fields",
        "web.kernel": "web.game_pages",
        "web.language": "web.browser.language",
    }
)


class NoPages(LookupError):
    """A game that has no pages; its id."""


def _find() -> Iterator[tuple[str, AnyPages]]:
    for module in iter_modules(__path__):
        if module.ispkg:
            yield module.name, import_module(f"{__name__}.{module.name}").PAGES
    for entry in entry_points(group=GROUP):
        if entry.name not in rules.GAMES:
            raise ValueError(f"{entry.module} has pages of {entry.name!r}, which is no game: name it by the game's id")
        try:
            yield entry.name, import_module(entry.module).PAGES
        except Exception as error:  # the code of another package may raise anything
            raise ValueError(f"{entry.module} has pages of a game, but: {rules.describe(error)}") from error


@cache()
def all_pages() -> Mapping[str, AnyPages]:
    """Id of a game -> its pages. Raises `ValueError` if a game has two, or a package announces none."""
    found: dict[str, AnyPages] = {}
    for name, pages in _find():
        if name in found:
            raise ValueError(f"two packages have pages of the game {name!r}")
        found[name] = pages
    return MappingProxyType({name: found[name] for name in rules.GAMES if name in found})


def pages_of(game_id: str) -> AnyPages:
    """The pages of a game. Raises `NoPages`."""
    try:
        return all_pages()[game_id]
    except KeyError:
        raise NoPages(game_id) from None
