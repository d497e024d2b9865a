"""The entries of a log as JSON: the fields that `service.tables.entries` declares, and members from the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import rules
from rules.caches import cache, freeze
from rules.changes import PositionComparison
from rules.kernel import Effect, Finding, Ruling
from service.http.serializers.rulings import effects, evidence, findings, player, player_of_role
from service.i18n.sentences import Words
from service.referee.enter_position import entered_position, recorded_comparison
from service.schemas import game_form, plain
from service.tables import codec
from service.tables.entries import (
    INSERT,
    REPLACE,
    AnyEntry,
    Checkpoint,
    Confirmed,
    Disputed,
    LogChange,
    Opened,
    Played,
    Renamed,
    Rolled,
    RuledEntry,
)
from service.tables.entry_fields import fields_of
from service.tables.table import Table
from service.types import Json, JsonObject

Presenter: TypeAlias = Callable[[Any, Words], Json]
NO_MOVE: Final[JsonObject] = dict.fromkeys(("move", "notation", "ruling", "findings", "rules_version"))
"""The move members of a dispute about an entry other than a move: null."""


def entry(
    of: Table,
    kept: AnyEntry,
    words: Words,
    told: Iterable[Effect] | None = None,
    heard: RuledEntry | None = None,
) -> JsonObject:
    """An entry of a table's log. `recorded_by` is the role of the key, `player` who moved, or whose key it was.

    `told` are the effects of its move, and `heard` is the entry with today's ruling, if they are known already.
    """
    kind = type(kept)
    head: JsonObject = {"version": kept.number, "type": codec.TYPES[kind], "at": kept.at, "recorded_by": kept.by}
    head["imported"] = of.is_imported(kept.number)
    head["player"] = kept.seat if isinstance(kept, Played) else player_of_role(kept.by)
    added = _members_from_table(of, kept, words, told)
    if isinstance(kept, RuledEntry):
        original, kept = kept, heard or of.hear(kept)
        added = {**added, "exported": exported_ruling(original, kept, words)}
    fields = {
        api: getattr(kept, name) if present is None else present(getattr(kept, name), words)
        for api, name, present in FIELDS[kind]
        if api not in added
    }
    return {**head, **fields, **added}


def _members_from_table(of: Table, kept: AnyEntry, words: Words, told: Iterable[Effect] | None) -> JsonObject:
    """The members that the table adds to the fields of an entry, or puts in their place."""
    match kept:
        case Played():
            brought = of.effects(kept.number) if told is None else told
            number, move = of.move_number(kept.number), _move(of.game.id, kept.notation)
            return {"move_number": number, "move": move, "effects": effects(brought, words)}
        case Opened():
            return {"setup": game_form(of.game, of.setup)}
        case Checkpoint():
            position = game_form(of.game, entered_position(of, kept))
            return {"position": position, **comparison_json(recorded_comparison(of, kept), words)}
        case Disputed():
            move = NO_MOVE if kept.notation is None else {"move": _move(of.game.id, kept.notation)}
            return {"dispute": of.dispute_of(kept.number), "move_number": of.move_number(kept.entry), **move}
        case Confirmed():
            return {"remedy": kept.remedy or None}
        case Rolled():
            return _roll_json(of, kept)
        case Renamed():
            return {"names": {seat: name or None for seat, name in kept.names.items()}}
    return {}


def _roll_json(of: Table, kept: Rolled) -> JsonObject:
    """The dice of a roll, each with its faces, and the move that they were rolled for."""
    throws: list[Json] = [
        {
            **player(throw.seat, "by"),
            "dice": [{"die": die.kind, "faces": kept.faces[die.kind], "shows": die.shows} for die in throw.dice],
            "sum": throw.total,
        }
        for throw in kept.throws
    ]
    move = None if kept.notation is None else _move(of.game.id, kept.notation)
    return {"camp": kept.camp or None, "move": move, "throws": throws, "begins": kept.begins}


def exported_ruling(original: RuledEntry, heard: RuledEntry, words: Words) -> JsonObject | None:
    """The ruling on an entry in an export, if today's is another; else None."""
    if (original.ruling, original.findings) == (heard.ruling, heard.findings):
        return None
    return {
        "ruling": original.ruling.value,
        "findings": findings(original.findings, words),
        "rules_version": original.rules_version,
    }


def change(asked: LogChange) -> JsonObject:
    """Serialize a change of the log, as the request described it."""
    late: list[Json] = [
        {"move": each.notation, "stands": True} if each.stands else each.notation for each in asked.moves
    ]
    where: JsonObject = {"after" if asked.do == INSERT else "entry": asked.entry}
    if asked.do == INSERT:
        where["moves"] = late
    elif asked.do == REPLACE:
        (where["move"],) = late
    return {asked.do: where, "misfits": asked.misfits}


def comparison_json(said: PositionComparison, words: Words) -> JsonObject:
    """Serialize the comparison of two positions: the differences, and whether play can connect them, with the moves in
    notation.
    """
    return {
        "led": said.reachability.value,
        "text": words.reachability_text(said.reachability.value, said.way, said.why, said.searched_depth),
        "changes": [
            {
                "what": change.what,
                "text": words.change_text(change),
                "n": change.n,
                "cells": change.piece.cells,
                "to": None if change.to is None else change.to.cells,
                **player(change.piece.by, "by"),
            }
            for change in said.changes
        ],
        "way": said.way,
        "why": [
            {
                "rule": finding.rule,
                "text": words.objection_text(finding),
                "facts": finding.facts.values,
                "evidence": evidence(finding.facts.evidence),
            }
            for finding in said.why
        ],
        "looked": said.searched_depth,
    }


@cache(10_000)
def _move(game_id: str, notation: str) -> JsonObject:
    """A move of the log as JSON, cached because the same moves recur."""
    move: Any = freeze(plain(rules.GAMES[game_id].read(notation), is_answer=True))
    return move  # type: ignore[no-any-return]  # `encode` accepts frozen values


PRESENTERS: Final[Mapping[object, Presenter]] = {
    Ruling: lambda value, _words: value.value,
    tuple[Finding, ...]: findings,
    LogChange: lambda value, _words: change(value),
    LogChange | None: lambda value, _words: None if value is None else change(value),
}
"""Type of a field -> its serializer; other types need none."""
FIELDS: Final[Mapping[type[AnyEntry], tuple[tuple[str, str, Presenter | None], ...]]] = {
    kind: tuple(
        [(field.api, field.name, PRESENTERS.get(field.hint)) for field in fields_of(kind) if not field.is_hidden]
    )
    for kind in codec.TYPES
}
"""Type of an entry -> its public fields: the name in the API, its own name, and its serializer or None."""
