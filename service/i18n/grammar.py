"""The grammar of names in a sentence: contracted French prepositions, appositions, and lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final, Literal

from babel import Locale
from babel.lists import format_list

CONTRACTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "de": {"Le ": "du ", "Les ": "des ", "le ": "du "},
    "à": {"Le ": "au ", "Les ": "aux ", "le ": "au "},
}
"""A preposition, and what becomes of it and the article that a name begins with."""
VOWEL_START: Final = re.compile(r"[aeiouœæ]|y(?![aeiou])", re.IGNORECASE)
"""The beginning of a name before which *de* is elided: a vowel, and a y that is spoken as one (d’Yves, but de Yann)."""
SEPARATOR: Final = ", "
OR, APPOSED = "or", "apposed"
"""In a sentence, ``{name:or}`` is a list of which one is meant, ``{name:apposed}`` one of titles after a name."""
_LISTS: Final = {"en": Locale("en", "GB"), "fr": Locale("fr")}
"""The words are in British English: its lists have no comma before the last item."""


class Series(str):
    """A list as it is spoken: a, b and c. Of its `items` a sentence may ask for another form: a, b or c; a, b, c."""

    __slots__ = ("items", "language")
    items: Sequence[str]
    language: str

    def form(self, spec: str) -> str:
        """The list as one of which one is meant, or as titles after a name."""
        return _join_items(self.items, self.language, "or") if spec == OR else SEPARATOR.join(self.items)


class _SentenceFormatter(Formatter):
    """Fills ``{name:de}`` and ``{name:à}`` with a name after a French preposition, and lists in the forms asked for."""

    def format_field(self, value: object, spec: str) -> str:
        """A name with a preposition, a list, or a value as ever."""
        if spec in (OR, APPOSED):
            return value.form(spec) if isinstance(value, Series) else str(value)
        return with_preposition(spec, str(value)) if spec in CONTRACTIONS else str(super().format_field(value, spec))


_FORMATTER: Final = _SentenceFormatter()


def with_preposition(preposition: str, name: str) -> str:
    """A preposition and a name as they are spoken: de Sigy, des Essarts, d’Arthur, aux Essarts."""
    for article, together in CONTRACTIONS[preposition].items():
        if name.startswith(article):
            return together + name.removeprefix(article)
    plain = "".join(each for each in unicodedata.normalize("NFD", name[:2]) if not unicodedata.combining(each))
    return f"d’{name}" if preposition == "de" and VOWEL_START.match(plain) else f"{preposition} {name}"


def format_sentence(sentence: str, values: Mapping[str, object]) -> str:
    """A sentence with its values. Raises `KeyError` for one that is missing."""
    if any(f":{spec}}}" in sentence for spec in (*CONTRACTIONS, OR, APPOSED)):
        return _FORMATTER.vformat(sentence, (), values)
    return sentence.format_map(values)


def close_apposition(sentence: str, name: str) -> str:
    """A sentence in which what is said of a name after a comma ends with one, where words follow."""
    return re.sub(rf"(\{{{name}(?::\w+)?\}}) (?=[\w{{])", r"\1, ", sentence)


def series(items: Sequence[str], language: str) -> Series:
    """A list, its items set apart more clearly where one of them has commas of its own."""
    found = Series(_join_items(items, language, "standard"))
    found.items, found.language = items, language
    return found


def _join_items(items: Sequence[str], language: str, style: Literal["standard", "or"]) -> str:
    if len(items) < 2 or not any(SEPARATOR in item for item in items):
        return format_list(items, style=style, locale=_LISTS[language])
    apart = "\u202f; " if language == "fr" else "; "
    last = format_list(["", ""], style=style, locale=_LISTS[language]).lstrip()
    return apart.join([*items[:-1], last + items[-1]])
