"""Fief: tables in a phase of the round."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from rules.fief import GAME
from rules.forms import plain
from tests.rules.fief import oracle
from tests.rules.fief.oracle import Json, Table
from tests.rules.fief.random_positions import shaken
from tests.rules.play import often, setup_of
from tests.support.json_forms import read_position

SHAKEN = often(100)
"""Positions by chance of each phase."""


def table_and_setup(chance: Random) -> tuple[Table, Any]:
    """A table with readings by chance, and its setup."""
    setup = setup_of(GAME, chance)
    return oracle.table_of(plain(setup)), setup


def position_json(state: Any) -> Json:
    """The position of a state, as JSON."""
    position: Json = plain(GAME.position(state))
    return position


def in_phase(phase: str, times: int = SHAKEN) -> Iterator[tuple[Table, Any, Json, Random]]:
    """Positions by chance in a phase: the table, the state, what it shows."""
    chance = Random(phase)
    for _ in range(times):
        table, setup = table_and_setup(chance)
        position = read_position(GAME, shaken(table, chance, phase))
        assert GAME.problems(setup, position) == ()
        state = GAME.enter(setup, position)
        yield table, state, position_json(state), chance


def election(
    chance: Random, head: str, voters: list[str], eligible: list[str]
) -> tuple[str, list[str], dict[str, str]]:
    """A vote by chance: its notation, who stands, and who votes for whom."""
    candidates = chance.sample(eligible, chance.randint(1, min(3, len(eligible))))
    ballots = {voter: chance.choice(candidates) for voter in voters if chance.random() < 0.8}
    said = "; " + " ".join(f"{voter}>{choice}" for voter, choice in ballots.items()) if ballots else ""
    return f"{head}: {','.join(candidates)}{said}", candidates, ballots
