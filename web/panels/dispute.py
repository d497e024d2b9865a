"""The panels of a dispute: the form that raises one, and the dispute itself with its ruling and its remedies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final

from flask import url_for

from rules.kernel import Effect, Finding, Seat
from service import handbook, remedies, rulings
from service.disputes import ADJUST
from service.judgements import Judgement
from service.remedies import Hearing, Offer
from service.table import HOST
from service.texts import Words
from web.board.scene import Light
from web.language import _
from web.panels.context import Focus, TableContext, player_names
from web.panels.log import entry_phrase, remedy_words
from web.panels.sentences import Consequence, Reason, consequences, lit_finding, new_key, phrase, reasons, upper
from web.panels.verdict import heard_rules, other_readings

MOST_NAMED: Final = 4
"""Moves that a remedy names of those that go, and open disputes that a page names."""


@dataclass(frozen=True, slots=True)
class RaisePanel:
    """A move that is about to be disputed. `entry` or `move` is what the form sends; `typed` the question so far."""

    template: ClassVar[str] = "panel/raise.html"
    what: str
    ruling: str
    reasons: tuple[Reason, ...]
    entry: int | None
    move: str | None
    key: str
    back: str
    typed: str = ""


@dataclass(frozen=True, slots=True)
class RemedyRow:
    """A remedy and what it would do, in sentences. `confirmed`: who has confirmed it.

    `href` leads to where the host enters what lies there, which adjusts the position; the other remedies are forms.
    """

    remedy: str
    title: str
    does: tuple[str, ...]
    breaks: str
    confirmed: tuple[str, ...]
    key: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a dispute was settled last."""

    title: str
    by: str
    at: datetime
    text: str
    undone: bool


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule that has something to say: its text, and where it is printed."""

    rule: str
    title: str
    text: str
    printed: str


@dataclass(frozen=True, slots=True)
class DisputePanel:
    """A dispute. `waiting` are those who have not confirmed anything that counts."""

    template: ClassVar[str] = "panel/dispute.html"
    number: int
    about: str
    question: str
    who: str
    at: datetime
    status: str
    ruling: str
    reasons: tuple[Reason, ...]
    consequences: tuple[Consequence, ...]
    heard: tuple[tuple[str, str, str], ...]
    others: tuple[str, ...]
    rules: tuple[RuleRow, ...]
    read_otherwise: bool
    remedies: tuple[RemedyRow, ...]
    waiting: tuple[str, ...]
    settlement: Settlement | None
    back: str


@dataclass(frozen=True, slots=True)
class OpenDispute:
    """A dispute that is not settled yet, as a note above the other pages."""

    number: int
    about: str
    href: str


def raising(context: TableContext, move: Any) -> Focus[RaisePanel] | None:
    """What the form that raises a dispute shows: the disputed entry, or the `move`; None where it is neither."""
    table, address = context.table, context.address
    entry = address.entry if address.entry and address.entry <= table.version else None
    if entry is not None:
        try:
            move = table.game.read(table.played(entry).notation)
        except LookupError:
            return None
    if move is None:
        return None
    version = (entry or table.version + 1) - 1
    state, notation = table.states[version - 1], table.game.write(move)
    judgement = rulings.judge(table.game, state, move)
    what = entry_phrase(context.words, table, table.entries[entry - 1]) if entry else _moved(context, judgement, state)
    asked = RaisePanel(
        upper(what),
        judgement.ruling.value,
        reasons(context.words, judgement.verdict.findings, address),
        entry,
        None if entry else notation,
        new_key(),
        address.plain("log").url(entry=entry) if entry else address.plain().url(move=notation),
    )
    return _seen(context, asked, judgement, state, version)


def disputed(context: TableContext, number: int) -> Focus[DisputePanel]:
    """A dispute, with the board of then."""
    hearing = remedies.hearing(context.table, number)
    return _seen(context, _panel(context, hearing), hearing.judgement, hearing.state, hearing.about.version)


def _seen(context: TableContext, panel: Any, judgement: Judgement, state: Any, version: int) -> Focus[Any]:
    """A panel below the board of then, with the move on it and what the ruling rests on lit."""
    game, finding = context.game, lit_finding(judgement.verdict.findings, context.address.show)
    chosen = frozenset(game.cells_of(judgement.move))
    facts = finding.facts.evidence if finding else ()
    light = Light(chosen, judgement.ruling.value, facts, seats=game.seats_of(state))
    shown = state if game.cannot_stand(state, judgement.move) else game.apply(state, judgement.move)
    past = _("The board at no. %(number)s, with the disputed move", number=version)
    return Focus(panel, shown, state, light, past)


def _panel(context: TableContext, hearing: Hearing) -> DisputePanel:
    """All that is said of a dispute."""
    words, table, about = context.words, context.table, hearing.about
    names = player_names(table, words)
    seats = table.game.seats_of(table.state)
    settled, judgement = hearing.settlement, hearing.judgement
    return DisputePanel(
        hearing.number,
        upper(_about(context, hearing.number)),
        about.question,
        _who(about.by, names),
        about.at,
        hearing.status,
        judgement.ruling.value,
        reasons(words, judgement.verdict.findings, context.address),
        consequences(words, judgement.effects, judgement.verdict.findings),
        tuple(heard_rules(words, hearing.state, judgement)),
        tuple(other_readings(words, judgement)),
        tuple(_rules(words, context, judgement)),
        hearing.read_otherwise,
        tuple(_remedy(context, hearing, offer) for offer in hearing.offers),
        tuple(names[seat] for seat in seats if seat not in hearing.confirmed) if hearing.offers else (),
        settled
        and Settlement(
            remedy_words(settled.remedy), _who(settled.by, names), settled.at, settled.text, hearing.dispute.undone
        ),
        context.address.plain().url(),
    )


def _rules(words: Words, context: TableContext, judgement: Judgement) -> Iterator[RuleRow]:
    """The rules that speak, each once."""
    told: tuple[Finding | Effect, ...] = (*judgement.verdict.findings, *judgement.effects)
    for rule in dict.fromkeys(each.rule for each in told):
        said: Any = handbook.rule(context.game, rule, words.language)
        yield RuleRow(rule, said["title"], said["text"], said["printed"])


def _remedy(context: TableContext, hearing: Hearing, offer: Offer) -> RemedyRow:
    """A remedy in words: what it does, and who has confirmed it."""
    names = player_names(context.table, context.words)
    adjusts = offer.remedy == ADJUST
    here = url_for("web.here", table_id=context.table.id, dispute=hearing.number) if adjusts else ""
    return RemedyRow(
        offer.remedy,
        remedy_words(offer.remedy),
        tuple(_does(context, offer, names)),
        "" if offer.breaks is None else _broken(context, offer),
        tuple(names[seat] for seat, remedy in hearing.confirmed.items() if remedy == offer.remedy),
        new_key(),
        here,
    )


def _does(context: TableContext, offer: Offer, names: dict[Seat, str]) -> Iterator[str]:
    """What goes, what is played again, and the score afterwards, where that can be told."""
    table, words = context.table, context.words
    if offer.totals is None:
        yield _("The referee enters what lies there. What that changes is told then.")
        return
    if offer.loses:
        gone = "; ".join(entry_phrase(words, table, table.in_line(number)) for number in offer.loses[:MOST_NAMED])
        more = len(offer.loses) - MOST_NAMED
        yield _("Gone: %(moves)s", moves=gone) + (_(" and %(n)s more", n=more) if more > 0 else "")
    else:
        yield _("Nothing changes on the board.")
    if offer.plays:
        yield _("Played again: %(n)s", n=len(offer.plays))
    score = ", ".join(f"{names[seat]} {total}" for seat, total in offer.totals.items())
    yield _("Score then: %(score)s", score=score)


def _broken(context: TableContext, offer: Offer) -> str:
    """The first move that does not fit any more, and why."""
    if offer.breaks is None:
        return ""
    found = offer.breaks.judgement.verdict.findings
    why = next((context.words.finding(each) for each in found if each.ruling is offer.breaks.judgement.ruling), "")
    return _("No. %(number)s does not fit any more: %(why)s", number=offer.breaks.entry, why=why)


def _moved(context: TableContext, judgement: Judgement, state: Any) -> str:
    """A move that was not played, in words."""
    return phrase(context.words, context.game, judgement.move, state)


def _about(context: TableContext, number: int) -> str:
    """What a dispute is about, in words."""
    table, about = context.table, context.table.disputed(number)
    if about.entry is not None:
        what = entry_phrase(context.words, table, table.played(about.entry))
        return _("No. %(number)s, %(what)s", number=about.entry, what=what)
    move = table.game.read(about.notation)
    return phrase(context.words, table.game, move, table.states[about.version - 1])


def _who(by: str, names: dict[Seat, str]) -> str:
    return _("The referee") if by == HOST else names.get(by, by)


def open_disputes(context: TableContext) -> tuple[OpenDispute, ...]:
    """The disputes that are not settled, the last one first."""
    table = context.table
    return tuple(
        OpenDispute(number, _about(context, number), context.address.plain("dispute").url(dispute=number))
        for number, each in reversed(list(enumerate(table.disputes, start=1)))
        if each.open
    )[:MOST_NAMED]
