"""Asks for the moves of Fief: one module for each phase, and `fates` for moves of no phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rules.fief import GAME
from rules.fief.moves import AT_ANY_TIME, BuyCastle, Cede, March, Move, Next
from rules.fief.state import State
from rules.kernel import Cell
from service.i18n.sentences import Words
from web.game_pages import Codes, Draft, Option
from web.games.fief.geography import village_of
from web.games.fief.questions import combats, elections, fates, marches, purchases
from web.games.fief.questions.asker import Asker, fold_forbidden

SELDOM: Final = frozenset(form.kind for form in AT_ANY_TIME)
"""The moves of any time, which are rare."""


def options(state: State, cell: Cell) -> Sequence[Option[Move]]:
    """The legal moves at a village now, kind by kind."""
    village = village_of(cell, state.land.villages)
    wanted_kinds = {Cede.kind} if state.phase == "purchases" else set()
    kinds = [kind for kind in GAME.due(state).kinds if kind in wanted_kinds or kind not in SELDOM]
    if village is None or not kinds:
        return ()
    found: dict[str, list[Move]] = {}
    for move in GAME.moves(state, kinds):
        if village in GAME.cells_of(move)[:1]:
            found.setdefault(move.kind, []).append(move)
    return tuple(Option(kind, tuple(moves)) for kind, moves in found.items())


def attempts(state: State, cell: Cell) -> Sequence[Option[Move]]:
    """The moves to try at a village without a legal move: to set out from there, or to build."""
    village = village_of(cell, state.land.villages)
    if village is None:
        return ()
    there = tuple(name for name, lord in state.lords.items() if lord.place == village)
    own = tuple(name for name, lord in state.lords.items() if lord.player == state.turn)
    way = (village, *state.land.roads[village][:1])
    if state.phase == "movements" and (there or own):
        return (Option(March.kind, (March((there or own)[:1], way),), usual=False),)
    return (Option(BuyCastle.kind, (BuyCastle(village),), usual=False),)


def kind_note(state: State, kind: str, words: Words, *, possible: bool) -> str:
    """The price of a purchase, or why none is possible; the money lost by ending purchases; the existing marriages."""
    asker = Asker(state, words, ())
    if kind == Next.kind:
        return purchases.unspent_note(asker)
    return fates.couples_text(asker) if kind == "marry" else purchases.purchase_note(asker, kind, possible=possible)


def draft(state: State, kind: str, cell: Cell | None, codes: Codes, words: Words) -> Draft[Move] | None:
    """An unfinished move."""
    village = None if cell is None else village_of(cell, state.land.villages)
    asker = Asker(state, words, codes)
    full_draft = _draft(asker, kind, village)
    if full_draft is None:
        return None
    draft = fold_forbidden(full_draft)
    if not all(question.answers for question in draft.questions):
        draft = Draft((), lines=(asker.say("nothing"),))
    if draft.move is None and kind.startswith("buy_"):
        return replace(draft, lines=(*draft.lines, purchases.purse_of(asker)))
    return draft


def _draft(asker: Asker, kind: str, village: str | None) -> Draft[Move] | None:
    if kind in fates.KINDS:
        return fates.KINDS[kind](asker)
    if kind in purchases.KINDS:
        return purchases.KINDS[kind](asker, kind, village)
    match kind:
        case "bishop" | "pope" | "king":
            return elections.draft(asker, kind)
        case "move":
            return marches.draft(asker, village)
        case "attack":
            return combats.attack(asker, village)
        case "siege":
            return combats.siege(asker, village)
    return Draft((), Next()) if kind == Next.kind else None
