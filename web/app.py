"""Adds the pages to the application."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Final

from flask import Flask
from markupsafe import Markup

from rules.caches import cache
from service.http.current import DOCUMENTS
from service.i18n.sentences import Words
from service.runtime.memoize import ByIdentity
from service.runtime.memory import WeightedCache
from web import assets, blueprint, games, views
from web.board import layers, markup
from web.board.shapes import Stock
from web.browser import language
from web.browser.address import path_of
from web.browser.bidi import isolate_name
from web.pages import page_data, pwa
from web.panels import sentences
from web.panels.log import turns
from web.template_cache import template_cache
from web.views import sheet
from web.views.public import public

MAX_STOCKS: Final = 500
"""The maximum number of cached texts for supplies of players."""
__all__ = ["init_app", "views", "warm"]
MACROS: Final[Mapping[str, tuple[str, ...]]] = {
    "part/rule_link.html": ("to_rule", "rule_id"),
    "part/rulings.html": ("ruling_text", "ruling_on"),
    "part/report.html": ("report",),
    "part/layers.html": ("layer", "under", "over"),
    "part/forms.html": ("rewind", "undo", "place", "onward", "rolls"),
    "part/rows.html": ("row", "refused_rows", "nudge"),
}
"""Template -> its macros that every template has. Importing one costs as much as calling it, and a part of a page uses
a dozen. A template stands below those whose macros it uses.
"""


def init_app(app: Flask) -> None:
    """Add the pages to an application; the views have added themselves to the blueprint."""
    app.jinja_env.globals["url_for"] = path_of
    app.jinja_env.globals["static"] = assets.static
    app.jinja_env.globals["inks_of"] = assets.inks_of
    app.jinja_env.globals["shell"] = pwa
    app.jinja_env.globals["page_data"] = page_data
    app.jinja_env.globals["shapes_markup"] = markup.shapes_markup
    app.jinja_env.globals["piece"] = markup.piece
    app.jinja_env.globals["mark_of"] = layers.mark
    app.jinja_env.globals["clock_text"] = turns.clock_text
    app.jinja_env.filters["unbroken"] = sentences.nowrap_points
    app.jinja_env.filters["isolated"] = isolate_name
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.bytecode_cache = template_cache()
    language.init_app(app)
    blueprint.htmx.init_app(app)
    app.register_blueprint(blueprint.web)
    app.register_blueprint(public)
    app.extensions[DOCUMENTS] = sheet.DOCUMENTS
    for name in ("icon", "mark"):
        app.jinja_env.globals[name] = _cached_macro(app, "part/icons.html", name)
    for template, names in MACROS.items():
        module = app.jinja_env.get_template(template).module
        app.jinja_env.globals.update({name: getattr(module, name) for name in names})
    app.jinja_env.globals["stock"] = _cached_stock(app)


def _cached_macro(app: Flask, template: str, name: str) -> Callable[[str], Markup]:
    """A macro with a cache, whose output depends only on its argument. A part of a page draws dozens of icons."""

    @cache()
    def render(of: str) -> Markup:
        found: Callable[[str], Markup] = getattr(app.jinja_env.get_template(template).module, name)
        return found(of)

    return render


def _cached_stock(app: Flask) -> Callable[[Sequence[Stock], Words], Markup]:
    """The macro for a player's supply, with a cache: equal supplies in one language have the same markup."""
    module = app.jinja_env.get_template("part/stock.html").module
    stock: Callable[[Sequence[Stock], Words], Markup] = getattr(module, "stock")  # noqa: B009  # a macro is no attribute
    markups: WeightedCache[Hashable, Markup] = WeightedCache(MAX_STOCKS, name=f"{__name__}._cached_stock")

    def render(stocks: Sequence[Stock], words: Words) -> Markup:
        key = words.language, *[(words.name(item.piece), item.n, ByIdentity(item.icon)) for item in stocks]
        html = markups.get(key)
        if html is None:
            html = stock(stocks, words)
            markups.put(key, html)
        return html

    return render


def warm(app: Flask) -> None:
    """Load the pages of all games, and all templates."""
    games.all_pages()
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
