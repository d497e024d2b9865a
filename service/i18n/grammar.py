"""The file of a language: its words, and its grammar of names: contracted prepositions, appositions, and lists."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property
from string import Formatter
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from babel import Locale
from babel.lists import format_list
from babel.plural import PluralRule

from rules.caches import cache, freeze
from service.i18n.languages import HERE

SEPARATOR: Final = ", "
MAX_NUMBERS: Final = 1_000
"""The maximum number of numbers whose plural category is cached."""
OR, APPOSITION = "or", "apposed"
"""In a sentence, ``{name:or}`` is a list of alternatives, ``{name:apposed}`` a list of titles after a name."""


class Preposition(NamedTuple):
    """The contractions with the article of a name, and the form before a vowel, if any; also of a word such as que."""

    contractions: Mapping[str, str]
    elided: str = ""


class Language(NamedTuple):
    """A language: its own name, and its grammar.

    `locale`: the CLDR locale of its lists and plurals. `stemmer`: the name of its Snowball stemmer, if any.
    `vowel_start`: the pattern of names before which a preposition is elided.
    """

    name: str
    locale: str
    stemmer: str = ""
    semicolon: str = "; "
    vowel_start: str = ""
    prepositions: Mapping[str, Preposition] = MappingProxyType({})


def service_words(code: str) -> Mapping[str, Any]:
    """The words of the service: the file of a language without its table ``[language]``."""
    return _load(code)[1]


def language_of(code: str) -> Language:
    """The table ``[language]`` in the file of a language."""
    return _load(code)[0]


@cache()
def _load(code: str) -> tuple[Language, Mapping[str, Any]]:
    words = tomllib.loads((HERE / f"{code}.toml").read_text(encoding="utf-8"))
    grammar = freeze(words.pop("language"))
    prepositions = {name: Preposition(**each) for name, each in grammar.get("prepositions", {}).items()}
    return Language(**{**grammar, "prepositions": MappingProxyType(prepositions)}), freeze(words)


class Series(str):
    """A spoken list: a, b and c. A sentence may request another form of its `items`: a, b or c; a, b, c."""

    __slots__ = ("items", "language")
    items: Sequence[str]
    language: str

    def form(self, spec: str) -> str:
        """The list as alternatives, or as titles after a name."""
        return _join_items(self.items, self.language, "or") if spec == OR else SEPARATOR.join(self.items)


class _SentenceFormatter(Formatter):
    """Fills ``{name:de}`` with a name after a preposition of the language, and lists in the requested forms."""

    def __init__(self, language: Language) -> None:
        self.language, self.locale = language, Locale.parse(language.locale)
        specs = "|".join(map(re.escape, (*language.prepositions, OR, APPOSITION)))
        self.has_mark = re.compile(f":(?:{specs})}}").search

    @cached_property
    def plural_rule(self) -> PluralRule:
        """The rule that selects the plural form, cached because the locale loads slowly."""
        return self.locale.plural_form

    def fill(self, sentence: str, values: Mapping[str, object]) -> str:
        """A sentence with its values; its fields are plain names. Raises `KeyError`."""
        parts: list[str] = []
        for literal, name, spec, _ in self.parse(sentence):
            parts.append(literal)
            if name is not None:
                parts.append(self.format_field(values[name], spec or ""))
        return "".join(parts)

    def format_field(self, value: object, spec: str) -> str:
        """A name with a preposition, a list, or a value in its usual format."""
        if spec in (OR, APPOSITION):
            return value.form(spec) if isinstance(value, Series) else str(value)
        if spec in self.language.prepositions:
            return _with_preposition(self.language, spec, str(value))
        return str(super().format_field(value, spec))


@cache()
def _formatter(language: str) -> _SentenceFormatter:
    return _SentenceFormatter(language_of(language))


def _with_preposition(language: Language, spec: str, name: str) -> str:
    """A preposition and a name in their spoken form: de Sigy, des Essarts, d’Arthur, aux Essarts."""
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
    if formatter.has_mark(sentence):
        return formatter.fill(sentence, values)
    return sentence.format_map(values)


def close_apposition(sentence: str, name: str) -> str:
    """A sentence with a comma after the apposition of a name, if words follow."""
    return re.sub(rf"(\{{{name}(?::\w+)?\}}) (?=[\w{{])", r"\1, ", sentence)


def series(items: Sequence[str], language: str) -> Series:
    """Format a list; its separators are stronger if an item contains commas."""
    found = Series(_join_items(items, language, "standard"))
    found.items, found.language = items, language
    return found


def _join_items(items: Sequence[str], language: str, style: Literal["standard", "or"]) -> str:
    if len(items) < 2:
        return items[0] if items else ""
    two, first, next_one, last = _words_between(language, style)
    if any(SEPARATOR in item for item in items):
        return language_of(language).semicolon.join([*items[:-1], two.lstrip() + items[-1]])
    if len(items) == 2:
        return two.join(items)
    return f"{items[0]}{first}{next_one.join(items[1:-1])}{last}{items[-1]}"


@cache()
def _words_between(language: str, style: Literal["standard", "or"]) -> tuple[str, str, str, str]:
    """The separators between two items; and of more items, after the first, between the next, and before the last."""
    two, four = (
        format_list(["\0"] * n, style=style, locale=_formatter(language).locale).split("\0")[1:-1] for n in (2, 4)
    )
    return two[0], four[0], four[1], four[2]


@cache(MAX_NUMBERS)
def plural_category(language: str, n: float) -> str:
    """The category of a number by the language's plural rule."""
    return str(_formatter(language).plural_rule(n))
