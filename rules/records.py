"""`dataclass` for frozen classes, which compiles their methods when the first of them is called.

The standard one compiles six methods when a class is defined. For the classes of all games that took almost half of
their import, and most processes never call most of the methods.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414  # type checkers know it by this name
else:

    def dataclass(*, frozen: bool, slots: bool = False, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
        """The standard decorator, with these options."""

        def make(raw: type[T]) -> type[T]:
            if not frozen or any(map(dataclasses.is_dataclass, raw.__mro__[1:])):
                return dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only)(raw)
            made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(raw)
            made.__dataclass_params__.frozen = True  # a frozen class of another package may inherit from it
            own = vars(made)
            for name, method in {**STUBS, **FROZEN, **(OF_SLOTS if slots else {})}.items():
                if own.get(name) is None:
                    setattr(made, name, method)
            return made

        return make


def _stub(name: str) -> Callable[..., Any]:
    """A method that compiles the methods of its class, and calls its replacement."""

    def method(self: object, *arguments: Any, **named: Any) -> Any:
        made = next((each for each in type(self).__mro__ if vars(each).get(name) is method), None)
        if made is None:  # another thread was first
            return getattr(self, name)(*arguments, **named)
        compile_methods(made)
        return getattr(made, name)(self, *arguments, **named)

    return method


def compile_methods(made: Any) -> None:
    """Compile the methods of a class: the standard library makes them for another class with the same fields."""
    own = vars(made)
    stubs = [name for name, stub in STUBS.items() if own.get(name) is stub]
    if not stubs:
        return
    parts = [(each.name, each.type, each) for each in dataclasses.fields(made)]
    hooks = {name: own[name] for name in ("__doc__", "__module__", "__post_init__") if name in own}
    whole = dataclasses.make_dataclass(made.__name__, parts, namespace=hooks, frozen=True)
    for name in stubs:
        method = vars(whole)[name]
        method.__qualname__ = f"{made.__qualname__}.{name}"
        setattr(made, name, method)


def _refuse_change(_: object, name: str, *_value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _state(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


STUBS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {name: _stub(name) for name in ("__init__", "__repr__", "__eq__", "__hash__")}
)
FROZEN: Final = MappingProxyType({"__setattr__": _refuse_change, "__delattr__": _refuse_change})
OF_SLOTS: Final = MappingProxyType({"__getstate__": _state, "__setstate__": _set_state})
"""The methods that copy an object whose attributes cannot be set."""
