"""Fief: the rulebook's table of contents: which rules are heard on each kind of move, in each phase."""

from __future__ import annotations

from typing import Any

from rules.defaults import game_over_rule, not_due
from rules.fief import marches, marriages, moves, papacy, rounds, victory, votes
from rules.fief.combats import camps, conquest, dice, sieges
from rules.fief.deaths import heirs, murders
from rules.fief.elections import eligibility, vacancies, voting
from rules.fief.moves import AT_ANY_TIME, KINDS, OF_PHASE, Move
from rules.fief.purchases import cardinals, castles, gifts, lord_cards, purse, titles
from rules.fief.state import PHASES, State
from rules.kernel import Rule

Row = tuple[Rule[State, Any], ...]
PRICE = Rule("FI-50", purse.can_afford)
NO_WAY = ("FI-3", "FI-60")
"""The rules that the steps of a move and the consents presuppose."""

ROWS: dict[type[Move], Row] = {
    moves.Marry: (Rule("FI-10", marriages.may_marry),),
    votes.Bishop: (
        Rule("FI-20", vacancies.due_bishop),
        Rule("FI-21", eligibility.may_stand, ("FI-20",)),
        Rule("FI-22", voting.may_vote, ("FI-20",)),
    ),
    votes.Pope: (
        Rule("FI-30", vacancies.due_pope, counts=vacancies.cardinal_count),
        Rule("FI-31", voting.may_vote, ("FI-30",)),
        Rule("FI-95", voting.excommunicated_voter, ("FI-30",)),
        Rule("FI-30", eligibility.may_stand, ("FI-30",)),
    ),
    votes.King: (
        Rule("FI-40", vacancies.due_king, counts=vacancies.titled_lord_count),
        Rule("FI-41", eligibility.may_stand, ("FI-40",)),
        Rule("FI-42", voting.may_vote, ("FI-40",)),
        Rule("FI-95", voting.excommunicated_voter, ("FI-40",)),
    ),
    moves.BuyCastle: (PRICE, Rule("FI-51", castles.castle_site, counts=castles.castle_count)),
    moves.BuyCard: (PRICE,),
    moves.BuyTitle: (PRICE, Rule("FI-52", titles.meets_title_conditions, counts=titles.city_count)),
    moves.BuyCardinal: (PRICE, Rule("FI-53", cardinals.may_be_cardinal)),
    moves.PlayLord: (Rule("FI-54", lord_cards.may_enter),),
    moves.PlayCardinal: (
        Rule("FI-53", cardinals.may_be_cardinal),
        Rule("FI-54", cardinals.card_available, counts=cardinals.card_count),
    ),
    moves.PlayArc: (Rule("FI-54", lord_cards.may_be_arc),),
    moves.Give: (
        Rule("FI-3", gifts.in_their_part),
        Rule("FI-52", gifts.grant, ("FI-3",), gifts.granted_city_count),
        Rule("FI-55", gifts.royal, ("FI-3",)),
        Rule("FI-56", gifts.within_a_family, ("FI-3",)),
    ),
    moves.Cede: (Rule("FI-3", gifts.when_exchanged), Rule("FI-57", gifts.may_cede, ("FI-3",))),
    moves.March: (
        Rule("FI-3", marches.own_lords),
        Rule("FI-60", marches.on_roads, ("FI-3",)),
        Rule("FI-62", marches.may_go_on, NO_WAY),
        Rule("FI-63", marches.may_set_out, NO_WAY),
        Rule("FI-77", sieges.may_leave_siege, NO_WAY),
        Rule("FI-60", marches.far_enough, NO_WAY, marches.step_count),
    ),
    moves.Attack: (
        Rule("FI-3", camps.player_leads_attack),
        Rule("FI-70", camps.may_attack, ("FI-3",)),
        Rule("FI-73", dice.possible_dice, ("FI-3", "FI-70")),
    ),
    moves.Siege: (Rule("FI-77", sieges.may_besiege),),
    moves.Take: (not_due("FI-75", "not_due"),),
    moves.Inherit: (not_due("FI-92", "not_due"),),
    moves.Assassin: (Rule("FI-90", murders.may_murder),),
    moves.Justice: (Rule("FI-90", murders.may_be_judged),),
    moves.Excommunicate: (Rule("FI-95", papacy.may_excommunicate),),
    moves.Absolve: (Rule("FI-95", papacy.may_absolve),),
    moves.Annul: (Rule("FI-95", papacy.may_annul),),
    moves.Next: (),
}
"""The rules that are heard on each kind of move in its own phase."""

WRONG_PHASE: Row = (Rule("FI-3", rounds.wrong_phase),)
TITLE_FIRST: Row = (Rule("FI-75", conquest.first_take),)
HEIR_FIRST: Row = (Rule("FI-92", heirs.first_heir),)
OVER: Row = (Rule("FI-81", victory.game_over), game_over_rule("FI-82", victory.game_end, "over"))


def _row(phase: str, kind: type[Move]) -> Row:
    if kind is moves.Next:
        rule = rounds.ELECTIONS.get(phase)
        return (Rule(rule, rounds.election_first),) if rule else ()
    if kind in (*AT_ANY_TIME, moves.Take, moves.Inherit) or kind in OF_PHASE[phase]:
        return ROWS[kind]
    return WRONG_PHASE


BOOK: dict[tuple[str, type], Row] = {
    **{(phase, kind): _row(phase, kind) for phase in PHASES for kind in KINDS.values()},
    **{("over", kind): OVER for kind in KINDS.values()},
    **{("take", kind): TITLE_FIRST for kind in KINDS.values()},
    **{("heir", kind): HEIR_FIRST for kind in KINDS.values()},
    ("take", moves.Take): (Rule("FI-75", conquest.may_take),),
    ("heir", moves.Inherit): (Rule("FI-92", heirs.may_inherit),),
}
