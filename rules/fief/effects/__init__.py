"""Fief: the effects of a move, a module for each kind of move and one for each thing that follows from all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from rules.fief import moves, votes
from rules.fief.effects import combats, deaths, families, holdings, market, papacy, roads, rounds
from rules.fief.effects.elections import election
from rules.fief.effects.sentence_values import dead_lords, falls_with
from rules.fief.state import State
from rules.kernel import Effect

OWN: Mapping[type[moves.Move], Callable[[State, Any, State], Iterator[Effect]]] = {
    votes.Bishop: election,
    votes.Pope: election,
    votes.King: election,
    moves.BuyCastle: market.castle,
    moves.BuyCard: market.card,
    moves.BuyTitle: market.title_purchase,
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
    moves.Next: rounds.effects_of_next,
}
"""The effects of each kind of move itself. A marriage and its end have only consequences."""


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
"""The effects about the position: what each player is short of, and the villages that do not change hands."""


def _own(before: State, move: moves.Move, after: State) -> Iterable[Effect]:
    """The effects of the kind of move itself."""
    own = OWN.get(type(move))
    return () if own is None else own(before, move, after)


def _crown_of_the_dead(before: State, _: moves.Move, after: State) -> Iterable[Effect]:
    return families.crown(before, after) if _some_died(before, after) else ()


def _estates(before: State, move: moves.Move, after: State) -> Iterable[Effect]:
    if not _some_died(before, after):
        return ()
    fallen = falls_with(before, move) if before.control is not after.control else None
    return deaths.estates(before, after, fallen)


def _ends(before: State, _: moves.Move, after: State) -> Iterable[Effect]:
    return deaths.ends(before, after) if _some_died(before, after) else ()


def _alliances(before: State, move: moves.Move, after: State) -> Iterable[Effect]:
    wed = isinstance(move, moves.Marry | moves.Annul)
    return families.alliances(before, after) if wed or _some_died(before, after) else ()


def _crown(before: State, move: moves.Move, after: State) -> Iterable[Effect]:
    crowned = isinstance(move, moves.Marry | moves.Annul | votes.King)
    return families.crown(before, after) if crowned and not _some_died(before, after) else ()


def _armies(before: State, _: moves.Move, after: State) -> Iterable[Effect]:
    return deaths.armies(before, after) if after.armies is not before.armies else ()


def _villages(before: State, _: moves.Move, after: State) -> Iterable[Effect]:
    return holdings.villages(before, after) if after.control is not before.control else ()


def _end_of_sieges(before: State, _: moves.Move, after: State) -> Iterable[Effect]:
    return combats.siege_ends(before, after) if after.sieges is not before.sieges else ()


def _short_of(before: State, move: moves.Move, after: State) -> Iterable[Effect]:
    wed = isinstance(move, moves.Marry | moves.Annul)
    changed = wed or isinstance(move, votes.Pope | votes.King) or after.titles is not before.titles
    return holdings.short_of(before, after) if changed else ()


PARTS: Final[tuple[Callable[[State, Any, State], Iterable[Effect]], ...]] = (
    *(_own, _crown_of_the_dead, _estates, _ends, _alliances, _crown, _armies, _villages, _end_of_sieges, _short_of),
)
"""The parts of the effects, in their order. Each compares the states before and after."""


def effects(before: State, move: moves.Move, after: State) -> tuple[Effect, ...]:
    """The effects of a move, the most important first."""
    return tuple(effect for part in PARTS for effect in part(before, move, after))


def _some_died(before: State, after: State) -> bool:
    return bool(dead_lords(before, after))
