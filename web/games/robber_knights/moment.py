"""The moment of an entered position of Robber Knights: whose turn, and how many tiles were laid in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.robber_knights import GAME
from rules.robber_knights.moves import MAX_IN_A_TURN
from rules.robber_knights.unknowns import UNKNOWNS
from service.i18n.sentences import Words
from web.game_pages import Choice, ChoiceGroup, Entered
from web.games.robber_knights.symbols import icon


def moment(entered: Entered, said: Words) -> Sequence[ChoiceGroup]:
    """Who is in turn, and the tiles laid in the turn."""
    return (
        ChoiceGroup(said.say("board", "moment_due"), tuple(_due(entered, said))),
        ChoiceGroup(said.say("board", "moment_laid"), tuple(_placement_choices(entered, said))),
    )


def _due(entered: Entered, said: Words) -> Iterator[Choice]:
    in_turn = GAME.due(GAME.enter(entered.setup, UNKNOWNS.known(entered.setup, entered.position))).seat
    for player in entered.setup.players:
        now = entered.having(due=player.colour)
        yield Choice(said.player(player.colour), icon("knight", player.colour), now, player.colour == in_turn)


def _placement_choices(entered: Entered, said: Words) -> Iterator[Choice]:
    for number in range(MAX_IN_A_TURN):
        now = entered.having(placed=number)
        yield Choice(said.say("board", "moment_n", {"n": number}), icon("tile", None), now, now == entered)
