"""Damaged positions in the address of a page: the server accepts them, or refuses them with 422.

No address causes a server error.
"""

from __future__ import annotations

from random import Random
from typing import Any

import orjson
import pytest
from flask import Flask

from rules import GAMES
from rules.game import Game
from service import schemas
from service.i18n import sentences
from tests.rules.play import often, shared_games
from tests.support.damaged_json import shaken
from web.games import all_pages
from web.position_url import Trail

GAMES_TO_ENTER = [GAMES[game_id] for game_id, pages in all_pages().items() if pages.entry]


@pytest.mark.parametrize("game", GAMES_TO_ENTER, ids=lambda game: game.id)
def test_whatever_stands_in_an_address(game: Game[Any, Any], app: Flask) -> None:
    """Pages that count, ask, rule on a move and give its case file answer 200, 303 or 422, with or without a brush."""
    chance, client, seen = Random(f"addresses {game.id}"), app.test_client(), set()
    played = [(each.form, *step) for each in shared_games(game) for step in each.steps if step[1] is not None]
    brushes = brushes_of(game)
    for _ in range(often(60)):
        form, state, move = chance.choice(played)
        there = {"setup": schemas.plain(form), "position": schemas.plain(game.position(state))}
        step: Any = orjson.loads(orjson.dumps(there))
        step = {name: shaken(value, chance) if chance.random() < 0.6 else value for name, value in step.items()}
        text = Trail((step,)).text()
        cell = key_of(chance.choice(list(game.cells_of(move)) or ["x"]))
        query: dict[str, str] = chance.choice(
            ({}, {"at": cell}, {"brush": chance.choice(brushes), "paint": cell}, {"brush": chance.choice(brushes)})
        )
        asked = {"move": game.write(move)}
        for path, sent in (("count", query), ("ask", query), ("move", asked), ("case", asked), ("move", {"at": cell})):
            page = f"/ask/{game.id}/{text}/{path}" if path in ("move", "case") else f"/{path}/{game.id}/{text}"
            answer = client.get(page, query_string=sent)
            seen.add((path, answer.status_code))
            assert answer.status_code in (200, 303, 422), (path, sent, step)
    assert {(path, status) for path in ("count", "ask", "move", "case") for status in (200, 422)} <= seen


def brushes_of(game: Game[Any, Any]) -> list[str]:
    """The codes of the brushes for a blank position, and an unknown one."""
    entry = all_pages()[game.id].entry
    assert entry is not None
    groups = entry.brushes(entry.blank(), "", sentences.words("en", game.id))
    return ["strange", *(brush.code for group in groups for brush in group.brushes)]


def key_of(cell: Any) -> str:
    """A cell as in an address."""
    return cell if isinstance(cell, str) else ",".join(map(str, cell))
