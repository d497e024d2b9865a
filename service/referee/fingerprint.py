"""The fingerprint of a request: two requests with one idempotency key must have the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

import orjson

from service.judgements import AttemptedMove
from service.schemas import plain
from service.tables.keys import Role
from service.types import AnyGame, Position, Setup

SHORT: Final = 64


def text_of_moves(game: AnyGame, moves: Sequence[AttemptedMove]) -> str:
    """Moves as text."""
    return "\n".join(f"{game.write(each.move)} {each.stands}" for each in moves)


def canonical_text(value: Position | Setup) -> str:
    """A position or a set-up as canonical text."""
    return orjson.dumps(plain(value), option=orjson.OPT_SORT_KEYS).decode()


def fingerprint(action: str, role: Role, content: str) -> str:
    """The fingerprint of a role's request: its text, or the SHA-256 of a long text."""
    whole = f"{action} {role.name} {content}"
    return whole if len(whole) < SHORT else hashlib.sha256(whole.encode()).hexdigest()
