"""The moment of an entered position of Villefranche: whose placement is due, or an enclosure at the start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules.forms import is_unknown, rest_is_unknown
from rules.villefranche import GAME
from rules.villefranche.enclosure import SIDES
from rules.villefranche.legal_moves import RAMPARTS
from rules.villefranche.state import COLOURS, SUPPLY, PieceName
from service.i18n.sentences import Words
from web.game_pages import Choice, ChoiceGroup, Entered
from web.games.villefranche.symbols import icon


def moment(entered: Entered, said: Words) -> Sequence[ChoiceGroup]:
    """Whose placement is due, the first or the second of a turn; and the ramparts that are not laid yet."""
    found = [ChoiceGroup(said.say("board", "moment_due"), tuple(_due(entered, said)))]
    if whole := (*_enclosure_choices(entered, said), *_missing_ramparts(entered, said)):
        found.append(ChoiceGroup(said.say("board", "moment_walls"), whole))
    if rest_is_unknown(entered.position) or entered.position.in_hand is not None:
        found.append(ChoiceGroup(said.say("board", "moment_left"), tuple(_supply_choices(entered, said))))
    return found


def _due(entered: Entered, said: Words) -> Iterator[Choice]:
    for colour in COLOURS:
        for number in (1, 2):
            now = entered.having(due=colour, placement=number, first_turn=False)
            yield Choice(
                said.say("board", f"moment_{number}", {"colour": colour}), icon("house", colour), now, now == entered
            )


def _enclosure_choices(entered: Entered, said: Words) -> Iterator[Choice]:
    """Whether the enclosure is whole, where most of it was not entered."""
    if rest_is_unknown(entered.position) or entered.position.enclosed is not None:
        for whole, code in ((True, "moment_whole"), (False, "moment_open")):
            now = entered.having(enclosed=whole)
            yield Choice(said.say("board", code), icon("rampart", None), now, now == entered)


def _supply_choices(entered: Entered, said: Words) -> Iterator[Choice]:
    """Whether the player due has pieces of each kind left, where not all that stands was entered."""
    told, colour = entered.position.in_hand or {}, entered.position.due
    has = told.get(colour, {})
    for piece in SUPPLY:
        for some in (True, False):
            now = entered.having(in_hand={**told, colour: {**has, piece: some}})
            label = said.say("board", "moment_some" if some else "moment_none", {"piece": piece})
            yield Choice(label, icon(_KIND[piece], colour), now, now == entered)


_KIND: Mapping[PieceName, str] = {"brick": "rampart", "cube": "house", "pyramid": "roof", "cylinder": "noble_storey"}
"""A kind of piece -> a kind of move that is drawn as one."""


def _missing_ramparts(entered: Entered, said: Words) -> Iterator[Choice]:
    """All ramparts that are missing, by both colours in turn, with the gates as far to the left as they can be."""
    if rest_is_unknown(entered.position) or any(map(is_unknown, entered.position.cells.values())):
        return
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
