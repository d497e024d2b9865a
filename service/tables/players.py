"""The players of a setup and their names, in any game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.kernel import Seat
from service.tables.entries import Opened, Renamed
from service.types import Setup

if TYPE_CHECKING:
    from service.tables.table import Table


def names_of(setup: Setup) -> dict[Seat, str]:
    """The name of each player, by the colour; empty for a player without one."""
    players: tuple[Any, ...] = getattr(setup, "players", ())
    return {each.colour: each.name or "" for each in players}


def with_names(setup: Setup, names: Mapping[Seat, str]) -> Setup:
    """The setup with other names of some players; an empty one removes a name."""
    form: Any = setup
    players = (replace(each, name=names.get(each.colour, each.name or "") or None) for each in form.players)
    renamed: Setup = replace(form, players=tuple(players))
    return renamed


def setup_at(table: Table, version: int) -> Setup:
    """The setup with the names that the players had at a version."""
    opening = table.entries[0]
    if version == table.version or not isinstance(opening, Opened):
        return table.setup
    players: Any = opening.setup.get("players", ())
    names = {seat: each.get("name") or "" for seat, each in zip(names_of(table.setup), players, strict=False)}
    for entry in table.entries[:version]:
        if isinstance(entry, Renamed):
            names |= entry.names
    return with_names(table.setup, names) if names else table.setup
