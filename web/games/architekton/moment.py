"""The moment of an entered position of Architekton: whose tile is due, and whether it is the first of the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.architekton.state import COLOURS
from service.i18n.sentences import Words
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.games.architekton.symbols import icon


def moment(snapshot: Snapshot, words: Words) -> Sequence[ChoiceGroup]:
    """Whose turn it is, and whether a tile has been laid in it."""
    return (ChoiceGroup(words.say("board", "moment_due"), tuple(_due(snapshot, words))),)


def _due(snapshot: Snapshot, words: Words) -> Iterator[Choice]:
    for colour in COLOURS:
        for tile_count in (0, 1):
            now = snapshot.with_changes(turn=colour, laid=tile_count, pending=())
            label = words.say("board", f"moment_{tile_count + 1}", {"colour": colour})
            yield Choice(label, icon("building", colour), now, now == snapshot)
