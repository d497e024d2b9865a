"""Positions of random games in which some values become unknown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

from rules import GAMES
from rules.forms import plain
from tests.rules.partial import Path, at, places, with_
from tests.rules.play import AnyGame, shared_game
from tests.rules.trials import (
    Trial,
    WholeFilling,
    enter,
    read,
)

OPEN_GAMES = [game for game in GAMES.values() if game.unknowns is not None]
GAMES_LOOKED_AT = 3
FILLINGS = 6


def sort_of(path: Path) -> Path:
    """A path without its list indexes, as all items of a list take the same values."""
    return tuple(step if isinstance(step, str) else "*" for step in path)


@cache
def values_by_path(game_id: str) -> Mapping[Path, list[Any]]:
    """The values at each sort of path in the positions of some games."""
    game, found = GAMES[game_id], defaultdict(list)
    for number in range(GAMES_LOOKED_AT):
        for state, _ in shared_game(game_id, number).steps[::3]:
            position = plain(game.position(state))
            for path in places(game.position_form, position):
                found[sort_of(path)].append(at(position, path))
    return found


def out_of_games(game: AnyGame, chance: Random, times: int) -> Iterator[Trial]:
    """Positions of random games in which up to three values become unknown. Their own values are one filling; other
    fillings have values of other positions in the same places.
    """
    for number in range(times):
        played = shared_game(game.id, number % GAMES_LOOKED_AT)
        state, move = chance.choice(played.steps[:-1])
        if number % 2:
            move = chance.choice(played.steps[:-1])[1]
        position = plain(game.position(state))
        every = list(dict.fromkeys(places(game.position_form, position)))
        chosen = chance.sample(every, min(len(every), chance.choice((1, 2, 3))))
        partial = with_(position, dict.fromkeys(chosen, "?"))
        if can_be(game, played.form, partial) and chosen and (game.phase(state), type(move)) in game.book:
            others = fillings(game, played.form, position, chosen, state, chance)
            yield Trial(played.form, partial, move, [WholeFilling(position), *others])


def can_be(game: AnyGame, form: Any, position: Any) -> bool:
    """Whether the known part of a position can stand."""
    assert game.unknowns is not None
    try:
        return not game.problems(form, game.unknowns.known_part(form, read(game, position)))
    except (ValueError, LookupError):  # no table could be so
        return False


def fillings(
    game: AnyGame, form: Any, position: Any, chosen: list[Path], state: Any, chance: Random
) -> Iterator[WholeFilling]:
    """A position with other values in the chosen places, if it can stand and the same seat is due."""
    assert game.unknowns is not None
    for _ in range(FILLINGS):
        other = with_(position, {path: chance.choice(values_by_path(game.id)[sort_of(path)]) for path in chosen})
        if can_be(game, form, other):
            made, unknown = enter(game, form, other)
            if not unknown and game.due(made).seat == game.due(state).seat:
                yield WholeFilling(other)
