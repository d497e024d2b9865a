"""What the present application was made with, for its views: referee, groups, limits, and how a board is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from flask import Flask, current_app, request

from service import config
from service.datatypes import State
from service.groups import Groups
from service.limits import Kind, Limiter
from service.referee import Referee

REFEREE: Final = "bastide.referee"
GROUPS: Final = "bastide.groups"
LIMITER: Final = "bastide.limiter"
PICTURE: Final = "bastide.picture"
HOSTS: Final = "bastide.hosts"

Picture: TypeAlias = Callable[[str, State, str], str | None]
"""(id of the game, state, language) -> the board as SVG; None for a game whose board is not drawn."""


def referee() -> Referee:
    """The use cases."""
    found: Referee = current_app.extensions[REFEREE]
    return found


def groups() -> Groups:
    """The groups, with the results of those who play together."""
    found: Groups = current_app.extensions[GROUPS]
    return found


def picture(game_id: str, state: State, language: str) -> str | None:
    """The board as SVG; None for a game whose board is not drawn."""
    draw: Picture = current_app.extensions[PICTURE]
    return draw(game_id, state, language)


def lan_address() -> str | None:
    """This machine's address in its network, as the start names it; None where requests by that name are refused."""
    hosts: tuple[str, ...] = current_app.extensions[HOSTS]
    address = config.lan_address()
    return address if not hosts or address in hosts else None


def admit(kind: Kind, key: str | None = None) -> None:
    """Count the present request, sent with a key of its table or without. Raises `RateLimited`, `StoreAway`."""
    limiter: Limiter = current_app.extensions[LIMITER]
    if limiter.counts(kind):
        table_id = (request.view_args or {}).get("table_id", "")
        limiter.admit(kind, request.remote_addr or "", key, referee().remembered(table_id, key))


def admit_wrong_key() -> None:
    """Count a key that opens nothing for the address that it came from. Raises `RateLimited`, `StoreAway`.

    It is counted once it is known to be wrong: in one home, right keys do not wait for a wrong one.
    """
    admit(Kind.JOIN)


def init_app(
    app: Flask, referee: Referee, groups: Groups, limiter: Limiter, picture: Picture, hosts: tuple[str, ...]
) -> None:
    """Give an application its referee, its groups, its limits, its pictures, and the hosts that requests may name
    (none: any).
    """
    app.extensions[REFEREE] = referee
    app.extensions[GROUPS] = groups
    app.extensions[LIMITER] = limiter
    app.extensions[PICTURE] = picture
    app.extensions[HOSTS] = hosts
