"""The programs in `examples/` do what their docstrings say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from bastide_client import Bastide

from tests.clients.conftest import Service

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
CHAT: Final = """\
hello
!rule villefranche h c8 after r b9c9, r d9e9
!rule villefranche nonsense
!rule go x
"""
PLAYS: Final = {
    "games": [{"id": 1, "name": "Villa Paletti"}, {"id": 2, "name": "Go"}],
    "players": [{"id": 7, "name": "Ada"}, {"id": 8, "name": "Bo"}],
    "plays": [
        {
            "uuid": f"00000000-0000-4000-8000-00000000000{number}",
            "gameRefId": game,
            "playDate": "2026-11-20 20:15:00",
            "playerScores": [
                {"playerRefId": 7, "score": "12", "winner": True},
                {"playerRefId": 8, "score": score, "winner": False},
            ],
        }
        for number, game, score in ((1, 1, "-3"), (2, 2, "3+4"))
    ],
}
"""Two plays as BG Stats exports them, with the members that matter."""


def run(name: str, *arguments: str, typed: str = "") -> list[str]:
    """The lines that an example prints."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=True).stdout.splitlines()


def test_a_bot_rules(service: Service) -> None:
    """The bot rules a move illegal by VF-22, and explains what it cannot read, also in French."""
    said = [line for line in run("ruling_bot.py", service.address, typed=CHAT) if line]
    assert said[0] == "h c8: illegal"
    assert said[1].endswith("(VF-22)")
    assert ["nonsense" in said[-2], said[-1]] == [True, "There is no game of this name."]
    assert run("ruling_bot.py", service.address, "fr", typed="!rule go x")[0] != said[-1]


def test_plays_are_imported_once(service: Service, tmp_path: Path) -> None:
    """The import recognises Bastide's games by name; a second import adds nothing."""
    (tmp_path / "plays.json").write_text(json.dumps(PLAYS), "utf-8")
    with Bastide(service.address) as bastide:
        group = bastide.request("POST", "/groups", json={"name": "Friday"})
        for new in (2, 0):
            [added] = run("import_plays.py", service.address, group["id"], group["key"], str(tmp_path / "plays.json"))
            assert f"'new': {new}" in added
        results = bastide.request("GET", f"/groups/{group['id']}", key=group["key"])["results"]
    assert {
        each["game"]: [(one["name"], one["points"], one["won"]) for one in each["players"]] for each in results
    } == {
        "villa_paletti": [("Ada", 12, True), ("Bo", -3, False)],
        "Go": [("Ada", 12, True), ("Bo", None, False)],
    }


def test_examples_are_short() -> None:
    """The bot has at most 40 lines, so that it can be read at once."""
    assert len((EXAMPLES / "ruling_bot.py").read_text("utf-8").splitlines()) <= 40
