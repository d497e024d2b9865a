"""Old names that a game from another package may use until 0.2.0: each use warns and names the new one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from functools import wraps
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import MappingProxyType, ModuleType
from typing import Any, Final, ParamSpec, TypeVar
from warnings import warn

from rules.records import compile_methods

T = TypeVar("T")
Ps = ParamSpec("Ps")
OLD_MEMBERS: Final[MutableMapping[type[object], Mapping[str, str]]] = {}
"""Class with renamed members -> old name of a member -> its new name."""
OLD_ATTRIBUTES: Final[MutableMapping[str, Mapping[str, str]]] = {}
"""Module with renamed classes and functions -> old name -> new name."""

OLD_MODULES: Final[MutableMapping[str, str]] = {}
"""Old name of a module -> its new name."""


def warn_of_old_name(old: str, new: str) -> None:
    """Warn the caller of the function that calls this one."""
    warn(f"{old} is called {new} now. 0.2.0 drops the old name.", DeprecationWarning, stacklevel=3)


def _reader(names: Mapping[str, str]) -> Callable[[object, str], object]:
    """The `__getattr__` of a class with renamed members."""

    def by_old_name(self: object, name: str) -> object:
        made = type(self)
        if name not in names:
            raise AttributeError(f"{made.__name__!r} object has no attribute {name!r}", name=name, obj=self)
        warn_of_old_name(f"{made.__name__}.{name}", names[name])
        return getattr(self, names[name])

    return by_old_name


def accept_old_arguments(called: str = "", /, **new_names: str) -> Callable[[Callable[Ps, T]], Callable[Ps, T]]:
    """A function that also accepts old names of its arguments, with a warning. `called`: its name in the warning."""

    def accept(function: Callable[Ps, T]) -> Callable[Ps, T]:
        @wraps(function)
        def by_either_name(*arguments: Any, **named: Any) -> T:
            if not new_names.keys().isdisjoint(named):
                for old in new_names.keys() & named.keys():
                    warn_of_old_name(f"{called or function.__name__}.{old}", new_names[old])
                    named[new_names[old]] = named.pop(old)
            return function(*arguments, **named)

        return by_either_name

    return accept


def accept_old_members(**new_names: str) -> Callable[[type[T]], type[T]]:
    """A class that also accepts old names of its arguments and members, with a warning."""
    names = MappingProxyType(new_names)

    def accept(made: type[T]) -> type[T]:
        OLD_MEMBERS[made] = names
        made.__getattr__ = _reader(names)  # type: ignore[attr-defined]  # what is asked where a member is missing
        if made.__annotations__.keys().isdisjoint(names.values()):
            return made  # methods only
        compile_methods(made)
        name = "__new__" if issubclass(made, tuple) else "__init__"
        setattr(made, name, accept_old_arguments(made.__name__, **names)(getattr(made, name)))
        return made

    return accept


def old_attributes(module: str, **new_names: str) -> Callable[[str], object]:
    """The `__getattr__` of a module (PEP 562) that accepts old names of its classes and functions, with a warning.

    A new name with dots belongs to a class or function that has moved to another module.
    """
    OLD_ATTRIBUTES[module] = MappingProxyType(new_names)

    def by_old_name(name: str) -> object:
        if name not in new_names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
        warn_of_old_name(f"{module}.{name}", new_names[name])
        home, _, attribute = new_names[name].rpartition(".")
        return getattr(import_module(home or module), attribute)

    return by_old_name


class _OldModules:
    """Finds a module by its old name, with a warning. It does without `importlib.abc`, which is slow to load."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002  # `import` gives it
        target: ModuleType | None = None,  # noqa: ARG002  # see above
    ) -> ModuleSpec | None:
        """The specification of a module with an old name; None for any other."""
        return spec_from_loader(fullname, self) if fullname in OLD_MODULES else None  # type: ignore[arg-type]  # it has all

    def create_module(self, _: ModuleSpec) -> None:
        """Let `import` create the module, as usual."""

    def exec_module(self, module: ModuleType) -> None:
        """Register the renamed module under its old name too: imports from both give the same objects."""
        old = module.__name__
        warn_of_old_name(old, OLD_MODULES[old])
        sys.modules[old] = import_module(OLD_MODULES[old])


def accept_old_modules(new_names: Mapping[str, str]) -> None:
    """Allow imports of modules by their old names (old name -> new name)."""
    OLD_MODULES.update(new_names)
    if not any(isinstance(finder, _OldModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, _OldModules())  # before an empty folder that an update has left
