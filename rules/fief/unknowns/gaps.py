"""Fief: the unknown facts of an entered position, and its known part.

A village that is entered is entered whole: who controls it, what is built there, and every lord who stands there. So
where the rest is unknown, a lord who was not entered is not in play, or stands in a village that was not entered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from math import inf
from typing import Any, Final, NamedTuple

from rules.fief.data import COLOURS, Colour, Land, land
from rules.fief.moves import Move
from rules.fief.near import cells_of
from rules.fief.state import (
    CASTLES,
    CITIES,
    IN_TURN,
    Gaps,
    KnownPosition,
    Position,
    Setup,
    StandingLord,
    State,
    VillageContents,
)
from rules.forms import UNKNOWN, Malformed, is_unknown, rest_is_unknown
from rules.kernel import Cell

OF_A_LORD: Final = tuple(member.name for member in fields(StandingLord) if member.name not in ("name", "prince"))
"""The members of a lord that may be unknown."""
OF_THE_TABLE: Final = (
    "first",
    "turn",
    "arc_gone",
    "held",
    "excommunication",
    "moved",
    "arrivals",
    "attacked",
    "sieges",
)
OF_A_PLAYER: Final = ("murders", "income", "spent")
OF_A_PHASE: Final[Mapping[str, tuple[str, ...]]] = {
    "turn": IN_TURN,
    "held": ("bishops", "pope", "king"),
    "income": ("purchases",),
    "spent": ("purchases",),
    "moved": ("movements",),
    "arrivals": ("movements",),
    "attacked": ("combats",),
}
"""Facts that players remember in some phases only. In other phases they are empty, even if entered as unknown."""
WHOSE: Final = frozenset({"first", "turn", "player", "lord", "lords"})
EARNING: Final = ("control", "king", "pope", "regent", "spouse", "player", "lord", "lords")
"""The facts that incomes are counted from (`FI-50`)."""
COUNTED_FROM: Final = 6
"""The maximum number of unknown facts to count incomes from; with more, incomes are facts of their own."""


class Scope(NamedTuple):
    """What all doubts of a position share: the lords and villages that were not entered, other villages of which it is
    unknown what is built there, and the lords whose strength was entered.
    """

    lords: frozenset[str] = frozenset()
    villages: tuple[str, ...] = ()
    unsure_villages: frozenset[str] = frozenset()
    ranked_lords: frozenset[str] = frozenset()
    may_have_siege: bool = False
    """Whether there is a siege, or may be one."""
    anyone: bool = False
    """Whether the acting player or the player of some lord is unknown: then no player stands for another one."""
    texts: frozenset[str] = frozenset()
    """All doubts."""
    counted_players: frozenset[str] = frozenset()
    """The players whose income is counted from the table, with what is filled in."""
    guessed_players: frozenset[str] = frozenset()
    """The players whose income depends on too many unknown facts to be counted: it is a fact of its own."""
    memo: Any = None
    """The question about the last move (`tree.question_for`)."""


class Doubt(str):
    """An unknown fact: its code, and the village, lord or player that it is a fact of, as in ``spouse Éric``."""

    __slots__ = ("code", "name", "scope")
    code: str
    """What the fact is about."""
    name: str
    """The village, lord or player of the fact; empty for a fact of the whole table."""
    scope: Scope

    def __new__(cls, text: object) -> Doubt:
        """The fact of this text."""
        doubt = super().__new__(cls, text)
        doubt.code, _, doubt.name = doubt.partition(" ")
        return doubt


def doubts(form: Setup, position: Position) -> tuple[Doubt, ...]:
    """The unknown facts, village by village, lord by lord. Raises `Malformed`."""
    board = land(form.data)
    position = _with_lords_in_play(board, position)
    unseen = tuple(_unseen_villages(board, position))
    strangers = frozenset(unseen_lords(board, position))
    names = [*_of_villages(board, position, unseen), *_of_lords(position)]
    names += [f"lord {name}" for name in (*board.men, *board.women) if name in strangers]
    if strangers and unseen:
        names.append("lords")
    names += [code for code in OF_THE_TABLE if is_unknown(getattr(position, code))]
    uncounted = frozenset(_not_entered(form, position)) if _codes(names).intersection(EARNING) else frozenset()
    counted = uncounted if _can_count(names) else frozenset()
    names += _of_players(form, position, uncounted - counted)
    names += _counts(position, unseen)
    names = [name for name in names if position.phase in OF_A_PHASE.get(name.partition(" ")[0], (position.phase,))]
    unbuilt = frozenset(name.removeprefix("building ") for name in names if name.startswith("building "))
    scope = Scope(
        lords=strangers,
        villages=unseen,
        unsure_villages=unbuilt,
        ranked_lords=frozenset(position.ranks),
        may_have_siege=bool(position.sieges),
        anyone=not WHOSE.isdisjoint(_codes(names)),
        texts=frozenset(names),
        counted_players=counted,
        guessed_players=uncounted - counted,
        memo={},
    )
    return tuple(_doubt(name, scope) for name in names)


def _with_lords_in_play(board: Land, position: Position) -> Position:
    """The position with an entry for each lord who was not entered, but is named as in play: a spouse, an heir with an
    army, or a lord who has moved or whose strength was entered. All else about such a lord is unknown.
    """
    wed = {lord.spouse: lord.name for lord in position.lords}
    moved = () if is_unknown(position.moved) else position.moved
    named = {*wed, *moved, *position.ranks, *(army.heir for army in position.armies)}
    blank: dict[str, Any] = dict.fromkeys(OF_A_LORD, UNKNOWN)
    found = (name for name in unseen_lords(board, position) if name in named)
    lords = (StandingLord(**{**blank, "name": name, "spouse": wed.get(name, UNKNOWN)}) for name in found)
    return replace(position, lords=(*position.lords, *lords))


def _codes(names: Iterable[str]) -> set[str]:
    return {name.partition(" ")[0] for name in names}


def _can_count(names: Collection[str]) -> bool:
    """Whether incomes can be counted: few of these facts are unknown, and every lord who may bring income is known."""
    return _codes(names).isdisjoint(("lord", "lords")) and sum(_codes([n]) <= {*EARNING} for n in names) <= COUNTED_FROM


def _not_entered(form: Setup, position: Position) -> Iterator[Colour]:
    """The players whose income of phase 5 was not entered."""
    if position.phase == "purchases":
        yield from (player.colour for player in form.players if player.colour not in position.income)


def _doubt(name: str, scope: Scope) -> Doubt:
    doubt = Doubt(name)
    doubt.scope = scope
    return doubt


def _unseen_villages(board: Land, position: Position) -> Iterator[str]:
    """The villages that were not entered, if the rest is unknown."""
    if rest_is_unknown(position):
        entered_villages = {village for villages in position.control.values() for village in villages}
        entered_villages.update(position.castles, position.cities, position.villages)
        yield from (village for village in board.villages if village not in entered_villages)


def unseen_lords(board: Land, position: Position) -> Iterator[str]:
    """The lords of whom nothing was entered, if the rest is unknown."""
    if rest_is_unknown(position):
        entered_lords = {lord.name for lord in position.lords}.union(position.dead, position.absent)
        yield from (name for name in (*board.men, *board.women) if name not in entered_lords)


def _of_villages(board: Land, position: Position, unseen: tuple[str, ...]) -> Iterator[str]:
    for village in board.villages:
        contents = position.villages.get(village)
        whole = village in unseen or is_unknown(contents)
        if whole or (contents is not None and is_unknown(contents.controller)):
            yield f"control {village}"
        if whole or (contents is not None and is_unknown(contents.building)):
            yield f"building {village}"
    for village, contents in position.villages.items():
        controlled = any(village in villages for villages in position.control.values())
        if controlled and (is_unknown(contents) or is_unknown(contents.controller)):
            raise Malformed("known_already", f"/villages/{village}", text=village)


def _of_lords(position: Position) -> Iterator[str]:
    wed = {lord.spouse for lord in position.lords}
    for lord in position.lords:
        for code in OF_A_LORD:
            if is_unknown(getattr(lord, code)) and not (code == "spouse" and lord.name in wed):
                yield f"{code} {lord.name}"


def _of_players(form: Setup, position: Position, guessed: Collection[str]) -> Iterator[str]:
    """Murders, and in phase 5 the money spent, and incomes that were not entered and cannot be counted."""
    for player in form.players:
        colour = player.colour
        for code in OF_A_PLAYER:
            values: Mapping[object, object] = getattr(position, code)
            if is_unknown(values.get(colour)) or (code == "income" and colour in guessed):
                yield f"{code} {colour}"


def _counts(position: Position, unseen: tuple[str, ...]) -> Iterator[str]:
    """The counts of castles and cities in villages that were not entered, if all castles, or cities, may be in play."""
    castles = {
        *position.castles,
        *(v for v, contents in position.villages.items() if _has_building(contents, "castle")),
    }
    if unseen and len(castles) + len(unseen) >= CASTLES:
        yield "castles"
    cities = {*position.cities, *(v for v, contents in position.villages.items() if _has_building(contents, "city"))}
    if unseen and len(cities) + len(unseen) >= CITIES:
        yield "cities"


def _has_building(contents: VillageContents, building: str) -> bool:
    return not is_unknown(contents) and contents.building == building


def cells_to_light(cell: Cell) -> tuple[Cell, ...]:
    """The village, or the lord, that an unknown fact is about."""
    fact = Doubt(cell) if isinstance(cell, str) else None
    return (fact.name,) if fact and fact.code in ("control", "building", "lord", *OF_A_LORD) else ()


# --- what is known -----------------------------------------------------------------------------------------------


def known_part(form: Setup, position: Position) -> KnownPosition:
    """The position with unknown facts set as at the beginning of a game, or of a phase."""
    board, unknown = land(form.data), doubts(form, position)
    gaps = gaps_in(unknown[0].scope)._replace(facts=frozenset(unknown)) if unknown else Gaps()
    position = _with_lords_in_play(board, position)
    blank = Position()
    changes: dict[str, Any] = {c: getattr(blank, c) for c in OF_THE_TABLE if is_unknown(getattr(position, c))}
    for code in OF_A_PLAYER:
        values = getattr(position, code)
        changes[code] = {colour: n for colour, n in values.items() if not is_unknown(n)}
    wed: dict[str | None, str] = {lord.spouse: lord.name for lord in position.lords if lord.spouse is not None}
    lords = tuple(_known_lord(form, board, lord, wed) for lord in position.lords)
    villages = {village: _known_village(contents) for village, contents in position.villages.items()}
    known = replace(position, **changes, lords=lords, villages=villages, rest=None)
    return KnownPosition(**{member.name: getattr(known, member.name) for member in fields(Position)}, gaps=gaps)


def gaps_in(scope: Scope) -> Gaps:
    """The villages where lords may stand who were not entered, if there are such lords."""
    return Gaps(villages=scope.villages if scope.lords else ())


def _known_village(contents: VillageContents) -> VillageContents:
    if is_unknown(contents):
        return VillageContents()
    controller = None if is_unknown(contents.controller) else contents.controller
    return VillageContents(controller, None if is_unknown(contents.building) else contents.building)


def _known_lord(form: Setup, board: Land, lord: StandingLord, wed: Mapping[str | None, str]) -> StandingLord:
    somebody = form.players[0].colour if form.players else COLOURS[0]  # of nobody, `problems` says what is wrong
    blank = StandingLord(lord.name, somebody, board.villages[0])
    changes: dict[str, Any] = {c: getattr(blank, c) for c in OF_A_LORD if is_unknown(getattr(lord, c))}
    if is_unknown(lord.spouse):
        changes["spouse"] = wed.get(lord.name)
    return replace(lord, **changes) if changes else lord


NEAREST: Final = -1


def distance(state: State, move: Move, unknown: Cell) -> float:
    """The distance of a village from the move's, in roads; what the move names is nearer, and all else comes last."""
    name = Doubt(unknown).name
    if name and name in _names_in(move):
        return NEAREST
    return _roads(state.land, name, cells_of(move)) if name in state.land.roads else inf


def _names_in(move: Move) -> set[object]:
    """The lords and players whom a move names, and the villages that it touches."""
    names: set[object] = {*cells_of(move)}
    for each in fields(move):
        value = getattr(move, each.name)
        names.update(value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ())
    return names


def _roads(land: Land, village: str, targets: Collection[Cell]) -> float:
    """The number of roads from a village to the nearest of the targets; 0 if there are no targets."""
    visited, front, steps = {village}, {village}, 0
    while front and targets and front.isdisjoint(targets):
        front = {near for at in front for near in land.roads[at]} - visited
        visited |= front
        steps += 1
    return steps if front else inf
