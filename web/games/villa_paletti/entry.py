"""Enters a position of Villa Paletti by taps: the columns of a level, the floors, the seal, and how the game ended.

There are no taps for whose turn it is, for its `part`, and for whether a floor was `asked` for. Neither the score nor
the ranking depends on them under any reading; tests/rules/villa_paletti/test_table.py checks that.

In a question, columns, locks and the seal may be unknown; then a tap says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from rules.forms import THE_REST, UNKNOWN, is_unknown, rest_is_unknown
from rules.kernel import Cell
from rules.villa_paletti import GAME
from rules.villa_paletti.columns import COLOURS, CONTEST, FIRST_FLOOR, KINDS, RED_FLOOR, SUPPLY, Colour, Group
from rules.villa_paletti.moves import Abort, Column
from rules.villa_paletti.state import Columns, Ending, OutColumns, Player, Position, Setup, State
from rules.villa_paletti.unknowns.gaps import known_part
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.games.villa_paletti.questions.options import group_of
from web.games.villa_paletti.symbols import icon, sketch


def blank() -> Snapshot:
    """The villa at the start of a game: all columns on the base plate, for four players."""
    setup = Setup()
    return Snapshot(setup, replace(GAME.position(GAME.setup(setup)), due=None))


NOT_KNOWN: Final[Any] = UNKNOWN
"""In place of a number or a colour."""
LOCKED: Final = "locked"
"""The code of the brush that locks columns."""


def mark_unknown(snapshot: Snapshot) -> Snapshot:
    """The position of a question: columns that were never entered may stand anywhere, and anybody may have the seal
    once there is a contest for it.
    """
    top = snapshot.position.top
    position = Position(top=top, rest=THE_REST, **_seal(top))  # type: ignore[arg-type]  # the form's word for it
    return replace(snapshot, position=position)


def _seal(top: int) -> dict[str, Any]:
    """The unknown holders of the seal, now and before; nobody before the contest (`VP-30`)."""
    nobody = None if top < CONTEST else NOT_KNOWN
    return {"holder": nobody, "previous": nobody}


def hide(snapshot: Snapshot, cell: Cell) -> Snapshot | None:
    """The snapshot with an unknown number of columns in a group: the others may be out of the game as well."""
    group = group_of(state_of(snapshot), cell)
    return None if group is None else with_columns(snapshot, group, NOT_KNOWN, 0)


def is_question(position: Position) -> bool:
    """Whether something may be unknown: it is a question, not a position to count."""
    numbers = [number for each in position.columns for number in (each.n, each.locked)]
    facts = (position.due, position.part, position.holder, position.previous)
    return position.rest is not None or any(map(is_unknown, (*numbers, *facts)))


def state_of(snapshot: Snapshot) -> State:
    """The state of the known part."""
    return GAME.enter(snapshot.setup, known_part(snapshot.setup, snapshot.position))


def choices(snapshot: Snapshot, cell: Cell | None, words: Words) -> Sequence[ChoiceGroup]:
    """The columns of a group; beside the board, who plays, the floors, the seal and the end."""
    if cell is None:
        return _Table(snapshot, words).choices()
    group = group_of(state_of(snapshot), cell)
    return _columns(snapshot, group, words) if group else ()


# --- the columns of a level --------------------------------------------------------------------------------------


def _columns(snapshot: Snapshot, group: Group, words: Words) -> Sequence[ChoiceGroup]:
    """The number of columns there, and of locked ones."""
    is_open, unseen = is_question(snapshot.position), is_unseen(snapshot.position, group)
    n, _ = numbers_of(snapshot.position, group)
    found = [ChoiceGroup(words.say("board", "edit_columns"), _numbers(snapshot, group, words))]
    if n:
        found.append(ChoiceGroup(words.say("board", "edit_locked"), _locks(snapshot, group, words)))
    if n or is_open:
        away = Choice("", (), with_columns(snapshot, group, 0, 0), is_chosen=not n and not unseen)
        found.append(ChoiceGroup("", (away,)))
    return found


def _numbers(snapshot: Snapshot, group: Group, said: Words) -> tuple[Choice, ...]:
    """The number of columns there."""
    n, _ = numbers_of(snapshot.position, group)
    return tuple(
        Choice(
            said.say("board", "edit_n", {"n": number}),
            _column(group, locked=False),
            with_number(snapshot, group, number),
            number == n,
            brush="" if n else f"n{number}",  # a brush adds to the columns there
        )
        for number in range(1, SUPPLY[group.shape] + 1)
    )


def _locks(snapshot: Snapshot, group: Group, said: Words) -> tuple[Choice, ...]:
    """The number of locked ones, which may be unknown in a question."""
    n, locked = numbers_of(snapshot.position, group)
    locks = tuple(
        Choice(
            said.say("board", "edit_locked_n", {"n": number}),
            _column(group, locked=bool(number)),
            with_columns(snapshot, group, n, number),
            number == locked,
            brush=LOCKED if n and number == n else "",
        )
        for number in range(n + 1)
    )
    if not is_question(snapshot.position):
        return locks
    return (*locks, unknown_choice(said, with_columns(snapshot, group, n, NOT_KNOWN), is_chosen=is_unknown(locked)))


def unknown_choice(words: Words, snapshot: Snapshot, *, is_chosen: bool) -> Choice:
    """The choice that something is unknown."""
    return Choice(words.say("board", "edit_unknown"), (), snapshot, is_chosen, is_unknown=True)


def with_number(snapshot: Snapshot, group: Group, number: int) -> Snapshot:
    """The snapshot with a number of columns in a group, and as many locks as before."""
    _, locked = numbers_of(snapshot.position, group)
    return with_columns(snapshot, group, number, 0 if is_unknown(locked) else min(locked, number))


def numbers_of(position: Position, group: Group) -> tuple[int, int]:
    """The known number of columns in a group, and of locked ones."""
    here = _here(position, group)
    return (here.n, here.locked) if here and not is_unknown(here.n) else (0, 0)


def is_unseen(position: Position, group: Group) -> bool:
    """Whether the number of columns in a group is unknown."""
    here = _here(position, group)
    return rest_is_unknown(position) if here is None else is_unknown(here.n)


def _here(position: Position, group: Group) -> Columns | None:
    return next((c for c in position.columns if (c.colour, c.shape, c.level) == group), None)


def with_columns(snapshot: Snapshot, group: Group, n: int, locked: int) -> Snapshot:
    """The snapshot with a number of columns in a group; if the supply is too small, the lowest others move there."""
    position: Position = snapshot.position
    rest = rest_is_unknown(position)
    kind = (group.colour, group.shape)
    others = [c for c in position.columns if (c.colour, c.shape, c.level) != group]
    excess = (
        _known_count(n) + sum(_known_count(c.n) for c in others if (c.colour, c.shape) == kind) - SUPPLY[group.shape]
    )
    columns_now = []
    for columns in sorted(others, key=lambda c: c.level):
        removed = min(_known_count(columns.n), excess) if excess > 0 and (columns.colour, columns.shape) == kind else 0
        excess -= removed
        if removed:
            left = columns.n - removed
            locks = columns.locked if is_unknown(columns.locked) else min(columns.locked, left)
            columns = replace(columns, n=left, locked=locks if left else 0)  # noqa: PLW2901  # the same ones, fewer
        if columns.n or rest:
            columns_now.append(columns)
    if not is_unknown(n) if rest else n:  # an omitted group is unknown, or empty
        columns_now.append(Columns(group.colour, group.shape, group.level, n, locked))
    out = () if rest else tuple(_out(columns_now))
    return replace(snapshot, position=replace(position, columns=tuple(columns_now), out=out))


def _known_count(n: int) -> int:
    """A known number of columns, or 0."""
    return 0 if is_unknown(n) else n


def _out(columns: Sequence[Columns]) -> Iterator[OutColumns]:
    """The columns out of the game: all that stand nowhere, or an unknown number."""
    for kind in KINDS:
        numbers = [c.n for c in columns if (c.colour, c.shape) == kind]
        missing = SUPPLY[kind[1]] - sum(map(_known_count, numbers))
        if any(map(is_unknown, numbers)):
            yield OutColumns(*kind, NOT_KNOWN)
        elif missing > 0:
            yield OutColumns(*kind, missing)


def _column(group: Group, *, locked: bool) -> tuple[Shape, ...]:
    return sketch(Abort(*group) if locked else Column(*group), None)


# --- what lies beside the board ----------------------------------------------------------------------------------


class _Table:
    """Who plays, how high the villa is, who has the seal, and how the game ended."""

    def __init__(self, snapshot: Snapshot, words: Words) -> None:
        self.snapshot, self.words = snapshot, words
        self.names: list[Colour] = [player.colours[0] for player in snapshot.setup.players]

    def choices(self) -> Sequence[ChoiceGroup]:
        """All choices, in order. Other players reset the seal and the end."""
        top = self.words.say("board", "edit_top")
        found = [
            ChoiceGroup(self.words.say("board", "edit_players"), tuple(self._players()), seldom=True),
            ChoiceGroup(top, tuple(self._tops())),
            ChoiceGroup(self.words.say("board", "edit_seal"), tuple(self._holders())),
        ]
        if self.snapshot.position.holder:
            found.append(ChoiceGroup(self.words.say("board", "edit_before"), tuple(self._previous())))
        found.append(ChoiceGroup(self.words.say("board", "edit_end"), tuple(self._ends())))
        if self.snapshot.position.ended and self.snapshot.position.ended.by:
            found.append(ChoiceGroup(self.words.say("board", "edit_asker"), tuple(self._askers())))
        return found

    def _with_changes(self, **changes: object) -> Snapshot:
        return replace(self.snapshot, position=replace(self.snapshot.position, **changes))

    def _tops(self) -> Iterator[Choice]:
        """The top floor."""
        for level in range(FIRST_FLOOR, RED_FLOOR + 1):
            slab = (Shape("rect", f"floor-{level}", {"x": 6, "y": 38, "width": 88, "height": 24}),)
            now = self._with_changes(top=level, **(_seal(level) if rest_is_unknown(self.snapshot.position) else {}))
            yield Choice(self.words.name(f"floor {level}"), slab, now, level == self.snapshot.position.top)

    def _holders(self) -> Iterator[Choice]:
        """Who holds the seal."""
        now = self.snapshot.position.holder
        nobody = self._with_changes(holder=None, previous=None)
        yield Choice(self.words.say("board", "edit_nobody"), icon("previous", None), nobody, now is None)
        for colour in self.names:
            previous = self.snapshot.position.previous
            snapshot = self._with_changes(holder=colour, previous=None if previous == colour else previous)
            yield Choice(self.words.player(colour), icon("seal", colour), snapshot, now == colour)
        yield from self._not_known("holder")

    def _previous(self) -> Iterator[Choice]:
        """Who held the seal before."""
        now = self.snapshot.position.previous
        nobody = self.words.say("board", "edit_nobody")
        yield Choice(nobody, icon("previous", None), self._with_changes(previous=None), now is None)
        for colour in self.names:
            if colour != self.snapshot.position.holder:
                yield Choice(
                    self.words.player(colour),
                    icon("seal", colour),
                    self._with_changes(previous=colour),
                    now == colour,
                )
        yield from self._not_known("previous")

    def _not_known(self, fact: str) -> Iterator[Choice]:
        """The choice that a fact is unknown, if it can be."""
        if is_question(self.snapshot.position) and self.snapshot.position.top >= CONTEST:
            now = self._with_changes(**{fact: NOT_KNOWN})
            yield unknown_choice(self.words, now, is_chosen=is_unknown(getattr(self.snapshot.position, fact)))

    def _ends(self) -> Iterator[Choice]:
        """The end of the game: not yet, nobody could build, or whose hand brought the villa down."""
        now = self.snapshot.position.ended
        yield Choice(self.words.say("board", "edit_on"), icon("neutral", None), self._with_changes(ended=None), not now)
        stuck = Ending("VP-17")
        label = self.words.say("board", "edit_stuck")
        yield Choice(label, icon("end", None), self._with_changes(ended=stuck), now == stuck)
        fall = icon("crash", None)
        for colour in (None, *self.names):
            fell = Ending("VP-16", colour)
            label = self.words.say("board", "edit_fell" if colour else "edit_accident", {"colour": colour})
            yield Choice(
                label, fall, self._with_changes(ended=fell), now is not None and replace(now, asker=None) == fell
            )

    def _askers(self) -> Iterator[Choice]:
        """The player against whom that hand objected, if it did: by a reading, that player has caused the collapse."""
        now = self.snapshot.position.ended
        assert now is not None  # noqa: S101  # asked of a collapse only
        for colour in (None, *(name for name in self.names if name != now.by)):
            label = self.words.player(colour) if colour else self.words.say("board", "edit_no_asker")
            picture = icon("column", colour) if colour else icon("crash", None)
            yield Choice(label, picture, self._with_changes(ended=replace(now, asker=colour)), now.asker == colour)

    def _players(self) -> Iterator[Choice]:
        """Four players, three and a neutral colour, or two with two colours each."""
        for code, players in _tables():
            left = next((colour for colour in COLOURS if not any(colour in each for each in players)), None)
            values = {"colour": left, "one": players[0], "other": players[1]}
            setup = replace(self.snapshot.setup, players=tuple(map(Player, players)), neutral=None)
            top = self.snapshot.position.top if rest_is_unknown(self.snapshot.position) else FIRST_FLOOR
            position = replace(self.snapshot.position, due=None, **_seal(top), ended=None)
            label = self.words.say("board", f"edit_players_{code}", values)
            column = icon("column", left or players[0][0])
            yield Choice(
                label, column, Snapshot(setup, position), [p.colours for p in self.snapshot.setup.players] == players
            )


def _tables() -> Iterator[tuple[int, list[tuple[Colour, ...]]]]:
    """The number of players, and their colours."""
    yield 4, [(colour,) for colour in COLOURS]
    for neutral in COLOURS:
        yield 3, [(colour,) for colour in COLOURS if colour != neutral]
    for pair in combinations(COLOURS, 2):
        if COLOURS[0] in pair:
            yield 2, [pair, tuple(colour for colour in COLOURS if colour not in pair)]
