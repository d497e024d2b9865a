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
"""What was answered so far, in the game's own codes, none of which holds a semicolon."""


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
    """Dice by whose sum a question is answered: the move that they are for, in which the sums are still 0, and the
    camp that throws them. `codes`: all codes once they are thrown, with `SUM` for what they show.
    """

    move: M_co
    camp: str
    codes: Codes


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a line of numbers, choices of a word or two, pictures or tiles side by side, or rows of a list.

    `lines` say what the answers rest on, a line each. `roll`: the dice that say the answer, which may be rolled here.
    """

    title: str
    answers: tuple[Answer, ...]
    form: Literal["line", "choices", "pictures", "tiles", "rows"] = "line"
    note: str = ""
    lines: tuple[str, ...] = ()
    roll: AnyRoll | None = None


@dataclass(frozen=True, slots=True)
class Draft(Generic[M_co]):
    """A move in the making: what is asked, and what the answers so far mean.

    `move`: what the answers mean as they are, if they mean one. `ghost`: what the board shows where they mean none
    yet. `cells`: a tap on a cell as an answer. `lines`: what is counted or known meanwhile, a sentence each. `aside`:
    questions that are folded away, such as for what the rules do not allow.
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
    """Where the move will be, as soon as that is known; or the cell of which is asked now."""


# --- positions that are entered by taps --------------------------------------------------------------------------


@accept_old_members(having="with_changes")
@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is counted without a log: a setup, as far as the score needs one, what lies on the table, and the details
    of cells that are drawn although nobody entered them, such as a side of a tile.
    """

    setup: Any
    position: Any
    assumptions: tuple[tuple[Cell, str], ...] = ()

    def with_changes(self, **changes: Any) -> Snapshot:
        """What is entered, with something else in the position."""
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
    """What one tap can make of a place: a picture of it, its name, and what is counted then.

    Without a picture it takes away, without a name all that is there. `is_chosen`: that is how it is already. `at`: the
    key of the place that is asked about next, where that is another one. `is_unknown`: nobody knows what is there.
    """

    label: str
    icon: tuple[Shape, ...]
    snapshot: Snapshot
    is_chosen: bool = False
    at: str | None = None
    is_unknown: bool = False
    brush: str = ""
    """The code of the brush that makes the same of other places, where one does."""
    is_disabled: bool = False
    """It leads no further now. The page still shows it: a tap on the same spot must not do something else."""


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Choices that belong together. `seldom`: they are seen only when asked for."""

    title: str
    choices: tuple[Choice, ...]
    seldom: bool = False


ERASER: Final = "eraser"
"""The code of the brush that empties cells, in every game."""


@accept_old_members(turned="turned_code")
@dataclass(frozen=True, slots=True)
class Brush:
    """A piece that is chosen once: each tap on a cell then puts it there. `code` stands in addresses.

    `label` stands below its picture, `name` says all of it. `turned_code`: the code of the same turned by a quarter, if
    it turns.
    """

    code: str
    label: str
    name: str
    icon: tuple[Shape, ...]
    turned_code: str = ""


@dataclass(frozen=True, slots=True)
class BrushGroup:
    """Brushes that belong together. `note`: what they repeat, where a piece has more to it than one word."""

    title: str
    brushes: tuple[Brush, ...]
    note: str = ""


@accept_old_members(entered="snapshot")
@dataclass(frozen=True, slots=True)
class Stroke:
    """What is entered once a brush has touched a cell. `takes`: its piece was there already, and is taken away."""

    snapshot: Snapshot
    takes: bool = False


Touch: TypeAlias = Callable[[Cell], "Stroke | None"]
"""What a brush makes of a cell; None where it changes nothing."""


def no_paint(_snapshot: Snapshot, _code: str) -> Touch:
    """No brush does anything."""
    return lambda _: None


@accept_old_members(
    seen="visible_position",
    unknown="mark_unknown",
)
@dataclass(frozen=True, slots=True)
class PositionEntry(Generic[S]):
    """How a position is entered by taps, to be counted without a log.

    Whatever the choices lead to can be entered (`Game.enter`), scored and drawn, also with more pieces than there are:
    `Game.problems` says so beside the score.
    """

    blank: Callable[[], Snapshot]
    """What an entry begins with: nothing, or what lies there in every game."""
    draw: Callable[..., Board]
    """(state, language, people=NOBODY) -> the board with every cell at which something can be entered."""
    choices: Callable[[Snapshot, Cell | None, Words], Sequence[ChoiceGroup]]
    """(entered, cell, words) -> what can be made of a cell; of a key that is no spot's; or (None) of what lies
    beside the board."""
    moment: Callable[[Snapshot, Words], Sequence[ChoiceGroup]] = lambda *_: ()
    """(entered, words) -> whose turn it is, and where in the game: what no score needs, but a ruling does."""
    mark_unknown: Callable[[Snapshot], Snapshot] | None = None
    """What is entered, with all that never was made unknown: what a question begins with. None: nothing can be unknown.
    With it, what is entered has ``"?"`` in places, which `choices` and `moment` leave as they are; `draw` is given the
    state of what is known."""
    hide: Callable[[Snapshot, Cell], Snapshot | None] = lambda *_: None
    """(entered, cell) -> the same with the cell unknown; None where it cannot be."""
    place: Callable[[S, Cell], str | None] = lambda *_: None
    """(state, what is unknown) -> the key of the place at which it is entered, where that is no spot of the board."""
    visible_position: Callable[[Any], Any] = lambda position: position
    """(position of a log) -> the position that a table shows, without what only moves reveal and no tap can change."""
    brushes: Callable[[Snapshot, str, Words], Sequence[BrushGroup]] = lambda *_: ()
    """(entered, code of the brush in hand or nothing, words) -> the pieces that can be painted; the one in hand is
    among them, if there is such a one."""
    paint: Callable[[Snapshot, str], Touch] = no_paint
    """(entered, code of a brush) -> what it makes of each cell. It does what `choices` do, and nothing else."""


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
    """(state, language, before=None, people=NOBODY) -> the drawn state; with `before`, what was not there then is a
    ghost. `people`: colour -> the name of the player, as far as the players have told their names."""
    options: Callable[[S, Cell], Sequence[Option[M]]]
    """What a hand could do at a cell, kind by kind, whatever the rules say."""
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
    """The kinds of moves whose piece covers every cell that the move names: their picture is what lies on each."""
    icon_name: Callable[[S, str], str] = lambda _, kind: kind
    """(state, kind of move) -> what its icon is called as the table stands, where that changes its picture."""
    draft: Callable[[S, str, Cell | None, Codes, Words], Draft[M] | None] = no_questions
    """(state, kind, cell, codes, words) -> the questions of a kind of move, at a cell or at none; None where the kind
    has no questions there. The codes are text of an address: what means nothing is left out, never refused."""
    kind_note: Callable[..., str] = lambda *_, **__: ""
    """(state, kind, words, possible=…) -> what is good to know of a kind of move that is due: what it costs, or why
    none is possible. It stands on the button of the kind, before any draft of the game begins."""
    seldom: Collection[str] = ()
    """The kinds of moves that are folded away: where many are due in every phase, a turn's own come first."""
    outcome_kinds: Collection[str] = ()
    """The kinds of moves whose news is what they bring about: who was elected, who has won."""
    phase: Callable[[S, Words], str] = lambda *_: ""
    """(state, words) -> the phase of the game, where it has any: the log is grouped by it."""
    full_names: Callable[[S, Words], Mapping[str, str]] = lambda *_: {}
    """Name of a piece -> its full name as the table stands, for log, score and verdict, too; empty without names."""
    piece_cells: Callable[[S], Mapping[Cell, Cell]] = lambda _: {}
    """Name of such a piece -> the cell where it stands: what a fact names by the piece is lit there, on every panel."""
    landing_cells: Callable[[S, M], Sequence[Cell] | None] = lambda *_: None
    """(state after a move, the move) -> where its pieces stand now, where the move names other cells."""
    beside: Callable[[S, M], Mapping[str, Value]] = lambda *_: {}
    """More values for the phrases of a move, in a game whose cells have no names: what lies on its cells, or beside
    them."""
    handling_notes: Callable[[S, M, Words], Sequence[str]] = lambda *_: ()
    """What the hands have to observe in a move, which no program sees, a sentence each. It stands beside the verdict,
    whose panel is every game's; only where pieces are balanced is there any."""
    supplies: Collection[tuple[str, str]] = ()
    """Effects and findings, rule and code, that only count a supply: at a table the players' strip shows it."""
    entry: PositionEntry[S] | None = None
    """How its positions are entered by taps, where they can be."""
    guesses: Callable[[S, Cell], Sequence[Option[M]]] | None = None
    """(state of what is known, unknown cell) -> what a hand could do there if what it takes is there; None: the
    options."""
    attempts: Callable[[S, Cell], Sequence[Option[M]]] = lambda *_: ()
    """(state, cell) -> moves to try on a cell without a legal move: their rulings say why they are illegal."""
    unknown_spot_name: Callable[[S, Spot, Collection[Cell], Words], str] = lambda _, spot, *__: spot.name
    """(state of what is known, spot, all that is unknown, words) -> what a spot is called of which something is
    unknown, where the board does not call it so."""
    opening: Opening | None = None
    """How its tables are opened, where the setup's schema says too little."""
    portrait: Portrait | None = None
    """The game's picture in lists."""

    def icon_at(self, state: S, kind: str, seat: Seat | None) -> tuple[Shape, ...]:
        """The icon of a kind of move as the table stands."""
        return self.icon(self.icon_name(state, kind), seat)

    def picture(self, state: S, move: M, seat: Seat | None, kind: str) -> tuple[Shape, ...]:
        """A move as its game sketches it; else the icon of its kind as the table stands."""
        if self.sketch is None or self.icon_name(state, kind) != kind:
            return self.icon_at(state, kind, seat)
        return self.sketch(move, seat)

    def words_for(self, words: Words, state: S) -> Words:
        """The words for a state: pieces that have names are called as they stand now."""
        names = self.full_names(state, words)
        return words.with_names(names) if names else words

    def options_at(self, state: S, cell: Cell, unknown: Collection[Cell]) -> Sequence[Option[M]]:
        """What a hand could do at a cell, whatever the rules say and whatever is unknown; else what one might try."""
        options = self.options if self.guesses is None or cell not in unknown else self.guesses
        return options(state, cell) or self.attempts(state, cell)

    def name_unknown_spots(
        self, board: Board, state: S, unknown: Collection[Cell], at: Collection[Cell], words: Words
    ) -> Board:
        """A board on which the cells `at` which something is unknown are called so, and every cell can be touched."""
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
        """Facts as they are lit on the board: a piece that is named by the cell where it stands."""
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
