"""The catalogues of the pages' words: complete, and compiled from their sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import web
from service.i18n.languages import LANGUAGES
from tests.support.heard_sentences import FEW, number_of_words

WEB = Path(web.__file__).parent
OTHERS = [language for language in LANGUAGES if language != "en"]
"""The languages with a catalogue: the sources are in English."""

MANY = 200
"""The least number of labels and hints in the templates."""

Words = tuple[str, ...]
"""A message, or its singular and plural."""


def forms(text: Any) -> Words:
    return (text,) if isinstance(text, str) else tuple(text)


def catalogue(language: str) -> tuple[Catalog, Path]:
    """The catalogue of a language, and its file."""
    path = WEB / "translations" / language / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        return read_po(file, locale=language), path


def words_used() -> set[Words]:
    """Every message of the pages, extracted as by `make words`."""
    with (WEB / "translations" / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]  # Babel's own
    return {forms(message) for _, _, message, _, _ in extract_from_dir(WEB, methods, options)}


def faults(found: Catalog, wanted: set[Words]) -> Iterator[str]:
    """A catalogue's missing, unused, empty and fuzzy messages, and those with other placeholders."""
    messages = {forms(message.id): message for message in found if message.id}
    yield from (f"missing: {words[0]}" for words in sorted(wanted - set(messages)))
    yield from (f"unused: {words[0]}" for words in sorted(set(messages) - wanted))
    for words, message in messages.items():
        if not all(forms(message.string)):
            yield f"not translated: {words[0]}"
        if message.fuzzy:
            yield f"in doubt: {words[0]}"
        yield from (f"{error}: {words[0]}" for error in message.check(found))


@pytest.mark.parametrize("language", OTHERS)
def test_every_word_is_translated(language: str) -> None:
    """The catalogue has exactly the pages' messages, none of them empty or fuzzy, with the same placeholders."""
    assert list(faults(catalogue(language)[0], words_used())) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('msgid "Score"\nmsgstr ""', "not translated: Score"),
        ('#, fuzzy\nmsgid "Score"\nmsgstr "Marque"', "in doubt: Score"),
        ('msgid "Score"\nmsgid_plural "Scores"\nmsgstr[0] "Marque"\nmsgstr[1] ""', "not translated: Score"),
        ('#, python-format\nmsgid "%(n)s"\nmsgstr "%(m)s"', "unknown named placeholder 'm': %(n)s"),
        ('msgid "Back"\nmsgstr "Retour"', "unused: Back"),
        ('msgid "Back"\nmsgstr "Retour"', "missing: Score"),
    ],
)
def test_what_is_amiss_in_a_catalogue_is_found(text: str, fault: str) -> None:
    """The control: the check names each kind of fault."""
    assert fault in list(faults(read_po(StringIO(text), locale="fr"), {("Score",)}))


def translations(found: Catalog) -> dict[Words, Words]:
    """Message -> translation."""
    return {forms(message.id): forms(message.string) for message in found if message.id}


@pytest.mark.parametrize("language", OTHERS)
def test_the_compiled_catalogue_is_that_of_the_text(language: str) -> None:
    """The compiled catalogue equals its source; `make words` compiles it."""
    found, path = catalogue(language)
    with path.with_suffix(".mo").open("rb") as file:
        shipped = read_mo(file)
    assert translations(shipped) == translations(found)
    assert shipped.plural_expr == found.plural_expr


def test_french_marks_keep_to_their_words() -> None:
    """A no-break space stands before each French ``: ; ? ! »`` and after ``«``."""
    said = [each for message in catalogue("fr")[0] if message.id for each in forms(message.string)]
    assert not [text for text in said if re.search(r"(?<=\S) (?=[;?!»]|:(?:\s|$))|« ", text)]


LABEL = re.compile(r"<(label|legend|summary|button|a|th|h[1-3])\b[^>]*>((?:(?!</\1>).)*)</\1>", re.DOTALL)
HINT = re.compile(r"<(p|span)\b[^>]*\bhint\b[^>]*>((?:(?!</\1>).)*)</\1>", re.DOTALL)
WORDS = re.compile(r"_\('((?:[^'\\]|\\.)*)'")


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_and_hints_have_few_words(language: str) -> None:
    """Labels, headings, buttons and hints in templates have twelve words at most."""
    french = {forms(message.id)[0]: forms(message.string)[0] for message in catalogue("fr")[0] if message.id}
    templates = [path.read_text() for path in (WEB / "templates").rglob("*.html")]
    found = {
        text
        for template in templates
        for kind in (LABEL, HINT)
        for _, inside in kind.findall(template)
        for text in WORDS.findall(inside)
    }
    assert len(found) > MANY
    said = found if language == "en" else {french[text] for text in found}
    assert [text for text in said if number_of_words(text) > FEW] == []
