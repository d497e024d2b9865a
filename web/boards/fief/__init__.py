"""The board of Fief: a country of villages joined by roads, and the lords who stand in them.

The map is drawn from the data of the table (`geography`, `pieces`, `scenery`); every kind of move is made answer by
answer, a module a phase (`elections`, `purchases`, `marches`, `combats`, and `fates` for what belongs to none).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rules.fief import GAME
from rules.fief.data import Colour, land
from rules.fief.lords import own
from rules.fief.moves import AT_ANY_TIME, Next
from rules.fief.purchases.purse import purse
from rules.fief.state import State
from rules.fief.style import style
from rules.kernel import Cell, Seat
from service.texts import Words, words
from web.boards import Board, Count, Option, Picks, Shape, Stock, Symbol
from web.boards.drafts import Answers, Draft
from web.boards.editing import fief as editing
from web.boards.fief import changes, combats, elections, fates, marches, purchases, scenery
from web.boards.fief.asking import Asker, folded
from web.boards.fief.geography import box, village_of
from web.boards.fief.icons import icon_of


class Fief:
    """The drawing of Fief."""

    seldom = frozenset(form.kind for form in AT_ANY_TIME)
    """What may be done at any time, and seldom is."""

    def draw(self, state: State, language: str, before: State | None = None) -> Board:
        """Draw a state; with `before`, what was not there then is a ghost."""
        said = words(language, GAME.id)
        then = None if before is None else scenery.standing(before, said)
        return Board(
            box=box(scenery.points_of(state.land)),
            ground=tuple(scenery.ground(state.land)),
            pieces=tuple(scenery.shapes(scenery.standing(state, said), then)),
            spots=tuple(scenery.spots(state, said)),
            stock={colour: tuple(self._stock(state, colour)) for colour in state.colours},
            row=0,
        )

    def _stock(self, state: State, colour: Colour) -> Iterator[Stock]:
        """What each player has: villages, lords, and in their purchases what is left to spend."""
        had = {"stock_villages": sum(owner == colour for owner in state.control.values())}
        had["stock_lords"] = len(own(state, colour))
        if state.phase == "purchases":
            had["stock_coins"] = purse(state, colour).left
        yield from (Stock(name, number, icon_of(name, colour)) for name, number in had.items())

    def symbols(self) -> tuple[Symbol, ...]:
        """Everything is drawn in its place."""
        return ()

    def options(self, state: State, cell: Cell) -> Sequence[Option]:
        """What could be done at a village now: the legal moves there, kind by kind."""
        village = village_of(cell, state.land.villages)
        kinds = [kind for kind in GAME.due(state).kinds if kind not in self.seldom]
        if village is None or not kinds:
            return ()
        found: dict[str, list[object]] = {}
        for move in GAME.moves(state, kinds):
            if village in GAME.cells_of(move)[:1]:
                found.setdefault(move.kind, []).append(move)
        return tuple(Option(kind, tuple(moves)) for kind, moves in found.items())

    def icon(self, kind: str, seat: Seat | None) -> tuple[Shape, ...]:
        """A kind of move, in a square of 100 units."""
        return icon_of(kind, seat)

    def called(self, state: State, words: Words) -> Mapping[str, str]:
        """Every living lord with all titles."""
        return {name: str(words.put(style(state, name))) for name in state.lords}

    def places(self, state: State) -> Mapping[Cell, Cell]:
        """The village where each living lord stands."""
        return {name: lord.place for name, lord in state.lords.items()}

    def tells(self, state: State, kind: str, words: Words, *, possible: bool) -> str:
        """What a purchase costs, and why none is possible; who is married already."""
        asker = Asker(state, words, ())
        return fates.married(asker) if kind == "marry" else purchases.told(asker, kind, possible=possible)

    def draft(self, state: State, kind: str, cell: Cell | None, so: Answers, words: Words) -> Draft | None:
        """A move in the making, and what it would change."""
        village = None if cell is None else village_of(cell, state.land.villages)
        asker = Asker(state, words, so)
        made = _draft(asker, kind, village)
        if made is None:
            return None
        draft = folded(made)
        if not all(question.taps for question in draft.questions):
            return Draft((), lines=(asker.say("nothing"),))
        if draft.move is None:
            return replace(draft, lines=(purchases.purse_of(asker),)) if kind.startswith("buy_") else draft
        if GAME.cannot_stand(state, draft.move) is not None:
            return draft
        told = changes.told(state, GAME.apply(state, draft.move), words)
        return replace(draft, lines=(*draft.lines, *told))

    def blank(self) -> Count:
        """An empty map."""
        return editing.blank()

    def entry(self, state: State, language: str) -> Board:
        """Every village can be tapped."""
        return self.draw(state, language)

    def picks(self, count: Count, cell: Cell | None, language: str) -> Sequence[Picks]:
        """What can be made of a village or a lord; beside the board, who plays."""
        village = None if cell is None else village_of(cell, land(count.setup.data).villages)
        return editing.picks(count, cell, village, language)


def _draft(asker: Asker, kind: str, village: str | None) -> Draft | None:
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


DRAWING = Fief()
