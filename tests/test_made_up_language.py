"""A further language adds files: a copy of the tree speaks a made-up one, and none of its files is changed."""

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
from service.i18n.languages import LANGUAGES
from tests.support.made_up_language import CODE, NAME, add_to, marked
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


def files_in(root: Path) -> dict[str, bytes]:
    """The files of a tree that are not made of others."""
    every = (path for path in root.rglob("*") if path.is_file() and path.suffix not in (".mo", ".pyc"))
    return {str(path.relative_to(root)): path.read_bytes() for path in every}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with the language."""
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
    """A rule, a case and a ruling, on pages and by the API, and a page in the other language."""
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
    """A worked case of a move that breaks the rule it is about."""
    return next(case for case in load(game, "cases")["case"] if case["id"].split("/")[0] in case.get("broken", ()))


def test_a_made_up_language_is_spoken_on_pages_by_the_api_and_by_the_command(
    tree: Path, tmp_path: Path, redis_server: RedisServer
) -> None:
    """Its words stand on pages and in rulings, rules and cases; the switch and the contract name it."""
    ruling = {"moves": ["r b1c1"], "move": "r b1c1"}
    asked = [each for game in GAMES for each in asked_of(game)]
    asked += [("/api/v1/games/villefranche/rulings", CODE, ruling), ("/api/v1/openapi.yaml", CODE, None)]
    asked += [("/", CODE, None), ("/api/v1/games/chess", CODE, None)]
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"game": "villefranche", **ruling}))
    command = [sys.executable, "-I", "-c", ASK, str(tree), redis_server.url, json.dumps(asked), str(file)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    first, *command_said = run.stdout.splitlines()
    told = {(path, language): answer for (path, language, _), answer in zip(asked, json.loads(first), strict=True)}
    for game in GAMES:
        case = first_illegal(game)
        rule = case["id"].split("/")[0]
        words, line = marked(load(game, "text/en")["rules"][rule]), marked(load(game, "case_text/en")[case["id"]])
        page, case_page, by_api, cases, french = (told[path, language] for path, language, _ in asked_of(game))
        assert [answer[:2] for answer in (page, case_page, by_api, cases)] == [[200, CODE]] * 4
        assert f'<html lang="{CODE}">' in page[2] and words["title"] in page[2] and "~Where it is printed~" in page[2]
        assert line in unescape(page[2]) and line in unescape(case_page[2])
        said = json.loads(by_api[2])
        assert (said["title"], said["text"], said["printed"]) == (words["title"], words["text"], words["printed"])
        assert json.loads(cases[2])["cases"][0]["text"].startswith("~")
        assert french[1] == "fr" and "~" not in french[2] and f">{NAME}<" in french[2]
    contract = yaml.safe_load(told["/api/v1/openapi.yaml", CODE][2])
    assert set(contract["components"]["schemas"]["Language"]["enum"]) == {*LANGUAGES, CODE}
    findings = json.loads(told["/api/v1/games/villefranche/rulings", CODE][2])["findings"]
    assert findings and all(each["text"].startswith("~") for each in findings)
    assert told["/", CODE][1] == CODE and all(f'hreflang="{other}"' in told["/", CODE][2] for other in LANGUAGES)
    problem = told["/api/v1/games/chess", CODE]
    assert problem[0] == 404 and json.loads(problem[2])["title"].startswith("~")
    assert any(findings[0]["text"] in line for line in command_said)
