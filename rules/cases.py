"""The worked cases of a game: the setup, the position and the state that each starts from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from rules.caches import thaw
from rules.game import Game
from rules.kernel import NOTHING, M, S

Toml: TypeAlias = Mapping[str, Any]
"""A table of a TOML file."""


def rule_id_of(case: Toml) -> str:
    """The id of the rule that a case is about: the id of the case begins with it, as in ``VF-22/3``."""
    rule, _, _ = str(case["id"]).partition("/")
    return rule


def setup_of(case: Toml, book: Toml) -> dict[str, Any]:
    """The setup of a case as written: that of all cases, of the named position, and its own, merged; its readings."""
    own = {**book.get("setup", {}), **_starting_position(case, book).get("setup", {}), **case.get("setup", {})}
    setup: dict[str, Any] = thaw({**own, "readings": case.get("readings", {})})
    return setup


def position_of(case: Toml, book: Toml) -> Toml | None:
    """The position that a case enters: the named one, with the case's own fields; or None."""
    parts = [part["position"] for part in (_starting_position(case, book), case) if "position" in part]
    position: Toml | None = thaw(_merge(*parts)) if parts else None
    return position


def stage(game: Game[S, M], case: Toml, book: Toml, setup: Any, position: Any) -> S:
    """The state that a case starts from: its position, or, if that is None, pieces put without a ruling.

    `setup` and `position` are the results of `setup_of` and `position_of`, loaded as the game's forms.
    """
    state = game.setup(setup) if position is None else game.enter(setup, position)
    if position is None and not case.get("first", False):
        for line in (*_starting_position(case, book).get("put", ()), *case.get("put", ())):
            colour, notation = line.split(" ", 1)
            state = game.apply(game.turn_of(state, colour), game.read(notation))
        state = game.turn_of(state, case.get("due", game.seats_of(state)[0]))
    for notation in case.get("moves", ()):
        state = game.apply(state, game.read(notation))
    return state


def _starting_position(case: Toml, book: Toml) -> Toml:
    """The named position that a case starts from, or nothing."""
    start: Toml = book["positions"][case["from"]] if "from" in case else NOTHING
    return start


def _merge(start: Toml, own: Toml = NOTHING) -> Toml:
    """The fields of both; the case's own replace the named ones, field by field in a table."""
    tables = {key: _merge(start[key], value) for key, value in own.items() if _both_tables(start.get(key), value)}
    return {**start, **own, **tables}


def _both_tables(start: object, own: object) -> bool:
    return isinstance(start, Mapping) and isinstance(own, Mapping)
