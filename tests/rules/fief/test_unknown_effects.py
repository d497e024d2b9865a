"""Fief: what is told where something is unknown is so with every filling: places, names, incomes, points, the end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from rules.agreement import facts_in_both
from rules.effects import ENDED, POINTS
from rules.fief import GAME
from rules.fief.data import Data, land
from rules.fief.unknowns import effects
from rules.fief.unknowns.contents import facts
from rules.kernel import Bounds, Facts, Ruling
from rules.styled_name import StyledName
from rules.unknowns import PartialRuling, judge
from tests.rules.fief.oracle import Json
from tests.rules.trials import Trial, WholeFilling, enter, list_fillings, violations
from tests.support.json_forms import read_setup

BOARD = land(Data())
UNSEEN_VILLAGE = "Blaye"


def players(*each: str) -> Json:
    """A setup: colour, lord and village of each player."""
    told = [each_one.split(", ") for each_one in each]
    return {"players": [{"colour": c, "lord": lord, "village": v} for c, lord, v in told]}


def question(setup: Json, position: Json, move: str, *more: WholeFilling) -> Trial:
    """A move in a position of which something is unknown."""
    return Trial(read_setup(GAME, setup), position, GAME.read(move), more)


def rule_on(trial: Trial) -> PartialRuling:
    """What is said of it."""
    return judge(GAME, *enter(GAME, trial.form, trial.partial), trial.move)


def told_by(answer: PartialRuling, rule: str) -> list[Facts]:
    """What is told by a rule."""
    return [effect.facts for effect in answer.effects if effect.rule == rule]


def put_in(position: Json, **facts: Any) -> Json:
    """A position with the unknown facts of its lords filled in, each by the lord's name."""
    return position | {"lords": [lord | facts.get(lord["name"], {}) for lord in position["lords"]]}


# --- a place that is a stand-in's ------------------------------------------------------------------------------------

MURDER = players("black, Jeanne, Mazilles", "green, Arthur, St Paul", "white, Guenièvre, La Salle")
MURDER |= {"readings": {"dead_army": "defends", "assassin_instigator": "hidden"}}
SOMEWHERE: Json = {
    "phase": "combats",
    "turn": "white",
    "lords": [
        {"name": "Arthur", "player": "white", "place": "?"},
        {"name": "Blanche", "player": "white", "place": "Beaujeu"},
        {"name": "Jeanne", "player": "black", "place": "Belleville", "arc": True},
    ],
}


def murder() -> Trial:
    """Arthur is murdered, wherever he is."""
    places = [WholeFilling(put_in(SOMEWHERE, Arthur={"place": v}), {"place Arthur": v}) for v in BOARD.villages]
    return question(MURDER, SOMEWHERE, "assassin Arthur by Black", *places)._replace(every=True)


def test_no_sentence_names_a_village_that_is_a_stand_in() -> None:
    """Where Arthur's army stays, nobody knows; that he is dead, everybody does."""
    trial = murder()
    assert violations(GAME, trial) == []
    answer = rule_on(trial)
    assert [effect.rule for effect in answer.effects] == ["FI-90", "FI-90"]
    stays = [
        each.facts.values["village"] for real in list_fillings(GAME, trial, over=False) for each in real.effects[2:]
    ]
    assert stays == list(BOARD.villages)


def test_a_stand_in_that_is_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: of a place the villages alone of which the rules ask, and one more for all others."""
    monkeypatch.setattr(effects, "all_contents", lambda asked, fact: asked.contents(fact)[:1])
    assert any("certain, but not with" in each for each in violations(GAME, murder()))


@pytest.mark.parametrize("code", ["place", "player", "king", "spouse", "control"])
def test_a_stand_in_that_is_taken_out_is_found(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: what a fact can be, without that by which this ruling is another one."""
    trial, out = TAKEN_OUT[code]
    assert violations(GAME, trial) == []
    kept = facts.CONTENTS[code]
    monkeypatch.setitem(facts.CONTENTS, code, lambda asked: [way for way in kept(asked) if way != out])
    assert violations(GAME, trial)


# --- who wins --------------------------------------------------------------------------------------------------------

CITIES = ("Beaujeu", "Sennecy", "Mazilles", "Tournus", "St Médard")
ERIC = players("black, Quentin, St Médard", "white, Philippe, St André", "yellow, Éric, St Ciers d'Abzac")
LAST: Json = {
    "first": "black",
    "phase": "combats",
    "turn": "yellow",
    "lords": [{"name": "Éric", "player": "yellow", "place": "St Ciers d'Abzac", "fiefs": "?"}],
    "villages": {village: {"building": "?"} for village in CITIES},
}


def test_nobody_wins_is_not_told_while_somebody_may() -> None:
    """With five cities and their fiefs Yellow wins, with none nobody; the round ends, or the game."""
    fiefs = [BOARD.fief_of[village] for village in CITIES]
    ways = [WholeFilling(_with(n, fiefs)) for n in range(len(CITIES) + 1)]
    trial = question(ERIC, LAST, "next", *ways)
    assert violations(GAME, trial) == []
    assert rule_on(trial).effects == ()
    ends = [{each.rule for each in real.effects} for real in list_fillings(GAME, trial, over=False)]
    assert ["FI-2" in each for each in ends] == [True] * 3 + [False] * 3


def _with(n: int, fiefs: list[str]) -> Json:
    """The position with the first cities and their fiefs."""
    built = {village: {"building": "city"} if at < n else {} for at, village in enumerate(CITIES)}
    return put_in(LAST, Éric={"fiefs": fiefs[:n]}) | {"villages": built}


TWO: Json = {
    "first": "red",
    "phase": "combats",
    "turn": "green",
    "cities": ["Beaujeu", "Sennecy", "Mazilles", "Tournus", "St Médard"],
    "lords": [
        {"name": "Arthur", "player": "red", "place": "Sigy", "fiefs": ["F1", "F2", "F3"]},
        {"name": "Baudoin", "player": "blue", "place": "Sigy", "pope": "?"},
    ],
}
THREE = players("red, Arthur, Sigy", "blue, Baudoin, La Salle", "green, Charles, Blaye")


def winning(blue: int, **more: Any) -> Trial:
    """The last `next` of a round in which Red has three fiefs, Blue some, and Baudoin may be pope."""
    fiefs = [BOARD.fief_of[village] for village in CITIES]
    position = put_in(TWO, Arthur={"fiefs": fiefs[:3]}, Baudoin={"fiefs": fiefs[3 : 3 + blue]}) | more
    ways = [WholeFilling(put_in(position, Baudoin={"pope": pope}), {"pope Baudoin": pope}) for pope in (False, True)]
    return question(THREE, position, "next", *ways)._replace(every=True)


def test_the_winner_is_told_where_it_is_the_same_with_every_filling() -> None:
    """Pope or not, Blue with one fief is short of three; with two he wins beside Red, or does not."""
    alone, perhaps = winning(1), winning(2)
    assert violations(GAME, alone) == violations(GAME, perhaps) == []
    assert [facts.values["winners"] for facts in told_by(rule_on(alone), "FI-81")] == [("red",)]
    (ends,) = rule_on(perhaps).effects
    assert (ends.rule, ends.facts.code, dict(ends.facts.values)) == ("FI-81", ENDED, {})


def test_points_are_told_of_whom_they_are_known() -> None:
    """Arthur has one fief, or is king as well: his title brings a point more, of how many is not known."""
    castle = {"castles": ["Sigy"], "control": {"red": list(BOARD.fiefs[BOARD.fief_of["Sigy"]])}}
    position: Json = {
        "phase": "purchases",
        "income": {"red": 9},
        **castle,
        "lords": [
            {"name": "Arthur", "player": "red", "place": "Sigy"},
            {"name": "Baudoin", "player": "blue", "place": "Sigy", "king": "?"},
        ],
    }
    ways = [WholeFilling(put_in(position, Baudoin={"king": k}), {"king Baudoin": k}) for k in (False, True)]
    trial = question(THREE, position, f"buy title {BOARD.fief_of['Sigy']} Arthur", *ways)._replace(every=True)
    assert violations(GAME, trial) == []
    (points,) = [effect.facts.values for effect in rule_on(trial).effects if effect.facts.code == POINTS]
    assert points == {"seats": ("red",), "was": (0,), "now": (1,)}


# --- incomes ---------------------------------------------------------------------------------------------------------

HELD_VILLAGES = ["Beaujeu", "Sigy", "Pugnac"]
BUYING: Json = {
    "phase": "purchases",
    "first": "red",
    "turn": "red",
    "control": {"red": HELD_VILLAGES},
    "lords": [{"name": "Arthur", "player": "red", "place": "Beaujeu"}],
}
BUYERS = players("red, Arthur, Beaujeu", "blue, Baudoin, La Salle", "green, Charles, Blaye")


def buying(move: str, *unseen: str) -> Trial:
    """A purchase of Red's, who controls three villages and perhaps others."""
    partial = BUYING | {"villages": {village: {"controller": "?"} for village in unseen}}
    return question(BUYERS, partial, move, *_control_fillings(unseen))._replace(every=True)


def _control_fillings(unseen: tuple[str, ...]) -> Iterator[WholeFilling]:
    for whose in product((None, "red", "blue", "green"), repeat=len(unseen)):
        of = dict(zip(unseen, whose, strict=True))
        told = {village: {"controller": colour} if colour else {} for village, colour in of.items()}
        yield WholeFilling(
            BUYING | {"villages": told}, {f"control {village}": colour for village, colour in of.items()}
        )


def test_one_unknown_village_leaves_an_income_its_bounds() -> None:
    """Three villages buy a card whosever the fourth is; a castle is for four."""
    answer, trial = rule_on(buying("buy card", UNSEEN_VILLAGE)), buying("buy card", UNSEEN_VILLAGE)
    assert violations(GAME, trial._replace(fillings=list(trial.fillings))) == []
    (counted,) = answer.verdict.findings
    assert (answer.verdict.ruling, answer.exact, answer.needs) == (Ruling.LEGAL, True, ())
    assert (counted.facts.values["income"], counted.facts.values["left"]) == (Bounds(3, 4), Bounds(2, 3))
    castle = rule_on(buying("buy castle Sigy", UNSEEN_VILLAGE))
    assert (castle.verdict.ruling, castle.exact, castle.needs) == (
        Ruling.UNPROVEN,
        True,
        (f"control {UNSEEN_VILLAGE}",),
    )


@pytest.mark.parametrize("move", ["buy card", "buy castle Sigy", "buy castle Blaye", "buy castle Tournus"])
def test_incomes_are_those_of_every_filling(move: str) -> None:
    """Two villages of which nobody has looked who controls them, beside three."""
    trial = buying(move, UNSEEN_VILLAGE, "Tournus")
    assert violations(GAME, trial._replace(fillings=list(trial.fillings))) == []


def test_of_much_that_is_unknown_an_income_is_a_fact_of_its_own() -> None:
    """With the rest unknown Red has 3 at least; that what decides a castle is decided exactly, is not said."""
    rest = BUYING | {"rest": "unknown"}
    card, castle = (rule_on(question(BUYERS, rest, move)) for move in ("buy card", "buy castle Sigy"))
    assert (card.verdict.ruling, card.exact) == (Ruling.LEGAL, True)
    assert told_by(card, "FI-50")[0].values["income"] == Bounds(3, 29)
    assert (castle.verdict.ruling, castle.exact) == (Ruling.UNPROVEN, False)
    assert "income red" in castle.needs


# --- names -----------------------------------------------------------------------------------------------------------


def test_whoever_has_a_title_in_some_fillings_is_told_by_the_bare_name() -> None:
    """A bare name is equal to any; it is not told as the other one is."""
    king = StyledName("Henri", "called_king", {})
    for some, other in ((king, "Henri"), ("Henri", king)):
        facts = facts_in_both(Facts("", {"lord": some}), Facts("", {"lord": other}))
        assert facts is not None and type(facts.values["lord"]) is str


# --- the controls ----------------------------------------------------------------------------------------------------


def one(position: Json, lord: str, fact: str, ways: tuple[Any, ...], move: str) -> Trial:
    """A move where one fact of a lord is unknown."""
    partial = put_in(position, **{lord: {fact: "?"}})
    both_sides = {way: {way: {fact: lord}} if fact == "spouse" and way else {} for way in ways}
    filled_in = [
        WholeFilling(put_in(position, **both_sides[way], **{lord: {fact: way}}), {f"{fact} {lord}": way})
        for way in ways
    ]
    return question(THREE, partial, move, *filled_in)


FOLK: Json = {
    "lords": [
        {"name": "Arthur", "player": "red", "place": "Sigy"},
        {"name": "Blanche", "player": "blue", "place": "Blaye"},
        {"name": "Baudoin", "player": "blue", "place": "Blaye", "pope": True},
    ]
}
ON_FOOT = FOLK | {"phase": "movements", "turn": "red"}
TAKEN_OUT: dict[str, tuple[Trial, Any]] = {
    "place": (one(ON_FOOT, "Arthur", "place", BOARD.villages, "move Arthur Sigy>St Paul"), "Sigy"),
    "player": (one(ON_FOOT, "Arthur", "player", ("red", "blue", "green"), "move Arthur Sigy>St Paul"), "red"),
    "king": (
        one(FOLK | {"phase": "purchases", "turn": "red", "cities": ["Sigy"]}, "Arthur", "king", (False, True),
            f"give {BOARD.fief_of['Sigy']} Blanche"),
        True,
    ),
    "spouse": (one(FOLK, "Blanche", "spouse", (None, "Arthur"), "annul Arthur Blanche"), "Arthur"),
    "control": (buying("buy castle Blaye", UNSEEN_VILLAGE), "red"),
}  # fmt: skip
"""Code of a fact -> a question that it decides, and what it is then."""
