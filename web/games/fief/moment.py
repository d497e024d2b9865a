"""The moment of an entered position of Fief: the phase of the round, and the player in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from rules.fief import GAME
from rules.fief.state import IN_TURN, PHASES, Phase
from service.i18n.sentences import Words
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.games.fief.entry import known_state
from web.games.fief.icons import icon_of, icon_of_flag

PICTURES: Final[Mapping[Phase, str]] = {
    "marriages": "marry",
    "bishops": "bishop",
    "pope": "pope",
    "king": "king",
    "purchases": "buy_castle",
    "movements": "move",
    "combats": "attack",
}
"""Phase -> the kind of move with its picture."""
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
"""The facts of a phase, with their values when another phase begins."""


def moment(snapshot: Snapshot, words: Words) -> Sequence[ChoiceGroup]:
    """The phase; and the player in turn, if each player has a part of it."""
    phase = snapshot.position.phase
    title = words.say("board", "moment_phase", {"phase": phase})
    found = [ChoiceGroup(title, tuple(_phases(snapshot, words)), seldom=True), _arc_card(snapshot, words)]
    if phase in IN_TURN:
        found.append(ChoiceGroup(words.say("board", "moment_due"), tuple(_turns(snapshot, words))))
    return found


def _arc_card(snapshot: Snapshot, words: Words) -> ChoiceGroup:
    """Whether d'Arc's card is out of the game; then no lord has it."""
    is_gone = snapshot.position.arc_gone is True
    now = snapshot.with_changes(arc_gone=not is_gone)
    if not is_gone:
        now = now.with_changes(lords=tuple(replace(lord, arc=False) for lord in now.position.lords))
    choice = Choice(words.say("board", "edit_arc_gone"), icon_of("darc", None), now, is_gone)
    return ChoiceGroup(words.say("board", "edit_arc"), (choice,), seldom=True)


def _phases(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    for phase in PHASES:
        there = phase == snapshot.position.phase
        turn = snapshot.position.turn if phase in IN_TURN else None
        now = snapshot if there else snapshot.with_changes(phase=phase, turn=turn, **OF_A_PHASE)
        yield Choice(words.name(phase), icon_of(PICTURES[phase], None), now, there)


def _turns(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    in_turn = GAME.due(known_state(snapshot)).seat
    for player in snapshot.setup.players:
        colour = player.colour
        yield Choice(words.player(colour), icon_of_flag(colour), snapshot.with_changes(turn=colour), colour == in_turn)
