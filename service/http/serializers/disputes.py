"""A dispute as JSON: the ruling or the effect of an entry, the effect of each remedy, and the confirmations."""

from __future__ import annotations

from service.http.serializers import amendments, entries, rulings, tables
from service.http.serializers.rulings import player_of_role, players
from service.i18n import sentences
from service.i18n.sentences import Words
from service.referee.entry_effects import EntryEffect, is_in_play
from service.referee.remedies import DisputeView, RemedyPreview, settlement_of
from service.referee.replay import Step
from service.referee.table_reader import DisputesPage
from service.rulings import game_info
from service.schemas import game_form, plain
from service.tables.codec import TYPES
from service.tables.decisions import REPLAY, Dispute
from service.tables.entries import Disputed, Played
from service.tables.table import Table
from service.types import JsonObject


def dispute(view: DisputeView, words: Words) -> JsonObject:
    """Serialize a dispute, with the position at that time."""
    table, about = view.table, view.about
    game, judgement, effect = table.game, view.judgement, view.entry_effect
    return dispute_line(table, view.number) | {
        "exported": _exported_ruling(table, about, words),
        "ruled": None if judgement is None else _original_ruling(about, words),
        "ruling": None if judgement is None else rulings.ruling(judgement, words, view.satisfied_rules),
        "did": None if effect is None else _effect_json(effect, table, words),
        "rules": [game_info.rule(game, rule, words.language) for rule in view.relevant_rules],
        "reading_decides": view.reading_decides,
        "position": game_form(game, game.position(view.state)),
        "remedies": [_remedy(offer, table, words) for offer in view.remedies],
        **players(game.seats_of(table.state), "seats"),
        "confirmed": view.confirmations,
    }


def dispute_line(table: Table, number: int) -> JsonObject:
    """Serialize a dispute as the log records it: its question and its settlement."""
    about, dispute = table.dispute_entry(number), table.disputes[number - 1]
    return {
        "dispute": number,
        "version": about.number,
        "status": dispute.status,
        "about": _subject(table, about),
        "question": about.question,
        "player": player_of_role(about.by),
        "raised_by": about.by,
        "raised_at": about.at,
        "imported": table.is_imported(about.number),
        "settlement": _settlement(table, dispute),
    }


def dispute_list(page: DisputesPage) -> JsonObject:
    """Serialize a page of disputes."""
    table = page.table
    return {
        "disputes": [dispute_line(table, number) for number in page.numbers],
        "version": table.version,
        "next": page.next,
    }


def _subject(table: Table, about: Disputed) -> JsonObject:
    """The entry or the move that a dispute is about."""
    notation = about.notation
    entry = None if about.entry is None else table.entries[about.entry - 1]
    return {
        "entry": about.entry,
        "move_number": table.move_number(about.entry),
        "type": None if entry is None else TYPES[type(entry)],
        "imported": entry is not None and table.is_imported(entry.number),
        "version": about.version,
        "move": None if notation is None else plain(table.game.read(notation), is_answer=True),
        "notation": notation,
        "in_play": about.entry is not None and is_in_play(table, about.entry),
    }


def _exported_ruling(table: Table, about: Disputed, words: Words) -> JsonObject | None:
    """The ruling on the disputed move in an export, if today's rules give another."""
    entry = None if about.entry is None else table.entries[about.entry - 1]
    return entries.exported_ruling(entry, table.hear(entry), words) if isinstance(entry, Played) else None


def _original_ruling(about: Disputed, words: Words) -> JsonObject:
    """The ruling on the disputed move when the dispute was raised."""
    return {
        "ruling": about.ruling.value,
        "findings": rulings.findings(about.findings, words),
        "rules_version": about.rules_version,
    }


def _effect_json(effect: EntryEffect, table: Table, words: Words) -> JsonObject:
    """The effect of an entry other than a move."""
    return {
        "out": effect.revision.lost_entries,
        "into": effect.revision.restored_entries,
        "score": {"before": effect.before, "after": effect.after},
        "readings": [
            {
                "key": one.key,
                "was": one.old_value,
                "now": one.new_value,
                "matters": [tables.matter(why, words) for why in one.matters],
            }
            for one in effect.readings
        ],
        "told": None if effect.comparison is None else entries.comparison_json(effect.comparison, words),
        "problems": rulings.findings(effect.problems, words),
        "amendment": None if effect.amendment is None else amendments.amendment(effect.amendment, table, words),
    }


def _remedy(offer: RemedyPreview, table: Table, words: Words) -> JsonObject:
    """A remedy and its effect."""
    revision = offer.revision
    nothing_goes = offer.remedy == REPLAY and revision.to is None
    changed = revision.changed_steps[: amendments.MAX_LISTED]
    return {
        "remedy": offer.remedy,
        "text": sentences.say(words.language, "remedies", "all_fits" if nothing_goes else offer.remedy),
        "loses": revision.lost_entries,
        "restores": revision.restored_entries,
        "plays": len(revision.steps),
        "changed": [_replayed_move_json(step, table) for step in changed],
        "breaks": rulings.misfit_json(offer.first_misfit, table, words),
        "score": offer.totals,
    }


def _replayed_move_json(step: Step, table: Table) -> JsonObject:
    """A move that gets another ruling or another player when it is replayed."""
    was = table.move_entry(step.original_number)
    return {
        "entry": was.number,
        "move_number": table.move_number(was.number),
        "was": amendments.ruling_json(was.ruling, was.seat, stands=was.stands),
        "now": amendments.ruling_json(step.ruling, step.seat, stands=step.stands),
    }


def _settlement(table: Table, dispute: Dispute) -> JsonObject | None:
    """The last settlement of a dispute: who settled it, the remedy, the text, and the entries."""
    settled = settlement_of(table, dispute)
    if settled is None:
        return None
    return {
        "version": settled.number,
        "at": settled.at,
        "player": player_of_role(settled.by),
        "by": settled.by,
        "remedy": settled.remedy,
        "text": settled.text,
        "entries": list(range(settled.number, dispute.last_number + 1)),
        "undone": dispute.is_undone,
    }
