"""The installed package has every file of the source tree, and no path of the machine that built it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Final

import pytest

from tests.support.loops import over
from tests.support.wheel import build

ROOT = Path(__file__).parents[2]
LOCKS = ["requirements.lock", "requirements-dev.lock"]
MADE_FILES: Final = frozenset({".mo", ".pyc"})
"""Kinds of files that are built, and not in a clone."""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with the packages installed here."""
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


def test_the_wheel_has_every_file_of_the_packages(wheel: Path) -> None:
    """The wheel has all files of the packages, not only Python: data, texts, templates, translations, the contract."""
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (path for package in ("rules", "service", "web") for path in (ROOT / package).rglob("*") if path.is_file())
    wanted = {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}
    assert packed == wanted | {"bastide.py"}
    assert packed >= {"service/openapi.yaml", "rules/py.typed", "service/py.typed", "web/py.typed"}


def test_the_build_compiles_the_words(tmp_path: Path) -> None:
    """A clone without compiled catalogues builds the same wheel, with the SBOM that `make wheel` wrote, if any (PEP
    770).
    """
    left_out = shutil.ignore_patterns(".*", "*.mo", "__pycache__", "tests", "data", "build", "dist")
    shutil.copytree(ROOT, tmp_path / "clone", ignore=left_out)
    assert not list(tmp_path.rglob("*.mo"))
    bill = tmp_path / "clone/build/sbom.json"
    bill.parent.mkdir()
    bill.write_text("{}")
    built = build(tmp_path / "clone", tmp_path)
    with zipfile.ZipFile(built) as archive:
        for words in (ROOT / "web" / "translations").rglob("*.po"):
            compiled = words.with_suffix(".mo")  # other tests check its content
            assert archive.read(compiled.relative_to(ROOT).as_posix()) == compiled.read_bytes()
        assert [name for name in archive.namelist() if name.endswith(".dist-info/sboms/sbom.json")]


def test_an_installed_bastide_works_away_from_the_tree(wheel: Path, tmp_path: Path) -> None:
    """The unpacked wheel scores a game in French, and finds its contract."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from service import cli; from service.http import openapi; assert openapi.text().startswith('openapi: 3.1');"
        "assert cli.__file__.startswith(sys.argv[1]);"
        "cli.main(['score', '-', '--lang', 'fr'])"
    )
    run = [sys.executable, "-I", "-c", script, str(tmp_path / "site")]
    game = b'{"game": "villefranche", "moves": ["r b9c9"]}'
    done = subprocess.run(run, input=game, cwd=tmp_path, check=True, capture_output=True)
    assert "Noir 0" in done.stdout.decode()


# --- the image -----------------------------------------------------------------------------------------------------


def is_ignored(path: Path) -> bool:
    """Whether `.dockerignore` excludes a file: the last matching line decides, also for a parent folder. ``!`` includes
    again, ``*`` is any text without a slash, ``**/`` any folders.
    """
    kept_out = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.strip().removeprefix("!").strip("/")
        if not pattern or pattern.startswith("#"):
            continue
        expression = re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
        if any(re.fullmatch(expression, each.as_posix()) for each in (path, *path.parents)):
            kept_out = not line.startswith("!")
    return kept_out


def copied_to(context: Path, image: Path) -> list[str]:
    """Copy as the Dockerfile's first stage does: links stay links, a folder's content goes into the target. Returns the
    names of the sources.
    """
    stage = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").rpartition("\nFROM ")[0]
    sources: list[str] = []
    for line in re.findall(r"^COPY (?!--from)(.+)$", stage, re.MULTILINE):
        *names, target = line.split()
        for name in names:
            source, into = context / name, image / target
            if source.is_dir():
                shutil.copytree(source, into, symlinks=True, dirs_exist_ok=True)
            else:
                shutil.copy2(source, into / name if target.endswith("/") else into, follow_symlinks=False)
        sources += names
    return sources


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the image is built, with exactly what the Dockerfile copies."""
    context, image = tmp_path_factory.mktemp("context"), tmp_path_factory.mktemp("image")
    for folder, names, files in os.walk(ROOT):
        here = Path(folder).relative_to(ROOT)
        names[:] = [name for name in names if here != Path() or not name.startswith((".venv", ".git"))]
        for path in (here / name for name in files):
            if not is_ignored(path):
                (context / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / path, context / path, follow_symlinks=False)
    assert copied_to(context, image)
    return image


def test_the_image_can_be_built(image: Path, wheel: Path, tmp_path: Path) -> None:
    """The files that the Dockerfile copies build the same wheel as the tree.

    They include no built file: the build compiles the catalogues.
    """
    assert not [path for path in image.rglob("*") if path.suffix in MADE_FILES]
    with zipfile.ZipFile(build(image, tmp_path)) as built, zipfile.ZipFile(wheel) as known:
        packed = {name: built.read(name) for name in built.namelist() if ".dist-info/" not in name}
        wanted = {name: known.read(name) for name in known.namelist() if ".dist-info/" not in name}
    assert packed.keys() == wanted.keys()
    assert {name for name, content in packed.items() if content != wanted[name]} == set()
    assert packed["service/openapi.yaml"] == (ROOT / "openapi.yaml").read_bytes()
    assert "web/translations/fr/LC_MESSAGES/messages.mo" in packed
    for some in (
        "service/http/docs/templates/docs/docs.html",
        "service/http/docs/static/docs.css",
        "web/templates/home.html",
    ):
        assert some in packed


@pytest.mark.parametrize(
    ("path", "out"),
    [
        ("rules/villefranche/game.py", False),
        ("openapi.yaml", False),
        ("data/appendonlydir/appendonly.aof", True),
        (".git/config", True),
        (".env", True),
        ("tests/support/api.py", True),
        ("rules/__pycache__/kernel.cpython-313.pyc", True),
        ("web/translations/fr/LC_MESSAGES/messages.mo", True),
    ],
)
def test_a_build_of_the_image_is_sent_no_games_and_no_tools(path: str, out: bool) -> None:
    """Docker gets source files only: no games, no history, no built files."""
    assert is_ignored(Path(path)) == out


# --- the locks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lock", LOCKS)
def test_the_locks_name_versions_and_hashes_and_no_place(lock: str) -> None:
    """The locks give every requirement one version and its hashes, and name no address, folder or index."""
    text = (ROOT / lock).read_text()
    requirements = re.findall(r"^[a-z0-9].*$", text, re.MULTILINE)
    assert len(requirements) > 20
    for requirement in requirements:
        assert re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*( ;.*)? \\", requirement), requirement
    assert text.count("--hash=sha256:") >= len(requirements)
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_of_the_project_is_locked_within_a_bound(lock: str) -> None:
    """Each requirement of pyproject.toml has an upper bound and is locked."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked = project["dependencies"] + extras["build"] + (extras["test"] if "dev" in lock else [])
    locked = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / lock).read_text(), re.MULTILINE))
    for requirement in over(asked):
        name, _, bounds = requirement.partition(">=")
        assert ",<" in bounds, requirement
        assert name in locked


def test_both_locks_have_the_same_versions() -> None:
    """The tests run with the locked versions of production."""
    runs, tests = (set(re.findall(r"^([a-z0-9-]+==[^ ]+)", (ROOT / lock).read_text(), re.MULTILINE)) for lock in LOCKS)
    assert runs <= tests
