"""Games come from the folders in `rules`, and from packages that an installed distribution announces."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rules

ROOT = Path(rules.__file__).parent.parent
PRINT_GAMES, MODEL = next(iter(rules.PACKAGES.items()))
"""Any game and its package: the visiting game is a copy of it."""
GAME = """
from dataclasses import replace

from {model} import GAME as PRINTED

GAME = replace(PRINTED, id={id!r}, edition="a guest")
"""
TELL = """
import json, rules
told = {name: [game.edition, rules.PACKAGES[name]] for name, game in rules.GAMES.items()}
print(json.dumps([told, rules.load("guest", "rulebook") if "guest" in told else None], default=dict))
"""


def package(folder: Path, game_id: str = "guest") -> None:
    """Write a package with a game, as an installer does, but without metadata that announces it."""
    (folder / "visiting").mkdir()
    (folder / "visiting" / "__init__.py").write_text(GAME.format(id=game_id, model=MODEL))
    (folder / "visiting" / "rulebook.toml").write_text('[G-1]\nstatus = "enforced"\n')


def announce(folder: Path, module: str = "visiting") -> None:
    """Write the metadata by which the distribution announces its game."""
    metadata = folder / "visiting-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: visiting\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[bastide.games]\nguest = {module}\n")


def start_python(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a Python that has the folder on its path, and prints which games it finds."""
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {[str(folder), str(ROOT)]!r}\n{TELL}"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)  # our own


def games_there(folder: Path) -> Any:
    """The games that this Python finds, and the guest's rulebook."""
    run = start_python(folder)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_game_that_an_installed_package_announces_is_found(tmp_path: Path) -> None:
    """The game is listed beside the built-in ones, and its texts are read from its own package."""
    package(tmp_path)
    announce(tmp_path)
    games, rulebook = games_there(tmp_path)
    assert games == {
        **{name: [game.edition, f"rules.{name}"] for name, game in rules.GAMES.items()},
        "guest": ["a guest", "visiting"],
    }
    assert rulebook == {"G-1": {"status": "enforced"}}


def test_a_game_is_loaded_when_it_is_asked_for() -> None:
    """A game's folder has its id as name, so that loading one game imports no other."""
    ask = "import sys, rules; game = rules.GAMES[sys.argv[1]]; print(game.id, *(name for name in sys.modules))"
    run = subprocess.run([sys.executable, "-c", ask, PRINT_GAMES], capture_output=True, text=True, check=True, cwd=ROOT)
    found, *modules = run.stdout.split()
    assert (found, rules.PACKAGES.keys() & {name.removeprefix("rules.") for name in modules}) == (found, {found})
    assert {name: game.id for name, game in rules.GAMES.items()} == {name: name for name in rules.PACKAGES}


def test_a_package_that_nobody_announces_is_no_game(tmp_path: Path) -> None:
    """A package without that metadata is not imported, though its folder is on the path."""
    package(tmp_path)
    games, rulebook = games_there(tmp_path)
    assert set(games) == set(rules.GAMES)
    assert rulebook is None


@pytest.mark.parametrize(
    ("game_id", "module", "said"),
    [
        (PRINT_GAMES, "visiting", f"{MODEL} and visiting are both the game {PRINT_GAMES!r}"),
        ("guest", "missing", "No module named 'missing'"),
        ("guest", "json", "module 'json' has no attribute 'GAME'"),
    ],
)
def test_a_package_that_announces_no_game_of_its_own_is_not_passed_over(
    tmp_path: Path, game_id: str, module: str, said: str
) -> None:
    """Two games with one id, a missing package or one without a game: the import fails, and the error names it."""
    package(tmp_path, game_id)
    announce(tmp_path, module)
    run = start_python(tmp_path)
    assert run.returncode != 0
    assert said in run.stderr.splitlines()[-1]
