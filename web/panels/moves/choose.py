"""The panels that choose a move: where a piece may go, and which pieces may go on a cell."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final, NamedTuple

from rules.kernel import Cell
from rules.records import dataclass
from rules.steps import spend, steps_spent
from service.runtime.memoize import ByIdentity, memoize_by_identity
from service.types import AnyGame, Move, State
from web.board.scene import Light, Neighbour
from web.board.shapes import Shape, Spot
from web.browser.language import _
from web.panels.context import Context, Focus, TableContext
from web.panels.moves.onward import OnwardButton, buttons
from web.panels.moves.rows import AnyOption, MoveRow, Refusal, Rows, refusals
from web.panels.score import score
from web.panels.sentences import capitalise

MAX_LISTED: Final = 16
"""The maximum number of states with cached legal moves: a question about a move, and undo, come back to a state."""


@dataclass(frozen=True, slots=True)
class KindButton:
    """A kind of move that is due: a button that shows where it may go. `possible`: some move of it is legal. `at_once`:
    one tap enters it, if this phone may. `out_of_turn`: it is legal out of turn.
    """

    name: str
    icon: tuple[Shape, ...]
    places: int
    possible: bool
    href: str
    is_chosen: bool
    note: str = ""
    at_once: bool = False
    out_of_turn: bool = False


class KindGroups(NamedTuple):
    """The groups of kinds that are due: those of this phone, its impossible ones if others are possible, and those of
    the player whose turn it is.
    """

    kinds: tuple[KindButton, ...]
    not_now: tuple[KindButton, ...]
    theirs: tuple[KindButton, ...]


@dataclass(frozen=True, slots=True)
class IdlePanel:
    """The panel before a choice: what is due, and where. `seldom` is folded away; a tap on `onward` continues play."""

    template: ClassVar[str] = "panel/idle.html"
    kinds: tuple[KindButton, ...]
    seldom: tuple[KindButton, ...] = ()
    hint: str = ""
    onward: tuple[OnwardButton, ...] = ()
    has_place_counts: bool = True
    """Whether the number of places for each kind is known."""
    headline: str = ""
    """What is due, if not all of it is possible; else empty."""
    tap: str = ""
    """The request to tap a cell or a piece, in the game's words if it has any."""

    @property
    def has_notes(self) -> bool:
        """Whether the kinds have notes: then they are listed."""
        return any(kind.note for kind in self.kinds)

    def kind_groups(self, *, go_on: bool, waits: bool) -> KindGroups:
        """The kinds in groups; `go_on`: the phone may enter those `at_once`; `waits`: it waits for another player."""
        own = tuple(kind for kind in self.kinds if (not kind.at_once if go_on else kind.out_of_turn or not waits))
        possible = tuple(kind for kind in own if kind.possible)
        folds = bool(possible or waits or (go_on and self.onward))
        not_now = tuple(kind for kind in own if folds and not kind.possible)
        theirs = tuple(kind for kind in self.kinds if waits and not kind.out_of_turn)
        return KindGroups(possible if folds else own, not_now, theirs)

    @property
    def has_choice(self) -> bool:
        """Whether there is more than one thing to choose: a kind, or a place for it."""
        kinds = [kind for kind in self.kinds if kind.possible]
        return len(kinds) > 1 or bool(self.hint) or not self.has_place_counts or any(kind.places > 1 for kind in kinds)

    @property
    def lead(self) -> str:
        """The request to the player: to tap a cell if there are several, or a marked one for a chosen kind."""
        if any(kind.is_chosen and kind.places > 1 for kind in self.kinds + self.seldom):
            return _("Tap one of the marked places.")
        has_places = not self.has_place_counts or any(kind.places > 1 for kind in self.kinds)
        return self.hint or (self.tap if has_places else _("What happens:"))


@dataclass(frozen=True, slots=True)
class CellPanel:
    """The panel of a chosen cell: what may go there, and what may not and why."""

    template: ClassVar[str] = "panel/choice.html"
    spot: Spot
    neighbours: tuple[Neighbour, ...]
    rows: tuple[MoveRow, ...]
    others: tuple[MoveRow, ...]
    kind: str | None
    back: str

    @property
    def legal(self) -> tuple[MoveRow, ...]:
        """The legal moves there; unlikely ones only if there are no others."""
        return tuple(row for row in self.rows or self.others if row.legal)

    @property
    def aside(self) -> tuple[MoveRow, ...]:
        """The unlikely legal moves there."""
        return tuple(row for row in self.others if row.legal and self.rows)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """The refused moves by the rule that objects; first the rule that refuses the most usual ones."""
        return refusals(self.rows, self.others)


# --- nothing is chosen -------------------------------------------------------------------------------------------


def idle_focus(context: Context) -> Focus[IdlePanel]:
    """The panel before a choice: the kinds that are due, and the places for the selected one."""
    legal = legal_moves(context)
    light = Light()
    if context.due.ended:
        light = score.points(context, context.sheet())
    light = replace(
        light,
        open_cells=frozenset() if context.unknown else _places(context, legal),
        last_cells=context.last_move_cells(),
    )
    return Focus(_idle(context, legal), context.state, light=light)


def legal_moves(context: Context) -> tuple[Move, ...]:
    """The legal moves. A cached list costs a request as many steps as a new one."""
    before = steps_spent()
    legal, steps = _moves_and_steps(context.state, ByIdentity(context.game))
    if steps_spent() == before:
        spend(steps)
    return legal


@memoize_by_identity(MAX_LISTED)
def _moves_and_steps(state: State, game: ByIdentity[AnyGame]) -> tuple[tuple[Move, ...], int]:
    """The legal moves of a state, and the steps to list them."""
    before = steps_spent()
    legal = tuple(game.value.moves(state))
    return legal, steps_spent() - before


def _places(context: Context, legal: Sequence[Move]) -> frozenset[Cell]:
    """The places for the selected kind; without one, the only cell to tap, if there is just one."""
    kind = context.address.kind
    cells = context.cells([move for move in legal if kind in (None, move.kind)])
    if kind is None and len(cells) > 1:
        return frozenset()
    return frozenset(cell for cell in cells if context.pages.options(context.state, cell))


def _idle(context: Context, legal: Sequence[Move]) -> IdlePanel:
    """The panel while nothing is chosen."""
    seldom = context.pages.seldom
    board = context.words.text.get("board", {})
    onward = buttons(context, legal) if isinstance(context, TableContext) else ()
    at_once_kinds = {context.game.read(button.moves[0]).kind for button in onward}
    return IdlePanel(
        tuple(_button(context, legal, kind, at_once_kinds) for kind in context.due.kinds if kind not in seldom),
        tuple(_button(context, legal, kind) for kind in context.due.kinds if kind in seldom),
        board.get("idle", ""),
        onward,
        not context.unknown,
        _headline(context, legal),
        board.get("tap") or _("Tap a cell, or see where a piece may go."),
    )


def _headline(context: Context, legal: Sequence[Move]) -> str:
    """What is due, with only the possible kinds on offer, if those are known and not all."""
    game, may = context.game, {move.kind for move in legal}
    if context.unknown or context.due.ended:
        return ""
    kinds = [kind for kind in context.due.kinds if kind not in game.pass_moves and kind not in game.out_of_turn]
    possible = [kind for kind in kinds if kind in may]
    return context.words.due_options_text(context.due, possible, [kind for kind in kinds if kind not in may])


def _button(context: Context, legal: Sequence[Move], kind: str, at_once_kinds: Collection[str] = ()) -> KindButton:
    """The button of a kind. It counts no places if its questions come before any cell, or if something is unknown."""
    moves = [move for move in legal if move.kind == kind]
    cells = {cells for move in moves if (cells := context.game.cells_of(move)[:1])}
    possible = bool(moves or context.unknown)
    return KindButton(
        capitalise(context.words.name(kind)),
        context.icon(kind),
        0 if context.unknown or (cells and context.draft(kind, None)) else len(cells),
        possible,
        _button_href(context, moves, kind),
        context.address.kind == kind,
        context.pages.kind_note(context.state, kind, context.words, possible=possible),
        kind in at_once_kinds,
        kind in context.game.out_of_turn,
    )


def _button_href(context: Context, legal: Sequence[Move], kind: str) -> str:
    """The address of a kind's button: it shows the places for the kind, or asks about its only move."""
    plain = context.address.plain()
    if len(legal) == 1:
        return plain.url(move=context.game.write(legal[0]))
    return plain.url(kind=None if context.address.kind == kind else kind)


# --- a cell is chosen --------------------------------------------------------------------------------------------


def option_at(options: Sequence[AnyOption], kind: str | None) -> AnyOption | None:
    """The option of a kind at the cell, if there is one."""
    return next((option for option in options if option.kind == kind), None)


def only_kind(options: Sequence[AnyOption]) -> str | None:
    """The only usual kind of move at a cell, if there is just one."""
    usual = [option.kind for option in options if option.usual]
    return usual[0] if len(usual) == 1 else None


def cell_focus(context: Context, spot: Spot, options: Sequence[AnyOption]) -> Focus[CellPanel]:
    """The panel of a chosen cell. For a kind with several cells, those that fit this one are open. If nothing usual
    goes there, the places stay marked that were marked before.
    """
    option = option_at(options, context.address.kind)
    legal = [move for move in option.moves if context.game.check(context.state, move).legal] if option else []
    places = context.cells(legal)
    if not (context.unknown or any(each.usual for each in options)):
        places |= _places(context, legal_moves(context))
    light = Light(frozenset({spot.cell}), open_cells=places - {spot.cell}, last_cells=context.last_move_cells())
    panel = _panel(context, spot, options)
    return Focus(panel, context.state, light=light, cell_links=_completion_links(context, spot, option))


def _panel(context: Context, spot: Spot, options: Sequence[AnyOption]) -> CellPanel:
    """The panel of a chosen cell: its kinds, or the moves of the kind that was chosen."""
    hand, near = Rows.of(context, spot.cell, options), context.neighbours(spot)
    option = option_at(options, context.address.kind)
    if option and len(option.moves) > 1:
        named_moves = zip(option.moves, hand.names(option.moves), strict=True)
        moves = tuple(hand.move_row(move, name, name, option.kind) for move, name in named_moves)
        return CellPanel(spot, near, moves, (), context.words.name(option.kind), context.address.url(kind=None))
    rows = [row for option in options if option.usual for row in hand.kind(option)]
    back = context.address.plain().url(kind=context.address.kind)
    return CellPanel(spot, near, tuple(rows), hand.others(options), None, back)


def _completion_links(context: Context, spot: Spot, option: AnyOption | None) -> Mapping[Cell, str]:
    """The links of cells whose tap completes a move of several cells: the first move of the option with the cell."""
    found: dict[Cell, str] = {}
    for move in option.moves if option else ():
        for cell in context.game.cells_of(move):
            if cell != spot.cell and cell not in found:
                found[cell] = context.address.url(move=context.game.write(move))
    return found


def other_rows(context: Context, spot: Spot, options: Sequence[AnyOption]) -> tuple[MoveRow, ...]:
    """The unlikely moves at a cell."""
    return Rows.of(context, spot.cell, options).others(options)
