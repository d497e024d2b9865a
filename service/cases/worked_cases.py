"""The worked cases of a game, as help: the position at the start of each, and what it shows.

The tests of the rules run the same cases. This module only sets them up, so that a reader sees the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

import rules
from rules.kernel import NOTHING
from rules.steps import spend
from service.cases import numbering
from service.errors import NoCase
from service.runtime.budget import CASE_STEPS
from service.schemas import load, of, plain
from service.types import AnyGame, JsonObject, Setup, State

Toml: TypeAlias = Mapping[str, Any]
"""A table of a TOML file."""
EXPECTED_KEYS = (
    "ruling",
    "broken",
    "facts",
    "effects",
    "told",
    "score",
    "lines",
    "winner",
    "decided_by",
    "ended",
    "due_kinds",
    "problems",
)
"""What a case may show, under the names it has there."""


def setup_of(game: AnyGame, case: Toml, book: Toml) -> Setup:
    """The setup of a case: that of all cases, of the named position, or its own; with the readings that it chooses.

    Beside a position it may be as little as that needs.
    """
    named = book["positions"][case["from"]] if "from" in case else {}
    given = {**book.get("setup", {}), **named.get("setup", {}), **case.get("setup", {})}
    wire = of(game)
    form = wire.setup if position_of(case, book) is None else wire.setup_of_position
    setup: Setup = load(form, {**given, "readings": case.get("readings", {})})
    return setup


def position_of(case: Toml, book: Toml) -> Toml | None:
    """The position that a case enters: the named one, with the fields that the case has of its own; or None."""
    named = book["positions"][case["from"]] if "from" in case else {}
    parts = [part["position"] for part in (named, case) if "position" in part]
    return _merge(*parts) if parts else None


def _merge(named: Toml, own: Toml = NOTHING) -> Toml:
    """The fields of both; the case's own are put in place of the named ones, a table field by field."""
    tables = {key: _merge(named[key], value) for key, value in own.items() if _both_tables(named.get(key), value)}
    return {**named, **own, **tables}


def _both_tables(named: object, own: object) -> bool:
    return isinstance(named, Mapping) and isinstance(own, Mapping)


def stage(game: AnyGame, case: Toml, book: Toml) -> State:
    """The state that a case starts from: a position that is entered, or pieces that are put without being judged."""
    setup = setup_of(game, case, book)
    given = position_of(case, book)
    entered = None if given is None else load(of(game).position, given)
    state = game.setup(setup) if entered is None else game.enter(setup, entered)
    if entered is None and not case.get("first", False):
        named = book["positions"][case["from"]] if "from" in case else {}
        for line in (*named.get("put", ()), *case.get("put", ())):
            colour, notation = line.split(" ", 1)
            state = game.apply(game.turn_of(state, colour), game.read(notation))
        state = game.turn_of(state, case.get("due", game.seats_of(state)[0]))
    for notation in case.get("moves", ()):
        state = game.apply(state, game.read(notation))
    return state


def page(
    game_id: str, language: str, after: int, limit: int, rule: str | None = None, reading: str | None = None
) -> JsonObject:
    """At most `limit` cases of a game after the first so many, and how many are then behind, or None at the end.

    Only those about a rule, or those that choose a value of a reading, where one is named.
    """
    found = [
        number
        for number, case in enumerate(_load_cases(game_id)["case"])
        if rule in (None, _rule_of(case)) and (reading is None or reading in case.get("readings", {}))
    ]
    last = min(after + limit, len(found))
    return {
        "cases": [_case_json(game_id, language, number) for number in found[after:last]],
        "next": last if last < len(found) else None,
    }


def find_case(game_id: str, cited: str, language: str) -> JsonObject:
    """A case by its number, such as ``VF-C17``. Raises `NoCase`."""
    for number, case in enumerate(_load_cases(game_id)["case"]):
        if numbering.name(case) == cited:
            return _case_json(game_id, language, number)
    raise NoCase(cited)


@cache
def _load_cases(game_id: str) -> Toml:
    return rules.load(game_id, "cases")


@cache
def _case_json(game_id: str, language: str, number: int) -> JsonObject:
    spend(CASE_STEPS)
    book = _load_cases(game_id)
    return _case(rules.GAMES[game_id], book["case"][number], book, language)


def _rule_of(case: Toml) -> str:
    return str(case["id"].split("/")[0])


def _case(game: AnyGame, case: Toml, book: Toml, language: str) -> dict[str, Any]:
    impossible = "problems" in case
    move = game.read(case["move"]) if "move" in case else None
    return {
        "id": case["id"],
        "number": numbering.name(case),
        "rule": _rule_of(case),
        "text": case[language],
        "setup": plain(setup_of(game, case, book)),
        "readings": case.get("readings", {}),
        "position": position_of(case, book) if impossible else plain(game.position(stage(game, case, book))),
        "move": plain(move) if move is not None else None,
        "notation": game.write(move) if move is not None else None,
    } | {name: case[name] for name in EXPECTED_KEYS if name in case}
