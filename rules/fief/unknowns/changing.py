"""Fief: a watched state that a move is made in, so that what it brings about says which unknown facts it comes from.

What effects tell depends on no fact that neither the move nor the telling looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, Final, NoReturn

from rules.fief.state import CASTLES, CITIES, State
from rules.fief.unknowns.doubts import Doubt
from rules.fief.unknowns.ranges import Range
from rules.fief.unknowns.watched import Index, Lookup, Unseen, Watched, WatchedLord
from rules.kernel import Cell

SOME: Final = 3
"""So many unknown villages are filled in one by one where they, or their buildings, are counted."""


class Changing(Watched):
    """A watched state of which a move makes another one."""

    def __init__(
        self,
        state: State,
        index: Index,
        facts: Mapping[Cell, Any],
        looked_at: Set[Cell] = frozenset(),
        was: Changing | None = None,
    ) -> None:
        super().__init__(state, index, facts)
        self._looked_at, self._was = looked_at, was
        self._new: frozenset[str] = frozenset()

    def _replace(self, **changes: Any) -> Changing:
        """The state with other members."""
        found = {name: _plain(value) for name, value in changes.items()}
        after = Changing(self._state._replace(**found), self._index, self._facts, self._looked_at, self)
        after._new = frozenset(found)
        return after

    def plain(self) -> State:
        """The state itself, to say names in full: those of which something is unknown are said bare (`told`)."""
        return self._state

    def __getattr__(self, name: str) -> Any:
        """A member: the same as before, where the move has not changed it."""
        if self._was is not None and name not in self._new:
            return getattr(self._was, name)
        if self._was is not None and name == "income":
            return self._state.income
        return super().__getattr__(name)

    def income_counted(self, player: str) -> int | Range:
        """The income of a player; few villages, of which the rules looked at some, are filled in. Raises `Unseen`."""
        unseen = [doubt for doubt in self.doubts("control") if doubt not in self._facts]
        if len(unseen) <= SOME and not self._looked_at.isdisjoint(unseen):
            for doubt in unseen:
                self.note(doubt)
        return super().income_counted(player)

    def built(self, _listed: Iterable[Any], found: Mapping[str, Any]) -> Iterator[Any]:
        """The buildings, to be counted, with what stands for those that are unknown. Raises `Unseen`."""
        unseen = [doubt for doubt in self.doubts("building") if doubt not in self._facts]
        if len(unseen) <= SOME:
            for doubt in unseen:
                self.note(doubt)
        unknown = {doubt.name: doubt for doubt in unseen}
        yield from (each for village, each in found.items() if village not in unknown)
        if unknown:
            yield _Unbuilt(self, found, unknown)


class _Unbuilt:
    """Villages of which it is unknown what is built there: how many of them are something is a `Range`."""

    __slots__ = ("found", "state", "unseen")
    __hash__ = None  # type: ignore[assignment]  # nobody keeps it

    def __init__(self, state: Changing, found: Mapping[str, Any], unseen: Mapping[str, Doubt]) -> None:
        self.state, self.found, self.unseen = state, found, unseen

    def __eq__(self, building: object) -> Any:
        known = [village for village, each in self.found.items() if each == building and village not in self.unseen]
        fief_of = self.state.land.fief_of
        free = {fief_of[each] for each in self.unseen} - {fief_of[each] for each in known}
        most, of = (len(free), CITIES) if building == "city" else (len(self.unseen), CASTLES)

        def ask() -> NoReturn:
            raise Unseen(next(iter(self.unseen.values())))

        return Range(0, max(min(most, of - len(known)), 0), ask)


def _plain(value: Any) -> Any:
    """What a move made, without what watches it."""
    if isinstance(value, Lookup):
        return _plain(value.plain())
    if isinstance(value, dict):
        return {key: each.plain() if isinstance(each, WatchedLord) else each for key, each in value.items()}
    return value
