"""Fief: the values of an unknown fact, one of each sort that the rules of a move distinguish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import combinations
from typing import Any, Final

from rules.fief import moves, votes
from rules.fief.data import Colour
from rules.fief.lords import is_man, pairs
from rules.fief.moves import Move
from rules.fief.near import cells_of
from rules.fief.purchases.purse import OFFICES, price_of
from rules.fief.state import CASTLES, CITIES, Arrival, Besieged, StandingLord, State
from rules.fief.unknowns.contents.filling import DEAD
from rules.fief.unknowns.contents.strangers import alone, company, somebody
from rules.fief.unknowns.gaps import Doubt
from rules.kernel import Cell
from rules.records import dataclass

OF_THE_TURN: Final = (moves.BuyCastle, moves.BuyTitle, moves.BuyCard, moves.BuyCardinal, moves.PlayLord)
MOST: Final = 99
"""More than anybody can have spent."""
FEW: Final = 3
"""The maximum number of marching lords of whom each may have moved alone."""


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """An unknown fact in a state, and the move that is asked about."""

    state: State
    move: Move
    doubt: Doubt

    @property
    def name(self) -> str:
        """The village, lord or player of the fact."""
        return self.doubt.name

    def named_lords(self) -> list[str]:
        """The lords whom the move names."""
        return lords_in(self.state, self.move)

    def colours(self) -> list[Colour]:
        """The players whom the rules distinguish: those with a part in the move, and one for all others.

        There are two for all others if a rule names the player whom it has found.
        """
        state = self.state
        if self.doubt.scope.anyone or isinstance(self.move, moves.Next):
            return list(state.colours)
        involved = {*named_colours(self.move), state.turn}
        lords = [*self.named_lords(), state.pope, state.king, *(name for pair in pairs(state) for name in pair.spouses)]
        involved |= {state.lords[name].player for name in lords if name is not None and name in state.lords}
        for group in (state.sieges, state.estates, state.armies):
            involved |= {each.player for each in group}
        besieged = "sieges" in self.doubt.scope.texts
        stand = 2 if besieged or isinstance(self.move, moves.March | moves.Cede) else 1
        others = [colour for colour in state.colours if colour not in involved][:stand]
        return [colour for colour in state.colours if colour in involved or colour in others]

    def villages(self) -> list[str]:
        """The villages whose lords the rules of the move look at, the move's own village first."""
        land, move = self.state.land, self.move
        found = [str(cell) for cell in cells_of(move)]
        fiefs = [str(getattr(move, "fief", "")), self.state.captured.fief if self.state.captured else ""]
        fiefs += [land.fief_of.get(village, "") for village in found] if isinstance(move, moves.Attack) else []
        found += [village for fief in fiefs if fief in land.fiefs for village in land.fiefs[fief]]
        found += [siege.village for siege in self.state.sieges]
        return [village for village in dict.fromkeys(found) if village in land.fief_of]


def named_colours(move: Move) -> Iterator[Colour]:
    """The players whom a move names."""
    for code in ("player", "consent"):
        if getattr(move, code, None) is not None:
            yield getattr(move, code)
    for code in ("consents", "attackers", "enemies"):
        yield from getattr(move, code, ())
    if isinstance(move, votes.Bishop):
        yield from (ballot.voter for ballot in move.ballots)


def lords_in(state: State, move: Move) -> list[str]:
    """The lords whom a move names."""
    return [name for name in dict.fromkeys(_words(move)) if state.land.is_lord(name)]


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _words(each)
    elif hasattr(value, "__dataclass_fields__"):
        for member in fields(value):
            yield from _words(getattr(value, member.name))


def contents(state: State, move: Move, cell: Cell) -> tuple[object, ...]:
    """The values that an unknown fact can have."""
    if not isinstance(cell, Doubt):
        raise TypeError(f"no unknown fact of Fief: {cell!r}")
    return tuple(CONTENTS[cell.code](FactQuestion(state, move, cell)))


# --- villages and lords ------------------------------------------------------------------------------------------


def only_turn_counts(question: FactQuestion) -> bool:
    """Whether of all who may control a village only the player in turn matters: for a purchase or a lord's card, where
    nobody besieges the village, which somebody controls then.
    """
    sites = (siege.village for siege in question.state.sieges)
    return isinstance(question.move, OF_THE_TURN) and question.name not in sites


def _control(question: FactQuestion) -> Iterable[object]:
    """Nobody and each player, or the player in turn alone."""
    if only_turn_counts(question) and not question.doubt.scope.anyone:
        return (None, question.state.turn)
    return (None, *question.colours())


def _building(question: FactQuestion) -> Iterable[object]:
    return (None, "castle", "city")


def _place(question: FactQuestion) -> Iterable[object]:
    """Each village that the rules of the move look at, and one other."""
    asked_of = question.villages()
    elsewhere = [village for village in question.state.land.villages if village not in asked_of]
    return (*asked_of, *elsewhere[:1])


def _spouse(question: FactQuestion) -> Iterable[object]:
    """Nobody, a lord in play who is free or whose spouse is unknown, or one who was not entered, of each player."""
    state = question.state
    man = is_man(state, question.name)
    yield None
    for name, lord in state.lords.items():
        if is_man(state, name) != man and lord.spouse in (None, question.name):
            yield name
    scope = question.doubt.scope
    strangers = [each for each in question.named_lords() if each in scope.lords and is_man(state, each) != man]
    for colour in question.colours():
        yield from alone(state, scope, (*question.named_lords(), question.name), colour, man=not man)
        yield from (StandingLord(each, colour, village) for each in strangers for village in scope.villages[:1])


def _fiefs(question: FactQuestion) -> Iterable[object]:
    """No fief, one, or all that can be had."""
    cities = free_fiefs(question)
    yield ()
    yield from ((fief,) for fief in cities)
    if len(cities) > 1:
        yield tuple(cities)


def free_fiefs(question: FactQuestion) -> list[str]:
    """The fiefs that a lord may hold: those that nobody is known to hold, and that may have a city."""
    state = question.state
    return [fief for fief in state.land.fiefs if fief not in state.titles and _may_be_city(question, fief)]


def _may_be_city(question: FactQuestion, fief: str) -> bool:
    buildings, unbuilt = question.state.buildings, question.doubt.scope.unsure_villages
    return any(buildings.get(each) == "city" or each in unbuilt for each in question.state.land.fiefs[fief])


def _bishop(question: FactQuestion) -> Iterable[object]:
    """No bishopric, one, all that are free, and all but the one that the move is about; which one is asked for in
    elections alone.
    """
    free = [number for number in sorted(question.state.land.bishoprics) if number not in question.state.bishops]
    others = [number for number in free if number != getattr(question.move, "bishopric", None)]
    alone = free if isinstance(question.move, votes.Bishop | moves.Next) else free[:1]
    return dict.fromkeys([(), *((number,) for number in alone), tuple(free), tuple(others)])


def _cardinal(_: FactQuestion) -> Iterable[object]:
    return (None, "card", "title")


def _yes_or_no(_: FactQuestion) -> Iterable[object]:
    return (False, True)


def _lord(question: FactQuestion) -> Iterable[object]:
    """A lord who was not entered and whom the move names: out of play, dead, or in play; with titles, of the player in
    turn and one other, or of each if the turn is unknown.
    """
    yield None
    yield DEAD
    if question.doubt.scope.villages:
        turn, scope = question.state.turn, question.doubt.scope
        colours = sorted(question.colours(), key=lambda colour: colour != turn)
        title_colours = colours if {"turn", "first"} & scope.texts else colours[:2]
        yield from somebody(question.state, scope, question.name, colours, title_colours, question.villages())


def _lords(question: FactQuestion) -> Iterable[object]:
    """The lords who were not entered and whom the move does not name."""
    return company(
        question.state,
        question.move,
        question.doubt.scope,
        question.named_lords(),
        question.colours(),
        question.villages(),
    )


# --- players and the table ---------------------------------------------------------------------------------------


def _income(question: FactQuestion) -> Iterable[object]:
    """The least and the greatest possible income, and the income that is just enough for the price."""
    state, colour = question.state, question.name
    least, most = incomes_between(question)
    enough = price_of(state, question.move) + state.spent.get(colour, 0)  # type: ignore[call-overload]  # a colour
    return sorted(
        {least, most, *(n for n in (enough - 1, enough) if least <= n <= most and question.name == state.turn)}
    )


def incomes_between(question: FactQuestion) -> tuple[int, int]:
    """The least and the greatest possible income: from the known facts of the table, if it was not entered."""
    state, colour, unknown = question.state, question.name, question.doubt.scope.texts
    if colour not in question.doubt.scope.guessed_players:
        return 0, len(state.land.villages) + sum(OFFICES.values())
    least = list(state.control.values()).count(colour)  # type: ignore[arg-type]  # a colour
    most = least + sum(f"control {village}" in unknown for village in state.land.villages)
    for holder, n in ((state.king, OFFICES["king"]), (state.pope, OFFICES["pope"]), (None, OFFICES["queen"])):
        if holder is None or f"player {holder}" in unknown:
            most += n
        elif state.lords[holder].player == colour:
            least, most = least + n, most + n
    return least, most


def _amounts_spent(question: FactQuestion) -> Iterable[object]:
    income = question.state.income.get(question.name, 0)  # type: ignore[call-overload]  # a colour
    enough = income - price_of(question.state, question.move)
    return sorted({0, MOST, *(n for n in (enough, enough + 1) if n >= 0)})


def _murders(_: FactQuestion) -> Iterable[object]:
    return (0, 1, 2)


def _colours(question: FactQuestion) -> Iterable[object]:
    return question.state.colours


def _elections_held(question: FactQuestion) -> Iterable[object]:
    return (
        range(6) if question.state.phase == "bishops" else (0, 1) if question.state.phase in ("pope", "king") else (0,)
    )


def _excommunication(question: FactQuestion) -> Iterable[object]:
    return (None, *question.state.lords)


def _lords_moved(question: FactQuestion) -> Iterable[object]:
    lords = [name for name in getattr(question.move, "lords", ()) if name in question.state.lords]
    if len(lords) <= FEW:
        return tuple(some for n in range(len(lords) + 1) for some in combinations(lords, n))
    return ((), *((name,) for name in lords), tuple(lords))


def _arrivals(question: FactQuestion) -> Iterable[object]:
    """Nobody, or each player by each road from the start of the move."""
    path: Sequence[str] = getattr(question.move, "path", ())
    yield ()
    if path and question.state.phase == "movements":
        ways = [path[n + 1] for n in range(len(path) - 1) if path[n] == path[0]]
        for road in dict.fromkeys(ways):
            yield from ((Arrival(colour, path[0], road),) for colour in question.colours())


def _villages_attacked(question: FactQuestion) -> Iterable[object]:
    village = getattr(question.move, "village", None)
    return ((), (village,)) if village in question.state.land.fief_of and question.state.phase == "combats" else ((),)


def _sieges(question: FactQuestion) -> Iterable[object]:
    """No siege, or one by each player, of a village that the move is about."""
    yield ()
    for village in question.villages():
        yield from ((Besieged(colour, village),) for colour in question.colours())


def _castles(_: FactQuestion) -> Iterable[object]:
    return (0, CASTLES)


def _cities(_: FactQuestion) -> Iterable[object]:
    return (0, CITIES)


CONTENTS: Final[Mapping[str, Callable[[FactQuestion], Iterable[object]]]] = {
    "control": _control,
    "building": _building,
    "player": _colours,
    "place": _place,
    "spouse": _spouse,
    "fiefs": _fiefs,
    "bishop": _bishop,
    "elected": _yes_or_no,
    "cardinal": _cardinal,
    "pope": _yes_or_no,
    "king": _yes_or_no,
    "regent": _yes_or_no,
    "arc": _yes_or_no,
    "excommunicated": _yes_or_no,
    "marked": _yes_or_no,
    "lord": _lord,
    "lords": _lords,
    "castles": _castles,
    "cities": _cities,
    "income": _income,
    "spent": _amounts_spent,
    "murders": _murders,
    "first": _colours,
    "turn": _colours,
    "arc_gone": _yes_or_no,
    "held": _elections_held,
    "excommunication": _excommunication,
    "moved": _lords_moved,
    "arrivals": _arrivals,
    "attacked": _villages_attacked,
    "sieges": _sieges,
}
"""Code of a fact -> its possible values."""
