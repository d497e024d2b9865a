"""The words of the pages: every one in every language, in the language that was asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import web
from service.texts import LANGUAGES
from tests.web.conftest import Visitor

WEB = Path(web.__file__).parent
OTHERS = [language for language in LANGUAGES if language != "en"]


def catalogue(language: str) -> tuple[Catalog, Path]:
    """The words in a language other than English, which the sources are written in."""
    path = WEB / "translations" / language / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        return read_po(file, locale=language), path


def said(found: Catalog) -> dict[tuple[str, ...], tuple[str, ...]]:
    """A catalogue as its words, singular and plural, and what they become."""

    def forms(text: Any) -> tuple[str, ...]:
        return (text,) if isinstance(text, str) else tuple(text)

    return {forms(message.id): forms(message.string) for message in found if message.id}


@pytest.mark.parametrize("language", OTHERS)
def test_every_word_is_translated(language: str) -> None:
    """The catalogue has every word of the pages and no other, none of them empty or in doubt, with the same values."""
    methods = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
    options = {"**/templates/**.html": {"trimmed": "true"}}
    used = {message for _, _, message, _, _ in extract_from_dir(WEB, methods, options)}
    found, _ = catalogue(language)
    assert {message.id if isinstance(message.id, str) else tuple(message.id) for message in found if message.id} == used
    for message in found:
        if message.id:
            assert all(message.string if isinstance(message.string, tuple) else (message.string,)), message.id
            assert not message.fuzzy
            assert not list(message.check(found)), message.id


@pytest.mark.parametrize("language", OTHERS)
def test_the_compiled_catalogue_is_that_of_the_text(language: str) -> None:
    """What is shipped was compiled from what is read."""
    found, path = catalogue(language)
    with path.with_suffix(".mo").open("rb") as file:
        shipped = read_mo(file)
    assert said(shipped) == said(found)
    assert shipped.plural_expr == found.plural_expr


def test_the_language_is_the_one_that_was_asked_for(visitor: Callable[..., Visitor]) -> None:
    """The browser's preference; over it what was chosen, which is remembered; never one that there is not."""
    for wanted, given in (("fr-CH, fr;q=0.9, en;q=0.8", "fr"), ("de", "en"), ("", "en"), ("x" * 1000, "en")):
        answer = visitor(wanted).get("/")
        assert f'<html lang="{given}">' in answer.text
        assert answer.headers["Content-Language"] == given
    guest = visitor("en")
    for asked, given in (("fr", "fr"), ("", "fr"), ("xx", "fr"), ("../../etc", "fr"), ("en", "en")):
        assert f'<html lang="{given}">' in guest.get(f"/?lang={asked}" if asked else "/").text
    guest.client.set_cookie("lang", "klingon")
    assert '<html lang="en">' in guest.get("/").text


def test_a_page_offers_the_other_language(visitor: Callable[..., Visitor]) -> None:
    """Every page links to itself in the other language, also the answer to a form."""
    guest = visitor("fr")
    table = guest.open()
    for path in ("/", table, f"{table}/score", f"{table}/share"):
        assert f"{path}?lang=en" in guest.see(path).links()
    assert "/?game=robber_knights&lang=en" in guest.see("/?game=robber_knights").links()
    answer = guest.post(f"{table}/play", {"move": "x"})
    assert f'href="{table}?lang=en"' in answer.text


def test_pages_speak_one_language(visitor: Callable[..., Visitor]) -> None:
    """The words of the game and those of the pages come in the same language."""
    guest = visitor("fr")
    page = guest.place(guest.open(), "r b9c9")
    assert "Posé par Noir\u00a0: rempart en b9–c9" in page.text.replace("Noir :", "Noir\u00a0:")
    assert "Défaire" in page.text
