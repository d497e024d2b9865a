"""Parses the address of a page: what the player looks at, has chosen, has answered and asks about."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, ClassVar, Final, Self
from urllib.parse import parse_qsl, quote_plus, urlencode

from flask import g, request, url_for

KEY: Final = re.compile(r"[A-Za-z0-9,_. -]{1,20}")
NUMBER: Final = re.compile(r"[0-9]{1,6}")
MAX_NOTATION: Final = 600
MAX_LATE: Final = 4_000
"""Characters of late moves in an address."""
BETWEEN: Final = ";"
"""What parts the answers in an address, and the cells that are painted."""
MAX_STROKES: Final = 60
"""So many taps of a brush are taken at once: more than a hand makes before a slow server has answered."""
SAFE: Final = "!$'()*,/:;?@"
"""What stands in a query as it is (WHATWG URL: no percent-encoded bytes there), as `url_for` leaves it."""
MAX_PATHS: Final = 4_000
"""So many paths are remembered; a table that is played at has a dozen."""
LONGEST_KNOWN: Final = 100
"""Characters in what a path is made of, beyond which it is not remembered: somebody may have typed it."""
STAYS: Final = ("score", "log")
"""The pages beside the board on which one stays after undo and redo."""
HERE: Final = "~here~"
"""Stands for the key of a spot, which has no such sign."""


@dataclass(frozen=True, slots=True)
class Address:
    """One view of a table: its path (`table`, `section`), and a field for each parameter. What cannot be meant is None.

    `at`, `zoom`: keys of spots. `kind`: a kind of move that is looked for. `so`: the answers to the questions of a move
    in the making. `move`: the notation of a move that is asked about. `show`: the rule whose evidence is lit. `entry`:
    a number in the log. `before`: the number from below which the log is shown. `dispute`: the number of a dispute,
    which is in the path. `do`: how the log is amended there, or in the replay: ``undo``, which asks first; `late`: the
    late moves, a line each, of which one that stands begins with ``!``; `misfits`: what becomes of what does not fit
    any more. `step`: a step of the game, 0 its beginning; `round`: the first step of that round. `done`: the entry that
    this browser has just made; `already`: ``yes``, where another phone had made it. `since`: the version that the page
    shows, when it asks whether there is anything new. `brush`: the piece that each tap puts down; `paint`: the keys of
    the spots that it has just touched, in their order.
    """

    table: str
    section: str = "board"
    at: str | None = None
    kind: str | None = None
    so: tuple[str, ...] | None = None
    move: str | None = None
    show: str | None = None
    entry: int | None = None
    before: int | None = None
    done: int | None = None
    already: str | None = None
    zoom: str | None = None
    since: int | None = None
    dispute: int | None = None
    do: str | None = None
    late: str | None = None
    misfits: str | None = None
    step: int | None = None
    round: int | None = None
    brush: str | None = None
    paint: tuple[str, ...] | None = None

    @classmethod
    def of(cls, table: str, section: str, arguments: Mapping[str, str]) -> Self:
        """Read an address."""
        arguments = dict(arguments.items())  # what is missing in werkzeug's own costs an exception each
        return cls(
            table,
            section,
            at=_match(KEY, arguments.get("at")),
            kind=_match(KEY, arguments.get("kind")),
            so=_answers(arguments.get("so")),
            move=(arguments.get("move") or "")[:MAX_NOTATION] or None,
            show=_match(KEY, arguments.get("show")),
            entry=number(arguments.get("entry")),
            before=number(arguments.get("before")),
            done=number(arguments.get("done")),
            already=_match(KEY, arguments.get("already")),
            zoom=_match(KEY, arguments.get("zoom")),
            since=number(arguments.get("since")),
            do=_match(KEY, arguments.get("do")),
            late=(arguments.get("late") or "")[:MAX_LATE].replace("\r", "").strip() or None,
            misfits=_match(KEY, arguments.get("misfits")),
            step=number(arguments.get("step")),
            round=number(arguments.get("round")),
            brush=_match(KEY, arguments.get("brush")),
            paint=_paint_keys(arguments.get("paint")),
        )

    def url(self, **changes: Any) -> str:
        """The address of this view with some parameters changed."""
        there = replace(self, **changes) if changes else self
        if there.move or there.late or there.so or there.paint:
            return there.written()
        return _url_of(request.root_path, there)

    def written(self) -> str:
        """The address of this view, written anew. One in which nothing was typed is remembered by `url`."""
        given = self.parameters()
        number = given.pop("dispute", None) if self.section == "dispute" else None
        return query_of(_path(self.section, self.table, number), given)

    def parameters(self) -> dict[str, Any]:
        """The parameters of this view, those left out that say nothing."""
        given = {name: value for name in PARAMETERS if (value := getattr(self, name)) is not None}
        return given | {name: BETWEEN.join(given[name]) for name in ("so", "paint") if name in given}

    def plain(self, section: str | None = None) -> Address:
        """The table as it is, on one of its pages; only the zoom is kept."""
        return Address(self.table, section or "board", zoom=self.zoom)

    @property
    def stay(self) -> str | None:
        """The page to which undo and redo lead back, where that is not the board."""
        return self.section if self.section in STAYS else None

    @property
    def chooses(self) -> bool:
        """Whether a cell, a kind of move, answers or a move are chosen."""
        return (self.at, self.kind, self.so, self.move) != (None,) * 4

    def tapped(self, spot: str) -> str:
        """Where a tap on a cell leads: it chooses the cell."""
        return Address(self.table, at=spot, kind=self.kind, zoom=self.zoom).url()

    def taps(self) -> Callable[[str], str]:
        """The same for many cells: their addresses differ in the key of the spot alone."""
        before, _, after = self.tapped(HERE).partition(HERE)
        return lambda spot: f"{before}{spot}{after}"


PARAMETERS: Final = tuple(member.name for member in fields(Address) if member.name not in ("table", "section"))
"""What of an address stands in its query, in this order."""


class CountAddress(Address):
    """One view of a count. Its addresses are relative: what was entered is in the path, which they keep."""

    __slots__ = ()

    def url(self, **changes: Any) -> str:
        """The address of this view with some parameters changed."""
        return "?" + urlencode(replace(self, **changes).parameters(), safe=SAFE)

    def tapped(self, spot: str) -> str:
        """Where a tap on a cell leads: the brush in hand touches it; without one, the cell is asked about."""
        if self.brush:
            return self.url(at=None, kind=None, show=None, paint=(spot,))
        return self.url(at=spot, kind=None, show=None)


class PastAddress(Address):
    """One view of an earlier board of a table, on which a move is chosen: that before an `entry`, to ask about it."""

    __slots__ = ()

    board: ClassVar[str] = "then"
    """The section with that board."""

    def plain(self, section: str | None = None) -> Address:
        """The board of then, with nothing chosen; or one of the table's other pages."""
        if section is not None:
            return Address.plain(self, section)
        cleared: dict[str, Any] = dict.fromkeys(("at", "kind", "so", "move", "show", "done", "already", "since"))
        return replace(self, section=self.board, **cleared)

    def tapped(self, spot: str) -> str:
        """Where a tap on a cell leads: it chooses the cell."""
        return replace(self.plain(), at=spot, kind=self.kind).url()


class AmendAddress(PastAddress):
    """One view of an amendment: a late move is chosen on the board of then, or what all of it would do is shown."""

    __slots__ = ()

    board: ClassVar[str] = "amend"


class AskAddress(CountAddress):
    """One view of a question about an entered position: relative addresses, too."""

    __slots__ = ()

    def plain(self, section: str | None = None) -> AskAddress:
        """The position as it is, with nothing asked; only the zoom is kept."""
        return AskAddress(self.table, section or "board", zoom=self.zoom)

    def tapped(self, spot: str) -> str:
        """Where a tap on a cell leads: it chooses the cell."""
        return AskAddress(self.table, at=spot, kind=self.kind, zoom=self.zoom).url()


OF_THE_MOMENT: Final = frozenset({"since", "done", "already", "paint"})
"""What of an address is not asked for again."""


def this_page(name: str, value: str) -> str:
    """The address of this page with a parameter; a form's is that of the page it is on, or leads to."""
    if "shown_at" in g:
        path, _, query = str(g.shown_at).partition("?")
        given = parse_qsl(query)
    elif request.method == "GET":
        path, given = request.path, [*request.args.items(multi=True)]
    else:
        path, given = request.path.rsplit("/", 1)[0] or "/", []
    left = [pair for pair in given if pair[0] not in (*OF_THE_MOMENT, name)]
    return f"{path}?{urlencode([*left, (name, value)])}"


def set_page_url(url: str) -> None:
    """Say that what is shown has another address than what was asked for; links to the same page lead there."""
    g.shown_at = url


def _path(section: str, table: str, dispute: int | None) -> str:
    """The path of a page of a table."""
    return path_of(f"web.{section}", table_id=table, **({} if dispute is None else {"dispute": dispute}))


@lru_cache(maxsize=MAX_PATHS)
def _url_of(_root: str, there: Address) -> str:
    return there.written()


def query_of(path: str, given: Mapping[str, Any]) -> str:
    """A path with a query, if anything is given."""
    return f"{path}?{'&'.join([f'{name}={_quote(value)}' for name, value in given.items()])}" if given else path


def _quote(value: object) -> str:
    """A value as it stands in a query. A short one is remembered: a page has a dozen links about one move."""
    text = str(value)
    return _quote_short(text) if len(text) <= LONGEST_KNOWN else quote_plus(text, safe=SAFE)


@lru_cache(maxsize=MAX_PATHS)
def _quote_short(text: str) -> str:
    return quote_plus(text, safe=SAFE)


def path_of(endpoint: str, **values: Any) -> str:
    """What `url_for` says, remembered: a page of a table has dozens of links to the same few pages."""
    if "_external" in values or sum(len(str(value)) for value in values.values()) > LONGEST_KNOWN:
        return url_for(endpoint, **values)
    return _path_of(request.root_path, endpoint, tuple(values.items()))


@lru_cache(maxsize=MAX_PATHS)
def _path_of(_root: str, endpoint: str, values: tuple[tuple[str, Any], ...]) -> str:
    return url_for(endpoint, **dict(values))


def number(text: str | None) -> int | None:
    """A whole number of an address or a form, or None."""
    return int(text) if text and NUMBER.fullmatch(text) else None


def _answers(text: str | None) -> tuple[str, ...] | None:
    return tuple(text[:MAX_NOTATION].split(BETWEEN)) if text else None


def _paint_keys(text: str | None) -> tuple[str, ...] | None:
    keys = (text or "").split(BETWEEN)[:MAX_STROKES]
    return tuple(filter(KEY.fullmatch, keys)) or None


def _match(pattern: re.Pattern[str], text: str | None) -> str | None:
    return text if text and pattern.fullmatch(text) else None
