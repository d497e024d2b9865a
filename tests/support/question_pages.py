"""Questions that are asked on the pages, link by link."""

from __future__ import annotations

from typing import Any

import rules
from service import schemas
from tests.support.count_pages import Hand
from tests.web.conftest import Visitor
from web.game_pages import Snapshot
from web.panels.editor.position import entry_of
from web.position_url import Packer, Trail, snapshot_of, step_of


def text_of(entered: Snapshot) -> str:
    """A position as the text of an address."""
    return Trail((step_of(entered),)).text()


class Asker(Hand):
    """A visitor who asks by following links, without a script."""

    def __init__(self, visitor: Visitor, url: str = "/") -> None:
        self.visitor, self.url, self.html = visitor, url, visitor.get(url).text


GAME = rules.GAMES["villefranche"]


def text_with(table: str, **changes: Any) -> str:
    """The text of the table's position with some members changed; `table`: the address of its ``/here/`` page."""
    entered = snapshot_of(GAME, entry_of(GAME), Trail.of(table.partition("/here/")[2]))
    position = schemas.load(schemas.of(GAME).position, schemas.plain(entered.position) | changes)
    return Packer(()).text(step_of(Snapshot(entered.setup, position)))
