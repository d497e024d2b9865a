"""The referee's vocabulary: rules, findings, verdicts and score lines.

Pure Python and the standard library only: no clock, no random numbers, no input or output. A rule is a function
that objects; `check` judges and `apply` trusts, and neither calls the other. Words are not here: a finding has a rule
id, a code and facts, and the sentences are data (``rules/<game>/text``), chosen at the edge.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field, fields
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from rules.old_names import accept_old_members, old_attributes
from rules.records import dataclass
from rules.steps import spend

Seat: TypeAlias = str
"""A player, named by colour, as at the table."""
Cell: TypeAlias = "str | tuple[int, int]"
"""A place on the table, in the game's own coordinates."""
Value: TypeAlias = "int | str | bool | Bounds | tuple[int | str | tuple[int, int], ...] | None"
"""A number or a name in a finding; tuples are lists of names or cells."""

ORDINARY: Final = "ordinary"
"""The die that every game may use."""
ORDINARY_FACES: Final = (1, 2, 3, 4, 5, 6)

S = TypeVar("S")
M = TypeVar("M")
T = TypeVar("T", bound=NamedTuple)


def with_quick_replace(made: type[T]) -> type[T]:
    """A named tuple whose `_replace` touches only the changed fields; the standard one copies all.

    >>> @with_quick_replace
    ... class Heap(NamedTuple):
    ...     left: int
    ...     player: int = 0
    >>> Heap(4)._replace(player=1)
    Heap(left=4, player=1)
    """
    places = {name: place for place, name in enumerate(made._fields)}

    def replace(self: T, /, **changes: object) -> T:
        values: list[object] = list(self)
        for name, value in changes.items():
            values[places[name]] = value
        return tuple.__new__(type(self), values)

    made._replace = replace  # type: ignore[misc, assignment]  # that of a named tuple is final
    return made


class Bounds(NamedTuple):
    """A number of which only the least and greatest possible value are known, both included."""

    least: int
    most: int


class Ruling(Enum):
    """The three answers of a referee. `UNPROVEN`: it depends on unknown cells."""

    ILLEGAL = "illegal"
    UNPROVEN = "unproven"
    LEGAL = "legal"


# For rules that run often: before Python 3.12, `Ruling.LEGAL` takes as long as a call.
ILLEGAL: Final = Ruling.ILLEGAL
UNPROVEN: Final = Ruling.UNPROVEN
LEGAL: Final = Ruling.LEGAL


# --- findings ----------------------------------------------------------------------------------------------------


# Named tuples here, dataclasses elsewhere: every check makes new ones of these.
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Fact(NamedTuple):
    """What some cells show: the cells to light, and the counts there."""

    cells: tuple[Cell, ...]
    counts: Mapping[str, int] = NOTHING


class Facts(NamedTuple):
    """The statement of a rule on a move.

    `code` names the sentence (`""` if the rule has only one), and `values` fill it. `evidence` shows it on the board.
    `needs` names the unknown cells on which it depends (then the ruling is unproven).
    """

    code: str = ""
    values: Mapping[str, Value] = NOTHING
    evidence: Sequence[Fact] = ()
    ruling: Ruling = ILLEGAL
    needs: tuple[Cell, ...] = ()


class Finding(NamedTuple):
    """One rule's answer: the rule, and the facts that show it."""

    rule: str
    facts: Facts

    @property
    def ruling(self) -> Ruling:
        """Illegal, unproven, or legal (then the finding shows the count that let the move pass)."""
        return self.facts.ruling


class Effect(NamedTuple):
    """An effect of a move: the rule, and the facts that show it, as in a finding.

    Its sentence is in the game's ``[effects]``, under the rule, or under the rule and the code of the facts.
    """

    rule: str
    facts: Facts

    @property
    def sentence_key(self) -> tuple[str, str]:
        """The key of its sentence: its rule and the code of its facts."""
        return self.rule, self.facts.code


class Forecast(NamedTuple):
    """A forecast for a game that continues: about its end, about who is ahead, or about what somebody lacks.

    It is certain, or says that it holds for the present state. Its sentence is in the game's ``[foretold]``, as that of
    an effect is in ``[effects]``. `soon`: this turn or the next may end the game that way.
    """

    about: Literal["end", "standing", "short"]
    rule: str
    facts: Facts
    soon: bool = False


@accept_old_members(broken="broken_rules", heard="heard_rules")
class Verdict(NamedTuple):
    """The answer to one move: every rule that was heard, and the findings."""

    ruling: Ruling
    findings: tuple[Finding, ...]
    row: Sequence[Rule[Any, Any]]
    """The rules of the rulebook for this kind of move in this phase."""
    silent: frozenset[int] = frozenset()
    """The numbers in the row of those rules that were not heard, because a rule that they presuppose objected."""

    @property
    def heard_rules(self) -> tuple[str, ...]:
        """The ids of the rules that were heard, each once, in order."""
        return tuple(dict.fromkeys(rule.id for n, rule in enumerate(self.row) if n not in self.silent))

    @property
    def legal(self) -> bool:
        """Whether no rule objects and none is left open."""
        return self.ruling is LEGAL

    @property
    def broken_rules(self) -> tuple[str, ...]:
        """The ids of the rules that object, each once, in the order they were heard."""
        return tuple(dict.fromkeys(f.rule for f in self.findings if f.ruling is ILLEGAL))


@dataclass(frozen=True, slots=True)
class Rule(Generic[S, M]):
    """A rule of the printed game as a function that objects.

    `objects` returns None to let the move pass; facts to object; facts marked `LEGAL` to let it pass and show the
    count. `after` lists the rules it presupposes: if one of those has objected, this one is not heard. `counts` is
    called for a rule without an objection, to show all counts; a check never calls it.

    From a heap of stones, nobody takes more than lie there:

    >>> there = Rule("N-1", lambda heap, taken: Facts("few", {"left": heap}) if taken > heap else None)
    >>> there.objects(3, 2) is None
    True
    >>> there.objects(3, 4).values
    {'left': 3}
    """

    id: str
    objects: Callable[[S, M], Facts | None]
    after: tuple[str, ...] = ()
    counts: Callable[[S, M], Facts | None] | None = None


def counted_facts(values: Mapping[str, Value], evidence: Sequence[Fact] = ()) -> Facts:
    """The counts of a rule without an objection."""
    return Facts("counted", values, evidence, LEGAL)


def hear(rules: Sequence[Rule[S, object]], state: S, move: object) -> Verdict:
    """Hear every rule on a move: for a legal move, find the counts that let it pass; for any other, the objections.

    >>> there = Rule("N-1", lambda heap, taken: Facts("few", {"left": heap}) if taken > heap else None)
    >>> not_all = Rule("N-2", lambda heap, taken: Facts("none_left") if taken == heap else None, after=("N-1",))
    >>> hear((there, not_all), 3, 2).legal
    True
    >>> hear((there, not_all), 3, 3).broken_rules
    ('N-2',)
    >>> verdict = hear((there, not_all), 3, 4)
    >>> verdict.ruling.value, verdict.broken_rules, verdict.heard_rules
    ('illegal', ('N-1',), ('N-1',))
    """
    spend(len(rules) or 1)
    findings: list[Finding] = []
    obstacles: list[Finding] = []
    objected: set[str] = set()
    silent: list[int] = []
    for number, rule in enumerate(rules):
        if objected and not objected.isdisjoint(rule.after):
            silent.append(number)
        elif (facts := rule.objects(state, move)) is not None:
            findings.append(Finding(rule.id, facts))
            if facts.ruling is not LEGAL:
                obstacles.append(findings[-1])
            if facts.ruling is ILLEGAL:
                objected.add(rule.id)
    if not obstacles:
        return Verdict(LEGAL, tuple(findings), rules)
    return Verdict(ILLEGAL if objected else UNPROVEN, tuple(obstacles), rules, frozenset(silent))


# --- what is due -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a game: the rule that ended it, with its sentence's values; `tells_winner`: it names the winner."""

    rule: str
    values: Mapping[str, Value] = field(default_factory=dict)
    tells_winner: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class Due:
    """The player to move and the kinds of moves; or the end.

    `code` names the sentence in the game's ``[due]`` texts and `values` fills it. Without a seat and without an end, an
    entry is due that is nobody's turn, such as a card that was turned up.
    """

    seat: Seat | None
    kinds: tuple[str, ...]
    code: str
    values: Mapping[str, Value] = field(default_factory=dict)
    ended: Ended | None = None


# --- the score ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the score sheet; the `points` of its evidence add up to its points.

    `code` names its words if a rule has several lines (``""`` if it has one), and `values` fill them.
    """

    seat: Seat
    rule: str
    points: int
    evidence: tuple[Fact, ...] = ()
    code: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)


@accept_old_members(
    of="figures",
)
class TiebreakFigures(NamedTuple):
    """The figures of a tie-break for each player with equal points: a number or several, or None."""

    rule: str
    figures: tuple[tuple[Seat, Value], ...]


@accept_old_members(
    tied="tiebreak_figures",
)
@dataclass(frozen=True, slots=True)
class Place:
    """A place in the ranking: who holds it, and the criterion that separates it from the places beside it.

    `decided_by` is ``total`` or a rule id; a shared place names the rule that leaves it shared. If a game may end
    without a winner and nobody has won, `place` is None for everybody: then the order ranks nobody. `level`: the place
    is shared because no criterion separates its players; if it is the first and everybody's, that is a draw. A place
    that a rule gives to several players is not level: they have won together, even if all of them have.
    `tiebreak_figures` has the figures of each tie-break that was used, in order.
    """

    place: int | None
    seats: tuple[Seat, ...]
    decided_by: str
    evidence: tuple[Fact, ...] = ()
    level: bool = field(default=False, repr=False)
    tiebreak_figures: tuple[TiebreakFigures, ...] = field(default=(), repr=False)


# --- moves that are near -------------------------------------------------------------------------------------------

SAME_CELL: Final = "same_cell"
"""A move of another kind is near because it touches the same cell."""
INSTEAD: Final = "instead"
"""A move of another kind is near because it is due instead."""


def differing_fields(refused: Any, near: Any) -> tuple[Facts, ...]:
    """The fields in which two moves of a kind differ, each as the code of its words.

    >>> @dataclass(frozen=True)
    ... class Take:
    ...     n: int
    ...     heap: str = "left"
    >>> [facts.code for facts in differing_fields(Take(3), Take(2))]
    ['n']
    """
    names = [member.name for member in fields(near) if member.init and member.compare]
    return tuple(Facts(name) for name in names if getattr(refused, name) != getattr(near, name))


# --- pieces on the table ---------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    """A piece on a table, for comparing two tables.

    `code` names its words in the game's ``[things]`` and `values` fill them. `cells`: where it lies, empty beside the
    board; `at`: the name of the place, if it has one. `by`: only this player can have put it there.
    """

    code: str
    values: tuple[tuple[str, Value], ...] = ()
    cells: tuple[Cell, ...] = ()
    at: Value = None
    by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Generic[S, M]):
    """How a game compares two of its tables, where the second may follow from the first by play.

    The defaults are valid for every game, but weak.
    """

    pieces: Callable[[S], Mapping[Piece, int]] = lambda _: {}
    """The pieces that lie there, with their numbers."""
    objections: Callable[[S, S], Iterator[Finding]] = lambda *_: iter(())
    """(before, after) -> why no legal play leads from one to the other, as codes of the game's ``[changes]``. Sound:
    two states of a legal game, in order, cause no objection."""
    towards: Callable[[S, S], Iterator[M]] | None = None
    """(state, target) -> candidate moves for a way there, which are then judged. None: the legal moves."""
    every_way: bool = False
    """Whether these moves cover all ways, so that if none of them works, no way exists."""
    least: Callable[[S, S], int] = lambda *_: 1
    """(state, target) -> a lower bound of the missing moves, if the two are not the same."""
    same: Callable[[S, S], bool] | None = None
    """(state, target) -> whether they are the same, as far as the target says. None: whether the two are equal."""
    key: Callable[[S], Hashable] | None = None
    """The key that identifies a state on the ways to one table; None: its written position."""


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        Foretold="Forecast",
        Tied="TiebreakFigures",
        Game="rules.game.Game",
        begun_by="rules.game.rotate_players",
        counted="counted_facts",
        differing="differing_fields",
        rotate_players="rules.game.rotate_players",
    )
