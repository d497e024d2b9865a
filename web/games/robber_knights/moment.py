"""The moment of an entered position of Robber Knights: whose turn, and the number of tiles laid in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.robber_knights import GAME
from rules.robber_knights.moves import MAX_IN_A_TURN
from rules.robber_knights.unknowns import UNKNOWNS
from service.i18n.sentences import Words
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.games.robber_knights.symbols import icon


def moment(snapshot: Snapshot, words: Words) -> Sequence[ChoiceGroup]:
    """The player in turn, and the number of tiles laid in the turn."""
    return (
        ChoiceGroup(words.say("board", "moment_due"), tuple(_due(snapshot, words))),
        ChoiceGroup(words.say("board", "moment_laid"), tuple(_placement_choices(snapshot, words)), seldom=True),
    )


def _due(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    in_turn = GAME.due(GAME.enter(snapshot.setup, UNKNOWNS.known_part(snapshot.setup, snapshot.position))).seat
    begun = None if snapshot.position.laid is None else 0  # another player's turn has another number of tiles
    for player in snapshot.setup.players:
        placed = snapshot.position.placed if player.colour == in_turn else begun
        now = snapshot.with_changes(due=player.colour, placed=placed)
        yield Choice(words.player(player.colour), icon("knight", player.colour), now, player.colour == in_turn)


def _placement_choices(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    for number in range(MAX_IN_A_TURN):
        now = snapshot.with_changes(placed=number)
        yield Choice(words.say("board", "moment_n", {"n": number}), icon("tile", None), now, now == snapshot)
