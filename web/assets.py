"""The files that pages load. The address of a file changes with its content, so that no browser uses an outdated file.

A process removes comments and needless spaces, and compresses each file once, as far as possible: see `minify` and
`compress`.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import Final

import brotli  # type: ignore[import-untyped]  # it has no types
import rcssmin  # type: ignore[import-untyped]  # it has no types
import rjsmin  # type: ignore[import-untyped]  # it has no types
from flask import Response, abort, request, url_for

from rules import GAMES
from rules.caches import cache
from web import portraits
from web.blueprint import FILES, web
from web.board.inks import SEATS, merge_inks, stylesheet
from web.bundle import STATIC, bundle
from web.games import all_pages

INKS = "inks.css"
"""The name of the style sheet of the boards: the inks, from the games' data, and then `MARKS`."""
MARKS: Final = "board.css"
PACKERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "br": brotli.compress,  # the best quality is its default
    "gzip": lambda content: gzip.compress(content, mtime=0),
}
"""Content coding -> its compressor, the one with the smallest result first."""
SLIMMERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}
"""Suffix of a file -> the function that removes its comments and needless spaces."""


@web.get(f"/assets/{INKS}", defaults={"game": None})
@web.get("/assets/inks/<game>.css")
def inks(game: str | None) -> Response:
    """The style sheet of the boards of all games, or of one."""
    if game is not None and game not in all_pages():
        abort(HTTPStatus.NOT_FOUND)
    return Response(inks_sheet(game), mimetype="text/css")


@web.get("/assets/<name>.js")
def script(name: str) -> Response:
    """A script, in one file with the modules that it imports."""
    if not STATIC.joinpath(f"{name}.js").is_file():
        abort(HTTPStatus.NOT_FOUND)
    return Response(bundle(f"{name}.js"), mimetype="text/javascript")


@web.get("/assets/games/<game>.svg")
def portrait(game: str) -> Response:
    """A game's picture."""
    svg = portraits.portrait(game)
    if svg is None:
        abort(HTTPStatus.NOT_FOUND)
    return Response(svg, mimetype="image/svg+xml")


def portrait_of(game: str) -> str | None:
    """The address of a game's picture, which changes with the picture; None if the game has none."""
    svg = portraits.portrait(game)
    return None if svg is None else url_for("web.portrait", game=game, v=mark(svg))


@cache()
def inks_sheet(game: str | None = None) -> str:
    """The inks and the seats' colours of all games or of one, and the marks over boards, as CSS."""
    every = [pages for name, pages in all_pages().items() if game in (None, name)]
    usual = {seat: SEATS[seat] for seat in SEATS if game is None or seat in GAMES[game].seats}
    seats = {seat: colours for pages in every for seat, colours in pages.seats.items()}
    return stylesheet(merge_inks((pages.inks for pages in every), usual), {**usual, **seats}) + _content(MARKS).decode()


def inks_of(game: str) -> str:
    """The address of the style sheet of a game's boards."""
    return url_for("web.inks", game=game, v=mark(inks_sheet(game).encode()))


def static(name: str) -> str:
    """The address of a static file, which changes with its content."""
    if name == INKS:
        return url_for("web.inks", v=mark(inks_sheet().encode()))
    stem, _, kind = name.rpartition(".")
    if kind == "js":
        return url_for("web.script", name=stem, v=mark(bundle(name)))
    return url_for("web.static", filename=name, v=mark(_content(name)))


@cache()
def _content(name: str) -> bytes:
    return STATIC.joinpath(name).read_bytes()


@cache()
def mark(content: bytes) -> str:
    """A short hash of some content, for addresses."""
    return hashlib.sha256(content).hexdigest()[:8]


@web.after_request
def _compress_file(response: Response) -> Response:
    """Minify a file, and compress it if the browser accepts that."""
    if request.endpoint not in FILES or response.status_code != HTTPStatus.OK:
        return response
    response.vary.add("Accept-Encoding")
    response.direct_passthrough = False
    content = minify(response.get_data(), request.path.rpartition("/")[2])
    coding = request.accept_encodings.best_match(PACKERS)
    if coding is not None:
        content = compress(content, coding)
        response.headers["Content-Encoding"] = coding
    response.set_data(content)
    tag, _ = response.get_etag()
    if tag is not None:  # weak: the bytes differ in each coding, and from the file's
        response.set_etag(tag, weak=True)
    return response


@cache()  # every browser requests the file
def minify(content: bytes, name: str) -> bytes:
    """A style sheet or script without comments and needless spaces; any other file unchanged."""
    path = PurePosixPath(name)
    slim = SLIMMERS.get(path.suffix)
    return content if slim is None or ".min" in path.suffixes else slim(content)


@cache()  # as above
def compress(content: bytes, coding: str) -> bytes:
    """A file in one of the content codings of `PACKERS`."""
    return PACKERS[coding](content)
