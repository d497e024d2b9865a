"""Counts of rules that do not object: a rule that objects with a number also shows it otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.kernel import Finding, Ruling
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from service.rulings import judge
from tests.rules.forms import moves
from tests.rules.play import EVERY_GAME, AnyGame, often, seeds, some_state
from tests.support.case_states import cases, state_of
from tests.support.heard_sentences import placeholders, text_of
from tests.support.loops import over

games = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)

OVER = "The game is over: it objects to every move, and is heard with no other."
COUNTS_NOTHING: Mapping[str, str] = {
    "AR-11": "What it counts must be none; AR-12 counts the tiles that are touched.",
    "AR-22": OVER,
    "FI-20": "Its numbers are the names of bishoprics.",
    "FI-81": OVER,
    "FI-82": OVER,
    "RK-30": OVER,
    "VF-50": OVER,
}
"""Rules whose objection has a number but which count nothing otherwise, with the reason."""


def case_moves(game: AnyGame) -> Iterator[tuple[Any, Any]]:
    """State and move of every worked case with a move."""
    for case in cases(game):
        if "move" in case:
            yield state_of(game, case), game.read(case["move"])


def numbers(finding: Finding) -> bool:
    """Whether a finding has a number."""
    return any(type(value) is int for value in finding.facts.values.values())


def counts_of(game: AnyGame, state: Any, move: Any) -> list[Finding]:
    """The counts of rules that do not object."""
    return [
        heard.count_finding
        for heard in judge.rules_without_objection(state, move, game.check(state, move))
        if heard.count_finding
    ]


@games
def test_a_rule_that_objects_with_a_number_shows_it_where_it_does_not_object(game: AnyGame) -> None:
    """A rule that objects with a number shows one in some worked case without objection, or has a reason not to."""
    objecting, counting = set(), set()
    for state, move in case_moves(game):
        found = [each for each in game.check(state, move).findings if each.ruling is Ruling.ILLEGAL]
        objecting |= {finding.rule for finding in found if numbers(finding)}
        counting |= {finding.rule for finding in counts_of(game, state, move) if numbers(finding)}
    own = {rule for row in game.book.values() for rule in row}
    assert objecting - counting == COUNTS_NOTHING.keys() & {rule.id for rule in own}


@games
def test_what_was_counted_is_a_sentence(game: AnyGame) -> None:
    """Each count is a legal finding, and a sentence in every language."""
    for finding in over((each for state, move in case_moves(game) for each in counts_of(game, state, move))):
        key, values = f"{finding.rule}.{finding.facts.code}", finding.facts.values
        assert finding.ruling is Ruling.LEGAL, key
        for language in LANGUAGES:
            assert placeholders(text_of(game, language)["findings"][key]) <= values.keys(), key
            assert not {"{", "}", "…"} & set(words(language, game.id).finding_text(finding)), key


@games
@settings(max_examples=often(20))
@given(data=st.data(), chance=seeds())
def test_whatever_is_tried_can_be_counted(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """Rules can count for any move in any state."""
    move = data.draw(moves(game))
    state = some_state(game, chance)
    known = {rule.id for row in game.book.values() for rule in row}
    assert {finding.rule for finding in counts_of(game, state, move)} <= known
