"""Fief: the one move of the list that stands for a legal move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from rules.defaults import passes
from rules.fief import marches
from rules.fief.combats.camps import can_attack, can_be_attacked
from rules.fief.combats.dice import battle
from rules.fief.elections import eligibility, voting
from rules.fief.legal_moves import attack_by_outcome, groups, marches_of, outcomes, unanimous
from rules.fief.lords import castles_of, lords_of
from rules.fief.moves import (
    Annul,
    Assassin,
    Attack,
    BuyCardinal,
    BuyTitle,
    CardinalMove,
    Election,
    Give,
    March,
    Move,
    PlayCardinal,
)
from rules.fief.purchases.cardinals import consenting_player
from rules.fief.rounds import kinds_due
from rules.fief.state import State
from rules.fief.votes import Bishop, King, Pope
from rules.kernel import Rule

VOTES: Rule[State, Election] = Rule("FI-22", voting.may_vote)


def stand_in(state: State, move: Move) -> Move:
    """The one move of the list that stands for a legal move; of any other move, what it would be."""
    find = STAND_INS.get(type(move))
    return move if find is None or type(move) not in kinds_due(state) else find(state, move)


def _outcome(state: State, move: Election) -> Move:
    """Elections with the same outcome stand for each other."""
    best = voting.election_winner(state, move)
    if eligibility.may_stand(state, move) or not passes((VOTES,), state, move):
        return move
    if isinstance(move, King):
        if voting.excommunicated_voter(state, move):
            return move
        return King() if best is None else unanimous(state, best)
    candidates = () if best is None else (best,)
    return Pope(candidates) if isinstance(move, Pope) else Bishop(move.bishopric, candidates)


def _without_castle(state: State, move: BuyTitle | Give) -> Move:
    """A castle need not be named where there is only one."""
    if move.fief not in state.land.fiefs or move.lord not in state.lords:
        return move
    castles = castles_of(state, move.fief, state.lords[move.lord].player)
    return replace(move, at=None) if castles == [move.at] else move


def _with_consent(state: State, move: CardinalMove) -> Move:
    return replace(move, consent=None) if consenting_player(state, type(move)) is None else move


def _one_of_them(state: State, move: March) -> Move:
    """All who are there march together, or one of them stands for the others: d'Arc, if she is with them."""
    consents = marches.consents_needed(state, state.turn, move.path)
    if not set(consents) <= set(move.consents):
        return move
    lead = next((name for name in move.lords if name == state.arc), move.lords[0])
    lords: tuple[str, ...] = (lead,)
    if len(move.lords) > 1 and sorted(move.lords) == sorted(groups(state).get(move.path[0], ())):
        lords = tuple(groups(state)[move.path[0]])
    return replace(move, lords=lords, consents=consents)


def _one_enemy(state: State, move: Attack) -> Move:
    enemies = [player for player in state.colours if player in move.enemies and player != state.turn]
    if move.attackers[0] != state.turn or not enemies or move.village not in state.land.fief_of:
        return move
    found = outcomes(state, move.village, enemies[0])
    if move in found.values():
        return move
    lead = battle(state, move).lead
    return found[(lead > 0) - (lead < 0)]


def _first_of_the_family(state: State, move: Assassin) -> Move:
    if move.by is None or move.by not in state.lords or move.by == move.lord:
        return move
    family = lords_of(state, state.lords[move.by].player)
    return replace(move, by=next(name for name in family if name != move.lord))


def _in_order(state: State, move: Annul) -> Move:
    one, other = move.spouses
    order = state.land.order
    return Annul((other, one)) if order.get(one, 0) > order.get(other, 0) else move


STAND_INS: Mapping[type[Move], Callable[[State, Any], Move]] = {
    Bishop: _outcome,
    Pope: _outcome,
    King: _outcome,
    BuyTitle: _without_castle,
    Give: _without_castle,
    BuyCardinal: _with_consent,
    PlayCardinal: _with_consent,
    March: _one_of_them,
    Attack: _one_enemy,
    Assassin: _first_of_the_family,
    Annul: _in_order,
}


def unlisted_move(state: State, move: Move, chance: Random) -> Move:
    """Some of those who are there march; there are allies, or several enemies; another one of the family murders."""
    if isinstance(move, March):
        group = groups(state)[move.path[0]]
        party = tuple(chance.sample(group, chance.randint(1, len(group))))
        return chance.choice(list(marches_of(state, party, move.path[0])) or [move])
    if isinstance(move, Attack) and state.turn is not None:
        friends = [player for player in can_attack(state, move.village) if player != state.turn]
        beside = tuple(chance.sample(friends, chance.randint(0, len(friends))))
        others = [each for each in can_be_attacked(state, move.village) if each not in (state.turn, *beside)]
        against = tuple(chance.sample(others, chance.randint(min(1, len(others)), len(others)))) or move.enemies
        ways = attack_by_outcome(state, Attack(move.village, (state.turn, *beside), against, (0, 0)))
        return chance.choice(list(ways.values()))
    if isinstance(move, Assassin) and move.by is not None:
        family = lords_of(state, state.lords[move.by].player)
        return replace(move, by=chance.choice([name for name in family if name != move.lord]))
    return move
