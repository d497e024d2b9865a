"""Parses the address of a page: what the player looks at, has chosen, has answered and asks about."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Final, Self
from urllib.parse import parse_qsl, quote_plus, urlencode

from flask import g, request, url_for

from rules.caches import cache
from rules.records import dataclass

KEY: Final = re.compile(r"[A-Za-z0-9,_. -]{1,20}")
NUMBER: Final = re.compile(r"[0-9]{1,6}")
MAX_NOTATION: Final = 600
MAX_LATE: Final = 4_000
"""Characters of late moves in an address."""
BETWEEN: Final = ";"
"""The separator of answers in an address, and of painted cells."""
MAX_STROKES: Final = 60
"""The maximum number of taps in a request: more than a hand makes before a slow server has answered."""
SAFE: Final = "!$'()*,/:;?@"
"""The signs that a query contains unescaped (WHATWG URL: no percent-encoded bytes there), as in `url_for`."""
MAX_PATHS: Final = 4_000
"""The maximum number of cached paths; a table in play has a dozen."""
LONGEST_KNOWN: Final = 100
"""The maximum length of the values in a cached path: somebody may have typed longer ones."""
HERE: Final = "~here~"
"""Stands for the key of a spot, which has no such sign."""


# --- the parameters ----------------------------------------------------------------------------------------------


def number(text: str | None) -> int | None:
    """A whole number of an address or a form, or None."""
    return int(text) if text and NUMBER.fullmatch(text) else None


def _key(text: str | None) -> str | None:
    return text if text and KEY.fullmatch(text) else None


def _notation(text: str | None) -> str | None:
    return (text or "")[:MAX_NOTATION] or None


def _answers(text: str | None) -> tuple[str, ...] | None:
    return tuple(text[:MAX_NOTATION].split(BETWEEN)) if text else None


def _late_moves(text: str | None) -> str | None:
    return (text or "")[:MAX_LATE].replace("\r", "").strip() or None


def _paint_keys(text: str | None) -> tuple[str, ...] | None:
    keys = (text or "").split(BETWEEN)[:MAX_STROKES]
    return tuple(filter(KEY.fullmatch, keys)) or None


READERS: Final[Mapping[str, Callable[[str | None], Any]]] = {
    "at": _key,
    "kind": _key,
    "so": _answers,
    "move": _notation,
    "show": _key,
    "entry": number,
    "before": number,
    "done": number,
    "already": _key,
    "zoom": _key,
    "since": number,
    "dispute": lambda _in_the_path: None,
    "do": _key,
    "late": _late_moves,
    "misfits": _key,
    "step": number,
    "round": number,
    "brush": _key,
    "paint": _paint_keys,
    "settles": number,
}
"""Parameter -> the parser of its text. Some are fields of an address, and a query has them in this order."""


# --- the addresses -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Address(ABC):
    """One view of a board: its path (`table`, `section`), and a field for each parameter. An invalid value is None.

    `table` is the id of a table, or the text of a position. `at`, `zoom`: keys of spots. `kind`: the selected kind of
    move, or the open group of choices. `show`: the rule whose evidence is lit.
    """

    table: str
    section: str = "board"
    at: str | None = None
    kind: str | None = None
    show: str | None = None
    zoom: str | None = None

    @classmethod
    def of(cls, table: str, section: str, arguments: Mapping[str, str]) -> Self:
        """Read an address."""
        arguments = dict(arguments.items())  # each missing key costs an exception in werkzeug's own mapping
        names = [member.name for member in fields(cls) if member.name in READERS]
        return cls(table, section, **{name: READERS[name](arguments.get(name)) for name in names})

    def url(self, **changes: Any) -> str:
        """The address of this view with some parameters changed."""
        return (replace(self, **changes) if changes else self).build_url()

    @abstractmethod
    def build_url(self) -> str:
        """The address of this view."""

    def parameters(self) -> dict[str, str | int]:
        """The parameters of this view, without those that have their default values."""
        values = {name: value for name in READERS if (value := getattr(self, name, None)) is not None}
        return {name: BETWEEN.join(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @abstractmethod
    def spot_url(self, spot: str) -> str:
        """The address that a tap on a cell opens."""

    def spot_url_builder(self) -> Callable[[str], str]:
        """A function that builds `spot_url` for many cells, whose addresses differ only in the key of the spot."""
        before, _, after = self.spot_url(HERE).partition(HERE)
        return lambda spot: f"{before}{spot}{after}"


@dataclass(frozen=True, slots=True)
class MoveAddress(Address):
    """One view of a board on which a move is chosen.

    `so`: the answers to the questions of an unfinished move. `move`: the notation of a move to rule on.
    """

    so: tuple[str, ...] | None = None
    move: str | None = None

    @property
    def has_choice(self) -> bool:
        """Whether a cell, a kind of move, answers or a move are chosen."""
        return (self.at, self.kind, self.so, self.move) != (None,) * 4

    def plain(self, section: str | None = None) -> MoveAddress:
        """The board without any choice, or another page, at the same zoom."""
        return type(self)(self.table, section or "board", zoom=self.zoom)

    def spot_url(self, spot: str) -> str:
        """The address that a tap on a cell opens: it chooses the cell."""
        return replace(self.plain(), at=spot, kind=self.kind).url()


# --- of a table --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PageAddress(MoveAddress):
    """One view of a page of a table, which can receive news.

    `entry`: a number in the log. `done`: the entry that this browser has just made; `already`: ``yes``, if another
    phone had made it. `since`: the version that the page shows, in a request for news.
    """

    entry: int | None = None
    done: int | None = None
    already: str | None = None
    since: int | None = None

    @property
    def may_hold_text(self) -> bool:
        """Whether the address may contain text that somebody typed."""
        return bool(self.so or self.move)

    def build_url(self) -> str:
        """The address of this view. The server caches it if it contains no typed text."""
        return self.build_fresh_url() if self.may_hold_text else _url_of(request.root_path, self)

    def build_fresh_url(self) -> str:
        """The address of this view, without the cache."""
        given = self.parameters()
        in_path = {"dispute": given.pop("dispute")} if self.section == "dispute" and "dispute" in given else {}
        return query_of(path_of(f"web.{self.section}", table_id=self.table, **in_path), given)

    def plain(self, section: str | None = None) -> PageAddress:
        """The current table, on one of its pages, at the same zoom."""
        return TableAddress(self.table, section or "board", zoom=self.zoom)


@dataclass(frozen=True, slots=True)
class TableAddress(PageAddress):
    """One view of a table.

    `before`: the log shows the entries below this number. `dispute`: the number of a dispute, which is in the path.
    `step`: a step of the game, 0 its beginning; `round`: the first step of that round. `do`: ``undo``, which an ended
    game asks to confirm, ``chart`` in the log, or the way to amend the log at the `entry`.
    """

    before: int | None = None
    dispute: int | None = None
    do: str | None = None
    step: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class AmendAddress(PageAddress):
    """One view of an amendment: choose a late move on the board of that time, or preview the whole change.

    `do`: the way to amend the log at the `entry`. `late`: the late moves, a line each, with ``!`` before a move that
    stands; `misfits`: the treatment of entries that no longer fit.
    """

    do: str | None = None
    late: str | None = None
    misfits: str | None = None

    @property
    def may_hold_text(self) -> bool:
        """Whether the address may contain text that somebody typed."""
        return bool(self.so or self.move or self.late)

    def plain(self, section: str | None = None) -> PageAddress:
        """The board of that time without any choice, or another page of the table."""
        return TableAddress(self.table, section, zoom=self.zoom) if section else self.without_choice()

    def without_choice(self) -> Self:
        """The board of that time without any choice."""
        there = replace(self, section="amend", at=None, kind=None, so=None, move=None, show=None)
        return replace(there, done=None, already=None, since=None)


# --- of a position -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EditorAddress(MoveAddress):
    """One view of an entered position. Its addresses are relative: the position is in the path, which they keep.

    The section ``position`` enters it, ``move`` asks about a move. `brush`: the piece that each tap puts down; `paint`:
    the keys of the spots that it has just touched, in order. `entry`: the entry of the table's log before which the
    position lay there. `settles`: the number of the dispute that the position will settle.
    """

    brush: str | None = None
    paint: tuple[str, ...] | None = None
    entry: int | None = None
    settles: int | None = None

    def plain(self, _section: str | None = None) -> EditorAddress:
        """The same position with nothing chosen; the zoom and the table stay."""
        return EditorAddress(self.table, self.section, zoom=self.zoom, entry=self.entry, settles=self.settles)

    def without_table(self) -> EditorAddress:
        """The same view for others, without its table."""
        return replace(self, entry=None, settles=None)

    def build_url(self) -> str:
        """The address of this view, without its path."""
        return "?" + urlencode(self.parameters(), safe=SAFE)

    def spot_url(self, spot: str) -> str:
        """The address that a tap on a cell opens: the brush in hand paints there; without one, the cell is chosen."""
        kind, brush = (self.kind, None) if self.section == "move" else (None, self.brush)
        there = replace(self.plain(), kind=kind, brush=brush)
        return there.url(paint=(spot,)) if brush else there.url(at=spot)


# --- the address of this page ------------------------------------------------------------------------------------


OF_THE_MOMENT: Final = frozenset({"since", "done", "already", "paint"})
"""The parameters of one request, which links from its page drop."""


def url_with_parameter(name: str, value: str) -> str:
    """The address of this page with one more parameter. For a form, the page is the one that shows it."""
    if "shown_at" in g:
        path, _, query = str(g.shown_at).partition("?")
        arguments = parse_qsl(query)
    elif request.method == "GET":
        path, arguments = request.path, [*request.args.items(multi=True)]
    else:
        path, arguments = request.path.rsplit("/", 1)[0] or "/", []
    left = [pair for pair in arguments if pair[0] not in (*OF_THE_MOMENT, name)]
    return f"{path}?{urlencode([*left, (name, value)])}"


def set_page_url(url: str) -> None:
    """Set an address for the page that differs from the requested one; links to the same page then use it."""
    g.shown_at = url


# --- writing -----------------------------------------------------------------------------------------------------


@cache(MAX_PATHS)
def _url_of(_root: str, there: PageAddress) -> str:
    return there.build_fresh_url()


def query_of(path: str, parameters: Mapping[str, object]) -> str:
    """A path with a query string, if there are parameters."""
    return (
        f"{path}?{'&'.join([f'{name}={_quote(value)}' for name, value in parameters.items()])}" if parameters else path
    )


def _quote(value: object) -> str:
    """A value escaped for a query."""
    return quote_plus(str(value), safe=SAFE)


def path_of(endpoint: str, **values: Any) -> str:
    """Flask's `url_for` with a cache: a table's page has dozens of links to the same few pages."""
    if "_external" in values or sum(len(str(value)) for value in values.values()) > LONGEST_KNOWN:
        return url_for(endpoint, **values)
    return _path_of(request.root_path, endpoint, tuple(values.items()))


@cache(MAX_PATHS)
def _path_of(_root: str, endpoint: str, values: tuple[tuple[str, Any], ...]) -> str:
    return url_for(endpoint, **dict(values))
