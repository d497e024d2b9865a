"""Finds what a game of another package lacks, before the service starts: each fault names the game, the file and the
member. Tests check the games of this package.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import rules
from service.i18n.game_texts import game_text, rule_text
from service.i18n.languages import LANGUAGES
from service.startup import CannotServe
from service.types import AnyGame

MEMBERS: Final = ("chapter", "see", "when", "status")
"""What the rulebook says of each rule."""
MAX_FAULTS: Final = 3
"""At most so many faults of a game in one message."""


def refuse_games() -> None:
    """Load every game. Raises `CannotServe` for a game of another package that lacks something."""
    try:
        guests = {name: package for name, package in rules.PACKAGES.items() if package != f"rules.{name}"}
    except rules.BadPackage as error:
        raise CannotServe(f"A game of another package cannot be used: {error}.") from error
    for name, package in guests.items():
        if found := list(faults(name)):
            more = f" There are {len(found) - MAX_FAULTS} more." if len(found) > MAX_FAULTS else ""
            raise CannotServe(
                f"The game {name} of the package {package} cannot be used: {'; '.join(found[:MAX_FAULTS])}.{more}"
            )


def faults(name: str) -> Iterator[str]:
    """Whatever a game lacks, file by file; a file that cannot be read hides what those after it lack."""
    try:
        yield from _rulebook_faults(rules.GAMES[name])
        for language in LANGUAGES:
            yield from _text_faults(rules.GAMES[name], language)
        yield from _case_faults(name)
    except (OSError, ValueError) as error:  # a `ValueError`: it is no TOML
        yield f"a file cannot be read: {error}"


def _rulebook_faults(game: AnyGame) -> Iterator[str]:
    from service.rulings.game_info import STATUSES  # noqa: PLC0415  # it loads all games, which may fail

    book = rules.load(game.id, "rulebook")
    for rule in sorted({rule.id for row in game.book.values() for rule in row} - book.keys()):
        yield f"rulebook.toml has no [{rule}], which the game's `book` names"
    for rule, entry in book.items():
        yield from (f"rulebook.toml, [{rule}]: {member!r} is missing" for member in MEMBERS if member not in entry)
        if entry.get("status", STATUSES[0]) not in STATUSES:
            yield f"rulebook.toml, [{rule}]: the status has to be one of {', '.join(STATUSES)}"


def _text_faults(game: AnyGame, language: str) -> Iterator[str]:
    """The words without which a page or an answer fails; any other missing word shows its code."""
    book = rules.load(game.id, "rulebook")
    text = {**game_text(game.id, language), "rules": {rule: rule_text(game.id, rule, language) for rule in book}}
    wanted: dict[str, Any] = {
        "name": {},
        "tagline": {},
        "colours": game.seats,
        "kinds": tuple(game.kinds),
        "chapters": tuple(dict.fromkeys(rule["chapter"] for rule in book.values() if "chapter" in rule)),
        "components": {},
        "coordinates": {},
        "notation": {},
        "rules": dict.fromkeys(book, ("title", "text", "printed")),
        "readings": {each.key: {"title": {}, "why": {}, "values": each.values} for each in game.readings},
    }
    for path in _missing(wanted, text):
        yield f"text/{language}.toml: {path} is missing"


def _missing(wanted: Mapping[str, Any] | Sequence[str], there: Mapping[str, Any]) -> Iterator[str]:
    """The path of every wanted member that is not there; of a table that is not there, only its own."""
    for key in wanted:
        members = wanted[key] if isinstance(wanted, Mapping) else ()
        if key in there:
            yield from (f"{key}.{path}" for path in _missing(members, there[key]))
        else:
            yield key


def _case_faults(name: str) -> Iterator[str]:
    """The worked cases that cannot be shown, each with the first reason."""
    from service.cases import worked_cases  # noqa: PLC0415  # see above

    book = rules.load(name, "rulebook")
    for place, case in enumerate(rules.load(name, "cases").get("case", ()), start=1):
        said = f"cases.toml, case {place} ({case.get('id', 'without an id')})"
        if str(case.get("id")).partition("/")[0] not in book:
            yield f"{said}: the id has to begin with a rule of the rulebook and a slash"
            continue
        try:
            for language in LANGUAGES:
                worked_cases.page(name, language, place - 1, 1)
        except Exception as error:  # the functions of another package may raise anything
            yield f"{said}: {rules.describe(error)}"
