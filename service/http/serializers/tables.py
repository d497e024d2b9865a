"""Tables and their logs as JSON, with the words of a language: one function for each shape of the API's responses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from rules.changes import PositionComparison, Reachability
from service.errors import Invalid
from service.http.serializers.entries import comparison_json, entry
from service.http.serializers.rulings import due, end_json, findings, refusal_json, sheet
from service.i18n import sentences
from service.i18n.sentences import Words
from service.judgements import Sheet
from service.referee.enter_position import ComparedPosition, recorded_comparison
from service.referee.repository import WriteOutcome
from service.referee.table_reader import LogPage
from service.referee.use_cases import NewTable
from service.rulings import game_info, judge
from service.schemas import game_form
from service.tables.active_readings import Matter, readings_of
from service.tables.entries import AnyEntry, Checkpoint
from service.tables.keys import Role
from service.tables.table import Table
from service.types import Json, JsonObject
from service.validation import FieldError

LAST_MOVES: Final = 10


ALWAYS: Final = ("id", "game", "version")
"""The members that a table always has."""
TABLE_MEMBERS: Final[Mapping[str, Callable[[Table, Role, Words], Json]]] = {
    "id": lambda now, _role, _words: now.id,
    "game": lambda now, _role, _words: now.game.id,
    "version": lambda now, _role, _words: now.version,
    "role": lambda _now, role, _words: role.kind,
    "player": lambda _now, role, _words: role.seat,
    "colour": lambda _now, role, _words: role.seat,
    "setup": lambda now, _role, _words: game_form(now.game, now.setup),
    "readings": lambda now, _role, _words: now.state.readings,
    "rules_version": lambda now, _role, _words: now.game.rules_version,
    "position": lambda now, _role, _words: game_form(now.game, now.game.position(now.state)),
    "due": lambda now, _role, words: due(now.due, words),
    "ended": lambda now, _role, words: end_json(now.due.ended, words),
    "moves": lambda now, _role, words: [entry(now, move, words) for move in now.last_moves(LAST_MOVES)],
    "move_count": lambda now, _role, _words: len(now.moves),
    "undo_to": lambda now, _role, _words: now.undo_to,
    "redo_to": lambda now, _role, _words: now.redo_to,
    "score": lambda now, _role, words: sheet(judge.sheet(now.game, now.state), words),
    "opened_at": lambda now, _role, _words: now.opened_at,
    "updated_at": lambda now, _role, _words: now.entries[-1].at,
    "expires_at": lambda now, _role, _words: now.expires_at,
}
"""Member of a table -> its serializer."""


def table(now: Table, role: Role, words: Words, fields: Collection[str] = TABLE_MEMBERS.keys()) -> JsonObject:
    """Serialize a table, or some of its members: its state, whose move it is, the last moves and the score."""
    return {name: member(now, role, words) for name, member in TABLE_MEMBERS.items() if name in fields}


def chosen_fields(listed: str | None) -> Collection[str]:
    """The members of a table that a comma-separated list names, and those of `ALWAYS`; all members without a list.

    Raises `Invalid` for an unknown member.
    """
    if listed is None:
        return TABLE_MEMBERS.keys()
    names = [name.strip() for name in listed.split(",")]
    if not TABLE_MEMBERS.keys() >= {*names}:
        raise Invalid([("/fields", FieldError("not_one_of", values=tuple(TABLE_MEMBERS)))])
    return {*ALWAYS, *names}


def readings(now: Table, score_sheet: Sheet, words: Words) -> JsonObject:
    """Serialize the readings in force, those that could matter now first, each with its possible values."""
    return {
        "version": now.version,
        "readings": [
            {
                **game_info.reading(one.reading, words.text["readings"]),
                "value": one.value,
                "opened": one.opening_value,
                "matters": [matter(why, words) for why in one.matters],
            }
            for one in readings_of(now, score_sheet)
        ],
    }


def matter(why: Matter, words: Words) -> JsonObject:
    """Serialize why a reading could matter now."""
    return {"code": why.code, "rules": why.rules, "text": sentences.say(words.language, "matters", why.code)}


def new_table(opening: NewTable, words: Words, page: str) -> JsonObject:
    """Serialize a new table, with its keys and the links to its `page`, which contain the keys in the fragment."""
    keys = opening.keys
    return table(opening.table, Role("host"), words) | {
        "keys": {"host": keys.host, "seats": keys.seats, "watch": keys.watch},
        "links": {
            "host": f"{page}#{keys.host}",
            "seats": {seat: f"{page}#{key}" for seat, key in keys.seats.items()},
            "watch": f"{page}#{keys.watch}",
        },
    }


def write_outcome_json(outcome: WriteOutcome, words: Words, entries: Sequence[AnyEntry] | None = None) -> JsonObject:
    """Serialize what was written (or only `entries`), and what is due. `refused`: the move that stopped a series."""
    listed = outcome.entries if entries is None else entries
    answer: JsonObject = {
        "version": outcome.version,
        "entries": [entry(outcome.table, each, words) for each in listed],
        "due": due(outcome.due, words),
        "ended": end_json(outcome.due.ended, words),
    }
    if outcome.refusal is not None:
        answer["refused"] = refusal_json(outcome.refusal, words)
    return answer


def log(page: LogPage, words: Words) -> JsonObject:
    """A page of the log."""
    return {"entries": log_entries(page, words), "version": page.table.version, "next": page.next}


def log_entries(page: LogPage, words: Words) -> list[JsonObject]:
    """The entries of a page of the log."""
    return [
        entry(page.table, each, words, page.effects.get(each.number), page.rulings.get(each.number))
        for each in page.entries
    ]


def checkpoint(found: ComparedPosition, words: Words) -> JsonObject:
    """Serialize the comparison of a position before the host enters it: its problems, or its differences and their
    cause.
    """
    table, comparison = found.table, found.comparison
    if comparison is not None:
        comparison = comparison._replace(way=tuple(map(table.game.write, comparison.way)))
    return {
        "version": table.version,
        "entries": [],
        "due": due(table.due, words),
        "ended": end_json(table.due.ended, words),
        "told": None if comparison is None else comparison_json(comparison, words),
        "problems": findings(found.problems, words),
    }


def entered_position_json(outcome: WriteOutcome, words: Words) -> JsonObject:
    """Serialize an entered position, or report that the log has it already."""
    entries = [each for each in outcome.entries if isinstance(each, Checkpoint)]
    comparison = (
        recorded_comparison(outcome.table, entries[0]) if entries else PositionComparison((), Reachability.POSSIBLE)
    )
    return {**write_outcome_json(outcome, words), "told": comparison_json(comparison, words), "problems": []}
