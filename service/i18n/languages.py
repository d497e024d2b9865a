"""The languages that Bastide speaks: one for each file ``<language>.toml`` beside this module.

The table ``[language]`` of such a file is a `Language`: what the sentences need of it beside their words. A further
language is this file, ``web/translations/<language>/LC_MESSAGES/messages.po``, and of each game
``text/<language>.toml`` and ``case_text/<language>.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

HERE: Final = Path(__file__).parent
DEFAULT_LANGUAGE: Final = "en"
"""What is spoken where no language is preferred, and what the sources of the pages are written in."""
LANGUAGES: Final = (
    DEFAULT_LANGUAGE,
    *sorted(path.stem for path in HERE.glob("*.toml") if path.stem != DEFAULT_LANGUAGE),
)


class Preposition(NamedTuple):
    """What becomes of a preposition and the article with which a name begins, and of it before a vowel, if anything."""

    contractions: Mapping[str, str]
    elided: str = ""


class Language(NamedTuple):
    """A language: its own name, and its grammar.

    `locale`: that of CLDR whose lists and plurals it has. `stemmer`: that of Snowball, if there is one.
    `vowel_start`: how a name begins before which a preposition is elided.
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


@cache
def _load(code: str) -> tuple[Language, Mapping[str, Any]]:
    from rules.caches import freeze  # noqa: PLC0415  # at the start `LANGUAGES` is read before `rules` is checked

    words = tomllib.loads((HERE / f"{code}.toml").read_text(encoding="utf-8"))
    told = freeze(words.pop("language"))
    prepositions = {name: Preposition(**each) for name, each in told.get("prepositions", {}).items()}
    return Language(**{**told, "prepositions": MappingProxyType(prepositions)}), freeze(words)


def known_language(tag: str) -> str | None:
    """The installed language for a tag such as ``fr-CH`` or a locale such as ``fr_CH.UTF-8``, if there is one."""
    code = re.split(r"[-_.@]", tag, maxsplit=1)[0].lower()
    return code if code in LANGUAGES else None
