"""Pages of a game from an installed package: found, coloured, and opened by a form made from its schema."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.old_names import OLD_MODULES
from web import games

ROOT = Path(rules.__file__).parent.parent
GAME = """
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from rules.forms import Between
from rules.villefranche import GAME as PRINTED


@dataclass(frozen=True, slots=True)
class Player:
    colour: Literal["orange", "violet", "grey"]
    name: str | None = None
    castle: Literal["near", "far"] = "near"


@dataclass(frozen=True, slots=True)
class Setup:
    players: tuple[Player, ...]
    board: Literal["small", "large"] = "small"
    rounds: Annotated[int, Between(1, 9)] = 4
    motto: str | None = None
    goals: tuple[Literal["a", "b"], ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)


SEATS = ("orange", "violet", "grey")
GAME = replace(PRINTED, id="guest", players=(2, 3), seats=SEATS, setup_form=Setup, setup=lambda setup: None)
"""
PAGES = """
from web.board.inks import SeatColours, surface
from web.game_pages import GamePages

PAGES = GamePages(
    draw=None,
    options=lambda state, cell: (),
    icon=lambda kind, seat: (),
    inks={"guest-ground": surface("#123456")},
    seats={"orange": SeatColours("#f80", "#420", "#000")},
)
"""
ASK = """
import json, sys
from service.app import create_app
from service.config import Settings
from service.schemas import plain
from web.opening.form import form_of, opening_of, setup_of

app = create_app(Settings.of({"REDIS_URL": "unix:///nowhere", "BASTIDE_HOSTS": "localhost"}))
http = app.test_client()
told = {"home": http.get("/").text, "form": http.get("/?game=guest").text, "inks": http.get("/assets/inks.css").text}
filled = json.loads(sys.argv[1])
with app.test_request_context():
    form = form_of(filled)
    told["game"] = form.game.id
    if form.game.id == "guest":
        told["fields"] = {field.name: [field.control, field.pointer] for field in form.fields}
        setup = setup_of(form)[1]
        told["setup"] = plain(setup)
        told["again"] = dict(opening_of(form.game).values(setup))
print(json.dumps(told))
"""
FILLED_FORM = {
    "game": "guest",
    "players": "3",
    "colour-1": "grey",
    "name-1": "Anne",
    "castle-1": "far",
    "colour-2": "orange",
    "castle-2": "near",
    "colour-3": "violet",
    "castle-3": "near",
    "board": "large",
    "rounds": "7",
    "motto": "",
    "goals": '["b","a"]',
}


def pages_there(folder: Path, *, pages: bool) -> Any:
    """Answers of an application with the package installed; `pages`: with its entry point for pages."""
    package = folder / "visiting"
    shutil.copytree(ROOT / "rules" / "villefranche" / "text", package / "text")
    (package / "__init__.py").write_text(GAME)
    (package / "pages.py").write_text(PAGES)
    metadata = folder / "visiting-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: visiting\nVersion: 1.0\n")
    own = "[bastide.pages]\nguest = visiting.pages\n" if pages else ""
    (metadata / "entry_points.txt").write_text(f"[bastide.games]\nguest = visiting\n{own}")
    program = f"import sys; sys.path[:0] = {[str(folder), str(ROOT)]!r}\n{ASK}"
    command = [sys.executable, "-c", program, json.dumps(FILLED_FORM)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_game_of_another_package_has_its_pages(tmp_path: Path) -> None:
    """The first page offers the game; the style sheet of all games has its inks and its seats' colours."""
    answer = pages_there(tmp_path, pages=True)
    assert 'href="/?game=guest"' in answer["home"]
    assert 'name="castle-2"' in answer["form"]
    assert ".guest-ground{fill:#123456}" in answer["inks"]
    assert ".seat-orange.token{background:#f80;border-color:#420}" in answer["inks"]


def test_the_form_of_a_game_without_an_opening_is_made_from_its_schema(tmp_path: Path) -> None:
    """The form has lists for choices, fields for numbers and texts, else JSON; its values give the setup, and back."""
    answer = pages_there(tmp_path, pages=True)
    controls = {name: control for name, (control, _) in answer["fields"].items()}
    assert controls.items() >= {"board": "select", "rounds": "number", "motto": "text", "goals": "area"}.items()
    assert answer["fields"]["castle-3"] == ["select", "/players/2/castle"]
    assert answer["setup"] == {
        "players": [
            {"colour": "grey", "name": "Anne", "castle": "far"},
            {"colour": "orange", "castle": "near"},
            {"colour": "violet", "castle": "near"},
        ],
        "board": "large",
        "rounds": 7,
        "goals": ["b", "a"],
        "readings": answer["setup"]["readings"],
    }
    assert answer["again"].items() <= FILLED_FORM.items()


def test_a_game_without_pages_is_not_offered(tmp_path: Path) -> None:
    """The control: without that entry point, pages do not offer the package's game."""
    answer = pages_there(tmp_path, pages=False)
    assert 'href="/?game=guest"' not in answer["home"]
    assert "guest-ground" not in answer["inks"]
    assert answer["game"] != "guest"


@pytest.mark.parametrize("old", OLD_MODULES)
def test_a_module_is_imported_by_its_old_name_with_a_warning(old: str) -> None:
    """A module's old name imports the same module until 0.2.0, with a warning; unknown names fail."""
    with pytest.warns(DeprecationWarning, match=f"{old} is called {OLD_MODULES[old]} now"):
        found = importlib.import_module(old)
    try:
        assert found is importlib.import_module(OLD_MODULES[old])
    finally:
        del sys.modules[old]
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"{old}_never")


def test_two_packages_with_pages_of_one_game_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second package with pages for the same game raises `ValueError`."""
    twice = EntryPoint("fief", "web.games.fief", games.GROUP)
    monkeypatch.setattr(games, "entry_points", lambda group: [twice])
    with pytest.raises(ValueError, match="two packages have pages of the game 'fief'"):
        games.all_pages.__wrapped__()
