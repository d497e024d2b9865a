"""The files that pages load. The address of each changes with the file, so that a browser never keeps an old one.

They are compressed as far as it goes, once a process: see `packed`.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

import brotli  # type: ignore[import-untyped]  # it has no types
from flask import Response, request, url_for

from web.blueprint import FILES, web
from web.board.inks import SEATS, joined, stylesheet
from web.games import all_pages

INKS = "inks.css"
PACKERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "br": brotli.compress,  # its best is what it does unless told otherwise
    "gzip": lambda content: gzip.compress(content, mtime=0),
}
"""Content coding -> what makes it, the smallest first."""


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


@web.after_request
def _packed(response: Response) -> Response:
    """Send a file compressed to whoever takes it so."""
    if request.endpoint not in FILES or response.status_code != HTTPStatus.OK:
        return response
    response.vary.add("Accept-Encoding")
    coding = request.accept_encodings.best_match(PACKERS)
    if coding is None:
        return response
    response.direct_passthrough = False
    response.set_data(packed(response.get_data(), coding))
    response.headers["Content-Encoding"] = coding
    tag, _ = response.get_etag()
    if tag is not None:  # weak, for it stands for other bytes than without a coding
        response.set_etag(tag, weak=True)
    return response


@cache
def packed(content: bytes, coding: str) -> bytes:
    """What a file is in a content coding of `PACKERS`."""
    return PACKERS[coding](content)
