"""The worked cases of a game, as help: the position at the start of each, and what it shows.

The tests of the rules run the same cases, as `rules.cases` sets them up.
"""

from __future__ import annotations

from typing import Any

import rules
from rules import cases
from rules.caches import cache, freeze
from rules.cases import Toml, position_of, rule_id_of
from rules.steps import spend
from service.cases import numbering
from service.errors import NoCase
from service.i18n.game_texts import case_sentence
from service.runtime.budget import CASE_STEPS
from service.schemas import allow_unknown, game_form, load, of, plain
from service.types import AnyGame, JsonObject, Position, Setup, State

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
"""The members of a case that state its outcome."""


def setup_of(game: AnyGame, case: Toml, book: Toml) -> Setup:
    """Parse the setup of a case. Beside a position, the setup needs only the members that the position depends on."""
    wire = of(game)
    form = wire.setup if position_of(case, book) is None else wire.setup_of_position
    setup: Setup = load(form, cases.setup_of(case, book))
    return setup


def stage(game: AnyGame, case: Toml, book: Toml) -> State:
    """The state that a case starts from."""
    position = position_of(case, book)
    form = None if position is None else load(of(game).position, position)
    return cases.stage(game, case, book, setup_of(game, case, book), form)


def page(
    game_id: str, language: str, after: int, limit: int, rule: str | None = None, reading: str | None = None
) -> JsonObject:
    """At most `limit` cases of a game, without the first `after`; and where the next page begins, or None at the end.

    With `rule` or `reading`: only cases about the rule, or cases that choose a value of the reading.
    """
    found = [
        number
        for number, case in enumerate(rules.load(game_id, "cases")["case"])
        if rule in (None, rule_id_of(case)) and (reading is None or reading in case.get("readings", {}))
    ]
    last = min(after + limit, len(found))
    return {
        "cases": [_case_json(game_id, language, number) for number in found[after:last]],
        "next": last if last < len(found) else None,
    }


def find_case(game_id: str, case_name: str, language: str) -> JsonObject:
    """A case by its number, such as ``VF-C17``. Raises `NoCase`."""
    for number, case in enumerate(rules.load(game_id, "cases")["case"]):
        if numbering.name(case) == case_name:
            return _case_json(game_id, language, number)
    raise NoCase(case_name)


@cache()  # a case is expensive, and a stranger may request all of them
def _case_json(game_id: str, language: str, number: int) -> JsonObject:
    spend(CASE_STEPS)
    book = rules.load(game_id, "cases")
    case: Any = freeze(_case(rules.GAMES[game_id], book["case"][number], book, language))
    return case  # type: ignore[no-any-return]  # `encode` accepts frozen values


def _position(game: AnyGame, case: Toml, book: Toml) -> Position:
    """The position of a case, even an impossible one."""
    if "problems" not in case:
        return game.position(stage(game, case, book))
    with allow_unknown():
        form: Position = load(of(game).position, position_of(case, book))
    return form


def _case(game: AnyGame, case: Toml, book: Toml, language: str) -> dict[str, Any]:
    move = game.read(case["move"]) if "move" in case else None
    return {
        "id": case["id"],
        "number": numbering.name(case),
        "rule": rule_id_of(case),
        "text": case_sentence(game.id, case, language),
        "setup": game_form(game, setup_of(game, case, book)),
        "readings": case.get("readings", {}),
        "position": game_form(game, _position(game, case, book)),
        "move": plain(move, is_answer=True) if move is not None else None,
        "notation": game.write(move) if move is not None else None,
    } | {name: case[name] for name in EXPECTED_KEYS if name in case}
