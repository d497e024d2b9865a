"""Fief: a state with the unknown facts filled in, if such a table is possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from rules.fief.lords import city_of, rank_now
from rules.fief.problems import unsettled_problems
from rules.fief.purchases.purse import income_of
from rules.fief.state import CARDINAL_CARDS, CASTLES, CITIES, Building, Gaps, Lord, Rank, StandingLord, State
from rules.fief.unknowns.gaps import OF_A_PLAYER, Doubt, Scope, gaps_in
from rules.kernel import Cell

DEAD: Final = "dead"
"""A possible status of a lord who was not entered, besides not in play and in play."""
OF_RANK: Final = frozenset({"fiefs", "bishop", "cardinal", "pope", "king", "regent", "arc", "spouse", "lord", "lords"})
"""The facts that change strengths."""
TITLES: Final = ("fiefs", "bishop", "elected", "cardinal", "pope", "king", "regent", "arc")


class Clash(Exception):
    """Two lords hold something that exists only once."""


class _Ranks(Mapping[str, Rank]):
    """The strengths of a state: those that were entered, all others counted when they are asked for."""

    def __init__(self, state: State, entered_ranks: Mapping[str, Rank]) -> None:
        self._state, self._entered_ranks = state, entered_ranks

    def __getitem__(self, name: str) -> Rank:
        if name not in self._state.lords:
            raise KeyError(name)
        return self._entered_ranks.get(name) or rank_now(self._state, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._state.lords)

    def __len__(self) -> int:
        return len(self._state.lords)


class _Table:
    """A state that is being filled in; only the members that change are copied."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.changes: dict[str, object] = {}

    def copy_of(self, member: str) -> Any:
        """A copy of a mapping or set of the state, to fill in."""
        if member not in self.changes:
            value = getattr(self.state, member)
            self.changes[member] = set(value) if isinstance(value, frozenset) else dict(value)
        return self.changes[member]

    @property
    def lords(self) -> dict[str, Lord]:
        """A copy of the lords, to fill in."""
        found: dict[str, Lord] = self.copy_of("lords")
        return found

    def put(self, doubt: Doubt, content: Any, scope: Scope) -> None:
        """Fill in a fact. Raises `Clash`."""
        code, name = doubt.code, doubt.name
        if code == "control":
            self.set_village(self.copy_of("control"), name, content)
        elif code == "building":
            self.set_village(self.copy_of("buildings"), name, content)
        elif code in ("castles", "cities"):
            self.put_buildings_elsewhere("castle" if code == "castles" else "city", content, scope)
        elif code in OF_A_PLAYER:
            self.copy_of(code)[name] = content
            if code == "murders" and not content:
                del self.copy_of(code)[name]
        elif code == "lord":
            self.place_lord(name, content)
        elif code == "lords":
            self.bring_in(content)
        elif name:
            self.put_lord_fact(code, name, content)
        else:
            self.put_table_fact(code, content)

    def put_table_fact(self, code: str, content: Any) -> None:
        """Fill in a fact of the whole table; unless the turn is filled in, the first player begins."""
        value = frozenset(content) if code in ("moved", "attacked") else content
        self.changes[code] = value
        if code == "first" and self.state.turn == self.state.first:
            self.changes.setdefault("turn", content)

    @staticmethod
    def set_village(places: dict[str, object], name: str, content: object) -> None:
        """Fill in the content of a village."""
        if content is None:
            places.pop(name, None)
        else:
            places[name] = content

    def put_buildings_elsewhere(self, building: Building, n: int, scope: Scope) -> None:
        """Put castles, or cities, into villages that were not entered, until there are as many."""
        fief_of, buildings = self.state.land.fief_of, self.copy_of("buildings")
        for village in scope.villages:
            if sum(each == building for each in buildings.values()) >= n:
                return
            there = any(fief_of[other] == fief_of[village] for other, each in buildings.items() if each == "city")
            if village not in buildings and village not in self.filled_villages and not (building == "city" and there):
                buildings[village] = building
        if sum(each == building for each in buildings.values()) < n:
            raise Clash

    changes_strength = False
    """Whether a fact that changes strengths is filled in."""
    filled_villages: frozenset[str] = frozenset()
    """The villages whose building is filled in as a fact of its own."""

    def place_lord(self, name: str, content: Any) -> None:
        """Fill in a lord who was not entered: dead, in play, or neither."""
        if content == DEAD:
            self.copy_of("dead").add(name)
        elif content is not None:
            self.bring_in(content)

    def bring_in(self, group: Iterable[StandingLord]) -> None:
        """Bring several lords into play together."""
        for lord in group:
            self.enter(lord)

    def enter(self, lord: StandingLord) -> None:
        """Bring a lord into play, with all facts of this lord."""
        if lord.name in self.lords:
            raise Clash
        self.lords[lord.name] = Lord(lord.player, lord.place, None, lord.excommunicated, lord.marked)
        if lord.spouse is not None:
            self.wed(lord.name, lord.spouse)
        for code in TITLES:
            content = getattr(lord, code)
            if content:
                self.put_lord_fact(code, lord.name, content)

    def put_lord_fact(self, code: str, name: str, content: Any) -> None:
        """Fill in a fact of a lord."""
        if code == "spouse":
            self.marry(name, content)
        elif code in ("player", "place", "excommunicated", "marked"):
            self.lords[name] = self.lords[name]._replace(**{code: content})
        elif code in ("fiefs", "bishop"):
            holders: dict[object, str] = self.copy_of("titles" if code == "fiefs" else "bishops")
            for each in content:
                if holders.setdefault(each, name) != name:
                    raise Clash
        elif code == "cardinal":
            self.set_village(self.copy_of("cardinals"), name, content)
        elif code == "elected":
            (self.copy_of(code).add if content else self.copy_of(code).discard)(name)
        elif content:
            if self.changes.get(code, getattr(self.state, code)) not in (None, name):
                raise Clash
            self.changes[code] = name

    def marry(self, name: str, content: Any) -> None:
        """Fill in a lord's spouse: nobody, a lord who is in play, or one who was not entered."""
        if isinstance(content, StandingLord):
            if content.name not in self.lords:
                self.enter(content)
            content = content.name
        if content is not None:
            self.wed(name, content)

    def wed(self, name: str, spouse: str) -> None:
        """Marry two lords to each other. Raises `Clash` if one is married to somebody else."""
        for one, other in ((name, spouse), (spouse, name)):
            if one not in self.lords or self.lords[one].spouse not in (None, other):
                raise Clash
            self.lords[one] = self.lords[one]._replace(spouse=other)

    def to_state(self, scope: Scope) -> State:
        """The filled-in state; strengths that were not entered are counted again."""
        changes: dict[str, Any] = {
            name: frozenset(value) if isinstance(value, set) else value for name, value in self.changes.items()
        }
        state = self.state._replace(**changes)
        if scope.counted_players:
            incomes = {colour: income_of(state, colour) for colour in state.colours if colour in scope.counted_players}
            state = state._replace(income={**state.income, **incomes})
        if state.phase not in ("movements", "combats") or not self.changes_strength:
            return state
        ranks = {name: state.ranks[name] for name in scope.ranked_lords if name in state.ranks}
        return state._replace(ranks=_Ranks(state, ranks))


def put(state: State, filling: Mapping[Cell, object]) -> State | None:
    """The state with these facts, without further checks; None if two lords hold something that exists only once."""
    if not filling:
        return state
    doubts = {doubt: content for doubt, content in filling.items() if isinstance(doubt, Doubt)}
    scope = next(iter(doubts)).scope
    table = _Table(state)
    table.filled_villages = frozenset(doubt.name for doubt in doubts if doubt.code == "building")
    table.changes_strength = not OF_RANK.isdisjoint(doubt.code for doubt in doubts)
    try:
        for doubt in sorted(doubts, key=_late):
            table.put(doubt, doubts[doubt], scope)
        for doubt, content in doubts.items():
            if doubt.code == "spouse" and content is None and table.lords[doubt.name].spouse is not None:
                return None
    except Clash:
        return None
    return table.to_state(scope)


def _late(doubt: Doubt) -> int:
    """A sorting key: facts that others depend on come first, and counts last."""
    return {"lord": 0, "player": 0, "spouse": 2, "lords": 3, "castles": 4, "cities": 4}.get(doubt.code, 1)


def fill(state: State, filling: Mapping[Cell, object]) -> State | None:
    """The state with these facts; None if they are impossible on a table."""
    filled = put(state, filling)
    scope = next((fact.scope for fact in filling if isinstance(fact, Doubt)), Scope())
    return filled if filled is not None and not any(faults(filled, gaps_in(scope))) else None


def faults(state: State, gaps: Gaps) -> Iterator[bool]:
    """The faults that make a state impossible on a table (`problems`), even if further lords stand in the gaps."""
    yield from clashes(state)
    if has_pending(state):
        yield any(True for _ in unsettled_problems(state, gaps))


def has_pending(state: State) -> bool:
    """Whether there is a siege, or something that has to be decided or that is over."""
    return bool(state.sieges or state.captured or state.estates or state.over)


def held_fiefs(state: State) -> list[str]:
    """The fiefs with a title, also those of which the new holder is not named yet."""
    waiting = [fief for estate in state.estates for fief in estate.fiefs]
    return [*state.titles, *waiting, *([state.captured.fief] if state.captured else [])]


def clashes(state: State) -> Iterator[bool]:
    """The same faults, without those of pending decisions."""
    buildings, land = state.buildings, state.land
    cities = [village for village, each in buildings.items() if each == "city"]
    yield len(buildings) - len(cities) > CASTLES
    yield len(cities) > CITIES or len({land.fief_of[village] for village in cities}) < len(cities)
    held = held_fiefs(state)
    yield len(set(held)) < len(held) or any(city_of(state, fief) is None for fief in held)
    origins = list(state.cardinals.values())
    yield origins.count("title") > 1 or origins.count("card") > CARDINAL_CARDS
    yield state.king is not None and state.regent not in (None, state.king)
    yield state.arc is not None and state.arc_gone
    yield any(name not in state.lords for name in state.moved)
