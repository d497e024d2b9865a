"""Villa Paletti, where in the game an entered position is: whose turn, and what of it is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.villa_paletti import GAME
from service.texts import Words, words
from web.games.villa_paletti.symbols import icon
from web.kernel import Choice, ChoiceGroup, Entered

THREE = 3
"""So many play with a neutral colour, and have a turn of two parts."""


def moment(entered: Entered, language: str) -> Sequence[ChoiceGroup]:
    """Who is in turn; with a neutral colour, whether its part is over; whether a floor was asked for already."""
    said = words(language, GAME.id)
    found = [ChoiceGroup(said.say("board", "moment_due"), tuple(_due(entered, said)))]
    if len(entered.setup.players) == THREE:
        found.append(ChoiceGroup(said.say("board", "moment_part"), tuple(_parts(entered, said))))
    return found


def _due(entered: Entered, said: Words) -> Iterator[Choice]:
    in_turn = GAME.due(GAME.enter(entered.setup, entered.position)).seat
    for player in entered.setup.players:
        now = entered.having(due=player.colour)
        yield Choice(said.name(player.colour), icon("column", player.colour), now, player.colour == in_turn)


def _parts(entered: Entered, said: Words) -> Iterator[Choice]:
    for part in ("turn", "own"):
        now = entered.having(part=part)
        yield Choice(said.say("board", f"moment_{part}"), icon("neutral", None), now, now == entered)
