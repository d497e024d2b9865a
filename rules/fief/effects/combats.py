"""Fief, phase 7: the effects of an attack: both sums line by line, the dead, what changes hands and what does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.effects import effect
from rules.fief.combats.conquest import spared_player, takers
from rules.fief.combats.dice import battle
from rules.fief.combats.strengths import Part, at_stake, strength
from rules.fief.effects.sentence_values import dead_lords, evidence_of, figure
from rules.fief.lords import is_man, lords_at
from rules.fief.moves import Attack, Siege, Take
from rules.fief.state import State
from rules.fief.style import LADIES, style, styles, title
from rules.kernel import Effect, Fact, Value


def attack(before: State, move: Attack, after: State) -> Iterator[Effect]:
    """`FI-71` to `FI-75`: won, lost or nothing; the two sums; the dead; the place and its fief."""
    sides, village = battle(before, move), move.village
    sums = [strength(parts) + thrown for parts, thrown in zip(sides[:2], move.dice, strict=True)]
    code = "attack_won" if sides.lead > 0 else "attack_lost" if sides.lead < 0 else "even"
    camps: dict[str, Value] = {"attackers": move.attackers, "enemies": move.enemies}
    yield effect(
        "FI-74", code, {"village": village, "attack": sums[0], "defence": sums[1], **camps}, evidence_of(village)
    )
    yield _sum(before, "attack", sides.attack, move.dice[0])
    yield _sum(before, "defence", sides.defence, move.dice[1])
    yield from _dead(before, after)
    if not at_stake(before, move):
        yield _no_stake(before, move)
    elif sides.lead > 0:
        yield from _conquest(before, move, after)


def _sum(state: State, camp: str, parts: Sequence[Part], dice: int) -> Effect:
    """`FI-71`, `FI-72`: the strength of a camp line by line, its dice, and their sum."""
    force = strength(parts)
    figures = tuple(figure(part.name, f"part_{_rank(state, part)}", part.n) for part in parts)
    values: dict[str, Value] = {"parts": figures, "strength": force, "dice": dice, "total": force + dice}
    facts = tuple(Fact((part.name,), {"strength": part.n}) for part in parts)
    return effect("FI-71", camp if parts else f"{camp}_none", values, facts)


def _rank(state: State, part: Part) -> str:
    """The source of a part of a strength; a woman's rank has its own word."""
    return part.code if part.code not in LADIES or is_man(state, part.name) else LADIES[part.code]


def _dead(before: State, after: State) -> Iterator[Effect]:
    """`FI-74`: the lords who die, and the armies of dead lords that fall with them."""
    dead = dead_lords(before, after)
    if dead:
        places = {before.lords[name].place for name in dead}
        yield effect("FI-74", "dead", {"lords": styles(before, dead), "n": len(dead)}, evidence_of(*sorted(places)))
    left = {army.lord for army in after.armies}
    fallen = tuple(army.lord for army in before.armies if army.lord not in left)
    if fallen:
        yield effect("FI-71", "army_falls", {"lords": fallen, "n": len(fallen)})


def _no_stake(before: State, move: Attack) -> Effect:
    """`FI-72`: the reason why the place gives no strength and does not change hands."""
    owner = before.control.get(move.village)
    code = "no_stake_free" if owner is None else "no_stake_own" if owner in move.attackers else "no_stake_out"
    return effect("FI-72", code, {"village": move.village, "colour": owner}, evidence_of(move.village))


# --- what changes hands (FI-75) ----------------------------------------------------------------------------------


def _conquest(before: State, move: Attack, after: State) -> Iterator[Effect]:
    village, old = move.village, before.control.get(move.village)
    built = before.buildings.get(village)
    values: dict[str, Value] = {"village": village, "colour": move.attackers[0], "was": old}
    yield effect("FI-75", built or "village", values, evidence_of(village))
    if built == "city":
        yield from _title_falls(before, move, after)
        yield from _villages_fall(before, move, after)


def _title_falls(before: State, move: Attack, after: State) -> Iterator[Effect]:
    """The new holder of the title of a captured city, or who has to choose one."""
    fief = before.land.fief_of[move.village]
    holder, taker, title_name = before.titles.get(fief), after.titles.get(fief), title(before, fief)
    if holder is not None and holder != taker:
        yield effect("FI-75", "loses", {"lord": holder, "title": title_name}, evidence_of(move.village))
    if taker is not None and taker != holder:
        yield effect(
            "FI-75", "takes", {"lord": style(before, taker), "title": title_name}, evidence_of(taker, move.village)
        )
    if after.captured is not None:
        lords = tuple(takers(after))
        yield effect(
            "FI-75", "asked", {"colour": move.attackers[0], "title": title_name, "lords": lords}, evidence_of(*lords)
        )


def _villages_fall(before: State, move: Attack, after: State) -> Iterator[Effect]:
    """The other villages of the fief: those that follow their city, and those that do not, with the reason."""
    fief, attacker, old = before.land.fief_of[move.village], move.attackers[0], before.control.get(move.village)
    others = [village for village in before.land.fiefs[fief] if village != move.village]
    won = tuple(village for village in others if before.control.get(village) != after.control.get(village))
    if won:
        yield effect("FI-75", "villages", {"villages": won, "n": len(won), "colour": attacker}, evidence_of(*won))
    holder = before.titles.get(fief)
    spared = spared_player(before, attacker, old, None if holder is None else before.lords[holder].player)
    for village in others:
        owner = after.control.get(village)
        if owner in (None, attacker):
            continue
        values: dict[str, Value] = {"village": village, "colour": owner, "was": old}
        if before.readings["city_falls"] == "controller" and owner != old:
            yield effect("FI-75", "not_his", values, evidence_of(village))
            continue
        lords = lords_at(after, village, spared)
        kept_values: dict[str, Value] = {**values, "lords": styles(after, lords), "n": len(lords), "whose": spared}
        yield effect("FI-75", "kept", kept_values, evidence_of(village, *lords))


def take(before: State, move: Take, after: State) -> Iterator[Effect]:
    """`FI-75`: a lord of the attacker has the title of the captured city."""
    values: dict[str, Value] = {"lord": style(before, move.lord), "title": title(after, move.fief)}
    yield effect("FI-75", "takes", values, evidence_of(move.lord))


# --- sieges (FI-77) ----------------------------------------------------------------------------------------------


def siege(before: State, move: Siege, after: State) -> Iterator[Effect]:
    """`FI-77`: the besieged place, and the lords who are shut in."""
    if len(after.sieges) == len(before.sieges):
        return
    village, whose = move.village, before.control.get(move.village)
    values: dict[str, Value] = {"village": village, "colour": before.turn, "whose": whose}
    yield effect("FI-77", "laid", values, evidence_of(village))
    inside = lords_at(before, village, whose)
    if inside:
        yield effect("FI-77", "shut_in", {"lords": styles(before, inside), "n": len(inside)}, evidence_of(*inside))


def siege_ends(before: State, after: State) -> Iterator[Effect]:
    """`FI-77`: the sieges that end because no besieger is left, or because the place is no longer foreign."""
    for each in before.sieges:
        if each not in after.sieges:
            yield effect("FI-77", "lifted", {"village": each.village, "colour": each.player}, evidence_of(each.village))
