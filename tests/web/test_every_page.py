"""The list of all pages: none is missing, and each is made of the same in both languages."""

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
"""Attributes whose words are those of a language; of any other, only that it is there is the same in both."""
OTHERWISE = {"rules found", "many on a sheet"}
"""Pages that have other parts: where words of one language are looked for, or more lines find room."""
LANDMARKS = ":is(nav, main, section, aside, header, footer, form, [role])[aria-label]"
"""What one jumps to by its name: two that have the same one cannot be told apart."""
DRAWING = re.compile(r"<svg.*?</svg>", re.DOTALL)


def endpoints(app: Flask, paths: Iterator[str]) -> set[str]:
    """What answers these addresses."""
    known = app.url_map.bind("localhost")
    return {known.match(path.partition("?")[0])[0] for path in paths}


def test_no_page_is_forgotten(app: Flask) -> None:
    """Whatever answers GET is a page on the list, or is named with the reason why nothing is to be looked at."""
    there = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith("api.")
    }
    listed = endpoints(app, (path.replace("{", "").replace("}", "") for path in PAGES.values()))
    assert there - listed == frozenset().union(*NO_PAGES.values())


def outline(page: str) -> list[tuple[object, ...]]:
    """What a page is made of, without its words: its elements, their attributes, and which of them say nothing. Of a
    drawing, whose letters are shapes, only how many places have a name. Of landmarks, which has the name of another.
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
    """Where a page says something in one language, it does in the other, with the same elements."""
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
