"""The moment of an entered position of Fief: the phase of the round, and whose part of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rules.fief import GAME
from rules.fief.state import IN_TURN, PHASES, Phase
from service.i18n.sentences import Words
from web.game_pages import Choice, ChoiceGroup, Entered
from web.games.fief.entry import known_state
from web.games.fief.icons import icon_of, icon_of_flag

SHOWN: Final[Mapping[Phase, str]] = {
    "marriages": "marry",
    "bishops": "bishop",
    "pope": "pope",
    "king": "king",
    "purchases": "buy_castle",
    "movements": "move",
    "combats": "attack",
}
"""Phase -> the kind of move whose picture stands for it."""
OF_A_PHASE: Final = {
    "held": 0,
    "income": {},
    "spent": {},
    "moved": (),
    "arrivals": (),
    "ranks": {},
    "armies": (),
    "attacked": (),
    "ended": False,
}
"""What is remembered of a phase, as another one begins with it."""


def moment(entered: Entered, said: Words) -> Sequence[ChoiceGroup]:
    """The phase; in those in which each player has a part, whose it is."""
    found = [ChoiceGroup(said.say("board", "moment_phase"), tuple(_phases(entered, said)))]
    if entered.position.phase in IN_TURN:
        found.append(ChoiceGroup(said.say("board", "moment_due"), tuple(_turns(entered, said))))
    return found


def _phases(entered: Entered, said: Words) -> Iterator[Choice]:
    for phase in PHASES:
        there = phase == entered.position.phase
        turn = entered.position.turn if phase in IN_TURN else None
        now = entered if there else entered.having(phase=phase, turn=turn, **OF_A_PHASE)
        yield Choice(said.name(phase), icon_of(SHOWN[phase], None), now, there)


def _turns(entered: Entered, said: Words) -> Iterator[Choice]:
    in_turn = GAME.due(known_state(entered)).seat
    for player in entered.setup.players:
        colour = player.colour
        yield Choice(said.player(colour), icon_of_flag(colour), entered.having(turn=colour), colour == in_turn)
