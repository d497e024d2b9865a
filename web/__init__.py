"""The pages in the players' hands."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, url_for

from service.referee import Referee
from web import counts, frame, language, pages  # noqa: F401 - `counts` and `pages` add their views to the frame


@cache
def _mark(name: str) -> str:
    """A few letters that change with a file, so that a browser never keeps an old one."""
    content = Path(__file__).with_name("static").joinpath(name).read_bytes()
    return hashlib.sha256(content).hexdigest()[:12]


def static(name: str) -> str:
    """The address of a file of ours."""
    return url_for("web.static", filename=name, v=_mark(name))


def init_app(app: Flask, referee: Referee) -> None:
    """Give an application its pages."""
    app.extensions[frame.EXTENSION] = referee
    app.jinja_env.globals["static"] = static
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    language.init_app(app)
    frame.htmx.init_app(app)
    app.register_blueprint(frame.web)
