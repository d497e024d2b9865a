"""Questions about Fief of which something is unknown, with fillings made by the page and the map alone (`unknowns`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from math import prod
from random import Random
from typing import Any

from rules.fief import GAME
from rules.fief.state import PHASES
from rules.forms import plain
from rules.kernel import Cell
from tests.rules.fief import unknowns
from tests.rules.fief.near_moves import move_to_try
from tests.rules.fief.oracle import Json, Table, table_of
from tests.rules.fief.random_positions import shaken
from tests.rules.fief.rest import rest_filled
from tests.rules.fief.tables import table_and_setup
from tests.rules.fief.unknowns import SMALL
from tests.rules.play import readings, shared_game
from tests.rules.trials import Trial, WholeFilling
from tests.support.json_forms import read_position, read_setup

MOST = 150
"""So many fillings are all that are tried; of more, as many by chance."""
LEGAL = 40
"""Of so many legal moves of a kind one is asked about."""
GAMES = 3
SAMPLES = 30
"""So many positions by chance are what the rest may be."""
NUMBERS = frozenset({"income", "spent", "murders", "moved", "arrivals", "sieges", "attacked"})
"""What can be more than is tried."""

PASSING = (
    "dead",
    "armies",
    "moved",
    "arrivals",
    "sieges",
    "attacked",
    "held",
    "excommunication",
    "murders",
    "arc_gone",
)
"""What is remembered, and is not told of here."""


def trials(chance: Random, times: int) -> Iterator[Trial]:
    """Positions by chance and of games: some facts unknown, or the rest."""
    for number in range(times):
        made_by = (_shaken, _game, _small, _shaken)[number % 4]
        table, form, position = made_by(chance, PHASES[number % len(PHASES)])
        made = _rest(table, form, position, chance) if number % 4 == 3 else _facts(table, form, position, chance)
        if made is not None:
            yield made


def _shaken(chance: Random, phase: str) -> tuple[Table, Any, Json]:
    table, form = table_and_setup(chance)
    return table, form, shaken(table, chance, phase)


def _small(chance: Random, phase: str) -> tuple[Table, Any, Json]:
    """A table so small that much can be unknown at once."""
    setup = SMALL | {"readings": readings(GAME, chance)}
    table = table_of(setup)
    return table, read_setup(GAME, setup), shaken(table, chance, phase)


def _game(chance: Random, _: str) -> tuple[Table, Any, Json]:
    played = shared_game("fief", chance.randrange(GAMES))
    state, _ = chance.choice(played.steps[:-1])
    position = {name: told for name, told in plain(GAME.position(state)).items() if told is not None}
    return table_of(plain(played.form)), played.form, position


def _move(form: Any, position: Json, chance: Random) -> Any:
    """A legal move of some kind, or one that is near to a legal one."""
    state = GAME.enter(form, read_position(GAME, position))
    kinds = GAME.due(state).kinds
    legal = list(islice(GAME.moves(state, (chance.choice(kinds),)), LEGAL)) if kinds else []
    move = chance.choice(legal) if legal and chance.random() < 0.7 else move_to_try(state, chance)
    return move if (GAME.phase(state), type(move)) in GAME.book else None


# --- some facts are unknown --------------------------------------------------------------------------------------


def _facts(table: Table, form: Any, position: Json, chance: Random) -> Trial | None:
    move = _move(form, position, chance)
    if move is None or not position["lords"]:
        return None
    if chance.random() < 0.6:
        position.pop("income", None)
    number = chance.randint(1, 4 if len(table.villages) > len(SMALL["players"]) + 1 else 6)
    ways = unknowns.hideable(table, position, plain(move), chance, number)
    partial = unknowns.hide(position, ways)
    every = prod(len(list(unknowns.values_of(table, partial, way))) for way in ways) <= MOST
    found = (
        unknowns.fillings(table, partial, ways) if every else unknowns.some_fillings(table, partial, ways, chance, MOST)
    )
    fillings = [WholeFilling(filled, _facts_by_name(filled, ways, values)) for values, filled in found]
    return Trial(form, partial, move, fillings, every and not any(NUMBERS.intersection(way) for way in ways))


def _facts_by_name(filled: Json, ways: list[unknowns.Way], values: tuple[Any, ...]) -> Mapping[Cell, object]:
    """What each unknown fact is, by its name."""
    found: dict[Cell, object] = {}
    for way, value in zip(ways, values, strict=True):
        if way[0] == "villages" and len(way) == 2:
            found |= {f"control {way[1]}": value.get("controller"), f"building {way[1]}": value.get("building")}
        elif way[0] == "villages":
            found[f"{'control' if way[2] == 'controller' else way[2]} {way[1]}"] = value
        elif way[0] == "lords":
            lord = filled["lords"][way[1]]  # a marriage is both spouses'
            found[f"{way[2]} {lord['name']}"] = lord.get("spouse") if way[2] == "spouse" else value
        else:
            found[" ".join(map(str, way))] = value
    return found


# --- the rest is unknown -----------------------------------------------------------------------------------------


def _rest(table: Table, form: Any, position: Json, chance: Random) -> Trial | None:
    """Some villages are told of whole, with every lord who stands there, and nothing else."""
    move = _move(form, position, chance)
    if move is None:
        return None
    villages = chance.sample(list(table.villages), chance.randint(2, len(table.villages) - 1))
    lords = [lord | {} for lord in position["lords"] if lord["place"] in villages]
    names = {lord["name"] for lord in lords}
    for lord in lords:
        if lord.get("spouse", lord["name"]) not in names:
            lord["spouse"] = "?"
    partial = {
        **{name: position[name] for name in ("first", "phase", "turn", "spent") if position.get(name)},
        "control": {},
        "ranks": {name: rank for name, rank in position.get("ranks", {}).items() if name in names},
        "villages": {village: unknowns.told_of(position, village) for village in villages},
        "lords": lords,
        "rest": "unknown",
    }
    ways = unknowns.hideable(table, partial, plain(move), chance, 2) if lords and chance.random() < 0.5 else []
    ways = [way for way in ways if way[0] != "villages" and way[-1] not in ("spouse", "place")]
    hidden = unknowns.hide(partial, ways)
    rest = (rest_filled(table, hidden, chance) for _ in range(SAMPLES))
    fillings = [
        WholeFilling(filled) for each in rest for _, filled in unknowns.some_fillings(table, each, ways, chance, 1)
    ]
    whole = [WholeFilling({**position, "income": {}})] if not any(map(position.get, PASSING)) else []
    return Trial(form, hidden, move, [*whole, *fillings])
