"""What a reading's sentence says beside a ruling is false under the table's own reading and true under the other.

It is checked on its facts: the move is heard and played anew under both, by the rules alone.
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
"""So many moves of random games are asked about, beside those of the cases, …"""
PLIES: Final = often(75)
"""… and so many of each recorded game."""
OPEN: Final = often(60)
"""So many positions of which something is unknown."""


# --- how the table stands ------------------------------------------------------------------------------------------


Looks = Mapping[tuple[str, str], Callable[[Any, Mapping[str, Any]], bool]]
"""Rule and code of what tells how the table stands -> whether it does, by a state and the values of the sentence."""


@cache
def looks(game_id: str) -> Looks:
    """How the tests of a game see for themselves what stands there."""
    there = Path(__file__).with_name(game_id) / "standing.py"
    found: Looks = import_module(f"tests.service.{game_id}.standing").STANDING if there.exists() else {}
    return found


@every_game
def test_all_that_tells_how_a_table_stands_is_looked_up_there(game: AnyGame) -> None:
    """And nothing else."""
    assert game.standing_effects == looks(game.id).keys()


# --- what holds under a reading ------------------------------------------------------------------------------------


class Under(NamedTuple):
    """A move under the readings of a state: the ruling, what the rules say, all that it brings about, what is due."""

    game: AnyGame
    ruling: Ruling
    findings: tuple[Finding, ...]
    effects: tuple[Effect, ...]
    due: Due | None
    after: Any

    def holds(self, difference: Finding | Effect | Due) -> bool:
        """Whether it is so: it is found, brought about, due, or how the table stands."""
        if isinstance(difference, Due):
            return turn(difference) == turn(self.due)
        if isinstance(difference, Finding):
            return fact(difference) in map(fact, self.findings)
        look = looks(self.game.id).get((difference.rule, difference.facts.code))
        if look is not None:
            return look(self.after, difference.facts.values)
        return any(fact(difference) == fact(each) or less(difference, each) for each in self.effects)


def under(game: AnyGame, state: Any, move: Any) -> Under:
    """A move heard and played."""
    verdict = game.check(state, move)
    if not verdict.legal:
        return Under(game, verdict.ruling, verdict.findings, (), None, None)
    after = game.apply(state, move)
    return Under(game, verdict.ruling, verdict.findings, effects_of(game, state, move, after), game.due(after), after)


def fact(said: Finding | Effect) -> tuple[object, ...]:
    """What is said, whatever cells show it."""
    return said.rule, said.facts.code, said.facts.values


def turn(due: Due | None) -> object:
    """What is due, as it is said."""
    return None if due is None else (due.seat, due.code, due.values, due.ended)


def less(said: Effect, other: Effect) -> bool:
    """Whether the same is said of some of those of whom the other says it, and nothing of how many they are."""
    if fact(said)[:2] != fact(other)[:2] or said.facts.values.keys() != other.facts.values.keys():
        return False
    values: Mapping[str, Any] = other.facts.values
    differing = [(value, values[name]) for name, value in said.facts.values.items() if value != values[name]]
    return len(differing) == 1 and all(isinstance(some, tuple) and set(some) < set(all_) for some, all_ in differing)


def differ(words: Words, one: Under, other: Under) -> bool:
    """Whether a move is ruled on otherwise, or something else is told of what it brings about.

    Points that both gain alike are nothing else, though there be more of them.
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
    """Whether something else lies on the table afterwards."""
    if one.after is None or other.after is None:
        return False
    return bool(one.game.with_readings(other.after, one.after.readings) != one.after)


def tells(words: Words, one: Under, other: Under) -> bool:
    """Whether a sentence is told of one that is neither told nor so of the other; not of points."""
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


# --- the law -------------------------------------------------------------------------------------------------------


def moves_to_ask(game: AnyGame) -> Iterator[tuple[str, Any, Any]]:
    """Moves, each with the state that it is asked about in: of all cases, of the recorded games, of random ones."""
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
    """What is not so of what is said of other readings, and readings that are missing, or that change nothing."""
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
    """The values of readings that the table does not have."""
    for reading in game.readings:
        yield from ((reading.key, value) for value in reading.values if value != state.readings[reading.key])


def false(own: Under, there: Under, other: ReadingAlternative, difference: Difference | None) -> Iterator[str]:
    """What is not so of what is said of one other reading."""
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
    """A sentence on another reading that this table's ruling says, too, be it with more after it."""
    if difference is None or isinstance(difference, MissingEffect):
        return
    due = () if own.due is None else (own.due,)
    here = [sentence(words, each) for each in (*own.findings, *own.effects, *due)]
    yield from (f"{each}: said here, too" for each in here if sentence(words, difference) in each)


def sentence(words: Words, said: Finding | Effect | Due) -> str:
    """What is said, in words."""
    if isinstance(said, Due):
        return words.due_text(said)
    return words.finding_text(said) if isinstance(said, Finding) else words.effect_text(said)


@every_game
def test_what_is_said_of_a_reading_is_so_there_and_not_here(game: AnyGame, capsys: pytest.CaptureFixture[str]) -> None:
    """Each reading that is listed changes something, what is said is that, and all that change something are listed."""
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
    """The control: of a game that does not say what tells how its table stands, something untrue is told."""
    silent = replace(game, standing_effects=frozenset())
    found = (
        list(untrue(silent, state, move, judge(silent, state, move), Counter()))
        for _, state, move in moves_to_ask(silent)
    )
    assert any(found)


# --- of positions with something unknown -----------------------------------------------------------------------------


def test_what_is_said_of_a_reading_is_so_whatever_is_unknown() -> None:
    """By the other reading every filling is ruled on so, and by the table's own not every filling is.

    The trials of all games together: those of some have no other reading to tell of.
    """
    for game, found in over((each, found) for each in OPEN_GAMES for found in others_of_trials(each)):
        assert so_in_every_filling(game, *found), (game.id, found)


def so_in_every_filling(game: AnyGame, trial: Trial, known: Any, here: set[Ruling], other: ReadingAlternative) -> bool:
    """Whether what is told of another reading is so whatever lies where nothing is known.

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
    """Each trial with what is known of it and how its fillings are ruled on, and each reading under which its ruling
    would be another.
    """
    for trial in over(some_trials(game)):
        known, cells = enter(game, trial.form, trial.partial)
        others = in_part(game, known, trial.move, cells) if cells else ()
        here = rulings_of(game, trial) if others else set()
        yield from ((trial, known, here, other) for other in others)


def some_trials(game: AnyGame) -> Iterator[Trial]:
    """Out of random games, and the game's own."""
    own, chance = trials_of(game), Random(f"{SEED} readings in part {game.id}")
    made = (out_of_games(game, chance, OPEN), own(chance, OPEN) if own else ())
    yield from (trial._replace(fillings=list(trial.fillings)) for each in made for trial in each)


def in_part(game: AnyGame, known: Any, move: Any, cells: Sequence[Any]) -> tuple[ReadingAlternative, ...]:
    """The readings that are listed, if anything can stand."""
    try:
        return judge(game, known, move, cells).alternatives
    except Invalid:
        return ()
