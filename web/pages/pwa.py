"""The installed app in each language: its manifest, and the page that it shows without a connection.

Both are the same for everybody, and contain nothing of a table. The address of each changes with its content.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import orjson
from flask import render_template, url_for

from rules.caches import cache
from web.assets import mark, static
from web.browser.language import _, language

GROUND: Final = "#efe9dd"
"""The colour behind the pages by day, as in the style sheet."""
ICONS: Final = (
    ("icon.svg", "any", "any"),
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-filled-512.png", "512x512", "maskable"),
)
"""File, size in pixels, and purpose."""


def manifest() -> str:
    """The address of the manifest in the language of the page."""
    return url_for("web.manifest", lang=language(), v=mark(manifest_text(language())))


@cache()
def manifest_text(lang: str) -> bytes:
    """The web app manifest in a language, that of the request (W3C, Web Application Manifest)."""
    types = {"svg": "image/svg+xml", "png": "image/png"}
    return orjson.dumps(
        {
            "id": url_for("web.home"),
            "name": "Bastide",
            "short_name": "Bastide",
            "description": _(
                "A referee at the table: it judges the moves, says why, keeps the log and counts the score."
            ),
            "lang": lang,
            "start_url": url_for("web.home"),
            "scope": url_for("web.home"),
            "display": "standalone",
            "background_color": GROUND,
            "theme_color": GROUND,
            "icons": [
                {"src": static(name), "sizes": sizes, "purpose": purpose, "type": types[name.rpartition(".")[2]]}
                for name, sizes, purpose in ICONS
            ],
        }
    )


def offline() -> str:
    """The address of the page without a connection in the language of the page."""
    return url_for("web.offline", lang=language(), v=mark(offline_page(language()).encode()))


@cache()
def offline_page(_lang: str) -> str:
    """The page without a connection in a language, that of the request, with the words for waiting moves."""
    return render_template("offline.html")


@cache()  # every browser requests the file
def worker_text() -> bytes:
    """The service worker's script."""
    return Path(__file__).parents[1].joinpath("static", "worker.js").read_bytes()
