"""Robber Knights: each effect of a tile has one sentence, and a tie is explained with its figures."""

from __future__ import annotations

import pytest

from rules.effects import effects_of
from rules.robber_knights import GAME
from rules.robber_knights.effects import ties
from rules.robber_knights.state import Colour, Player, Position, Setup, StandingTile
from service import schemas
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words, words_with_people
from tests.rules.play import every_nth_step
from tests.support.records import notations_of, record_of


def test_nothing_is_told_twice() -> None:
    """No two sentences of a move are equal, in either language: an effect on several tiles is one sentence."""
    several = 0
    for state, move in every_nth_step(GAME, 2):
        effects = () if move is None else effects_of(GAME, state, move, GAME.apply(state, move))
        several += any(effect.facts.values.get("tiles", 0) for effect in effects)
        for language in LANGUAGES:
            said = [words(language, GAME.id).effect_text(effect) for effect in effects]
            assert len(said) == len(set(said))
    assert several


@pytest.mark.parametrize(
    ("name", "language", "sentence"),
    [
        ("drawn", "en", "Equal points, 14 each, and the knights left set nobody apart, Gil 0 and Yann 0: a draw."),
        ("knights_decide", "en", "Equal points, 12 each: the knights left decide, Gil 0 and Yann 1."),
        ("knights_decide", "fr", "Égalité à 12\u00a0: les chevaliers restants départagent, Gil 0 et Yann 1."),
    ],
)
def test_a_tie_is_told_with_its_figures(name: str, language: str, sentence: str) -> None:
    """`RK-32`: after a recorded game's last tile, a tie is explained with the players' names and figures."""
    record = record_of(f"robber_knights/{name}")
    form = schemas.load(schemas.of(GAME).setup, record["setup"])
    state = GAME.setup(form)
    *moves, last = map(GAME.read, notations_of(record))
    for move in moves:
        state = GAME.apply(state, move)
    said = words_with_people(language, GAME.id, form)
    assert sentence in [said.effect_text(effect) for effect in GAME.effects(state, last, GAME.apply(state, last))]


def test_ties_below_the_first_place_and_hidden_knights() -> None:
    """`RK-32`: if hidden knights could decide a tie, it is open; players who are not tied are not named."""
    tops: tuple[Colour, ...] = ("blue", "yellow", "green", "green")
    tiles = tuple(StandingTile((x, 1), "plain village", (colour,), covered=True) for x, colour in enumerate(tops))
    form = Setup(players=(Player("blue"), Player("yellow"), Player("green")))
    [tie] = ties(GAME.enter(form, Position(tiles=tiles)))
    assert (tie.rule, tie.facts.code, tie.facts.values["colours"]) == ("RK-32", "open", ("blue", "yellow"))
    told = "Equal points, 2 each: hidden knights may decide. Knights left: Blue 17 to 29 and Yellow 17 to 29."
    assert words("en", GAME.id).effect_text(tie) == told
    decided = ties(GAME.enter(form, Position(tiles=tiles, supply={"blue": 20, "yellow": 21, "green": 20})))
    assert [(each.facts.code, each.facts.values["points"]) for each in decided] == [("decides", 2)]
