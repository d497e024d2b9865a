"""Prepares the list of tables on the first page: who leads, how far they are, when they were last played.

One request asks Redis which tables have changed. A page reads only a few of these, because reading a log takes long; it
shows the others as this browser last saw them. While Redis is down, it shows all of them so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final

from flask import Response

import rules
from rules.records import dataclass
from service import schemas
from service.errors import Expired, Invalid, NoGroup, NoTable, StoreAway
from service.http.current import groups, referee
from service.i18n import sentences
from service.tables.entries import BrokenLog, Unreadable
from service.tables.keys import LastVisit
from service.tables.results import Group, Player, Result, result_json
from service.tables.table import Table
from web.browser import cookies
from web.browser.bidi import isolate_name
from web.browser.language import language, local_day
from web.browser.recent_tables import (
    GONE_PART,
    LONGEST,
    RecentTable,
    TableStanding,
    new_recent_table,
    put,
    with_standing,
)
from web.panels.score.score import standing_text, table_standing

MAX_READ: Final = 3
"""The maximum number of changed tables to read for one page."""
FIRST: Final = 6
"""The maximum number of visible tables in play; the others are folded."""


@dataclass(frozen=True, slots=True)
class ShelfRow:
    """A table of the list: its title and its standing; both may be empty."""

    table: RecentTable
    title: str
    standing: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """The list: tables in play, older ones in play, and those that have ended or are deleted.

    `tables` is the list for the cookie, which differs if the page learned something new.
    """

    tables: tuple[RecentTable, ...]

    @property
    def rows(self) -> list[ShelfRow]:
        """The tables at the top of the list, which are always visible."""
        return [_row(each) for each in self.tables if not each.over][:FIRST]

    @property
    def folded_rows(self) -> list[tuple[bool, list[ShelfRow]]]:
        """The other tables in play, and (True) those that are over, without empty lists."""
        more = [_row(each) for each in self.tables if not each.over][FIRST:]
        over = [_row(each) for each in self.tables if each.over]
        return [(is_over, rows) for is_over, rows in ((False, more), (True, over)) if rows]


def shelf(tables: Sequence[RecentTable], most: int = MAX_READ) -> Shelf:
    """The current standings of the tables, after reading up to `most` logs; the last played come first."""
    changed = _changed_table_ids(tables, most)
    now = [_refresh_table(each) if each.table in changed else each for each in tables]
    return Shelf(tuple(sorted(now, key=lambda each: (each.day, each.table in changed), reverse=True)))


def _changed_table_ids(tables: Sequence[RecentTable], most: int) -> Collection[str]:
    """The first tables that have changed since this browser saw them."""
    visits = {each.table: LastVisit(each.version, each.mark) for each in tables if each.end != GONE_PART}
    try:
        changed = referee().changed_tables(visits)
    except StoreAway:
        return ()
    return [table for table in visits if table in changed][:most]


def _refresh_table(recent: RecentTable) -> RecentTable:
    """A table with its current standing, if the server can read it."""
    try:
        table = referee().table_by_proof(recent.table, recent.proof)
    except (NoTable, Expired):
        return replace(recent, end=GONE_PART)
    except (BrokenLog, StoreAway, Unreadable):
        return recent
    return with_standing(recent, table, _current_standing(table))


def remember(response: Response, table: Table, key: str) -> Response:
    """Put a table at the start of the list with its standing; `key` is the key that this browser uses there."""
    return put(response, with_standing(new_recent_table(table, key), table, _current_standing(table)))


def _current_standing(table: Table) -> TableStanding:
    words = sentences.words(language(), table.game.id)
    return table_standing(words, table.game.ranking(table.state), table.totals, over=table.due.ended is not None)


def _row(each: RecentTable) -> ShelfRow:
    """A table in words, from the cookie, without a standing if that has no words."""
    if each.game not in rules.GAMES:
        return ShelfRow(each, each.title or " – ".join(map(isolate_name, filter(None, each.names))), "")
    words = sentences.words(language(), each.game)
    names = {seat: isolate_name(name) or words.name(seat) for seat, name in zip(each.seats, each.names, strict=False)}
    points = dict(zip(each.seats, each.points, strict=False))
    title = each.title or " – ".join(names.values())
    standing = ""
    if each.points and each.end != GONE_PART:
        with suppress(KeyError):  # somebody has changed the cookie
            standing = standing_text(words, TableStanding(each.code, each.first, points), names)
    return ShelfRow(each, title, standing)


# --- the results ---------------------------------------------------------------------------------------------------


def groups_of_phone() -> list[Group]:
    """The groups of this phone that still exist."""
    found = []
    for group_id, key in cookies.groups().items():
        try:
            found.append(groups().group(group_id, key))
        except NoGroup:
            continue
    return found


def finished_results(tables: Sequence[RecentTable]) -> dict[int, Result]:
    """The results of finished tables, also of deleted ones: by numbers, the first day first."""
    found = [result for each in reversed(tables) if (result := _result(each)) is not None]
    return dict(enumerate(sorted(found, key=lambda result: result.day), 1))


def _result(each: RecentTable) -> Result | None:
    """The result of a table, as on its own page; None if the game continues, or if somebody has changed the cookie."""
    if each.winners is None or each.game not in rules.GAMES or len(each.points) != len(each.seats):
        return None
    words = sentences.words_with_names(language(), each.game, each.players)
    with suppress(KeyError, Invalid, ValueError):
        day = local_day(datetime.fromisoformat(each.day), None) if "T" in each.day else each.day
        names = [name if len(name := words.player(seat)) <= LONGEST else words.name(seat) for seat in each.seats]
        winner_flags = [seat in each.winners for seat in each.seats]
        players = tuple(map(Player, names, each.points, winner_flags))
        own = Result(each.table, each.game, str(day), players, at_table=True, by_points=each.by_points)
        result: Result = schemas.load(schemas.RESULTS, {"results": [result_json(own)]})["results"][0]
        return result
    return None
