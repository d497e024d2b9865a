"""Isolates names in right-to-left letters, so that the numbers and names beside them stay in place.

The pages isolate such a name everywhere, also in a text for a chat. Programs and forms get the bare name. No name
contains these control characters itself (`service.schemas.fields.TURNING`).
"""

from __future__ import annotations

from typing import Final
from unicodedata import bidirectional

from service.i18n import sentences
from service.i18n.sentences import Words
from service.types import Setup

ISOLATE: Final = "\N{FIRST STRONG ISOLATE}"
UNTIL: Final = "\N{POP DIRECTIONAL ISOLATE}"
FROM_THE_RIGHT: Final = frozenset({"R", "AL", "AN"})
"""The kinds of signs that run from right to left, or reorder their neighbours: Hebrew, Arabic, Arabic digits."""
BARE: Final = str.maketrans("", "", ISOLATE + UNTIL)


def isolate_name(name: str) -> str:
    """A name isolated for a sentence; a name without right-to-left letters is not changed."""
    turns = not name.isascii() and any(bidirectional(sign) in FROM_THE_RIGHT for sign in name)
    return f"{ISOLATE}{name}{UNTIL}" if turns else name


def strip_isolates(text: str) -> str:
    """A text for programs, with the names as players entered them."""
    return text.translate(BARE)


def close_isolates(text: str) -> str:
    """A truncated text, in which the isolate of the last name is closed."""
    return text + UNTIL * (text.count(ISOLATE) - text.count(UNTIL))


def words_among(language: str, game: str, setup: Setup | None) -> Words:
    """Like `service.i18n.sentences.words_with_people`, with isolated names."""
    plain = sentences.words_with_people(language, game, setup)
    people = {seat: isolate_name(name) for seat, name in plain.people.items()}
    return plain if people == plain.people else plain.with_people(people)
