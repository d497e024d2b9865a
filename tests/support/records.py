"""Recorded games: what is in the files of ``tests/games``. No other module reads one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "games"
RECORD_PATHS = sorted(path for path in FOLDER.glob("*/*.json") if not path.name.endswith(".said.json"))
"""The recorded games. In tests, a game without an empty setup begins as these do."""


def records_of(game_id: str) -> list[Path]:
    """The recorded games of a game, in order."""
    return [path for path in RECORD_PATHS if path.parent.name == game_id]


def file_of(name: str | Path) -> Path:
    """The file of a recorded game: ``fief/three_alone``, or its path."""
    return FOLDER / f"{name}.json" if isinstance(name, str) else name


def record_of(name: str | Path) -> dict[str, Any]:
    """A recorded game as the API takes it: game, setup and moves."""
    record: dict[str, Any] = json.loads(file_of(name).read_text(encoding="utf-8"))
    return record


def said_file(name: str | Path) -> Path:
    """The file of what the referee said of a recorded game."""
    return file_of(name).with_suffix(".said.json")


def said_of(name: str | Path) -> dict[str, Any]:
    """The referee's answers on each move of a recorded game, and on the end."""
    said: dict[str, Any] = json.loads(said_file(name).read_text(encoding="utf-8"))
    return said


def entries_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The moves of a recorded game, each as an object; a plain text is a move without `stands`."""
    return [entry if isinstance(entry, dict) else {"move": entry} for entry in record["moves"]]


def notations_of(record: Mapping[str, Any]) -> list[str]:
    """The moves of a recorded game as texts, without their other members."""
    return [entry["move"] for entry in entries_of(record)]


def longest_of(game_id: str) -> str:
    """The recorded game with the most moves, by its name."""
    path = max(records_of(game_id), key=lambda each: len(record_of(each)["moves"]))
    return f"{game_id}/{path.stem}"
