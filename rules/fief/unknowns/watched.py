"""Fief: a state that notes which unknown facts the rules look at.

A ruling depends on no fact that was not looked at. So the rules themselves say which facts matter, and nothing here
has to be kept in step with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Generic, TypeVar

from rules.fief.state import Lord, State
from rules.fief.unknowns.doubts import Doubt

V = TypeVar("V")
ONE_FOR_ALL: Final[Mapping[str, str]] = {
    "pope": "pope",
    "king": "king",
    "regent": "regent",
    "arc": "arc",
    "titles": "fiefs",
    "bishops": "bishop",
    "elected": "elected",
    "princes": "lord",
}
"""What is asked of the whole table -> the fact of each lord from which it comes."""
ITS_OWN: Final = frozenset({"arc_gone", "held", "excommunication", "moved", "arrivals", "attacked", "sieges", "first"})
RANKING: Final = ("fiefs", "bishop", "cardinal", "arc", "pope", "spouse")
"""The facts of a lord from which the strength comes."""


class Watched:
    """A state in all that the rules ask of one; `seen` are the open facts that they asked for, in that order."""

    def __init__(self, state: State, doubts: Iterable[Doubt]) -> None:
        self._state = state
        self._open = {str(doubt): doubt for doubt in doubts}
        self._of_code: dict[str, list[Doubt]] = {}
        for doubt in self._open.values():
            self._of_code.setdefault(doubt.code, []).append(doubt)
        self.seen: dict[Doubt, None] = {}

    def plain(self) -> State:
        """The state itself, to say names in full: a name is the same with any titles."""
        return self._state

    def __getattr__(self, name: str) -> Any:
        """A member of the state; the facts in it are noted, at once or when they are looked up."""
        value = getattr(self._state, name)
        if self._open and name in WAYS:
            value = WAYS[name](self, value)
        elif name in ONE_FOR_ALL:
            self.all_of(ONE_FOR_ALL[name])
        elif name in ITS_OWN:
            self.note(name)
        elif name == "turn":
            self.note("turn")
            self.note("first")
        elif name == "dead":
            self.all_of("lord")
        self.__dict__[name] = value
        return value

    def note(self, fact: str) -> None:
        """A fact was looked at."""
        doubt = self._open.get(fact)
        if doubt is not None:
            self.seen[doubt] = None

    def all_of(self, code: str) -> None:
        """A fact was looked at of every lord, or village, also of lords who were not entered."""
        for each in self._of_code.get(code, ()):
            self.seen[each] = None
        if code not in ("control", "building"):
            for each in (*self._of_code.get("lord", ()), *self._of_code.get("lords", ())):
                self.seen[each] = None

    def strength(self, name: str) -> None:
        """The strength of a lord was looked at, which comes from titles unless it was entered."""
        scope = next(iter(self._open.values())).scope
        if name in scope.ranked:
            return
        self.note(f"lord {name}")
        for code in RANKING:
            self.note(f"{code} {name}")
        for office in ("king", "regent"):
            for each in self._of_code.get(office, ()):
                self.seen[each] = None


class _Lookup(Mapping[Any, V], Generic[V]):
    """A mapping of the state: `asked` notes what is looked up, `listed` that all of it is."""

    def __init__(self, found: Mapping[Any, V], asked: Callable[[Any], None], listed: Callable[[], None]) -> None:
        self._found, self._asked, self._listed = found, asked, listed

    def __getitem__(self, key: Any) -> V:
        self._asked(key)
        return self._found[key]

    def get(self, key: Any, default: Any = None) -> Any:
        """What is there."""
        self._asked(key)
        return self._found.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._asked(key)
        return key in self._found

    def __iter__(self) -> Iterator[Any]:
        self._listed()
        return iter(self._found)

    def __len__(self) -> int:
        self._listed()
        return len(self._found)


class _WatchedLord:
    """A lord, of whom every fact that is looked at is noted."""

    __slots__ = ("_lord", "_name", "_watched")

    def __init__(self, watched: Watched, name: str, lord: Lord) -> None:
        self._watched, self._name, self._lord = watched, name, lord

    def __getattr__(self, fact: str) -> Any:
        self._watched.note(f"{fact} {self._name}")
        return getattr(self._lord, fact)


def _lords(watched: Watched, lords: Mapping[str, Lord]) -> _Lookup[Any]:
    found = {name: _WatchedLord(watched, name, lord) for name, lord in lords.items()}
    return _Lookup(found, lambda name: watched.note(f"lord {name}"), lambda: watched.all_of("lord"))


def _control(watched: Watched, control: Mapping[str, Any]) -> _Lookup[Any]:
    return _Lookup(control, lambda village: watched.note(f"control {village}"), lambda: watched.all_of("control"))


def _buildings(watched: Watched, buildings: Mapping[str, Any]) -> _Lookup[Any]:
    """Whoever goes through all of them counts castles or cities."""
    return _Lookup(buildings, lambda village: watched.note(f"building {village}"), lambda: _counted(watched))


def _counted(watched: Watched) -> None:
    unseen = None
    for doubt in watched._of_code.get("building", ()):  # noqa: SLF001  # of this module
        unseen = doubt.scope.villages if unseen is None else unseen
        if doubt.name not in unseen:
            watched.note(doubt)
    watched.note("castles")
    watched.note("cities")


def _cardinals(watched: Watched, cardinals: Mapping[str, Any]) -> _Lookup[Any]:
    def asked(name: Any) -> None:
        watched.note(f"cardinal {name}")
        watched.note(f"lord {name}")

    return _Lookup(cardinals, asked, lambda: watched.all_of("cardinal"))


def _of_players(code: str) -> Callable[[Watched, Mapping[str, int]], _Lookup[int]]:
    def made(watched: Watched, found: Mapping[str, int]) -> _Lookup[int]:
        return _Lookup(found, lambda player: watched.note(f"{code} {player}"), lambda: watched.all_of(code))

    return made


def _ranks(watched: Watched, ranks: Mapping[str, Any]) -> _Lookup[Any]:
    return _Lookup(ranks, watched.strength, lambda: None)


WAYS: Final[Mapping[str, Callable[[Watched, Any], _Lookup[Any]]]] = {
    "lords": _lords,
    "control": _control,
    "buildings": _buildings,
    "cardinals": _cardinals,
    "murders": _of_players("murders"),
    "income": _of_players("income"),
    "spent": _of_players("spent"),
    "ranks": _ranks,
}
"""The mappings of a state, in which facts are looked up one by one."""
