"""Fief: readings once listed without effect, and what they change."""

from __future__ import annotations

from typing import Any

import pytest

from rules import GAMES
from service import schemas
from service.i18n import sentences
from service.i18n.reading_notes import readings
from service.rulings.judge import judge

GAME = GAMES["fief"]
THREE = [
    {"colour": "red", "lord": "Arthur", "village": "Sigy"},
    {"colour": "blue", "lord": "François", "village": "Blaye"},
    {"colour": "green", "lord": "Charles", "village": "Bourg"},
    {"colour": "yellow", "lord": "Henri", "village": "Villeneuve"},
]
TAKEN_TITLE = "attack Tournus Red>Green 3:0"
FIGHT = {
    "phase": "combats",
    "turn": "red",
    "cities": ["Tournus"],
    "lords": [
        {"name": "Arthur", "player": "red", "place": "Tournus"},
        {"name": "François", "player": "blue", "place": "Belleville", "fiefs": ["F4"]},
        {"name": "Charles", "player": "green", "place": "Bourg"},
        {"name": "Henri", "player": "yellow", "place": "Villeneuve"},
    ],
    "control": {"red": ["Sigy"], "green": ["Tournus"], "yellow": ["Belleville", "Pugnac"]},
}
"""Yellow's Belleville stays under any reading, as François is there; Pugnac stays under one reading only."""
MURDER = {
    "phase": "combats",
    "lords": [
        {"name": "Jeanne", "player": "red", "place": "Sigy", "spouse": "Arthur"},
        {"name": "Arthur", "player": "blue", "place": "Blaye", "spouse": "Jeanne", "marked": True},
        {"name": "Charles", "player": "green", "place": "Bourg"},
    ],
}
"""After Arthur's death Red may win alone under either reading, but still has no point."""


@pytest.mark.parametrize(
    ("position", "move", "key", "own", "said"),
    [
        (
            FIGHT,
            TAKEN_TITLE,
            "city_falls",
            "whole_fief",
            ["If your table reads the rule differently: “Yellow keeps Pugnac: only villages of Green fall.”"],
        ),
        (
            FIGHT,
            TAKEN_TITLE,
            "city_falls",
            "controller",
            ["If your table reads the rule differently: “Red takes this village together with the city: Pugnac.”"],
        ),
        (MURDER, "assassin Arthur by Charles", "solo_victory", "unmarried", []),
        (MURDER, "assassin Arthur by Charles", "assassin_instigator", "named", []),
        (MURDER, "assassin Arthur by Green", "assassin_instigator", "hidden", []),
        (MURDER, "justice Arthur", "assassin_instigator", "named", []),
        (MURDER, "assassin Arthur by Green", "assassin_instigator", "named", ["The move would be legal."]),
    ],
)
def test_what_a_reading_of_fief_is_said_to_change(
    position: Any, move: str, key: str, own: str, said: list[str]
) -> None:
    """A reading's sentence names the village that is kept, and no other. Readings that change nothing have none."""
    form = schemas.load(schemas.of(GAME).setup, {"players": THREE, "readings": {key: own}})
    read = schemas.load(schemas.of(GAME).position, position)
    assert GAME.problems(form, read) == ()
    judgement = judge(GAME, GAME.enter(form, read), GAME.read(move))
    found = [text for other, text in readings(sentences.words("en", "fief"), judgement) if other.key == key]
    assert found == said
