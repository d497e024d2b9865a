"""The moment of an entered position of Villa Paletti: whose turn, and which parts of it are over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.forms import is_unknown
from rules.villa_paletti.state import name_of
from service.i18n.sentences import Words
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.games.villa_paletti.entry import NOT_KNOWN, is_question, state_of, unknown_choice
from web.games.villa_paletti.symbols import icon

THREE = 3
"""The number of players with a neutral colour, whose turns have two parts."""


def moment(snapshot: Snapshot, words: Words) -> Sequence[ChoiceGroup]:
    """The player in turn; with a neutral colour, whether its part is over; whether a floor was requested already."""
    found = [ChoiceGroup(words.say("board", "moment_due"), tuple(_due(snapshot, words)))]
    if len(snapshot.setup.players) == THREE:
        found.append(ChoiceGroup(words.say("board", "moment_part"), tuple(_parts(snapshot, words))))
    return found


def _due(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    unknown = is_unknown(snapshot.position.due)
    state = state_of(snapshot)
    in_turn = None if unknown else name_of(state, state.player)  # also if nobody can build
    for player in snapshot.setup.players:
        now = snapshot.with_changes(due=player.colour)
        if not (unknown or player.colour == in_turn or is_unknown(snapshot.position.part)):
            now = now.with_changes(part="turn", asked=False)  # a turn of another player is at its start
        yield Choice(words.player(player.colour), icon("column", player.colour), now, player.colour == in_turn)
    if is_question(snapshot.position):
        yield unknown_choice(words, snapshot.with_changes(due=NOT_KNOWN), is_chosen=unknown)


def _parts(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    for part in ("turn", "own"):
        now = snapshot.with_changes(part=part)
        yield Choice(words.say("board", f"moment_{part}"), icon("neutral", None), now, now == snapshot)
    if is_question(snapshot.position):
        yield unknown_choice(words, snapshot.with_changes(part=NOT_KNOWN), is_chosen=is_unknown(snapshot.position.part))
