"""Fief, phases 2 to 4: who may stand for an office (`FI-21`, `FI-30`, `FI-41`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.fief.lords import is_man, is_titled, of_church
from rules.fief.moves import Election
from rules.fief.state import Lord, State
from rules.fief.style import style
from rules.fief.votes import Bishop, King, Pope
from rules.kernel import Fact, Facts


def _unfit_bishop(state: State, name: str, lord: Lord) -> Mapping[str, bool]:
    """`FI-21`."""
    return {
        "woman": not is_man(state, name),
        "bishop": name in state.bishops.values(),
        "married": lord.spouse is not None,
        "king": name == state.king,
        "excommunicated": lord.excommunicated,
    }


def _unfit_pope(state: State, name: str, lord: Lord) -> Mapping[str, bool]:
    """`FI-30`."""
    of_church = name in state.cardinals or name in state.bishops.values()
    return {"excommunicated": lord.excommunicated, "no_church_title": not of_church}


def _unfit_king(state: State, name: str, lord: Lord) -> Mapping[str, bool]:
    """`FI-41`."""
    return {
        "woman": not is_man(state, name),
        "untitled": not is_titled(state, name),
        "church": of_church(state, name) is not None,
        "excommunicated": lord.excommunicated,
    }


UNFIT: Mapping[str, Callable[[State, str, Lord], Mapping[str, bool]]] = {
    Bishop.kind: _unfit_bishop,
    Pope.kind: _unfit_pope,
    King.kind: _unfit_king,
}
"""The reasons, by codes, for which a lord cannot stand for an office, and whether each applies."""


def unfit(state: State, office: str, name: str) -> str:
    """The reason why a lord may not stand for an office (the kind of its election); empty if he may."""
    lord = state.lords.get(name)
    if lord is None:
        return "absent"
    return next((code for code, holds in UNFIT[office](state, name, lord).items() if holds), "")


def may_stand(state: State, move: Election) -> Facts | None:
    """`FI-21`, `FI-30`, `FI-41`: each candidate may stand."""
    for name in move.candidates:
        code = unfit(state, move.kind, name)
        if code:
            return Facts(f"candidate_{code}", {"lord": style(state, name)}, (Fact((name,)),))
    return None


def candidates(state: State, office: str) -> list[str]:
    """The lords who may stand for an office (the kind of its election)."""
    return sorted((name for name in state.lords if not unfit(state, office, name)), key=state.land.order.__getitem__)
