"""Strategies for the forms of a game: any value that its annotations allow, whatever the rules say of it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from hypothesis import assume
from hypothesis import strategies as st

from rules.forms import Between, Malformed, Most, NumberedCell, Pattern
from rules.game import Game

NEAR = 20
"""In a wide range, numbers up to this size are drawn as often as all others."""
TRIES = 30
"""Attempts to build a form before the example is rejected."""


@cache
def form(cls: type) -> st.SearchStrategy[Any]:
    """Any instance of a form; values that the form itself calls malformed are left out."""
    hints = get_type_hints(cls, include_extras=True)
    given = {field.name: values_of(hints[field.name]) for field in fields(cls) if field.init}

    @st.composite
    def build(draw: st.DrawFn) -> Any:
        for _ in range(TRIES):
            with suppress(Malformed):
                return cls(**{name: draw(strategy) for name, strategy in given.items()})
        return assume(condition=False)

    return build()


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of an annotation that a form may use."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _within_limits(args[0], args[1])
    if origin is Literal:
        return st.sampled_from(args)
    if origin is tuple:
        return (
            st.lists(values_of(args[0]), max_size=4).map(tuple) if args[-1] is ... else st.tuples(*map(values_of, args))
        )
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(values_of(args[0]), values_of(args[1]), max_size=4)
    if args:  # a union
        return st.one_of(*(st.none() if arg is NoneType else values_of(arg) for arg in args))
    plain: dict[Any, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        int: st.integers(-NEAR, NEAR),
        str: st.text(max_size=5),
    }
    return plain[hint] if hint in plain else form(hint)


def _within_limits(base: Any, constraint: object) -> st.SearchStrategy[Any]:
    if isinstance(constraint, Most):
        return values_of(base).filter(lambda items: len(items) <= constraint.n)
    if isinstance(constraint, NumberedCell):
        return values_of(base)
    if isinstance(constraint, Pattern):
        return st.from_regex(constraint.regex, fullmatch=True)
    assert isinstance(constraint, Between), f"{base} with {constraint}"
    least, most = constraint.least, constraint.most
    near = st.integers(max(least, -NEAR), min(most, NEAR)) if least <= NEAR and most >= -NEAR else st.nothing()
    return near | st.integers(least, most) if most - least > 2 * NEAR else st.integers(least, most)


def moves(game: Game[Any, Any]) -> st.SearchStrategy[Any]:
    """Any well-formed move of a game."""
    return st.one_of(*(form(cls) for cls in game.kinds.values()))
