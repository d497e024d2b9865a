"""The panels of a dispute: the form that raises it, and the dispute with its ruling and remedies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Final, TypeVar

from flask import url_for

from rules.kernel import Seat
from service.i18n.sentences import Words
from service.judgements import Judgement
from service.referee import entry_effects, remedies
from service.referee.entry_effects import EntryEffect
from service.referee.remedies import DisputeView, RemedyPreview
from service.rulings import game_info, judge
from service.tables.decisions import ADJUST, crossing_version
from service.tables.entries import AnyEntry, NoEntry, Played
from service.tables.table import HOST, Table
from service.types import Move, State
from web.board.scene import Light
from web.browser.language import _
from web.panels.context import Focus, TableContext, player_names
from web.panels.log.deed import (
    EffectRows,
    changed_move_text,
    effect_focus,
    effect_rows,
    entries_text,
    misfit_text,
    score,
)
from web.panels.log.entries import entry_phrase, remedy_words
from web.panels.moves.verdict import heard_rules, other_readings
from web.panels.sentences import Consequence, Reason, consequences, lit_finding, new_key, phrase, reasons, upper

P = TypeVar("P")
MAX_NAMED: Final = 4
"""Open disputes that a page names."""


@dataclass(frozen=True, slots=True)
class RaisePanel:
    """An entry or a move that is about to be disputed. `entry` or `move` is what the form sends.

    `ruling` and `reasons` are those of a move; of another entry, `deed` tells what it did.
    """

    template: ClassVar[str] = "panel/raise.html"
    what: str
    ruling: str
    reasons: tuple[Reason, ...]
    entry: int | None
    move: str | None
    key: str
    back: str
    deed: EffectRows | None = None


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
    """How a dispute was settled last. `to`: the version that takes it back, or puts it back; None where none does."""

    title: str
    by: str
    at: datetime
    text: str
    undone: bool
    to: int | None


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule that has something to say: its text, and where it is printed."""

    rule: str
    title: str
    text: str
    printed: str


@dataclass(frozen=True, slots=True)
class DisputePanel:
    """A dispute. `waiting` are those who have not confirmed anything that counts.

    What a ruling says is that of a move; of another entry, `deed` tells what it did.
    """

    template: ClassVar[str] = "panel/dispute.html"
    number: int
    about: str
    question: str
    who: str
    at: datetime
    status: str
    rules: tuple[RuleRow, ...]
    remedies: tuple[RemedyRow, ...]
    waiting: tuple[str, ...]
    settlement: Settlement | None
    back: str
    ruling: str = ""
    reasons: tuple[Reason, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    heard: tuple[tuple[str, str, str], ...] = ()
    others: tuple[str, ...] = ()
    read_otherwise: bool = False
    deed: EffectRows | None = None


@dataclass(frozen=True, slots=True)
class OpenDispute:
    """A dispute that is not settled yet, as a note above the other pages."""

    number: int
    about: str
    href: str


def dispute_form_focus(context: TableContext, move: Move | None) -> Focus[RaisePanel] | None:
    """What the form that raises a dispute shows: the disputed entry, or the `move`; None where it is neither."""
    table, number = context.table, context.address.entry
    if number is None:
        return None if move is None else _move_form_focus(context, move, None)
    try:
        entry = table.disputable(number)
    except NoEntry:
        return None
    if isinstance(entry, Played):
        return _move_form_focus(context, table.game.read(entry.notation), entry)
    deed = entry_effects.effect_by_entry(table, number)
    return None if deed is None else _effect_form_focus(context, entry, deed)


def _move_form_focus(context: TableContext, move: Move, entry: Played | None) -> Focus[RaisePanel]:
    """The form that disputes the move of an entry, or one that was not played."""
    table, address = context.table, context.address
    version = table.version if entry is None else entry.number - 1
    state, notation = table.states[version - 1], table.game.write(move)
    judgement = judge.judge(table.game, state, move)
    what = _move_text(context, judgement, state) if entry is None else entry_phrase(context.words, table, entry)
    asked = RaisePanel(
        upper(what),
        judgement.ruling.value,
        reasons(context.words, judgement.verdict.findings, address),
        None if entry is None else entry.number,
        notation if entry is None else None,
        new_key(),
        address.plain().url(move=notation) if entry is None else address.plain("log").url(entry=entry.number),
    )
    return _board_focus(context, asked, judgement, state, version)


def _effect_form_focus(context: TableContext, entry: AnyEntry, deed: EntryEffect) -> Focus[RaisePanel]:
    """The form that disputes an entry that is no move."""
    what, back = entry_phrase(context.words, context.table, entry), context.address.plain("log").url()
    rows = effect_rows(context, deed)
    return effect_focus(context, RaisePanel(upper(what), "", (), entry.number, None, new_key(), back, rows), deed)


def dispute_focus(context: TableContext, number: int) -> Focus[DisputePanel]:
    """A dispute, with the board of then."""
    hearing = remedies.view_dispute(context.table, number)
    panel, judgement = _panel(context, hearing), hearing.judgement
    if judgement is not None:
        ruled = _with_ruling(context, panel, hearing, judgement)
        return _board_focus(context, ruled, judgement, hearing.state, hearing.about.version)
    if hearing.deed is None:
        raise LookupError(f"dispute {number} is about nothing")
    return effect_focus(context, replace(panel, deed=effect_rows(context, hearing.deed)), hearing.deed)


def _board_focus(context: TableContext, panel: P, judgement: Judgement, state: State, version: int) -> Focus[P]:
    """A panel below the board of then, with the move on it and what the ruling rests on lit."""
    game, finding = context.game, lit_finding(judgement.verdict.findings, context.address.show)
    chosen = frozenset(game.cells_of(judgement.move))
    facts = finding.facts.evidence if finding else ()
    light = Light(chosen, judgement.ruling.value, facts, seats=game.seats_of(state))
    shown = state if game.cannot_stand(state, judgement.move) else game.apply(state, judgement.move)
    past = _("The board at no. %(number)s, with the disputed move", number=version)
    return Focus(panel, shown, state, light, past)


def _panel(context: TableContext, hearing: DisputeView) -> DisputePanel:
    """All that is said of a dispute, but for the ruling or what an entry did."""
    words, table, about = context.words, context.table, hearing.about
    names = player_names(table, words)
    seats = table.game.seats_of(table.state)
    settled = hearing.settlement
    return DisputePanel(
        hearing.number,
        upper(about_phrase(words, table, hearing.number)),
        about.question,
        who_phrase(about.by, names),
        about.at,
        hearing.status,
        tuple(_rules(words, context, hearing)),
        tuple(_remedy(context, hearing, offer) for offer in hearing.offers),
        tuple(names[seat] for seat in seats if seat not in hearing.confirmed) if hearing.offers else (),
        settled
        and Settlement(
            remedy_words(settled.remedy),
            who_phrase(settled.by, names),
            settled.at,
            settled.text,
            hearing.dispute.undone,
            crossing_version(hearing.dispute, table.tips),
        ),
        context.address.plain().url(),
    )


def _with_ruling(
    context: TableContext, panel: DisputePanel, hearing: DisputeView, judgement: Judgement
) -> DisputePanel:
    """The same with what the rules say of the disputed move."""
    words = context.words
    return replace(
        panel,
        ruling=judgement.ruling.value,
        reasons=reasons(words, judgement.verdict.findings, context.address),
        consequences=consequences(words, judgement.effects, judgement.verdict.findings),
        heard=tuple(heard_rules(words, hearing.state, judgement)),
        others=tuple(other_readings(words, judgement)),
        read_otherwise=hearing.read_otherwise,
    )


def _rules(words: Words, context: TableContext, hearing: DisputeView) -> Iterator[RuleRow]:
    """The rules that speak, each once."""
    for rule in hearing.speaking:
        said: Any = game_info.rule(context.game, rule, words.language)
        yield RuleRow(rule, said["title"], said["text"], said["printed"])


def _remedy(context: TableContext, hearing: DisputeView, offer: RemedyPreview) -> RemedyRow:
    """A remedy in words: what it does, and who has confirmed it."""
    names = player_names(context.table, context.words)
    adjusts = offer.remedy == ADJUST
    here = url_for("web.here", table_id=context.table.id, dispute=hearing.number) if adjusts else ""
    return RemedyRow(
        offer.remedy,
        remedy_words(offer.remedy),
        tuple(_remedy_lines(context, offer, names)),
        "" if offer.breaks is None else misfit_text(context.words, offer.breaks),
        tuple(names[seat] for seat, remedy in hearing.confirmed.items() if remedy == offer.remedy),
        new_key(),
        here,
    )


def _remedy_lines(context: TableContext, offer: RemedyPreview, names: dict[Seat, str]) -> Iterator[str]:
    """What goes and what comes back, what is played again, and the score afterwards, where that can be told."""
    if offer.totals is None:
        yield _("The referee enters what lies there. What that changes is told then.")
        return
    revision = offer.revision
    if revision.lost:
        yield _("Gone: %(moves)s", moves=entries_text(context, revision.lost))
    if revision.restored:
        yield _("In play again: %(moves)s", moves=entries_text(context, revision.restored))
    if not revision.lost and not revision.restored:
        yield _("Nothing changes on the board.")
    if revision.steps:
        yield _("Played again: %(n)s", n=len(revision.steps))
    for step in revision.changed[:MAX_NAMED]:
        yield changed_move_text(context, context.table.played(step.of), step.seat, stands=step.stands)
    yield _("Score then: %(score)s", score=score(names, offer.totals))


def _move_text(context: TableContext, judgement: Judgement, state: State) -> str:
    """A move that was not played, in words."""
    return phrase(context.words, context.game, judgement.move, state)


def about_phrase(words: Words, table: Table, number: int) -> str:
    """What a dispute is about, in words."""
    about = table.disputed(number)
    if about.entry is not None:
        what = entry_phrase(words, table, table.entries[about.entry - 1])
        return _("No. %(number)s, %(what)s", number=about.entry, what=what)
    move = table.game.read(about.notation or "")
    return phrase(words, table.game, move, table.states[about.version - 1])


def who_phrase(by: str, names: dict[Seat, str]) -> str:
    """Who raised or settled a dispute."""
    return _("The referee") if by == HOST else names.get(by, by)


def open_disputes(context: TableContext) -> tuple[OpenDispute, ...]:
    """The disputes that are not settled, the last one first."""
    table = context.table
    return tuple(
        OpenDispute(
            number, about_phrase(context.words, table, number), context.address.plain("dispute").url(dispute=number)
        )
        for number, each in reversed(list(enumerate(table.disputes, start=1)))
        if each.open
    )[:MAX_NAMED]
