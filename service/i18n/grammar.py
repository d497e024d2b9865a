"""The grammar of names in a sentence: contracted prepositions, appositions, and lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final, Literal

from babel import Locale
from babel.lists import format_list

from rules.caches import cache
from service.i18n.languages import Language, language_of

SEPARATOR: Final = ", "
OR, APPOSED = "or", "apposed"
"""In a sentence, ``{name:or}`` is a list of which one is meant, ``{name:apposed}`` one of titles after a name."""


class Series(str):
    """A list as it is spoken: a, b and c. Of its `items` a sentence may ask for another form: a, b or c; a, b, c."""

    __slots__ = ("items", "language")
    items: Sequence[str]
    language: str

    def form(self, spec: str) -> str:
        """The list as one of which one is meant, or as titles after a name."""
        return _join_items(self.items, self.language, "or") if spec == OR else SEPARATOR.join(self.items)


class _SentenceFormatter(Formatter):
    """Fills ``{name:de}`` with a name after a preposition of the language, and lists in the forms asked for."""

    def __init__(self, language: Language) -> None:
        self.language, self.locale = language, Locale.parse(language.locale)
        self.marks = tuple(f":{spec}}}" for spec in (*language.prepositions, OR, APPOSED))

    def format_field(self, value: object, spec: str) -> str:
        """A name with a preposition, a list, or a value as ever."""
        if spec in (OR, APPOSED):
            return value.form(spec) if isinstance(value, Series) else str(value)
        if spec in self.language.prepositions:
            return _with_preposition(self.language, spec, str(value))
        return str(super().format_field(value, spec))


@cache()
def _formatter(language: str) -> _SentenceFormatter:
    return _SentenceFormatter(language_of(language))


def _with_preposition(language: Language, spec: str, name: str) -> str:
    """A preposition and a name as they are spoken: de Sigy, des Essarts, d’Arthur, aux Essarts."""
    preposition = language.prepositions[spec]
    for article, together in preposition.contractions.items():
        if name.startswith(article):
            return together + name.removeprefix(article)
    plain = "".join(each for each in unicodedata.normalize("NFD", name[:2]) if not unicodedata.combining(each))
    elided = preposition.elided and re.match(language.vowel_start, plain, re.IGNORECASE)
    return f"{preposition.elided}{name}" if elided else f"{spec} {name}"


def format_sentence(language: str, sentence: str, values: Mapping[str, object]) -> str:
    """Fill a sentence with its values. Raises `KeyError` if a value is missing."""
    formatter = _formatter(language)
    if any(mark in sentence for mark in formatter.marks):
        return formatter.vformat(sentence, (), values)
    return sentence.format_map(values)


def close_apposition(sentence: str, name: str) -> str:
    """A sentence in which what is said of a name after a comma ends with one, where words follow."""
    return re.sub(rf"(\{{{name}(?::\w+)?\}}) (?=[\w{{])", r"\1, ", sentence)


def series(items: Sequence[str], language: str) -> Series:
    """Format a list; its separators are stronger where an item contains commas."""
    found = Series(_join_items(items, language, "standard"))
    found.items, found.language = items, language
    return found


def _join_items(items: Sequence[str], language: str, style: Literal["standard", "or"]) -> str:
    if len(items) < 2 or not any(SEPARATOR in item for item in items):
        return format_list(items, style=style, locale=locale_of(language))
    last = format_list(["", ""], style=style, locale=locale_of(language)).lstrip()
    return language_of(language).semicolon.join([*items[:-1], last + items[-1]])


def locale_of(language: str) -> Locale:
    """The CLDR locale that defines the plurals and lists of a language."""
    return _formatter(language).locale
