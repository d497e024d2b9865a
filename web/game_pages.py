"""What a game adds to the pages: one value made of functions, `GamePages`, as `rules.game.Game` is for the rules.

The functions draw a board, name the possible actions, ask for a move answer by answer, let a player enter a position by
taps, and open a table. Only `draw`, `options`, `icon` and `inks` are needed to show a game; everything else has a
default. This value contains no rule: the referee tells what is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeVar

from rules.kernel import Cell, Fact, Seat, Value
from rules.old_names import accept_old_members, old_attributes
from rules.records import dataclass
from service.i18n.sentences import Words
from service.types import Move, State
from web.board.inks import Ink, SeatColours
from web.board.shapes import Board, Shape, Spot, Symbol
from web.form_fields import Opening

S = TypeVar("S")
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)
"""The kind of move that an option or a draft holds."""

# --- moves -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option(Generic[M_co]):
    """A kind of move at a cell, and every way to make it there. `usual`: a player would think of it there."""

    kind: str
    moves: tuple[M_co, ...]
    usual: bool = True


Codes: TypeAlias = tuple[str, ...]
"""The answers so far, in the game's own codes, none of which contains a semicolon."""


@accept_old_members(
    so="codes",
    chosen="is_chosen",
)
@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: what it says, and all codes once it is given. `note` says more, such as why it is not `possible`.

    `is_chosen`: the player has given it; its `codes` may then take it back. `legal`: some legal move goes on from it.
    The player can give an answer that leads only to refused moves all the same, to hear why.
    """

    label: str
    codes: Codes
    icon: tuple[Shape, ...] = ()
    note: str = ""
    is_chosen: bool = False
    possible: bool = True
    legal: bool = True


SUM: Final = "~sum~"
"""Stands for the sum of dice in an answer."""


@accept_old_members(so="codes")
@dataclass(frozen=True, slots=True)
class Roll(Generic[M_co]):
    """Dice whose sum answers a question: their move, in which the sums are still 0, and the camp that throws them.
    `codes`: all codes after the roll, with `SUM` for the sum.
    """

    move: M_co
    camp: str
    codes: Codes


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a line of numbers, choices of a word or two, pictures or tiles side by side, or rows of a list.

    `lines`: the facts behind the answers, a line each. `roll`: the dice that give the answer; the server may roll them.
    """

    title: str
    answers: tuple[Answer, ...]
    form: Literal["line", "choices", "pictures", "tiles", "rows"] = "line"
    note: str = ""
    lines: tuple[str, ...] = ()
    roll: AnyRoll | None = None


@dataclass(frozen=True, slots=True)
class Draft(Generic[M_co]):
    """An unfinished move: its questions, and the meaning of the answers so far.

    `move`: the move that the answers already name, if any. `ghost`: the move that the board shows until then. `cells`:
    cells whose tap is an answer. `lines`: counts and known facts, a sentence each. `aside`: questions that are folded
    away, such as those for illegal moves.
    """

    questions: tuple[Question, ...]
    move: M_co | None = None
    ghost: M_co | None = None
    cells: Mapping[Cell, Codes] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    aside: tuple[Question, ...] = ()
    optional: tuple[Question, ...] = ()
    """Questions that nobody has to answer, each folded away below its title; the first answer of each says nothing."""
    at: Cell | None = None
    """The cell of the move, once it is known; or the cell that the question is about."""


# --- positions that are entered by taps --------------------------------------------------------------------------


@accept_old_members(having="with_changes")
@dataclass(frozen=True, slots=True)
class Snapshot:
    """A position without a log: as much of a setup as the score needs, and what lies on the table. `assumptions`: drawn
    details of cells that nobody entered, such as a side of a tile.
    """

    setup: Any
    position: Any
    assumptions: tuple[tuple[Cell, str], ...] = ()

    def with_changes(self, **changes: Any) -> Snapshot:
        """The same snapshot with changes to its position."""
        return replace(self, position=replace(self.position, **changes))


@accept_old_members(
    entered="snapshot",
    chosen="is_chosen",
    disabled="is_disabled",
    off="is_disabled",
    unknown="is_unknown",
)
@dataclass(frozen=True, slots=True)
class Choice:
    """What one tap can put at a place: its picture, its name, and the snapshot after the tap.

    Without a picture the tap removes something, without a name all. `is_chosen`: it is there already. `at`: the key of
    the place to ask about next, if it is another one. `is_unknown`: nobody knows what is there.
    """

    label: str
    icon: tuple[Shape, ...]
    snapshot: Snapshot
    is_chosen: bool = False
    at: str | None = None
    is_unknown: bool = False
    brush: str = ""
    """The code of the brush that puts the same at other places, if there is one."""
    is_disabled: bool = False
    """The page shows it without a link: a second tap on the same spot must not do something else."""


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Choices that belong together. `seldom`: the page folds them away."""

    title: str
    choices: tuple[Choice, ...]
    seldom: bool = False


ERASER: Final = "eraser"
"""The code of the brush that empties cells, in every game."""


@accept_old_members(turned="turned_code")
@dataclass(frozen=True, slots=True)
class Brush:
    """A piece to choose once: each tap on a cell then puts it there. Addresses contain its `code`.

    `label` stands below its picture; `name` is the full name. `turned_code`: the code of the same piece after a quarter
    turn, if it turns.
    """

    code: str
    label: str
    name: str
    icon: tuple[Shape, ...]
    turned_code: str = ""


@dataclass(frozen=True, slots=True)
class BrushGroup:
    """Brushes that belong together. `note`: a hint while one of them is in hand."""

    title: str
    brushes: tuple[Brush, ...]
    note: str = ""


@accept_old_members(entered="snapshot")
@dataclass(frozen=True, slots=True)
class Stroke:
    """The snapshot after a brush has touched a cell. `takes`: its piece was there already, and is removed."""

    snapshot: Snapshot
    takes: bool = False


Touch: TypeAlias = Callable[[Cell], "Stroke | None"]
"""The effect of a brush on a cell; None where it changes nothing."""


def no_paint(_snapshot: Snapshot, _code: str) -> Touch:
    """No brush does anything."""
    return lambda _: None


@accept_old_members(
    seen="visible_position",
    unknown="mark_unknown",
)
@dataclass(frozen=True, slots=True)
class PositionEntry(Generic[S]):
    """How players enter a position by taps, to count it without a log.

    Every position that the choices can make can be entered (`Game.enter`), scored and drawn, even with too many pieces:
    `Game.problems` reports them beside the score.
    """

    blank: Callable[[], Snapshot]
    """The first snapshot: an empty board, or what lies there in every game."""
    draw: Callable[..., Board]
    """(state, language, people=NOBODY) -> the board with every cell that taps can change."""
    choices: Callable[[Snapshot, Cell | None, Words], Sequence[ChoiceGroup]]
    """(entered, cell, words) -> the choices for a cell, for a key that belongs to no spot, or (None) for what lies
    beside the board."""
    moment: Callable[[Snapshot, Words], Sequence[ChoiceGroup]] = lambda *_: ()
    """(entered, words) -> whose turn it is, and the phase: a ruling needs them, a score does not."""
    mark_unknown: Callable[[Snapshot], Snapshot] | None = None
    """Makes all that was never entered unknown, for a question. None: nothing can be unknown. A snapshot then has
    ``"?"`` in places, which `choices` and `moment` leave as they are; `draw` gets the state of the known part."""
    hide: Callable[[Snapshot, Cell], Snapshot | None] = lambda *_: None
    """(entered, cell) -> the same with the cell unknown; None where it cannot be."""
    place: Callable[[S, Cell], str | None] = lambda *_: None
    """(state, unknown cell) -> the key of the place where players enter it, if that is no spot of the board."""
    visible_position: Callable[[Any], Any] = lambda position: position
    """(position of a log) -> the position that a table shows, without the facts that only moves reveal."""
    brushes: Callable[[Snapshot, str, Words], Sequence[BrushGroup]] = lambda *_: ()
    """(entered, code of the brush in hand or empty, words) -> the brushes, among them the one in hand, if it exists."""
    paint: Callable[[Snapshot, str], Touch] = no_paint
    """(entered, code of a brush) -> its effect on each cell: the same as that of `choices`."""


# --- a game ------------------------------------------------------------------------------------------------------


def no_questions(_state: object, _kind: str, _cell: Cell | None, _codes: Codes, _words: Words) -> None:
    """Every move is chosen from a list."""


@dataclass(frozen=True, slots=True)
class Portrait:
    """The picture of a game: an SVG file, and the name of the worked case whose board it is (`web.portraits`)."""

    path: Path
    case: str


@accept_old_members(
    as_it_is="icon_name",
    calling="name_unknown_spots",
    handling="handling_notes",
    landed="landing_cells",
    located="locate_facts",
    speaking="words_for",
    standing="piece_cells",
    tells="kind_note",
    unseen="unknown_spot_name",
)
@dataclass(frozen=True, slots=True)
class GamePages(Generic[S, M]):
    """What a game adds to the pages."""

    draw: Callable[..., Board]
    """(state, language, before=None, people=NOBODY) -> the drawn state; pieces that are not in `before` are ghosts.
    `people`: colour -> the name of the player, if known."""
    options: Callable[[S, Cell], Sequence[Option[M]]]
    """All that a hand could do at a cell, kind by kind, legal or not."""
    icon: Callable[[str, Seat | None], tuple[Shape, ...]]
    """A kind of move or a piece, drawn in a square of `ICON` units."""
    inks: Mapping[str, Ink]
    """The inks of its own, by name."""
    seats: Mapping[Seat, SeatColours] = field(default_factory=dict)
    """The colours of its seats, where `web.board.inks.SEATS` does not have them."""
    symbols: tuple[Symbol, ...] = ()
    """The drawings that boards and icons use by their ids."""
    sketch: Callable[[M, Seat | None], tuple[Shape, ...]] | None = None
    """A move, drawn in a square of `ICON` units, where moves of one kind look different."""
    spread_kinds: Collection[str] = ()
    """The kinds of moves whose piece covers every cell that the move names: each cell shows their picture."""
    icon_name: Callable[[S, str], str] = lambda _, kind: kind
    """(state, kind of move) -> the name of its icon, where the state changes its picture."""
    draft: Callable[[S, str, Cell | None, Codes, Words], Draft[M] | None] = no_questions
    """(state, kind, cell, codes, words) -> the questions of a kind of move, at a cell or at none; None where the kind
    has no questions there. The codes come from an address: a draft ignores those without a meaning."""
    kind_note: Callable[..., str] = lambda *_, **__: ""
    """(state, kind, words, possible=…) -> a note on a kind of move that is due: its cost, or why none is possible. It
    stands on the button of the kind, before any draft of the game begins."""
    seldom: Collection[str] = ()
    """The kinds of moves that are folded away, so that those of the turn come first where many are due."""
    outcome_kinds: Collection[str] = ()
    """The kinds of moves whose news is their outcome: who was elected, who has won."""
    phase: Callable[[S, Words], str] = lambda *_: ""
    """(state, words) -> the phase of the game, or an empty text: the log is grouped by phase."""
    full_names: Callable[[S, Words, Collection[str] | None], Mapping[str, str]] = lambda *_: {}
    """(state, words, some names of pieces, or None for all) -> the full name of each in this state, also for log, score
    and verdict; empty without names."""
    piece_cells: Callable[[S], Mapping[Cell, Cell]] = lambda _: {}
    """Name of such a piece -> its cell, where every panel lights a fact that names the piece."""
    landing_cells: Callable[[S, M], Sequence[Cell] | None] = lambda *_: None
    """(state after a move, the move) -> where its pieces stand now, if the move names other cells."""
    beside: Callable[[S, M], Mapping[str, Value]] = lambda *_: {}
    """More values for the phrases of a move, in a game whose cells have no names: what lies on its cells, or beside
    them."""
    handling_notes: Callable[[S, M, Words], Sequence[str]] = lambda *_: ()
    """Rules of handling for a move, which no program can check, a sentence each. They stand beside the verdict; only a
    game with balanced pieces has any."""
    supplies: Collection[tuple[str, str]] = ()
    """(rule, code) of effects and findings that only count a supply: at a table the players' strip shows it."""
    entry: PositionEntry[S] | None = None
    """How players enter its positions by taps, if they can."""
    guesses: Callable[[S, Cell], Sequence[Option[M]]] | None = None
    """(state of the known part, unknown cell) -> what a hand could do there, if the cell holds what that takes; None:
    the options."""
    attempts: Callable[[S, Cell], Sequence[Option[M]]] = lambda *_: ()
    """(state, cell) -> moves to try on a cell without a legal move: their rulings say why they are illegal."""
    unknown_spot_name: Callable[[S, Spot, Collection[Cell], Words], str] = lambda _, spot, *__: spot.name
    """(state of the known part, spot, all unknown cells, words) -> the name of a spot about which something is unknown,
    if the board names it otherwise."""
    opening: Opening | None = None
    """How its tables are opened, where the setup's schema says too little."""
    portrait: Portrait | None = None
    """The game's picture in lists."""

    def icon_at(self, state: S, kind: str, seat: Seat | None) -> tuple[Shape, ...]:
        """The icon of a kind of move in a state."""
        return self.icon(self.icon_name(state, kind), seat)

    def picture(self, state: S, move: M, seat: Seat | None, kind: str) -> tuple[Shape, ...]:
        """The sketch of a move by its game; else the icon of its kind in this state."""
        if self.sketch is None or self.icon_name(state, kind) != kind:
            return self.icon_at(state, kind, seat)
        return self.sketch(move, seat)

    def words_for(self, words: Words, state: S, among: Collection[str] | None = None) -> Words:
        """The words for a state, with the full names of its pieces, or of those `among` some names."""
        names = self.full_names(state, words, among)
        return words.with_names(names) if names else words

    def options_at(self, state: S, cell: Cell, unknown: Collection[Cell]) -> Sequence[Option[M]]:
        """All that a hand could do at a cell, legal or not, known or not; else moves to try."""
        options = self.options if self.guesses is None or cell not in unknown else self.guesses
        return options(state, cell) or self.attempts(state, cell)

    def name_unknown_spots(
        self, board: Board, state: S, unknown: Collection[Cell], at: Collection[Cell], words: Words
    ) -> Board:
        """A board that names the cells `at` which something is unknown, and on which every cell can be touched."""
        spots = (
            replace(
                spot,
                name=self.unknown_spot_name(state, spot, unknown, words) if spot.cell in at else spot.name,
                title="" if spot.cell in at else spot.title,
                reach=None,
            )
            for spot in board.spots
        )
        return replace(board, spots=tuple(spots)) if at else board

    def locate_facts(self, state: S, facts: Sequence[Fact]) -> Sequence[Fact]:
        """Facts with cells to light: the cell of a piece in place of its name."""
        places = self.piece_cells(state) if facts else {}
        if not places:
            return facts
        return [
            fact._replace(cells=tuple(dict.fromkeys(places.get(cell, cell) for cell in fact.cells))) for fact in facts
        ]


AnyPages: TypeAlias = GamePages[State, Move]
AnyDraft: TypeAlias = Draft[Move]
AnyPositionEntry: TypeAlias = PositionEntry[State]
AnyRoll: TypeAlias = Roll[Move]


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(__name__, Entered="Snapshot")
