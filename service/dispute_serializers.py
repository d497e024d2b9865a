"""A dispute as JSON: the ruling with every rule, or what an entry did that is no move; the remedies with what each
would do, and who has confirmed.
"""

from __future__ import annotations

from service import amendment_serializers, handbook, serializers, texts
from service.codec import TYPES
from service.datatypes import JsonObject
from service.deeds import Deed
from service.disputes import REPLAY
from service.entries import Disputed, Played
from service.remedies import Hearing, Offer
from service.replaying import Step
from service.table import Table
from service.texts import Words
from service.wire import plain


def dispute(hearing: Hearing, words: Words) -> JsonObject:
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
        "ruled": None if judgement is None else _ruled(about, words),
        "ruling": None if judgement is None else serializers.ruling(judgement, words, hearing.heard),
        "did": None if deed is None else _did(deed, words),
        "rules": [handbook.rule(game, rule, words.language) for rule in hearing.speaking],
        "reading_decides": hearing.read_otherwise,
        "position": plain(game.position(hearing.state)),
        "remedies": [_remedy(offer, table, words) for offer in hearing.offers],
        "seats": game.seats_of(table.state),
        "confirmed": hearing.confirmed,
        "settlement": _settlement(hearing),
    }


def _ruled(about: Disputed, words: Words) -> JsonObject:
    """What was ruled when a dispute about a move was raised."""
    return {
        "ruling": about.ruling.value,
        "findings": serializers.findings(about.findings, words),
        "rules_version": about.rules_version,
    }


def _did(deed: Deed, words: Words) -> JsonObject:
    """What an entry did that is no move."""
    return {
        "out": deed.shift.out,
        "into": deed.shift.into,
        "score": {"before": deed.before, "after": deed.after},
        "readings": [
            {
                "key": one.key,
                "was": one.was,
                "now": one.now,
                "matters": [serializers.matter(why, words) for why in one.matters],
            }
            for one in deed.readings
        ],
        "told": None if deed.told is None else serializers.told_of(deed.told, words),
        "problems": serializers.findings(deed.problems, words),
        "amendment": None if deed.amendment is None else amendment_serializers.amendment(deed.amendment, words),
    }


def _remedy(offer: Offer, table: Table, words: Words) -> JsonObject:
    """A remedy, and what it would do."""
    nothing_goes = offer.remedy == REPLAY and offer.to is None
    changed = offer.changed[: amendment_serializers.MOST_LISTED]
    return {
        "remedy": offer.remedy,
        "text": texts.say(words.language, "remedies", "all_fits" if nothing_goes else offer.remedy),
        "loses": offer.loses,
        "restores": offer.restores,
        "plays": len(offer.plays),
        "changed": [_changed(step, table.played(step.of)) for step in changed],
        "breaks": serializers.broken(offer.breaks, words),
        "score": offer.totals,
    }


def _changed(step: Step, was: Played) -> JsonObject:
    """A move that is ruled on otherwise when it is played again, or another player's then."""
    return {
        "entry": was.number,
        "was": amendment_serializers.ruled(was.ruling, was.seat, stands=was.stands),
        "now": amendment_serializers.ruled(step.ruling, step.seat, stands=step.stands),
    }


def _settlement(hearing: Hearing) -> JsonObject | None:
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
