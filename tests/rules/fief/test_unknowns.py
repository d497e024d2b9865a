"""Fief: rulings on positions of which something is unknown, against all that it can be."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from math import prod
from random import Random
from typing import Any, NamedTuple

import pytest

from rules.effects import effects_of
from rules.fief import GAME
from rules.fief.data import LORDS
from rules.fief.state import PHASES
from rules.fief.unknowns.combinations import tree
from rules.forms import Malformed, plain
from rules.kernel import Ruling
from rules.steps import at_most
from rules.unknowns import PartialRuling, judge
from tests.rules.fief import unknowns
from tests.rules.fief.near_moves import move_to_try
from tests.rules.fief.oracle import Json, table_of
from tests.rules.fief.random_positions import shaken
from tests.rules.fief.rest import rest_filled
from tests.rules.fief.tables import table_and_setup
from tests.rules.fief.unknowns import SMALL
from tests.rules.play import often
from tests.rules.trials import has
from tests.support.json_forms import read_position, read_setup
from tests.support.loops import over

MOVES_A_PHASE = often(30)
"""Moves by chance that are asked about in each phase."""
MOST = 120
"""So many fillings of a position are tried; with more, it is not asked about."""
ALIKE = 40
"""So many legal moves of a kind one is chosen from."""


# --- asking ------------------------------------------------------------------------------------------------------


def read(position: Json) -> Any:
    """A position that may have something unknown."""
    return read_position(GAME, position, partial=True)


def ask(setup: Any, partial: Json, move: Any) -> PartialRuling:
    """The ruling on a position with something unknown."""
    rules, entered = GAME.unknowns, read(partial)
    assert rules is not None
    state = GAME.enter(setup, rules.known_part(setup, entered))
    return judge(GAME, state, rules.cells(setup, entered), move)


# --- every filling -----------------------------------------------------------------------------------------------


class RuledFilling(NamedTuple):
    """A filling, what the rules say then, and what the move brings about."""

    values: tuple[Any, ...]
    ruling: Ruling
    broken_rules: frozenset[str]
    effects: list[Any]


class Quarrel(NamedTuple):
    """A move asked about, where something is unknown, and every filling."""

    ways: list[unknowns.Way]
    partial: Json
    move: Any
    answer: PartialRuling
    fillings: list[RuledFilling]


def rule_on(setup: Any, position: Json, values: tuple[Any, ...], move: Any) -> Iterator[RuledFilling]:
    """What the rules say of a position, if it has no problems."""
    entered = read(position)
    if not GAME.problems(setup, entered):
        state = GAME.enter(setup, entered)
        verdict = GAME.check(state, move)
        effects = list(effects_of(GAME, state, move, GAME.apply(state, move))) if verdict.legal else []
        yield RuledFilling(values, verdict.ruling, frozenset(verdict.broken_rules), effects)


def quarrels(phase: str) -> Iterator[Quarrel]:
    """Moves that are asked about in a phase, near to legal ones, in positions by chance."""
    chance = Random(f"{phase}: unknown")
    for _ in range(MOVES_A_PHASE):
        table, setup = table_and_setup(chance)
        position = shaken(table, chance, phase)
        state = GAME.enter(setup, read(position))
        if phase == "purchases":
            position |= {"income": dict(state.income)}
        move = asked_about(state, chance)
        ways = unknowns.hideable(table, position, plain(move), chance, chance.randint(1, 3))
        partial = unknowns.hide(position, ways)
        if prod(len(list(unknowns.values_of(table, partial, way))) for way in ways) <= MOST:
            found = unknowns.fillings(table, partial, ways)
            filled = [each for values, position in found for each in rule_on(setup, position, values, move)]
            yield Quarrel(ways, partial, move, ask(setup, partial, move), filled)


def asked_about(state: Any, chance: Random) -> Any:
    """A legal move of some kind, or one that is near to a legal one."""
    kind = chance.choice(GAME.due(state).kinds)
    legal = list(islice(GAME.moves(state, (kind,)), ALIKE))
    return chance.choice(legal) if legal and chance.random() < 0.7 else move_to_try(state, chance)


def fact(quarrel: Quarrel, way: unknowns.Way) -> set[str]:
    """What an unknown fact is called."""
    if way[0] == "villages":
        parts = {"controller": ["control"], "building": ["building"]}.get(way[-1], ["control", "building"])
        return {f"{part} {way[1]}" for part in parts}
    if way[0] == "lords":
        return {f"{way[2]} {quarrel.partial['lords'][way[1]]['name']}"}
    return {" ".join(map(str, way))}


@pytest.mark.parametrize("phase", PHASES)
def test_every_filling(phase: str, record_testsuite_property: Any) -> None:
    """Sound: no filling says otherwise. Complete: what is unproven, two fillings decide differently."""
    counts = dict.fromkeys(("legal", "illegal", "unproven", "not exact"), 0)
    for quarrel in quarrels(phase):
        answer, rulings = quarrel.answer, {each.ruling for each in quarrel.fillings}
        ruling = answer.verdict.ruling
        counts[ruling.value] += 1
        counts["not exact"] += not answer.exact
        shown = (quarrel.move, quarrel.ways, answer, rulings)
        assert rulings == ({ruling} if ruling is not Ruling.UNPROVEN else {Ruling.LEGAL, Ruling.ILLEGAL}), shown
        certain = {f.rule for f in answer.verdict.findings if f.facts.ruling is Ruling.ILLEGAL}
        assert all(certain <= each.broken_rules for each in quarrel.fillings), shown
        if ruling is Ruling.UNPROVEN:
            check_needs(quarrel)
        check_effects(quarrel.answer, quarrel.fillings)
    record_testsuite_property(f"unknown facts of Fief, {phase}", counts)
    assert counts["legal"] and counts["illegal"] and not counts["not exact"], counts


def check_needs(quarrel: Quarrel) -> None:
    """What is needed decides, and none of it is idle."""
    numbers = [n for n, way in enumerate(quarrel.ways) if fact(quarrel, way) & set(quarrel.answer.needs)]
    assert decides(quarrel, numbers), quarrel
    assert not any(decides(quarrel, [n for n in numbers if n != each]) for each in numbers), quarrel


def decides(quarrel: Quarrel, numbers: list[int]) -> bool:
    """Whether these facts decide the ruling."""
    seen: dict[str, Ruling] = {}
    return all(
        seen.setdefault(repr([each.values[n] for n in numbers]), each.ruling) is each.ruling
        for each in quarrel.fillings
    )


def check_effects(answer: PartialRuling, filled: list[RuledFilling]) -> None:
    """Every effect that is told is one of each filling in which the move is legal, with numbers within bounds."""
    for effect in answer.effects:
        for each in filled:
            assert each.ruling is not Ruling.LEGAL or has(each.effects, effect), (effect, each)


# --- the rest ----------------------------------------------------------------------------------------------------

SAMPLES = often(60)
"""So many positions by chance are what the rest may be."""
ENTERED_POSITION: Json = {
    "control": {"red": ["Aix"], "blue": ["Bar"]},
    "villages": {},
    "castles": ["Aix"],
    "lords": [
        {"name": "Al", "player": "red", "place": "Aix"},
        {"name": "Eve", "player": "blue", "place": "Aix"},
        {"name": "Bo", "player": "green", "place": "Bar"},
    ],
    "rest": "unknown",
}
REST = {
    "marriages": "marry Al Eve | marry Bo Fay | marry Cy Eve | marry Eve Al | excommunicate Bo | next",
    "bishops": "bishop 1: Al | bishop 1: Al,Bo; Red>Al Blue>Bo | bishop 1: Cy | next | absolve Eve",
    "pope": "pope: Al | pope: Cy; Cy>Cy | next",
    "king": "king: Al | king: Cy; Al>Cy | next",
    "purchases": "buy castle Aix | buy castle Cas | buy card | buy title F1 Al | buy title F2 Al | buy cardinal Al"
    " | lord Cy Aix | lord Cy Aix dauphin | lord Fay Dol | cardinal Al | darc Eve | darc Fay | give F2 Al | give F1 Eve"
    " | cede Aix Blue | cede Cas Red",
    "movements": "move Al Aix>Dol | move Al Aix>Dol>Cas | move Al Aix>Bar>Cas | move Cy Cas>Dol | move Al Aix>Cas",
    "combats": "attack Aix Red>Blue 1:1 | attack Aix Red>Blue 0:0 | attack Cas Red>Blue 1:1 | attack Bar Red>Blue 1:1"
    " | siege Cas | assassin Bo by Cy | assassin Cy by Bo | justice Al | annul Al Eve",
}
"""Moves of each phase, with lords and villages that were entered and such as were not."""


@pytest.mark.parametrize("most", [tree.FULL, tree.TreeLimits(20, 10)], ids=["every rule", "the first that objects"])
@pytest.mark.parametrize("phase", PHASES)
def test_the_rest_is_unknown(phase: str, most: tree.TreeLimits, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the villages and lords are that were not entered, it does not contradict a ruling."""
    monkeypatch.setattr(tree, "FULL", most)
    table, setup = table_of(SMALL | {"readings": {}}), read_setup(GAME, SMALL)
    partial = ENTERED_POSITION | {"phase": phase}
    chance = Random(phase)
    samples = [rest_filled(table, partial, chance) for _ in range(SAMPLES)]
    for notation in over(REST[phase].split(" | ")[:: 1 if most is tree.FULL else 3]):
        move = GAME.read(notation)
        answer = ask(setup, partial, move)
        filled = [each for position in samples for each in rule_on(setup, position, (), move)]
        ruling, rulings = answer.verdict.ruling, {each.ruling for each in filled}
        assert ruling is Ruling.UNPROVEN or rulings == {ruling}, (notation, answer)
        certain = {f.rule for f in answer.verdict.findings if f.facts.ruling is Ruling.ILLEGAL}
        assert all(certain <= each.broken_rules for each in filled), (notation, answer)
        check_effects(answer, filled)


@pytest.mark.parametrize("phase", PHASES)
def test_nobody_has_looked_at_anything(phase: str) -> None:
    """With all unknown there is an answer, for no more steps than a request may take, whatever is asked."""
    setup = read_setup(GAME, SETUP)
    whole: tuple[Json, ...] = ({}, dict.fromkeys(("first", "arc_gone", "excommunication", "sieges", *EACH[phase]), "?"))
    for notation, facts in over(product(ALL[phase].split(" | "), whole)):
        with at_most(None) as effort:
            answer = ask(setup, {"phase": phase, "rest": "unknown", **facts}, GAME.read(notation))
        assert effort.steps <= STEPS, (notation, facts)
        assert answer.verdict.ruling is Ruling.UNPROVEN and answer.needs, (notation, facts)


STEPS = 11_000
"""A third of what a request may take."""
EACH: dict[str, tuple[str, ...]] = {
    "marriages": (),
    **dict.fromkeys(("bishops", "pope", "king"), ("held",)),
    "purchases": ("turn",),
    "movements": ("turn", "moved", "arrivals"),
    "combats": ("turn", "attacked"),
}
"""What is remembered in a phase."""
ALL = {
    "marriages": "marry Arthur Blanche | excommunicate Blanche | annul Arthur Blanche",
    "bishops": "bishop 1: Arthur | next",
    "pope": "pope: Arthur,Charles; Charles>Arthur | next",
    "king": "king: Arthur; Arthur>Charles | next",
    "purchases": "buy castle Sigy | buy title F1 Arthur | lord Henri Sigy dauphin | give F1 Arthur",
    "movements": "move Arthur Sigy>St Paul | move Arthur+Charles Sigy>St Ciers d'Abzac>Beaujeu",
    "combats": "attack Sigy Red>Blue 1:1 | assassin Arthur by Charles",
}
"""Moves that some table lets pass, and another does not."""


# --- worked by hand ----------------------------------------------------------------------------------------------

SETUP: Json = {
    "players": [
        {"colour": "red", "lord": "Arthur", "village": "Sigy"},
        {"colour": "blue", "lord": "Blanche", "village": "Blaye"},
        {"colour": "green", "lord": "Charles", "village": "Tournus"},
    ]
}
COUPLE: Json = {
    "lords": [
        {"name": "Arthur", "player": "red", "place": "Sigy"},
        {"name": "Blanche", "player": "blue", "place": "Blaye"},
    ]
}
"""Two lords who may marry."""
ARTHUR, BLANCHE = COUPLE["lords"]
CHARLES = {"name": "Charles", "player": "green", "place": "Tournus"}
PAIR = ("Arthur", "Blanche")
MIDWAY = "St Ciers d'Abzac"
MOVES, BUYS, FIGHTS = ({"phase": phase} for phase in ("movements", "purchases", "combats"))
SIGY = {"control": {"red": ["Sigy"]}}
CASES: dict[str, tuple[Json, str, str, tuple[str, ...]]] = {
    "who controls the village passed through": (
        MOVES | {"villages": {MIDWAY: "?"}}, f"move Arthur Sigy>{MIDWAY}>Beaujeu", "unproven", (f"control {MIDWAY}",)),
    "where the move ends, nobody has to consent": (
        MOVES | {"villages": {MIDWAY: "?"}}, f"move Arthur Sigy>{MIDWAY}", "legal", ()),
    "three villages are too far whoever has them": (
        MOVES | {"rest": "unknown"}, f"move Arthur Sigy>{MIDWAY}>Beaujeu>La Salle", "illegal", ()),
    "whether he moved before": (MOVES | {"moved": "?"}, "move Arthur Sigy>St Paul", "unproven", ("moved",)),
    "whom she is married to": (
        {"lords": [ARTHUR, BLANCHE | {"spouse": "?"}, CHARLES]},
        "marry Arthur Blanche", "unproven", ("spouse Blanche",)),
    "she is married to Arthur, or to nobody": (
        {"lords": [ARTHUR, BLANCHE | {"spouse": "?"}]}, "marry Arthur Blanche", "unproven", ("spouse Blanche",)),
    "others may have allied the players": ({"rest": "unknown"}, "marry Arthur Blanche", "unproven", ("lords",)),
    "nobody else is in play": (
        {"rest": "unknown", "absent": [name for name in (*LORDS.men, *LORDS.women) if name not in PAIR]},
        "marry Arthur Blanche", "legal", ()),
    "who is known not to be in play does not marry": (
        {"rest": "unknown", "absent": ["Jeanne"]}, "marry Arthur Jeanne", "illegal", ()),
    "the king's wife is as strong as he": (
        FIGHTS | {"control": {"blue": ["Sigy"]}, "lords": [
            ARTHUR | {"king": True, "spouse": "?", "place": "Blaye"},
            {"name": "Jeanne", "player": "red", "place": "Sigy"},
            BLANCHE | {"place": "Sigy"}, CHARLES]},
        "attack Sigy Red>Blue 1:0", "unproven", ("spouse Arthur",)),
    "who has no spouse that was entered may be hers": (
        {"lords": [ARTHUR, BLANCHE | {"spouse": "?"}, CHARLES | {"pope": True}]},
        "annul Arthur Blanche", "unproven", ("spouse Blanche",)),
    "two women never marry": (
        {"lords": [{"name": "Jeanne", "player": "?", "place": "?"}, BLANCHE]}, "marry Jeanne Blanche", "illegal", ()),
    "a castle stands there already, or not": (
        BUYS | {"villages": {"Sigy": {"controller": "red", "building": "?"}}, "income": {"red": 5}},
        "buy castle Sigy", "unproven", ("building Sigy",)),
    "four is too dear whatever is spent": (
        BUYS | SIGY | {"income": {"red": 3}, "spent": {"red": "?"}}, "buy castle Sigy", "illegal", ()),
    "what is spent decides": (
        BUYS | SIGY | {"income": {"red": 5}, "spent": {"red": "?"}}, "buy castle Sigy", "unproven", ("spent red",)),
    "a bishop of the third player may be in play": (
        BUYS | {"turn": "green", "income": {"green": 5}, "rest": "unknown"},
        "buy cardinal Éric", "unproven", ("lord Éric", "lords")),
    "whether the place was attacked before": (
        FIGHTS | {"control": {"blue": ["Sigy"]}, "attacked": "?"},
        "attack Sigy Red>Blue 1:1", "unproven", ("attacked",)),
    "three players may have lords there": (
        FIGHTS | {"turn": "blue", "rest": "unknown"},
        "attack Bourg Blue>Green,Red 0:0", "unproven", ("control Bourg", "building Bourg", "lords")),
    "whose the village is": (
        FIGHTS | {"villages": {"Sigy": {"controller": "?"}}},
        "attack Sigy Red>Blue 1:1", "unproven", ("control Sigy",)),
    "no pope, no excommunication": ({}, "excommunicate Blanche", "illegal", ()),
    "whether he is pope": (
        {"lords": [ARTHUR | {"pope": "?"}, BLANCHE]}, "excommunicate Blanche", "unproven", ("pope Arthur",)),
}  # fmt: skip
"""What is unknown -> what lies there beside the couple, the move, the ruling, and what has to be looked at."""


@pytest.mark.parametrize(("partial", "notation", "ruling", "needs"), CASES.values(), ids=CASES.keys())
def test_worked_by_hand(partial: Json, notation: str, ruling: str, needs: tuple[str, ...]) -> None:
    """The ruling, and what has to be looked at."""
    answer = ask(read_setup(GAME, SETUP), COUPLE | partial, GAME.read(notation))
    assert (answer.verdict.ruling.value, answer.needs) == (ruling, needs), answer.verdict.findings


def test_what_is_nearest_by_road_is_looked_at_first() -> None:
    """The village and the lords of a move, then other villages by the roads to them, then all else."""
    setup = read_setup(GAME, SETUP)
    state, move = GAME.enter(setup, read(COUPLE)), GAME.read(f"move Arthur Sigy>{MIDWAY}")
    beside = next(each for each in state.land.roads[MIDWAY] if each != "Sigy")
    roads = state.land.roads
    beyond = next(v for v in roads[beside] if v not in {"Sigy", MIDWAY, *roads["Sigy"], *roads[MIDWAY]})
    unknown = [f"control {MIDWAY}", f"control {beside}", f"building {beyond}", "first", "spouse Blanche"]
    assert GAME.unknowns
    far = [GAME.unknowns.distance(state, move, each) for each in unknown]
    assert far[1:3] == [1, 2] and far == sorted(far)
    assert GAME.unknowns.distance(state, move, "place Arthur") == far[0]


def test_what_cannot_be_unknown() -> None:
    """What is known is not unknown as well; what only another phase has is nothing, and is not asked for."""
    setup, move = read_setup(GAME, SETUP), GAME.read("next")
    with pytest.raises(Malformed) as refused:
        ask(setup, COUPLE | {"control": {"red": ["Sigy"]}, "villages": {"Sigy": "?"}}, move)
    assert (refused.value.code, refused.value.pointer) == ("known_already", "/villages/Sigy")
    assert ask(setup, COUPLE | {"phase": "king", "turn": "?", "moved": "?"}, move).verdict.legal


def test_villages_told_one_by_one() -> None:
    """A village that is told of by itself is the same as one in the lists, and is looked through for problems."""
    setup = read_setup(GAME, SETUP)
    lists = read({"control": {"red": ["Sigy"], "blue": ["Blaye"]}, "castles": ["Sigy"], "cities": ["Blaye"]})
    alone = {"Sigy": {"controller": "red", "building": "castle"}, "Blaye": {"controller": "blue", "building": "city"}}
    assert GAME.enter(setup, read({"villages": alone})) == GAME.enter(setup, lists)
    twice = read({"control": {"red": ["Sigy"]}, "villages": {"Sigy": {"controller": "blue"}, "Nowhere": {}}})
    assert {f.facts.code for f in GAME.problems(setup, twice)} == {"position_village_twice", "position_no_village"}


def test_a_stranger_may_have_the_card_of_arc() -> None:
    """`FI-54`: there is one such card. A woman whom nobody has entered may have it, if there is one in play."""
    setup, jeanne = read_setup(GAME, SETUP), {"name": "Jeanne", "player": "red", "place": "Sigy"}
    partial = BUYS | {"turn": "red", "rest": "unknown", "lords": [ARTHUR, BLANCHE, jeanne]}
    answer = ask(setup, partial, GAME.read("darc Jeanne"))
    assert (answer.verdict.ruling, answer.needs) == (Ruling.UNPROVEN, ("lords",))
    others = [name for name in LORDS.women if name not in ("Blanche", "Jeanne")]
    assert ask(setup, partial | {"absent": others}, GAME.read("darc Jeanne")).verdict.legal


def test_lords_who_were_not_entered_may_have_any_strength() -> None:
    """`FI-73`: sums of 18 take three ordinary dice, which 16 points throw. Lords with titles may have these. No dice
    give 12 and 1: with a least sum of 1 or 0, three battle dice at most are thrown, and give at most 9.
    """
    setup, partial = read_setup(GAME, SETUP), FIGHTS | {"turn": "red", "rest": "unknown"}
    assert ask(setup, partial, GAME.read("attack Bourg Red>Blue 18:18")).verdict.ruling is Ruling.UNPROVEN
    assert ask(setup, partial, GAME.read("attack Bourg Red>Blue 12:1")).verdict.ruling is Ruling.ILLEGAL
    alone = COUPLE | partial | {"absent": [name for name in (*LORDS.men, *LORDS.women) if name not in PAIR]}
    assert ask(setup, alone, GAME.read("attack Bourg Red>Blue 18:18")).verdict.ruling is Ruling.ILLEGAL
