"""Full names in a game's sentences. The log stores them and the texts show them, in any game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rules.kernel import Value
from rules.old_names import old_attributes


class StyledName(str):
    """A name with a full form for sentences, such as one with all titles; anywhere else it is the bare name.

    `code` names the words in the game's ``[styles]`` texts, and `values` fill them; they may contain such names.
    """

    __slots__ = ("code", "values")
    code: str
    values: Mapping[str, Value]

    def __new__(cls, name: str, code: str, values: Mapping[str, Value]) -> StyledName:
        """A name with the words for it."""
        styled = super().__new__(cls, name)
        styled.code = code
        styled.values = values
        return styled

    def __eq__(self, other: object) -> bool:
        """Equal to the bare name, and to the same name with the same words."""
        same = super().__eq__(other)
        return same and (
            self.code == other.code and self.values == other.values if isinstance(other, StyledName) else True
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


if not TYPE_CHECKING:  # else any name would do
    __getattr__ = old_attributes(
        __name__,
        Spoken="StyledName",
    )
