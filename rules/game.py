"""A game: a value made of functions, which the service and the pages use by its fields."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Generic, NoReturn

from rules.forms import Reading, with_readings
from rules.kernel import (
    ILLEGAL,
    INSTEAD,
    NOTHING,
    ORDINARY,
    ORDINARY_FACES,
    SAME_CELL,
    Cell,
    Changes,
    Due,
    Effect,
    Facts,
    Finding,
    Forecast,
    Line,
    M,
    Place,
    Rule,
    S,
    Seat,
    Value,
    Verdict,
    differing_fields,
    hear,
)
from rules.old_names import accept_old_members
from rules.records import dataclass

if TYPE_CHECKING:
    from rules.unknowns import UnknownRules


def _no_turns(_: object, seat: Seat) -> NoReturn:
    raise NotImplementedError(f"no turn of {seat} can begin: a worked case has `first = true`, or enters its position")


def rotate_players(setup: Any, place: int) -> Any:
    """The setup with the same players in the same order around the table, starting with the one at a place."""
    return replace(setup, players=(*setup.players[place:], *setup.players[:place]))


@accept_old_members(
    any_time="out_of_turn",
    as_of="migrate",
    begun_by="setup_with_starter",
    differing="differences",
    foretold="forecasts",
    going_on="pass_moves",
    seated="setup_for_position",
    standing="standing_effects",
    stuck="stuck_rule",
    thrown="dice_thrown",
    told_otherwise="is_written_differently",
    whose="owner_of",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, M]):
    """A game is a value made of functions. All of them are pure.

    The forms (`setup_form`, `position_form` and the classes of `kinds`) are frozen dataclasses; their annotations
    (literals, `Pattern`, `Between`, tuples, mappings, nested dataclasses) are the JSON that the service reads and
    writes. Their docstrings describe it: the first paragraph the object, a line such as "`n`: how many stones." a
    member. A state has an attribute ``readings``. Fields with a default are those that many games do not need.

    A whole game: two players take one or two stones from a heap, and whoever takes the last one has won.

    >>> from typing import NamedTuple
    >>> from rules.defaults import legal_among, nearest_by
    >>> from rules.kernel import Ended
    >>> from rules.ranking import ByPoints
    >>> class Heap(NamedTuple):
    ...     left: int
    ...     player: int
    ...     readings: Mapping[str, str]
    >>> @dataclass(frozen=True)
    ... class Take:
    ...     n: int
    ...     kind = "take"
    >>> @dataclass(frozen=True)
    ... class Setup:
    ...     readings: Mapping[str, str]
    >>> @dataclass(frozen=True)
    ... class Position:
    ...     left: int
    ...     player: int
    >>> SEATS = ("black", "white")
    >>> there = Rule("N-1", lambda heap, move: Facts("few", {"left": heap.left}) if move.n > heap.left else None)
    >>> BOOK = {("play", Take): (there,)}
    >>> moves = legal_among(BOOK, lambda _: "play", {Take: lambda _: (Take(1), Take(2))})
    >>> def due(heap: Heap) -> Due:
    ...     if heap.left:
    ...         return Due(SEATS[heap.player], ("take",), "take")
    ...     return Due(None, (), "ended", ended=Ended("N-2", {"winner": SEATS[1 - heap.player]}))
    >>> def score(heap: Heap) -> tuple[Line, ...]:
    ...     won = (not heap.left and heap.player == 1, not heap.left and heap.player == 0)
    ...     return tuple(Line(seat, "N-2", int(each)) for seat, each in zip(SEATS, won, strict=True))
    >>> game: Game[Heap, Take] = Game(
    ...     id="stones",
    ...     edition="by heart",
    ...     rules_version="1",
    ...     readings=(),
    ...     players=(2,),
    ...     seats=SEATS,
    ...     seats_of=lambda _: SEATS,
    ...     kinds={"take": Take},
    ...     read=lambda text: Take(int(text)),
    ...     write=lambda move: str(move.n),
    ...     setup_form=Setup,
    ...     setup=lambda form: Heap(4, 0, form.readings),
    ...     book=BOOK,
    ...     phase=lambda _: "play",
    ...     due=due,
    ...     apply=lambda heap, move: heap._replace(left=heap.left - move.n, player=1 - heap.player),
    ...     cannot_stand=there.objects,
    ...     cells_of=lambda _: (),
    ...     moves=moves,
    ...     nearest=nearest_by(lambda other, move: (abs(other.n - move.n),), moves),
    ...     score=score,
    ...     ranking=ByPoints(lambda _: SEATS, score, (), shared_by="N-2"),
    ...     position_form=Position,
    ...     position=lambda heap: Position(heap.left, heap.player),
    ...     enter=lambda form, seen: Heap(seen.left, seen.player, form.readings),
    ...     problems=lambda form, seen: (),
    ... )
    >>> heap = game.setup(Setup({}))
    >>> for notation in ("2", "1"):
    ...     heap = game.apply(heap, game.read(notation))
    >>> game.due(heap).seat, list(map(game.write, game.moves(heap)))
    ('black', ['1'])
    >>> verdict = game.check(heap, Take(2))
    >>> verdict.broken_rules, verdict.findings[0].facts.values, game.nearest(heap, Take(2))
    (('N-1',), {'left': 1}, (Take(n=1),))
    >>> game.ranking(game.apply(heap, Take(1)))[0]
    Place(place=1, seats=('black',), decided_by='total', evidence=())
    """

    id: str
    edition: str
    rules_version: str
    players: tuple[int, ...]
    """The possible numbers of players."""
    seats: tuple[Seat, ...]
    """All colours."""
    seats_of: Callable[[S], tuple[Seat, ...]]
    """The colours that play, in turn order."""
    readings: tuple[Reading, ...]
    kinds: Mapping[str, type]
    """Kind of move -> its class."""
    setup_form: type
    setup: Callable[[Any], S]
    """A setup (of `setup_form`) -> the first state. Raises `Malformed`."""
    example_setup: Mapping[str, Any] | None = None
    """A valid setup, as a client sends it; None if an empty setup is valid."""
    book: Mapping[tuple[str, type], tuple[Rule[S, object], ...]]
    """(phase, class of move) -> the rules that are heard, in order."""
    phase: Callable[[S], str]
    """The phase whose row of the book is heard."""
    stuck_rule: Rule[S, object] | None = None
    """The rule that ends the game because no legal move is left, if the game has one. It is heard alone, and only after
    a refusal (while a move is legal, the game is not stuck): in the book, every check would search for legal moves."""
    apply: Callable[[S, M], S]
    """(state, move) -> the state after it. Trusts: never judges, never mutates, total on moves that can stand."""
    cannot_stand: Callable[[S, M], Facts | None]
    """Why the move cannot be put on the table at all, even by common consent; or None."""
    due: Callable[[S], Due]
    player_on_move: Callable[[S], Seat | None] | None = None
    """The player to move, if that costs less than `due`; called only while the game continues."""
    moves: Callable[..., Iterator[M]]
    """(state, kinds=None) -> the legal moves, or only those of the given kinds."""
    cells_of: Callable[[M], tuple[Cell, ...]]
    """The cells a move touches."""
    nearest: Callable[[S, M], tuple[M, ...]]
    """The legal moves of the same kind that are nearest to a refused one, nearest first, at most three."""
    differences: Callable[[M, M], tuple[Facts, ...]] = differing_fields
    """(refused move, legal one of its kind) -> the differences, each as a code in the game's ``[near]``: the name of a
    field, or more exactly ``field.how``."""
    score: Callable[[S], tuple[Line, ...]]
    """Every score line of every player, also lines without points."""
    points: Callable[[S], Mapping[tuple[Seat, str], int]] | None = None
    """The points of each player by each rule, if a game can count them faster than its lines: the sums of the lines in
    order, with or without zeros."""
    ranking: Callable[[S], tuple[Place, ...]]
    """The places, and what decided them: `rules.ranking.ByPoints`, unless the game has its own way."""
    effects: Callable[[S, M, S], tuple[Effect, ...]] = lambda *_: ()
    """(before, move, after) -> the effects of the move beside its own piece, the most important first. It trusts, like
    `apply`: the table may have let the move stand. `rules.effects` adds points, the end and the winner."""
    standing_effects: frozenset[tuple[str, str]] = frozenset()
    """(rule, code) of the effects that describe a changed standing, such as the points that are missing: under another
    reading they may be true without being new."""
    is_written_differently: Callable[[S, M, str], bool] = lambda *_: False
    """(state under another value of a reading, move, the reading's key) -> whether the same action has another notation
    there. Then a ruling on this move there is useless for a comparison."""
    forecasts: Callable[[S], tuple[Forecast, ...]] = lambda _: ()
    """The forecasts for a state in which the game continues: how near each possible end is, and what a player is short
    of. If points rank, `rules.forecasts` has who is ahead and what would decide a tie."""
    read: Callable[[str], M]
    """Notation -> move. Raises `Malformed`."""
    write: Callable[[M], str]
    position_form: type
    position: Callable[[S], Any]
    """The position of a state as players would write it down, with all that the score and the rulings need."""
    enter: Callable[[Any, Any], S]
    """(setup, position) -> state. Trusts; raises `Malformed` only for a position that makes no sense."""
    problems: Callable[[Any, Any], tuple[Finding, ...]]
    """(setup, position) -> everything in the position that cannot stand on a table."""
    barriers: Collection[tuple[str, str]] = ()
    """(rule, code) of the problems that prevent entering a position, such as an unknown name. With any other problem,
    `enter` makes a state, and the rules and the score answer without an exception."""
    changes: Changes[S, M] = field(default_factory=Changes)
    """Compares a position that is entered during the game with the one before."""
    with_readings: Callable[[S, Mapping[str, str]], S] = with_readings
    """The same position with some readings changed; a game needs its own only if a reading decides whose turn it is."""
    migrate: Callable[[S, str], S] = lambda state, _: state
    """(first state, the version of the rules that a table was opened with) -> the state from which its log continues.
    It keeps old rules for an old table if no reading does (a reading has `before`)."""
    setup_for_position: Callable[[Any], Any] | None = None
    """Checks a setup that comes with an entered position; raises `Malformed`. For a game whose tables can be entered
    without knowing their beginning; else `setup` checks it."""
    turn_of: Callable[[S, Seat], S] = _no_turns
    """The same position with another player to begin a turn: for worked cases of a game that put pieces one by one."""
    by_points: bool = True
    """Whether the most points win, unless a rule says otherwise. Else they give no ranking, and no margin of a win.
    """
    out_of_turn: tuple[str, ...] = ()
    """The kinds of moves that any player may enter in any turn, such as cards played at any time. The service needs
    them, since a player's key may enter only that player's own moves."""
    owner_of: Callable[[S, M], Seat | None] = lambda *_: None
    """(state, move) -> the player of a move, if the move shows it, such as the owner of what it gives away; else None.
    No other seat may then enter a move out of turn; the log has the move as that player's, even if the host enters
    it."""
    of_pieces: Callable[[Mapping[str, Value]], Collection[str]] = lambda _: ()
    """The values of a sentence in which a colour means a piece, and not its player."""
    happenings: tuple[str, ...] = ()
    """The kinds of entries that report an event on the table, such as a collapse. They may be entered whenever it
    happens, and are never offered in place of a refused move."""
    pass_moves: tuple[str, ...] = ()
    """The kinds of moves that only continue play, such as the end of a turn or a phase. They have no fields, so that
    each is one move."""
    round_begins: Callable[[S, S], bool] | None = None
    """(state before an entry, state after it) -> whether a round begins. None: a round begins when the turn returns to
    the player who had the first turn."""
    dice: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: {ORDINARY: ORDINARY_FACES})
    """Kind of die -> its faces. The rules roll none: the table or the service supplies the results."""
    dice_thrown: Callable[[S, M], Mapping[str, Mapping[str, int]]] = lambda *_: NOTHING
    """(state, a move before its roll, with 0 for the sums) -> camp -> the number of dice of each kind that it throws.
    Empty for any other move, and if no dice are thrown."""
    setup_with_starter: Callable[[Any, int], Any] = rotate_players
    """(setup, place in turn order) -> the setup of the same players in which the one at that place begins. The others
    keep their order."""
    unknowns: UnknownRules[S, M] | None = None
    """How a position may have unknown cells (`rules.unknowns`); None: every cell of a position is known."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Member -> its description for forms whose docstrings have none, such as a member of many forms."""
    data: object = field(default=None, repr=False)
    """The printed data that a table may replace by its own, such as a map and prices; a frozen dataclass. The service
    returns it, so that a client can change a copy."""

    def why_near(self, refused: M, near: M) -> tuple[Facts, ...]:
        """Why a legal move is near a refused one: its differences, or that it touches the same cell, or is due."""
        if type(refused) is type(near):
            return self.differences(refused, near)
        shared_cells = set(self.cells_of(refused)) & set(self.cells_of(near))
        return (Facts(SAME_CELL if shared_cells else INSTEAD),)

    def check(self, state: S, move: M) -> Verdict:
        """Judge a move. Never mutates, and raises only `rules.steps.TooMuch`, if steps are counted."""
        verdict = hear(self.book[self.phase(state), type(move)], state, move)
        if verdict.ruling is ILLEGAL and self.stuck_rule is not None:
            facts = self.stuck_rule.objects(state, move)
            if facts is not None:
                return Verdict(ILLEGAL, (Finding(self.stuck_rule.id, facts),), (self.stuck_rule,))
        return verdict
