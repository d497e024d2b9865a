"""A case file: somebody reports a wrong ruling; maintainers run it again and add it to the case book.

It is JSON:
``{"game", "rules_version", "readings", "setup", "position" or "moves", "move", "expected", "said", "note"}``.
`bastide rule` reads it, and `bastide case add` adds it to the worked cases of its game. It names no player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, Field, fields, replace
from typing import Any, Final, NamedTuple

from rules.kernel import Ruling
from service.judgements import AttemptedMove, Judgement
from service.rulings import judge
from service.schemas import Members, plain, start_of_body
from service.tables.apply_entry import setup_with_readings
from service.tables.table import Table
from service.types import AnyGame, JsonObject, Position, Setup, State

OTHER: Final = {Ruling.LEGAL: Ruling.ILLEGAL, Ruling.ILLEGAL: Ruling.LEGAL, Ruling.UNPROVEN: Ruling.LEGAL}
"""The ruling that the sender of a report expects unless the report names one."""


class Start(NamedTuple):
    """The start of a case: a setup and the moves since, or a setup and a position."""

    setup: Setup
    moves: tuple[AttemptedMove, ...] = ()
    position: Position | None = None


def case_file(start: Start, judgement: Judgement, expected: Ruling | None = None, note: str = "") -> JsonObject:
    """Make the case file of a ruling on a move. `expected` is the right ruling; by default the opposite of the one
    given.
    """
    game, verdict = judgement.game, judgement.verdict
    setup = compact_setup(without_names(start.setup))
    readings = setup.pop("readings", {})
    case = {
        "game": game.id,
        "rules_version": game.rules_version,
        "readings": readings,
        "setup": setup,
        **_moves_or_position(game, start),
        "move": judgement.notation,
        "expected": {"ruling": (expected or OTHER[verdict.ruling]).value, "rules": []},
        "said": {"ruling": verdict.ruling.value, "rules": list(dict.fromkeys(each.rule for each in verdict.findings))},
    }
    return case | ({"note": note} if note else {})


def _moves_or_position(game: AnyGame, start: Start) -> JsonObject:
    """The moves, or the position; an impossible one, as after a change of readings, is ruled on anyway."""
    if start.position is not None:
        known_part = judge.known_position(game, start.setup, start.position, in_part=True)
        impossible = bool(game.problems(start.setup, known_part))
        return {"position": plain(start.position), **({"anyway": True} if impossible else {})}
    return {"moves": [_attempt_json(game, each) for each in start.moves]}


def _attempt_json(game: AnyGame, attempt: AttemptedMove) -> JsonObject | str:
    notation: str = game.write(attempt.move)
    return {"move": notation, "stands": True} if attempt.stands else notation


def read_start(members: Members) -> Start:
    """Read the start of a case file under its readings, or of any other file for `bastide rule`. Raises `Invalid`."""
    setup, moves, position = start_of_body(members)
    form: Any = setup
    return Start(replace(form, readings={**setup.readings, **members["readings"]}), moves, position)


def setup_now(table: Table, state: State | None = None) -> Any:
    """The setup of a table with the readings in force now, or in another state of the table."""
    return setup_with_readings(table.setup, state or table.state)


def without_names(setup: Setup) -> object:
    """A setup without the names of the players."""
    form: Any = setup
    return replace(form, players=tuple(replace(player, name=None) for player in form.players))


def compact_setup(form: Any, but: Sequence[str] = ()) -> JsonObject:
    """A setup as JSON without the members that have their default values, except for the members named in `but`."""
    usual = {member.name for member in fields(form) if getattr(form, member.name) == _default_of(member)}
    return {name: value for name, value in plain(form).items() if name not in usual or name in but}


def _default_of(member: Field[object]) -> object:
    """The default value of a member."""
    return member.default_factory() if member.default_factory is not MISSING else member.default
