"""Fief: what a move brings about, beside its own piece.

Each kind of move tells its own first (`elections`, `market`, `roads`, `combats`, `deaths`, `papacy`, `rounds`); then
come, whatever the move was, what ends with the dead, alliances and the crown (`families`), whole fiefs and what each
is short of (`holdings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.fief import moves
from rules.fief.effects import combats, deaths, families, holdings, market, papacy, roads, rounds
from rules.fief.effects.elections import election
from rules.fief.effects.said import falls_with
from rules.fief.state import State
from rules.kernel import Effect

OWN: Mapping[type[moves.Move], Callable[[State, Any, State], Iterator[Effect]]] = {
    moves.Bishop: election,
    moves.Pope: election,
    moves.King: election,
    moves.BuyCastle: market.castle,
    moves.BuyCard: market.card,
    moves.BuyTitle: market.title_bought,
    moves.BuyCardinal: market.cardinal,
    moves.PlayLord: market.lord,
    moves.PlayCardinal: market.cardinal,
    moves.PlayArc: market.arc,
    moves.Give: market.gift,
    moves.Cede: market.cession,
    moves.March: roads.march,
    moves.Attack: combats.attack,
    moves.Siege: combats.siege,
    moves.Take: combats.take,
    moves.Inherit: deaths.heir,
    moves.Assassin: deaths.murder,
    moves.Justice: deaths.justice,
    moves.Excommunicate: papacy.excommunication,
    moves.Absolve: papacy.absolution,
    moves.Next: rounds.gone_on,
}
"""What each kind of move tells itself. A marriage and its end are told by what follows from them."""


STANDING = frozenset(
    {
        ("FI-81", "short"),
        ("FI-81", "enough"),
        ("FI-82", "short"),
        ("FI-82", "enough"),
        ("FI-75", "kept"),
        ("FI-75", "not_his"),
    }
)
"""What tells how the table stands: what each is short of, and the villages that stay where they were."""


def effects(before: State, move: moves.Move, after: State) -> tuple[Effect, ...]:
    """What a move brings about, the most telling first."""
    own = OWN.get(type(move))
    told = [] if own is None else list(own(before, move, after))
    dead = len(after.lords) < len(before.lords)
    if dead:
        fallen = falls_with(before, move) if before.control is not after.control else None
        told += [*families.crown(before, after), *deaths.estates(before, after, fallen), *deaths.ends(before, after)]
    if dead or isinstance(move, moves.Marry | moves.Annul):
        told += families.alliances(before, after)
    if not dead and isinstance(move, moves.Marry | moves.Annul | moves.King):
        told += families.crown(before, after)
    if after.armies is not before.armies:
        told += deaths.armies(before, after)
    if after.control is not before.control:
        told += holdings.villages(before, after)
    if after.sieges is not before.sieges:
        told += combats.lifted(before, after)
    if dead or isinstance(move, moves.Marry | moves.Annul) or _offices(before) != _offices(after):
        told += holdings.short_of(before, after)
    return tuple(told)


def _offices(state: State) -> tuple[object, ...]:
    """What brings points."""
    return state.titles, state.king, state.pope
