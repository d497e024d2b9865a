"""Who plays at a table of Robber Knights whose set-up does not say: those whose colours lie there."""

from __future__ import annotations

from typing import Any

import pytest

from rules.robber_knights import GAME
from tests.support.json_forms import read_form, read_position

CASTLE = {"cell": [0, 0], "face": "plain castle"}


def enter(setup: dict[str, Any], **position: Any) -> tuple[Any, Any]:
    """A set-up and a position as they are read."""
    tiles = position.pop("tiles", [CASTLE | {"knights": ["red"]}])
    return read_form(GAME.setup_form, setup), read_position(GAME, {"tiles": tiles, **position})


@pytest.mark.parametrize(
    ("position", "colours"),
    [
        ({}, ("blue", "red")),
        ({"due": "green"}, ("green", "red")),
        ({"supply": {"yellow": 30}}, ("yellow", "red")),
        ({"tiles": [CASTLE | {"knights": ["red", "green"], "colour": "yellow"}]}, ("yellow", "green", "red")),
        ({"tiles": [CASTLE]}, ("blue", "yellow")),
        ({"due": "blue", "left": {"green": 22}, "laid": {"yellow": []}}, ("blue", "yellow", "green", "red")),
    ],
)
def test_the_colours_seen_play_where_nobody_is_named(position: dict[str, Any], colours: tuple[str, ...]) -> None:
    """Knights, backs, hands and the turn tell who plays; two play at least."""
    setup, table = enter({}, **position)
    assert set(GAME.enter(setup, table).colours) == set(colours)
    assert not [finding for finding in GAME.problems(setup, table) if finding.facts.code == "position_stranger"]


def test_named_players_are_all_there_are() -> None:
    """A knight of a colour that does not play cannot stand on a table that says who plays."""
    setup, table = enter({"players": [{"colour": "blue"}, {"colour": "yellow"}]})
    assert {finding.facts.code for finding in GAME.problems(setup, table)} == {"position_stranger"}
