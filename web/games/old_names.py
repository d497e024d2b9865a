"""Aliases of moved modules: a game of another distribution may import its pages' modules by them until 0.2.0."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import MappingProxyType, ModuleType
from typing import Final
from warnings import warn

NEW_NAMES: Final = MappingProxyType(
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
"""The old name of a module -> its name now."""


class OldNames(MetaPathFinder, Loader):
    """Finds a module by its old name, and warns."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002  # `import` gives it
        target: ModuleType | None = None,  # noqa: ARG002  # see above
    ) -> ModuleSpec | None:
        """What `import` asks for."""
        return spec_from_loader(fullname, self) if fullname in NEW_NAMES else None

    def exec_module(self, module: ModuleType) -> None:
        """Let the module of today stand under its old name as well: what is imported from either is the same."""
        old = module.__name__
        warn(f"{old} is called {NEW_NAMES[old]} now. 0.2.0 drops the old name.", DeprecationWarning, stacklevel=2)
        sys.modules[old] = import_module(NEW_NAMES[old])


def install() -> None:
    """Let modules be imported by their old names."""
    if not any(isinstance(finder, OldNames) for finder in sys.meta_path):
        sys.meta_path.insert(0, OldNames())  # before a folder that an update has left empty
