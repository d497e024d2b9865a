"""Fief: a state that notes which unknown facts a rule looks at.

What a rule decides depends on no fact that it did not look at. So the rules themselves show which facts matter, and
this module needs no list of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any, Final, Generic, NoReturn, TypeVar, cast

from rules.fief.lords import is_man
from rules.fief.purchases.purse import of_offices
from rules.fief.state import Lord, State
from rules.fief.unknowns.contents.filling import OF_RANK
from rules.fief.unknowns.gaps import Doubt, Scope
from rules.fief.unknowns.scope.ranges import Range
from rules.kernel import Cell

V = TypeVar("V")
ONE_FOR_ALL: Final[Mapping[str, str]] = {
    "pope": "pope",
    "king": "king",
    "regent": "regent",
    "arc": "arc",
    "elected": "elected",
    "princes": "lord",
}
"""Each member of the whole table -> the fact of each lord from which it follows."""
ITS_OWN: Final = frozenset({"arc_gone", "held", "excommunication", "moved", "arrivals", "attacked", "sieges", "first"})
ALWAYS_NOTED: Final = frozenset({*ONE_FOR_ALL, *ITS_OWN, "turn", "dead"})
"""The members of a state that are noted whenever they are asked for."""
COMING: Final = frozenset({"lord", "lords", "spouse"})
"""The facts that can bring into play lords who were not entered."""
RANKING: Final = ("fiefs", "bishop", "cardinal", "arc", "pope", "spouse")
"""The facts of a lord that decide the strength."""


class Unseen(Exception):
    """A rule looked at a fact that is not filled in."""

    def __init__(self, doubt: Doubt) -> None:
        super().__init__(doubt)
        self.doubt = doubt


class Index:
    """The unknown facts of a question, by their texts and by their codes, and the lords who were entered."""

    def __init__(self, state: State, doubts: Iterable[Doubt]) -> None:
        self.by_text = {str(doubt): doubt for doubt in doubts}
        self.scope = next((doubt.scope for doubt in self.by_text.values()), Scope())
        self.by_code: dict[str, list[Doubt]] = {}
        self.lords = frozenset(state.lords)
        for doubt in self.by_text.values():
            self.by_code.setdefault(doubt.code, []).append(doubt)


class WatchedState:
    """Has all members of a state that the rules use, with some facts filled in. `facts_read` are the facts they used.

    Raises `Unseen` where they ask for one that is not filled in.
    """

    def __init__(self, state: State, index: Index, facts: Mapping[Cell, object]) -> None:
        self._state, self._index, self._facts = state, index, facts
        self.facts_read: dict[Doubt, None] = {}

    def plain(self) -> State:
        """The state itself, for writing names in full with the titles that are filled in, whatever others there are."""
        for fact in self._facts:
            if isinstance(fact, Doubt) and fact.code in OF_RANK:
                self.facts_read[fact] = None
        return self._state

    def __getattr__(self, name: str) -> object:
        """A member of the state; the facts in it are noted, at once or when they are looked up."""
        value = getattr(self._state, name)
        if name in ALWAYS_NOTED:
            self._note_member(name)
            return value
        if name in WAYS:
            value = WAYS[name](self, value)
        self.__dict__[name] = value
        return value

    def buildings_to_count(self, buildings: Iterable[object], _by_village: Mapping[str, object]) -> Iterable[object]:
        """The buildings, to be counted."""
        return buildings

    def _note_member(self, name: str) -> None:
        if name in ONE_FOR_ALL:
            self.note_all(ONE_FOR_ALL[name])
        elif name == "turn":
            self.note("turn")
            self.note("first")
        elif name == "dead":
            self.note_all("lord")
        else:
            self.note(name)

    def note(self, fact: str) -> None:
        """Note that a fact was looked at. Raises `Unseen`."""
        doubt = self._index.by_text.get(fact)
        if doubt is not None:
            self._note_doubt(doubt)

    def _note_doubt(self, doubt: Doubt) -> None:
        if doubt not in self._facts:
            raise Unseen(doubt)
        self.facts_read[doubt] = None

    def note_all(self, *codes: str) -> None:
        """Note that facts of all lords, also of those not entered, or all villages were looked at. Raises `Unseen`."""
        by_code = self._index.by_code
        villages = not {"control", "building"}.isdisjoint(codes)
        for code in codes if villages else (*codes, "lord", "lords"):
            for each in by_code.get(code, ()):
                self._note_doubt(each)

    def doubts(self, code: str) -> Sequence[Doubt]:
        """The facts of a code that are unknown, filled in or not."""
        return self._index.by_code.get(code, ())

    def note_lord(self, name: str) -> None:
        """Note that a lord was looked up: one who was not entered may have come into play. Raises `Unseen`."""
        self.note(f"lord {name}")
        if name not in self._index.lords:
            for fact in self._facts:
                if isinstance(fact, Doubt) and fact.code in COMING:
                    self.facts_read[fact] = None

    def note_unmarried(self, name: str) -> None:
        """Note that a lord is unmarried, which depends on all lords whose spouse is unknown. Raises `Unseen`."""
        man = is_man(self._state, name)
        for doubt in self.doubts("spouse"):
            if is_man(self._state, doubt.name) != man:
                self._note_doubt(doubt)

    def income_counted(self, player: str) -> int | Range:
        """The income of a player in the current position, as far as that is filled in."""
        counted, unseen = 0, []
        for village in self._state.land.villages:
            doubt = self._index.by_text.get(f"control {village}")
            if doubt is not None and doubt not in self._facts:
                unseen.append(doubt)
            elif self._state.control.get(village) == player:
                counted += 1
            if doubt is not None and doubt in self._facts:
                self.facts_read[doubt] = None
        found = counted + sum(part.n for part in of_offices(cast("State", self), player))

        def ask() -> NoReturn:
            raise Unseen(unseen[0])

        return Range(found, found + len(unseen), ask) if unseen else found

    def counts_income(self, player: object) -> bool:
        """Whether the income of a player is counted."""
        return player in self._index.scope.counted_players

    def note_strength(self, name: str) -> None:
        """Note that a strength was looked at; it follows from titles unless it was entered. Raises `Unseen`."""
        by_code = self._index.by_code
        if name in self._index.scope.ranked_lords:
            return
        self.note_lord(name)
        for code in RANKING:
            self.note(f"{code} {name}")
        for code in ("king", "regent", "spouse"):  # a king's wife is as strong as he
            for each in by_code.get(code, ()):
                self._note_doubt(each)


class Lookup(Mapping[Any, V], Generic[V]):
    """A mapping of the state: `asked` notes each key that is looked up, `listed` that all keys are."""

    def __init__(self, entries: Mapping[Any, V], note_key: Callable[[Any], None], note_all: Callable[[], None]) -> None:
        self._entries, self._note_key, self._note_all = entries, note_key, note_all

    def __getitem__(self, key: object) -> V:
        self._note_key(key)
        return self._entries[key]

    def get(self, key: object, default: Any = None) -> Any:
        """What is there."""
        self._note_key(key)
        return self._entries.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._note_key(key)
        return key in self._entries

    def __iter__(self) -> Iterator[object]:
        self._note_all()
        return iter(self._entries)

    def __len__(self) -> int:
        self._note_all()
        return len(self._entries)

    def keys(self) -> KeysView[object]:
        """The keys, for a copy: making a copy does not count as looking at the content."""
        return self._entries.keys()

    def plain(self) -> Mapping[object, object]:
        """The mapping itself."""
        return self._entries


class _HolderLookup(Lookup[str]):
    """The holders of things that exist once each: whether a lord holds one is a fact of that lord alone."""

    def __init__(self, state: WatchedState, entries: Mapping[object, str], code: str) -> None:
        super().__init__(entries, lambda _: state.note_all(code), lambda: state.note_all(code))
        self._state, self._code = state, code

    def values(self) -> ValuesView[str]:
        """The holders."""
        return _Holders(self)

    def holds(self, name: object) -> bool:
        """Whether a lord is one of the holders."""
        self._state.note(f"{self._code} {name}")
        self._state.note_lord(str(name))
        return name in self._entries.values()


class _Holders(ValuesView[str]):
    _mapping: _HolderLookup

    def __contains__(self, name: object) -> bool:
        return self._mapping.holds(name)


class WatchedLord:
    """A lord whose facts are noted when they are looked at."""

    __slots__ = ("_lord", "_name", "_state")

    def __init__(self, state: WatchedState, name: str, lord: Lord) -> None:
        self._state, self._name, self._lord = state, name, lord

    def plain(self) -> Lord:
        """The lord, without noting what is looked at."""
        return self._lord

    def __getattr__(self, fact: str) -> object:
        self._state.note(f"{fact} {self._name}")
        if fact == "spouse" and self._lord.spouse is None:
            self._state.note_unmarried(self._name)
        return getattr(self._lord, fact)


def _lords(state: WatchedState, lords: Mapping[str, Lord]) -> Lookup[object]:
    found = {name: WatchedLord(state, name, lord) for name, lord in lords.items()}
    return Lookup(found, state.note_lord, lambda: state.note_all("lord"))


def _control(state: WatchedState, control: Mapping[str, object]) -> Lookup[object]:
    return Lookup(control, lambda village: state.note(f"control {village}"), lambda: state.note_all("control"))


class _Buildings(Lookup[Any]):
    """Castles and cities. Iterating over all of them means counting them."""

    def __init__(self, state: WatchedState, entries: Mapping[object, object]) -> None:
        super().__init__(
            entries, lambda village: state.note(f"building {village}"), lambda: _note_building_counts(state)
        )
        self._state = state

    def values(self) -> Any:
        """The buildings, to be counted."""
        return self._state.buildings_to_count(super().values(), self._entries)


def _note_building_counts(state: WatchedState) -> None:
    for doubt in state.doubts("building"):
        if doubt.name not in doubt.scope.villages:
            state.note(doubt)
    state.note("castles")
    state.note("cities")


def _cardinals(state: WatchedState, cardinals: Mapping[str, object]) -> Lookup[object]:
    def note_cardinal(name: str) -> None:
        state.note(f"cardinal {name}")
        state.note_lord(name)

    return Lookup(cardinals, note_cardinal, lambda: state.note_all("cardinal"))


def _of_players(code: str) -> Callable[[WatchedState, Mapping[str, int]], Lookup[int]]:
    def make_lookup(state: WatchedState, entries: Mapping[str, int]) -> Lookup[int]:
        return Lookup(entries, lambda player: state.note(f"{code} {player}"), lambda: state.note_all(code))

    return make_lookup


class _Incomes(Lookup[Any]):
    """Incomes of phase 5: those that were entered, and those that are counted."""

    def __init__(self, state: WatchedState, entries: Mapping[object, int]) -> None:
        super().__init__(entries, lambda player: state.note(f"income {player}"), lambda: state.note_all("income"))
        self._state = state

    def __getitem__(self, player: Any) -> Any:
        return self._state.income_counted(player) if self._state.counts_income(player) else super().__getitem__(player)

    def get(self, player: object, default: Any = None) -> Any:
        """The income of a player."""
        return self[player] if self._state.counts_income(player) else super().get(player, default)


def _ranks(state: WatchedState, ranks: Mapping[str, object]) -> Lookup[object]:
    return Lookup(ranks, state.note_strength, lambda: None)


WAYS: Final[Mapping[str, Callable[[WatchedState, Any], Lookup[Any]]]] = {
    "lords": _lords,
    "control": _control,
    "buildings": _Buildings,
    "cardinals": _cardinals,
    "murders": _of_players("murders"),
    "income": _Incomes,
    "spent": _of_players("spent"),
    "ranks": _ranks,
    "titles": lambda state, titles: _HolderLookup(state, titles, "fiefs"),
    "bishops": lambda state, bishops: _HolderLookup(state, bishops, "bishop"),
}
"""The mappings of a state, in which facts are looked up one by one."""
