"""Fief: how sentences address lords, and the score lines of their titles."""

from __future__ import annotations

from typing import Any

import pytest

from rules.fief import GAME
from rules.fief.moves import Marry
from rules.fief.state import Player, Position, Setup, StandingLord
from rules.fief.style import style
from service.i18n.sentences import words

THREE = Setup((Player("red", "Henri", "Sigy"), Player("blue", "Blanche", "Bourg"), Player("green", "Othon", "Blaye")))
CITIES = ("Sigy", "Bourg", "Les Essarts", "L'Épervier")


@pytest.mark.parametrize(
    ("lord", "english", "french"),
    [
        ({}, "Henri", "Henri"),
        ({"fiefs": ("F8",)}, "Henri, Count of Sigy", "Henri, comte de Sigy"),
        ({"fiefs": ("F7", "F6")}, "Henri, Duke of Bourg, Baron of Les Essarts",
         "Henri, duc de Bourg, baron des Essarts"),
        ({"name": "Guenièvre", "fiefs": ("F8",)}, "Guenièvre, Countess of Sigy", "Guenièvre, comtesse de Sigy"),
        ({"name": "Guenièvre", "fiefs": ("F7", "F6")}, "Guenièvre, Duchess of Bourg, Baroness of Les Essarts",
         "Guenièvre, duchesse de Bourg, baronne des Essarts"),
        ({"bishop": (2,)}, "Monsignor Henri, Bishop of Tournus", "Monseigneur Henri, évêque de Tournus"),
        ({"bishop": (2,), "cardinal": "card"}, "His Eminence Cardinal Henri, Bishop of Tournus",
         "Son Éminence le cardinal Henri, évêque de Tournus"),
        ({"pope": True, "cardinal": "title", "fiefs": ("F2",)},
         "His Holiness Pope Henri, Cardinal, Count of L'Épervier",
         "Sa Sainteté le pape Henri, cardinal, comte de L'Épervier"),
        ({"king": True, "fiefs": ("F8",)}, "His Majesty King Henri, Count of Sigy",
         "Sa Majesté le roi Henri, comte de Sigy"),
        ({"prince": 1, "fiefs": ("F7",)}, "His Royal Highness Henri, the Dauphin, Baron of Les Essarts",
         "Son Altesse Royale Henri, le dauphin, baron des Essarts"),
        ({"name": "Blanche", "regent": True}, "Her Majesty Queen Blanche, Regent",
         "Sa Majesté la reine Blanche, régente"),
    ],
)  # fmt: skip
def test_lords_are_called_by_their_titles(lord: dict[str, Any], english: str, french: str) -> None:
    """A lord is addressed by the highest office, followed by fiefs, the highest first, with their cities' names."""
    standing = StandingLord(**{"name": "Henri", "player": "red", "place": "Sigy", **lord})
    state = GAME.enter(THREE, Position(cities=CITIES, lords=(standing,)))
    said = style(state, standing.name)
    assert said == standing.name
    assert words("en", "fief").render_value(said) == english
    assert words("fr", "fief").render_value(said) == french


def test_the_kings_wife_is_called_queen_and_the_second_prince_is_no_dauphin() -> None:
    """`FI-11`, `FI-94`: the king's wife is queen without a card; only the eldest prince is the dauphin."""
    lords = (
        StandingLord("Henri", "red", "Sigy", spouse="Blanche", king=True),
        StandingLord("Blanche", "blue", "Bourg", spouse="Henri"),
        StandingLord("Charles", "blue", "Bourg", prince=2),
        StandingLord("Othon", "blue", "Bourg", prince=1),
    )
    state = GAME.enter(THREE, Position(lords=lords))
    called = {name: words("fr", "fief").render_value(style(state, name)) for name in state.lords}
    assert called["Blanche"] == "Sa Majesté la reine Blanche"
    assert called["Charles"] == "Son Altesse Royale le prince Charles"
    assert called["Othon"] == "Son Altesse Royale Othon, le dauphin"


def test_a_sentence_says_a_lord_in_full_and_the_facts_by_name() -> None:
    """A finding has the lord's name as a value; its sentence has the form of address."""
    lords = (
        StandingLord("Henri", "red", "Sigy", bishop=(5,)),
        StandingLord("Blanche", "blue", "Bourg"),
    )
    state = GAME.enter(THREE, Position(lords=lords))
    [finding] = GAME.check(state, Marry("Henri", "Blanche")).findings
    assert finding.facts.values == {"lord": "Henri"}
    assert words("en", "fief").finding_text(finding).startswith("Monsignor Henri, Bishop of Sigy, has")


def test_each_title_is_a_line_of_the_score() -> None:
    """`FI-80`: each fief, the crown and the Holy See are a line each; a player without any has a line of no points."""
    lords = (
        StandingLord("Henri", "red", "Sigy", fiefs=("F8", "F7"), king=True),
        StandingLord("Othon", "blue", "Bourg", bishop=(5,), pope=True),
    )
    state = GAME.enter(THREE, Position(cities=CITIES, lords=lords))
    lines = [line for line in GAME.score(state) if line.rule == "FI-80"]
    told = [(line.seat, words("en", "fief").line_text(line), line.points) for line in lines]
    assert told == [
        ("red", "County of Sigy", 1),
        ("red", "Barony of Les Essarts", 1),
        ("red", "The crown", 1),
        ("blue", "The Holy See", 1),
        ("green", "Fiefs, crown and Holy See", 0),
    ]
    assert words("fr", "fief").line_text(lines[1]) == "Baronnie des Essarts"
