"""Fief: a state that notes which unknown facts a rule looks at.

What a rule says depends on no fact that it did not look at. So the rules themselves say which facts matter, and nothing
here has to be kept in step with them.
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
"""What is asked of the whole table -> the fact of each lord from which it comes."""
ITS_OWN: Final = frozenset({"arc_gone", "held", "excommunication", "moved", "arrivals", "attacked", "sieges", "first"})
NOTED: Final = frozenset({*ONE_FOR_ALL, *ITS_OWN, "turn", "dead"})
"""The members of a state that are noted whenever they are asked for."""
COMING: Final = frozenset({"lord", "lords", "spouse"})
"""The facts with which lords come into play who were not entered."""
RANKING: Final = ("fiefs", "bishop", "cardinal", "arc", "pope", "spouse")
"""The facts of a lord from which the strength comes."""


class Unseen(Exception):
    """A rule looked at a fact that is not filled in."""

    def __init__(self, doubt: Doubt) -> None:
        super().__init__(doubt)
        self.doubt = doubt


class Index:
    """The unknown facts of a question, by their texts and by their codes, and the lords who were entered."""

    def __init__(self, state: State, doubts: Iterable[Doubt]) -> None:
        self.of_text = {str(doubt): doubt for doubt in doubts}
        self.scope = next((doubt.scope for doubt in self.of_text.values()), Scope())
        self.of_code: dict[str, list[Doubt]] = {}
        self.lords = frozenset(state.lords)
        for doubt in self.of_text.values():
            self.of_code.setdefault(doubt.code, []).append(doubt)


class Watched:
    """A state in all that the rules ask of one, with some facts filled in. `read` are those that they asked for.

    Raises `Unseen` where they ask for one that is not filled in.
    """

    def __init__(self, state: State, index: Index, facts: Mapping[Cell, object]) -> None:
        self._state, self._index, self._facts = state, index, facts
        self.read: dict[Doubt, None] = {}

    def plain(self) -> State:
        """The state itself, to say names in full: with the titles that are filled in, whatever others there are."""
        for fact in self._facts:
            if isinstance(fact, Doubt) and fact.code in OF_RANK:
                self.read[fact] = None
        return self._state

    def __getattr__(self, name: str) -> object:
        """A member of the state; the facts in it are noted, at once or when they are looked up."""
        value = getattr(self._state, name)
        if name in NOTED:
            self._note_all_in(name)
            return value
        if name in WAYS:
            value = WAYS[name](self, value)
        self.__dict__[name] = value
        return value

    def built(self, listed: Iterable[object], _found: Mapping[str, object]) -> Iterable[object]:
        """The buildings, to be counted."""
        return listed

    def _note_all_in(self, name: str) -> None:
        if name in ONE_FOR_ALL:
            self.all_of(ONE_FOR_ALL[name])
        elif name == "turn":
            self.note("turn")
            self.note("first")
        elif name == "dead":
            self.all_of("lord")
        else:
            self.note(name)

    def note(self, fact: str) -> None:
        """A fact was looked at. Raises `Unseen`."""
        doubt = self._index.of_text.get(fact)
        if doubt is not None:
            self._see(doubt)

    def _see(self, doubt: Doubt) -> None:
        if doubt not in self._facts:
            raise Unseen(doubt)
        self.read[doubt] = None

    def all_of(self, *codes: str) -> None:
        """A fact was looked at of every lord, or village, also of lords who were not entered. Raises `Unseen`."""
        found = self._index.of_code
        villages = not {"control", "building"}.isdisjoint(codes)
        for code in codes if villages else (*codes, "lord", "lords"):
            for each in found.get(code, ()):
                self._see(each)

    def doubts(self, code: str) -> Sequence[Doubt]:
        """The facts of a code that are unknown, filled in or not."""
        return self._index.of_code.get(code, ())

    def named(self, name: str) -> None:
        """A lord was asked for: of one who was not entered it depends on who came into play. Raises `Unseen`."""
        self.note(f"lord {name}")
        if name not in self._index.lords:
            for fact in self._facts:
                if isinstance(fact, Doubt) and fact.code in COMING:
                    self.read[fact] = None

    def unmarried(self, name: str) -> None:
        """A lord is married to nobody, which depends on all whose spouse is unknown. Raises `Unseen`."""
        man = is_man(self._state, name)
        for doubt in self.doubts("spouse"):
            if is_man(self._state, doubt.name) != man:
                self._see(doubt)

    def income_counted(self, player: str) -> int | Range:
        """The income of a player as the table stands, as far as that is filled in."""
        counted, unseen = 0, []
        for village in self._state.land.villages:
            doubt = self._index.of_text.get(f"control {village}")
            if doubt is not None and doubt not in self._facts:
                unseen.append(doubt)
            elif self._state.control.get(village) == player:
                counted += 1
            if doubt is not None and doubt in self._facts:
                self.read[doubt] = None
        found = counted + sum(part.n for part in of_offices(cast("State", self), player))

        def ask() -> NoReturn:
            raise Unseen(unseen[0])

        return Range(found, found + len(unseen), ask) if unseen else found

    def counts_income(self, player: object) -> bool:
        """Whether the income of a player is counted."""
        return player in self._index.scope.counted

    def strength(self, name: str) -> None:
        """The strength of a lord was looked at, which comes from titles unless it was entered. Raises `Unseen`."""
        found = self._index.of_code
        if name in self._index.scope.ranked:
            return
        self.named(name)
        for code in RANKING:
            self.note(f"{code} {name}")
        for code in ("king", "regent", "spouse"):  # a king's wife is as strong as he
            for each in found.get(code, ()):
                self._see(each)


class Lookup(Mapping[Any, V], Generic[V]):
    """A mapping of the state: `asked` notes what is looked up, `listed` that all of it is."""

    def __init__(self, found: Mapping[Any, V], asked: Callable[[Any], None], listed: Callable[[], None]) -> None:
        self._found, self._asked, self._listed = found, asked, listed

    def __getitem__(self, key: object) -> V:
        self._asked(key)
        return self._found[key]

    def get(self, key: Any, default: Any = None) -> Any:
        """What is there."""
        self._asked(key)
        return self._found.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._asked(key)
        return key in self._found

    def __iter__(self) -> Iterator[object]:
        self._listed()
        return iter(self._found)

    def __len__(self) -> int:
        self._listed()
        return len(self._found)

    def keys(self) -> KeysView[object]:
        """What there is, for a copy: whoever makes one has not looked at it."""
        return self._found.keys()

    def plain(self) -> Mapping[object, object]:
        """The mapping itself."""
        return self._found


class _Held(Lookup[str]):
    """Who holds what there is once of each: whether somebody holds any of it is a fact of that lord alone."""

    def __init__(self, watched: Watched, found: Mapping[object, str], code: str) -> None:
        super().__init__(found, lambda _: watched.all_of(code), lambda: watched.all_of(code))
        self._watched, self._code = watched, code

    def values(self) -> ValuesView[str]:
        """The holders."""
        return _Holders(self)

    def holds(self, name: object) -> bool:
        """Whether a lord is one of them."""
        self._watched.note(f"{self._code} {name}")
        self._watched.named(str(name))
        return name in self._found.values()


class _Holders(ValuesView[str]):
    _mapping: _Held

    def __contains__(self, name: object) -> bool:
        return self._mapping.holds(name)


class WatchedLord:
    """A lord, of whom every fact that is looked at is noted."""

    __slots__ = ("_lord", "_name", "_watched")

    def __init__(self, watched: Watched, name: str, lord: Lord) -> None:
        self._watched, self._name, self._lord = watched, name, lord

    def plain(self) -> Lord:
        """The lord, whatever is looked at."""
        return self._lord

    def __getattr__(self, fact: str) -> object:
        self._watched.note(f"{fact} {self._name}")
        if fact == "spouse" and self._lord.spouse is None:
            self._watched.unmarried(self._name)
        return getattr(self._lord, fact)


def _lords(watched: Watched, lords: Mapping[str, Lord]) -> Lookup[object]:
    found = {name: WatchedLord(watched, name, lord) for name, lord in lords.items()}
    return Lookup(found, watched.named, lambda: watched.all_of("lord"))


def _control(watched: Watched, control: Mapping[str, object]) -> Lookup[object]:
    return Lookup(control, lambda village: watched.note(f"control {village}"), lambda: watched.all_of("control"))


class _Buildings(Lookup[Any]):
    """Castles and cities. Whoever goes through all of them counts them."""

    def __init__(self, watched: Watched, found: Mapping[object, object]) -> None:
        super().__init__(found, lambda village: watched.note(f"building {village}"), lambda: _counted(watched))
        self._watched = watched

    def values(self) -> Any:
        """What is built, to be counted."""
        return self._watched.built(super().values(), self._found)


def _counted(watched: Watched) -> None:
    for doubt in watched.doubts("building"):
        if doubt.name not in doubt.scope.villages:
            watched.note(doubt)
    watched.note("castles")
    watched.note("cities")


def _cardinals(watched: Watched, cardinals: Mapping[str, object]) -> Lookup[object]:
    def asked(name: Any) -> None:
        watched.note(f"cardinal {name}")
        watched.named(name)

    return Lookup(cardinals, asked, lambda: watched.all_of("cardinal"))


def _of_players(code: str) -> Callable[[Watched, Mapping[str, int]], Lookup[int]]:
    def made(watched: Watched, found: Mapping[str, int]) -> Lookup[int]:
        return Lookup(found, lambda player: watched.note(f"{code} {player}"), lambda: watched.all_of(code))

    return made


class _Incomes(Lookup[Any]):
    """Incomes of phase 5: those that were entered, and those that are counted."""

    def __init__(self, watched: Watched, found: Mapping[object, int]) -> None:
        super().__init__(found, lambda player: watched.note(f"income {player}"), lambda: watched.all_of("income"))
        self._watched = watched

    def __getitem__(self, player: Any) -> Any:
        return (
            self._watched.income_counted(player) if self._watched.counts_income(player) else super().__getitem__(player)
        )

    def get(self, player: Any, default: Any = None) -> Any:
        """The income of a player."""
        return self[player] if self._watched.counts_income(player) else super().get(player, default)


def _ranks(watched: Watched, ranks: Mapping[str, object]) -> Lookup[object]:
    return Lookup(ranks, watched.strength, lambda: None)


WAYS: Final[Mapping[str, Callable[[Watched, Any], Lookup[Any]]]] = {
    "lords": _lords,
    "control": _control,
    "buildings": _Buildings,
    "cardinals": _cardinals,
    "murders": _of_players("murders"),
    "income": _Incomes,
    "spent": _of_players("spent"),
    "ranks": _ranks,
    "titles": lambda watched, titles: _Held(watched, titles, "fiefs"),
    "bishops": lambda watched, bishops: _Held(watched, bishops, "bishop"),
}
"""The mappings of a state, in which facts are looked up one by one."""
