"""Fief: the dead leave the table, with all their offices (`FI-91`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rules.fief.deaths.heirs import pass_on_crown, pass_on_estate
from rules.fief.lords import players_from_first, rank_of
from rules.fief.state import Army, Lord, State


def die_by_a_card(state: State, name: str) -> State:
    """The state after a lord has died by a card; in phases 6 and 7 the army stays (`FI-71`)."""
    if state.phase in ("movements", "combats"):
        lord, rank = state.lords[name], rank_of(state, name)
        army = Army(name, lord.player, lord.place, rank.lay, rank.church, fief=rank.fief)
        state = state._replace(armies=(*state.armies, army))
    return die(state, [name])


def die(state: State, dead: Sequence[str]) -> State:
    """The state after some lords have died at once: all leave, then the crown passes, then the fiefs."""
    if not dead:
        return state
    after = pass_on_crown(state, _remove_lords(state, set(dead)), dead)
    order = {player: place for place, player in enumerate(players_from_first(state))}
    # An impossible position may have lords of somebody who does not play: they come last.
    for name in sorted(
        dead, key=lambda each: (order.get(state.lords[each].player, len(order)), state.land.order[each])
    ):
        after = pass_on_estate(state, after, name)
    return after


def _remove_lords(state: State, dead: Collection[str]) -> State:
    """The state without some lords, and without their church titles, marriages, marks and claims."""
    pope_dies = state.pope in dead
    lords = {
        name: _surviving_lord(lord, dead, absolved=pope_dies) for name, lord in state.lords.items() if name not in dead
    }
    return state._replace(
        lords=lords,
        titles={fief: name for fief, name in state.titles.items() if name not in dead},
        bishops={number: name for number, name in state.bishops.items() if name not in dead},
        cardinals={name: origin for name, origin in state.cardinals.items() if name not in dead},
        pope=None if pope_dies else state.pope,
        king=None if state.king in dead else state.king,
        regent=None if state.regent in dead else state.regent,
        princes=tuple(name for name in state.princes if name not in dead),
        arc=None if state.arc in dead else state.arc,
        arc_gone=state.arc_gone or state.arc in dead,
        dead=state.dead.union(dead),
        elected=state.elected.difference(dead),
        moved=state.moved.difference(dead),
        ranks={name: rank for name, rank in state.ranks.items() if name not in dead},
        armies=tuple(replace(army, heir=None) if army.heir in dead else army for army in state.armies),
    )


def _surviving_lord(lord: Lord, dead: Collection[str], *, absolved: bool) -> Lord:
    if lord.spouse not in dead and not (absolved and lord.excommunicated):
        return lord
    spouse = None if lord.spouse in dead else lord.spouse
    return lord._replace(spouse=spouse, excommunicated=lord.excommunicated and not absolved)
