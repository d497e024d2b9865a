"""A ruling's sentence about another reading is false under the table's own reading and true under the other.

The tests check it by the rules alone: the move is judged and played under both readings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from rules.effects import POINTS, effects_of
from rules.kernel import Due, Effect, Finding, Ruling
from service.errors import Invalid
from service.i18n import sentences
from service.i18n.languages import LANGUAGES
from service.i18n.reading_notes import Difference, readings_with_difference
from service.i18n.sentences import Words
from service.judgements import Judgement, MissingEffect, ReadingAlternative
from service.rulings.judge import judge
from tests.rules.play import EVERY_GAME, SEED, AnyGame, often, shared_games
from tests.rules.trials import Trial, enter, rulings_of, trials_of
from tests.support.case_states import cases, state_of
from tests.support.loops import over
from tests.support.partial_games import OPEN_GAMES, out_of_games
from tests.support.recorded_games import plies
from tests.support.records import RECORD_PATHS

every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
RANDOM_MOVES: Final = often(240)
"""This many moves of random games are tested, beside those of the cases, …"""
PLIES: Final = often(75)
"""… and at most this many of each recorded game."""
OPEN: Final = often(60)
"""This many positions with unknown facts."""


# --- effects that describe the table -------------------------------------------------------------------------------


Looks = Mapping[tuple[str, str], Callable[[Any, Mapping[str, Any]], bool]]
"""Rule and code of an effect that describes the table -> whether it is true of a state, with the effect's values."""


@cache
def looks(game_id: str) -> Looks:
    """How a game's tests check the effects that describe the table."""
    there = Path(__file__).with_name(game_id) / "standing.py"
    found: Looks = import_module(f"tests.service.{game_id}.standing").STANDING if there.exists() else {}
    return found


@every_game
def test_all_that_tells_how_a_table_stands_is_looked_up_there(game: AnyGame) -> None:
    """The tests check just the effects that the game declares as describing the table."""
    assert game.standing_effects == looks(game.id).keys()


# --- a move under a reading ----------------------------------------------------------------------------------------


class Under(NamedTuple):
    """A move under a state's readings: ruling, findings, all effects, the next turn."""

    game: AnyGame
    ruling: Ruling
    findings: tuple[Finding, ...]
    effects: tuple[Effect, ...]
    due: Due | None
    after: Any

    def holds(self, difference: Finding | Effect | Due) -> bool:
        """Whether the difference is true here: among the findings or effects, the next turn, or a fact of the table."""
        if isinstance(difference, Due):
            return turn(difference) == turn(self.due)
        if isinstance(difference, Finding):
            return fact(difference) in map(fact, self.findings)
        look = looks(self.game.id).get((difference.rule, difference.facts.code))
        if look is not None:
            return look(self.after, difference.facts.values)
        return any(fact(difference) == fact(each) or less(difference, each) for each in self.effects)


def under(game: AnyGame, state: Any, move: Any) -> Under:
    """Judge a move and play it."""
    verdict = game.check(state, move)
    if not verdict.legal:
        return Under(game, verdict.ruling, verdict.findings, (), None, None)
    after = game.apply(state, move)
    return Under(game, verdict.ruling, verdict.findings, effects_of(game, state, move, after), game.due(after), after)


def fact(said: Finding | Effect) -> tuple[object, ...]:
    """The content of a finding or effect, without its cells."""
    return said.rule, said.facts.code, said.facts.values


def turn(due: Due | None) -> object:
    """The turn, as it is worded."""
    return None if due is None else (due.seat, due.code, due.values, due.ended)


def less(said: Effect, other: Effect) -> bool:
    """Whether an effect says the same as the other, of some of its players or things only, and without a count."""
    if fact(said)[:2] != fact(other)[:2] or said.facts.values.keys() != other.facts.values.keys():
        return False
    values: Mapping[str, Any] = other.facts.values
    differing = [(value, values[name]) for name, value in said.facts.values.items() if value != values[name]]
    return len(differing) == 1 and all(isinstance(some, tuple) and set(some) < set(all_) for some, all_ in differing)


def differ(words: Words, one: Under, other: Under) -> bool:
    """Whether the rulings differ, or an effect, the next turn or a gain of points.

    More points that both readings give alike are no difference.
    """
    if one.ruling is not other.ruling:
        return True
    if one.after is None or other.after is None:
        return False
    return (
        turn(one.due) != turn(other.due)
        or gains(one) != gains(other)
        or tells(words, one, other)
        or tells(words, other, one)
    )


def lies_otherwise(one: Under, other: Under) -> bool:
    """Whether the positions afterwards differ."""
    if one.after is None or other.after is None:
        return False
    return bool(one.game.with_readings(other.after, one.after.readings) != one.after)


def tells(words: Words, one: Under, other: Under) -> bool:
    """Whether an effect of one, other than points, is neither worded by the other nor true there."""
    said = set(map(words.effect_text, other.effects))
    each = (effect for effect in one.effects if effect.facts.code != POINTS)
    return any(words.effect_text(effect) not in said and not other.holds(effect) for effect in each)


def gains(under: Under) -> dict[str, int]:
    """The points that each player gains."""
    found: dict[str, int] = {}
    for effect in under.effects:
        values: Mapping[str, Any] = effect.facts.values
        if effect.facts.code == POINTS:
            found |= {seat: n - m for seat, m, n in zip(values["seats"], values["was"], values["now"], strict=True)}
    return found


# --- the checks ----------------------------------------------------------------------------------------------------


def moves_to_ask(game: AnyGame) -> Iterator[tuple[str, Any, Any]]:
    """Case name, state and move: from all cases, the recorded games and random games."""
    for case in cases(game):
        if "move" in case:
            yield case["id"], state_of(game, case), game.read(case["move"])
    for path in RECORD_PATHS:
        if path.parent.name == game.id:
            played = [(path.stem, state, move) for _, _, state, move in plies(path) if move is not None]
            yield from played[:: -(-len(played) // PLIES)]
    chance = Random(f"{SEED} readings {game.id}")
    steps = [step for played in shared_games(game) for step in played.steps[:-1]]
    yield from (("random", *chance.choice(steps)) for _ in range(RANDOM_MOVES))


def untrue(game: AnyGame, state: Any, move: Any, judgement: Judgement, tally: Counter[str]) -> Iterator[str]:
    """What is wrong with a ruling's other readings: false sentences, missing readings, ones that change nothing."""
    own, listed = under(game, state, move), set()
    read = {each: game.with_readings(state, dict([each])) for each in others(game, state)}
    there = {each: under(game, so, move) for each, so in read.items()}
    for language in LANGUAGES:
        for other, difference in readings_with_difference(sentences.words(language, game.id), judgement):
            listed.add((other.key, other.value))
            tally[type(difference).__name__] += 1
            yield from false(own, there[other.key, other.value], other, difference)
            yield from said_already(sentences.words(language, game.id), own, difference)
    found = {(other.key, other.value) for other in judgement.alternatives}
    for each, so in read.items():
        if game.is_written_differently(so, move, each[0]):
            continue
        if differ(sentences.words("en", game.id), own, there[each]) is not (each in listed):
            yield f"{each} is listed, or is not, against the facts"
        if lies_otherwise(own, there[each]) and each not in found:
            yield f"{each}: something else would lie on the table"


def others(game: AnyGame, state: Any) -> Iterator[tuple[str, str]]:
    """Each reading with each value that the table does not have."""
    for reading in game.readings:
        yield from ((reading.key, value) for value in reading.values if value != state.readings[reading.key])


def false(own: Under, there: Under, other: ReadingAlternative, difference: Difference | None) -> Iterator[str]:
    """What is false about one other reading."""
    if there.ruling is not other.ruling:
        yield f"{other}: it would be {there.ruling.value}"
    if difference is None:
        if there.ruling is own.ruling or there.ruling is not Ruling.LEGAL:
            yield f"{other}: nothing is said"
        return
    said = difference.effect if isinstance(difference, MissingEffect) else difference
    so = own.holds(said), there.holds(said)
    if so != ((True, False) if isinstance(difference, MissingEffect) else (False, True)):
        yield f"{difference}: so at this table, and with {other.key} = {other.value}: {so}"


def said_already(words: Words, own: Under, difference: Difference | None) -> Iterator[str]:
    """A sentence about another reading that this table's ruling contains, too."""
    if difference is None or isinstance(difference, MissingEffect):
        return
    due = () if own.due is None else (own.due,)
    here = [sentence(words, each) for each in (*own.findings, *own.effects, *due)]
    yield from (f"{each}: said here, too" for each in here if sentence(words, difference) in each)


def sentence(words: Words, said: Finding | Effect | Due) -> str:
    """A finding, effect or turn in words."""
    if isinstance(said, Due):
        return words.due_text(said)
    return words.finding_text(said) if isinstance(said, Finding) else words.effect_text(said)


@every_game
def test_what_is_said_of_a_reading_is_so_there_and_not_here(game: AnyGame, capsys: pytest.CaptureFixture[str]) -> None:
    """A ruling lists exactly the readings that change something, and says correctly what each changes."""
    tally: Counter[str] = Counter()
    for where, state, move in over(moves_to_ask(game)):
        tally["moves"] += 1
        found = list(untrue(game, state, move, judge(game, state, move), tally))
        assert found == [], (where, game.write(move))
    with capsys.disabled():
        print(f"\n{game.id}: {dict(tally)}, untrue 0", end=" ")  # noqa: T201  # the figures are a part of the result
    assert tally["Finding"] + tally["Effect"] > len(game.readings)


@pytest.mark.parametrize("game", [game for game in EVERY_GAME if game.standing_effects], ids=lambda game: game.id)
def test_what_is_so_by_both_readings_is_found(game: AnyGame) -> None:
    """The control: if a game does not declare the effects that describe its table, the test finds errors."""
    silent = replace(game, standing_effects=frozenset())
    found = (
        list(untrue(silent, state, move, judge(silent, state, move), Counter()))
        for _, state, move in moves_to_ask(silent)
    )
    assert any(found)


# --- positions with unknown facts ------------------------------------------------------------------------------------


def test_what_is_said_of_a_reading_is_so_whatever_is_unknown() -> None:
    """If another reading is listed, its ruling holds for every filling, and the table's own does not.

    All games' trials are tested together, for some games list no other reading.
    """
    for game, found in over((each, found) for each in OPEN_GAMES for found in others_of_trials(each)):
        assert so_in_every_filling(game, *found), (game.id, found)


def so_in_every_filling(game: AnyGame, trial: Trial, known: Any, here: set[Ruling], other: ReadingAlternative) -> bool:
    """Whether a listed reading is right for every filling.

    `here`: the rulings on the fillings under the table's own reading.
    """
    form = replace(trial.form, readings={**known.readings, other.key: other.value})
    fits = (
        len(here) <= 1
        if other.ruling is Ruling.UNPROVEN
        else rulings_of(game, trial._replace(form=form)) <= {other.ruling}
    )
    return fits and (not other.differences or isinstance(other.differences[0], Finding))


def others_of_trials(game: AnyGame) -> Iterator[tuple[Trial, Any, set[Ruling], ReadingAlternative]]:
    """For each trial and each reading that would change its ruling: the trial, its known facts, its fillings' rulings,
    the reading.
    """
    for trial in over(some_trials(game)):
        known, cells = enter(game, trial.form, trial.partial)
        others = in_part(game, known, trial.move, cells) if cells else ()
        here = rulings_of(game, trial) if others else set()
        yield from ((trial, known, here, other) for other in others)


def some_trials(game: AnyGame) -> Iterator[Trial]:
    """Trials from random games, and the game's own."""
    own, chance = trials_of(game), Random(f"{SEED} readings in part {game.id}")
    made = (out_of_games(game, chance, OPEN), own(chance, OPEN) if own else ())
    yield from (trial._replace(fillings=list(trial.fillings)) for each in made for trial in each)


def in_part(game: AnyGame, known: Any, move: Any, cells: Sequence[Any]) -> tuple[ReadingAlternative, ...]:
    """The readings listed, or none if the position is impossible."""
    try:
        return judge(game, known, move, cells).alternatives
    except Invalid:
        return ()
