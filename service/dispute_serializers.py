"""A dispute as JSON: the ruling with every rule, the remedies with what each would do, and who has confirmed."""

from __future__ import annotations

from service import handbook, serializers, texts
from service.datatypes import JsonObject
from service.remedies import Hearing, Offer
from service.texts import Words
from service.wire import plain


def dispute(hearing: Hearing, words: Words) -> JsonObject:
    """A dispute, with the position of then."""
    table, about = hearing.table, hearing.about
    game, judgement = table.game, hearing.judgement
    speaking = [finding.rule for finding in judgement.verdict.findings] + [each.rule for each in judgement.effects]
    return {
        "dispute": hearing.number,
        "version": about.number,
        "status": hearing.status,
        "about": {
            "entry": about.entry,
            "version": about.version,
            "move": plain(judgement.move),
            "notation": about.notation,
            "in_play": about.entry in table.line,
        },
        "question": about.question,
        "raised_by": about.by,
        "raised_at": about.at,
        "ruled": {
            "ruling": about.ruling.value,
            "findings": serializers.findings(about.findings, words),
            "rules_version": about.rules_version,
        },
        "ruling": serializers.ruling(judgement, words, hearing.heard),
        "rules": [handbook.rule(game, rule, words.language) for rule in dict.fromkeys(speaking)],
        "reading_decides": hearing.read_otherwise,
        "position": plain(game.position(hearing.state)),
        "remedies": [_remedy(offer, words) for offer in hearing.offers],
        "seats": game.seats_of(table.state),
        "confirmed": hearing.confirmed,
        "settlement": _settlement(hearing),
    }


def _remedy(offer: Offer, words: Words) -> JsonObject:
    """A remedy, and what it would do."""
    return {
        "remedy": offer.remedy,
        "text": texts.say(words.language, "remedies", offer.remedy),
        "loses": offer.loses,
        "plays": len(offer.plays),
        "breaks": serializers.broken(offer.breaks, words),
        "score": offer.totals,
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
