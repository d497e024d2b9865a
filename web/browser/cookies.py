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
"""Seconds: no browser keeps a cookie for longer."""
QUARTER: Final = 90 * 24 * 3600


class TooManyGroups(Exception):
    """This browser holds as many groups as it may; none of them is forgotten unasked."""


def set_cookie(response: Response, name: str, value: str, *, path: str = "/", max_age: int = YEAR) -> Response:
    """Keep a value that no script can read, for this site only. `max_age` is in seconds."""
    response.set_cookie(
        name, value, max_age=max_age, path=path, httponly=True, samesite="Lax", secure=request.is_secure
    )
    return response


def choice(name: str, allowed: Collection[str]) -> str | None:
    """What this browser wants, as the address says or else the cookie of that name, where that can be meant."""
    return next((each for each in (request.args.get(name), request.cookies.get(name)) if each in allowed), None)


def keep_choice(response: Response, name: str, allowed: Collection[str]) -> Response:
    """Keep what the address says of it."""
    value = request.args.get(name)
    return set_cookie(response, name, value) if value is not None and value in allowed else response


def _read_keys(cookie: str, name: re.Pattern[str], most: int) -> dict[str, str]:
    """The keys in a cookie, each by the role or the group to which it belongs: that has to match `name`."""
    pairs = (item.partition(".") for item in request.cookies.get(cookie, "").split(":")[:most])
    return {owner: key for owner, _, key in pairs if name.fullmatch(owner) and KEY.fullmatch(key)}


# --- the keys of a table -----------------------------------------------------------------------------------------


def keys() -> dict[str, str]:
    """The keys that this browser holds for the table, by role; the one that it acts with comes first."""
    return _read_keys(KEYS, ROLE, MAX_KEYS)


def key() -> str | None:
    """The key that this browser acts with, if it holds one."""
    return next(iter(keys().values()), None)


def key_of(text: str) -> str | None:
    """The key in what somebody pasted: the key itself, or a link that ends with one."""
    last = text.strip().rpartition("#")[2]
    return last if KEY.fullmatch(last) else None


def keep(response: Response, path: str, keys_by_role: Mapping[str, str]) -> Response:
    """Give a browser keys of a table; `path` is the table's address."""
    value = ":".join(f"{role}.{key}" for role, key in keys_by_role.items())
    return set_cookie(response, KEYS, value, path=path, max_age=QUARTER)


# --- the groups of this browser ----------------------------------------------------------------------------------


def groups() -> dict[str, str]:
    """The groups that this browser holds, the one that it used last first, and the key of each."""
    return _read_keys(GROUPS, TABLE_ID, MAX_GROUPS)


def require_room() -> None:
    """Raise `TooManyGroups` where this browser holds as many groups as it may."""
    if len(groups()) >= MAX_GROUPS:
        raise TooManyGroups


def hold(response: Response, group_id: str, key: str) -> Response:
    """Give a browser the key of a group, which then comes first; or let it keep that key for longer."""
    return _store_groups(response, {group_id: key, **_others_than(group_id)})


def leave(response: Response, group_id: str) -> Response:
    """Take the key of a group from a browser."""
    return _store_groups(response, _others_than(group_id))


def _others_than(group_id: str) -> dict[str, str]:
    return {other: key for other, key in groups().items() if other != group_id}


def _store_groups(response: Response, keys_by_group: Mapping[str, str]) -> Response:
    value = ":".join(f"{group}.{key}" for group, key in keys_by_group.items())
    return set_cookie(response, GROUPS, value, max_age=LONGEST)
