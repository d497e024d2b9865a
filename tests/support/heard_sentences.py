"""Every sentence of a random game, and about impossible positions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from string import Formatter
from typing import Any, TypeAlias

import rules
from rules.cases import position_of
from rules.forecasts import IN_EVERY_GAME
from rules.forms import Malformed
from rules.kernel import Finding
from service import schemas
from service.cases import worked_cases
from tests.rules.play import AnyGame, choose, setup_of

TRIES = 12
"""Moves that are tried at every turn, most of them illegal."""
MOVES = 500
"""Moves after which a game is cut off: where forbidden moves stand, it need not end."""
STOOD = 0.1
"""The share of turns at which a move is played that the rules may forbid."""
FEW = 12
"""Words that a label or a hint has at most."""
Sentence: TypeAlias = "tuple[str, str, Mapping[str, Any]]"
"""A table of a game's words, a key of it, and the values that the sentence is filled with."""


def text_of(game: AnyGame, language: str) -> Mapping[str, Any]:
    """The words of a game in one language."""
    return rules.load(game.id, f"text/{language}")


def placeholders(text: str | Mapping[str, str]) -> set[str]:
    """The names of the values that a text, or one with plural forms, is filled with."""
    texts = (text,) if isinstance(text, str) else text.values()
    return {name for part in texts for _, name, _, _ in Formatter().parse(part) if name is not None}


def cross(rng: Random, known: list[str]) -> str:
    """The beginning of one move's notation and the end of another's: often a move, seldom a legal one."""
    first, second = rng.choice(known), rng.choice(known)
    cut = rng.randint(0, len(first))
    return first[:cut] + second[cut:]


def said_of(findings: Iterable[Finding]) -> Iterator[Sentence]:
    for finding in findings:
        code = finding.facts.code
        yield "findings", f"{finding.rule}.{code}" if code else finding.rule, finding.facts.values


def sentences_of_attempt(game: AnyGame, state: Any, text: str) -> Iterator[Sentence]:
    """The sentences about an attempted move, or about a text that is none."""
    try:
        move = game.read(text)
    except Malformed as error:
        yield "malformed", error.code, error.values
        return
    yield from said_of(game.check(state, move).findings)


def next_move(game: AnyGame, state: Any, rng: Random, known: list[str], played: int) -> Any:
    """A legal move; now and then one that the rules may forbid, but that can stand."""
    if rng.random() < STOOD:
        for text in rng.sample(known, min(TRIES, len(known))):
            move = game.read(text)
            if game.cannot_stand(state, move) is None:
                return move
    return choose(game, state, rng, played)


def listened_to(game: AnyGame, rng: Random, known: list[str], turns: Iterator[int]) -> Iterator[Sentence]:
    """Every sentence of a random game under random readings. `known` are moves of earlier games."""
    state = game.setup(setup_of(game, rng))
    for played, _ in zip(range(MOVES), turns, strict=False):
        due = game.due(state)
        yield "due", due.code, due.values
        legal = list(game.moves(state))
        known += map(game.write, rng.sample(legal, min(TRIES, len(legal))))
        for text in (*known[-2:], rng.choice(known), *(cross(rng, known) for _ in range(TRIES))):
            yield from sentences_of_attempt(game, state, text)
        if due.ended is not None:
            yield "ended", due.ended.rule, due.ended.values
            break
        for about, rule, (code, values, *_), _ in game.forecasts(state):
            if code not in IN_EVERY_GAME:
                assert about in ("end", "standing", "short")
                yield "foretold", f"{rule}.{code}" if code else rule, values
        before, move = state, next_move(game, state, rng, known, played)
        state = game.apply(before, move)
        for effect in game.effects(before, move, state):
            code = effect.facts.code
            yield "effects", f"{effect.rule}.{code}" if code else effect.rule, effect.facts.values
    for line in game.score(state):
        yield "lines", f"{line.rule}.{line.code}" if line.code else line.rule, line.values
    for place in game.ranking(state):
        yield "ranking", place.decided_by, {}
        yield from (("tied", tied.rule, {"figures": ""}) for tied in place.tiebreak_figures)


def problems_of_cases(game: AnyGame) -> Iterator[Sentence]:
    """Every sentence about the impossible positions among the worked cases.

    Those cases name their problems; `test_cases` checks that no other case has any.
    """
    book = rules.load(game.id, "cases")
    for case in book["case"]:
        given = position_of(case, book) if case.get("problems") else None
        if given is not None:
            position = schemas.load(schemas.of(game).position, given)
            yield from said_of(game.problems(worked_cases.setup_of(game, case, book), position))


def number_of_words(text: str) -> int:
    """The number of words in a text; a value counts as one, punctuation by itself does not count."""
    said = re.sub(r"\{[^}]*\}|%\(\w+\)s", "x", text)
    return len(re.findall(r"\S*\w\S*", said))
