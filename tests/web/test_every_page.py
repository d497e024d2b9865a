"""The list of all pages: none is missing, and each has the same elements in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

from flask import Flask
from selectolax.lexbor import LexborHTMLParser

from service.groups.groups import Groups
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from tests.support.every_page import ASTRAY, NO_PAGES, PAGES, PUBLIC_VIEWS, open_all
from tests.web.conftest import Visitor

WORDS = ("alt", "title", "placeholder", "aria-label", "aria-valuetext")
"""Attributes with words of a language; both languages have all other attributes alike."""
OTHERWISE = {"rules found", "many on a sheet"}
"""Pages whose parts differ by language: a search for words of one, or a sheet with room for more lines."""
LANDMARKS = ":is(nav, main, section, aside, header, footer, form, [role])[aria-label]"
"""The named landmarks, to which screen readers jump."""
DRAWING = re.compile(r"<svg.*?</svg>", re.DOTALL)


def endpoints(app: Flask, paths: Iterator[str]) -> set[str]:
    """The endpoints of these addresses."""
    known = app.url_map.bind("localhost")
    return {known.match(path.partition("?")[0])[0] for path in paths}


def test_no_page_is_forgotten(app: Flask) -> None:
    """Every endpoint for GET is a page on the list, or is in `NO_PAGES` with a reason."""
    there = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith("api.")
    }
    listed = endpoints(app, (path.replace("{", "").replace("}", "") for path in PAGES.values()))
    assert there - listed == frozenset().union(*NO_PAGES.values())


def outline(page: str) -> list[tuple[object, ...]]:
    """A page's structure without its words: its elements, their attributes, and which are empty. For a drawing, only
    the number of labels counts; for landmarks, which share a name.
    """
    whole = LexborHTMLParser(DRAWING.sub(lambda it: f"<svg id='{it[0].count(' aria-label=')}'>", page))
    names = [one.attributes["aria-label"] for one in whole.css(LANDMARKS)]
    found: list[tuple[object, ...]] = [tuple(map(names.index, names))]
    for one in whole.css("body *"):
        said = {name: bool(value) for name, value in one.attributes.items() if name in WORDS}
        kept = one.attributes["id"] if one.tag == "svg" else bool(one.text(strip=True))
        found.append((one.tag, *sorted(set(one.attributes) - said.keys()), *sorted(said.items()), kept))
    return found


def test_both_languages_say_the_same(app: Flask, ledger: Ledger, visitor: Callable[..., Visitor]) -> None:
    """Each page has the same structure in both languages, and text in the same places."""
    opened = open_all(Referee(ledger), Groups(ledger, lifetime=timedelta(days=90)))
    differing, statuses = {}, set()
    for name in PAGES.keys() - OTHERWISE:
        outlines = []
        for language in ("fr", "en"):
            guest = visitor(language)
            for cookie, value, where in opened.cookies():
                guest.client.set_cookie(cookie, value, path=where)
            there = PAGES[name].format(**opened.ids).replace("/app/fr/", f"/app/{language}/")
            there += f"?lang={language}" if name in PUBLIC_VIEWS else ""
            answer = guest.client.get(there, headers={"Accept-Language": language}, follow_redirects=True)
            statuses.add((name in ASTRAY, answer.status_code))
            assert f'<html lang="{language}"' in answer.text, name
            outlines.append(outline(answer.text))
        if outlines[0] != outlines[1]:
            differing[name] = next(pair for pair in zip(*outlines, strict=False) if pair[0] != pair[1])
    assert not differing
    assert statuses == {(False, 200), (True, 404), (True, 422)}
