"""The words of a query, without case, accents and endings; those that count, and their synonyms.

The search words of a language are in ``search_words/<language>.toml``.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from rules.caches import cache
from service.i18n.grammar import language_of

HERE: Final = Path(__file__).with_name("search_words")
MAX_WORDS: Final = 12
SHORTEST: Final = 2
"""The fewest letters of an unfinished word, and of a word in another language than the reader's: in "l'église" a single
letter is no word.
"""
WORD: Final = re.compile(r"[^\W_]+")
LIGATURES: Final = str.maketrans({"œ": "oe", "æ": "ae"})


def fold(word: str) -> str:
    """A word without case and accents.

    >>> fold("Église"), fold("NŒUD")
    ('eglise', 'noeud')
    """
    plain = unicodedata.normalize("NFKD", word.casefold().translate(LIGATURES))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache(1 << 14)
def stem_of(word: str, language: str) -> str:
    """The stem of a folded word, if the language has a stemmer. A stemmer stores its word, so each call makes one."""
    import snowballstemmer  # type: ignore[import-untyped]  # noqa: PLC0415  # it loads thirty languages; few search

    stemmer = language_of(language).stemmer
    return str(snowballstemmer.stemmer(stemmer).stemWord(word)) if stemmer else word


def words_of(text: str) -> list[str]:
    """The folded words of a text."""
    return [fold(word) for word in WORD.findall(text)]


class Term(NamedTuple):
    """A word of a query, by its stem, and the stems of its synonyms; `prefix` if the word may be unfinished."""

    stem: str
    synonyms: frozenset[str]
    prefix: str | None

    def means(self, word: str, language: str) -> bool:
        """Whether a folded word matches this term."""
        going_on = self.prefix is not None and word.startswith(self.prefix)
        return going_on or stem_of(word, language) in {self.stem, *self.synonyms}


class SearchWords(NamedTuple):
    """The search words of a language: `small` words, the synonyms of stems, and phrases, each with its replacement."""

    small: frozenset[str]
    of_stem: Mapping[str, frozenset[str]]
    phrases: tuple[tuple[tuple[str, ...], str], ...]


@cache()
def search_words(language: str) -> SearchWords:
    """The search words of a language; empty without a file. A word in several groups has the synonyms of all."""
    path = HERE / f"{language}.toml"
    told = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    of_stem: dict[str, frozenset[str]] = {}
    phrases = []
    for group in told.get("synonyms", ()):
        names = [words_of(name) for name in group.split()]
        single = [words[0] for words in names if len(words) == 1]
        stems = frozenset(stem_of(word, language) for word in single)
        of_stem |= {stem: of_stem.get(stem, frozenset()) | stems for stem in stems}
        phrases += [(tuple(words), single[0]) for words in names if len(words) > 1]
    small = frozenset(words_of(told.get("small_words", "")))
    return SearchWords(small, MappingProxyType(of_stem), tuple(phrases))


def terms_of(query: str, language: str, shortest: int) -> tuple[Term, ...]:
    """The words of a query, each once; the last one may be unfinished unless something follows it.

    A word with fewer letters than `shortest` does not count. Small words count only if there are no others.
    """
    known = search_words(language)
    words = [word for word in words_of(query)[:MAX_WORDS] if len(word) >= shortest]
    typing = words[-1] if words and len(words[-1]) >= SHORTEST and WORD.fullmatch(query[-1]) else None
    for phrase, word in known.phrases:
        words = _replace_phrase(words, phrase, word)
    kept = [word for word in words if word not in known.small] or words
    terms = {}
    for word in kept:
        stem = stem_of(word, language)
        terms[stem] = Term(stem, known.of_stem.get(stem, frozenset()), typing if word == typing else None)
    return tuple(terms.values())


def _replace_phrase(words: list[str], phrase: tuple[str, ...], word: str) -> list[str]:
    """Words with one in place of a phrase.

    >>> _replace_phrase(["two", "side", "by", "side"], ("side", "by", "side"), "touch")
    ['two', 'touch']
    """
    size = len(phrase)
    for start in range(len(words) - size + 1):
        if tuple(words[start : start + size]) == phrase:
            return [*words[:start], word, *words[start + size :]]
    return words
