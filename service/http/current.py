"""The services of the current application, for its views: referee, groups, limits, and the renderer of boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, TypeVar

from flask import Flask, Response, current_app, request

from service import config
from service.errors import CodeEnded, NoCode
from service.groups.groups import Groups
from service.limits.lanes import count_output, expect
from service.limits.rate_limits import Kind, Limiter
from service.referee.use_cases import Referee
from service.tables.table import Table
from service.types import State

REFEREE: Final = "bastide.referee"
GROUPS: Final = "bastide.groups"
LIMITER: Final = "bastide.limiter"
PICTURE: Final = "bastide.picture"
DOCUMENTS: Final = "bastide.documents"
HOSTS: Final = "bastide.hosts"
COUNTED_KEY: Final = "bastide.counted"
"""What the environment of a request has that is counted."""
RENDERED_TYPES: Final = frozenset({"text/html", "image/svg+xml"})
"""The kinds of answers that it takes work to write."""

T = TypeVar("T")
Picture: TypeAlias = Callable[[str, State, str], str | None]
"""(id of the game, state, language) -> the board as SVG; None for a game whose board is not drawn."""
Documents: TypeAlias = Mapping[tuple[str, str], Callable[[Table], str | bytes]]
"""(format, of what) -> a table written so, in the language of the request."""


def referee() -> Referee:
    """The use cases."""
    found: Referee = current_app.extensions[REFEREE]
    return found


def game_id() -> str | None:
    """The game that the current request names, or the game of its table if this worker has that table in its cache; or
    None.
    """
    view_args = request.view_args or {}
    return referee().game_of(view_args.get("table_id", "")) or view_args.get("game_id")


def groups() -> Groups:
    """The groups of players who share their results."""
    found: Groups = current_app.extensions[GROUPS]
    return found


def picture(game_id: str, state: State, language: str) -> str | None:
    """The board as SVG; None for a game whose board is not drawn."""
    draw: Picture = current_app.extensions[PICTURE]
    return draw(game_id, state, language)


def documents() -> Documents:
    """What a table can be written as, besides its log as JSON."""
    found: Documents = current_app.extensions[DOCUMENTS]
    return found


def lan_address(bind: str) -> str | None:
    """The address of this machine in its network, found at the start; None where the service refuses requests to that
    name.

    `bind` is the address on which the service listens.
    """
    hosts: tuple[str, ...] = current_app.extensions[HOSTS]
    address = config.lan_address(bind)
    return address if not hosts or address in hosts else None


def limiter(app: Flask) -> Limiter:
    """The rate limiter of an application."""
    found: Limiter = app.extensions[LIMITER]
    return found


def load_of(app: Flask) -> tuple[int, int, int]:
    """How many polls wait in this worker, how many streams of events it sends, and the bytes of its cached tables."""
    found: Referee = app.extensions[REFEREE]
    return *found.places.counts(), found.cached_bytes


def admit(kind: Kind, key: str | None = None) -> None:
    """Count the current request, with or without a key of its table. Raises `RateLimited`, `StoreAway`."""
    counting = limiter(current_app)
    if counting.is_limited(kind):
        request.environ[COUNTED_KEY] = True
        table_id = (request.view_args or {}).get("table_id", "")
        counting.admit(kind, request.remote_addr or "", key, referee().cached_role(table_id, key))
        expect(request.endpoint or "")


def admit_wrong_key() -> None:
    """Count a wrong key against the address that sent it. Raises `RateLimited`, `StoreAway`.

    It is counted after the check of the key, so that right keys from the same home do not wait for a wrong one.
    """
    admit(Kind.JOIN)


def find_by_code(find: Callable[[], T]) -> T:
    """What is found by a join code. One that is wrong counts for its address, and against all wrong ones together.

    It counts before it is looked for, so that nobody guesses at many at once. A code that is right counts no more, nor
    one of which another error keeps from saying what it is. Raises `RateLimited`, `StoreAway`.
    """
    counting, address, is_wrong = limiter(current_app), request.remote_addr or "", False
    counting.admit_guess(address)
    try:
        return find()
    except (NoCode, CodeEnded):
        is_wrong = True
        raise
    finally:
        if not is_wrong:
            counting.forgive_guess(address)


def count_rendering(response: Response) -> Response:
    """Count the work of rendering a page or a picture; the address pays it with the work of the request."""
    if response.mimetype in RENDERED_TYPES and COUNTED_KEY in request.environ:
        count_output(len(response.get_data()))
    return response


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
