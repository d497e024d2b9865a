"""Another language only adds files: a copy of the tree speaks a made-up one, with no file changed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml

import rules
from rules import GAMES, load
from service.cases import numbering
from service.i18n.grammar import service_words
from service.i18n.languages import LANGUAGES
from tests.support.loops import over
from tests.support.made_up_language import CODE, NAME, add_to, mark
from tests.support.redis_server import RedisServer

ROOT = Path(rules.__file__).parents[1]
ASK = """
import json, sys
root, redis, asked, file = sys.argv[1:]
sys.path.insert(0, root)
from service import app as application
from service.cli import commands
from service.config import Settings
assert application.__file__.startswith(root)
app = application.create_app(Settings.of({"REDIS_URL": redis, "BASTIDE_HOSTS": "localhost"}))
application.warm(app)
http, told = app.test_client(), []
for path, language, body in json.loads(asked):
    head = {"Accept-Language": language}
    answer = http.post(path, json=body, headers=head) if body else http.get(path, headers=head)
    told.append([answer.status_code, answer.headers.get("Content-Language"), answer.text])
print(json.dumps(told), flush=True)
commands.main(["rule", file, "--lang", "eo"])
"""
RULING = {"moves": ["r b1c1"], "move": "r b1c1"}
"""A move in Villefranche that is not legal."""
TITLE = service_words("en")["problems"]["no-game"]["title"]


def files_in(root: Path) -> dict[str, bytes]:
    """The files of a tree that are not compiled."""
    every = (path for path in root.rglob("*") if path.is_file() and path.suffix not in (".mo", ".pyc"))
    return {str(path.relative_to(root)): path.read_bytes() for path in every}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with the made-up language."""
    root = tmp_path_factory.mktemp("spoken") / "bastide"
    for name in ("rules", "service", "web"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "openapi.yaml", root)
    before = files_in(root)
    added = {str(path.relative_to(root)) for path in add_to(root)}
    after = files_in(root)
    assert after.keys() - before.keys() == added
    assert {name: after[name] for name in before} == before
    return root


def asked_of(game: str) -> list[tuple[str, str, Any]]:
    """Requests for a rule and cases, on pages and by the API, and for a page in French."""
    case = first_illegal(game)
    rule, api = case["id"].split("/")[0], f"/api/v1/games/{game}"
    return [
        (f"/rules/{game}/{rule}", f"{CODE}-XX, fr;q=0.5", None),
        (f"/rules/{game}/cases/{numbering.name(case)}", CODE, None),
        (f"{api}/rules/{rule}", CODE, None),
        (f"{api}/cases?limit=1", CODE, None),
        (f"/rules/{game}/{rule}", "fr", None),
    ]


def first_illegal(game: str) -> Any:
    """The first worked case of a move that breaks the rule it is about."""
    return next(case for case in load(game, "cases")["case"] if case["id"].split("/")[0] in case.get("broken", ()))


def answers_in(tree: Path, asked: list[tuple[str, str, Any]], redis_url: str, file: Path) -> tuple[list[Any], str]:
    """The tree's answers, each with its status and its language; and the output of the command for a file."""
    command = [sys.executable, "-I", "-c", ASK, str(tree), redis_url, json.dumps(asked), str(file)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=file.parent)
    assert run.returncode == 0, run.stderr
    answers, _, command_said = run.stdout.partition("\n")
    return json.loads(answers), command_said


def test_rules_and_cases_of_every_game_are_told_in_it(tree: Path, tmp_path: Path, redis_server: RedisServer) -> None:
    """Pages and the API use the language, also for a client that prefers its dialect; a French page only names it."""
    (file := tmp_path / "game.json").write_text(json.dumps({"game": "villefranche", **RULING}))
    answers = iter(answers_in(tree, [each for game in GAMES for each in asked_of(game)], redis_server.url, file)[0])
    for game in over(GAMES):
        case = first_illegal(game)
        words = mark(load(game, "text/en")["rules"][case["id"].split("/")[0]])
        lines = mark(load(game, "case_text/en"))
        page, case_page, rule, cases, french = (next(answers) for _ in asked_of(game))
        assert [answer[:2] for answer in (page, case_page, rule, cases)] == [[200, CODE]] * 4
        assert f'<html lang="{CODE}">' in page[2] and mark("Where it is printed") in page[2]
        assert words["title"] in page[2] and lines[case["id"]] in unescape(page[2])
        assert lines[case["id"]] in unescape(case_page[2])
        said = json.loads(rule[2])
        assert {name: said[name] for name in words} == words
        assert json.loads(cases[2])["cases"][0]["text"] == next(iter(lines.values()))
        assert french[1] == "fr" and mark("e") not in french[2] and f">{NAME}<" in french[2]


def test_rulings_problems_the_command_and_the_contract_follow(
    tree: Path, tmp_path: Path, redis_server: RedisServer
) -> None:
    """The API's ruling and the command say the same in the language, and the served contract lists it."""
    (file := tmp_path / "game.json").write_text(json.dumps({"game": "villefranche", **RULING}))
    asked: list[tuple[str, str, Any]] = [
        (path, CODE, None) for path in ("/api/v1/openapi.yaml", "/", "/api/v1/games/chess")
    ]
    asked.append(("/api/v1/games/villefranche/rulings", CODE, RULING))
    (contract, home, problem, ruling), command_said = answers_in(tree, asked, redis_server.url, file)
    assert set(yaml.safe_load(contract[2])["components"]["schemas"]["Language"]["enum"]) == {*LANGUAGES, CODE}
    assert home[1] == CODE and all(f'hreflang="{other}"' in home[2] for other in LANGUAGES)
    assert (problem[0], json.loads(problem[2])["title"]) == (404, mark(TITLE))
    findings = json.loads(ruling[2])["findings"]
    assert findings and all(mark("e") in each["text"] and each["text"] in command_said for each in findings)
