"""The panels of a dispute: the form that raises it, and the dispute with its ruling and remedies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar, Final, TypeVar

from flask import url_for

from rules.kernel import Seat
from rules.records import dataclass
from service.i18n.sentences import Words
from service.judgements import Judgement
from service.referee import entry_effects, remedies
from service.referee.entry_effects import EntryEffect
from service.referee.remedies import DisputeView, RemedyPreview
from service.rulings import game_info, judge
from service.tables.decisions import ADJUST, NO_CHANGE, STANDS, crossing_version
from service.tables.entries import AnyEntry, NoEntry, Played, RuledEntry
from service.tables.keys import HOST
from service.tables.table import Table
from service.types import Move, State
from web.board.scene import Light
from web.browser.language import _
from web.panels.context import Focus, TableContext, player_names
from web.panels.log.effects import (
    EffectRows,
    changed_move_text,
    effect_focus,
    effect_rows,
    entries_text,
    misfit_text,
    score,
)
from web.panels.log.entries import entry_name, entry_phrase, phrase_then, remedy_words
from web.panels.log.open_entry import ExportedRuling, exported_ruling
from web.panels.moves.verdict import find_non_objecting_rules, other_readings
from web.panels.sentences import (
    Consequence,
    OtherReading,
    Reason,
    capitalise,
    consequences,
    lit_finding,
    new_key,
    reasons,
)

P = TypeVar("P")
MAX_NAMED: Final = 4
"""The maximum number of named open disputes, or of named moves that a remedy changes."""


@dataclass(frozen=True, slots=True)
class RaisePanel:
    """An entry or a move to dispute. The form sends `entry` or `move`.

    `ruling` and `reasons` are those of a move; for another entry, `effect` describes what it did.
    """

    template: ClassVar[str] = "panel/raise.html"
    what: str
    ruling: str
    reasons: tuple[Reason, ...]
    entry: int | None
    move: str | None
    key: str
    back: str
    effect: EffectRows | None = None


@dataclass(frozen=True, slots=True)
class RemedyRow:
    """A remedy and what it would do, in sentences. `confirmed_by`: who has confirmed it.

    `href`: the page where the host enters the real position, to adjust it; the other remedies are forms.
    """

    remedy: str
    title: str
    does: tuple[str, ...]
    breaks: str
    confirmed_by: tuple[str, ...]
    href: str = ""


@dataclass(frozen=True, slots=True)
class Settlement:
    """The last settlement of a dispute. `to`: the version that undoes or redoes it, if there is one."""

    title: str
    by: str
    at: datetime
    text: str
    is_undone: bool
    to: int | None


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A relevant rule: its text, and its printed source."""

    rule: str
    title: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class DisputePanel:
    """A dispute. `waiting_names`: the players without a valid confirmation.

    The ruling and its reasons are those of a move; for another entry, `effect` describes what it did.
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
    waiting_names: tuple[str, ...]
    settlement: Settlement | None
    back: str
    ruling: str = ""
    reasons: tuple[Reason, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    non_objecting_rules: tuple[tuple[str, str, str], ...] = ()
    others: tuple[OtherReading, ...] = ()
    decided_by_reading: bool = False
    effect: EffectRows | None = None
    export_ruling: ExportedRuling | None = None


@dataclass(frozen=True, slots=True)
class OpenDispute:
    """An open dispute, as a note above the other pages."""

    number: int
    about: str
    href: str


def dispute_form_focus(context: TableContext, move: Move | None) -> Focus[RaisePanel] | None:
    """The form that raises a dispute, with the disputed entry or the `move`; None if there is neither."""
    table, number = context.table, context.address.entry
    if number is None:
        return None if move is None else _move_form_focus(context, move, None)
    try:
        entry = table.disputable_entry(number)
    except NoEntry:
        return None
    if isinstance(entry, Played):
        return _move_form_focus(context, table.game.read(entry.notation), entry)
    effect = entry_effects.effect_by_entry(table, number)
    return None if effect is None else _effect_form_focus(context, entry, effect)


def _move_form_focus(context: TableContext, move: Move, entry: Played | None) -> Focus[RaisePanel]:
    """The form that disputes the move of an entry, or one that was not played."""
    table, address = context.table, context.address
    version = table.version if entry is None else entry.number - 1
    state, notation = table.states[version - 1], table.game.write(move)
    judgement = judge.judge(table.game, state, move)
    what = _move_text(context, judgement, state) if entry is None else entry_phrase(context.words, table, entry)
    raise_panel = RaisePanel(
        capitalise(what),
        judgement.ruling.value,
        reasons(context.words, context.worth_saying(judgement.verdict.findings), address),
        None if entry is None else entry.number,
        notation if entry is None else None,
        new_key(),
        address.plain().url(move=notation) if entry is None else address.plain("log").url(entry=entry.number),
    )
    return _board_focus(context, raise_panel, judgement, state)


def _effect_form_focus(context: TableContext, entry: AnyEntry, effect: EntryEffect) -> Focus[RaisePanel]:
    """The form that disputes an entry that is no move."""
    what, back = entry_phrase(context.words, context.table, entry), context.address.plain("log").url()
    rows = effect_rows(context, effect)
    return effect_focus(
        context, RaisePanel(capitalise(what), "", (), entry.number, None, new_key(), back, rows), effect
    )


def dispute_focus(context: TableContext, number: int) -> Focus[DisputePanel]:
    """A dispute, with the board of that time."""
    dispute_view = remedies.view_dispute(context.table, number)
    panel, judgement = _panel(context, dispute_view), dispute_view.judgement
    if judgement is not None:
        ruled_panel = _with_ruling(context, panel, dispute_view, judgement)
        return _board_focus(context, ruled_panel, judgement, dispute_view.state)
    if dispute_view.entry_effect is None:
        raise LookupError(f"dispute {number} is about nothing")
    return effect_focus(
        context, replace(panel, effect=effect_rows(context, dispute_view.entry_effect)), dispute_view.entry_effect
    )


def _board_focus(context: TableContext, panel: P, judgement: Judgement, state: State) -> Focus[P]:
    """A panel below the board of that time, with the move on it and the evidence of the ruling lit."""
    game, finding = context.game, lit_finding(judgement.verdict.findings, context.address.show)
    chosen = frozenset(game.cells_of(judgement.move))
    facts = finding.facts.evidence if finding else ()
    light = Light(chosen, judgement.ruling.value, facts, seats=game.seats_of(state))
    state_after = state if game.cannot_stand(state, judgement.move) else game.apply(state, judgement.move)
    past = _("The board at that time, with the disputed move")
    return Focus(panel, state_after, state, light, past)


def _panel(context: TableContext, dispute_view: DisputeView) -> DisputePanel:
    """The panel of a dispute, without the ruling and the effects of an entry."""
    words, table, about = context.words, context.table, dispute_view.about
    names = player_names(table, words)
    seats = table.game.seats_of(table.state)
    settled = dispute_view.settlement
    return DisputePanel(
        dispute_view.number,
        capitalise(about_phrase(words, table, dispute_view.number)),
        about.question,
        who_phrase(about.by, names),
        about.at,
        dispute_view.status,
        tuple(_rules(words, context, dispute_view)),
        tuple(_remedy(context, dispute_view, each) for each in dispute_view.remedies if _is_shown(dispute_view, each)),
        tuple(names[seat] for seat in seats if seat not in dispute_view.confirmations) if dispute_view.remedies else (),
        settled
        and Settlement(
            remedy_words(settled.remedy),
            who_phrase(settled.by, names),
            settled.at,
            settled.text,
            dispute_view.dispute.is_undone,
            crossing_version(dispute_view.dispute, table.tips),
        ),
        context.address.plain().url(),
    )


def _with_ruling(
    context: TableContext, panel: DisputePanel, dispute_view: DisputeView, judgement: Judgement
) -> DisputePanel:
    """The panel with the ruling on the disputed move."""
    words = context.words
    findings, effects = context.worth_saying(judgement.verdict.findings), context.worth_saying(judgement.effects)
    spoken = {finding.rule for finding in findings}
    return replace(
        panel,
        ruling=judgement.ruling.value,
        reasons=reasons(words, findings, context.address, effects),
        rules=tuple(rule for rule in panel.rules if rule.rule not in spoken),
        consequences=consequences(words, effects, findings),
        non_objecting_rules=tuple(find_non_objecting_rules(words, dispute_view.state, judgement)),
        others=tuple(other_readings(words, judgement)),
        decided_by_reading=dispute_view.reading_decides,
        export_ruling=_exported_ruling(words, dispute_view),
    )


def _exported_ruling(words: Words, dispute_view: DisputeView) -> ExportedRuling | None:
    """The ruling on the disputed entry, or else on the dispute, in an export."""
    table, about = dispute_view.table, dispute_view.about
    disputed = about if about.entry is None else table.entries[about.entry - 1]
    return exported_ruling(words, disputed, table.hear(disputed)) if isinstance(disputed, RuledEntry) else None


def _rules(words: Words, context: TableContext, dispute_view: DisputeView) -> Iterator[RuleRow]:
    """The relevant rules, each once."""
    for rule in dispute_view.relevant_rules:
        rule_info: Any = game_info.rule(context.game, rule, words.language)
        yield RuleRow(rule, rule_info["title"], rule_info["text"], rule_info["printed"])


def _is_shown(dispute_view: DisputeView, remedy_preview: RemedyPreview) -> bool:
    """Whether to offer a remedy: it changes something, somebody has confirmed it, or it lets all stand."""
    changes = remedy_preview.totals is None or remedy_preview.revision.state != dispute_view.table.state
    always = remedy_preview.remedy in (STANDS, NO_CHANGE)
    return always or changes or remedy_preview.remedy in dispute_view.confirmations.values()


def _remedy(context: TableContext, dispute_view: DisputeView, remedy_preview: RemedyPreview) -> RemedyRow:
    """A remedy in words: what it does, and who has confirmed it."""
    names = player_names(context.table, context.words)
    adjusts = remedy_preview.remedy == ADJUST
    here = url_for("web.here", table_id=context.table.id, dispute=dispute_view.number) if adjusts else ""
    return RemedyRow(
        remedy_preview.remedy,
        remedy_words(remedy_preview.remedy),
        tuple(_remedy_lines(context, remedy_preview, names)),
        ""
        if remedy_preview.first_misfit is None
        else misfit_text(context.words, context.table, remedy_preview.first_misfit),
        tuple(names[seat] for seat, remedy in dispute_view.confirmations.items() if remedy == remedy_preview.remedy),
        here,
    )


def _remedy_lines(context: TableContext, remedy_preview: RemedyPreview, names: dict[Seat, str]) -> Iterator[str]:
    """The entries that are undone, restored and played again, and the score afterwards, if it can be computed."""
    if remedy_preview.totals is None:
        yield _("The host enters what lies there, and then sees what changes.")
        return
    revision = remedy_preview.revision
    if revision.lost_entries:
        yield _("No longer in play: %(moves)s", moves=entries_text(context, revision.lost_entries))
    if revision.restored_entries:
        yield _("In play again: %(moves)s", moves=entries_text(context, revision.restored_entries))
    if not revision.lost_entries and not revision.restored_entries:
        yield _("Nothing changes on the board.")
    if revision.steps:
        yield _("Played again: %(n)s", n=len(revision.steps))
    for step in revision.changed_steps[:MAX_NAMED]:
        yield changed_move_text(context, context.table.move_entry(step.original_number), step.seat, stands=step.stands)
    yield _("Score then: %(score)s", score=score(names, remedy_preview.totals))


def _move_text(context: TableContext, judgement: Judgement, state: State) -> str:
    """A move that was not played, in words."""
    return phrase_then(context.words, context.game, judgement.move, state)


def about_phrase(words: Words, table: Table, number: int) -> str:
    """What a dispute is about, in words."""
    about = table.dispute_entry(number)
    if about.entry is not None:
        return entry_name(words, table, about.entry)
    move = table.game.read(about.notation or "")
    return phrase_then(words, table.game, move, table.states[about.version - 1])


def who_phrase(by: str, names: dict[Seat, str]) -> str:
    """Who raised or settled a dispute."""
    return _("The host") if by == HOST else names.get(by, by)


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
