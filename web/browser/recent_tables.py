"""The cookie that lists this browser's tables: those it opened or joined last, each with the score it last saw.

Nobody else can see the list. It contains no key: `proof` is made from the hash of a key
(`service.tables.keys.proof_of`). It lets the first page read the score of a table, and permits nothing else. The
cookie is a packed list of lists, so that thirty tables with four names each fit. If they do not, finished tables are
removed first, then the last ones.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from itertools import chain
from typing import Final

import orjson
from flask import Response, request

from rules.kernel import Seat
from rules.records import dataclass
from service.tables.keys import mark_of, proof_of
from service.tables.table import TABLE_ID, Table
from web.browser.cookies import set_cookie

RECENT: Final = "recent"
MAX_TABLES: Final = 30
MAX_COOKIE: Final = 3_600
"""The maximum length of the cookie. Browsers store 4,096 characters with its name and attributes."""
MAX_UNPACKED: Final = 60_000
"""The maximum bytes of an unpacked cookie, which may be forged."""
MAX_SEATS: Final = 6
MAX_NAMES: Final = 24
"""The maximum number of suggested names."""
LONGEST: Final = 40
SHORTEST: Final = 20
MINUTE: Final = 16
ENDED: Final = "ended"
GONE_PART: Final = "gone"


@dataclass(frozen=True, slots=True)
class TableStanding:
    """Who is first by the ranking, as the `code` of a sentence; everybody's `points`; after the end, the `winners`.

    `by_points`: whether points alone have decided it.
    """

    code: str
    first: tuple[Seat, ...]
    points: Mapping[Seat, int]
    winners: tuple[Seat, ...] | None = None
    by_points: bool = False


@dataclass(frozen=True, slots=True)
class RecentTable:
    """A table in the cookie.

    `seats` and the players' `names`, in the setup's order (empty for a player without a name). `day`: when the last
    entry seen was made, to the minute in UTC (ISO 8601), or to the day if that was long ago. `title`: this browser's
    name for it. `version`: that of the standing; its entry has the `mark`, and `moves` are in play. `code`, `first`,
    `points`, `winners` and `by_points` as in `TableStanding`, points in the order of the seats. `end`: empty while the
    game continues.
    """

    table: str
    proof: str
    game: str
    seats: tuple[str, ...]
    names: tuple[str, ...]
    day: str
    title: str = ""
    version: int = 0
    mark: str = ""
    moves: int = 0
    end: str = ""
    code: str = ""
    first: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    winners: tuple[str, ...] | None = None
    by_points: bool = False

    @property
    def over(self) -> bool:
        """Whether the table is finished: its game has ended, or its log is deleted."""
        return bool(self.end)

    @property
    def players(self) -> Mapping[Seat, str]:
        """The players' names by colour."""
        return {seat: name for seat, name in zip(self.seats, self.names, strict=False) if name}


# --- the cookie --------------------------------------------------------------------------------------------------


def recent_tables() -> tuple[RecentTable, ...]:
    """The tables in the cookie, the last one first; unreadable ones are skipped."""
    try:
        packed = base64.urlsafe_b64decode(request.cookies.get(RECENT, "")[:MAX_COOKIE])
        stored = orjson.loads(zlib.decompressobj().decompress(packed, MAX_UNPACKED))
    except (ValueError, zlib.error):
        return ()
    items = stored if isinstance(stored, list) else []
    found = filter(None, map(_decode_table, items[:MAX_TABLES]))
    return tuple({each.table: each for each in found}.values())


def _decode_table(item: object) -> RecentTable | None:
    match item:
        case [
            str(table), str(proof), str(game), [*seats], [*names], str(day), str(title),
            int(version), str(mark), int(moves), str(end), str(code), [*first], points, *won,
        ] if TABLE_ID.fullmatch(table):  # fmt: skip
            players = _texts(seats), _texts(names)
            short = end[:SHORTEST], code[:SHORTEST], _texts(first)
            basics = proof[:LONGEST], game[:LONGEST], *players, day[:MINUTE], title[:LONGEST]
            if not isinstance(points, list):  # an older list, where they were a text: the server reads the table again
                return RecentTable(table, *basics, moves=moves, end=end[:SHORTEST])
            point_counts = tuple(n for n in points[:MAX_SEATS] if isinstance(n, int))
            have_won = _texts(won[0]) if won and isinstance(won[0], list) else None
            return RecentTable(
                table, *basics, version, mark[:SHORTEST], moves, *short, point_counts, have_won, won[1:] == [True]
            )
    return None


def _texts(items: Sequence[object]) -> tuple[str, ...]:
    return tuple(str(item)[:LONGEST] for item in items[:MAX_SEATS])


def store(response: Response, tables: Iterable[RecentTable]) -> Response:
    """Store a list of tables in the cookie, as many as fit."""
    remaining = list(tables)
    while len(remaining) > MAX_TABLES or len(value := _encode_tables(remaining)) > MAX_COOKIE:
        del remaining[max(range(len(remaining)), key=lambda at: (remaining[at].over, at))]
    return set_cookie(response, RECENT, value)


def _encode_tables(tables: Sequence[RecentTable]) -> str:
    return base64.urlsafe_b64encode(zlib.compress(orjson.dumps([astuple(each) for each in tables]), 9)).decode()


# --- changing the list -------------------------------------------------------------------------------------------


def new_recent_table(table: Table, key: str) -> RecentTable:
    """A table that this browser has a new key of, without a standing; it may be on the list already."""
    earlier = next((each for each in recent_tables() if each.table == table.id), None)
    players = table.setup.players
    seats = tuple(getattr(player, "colour", None) or "" for player in players)
    names = tuple(getattr(player, "name", None) or "" for player in players)
    title = earlier.title if earlier else ""
    return RecentTable(table.id, proof_of(key), table.game.id, seats, names, _day(table), title)


def with_standing(recent: RecentTable, table: Table, standing: TableStanding) -> RecentTable:
    """A table of the list with its current standing."""
    return replace(
        recent,
        version=table.version,
        mark=mark_of(table.tail),
        day=_day(table),
        moves=len(table.moves),
        end=ENDED if table.due.ended else "",
        code=standing.code,
        first=standing.first,
        points=tuple(standing.points[seat] for seat in recent.seats if seat in standing.points),
        winners=standing.winners,
        by_points=standing.by_points,
    )


def _day(table: Table) -> str:
    return f"{table.entries[-1].at:%Y-%m-%dT%H:%M}"


def put(response: Response, table: RecentTable) -> Response:
    """Put a table at the start of the list."""
    return store(response, [table, *_others(table.table)])


def forget(response: Response, table_id: str) -> Response:
    """Remove a table from the list."""
    return store(response, _others(table_id))


def rename(response: Response, table_id: str, title: str) -> Response:
    """Give a table another title; without a title, its players' names stand for it."""
    tables = recent_tables()
    return store(response, [replace(each, title=title) if each.table == table_id else each for each in tables])


def _others(table_id: str) -> list[RecentTable]:
    return [other for other in recent_tables() if other.table != table_id]


# --- the names ---------------------------------------------------------------------------------------------------


def known_names() -> tuple[str, ...]:
    """The names of those who played at these tables, the most recent ones first."""
    every = chain.from_iterable(each.names for each in recent_tables())
    return tuple(dict.fromkeys(name for name in every if name))[:MAX_NAMES]
