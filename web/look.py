"""What a page of a table is looking at: everything that its address says beside the table's id."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from flask import url_for

PAGES: Final = ("board", "score", "log")
KEY: Final = re.compile(r"[A-Za-z0-9,_. -]{1,20}")
NUMBER: Final = re.compile(r"[0-9]{1,6}")
MOST_NOTATION: Final = 600
BETWEEN: Final = ";"
"""What parts the answers in an address."""


@dataclass(frozen=True, slots=True)
class Look:
    """One view of a table. Every field is a parameter of the address; what cannot be meant is left out.

    `at`, `zoom`: keys of spots. `kind`: a kind of move that is looked for. `so`: the answers to the questions of a move
    in the making. `move`: the notation of a move that is asked about. `show`: the rule whose evidence is lit. `entry`:
    a number in the log. `done`: the entry that this browser has just made. `since`: the version that the page shows,
    when it asks whether there is anything new.
    """

    table: str
    page: str = "board"
    at: str | None = None
    kind: str | None = None
    so: tuple[str, ...] | None = None
    move: str | None = None
    show: str | None = None
    entry: int | None = None
    done: int | None = None
    zoom: str | None = None
    since: int | None = None

    @classmethod
    def of(cls, table: str, page: str, arguments: Mapping[str, str]) -> Look:
        """Read an address."""
        return cls(
            table,
            page,
            at=_match(KEY, arguments.get("at")),
            kind=_match(KEY, arguments.get("kind")),
            so=_answers(arguments.get("so")),
            move=(arguments.get("move") or "")[:MOST_NOTATION] or None,
            show=_match(KEY, arguments.get("show")),
            entry=number(arguments.get("entry")),
            done=number(arguments.get("done")),
            zoom=_match(KEY, arguments.get("zoom")),
            since=number(arguments.get("since")),
        )

    def url(self, **changes: Any) -> str:
        """The address of this view with some parameters changed."""
        view = replace(self, **changes)
        names = [member.name for member in fields(view) if member.name not in ("table", "page")]
        given = {name: getattr(view, name) for name in names if getattr(view, name) is not None}
        if view.so is not None:
            given["so"] = BETWEEN.join(view.so)
        return url_for(f"web.{view.page}", table_id=view.table, **given)

    def plain(self, page: str = "board") -> Look:
        """The table as it is, on a page of it; only the zoom is kept."""
        return Look(self.table, page, zoom=self.zoom)


def number(text: str | None) -> int | None:
    """A whole number of an address or a form, or None."""
    return int(text) if text and NUMBER.fullmatch(text) else None


def _answers(text: str | None) -> tuple[str, ...] | None:
    return tuple(text[:MOST_NOTATION].split(BETWEEN)) if text else None


def _match(pattern: re.Pattern[str], text: str | None) -> str | None:
    return text if text and pattern.fullmatch(text) else None
