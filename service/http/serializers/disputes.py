"""A dispute as JSON: the ruling or the effect of an entry, what each remedy would do, and who has confirmed."""

from __future__ import annotations

from service.http.serializers import amendments, entries, rulings, tables
from service.i18n import sentences
from service.i18n.sentences import Words
from service.referee.entry_effects import EntryEffect
from service.referee.remedies import DisputeView, RemedyPreview
from service.referee.replay import Step
from service.rulings import game_info
from service.schemas import plain
from service.tables.codec import TYPES
from service.tables.decisions import REPLAY
from service.tables.entries import Disputed, Played
from service.tables.table import Table
from service.types import JsonObject


def dispute(hearing: DisputeView, words: Words) -> JsonObject:
    """A dispute, with the position of then."""
    table, about = hearing.table, hearing.about
    game, judgement, deed = table.game, hearing.judgement, hearing.deed
    return {
        "dispute": hearing.number,
        "version": about.number,
        "status": hearing.status,
        "about": {
            "entry": about.entry,
            "type": None if about.entry is None else TYPES[type(table.entries[about.entry - 1])],
            "version": about.version,
            "move": None if judgement is None else plain(judgement.move),
            "notation": about.notation,
            "in_play": hearing.in_play,
        },
        "question": about.question,
        "raised_by": about.by,
        "raised_at": about.at,
        "ruled": None if judgement is None else _original_ruling(about, words),
        "ruling": None if judgement is None else rulings.ruling(judgement, words, hearing.heard),
        "did": None if deed is None else _effect_json(deed, words),
        "rules": [game_info.rule(game, rule, words.language) for rule in hearing.speaking],
        "reading_decides": hearing.read_otherwise,
        "position": plain(game.position(hearing.state)),
        "remedies": [_remedy(offer, table, words) for offer in hearing.offers],
        "seats": game.seats_of(table.state),
        "confirmed": hearing.confirmed,
        "settlement": _settlement(hearing),
    }


def _original_ruling(about: Disputed, words: Words) -> JsonObject:
    """What was ruled when a dispute about a move was raised."""
    return {
        "ruling": about.ruling.value,
        "findings": rulings.findings(about.findings, words),
        "rules_version": about.rules_version,
    }


def _effect_json(deed: EntryEffect, words: Words) -> JsonObject:
    """What an entry did that is no move."""
    return {
        "out": deed.revision.lost,
        "into": deed.revision.restored,
        "score": {"before": deed.before, "after": deed.after},
        "readings": [
            {
                "key": one.key,
                "was": one.was,
                "now": one.now,
                "matters": [tables.matter(why, words) for why in one.matters],
            }
            for one in deed.readings
        ],
        "told": None if deed.told is None else entries.comparison_json(deed.told, words),
        "problems": rulings.findings(deed.problems, words),
        "amendment": None if deed.amendment is None else amendments.amendment(deed.amendment, words),
    }


def _remedy(offer: RemedyPreview, table: Table, words: Words) -> JsonObject:
    """A remedy, and what it would do."""
    revision = offer.revision
    nothing_goes = offer.remedy == REPLAY and revision.to is None
    changed = revision.changed[: amendments.MAX_LISTED]
    return {
        "remedy": offer.remedy,
        "text": sentences.say(words.language, "remedies", "all_fits" if nothing_goes else offer.remedy),
        "loses": revision.lost,
        "restores": revision.restored,
        "plays": len(revision.steps),
        "changed": [_replayed_move_json(step, table.played(step.of)) for step in changed],
        "breaks": rulings.misfit_json(offer.breaks, words),
        "score": offer.totals,
    }


def _replayed_move_json(step: Step, was: Played) -> JsonObject:
    """A move that is ruled on otherwise when it is played again, or another player's then."""
    return {
        "entry": was.number,
        "was": amendments.ruling_json(was.ruling, was.seat, stands=was.stands),
        "now": amendments.ruling_json(step.ruling, step.seat, stands=step.stands),
    }


def _settlement(hearing: DisputeView) -> JsonObject | None:
    """How a dispute was settled last: by whom, how, in whose words, and by which entries."""
    settled = hearing.settlement
    if settled is None:
        return None
    return {
        "version": settled.number,
        "at": settled.at,
        "by": settled.by,
        "remedy": settled.remedy,
        "text": settled.text,
        "entries": list(range(settled.number, hearing.dispute.last + 1)),
        "undone": hearing.dispute.undone,
    }
