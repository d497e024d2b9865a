"""``bastide case add``: makes a numbered worked case of its game from a case file.

The new case expects what the file expects. If the referee rules otherwise, the test of the case fails until somebody
corrects the rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import tomli_w

import rules
from rules.kernel import Ruling
from service.cases import numbering, report, worked_cases
from service.errors import Invalid, NoRule
from service.i18n.languages import LANGUAGES
from service.rulings import judge
from service.schemas import Members
from service.types import AnyGame, State
from service.validation import FieldError


class AddedCase(NamedTuple):
    """A worked case that was added: its name, its file, and whether the referee rules as it expects."""

    name: str
    path: Path
    agrees: bool


def add(game: AnyGame, members: Members, rule: str | None, texts: Mapping[str, str | None]) -> AddedCase:
    """Add a case file to the case book, as a case about `rule`, or about the first rule that it names.

    `texts`: its sentence in each language, or else the note of the file. Raises `Invalid`, `NoRule`, `Refused`,
    `Impossible`, `OSError`.
    """
    about, start = _about(game, members, rule), report.read_start(members)
    book = rules.load(game.id, "cases")
    if start.position is not None:
        judge.known_position(game, start.setup, start.position, in_part=False)
    state = judge.state_of(game, *start)
    record = numbering.load_record(game.id)
    case_texts = {language: texts.get(language) or members["note"] or _raise_missing("/note") for language in LANGUAGES}
    case_id, case = _next_id(about, record), _case(game, members, state, start.setup, about)
    if game.position(worked_cases.stage(game, case, book)) != game.position(state):
        raise Invalid([("/position", FieldError("no_case"))])
    path = _file_of(game, about)
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" + tomli_w.dumps({"case": [{"id": case_id, **case}]}))
    for language, sentence in case_texts.items():
        _add_sentence(numbering.sentences_of(game, language), case_id, sentence)
    name = numbering.format_name(case_id, numbering.next_number(record))
    numbering.number(game)
    verdict = game.check(state, members["move"])
    agrees = (verdict.ruling.value, set(verdict.broken_rules)) == (case["ruling"], set(case["broken"]))
    return AddedCase(name, path, agrees)


def _add_sentence(path: Path, case_id: str, sentence: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(tomli_w.dumps({case_id: sentence}))


def _about(game: AnyGame, members: Members, rule: str | None) -> str:
    """The rule that a case is about. Raises `Invalid`, `NoRule`."""
    expected, ruling = members["expected"], members["said"]
    if expected is None:
        _raise_missing("/expected")
    rule_ids: list[str] = [*expected["rules"], *(ruling["rules"] if ruling else ())]
    about = rule or next(iter(rule_ids), None) or _raise_missing("/expected/rules")
    if about not in rules.load(game.id, "rulebook"):
        raise NoRule(about)
    return about


def _raise_missing(pointer: str) -> NoReturn:
    raise Invalid([(pointer, FieldError("missing"))])


def _case(game: AnyGame, members: Members, state: State, setup: Any, about: str) -> dict[str, Any]:
    """The question and the expected answer of a case, in the shape of the worked cases."""
    usual = {reading.key: reading.default for reading in game.readings}
    of_all = rules.load(game.id, "cases").get("setup", {})
    setup_json = report.compact_setup(report.without_names(setup), but=tuple(of_all))
    setup_json.pop("readings", None)
    readings = {key: value for key, value in setup.readings.items() if value != usual[key]}
    expected = members["expected"]
    forbidden = expected["ruling"] == Ruling.ILLEGAL.value
    return {
        **({"readings": readings} if readings else {}),
        "move": game.write(members["move"]),
        "ruling": expected["ruling"],
        "broken": (list(expected["rules"]) or [about]) if forbidden else [],
        **({"setup": setup_json} if setup_json else {}),
        "position": report.compact_setup(game.position(state)),
    }


def _next_id(about: str, record: Mapping[str, str]) -> str:
    """The id of a new case about a rule, which no case has ever had."""
    numbers = [int(each.rpartition("/")[2]) for each in record.values() if each.startswith(f"{about}/")]
    return f"{about}/{1 + max(numbers, default=0)}"


def _file_of(game: AnyGame, about: str) -> Path:
    """The file with the worked cases about a rule, or the last one."""
    every = tuple(numbering.files_of(game))
    return next((path for path in every if f'id = "{about}/' in path.read_text(encoding="utf-8")), every[-1])
