"""Fief, phase 7: the dice of a battle, and who is ahead (`FI-73`, `FI-74`)."""

from __future__ import annotations

from typing import NamedTuple

from rules.fief.combats.strengths import Part, attack_parts, defence_parts, strength
from rules.fief.moves import Attack
from rules.fief.state import State
from rules.kernel import Fact, Facts, Ruling, Value

STRENGTH_A_DIE = 3
BATTLE_DIE = (0, 3)
ORDINARY_DIE = (1, 6)


class Dice(NamedTuple):
    """The dice that each side throws, and the least and greatest sum of them."""

    ordinary: int
    battle: int
    least: int
    most: int


def dice_for(force: int) -> Dice:
    """`FI-73`: one battle die for every three points of the stronger side, every two replaced by an ordinary one."""
    ordinary, battle = divmod(-(-force // STRENGTH_A_DIE), 2)
    low, high = BATTLE_DIE
    least, most = (ordinary * face + battle * other for face, other in zip(ORDINARY_DIE, (low, high), strict=True))
    return Dice(ordinary, battle, least, most)


class Battle(NamedTuple):
    """The two sides of an attack, what they throw, and who is ahead by how much: above 0 the attack."""

    attack: tuple[Part, ...]
    defence: tuple[Part, ...]
    dice: Dice
    lead: int


def battle(state: State, move: Attack) -> Battle:
    """The strengths of an attack, its dice, and what comes out (`FI-74`)."""
    attack, defence = attack_parts(state, move), defence_parts(state, move)
    one, other = strength(attack), strength(defence)
    lead = one + move.dice[0] - other - move.dice[1]
    return Battle(tuple(attack), tuple(defence), dice_for(max(one, other)), lead)


def possible_dice(state: State, move: Attack) -> Facts | None:
    """`FI-73`: the sums can be thrown; shows strengths, dice and totals."""
    sides = battle(state, move)
    attack, defence = strength(sides.attack), strength(sides.defence)
    evidence = tuple(Fact((part.name,), {"strength": part.n}) for part in (*sides.attack, *sides.defence))
    dice = sides.dice
    values: dict[str, Value] = {"n": 2 * dice.ordinary + dice.battle, "attack": attack, "defence": defence}
    if not all(dice.least <= thrown <= dice.most for thrown in move.dice):
        return Facts("", {**values, "least": dice.least, "most": dice.most}, evidence)
    one, other = move.dice
    values |= {"attack_dice": one, "defence_dice": other}
    values |= {"attack_total": attack + one, "defence_total": defence + other}
    code = "legal_won" if sides.lead > 0 else "legal_lost" if sides.lead < 0 else "legal_even"
    return Facts(code, values, evidence, Ruling.LEGAL)
