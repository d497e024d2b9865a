"""Recorded games: the referee's answers are still those that were recorded.

``tests/games/<game>/<name>.json`` is a game as the API takes it; ``<name>.said.json`` beside it has the referee's
answers on every move and on the end. A change of the rules that changes any of them must say so and record them again:
``make record`` writes and lists the differences.
"""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rules import GAMES
from rules.kernel import Fact, Verdict
from rules.ranking import totals
from tests.support.json_forms import read_setup
from tests.support.records import RECORD_PATHS, record_of, records_of, said_file


def cells_of(facts: Sequence[Fact]) -> list[Any]:
    return [[*fact.cells, dict(fact.counts)] for fact in facts]


def of_verdict(verdict: Verdict) -> dict[str, Any]:
    findings = [
        [finding.rule, finding.facts.code, dict(finding.facts.values), cells_of(finding.facts.evidence)]
        for finding in verdict.findings
    ]
    return {"ruling": verdict.ruling.value, "findings": findings}


def replay(path: Path) -> dict[str, Any]:
    """The verdict on each move, with the seat that was due, and the end with its score."""
    record = record_of(path)
    game = GAMES[record["game"]]
    state = game.setup(read_setup(game, record["setup"]))
    moves = []
    for entry in record["moves"]:
        notation = entry if isinstance(entry, str) else entry["move"]
        move = game.read(notation)
        verdict = game.check(state, move)
        assert verdict.legal or not isinstance(entry, str), f"{path.name}: {notation} is refused"
        moves.append({"by": game.due(state).seat, "move": notation, **of_verdict(verdict)})
        state = game.apply(state, move)
    end = game.due(state).ended
    return {
        "moves": moves,
        "ended": end.rule if end else None,
        "totals": totals(game, state),
        "lines": [[line.seat, line.rule, line.points, cells_of(line.evidence)] for line in game.score(state)],
        "ranking": [[p.place, list(p.seats), p.decided_by, cells_of(p.evidence)] for p in game.ranking(state)],
    }


def as_text(said: dict[str, Any]) -> str:
    """One line a move, so that a diff shows which moves changed."""
    moves = ",\n".join(json.dumps(move) for move in said["moves"])
    rest = {key: value for key, value in said.items() if key != "moves"}
    return f'{{"moves": [\n{moves}\n],\n"end": {json.dumps(rest, indent=1)}}}\n'


@pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_they_said_they_still_say(path: Path) -> None:
    """Every verdict, count, cell and line of a recorded game is as it was recorded."""
    assert as_text(replay(path)) == said_file(path).read_text()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_recorded_games(game: str) -> None:
    """Without one, the test above would not cover the game."""
    assert records_of(game)


def differences(path: Path) -> str:
    """The changes in the answers on a recorded game, as a unified diff; empty if there are none."""
    file = said_file(path)
    before = file.read_text() if file.exists() else ""
    name = f"{path.parent.name}/{file.name}"
    lines = difflib.unified_diff(before.splitlines(True), as_text(replay(path)).splitlines(True), name, name, n=0)
    return "".join(lines)


def test_a_difference_is_shown(tmp_path: Path) -> None:
    """The control: a game recorded with another ruling differs in that move; one with the right rulings does not."""
    recorded = RECORD_PATHS[0]
    copy = tmp_path / recorded.name
    copy.write_text(recorded.read_text())
    said = said_file(recorded).read_text()
    said_file(copy).write_text(said)
    assert differences(copy) == ""
    said_file(copy).write_text(said.replace('"legal"', '"illegal"', 1))
    changed = [line[:1] for line in differences(copy).splitlines()[2:]]
    assert changed == ["@", "-", "+"]


def record() -> None:
    """Record every game again whose answers changed, and print the differences."""
    differing = [(path, difference) for path in RECORD_PATHS if (difference := differences(path))]
    for path, difference in differing:
        sys.stdout.write(difference)
        said_file(path).write_text(as_text(replay(path)))
    sys.stdout.write(f"{len(RECORD_PATHS)} recorded games, {len(differing)} recorded anew\n")


if __name__ == "__main__":
    record()
