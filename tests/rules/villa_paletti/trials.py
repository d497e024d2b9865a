"""Questions about Villa Paletti of which something is unknown; the fillings are made by the box alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from random import Random
from typing import Any

from rules.forms import plain
from rules.villa_paletti import GAME
from rules.villa_paletti.state import Position
from tests.rules.play import AnyGame, random_game, readings, setups
from tests.rules.trials import Trial, WholeFilling
from tests.rules.villa_paletti.positions import COLOURS, Json, facts, hide, kinds, move_to_ask, ways
from tests.support.json_forms import read_setup

MOST = 400
"""So many fillings are all that are tried; of more, as many by chance."""
LEGAL = 0.3
"""So often a legal move is asked about, as it was before anything was unknown."""
A_GAME = 3
"""So many positions are taken of a game."""


def trials(chance: Random, times: int) -> Iterator[Trial]:
    """Positions of random games under any readings: some things unknown, and sometimes the rest."""
    made = 0
    while made < times:
        form = chance.choice(setups(GAME.id))
        form = read_setup(GAME, {**plain(form), "readings": readings(GAME, chance)})
        game: AnyGame = GAME
        steps = list(random_game(game, chance, form))
        for state, _ in chance.sample(steps[:-1], min(A_GAME, len(steps) - 1)):
            trial = _trial(form, state, chance)
            if trial is not None:
                made += 1
                yield trial


def _trial(form: Any, state: Any, chance: Random) -> Trial | None:
    position = plain(GAME.position(state))
    partial = hide(position, chance)
    if len({(each["colour"], each["shape"]) for each in partial["out"]}) < len(partial["out"]):
        return None
    move = GAME.read(move_to_ask(state, partial, chance))
    if chance.random() < LEGAL:
        legal = list(GAME.moves(state))
        move = chance.choice(legal) if legal else move
    of_kinds, moments = _parts(form, partial)
    number = prod(map(len, of_kinds)) * len(moments)
    if not number:
        return None
    every = number <= MOST
    ways = _every(of_kinds, moments) if every else _some(of_kinds, moments, chance)
    fillings = [_filling(partial, *each) for each in ways]
    going_on = [each for each in fillings if _goes_on(form, each)]
    return Trial(form, partial, move, going_on or fillings, every) if going_on or every else None


def _goes_on(form: Any, filled: WholeFilling) -> bool:
    """Whether somebody can build: a game that was not ended goes on, if it can."""
    return not GAME.problems(form, filled.position) and GAME.due(GAME.enter(form, filled.position)).ended is None


def _parts(form: Any, partial: Json) -> tuple[list[Any], list[Json]]:
    """The ways in which the columns of each kind can be, and those of the facts."""
    players = [player.colours[0] for player in form.players]
    taken = [colour for player in form.players for colour in player.colours]
    neutral = next((colour for colour in COLOURS if colour not in taken), "")
    return [list(ways(partial, kind, neutral)) for kind in kinds()], list(facts(partial, players))


def _every(of_kinds: list[Any], moments: list[Json]) -> Iterator[tuple[Any, Json]]:
    return product(product(*of_kinds), moments)


def _some(of_kinds: list[Any], moments: list[Json], chance: Random) -> Iterator[tuple[Any, Json]]:
    for _ in range(MOST):
        yield [chance.choice(each) for each in of_kinds], chance.choice(moments)


def _filling(partial: Json, chosen: Any, moment: Json) -> WholeFilling:
    columns = tuple(each for standing, _, _ in chosen for each in standing)
    out = tuple(each for _, gone, _ in chosen for each in gone)
    unknown = {name: what for _, _, named in chosen for name, what in named.items()}
    whole = {**partial, **moment, "columns": columns, "out": out, "rest": None}
    return WholeFilling(Position(**whole), unknown | moment)
