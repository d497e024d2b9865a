"""Fief: the effects of a death: what ends with it, who inherits, which army stays (`FI-90` to `FI-93`)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.fief.combats.camps import can_still_attack, fighters
from rules.fief.combats.strengths import army_strength
from rules.fief.effects.sentence_values import dead_lords, evidence_of, figure
from rules.fief.lords import fiefs_of, lords_of, sees_of, sovereign
from rules.fief.moves import Assassin, Inherit, Justice
from rules.fief.state import State
from rules.fief.style import style, styles, titles
from rules.kernel import Effect, Value
from rules.styled_name import StyledName

# --- murders and justice (FI-90) ---------------------------------------------------------------------------------


def murder(before: State, move: Assassin, after: State) -> Iterator[Effect]:
    """`FI-90`: the lord who dies, the lord who is marked, or the number of murders that a player has to answer for."""
    yield _death_of(before, "murdered", move.lord)
    if move.by is not None and move.by in after.lords and not before.lords[move.by].marked:
        yield effect("FI-90", "marked", {"lord": style(after, move.by)}, evidence_of(move.by))
    if move.player is not None:
        yield effect("FI-90", "open", {"colour": move.player, "n": after.murders[move.player]})


def justice(before: State, move: Justice, after: State) -> Iterator[Effect]:
    """`FI-90`: the lord who is put to death, and the murders that the player still has to answer for."""
    yield _death_of(before, "judged", move.lord)
    player = before.lords[move.lord].player
    was, now = before.murders.get(player, 0), after.murders.get(player, 0)
    if now != was:
        yield effect("FI-90", "atoned", {"colour": player, "n": now})


def _death_of(before: State, code: str, name: str) -> Effect:
    lord = before.lords[name]
    return effect("FI-90", code, {"lord": style(before, name), "colour": lord.player}, evidence_of(lord.place))


# --- what ends with the dead (FI-91) -----------------------------------------------------------------------------


def ends(before: State, after: State) -> Iterator[Effect]:
    """`FI-91`: the marriages, church titles and other offices of the dead."""
    dead = dead_lords(before, after)
    for name in dead:
        spouse = before.lords[name].spouse
        if spouse is not None and spouse in after.lords:
            values: dict[str, Value] = {"lord": name, "spouse": style(after, spouse)}
            yield effect("FI-91", "widowed", values, evidence_of(spouse))
        free = vacated_titles(before, name)
        if free:
            yield effect("FI-91", "free", {"lord": name, "free": free, "n": len(free)})
        marks = tuple(_marks(before, name))
        if marks:
            yield effect("FI-91", "gone", {"lord": name, "gone": marks, "n": len(marks)})
    if before.pope in dead:
        yield from _end_of_excommunications(before, after)


def vacated_titles(state: State, name: str, *, with_see: bool = True) -> tuple[str, ...]:
    """The church titles of a lord that become free when the lord loses them; perhaps without the Holy See."""
    found = [
        StyledName(str(n), "free_see", {"number": n, "village": state.land.seats[n]}) for n in sees_of(state, name)
    ]
    if name in state.cardinals:
        found.append(StyledName("cardinal", f"free_{state.cardinals[name]}", {}))
    if with_see and name == state.pope:
        found.append(StyledName("pope", "free_pope", {}))
    return tuple(found)


def _marks(state: State, name: str) -> Iterator[str]:
    lord = state.lords[name]
    held = {
        "excommunication": lord.excommunicated,
        "mark": lord.marked,
        "prince": name in state.princes,
        "arc": name == state.arc,
    }
    return (StyledName(mark, f"gone_{mark}", {}) for mark, holds in held.items() if holds)


def _end_of_excommunications(before: State, after: State) -> Iterator[Effect]:
    """`FI-95`: the excommunications that end with the pope's death."""
    free = [name for name, lord in after.lords.items() if before.lords[name].excommunicated and not lord.excommunicated]
    if free:
        yield effect("FI-95", "pope_dead", {"lords": styles(after, free), "n": len(free)}, evidence_of(*free))


# --- who inherits (FI-92, FI-93) ---------------------------------------------------------------------------------


def estates(before: State, after: State, fallen: str | None) -> Iterator[Effect]:
    """`FI-92`, `FI-93`: the heir of each of the dead, or who names one, or that the crown takes the fiefs.

    `fallen` is a fief that an attack has taken with its city.
    """
    for name in dead_lords(before, after):
        fiefs = [fief for fief in fiefs_of(before, name) if fief != fallen]
        if fiefs:
            yield _estate(before, after, name, fiefs)


def _estate(before: State, after: State, name: str, fiefs: list[str]) -> Effect:
    player, heir = before.lords[name].player, after.titles.get(fiefs[0])
    values: dict[str, Value] = {"dead": name, "titles": titles(before, fiefs), "n": len(fiefs)}
    if any(estate.lord == name for estate in after.estates):
        heirs = lords_of(after, player)
        return effect("FI-92", "asked", {**values, "colour": player, "lords": tuple(heirs)}, evidence_of(*heirs))
    if heir is not None:
        code = "inherits" if after.lords[heir].player == player else "widow"
        return effect("FI-92", code, {**values, "lord": style(before, heir)}, evidence_of(heir))
    crown = sovereign(after)
    if crown is None:
        return effect("FI-93", "waits", values)
    return effect("FI-93", "falls", {**values, "lord": style(after, crown)}, evidence_of(crown))


def heir(before: State, move: Inherit, after: State) -> Iterator[Effect]:
    """`FI-92`: the heir who is named."""
    fiefs = before.estates[0].fiefs
    values: dict[str, Value] = {"dead": move.dead, "titles": titles(after, fiefs), "n": len(fiefs)}
    yield effect("FI-92", "inherits", {**values, "lord": style(before, move.heir)}, evidence_of(move.heir))


# --- the armies of the dead (FI-71) ------------------------------------------------------------------------------


def armies(before: State, after: State) -> Iterator[Effect]:
    """`FI-71`: the army that a death by a card leaves, and whether an heir there can attack with it."""
    was = {army.lord: army for army in before.armies}
    for army in after.armies:
        values: dict[str, Value] = {"dead": army.lord, "village": army.place}
        if army.lord not in was:
            n = max(army.lay, army.church)
            yield effect("FI-71", "army", {**values, "colour": army.player, "n": n}, evidence_of(army.place))
        leader = was[army.lord].heir if army.lord in was else None
        if army.heir == leader or not army_strength(after, army) or after.readings["dead_army"] == "defends":
            continue
        if army.heir is None:
            yield effect("FI-71", "leaderless", values, evidence_of(army.place))
        elif can_still_attack(after, army.place) and army.heir in fighters(after, army.place, army.player):
            leads: dict[str, Value] = {**values, "lord": style(after, army.heir), "n": army_strength(after, army)}
            yield effect("FI-71", "leads", leads, evidence_of(army.heir, army.place))


def army_dispersal(before: State, after: State) -> Iterator[Effect]:
    """`FI-71`: the armies that leave at the end of phase 7."""
    if before.armies and not after.armies:
        parts = tuple(figure(army.lord, "army_of", max(army.lay, army.church)) for army in before.armies)
        yield effect("FI-71", "dispersed", {"armies": parts, "n": len(parts)})
