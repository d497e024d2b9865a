"""Fief: the effects of the pope's powers (`FI-95`)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.fief.effects.deaths import vacated_titles
from rules.fief.effects.sentence_values import evidence_of
from rules.fief.moves import Absolve, Excommunicate
from rules.fief.state import State
from rules.fief.style import style
from rules.kernel import Effect


def excommunication(before: State, move: Excommunicate, after: State) -> Iterator[Effect]:
    """`FI-95`: a lord has no vote and does not stand; bishop's and cardinal's titles are lost."""
    lord = style(before, move.lord)
    yield effect("FI-95", "silenced", {"lord": lord}, evidence_of(move.lord))
    free = vacated_titles(before, move.lord, with_see=False)
    if free:
        yield effect("FI-95", "loses", {"lord": move.lord, "free": free, "n": len(free)}, evidence_of(move.lord))


def absolution(before: State, move: Absolve, after: State) -> Iterator[Effect]:
    """`FI-95`: a lord votes and stands again; what was lost does not come back."""
    yield effect("FI-95", "heard_again", {"lord": style(before, move.lord)}, evidence_of(move.lord))
