"""The words of one game in one language, and their lookup.

They stand beside the game's rules (``rules/<game>/text/<language>.toml``). A missing word is replaced by its code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from service.i18n.game_texts import game_text
from service.i18n.grammar import plural_category

SENTENCES: Final = frozenset(
    {
        "board",
        "cases",
        "changes",
        "chapters",
        "components",
        "coordinates",
        "decisions",
        "due",
        "effects",
        "ended",
        "findings",
        "foretold",
        "handling",
        "lines",
        "malformed",
        "near",
        "needs",
        "notation",
        "onward",
        "opening",
        "phrases",
        "ranking",
        "readings",
        "result",
        "rules",
        "styles",
        "things",
        "tied",
        "unknown",
    }
)
"""The tables of a game's words that hold sentences; all others hold names, which replace their codes."""


Sentence: TypeAlias = "str | Mapping[str, str]"
"""A sentence, or its forms by the categories of the language's plural rule."""


@dataclass(frozen=True, eq=False)
class Catalogue:
    """The texts of a game by table and code, and its names by code. The `added_names` are not the game's own words."""

    language: str
    game: str
    text: Mapping[str, Any]
    names: Mapping[str, str]
    added_names: frozenset[str] = frozenset()

    @classmethod
    def load(cls, language: str, game: str) -> Catalogue:
        """Load the words of a game from its files."""
        text = game_text(game, language)
        tables = (table for name, table in text.items() if isinstance(table, Mapping) and name not in SENTENCES)
        return cls(language, game, text, {code: word for table in tables for code, word in table.items()})

    def with_names(self, names: Mapping[str, str]) -> Catalogue:
        """A copy with added or replaced names."""
        added_names = frozenset(names.keys() - self.names.keys())
        return replace(self, names={**self.names, **names}, added_names=added_names)

    def has_sentence(self, table: str, code: str) -> bool:
        """Whether a table of texts has a sentence for a code."""
        return code in self.text.get(table, {})


def plural_form(language: str, sentence: Sentence, n: object) -> str:
    """Select the form of a sentence for a number."""
    if isinstance(sentence, str):
        return sentence
    form = plural_category(language, n if isinstance(n, int | float) else 0)
    return sentence.get(form) or sentence["other"]
