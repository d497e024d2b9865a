"""Fief: a state as players would write it down, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.fief.lords import controlled_villages, fiefs_of, recorded_rank, sees_of
from rules.fief.play import setup
from rules.fief.purchases.purse import income_of
from rules.fief.state import IN_TURN, Building, Lord, Position, Setup, StandingLord, State


def position(state: State) -> Position:
    """The villages of each player, the buildings, the lords with all they hold, and the moment of the round."""
    held = {colour: tuple(controlled_villages(state, colour)) for colour in state.colours}
    return Position(
        first=state.first,
        phase=state.phase,
        turn=state.turn,
        control={colour: places for colour, places in held.items() if places},
        castles=_villages_with(state, "castle"),
        cities=_villages_with(state, "city"),
        lords=tuple(_lord_entry(state, name) for name in _as_printed(state, state.lords)),
        dead=_as_printed(state, state.dead),
        arc_gone=state.arc_gone,
        held=state.held,
        excommunication=state.excommunication,
        murders=state.murders,
        income=state.income,
        spent=state.spent,
        moved=_as_printed(state, state.moved),
        arrivals=state.arrivals,
        ranks={name: rank for name, rank in state.ranks.items() if rank != recorded_rank(state, name)},
        armies=state.armies,
        attacked=_as_printed(state, state.attacked),
        sieges=state.sieges,
        captured=state.captured,
        estates=state.estates,
        ended=state.over,
    )


def _villages_with(state: State, building: Building) -> tuple[str, ...]:
    return tuple(village for village in state.land.villages if state.buildings.get(village) == building)


def _as_printed(state: State, names: Iterable[str]) -> tuple[str, ...]:
    """Names in the order of the data."""
    order = state.land.order
    return tuple(sorted(names, key=lambda name: order.get(name, -1)))


def _lord_entry(state: State, name: str) -> StandingLord:
    lord = state.lords[name]
    return StandingLord(
        name=name,
        player=lord.player,
        place=lord.place,
        spouse=lord.spouse,
        fiefs=tuple(fiefs_of(state, name)),
        bishop=tuple(sorted(sees_of(state, name))),
        elected=name in state.elected,
        cardinal=state.cardinals.get(name),
        pope=name == state.pope,
        king=name == state.king,
        regent=name == state.regent,
        prince=state.princes.index(name) + 1 if name in state.princes else None,
        arc=name == state.arc,
        excommunicated=lord.excommunicated,
        marked=lord.marked,
    )


def merge_villages(entered_position: Position) -> Position:
    """The same position with the facts of `villages` moved to `control`, `castles` and `cities`."""
    if not entered_position.villages:
        return entered_position
    control = {colour: list(villages) for colour, villages in entered_position.control.items()}
    built: dict[Building, list[str]] = {"castle": list(entered_position.castles), "city": list(entered_position.cities)}
    for village, contents in entered_position.villages.items():
        if contents.controller is not None:
            control.setdefault(contents.controller, []).append(village)
        if contents.building is not None:
            built[contents.building].append(village)
    held = {colour: tuple(villages) for colour, villages in control.items()}
    return replace(
        entered_position, control=held, castles=tuple(built["castle"]), cities=tuple(built["city"]), villages={}
    )


def enter(form: Setup, entered_position: Position) -> State:
    """The state of an entered position, whose faults `problems` lists: a colour that nobody plays has no turn, and a
    spouse who is not in play does not count. Trusts that each name is in the data.
    """
    start = setup(form)
    first = entered_position.first if entered_position.first in start.colours else start.first
    turn = entered_position.turn if entered_position.turn in start.colours else first
    entered_position = merge_villages(entered_position)
    state = start._replace(
        first=first,
        phase=entered_position.phase,
        turn=turn if entered_position.phase in IN_TURN else None,
        control={village: colour for colour, villages in entered_position.control.items() for village in villages},
        buildings=_buildings_of(entered_position),
        dead=frozenset(entered_position.dead),
        arc_gone=entered_position.arc_gone,
        held=entered_position.held,
        excommunication=entered_position.excommunication,
        murders=dict(entered_position.murders),
        moved=frozenset(entered_position.moved),
        arrivals=entered_position.arrivals,
        armies=entered_position.armies,
        attacked=frozenset(entered_position.attacked),
        sieges=entered_position.sieges,
        captured=entered_position.captured,
        estates=entered_position.estates,
        over=entered_position.ended,
    )
    return _fill_in_counts(_with_lords(state, entered_position.lords), entered_position)


def _buildings_of(entered_position: Position) -> dict[str, Building]:
    castles: dict[str, Building] = dict.fromkeys(entered_position.castles, "castle")
    return castles | dict.fromkeys(entered_position.cities, "city")


def _with_lords(state: State, lords: tuple[StandingLord, ...]) -> State:
    living = {lord.name for lord in lords}
    princes = sorted((lord.prince, lord.name) for lord in lords if lord.prince is not None)
    return state._replace(
        lords={
            lord.name: Lord(
                lord.player,
                lord.place,
                lord.spouse if lord.spouse in living else None,
                lord.excommunicated,
                lord.marked,
            )
            for lord in lords
        },
        titles={fief: lord.name for lord in lords for fief in lord.fiefs},
        bishops={number: lord.name for lord in lords for number in lord.bishop if number in state.land.bishoprics},
        cardinals={lord.name: lord.cardinal for lord in lords if lord.cardinal is not None},
        pope=next((lord.name for lord in lords if lord.pope), None),
        king=next((lord.name for lord in lords if lord.king), None),
        regent=next((lord.name for lord in lords if lord.regent), None),
        princes=tuple(name for _, name in princes),
        arc=next((lord.name for lord in lords if lord.arc), None),
        elected=frozenset(lord.name for lord in lords if lord.elected),
    )


def _fill_in_counts(state: State, entered_position: Position) -> State:
    """Count the values that were not entered: incomes in phase 5, strengths in phases 6 and 7."""
    if state.phase == "purchases":
        incomes = {colour: income_of(state, colour) for colour in state.colours}
        return state._replace(income={**incomes, **entered_position.income}, spent=dict(entered_position.spent))
    if state.phase in ("movements", "combats"):
        ranks = {name: recorded_rank(state, name) for name in state.lords}
        return state._replace(ranks={**ranks, **entered_position.ranks})
    return state
