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
from service.types import JsonObject

MAX_LISTED: Final = 100
"""Moves that are ruled on otherwise, or another player's, of which the answer tells; the rest are in the log."""


def amendment_outcome_json(written: WriteOutcome, words: Words) -> JsonObject:
    """What was written: that it was confirmed, the amendment, and the moves that are new.

    What was made again follows the amendment in the log.
    """
    made = next((each for each in written.entries if isinstance(each, Amended)), None)
    told = None if made is None else amendment_report.amendment(written.table, made.number)
    new = () if told is None else told.new
    listed = [each for each in written.entries if isinstance(each, Confirmed | Amended) or each.number in new]
    said = tables.write_outcome_json(written, words, listed)
    return said | {"amendment": None if told is None else amendment(told, words)}


def preview(asked: Preview, words: Words) -> JsonObject:
    """What an amendment would do, and what else can be done about what does not fit."""
    table = asked.table
    answer: JsonObject = {
        "version": asked.number - 1,
        "amendment": amendment(amendment_report.amendment(table, asked.number), words),
        "due": rulings.due(table.due, words),
        "ended": rulings.end_json(table.due.ended, words),
        "ways": [{"misfits": way.misfits, "lost": way.lost, "score": way.totals} for way in asked.ways],
        "seats": table.game.seats_of(table.state),
        "agreed": asked.agreed,
    }
    if asked.refused is not None:
        answer["refused"] = rulings.refusal_json(asked.refused, words)
    return answer


def amendment(told: Amendment, words: Words) -> JsonObject:
    """An amendment, made or not yet."""
    return {
        "version": told.entry.number,
        "change": entries.change(told.entry.change),
        "to": told.entry.to,
        "new": told.new,
        "again": told.again,
        "lost": told.lost,
        "breaks": rulings.misfit_json(told.breaks, words),
        "changed": [_changed_move_json(each, words) for each in told.changed[:MAX_LISTED]],
        "score": {"before": told.before, "after": told.after},
    }


def ruling_json(ruling: Ruling, seat: Seat | None, *, stands: bool) -> JsonObject:
    """How a move was ruled on, and whose it is."""
    return {"ruling": ruling.value, "stands": stands, "by": seat}


def _changed_move_json(each: ChangedMove, words: Words) -> JsonObject:
    """A move that is ruled on otherwise now, or another player's."""
    was, now = each
    said = next((words.finding(finding) for finding in now.findings if finding.facts.ruling is now.ruling), "")
    return {
        "entry": was.number,
        "version": now.number,
        "was": ruling_json(was.ruling, was.seat, stands=was.stands),
        "now": ruling_json(now.ruling, now.seat, stands=now.stands),
        "text": said,
    }
