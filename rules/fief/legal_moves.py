"""Fief: the list of legal moves, kind by kind.

A list of every election, group of lords or attack would be endless, so some stand for others: an election
for who is elected, one lord or all who are there for a group that marches, an attack on one enemy and the least or the
most that dice can show, an instigator for the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from rules.defaults import legal_among
from rules.fief import marches
from rules.fief.book import BOOK
from rules.fief.combats.camps import can_be_attacked, fighters
from rules.fief.combats.conquest import takers
from rules.fief.combats.dice import battle
from rules.fief.elections import eligibility, vacancies, voting
from rules.fief.lords import castles_of, city_of, controlled_villages, controls_all, is_man, lords_of, queen
from rules.fief.moves import (
    Absolve,
    Annul,
    Assassin,
    Attack,
    BuyCard,
    BuyCardinal,
    BuyCastle,
    BuyTitle,
    Cede,
    Excommunicate,
    Give,
    Inherit,
    Justice,
    March,
    Marry,
    Move,
    Next,
    PlayArc,
    PlayCardinal,
    PlayLord,
    Siege,
    Take,
)
from rules.fief.purchases.cardinals import consenting_player
from rules.fief.purchases.lord_cards import entries
from rules.fief.rounds import kinds_due, phase
from rules.fief.state import State
from rules.fief.votes import Bishop, King, LordsVote, Pope


def _lords(state: State) -> list[str]:
    return sorted(state.lords, key=state.land.order.__getitem__)


def _marriages(state: State) -> Iterator[Move]:
    lords = _lords(state)
    men = [name for name in lords if is_man(state, name)]
    women = [name for name in lords if not is_man(state, name)]
    return (Marry(man, woman) for man, woman in product(men, women))


def _bishops(state: State) -> Iterator[Move]:
    number = vacancies.bishopric_due(state)
    if number is not None:
        yield from (Bishop(number, (name,)) for name in eligibility.candidates(state, Bishop.kind))
        yield Bishop(number)


def _popes(state: State) -> Iterator[Move]:
    yield from (Pope((name,)) for name in eligibility.candidates(state, Pope.kind))
    yield Pope()


def _kings(state: State) -> Iterator[Move]:
    for name in eligibility.candidates(state, King.kind):
        move = unanimous(state, name)
        if voting.election_winner(state, move) == name:
            yield move
    yield King()


def unanimous(state: State, name: str) -> King:
    """The election of a king for whom everybody votes."""
    return King((name,), tuple(LordsVote(voter, name) for voter in voting.voters(state, King())))


def _castles(state: State) -> Iterator[Move]:
    return (BuyCastle(village) for village in controlled_villages(state, state.turn) if village not in state.buildings)


def _titles(state: State) -> Iterator[Move]:
    for fief, villages in state.land.fiefs.items():
        if city_of(state, fief) is None and controls_all(state, state.turn, villages):
            for name, at in product(lords_of(state, state.turn), _sites(state, fief, state.turn)):
                yield BuyTitle(fief, name, at)


def _sites(state: State, fief: str, player: str | None) -> Sequence[str | None]:
    """The castles to choose from; a single castle need not be named."""
    castles = castles_of(state, fief, player)
    return (None,) if len(castles) == 1 else castles


def _cardinals_bought(state: State) -> Iterator[Move]:
    return (BuyCardinal(name, consenting_player(state, BuyCardinal)) for name in lords_of(state, state.turn))


def _cardinals_played(state: State) -> Iterator[Move]:
    return (PlayCardinal(name, consenting_player(state, PlayCardinal)) for name in lords_of(state, state.turn))


def _lords_played(state: State) -> Iterator[Move]:
    places = entries(state, state.turn)
    mother = queen(state)
    son = (False, True) if mother and state.lords[mother].player == state.turn else (False,)
    cards = [name for name in (*state.land.men, *state.land.women) if name not in state.lords]
    return (PlayLord(name, village, dauphin) for name, village, dauphin in product(cards, places, son))


def _arcs(state: State) -> Iterator[Move]:
    return (PlayArc(name) for name in lords_of(state, state.turn) if not is_man(state, name))


def _gifts(state: State) -> Iterator[Move]:
    for fief, villages in state.land.fiefs.items():
        if city_of(state, fief) is not None:
            yield from (Give(fief, name) for name in _lords(state))
            continue
        player = state.control.get(villages[0])
        if player is not None and controls_all(state, player, villages):
            sites = _sites(state, fief, player)
            yield from (Give(fief, name, at) for name, at in product(lords_of(state, player), sites))


def _cessions(state: State) -> Iterator[Move]:
    villages = [village for village in state.land.villages if village in state.control]
    if state.readings["exchanges"] == "purchases":
        villages = controlled_villages(state, state.turn)
    return (Cede(village, player) for village, player in product(villages, state.colours))


def _marches(state: State) -> Iterator[Move]:
    for start, group in groups(state).items():
        parties = [(name,) for name in group]
        for party in (*parties, tuple(group)) if len(group) > 1 else parties:
            yield from marches_of(state, party, start)


def marches_of(state: State, party: tuple[str, ...], start: str) -> Iterator[Move]:
    """The marches of some lords together, to each place by each path."""
    for path in _paths(state, (start,), marches.steps_of(state, party)):
        yield March(party, path, marches.consents_needed(state, state.turn, path))


def groups(state: State) -> dict[str, list[str]]:
    """The lords of the player in turn who have not moved, by place."""
    groups: dict[str, list[str]] = {}
    for name in lords_of(state, state.turn):
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
    places = dict.fromkeys(state.lords[name].place for name in lords_of(state, state.turn))
    for village in places:
        if village in state.attacked or not fighters(state, village, state.turn or ""):
            continue
        for enemy in can_be_attacked(state, village):
            if enemy != state.turn:
                yield from dict.fromkeys(outcomes(state, village, enemy).values())


def outcomes(state: State, village: str, enemy: object) -> dict[int, Attack]:
    """The attacks that stand for all attacks on one enemy: won, lost, and neither with the lowest dice."""
    return attack_by_outcome(state, Attack(village, (state.turn,), (enemy,), (0, 0)))  # type: ignore[arg-type]  # somebody is in turn here


def attack_by_outcome(state: State, dull: Attack) -> dict[int, Attack]:
    """An attack by outcome: won, lost, and neither with the lowest dice."""
    dice = battle(state, dull).dice
    sums = {1: (dice.most, dice.least), -1: (dice.least, dice.most), 0: (dice.least, dice.least)}
    return {sign: replace(dull, dice=each) for sign, each in sums.items()}


def _sieges(state: State) -> Iterator[Move]:
    return (Siege(village) for village in state.land.villages if village in state.buildings)


def _takes(state: State) -> Iterator[Move]:
    captured = state.captured
    return iter(()) if captured is None else (Take(captured.fief, name) for name in takers(state))


def _heirs(state: State) -> Iterator[Move]:
    first = state.estates[0]
    return (Inherit(first.lord, name) for name in lords_of(state, first.player))


def _murders(state: State) -> Iterator[Move]:
    hidden = state.readings["assassin_instigator"] == "hidden"
    families = [(player, lords_of(state, player)) for player in state.colours]
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


LISTS: Mapping[type[Move], Callable[[State], Iterable[Move]]] = {
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
"""Candidates, among which are all moves of the list; the rulebook decides which of them are legal."""

moves = legal_among(BOOK, phase, LISTS, kinds_due)
