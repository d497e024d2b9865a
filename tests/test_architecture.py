"""Imports between modules point one way, and what only one module should know stays there."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

import rules
from scripts.mutate import areas
from tests.support.loops import over

ROOT = Path(rules.__file__).parent.parent
SOURCES = sorted(path for package in ("rules", "service", "web") for path in (ROOT / package).rglob("*.py"))
TOOLS = [
    *sorted(path for room in ("benchmarks", "scripts") for path in (ROOT / room).rglob("*.py")),
    *(ROOT / name for name in ("bastide.py", "hatch_build.py")),
]
"""All other code except the tests."""
ORDER = {
    "service": "runtime tables i18n storage limits groups schemas rulings cases referee http",
    "web": "browser board games panels opening pages views",
}
"""The packages of the service and those of the pages: each imports only those before it."""
MAX_MODULES = 20
"""Modules in one folder, at most."""
UNKNOWNS = {"gaps", "scope", "contents", "combinations", "effects"}
"""The parts of a game's rules on unknowns: a module each, or a folder where `MAX_LINES` are too few."""
MAX_LINES = 400
"""Lines of a module, at most."""
MAX_FUNCTION = 30
"""Lines of a function, at most."""
MAX_ANY = 300
"""Uses of `Any` in all code but the tests, in quotes too, at most."""


PARTICIPLE = re.compile(
    "[a-z]{2,}(?<!e)ed|begun|bought|bound|broken|brought|built|caught|chosen|done|drawn|driven|dug|fallen|felt|forbidden|"
    "foretold|fought|found|given|gone|grown|had|heard|held|hidden|kept|known|laid|led|left|lent|lit|lost|made|meant|met|"
    "paid|said|seen|sent|shown|sold|spent|spoken|stolen|stood|stuck|sworn|taken|taught|thought|thrown|told|torn|undone|"
    "understood|unknown|unseen|untold|withdrawn|won|written"
)
SHAPES = re.compile(r"rules/\w+/(state|moves)\.py|service/tables/entries\.py")
"""Modules in which the log and the API use the players' words."""
NAMES_TO_KEEP = {
    "[Ee]nded|played|stood|unknown|won": "words of the API",
    "done": "a parameter of an address",
    "elided": "a key of a language's file",
    "locked": "a word of Villa Paletti",
    "required": "an option of marshmallow",
    "Expired|Forbidden|Malformed|Refused|Unauthorised|Unseen": "exceptions: what has happened",
}
"""Participles that may be names -> why."""


TESTS = sorted(path for room in ("tests", "benchmarks", "scripts") for path in (ROOT / room).rglob("*.py"))


def module(path: Path) -> str:
    """The dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path, *, nested: bool = True) -> frozenset[str]:
    """The dotted names that a file imports; `nested`: within functions too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(imported_by(path, ast.walk(tree) if nested else tree.body))


def imported_by(path: Path, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The dotted names that these nodes of a file import."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def imports_by_module() -> Mapping[str, frozenset[str]]:
    """Module of ours -> the dotted names that it imports."""
    return {module(path): imports(path) for path in SOURCES}


def within(name: str, package: str) -> bool:
    """Whether a dotted name is a package or in it."""
    return name == package or name.startswith(f"{package}.")


def importers(package: str) -> set[str]:
    """The modules that import a package or something of it."""
    return {name for name, theirs in imports_by_module().items() if any(within(each, package) for each in theirs)}


def test_the_rules_need_nothing_but_the_standard_library() -> None:
    """`rules` is pure Python: no library, no service, no page."""
    for name, theirs in over((name, theirs) for name, theirs in imports_by_module().items() if within(name, "rules")):
        foreign = {each for each in theirs if each.split(".")[0] not in {"rules", *sys.stdlib_module_names}}
        assert not foreign, name


def test_the_rules_have_no_clock_no_chance_and_no_input() -> None:
    """The rules import no clock, no randomness and no input: players report dice, draws and times."""
    for forbidden in ("random", "secrets", "time", "datetime", "os", "socket", "subprocess", "threading"):
        assert not {name for name in importers(forbidden) if within(name, "rules")}, forbidden


def test_every_cache_is_registered() -> None:
    """A function is cached by `rules.caches`, which counts it; a value that lives for one request alone is no cache."""
    # This is loaded before it is known that `rules` is ours.
    before_the_rules = {"service.storage.private_redis.keeper_start"}
    for name in ("lru_cache", "cache"):
        assert importers(f"functools.{name}") <= {"rules.caches", "service.server.worker", *before_the_rules}


def test_no_game_imports_another() -> None:
    """No other module of `rules` imports a game."""
    for game in over(rules.GAMES):
        elsewhere = {name for name in importers(f"rules.{game}") if within(name, "rules")}
        assert {name for name in elsewhere if not within(name, f"rules.{game}")} == set()


@pytest.mark.parametrize("package", ["service", "web"])
def test_only_a_games_own_modules_know_a_game(package: str) -> None:
    """No module of the service imports a game; of the pages, only the folder of that game does."""
    for game in over(rules.GAMES):
        strangers = {
            name for name in importers(f"rules.{game}") | importers(f"web.games.{game}") if within(name, package)
        }
        assert [name for name in strangers if not within(name, f"web.games.{game}")] == []


def needed_by_tests_of(package: str) -> Mapping[str, frozenset[str]]:
    """Module -> its imports: for a package of tests, the modules of tests that it reaches, and `tests.conftest`, of
    which only imports at the top count.
    """
    ours = {module(path): path for path in TESTS}
    waiting, found = {name for name in ours if within(name, package)} | {"tests.conftest"}, dict[str, frozenset[str]]()
    while waiting:
        name = waiting.pop()
        found[name] = imports(ours[name], nested=name != "tests.conftest")
        waiting |= (found[name] & ours.keys()) - found.keys()
    return found


def test_the_tests_of_the_rules_need_no_service() -> None:
    """The tests of the rules and their helpers import no service and no page; tests that do are in `tests/service`."""
    for name, theirs in over(needed_by_tests_of("tests.rules").items()):
        assert not {each for each in theirs if within(each, "service") or within(each, "web")}, name


def test_no_module_imports_from_a_test_module() -> None:
    """Code that several tests need is in `tests/support`, or with a game's own tests, never in a test module."""
    borrowed = {
        f"{module(path)}: {name}"
        for path in (*SOURCES, *TESTS)
        for name in imports(path)
        if re.match(r"tests\.(\w+\.)*test_", name)
    }
    assert borrowed == set()


def test_mutations_name_files_that_exist() -> None:
    """`make mutate` changes modules and runs tests that exist under these names."""
    for area in over(areas()):
        for file in over([*map(str, area.modules), *area.tests]):
            assert (ROOT / file).exists(), (area.name, file)


def test_one_module_reads_the_recorded_games() -> None:
    """Only `tests.support.records` knows the folder and the format of the recorded games."""
    reading = re.compile(r"json\.loads\([^\n]*\.read_text\(")
    place = re.compile(r'(?:parents\[1\]|"tests") / "games"')
    at_hand = [path for path in TESTS if module(path) not in {"tests.support.records", "tests.test_architecture"}]
    for path in over(at_hand):
        text = path.read_text(encoding="utf-8")
        assert not place.search(text), path
        assert not reading.search(text) or "tests.support.records" not in imports(path), path


def test_no_game_is_named_outside_its_own_folders() -> None:
    """No file of the three packages names a game outside its two folders: a sixth game changes none of them."""
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
    """Benchmarks and laws name no game; what only one game needs is with it, or in a file named after it.

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
    """The code for boards, game pages and forms imports no game; the games import no view, no panel and no page."""
    for room in ("web.board", "web.game_pages", "web.form_fields"):
        assert not {
            name
            for name in imports_by_module()
            if within(name, room) and any(within(each, "web.games") for each in imports_by_module()[name])
        }
    for room in ("web.views", "web.panels", "web.pages", "web.app", "web.browser.cookies"):
        assert not {name for name in importers(room) if within(name, "web.games")}


def test_the_views_write_no_status_of_their_own() -> None:
    """An error gets its status from `service.http.problems`, in the API and on the pages."""
    views = [ROOT / "web" / "blueprint.py", *(ROOT / "web" / "views").glob("*.py")]
    of_api = [
        ROOT / "service" / "http" / f"{name}.py"
        for name in ("api", "games", "tables", "disputes", "groups", "docs/views", "health")
    ]
    for path in (*views, *of_api):
        for node in over(ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
            assert not (isinstance(node, ast.Constant) and node.value in range(400, 600)), f"{path}: {node.lineno}"


def arrows(package: str) -> dict[str, set[str]]:
    """Package of `service` or `web`, or module beside them -> the others of these that it imports."""
    found: dict[str, set[str]] = {}
    for name, theirs in imports_by_module().items():
        if within(name, package) and name != package:
            ours = {
                each for each in theirs if each in imports_by_module() and within(each, package) and each != package
            }
            here = found.setdefault(".".join(name.split(".")[:2]), set())
            here |= {".".join(each.split(".")[:2]) for each in ours}
    return {here: there - {here} for here, there in found.items()}


@pytest.mark.parametrize("package", ORDER)
def test_packages_import_in_one_direction(package: str) -> None:
    """Packages, and modules beside them, do not import each other in a circle."""
    waiting = arrows(package)
    while waiting:
        free = {name for name, needs in waiting.items() if not needs & waiting.keys()}
        assert free, f"a circle: {waiting}"
        waiting = {name: needs for name, needs in waiting.items() if name not in free}


@pytest.mark.parametrize("package", ORDER)
def test_the_packages_have_an_order(package: str) -> None:
    """A package imports only those before it. The packages that start the process are not in the order."""
    found, order = arrows(package), ORDER[package].split()
    for number, name in over(enumerate(order)):
        behind = {f"{package}.{each}" for each in order[number + 1 :]}
        assert not found[f"{package}.{name}"] & behind
    folders = {path.name for path in (ROOT / package).iterdir() if any(path.glob("*.py"))}
    assert folders - set(order) == ({"server", "cli"} if package == "service" else set())


def test_a_folder_is_small_and_says_what_belongs_there() -> None:
    """A package has a docstring, and at most `MAX_MODULES` modules; the games' own folders are exempt."""
    folders = {path.parent for path in SOURCES if not any(game in path.parts for game in rules.GAMES)}
    for folder in over(folders):
        index = folder / "__init__.py"
        assert index.exists(), folder
        assert ast.get_docstring(ast.parse(index.read_text(encoding="utf-8"))), folder
        assert len(list(folder.glob("*.py"))) - 1 <= MAX_MODULES, folder


@pytest.mark.parametrize("game", rules.GAMES)
def test_what_is_unknown_has_the_same_five_names_in_every_game(game: str) -> None:
    """The unknowns of each game have the same five parts, each with a docstring."""
    room = ROOT / "rules" / game / "unknowns"
    assert {path.stem for path in room.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))} == {
        "__init__",
        *UNKNOWNS,
    }
    for path in over(room.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        told = ast.get_docstring(ast.parse(text))
        assert told, path
        assert path.name != "__init__.py" or "\n" not in told, path


def test_modules_and_functions_are_short() -> None:
    """A module has at most 400 lines, and a function 30."""
    for path in over((*SOURCES, *TOOLS)):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= MAX_LINES, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < MAX_FUNCTION, f"{path}: {node.name}"


def any_count(tree: ast.AST) -> int:
    """The number of uses of `Any` in some code, also by an alias, as an attribute, and in a quoted type."""
    count = 0
    for node in ast.walk(tree):
        match node:
            case ast.Name(id="Any") | ast.Attribute(attr="Any") | ast.alias(name="Any", asname=str()):
                count += 1
            case ast.Constant(value=str(text)) if "Any" in text:
                with suppress(SyntaxError):  # prose, not a type
                    count += any_count(ast.parse(text, mode="eval"))
    return count


def test_types_are_said() -> None:
    """Code uses `Any` at most `MAX_ANY` times: where no type can be given."""
    counts = {path: any_count(ast.parse(path.read_text(encoding="utf-8"))) for path in over((*SOURCES, *TOOLS))}
    assert sum(counts.values()) <= MAX_ANY, sorted(counts.items(), key=lambda found: -found[1])[:10]


def test_any_is_counted() -> None:
    """Each way to write `Any` counts once; longer words do not count."""
    sample = 'from typing import Any as Some\n"Any field."\na: Any\nb: "list[Any]"\nc: typing.Any\nd: AnyGame'
    assert any_count(ast.parse(sample)) == 4


def is_participle(name: str) -> bool:
    """Whether a name is only a participle, and `NAMES_TO_KEEP` gives no reason for it."""
    word = name.lower() if name.isupper() else name
    bare = PARTICIPLE.fullmatch(word[:1].lower() + word[1:])
    return bare is not None and not re.fullmatch("|".join(NAMES_TO_KEEP), word)


def public_names(tree: ast.Module) -> Iterator[str]:
    """The names of a module's functions, classes, members and variables."""
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        yield from (part.id for each in targets if each for part in ast.walk(each) if isinstance(part, ast.Name))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        if isinstance(node, ast.ClassDef):
            yield from (
                member.target.id
                for member in node.body
                if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name)
            )


def names_in_template(text: str) -> Iterator[str]:
    """The macros of a template, and the variables that it gets from outside."""
    tree = Environment(extensions=["jinja2.ext.i18n"], autoescape=True).parse(text)
    yield from (macro.name for macro in tree.find_all(nodes.Macro))
    names = list(tree.find_all(nodes.Name))
    yield from {name.name for name in names if name.ctx == "load"} - {name.name for name in names if name.ctx != "load"}


def test_names_are_nouns_or_verbs() -> None:
    """No public name, no module and no template is a bare participle, which hides the thing or the action."""
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in {*SOURCES, *TOOLS, *TESTS}
        if not SHAPES.fullmatch(str(path.relative_to(ROOT)))
        for name in (path.stem, *public_names(ast.parse(path.read_text(encoding="utf-8"))))
        if is_participle(name)
    } | {
        f"{path.relative_to(ROOT)}: {name}"
        for package in ("service", "web")
        for path in (ROOT / package).rglob("*.html")
        for name in (path.stem.removesuffix("_part"), *names_in_template(path.read_text(encoding="utf-8")))
        if is_participle(name)
    }
    assert found == set()


def test_participles_are_found() -> None:
    """The control: in samples, the check finds participles; nouns and verbs in -ed are none."""
    sample = (
        "TRIED, SPEED = 1, 2\nclass Told:\n    kept: int\n    def asked(self):\n        self.seen = self.is_known = 1"
    )
    assert {name for name in public_names(ast.parse(sample)) if is_participle(name)} == {
        "TRIED",
        "Told",
        "kept",
        "asked",
        "seen",
    }
    template = "{% macro listed() %}{% endmacro %}{{ refused }}{% set said = 1 %}{{ said }}"
    assert set(names_in_template(template)) == {"listed", "refused"}
    assert not any(map(is_participle, ("feed", "bed", "need_rest", "put", "Result")))


def test_a_class_has_its_name_for_itself() -> None:
    """No two classes that all games share have the same name, so that a search finds one."""
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
    """No module of the service imports the pages, except `service.app`."""
    assert {name for name in importers("web") if within(name, "service")} == {"service.app"}


@pytest.mark.parametrize(
    "inner",
    [
        "service.http.api",
        "service.http.tables",
        "service.http.groups",
        "service.http.docs",
        "service.storage",
        "service.app",
    ],
)
def test_the_pages_do_not_reach_around_the_use_cases(inner: str) -> None:
    """`web` imports neither the JSON views, nor the store, nor `service.app`."""
    assert not {name for name in importers(inner) if within(name, "web")}


@pytest.mark.parametrize(
    ("library", "owner"),
    [
        ("redis", "service.storage"),
        ("marshmallow", "service.schemas"),
        ("apispec", "service.schemas.json_schema"),
        ("gevent", "service.server"),
    ],
)
def test_a_library_has_one_owner(library: str, owner: str) -> None:
    """Only one package imports each library, so that it can be exchanged there."""
    assert [name for name in importers(library) if not within(name, owner)] == []
