"""What can be wrong with a value of a request: a code and values, without words."""

from __future__ import annotations

from typing import Final

from rules.kernel import Value

MOST_FIELD_ERRORS: Final = 20
"""So many are told at once."""


class FieldError(str):
    """What is wrong with a value: a code, and what its sentence needs. A string, as marshmallow keeps messages.

    `game` is the id of the game whose own words say it, else None.
    """

    __slots__ = ("code", "game", "values")
    code: str
    game: str | None
    values: dict[str, Value]

    def __new__(cls, code: str, game: str | None = None, **values: Value) -> FieldError:
        """Make one of its code and values."""
        self = super().__new__(cls, code)
        self.code, self.game, self.values = code, game, values
        return self


BY_FIELD_ERROR: Final = {
    "unknown_field": "unknown-field",
    "missing": "missing-field",
    "cell": "unknown-cell",
    "notation": "unreadable-notation",
    "no_text": "unreadable-notation",
    "long_notation": "unreadable-notation",
    "unknown_kind": "foreign-move",
    "foreign_kind": "foreign-move",
    "not_listed": "wrong-value",
    "unknown_reading": "unknown-reading",
    "unknown_reading_value": "unknown-reading",
    "unknown_game": "unknown-game",
    "not_one_of": "wrong-value",
}
"""FieldError -> problem; the others that begin with ``not_`` are of the wrong type, the rest have a wrong value."""


def problem_of(field_error: FieldError) -> str:
    """The kind of problem that a field error is: a key of `service.errors.PROBLEMS`."""
    known = BY_FIELD_ERROR.get(field_error.code)
    return known or ("wrong-type" if field_error.code.startswith("not_") else "wrong-value")
