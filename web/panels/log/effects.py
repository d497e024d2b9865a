"""The effect of an entry that is not a move, in sentences, and the board after it: for the pages of a dispute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeVar

from rules.kernel import Fact, Ruling, Seat
from rules.records import dataclass
from service.i18n import sentences
from service.i18n.sentences import Words
from service.referee.entry_effects import EntryEffect, ReadingChange
from service.referee.replay import JudgedMisfit
from service.tables.entries import Checkpoint, Played
from service.tables.table import Table
from web.board.scene import Light
from web.browser.language import _
from web.panels.context import Focus, TableContext
from web.panels.log.entries import entry_phrase
from web.panels.sentences import join_clauses

P = TypeVar("P")
MAX_NAMED: Final = 4
"""The maximum number of named entries among those that are lost or restored."""
MAX_TOLD: Final = 12
"""The maximum number of changes in sentences."""


@dataclass(frozen=True, slots=True)
class EffectRows:
    """The effect of an entry in sentences. `why` are rules with their objections, `changes` the differences on the
    board.
    """

    lines: tuple[str, ...]
    why: tuple[tuple[str, str], ...]
    changes: tuple[str, ...]


def effect_rows(context: TableContext, effect: EntryEffect) -> EffectRows:
    """Put the effect of an entry into sentences."""
    words, comparison = context.words, effect.comparison
    why = [(each.rule, words.finding_text(each)) for each in effect.problems]
    why += [] if comparison is None else [(each.rule, words.objection_text(each)) for each in comparison.why]
    changes = () if comparison is None else tuple(map(words.change_text, comparison.changes[:MAX_TOLD]))
    return EffectRows(tuple(_lines(context, effect)), tuple(why), changes)


def _lines(context: TableContext, effect: EntryEffect) -> Iterator[str]:
    """The sentences on the effect of an entry, without the objections and the differences on the board."""
    words, comparison = context.words, effect.comparison
    if comparison is not None and not _repeats_entry(effect):
        yield words.reachability_text(
            comparison.reachability.value, comparison.way, comparison.why, comparison.searched_depth
        )
    for one in effect.readings:
        yield from _reading_change_lines(words, one)
    if effect.revision.lost_entries:
        yield _("No longer in play: %(entries)s", entries=entries_text(context, effect.revision.lost_entries))
    if effect.revision.restored_entries and not effect.readings and comparison is None:
        yield _("In play again: %(entries)s", entries=entries_text(context, effect.revision.restored_entries))
    if effect.amendment is not None and effect.amendment.first_misfit is not None:
        yield misfit_text(words, context.table, effect.amendment.first_misfit)
    names = context.names()
    if effect.before != effect.after:
        yield _("Score before: %(score)s", score=score(names, effect.before))
        yield _("Score after: %(score)s", score=score(names, effect.after))


def _repeats_entry(effect: EntryEffect) -> bool:
    """Whether today's rules say of a position what the entry, which is the title, says already."""
    entry, comparison = effect.entry, effect.comparison
    if comparison is None or not isinstance(entry, Checkpoint):
        return False
    return (comparison.reachability, comparison.way, bool(comparison.why), comparison.searched_depth) == (
        entry.led,
        entry.way,
        bool(entry.why),
        entry.looked,
    )


def _reading_change_lines(words: Words, one: ReadingChange) -> Iterator[str]:
    """How a reading was changed, and why it could matter now."""
    reading = words.text["readings"][one.key]
    was, now = (reading["values"][value].rstrip(".") for value in (one.old_value, one.new_value))
    yield _("%(reading)s: %(now)s. Before: %(was)s", reading=reading["title"], now=now, was=was)
    for why in one.matters:
        yield sentences.say(words.language, "matters", why.code)


def entries_text(context: TableContext, numbers: tuple[int, ...]) -> str:
    """Entries in the line of play in words: the first ones, and the number of the others."""
    table = context.table
    some = join_clauses(entry_phrase(context.words, table, table.line_entry(number)) for number in numbers[:MAX_NAMED])
    more = len(numbers) - MAX_NAMED
    return some + (_(" and %(n)s more", n=more) if more > 0 else "")


def changed_move_text(context: TableContext, was: Played, seat: Seat | None, *, stands: bool) -> str:
    """The sentence on a repeated move that now belongs to another player, or whose legality has changed."""
    number, what = context.table.move_number(was.number), entry_phrase(context.words, context.table, was)
    if seat and seat != was.seat:
        whose = context.words.player(seat)
        return _("No. %(number)s, %(what)s: now %(whose)s’s move", number=number, what=what, whose=whose)
    if stands:
        return _("No. %(number)s, %(what)s: no longer legal, but it stands", number=number, what=what)
    return _("No. %(number)s, %(what)s: was let stand, and is now legal", number=number, what=what)


def score(names: Mapping[Seat, str], totals: Mapping[Seat, int]) -> str:
    """The points of all players in words."""
    return ", ".join(f"{names[seat]} {total}" for seat, total in totals.items())


def misfit_text(words: Words, table: Table, breaks: JudgedMisfit) -> str:
    """The sentence on the first move that does not fit any more."""
    number = table.move_number(breaks.entry)
    found, ruling = breaks.judgement.verdict.findings, breaks.judgement.ruling
    why = next((words.finding_text(each) for each in found if each.ruling is ruling is not Ruling.LEGAL), "")
    if breaks.turn is not None and not why:
        who = words.player(breaks.turn)
        return _("No. %(number)s no longer fits: it would be %(who)s’s turn.", number=number, who=who)
    return _("No. %(number)s no longer fits: %(why)s", number=number, why=why)


def effect_focus(context: TableContext, panel: P, effect: EntryEffect) -> Focus[P]:
    """A panel below the board after an entry, with the differences lit."""
    facts = tuple(Fact(each.cells) for each in effect.changes if each.cells)
    light = Light(facts=facts, seats=context.game.seats_of(context.state))
    past = _("The board at that time")
    return Focus(panel, effect.revision.state, light=light, past=past)
