"""The moment of an entered position of Villefranche: whose placement is due, or the enclosure at the start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules.forms import is_unknown, rest_is_unknown
from rules.villefranche import GAME
from rules.villefranche.enclosure import SIDES
from rules.villefranche.legal_moves import RAMPARTS
from rules.villefranche.state import COLOURS, SUPPLY, PieceName
from service.i18n.sentences import Words
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.games.villefranche.symbols import icon


def moment(snapshot: Snapshot, words: Words) -> Sequence[ChoiceGroup]:
    """Whose placement is due, the first or the second of a turn; and the missing ramparts."""
    found = [ChoiceGroup(words.say("board", "moment_due"), tuple(_due(snapshot, words)))]
    if whole := (*_enclosure_choices(snapshot, words), *_missing_ramparts(snapshot, words)):
        found.append(ChoiceGroup(words.say("board", "moment_walls"), whole, seldom=True))
    if rest_is_unknown(snapshot.position) or snapshot.position.in_hand is not None:
        found.append(
            ChoiceGroup(words.say("board", "moment_left"), tuple(_supply_choices(snapshot, words)), seldom=True)
        )
    return found


def _due(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    for colour in COLOURS:
        for number in (1, 2):
            now = snapshot.with_changes(due=colour, placement=number, first_turn=False)
            yield Choice(
                words.say("board", f"moment_{number}", {"colour": colour}), icon("house", colour), now, now == snapshot
            )


def _enclosure_choices(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    """Whether the enclosure is complete, if most of it was not entered."""
    if rest_is_unknown(snapshot.position) or snapshot.position.enclosed is not None:
        for whole, code in ((True, "moment_whole"), (False, "moment_open")):
            now = snapshot.with_changes(enclosed=whole)
            yield Choice(words.say("board", code), icon("rampart", None), now, now == snapshot)


def _supply_choices(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    """Whether the player due has pieces of each kind left, if the position is incomplete."""
    supply, colour = snapshot.position.in_hand or {}, snapshot.position.due
    has = supply.get(colour, {})
    for piece in SUPPLY:
        for some in (True, False):
            now = snapshot.with_changes(in_hand={**supply, colour: {**has, piece: some}})
            label = words.say("board", "moment_some" if some else "moment_none", {"piece": piece})
            yield Choice(label, icon(_KIND[piece], colour), now, now == snapshot)


_KIND: Mapping[PieceName, str] = {"brick": "rampart", "cube": "house", "pyramid": "roof", "cylinder": "noble_storey"}
"""Kind of piece -> a kind of move with its icon."""


def _missing_ramparts(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    """All missing ramparts, by both colours in turn, with the gates as far to the left as possible."""
    if rest_is_unknown(snapshot.position) or any(map(is_unknown, snapshot.position.cells.values())):
        return
    state = GAME.enter(snapshot.setup, snapshot.position)
    player = 0
    for side in SIDES:
        for pair in side.ramparts:
            move = RAMPARTS[pair]
            if (state.walls & side.mask) | pair in side.gates and not state.taken_cells & move.bits:
                state = GAME.apply(state._replace(player=player), move)
                player = 1 - player
    position = GAME.position(state)
    if position.cells != snapshot.position.cells:
        yield Choice(
            words.say("board", "moment_enclosed"), icon("rampart", None), snapshot.with_changes(cells=position.cells)
        )
