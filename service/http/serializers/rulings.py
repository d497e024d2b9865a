"""Rulings, legal moves, positions and score sheets as JSON, with the words of a language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rules.forms import PLAYER
from rules.kernel import Bounds, Due, Effect, Ended, Fact, Facts, Finding, Forecast, Place, Seat, TiebreakFigures
from service.errors import Refused
from service.i18n import reading_notes
from service.i18n.sentences import Words
from service.judgements import CheckedPosition, Judgement, LegalMoves, NearbyMove, SatisfiedRule, ScoreChange, Sheet
from service.referee.replay import JudgedMisfit
from service.schemas import game_form, plain
from service.tables.keys import Role
from service.tables.table import Table
from service.types import AnyGame, Json, JsonObject


def player(seat: Seat | None, old_name: str) -> JsonObject:
    """A player under the member `player`, and until 0.2.0 under an older name, too."""
    return {PLAYER: seat, old_name: seat}


def players(seats: Sequence[Seat], old_name: str) -> JsonObject:
    """Players under the member `players`, and under an older name in the same way."""
    return {"players": seats, old_name: seats}


def player_of_role(name: str) -> Seat | None:
    """The player of a role's name; None for the host."""
    return Role.from_name(name).seat


def ruling(judgement: Judgement, words: Words, heard: Sequence[SatisfiedRule] | None = None) -> JsonObject:
    """A ruling. `readings` are the other values that would change it or its effects; `can_stand`: the table may record
    the move anyway. `heard`, if requested, lists every rule that was checked and had no objection.
    """
    game, verdict = judgement.game, judgement.verdict
    said: JsonObject = {
        "ruling": verdict.ruling.value,
        "move": plain(judgement.move, is_answer=True),
        "notation": judgement.notation,
        **player(judgement.seat, "by"),
        "findings": findings(verdict.findings, words),
        "needs": needs(judgement, words),
        "effects": effects(judgement.effects, words),
        "due": None if judgement.due is None else due(judgement.due, words),
        "readings": [
            {"key": other.key, "value": other.value, "ruling": other.ruling.value, "text": said}
            for other, said in reading_notes.readings(words, judgement)
        ],
        "nearest": [game.write(move) for move in judgement.nearest_moves],
        "near": [nearby_move_json(each, game, words) for each in judgement.nearby_moves],
        "can_stand": judgement.cannot_stand is None,
        "rules_version": game.rules_version,
    }
    if heard is not None:
        said["heard"] = [_rule_json(each, words) for each in heard]
    return said


def needs(judgement: Judgement, words: Words) -> list[JsonObject]:
    """Serialize the unknown cells and facts that decide an unproven ruling, in words and with the cells to light."""
    unknowns = judgement.game.unknowns
    return [
        {
            "unknown": each,
            "text": words.unknown_text(each),
            "cells": () if unknowns is None else unknowns.cells_to_light(each),
        }
        for each in judgement.needs
    ]


def with_problems(said: JsonObject, problems: Sequence[Finding], words: Words) -> JsonObject:
    """Add the problems of a position to an answer about that position."""
    return {**said, "problems": findings(problems, words)} if problems else said


def nearby_move_json(near: NearbyMove, game: AnyGame, words: Words) -> JsonObject:
    """Serialize a legal move near a refused one: the fields that differ, as codes and in a sentence."""
    return {
        "notation": game.write(near.move),
        "why": [{"code": facts.code, "facts": facts.values} for facts in near.why],
        "text": words.near_move_text(near.why),
    }


def _rule_json(heard: SatisfiedRule, words: Words) -> JsonObject:
    """A rule without an objection, and what it counted, if anything."""
    rule, found = heard
    title: str = words.text["rules"][rule]["title"]
    return {"rule": rule, "title": title, "counted": None if found is None else findings((found,), words)[0]}


def effects(told: Iterable[Effect], words: Words) -> list[JsonObject]:
    """Serialize the effects of a move, the most telling first, each with its sentence, its values and its cells."""
    return [_statement_json(effect.rule, effect.facts, words.effect_text(effect)) for effect in told]


def forecast_json(told: Forecast, words: Words) -> JsonObject:
    """Serialize a forecast of the end, of the leader, or of what a player lacks."""
    return {"about": told.about, "soon": told.soon, **_statement_json(told.rule, told.facts, words.forecast_text(told))}


def _statement_json(rule: str, facts: Facts, text: str) -> JsonObject:
    return {
        "rule": rule,
        "code": facts.code,
        "text": text,
        "facts": values(facts),
        "evidence": evidence(facts.evidence),
    }


def findings(found: Iterable[Finding], words: Words) -> list[JsonObject]:
    """Serialize the findings of the rules, each with its sentence, its values and the cells that show it."""
    return [
        {
            **_statement_json(finding.rule, finding.facts, words.finding_text(finding)),
            "ruling": finding.ruling.value,
            "needs": finding.facts.needs,
        }
        for finding in found
    ]


def values(facts: Facts) -> Mapping[str, Json]:
    """Serialize the values of a sentence; an unknown number has its bounds instead."""
    if Bounds not in map(type, facts.values.values()):
        return facts.values
    return {name: value._asdict() if isinstance(value, Bounds) else value for name, value in facts.values.items()}


def evidence(facts: Sequence[Fact]) -> list[JsonObject]:
    """Serialize the cells to light, one as `cell` and several as `cells`, each with its count."""
    return [{"cell": cells[0], **counts} if len(cells) == 1 else {"cells": cells, **counts} for cells, counts in facts]


def due(now: Due, words: Words) -> JsonObject:
    """Serialize what is due: the seat, the kinds of moves, and the sentence."""
    return {**player(now.seat, "colour"), "kinds": now.kinds, "text": words.due_text(now)}


def end_json(end: Ended | None, words: Words) -> JsonObject | None:
    """Serialize the rule that ended the game; null while the game continues."""
    return None if end is None else {"rule": end.rule, "text": words.end_text(end)}


def legal_moves(found: LegalMoves, words: Words) -> JsonObject:
    """Serialize the legal moves in notation, and the start of the next page."""
    return {
        "count": found.count,
        "moves": [found.game.write(move) for move in found.moves],
        "next": None if found.next is None else found.game.write(found.next),
        "due": due(found.due, words),
        "ended": end_json(found.due.ended, words),
    }


def position(placed: CheckedPosition, words: Words) -> JsonObject:
    """Serialize a position, whose move it is, everything impossible in it, and what it leaves open."""
    return {
        "position": game_form(placed.game, placed.position),
        "problems": findings(placed.problems, words),
        "unknown": placed.unknown,
        "due": None if placed.due is None else due(placed.due, words),
        "ended": None if placed.due is None else end_json(placed.due.ended, words),
    }


def refusal_json(stopped: Refused, words: Words) -> JsonObject:
    """Serialize the refused move at which a series of moves stopped."""
    return {"index": stopped.index, "ruling": ruling(stopped.judgement, words)}


def misfit_json(first: JudgedMisfit | None, table: Table, words: Words) -> JsonObject | None:
    """Serialize the first entry that does not fit any more, with its ruling; null where all entries fit."""
    if first is None:
        return None
    answer: JsonObject = {"entry": first.entry, "move_number": table.move_number(first.entry)}
    return answer | {"ruling": ruling(first.judgement, words), "turn": first.turn}


# --- the score ---------------------------------------------------------------------------------------------------


def sheet(scored: Sheet, words: Words) -> JsonObject:
    """Serialize a score sheet: the lines of every player, the ranking with its reasons, and what other readings would
    change.
    """
    return {
        "players": [
            {
                **player(seat, "colour"),
                "total": scored.totals[seat],
                "lines": [
                    {
                        "rule": line.rule,
                        "label": words.line_text(line),
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
        "foretold": [forecast_json(each, words) for each in scored.forecasts],
        "sensitivity": [_change(change, words) for change in scored.sensitivity],
    }


def _place(place: Place, words: Words) -> JsonObject:
    return {
        "place": place.place,
        **players(place.seats, "colours"),
        "decided_by": place.decided_by,
        "text": words.place_text(place),
        "tied": [_tie_json(tied, words) for tied in place.tiebreak_figures],
        "evidence": [{"cells": fact.cells, **fact.counts} for fact in place.evidence],
    }


def _tie_json(tied: TiebreakFigures, words: Words) -> JsonObject:
    of = {seat: value._asdict() if isinstance(value, Bounds) else value for seat, value in tied.figures}
    return {"rule": tied.rule, "of": of, "text": words.tie_text(tied)}


def _change(change: ScoreChange, words: Words) -> JsonObject:
    return {
        "key": change.key,
        "value": change.value,
        "totals": change.totals,
        "winner_changes": change.winner_changes,
        "first": change.leaders,
        "text": reading_notes.score(words, change),
    }
