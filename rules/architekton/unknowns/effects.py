"""Architekton: the fillings for the effects of an entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rules.architekton.moves import Land, Move
from rules.architekton.state import State
from rules.architekton.unknowns.combinations import Arms, fillings
from rules.architekton.unknowns.contents import Hand, unique_fillings
from rules.architekton.unknowns.scope import relevant_cells
from rules.effects import ENDED, OF_EVERY_GAME
from rules.fillings import Filling
from rules.kernel import Cell, Effect

EVERYWHERE: Final = frozenset({"AR-2", "AR-13", "AR-30", "AR-31", "AR-32", "AR-33", "AR-40"})
"""The rules whose effects count tiles, houses or groups of the whole town."""


def effect_fillings(state: State, move: Move, unknown: Sequence[Cell]) -> Iterator[Filling]:
    """The fillings of a ruling; for a landscape fewer, but with houses of both players on settled buildings."""
    cells = relevant_cells(state, move, unknown)
    if not isinstance(move, Land):
        yield from fillings(state, move, cells)
        return
    hand = Hand(state, move)
    yield from filter(hand.has_tile, unique_fillings(Arms(state, move, cells).ways_for_effects()))


def is_end_certain(state: State, move: Move, unknown: Sequence[Cell]) -> bool:
    """Whether the move depends on no unknown cell: only those and the piles decide whether the game ends."""
    return all(isinstance(cell, str) for cell in relevant_cells(state, move, unknown))


def is_certain(state: State, move: Move, unknown: Sequence[Cell], effect: Effect) -> bool:
    """False for counts over the whole town, for chips if several buildings may be settled, and for houses in supply.

    Points and the end need known cells only; a player who cannot pay has lost (`AR-22`), whatever lies elsewhere.
    """
    if effect.facts.code == ENDED and effect.rule == "AR-22":
        return is_end_certain(state, move, unknown)
    if effect.facts.code in OF_EVERY_GAME:
        return all(isinstance(cell, str) for cell in unknown)
    values = effect.facts.values
    if effect.rule in EVERYWHERE or "houses" in values or effect.facts.code == "no_house":
        return not unknown
    return not {"chips", "pool"} & values.keys() or len(relevant_cells(state, move, unknown)) < 2
