"""Caches values computed from a state, while its table is in use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import MethodType
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec, TypeVar

from rules.caches import cache
from rules.old_names import old_attributes

R = TypeVar("R")
P = ParamSpec("P")
V = TypeVar("V")


class ByIdentity(Generic[V]):
    """An argument that a cache compares by identity and not by equality.

    It holds the value, so that no other object gets the same identity meanwhile.
    """

    __slots__ = ("value",)

    def __init__(self, value: V) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and self.value is other.value


def memoize_by_identity(
    most: int,
) -> Callable[[Callable[Concatenate[V, P], R]], Callable[Concatenate[V, P], R]]:
    """Cache `most` results of a function, by the identity of its state and by all other arguments.

    A table's state is the same object until somebody moves, and comparing two states takes longer than making one.
    """

    def register(make: Callable[Concatenate[V, P], R]) -> Callable[Concatenate[V, P], R]:
        @cache(most)
        @wraps(make)
        def of_bound(bound: MethodType, *others: P.args, **kwargs: P.kwargs) -> R:
            found: R = bound(*others, **kwargs)
            return found

        @wraps(make)
        def of_state(state: V, /, *others: P.args, **kwargs: P.kwargs) -> R:
            # A bound method holds its object, and compares it by identity in C.
            return of_bound(MethodType(make, state), *others, **kwargs)  # type: ignore[arg-type]  # hashable, or it fails

        return of_state

    return register


if not TYPE_CHECKING:  # no module of ours may use an old name
    __getattr__ = old_attributes(__name__, kept="memoize_by_identity")
