"""Fief: what an entered position leaves open, a fact each, and what is left of it without these.

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
from rules.fief.state import CASTLES, CITIES, IN_TURN, Position, Setup, StandingLord, State, VillageContents
from rules.forms import Malformed, is_unknown, rest_is_unknown
from rules.kernel import Cell

OF_A_LORD: Final = tuple(member.name for member in fields(StandingLord) if member.name not in ("name", "prince"))
"""What of a lord may be unknown."""
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
"""What is remembered in some phases only; in others it cannot be anything but nothing, said to be unknown or not."""
WHOSE: Final = frozenset({"first", "turn", "player", "lord", "lords"})
EARNING: Final = ("control", "king", "pope", "regent", "spouse", "player", "lord", "lords")
"""What incomes are counted from (`FI-50`)."""
COUNTED_FROM: Final = 6
"""From so many unknown facts incomes are counted; from more, they are facts of their own."""


class Scope(NamedTuple):
    """What all doubts of a position share: the lords and villages that were not entered, other villages of which it is
    unknown what is built there, and the lords whose strength was entered.
    """

    lords: frozenset[str] = frozenset()
    villages: tuple[str, ...] = ()
    unbuilt: frozenset[str] = frozenset()
    ranked: frozenset[str] = frozenset()
    besieged: bool = False
    """Whether there is a siege, or may be one."""
    anyone: bool = False
    """Whether it is unknown whose part it is, or whose some lord is: then no player stands for another one."""
    texts: frozenset[str] = frozenset()
    """All doubts."""
    counted: frozenset[str] = frozenset()
    """The players whose income is counted from the table, with what is filled in."""
    guessed: frozenset[str] = frozenset()
    """Those whose income would have to be counted from too much that is unknown: it is a fact of its own."""
    memo: Any = None
    """What was worked out for the last move (`tree.question`)."""


class Doubt(str):
    """An unknown fact: its code, and the village, lord or player that it is a fact of, as in ``spouse Éric``."""

    __slots__ = ("code", "name", "scope")
    code: str
    """What the fact is about."""
    name: str
    """Whose fact it is; nothing where it is the table's."""
    scope: Scope

    def __new__(cls, text: object) -> Doubt:
        """The fact of this text."""
        made = super().__new__(cls, text)
        made.code, _, made.name = made.partition(" ")
        return made


def doubts(form: Setup, entered: Position) -> tuple[Doubt, ...]:
    """What is unknown, village by village, lord by lord. Raises `Malformed`."""
    board = land(form.data)
    unseen = tuple(_unseen_villages(board, entered))
    strangers = frozenset(unseen_lords(board, entered))
    names = [*_of_villages(board, entered, unseen), *_of_lords(entered)]
    names += [f"lord {name}" for name in (*board.men, *board.women) if name in strangers]
    if strangers and unseen:
        names.append("lords")
    names += [code for code in OF_THE_TABLE if is_unknown(getattr(entered, code))]
    uncounted = frozenset(_not_entered(form, entered)) if _codes(names).intersection(EARNING) else frozenset()
    counted = uncounted if _can_count(names) else frozenset()
    names += _of_players(form, entered, uncounted - counted)
    names += _counts(entered, unseen)
    names = [name for name in names if entered.phase in OF_A_PHASE.get(name.partition(" ")[0], (entered.phase,))]
    unbuilt = frozenset(name.removeprefix("building ") for name in names if name.startswith("building "))
    scope = Scope(
        lords=strangers,
        villages=unseen,
        unbuilt=unbuilt,
        ranked=frozenset(entered.ranks),
        besieged=bool(entered.sieges),
        anyone=not WHOSE.isdisjoint(_codes(names)),
        texts=frozenset(names),
        counted=counted,
        guessed=uncounted - counted,
        memo={},
    )
    return tuple(_doubt(name, scope) for name in names)


def _codes(names: Iterable[str]) -> set[str]:
    return {name.partition(" ")[0] for name in names}


def _can_count(names: Collection[str]) -> bool:
    """Whether incomes can be counted from what is unknown: it is little, and no lord who may bring any is unknown."""
    return _codes(names).isdisjoint(("lord", "lords")) and sum(_codes([n]) <= {*EARNING} for n in names) <= COUNTED_FROM


def _not_entered(form: Setup, entered: Position) -> Iterator[Colour]:
    """The players whose income of phase 5 was not entered."""
    if entered.phase == "purchases":
        yield from (player.colour for player in form.players if player.colour not in entered.income)


def _doubt(name: str, scope: Scope) -> Doubt:
    made = Doubt(name)
    made.scope = scope
    return made


def _unseen_villages(board: Land, entered: Position) -> Iterator[str]:
    """The villages that were not entered, where the rest is unknown."""
    if rest_is_unknown(entered):
        told = {village for villages in entered.control.values() for village in villages}
        told.update(entered.castles, entered.cities, entered.villages)
        yield from (village for village in board.villages if village not in told)


def unseen_lords(board: Land, entered: Position) -> Iterator[str]:
    """The lords of whom nothing was entered, where the rest is unknown."""
    if rest_is_unknown(entered):
        told = {lord.name for lord in entered.lords}.union(entered.dead, entered.absent)
        yield from (name for name in (*board.men, *board.women) if name not in told)


def _of_villages(board: Land, entered: Position, unseen: tuple[str, ...]) -> Iterator[str]:
    for village in board.villages:
        told = entered.villages.get(village)
        whole = village in unseen or is_unknown(told)
        if whole or (told is not None and is_unknown(told.controller)):
            yield f"control {village}"
        if whole or (told is not None and is_unknown(told.building)):
            yield f"building {village}"
    for village, told in entered.villages.items():
        controlled = any(village in villages for villages in entered.control.values())
        if controlled and (is_unknown(told) or is_unknown(told.controller)):
            raise Malformed("known_already", f"/villages/{village}", text=village)


def _of_lords(entered: Position) -> Iterator[str]:
    wed = {lord.spouse for lord in entered.lords}
    for lord in entered.lords:
        for code in OF_A_LORD:
            if is_unknown(getattr(lord, code)) and not (code == "spouse" and lord.name in wed):
                yield f"{code} {lord.name}"


def _of_players(form: Setup, entered: Position, guessed: Collection[str]) -> Iterator[str]:
    """Murders, and in phase 5 what is spent, and incomes that were not entered and cannot be counted."""
    for player in form.players:
        colour = player.colour
        for code in OF_A_PLAYER:
            told: Mapping[object, object] = getattr(entered, code)
            if is_unknown(told.get(colour)) or (code == "income" and colour in guessed):
                yield f"{code} {colour}"


def _counts(entered: Position, unseen: tuple[str, ...]) -> Iterator[str]:
    """How many castles and cities there are in the villages that were not entered, where that can be all."""
    castles = {*entered.castles, *(v for v, told in entered.villages.items() if _is(told, "castle"))}
    if unseen and len(castles) + len(unseen) >= CASTLES:
        yield "castles"
    cities = {*entered.cities, *(v for v, told in entered.villages.items() if _is(told, "city"))}
    if unseen and len(cities) + len(unseen) >= CITIES:
        yield "cities"


def _is(told: VillageContents, building: str) -> bool:
    return not is_unknown(told) and told.building == building


def lit(cell: Cell) -> tuple[Cell, ...]:
    """The village, or the lord, that an unknown fact is about."""
    fact = Doubt(cell) if isinstance(cell, str) else None
    return (fact.name,) if fact and fact.code in ("control", "building", "lord", *OF_A_LORD) else ()


# --- what is known -----------------------------------------------------------------------------------------------


def known(form: Setup, entered: Position) -> Position:
    """The position with what is unknown as at the beginning of a game, or of a phase."""
    board = land(form.data)
    blank = Position()
    changes: dict[str, Any] = {c: getattr(blank, c) for c in OF_THE_TABLE if is_unknown(getattr(entered, c))}
    for code in OF_A_PLAYER:
        told = getattr(entered, code)
        changes[code] = {colour: n for colour, n in told.items() if not is_unknown(n)}
    wed: dict[str | None, str] = {lord.spouse: lord.name for lord in entered.lords if lord.spouse is not None}
    lords = tuple(_known_lord(form, board, lord, wed) for lord in entered.lords)
    villages = {village: _known_village(seen) for village, seen in entered.villages.items()}
    return replace(entered, **changes, lords=lords, villages=villages, rest=None)


def _known_village(told: VillageContents) -> VillageContents:
    if is_unknown(told):
        return VillageContents()
    controller = None if is_unknown(told.controller) else told.controller
    return VillageContents(controller, None if is_unknown(told.building) else told.building)


def _known_lord(form: Setup, board: Land, lord: StandingLord, wed: Mapping[str | None, str]) -> StandingLord:
    somebody = form.players[0].colour if form.players else COLOURS[0]  # of nobody, `problems` says what is wrong
    blank = StandingLord(lord.name, somebody, board.villages[0])
    changes: dict[str, Any] = {c: getattr(blank, c) for c in OF_A_LORD if is_unknown(getattr(lord, c))}
    if is_unknown(lord.spouse):
        changes["spouse"] = wed.get(lord.name)
    return replace(lord, **changes) if changes else lord


NEAREST: Final = -1


def distance(state: State, move: Move, unknown: Cell) -> float:
    """How many roads a village is from the move's; what the move names is nearer, and all else is looked at last."""
    name = Doubt(unknown).name
    if name and name in _named(move):
        return NEAREST
    return _roads(state.land, name, cells_of(move)) if name in state.land.roads else inf


def _named(move: Move) -> set[object]:
    """The lords and players whom a move names, and the villages that it touches."""
    named: set[object] = {*cells_of(move)}
    for each in fields(move):
        value = getattr(move, each.name)
        named.update(value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ())
    return named


def _roads(land: Land, village: str, wanted: Collection[Cell]) -> float:
    """How many roads lead from a village to the nearest of others; none at all where no village is asked for."""
    seen, front, steps = {village}, {village}, 0
    while front and wanted and front.isdisjoint(wanted):
        front = {near for at in front for near in land.roads[at]} - seen
        seen |= front
        steps += 1
    return steps if front else inf
