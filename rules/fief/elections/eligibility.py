"""Fief, phases 2 to 4: who may stand for an office (`FI-21`, `FI-30`, `FI-41`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.fief.lords import is_man, is_titled, of_church
from rules.fief.moves import Bishop, Election, King, Pope
from rules.fief.state import State
from rules.fief.style import style
from rules.kernel import Fact, Facts


def unfit_bishop(state: State, name: str) -> str:
    """Why a lord may not stand for a bishopric (`FI-21`); nothing where he may."""
    lord = state.lords.get(name)
    if lord is None:
        return "absent"
    reasons = {
        "woman": not is_man(state, name),
        "bishop": name in state.bishops.values(),
        "married": lord.spouse is not None,
        "king": name == state.king,
        "excommunicated": lord.excommunicated,
    }
    return next((code for code, holds in reasons.items() if holds), "")


def unfit_pope(state: State, name: str) -> str:
    """Why a lord may not stand for pope (`FI-30`)."""
    lord = state.lords.get(name)
    if lord is None:
        return "absent"
    if lord.excommunicated:
        return "excommunicated"
    return "" if name in state.cardinals or name in state.bishops.values() else "no_church_title"


def unfit_king(state: State, name: str) -> str:
    """Why a lord may not stand for king (`FI-41`)."""
    lord = state.lords.get(name)
    if lord is None:
        return "absent"
    reasons = {
        "woman": not is_man(state, name),
        "untitled": not is_titled(state, name),
        "church": of_church(state, name) is not None,
        "excommunicated": lord.excommunicated,
    }
    return next((code for code, holds in reasons.items() if holds), "")


UNFIT: Mapping[str, Callable[[State, str], str]] = {
    Bishop.kind: unfit_bishop,
    Pope.kind: unfit_pope,
    King.kind: unfit_king,
}


def may_stand(state: State, move: Election) -> Facts | None:
    """`FI-21`, `FI-30`, `FI-41`: each candidate may stand."""
    for name in move.candidates:
        code = UNFIT[move.kind](state, name)
        if code:
            return Facts(f"candidate_{code}", {"lord": style(state, name)}, (Fact((name,)),))
    return None


def candidates(state: State, office: str) -> list[str]:
    """The lords who may stand for an office: the kind of its election."""
    return sorted((name for name in state.lords if not UNFIT[office](state, name)), key=state.land.order.__getitem__)
