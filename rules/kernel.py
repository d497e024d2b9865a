"""The referee's vocabulary: what a rule, a finding, a verdict and a score line are.

Pure Python and the standard library only: no clock, no random numbers, no input or output. A rule is a function
that objects; `check` judges and `apply` trusts, and neither calls the other. Words are not here: a finding carries
a rule id, a code and facts, and the sentences are data (``rules/<game>/text``), chosen at the edge.
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
    """A named tuple whose `_replace` touches the fields that change; that of a named tuple goes through all.

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
    """A number of which is known that it is at least and at most so much, both included."""

    least: int
    most: int


class Ruling(Enum):
    """The three answers of a referee. `UNPROVEN`: the position leaves open what decides."""

    ILLEGAL = "illegal"
    UNPROVEN = "unproven"
    LEGAL = "legal"


# For rules that run often: before Python 3.12, `Ruling.LEGAL` takes as long as a call.
ILLEGAL: Final = Ruling.ILLEGAL
UNPROVEN: Final = Ruling.UNPROVEN
LEGAL: Final = Ruling.LEGAL


# --- findings ----------------------------------------------------------------------------------------------------


# Named tuples here, dataclasses elsewhere: these are made anew on every check.
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Fact(NamedTuple):
    """What some cells show: the cells to light, and what is counted there."""

    cells: tuple[Cell, ...]
    counts: Mapping[str, int] = NOTHING


class Facts(NamedTuple):
    """What a rule has to say of a move.

    `code` names the sentence (`""` where the rule has one only), `values` fill it, `evidence` shows it on the
    board, and `needs` names the unknown cells on which it depends (then the ruling is unproven).
    """

    code: str = ""
    values: Mapping[str, Value] = NOTHING
    evidence: Sequence[Fact] = ()
    ruling: Ruling = ILLEGAL
    needs: tuple[Cell, ...] = ()


class Finding(NamedTuple):
    """One rule's answer: which rule, what it says, and the facts that show it."""

    rule: str
    facts: Facts

    @property
    def ruling(self) -> Ruling:
        """Illegal, unproven, or legal (then the finding shows the count that let the move pass)."""
        return self.facts.ruling


class Effect(NamedTuple):
    """Something that a move brings about: by which rule, and the facts that show it, as a finding has them.

    Its sentence is in the game's ``[effects]``, under the rule, or under the rule and the code of the facts.
    """

    rule: str
    facts: Facts

    @property
    def sentence_key(self) -> tuple[str, str]:
        """Which sentence it has: its rule and the code of its facts."""
        return self.rule, self.facts.code


class Forecast(NamedTuple):
    """A forecast for a game that continues: about its end, about who is ahead, or about what somebody lacks.

    It is certain, or says that it is so as the table stands now. Its sentence is in the game's ``[foretold]``, as that
    of an effect is in ``[effects]``. `soon`: what is due now, or in the turn after it, may end the game that way.
    """

    about: Literal["end", "standing", "short"]
    rule: str
    facts: Facts
    soon: bool = False


@accept_old_members(broken="broken_rules", heard="heard_rules")
class Verdict(NamedTuple):
    """The answer to one move: every rule that was heard, and the findings of those that spoke."""

    ruling: Ruling
    findings: tuple[Finding, ...]
    row: Sequence[Rule[Any, Any]]
    """The rules of the rulebook for this kind of move in this phase."""
    silent: frozenset[int] = frozenset()
    """Which of them, by number in the row, were not heard because a rule that they presuppose objected."""

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
    count. `after` lists the rules it presupposes: where one of those has objected, this one is not heard. `counts` is
    asked where it had nothing to object and somebody wants to see all that was counted; it costs no check anything.

    Of a heap of stones, nobody takes more than lie there:

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
    """What a rule counted that had nothing to object."""
    return Facts("counted", values, evidence, LEGAL)


def hear(rules: Sequence[Rule[S, object]], state: S, move: object) -> Verdict:
    """Hear every rule on a move: of a legal one, the counts that let it pass; of any other, what stands in its way.

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
    """The end of a game: the rule that ended it, with what the sentence needs; `tells_winner`: it says who has won."""

    rule: str
    values: Mapping[str, Value] = field(default_factory=dict)
    tells_winner: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class Due:
    """Whose move it is and which kinds; or the end.

    `code` names the sentence in the game's ``[due]`` texts and `values` fills it. Without a seat and without an end,
    what is due is an entry of nobody's turn, such as what was turned up.
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

    `code` names its words where a rule has several lines (``""`` where it has one), and `values` fill them.
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
    """What a tie-break counts of each player whose points are equal: a number or several, or None where nothing is."""

    rule: str
    figures: tuple[tuple[Seat, Value], ...]


@accept_old_members(
    tied="tiebreak_figures",
)
@dataclass(frozen=True, slots=True)
class Place:
    """A place in the ranking: who holds it, and the criterion that set it apart from the places beside it.

    `decided_by` is ``total`` or a rule id; a shared place names the rule that leaves it shared. Where a game may end
    without a winner and nobody has won, `place` is None for everybody: then the order ranks nobody. `level` says that a
    place is shared because nothing sets its players apart: if it is the first and everybody's, that is a draw. A place
    that a rule gives to several is not level: they have won together, be it everybody. `tiebreak_figures` has the
    figures of each tie-break that was asked, in order.
    """

    place: int | None
    seats: tuple[Seat, ...]
    decided_by: str
    evidence: tuple[Fact, ...] = ()
    level: bool = field(default=False, repr=False)
    tiebreak_figures: tuple[TiebreakFigures, ...] = field(default=(), repr=False)


# --- moves that are near -------------------------------------------------------------------------------------------

SAME_CELL: Final = "same_cell"
"""A move of another kind is near, for it touches the same cell."""
INSTEAD: Final = "instead"
"""A move of another kind is near, for it is due instead."""


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


# --- what lies there now ---------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    """A piece as it lies on a table: two tables are compared by these.

    `code` names its words in the game's ``[things]`` and `values` fill them. `cells` is where it lies, none where that
    is beside the board; `at` is what the place is called, if it has a name. `by`: nobody but this player can have put
    it there.
    """

    code: str
    values: tuple[tuple[str, Value], ...] = ()
    cells: tuple[Cell, ...] = ()
    at: Value = None
    by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Generic[S, M]):
    """How a game compares two of its tables, the second of which is claimed to follow from the first by play.

    What has a default is true of every game, but says little.
    """

    pieces: Callable[[S], Mapping[Piece, int]] = lambda _: {}
    """What lies there, and how many times."""
    objections: Callable[[S, S], Iterator[Finding]] = lambda *_: iter(())
    """(before, after) -> why no legal play leads from one to the other, as codes of the game's ``[changes]``. Sound:
    two states of a legal game, in order, cause no objection."""
    towards: Callable[[S, S], Iterator[M]] | None = None
    """(state, wanted) -> moves that may be part of a way there, to be judged. None: the legal moves."""
    every_way: bool = False
    """Whether these are all possible ways, so that if none of them works, no way exists."""
    least: Callable[[S, S], int] = lambda *_: 1
    """(state, wanted) -> so many moves are missing at least, where the two are not the same."""
    same: Callable[[S, S], bool] | None = None
    """(state, wanted) -> whether they are the same, as far as the wanted one says. None: the two are equal."""
    key: Callable[[S], Hashable] | None = None
    """What tells a state from the others on the ways to one table; None: its position in writing."""


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
