"""Problems of a position of Fief that is partly unknown: only those that nothing can mend."""

from __future__ import annotations

from typing import Any

import pytest

from rules.fief import GAME
from rules.fief.unknowns.gaps import doubts, known_part
from rules.unknowns import judge
from tests.rules.fief.oracle import Json
from tests.support.json_forms import read_position, read_setup

SETUP: Json = {
    "players": [
        {"colour": "red", "lord": "Henri", "village": "Sigy"},
        {"colour": "blue", "lord": "Othon", "village": "St Paul"},
        {"colour": "green", "lord": "Arthur", "village": "Bourg"},
    ],
    "readings": {"sieges": "on"},
}
REST = {"rest": "unknown"}
HENRI = {"name": "Henri", "player": "red", "place": "Sigy"}
OTHON = {"name": "Othon", "player": "blue", "place": "Sigy"}
BARON, HUSBAND = {**HENRI, "fiefs": ["F7"]}, {**HENRI, "spouse": "Blanche"}
MARCH = {"phase": "movements", "control": {"red": ["Sigy"]}}
SIEGE = {**MARCH, "castles": ["Sigy"], "sieges": [{"player": "blue", "village": "Sigy"}]}
CAPTURE = {
    "phase": "combats",
    "control": {"red": ["Bourg"]},
    "cities": ["Bourg"],
    "captured": {"fief": "F6", "player": "red"},
}
ESTATE = {
    "phase": "combats",
    "cities": ["Bourg"],
    "dead": ["Arthur"],
    "estates": [{"lord": "Arthur", "player": "red", "fiefs": ["F6"]}],
    "lords": [HENRI],
}
OVER = {"phase": "combats", "cities": ["Sigy", "St Paul", "Bourg"], "ended": True}
AWAY = "move Henri Sigy>St Ciers d'Abzac"
CASES: dict[str, tuple[Json, Json, str, str]] = {
    "either village may be the city": (
        {**MARCH, "lords": [BARON]}, REST, AWAY, "legal"),
    "the other village is plain, and this one the city": (
        {**MARCH, "lords": [BARON]}, {"villages": {"St Paul": {"building": "?"}}}, AWAY, "legal"),
    "castles on both, and no city": (
        {**MARCH, "lords": [BARON], "castles": ["St Paul", "Les Essarts"]}, REST, AWAY, "impossible"),
    "the wife was not entered": ({"lords": [HUSBAND]}, REST, "marry Henri Jeanne", "illegal"),
    "the wife is known not to be in play": (
        {"lords": [HUSBAND]}, {**REST, "absent": ["Blanche"]}, "marry Henri Jeanne", "impossible"),
    "she who has moved was not entered": ({**MARCH, "lords": [HENRI], "moved": ["Blanche"]}, REST, AWAY, "legal"),
    "she does not move again, whose lord she may be": (
        {**MARCH, "lords": [HENRI], "moved": ["Blanche"]}, REST, "move Blanche Sigy>St Paul", "illegal"),
    "the besieged castle is unknown": (
        {**SIEGE, "castles": [], "control": {}, "lords": [HENRI, OTHON]},
        {"villages": {"Sigy": {"controller": "red", "building": "?"}}}, AWAY, "illegal"),
    "whose the besieged castle is": (
        {**SIEGE, "castles": [], "control": {}, "lords": [HENRI, OTHON]}, REST, AWAY, "unproven"),
    "somebody controls the besieged castle, Blue or another": (
        {"phase": "purchases", "turn": "blue", "castles": ["Sigy"], "sieges": [{"player": "red", "village": "Sigy"}],
            "lords": [HENRI]},
        {"castles": [], "villages": {"Sigy": {"controller": "?", "building": "castle"}}},
        "lord Charles Sigy", "unproven"),
    "the besieger can only be there": (
        {**SIEGE, "lords": [HENRI]}, {"lords": [HENRI, {**OTHON, "place": "?"}]}, AWAY, "illegal"),
    "the besieger is elsewhere, and the village known": (
        {**SIEGE, "lords": [HENRI, {**OTHON, "place": "Bourg"}]}, REST, AWAY, "impossible"),
    "the only taker can only be in the city": (
        {**CAPTURE, "lords": [HENRI]}, {"lords": [{**HENRI, "place": "?"}]}, "take F6 Henri", "legal"),
    "the captured title has its city, whatever the others are": (
        {**CAPTURE, "lords": [HENRI]}, {**REST, "lords": [{**HENRI, "place": "Bourg"}]}, "take F6 Henri", "legal"),
    "another heir was not entered": (ESTATE, REST, "heir Arthur Henri", "legal"),
    "another heir was not entered, and nothing else is due": (ESTATE, REST, "next", "illegal"),
    "all others are known not to be heirs": (ESTATE, {**REST, "control": {"red": ["Sigy"]}, "absent": "all"}, "next",
        "impossible"),
    "the fiefs of the winner are unknown": ({**OVER, "lords": [HENRI]}, {"lords": [{**HENRI, "fiefs": "?"}]}, "next",
        "illegal"),
    "the winner was not entered": ({**OVER, "lords": [HENRI]}, REST, "next", "illegal"),
    "where the loser stands makes no winner": (
        {**OVER, "lords": [HENRI]}, {"lords": [{**HENRI, "place": "?"}]}, "next", "impossible"),
}  # fmt: skip
"""A position with a problem, what is unknown of it, a move, and what is said of the move then."""


def problems_of(position: Json) -> tuple[Any, Any, Any]:
    """The setup, a position as it was entered, and the problems of its known part."""
    setup, entered = read_setup(GAME, SETUP), read_position(GAME, position, partial=True)
    return setup, entered, GAME.problems(setup, known_part(setup, entered))


def ruling_on(position: Json, notation: str) -> str:
    """The ruling on a move, or that the position is impossible."""
    setup, entered, problems = problems_of(position)
    if problems:
        return "impossible"
    state = GAME.enter(setup, known_part(setup, entered))
    return judge(GAME, state, doubts(setup, entered), GAME.read(notation)).verdict.ruling.value


@pytest.mark.parametrize(("whole", "unknown", "notation", "ruling"), CASES.values(), ids=CASES.keys())
def test_what_is_unknown_may_mend_a_problem(whole: Json, unknown: Json, notation: str, ruling: str) -> None:
    """The control: without anything unknown, each of these positions is impossible."""
    land = GAME.setup(read_setup(GAME, SETUP)).land
    partial = {**whole, **unknown}
    if partial.get("absent") == "all":
        partial["absent"] = [name for name in (*land.men, *land.women) if name not in ("Henri", "Arthur")]
    assert ruling_on(whole, notation) == "impossible"
    assert ruling_on(partial, notation) == ruling


def test_a_lord_who_is_only_named_is_unknown() -> None:
    """A wife who was not entered is in play: whose she is, and all else, is to be looked at, and not whether she is."""
    setup = read_setup(GAME, SETUP)
    named = read_position(GAME, {"lords": [HUSBAND], **REST}, partial=True)
    found = {doubt for doubt in doubts(setup, named) if "Blanche" in doubt}
    assert {"player Blanche", "place Blanche"} <= found
    assert not {"lord Blanche", "spouse Blanche"} & found
    alone = read_position(GAME, {"lords": [HENRI], **REST}, partial=True)
    assert [doubt for doubt in doubts(setup, alone) if "Blanche" in doubt] == ["lord Blanche"]


def test_a_game_that_nobody_is_known_to_have_won_is_over_all_the_same() -> None:
    """The sentence names no winner then; the control has one."""
    crowned = {**HENRI, "fiefs": ["F6", "F7", "F8"]}
    for lords, code in (([HENRI], "over_nobody"), ([crowned], "over")):
        setup, entered, _ = problems_of({**OVER, "lords": lords})
        (finding,) = GAME.check(GAME.enter(setup, entered), GAME.read("next")).findings
        assert (finding.rule, finding.facts.code) == ("FI-81", code)
