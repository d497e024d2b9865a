"""Every game's sentences as players read them, from the worked cases and the recorded games.

What no sentence may contain (coordinates, codes, notation) is here. The words that a game's texts use or avoid are in
``tests/games/<game>/words.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, TypeAlias

import pytest

import rules
from rules.cases import position_of
from rules.effects import effects_of
from rules.kernel import Due
from service import schemas
from service.cases.worked_cases import setup_of, stage
from service.i18n.languages import LANGUAGES
from service.i18n.reading_notes import readings
from service.i18n.sentences import SENTENCES, Words, words
from service.rulings import judge
from tests.rules.play import EVERY_GAME, AnyGame
from tests.support.records import FOLDER, RECORD_PATHS, notations_of, record_of

Say: TypeAlias = "Callable[[Words], str]"
"""A sentence, given the words of a language."""

NEVER: Final = {
    "coordinates": re.compile(r"\(\s*-?\d+\s*,\s*-?\d+\s*\)"),
    "a gap": re.compile(r"[{}…]"),
    "a code": re.compile(r"\b[A-Z]{1,2}-?\d+\b|\b[a-z]+_[a-z_]+\b"),
}
"""What no sentence contains, in any game and language."""
ENGLISH: Final = re.compile(r"\b(?:next|from|order|keep|take|up|building|landscape|tile|stop)\b")
"""Words of the notation that no French sentence contains."""
SPEAKING_TABLES: Final = SENTENCES - {"cases", "coordinates", "malformed", "notation"}
"""The tables of sentences for players, other than those about notation."""

OF_PLAYERS: Final = frozenset(
    {"counts", "due", "effects", "ended", "findings", "foretold", "lines", "needs", "onward", "result", "styles"}
)
"""The tables about players at a table; rules and cases are the book's, which uses colours."""

games = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
languages = pytest.mark.parametrize("language", LANGUAGES)


# --- sentences ---------------------------------------------------------------------------------------------------


def of_state(game: AnyGame, state: Any) -> Iterator[Say]:
    """The turn and the forecasts, or the end."""
    due = game.due(state)
    yield from of_due(due)
    if due.ended is None:
        yield from (lambda said, told=told: said.forecast_text(told) for told in game.forecasts(state))


def of_due(due: Due) -> Iterator[Say]:
    """The turn, or the end."""
    yield lambda said: said.due_text(due)
    ended = due.ended
    if ended is not None:
        yield lambda said: said.end_text(ended)


def of_move(game: AnyGame, state: Any, move: Any, *, full: bool) -> Iterator[Say]:
    """The ruling, the move's effects and the next turn; in full, also other readings."""
    verdict = game.check(state, move)
    yield from (lambda said, finding=finding: said.finding_text(finding) for finding in verdict.findings)
    if game.cannot_stand(state, move) is None:
        after = game.apply(state, move)
        effects = effects_of(game, state, move, after)
        yield from (lambda said, effect=effect: said.effect_text(effect) for effect in effects)
        yield from of_state(game, after)
    if full:
        judgement = judge.judge(game, state, move)
        yield from (
            lambda said, number=number: [text for _, text in readings(said, judgement)][number]
            for number in range(len(judgement.alternatives))
        )


def of_score(game: AnyGame, state: Any) -> Iterator[Say]:
    """The lines of the score sheet, and the tie-breaks."""
    yield from (lambda said, line=line: said.line_text(line) for line in game.score(state))
    yield from (lambda said, place=place: said.place_text(place) for place in game.ranking(state))


def of_cases(game: AnyGame) -> Iterator[Say]:
    """Everything said in the worked cases."""
    book = rules.load(game.id, "cases")
    for case in book["case"]:
        if "problems" in case:
            position = schemas.load(schemas.of(game).position, position_of(case, book))
            findings = game.problems(setup_of(game, case, book), position)
            yield from (lambda said, finding=finding: said.finding_text(finding) for finding in findings)
            continue
        state = stage(game, case, book)
        yield from (*of_state(game, state), *of_score(game, state))
        if "move" in case:
            yield from of_move(game, state, game.read(case["move"]), full=True)


def of_recorded(game: AnyGame) -> Iterator[Say]:
    """Everything said in the recorded games."""
    for path in RECORD_PATHS:
        if path.parent.name == game.id:
            record = record_of(path)
            state = game.setup(schemas.load(schemas.of(game).setup, record["setup"]))
            for notation in notations_of(record):
                move = game.read(notation)
                yield from of_move(game, state, move, full=False)
                state = game.apply(state, move)
            yield from of_score(game, state)


@cache
def sentences(game_id: str) -> dict[str, list[str]]:
    """Language -> each sentence of the worked cases and recorded games, once."""
    game = rules.GAMES[game_id]
    heard: dict[str, dict[str, None]] = {language: {} for language in LANGUAGES}
    for say in (*of_cases(game), *of_recorded(game)):
        for language, said in heard.items():
            said[say(words(language, game_id))] = None
    return {language: list(said) for language, said in heard.items()}


def leaves(table: Any) -> Iterator[str]:
    """Every text of a table, with plural forms, but without the printed places, which are in the book's language."""
    if isinstance(table, str):
        yield table
    else:
        for name, value in table.items():
            yield from () if name == "printed" else leaves(value)


def texts_of(game: AnyGame, language: str) -> list[str]:
    """A game's texts for players, unfilled."""
    return [
        text
        for name, table in words(language, game.id).text.items()
        if name in SPEAKING_TABLES
        for text in leaves(table)
    ]


# --- what no sentence contains -----------------------------------------------------------------------------------


@games
@languages
def test_no_sentence_says_coordinates_codes_or_gaps(game: AnyGame, language: str) -> None:
    """No sentence contains coordinates like ``(2, 1)``, codes like ``F8`` or gaps."""
    said = sentences(game.id)[language]
    assert len(said) > len(game.kinds)
    odd = {name: [one for one in said if pattern.search(one)] for name, pattern in NEVER.items()}
    assert {name: found for name, found in odd.items() if found} == {}


@games
def test_no_french_sentence_speaks_the_notation(game: AnyGame) -> None:
    """No French sentence contains a word of the notation, which is English."""
    texts = [*sentences(game.id)["fr"], *texts_of(game, "fr")]
    assert [one for one in texts if ENGLISH.search(re.sub("{[^}]*}", "", one))] == []


@games
@languages
def test_no_text_names_a_player_by_colour(game: AnyGame, language: str) -> None:
    """No text contains a colour: players are values of the sentence, so that their names can be used."""
    text = words(language, game.id).text
    colour = re.compile(rf"\b(?:{'|'.join(text['colours'].values())})\b")
    texts = [each for name, table in text.items() if name in OF_PLAYERS for each in leaves(table)]
    assert [each for each in texts if colour.search(each)] == []
    assert colour.search(f"The houses decide: {text['colours'][game.seats[0]]} 2.")


# --- the words of the book ---------------------------------------------------------------------------------------


def patterns(game: AnyGame, language: str, which: str) -> list[str]:
    """The patterns that a game's texts must match (``wanted``) or must not (``banned``), if any."""
    there = FOLDER / game.id / "words.toml"
    book = tomllib.loads(there.read_text(encoding="utf-8")) if there.exists() else {}
    found: list[str] = book.get(language, {}).get(which, [])
    return found


@games
@languages
def test_the_texts_have_the_words_of_the_book(game: AnyGame, language: str) -> None:
    """The texts contain every wanted word of the game's page."""
    texts = "\n".join([*sentences(game.id)[language], *texts_of(game, language)])
    assert [word for word in patterns(game, language, "wanted") if not re.search(word, texts, re.IGNORECASE)] == []


@games
@languages
def test_the_texts_have_no_words_beside_the_book(game: AnyGame, language: str) -> None:
    """The texts contain no banned word."""
    texts = [re.sub("{[^}]*}", "", text) for text in (*sentences(game.id)[language], *texts_of(game, language))]
    banned = patterns(game, language, "banned")
    odd = {word: [text for text in texts if re.search(word, text, re.IGNORECASE)] for word in banned}
    assert {word: found for word, found in odd.items() if found} == {}


def test_the_control_finds_what_it_looks_for() -> None:
    """The control: each pattern matches a bad sentence, and none matches a good one."""
    bad = {"coordinates": "Castle on (2, 1).", "a gap": "Castle on {cell}.", "a code": "The title of F8."}
    assert all(NEVER[name].search(sentence) for name, sentence in bad.items())
    assert NEVER["a code"].search("AR-3.position") and NEVER["a code"].search("Not due now: up_building.")
    assert ENGLISH.search("Ce n’est pas le moment : next.")
    good = "Around c4 Black has 5 and White 6 (2, 1 and 3): Noir needs 1–9."
    assert not any(pattern.search(good) for pattern in NEVER.values())
