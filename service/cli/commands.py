"""The command ``bastide``: start the service, or rule and score on files without a server."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from service import __version__
from service.config import Settings
from service.i18n.languages import DEFAULT_LANGUAGE, LANGUAGES, known_language
from service.startup import BadSetting, CannotServe, Unfit, refuse_strangers

NOT_READY: Final = 1
BAD_INPUT: Final = 2
FAILURE_STATUS: Final = 3
CLOSED_PIPE_STATUS: Final = 141
"""The exit status by which a shell reports a closed pipe."""
LOADED_OBJECTS: Final = 100_000
"""More objects than the rules and the words of a game are made of."""

FILE: Final = (
    'The file is JSON: {"game", "setup", "moves" or "position", "move"}, as the API takes them. '
    "`score` does not count the move."
)
ADMIN: Final = (
    "It asks the Redis of BASTIDE_ADMIN_URL, or else of REDIS_URL, or else the private one of BASTIDE_DATA. The user "
    "there has to be one like bastide-admin of deploy/users.acl."
)
GRADES: Final = "Exit status: 0 all is well, 1 there is advice, 3 something is wrong."
EPILOG: Final = """\
Exit status: 0 done, legal; 1 the move is not legal, or Redis cannot be used yet; 2 the input cannot be used;
3 the service cannot start, or Redis would lose what is written.
Settings of `serve` come from the environment: PORT, REDIS_URL, BASTIDE_DATA, BASTIDE_HOSTS and others (README).
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    # What a command loads is never garbage: the scans of it, during the load and at the end, took a sixth of a ruling.
    gc.set_threshold(LOADED_OBJECTS)
    atexit.register(gc.freeze)
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has enough, like `head`; flushing the rest at the end would fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE_STATUS
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bastide",
        description="A referee at the table.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"bastide {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("serve", help="serve the pages and the API on this machine")
    command.add_argument("--port", help="instead of PORT in the environment")
    command.set_defaults(run=_serve)
    for name, run, text, status in (
        ("check", _check, "check whether the Redis of REDIS_URL stores safely what is written", ""),
        ("doctor", _doctor, "say what is wrong with this installation, and what to do", GRADES),
    ):
        command = commands.add_parser(name, help=text, description=f"{_capitalized(text)}. {status}")
        command.set_defaults(run=run)
    _add_files(commands)
    _add_case(commands)
    _add_tables(commands)
    _add_backup(commands)
    return parser


def _add_files(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``bastide rule`` and ``bastide score``."""
    for name, text in (
        ("rule", "rule on a move of a game in a file"),
        ("score", "count the score of a game in a file"),
    ):
        command = commands.add_parser(name, help=text, description=f"{_capitalized(text)}. {FILE}")
        command.add_argument("file", help="a file, or - for the standard input")
        command.add_argument("--lang", choices=LANGUAGES, default=_language(), help="the language of the answer")
        command.add_argument("--json", action="store_true", help="answer as the API does")
        command.set_defaults(run=_answer, command=name)


def _add_case(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``bastide case add``."""
    text = "worked cases of a game"
    kinds = commands.add_parser("case", help=text, description=f"{_capitalized(text)}.").add_subparsers(required=True)
    text = "take a case file into the worked cases of its game, in this copy of the code"
    command = kinds.add_parser("add", help=text, description=f"{_capitalized(text)}.")
    command.add_argument("file", help="a case file, or - for the standard input")
    command.add_argument("--rule", help="the rule that it is about, instead of the first that the file names")
    for code in LANGUAGES:
        command.add_argument(f"--{code}", help="its sentence in this language, instead of the note of the file")
    command.add_argument("--lang", choices=LANGUAGES, default=_language(), help="the language of the answer")
    command.set_defaults(run=_case)


def _add_tables(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``bastide tables``."""
    text = "list what Redis stores: ids, bytes and dates of tables and groups (g:…), no names"
    parser = commands.add_parser("tables", help=text, description=f"{_capitalized(text)}. {ADMIN}")
    parser.set_defaults(run=_tables, action="list", ids=[], yes=False)
    actions = parser.add_subparsers(metavar="ACTION")
    for name, what in (("list", text), ("weigh", "say what all take together, and list the biggest")):
        actions.add_parser(name, help=what, description=f"{_capitalized(what)}. {ADMIN}").set_defaults(action=name)
    text = "delete tables or groups for ever"
    action = actions.add_parser("delete", help=text, description=f"{_capitalized(text)}. {ADMIN}")
    action.add_argument("ids", nargs="+", metavar="ID", help="as it is listed; one with a dash first stands after --")
    action.add_argument("--yes", action="store_true", help="do not ask")
    action.set_defaults(action="delete")


def _add_backup(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``bastide backup`` and ``bastide restore``."""
    text = "write all tables and groups to a file, with their players' names, while the service runs"
    command = commands.add_parser("backup", help=text, description=f"{_capitalized(text)}. {ADMIN}")
    command.add_argument("file", help="the file; an older one stays until this one is whole")
    command.set_defaults(run=_backup)
    text = "write the tables and groups of a backup that Redis does not have"
    where = "It writes to the Redis of REDIS_URL, or else to the private one of BASTIDE_DATA, as the service does."
    command = commands.add_parser("restore", help=text, description=f"{_capitalized(text)}. {where}")
    command.add_argument("file", help="a file that `bastide backup` wrote")
    command.add_argument("ids", nargs="*", metavar="ID", help="only these; one with a dash first stands after --")
    command.set_defaults(run=_restore)


def _capitalized(text: str) -> str:
    """A text that begins with a capital; its other letters, as those of `REDIS_URL`, stay as they are."""
    return text[:1].upper() + text[1:]


def _language() -> str:
    """The language of the terminal, if it is one of ours."""
    locale_name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return known_language(locale_name) or DEFAULT_LANGUAGE


def _answer(options: argparse.Namespace) -> int:
    from rules import BadPackage  # noqa: PLC0415  # the rules and their words are not needed to serve

    try:
        from service.cli import files  # noqa: PLC0415  # see above

        return files.run(options.command, options.file, options.lang, options.json)
    except BadPackage as error:
        return _fail(f"A game of another package cannot be used: {error}.", FAILURE_STATUS)


def _case(options: argparse.Namespace) -> int:
    from service.cli import files  # noqa: PLC0415  # see above

    said = {code: getattr(options, code) for code in LANGUAGES}
    return files.add_case(options.file, options.rule, said, options.lang)


def _serve(options: argparse.Namespace) -> int:
    try:
        refuse_strangers()
        from service.server.serve import serve  # noqa: PLC0415  # not before: it imports packages that may be a stranger's

        settings = Settings.of()
        if options.port is not None:
            settings = replace(settings, port=Settings.of({"PORT": options.port}).port)
        return serve(settings)
    except BadSetting as error:
        return _fail(str(error), BAD_INPUT)
    except CannotServe as error:
        return _fail(str(error), FAILURE_STATUS)


def _check(_: argparse.Namespace) -> int:
    from service.errors import StoreAway  # noqa: PLC0415  # the other commands need no store
    from service.storage.ledger import Ledger  # noqa: PLC0415  # see above

    try:
        settings = Settings.of()
        if not settings.redis_url:
            return _fail("REDIS_URL is not set: `bastide serve` looks after a Redis of its own.", BAD_INPUT)
        with closing(Ledger(settings.redis_url, replicas=settings.replicas)) as ledger:
            print(*ledger.check(settings.fsync), sep="\n")
    except BadSetting as error:
        return _fail(str(error), BAD_INPUT)
    except Unfit as error:
        return _fail(str(error), FAILURE_STATUS)
    except StoreAway as error:
        return _fail(f"Redis cannot be used yet: {error}", NOT_READY)
    return 0


def _doctor(_: argparse.Namespace) -> int:
    from service import doctor  # noqa: PLC0415  # the other commands need no store

    worst = doctor.Grade.FINE
    for grade, text in doctor.examine(os.environ):
        print(f"{grade.name.lower():<8}{text}")
        worst = max(worst, grade)
    return worst


def _tables(options: argparse.Namespace) -> int:
    from service.errors import NoTable  # noqa: PLC0415  # see above
    from service.storage import inventory  # noqa: PLC0415  # the other commands need no store

    def look(url: str, settings: Settings) -> int:
        return inventory.run(url, settings, options.action, options.ids, None if options.yes else input)

    try:
        return _at_store(look)
    except NoTable as error:
        return _fail(f"There is no table or group {error}: nothing was deleted.", BAD_INPUT)


def _backup(options: argparse.Namespace) -> int:
    from service.storage import backup  # noqa: PLC0415  # see above

    def write(url: str, _: Settings) -> int:
        print(f"{backup.back_up(url, Path(options.file))} tables, groups and marks of deleted ones: {options.file}")
        return 0

    return _at_store(write)


def _restore(options: argparse.Namespace) -> int:
    from service.storage import backup  # noqa: PLC0415  # see above

    def write(url: str, _: Settings) -> int:
        outcomes, faults = backup.restore(url, Path(options.file), options.ids)
        print(f"Restored: {outcomes['added']}. There already: {outcomes['there']}. Deleted there: {outcomes['ended']}.")
        for number, fault in faults.items():
            print(f"Line {number} was left out: {fault}.", file=sys.stderr)
        missing = len(set(options.ids)) - outcomes.total() if options.ids else 0
        if missing:
            print(f"Not in this file: {missing} of the ids.", file=sys.stderr)
        return int(bool(faults or missing))

    try:
        return _at_store(write, writes=True)
    except backup.BadBackup as error:
        return _fail(str(error), BAD_INPUT)


def _at_store(work: Callable[[str, Settings], int], *, writes: bool = False) -> int:
    """Do something at the logs' store, as an operator, who may list keys, or as the service, which may write logs.
    Returns the exit status.
    """
    from service.errors import StoreAway  # noqa: PLC0415  # see above
    from service.startup import NoServer  # noqa: PLC0415  # see above
    from service.storage import inventory  # noqa: PLC0415  # see above

    try:
        settings = Settings.of()
        with inventory.address(replace(settings, admin_url="") if writes else settings, may_create=writes) as url:
            return work(url, settings)
    except BadSetting as error:
        return _fail(str(error), BAD_INPUT)
    except OSError as error:
        return _fail(f"The file cannot be used: {error}", BAD_INPUT)
    except (NoServer, inventory.NotAllowed) as error:
        return _fail(str(error), FAILURE_STATUS)
    except StoreAway as error:
        return _fail(f"Redis cannot be used yet: {error}", NOT_READY)


def _fail(text: str, status: int) -> int:
    print(f"bastide: {text}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
