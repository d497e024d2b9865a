"""The players of a setup and their names, whatever else the game's setup says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.kernel import Seat
from service.types import Setup


def names_of(setup: Setup) -> dict[Seat, str]:
    """The name of each player, by the colour; empty for a player without one."""
    players: tuple[Any, ...] = getattr(setup, "players", ())
    return {each.colour: each.name or "" for each in players}


def with_names(setup: Setup, names: Mapping[Seat, str]) -> Setup:
    """The setup with other names of some players; an empty one takes a name away."""
    form: Any = setup
    players = (replace(each, name=names.get(each.colour, each.name or "") or None) for each in form.players)
    renamed: Setup = replace(form, players=tuple(players))
    return renamed
