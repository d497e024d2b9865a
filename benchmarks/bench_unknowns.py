"""The cost of a ruling with two or six unknown cells that may matter, against known rulings with effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from benchmarks.games import RecordedGame, records_for
from benchmarks.measure import ratio, report
from rules.kernel import Cell
from rules.unknowns import judge
from service import schemas
from service.types import AnyGame, JsonObject, Move, Setup, State
from tests.rules.partial import Path, places, with_

GOALS: Final = {2: 50.0, 6: 500.0}
"""5 and 50 milliseconds of CPU, if a known ruling with its effects takes a tenth of one."""
EVERY = 9
"""The benchmark asks about every ninth move of a game."""
MAX_TRIALS = 40
"""The maximum number of places of a position to try for one that may matter."""
ROUNDS = 5


class Question(NamedTuple):
    """A move in a position, and the known part of the position."""

    state: State
    move: Move
    known_part: State
    unknown: tuple[Cell, ...]


def questions(played: RecordedGame, number: int) -> Iterator[Question]:
    """Moves of a recorded game, each with up to `number` unknown things on which its ruling may depend."""
    game, chance = played.game, Random(number)
    setup = schemas.load(schemas.of(game).setup, played.setup)
    for state, move in list(zip(played.states, played.moves, strict=False))[::EVERY]:
        position = schemas.plain(game.position(state))
        every = list(dict.fromkeys(places(game.position_form, position)))
        found: list[Path] = []
        for place in chance.sample(every, min(MAX_TRIALS, len(every))):
            if len(found) < number and ask(game, setup, position, [place], move) is not None:
                found.append(place)
        question = ask(game, setup, position, found, move)
        if question is not None:
            yield question._replace(state=state)


def ask(game: AnyGame, setup: Setup, position: JsonObject, unknown: Sequence[Path], move: Move) -> Question | None:
    """The question with these places unknown; None if the known part cannot stand, or if none of them may matter."""
    rules = game.unknowns
    if rules is None:
        return None
    with schemas.allow_unknown():
        entered = schemas.load(schemas.of(game).position, with_(position, dict.fromkeys(unknown, "?")))
    known = rules.known_part(setup, entered)
    if game.problems(setup, known):
        return None
    state, cells = game.enter(setup, known), rules.cells(setup, entered)
    return Question(state, move, state, cells) if rules.relevant_cells(state, move, cells) else None


def main() -> None:
    """Print the two figures of each game whose positions may leave cells unknown."""
    for game_id, name in records_for("rulings").items():
        played = RecordedGame.of(game_id, name)
        game = played.game
        for number, goal in GOALS.items() if game.unknowns is not None else ():
            found = list(questions(played, number))

            def ours(game: AnyGame = game, found: list[Question] = found) -> None:
                for each in found:
                    judge(game, each.known_part, each.unknown, each.move)

            def theirs(game: AnyGame = game, found: list[Question] = found) -> None:
                for each in found:
                    game.check(each.state, each.move)
                    game.effects(each.state, each.move, game.apply(each.state, each.move))

            report(
                f"{game_id}: {len(found)} rulings with {number} unknown cells, against the known ones with effects.",
                f"{game_id.replace('_', '-')}-unknown-{number}",
                ratio(ours, theirs, rounds=ROUNDS),
                goal,
            )


if __name__ == "__main__":
    main()
