"""Case files: rulings that a user thinks wrong, read by the command and added to the game's worked cases."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

import rules
from rules.kernel import Ruling
from service import schemas
from service.cases import numbering, report, worked_cases
from service.cases.report import Start, case_file, setup_now
from service.cli import commands
from service.i18n.languages import LANGUAGES
from service.judgements import AttemptedMove
from service.referee.repository import ChangeRequest
from service.referee.use_cases import Referee
from service.rulings import judge
from service.storage.ledger import Ledger
from tests.support.api import V1, Api
from tests.support.records import RECORD_PATHS, record_of, records_of
from tests.support.tables import tries_of

EACH_GAME = pytest.mark.parametrize("game", rules.GAMES)
EACH_RECORD = pytest.mark.parametrize("path", RECORD_PATHS[::2], ids=lambda path: f"{path.parent.name}-{path.stem}")


def record_of_game(path: Path) -> tuple[Any, Any, list[AttemptedMove]]:
    """The game, setup and moves of a recorded game."""
    record = record_of(path)
    game = rules.GAMES[record["game"]]
    tries = tries_of(record)
    return game, schemas.load(schemas.of(game).setup, record["setup"]), tries


def case_of(path: Path) -> tuple[Any, dict[str, Any]]:
    """A case file for a recorded game's last move, under other readings."""
    game, setup, moves = record_of_game(path)
    others = {one.key: next(each for each in one.values if each != setup.readings[one.key]) for one in game.readings}
    state = game.with_readings(judge.replay(game, setup, moves[:-1]), others)
    setup = replace(setup, readings=others)
    judgement = judge.judge(game, state, moves[-1].move)
    made = case_file(Start(setup, position=game.position(state)), judgement, note="We counted otherwise.")
    case: dict[str, Any] = orjson.loads(orjson.dumps(made))
    return game, case


@EACH_RECORD
def test_a_case_file_is_ruled_on_again_as_it_was(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command gives the same ruling on a case file, and prints what was said and expected."""
    _, case = case_of(path)
    file = tmp_path / "case.json"
    file.write_text(json.dumps(case))
    status = commands.main(["rule", str(file), "--lang", "en", "--json"])
    assert json.loads(capsys.readouterr().out)["ruling"] == case["said"]["ruling"]
    assert status == (case["said"]["ruling"] != "legal")
    commands.main(["rule", str(file), "--lang", "en"])
    said = capsys.readouterr().out
    assert "Said then" in said
    assert "Expected" in said


@EACH_GAME
def test_a_case_file_names_nobody(game: str, ledger: Ledger) -> None:
    """A case file of a table has no player's name, and has the current readings."""
    path = records_of(game)[0]
    of_game, _, moves = record_of_game(path)
    record = record_of(path)
    players = schemas.plain(schemas.load(schemas.of(of_game).setup, record["setup"]))["players"]
    named = [{**player, "name": f"Ermintrude {number}"} for number, player in enumerate(players)]
    setup = schemas.load(schemas.of(of_game).setup, {**record["setup"], "players": named})
    referee = Referee(ledger)
    opened = referee.open(of_game.id, setup, moves)
    reading = of_game.readings[0]
    other = {reading.key: next(each for each in reading.values if each != opened.table.state.readings[reading.key])}
    done = referee.set_readings(ChangeRequest(opened.table.id, opened.keys.host, opened.table.version), other)
    table = done.table
    judgement = judge.judge(of_game, table.state, moves[0].move)
    case = case_file(Start(setup_now(table), position=of_game.position(table.state)), judgement)
    assert "Ermintrude" in json.dumps(schemas.plain(table.setup))
    assert "Ermintrude" not in orjson.dumps(case).decode()
    assert case["readings"] == table.state.readings


def test_the_api_gives_the_case_file_of_a_ruling(api: Api) -> None:
    """With `case_file`, the API returns a case file of the question, which can be read again."""
    asked = {
        "moves": ["r b1c1"],
        "move": "h e5",
        "setup": {"players": [{"colour": "black", "name": "Ermintrude"}, {"colour": "white"}]},
    }
    plain: Any = api.post(f"{V1}/games/villefranche/rulings", asked).json
    assert "case_file" not in plain
    told: Any = api.post(f"{V1}/games/villefranche/rulings", {**asked, "case_file": True}).json
    case = told["case_file"]
    assert (case["moves"], case["move"], case["said"]["ruling"]) == (["r b1c1"], "h e5", plain["ruling"])
    assert "Ermintrude" not in json.dumps(case)
    again = schemas.load(
        schemas.of(rules.GAMES["villefranche"]).case_file_body, {k: v for k, v in case.items() if k != "game"}
    )
    assert report.read_start(again).moves == (AttemptedMove(rules.GAMES["villefranche"].read("r b1c1")),)


@EACH_GAME
def test_the_api_s_case_file_is_read_by_the_command(
    game: str, api: Api, copies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command gives the API's ruling on its case file, legal or illegal, by the same rules, and adds it to the case
    book.
    """
    path, file = records_of(game)[0], copies / "case.json"
    record, (of_game, setup, tries) = record_of(path), record_of_game(path)
    moves, here = record["moves"], max(2, len(tries) // 3)
    state = judge.replay(of_game, setup, tries[:here])
    refused = next(each.move for each in tries if not of_game.check(state, each.move).legal)
    rule = next(iter(rules.load(game, "rulebook")))
    texts = [each for language in LANGUAGES for each in (f"--{language}", f"We counted otherwise ({language}).")]
    seen = set()
    for move in (tries[here].move, refused):
        asked = {"setup": record["setup"], "moves": moves[:here], "move": of_game.write(move), "case_file": True}
        told: Any = api.post(f"{V1}/games/{game}/rulings", asked).json
        case = told.pop("case_file")
        file.write_text(json.dumps(case))
        status = commands.main(["rule", str(file), "--lang", "en", "--json"])
        said = json.loads(capsys.readouterr().out)
        assert [said[name] for name in ("ruling", "move", "by")] == [told[name] for name in ("ruling", "move", "by")]
        rules_said = [[finding["rule"] for finding in each["findings"]] for each in (said, told)]
        assert rules_said[0] == rules_said[1]
        assert list(dict.fromkeys(rules_said[1])) == case["said"]["rules"]
        assert status == (told["ruling"] != "legal")
        seen.add(told["ruling"])
    assert seen == {"legal", "illegal"}
    numbers = numbering.record_of(of_game)
    before = len(tomllib.loads(numbers.read_text()))
    assert commands.main(["case", "add", str(file), "--rule", rule, *texts, "--lang", "en"]) == 0
    assert "its test fails" in capsys.readouterr().out, "the file expects the other ruling"
    assert len(tomllib.loads(numbers.read_text())) == before + 1


def test_what_is_unknown_stays_unknown_in_a_case_file(
    api: Api, copies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A case file keeps unknown facts and gets the same ruling, but cannot become a worked case."""
    asked = {"position": {"rest": "unknown"}, "move": "h c4"}
    told: Any = api.post(f"{V1}/games/villefranche/rulings", {**asked, "case_file": True}).json
    case = told["case_file"]
    assert (case["position"]["rest"], case["said"]["ruling"]) == ("unknown", told["ruling"])
    file = copies / "case.json"
    file.write_text(json.dumps({**case, "note": "?"}))
    commands.main(["rule", str(file), "--lang", "en", "--json"])
    assert json.loads(capsys.readouterr().out)["ruling"] == told["ruling"]
    assert commands.main(["case", "add", str(file), "--rule", "VF-22", "--lang", "en"]) == 2
    assert "/position" in capsys.readouterr().err


def texts_of(game: Any) -> list[str]:
    """The contents of a game's case files and their sentences."""
    sentences = (numbering.sentences_of(game, language) for language in LANGUAGES)
    return [path.read_text() for path in (*numbering.files_of(game), *sentences)]


# --- additions to the case book --------------------------------------------------------------------------------------


@EACH_RECORD
def test_a_case_file_becomes_a_worked_case(path: Path, copies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A case file becomes a worked case with the next number, the position, the move and the expected ruling."""
    game, case = case_of(path)
    rule = next(iter(rules.load(game.id, "rulebook")))
    case["expected"] = {"ruling": case["said"]["ruling"], "rules": [rule]}
    file = copies / "case.json"
    file.write_text(json.dumps(case))
    number = numbering.next_number(numbering.load_record(game.id))
    impossible = case.get("anyway", False)  # under these readings
    assert commands.main(["case", "add", str(file), "--rule", rule, "--lang", "en"]) == (2 if impossible else 0)
    if impossible:
        return
    name = f"{rule.partition('-')[0]}-C{number}"
    assert name in capsys.readouterr().out
    texts = [each.read_text() for each in numbering.files_of(game)]
    found = [each for text in texts for each in tomllib.loads(text).get("case", ())]
    (added,) = [each for each in found if each["number"] == number]
    assert numbering.name(added) == name
    for language in LANGUAGES:
        assert tomllib.loads(numbering.sentences_of(game, language).read_text())[added["id"]] == case["note"]
    assert (added["ruling"], game.read(added["move"])) == (case["said"]["ruling"], game.read(case["move"]))
    asked = schemas.load(schemas.of(game).case_file_body, {key: value for key, value in case.items() if key != "game"})
    state = judge.state_of(game, *report.read_start(asked))
    staged = worked_cases.stage(game, added, rules.load(game.id, "cases"))
    assert (game.position(staged), staged.readings) == (game.position(state), case["readings"])
    assert game.check(staged, game.read(added["move"])).ruling is Ruling(case["said"]["ruling"])
    assert tomllib.loads(numbering.record_of(game).read_text())[name] == added["id"]


def test_a_case_that_the_referee_sees_otherwise_is_said_to_be_red(
    copies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A case that the referee rules on differently is added, with a warning that its test fails."""
    _, case = case_of(records_of("villefranche")[0])
    case["expected"] = {"ruling": "illegal" if case["said"]["ruling"] == "legal" else "legal", "rules": ["VF-22"]}
    file = copies / "case.json"
    file.write_text(json.dumps(case))
    assert commands.main(["case", "add", str(file), *(f"--{each}=No." for each in LANGUAGES), "--lang", "en"]) == 0
    assert "its test fails" in capsys.readouterr().out


def test_a_position_that_no_case_has_is_not_taken_in(
    copies: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A case is not added if the case book's own setup would change its position."""
    game, case = case_of(records_of("villefranche")[0])
    file = copies / "case.json"
    file.write_text(json.dumps(case))
    before = texts_of(game)
    monkeypatch.setattr(
        worked_cases, "stage", lambda game, *_: judge.replay(game, schemas.load(schemas.of(game).setup, {}), ())
    )
    assert commands.main(["case", "add", str(file), "--rule", "VF-22", "--lang", "en"]) == 2
    assert "/position" in capsys.readouterr().err
    assert texts_of(game) == before


@pytest.mark.parametrize(
    ("change", "arguments", "said"),
    [
        ({"expected": None}, [], "/expected"),
        ({"note": None}, ["--en", "No."], "/note"),
        ({"expected": {"ruling": "legal"}, "said": {"ruling": "legal"}}, [], "/expected/rules"),
        ({}, ["--rule", "VF-999"], "No such rule"),
        ({"expected": {"ruling": "perhaps"}}, [], "/expected/ruling"),
        ({"unknown": 1}, [], "/unknown"),
        ({"game": "chess"}, [], "/game"),
        ({"move": "e2-e4"}, [], "/move"),
        ({"move": {"kind": "knight", "to": 3}}, [], "/move/kind"),
        ({"expected": {"ruling": "legal", "rules": "VF-22"}}, [], "/expected/rules"),
        ({"said": {"rules": []}}, [], "/said/ruling"),
        ({"rules_version": 2}, [], "/rules_version"),
        ({"note": "x" * 301}, [], "/note"),
        ({"readings": {"castling": "no"}}, [], "/readings/castling"),
        ({"setup": {"players": [{"colour": "green"}]}}, [], "/setup/players"),
        ({"position": {"cells": {"z9": []}}}, [], "/position/cells/z9"),
        ({"moves": ["r b1c1"]}, [], "/position"),
        ({"position": {"cells": {"b1": [{"piece": "brick", "colour": "black"}]}}}, [], "  VF-5  "),
        ({"position": {"cells": "?"}}, [], "/position/cells"),
    ],
    ids=[
        "nothing expected",
        "no sentence",
        "about no rule",
        "no such rule",
        "no such ruling",
        "a member too many",
        "no such game",
        "no move",
        "a move of another game",
        "rules of no list",
        "nothing said",
        "a version of no text",
        "a long note",
        "no such reading",
        "no such player",
        "no such cell",
        "moves and a position",
        "half a brick",
        "cells of no object",
    ],
)
def test_what_is_no_case_is_said_and_nothing_written(
    change: dict[str, Any], arguments: list[str], said: str, copies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An invalid case is refused with its place, in both languages, and no file changes."""
    game, case = case_of(records_of("villefranche")[0])
    file = copies / "case.json"
    file.write_text(json.dumps({key: value for key, value in {**case, **change}.items() if value is not None}))
    before, told = texts_of(game), set()
    for language in LANGUAGES:
        assert commands.main(["case", "add", str(file), "--lang", language, *arguments]) == 2
        told.add(capsys.readouterr().err)
    assert len(told) == len(LANGUAGES)
    assert any(said in text for text in told)
    assert texts_of(game) == before


@pytest.mark.parametrize("text", ["", "[]", "{", '{"game": "villefranche", "game": "fief"}', "[" * 5_000], ids=repr)
def test_what_is_no_file_of_ours_is_no_case(text: str, copies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not one JSON object, a folder and a missing file are refused without a traceback."""
    file = copies / "case.json"
    file.write_text(text)
    for path in (file, copies, copies / "none.json"):
        assert commands.main(["case", "add", str(path), "--lang", "en"]) == 2
        said = capsys.readouterr().err
        assert said.startswith("bastide: ")
        assert "Traceback" not in said
