"""The contract in public tools: a linter finds nothing, and a generator makes a whole client of it."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml

import rules
from rules.caches import thaw
from service.cases import worked_cases
from service.http import openapi
from service.http.serializers import entries
from service.i18n.sentences import words
from service.referee.fold import fold
from service.schemas.parsing import encode
from service.tables.entries import Unlisted
from tests.support.api import Api
from tests.support.loops import over

ROOT = Path(__file__).parents[1]
TOOLS = pytest.mark.skipif(
    not (ROOT / ".venv/tools/node_modules").exists(), reason="`make test` installs them where npm packages can be had"
)


def run(tool: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a tool for the contract."""
    environment = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "PATH": "/usr/bin:/bin"}
    command = [str(ROOT / "scripts/node"), tool, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def lint(description: Path) -> subprocess.CompletedProcess[str]:
    """Run the linter on a description."""
    return run("redocly", "lint", "--config", ROOT / "tests/tools/redocly.yaml", "--max-problems", "20", description)


@TOOLS
def test_the_linter_finds_nothing(tmp_path: Path) -> None:
    """No error, no warning. The control: it finds an unquoted comma, which makes a member, and missing security."""
    found = lint(openapi.path())
    assert found.returncode == 0, found.stdout + found.stderr
    assert "warning" not in found.stderr + found.stdout
    spoilt = openapi.text().replace(
        'description: "Values of effects, by the names', "description: Values, by the names"
    )
    spoilt = spoilt.replace('in `effects`." }', "in `effects`. }").replace("      security: []\n", "", 1)
    (tmp_path / "openapi.yaml").write_text(spoilt)
    found = lint(tmp_path / "openapi.yaml")
    assert found.returncode == 1
    assert "struct" in found.stdout
    assert "security-defined" in found.stdout


@TOOLS
def test_a_program_in_typescript_reads_answers(tmp_path: Path) -> None:
    """The generated types have no warning and no object without members, and a program that uses them compiles.

    The control: with a member that a shape lacks, the program does not compile.
    """
    made = run("openapi-typescript", openapi.path(), "--default-non-nullable=false", "-o", tmp_path / "contract.ts")
    assert made.returncode == 0, made.stderr
    assert "warn" not in (made.stdout + made.stderr).lower()
    types = (tmp_path / "contract.ts").read_text()
    empty = re.findall(r"(.*)Record<string, never>", types)
    assert empty == ["export type webhooks = ", "export type $defs = "]
    program = (ROOT / "tests/tools/reader.ts").read_text()
    options = ["--ignoreConfig", "--strict", "--noEmit", "--target", "es2024", "--module", "esnext"]
    for name, text in (("reader", program), ("spoilt", program.replace("+ position.placement", "+ position.turn"))):
        (tmp_path / f"{name}.ts").write_text(text)
        compiled = run("tsc", *options, "--moduleResolution", "bundler", tmp_path / f"{name}.ts")
        assert (compiled.returncode == 0) == (name == "reader"), compiled.stdout


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a client package that openapi-python-client has generated without a warning."""
    folder = tmp_path_factory.mktemp("client")
    config = {"content_type_overrides": {"application/yaml": "text/plain"}, "post_hooks": []}
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    command = ["-m", "openapi_python_client", "generate", "--meta", "none", "--config", str(folder / "config.yaml")]
    command += ["--path", str(openapi.path()), "--output-path", str(folder / "made_client")]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "arning" not in done.stdout + done.stderr, done.stdout
    sys.path.insert(0, str(folder))
    yield "made_client"
    sys.path.remove(str(folder))


def test_a_generated_client_has_every_operation_and_shape(client: str) -> None:
    """A module for each operation, a class for each shape with members of its own."""
    description = thaw(openapi.description())
    made = Path(importlib.import_module(client).__file__ or "").parent
    functions = {path.stem for path in made.glob("api/*/*.py")}
    models = importlib.import_module(f"{client}.models")
    operations = [each for item in description["paths"].values() for each in item.values() if isinstance(each, dict)]
    for name in over(each["operationId"] for each in operations if "operationId" in each):
        assert re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() in functions
    schemas = description["components"]["schemas"].items()
    own = [name for name, each in schemas if each.get("type") == "object" or len(each.get("allOf", ())) > 1]
    for name in over(own):
        assert hasattr(models, "".join(part[0].upper() + part[1:] for part in re.split(r"[._]", name))), name


def test_a_generated_client_reads_what_is_answered(client: str, api: Api) -> None:
    """The client's classes read the service's answers, and lose nothing."""
    models: Any = importlib.import_module(f"{client}.models")
    games = api.get("/api/v1/games").get_json()["games"]
    for game in games:
        assert models.GameLine.from_dict(game).to_dict() == game
        page = api.get(f"/api/v1/games/{game['id']}").get_json()
        assert models.GamePage.from_dict(page).to_dict() == page
    table = api.post("/api/v1/tables", {"game": "villefranche"}).get_json()
    read = models.NewTable.from_dict(table)
    assert read.opened_at.isoformat() == table["opened_at"].replace("Z", "+00:00")
    assert (read.links.watch, read.version) == (table["links"]["watch"], table["version"])
    assert read.keys.host == table["keys"]["host"]


def cases_of(game_id: str) -> Iterator[Any]:
    """The worked cases of a game, as the API answers them."""
    after: int | None = 0
    while after is not None:
        page = orjson.loads(encode(worked_cases.page(game_id, "en", after, 50)))
        yield from page["cases"]
        after = page["next"]


def test_a_generated_client_loses_nothing_of_a_case(client: str) -> None:
    """The client reads all worked cases without loss, and each position and setup as its own game's."""
    models: Any = importlib.import_module(f"{client}.models")
    for game_id in over(rules.GAMES):
        name = "".join(part[0].upper() + part[1:] for part in game_id.split("_"))
        for case in over(cases_of(game_id)):
            read = models.Case.from_dict(case)
            assert read.to_dict() == case
            assert type(read.position) is getattr(models, f"{name}Position"), case["id"]
            assert type(read.setup) is getattr(models, f"{name}Setup"), case["id"]


def test_a_generated_client_loses_nothing_of_a_log(client: str) -> None:
    """The client reads every kind of entry without loss. The control: an entry that lacks a member is not that kind."""
    models: Any = importlib.import_module(f"{client}.models")
    log = orjson.loads((ROOT / "tests/service/logs/villefranche-2-decided.json").read_bytes())["log"]
    table = fold("A" * 22, list(enumerate(map(orjson.dumps, log), start=1)), timedelta(days=1))
    opened = orjson.loads(encode(entries.entry(table, table.entries[0], words("en", table.game.id))))
    for entry in over(each for each in table.entries if not isinstance(each, Unlisted)):
        answer = orjson.loads(encode(entries.entry(table, entry, words("en", table.game.id))))
        answer["at"] = answer["at"].replace("Z", "+00:00")  # as the client writes the same time
        page = {"entries": [answer], "version": table.version, "next": None}
        assert models.Log.from_dict(page).to_dict()["entries"] == [answer]
        assert type(models.Log.from_dict(page).entries[0]) is not models.OtherEntry
    del opened["rules_version"]
    assert type(models.Log.from_dict(page | {"entries": [opened]}).entries[0]) is models.OtherEntry


def test_a_generated_client_reads_what_may_be_added(client: str) -> None:
    """The client reads what the contract does not list: a kind of move, a type of entry, a position of another game,
    and a value of a reading.
    """
    models: Any = importlib.import_module(f"{client}.models")
    case = next(cases_of("villefranche"))
    added = case | {"move": {"kind": "mill", "points": [1, 2]}, "position": {"game": "morris", "men": {"a1": "w"}}}
    assert models.Case.from_dict(added).to_dict() == added
    readings = {"readings": case["setup"]["readings"] | {"stuck": "sleeps"}}
    added = case | {"setup": case["setup"] | readings}
    read = models.Case.from_dict(added)
    assert (read.to_dict(), type(read.setup)) == (added, models.VillefrancheSetup)
    entry = {"version": 3, "type": "viewed", "at": "2026-01-01T00:00:00+00:00", "recorded_by": "host", "label": "hall"}
    page = {"entries": [entry], "version": 3, "next": None}
    assert models.Log.from_dict(page).to_dict() == page
