"""Fief: the list of legal moves, kind by kind, the move of the list that stands for a legal one, and what is nearest.

A list of every election, group of lords or attack would be endless, so some stand for others: an election by who is
elected, a group that marches by one of its lords (or all who are there), an attack by one enemy and the least or the
most that dice can show, an instigator by the first lord of the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from heapq import nsmallest
from itertools import product
from typing import Any

from rules.fief import elections, marches
from rules.fief.book import BOOK
from rules.fief.combats import battle, can_be_attacked, fighters
from rules.fief.conquest import takers
from rules.fief.lords import castles_of, city_of, controls_all, is_man, own, queen
from rules.fief.moves import (
    Absolve,
    Annul,
    Assassin,
    Attack,
    Bishop,
    BuyCard,
    BuyCardinal,
    BuyCastle,
    BuyTitle,
    CardinalMove,
    Cede,
    Election,
    Excommunicate,
    Give,
    Inherit,
    Justice,
    King,
    LordsVote,
    March,
    Marry,
    Move,
    Next,
    PlayArc,
    PlayCardinal,
    PlayLord,
    Pope,
    Siege,
    Take,
)
from rules.fief.purchases import entries
from rules.fief.rounds import kinds_due, phase
from rules.fief.state import State
from rules.kernel import Cell, Ruling

NEAREST = 3


# --- the list ----------------------------------------------------------------------------------------------------


def moves(state: State, kinds: Sequence[str] | None = None) -> Iterator[Move]:
    """The legal moves, of some kinds only where kinds are named."""
    now = phase(state)
    for form in kinds_due(state):
        if kinds is None or form.kind in kinds:
            row = BOOK[now, form]
            for move in LISTED[form](state):
                if not any(_objects(rule.objects(state, move)) for rule in row):
                    yield move


def _objects(facts: Any) -> bool:
    return facts is not None and facts.ruling is not Ruling.LEGAL


def _lords(state: State) -> list[str]:
    return sorted(state.lords, key=state.land.order.__getitem__)


def _marriages(state: State) -> Iterator[Move]:
    lords = _lords(state)
    men = [name for name in lords if is_man(state, name)]
    women = [name for name in lords if not is_man(state, name)]
    return (Marry(man, woman) for man, woman in product(men, women))


def _bishops(state: State) -> Iterator[Move]:
    number = elections.bishopric_due(state)
    if number is not None:
        yield from (Bishop(number, (name,)) for name in elections.candidates(state, Bishop.kind))
        yield Bishop(number)


def _popes(state: State) -> Iterator[Move]:
    yield from (Pope((name,)) for name in elections.candidates(state, Pope.kind))
    yield Pope()


def _kings(state: State) -> Iterator[Move]:
    for name in elections.candidates(state, King.kind):
        move = unanimous(state, name)
        if elections.elected(state, move) == name:
            yield move
    yield King()


def unanimous(state: State, name: str) -> King:
    """The election of a king for whom everybody votes."""
    return King((name,), tuple(LordsVote(voter, name) for voter in elections.voters(state, King())))


def _castles(state: State) -> Iterator[Move]:
    return (BuyCastle(village) for village in _villages(state) if village not in state.buildings)


def _villages(state: State) -> list[str]:
    return [village for village in state.land.villages if state.control.get(village) == state.turn]


def _titles(state: State) -> Iterator[Move]:
    for fief, villages in state.land.fiefs.items():
        if city_of(state, fief) is None and controls_all(state, state.turn, villages):
            for name, at in product(own(state, state.turn), _sites(state, fief, state.turn)):
                yield BuyTitle(fief, name, at)


def _sites(state: State, fief: str, player: str | None) -> Sequence[str | None]:
    """The castles to choose from; one castle need not be named."""
    castles = castles_of(state, fief, player)
    return (None,) if len(castles) == 1 else castles


def _asked(state: State) -> Any:
    """The pope's player, where another one than the player in turn."""
    player = state.lords[state.pope].player if state.pope else None
    return None if player == state.turn else player


def _cardinals_bought(state: State) -> Iterator[Move]:
    return (BuyCardinal(name, _asked(state)) for name in own(state, state.turn))


def _cardinals_played(state: State) -> Iterator[Move]:
    return (PlayCardinal(name, _asked(state)) for name in own(state, state.turn))


def _lords_played(state: State) -> Iterator[Move]:
    places = entries(state, state.turn)
    mother = queen(state)
    son = (False, True) if mother and state.lords[mother].player == state.turn else (False,)
    cards = [name for name in (*state.land.men, *state.land.women) if name not in state.lords]
    return (PlayLord(name, village, dauphin) for name, village, dauphin in product(cards, places, son))


def _arcs(state: State) -> Iterator[Move]:
    return (PlayArc(name) for name in own(state, state.turn) if not is_man(state, name))


def _gifts(state: State) -> Iterator[Move]:
    for fief, villages in state.land.fiefs.items():
        if city_of(state, fief) is not None:
            yield from (Give(fief, name) for name in _lords(state))
            continue
        player = state.control.get(villages[0])
        if player is not None and controls_all(state, player, villages):
            sites = _sites(state, fief, player)
            yield from (Give(fief, name, at) for name, at in product(own(state, player), sites))


def _cessions(state: State) -> Iterator[Move]:
    return (Cede(village, player) for village, player in product(_villages(state), state.colours))


def _marches(state: State) -> Iterator[Move]:
    for start, group in _groups(state).items():
        parties = [(name,) for name in group]
        for party in (*parties, tuple(group)) if len(group) > 1 else parties:
            for path in _paths(state, (start,), marches.steps_of(state, party)):
                yield March(party, path, marches.consents_needed(state, state.turn, path))


def _groups(state: State) -> dict[str, list[str]]:
    """The lords of the player in turn who have not moved, by where they are."""
    groups: dict[str, list[str]] = {}
    for name in own(state, state.turn):
        if name not in state.moved:
            groups.setdefault(state.lords[name].place, []).append(name)
    return groups


def _paths(state: State, path: tuple[str, ...], steps: int) -> Iterator[tuple[str, ...]]:
    for village in state.land.roads[path[-1]]:
        further = (*path, village)
        yield further
        if steps > 1:
            yield from _paths(state, further, steps - 1)


def _attacks(state: State) -> Iterator[Move]:
    places = dict.fromkeys(state.lords[name].place for name in own(state, state.turn))
    for village in places:
        if village in state.attacked or not fighters(state, village, state.turn or ""):
            continue
        for enemy in can_be_attacked(state, village):
            if enemy != state.turn:
                yield from dict.fromkeys(_outcomes(state, village, enemy).values())


def _outcomes(state: State, village: str, enemy: Any) -> dict[int, Attack]:
    """The attacks that stand for all against one enemy: won, lost, and neither if the dice are lowest."""
    dull = Attack(village, (state.turn,), (enemy,), (0, 0))  # type: ignore[arg-type]  # somebody is in turn here
    dice = battle(state, dull).dice
    thrown = {1: (dice.most, dice.least), -1: (dice.least, dice.most), 0: (dice.least, dice.least)}
    return {sign: replace(dull, dice=sums) for sign, sums in thrown.items()}


def _sieges(state: State) -> Iterator[Move]:
    return (Siege(village) for village in state.land.villages if village in state.buildings)


def _takes(state: State) -> Iterator[Move]:
    captured = state.captured
    return iter(()) if captured is None else (Take(captured.fief, name) for name in takers(state))


def _heirs(state: State) -> Iterator[Move]:
    first = state.estates[0]
    return (Inherit(first.lord, name) for name in own(state, first.player))


def _murders(state: State) -> Iterator[Move]:
    hidden = state.readings["assassin_instigator"] == "hidden"
    families = [(player, own(state, player)) for player in state.colours]
    for victim, (player, family) in product(_lords(state), families):
        instigators = [name for name in family if name != victim]
        if instigators:
            yield Assassin(victim, player=player) if hidden else Assassin(victim, by=instigators[0])


def _annulments(state: State) -> Iterator[Move]:
    order = state.land.order
    for name in _lords(state):
        spouse = state.lords[name].spouse
        if spouse is not None and order[name] < order[spouse]:
            yield Annul((name, spouse))


def _alone(move: Move) -> Callable[[State], Iterable[Move]]:
    return lambda _: (move,)


def _each_lord(form: Any) -> Callable[[State], Iterable[Move]]:
    return lambda state: (form(name) for name in _lords(state))


LISTED: Mapping[type[Move], Callable[[State], Iterable[Move]]] = {
    Marry: _marriages,
    Bishop: _bishops,
    Pope: _popes,
    King: _kings,
    BuyCastle: _castles,
    BuyCard: _alone(BuyCard()),
    BuyTitle: _titles,
    BuyCardinal: _cardinals_bought,
    PlayLord: _lords_played,
    PlayCardinal: _cardinals_played,
    PlayArc: _arcs,
    Give: _gifts,
    Cede: _cessions,
    March: _marches,
    Attack: _attacks,
    Siege: _sieges,
    Take: _takes,
    Inherit: _heirs,
    Assassin: _murders,
    Justice: _each_lord(Justice),
    Excommunicate: _each_lord(Excommunicate),
    Absolve: _each_lord(Absolve),
    Annul: _annulments,
    Next: _alone(Next()),
}
"""Moves worth trying, among which are all that the list names; the rulebook decides."""


# --- what stands for a legal move --------------------------------------------------------------------------------


def entry(state: State, move: Move) -> Move:
    """The one move of the list that stands for a legal move."""
    stand_in = STAND_INS.get(type(move))
    return move if stand_in is None or type(move) not in kinds_due(state) else stand_in(state, move)


def _outcome(state: State, move: Election) -> Move:
    """Elections with the same outcome stand for each other."""
    best = elections.elected(state, move)
    if elections.may_stand(state, move) or _objects(elections.may_vote(state, move)):
        return move
    if isinstance(move, King):
        if elections.excommunicated_voter(state, move):
            return move
        return King() if best is None else unanimous(state, best)
    candidates = () if best is None else (best,)
    return Pope(candidates) if isinstance(move, Pope) else Bishop(move.bishopric, candidates)


def _unnamed(state: State, move: BuyTitle | Give) -> Move:
    """A castle need not be named where there is only one."""
    if move.fief not in state.land.fiefs or move.lord not in state.lords:
        return move
    castles = castles_of(state, move.fief, state.lords[move.lord].player)
    return replace(move, at=None) if castles == [move.at] else move


def _with_consent(state: State, move: CardinalMove) -> Move:
    return replace(move, consent=None) if _asked(state) is None else move


def _one_of_them(state: State, move: March) -> Move:
    """All who are there march together, or one of them stands for the others: d'Arc, if she is with them."""
    consents = marches.consents_needed(state, state.turn, move.path)
    if not set(consents) <= set(move.consents):
        return move
    lead = next((name for name in move.lords if name == state.arc), move.lords[0])
    lords: tuple[str, ...] = (lead,)
    if len(move.lords) > 1 and sorted(move.lords) == sorted(_groups(state).get(move.path[0], ())):
        lords = tuple(_groups(state)[move.path[0]])
    return replace(move, lords=lords, consents=consents)


def _one_enemy(state: State, move: Attack) -> Move:
    enemies = [player for player in state.colours if player in move.enemies and player != state.turn]
    if move.attackers[0] != state.turn or not enemies or move.village not in state.land.fief_of:
        return move
    outcomes = _outcomes(state, move.village, enemies[0])
    if move in outcomes.values():
        return move
    lead = battle(state, move).lead
    return outcomes[(lead > 0) - (lead < 0)]


def _first_of_the_family(state: State, move: Assassin) -> Move:
    if move.by is None or move.by not in state.lords or move.by == move.lord:
        return move
    family = own(state, state.lords[move.by].player)
    return replace(move, by=next(name for name in family if name != move.lord))


def _in_order(state: State, move: Annul) -> Move:
    one, other = move.spouses
    order = state.land.order
    return Annul((other, one)) if order.get(one, 0) > order.get(other, 0) else move


STAND_INS: Mapping[type[Move], Callable[[State, Any], Move]] = {
    Bishop: _outcome,
    Pope: _outcome,
    King: _outcome,
    BuyTitle: _unnamed,
    Give: _unnamed,
    BuyCardinal: _with_consent,
    PlayCardinal: _with_consent,
    March: _one_of_them,
    Attack: _one_enemy,
    Assassin: _first_of_the_family,
    Annul: _in_order,
}


# --- cells, and what is nearest ----------------------------------------------------------------------------------


def cells_of(move: Move) -> tuple[Cell, ...]:
    """The villages that a move touches."""
    if isinstance(move, March):
        return tuple(dict.fromkeys(move.path))
    village = getattr(move, "village", None) or getattr(move, "at", None)
    return () if village is None else (village,)


def nearest(state: State, move: Move) -> tuple[Move, ...]:
    """The three legal moves of the same kind that differ least from a refused one."""
    names = [field.name for field in fields(move)]

    def unlike(other: Move) -> tuple[int, ...]:
        return tuple(_unlike(getattr(other, name), getattr(move, name)) for name in names)

    found = list(moves(state, (move.kind,)))
    return tuple(nsmallest(NEAREST, found, key=lambda other: (sum(map(bool, unlike(other))), unlike(other))))


def _unlike(one: Any, other: Any) -> int:
    """How many names of a list are not in the other one; of anything else whether it differs."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(set(one) ^ set(other)) + (one != other)
    return int(one != other)
