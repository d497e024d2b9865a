"""Fief: what rulings say of lost titles, dice and gifts is true, with the title that counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import rules
from rules.fief.combats.strengths import attack_parts, defence_parts
from service.cases.worked_cases import stage
from service.i18n.sentences import words
from service.types import AnyGame

GAME: AnyGame = rules.GAMES["fief"]
BOOK = rules.load(GAME.id, "cases")
LOST_COUNTY: Mapping[str, Any] = {"from": "two_hands", "moves": ["attack Tournus Red>Green 3:0", "next"]}
"""Blue's François has just lost the county of Tournus, and is in Green's Belleville."""


def at(case: Mapping[str, Any], **readings: str) -> Any:
    """The state of a case under these readings."""
    return stage(GAME, {**case, "readings": readings}, BOOK)


def sentences_of(state: Any, notation: str, language: str = "en") -> list[str]:
    """The sentences of a move's findings and effects."""
    move, speech = GAME.read(notation), words(language, GAME.id)
    found = [speech.finding_text(each) for each in GAME.check(state, move).findings]
    if GAME.cannot_stand(state, move) is None:
        found += [speech.effect_text(each) for each in GAME.effects(state, move, GAME.apply(state, move))]
    return found


def any_says(found: list[str], *parts: str) -> bool:
    """Whether one sentence contains all these parts."""
    return any(all(part in sentence for part in parts) for sentence in found)


@pytest.mark.parametrize(("reading", "line"), [("defends", "François 1;"), ("counts", "François (count) 3;")])
def test_a_line_of_strength_names_the_title_that_counts(reading: str, line: str) -> None:
    """A lost county does not count as a title in an attack. The control: under the other reading it does."""
    found = sentences_of(at(LOST_COUNTY, lost_title=reading), "attack Belleville Blue>Green 1:1")
    assert any_says(found, f"Attack: {line}"), found


def test_a_lost_title_still_defends() -> None:
    """In defence, the same François still counts as a count."""
    state = at(LOST_COUNTY)._replace(turn="green")
    state = state._replace(lords={**state.lords, "Charles": state.lords["Charles"]._replace(place="Belleville")})
    move: Any = GAME.read("attack Belleville Green>Blue 0:0")
    assert [(part.code, part.n) for part in defence_parts(state, move)] == [("count", 3)]
    assert [(part.code, part.n) for part in attack_parts(state, move)] == [("man", 1)]


@pytest.mark.parametrize(("name", "title"), [("Arthur", "king"), ("Guenièvre", "queen")])
def test_a_crown_of_before_is_a_mans_or_a_womans(name: str, title: str) -> None:
    """A strength entered without a title is that of a former king or queen, by the lord's sex."""
    state = at({"from": "city", "position": {"ranks": {name: {"lay": 5}}}})
    move: Any = GAME.read("attack Tournus Red>Green 0:0")
    assert (title, name, 5) in {tuple(part) for part in attack_parts(state, move)}


OF_DICE = (
    ("FI-73/15", "throws no dice: enter a sum from 0 to 0", "lance aucun dé"),
    ("FI-73/2", "throws one battle die (0 to 3): enter a sum from 0 to 3", "lance un dé de bataille (0 à 3)"),
    ("FI-73/5", "throws one ordinary die (1 to 6): enter a sum from 1 to 6", "lance un dé ordinaire (1 à 6)"),
    (
        "FI-73/9",
        "throws one ordinary die (1 to 6) and one battle die (0 to 3)",
        "un dé ordinaire (1 à 6) et un dé de bataille",
    ),
    ("FI-73/11", "throws 2 ordinary dice (1 to 6): enter a sum from 2 to 12", "lance 2 dés ordinaires (1 à 6)"),
)
"""A worked case with impossible sums, and the dice thrown, in both languages."""


@pytest.mark.parametrize(("number", "english", "french"), OF_DICE)
def test_dice_are_told_as_they_are_thrown(number: str, english: str, french: str) -> None:
    """A refused sum names the dice as thrown: two battle dice become an ordinary one."""
    (case,) = (case for case in BOOK["case"] if case["id"] == number)
    state = stage(GAME, case, BOOK)
    assert any_says(sentences_of(state, case["move"]), english)
    assert any_says(sentences_of(state, case["move"], "fr"), french)


@pytest.mark.parametrize(
    ("language", "replaced"), [("en", "replaced by one ordinary die"), ("fr", "remplacée par un dé ordinaire")]
)
def test_no_battle_dice_are_told_to_show_what_an_ordinary_die_shows(language: str, replaced: str) -> None:
    """If two battle dice are replaced, the ruling says so."""
    assert any_says(sentences_of(at({"from": "field"}), "attack St Paul Red>Blue 1:3", language), replaced)
    small = {"from": "two_hands"}
    assert not any_says(sentences_of(at(small), "attack Tournus Red>Green 3:0", language), replaced)


@pytest.mark.parametrize("notation", ["give F4 Gauvain", "give F4 Arthur"])
def test_a_gift_of_anothers_fief_promises_no_turn(notation: str) -> None:
    """A gift of Charles's only fief in another's turn is refused for good: the sentence does not say that it waits."""
    state = at({"from": "crown"})
    [sentence] = [each for each in sentences_of(state, notation) if each.startswith("Only the player of ")]
    assert "waits" not in sentence
    assert "to another own lord and on their own turn" in sentence
    theirs = at({"from": "crown", "position": {"turn": "green"}})
    assert GAME.check(theirs, GAME.read(notation)).broken_rules == ("FI-56",)


@pytest.mark.parametrize(
    ("notation", "owner"), [("give F7 Charles", "red"), ("give F8 Guenièvre", "red"), ("give F4 Gauvain", "green")]
)
def test_a_gift_is_of_the_player_whose_lord_gives(notation: str, owner: str) -> None:
    """A gift belongs to the giving lord's player, whosever turn it is."""
    for turn in ("red", "blue", "yellow"):
        state = at({"from": "crown", "position": {"turn": turn}})
        assert GAME.owner_of(state, GAME.read(notation)) == owner


@pytest.mark.parametrize(
    ("gifts", "turn", "listed"),
    [("phase", "red", True), ("phase", "blue", True), ("own_part", "red", True), ("own_part", "blue", False)],
)
def test_the_kings_gifts_are_listed_where_he_may_give(gifts: str, turn: str, listed: bool) -> None:
    """The king's gifts are listed in any turn of the purchases, or only in his own, by the reading."""
    state = at({"from": "crown", "position": {"turn": turn}}, gifts=gifts)
    assert (GAME.read("give F7 Charles") in set(GAME.moves(state, ("give",)))) is listed
