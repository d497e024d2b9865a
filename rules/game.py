"""A game: a value made of functions, which the service and the pages know by its fields."""

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
    raise NotImplementedError(f"no turn of {seat} can begin: a worked case of this game enters its position")


def rotate_players(setup: Any, place: int) -> Any:
    """The same people, in the same order around the table, from whoever has a place in turn order on."""
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
    member. A state has an attribute ``readings``. What has a default is what many games do without.

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
    """How many can play."""
    seats: tuple[Seat, ...]
    """Every colour there is."""
    seats_of: Callable[[S], tuple[Seat, ...]]
    """The colours that play, in turn order."""
    readings: tuple[Reading, ...]
    kinds: Mapping[str, type]
    """Kind of move -> its class."""
    setup_form: type
    setup: Callable[[Any], S]
    """A setup (of `setup_form`) -> the first state. Raises `Malformed`."""
    example_setup: Mapping[str, Any] | None = None
    """A setup with which a game can begin, as a client gives it; None where a setup may leave everything out."""
    book: Mapping[tuple[str, type], tuple[Rule[S, object], ...]]
    """(phase, class of move) -> the rules that are heard, in order."""
    phase: Callable[[S], str]
    """The phase whose row of the book is heard."""
    stuck_rule: Rule[S, object] | None = None
    """The rule that ends the game because no legal move is left, if the game has one. It is asked only where a move
    was refused (where one is legal, the game is not stuck), and then heard alone: in the book it would cost every
    check a search for legal moves."""
    apply: Callable[[S, M], S]
    """Trusts: never judges, never mutates, total on moves for which `cannot_stand` has no objection."""
    cannot_stand: Callable[[S, M], Facts | None]
    """What makes it impossible to put the move on the table at all, even by common consent; or None."""
    due: Callable[[S], Due]
    player_on_move: Callable[[S], Seat | None] | None = None
    """Whose move is due, where that costs less than all that is due; asked only while the game continues."""
    moves: Callable[..., Iterator[M]]
    """(state, kinds=None) -> the legal moves, of these kinds only where kinds are given."""
    cells_of: Callable[[M], tuple[Cell, ...]]
    """The cells a move touches."""
    nearest: Callable[[S, M], tuple[M, ...]]
    """The legal moves of the same kind that are nearest to a refused one, nearest first, at most three."""
    differences: Callable[[M, M], tuple[Facts, ...]] = differing_fields
    """(refused, legal one of its kind) -> what of it is other, each as a code in the game's ``[near]``: the name of a
    field, or more exactly ``field.how``."""
    score: Callable[[S], tuple[Line, ...]]
    """Every line of every player, lines without points too."""
    points: Callable[[S], Mapping[tuple[Seat, str], int]] | None = None
    """The points of each player by each rule, where they are counted quicker than the lines are made: the sums of the
    lines in their order, with or without those that are 0."""
    ranking: Callable[[S], tuple[Place, ...]]
    """Who is where, and what decided it: `rules.ranking.ByPoints`, unless the game has a way of its own."""
    effects: Callable[[S, M, S], tuple[Effect, ...]] = lambda *_: ()
    """(before, move, after) -> what the move brings about beside its own piece, the most important first. It trusts as
    `apply` does: the move may be one that stood. `rules.effects` has points, the end and the winner."""
    standing_effects: frozenset[tuple[str, str]] = frozenset()
    """The effects, each as rule and code, that tell how the table stands afterwards where that has changed, such as how
    many points are wanting: under another reading they may be as true and no news."""
    is_written_differently: Callable[[S, M, str], bool] = lambda *_: False
    """(state under another value of a reading, move, the reading's key) -> whether the same deed has another notation
    there. Then the ruling on this move there is no use for a comparison."""
    forecasts: Callable[[S], tuple[Forecast, ...]] = lambda _: ()
    """The forecasts for a state in which the game continues: how near its end is, by each rule that may end it; who is
    ahead and what would decide a tie, from `rules.forecasts` where points rank; what a player is short of."""
    read: Callable[[str], M]
    """Notation -> move. Raises `Malformed`."""
    write: Callable[[M], str]
    position_form: type
    position: Callable[[S], Any]
    """The state as the players would write it down; all that the score and the rulings need is in it."""
    enter: Callable[[Any, Any], S]
    """(setup, position) -> state. Trusts; raises `Malformed` only for what no table could mean."""
    problems: Callable[[Any, Any], tuple[Finding, ...]]
    """(setup, position) -> everything in it that cannot stand on a table."""
    barriers: Collection[tuple[str, str]] = ()
    """The problems, each as rule and code, with which nothing can be entered, such as a name that nothing has. With any
    others, `enter` makes a state, and the rules and the score answer without an exception."""
    changes: Changes[S, M] = field(default_factory=Changes)
    """Compares a position that is entered while the game continues with the one before."""
    with_readings: Callable[[S, Mapping[str, str]], S] = with_readings
    """The same position with some readings changed; of its own only where a reading decides whose turn it is."""
    migrate: Callable[[S, str], S] = lambda state, _: state
    """(first state, the version of the rules that a table was opened with) -> the state from which its log continues.
    It lets an old table use its old rules where no reading does (a reading has `before`)."""
    setup_for_position: Callable[[Any], Any] | None = None
    """What a setup has to be where a position is entered with it; raises `Malformed`. Of its own where a table can be
    entered without the beginning that it had: else a setup is one that `setup` takes."""
    turn_of: Callable[[S, Seat], S] = _no_turns
    """The same position with another player to begin a turn: for worked cases, which tests run and the service shows,
    in a game whose cases put pieces one by one."""
    by_points: bool = True
    """Whether the most points win, unless a rule says otherwise. Else they place nobody, and say nothing of how clearly
    a game was won.
    """
    out_of_turn: tuple[str, ...] = ()
    """The kinds of moves that any player may enter, whosever turn it is, such as cards played at any time. The service
    asks, for it lets a player's key enter only that player's own moves."""
    owner_of: Callable[[S, M], Seat | None] = lambda *_: None
    """(state, move) -> the player whose move it is where the move tells it, such as the owner of what it gives away;
    None where it does not, or is anybody's. No other seat may enter a move of any time; the log has a move as that
    player's, also where the host enters it."""
    of_pieces: Callable[[Mapping[str, Value]], Collection[str]] = lambda _: ()
    """The values of a sentence in which a colour is that of a piece, and not its player."""
    happenings: tuple[str, ...] = ()
    """The kinds of entries that say what has happened on the table, such as a collapse. They may be entered whenever it
    has, and none is offered in place of a move that is refused."""
    pass_moves: tuple[str, ...] = ()
    """The kinds of moves that only continue play, as one may whenever no rule objects: the end of a turn or a phase.
    They have no fields, so that each is one move."""
    round_begins: Callable[[S, S], bool] | None = None
    """(before, after an entry) -> whether a round begins then. None: a round begins where what is due comes back to the
    player who had the first turn."""
    dice: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: {ORDINARY: ORDINARY_FACES})
    """Kind of die -> its faces. The rules throw none: a table, or the service, says what they show."""
    dice_thrown: Callable[[S, M], Mapping[str, Mapping[str, int]]] = lambda *_: NOTHING
    """(state, a move whose dice are not thrown yet, with 0 for their sums) -> camp -> how many dice of each kind it
    throws. Nothing for any other move, and where no dice are thrown."""
    setup_with_starter: Callable[[Any, int], Any] = rotate_players
    """(setup, place in turn order) -> the setup of the same people where whoever has that place begins. The others keep
    their order."""
    unknowns: UnknownRules[S, M] | None = None
    """How a position may leave cells open (`rules.unknowns`); None: every cell of a position is known."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Member -> what it means in the forms whose docstrings do not describe it, such as one that many of them have."""
    data: object = field(default=None, repr=False)
    """What a table may replace by its own, such as a map and prices, as it is printed; a frozen dataclass. The service
    shows it, so that a client can change a copy."""

    def why_near(self, refused: M, near: M) -> tuple[Facts, ...]:
        """Why a legal move is near a refused one: what of it is other, or that it touches the same cell, or is due."""
        if type(refused) is type(near):
            return self.differences(refused, near)
        shared_cells = set(self.cells_of(refused)) & set(self.cells_of(near))
        return (Facts(SAME_CELL if shared_cells else INSTEAD),)

    def check(self, state: S, move: M) -> Verdict:
        """Judge a move. Never mutates, and raises nothing but `rules.steps.TooMuch` where steps are counted."""
        verdict = hear(self.book[self.phase(state), type(move)], state, move)
        if verdict.ruling is ILLEGAL and self.stuck_rule is not None:
            facts = self.stuck_rule.objects(state, move)
            if facts is not None:
                return Verdict(ILLEGAL, (Finding(self.stuck_rule.id, facts),), (self.stuck_rule,))
        return verdict
