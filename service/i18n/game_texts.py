"""The sentences of a game by language: its files ``text/<language>.toml`` and ``case_text/<language>.toml``.

A game from another package without files in a language has its sentences in English. Until 0.2.0 such a game may also
have the sentences of its rulebook and of its worked cases beside them, by language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from warnings import warn

import rules
from service.i18n.languages import DEFAULT_LANGUAGE

OF_RULES: Final = ("printed", "why")
"""The texts that a rule may have beside it in the rulebook."""


def _load(game: str, folder: str, language: str) -> Mapping[str, Any]:
    """The sentences of a folder; in English if it lacks the language. Raises `FileNotFoundError`."""
    try:
        return rules.load(game, f"{folder}/{language}")
    except FileNotFoundError:
        if language == DEFAULT_LANGUAGE:
            raise
        return _load(game, folder, DEFAULT_LANGUAGE)


def game_text(game: str, language: str) -> Mapping[str, Any]:
    """All words of a game except the sentences of its worked cases."""
    return _load(game, "text", language)


def rule_text(game: str, rule: str, language: str) -> Mapping[str, str]:
    """The texts of a rule: its title, its text, where it is printed, and why Bastide does not enforce it, if so."""
    book = rules.load(game, "rulebook")[rule]
    beside = {name: _inline_sentence(book[name], "text", language) for name in OF_RULES if name in book}
    return {**beside, **game_text(game, language)["rules"].get(rule, {})}


def case_sentence(game: str, case: Mapping[str, Any], language: str) -> str:
    """The sentence of a worked case."""
    if DEFAULT_LANGUAGE in case:
        return _inline_sentence(case, "case_text", language)
    return str(_load(game, "case_text", language)[case["id"]])


def _inline_sentence(sentences: Mapping[str, Any], folder: str, language: str) -> str:
    """A sentence that stands beside a rule or a case."""
    warn(f"Sentences belong in {folder}/{language}.toml; 0.2.0 reads no others.", DeprecationWarning, stacklevel=3)
    return str(sentences.get(language, sentences[DEFAULT_LANGUAGE]))
