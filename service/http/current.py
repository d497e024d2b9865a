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
"""The key in a request's environment that marks it as counted."""
RENDERED_TYPES: Final = frozenset({"text/html", "image/svg+xml"})
"""The media types that take work to render."""

T = TypeVar("T")
Picture: TypeAlias = Callable[[str, State, str], str | None]
"""(id of the game, state, language) -> the board as SVG; None for a game whose board is not drawn."""
Documents: TypeAlias = Mapping[tuple[str, str], Callable[[Table], str | bytes]]
"""(format, part of a table) -> its writer, in the language of the request."""


def referee() -> Referee:
    """The use cases."""
    found: Referee = current_app.extensions[REFEREE]
    return found


def game_id() -> str | None:
    """The game that the current request names, or that of its table if this worker has cached the table; or None."""
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
    """The formats of a table, besides its log as JSON."""
    found: Documents = current_app.extensions[DOCUMENTS]
    return found


def lan_address(bind: str) -> str | None:
    """The address of this machine in its network, found at the start; None if the service refuses requests to it.

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
    """The number of waiting polls in this worker, of its event streams, and the bytes of its cached tables."""
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

    The caller counts after it checks the key, so that right keys from the same home do not wait for a wrong one.
    """
    admit(Kind.JOIN)


def find_by_code(find: Callable[[], T]) -> T:
    """Call `find`, which looks up a join code. A wrong code counts for its address, and for all addresses together.

    The guess counts before the lookup, so that nobody can guess many codes at once. It is forgiven if the code is
    right, or if another error hides whether it is. Raises `RateLimited`, `StoreAway`.
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
    """Add the work of rendering a page or a picture to the work that the request's address is charged for."""
    if response.mimetype in RENDERED_TYPES and COUNTED_KEY in request.environ:
        count_output(len(response.get_data()))
    return response


def init_app(
    app: Flask, referee: Referee, groups: Groups, limiter: Limiter, picture: Picture, hosts: tuple[str, ...]
) -> None:
    """Give an application its referee, groups, limits, pictures, and the hosts that requests may name (empty: any)."""
    app.extensions[REFEREE] = referee
    app.extensions[GROUPS] = groups
    app.extensions[LIMITER] = limiter
    app.extensions[PICTURE] = picture
    app.extensions[HOSTS] = hosts
