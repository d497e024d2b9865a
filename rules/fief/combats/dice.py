"""Fief, phase 7: the dice of a battle, and who is ahead (`FI-73`, `FI-74`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from rules.fief.combats.strengths import Part, attack_parts, defence_parts, strength
from rules.fief.moves import Attack, Move
from rules.fief.state import State
from rules.kernel import LEGAL, NOTHING, ORDINARY, ORDINARY_FACES, Fact, Facts, Value
from rules.styled_name import StyledName

STRENGTH_A_DIE = 3
BATTLE: Final = "battle"
DICE: Final[Mapping[str, tuple[int, ...]]] = {ORDINARY: ORDINARY_FACES, BATTLE: (0, 1, 1, 2, 2, 3)}
"""The faces of each kind of die."""
CAMPS: Final = ("attack", "defence")
NONE_THROWN: Final = StyledName("none", "no_dice", {})
NOT_THROWN: Final = (0, 0)
"""The sums of an attack before the dice are thrown."""


class Dice(NamedTuple):
    """The dice that each side throws, and the least and greatest sum of them."""

    ordinary: int
    battle: int
    least: int
    most: int


def dice_for(force: int) -> Dice:
    """`FI-73`: one battle die for every three points of the stronger side, every two replaced by an ordinary one."""
    ordinary, battle = divmod(-(-force // STRENGTH_A_DIE), 2)
    least, most = (ordinary * end(DICE[ORDINARY]) + battle * end(DICE[BATTLE]) for end in (min, max))
    return Dice(ordinary, battle, least, most)


def dice_thrown(state: State, move: Move) -> Mapping[str, Mapping[str, int]]:
    """`FI-73`: the dice that each camp of an attack throws, while their sums are still 0."""
    if not isinstance(move, Attack) or move.dice != NOT_THROWN:
        return NOTHING
    dice = battle(state, move).dice
    each = {kind: number for kind, number in ((ORDINARY, dice.ordinary), (BATTLE, dice.battle)) if number}
    return dict.fromkeys(CAMPS, each) if each else NOTHING


def dice_words(dice: Dice) -> tuple[str, ...]:
    """The dice that each side throws, in words: those that are left after every two battle dice are replaced."""
    codes = {
        "ordinary": (dice.ordinary, "dice_ordinary" if dice.ordinary > 1 else "die_ordinary"),
        "battle": (dice.battle, "die_battle"),
    }
    return tuple(StyledName(kind, code, {"n": n}) for kind, (n, code) in codes.items() if n) or (NONE_THROWN,)


class Battle(NamedTuple):
    """The two sides of an attack, their dice, and the lead of the attack, below 0 if the defence is ahead."""

    attack: tuple[Part, ...]
    defence: tuple[Part, ...]
    dice: Dice
    lead: int


def battle(state: State, move: Attack) -> Battle:
    """The strengths of an attack, its dice, and its outcome (`FI-74`)."""
    attack, defence = attack_parts(state, move), defence_parts(state, move)
    one, other = strength(attack), strength(defence)
    lead = one + move.dice[0] - other - move.dice[1]
    return Battle(tuple(attack), tuple(defence), dice_for(max(one, other)), lead)


def sums_are_possible(dice: Dice, move: Attack) -> bool:
    """Whether both sums of an attack are possible with these dice."""
    return all(dice.least <= thrown <= dice.most for thrown in move.dice)


def possible_dice(state: State, move: Attack) -> Facts | None:
    """`FI-73`: the sums are possible with the dice; shows strengths, dice and totals."""
    sides = battle(state, move)
    attack, defence = strength(sides.attack), strength(sides.defence)
    evidence = tuple(Fact((part.name,), {"strength": part.n}) for part in (*sides.attack, *sides.defence))
    dice = sides.dice
    values: dict[str, Value] = {"n": 2 * dice.ordinary + dice.battle, "attack": attack, "defence": defence}
    if not sums_are_possible(dice, move):
        return Facts("", {**values, "thrown": dice_words(dice), "least": dice.least, "most": dice.most}, evidence)
    one, other = move.dice
    values |= {"attack_dice": one, "defence_dice": other}
    values |= {"attack_total": attack + one, "defence_total": defence + other}
    code = "legal_won" if sides.lead > 0 else "legal_lost" if sides.lead < 0 else "legal_even"
    return Facts(code, values, evidence, LEGAL)
