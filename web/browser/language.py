"""Selects the language of a page: the reader's choice, or else the browser's preference."""

from __future__ import annotations

import datetime
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.dates import format_timedelta
from flask import Flask, Response, g, request
from flask_babel import Babel, format_date, get_translations  # type: ignore[import-untyped]
from markupsafe import Markup, escape

from rules.caches import cache
from service.http.responses import language as spoken
from service.i18n.grammar import language_of
from service.i18n.languages import LANGUAGES
from web.browser import submitted_form
from web.browser.address import url_with_parameter
from web.browser.cookies import choice, keep_choice

COOKIE: Final = "lang"
ZONE: Final = "zone"
"""The cookie with the time zone of a browser, set by a script (`time_zone.js`)."""
MAX_TEXTS: Final = 4_000
"""The maximum number of cached texts for templates: more than all texts in all languages."""
LONG_AGO: Final = datetime.timedelta(days=7)
"""The age from which a page gives the day, not the time."""
MINUTE: Final = datetime.timedelta(minutes=1)
NAMES: Final = {each: language_of(each).name for each in LANGUAGES}
"""Each language by its own name."""


def chosen_language() -> str | None:
    """The language in the address or the cookie, if it is installed."""
    of_path = (request.view_args or {}).get(COOKIE)
    return of_path if of_path in LANGUAGES else choice(COOKIE, LANGUAGES)


def language() -> str:
    """The language of the page. Each request computes it once, since a page uses it a dozen times."""
    try:
        return str(g.language)
    except AttributeError:
        g.language = chosen_language() or spoken()
        return str(g.language)


def other_languages() -> tuple[tuple[str, str, str], ...]:
    """The other languages: their own name, and the address of this page in each; a form is that of the same game."""
    form = submitted_form.form() if request.method != "GET" else None
    game = f"&{urlencode({'game': form['game']})}" if form and "game" in form else ""
    others = [name for name in LANGUAGES if name != language()]
    return tuple((name, NAMES[name], url_with_parameter(COOKIE, name) + game) for name in others)


def remember(response: Response) -> Response:
    """Store the requested language in the cookie."""
    return keep_choice(response, COOKIE, LANGUAGES)


def init_app(app: Flask) -> None:
    """Install all languages of the games in an application."""
    folder = Path(__file__).parents[1] / "translations"
    Babel(app, default_translation_directories=str(folder), locale_selector=language)
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # the extension has added it
        gettext=lambda text: _catalogue().ugettext(text),
        ngettext=lambda one, many, n: _catalogue().ungettext(one, many, n),
        newstyle=True,
    )
    app.jinja_env.globals["_"] = _gettext_in_templates


def _gettext_in_templates(text: str, **values: object) -> Markup:
    """A text of the pages in a template. Jinja's own function repeats the look-up each time, and a part has forty."""
    markup = _translated_markup(_catalogue(), text)
    return markup % values if values or "%" in markup else markup


@cache(MAX_TEXTS)
def _translated_markup(catalogue: Any, text: str) -> Markup:
    return Markup(_translate(catalogue, text))  # noqa: S704  # words of ours


def _translate(catalogue: Any, text: str) -> str:
    return str(catalogue.ugettext(text))


def _catalogue() -> Any:
    """The words of the page's language; cached for the request, since a page has a hundred."""
    try:
        return g.catalogue
    except AttributeError:
        g.catalogue = get_translations()
        return g.catalogue
    except RuntimeError:  # outside of an application
        return get_translations()


def _(text: str, /, **values: object) -> str:
    """A text of the pages in the page's language."""
    translation = _translate(_catalogue(), text)
    return translation % values if values else translation


def day_of(at: datetime.datetime | str, how: str = "long") -> Markup:
    """The day of a moment (or of its ISO 8601): in UTC; a script replaces it by the reader's day.

    A day without an hour is that day everywhere, and any other text is returned unchanged.
    """
    moment = _moment_of(at)
    if moment is None:
        return escape(day(str(at), how))
    return _moment(moment, "dateStyle", how, day(moment.date(), how))


def ago(at: datetime.datetime | str) -> Markup:
    """How long ago a moment was (or its ISO 8601), with the full time as a tooltip; after a week, the day alone.

    The day alone stands for a future moment too, which comes from a wrong clock.
    """
    moment = _moment_of(at)
    if moment is None:
        return day_of(at, "medium")
    moment = moment.replace(tzinfo=datetime.UTC)
    past = datetime.datetime.now(datetime.UTC) - moment
    if not -MINUTE < past < LONG_AGO:
        return day_of(moment, "medium")
    said = format_timedelta(-max(past, MINUTE), threshold=1, add_direction=True, format="short", locale=language())
    element = Markup('<time datetime="{}" title="{}">{}</time>')
    full = f"{day(moment.date(), 'medium')}, {moment:%H:%M} UTC"
    return element.format(moment.isoformat(), full, said.replace(".", ""))


def hour_of(at: datetime.datetime) -> Markup:
    """The hour of a moment, in the same way."""
    return _moment(at, "timeStyle", "short", f"{at:%H:%M} UTC")


def local_day(at: datetime.datetime, client_day: str | None) -> datetime.date:
    """The day of a moment where the reader is, if a script has sent it.

    Else the day in the time zone that this browser has sent before, or in UTC if it has sent none.
    """
    with suppress(ValueError):
        there = datetime.date.fromisoformat(client_day or "")
        if abs(there - at.date()) <= datetime.timedelta(days=1):
            return there
    with suppress(ValueError, OSError, ZoneInfoNotFoundError):
        return at.replace(tzinfo=datetime.UTC).astimezone(ZoneInfo(request.cookies.get(ZONE) or "UTC")).date()
    return at.date()


def _moment_of(at: datetime.datetime | str) -> datetime.datetime | None:
    """A moment, or that of its ISO 8601; None for a day without an hour, and for what is neither."""
    if isinstance(at, datetime.datetime):
        return at
    with suppress(ValueError):
        return datetime.datetime.fromisoformat(at) if "T" in at else None
    return None


def _moment(at: datetime.datetime, style: str, length: str, text: str) -> Markup:
    """A moment as an element for the script of all pages, which formats it by `Intl.DateTimeFormat`."""
    element = Markup('<time datetime="{}" data-style="{}" data-length="{}">{}</time>')
    return element.format(at.replace(tzinfo=datetime.UTC).isoformat(), style, length, text)


def day(date: datetime.date | str, how: str = "long") -> str:
    """A day (or its ISO 8601) in the page's language, `long` or `medium`. Any other text is returned unchanged."""
    try:
        return str(format_date(datetime.date.fromisoformat(date) if isinstance(date, str) else date, how))
    except ValueError:
        return str(date)
