"""The service refuses to start with a game of another package that lacks something, and says what is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import rules
from rules.forms import THE_REST, rest_is_unknown

ROOT = Path(rules.__file__).parent.parent
MODEL = next(iter(rules.PACKAGES))
"""The game whose files the guest has."""
GAME = (
    f"from dataclasses import replace\nfrom rules.{MODEL} import GAME as PRINTED\nGAME = replace(PRINTED, id='guest')\n"
)
PROGRAM = (
    "from service.guest_games import refuse_games; refuse_games(); from service.app import check_pages; check_pages()"
)


def start(folder: Path, damage: Callable[[Path], object]) -> str:
    """What the start says of a package with the files of another game, after some damage to it."""
    package = folder / "visiting"
    shutil.copytree(ROOT / "rules" / MODEL, package, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (package / "__init__.py").write_text(GAME)
    metadata = folder / "visiting-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: visiting\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[bastide.games]\nguest = visiting\n")
    damage(folder)
    program = f"import sys; sys.path[:0] = {[str(folder), str(ROOT)]!r}; {PROGRAM}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=folder)
    return "" if run.returncode == 0 else run.stderr.splitlines()[-1]


def change(file: str, old: str, new: str) -> Callable[[Path], object]:
    """A damage: another text in a file, which has the old one."""

    def damage(folder: Path) -> None:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return damage


def test_a_position_without_a_rest_leaves_nothing_unknown() -> None:
    """A game whose positions have no member `rest` can be entered by taps: every cell is known. With it, it counts."""
    assert not rest_is_unknown(SimpleNamespace())
    assert rest_is_unknown(SimpleNamespace(rest=THE_REST))


def test_a_whole_game_of_another_package_is_taken(tmp_path: Path) -> None:
    """The control: nothing is said of a package that lacks nothing."""
    assert start(tmp_path, lambda _: None) == ""


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (change("visiting/text/fr.toml", "\nname = ", "\nnom = "), "text/fr.toml: name is missing"),
        (change("visiting/text/en.toml", "\n[kinds]\n", "\n[kind]\n"), "text/en.toml: kinds is missing"),
        (change("visiting/text/en.toml", "\ntitle = ", "\nheading = "), ".title is missing"),
        (change("visiting/rulebook.toml", "\nstatus = ", "\nstate = "), "'status' is missing"),
        (change("visiting/cases.toml", "\nmove = ", "\nmove = 'never'#"), "cases.toml, case "),
        (lambda folder: (folder / "visiting" / "cases.toml").unlink(), "cases.toml"),
        (change("visiting/__init__.py", "\nGAME = ", "\nSPIEL = "), "the package visiting announces a game, but: "),
        (change("visiting/__init__.py", "\nGAME = ", "\nGAME = 1\nSPIEL = "), "its GAME is no rules.game.Game"),
        (change("visiting/__init__.py", "\nGAME = ", "\n\n1 / 0\nGAME = "), "visiting/__init__.py, line 4)"),
        (
            change(
                "visiting-1.0.dist-info/entry_points.txt", "visiting\n", "visiting\n[bastide.pages]\nhost = visiting\n"
            ),
            "visiting has pages of 'host', which is no game",
        ),
    ],
)
def test_what_a_game_of_another_package_lacks_is_named(
    tmp_path: Path, damage: Callable[[Path], object], said: str
) -> None:
    """A missing word, file, member or case, and pages of no game: the message names the file and what is missing."""
    last_line = start(tmp_path, damage)
    assert last_line.startswith("service.startup.CannotServe: ")
    assert said in last_line


def test_a_ruling_on_a_file_says_so_too(tmp_path: Path) -> None:
    """`bastide rule` names a package whose game cannot be imported, and exits with 3."""
    assert start(tmp_path, lambda _: None) == ""
    (tmp_path / "visiting" / "__init__.py").write_text("import nowhere\n")
    (tmp_path / "game.json").write_text(f'{{"game": "{MODEL}"}}')
    main = "from service.cli.commands import main; sys.exit(main())"
    program = f"import sys; sys.path[:0] = {[str(tmp_path), str(ROOT)]!r}; {main}"
    command = [sys.executable, "-c", program, "score", "game.json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 3
    assert run.stderr.startswith(
        "bastide: A game of another package cannot be used: the package visiting announces a game"
    )
