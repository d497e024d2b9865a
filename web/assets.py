"""The files that pages load. The address of each changes with the file, so that a browser never keeps an old one."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import Response, url_for

from web.blueprint import web
from web.board.inks import SEATS, joined, stylesheet
from web.games import all_pages

INKS = "inks.css"


@web.get(f"/assets/{INKS}")
def inks() -> Response:
    """The style sheet of the inks of all games."""
    return Response(inks_sheet(), mimetype="text/css")


@cache
def inks_sheet() -> str:
    """The inks and the seats' colours of all games, as CSS."""
    every = all_pages().values()
    seats = {seat: colours for pages in every for seat, colours in pages.seats.items()}
    return stylesheet(joined(pages.inks for pages in every), {**SEATS, **seats})


def static(name: str) -> str:
    """The address of a file of ours; a part of it changes with the file, so that a browser never keeps an old one."""
    if name == INKS:
        return url_for("web.inks", v=_mark(inks_sheet().encode()))
    return url_for("web.static", filename=name, v=_mark(_content(name)))


@cache
def _content(name: str) -> bytes:
    return Path(__file__).with_name("static").joinpath(name).read_bytes()


@cache
def _mark(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]
