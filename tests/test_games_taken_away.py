"""A game is only its own folders: without them the service starts, and does not mention the game."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import rules
from service.i18n.sentences import words

ROOT = Path(rules.__file__).parents[1]
PACKAGES = ("rules", "service", "web")
FEW = {"GAMES_SHARED": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""The laws run with few random games here; `test_laws` itself runs them with more."""
NEXT = dict(zip(rules.GAMES, [*rules.GAMES][1:] + [*rules.GAMES][:1], strict=True))
"""Each game -> the game whose laws run without it: every game runs once without another."""
LAWS = [
    law.name
    for law in ast.parse((ROOT / "tests" / "rules" / "test_laws.py").read_text(encoding="utf-8")).body
    if isinstance(law, ast.FunctionDef)
    and law.name.startswith("test_")
    and "game" in {argument.arg for argument in law.args.args}
]
"""The laws that run game by game."""
SCRIPT = """
import json, sys
import rules
from service.app import create_app
from service.config import Settings

assert rules.__file__.startswith(sys.argv[1]), rules.__file__
# No Redis: nothing that is asked here is about a table.
http = create_app(Settings.of({"REDIS_URL": "unix:///nowhere", "BASTIDE_HOSTS": "localhost"})).test_client()


def asked(method, path, **options):
    response = http.open(path, method=method, **options)
    assert response.status_code == 200, (path, response.get_data(as_text=True))
    return response


found = {"games": asked("GET", "/api/v1/games").json["games"], "moves": {}}
for game in found["games"]:
    setup = asked("GET", f"/api/v1/games/{game['id']}").json["default_setup"]
    if setup is not None:
        legal = asked("POST", f"/api/v1/games/{game['id']}/legal-moves", json={"setup": setup})
        found["moves"][game["id"]] = legal.json["count"]
for name, path in (("home", "/"), ("contract", "/api/v1/openapi.yaml"), ("docs", "/api/v1/docs")):
    found[name] = asked("GET", path).get_data(as_text=True)
json.dump(found, sys.stdout)
"""


@pytest.fixture
def without(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """The answers of the service from a copy of the project without these games' folders."""

    def start(*games: str) -> dict[str, Any]:
        for package in PACKAGES:
            shutil.copytree(ROOT / package, tmp_path / package)
        for game in games:
            shutil.rmtree(tmp_path / "rules" / game)
            shutil.rmtree(tmp_path / "web" / "games" / game)
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        answers: dict[str, Any] = json.loads(done.stdout)
        return answers | {"laws": laws(tmp_path, *games) if games else ""}

    return start


def laws(copy: Path, gone: str) -> str:
    """Run the next game's laws in a copy of the project with all tests but the missing game's; returns the output."""
    left_out = shutil.ignore_patterns("e2e", gone)
    shutil.copytree(ROOT / "tests", copy / "tests", ignore=left_out)
    (copy / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\npythonpath = .\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/rules/test_laws.py",
        "-k",
        NEXT[gone],
    ]
    # Hypothesis reuses what it has computed about Unicode.
    kept = {"HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")}
    environment = os.environ | FEW | kept | {"PYTHONPATH": str(copy)}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def mentions(text: str, game: str) -> bool:
    """Whether a text has the id of a game, as a word of its own or before a point, or its name."""
    return re.search(rf"\b(?:{game}|{words('en', game).text['name']})\b", text, re.IGNORECASE) is not None


@pytest.mark.parametrize("gone", [*rules.GAMES, None])
def test_the_service_starts_without_a_game(gone: str | None, without: Callable[..., dict[str, Any]]) -> None:
    """Home page, list and contract mention exactly the games that are found, which have legal moves.

    The control is the run with all games: then each is mentioned everywhere. Without a game, the laws of the next one
    still pass.
    """
    there = [game for game in rules.GAMES if game != gone]
    answers = without(*([gone] if gone else []))
    assert [game["id"] for game in answers["games"]] == there
    assert gone is None or re.search(rf"^{len(LAWS)} passed", answers["laws"], re.MULTILINE), answers["laws"]
    assert answers["moves"]
    assert all(answers["moves"].values())
    for part in ("home", "contract", "docs"):
        assert {game for game in rules.GAMES if mentions(answers[part], game)} == set(there), part
    contract = yaml.load(answers["contract"], Loader=yaml.CSafeLoader)  # safe, and quick
    shapes = contract["components"]["schemas"]
    assert shapes["GameId"]["enum"] == sorted(there)
    assert {name.partition(".")[0] for name in shapes if "." in name} == set(there)
    referred = set(re.findall(r"#/components/schemas/([\w.]+)", json.dumps(contract)))
    assert referred == set(shapes)
