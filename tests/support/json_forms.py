"""Reads setups and positions from JSON by the rules' annotations, so that the tests of the rules need no service.

`tests/service/test_json_forms.py` checks that the service reads them the same way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from rules.forms import Between, OrUnknown, Pattern, chosen_readings
from rules.game import Game

AnyGame = Game[Any, Any]


class Hint(NamedTuple):
    """A parsed annotation: the type, its marks, and whether it allows null."""

    base: Any
    marks: tuple[Any, ...]
    nullable: bool

    @property
    def unknown(self) -> str | None:
        """The word for an unknown value, if the annotation allows one."""
        return next((mark.word for mark in self.marks if isinstance(mark, OrUnknown)), None)


@cache
def hint_of(annotation: Any) -> Hint:
    """Parse an annotation."""
    if get_origin(annotation) in (Union, UnionType):
        [inner] = [each for each in get_args(annotation) if each is not NoneType]
        return hint_of(inner)._replace(nullable=True)
    if get_origin(annotation) is Annotated:
        base, *marks = get_args(annotation)
        return Hint(base, tuple(marks), nullable=False)
    return Hint(annotation, (), nullable=False)


@cache
def members_of(form: type) -> Mapping[str, Any]:
    """The members that a dataclass takes, each with its annotation."""
    hints = get_type_hints(form, include_extras=True)
    return {member.name: hints[member.name] for member in fields(form) if member.init}


def read_setup(game: AnyGame, given: Mapping[str, Any], *, beside_position: bool = False) -> Any:
    """A setup, with a value of every reading; beside a position it may have only what that needs.

    Raises `ValueError` if it is malformed.
    """
    readings = chosen_readings(game.readings, given.get("readings", {}))
    setup = read_form(game.setup_form, {**given, "readings": readings})
    check = game.setup_for_position if beside_position and game.setup_for_position is not None else game.setup
    check(setup)
    return setup


def read_position(game: AnyGame, given: Mapping[str, Any], *, partial: bool = False) -> Any:
    """A position; `partial` allows unknown values. Raises `ValueError` if it is malformed."""
    return read_form(game.position_form, given, partial=partial)


def read_form(form: type, given: Any, *, partial: bool = False) -> Any:
    """An instance of a form. Raises `ValueError` if it is malformed."""
    members = members_of(form)
    needed = {each.name for each in fields(form) if each.init and each.default is each.default_factory is MISSING}
    if not isinstance(given, Mapping) or not needed <= given.keys() <= members.keys():
        raise ValueError(f"{form.__name__}: has {[*members]}, of which {needed} are needed, but was given {given}")
    return form(**{name: _read(members[name], value, partial=partial) for name, value in given.items()})


def _read(annotation: Any, value: Any, *, partial: bool) -> Any:
    """The value of a member, of an item or of a name."""
    hint = hint_of(annotation)
    base, args = get_origin(hint.base) or hint.base, get_args(hint.base)
    if (value is None and hint.nullable) or (partial and hint.unknown is not None and value == hint.unknown):
        return value
    if base is tuple and isinstance(value, list):
        return tuple(_read(args[0], item, partial=partial) for item in value)
    if is_dataclass(base):
        return read_form(hint.base, value, partial=partial)
    if isinstance(base, type) and issubclass(base, Mapping) and isinstance(value, Mapping):
        names, inner = args
        return {
            _read(names, name, partial=partial): _read(inner, each, partial=partial) for name, each in value.items()
        }
    if not _fits(hint, args, value):
        raise ValueError(f"{value!r} is no {annotation}")
    return value


def _fits(hint: Hint, args: tuple[Any, ...], value: Any) -> bool:
    """Whether an annotation allows a text, a number or a truth value."""
    if get_origin(hint.base) is Literal:
        return any(type(value) is type(each) and value == each for each in args)
    return type(value) is hint.base and all(
        (not isinstance(mark, Pattern) or re.fullmatch(mark.regex, value) is not None)
        and (not isinstance(mark, Between) or mark.least <= value <= mark.most)
        for mark in hint.marks
    )
