"""The command: its output, language and exit status; never a traceback."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from service import __version__, startup
from service.cli import commands, files
from tests.support.redis_server import RedisServer

OPENING = ["r b9c9", "r d9e9", "h f5"]

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file with a game of Villefranche."""

    def write(**members: object) -> str:
        file = tmp_path / "game.json"
        file.write_text(json.dumps({"game": "villefranche"} | members), encoding="utf-8")
        return str(file)

    return write


def out(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    assert not said.err
    return said.out


def err(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    assert not said.out
    assert said.err.startswith("bastide: ")
    assert "Traceback" not in said.err
    return said.err


def test_its_version_is_that_of_the_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints the version of the package, which is that of the distribution."""
    with pytest.raises(SystemExit) as ended:
        commands.main(["--version"])
    assert ended.value.code == 0
    assert out(capsys) == f"bastide {__version__}\n"
    assert metadata.version("bastide") == __version__


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check"], "Check whether the Redis of REDIS_URL "),
        (["tables"], "List what Redis stores: "),
        (["tables", "delete"], "Delete tables or groups "),
    ],
)
def test_help_keeps_the_letters_of_names(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The description of a command starts with a capital and spells names as they are."""
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as ended:
        commands.main([*arguments, "--help"])
    assert ended.value.code == 0
    assert f"\n{said}" in out(capsys)


@pytest.mark.parametrize("arguments", [[], ["rule"], ["judge"], ["score", "a", "b"], ["rule", "f", "--lang", "de"]])
def test_wrong_usage_is_explained(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong arguments print the usage; exit status 2."""
    with pytest.raises(SystemExit) as ended:
        commands.main(arguments)
    assert ended.value.code == 2
    assert "usage: bastide" in capsys.readouterr().err


@pytest.mark.parametrize(("language", "said"), [("en", "Legal"), ("fr", "Permis")])
def test_a_legal_move(write: Write, language: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A legal move: the ruling on the first line, exit status 0."""
    assert commands.main(["rule", write(moves=OPENING[:1], move="r d9e9"), "--lang", language]) == 0
    assert out(capsys).splitlines()[0].endswith(said)


@pytest.mark.parametrize(("language", "said"), [("en", "Not legal"), ("fr", "Pas permis")])
def test_a_refused_move(write: Write, language: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An illegal move: the ruling, then each objecting rule with its sentence; exit status 1."""
    assert commands.main(["rule", write(move="h c4"), "--lang", language]) == 1
    first, *reasons = out(capsys).splitlines()
    assert first.endswith(said)
    assert any(re.match(r"  VF-1  \S", line) for line in reasons)


def test_the_json_is_the_answer_of_the_api(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints the API's ruling on one line."""
    assert commands.main(["rule", write(move="h c4"), "--json"]) == 1
    ruling = json.loads(out(capsys))
    assert ruling["ruling"] == "illegal"
    assert ruling["move"] == {"kind": "house", "cell": "c4"}
    assert "VF-1" in [finding["rule"] for finding in ruling["findings"]]


def test_a_score(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """`score` prints totals, lines and ranking; in JSON the lines add up to the total."""
    file = write(moves=OPENING)
    assert commands.main(["score", file, "--lang", "fr"]) == 0
    said = out(capsys)
    assert re.search(r"^Noir \d+$", said, re.MULTILINE)
    assert re.search("^1\\. Noir, Blanc\u00a0: ", said, re.MULTILINE)
    assert re.search("^À points égaux, ", said, re.MULTILINE)
    assert commands.main(["score", file, "--json"]) == 0
    for player in json.loads(out(capsys))["players"]:
        assert player["total"] == sum(line["points"] for line in player["lines"])


def test_a_score_of_a_file_with_a_move(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """`score` takes the files of `rule` and ignores the move. The control: an unreadable move is still refused."""
    assert commands.main(["score", write(moves=OPENING), "--lang", "en"]) == 0
    plain = out(capsys)
    assert commands.main(["score", write(moves=OPENING, move="h c4"), "--lang", "en"]) == 0
    assert out(capsys) == plain
    readings = {"corporation": "single_colour"}
    case = {"readings": readings, "expected": {"ruling": "legal"}, "said": {"ruling": "illegal"}, "note": "no"}
    assert commands.main(["score", write(moves=OPENING, move="h c4", **case), "--lang", "en"]) == 0
    assert out(capsys) == plain
    assert commands.main(["score", write(moves=OPENING, move="house"), "--lang", "en"]) == 2
    assert "/move" in err(capsys)


def test_a_line_without_points_says_what_it_counts(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """A line without points has a dash instead of points, and its count after its name."""
    file = write(game="robber_knights", position={"tiles": [{"cell": [0, 0], "face": "plain", "knights": ["blue"]}]})
    assert commands.main(["score", file, "--lang", "en"]) == 0
    said = out(capsys)
    assert "    –  Knights left (RK-32): 29\n" in said
    assert "    –  Knights left (RK-32): 30\n" in said
    assert "    0  Towns (RK-31)\n" in said


def test_the_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`-` reads standard input."""
    text = b'{"game": "villefranche", "move": "r b9c9"}'
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    assert commands.main(["rule", "-"]) == 0
    assert out(capsys)


@pytest.mark.parametrize("spoken", ["fr_FR.UTF-8", "fr"])
def test_the_language_of_the_terminal(
    write: Write, spoken: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without `--lang`, the output is in French in a French locale, else in English."""
    file = write(move="h c4")
    monkeypatch.setenv("LC_ALL", spoken)
    commands.main(["rule", file])
    assert "Pas permis" in out(capsys)
    monkeypatch.setenv("LC_ALL", "C")
    commands.main(["rule", file])
    assert "Not legal" in out(capsys)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Not JSON"),
        ("[]", "object"),
        ("{}", "/game"),
        ('{"game": "go"}', "villefranche"),
        ('{"game": []}', "villefranche"),
        ('{"game": "villefranche"}', "/move"),
        ('{"game": "villefranche", "move": "h z9"}', "/move"),
        ('{"game": "villefranche", "move": "r b9c9", "more": 1}', "/more"),
        ('{"game": "villefranche", "moves": ["h c4"], "move": "h c5"}', "h c4"),
        ('{"game": "villefranche", "game": "villefranche"}', "twice"),
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_file_that_cannot_be_used(
    tmp_path: Path, text: str, said: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unusable file gets an error with its place, in either language, and status 2; with `--json`, a problem."""
    file = tmp_path / "game.json"
    file.write_text(text)
    assert commands.main(["rule", str(file), "--lang", language]) == 2
    message = err(capsys)
    assert said in message or language == "fr"
    assert commands.main(["rule", str(file), "--json"]) == 2
    assert json.loads(out(capsys))["type"].startswith("/problems/")


def test_a_fault_of_ours_is_no_fault_of_the_file(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that is no problem of the input stays what it is."""

    def fail(*_: object) -> None:
        raise KeyError("a fault of ours")

    monkeypatch.setitem(files.COMMANDS, "rule", fail)
    with pytest.raises(KeyError, match="a fault of ours"):
        commands.main(["rule", write(moves=OPENING, move="h c8")])


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file is named; exit status 2."""
    assert commands.main(["score", str(tmp_path / "none.json"), "--lang", "en"]) == 2
    assert "none.json cannot be read" in err(capsys)


# --- serve: errors at the start ---


def test_a_bad_setting_keeps_it_from_starting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bad setting is named; exit status 2."""
    monkeypatch.setenv("BASTIDE_CONNECTIONS", "many")
    assert commands.main(["serve"]) == 2
    assert "BASTIDE_CONNECTIONS='many'" in err(capsys)
    monkeypatch.delenv("BASTIDE_CONNECTIONS")
    assert commands.main(["serve", "--port", "http"]) == 2
    assert "PORT='http'" in err(capsys)


def test_a_port_that_is_taken_keeps_it_from_starting(capsys: pytest.CaptureFixture[str]) -> None:
    """A taken port is reported before anything starts; exit status 3."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert commands.main(["serve", "--port", str(port)]) == 3
    assert f"Port {port} of 0.0.0.0 cannot be used" in err(capsys)


def test_a_store_that_is_away_keeps_it_from_starting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """An unreachable `REDIS_URL` is named; exit status 3."""
    monkeypatch.setenv("REDIS_URL", f"unix://{tmp_path}/none")
    monkeypatch.setenv("PORT", free_port())
    assert commands.main(["serve"]) == 3
    assert "REDIS_URL" in err(capsys)


def test_a_store_that_drops_games_keeps_it_from_starting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], own_redis: Callable[..., RedisServer]
) -> None:
    """A Redis that evicts keys is refused; exit status 3."""
    server = own_redis("--maxmemory-policy", "allkeys-lru")
    monkeypatch.setenv("REDIS_URL", server.url)
    monkeypatch.setenv("PORT", free_port())
    assert commands.main(["serve"]) == 3
    assert "allkeys-lru" in err(capsys)


def test_a_data_folder_that_cannot_be_used_keeps_it_from_starting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """An unusable data folder is reported with its setting; exit status 3."""
    (tmp_path / "file").touch()
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("BASTIDE_DATA", str(tmp_path / "file" / "data"))
    monkeypatch.setenv("PORT", free_port())
    assert commands.main(["serve"]) == 3
    assert "BASTIDE_DATA" in err(capsys)


def test_a_stranger_in_our_place_keeps_it_from_starting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """If another distribution has replaced one of our packages, its file is named; exit status 3."""
    assert startup.strangers() == {}
    stranger(tmp_path, "rules")
    monkeypatch.syspath_prepend(tmp_path)
    assert commands.main(["serve", "--port", free_port()]) == 3
    assert f"rules comes from {tmp_path}/rules/__init__.py of strange-rules" in err(capsys)


def stranger(folder: Path, package: str) -> None:
    """Install a distribution that has this package."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("")
    about = folder / f"strange_{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: strange-{package}\nVersion: 1.0\n")
    (about / "RECORD").write_text(f"{package}/__init__.py,,\n{about.name}/METADATA,,\n{about.name}/RECORD,,\n")


def test_who_has_read_enough_ends_it_quietly(tmp_path: Path) -> None:
    """If its reader has gone, as with `head`, the command ends with status 141 and no error. The control: status 0."""
    asked = tmp_path / "asked.json"
    asked.write_text('{"game": "villefranche", "moves": ["r b1c1"]}')
    command = [sys.executable, "-m", "service.cli", "score", str(asked)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("file", ["service/__init__.py", "service.py"])
def test_a_stranger_in_place_of_the_service_is_named(file: str, tmp_path: Path) -> None:
    """If another `service` hides ours, the command names its file, with status 3. The control: it works without."""
    bastide = [str(Path(sys.executable).with_name("bastide")), "--version"]
    assert subprocess.run(bastide, capture_output=True, text=True, check=True).stdout == f"bastide {__version__}\n"
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(bastide, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    named = f"bastide: Another package has taken the place of one of Bastide's: service comes from {path}"
    assert (done.returncode, done.stderr.startswith(named)) == (3, True), done.stderr


@pytest.mark.parametrize("package", ["rules", "web"])
@pytest.mark.parametrize(
    "command",
    [
        ("-m", "service.cli", "serve"),
        ("-m", "gunicorn", "--config", "python:service.gunicorn_conf", "service.app:create_app()"),
    ],
    ids=["serve", "gunicorn"],
)
def test_a_stranger_is_named_before_it_is_loaded(command: Sequence[str], package: str, tmp_path: Path) -> None:
    """A foreign package in place of ours is named before it is imported, without a traceback."""
    stranger(tmp_path, package)
    root = Path(startup.__file__).parents[1]
    environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    own = {"PYTHONPATH": f"{tmp_path}:{root}", "PORT": free_port(), "BASTIDE_DATA": str(tmp_path / "data")}
    done = subprocess.run(
        [sys.executable, "-P", *command],
        env=environment | own,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert f"{package} comes from {tmp_path}/{package}/__init__.py of strange-{package}" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_package_from_elsewhere_is_a_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package in another folder than ours, or missing, counts as foreign."""
    found = {"rules": SimpleNamespace(origin="/elsewhere/rules/__init__.py"), "web": None}
    real = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: found[name] if name in found else real(name))
    assert startup.strangers() == {"rules": "/elsewhere/rules/__init__.py", "web": "nowhere"}


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])
