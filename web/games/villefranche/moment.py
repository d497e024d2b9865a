"""Villefranche, where in the game an entered position is: whose placement is due, and an enclosure to begin with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.villefranche import GAME
from rules.villefranche.enclosure import SIDES
from rules.villefranche.legal_moves import RAMPARTS
from rules.villefranche.state import COLOURS
from service.texts import Words, words
from web.games.villefranche.symbols import icon
from web.kernel import Choice, ChoiceGroup, Entered


def moment(entered: Entered, language: str) -> Sequence[ChoiceGroup]:
    """Whose placement is due, the first or the second of a turn; and the ramparts that are not laid yet."""
    said = words(language, GAME.id)
    found = [ChoiceGroup(said.say("board", "moment_due"), tuple(_due(entered, said)))]
    if whole := tuple(_enclosed(entered, said)):
        found.append(ChoiceGroup(said.say("board", "moment_walls"), whole))
    return found


def _due(entered: Entered, said: Words) -> Iterator[Choice]:
    for colour in COLOURS:
        for number in (1, 2):
            now = entered.having(due=colour, placement=number, first_turn=False)
            yield Choice(
                said.say("board", f"moment_{number}", {"colour": colour}), icon("house", colour), now, now == entered
            )


def _enclosed(entered: Entered, said: Words) -> Iterator[Choice]:
    """All ramparts that are missing, by both colours in turn, with the gates as far to the left as they can be."""
    state = GAME.enter(entered.setup, entered.position)
    player = 0
    for side in SIDES:
        for pair in side.ramparts:
            move = RAMPARTS[pair]
            if (state.walls & side.mask) | pair in side.gates and not state.taken & move.bits:
                state = GAME.apply(state._replace(player=player), move)
                player = 1 - player
    position = GAME.position(state)
    if position.cells != entered.position.cells:
        yield Choice(said.say("board", "moment_enclosed"), icon("rampart", None), entered.having(cells=position.cells))
