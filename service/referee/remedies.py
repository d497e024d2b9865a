"""Computes the remedies of a dispute and the effect of each, without writing anything.

A remedy removes nothing from the log. It takes moves out of play, and an undo brings them back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from rules.kernel import Seat
from rules.ranking import totals
from rules.steps import TooMuch, at_most, spend
from service.judgements import Judgement, SatisfiedRule
from service.referee import entry_effects
from service.referee.entry_effects import EntryEffect
from service.referee.replay import JudgedMisfit, Revision, replay, revision_to
from service.rulings import judge
from service.runtime.budget import BUDGET
from service.tables.decisions import ADJUST, GO_BACK, NO_CHANGE, PUT_BACK, REPLAY, STANDS, Dispute, Remedy
from service.tables.entries import Disputed, InLine, Played, ReadingsSet, Settled
from service.tables.table import Table
from service.types import State

MAX_REPLAYED: Final = BUDGET // 3
"""The most steps of a replay; a longer one is not offered as a remedy, …"""
MAX_AGAIN: Final = 200
"""… nor is a replay of more moves, since the response has the effects of each."""


class RemedyPreview(NamedTuple):
    """A remedy and its effect.

    `first_misfit`: the misfit of the revision, with its ruling. `totals`: the totals after the remedy; None if the host
    enters the position by hand.
    """

    remedy: Remedy
    revision: Revision
    first_misfit: JudgedMisfit | None
    totals: Mapping[Seat, int] | None


class DisputeView(NamedTuple):
    """A dispute in full, with its remedies, or none if it is settled.

    For a move: the ruling by today's rules on the position at that time (`state`), and the rules without an objection.
    For another entry, which has no ruling: its effect.
    """

    table: Table
    number: int
    dispute: Dispute
    about: Disputed
    state: State
    judgement: Judgement | None
    entry_effect: EntryEffect | None
    satisfied_rules: tuple[SatisfiedRule, ...]
    remedies: tuple[RemedyPreview, ...]

    @property
    def confirmations(self) -> dict[Seat, str]:
        """The remedy that each seat has confirmed, if it still counts."""
        return confirmations_of(self.table, self.dispute)

    @property
    def status(self) -> str:
        """The status of the dispute (`Dispute.status`)."""
        return self.dispute.status

    @property
    def settlement(self) -> Settled | None:
        """The last settlement of the dispute, even if it was undone since."""
        return settlement_of(self.table, self.dispute)

    @property
    def relevant_rules(self) -> tuple[str, ...]:
        """The rules that the ruling or the effect names, each once."""
        if self.judgement is None:
            return () if self.entry_effect is None else self.entry_effect.rules
        findings = [finding.rule for finding in self.judgement.verdict.findings]
        return tuple(dict.fromkeys([*findings, *(effect.rule for effect in self.judgement.effects)]))

    @property
    def reading_decides(self) -> bool:
        """Whether the ruling would differ under another reading of the rules."""
        judgement = self.judgement
        return judgement is not None and any(other.ruling is not judgement.ruling for other in judgement.alternatives)


def settlement_of(table: Table, dispute: Dispute) -> Settled | None:
    """The last settlement of a dispute, even if it was undone since."""
    entry = None if dispute.settlement_number is None else table.entries[dispute.settlement_number - 1]
    return entry if isinstance(entry, Settled) else None


def view_dispute(table: Table, number: int) -> DisputeView:
    """The dispute of a number. Raises `IndexError`."""
    about, dispute = table.dispute_entry(number), table.disputes[number - 1]
    state, judgement = table.states[about.version - 1], None
    satisfied_rules: tuple[SatisfiedRule, ...] = ()
    if about.notation is not None:
        judgement = judge.judge(table.game, state, table.game.read(about.notation))
        satisfied_rules = judge.rules_without_objection(state, judgement.move, judgement.verdict)
    effect = None if about.entry is None else entry_effects.effect_by_entry(table, about.entry)
    open_to = available_remedies(table, about) if dispute.open else ()
    return DisputeView(table, number, dispute, about, state, judgement, effect, satisfied_rules, open_to)


def confirmations_of(table: Table, dispute: Dispute) -> dict[Seat, str]:
    """The remedy that each seat has confirmed. A confirmation counts while the same moves are in play."""
    return {seat: entry.remedy for seat, entry in table.confirmations(dispute).items()}


# --- the remedies ----------------------------------------------------------------------------------------------------


class ReturnPoint(NamedTuple):
    """A version to return to, and the entries in play to repeat after it."""

    to: int
    to_replay: tuple[int, ...]


def available_remedies(table: Table, about: Disputed) -> tuple[RemedyPreview, ...]:
    """The remedies that the dispute offers now."""
    here = Revision(None, table.state)
    if about.entry is None or not entry_effects.is_in_play(table, about.entry):
        found = [_make_preview(table, NO_CHANGE, here), *_put_back_previews(table, about)]
    else:
        found = [_make_preview(table, STANDS, here)]
    before = _point_before(table, about)
    if before is not None and (back := _version_preview(table, GO_BACK, before.to)) is not None:
        found.append(back)
        replayed = None if about.entry is None else _replay_preview(table, about.entry, before, back.revision)
        found += [] if replayed is None else [replayed]
    reads = about.entry is not None and isinstance(table.entries[about.entry - 1], ReadingsSet)
    return tuple(found) if reads else (*found, RemedyPreview(ADJUST, here, None, None))


def _point_before(table: Table, about: Disputed) -> ReturnPoint | None:
    """The point before the disputed entry or move; None if the table cannot return there."""
    if about.entry is None or isinstance(table.entries[about.entry - 1], InLine):
        return _point_in_line(table, about)
    if about.entry == 1 or not entry_effects.is_in_play(table, about.entry):
        return None
    last = entry_effects.last_of(table.entries[about.entry - 1])
    return ReturnPoint(about.version, tuple([number for number in table.line if number > last]))


def _point_in_line(table: Table, about: Disputed) -> ReturnPoint | None:
    """The same for an entry in the line of play, or for a move that was not played."""
    tip = table.tips[about.version - 1]
    if about.entry not in (None, *table.line) or tip not in (1, *table.line):
        return None
    count_before = 0 if tip == 1 else table.line.index(tip) + 1
    moved = about.entry is None or isinstance(table.entries[about.entry - 1], Played)
    return ReturnPoint(tip, table.line[count_before if moved else count_before + 1 :])


def _put_back_previews(table: Table, about: Disputed) -> Iterator[RemedyPreview]:
    """The return to the last version with the disputed entry in play, if it stands in a line of play."""
    if about.entry is None or not isinstance(table.entries[about.entry - 1], InLine):
        return
    with_it, last = {about.entry}, about.entry
    for version in range(about.entry, table.version + 1):
        tip = table.tips[version - 1]
        if tip in with_it or (tip > 1 and table.tips[tip - 2] in with_it):
            with_it.add(tip)
            last = version
    if (offer := _version_preview(table, PUT_BACK, last)) is not None:
        yield offer


def _version_preview(table: Table, remedy: Remedy, to: int) -> RemedyPreview | None:
    """A remedy that restores the table of a version; None if the same entries are in play now."""
    revision = revision_to(table, to)
    return _make_preview(table, remedy, revision) if revision.lost_entries or revision.restored_entries else None


def _make_preview(
    table: Table, remedy: Remedy, revision: Revision, first_misfit: JudgedMisfit | None = None
) -> RemedyPreview:
    """A remedy, with the score after it."""
    return RemedyPreview(remedy, revision, first_misfit, totals(table.game, revision.state))


def _replay_preview(table: Table, disputed: int, before: ReturnPoint, back: Revision) -> RemedyPreview | None:
    """The replay of the entries after a return, as far as the rules allow; None if there are none, or too much work.

    A later move that the table let stand stands again; the disputed move is played only if it is legal. A forbidden
    move is left out, and the next one is tried without it. Other entries are repeated unchanged.
    """
    found = None
    with at_most(MAX_REPLAYED) as effort, suppress(TooMuch):
        found = _replay_unlimited(table, disputed, before, back) if before.to_replay else None
    spend(effort.steps)
    return found


def _replay_unlimited(table: Table, disputed: int, before: ReturnPoint, back: Revision) -> RemedyPreview | None:
    done = replay(table, Revision(before.to, table.states[before.to - 1]), before.to_replay, disputed_entry=disputed)
    again = frozenset(before.to_replay)
    also_lost = tuple([number for number in back.lost_entries if number not in again])
    if not also_lost and not back.restored_entries:
        if not done.lost_entries:
            return _make_preview(table, REPLAY, Revision(None, table.state))
        # entries before the first lost one stay
        first = table.line.index(done.lost_entries[0])
        steps = tuple([step for step in done.steps if step.original_number > done.lost_entries[0]])
        done = done._replace(to=table.line[first - 1] if first else 1, steps=steps)
    if len(done.steps) > MAX_AGAIN:
        return None
    first_misfit = None if done.first_misfit is None else done.first_misfit.judge_in_full(table.game)
    return _make_preview(
        table,
        REPLAY,
        done._replace(lost_entries=(*also_lost, *done.lost_entries), restored_entries=back.restored_entries),
        first_misfit,
    )
