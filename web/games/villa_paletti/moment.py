"""The moment of an entered position of Villa Paletti: whose turn, and which parts of it are over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.forms import is_unknown
from rules.villa_paletti import GAME
from service.i18n.sentences import Words
from web.game_pages import Choice, ChoiceGroup, Entered
from web.games.villa_paletti.entry import NOT_KNOWN, is_question, state_of, unknown_choice
from web.games.villa_paletti.symbols import icon

THREE = 3
"""So many play with a neutral colour, and have a turn of two parts."""


def moment(entered: Entered, said: Words) -> Sequence[ChoiceGroup]:
    """Who is in turn; with a neutral colour, whether its part is over; whether a floor was asked for already."""
    found = [ChoiceGroup(said.say("board", "moment_due"), tuple(_due(entered, said)))]
    if len(entered.setup.players) == THREE:
        found.append(ChoiceGroup(said.say("board", "moment_part"), tuple(_parts(entered, said))))
    return found


def _due(entered: Entered, said: Words) -> Iterator[Choice]:
    unknown = is_unknown(entered.position.due)
    in_turn = None if unknown else GAME.due(state_of(entered)).seat
    for player in entered.setup.players:
        now = entered.having(due=player.colour)
        yield Choice(said.player(player.colour), icon("column", player.colour), now, player.colour == in_turn)
    if is_question(entered.position):
        yield unknown_choice(said, entered.having(due=NOT_KNOWN), chosen=unknown)


def _parts(entered: Entered, said: Words) -> Iterator[Choice]:
    for part in ("turn", "own"):
        now = entered.having(part=part)
        yield Choice(said.say("board", f"moment_{part}"), icon("neutral", None), now, now == entered)
    if is_question(entered.position):
        yield unknown_choice(said, entered.having(part=NOT_KNOWN), chosen=is_unknown(entered.position.part))
