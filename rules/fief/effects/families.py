"""Fief: marriages and the crown: alliances that are made and ended, the queen, and who follows a king (`FI-10` ff.)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.fief.effects.sentence_values import dead_lords, evidence_of
from rules.fief.lords import Pair, of_church, pairs, queen
from rules.fief.state import State
from rules.fief.style import style, styles
from rules.kernel import Effect, Value


def alliances(before: State, after: State) -> Iterator[Effect]:
    """`FI-10`: the alliances that a marriage makes, and those that end with one."""
    was, now = list(pairs(before)), list(pairs(after))
    for code, some, others, state in (("alliance", now, was, after), ("alliance_over", was, now, before)):
        for pair in some:
            if pair not in others:
                yield _alliance(state, code, pair)


def _alliance(state: State, code: str, pair: Pair) -> Effect:
    (one, other), (lord, spouse) = pair
    values: dict[str, Value] = {"one": one, "other": other, "lord": style(state, lord), "spouse": style(state, spouse)}
    return effect("FI-10", code, values, evidence_of(*pair.spouses))


def crown(before: State, after: State) -> Iterator[Effect]:
    """`FI-94`, `FI-11`: the new king or regent, what an election ends, and the new queen."""
    if (before.king, before.regent) != (after.king, after.regent):
        yield from (_accession(before, after) if before.king in dead_lords(before, after) else _regency(before, after))
    wife, new = queen(before), queen(after)
    if new is not None and new != wife and after.king is not None:
        yield effect("FI-11", "queen", {"lord": style(before, new)}, evidence_of(new))
    if before.king is not None and wife is not None and wife != new and wife in after.lords:
        yield effect("FI-11", "queen_no_more", {"lord": style(after, wife)}, evidence_of(wife))


def _accession(before: State, after: State) -> Iterator[Effect]:
    """The king is dead: a prince follows, or the queen is regent, or nobody."""
    values: dict[str, Value] = {"dead": before.king}
    heir, widow = after.king, after.regent
    if heir is not None:
        yield effect("FI-94", "king", {**values, "lord": style(before, heir)}, evidence_of(heir))
    elif widow is not None:
        yield effect("FI-94", "regent", {**values, "lord": style(before, widow)}, evidence_of(widow))
    else:
        yield effect("FI-94", "no_king", values)
    princes = [name for name in before.princes if name in after.lords]
    ahead = princes[: princes.index(heir)] if heir in princes else princes
    if passed := [name for name in ahead if of_church(after, name) is not None]:
        yield effect("FI-94", "passed_over", {"lords": styles(after, passed), "n": len(passed)}, evidence_of(*passed))


def _regency(before: State, after: State) -> Iterator[Effect]:
    """A regency ends with the election of a king, or with the regent's death."""
    if before.regent is not None and after.regent is None:
        code = "regency_over" if after.king is not None else "regent_dead"
        yield effect(
            "FI-94", code, {"lord": style(before, before.regent)}, evidence_of(*({before.regent} & after.lords.keys()))
        )
    if after.king in before.princes:
        yield effect("FI-94", "prince_no_more", {"lord": style(after, after.king or "")}, evidence_of(after.king))
