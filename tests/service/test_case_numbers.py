"""Numbers of worked cases: each case has its own for ever, and no other case gets it."""

from __future__ import annotations

import tomllib

import pytest

from rules import GAMES, load
from service.cases import numbering
from service.cases.numbering import format_name, load_record, next_number, with_numbers

every_game = pytest.mark.parametrize("game", GAMES)


@every_game
def test_every_case_has_the_number_that_is_recorded_for_it(game: str) -> None:
    """Each case has the number recorded for it, and no two have the same."""
    numbers = [(numbering.name(case), case["id"]) for case in load(game, "cases")["case"]]
    assert len(dict(numbers)) == len(numbers)
    record = load_record(game)
    wrong = {name: (record.get(name), case) for name, case in numbers if record.get(name) != case}
    assert wrong == {}, "`make cases` numbers new cases; a case keeps its id as long as it stands"


@every_game
def test_the_record_has_each_number_once_in_order(game: str) -> None:
    """The record has every number in order, also those of removed cases."""
    record = load_record(game)
    [letters] = {rule.split("-")[0] for rule in load(game, "rulebook")}
    assert list(record) == [f"{letters}-C{number}" for number in range(1, len(record) + 1)]


@every_game
def test_all_cases_are_numbered_already(game: str) -> None:
    """Numbering the cases again changes nothing."""
    for path in numbering.files_of(GAMES[game]):
        text = path.read_text(encoding="utf-8")
        assert with_numbers(text, load_record(game)) == (text, load_record(game))
    assert numbering.record_of(GAMES[game]).read_text(encoding="utf-8") == numbering.text_of(load_record(game))


def test_a_new_case_never_gets_the_number_of_one_that_went() -> None:
    """Cases without a number get the next unused ones; the others keep theirs."""
    record = {"VF-C1": "VF-1/1", "VF-C2": "VF-1/2", "VF-C3": "VF-2/1"}
    text = '[[case]]\nid = "VF-1/1"\nnumber = 1\nen = "One."\n\n[[case]]\nid = "VF-1/3"\nen = "New."\n'
    after, new = with_numbers(text, record)
    assert [(case["id"], case["number"]) for case in tomllib.loads(after)["case"]] == [("VF-1/1", 1), ("VF-1/3", 4)]
    assert new == {**record, "VF-C4": "VF-1/3"}
    assert next_number(new) == 5
    assert next_number({}) == 1
    assert format_name("VF-1/3", 4) == "VF-C4"
