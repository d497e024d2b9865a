"""What a phone keeps of the pages: the same for everybody, and in each language at an address of its own."""

from __future__ import annotations

from flask import Response

from service.texts import LANGUAGES
from web import shell
from web.blueprint import web

SPOKEN = f"<any({', '.join(LANGUAGES)}):lang>"
"""The part of an address that names the language."""


@web.get(f"/app/{SPOKEN}.webmanifest")
def manifest(lang: str) -> Response:
    """What a phone has to know to install the pages."""
    return Response(shell.manifest_text(lang), mimetype="application/manifest+json")
