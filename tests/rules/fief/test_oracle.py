"""What the rules of Fief say is what a second, naive computation says: in random games and in positions by chance.

The computation (`oracle`, `battle`, `deaths`, `market`) reads nothing but the JSON of the position and shares no code
with the rules.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rules.fief import GAME
from rules.fief.state import PHASES
from rules.kernel import Ruling, Verdict
from tests.rules.fief import battle, deaths, market, oracle
from tests.rules.fief.oracle import Json, Table
from tests.rules.fief.tables import SHAKEN, election, in_phase, position_json, table_and_setup
from tests.rules.play import often, random_game
from tests.support.loops import over

GAMES = often(12)
"""Random games that are looked at."""
EACH_GAME = pytest.mark.parametrize("seed", range(GAMES))


def ask(state: Any, notation: str) -> Verdict:
    """The verdict on a move."""
    return GAME.check(state, GAME.read(notation))


def facts_of(verdict: Verdict, rule: str) -> dict[str, Any]:
    """The values that a rule gives with its verdict."""
    [found] = [dict(finding.facts.values) for finding in verdict.findings if finding.rule == rule]
    return found


def after(state: Any, *notations: str) -> Any:
    """The state after some moves."""
    for notation in notations:
        state = GAME.apply(state, GAME.read(notation))
    return state


def holders(state: Any, title: str) -> list[str]:
    """The lords who have a title."""
    return [lord["name"] for lord in position_json(state)["lords"] if lord[title]]


# --- elections -------------------------------------------------------------------------------------------------------


def test_votes_of_a_bishopric() -> None:
    """Who may stand, how many votes a player has, and who is bishop."""
    held = 0
    for table, state, position, chance in in_phase("bishops"):
        number = oracle.bishopric_due(table, position)
        assert ask(state, "next").legal == (number is None)
        if number is None:
            continue
        eligible = [lord["name"] for lord in position["lords"] if oracle.may_be_bishop(table, lord)]
        for lord in position["lords"]:
            assert ask(state, f"bishop {number}: {lord['name']}").legal == (lord["name"] in eligible)
        if not eligible:
            continue
        votes = {player: oracle.votes(table, position, number, player) for player in table.colours}
        able = [player.capitalize() for player, n in votes.items() if n]
        notation, candidates, ballots = election(chance, f"bishop {number}", able, eligible)
        tally = dict.fromkeys(candidates, 0)
        for voter, choice in ballots.items():
            tally[choice] += votes[voter.lower()]
        elected = oracle.most(tally)
        said = facts_of(ask(state, notation), "FI-22")
        assert (said.get("elected"), said.get("n")) == (elected, tally[elected] if elected else None)
        found = [lord["name"] for lord in position_json(after(state, notation))["lords"] if number in lord["bishop"]]
        assert found == ([elected] if elected else [])
        held += 1
    assert held > SHAKEN // 10


def test_election_of_a_pope() -> None:
    """When it is due, who may stand, and who is pope."""
    held = 0
    for table, state, position, chance in in_phase("pope"):
        due = oracle.pope_due(position)
        assert ask(state, "next").legal == (not due)
        for lord in position["lords"]:
            assert ask(state, f"pope: {lord['name']}").legal == (due and oracle.may_be_pope(lord))
        if not due:
            continue
        voters = [lord["name"] for lord in oracle.cardinals(position)]
        eligible = [lord["name"] for lord in position["lords"] if oracle.may_be_pope(lord)]
        notation, candidates, ballots = election(chance, "pope", voters, eligible)
        elected = oracle.pope_of(table, candidates, list(ballots.values()))
        assert facts_of(ask(state, notation), "FI-31").get("elected") == elected
        assert holders(after(state, notation), "pope") == ([elected] if elected else [])
        held += 1
    assert held > SHAKEN // 10


def test_election_of_a_king() -> None:
    """When it is due, who may stand, and who is king; the regent is not any more then."""
    held = 0
    for table, state, position, chance in in_phase("king"):
        due = oracle.king_due(table, position)
        assert ask(state, "next").legal == (not due)
        eligible = [lord["name"] for lord in position["lords"] if oracle.may_be_king(table, position, lord)]
        for lord in position["lords"]:
            assert ask(state, f"king: {lord['name']}").legal == (due and lord["name"] in eligible)
        if not due or not eligible:
            continue
        titled = [lord for lord in position["lords"] if oracle.has_title(position, lord)]
        voters = [lord["name"] for lord in titled if not lord["excommunicated"]]
        notation, candidates, ballots = election(chance, "king", voters, eligible)
        tally = {name: list(ballots.values()).count(name) for name in candidates}
        ahead = oracle.most(tally)
        behind = [voter for voter, choice in ballots.items() if choice == ahead]
        elected = ahead if ahead and oracle.carries(table, position, behind) else None
        assert facts_of(ask(state, notation), "FI-42").get("elected") == elected
        then = after(state, notation)
        assert holders(then, "king") == ([elected] if elected else [])
        assert holders(then, "regent") == ([] if elected else holders(state, "regent"))
        held += 1
    assert held > SHAKEN // 10


# --- incomes, points, who wins ---------------------------------------------------------------------------------------


def test_incomes() -> None:
    """The incomes of all players as the purchases begin."""
    for table, state, position, _ in over(in_phase("king")):
        incomes = {player: oracle.income(table, position, player) for player in table.colours}
        begun = after(state, "next")
        assert position_json(begun)["income"] == incomes
        first = incomes[position["first"]]
        verdict = ask(begun, "buy card")
        assert verdict.legal == (first >= facts_of(verdict, "FI-50")["price"])
        assert facts_of(verdict, "FI-50")["income"] == first


def totals(state: Any) -> dict[str, int]:
    """The points of the players, as the score sheet adds them up."""
    found = dict.fromkeys(GAME.seats_of(state), 0)
    for line in GAME.score(state):
        found[line.seat] += line.points
    return found


def agrees_on_victory(table: Table, state: Any, position: Json) -> str:
    """The points of a position and who wins, whatever the phase; the rule by which somebody does."""
    assert totals(state) == {player: oracle.points(position, player) for player in table.colours}
    rule, winners = oracle.victors(table, position)
    found = [(place.place, set(place.seats), place.decided_by) for place in GAME.ranking(state)]
    assert found == oracle.places(table, position)
    assert not rule or found[0][1:] == (winners, rule)
    return rule


def test_points_and_victors() -> None:
    """The points, who wins, and by which rule the game is over when the round ends."""
    seen = set()
    for table, state, position, _ in in_phase("combats"):
        rule = agrees_on_victory(table, state, position)
        over = after(state, *["next"] * len(table.colours))
        ended = GAME.due(over).ended
        assert (ended.rule if ended else "") == rule
        seen.add(rule)
    assert seen == {"FI-81", "FI-82", ""}


# --- marriages and purchases -----------------------------------------------------------------------------------------


def test_marriages() -> None:
    """Who may marry whom."""
    seen = set()
    for table, state, position, _ in in_phase("marriages"):
        for man in position["lords"]:
            for woman in position["lords"]:
                broken = market.marry(table, position, man, woman)
                assert set(ask(state, f"marry {man['name']} {woman['name']}").broken_rules) == broken, (
                    position,
                    man,
                    woman,
                )
                seen |= broken or {""}
    assert seen == {"", "FI-10"}


def test_purchases_cards_and_gifts() -> None:
    """What purchases, cards, gifts and exchanges by chance break, in each way that they can."""
    seen = set()
    for table, state, position, chance in in_phase("purchases"):
        before = market.things(position)
        for tried in market.tries(table, position, chance):
            assert set(ask(state, tried.notation).broken_rules) == tried.broken_rules, (position, tried)
            if not tried.broken_rules:
                found = market.things(position_json(after(state, tried.notation)))
                assert found == before - tried.losses | tried.gains, (position, tried)
            seen |= tried.broken_rules or {""}
    assert seen == {"", "FI-3", "FI-50", "FI-51", "FI-52", "FI-53", "FI-54", "FI-55", "FI-56", "FI-57"}


@pytest.mark.parametrize("phase", PHASES)
def test_exchanges(phase: str) -> None:
    """When, of what and by whom villages are given away: in every phase, or in the purchases."""
    seen = set()
    for table, state, position, chance in in_phase(phase):
        tried = market.cede(table, position, chance.choice(list(table.villages)), chance.choice(table.colours))
        assert set(ask(state, tried.notation).broken_rules) == tried.broken_rules, (position, tried)
        if not tried.broken_rules:
            found = market.things(position_json(after(state, tried.notation)))
            assert found == market.things(position) - tried.losses | tried.gains, (position, tried)
        seen |= tried.broken_rules or {""}
    assert seen == {"", "FI-57"} | ({"FI-3"} if phase != "purchases" else set())


# --- movements and combats -------------------------------------------------------------------------------------------


def walk(table: Table, chance: Random, start: str) -> list[str]:
    """A path by chance, now and then without a road."""
    path = [start]
    for _ in range(chance.choice((1, 2, 2, 3, 4))):
        near = sorted(other for road in table.roads if path[-1] in road for other in road - {path[-1]})
        path.append(chance.choice(near if chance.random() < 0.97 else sorted(table.villages)))
    return path


def try_a_march(table: Table, state: Any, position: Json, chance: Random) -> set[str]:
    """A march by chance in the part of the player in turn breaks what it should."""
    mine = [lord for lord in position["lords"] if lord["player"] == position["turn"]]
    if not mine:
        return set()
    lead = chance.choice(mine)
    party = [lord for lord in mine if lord is lead or (lord["place"] == lead["place"] and chance.random() < 0.3)]
    path = walk(table, chance, lead["place"])
    allowed = chance.sample(table.colours, chance.choice((0, 0, 1, 2)))
    consents = " !" + ",".join(player.capitalize() for player in allowed) if allowed else ""
    notation = f"move {'+'.join(lord['name'] for lord in party)} {'>'.join(path)}{consents}"
    verdict = ask(state, notation)
    broken = oracle.march(table, position, party, path, allowed)
    assert set(verdict.broken_rules) == broken, (position, path, allowed)
    if not broken:
        found = market.things(position_json(after(state, notation)))
        gone, come = oracle.march_changes(position, party, path)
        assert found == market.things(position) - gone | come, (position, notation)
    return broken


def try_an_attack(table: Table, state: Any, position: Json, chance: Random) -> bool:
    """An attack by chance: whether the camps can be so, their strengths, the dice, and what it leaves."""
    colours = list(table.colours)
    others = [player for player in colours if player != position["turn"]]
    chance.shuffle(others)
    enemies = others[: chance.randint(1, 2)]
    allies = [player for player in others[2:] if chance.random() < 0.3]
    village = chance.choice([lord["place"] for lord in position["lords"]] or list(table.villages))
    fight = battle.Fight(village, [position["turn"], *allies], enemies)
    attack, defence = battle.strengths(table, position, fight)
    n, least, most = battle.dice_of(max(attack, defence))
    dice = (chance.randint(max(0, least - 1), most + 1), chance.randint(least, most))
    camps = [",".join(player.capitalize() for player in side) for side in (fight.attackers, enemies)]
    notation = f"attack {village} {camps[0]}>{camps[1]} {dice[0]}:{dice[1]}"
    verdict = ask(state, notation)
    if not battle.may_fight(table, position, fight):
        assert verdict.broken_rules == ("FI-70",), notation
        return False
    said = facts_of(verdict, "FI-73")
    assert (said["attack"], said["defence"], said["n"]) == (attack, defence, n), (position, notation)
    if not least <= dice[0] <= most:
        assert verdict.broken_rules == ("FI-73",)
        assert (said["least"], said["most"]) == (least, most)
        return False
    assert verdict.ruling is Ruling.LEGAL
    then = after(state, notation)
    captured = position_json(then).get("captured")
    if captured:
        assert captured == {"fief": table.villages[village]["fief"], "player": fight.attackers[0]}
        taker = chance.choice(oracle.there(position_json(then), village, fight.attackers[:1]))
        then = after(then, f"take {captured['fief']} {taker['name']}")
    assert battle.outcome_of(position_json(then)) == battle.outcome(table, position, fight, dice), (position, notation)
    return True


def test_marches() -> None:
    """What marches in positions by chance break, in each way that they can."""
    seen = set()
    for table, state, position, chance in in_phase("movements"):
        for _ in range(12):
            seen |= try_a_march(table, state, position, chance) or {""}
    assert seen == {"", "FI-60", "FI-62", "FI-63", "FI-77"}


def test_combats() -> None:
    """Strengths, dice and outcomes of attacks in positions by chance."""
    fought = 0
    for table, state, position, chance in in_phase("combats"):
        for _ in range(8):
            fought += try_an_attack(table, state, position, chance)
    assert fought > SHAKEN


# --- deaths ----------------------------------------------------------------------------------------------------------


def test_deaths() -> None:
    """Who inherits, who is king or regent, and what else a murder changes."""
    for table, state, position, chance in over(in_phase("marriages")):
        victim, other = chance.sample(position["lords"], 2)
        by = {"named": other["name"], "hidden": other["player"].capitalize()}
        then = after(state, f"assassin {victim['name']} by {by[table.readings['assassin_instigator']]}")
        assert deaths.left_by(position_json(then)) == deaths.murder(table, position, victim, other), (position, victim)


# --- in games --------------------------------------------------------------------------------------------------------


@EACH_GAME
def test_random_games(seed: int) -> None:
    """The same at every moment of a random game; and strengths stay what they were when the movements began."""
    chance = Random(seed)
    table, setup = table_and_setup(chance)
    began: dict[str, tuple[int, int]] = {}
    phase = ""
    for state, _ in over(random_game(GAME, chance, setup)):
        position = position_json(state)
        agrees_on_victory(table, state, position)
        if position["phase"] == "movements" != phase:
            began = battle.titles_now(table, position)
        if position["phase"] == "purchases" != phase:
            assert position["income"] == {player: oracle.income(table, position, player) for player in table.colours}
        phase = position["phase"]
        if phase in {"movements", "combats"}:
            now = battle.ranks(table, position)
            assert now == {name: began[name] for name in now}
        if position["ended"] or position["estates"] or position.get("captured"):
            continue
        if phase == "movements":
            try_a_march(table, state, position, chance)
        if phase == "combats":
            try_an_attack(table, state, position, chance)
