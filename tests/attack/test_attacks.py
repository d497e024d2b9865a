"""The command `make attack` counts harm, controls without harm, and attacks without findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.attack.__main__ import Attack, attempt
from tests.attack.arena import Arena, Pulse, Row


def attack_of(*rows: Row) -> Attack:
    def attack(_: Arena) -> Iterator[Row]:
        yield from rows

    return attack


def breaking_off(_: Arena) -> Iterator[Row]:
    yield Row("it holds", "", holds=True)
    raise RuntimeError("gone")


@pytest.mark.parametrize(
    ("attack", "wrong"),
    [
        (attack_of(Row("it holds", "", holds=True), Row("harm", "", holds=True, control=True)), 0),
        (attack_of(Row("it holds", "", holds=False)), 1),
        (attack_of(Row("it holds", "", holds=True), Row("harm", "", holds=False, control=True)), 1),
        (attack_of(), 1),
        (breaking_off, 1),
    ],
    ids=["all as it has to be", "harm", "a control without harm", "no finding", "broken off"],
)
def test_what_is_not_as_it_has_to_be_is_counted(
    attack: Callable[[Arena], Iterator[Row]], wrong: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Harm, a control without harm, an attack without rows, and one that breaks off each count as one."""
    assert attempt("an attack", attack) == wrong


@pytest.mark.parametrize(
    ("seconds", "holds"),
    [([0.1] * 95 + [9.0] * 5, True), ([0.1] * 94 + [9.0] * 6, False), ([], False)],
    ids=["95 of 100 in time", "94 of 100 in time", "nobody asked"],
)
def test_the_pulse_holds_if_95_in_100_answers_come_within_a_second(seconds: list[float], holds: bool) -> None:
    """The service is available to everybody else if `/livez` answers within a second in 95 of 100 times."""
    assert Pulse(seconds).holds is holds
