"""Villa Paletti: a state with what was unknown filled in, and what the rules say of it.

A game that has not been ended goes on: where anybody could still build, a filling in which nobody could is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from rules.kernel import Verdict, hear
from rules.steps import spend
from rules.unknowns import Filling
from rules.villa_paletti.book import BOOK
from rules.villa_paletti.columns import CONTEST, Count
from rules.villa_paletti.moves import Move
from rules.villa_paletti.play import phase
from rules.villa_paletti.position import able
from rules.villa_paletti.seal import points
from rules.villa_paletti.state import State
from rules.villa_paletti.unknowns.scopes import ASKED, DUE, HOLDER, PART, PREVIOUS, Table, group_named
from rules.villa_paletti.unknowns.spread import NOBODY
from rules.villa_paletti.villa import nobody_can_build


def fill(state: State, filling: Filling) -> State | None:
    """The state with these cells so. Of a cell with None in it the move tells nothing apart."""
    columns = dict(state.columns)
    for cell, content in filling.items():
        if isinstance(content, Count):
            group = group_named(state, cell)
            columns.pop(group, None)
            if content.n:
                columns[group] = content
    filled = state._replace(columns=columns, **dict(_facts(filling)))
    return filled if _has_seal(filled, filling) else None


def _facts(filling: Filling) -> Iterator[tuple[str, Any]]:
    """The facts of a filling as a state has them."""
    for name, member in MEMBERS.items():
        value = filling.get(name)
        if value is not None:
            yield member, bool(value) if name in (PART, ASKED) else None if value == NOBODY else value


MEMBERS: Final = {DUE: "player", PART: "own", ASKED: "asked", HOLDER: "holder", PREVIOUS: "previous"}
"""Fact -> the member of a state."""


def _has_seal(state: State, filling: Filling) -> bool:
    """Whether nobody has the seal only where nobody has put a column on a contested level (`VP-30`)."""
    return filling.get(HOLDER) != NOBODY or state.top < CONTEST or not any(points(state))


FILLED: Final = 2
"""Steps to fill a state in, and see whether it goes on."""


class Hearing:
    """What the rules say of fillings: of those in which the player in turn has something to do.

    Where there is none of these, of all those in which nobody can build: then it is `over`.
    """

    def __init__(self, table: Table, move: Move) -> None:
        self.table, self.move, self.over = table, move, False
        self.went_on = table.state.ended is not None
        self._nothing: Filling = dict.fromkeys(table.unknown)

    def heard(
        self, fillings: Iterable[Filling], verdicts: Iterable[Verdict | None]
    ) -> Iterator[tuple[Filling, Verdict]]:
        """The fillings that can be so, with all that is unknown, each with its verdict."""
        for filling, verdict in zip(fillings, verdicts, strict=True):
            if verdict is not None:
                yield {**self._nothing, **filling}, verdict

    def of(self, filling: Filling) -> Verdict | None:
        """What the rules say; None where it cannot be so."""
        spend(FILLED)
        filled = fill(self.table.state, filling)
        if filled is None or not self._counts(filled):
            return None
        return hear(BOOK[phase(filled), type(self.move)], filled, self.move)

    def _counts(self, filled: State) -> bool:
        table = self.table
        if filled.ended is not None:
            return True
        if not table.goes_on and nobody_can_build(filled):
            return self.over
        able_to_go_on = not table.may_be_stuck or able(filled, filled.player)
        self.went_on = self.went_on or able_to_go_on
        return able_to_go_on and not self.over
