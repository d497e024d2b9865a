"""The cookies with keys of tables and groups; `web.browser.recent_tables` has the cookie that lists tables.

One cookie has the keys of groups. The browser sends it to all pages, since a table's page can store its result in a
group. No script can read it.

The cookie of a table is sent to that table's addresses only, and no script can read it. Its first key is the one that
this browser uses; the browser that opened the table also has the keys to pass on. The server trusts nothing in the
cookie: the referee recognizes a key by its hash. The chosen language has a cookie of its own, in
`web.browser.language`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from flask import Response, request

from service.tables.table import TABLE_ID

KEYS: Final = "keys"
KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
ROLE: Final = re.compile(r"[a-z_]{1,20}")
MAX_KEYS: Final = 10
GROUPS: Final = "groups"
MAX_GROUPS: Final = 8
YEAR: Final = 365 * 24 * 3600
LONGEST: Final = 400 * 24 * 3600
"""Seconds: no browser stores a cookie for longer."""
QUARTER: Final = 90 * 24 * 3600


class TooManyGroups(Exception):
    """The browser has the maximum number of groups. The server removes none of them without being asked."""


def set_cookie(response: Response, name: str, value: str, *, path: str = "/", max_age: int = YEAR) -> Response:
    """Set a cookie that no script can read, for this site only. `max_age` is in seconds."""
    response.set_cookie(
        name, value, max_age=max_age, path=path, httponly=True, samesite="Lax", secure=request.is_secure
    )
    return response


def choice(name: str, allowed: Collection[str]) -> str | None:
    """The choice of this browser by the address, or else by the cookie of that name, if it is one of those allowed."""
    return next((each for each in (request.args.get(name), request.cookies.get(name)) if each in allowed), None)


def keep_choice(response: Response, name: str, allowed: Collection[str]) -> Response:
    """Store the choice in the address as a cookie."""
    value = request.args.get(name)
    return set_cookie(response, name, value) if value is not None and value in allowed else response


def _read_keys(cookie: str, name: re.Pattern[str], most: int) -> dict[str, str]:
    """The keys in a cookie, by the role or the group of each, which has to match `name`."""
    pairs = (item.partition(".") for item in request.cookies.get(cookie, "").split(":")[:most])
    return {owner: key for owner, _, key in pairs if name.fullmatch(owner) and KEY.fullmatch(key)}


# --- the keys of a table -----------------------------------------------------------------------------------------


def keys() -> dict[str, str]:
    """The browser's keys of this table, by role, first the key that it uses."""
    return _read_keys(KEYS, ROLE, MAX_KEYS)


def key() -> str | None:
    """The key that the browser uses, if it has one."""
    return next(iter(keys().values()), None)


def key_of(text: str) -> str | None:
    """The key in a pasted text, which is the key itself or a link that ends with it."""
    last = text.strip().rpartition("#")[2]
    return last if KEY.fullmatch(last) else None


def keep(response: Response, path: str, keys_by_role: Mapping[str, str]) -> Response:
    """Store the keys of a table in the browser, or delete them if none are given; `path` is the table's address."""
    value = ":".join(f"{role}.{key}" for role, key in keys_by_role.items())
    return set_cookie(response, KEYS, value, path=path, max_age=QUARTER if keys_by_role else 0)


# --- the groups of this browser ----------------------------------------------------------------------------------


def groups() -> dict[str, str]:
    """The groups of this browser with their keys, first the one that it used last."""
    return _read_keys(GROUPS, TABLE_ID, MAX_GROUPS)


def require_room() -> None:
    """Raise `TooManyGroups` if the browser has the maximum number of groups."""
    if len(groups()) >= MAX_GROUPS:
        raise TooManyGroups


def hold(response: Response, group_id: str, key: str) -> Response:
    """Store the key of a group in the browser, as the first one, or extend its time."""
    return _store_groups(response, {group_id: key, **_others_than(group_id)})


def leave(response: Response, group_id: str) -> Response:
    """Remove the key of a group from the browser."""
    return _store_groups(response, _others_than(group_id))


def _others_than(group_id: str) -> dict[str, str]:
    return {other: key for other, key in groups().items() if other != group_id}


def _store_groups(response: Response, keys_by_group: Mapping[str, str]) -> Response:
    value = ":".join(f"{group}.{key}" for group, key in keys_by_group.items())
    return set_cookie(response, GROUPS, value, max_age=LONGEST)
