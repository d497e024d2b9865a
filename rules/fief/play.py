"""Fief: setup, and the changes of each kind of move. `apply` does not check whether a move is allowed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.fief import marches, marriages, moves, offices, papacy, rounds, votes
from rules.fief.combats import conquest, sieges
from rules.fief.data import Land, land
from rules.fief.deaths import heirs, murders
from rules.fief.moves import Move
from rules.fief.purchases import cardinals, castles, gifts, lord_cards, purse, titles
from rules.fief.state import PLAYERS, READINGS, Lord, Setup, State
from rules.forms import Malformed, chosen_readings
from rules.kernel import Seat

FIRST_RULES = "1"
OF_THE_POPE = (moves.Excommunicate, moves.Absolve, moves.Annul)
"""The powers of the pope (`FI-95`)."""


# --- setup (FI-1) ------------------------------------------------------------------------------------------------


def setup(form: Setup) -> State:
    """Each player with a lord in a village of their own. Raises `Malformed`, with the field, if that is impossible."""
    board = land(form.data)
    _check_players(form, board)
    colours = tuple(player.colour for player in form.players)
    return State(
        land=board,
        colours=colours,
        first=colours[0],
        control={player.village: player.colour for player in form.players},
        lords={player.lord: Lord(player.colour, player.village) for player in form.players},
        readings=chosen_readings(READINGS, form.readings),
    )


def migrate(state: State, rules_version: str) -> State:
    """`FI-71`: in tables of the first rules an army of the dead attacks with all lay titles, not only the fief's."""
    return state._replace(lay_armies=True) if rules_version == FIRST_RULES else state


def _check_players(form: Setup, board: Land) -> None:
    if len(form.players) not in PLAYERS:
        raise Malformed("players", "/players", n=len(form.players))
    for number, player in enumerate(form.players):
        before, pointer = form.players[:number], f"/players/{number}"
        if player.colour in {other.colour for other in before}:
            raise Malformed("colour_twice", f"{pointer}/colour", colour=player.colour)
        if not board.is_lord(player.lord):
            raise Malformed("no_lord", f"{pointer}/lord", text=player.lord)
        if player.village not in board.fief_of:
            raise Malformed("no_village", f"{pointer}/village", text=player.village)
        if player.lord in {other.lord for other in before}:
            raise Malformed("twice", f"{pointer}/lord", text=player.lord)
        if player.village in {other.village for other in before}:
            raise Malformed("twice", f"{pointer}/village", text=player.village)


def seats_of(state: State) -> tuple[Seat, ...]:
    """The players, clockwise from the one who was first at the start."""
    return state.colours


# --- what a move does --------------------------------------------------------------------------------------------


EFFECTS: Mapping[type[Move], Callable[[State, Any], State]] = {
    moves.Marry: marriages.marry_lords,
    votes.Bishop: offices.elect_bishop,
    votes.Pope: offices.elect_pope,
    votes.King: offices.elect_king,
    moves.BuyCastle: castles.build_castle,
    moves.BuyCard: purse.pay_price,
    moves.BuyTitle: lambda state, move: titles.assign_title(purse.pay_price(state, move), move),
    moves.BuyCardinal: cardinals.make_cardinal,
    moves.PlayLord: lord_cards.bring_in_lord,
    moves.PlayCardinal: cardinals.make_cardinal,
    moves.PlayArc: lord_cards.play_arc_card,
    moves.Give: gifts.give_title,
    moves.Cede: gifts.cede_village,
    moves.March: marches.march_lords,
    moves.Attack: conquest.resolve_attack,
    moves.Siege: sieges.lay_siege,
    moves.Take: conquest.take_title,
    moves.Inherit: heirs.name_heir,
    moves.Assassin: murders.commit_murder,
    moves.Justice: murders.do_justice,
    moves.Excommunicate: papacy.excommunicate_lord,
    moves.Absolve: papacy.lift_excommunication,
    moves.Annul: papacy.annul_marriage,
    moves.Next: rounds.advance,
}


def apply(state: State, move: Move) -> State:
    """The state after a move. Sieges without a besieger end."""
    after = EFFECTS[type(move)](state, move)
    return sieges.lift_sieges(after) if after.sieges else after


# --- whose a move is ---------------------------------------------------------------------------------------------


def owner_of(state: State, move: Move) -> Seat | None:
    """The player whose move it is, if the move says so.

    A village is its controller's to give (`FI-57`), a fief its giver's player's (`FI-55`); a murder is the player's
    whose lord is behind it (`FI-90`); the powers of the pope are his player's (`FI-95`). Justice is played by anybody.
    An attack is led by the player who names the camps, and a lord is moved by his player.
    """
    if isinstance(move, moves.Cede):
        return state.control.get(move.village)
    player = None
    if isinstance(move, moves.Attack):
        player = move.attackers[0]
    elif isinstance(move, moves.Assassin):
        player = move.player
    if player is not None:
        return player if player in state.colours else None
    lord = state.lords.get(_leader(state, move) or "")
    return lord.player if lord is not None else None


def _leader(state: State, move: Move) -> str | None:
    """The lord who acts in a move, if one does."""
    if isinstance(move, moves.March):
        return move.lords[0]
    if isinstance(move, moves.Assassin):
        return move.by
    if isinstance(move, moves.Give):
        return gifts.giver(state, move)
    return state.pope if isinstance(move, OF_THE_POPE) else None
