"""How names are said in a sentence: French prepositions drawn together with them, appositions closed, lists told."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final

DRAWN: Final[Mapping[str, Mapping[str, str]]] = {
    "de": {"Le ": "du ", "Les ": "des ", "le ": "du "},
    "à": {"Le ": "au ", "Les ": "aux ", "le ": "au "},
}
"""A preposition, and what becomes of it and the article that a name begins with."""
VOWELS: Final = tuple("aeiouyœæ")
APART: Final = ", "


class _Spoken(Formatter):
    """Fills ``{name:de}`` and ``{name:à}`` with a name and the French preposition before it."""

    def format_field(self, value: object, spec: str) -> str:
        """A name with a preposition, or a value as ever."""
        return drawn(spec, str(value)) if spec in DRAWN else str(super().format_field(value, spec))


_SPOKEN: Final = _Spoken()


def drawn(preposition: str, name: str) -> str:
    """A preposition and a name as they are spoken: de Sigy, des Essarts, d’Arthur, aux Essarts."""
    for article, together in DRAWN[preposition].items():
        if name.startswith(article):
            return together + name.removeprefix(article)
    first = unicodedata.normalize("NFD", name[:1]).lower()[:1]
    return f"d’{name}" if preposition == "de" and first in VOWELS else f"{preposition} {name}"


def filled(sentence: str, values: Mapping[str, object]) -> str:
    """A sentence with its values. Raises `KeyError` for one that is missing."""
    if any(f":{preposition}}}" in sentence for preposition in DRAWN):
        return _SPOKEN.vformat(sentence, (), values)
    return sentence.format_map(values)


def closed(sentence: str, name: str) -> str:
    """A sentence in which what is said of a name after a comma ends with one, where words follow."""
    return re.sub(rf"(\{{{name}(?::\w+)?\}}) (?=[\w{{])", r"\1, ", sentence)


def series(items: Sequence[str], language: str) -> str:
    """A list, its items set apart more clearly where one of them has commas of its own."""
    if not any(APART in item for item in items):
        return APART.join(items)
    return (" ; " if language == "fr" else "; ").join(items)
