"""The meanings of a game's forms and their members, for its contract: the forms' own docstrings.

The first paragraph of a docstring describes the object. A line that begins with the name of a member, such as
"`due`: whose placement is due.", describes that; a form has the lines of the classes that it derives from. The meaning
of a member in many forms is written once: for one game in its `meanings`, for all games here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from inspect import cleandoc
from typing import Final

MEANINGS: Final[Mapping[str, str]] = {
    "cell": "The cell, as the game's `coordinates` name cells.",
    "colour": "The colour of the player.",
    "game": "The game, by its id.",
    "kind": "The kind of the move.",
    "name": "The name of the player, if one is given.",
    "player": "The player, by the colour.",
    "readings": "The readings chosen; one that is left out has its default.",
}
"""Member -> its meaning in the forms of all games, unless they describe it themselves."""
MEMBER: Final = re.compile(r"^`(\w+)`: (.+(?:\n(?!`\w+`: ).+)*)", re.MULTILINE)
"""The description of a member in a docstring: its line, and the continuation lines."""


def object_description(form: type) -> str:
    """The description of an object: the first paragraph of its form's docstring."""
    return _sentence(_doc(form).partition("\n\n")[0])


def members(form: type) -> Mapping[str, str]:
    """The descriptions that a form, or a class that it derives from, gives of its members."""
    return {name: _sentence(text) for each in reversed(form.__mro__[:-1]) for name, text in MEMBER.findall(_doc(each))}


def _doc(form: type) -> str:
    """The docstring of a form; empty for the signature that a dataclass without a docstring has there."""
    doc = form.__doc__ or ""
    return "" if doc.startswith(f"{form.__name__}(") else cleandoc(doc)


def _sentence(text: str) -> str:
    """A text of a docstring as a sentence in one line, in Markdown."""
    line = " ".join(text.split()).replace("``", "`")
    return line[:1].upper() + line[1:]
