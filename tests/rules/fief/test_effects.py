"""What a move in Fief brings about: what is told is what changes on the table, with figures counted another way.

The figures are those of the naive computation (`oracle`, `battle`), which reads nothing but the JSON of a position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest

from rules.effects import effects_of
from rules.fief import GAME
from rules.fief.moves import Attack
from rules.fief.state import PHASES
from rules.kernel import Effect
from tests.rules.fief import battle, oracle
from tests.rules.fief.oracle import Json, Table
from tests.rules.fief.tables import election, in_phase, position_json
from tests.rules.play import every_nth_step

ELECTIONS = 100
"""Positions of each phase in which votes are cast by chance."""
SOME = 20
"""Positions by chance of each phase in which moves are tried, …"""
FIRST = 60
"""… one by chance of the first moves of each kind that is due."""
ONE_VILLAGE = {"FI-57.from", "FI-57.free", "FI-75.village", "FI-75.castle", "FI-75.city", "FI-55.with_city"}
VILLAGES = {"FI-61", "FI-75.villages"}
"""What tells of villages that change hands: each of one, or of several."""
EXPECTED_EFFECTS = {
    "FI-57.from",
    "FI-61",
    "FI-75.village",
    "FI-75.castle",
    "FI-75.city",
    "FI-74.dead",
    "FI-90.murdered",
    "FI-50.paid",
}
"""What is told in the positions by chance, whatever the games are."""
DEAD = {"FI-74.dead", "FI-90.murdered", "FI-90.judged"}
CROWN_EFFECTS = {"FI-42.elected", "FI-94.king"}
HOLDER = {"FI-52.title", "FI-55.title", "FI-56.title", "FI-75.takes"}
HEIR = {"FI-92.inherits", "FI-92.widow"}
OWN_PIECE: Mapping[str, set[str]] = {
    "move": {"lords", "moved", "arrivals"},
    "next": {"turn", "attacked"},
}
"""What a kind of move changes by itself, where it may tell nothing: the fields of a position."""

EffectValues = Mapping[str, list[Mapping[str, Any]]]
"""The values of effects, by rule and code."""


def told_of(state: Any, move: Any) -> EffectValues:
    """What a move brings about."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for effect in GAME.effects(state, move, GAME.apply(state, move)):
        found.setdefault(name_of(effect), []).append(effect.facts.values)
    return found


def name_of(effect: Effect) -> str:
    """A rule and its code."""
    return f"{effect.rule}.{effect.facts.code}".rstrip(".")


def values_of(told: EffectValues, names: set[str], value: str) -> list[str]:
    """One value of all effects of these names, as plain names; of several in one effect each."""
    found = [values[value] for name in names for values in told.get(name, ())]
    return [str(item) for each in found for item in (each if isinstance(each, tuple) else (each,))]


def figures(values: Mapping[str, Any], name: str) -> dict[str, int]:
    """The numbers of a list of figures, of each name together."""
    found: Counter[str] = Counter()
    for each in values[name]:
        found[str(each)] += each.values["n"]
    return found


# --- the figures -----------------------------------------------------------------------------------------------------

RULES = {"bishops": "FI-22", "pope": "FI-31", "king": "FI-42"}


def votes_there_are(table: Table, position: Json, phase: str) -> dict[str, int]:
    """Every voter, and how many votes the naive computation gives."""
    if phase == "bishops":
        number = oracle.bishopric_due(table, position) or 0
        return {player: n for player in table.colours if (n := oracle.votes(table, position, number, player))}
    lords = [lord for lord in position["lords"] if phase == "king" or lord.get("cardinal")]
    return {lord["name"]: 1 for lord in lords if oracle.has_title(position, lord) and not lord["excommunicated"]}


def candidates_of(table: Table, position: Json, phase: str) -> list[str]:
    """Who may stand."""
    may: dict[str, Callable[[Json], bool]] = {
        "bishops": lambda lord: oracle.may_be_bishop(table, lord),
        "pope": oracle.may_be_pope,
        "king": lambda lord: oracle.may_be_king(table, position, lord),
    }
    return [lord["name"] for lord in position["lords"] if may[phase](lord)]


@pytest.mark.parametrize("phase", RULES)
def test_every_vote_is_told_once(phase: str) -> None:
    """The votes of the candidates, and the abstentions, are all the votes that there are, each with its voter."""
    seen: Counter[str] = Counter()
    for table, state, position, chance in in_phase(phase):
        votes = votes_there_are(table, position, phase)
        eligible = candidates_of(table, position, phase)
        number = oracle.bishopric_due(table, position)
        if not eligible or not votes or (phase == "bishops" and number is None):
            continue
        head = f"bishop {number}" if phase == "bishops" else phase
        notation, standing, ballots = election(chance, head, [voter.capitalize() for voter in votes], eligible)
        told, rule = told_of(state, GAME.read(notation)), RULES[phase]
        chosen = {voter.lower() if phase == "bishops" else voter: choice for voter, choice in ballots.items()}
        counted = dict.fromkeys(standing, 0)
        for voter, choice in chosen.items():
            counted[choice] += votes[voter]
        for values in told.get(f"{rule}.votes", []):
            assert values["n"] == counted[str(values["lord"])]
            assert {str(voter) for voter in values["voters"]} == {
                v for v, name in chosen.items() if name == values["lord"]
            }
        assert len(told.get(f"{rule}.votes", [])) == len([n for n in counted.values() if n])
        if ballots or len(standing) > 1:
            assert set(values_of(told, {f"{rule}.abstained"}, "voters")) == votes.keys() - chosen.keys()
        for values in told.get("FI-22.voter", []):
            assert sum(figures(values, "parts").values()) == values["n"] == votes[values["voter"]]
        seen.update(told.keys())
    assert seen[f"{rule}.votes"] and seen[f"{rule}.abstained"] and seen[f"{rule.replace('22', '23')}.elected"]


def test_the_sums_of_a_battle_are_told_line_by_line() -> None:
    """The lines of a camp add up to the strength of the naive computation, and with the dice to the total."""
    seen = set()
    for table, state, position, chance in in_phase("combats"):
        others = [player for player in table.colours if player != position["turn"]]
        village = chance.choice([lord["place"] for lord in position["lords"]] or list(table.villages))
        fight = battle.Fight(village, [position["turn"]], chance.sample(others, chance.randint(1, 2)))
        strengths = battle.strengths(table, position, fight)
        if not battle.may_fight(table, position, fight):
            continue
        _, least, most = battle.dice_of(max(strengths))
        dice = chance.randint(least, most), chance.randint(least, most)
        lead = strengths[0] - strengths[1]
        if chance.random() < 0.3 and least + abs(lead) <= most:
            dice = least + max(-lead, 0), least + max(lead, 0)
        camps = [",".join(player.capitalize() for player in side) for side in (fight.attackers, fight.enemies)]
        told = told_of(state, GAME.read(f"attack {village} {camps[0]}>{camps[1]} {dice[0]}:{dice[1]}"))
        for camp, strength, thrown in zip(("attack", "defence"), strengths, dice, strict=True):
            [values] = [each for name in (camp, f"{camp}_none") for each in told.get(f"FI-71.{name}", [])]
            assert sum(figures(values, "parts").values()) == values["strength"] == strength
            assert (values["dice"], values["total"]) == (thrown, strength + thrown)
        one, other = strengths[0] + dice[0], strengths[1] + dice[1]
        code = "attack_won" if one > other else "attack_lost" if one < other else "even"
        [values] = told[f"FI-74.{code}"]
        assert (values["attack"], values["defence"]) == (one, other)
        seen.add(code)
    assert seen == {"attack_won", "attack_lost", "even"}


# --- what changes ----------------------------------------------------------------------------------------------------


class MoveTrial(NamedTuple):
    """A move that was tried, with the table before and after, and what it brings about."""

    state: Any
    move: Any
    before: Json
    after: Json
    effects: EffectValues


@cache
def move_trials() -> tuple[MoveTrial, ...]:
    """Moves of the shared games, and legal moves in positions by chance, of each kind that is due there."""
    steps = [step for step in every_nth_step(GAME, 5) if step[1] is not None]
    for phase in PHASES:
        for _, state, _, chance in islice(in_phase(phase), SOME):
            steps += ((state, move) for move in of_each_kind(state, chance))
    return tuple(
        MoveTrial(state, move, position_json(state), position_json(GAME.apply(state, move)), told_of(state, move))
        for state, move in steps
    )


def of_each_kind(state: Any, chance: Random) -> Iterator[Any]:
    """A legal move of each kind that is due."""
    for kind in GAME.due(state).kinds:
        legal = list(islice(GAME.moves(state, (kind,)), FIRST))
        if legal:
            yield chance.choice(legal)
        attacks = [move for move in legal if isinstance(move, Attack)]
        armies = {army.place for army in state.armies}
        for places in (state.buildings, armies):
            there = [move for move in attacks if move.village in places]
            if there:
                yield chance.choice(there)


def who_controls(position: Json) -> dict[str, str]:
    """The controller of each village."""
    return {village: player for player, villages in position["control"].items() for village in villages}


def held_by(position: Json, mark: str) -> set[str]:
    """The lords who have a mark."""
    return {lord["name"] for lord in position["lords"] if lord[mark]}


def holders(position: Json) -> dict[str, str]:
    """The holder of each fief."""
    return {fief: lord["name"] for lord in position["lords"] for fief in lord["fiefs"]}


def test_what_changes_is_told() -> None:
    """Villages, the dead, titles, crown and purse: what is told is the difference of the two tables."""
    seen: Counter[str] = Counter()
    for _, move, before, after, told in move_trials():
        was, now = who_controls(before), who_controls(after)
        villages = values_of(told, ONE_VILLAGE, "village") + values_of(told, VILLAGES, "villages")
        taken = {village for village, player in now.items() if was.get(village) != player}
        assert sorted(villages) == sorted(taken), (before, move)
        gone = {lord["name"] for lord in before["lords"]} - {lord["name"] for lord in after["lords"]}
        dead = values_of(told, {"FI-74.dead"}, "lords") + values_of(told, DEAD - {"FI-74.dead"}, "lord")
        assert sorted(dead) == sorted(gone)
        assert values_of(told, CROWN_EFFECTS, "lord") == sorted(held_by(after, "king") - held_by(before, "king"))
        assert values_of(told, {"FI-94.regent"}, "lord") == sorted(held_by(after, "regent") - held_by(before, "regent"))
        assert values_of(told, {"FI-31.elected", "FI-31.alone"}, "lord") == sorted(
            held_by(after, "pope") - held_by(before, "pope")
        )
        new = {fief: lord for fief, lord in holders(after).items() if holders(before).get(fief) != lord}
        given = {str(each["title"]): str(each["lord"]) for name in HOLDER for each in told.get(name, ())}
        given |= {str(t): str(each["lord"]) for name in HEIR for each in told.get(name, ()) for t in each["titles"]}
        assert given == new, (before, move)
        for values in told.get("FI-50.paid", []):
            colour = values["colour"]
            assert values["left"] == after["income"][colour] - after["spent"][colour]
            assert values["price"] == after["spent"][colour] - before["spent"].get(colour, 0)
        seen.update(told.keys())
    assert seen.keys() >= EXPECTED_EFFECTS


def test_what_each_is_short_of_is_told_where_it_changes() -> None:
    """Whoever lacks another number of points than before is told with it, and nobody else."""
    heard = 0
    for state, move, before, after, told in move_trials():
        anyone = state.readings["solo_victory"] == "anyone"
        short = [
            {
                player: max(3 - oracle.points(position, player), 0)
                for player in state.colours
                if anyone or oracle.ally(position, player) is None
            }
            for position in (before, after)
        ]
        found = {each["colour"]: each["n"] for name in ("short", "enough") for each in told.get(f"FI-81.{name}", ())}
        assert found == {player: n for player, n in short[1].items() if short[0].get(player) != n}, (before, move)
        heard += len(found)
    assert heard


def test_a_move_that_tells_nothing_changes_its_own_piece_alone() -> None:
    """Silence means that lords have moved, that a part is over, and nothing else."""
    silent: Counter[str] = Counter()
    for state, move, before, after, _ in move_trials():
        if not effects_of(GAME, state, move, GAME.apply(state, move)):
            changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
            assert changed <= OWN_PIECE[move.kind], (before, move)
            silent[move.kind] += 1
    assert silent.keys() >= {"move", "next"}


# --- what readings decide --------------------------------------------------------------------------------------------


def deciding(state: Any, move: Any) -> set[str]:
    """The readings under another value of which a move leaves another table; it tells something else there."""
    after = GAME.apply(state, move)
    told, found = GAME.effects(state, move, after), set()
    for key, value in ((reading.key, value) for reading in GAME.readings for value in reading.values):
        other = GAME.with_readings(state, {key: value})
        then = GAME.apply(other, move)
        if then._replace(readings=state.readings) != after:
            assert GAME.effects(other, move, then) != told, (position_json(state), move, key, value)
            found.add(key)
    return found


def test_a_reading_that_changes_what_a_move_does_changes_what_is_told() -> None:
    """Where a move leaves another table under another value of a reading, it tells something else there."""
    seen = {key for state, move, *_ in move_trials() for key in deciding(state, move)}
    assert seen >= {"city_falls", "dead_army", "churchman_prince"}


def test_a_reading_that_decides_an_election_changes_what_is_told() -> None:
    """Votes by chance for one of up to three candidates, in every office."""
    seen: set[str] = set()
    for phase in RULES:
        for table, state, position, chance in in_phase(phase, ELECTIONS):
            number, voters = oracle.bishopric_due(table, position), votes_there_are(table, position, phase)
            eligible = candidates_of(table, position, phase)
            if eligible and voters and (phase != "bishops" or number):
                head = f"bishop {number}" if phase == "bishops" else phase
                notation, *_ = election(chance, head, [voter.capitalize() for voter in voters], eligible)
                seen |= deciding(state, GAME.read(notation))
    assert seen >= {"church_votes", "pope_quorum"}
