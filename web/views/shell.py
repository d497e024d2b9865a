"""The files that a phone caches, the same for everybody, and the moves of a table for use without a connection."""

from __future__ import annotations

from flask import Response

from service.http.current import referee
from service.i18n.languages import LANGUAGES
from service.schemas.parsing import encode
from web.blueprint import web
from web.browser import cookies
from web.browser.language import language
from web.pages import pwa
from web.pages.offline_moves import offline_moves_of

LANGUAGE_PART = f"<any({', '.join(LANGUAGES)}):lang>"
"""The part of an address that names the language."""


@web.get(f"/app/{LANGUAGE_PART}.webmanifest")
def manifest(lang: str) -> Response:
    """The web app manifest, by which a phone installs the pages."""
    return Response(pwa.manifest_text(lang), mimetype="application/manifest+json")


@web.get(f"/app/{LANGUAGE_PART}/offline")
def offline(lang: str) -> Response:
    """The page that a phone shows while it cannot reach the service."""
    return Response(pwa.offline_page(lang), mimetype="text/html")


@web.get("/worker.js")
def worker() -> Response:
    """The service worker, at an address above all pages, since it serves the addresses below its own."""
    return Response(pwa.worker_text(), mimetype="text/javascript")


@web.get("/t/<table_id>/ahead")
def ahead(table_id: str) -> Response:
    """The legal moves of the current table, for a phone to store; none for a seat during another seat's turn."""
    table, role = referee().table(table_id, cookies.key())
    found = offline_moves_of(table, role, language())
    body = found._asdict() | {"moves": [tuple(move) for move in found.moves]}
    return Response(encode(body), mimetype="application/json")
