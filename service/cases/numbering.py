"""The case book: gives every worked case a permanent number, such as ``VF-C17``.

The number of a case is in its game's ``cases.toml``, and for ever in ``case_numbers.toml``, which also has the numbers
of deleted cases. ``make cases`` numbers the cases that have no number yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import rules
from service.types import AnyGame

RECORD: Final = "case_numbers"
HEAD: Final = """\
# Every number that a worked case of this game was ever given, and the id of the case. A line stays when its case goes:
# nobody gives its number to another one. `make cases` adds the lines of new cases.
"""
ID: Final = re.compile(r'^id = "(?P<id>[^"\n]+)"\n(?!number = )', re.MULTILINE)


def name(case: Mapping[str, Any]) -> str:
    """The name by which a case is cited: the letters of its rule and its number.

    >>> name({"id": "VF-22/1", "number": 17})
    'VF-C17'
    """
    return format_name(str(case["id"]), case["number"])


def format_name(case_id: str, number: int) -> str:
    """The name of the case with a number."""
    return f"{case_id.partition('-')[0]}-C{number}"


def load_record(game_id: str) -> Mapping[str, str]:
    """Load the record of all case numbers, with those of deleted cases: name -> id."""
    found: Mapping[str, str] = rules.load(game_id, RECORD)
    return found


def next_number(record: Mapping[str, str]) -> int:
    """The first number that no case has had."""
    return 1 + max((int(each.rpartition("-C")[2]) for each in record), default=0)


# --- numbering -----------------------------------------------------------------------------------------------------


def with_numbers(text: str, record: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The file of cases with a number for every case, and the record with the new numbers."""
    new = dict(record)

    def add_number(match: re.Match[str]) -> str:
        number = next_number(new)
        new[format_name(match["id"], number)] = match["id"]
        return f"{match[0]}number = {number}\n"

    return ID.sub(add_number, text), new


def files_of(game: AnyGame) -> Iterator[Path]:
    """The paths of the files with a game's worked cases, in order."""
    folder = _folder_of(game)
    yield from sorted((folder / "cases").iterdir()) if (folder / "cases").is_dir() else (folder / "cases.toml",)


def number(game: AnyGame) -> None:
    """Number the cases of a game that have no number yet, in the order in which they stand."""
    record = dict(load_record(game.id)) if record_of(game).exists() else {}
    for path in files_of(game):
        text, record = with_numbers(path.read_text(encoding="utf-8"), record)
        path.write_text(text, encoding="utf-8")
    record_of(game).write_text(text_of(record), encoding="utf-8")


def record_of(game: AnyGame) -> Path:
    """The path of the file that records all case numbers of a game."""
    return _folder_of(game) / f"{RECORD}.toml"


def sentences_of(game: AnyGame, language: str) -> Path:
    """The path of the file with the sentences of a game's worked cases in a language."""
    return _folder_of(game) / "case_text" / f"{language}.toml"


def _folder_of(game: AnyGame) -> Path:
    return Path(str(files(rules.PACKAGES[game.id])))


def text_of(record: Mapping[str, str]) -> str:
    """Format a record as the text of its file."""
    return f"{HEAD}\n" + "".join(f'{each} = "{case}"\n' for each, case in record.items())


if __name__ == "__main__":
    for each in rules.GAMES.values():
        number(each)
