"""Asks for a move of Villa Paletti, and for facts that only the players can see."""

from __future__ import annotations

from collections.abc import Sequence

from rules.kernel import Cell
from rules.villa_paletti import GAME
from rules.villa_paletti.columns import RED_FLOOR
from rules.villa_paletti.moves import Move
from rules.villa_paletti.state import State
from service.i18n.sentences import Words
from web.game_pages import Codes, Draft
from web.games.villa_paletti.questions import objections
from web.games.villa_paletti.questions.options import group_of


def draft(state: State, kind: str, cell: Cell | None, codes: Codes, words: Words) -> Draft[Move] | None:
    """The draft for a requested floor, a neutral attempt with its challenge, or the fall of the villa."""
    if GAME.due(state).ended:
        return None
    if kind == "floor" and cell is None:
        return objections.floor(state, codes, words)
    if kind == "crash" and cell is None:
        return objections.crash(state, codes, words)
    group = group_of(state, cell)
    if kind == "neutral_abort" and group is not None and group.colour == state.neutral and group in state.columns:
        return objections.neutral_abort(state, group, codes, words)
    return None


def handling_notes(state: State, move: Move, words: Words) -> Sequence[str]:
    """Rules of handling for a move; the places for columns depend on the top level."""
    kind = {"abort": "column", "neutral_abort": "neutral"}.get(move.kind, move.kind)
    moments = [kind] if kind in ("column", "floor") else ["neutral", "column"] if kind == "neutral" else []
    if getattr(move, "objection", None) or getattr(move, "challenge", None):
        moments += ["objection", "column"]
    notes = {code: text for moment in moments for code, text in words.text["handling"][moment].items()}
    if state.top == RED_FLOOR and "stack" in notes:
        notes |= words.text["handling"]["top"]
    return tuple(notes.values())
