"""Templates are compiled once, not at every start; without a folder for them, pages work the same."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import Environment

from service.app import create_app
from service.config import Settings
from web.app import warm


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The templates that are compiled from now on."""
    done: list[object] = []
    compiling = Environment._generate

    def note(*arguments: object, **named: object) -> object:
        done.append(arguments[2])
        return compiling(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Environment, "_generate", note)
    return done


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Flask]:
    """Starts applications with the test's own folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def make() -> Flask:
        app = create_app(Settings.of({"REDIS_URL": "unix:///nowhere", "BASTIDE_HOSTS": "localhost"}))
        warm(app)
        assert app.test_client().get("/rules").status_code == 200
        return app

    return make


def test_templates_are_compiled_once(start: Callable[[], Flask], compilations: list[object], tmp_path: Path) -> None:
    """The first start compiles all templates, the next none. Only this user may read the folder. A cut or foreign file
    is compiled again, as is everything once the folder is deleted while the service runs.
    """
    app = start()
    assert len(compilations) == len(app.jinja_env.list_templates())
    compilations.clear()
    start()
    assert not compilations
    [folder] = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    whole, foreign = sorted(folder.iterdir())[:2]
    whole.write_bytes(whole.read_bytes()[:-20])
    foreign.write_bytes(b"nothing that was compiled")
    app = start()
    assert len(compilations) == 2
    compilations.clear()
    for each in folder.iterdir():
        each.unlink()
    folder.rmdir()
    app.jinja_env.cache = None
    assert app.test_client().get("/rules").status_code == 200
    assert compilations


def test_without_a_folder_everything_is_compiled(
    start: Callable[[], Flask], compilations: list[object], tmp_path: Path
) -> None:
    """A file in the folder's place means that each start compiles all templates."""
    (tmp_path / f"_jinja2-cache-{os.getuid()}").write_text("in the way")
    assert start().jinja_env.bytecode_cache is None
    assert compilations
