"""Fief: murders and justice (`FI-90`), and what becomes of the dead: titles, crown and fiefs (`FI-91` to `FI-94`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rules.fief.lords import fiefs_of, from_the_first, is_of, of_church, own, queen, rank_of
from rules.fief.moves import Assassin, Inherit, Justice, Move
from rules.fief.offices import crowned
from rules.fief.state import Army, Estate, Lord, State
from rules.fief.style import style
from rules.kernel import Fact, Facts, Value

# --- murder and justice (FI-90) ----------------------------------------------------------------------------------


def may_murder(state: State, move: Assassin) -> Facts | None:
    """`FI-90`: a lord in play dies; another one is the instigator, who is named or not (`assassin_instigator`)."""
    if move.lord not in state.lords:
        return Facts("absent", {"lord": move.lord})
    hidden = state.readings["assassin_instigator"] == "hidden"
    if move.by is not None:
        if hidden:
            return Facts("hidden", {"lord": style(state, move.by)})
        if move.by not in state.lords:
            return Facts("absent", {"lord": move.by})
        return Facts("himself", {"lord": style(state, move.by)}, (Fact((move.by,)),)) if move.by == move.lord else None
    if not hidden:
        return Facts("named", {"colour": move.player})
    others = [name for name in own(state, move.player) if name != move.lord]
    return None if others else Facts("nobody", {"colour": move.player, "lord": style(state, move.lord)})


def murdered(state: State, move: Assassin) -> State:
    """The table after a murder: the instigator is marked, or the player has an open murder."""
    if move.by is not None:
        marked = state.lords[move.by]._replace(marked=True)
        state = state._replace(lords={**state.lords, move.by: marked})
    elif move.player is not None:
        murders = {**state.murders, move.player: state.murders.get(move.player, 0) + 1}
        state = state._replace(murders=murders)
    return die_by_a_card(state, move.lord)


def may_be_judged(state: State, move: Justice) -> Facts | None:
    """`FI-90`: a marked lord; where instigators stay hidden, any lord of a player with an open murder."""
    lord = state.lords.get(move.lord)
    if lord is None:
        return Facts("absent", {"lord": move.lord})
    if state.readings["assassin_instigator"] == "hidden":
        innocent = not state.murders.get(lord.player)
        return Facts("no_murder", {"colour": lord.player}, (Fact((move.lord,)),)) if innocent else None
    return None if lord.marked else Facts("unmarked", {"lord": style(state, move.lord)}, (Fact((move.lord,)),))


def judged(state: State, move: Justice) -> State:
    """The table after justice is done; the player's murder is not open any more."""
    player = state.lords[move.lord].player
    if state.readings["assassin_instigator"] == "hidden" and state.murders.get(player):
        left = {**state.murders, player: state.murders[player] - 1}
        state = state._replace(murders={each: number for each, number in left.items() if number})
    return die_by_a_card(state, move.lord)


# --- death (FI-91) -----------------------------------------------------------------------------------------------


def die_by_a_card(state: State, name: str) -> State:
    """The table after a lord has died by a card; in phases 6 and 7 the army stays (`FI-71`)."""
    if state.phase in ("movements", "combats"):
        lord, rank = state.lords[name], rank_of(state, name)
        army = Army(name, lord.player, lord.place, rank.lay, rank.church)
        state = state._replace(armies=(*state.armies, army))
    return die(state, [name])


def die(state: State, dead: Sequence[str]) -> State:
    """The table after some lords have died at once: all leave, then the crown passes, then the fiefs."""
    if not dead:
        return state
    after = _crown_passed(state, _left(state, set(dead)), dead)
    order = from_the_first(state)
    for name in sorted(dead, key=lambda each: (order.index(state.lords[each].player), state.land.order[each])):
        after = _estate_passed(state, after, name)
    return after


def _left(state: State, dead: Collection[str]) -> State:
    """Lords have left the table, with their church titles, marriages, marks, and what they were to become."""
    pope_dies = state.pope in dead
    lords = {name: _bereaved(lord, dead, absolved=pope_dies) for name, lord in state.lords.items() if name not in dead}
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


def _bereaved(lord: Lord, dead: Collection[str], *, absolved: bool) -> Lord:
    if lord.spouse not in dead and not (absolved and lord.excommunicated):
        return lord
    spouse = None if lord.spouse in dead else lord.spouse
    return lord._replace(spouse=spouse, excommunicated=lord.excommunicated and not absolved)


# --- the crown (FI-94) -------------------------------------------------------------------------------------------


def _crown_passed(before: State, after: State, dead: Sequence[str]) -> State:
    """`FI-94`: a dead king's eldest living crown prince is king, else his widow is regent."""
    if before.king is None or before.king not in dead:
        return after
    heir = next((prince for prince in after.princes if of_church(after, prince) is None), None)
    if heir is not None:
        return crowned(after, heir)
    widow = queen(before)
    return after._replace(regent=widow) if widow in after.lords else after


# --- the fiefs (FI-92, FI-93) ------------------------------------------------------------------------------------


def _estate_passed(before: State, after: State, name: str) -> State:
    """`FI-92`, `FI-93`: fiefs go to the player's only lord, or wait for the heir to be named; else to the widow or
    widower, else to the king.
    """
    fiefs = tuple(fiefs_of(before, name))
    if not fiefs:
        return after
    player, spouse = before.lords[name].player, before.lords[name].spouse
    heirs = own(after, player)
    if len(heirs) > 1:
        return after._replace(estates=(*after.estates, Estate(name, player, fiefs)))
    if heirs:
        return inherited(after, name, heirs[0], fiefs)
    return inherited(after, name, spouse, fiefs) if spouse in after.lords else after


def inherited(state: State, dead: str, heir: str | None, fiefs: Sequence[str]) -> State:
    """The table after fiefs were inherited; who inherits within the family can lead the dead lord's army."""
    if heir is None:
        return state
    player = state.lords[heir].player
    armies = tuple(
        replace(army, heir=heir) if army.lord == dead and army.player == player else army for army in state.armies
    )
    return state._replace(titles={**state.titles, **dict.fromkeys(fiefs, heir)}, armies=armies)


def first_heir(state: State, move: Move) -> Facts:
    """`FI-92`: nothing else happens before the heir is named."""
    return Facts("pending", {"kind": move.kind, **estate(state)})


def estate(state: State) -> dict[str, Value]:
    """The first of the dead whose heir is to be named, and the player, for a sentence."""
    first = state.estates[0]
    return {"dead": first.lord, "colour": first.player, "fiefs": first.fiefs}


def may_inherit(state: State, move: Inherit) -> Facts | None:
    """`FI-92`: the heir of the dead lord who is asked about, among the lords of the same player."""
    first = state.estates[0]
    if move.dead != first.lord:
        return Facts("other", {"lord": move.dead, **estate(state)})
    if is_of(state, move.heir, first.player):
        return None
    known = (Fact((move.heir,)),) if move.heir in state.lords else ()
    return Facts("stranger", {"lord": style(state, move.heir), **estate(state)}, known)


def heir_named(state: State, move: Inherit) -> State:
    """The table after the heir of a dead lord is named."""
    first, *others = state.estates
    return inherited(state._replace(estates=tuple(others)), first.lord, move.heir, first.fiefs)
