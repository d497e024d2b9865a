"""Villa Paletti entered by taps: the columns of a level, the floors, who has the seal, and how the game ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from rules.kernel import Cell
from rules.villa_paletti import GAME
from rules.villa_paletti.columns import COLOURS, FIRST_FLOOR, RED_FLOOR, SUPPLY, Colour, Group
from rules.villa_paletti.state import Abort, Column, Columns, Ending, OutColumns, Player, Position, Setup
from service.texts import Words, words
from web.boards import Count, Drawing, Pick, Picks, Shape, sketch_of


def blank() -> Count:
    """The villa as every game begins: all columns on the base plate, for four players."""
    setup = Setup()
    return Count(setup, replace(GAME.position(GAME.setup(setup)), due=None))


def picks(drawing: Drawing, count: Count, cell: Cell | None, group: Group | None, language: str) -> Sequence[Picks]:
    """The columns of a group; beside the board, who plays, the floors, the seal and the end."""
    said = words(language, GAME.id)
    if cell is None:
        return _Table(drawing, count, said).picks()
    return _columns(drawing, count, group, said) if group else ()


# --- the columns of a level --------------------------------------------------------------------------------------


def _columns(drawing: Drawing, count: Count, group: Group, said: Words) -> Sequence[Picks]:
    """How many columns stand there, and how many of them are locked."""
    here = _here(count.position, group)
    n, locked = (here.n, here.locked) if here else (0, 0)
    numbers = tuple(
        Pick(
            said.say("board", "edit_n", {"n": number}),
            _column(drawing, group, locked=False),
            _with(count, group, number, min(locked, number)),
            number == n,
        )
        for number in range(1, SUPPLY[group.shape] + 1)
    )
    locks = tuple(
        Pick(
            said.say("board", "edit_locked_n", {"n": number}),
            _column(drawing, group, locked=bool(number)),
            _with(count, group, n, number),
            number == locked,
        )
        for number in range(n + 1)
    )
    found = [Picks(said.say("board", "edit_columns"), numbers)]
    if not n:
        return found
    away = Picks("", (Pick("", (), _with(count, group, 0, 0)),))
    return (*found, Picks(said.say("board", "edit_locked"), locks), away)


def _here(position: Position, group: Group) -> Columns | None:
    return next((c for c in position.columns if (c.colour, c.shape, c.level) == group), None)


def _with(count: Count, group: Group, n: int, locked: int) -> Count:
    """The count with so many columns in a group; where that is more than there are, the lowest others have moved."""
    position: Position = count.position
    kind = (group.colour, group.shape)
    others = [c for c in position.columns if (c.colour, c.shape, c.level) != group]
    excess = n + sum(c.n for c in others if (c.colour, c.shape) == kind) - SUPPLY[group.shape]
    kept = []
    for columns in sorted(others, key=lambda c: c.level):
        gone = min(columns.n, excess) if excess > 0 and (columns.colour, columns.shape) == kind else 0
        excess -= gone
        if columns.n > gone:
            left = columns.n - gone
            kept.append(replace(columns, n=left, locked=min(columns.locked, left)))
    if n:
        kept.append(Columns(group.colour, group.shape, group.level, n, locked))
    return replace(count, position=replace(position, columns=tuple(kept), out=tuple(_out(kept))))


def _out(standing: Sequence[Columns]) -> Iterator[OutColumns]:
    """The columns that stand nowhere are out of the game."""
    for colour in COLOURS:
        for shape, n in SUPPLY.items():
            gone = n - sum(c.n for c in standing if (c.colour, c.shape) == (colour, shape))
            if gone > 0:
                yield OutColumns(colour, shape, gone)


def _column(drawing: Drawing, group: Group, *, locked: bool) -> tuple[Shape, ...]:
    return sketch_of(drawing, Abort(*group) if locked else Column(*group), None)


# --- what lies beside the board ----------------------------------------------------------------------------------


class _Table:
    """Who plays, how high the villa is, who has the seal, and how the game ended."""

    def __init__(self, drawing: Drawing, count: Count, said: Words) -> None:
        self.drawing, self.count, self.said = drawing, count, said
        self.names: list[Colour] = [player.colours[0] for player in count.setup.players]

    def picks(self) -> Sequence[Picks]:
        """Everything, in the order in which it is asked: other players have neither the seal nor an end yet."""
        top = self.said.say("board", "edit_top")
        found = [
            Picks(self.said.say("board", "edit_players"), tuple(self._players()), seldom=True),
            Picks(top, tuple(self._tops())),
            Picks(self.said.say("board", "edit_seal"), tuple(self._holders())),
        ]
        if self.count.position.holder:
            found.append(Picks(self.said.say("board", "edit_before"), tuple(self._previous())))
        found.append(Picks(self.said.say("board", "edit_end"), tuple(self._ends())))
        return found

    def _with(self, **changes: object) -> Count:
        return replace(self.count, position=replace(self.count.position, **changes))

    def _tops(self) -> Iterator[Pick]:
        """The top floor."""
        for level in range(FIRST_FLOOR, RED_FLOOR + 1):
            icon = (Shape("rect", f"floor-{level}", {"x": 6, "y": 38, "width": 88, "height": 24}),)
            yield Pick(self.said.name(f"floor {level}"), icon, self._with(top=level), level == self.count.position.top)

    def _holders(self) -> Iterator[Pick]:
        """Who holds the seal."""
        now = self.count.position.holder
        nobody = self._with(holder=None, previous=None)
        yield Pick(self.said.say("board", "edit_nobody"), self.drawing.icon("previous", None), nobody, now is None)
        for colour in self.names:
            previous = self.count.position.previous
            count = self._with(holder=colour, previous=None if previous == colour else previous)
            yield Pick(self.said.name(colour), self.drawing.icon("seal", colour), count, now == colour)

    def _previous(self) -> Iterator[Pick]:
        """Who held it before."""
        now = self.count.position.previous
        nobody = self.said.say("board", "edit_nobody")
        yield Pick(nobody, self.drawing.icon("previous", None), self._with(previous=None), now is None)
        for colour in self.names:
            if colour != self.count.position.holder:
                yield Pick(
                    self.said.name(colour),
                    self.drawing.icon("seal", colour),
                    self._with(previous=colour),
                    now == colour,
                )

    def _ends(self) -> Iterator[Pick]:
        """How the game ended: not yet, nobody could build, or whose hand brought the villa down."""
        now = self.count.position.ended
        yield Pick(
            self.said.say("board", "edit_on"), self.drawing.icon("neutral", None), self._with(ended=None), not now
        )
        stuck = Ending("VP-17")
        said = self.said.say("board", "edit_stuck")
        yield Pick(said, self.drawing.icon("end", None), self._with(ended=stuck), now == stuck)
        fall = self.drawing.icon("crash", None)
        for colour in (None, *self.names):
            fell = Ending("VP-16", colour)
            said = self.said.say("board", "edit_fell" if colour else "edit_accident", {"colour": colour})
            yield Pick(said, fall, self._with(ended=fell), now == fell)

    def _players(self) -> Iterator[Pick]:
        """Four players, three and a neutral colour, or two with two colours each."""
        for code, players in _tables():
            left = next((colour for colour in COLOURS if not any(colour in each for each in players)), None)
            values = {"colour": left, "one": players[0], "other": players[1]}
            setup = replace(self.count.setup, players=tuple(map(Player, players)), neutral=None)
            position = replace(self.count.position, holder=None, previous=None, ended=None)
            label = self.said.say("board", f"edit_players_{code}", values)
            icon = self.drawing.icon("column", left or players[0][0])
            yield Pick(label, icon, Count(setup, position), [p.colours for p in self.count.setup.players] == players)


def _tables() -> Iterator[tuple[int, list[tuple[Colour, ...]]]]:
    """How many play, and with which colours."""
    yield 4, [(colour,) for colour in COLOURS]
    for neutral in COLOURS:
        yield 3, [(colour,) for colour in COLOURS if colour != neutral]
    for pair in combinations(COLOURS, 2):
        if COLOURS[0] in pair:
            yield 2, [pair, tuple(colour for colour in COLOURS if colour not in pair)]
