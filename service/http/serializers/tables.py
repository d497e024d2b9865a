"""Tables and rulings as JSON, with the words of a language: one function for each shape of the API's responses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import rules
from rules.changes import PositionComparison, Reachability
from rules.kernel import Bounds, Due, Effect, Ended, Fact, Facts, Finding, Foretold, Place, Tied
from service.errors import Refused
from service.i18n import reading_notes, sentences
from service.i18n.sentences import Words
from service.judgements import CheckedPosition, Judgement, LegalMoves, NearbyMove, SatisfiedRule, ScoreChange, Sheet
from service.referee.enter_position import ComparedPosition, recorded_comparison
from service.referee.replay import JudgedMisfit
from service.referee.repository import WriteOutcome
from service.referee.use_cases import LogPage, NewTable
from service.rulings import game_info
from service.schemas import plain
from service.tables import codec
from service.tables.active_readings import Matter, readings_of
from service.tables.entries import (
    INSERT,
    REPLACE,
    Amended,
    AnyEntry,
    Checkpoint,
    Confirmed,
    Disputed,
    LogChange,
    Played,
    ReadingsSet,
    Rewound,
    Rolled,
    Settled,
)
from service.tables.table import Role, Table
from service.types import AnyGame, Json, JsonObject

LAST_MOVES: Final = 10
NO_MOVE: Final[JsonObject] = dict.fromkeys(("move", "notation", "ruling", "findings", "rules_version"))
"""What a dispute about an entry that is no move has of one."""


# --- rulings -----------------------------------------------------------------------------------------------------


def ruling(judgement: Judgement, words: Words, heard: Sequence[SatisfiedRule] | None = None) -> JsonObject:
    """A ruling. `readings` are the other values that would change it or its effects; `can_stand`: the table may record
    it anyway. `heard`, where it was asked for, is every rule that was heard and had nothing to object.
    """
    game, verdict = judgement.game, judgement.verdict
    said: JsonObject = {
        "ruling": verdict.ruling.value,
        "move": plain(judgement.move),
        "notation": judgement.notation,
        "by": judgement.seat,
        "findings": findings(verdict.findings, words),
        "needs": needs(judgement, words),
        "effects": effects(judgement.effects, words),
        "due": None if judgement.due is None else due(judgement.due, words),
        "readings": [
            {
                "key": other.key,
                "value": other.value,
                "ruling": other.ruling.value,
                "text": said,
            }
            for other, said in reading_notes.readings(words, judgement)
        ],
        "nearest": [game.write(move) for move in judgement.nearest],
        "near": [nearby_move_json(each, game, words) for each in judgement.near],
        "can_stand": judgement.cannot_stand is None,
        "rules_version": game.rules_version,
    }
    if heard is not None:
        said["heard"] = [_rule_json(each, words) for each in heard]
    return said


def needs(judgement: Judgement, words: Words) -> list[JsonObject]:
    """The unknown cells and facts on which an unproven ruling depends, each in words and with the cells to light."""
    unknowns = judgement.game.unknowns
    return [
        {
            "unknown": each,
            "text": words.unknown_one(each),
            "cells": () if unknowns is None else unknowns.lit(each),
        }
        for each in judgement.needs
    ]


def with_problems(said: JsonObject, problems: Sequence[Finding], words: Words) -> JsonObject:
    """An answer about a position that has problems, with all of them beside it."""
    return {**said, "problems": findings(problems, words)} if problems else said


def nearby_move_json(near: NearbyMove, game: AnyGame, words: Words) -> JsonObject:
    """A legal move near a refused one: what of it is other, as codes, and in a sentence."""
    return {
        "notation": game.write(near.move),
        "why": [{"code": facts.code, "facts": facts.values} for facts in near.why],
        "text": words.near(near.why),
    }


def _rule_json(heard: SatisfiedRule, words: Words) -> JsonObject:
    """A rule that had nothing to object, and what it counted, where it counted."""
    rule, found = heard
    title: str = words.text["rules"][rule]["title"]
    return {"rule": rule, "title": title, "counted": None if found is None else findings((found,), words)[0]}


def effects(told: Iterable[Effect], words: Words) -> list[JsonObject]:
    """What a move brings about, the most telling first, each with its sentence, its values and its cells."""
    return [_statement_json(effect.rule, effect.facts, words.effect(effect)) for effect in told]


def forecast_json(told: Foretold, words: Words) -> JsonObject:
    """What can be told ahead: of the end, of who is ahead, or of what somebody lacks."""
    return {"about": told.about, "soon": told.soon, **_statement_json(told.rule, told.facts, words.foretold(told))}


def _statement_json(rule: str, facts: Facts, text: str) -> JsonObject:
    return {
        "rule": rule,
        "code": facts.code,
        "text": text,
        "facts": values(facts),
        "evidence": evidence(facts.evidence),
    }


def findings(found: Iterable[Finding], words: Words) -> list[JsonObject]:
    """What the rules said, each with its sentence, its values and the cells that show it."""
    if not found:
        return []
    return [
        {
            "rule": finding.rule,
            "ruling": finding.ruling.value,
            "text": words.finding(finding),
            "facts": values(finding.facts),
            "evidence": evidence(finding.facts.evidence),
            "needs": finding.facts.needs,
        }
        for finding in found
    ]


def values(facts: Facts) -> Mapping[str, Json]:
    """The values of a sentence; of a number that is not known, its bounds."""
    if not any(isinstance(value, Bounds) for value in facts.values.values()):
        return facts.values
    return {name: value._asdict() if isinstance(value, Bounds) else value for name, value in facts.values.items()}


def evidence(facts: Sequence[Fact]) -> list[JsonObject]:
    """The cells to light, one as `cell` and several as `cells`, with what is counted there."""
    return [
        ({"cell": fact.cells[0]} if len(fact.cells) == 1 else {"cells": fact.cells}) | dict(fact.counts)
        for fact in facts
    ]


def due(now: Due, words: Words) -> JsonObject:
    """Whose move it is, which kinds, and the sentence."""
    return {"colour": now.seat, "kinds": now.kinds, "text": words.due(now)}


def end_json(end: Ended | None, words: Words) -> JsonObject | None:
    """The rule that ended the game, or null while it goes on."""
    return None if end is None else {"rule": end.rule, "text": words.ended(end)}


def legal_moves(found: LegalMoves, words: Words) -> JsonObject:
    """The legal moves, as notation, and where the next page begins."""
    return {
        "count": found.count,
        "moves": [found.game.write(move) for move in found.moves],
        "next": None if found.next is None else found.game.write(found.next),
        "due": due(found.due, words),
        "ended": end_json(found.due.ended, words),
    }


def position(placed: CheckedPosition, words: Words) -> JsonObject:
    """A position, whose move it is, everything that cannot stand on a table, and what it leaves open."""
    return {
        "position": plain(placed.position),
        "problems": findings(placed.problems, words),
        "unknown": placed.unknown,
        "due": None if placed.due is None else due(placed.due, words),
        "ended": None if placed.due is None else end_json(placed.due.ended, words),
    }


# --- the score ---------------------------------------------------------------------------------------------------


def sheet(scored: Sheet, words: Words) -> JsonObject:
    """A score sheet: the lines of every player, the ranking with what decided it, and what readings would change."""
    return {
        "players": [
            {
                "colour": seat,
                "total": scored.totals[seat],
                "lines": [
                    {
                        "rule": line.rule,
                        "label": words.line(line),
                        "points": line.points,
                        "evidence": [{"cells": fact.cells, **fact.counts} for fact in line.evidence],
                    }
                    for line in lines
                ],
            }
            for seat, lines in scored.lines.items()
        ],
        "ranking": [_place(place, words) for place in scored.ranking],
        "winner": scored.winners[0] if len(scored.winners) == 1 else None,
        "winners": scored.winners,
        "ended": end_json(scored.ended, words),
        "foretold": [forecast_json(each, words) for each in scored.foretold],
        "sensitivity": [_change(change, words) for change in scored.sensitivity],
    }


def _place(place: Place, words: Words) -> JsonObject:
    return {
        "place": place.place,
        "colours": place.seats,
        "decided_by": place.decided_by,
        "text": words.decided(place),
        "tied": [_tie_json(tied, words) for tied in place.tied],
        "evidence": [{"cells": fact.cells, **fact.counts} for fact in place.evidence],
    }


def _tie_json(tied: Tied, words: Words) -> JsonObject:
    of = {seat: value._asdict() if isinstance(value, Bounds) else value for seat, value in tied.of}
    return {"rule": tied.rule, "of": of, "text": words.tied(tied)}


def _change(change: ScoreChange, words: Words) -> JsonObject:
    return {
        "key": change.key,
        "value": change.value,
        "totals": change.totals,
        "winner_changes": change.winner_changes,
        "first": change.first,
        "text": reading_notes.score(words, change),
    }


# --- tables ------------------------------------------------------------------------------------------------------


def table(now: Table, role: Role, scored: Sheet, words: Words) -> JsonObject:
    """A table: what stands there, whose move it is, the last moves and the score."""
    game = now.game
    coming = now.due
    return {
        "id": now.id,
        "game": game.id,
        "version": now.version,
        "role": role.kind,
        "colour": role.seat,
        "setup": plain(now.setup),
        "readings": now.state.readings,
        "rules_version": game.rules_version,
        "position": plain(game.position(now.state)),
        "due": due(coming, words),
        "ended": end_json(coming.ended, words),
        "moves": [entry(now, move, words) for move in now.last_moves(LAST_MOVES)],
        "move_count": len(now.moves),
        "undo_to": now.undo_to,
        "redo_to": now.redo_to,
        "score": sheet(scored, words),
        "opened_at": now.opened_at,
        "updated_at": now.entries[-1].at,
        "expires_at": now.expires_at,
    }


def readings(now: Table, scored: Sheet, words: Words) -> JsonObject:
    """The readings in force, those first that could matter now, each with the values that it can have."""
    return {
        "version": now.version,
        "readings": [
            {
                **game_info.reading(one.reading, words.text["readings"]),
                "value": one.value,
                "opened": one.opened,
                "matters": [matter(why, words) for why in one.matters],
            }
            for one in readings_of(now, scored)
        ],
    }


def matter(why: Matter, words: Words) -> JsonObject:
    """Why a reading could matter now."""
    return {"code": why.code, "rules": why.rules, "text": sentences.say(words.language, "matters", why.code)}


def new_table(opened: NewTable, scored: Sheet, words: Words, page: str) -> JsonObject:
    """A table that was just opened, with its keys, and the links to its `page` that carry them in the fragment."""
    keys = opened.keys
    return table(opened.table, Role("host"), scored, words) | {
        "keys": {"host": keys.host, "seats": keys.seats, "watch": keys.watch},
        "links": {
            "host": f"{page}#{keys.host}",
            "seats": {seat: f"{page}#{key}" for seat, key in keys.seats.items()},
            "watch": f"{page}#{keys.watch}",
        },
    }


def write_outcome_json(written: WriteOutcome, words: Words, entries: Sequence[AnyEntry] | None = None) -> JsonObject:
    """What was written, all of it or some `entries`, and what is due now. `refused`: where several were
    stopped.
    """
    listed = written.entries if entries is None else entries
    answer: JsonObject = {
        "version": written.version,
        "entries": [entry(written.table, each, words) for each in listed],
        "due": due(written.due, words),
        "ended": end_json(written.due.ended, words),
    }
    if written.refused is not None:
        answer["refused"] = refusal_json(written.refused, words)
    return answer


def refusal_json(stopped: Refused, words: Words) -> JsonObject:
    """The move at which several were stopped."""
    return {"index": stopped.index, "ruling": ruling(stopped.judgement, words)}


def misfit_json(first: JudgedMisfit | None, words: Words) -> JsonObject | None:
    """The first entry that does not fit any more, with the ruling on it, or null where all fit."""
    if first is None:
        return None
    return {"entry": first.entry, "ruling": ruling(first.judgement, words), "turn": first.turn}


def log(page: LogPage, words: Words) -> JsonObject:
    """A page of the log."""
    return {
        "entries": [entry(page.table, each, words, page.effects.get(each.number)) for each in page.entries],
        "version": page.table.version,
        "next": page.next,
    }


def entry(of: Table, kept: AnyEntry, words: Words, told: Iterable[Effect] | None = None) -> JsonObject:
    """An entry of a table's log. `recorded_by` is the role whose key did it, `by` the colour that moved.

    `told` is what its move brought about, where that is known already.
    """
    head: JsonObject = {"version": kept.number, "type": codec.TYPES[type(kept)], "at": kept.at, "recorded_by": kept.by}
    return head | _type_members(of, kept, words, told)


def _type_members(of: Table, kept: AnyEntry, words: Words, told: Iterable[Effect] | None) -> JsonObject:
    """What an entry has of its own."""
    match kept:
        case Played():
            return {
                **_judged_move(of, kept.notation, kept, words),
                "by": kept.seat,
                "stands": kept.stands,
                "effects": effects(of.effects(kept.number) if told is None else told, words),
                "dispute": kept.dispute,
            }
        case Rewound():
            return {"to": kept.to, "dispute": kept.dispute}
        case ReadingsSet():
            return {"readings": kept.readings, "rules_version": kept.rules_version, "dispute": kept.dispute}
        case Checkpoint():
            said = {"position": kept.position, **comparison_json(recorded_comparison(of, kept), words)}
            return said | {"rules_version": kept.rules_version, "dispute": kept.dispute}
        case Disputed():
            said = {"dispute": of.dispute_of(kept.number), "entry": kept.entry, "question": kept.question}
            return said | (NO_MOVE if kept.notation is None else _judged_move(of, kept.notation, kept, words))
        case Confirmed():
            agreed = None if kept.change is None else change(kept.change)
            return {"dispute": kept.dispute, "remedy": kept.remedy or None, "change": agreed}
        case Amended():
            return {"change": change(kept.change), "to": kept.to, "line": kept.line, "changed": kept.changed}
        case Settled():
            return {"dispute": kept.dispute, "remedy": kept.remedy, "text": kept.text}
        case Rolled():
            return _roll_json(of, kept)
    return {"game": kept.game, "setup": kept.setup, "rules_version": kept.rules_version}


def _roll_json(of: Table, kept: Rolled) -> JsonObject:
    """Dice that the service rolled, and what they showed."""
    throws: list[Json] = [
        {
            "by": throw.seat,
            "dice": [{"die": die.kind, "faces": kept.faces[die.kind], "shows": die.shows} for die in throw.dice],
            "sum": throw.total,
        }
        for throw in kept.throws
    ]
    return {
        "for": kept.purpose,
        "camp": kept.camp or None,
        "move": None if kept.notation is None else _move(of.game.id, kept.notation),
        "notation": kept.notation,
        "throws": throws,
        "begins": kept.begins,
        "with": kept.source,
        "rules_version": kept.rules_version,
    }


def change(asked: LogChange) -> JsonObject:
    """A change of the log, as it was asked for."""
    late: list[Json] = [
        {"move": each.notation, "stands": True} if each.stands else each.notation for each in asked.moves
    ]
    where: JsonObject = {"after" if asked.do == INSERT else "entry": asked.entry}
    if asked.do == INSERT:
        where["moves"] = late
    elif asked.do == REPLACE:
        (where["move"],) = late
    return {asked.do: where, "misfits": asked.misfits}


def checkpoint(found: ComparedPosition, words: Words) -> JsonObject:
    """What can be told of a position before it is entered: its problems, or what is other and how it can have come."""
    table, said = found.table, found.told
    if said is not None:
        said = said._replace(way=tuple(map(table.game.write, said.way)))
    return {
        "version": table.version,
        "entries": [],
        "due": due(table.due, words),
        "ended": end_json(table.due.ended, words),
        "told": None if said is None else comparison_json(said, words),
        "problems": findings(found.problems, words),
    }


def entered_position_json(written: WriteOutcome, words: Words) -> JsonObject:
    """A position that was entered, or that the log gives already."""
    entries = [each for each in written.entries if isinstance(each, Checkpoint)]
    said = recorded_comparison(written.table, entries[0]) if entries else PositionComparison((), Reachability.POSSIBLE)
    return {**write_outcome_json(written, words), "told": comparison_json(said, words), "problems": []}


def comparison_json(said: PositionComparison, words: Words) -> JsonObject:
    """What is other than before, and whether play can have led there; the way by its notations."""
    return {
        "led": said.led.value,
        "text": words.led(said.led.value, said.way, said.why, said.looked),
        "changes": [
            {
                "what": change.what,
                "text": words.change(change),
                "n": change.n,
                "cells": change.piece.cells,
                "to": None if change.to is None else change.to.cells,
                "by": change.piece.by,
            }
            for change in said.changes
        ],
        "way": said.way,
        "why": [
            {
                "rule": finding.rule,
                "text": words.hindrance(finding),
                "facts": finding.facts.values,
                "evidence": evidence(finding.facts.evidence),
            }
            for finding in said.why
        ],
        "looked": said.looked,
    }


def _judged_move(of: Table, notation: str, kept: Played | Disputed, words: Words) -> JsonObject:
    """The move of an entry, and how it was judged then."""
    return {
        "move": _move(of.game.id, notation),
        "notation": notation,
        "ruling": kept.ruling.value,
        "findings": findings(kept.findings, words),
        "rules_version": kept.rules_version,
    }


@lru_cache(maxsize=10_000)
def _move(game_id: str, notation: str) -> JsonObject:
    """A move of the log as JSON. The same ones come again and again."""
    move: JsonObject = plain(rules.GAMES[game_id].read(notation))
    return move
