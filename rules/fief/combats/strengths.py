"""Fief, phase 7: the strength of a camp: lords, armies of the dead, and the place (`FI-71`, `FI-72`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.fief.combats.camps import fighters
from rules.fief.data import RANKS
from rules.fief.lords import CHURCH, LAY, attack_of, is_man, lay_title, lords_at, rank_of
from rules.fief.moves import Attack
from rules.fief.state import Army, State

OTHER = {True: "queen", False: "king"}
"""The crown that a man, and a woman, cannot have."""
PLACES = {None: 1, "castle": 2, "city": 3}
"""The strength that a village, a castle or a city adds to its defence (`FI-72`)."""


class Part(NamedTuple):
    """A part of a camp's strength: its kind, the lord or the village, and the strength."""

    code: str
    name: str
    n: int


def led_armies(state: State, move: Attack) -> list[Army]:
    """The dead lords' armies that join the attack (reading `dead_army`): their heir leads them on the spot.

    Only a lord with a fief has such an army.
    """
    if state.readings["dead_army"] == "defends":
        return []
    heirs = {name for player in move.attackers for name in fighters(state, move.village, player)}
    led = [army for army in state.armies if army.place == move.village and army.heir in heirs]
    return [army for army in led if state.lay_armies or army_strength(state, army)]


def army_strength(state: State, army: Army) -> int:
    """The strength of a dead lord's highest fief title, or 0 without one; crown and d'Arc do not count.

    In an old table it is that of the highest lay title.
    """
    if state.lay_armies:
        return army.lay
    return army.fief or (army.lay if army.lay in RANKS else 0)


def attack_parts(state: State, move: Attack) -> list[Part]:
    """`FI-71`: the strength of the attack, lord by lord, and of the armies that join it."""
    names = [name for player in move.attackers for name in fighters(state, move.village, player)]
    lords = [_lay_part(state, name, attack_of(state, name)) for name in names]
    return lords + [Part("army", army.lord, army_strength(state, army)) for army in led_armies(state, move)]


def defence_parts(state: State, move: Attack) -> list[Part]:
    """`FI-71`, `FI-72`: the strength of the defence: lords, armies of the dead, and the place if an enemy's."""
    village = move.village
    names = [name for player in move.enemies for name in lords_at(state, village, player)]
    parts = [_defender(state, name) for name in names]
    armies = (army for army in state.armies if army.place == village and army.player in move.enemies)
    parts += [Part("army", army.lord, max(army.lay, army.church)) for army in armies]
    if at_stake(state, move):
        building = state.buildings.get(village)
        parts.append(Part(building or "village", village, PLACES[building]))
    return parts


def at_stake(state: State, move: Attack) -> bool:
    """`FI-72`: whether an enemy controls the place."""
    return state.control.get(move.village) in move.enemies


def _defender(state: State, name: str) -> Part:
    rank = rank_of(state, name)
    if rank.church <= rank.lay:
        return _lay_part(state, name, rank.lay)
    word = next(title for title, strength in CHURCH.items() if strength == rank.church)
    return Part(word, name, rank.church)


def _lay_part(state: State, name: str, n: int) -> Part:
    """A lord's part of a strength, by the lay title that gives it."""
    return Part(_lay_title(state, name, n), name, n)


def _lay_title(state: State, name: str, n: int) -> str:
    """The lay title that gives this strength: one that the lord has now, or had at the start of phase 6."""
    now = lay_title(state, name)
    if LAY[now] == n:
        return now
    return next(title for title, strength in LAY.items() if strength == n and title != OTHER[is_man(state, name)])


def strength(parts: Sequence[Part]) -> int:
    """The strength of a camp."""
    return sum(part.n for part in parts)
