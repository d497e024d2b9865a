"""Fief's sentences name lords, villages and fiefs as people do, and never use the notation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import rules
from rules.cases import position_of
from rules.effects import ENDED, effect
from rules.fief.data import Data, land
from rules.fief.style import name_of_fief
from rules.kernel import SAME_CELL, Due, Effect, Ended, Facts, Finding, Line
from service import schemas
from service.cases import worked_cases
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import SENTENCES, words
from tests.support.records import notations_of, record_of, records_of

GAME = rules.GAMES["fief"]
NOTATION_ONLY = re.compile(r"\bF[1-8]\b|\bnext\b")
"""Words of the notation only: a fief's letter and number, and the word that ends a phase."""
SHOWS_NOTATION = {"board", "notation"}
"""The tables about the notation and the board."""

Statement = Finding | Effect | Due | Ended | Line


def of_a_move(state: Any, move: Any) -> Iterator[Statement]:
    """The findings and effects of a move, and the next turn."""
    yield from GAME.check(state, move).findings
    if GAME.cannot_stand(state, move) is None:
        after = GAME.apply(state, move)
        yield from GAME.effects(state, move, after)
        yield GAME.due(after)


def of_the_cases() -> Iterator[Statement]:
    """Everything said of the moves, scores and impossible positions of the worked cases."""
    book = rules.load(GAME.id, "cases")
    for case in book["case"]:
        if "problems" in case:
            position = schemas.load(schemas.of(GAME).position, position_of(case, book))
            yield from GAME.problems(worked_cases.setup_of(GAME, case, book), position)
            continue
        state = worked_cases.stage(GAME, case, book)
        yield GAME.due(state)
        yield from GAME.score(state)
        if "move" in case:
            yield from of_a_move(state, GAME.read(case["move"]))


def of_the_games() -> Iterator[Statement]:
    """Everything said in the recorded games, from the first move to the end."""
    for path in records_of(GAME.id):
        record = record_of(path)
        state = GAME.setup(schemas.load(schemas.of(GAME).setup, record["setup"]))
        for notation in notations_of(record):
            move = GAME.read(notation)
            yield from of_a_move(state, move)
            state = GAME.apply(state, move)
        yield from GAME.score(state)
        ended = GAME.due(state).ended
        if ended is not None:
            yield ended


def sentence(language: str, heard: Statement) -> str:
    """A statement in words."""
    said = words(language, GAME.id)
    if isinstance(heard, Finding):
        return said.finding_text(heard)
    if isinstance(heard, Effect):
        return said.effect_text(heard)
    if isinstance(heard, Due):
        return said.due_text(heard)
    return said.line_text(heard) if isinstance(heard, Line) else said.end_text(heard)


@pytest.fixture(scope="module")
def everything_heard() -> list[Statement]:
    """Everything said in cases and recorded games."""
    return [*of_the_cases(), *of_the_games()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_says_what_only_moves_write(language: str, everything_heard: list[Statement]) -> None:
    """Fiefs are called by rank and city, and no sentence contains a word of the notation."""
    said = {sentence(language, each) for each in everything_heard}
    assert not [each for each in said if NOTATION_ONLY.search(each)]
    kinds = (Finding, Effect, Due, Ended, Line)
    assert all(any(isinstance(each, kind) for each in everything_heard) for kind in kinds)
    assert [each for each in said if "Sigy" in each]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_written_so(language: str) -> None:
    """The same for the texts before they are filled in."""
    table = rules.load(GAME.id, f"text/{language}")
    texts = list(leaves({name: table[name] for name in (SENTENCES - SHOWS_NOTATION) & table.keys()}))
    unfit = [text for text in texts if re.search(r"\bF[1-8]\b|[“«]\s?next", text)]
    assert texts and not unfit


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_case_is_told_so(language: str) -> None:
    """The same for the lines of worked cases."""
    told = list(rules.load(GAME.id, f"case_text/{language}").values())
    assert told and not [line for line in told if re.search(r"\bF[1-8]\b|[“«]\s?next", line)]


def leaves(table: Mapping[str, Any] | str) -> Iterator[str]:
    """Every text of a table."""
    if isinstance(table, str):
        yield table
        return
    for value in table.values():
        yield from leaves(value)


def test_a_code_would_be_heard() -> None:
    """The control: the pattern finds a fief called by its code."""
    bare = effect("FI-52", "fief_lost", {"fief": "F8", "colour": "red"})
    assert NOTATION_ONLY.search(sentence("en", bare))


@pytest.mark.parametrize(
    ("buildings", "english", "french"),
    [
        ({"Sigy": "city", "Marcamps": "castle"}, "the county of Sigy", "le comté de Sigy"),
        ({"Sigy": "castle"}, "the county of Sigy", "le comté de Sigy"),
        ({}, "the county of Marcamps, Sigy and St Ciers d'Abzac", "le comté de Marcamps, Sigy et St Ciers d'Abzac"),
        (
            {"Sigy": "castle", "Marcamps": "castle"},
            "the county of Marcamps, Sigy and St Ciers d'Abzac",
            "le comté de Marcamps, Sigy et St Ciers d'Abzac",
        ),
    ],
    ids=["a city", "a castle", "neither", "two castles"],
)
def test_a_fief_is_called_after_its_city(buildings: dict[str, str], english: str, french: str) -> None:
    """A fief is called by its rank and its city or only castle; with neither, by all its villages."""
    named = name_of_fief(land(Data()), buildings, "F8")
    assert named == "F8"
    assert words("en", GAME.id).render_value(named) == english
    assert words("fr", GAME.id).render_value(named) == french


def test_french_draws_a_fief_together_with_its_preposition() -> None:
    """French contracts the preposition: « du comté », « de la baronnie », « des Essarts »."""
    board, said = land(Data()), words("fr", GAME.id)
    lost = [
        effect("FI-52", "fief_lost", {"fief": name_of_fief(board, {}, fief), "colour": "red"}) for fief in ("F8", "F7")
    ]
    assert [said.effect_text(each).removeprefix("Rouge ne contrôle plus tous les villages ") for each in lost] == [
        "du comté de Marcamps, Sigy et St Ciers d'Abzac.",
        "de la baronnie des Essarts et St Paul.",
    ]


@pytest.mark.parametrize(
    ("language", "said"), [("en", "The same village, another move."), ("fr", "Le même village, un autre coup.")]
)
def test_a_near_move_is_at_the_same_village(language: str, said: str) -> None:
    """For a near move at the same place, the sentence says "village", as this board has no cells."""
    assert words(language, GAME.id).near_move_text((Facts(SAME_CELL),)) == said


def test_an_end_without_a_winner_is_told() -> None:
    """If a position leaves the winner open, the end is only that the game is over."""
    ends = effect("FI-81", ENDED)
    assert [words(each, "fief").effect_text(ends) for each in ("en", "fr")] == [
        "The game is over.",
        "La partie est finie.",
    ]
