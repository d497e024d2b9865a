"""The moment of an entered position of Architekton: whose tile is due, and which tile of the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.architekton.state import COLOURS
from service.i18n.sentences import Words
from web.game_pages import Choice, ChoiceGroup, Entered
from web.games.architekton.symbols import icon


def moment(entered: Entered, said: Words) -> Sequence[ChoiceGroup]:
    """Whose turn it is, and whether a tile has been laid in it."""
    return (ChoiceGroup(said.say("board", "moment_due"), tuple(_due(entered, said))),)


def _due(entered: Entered, said: Words) -> Iterator[Choice]:
    for colour in COLOURS:
        for laid in (0, 1):
            now = entered.having(turn=colour, laid=laid, pending=())
            label = said.say("board", f"moment_{laid + 1}", {"colour": colour})
            yield Choice(label, icon("building", colour), now, now == entered)
