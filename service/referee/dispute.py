"""Plans the entries of a dispute in memory: to raise it, to confirm a remedy, to settle it."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from service.errors import AlreadyDisputed, AlreadySettled, Forbidden, Invalid, NoDispute, NoRemedy
from service.referee import enter_position, plans
from service.referee.plans import Plan
from service.referee.remedies import RemedyPreview, available_remedies, confirmations_of
from service.tables.codec import findings_to_keep
from service.tables.decisions import ADJUST, Remedy
from service.tables.entries import Confirmed, Disputed, NoEntry, Played, Settled
from service.tables.keys import HOST, Role
from service.tables.table import Table
from service.types import Move, Position
from service.validation import FieldError


class SettlementRequest(NamedTuple):
    """The host's settlement of a dispute: a remedy, the table's decision in words, and for `adjust` the position."""

    remedy: Remedy
    text: str = ""
    position: Position | None = None


class DisputeSubject(NamedTuple):
    """The subject of a dispute: an entry that shapes the table, or a move that was not played."""

    entry: int | None
    move: Move | None = None


def plan_dispute(table: Table, role: Role, about: DisputeSubject, question: str, now: datetime) -> Plan:
    """Plan the entry that raises a dispute. Raises `Invalid` if the entry cannot be disputed, `AlreadyDisputed`."""
    game, number = table.game, table.version + 1
    notation = _disputed_move(table, about.entry) if about.move is None else game.write(about.move)
    dispute_entry = Disputed(number, now, role.name, about.entry, notation, question, rules_version=game.rules_version)
    if notation is not None:
        verdict = game.check(table.states[dispute_entry.version - 1], game.read(notation))
        dispute_entry = dispute_entry._replace(ruling=verdict.ruling, findings=findings_to_keep(verdict.findings))
    for each, dispute in enumerate(table.disputes, start=1):
        if dispute.open and _is_same_dispute(table, table.dispute_entry(each), dispute_entry):
            raise AlreadyDisputed(table, each)
    return plans.add_entry(Plan(table, (), ()), dispute_entry)


def _disputed_move(table: Table, entry: int | None) -> str | None:
    """The move of an entry, in notation; None for another entry. Raises `Invalid`."""
    try:
        disputed = table.disputable_entry(entry or 0)
    except NoEntry:
        raise Invalid([("/about/entry", FieldError("not_disputable"))]) from None
    return disputed.notation if isinstance(disputed, Played) else None


def _is_same_dispute(table: Table, one: Disputed, other: Disputed) -> bool:
    """Whether two disputes are about the same entry, or the same move in the same state."""
    return (one.entry, one.notation) == (other.entry, other.notation) and (
        table.tips[one.version - 1] == table.tips[other.version - 1]
    )


def plan_confirmation(table: Table, role: Role, number: int, remedy: Remedy, now: datetime) -> Plan:
    """Plan a seat's confirmation of a remedy; the last seat's settles the dispute. Only the host may adjust.

    The plan is empty if the seat's confirmation of the same remedy still counts.

    Raises `Forbidden`, `NoDispute`, `AlreadySettled`, `NoRemedy`.
    """
    if role.seat is None:
        raise Forbidden(table, "seats")
    if remedy == ADJUST:
        raise Forbidden(table, "host")
    offer = _find_remedy(table, number, remedy)
    plan = Plan(table, (), ())
    if confirmations_of(table, table.disputes[number - 1]).get(role.seat) != remedy:
        plan = plans.add_entry(plan, Confirmed(table.version + 1, now, role.name, number, remedy))
    confirmations = confirmations_of(plan.table, plan.table.disputes[number - 1])
    if all(confirmations.get(seat) == remedy for seat in table.game.seats_of(table.state)):
        return _add_settlement(plan, role, number, offer, "", now)
    return plan


def plan_settlement(table: Table, role: Role, number: int, how: SettlementRequest, now: datetime) -> Plan:
    """Plan the host's settlement. Raises `Forbidden`, `NoDispute`, `AlreadySettled`, `NoRemedy`, `Impossible`."""
    if role.kind != HOST:
        raise Forbidden(table, "host")
    offer = _find_remedy(table, number, how.remedy)
    if how.position is not None:
        offer = offer._replace(revision=enter_position.revision_by_position(table, role, how.position, now))
    return _add_settlement(Plan(table, (), ()), role, number, offer, how.text, now)


def _find_remedy(table: Table, number: int, remedy: Remedy) -> RemedyPreview:
    """A remedy for an open dispute. Raises `NoDispute`, `AlreadySettled`, `NoRemedy`."""
    if not table.has_dispute(number):
        raise NoDispute(table.id)
    if not table.disputes[number - 1].open:
        raise AlreadySettled(table.id)
    found = {offer.remedy: offer for offer in available_remedies(table, table.dispute_entry(number))}
    if remedy not in found:
        raise NoRemedy(table, tuple(found))
    return found[remedy]


def _add_settlement(plan: Plan, role: Role, number: int, offer: RemedyPreview, text: str, now: datetime) -> Plan:
    """A plan with a dispute's settlement, and the entries that carry it out."""
    plan = plans.add_entry(plan, Settled(plan.table.version + 1, now, role.name, number, offer.remedy, text))
    return plans.add_revision(plan, offer.revision, now, dispute=number, by=role.name)
