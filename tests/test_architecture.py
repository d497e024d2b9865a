"""The arrows between the modules point one way, and what one module alone knows stays with it."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import rules
from tests.loops import over

ROOT = Path(rules.__file__).parent.parent
SOURCES = sorted(path for package in ("rules", "service", "web") for path in (ROOT / package).rglob("*.py"))
LAYERS = (
    {
        "addresses",
        "budget",
        "compression",
        "counts",
        "datatypes",
        "disputes",
        "drain",
        "filling",
        "grammar",
        "heads",
        "kept",
        "memory",
        "once",
        "proxies",
        "redis_url",
        "standing",
        "startup",
        "validation",
    },
    {"codec", "config", "entries", "faults", "judgements", "tending", "texts"},
    {"history", "line", "lookup", "other_readings"},
    {"in_force", "responses", "results", "table"},
    {"errors", "onward", "rounds", "tallies"},
    {"client_socket", "connections", "problems"},
    {"topology"},
    {"fitness", "readiness"},
    {"ledger", "rulings", "waits", "wire.fields", "wire.objects", "wire.parsing"},
    {"groups", "lanes", "limits", "supervisor", "wire.results", "wire.shapes"},
    {"serve", "stock", "tender", "wire"},
    {"case_file", "casebook", "cases", "contract", "course", "fold", "handbook", "replaying", "turns"},
    {"amendments", "case_adding", "deeds", "plans", "remedies"},
    {"amending", "checkpoints", "rolls", "settling"},
    {"store"},
    {"referee"},
    {"current", "serializers"},
    {"amendment_serializers", "dispute_serializers", "problem_details"},
    {"api", "files", "gate", "groups_api"},
    {"docs"},
    {"app", "worker"},
    {"cli", "gunicorn_conf"},
)
"""The modules of the service: each imports only what stands in a layer before its own, or beside it."""


def module(path: Path) -> str:
    """The dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """The dotted names that a file imports, within functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def imported() -> Mapping[str, set[str]]:
    """What each module of ours imports."""
    return {module(path): set(imports(path)) for path in SOURCES}


def within(name: str, package: str) -> bool:
    """Whether a dotted name is a package or in it."""
    return name == package or name.startswith(f"{package}.")


def importers(package: str) -> set[str]:
    """The modules that import a package or something of it."""
    return {name for name, theirs in imported().items() if any(within(each, package) for each in theirs)}


def test_the_rules_need_nothing_but_the_standard_library() -> None:
    """`rules` is pure Python: no library, no service, no page."""
    for name, theirs in over((name, theirs) for name, theirs in imported().items() if within(name, "rules")):
        foreign = {each for each in theirs if each.split(".")[0] not in {"rules", *sys.stdlib_module_names}}
        assert not foreign, name


def test_the_rules_have_no_clock_no_chance_and_no_input() -> None:
    """Dice, draws and times are reported, never made."""
    for forbidden in ("random", "secrets", "time", "datetime", "os", "socket", "subprocess", "threading"):
        assert not {name for name in importers(forbidden) if within(name, "rules")}, forbidden


def test_no_game_imports_another() -> None:
    """A game is a folder of its own, and the kernel knows none."""
    for game in over(rules.GAMES):
        elsewhere = {name for name in importers(f"rules.{game}") if within(name, "rules")}
        assert {name for name in elsewhere if not within(name, f"rules.{game}")} == set()


@pytest.mark.parametrize("package", ["service", "web"])
def test_only_a_games_own_modules_know_a_game(package: str) -> None:
    """The service imports no game, and of the pages only the folder of that game does."""
    for game in over(rules.GAMES):
        strangers = {
            name for name in importers(f"rules.{game}") | importers(f"web.games.{game}") if within(name, package)
        }
        assert [name for name in strangers if not within(name, f"web.games.{game}")] == []


def test_no_game_is_named_outside_its_own_folders() -> None:
    """No file of the three packages names a game but those in its two folders: a sixth game changes none of them."""
    own = [f"{room}/{game}/" for room in ("rules", "web/games") for game in rules.GAMES]
    named = {
        f"{path.relative_to(ROOT)}: {game}"
        for package in ("rules", "service", "web")
        for path in (ROOT / package).rglob("*")
        if path.suffix in {".py", ".toml", ".html", ".css", ".js", ".lua"}
        if not str(path.relative_to(ROOT)).startswith(tuple(own))
        for game in rules.GAMES
        if re.search(rf"\b{game}\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert named == set()


@pytest.mark.parametrize("room", ["benchmarks", "tests/rules"])
def test_what_is_run_for_every_game_names_none(room: str) -> None:
    """Benchmarks and laws find the games; what one of them alone needs stands with it, or in a file named after it.

    Tests of the service and of the pages may take a game as their example.
    """
    named = {
        f"{path.relative_to(ROOT)}: {game}"
        for path in (ROOT / room).glob("*.*")
        if path.suffix in {".py", ".toml"}
        for game in rules.GAMES
        if game not in path.stem
        and re.search(rf"\b{game.replace('_', '[ _]')}\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert named == set()


def test_drawing_has_no_game_in_it() -> None:
    """What draws, the kernel of the pages and the form know no game; the games know no view, no panel and no page."""
    for room in ("web.board", "web.game_pages", "web.form_fields"):
        assert not {
            name
            for name in imported()
            if within(name, room) and any(within(each, "web.games") for each in imported()[name])
        }
    for room in ("web.views", "web.panels", "web.pages.table_page", "web.app", "web.browser.cookies"):
        assert not {name for name in importers(room) if within(name, "web.games")}


def test_the_views_write_no_status_of_their_own() -> None:
    """What goes wrong has its status from `service.http.problems`, in the API and on the pages."""
    views = [ROOT / "web" / "blueprint.py", *(ROOT / "web" / "views").glob("*.py")]
    for path in (*views, ROOT / "service" / "api.py", ROOT / "service" / "docs.py"):
        for node in over(ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
            assert not (isinstance(node, ast.Constant) and node.value in range(400, 600)), f"{path}: {node.lineno}"


def packages_of(names: Iterable[str], depth: int) -> dict[str, set[str]]:
    """Which folders of `web` import which others."""
    found: dict[str, set[str]] = {}
    for name in names:
        here = ".".join(name.split(".")[:depth])
        there = {
            ".".join(each.split(".")[:depth]) for each in imported()[name] if each in imported() and within(each, "web")
        }
        found.setdefault(here, set()).update(there - {here})
    return found


def test_the_folders_of_the_pages_import_in_one_direction() -> None:
    """No two folders of the pages import each other, round any corner."""
    waiting = packages_of([name for name in imported() if within(name, "web") and name != "web"], 2)
    while waiting:
        free = {name for name, needs in waiting.items() if not needs & waiting.keys()}
        assert free, f"a circle: {waiting}"
        waiting = {name: needs for name, needs in waiting.items() if name not in free}


def test_the_service_is_layered() -> None:
    """Within the service, a module imports only its own layer and those before it."""
    layer = {f"service.{name}": number for number, names in enumerate(LAYERS) for name in names}
    modules = {name for name in imported() if within(name, "service") and name != "service"}
    assert modules == set(layer), "say in LAYERS where a new module stands"
    for name in modules:
        above = {each for each in imported()[name] if each in layer and layer[each] > layer[name]}
        assert not above, name


def test_a_class_has_its_name_for_itself() -> None:
    """No two classes that all games share have one name: whoever searches for one finds it."""
    of_games = [ROOT / room / game for room in ("rules", "web/games") for game in rules.GAMES]
    found = Counter(
        node.name
        for path in SOURCES
        if not any(path.is_relative_to(folder) for folder in of_games)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    )
    assert found["Result"] == 1
    assert [name for name, times in found.items() if times > 1] == []


def test_only_the_composition_root_knows_both_faces() -> None:
    """The service imports no page, except where the application is put together."""
    assert {name for name in importers("web") if within(name, "service")} == {"service.app"}


@pytest.mark.parametrize(
    "inner",
    [
        "service.http.tables",
        "service.storage.ledger",
        "service.referee.repository",
        "service.app",
        "service.http.docs.views",
    ],
)
def test_the_pages_do_not_reach_around_the_use_cases(inner: str) -> None:
    """`web` imports neither the JSON views nor the store."""
    assert not {name for name in importers(inner) if within(name, "web")}


@pytest.mark.parametrize(
    ("library", "owners"),
    [
        (
            "redis",
            {f"service.{each}" for each in ("connections", "fitness", "ledger", "readiness", "stock", "topology")},
        ),
        ("marshmallow", {f"service.schemas{each}" for each in ("", ".fields", ".objects", ".results", ".shapes")}),
        ("apispec", {"service.schemas.game_schemas"}),
        ("gevent", {"service.server.client_socket", "service.server.worker"}),
    ],
)
def test_a_library_has_one_owner(library: str, owners: set[str]) -> None:
    """What stores the log and what reads JSON can be exchanged by changing one module."""
    assert importers(library) <= owners
