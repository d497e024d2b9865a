"""An amendment as JSON: the entries that it removes, repeats and cannot fit, and the change of the score."""

from __future__ import annotations

from typing import Final

from rules.kernel import Ruling, Seat
from service.http.serializers import entries, rulings, tables
from service.i18n.sentences import Words
from service.referee import amendment_report
from service.referee.amend import Preview
from service.referee.amendment_report import Amendment, ChangedMove
from service.referee.repository import WriteOutcome
from service.tables.entries import Amended, Confirmed
from service.tables.table import Table
from service.types import JsonObject

MAX_LISTED: Final = 100
"""Changed moves (another ruling or player) that a response lists at most; the rest are in the log."""


def amendment_outcome_json(outcome: WriteOutcome, words: Words) -> JsonObject:
    """Serialize the outcome of a write: the confirmation, the amendment, and the new moves.

    The repeated entries follow the amendment in the log.
    """
    amendment_entry = next((each for each in outcome.entries if isinstance(each, Amended)), None)
    report = None if amendment_entry is None else amendment_report.amendment(outcome.table, amendment_entry.number)
    new = () if report is None else report.new_moves
    listed = [each for each in outcome.entries if isinstance(each, Confirmed | Amended) or each.number in new]
    answer = tables.write_outcome_json(outcome, words, listed)
    return answer | {"amendment": None if report is None else amendment(report, outcome.table, words)}


def preview(amendment_preview: Preview, words: Words) -> JsonObject:
    """Serialize the preview of an amendment, with the alternatives for the entries that do not fit."""
    table = amendment_preview.table
    answer: JsonObject = {
        "version": amendment_preview.number - 1,
        "amendment": amendment(amendment_report.amendment(table, amendment_preview.number), table, words),
        "due": rulings.due(table.due, words),
        "ended": rulings.end_json(table.due.ended, words),
        "ways": [
            {"misfits": way.misfits, "lost": way.lost_entries, "score": way.totals} for way in amendment_preview.ways
        ],
        **rulings.players(table.game.seats_of(table.state), "seats"),
        "agreed": amendment_preview.agreeing_seats,
    }
    if amendment_preview.refusal is not None:
        answer["refused"] = rulings.refusal_json(amendment_preview.refusal, words)
    return answer


def amendment(report: Amendment, table: Table, words: Words) -> JsonObject:
    """Serialize an amendment, made or not yet."""
    return {
        "version": report.entry.number,
        "change": entries.change(report.entry.change),
        "to": report.entry.to,
        "new": report.new_moves,
        "again": report.replay_count,
        "lost": report.lost_entries,
        "breaks": rulings.misfit_json(report.first_misfit, table, words),
        "changed": [_changed_move_json(each, table, words) for each in report.changed_moves[:MAX_LISTED]],
        "score": {"before": report.before, "after": report.after},
    }


def ruling_json(ruling: Ruling, seat: Seat | None, *, stands: bool) -> JsonObject:
    """Serialize the ruling on a move, with the move's seat."""
    return {"ruling": ruling.value, "stands": stands, **rulings.player(seat, "by")}


def _changed_move_json(each: ChangedMove, table: Table, words: Words) -> JsonObject:
    """Serialize a move with another ruling or another player than before."""
    was, now = each
    text = next((words.finding_text(finding) for finding in now.findings if finding.facts.ruling is now.ruling), "")
    return {
        "entry": was.number,
        "move_number": table.move_number(was.number),
        "version": now.number,
        "was": ruling_json(was.ruling, was.seat, stands=was.stands),
        "now": ruling_json(now.ruling, now.seat, stands=now.stands),
        "text": text,
    }
