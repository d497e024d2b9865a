"""The checks of `tests.rules.trials` find each kind of wrong answer on partial positions, in a game of two heaps.

Nobody may take more stones than both heaps have; who takes the last one has won. A heap has up to two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import pytest

from rules.agreement import DIFFERS
from rules.defaults import legal_among
from rules.effects import effect, effects_of
from rules.game import Game
from rules.kernel import Bounds, Due, Effect, Ended, Facts, Finding, Line, Place, Rule, Ruling
from rules.unknowns import NoFilling, PartialRuling, UnknownRules, judge
from tests.rules import trials
from tests.rules.trials import Trial, WholeFilling, violations, with_one_taken_out

SEATS = ("black", "white")
HEAPS = ("one", "other")


class Heaps(NamedTuple):
    """Stones in each heap; in a partial position, ``?`` for an unknown number."""

    piles: tuple[Any, ...]
    readings: Mapping[str, str]


@dataclass(frozen=True)
class Take:
    """Take `n` stones, of either heap."""

    n: int
    kind = "take"


@dataclass(frozen=True)
class Form:
    """An empty form, as the tests read no setup and no position."""


def due(heaps: Heaps) -> Due:
    """Black moves until all heaps are empty; then White has lost."""
    ended = None if sum(heaps.piles) else Ended("N-3")
    return Due(None if ended else "black", () if ended else ("take",), "take", ended=ended)


def score(heaps: Heaps) -> tuple[Line, ...]:
    """Black has a point once all heaps are empty."""
    return tuple(Line(seat, "N-3", int(seat == "black" and not sum(heaps.piles))) for seat in SEATS)


def unknown(_: Any, heaps: Heaps) -> tuple[str, ...]:
    return tuple(name for name, pile in zip(HEAPS, heaps.piles, strict=True) if pile == "?")


def known_heaps(_: Any, heaps: Heaps) -> Heaps:
    # With no stones at all the game would be over.
    return heaps._replace(piles=tuple(2 if pile == "?" else pile for pile in heaps.piles))


def fill(heaps: Heaps, filling: Mapping[Any, int]) -> Heaps | None:
    """Fill the unknown heaps; None where no stone is left, as the game would be over."""
    piles = tuple(filling.get(name, pile) for name, pile in zip(HEAPS, heaps.piles, strict=True))
    return heaps._replace(piles=piles) if sum(piles) else None


def take(heaps: Heaps, move: Take) -> Heaps:
    """Take stones; the rest lies in the first heap."""
    left = max(sum(heaps.piles) - move.n, 0)
    return heaps._replace(piles=(left, 0))


few: Rule[Heaps, Take] = Rule(
    "N-1",
    lambda heaps, move: Facts("few", {"left": sum(heaps.piles)}) if move.n > sum(heaps.piles) else None,
)
BOOK: Mapping[tuple[str, type], tuple[Rule[Heaps, Any], ...]] = {("play", Take): (few,)}
GAME: Game[Any, Any] = Game(
    id="heaps",
    edition="by heart",
    rules_version="1",
    readings=(),
    players=(2,),
    seats=SEATS,
    seats_of=lambda _: SEATS,
    kinds={"take": Take},
    read=lambda text: Take(int(text)),
    write=lambda move: str(move.n),
    setup_form=Form,
    setup=lambda _: Heaps((2, 2), {}),
    book=BOOK,
    phase=lambda _: "play",
    due=due,
    apply=take,
    cannot_stand=lambda *_: None,
    cells_of=lambda _: (),
    moves=legal_among(BOOK, lambda _: "play", {Take: lambda _: (Take(1),)}),
    nearest=lambda *_: (),
    score=score,
    ranking=lambda heaps: (Place(1, ("black",), "total"), Place(2, ("white",), "total")),
    effects=lambda heaps, move, after: (effect("N-2", "left", {"n": sum(after.piles)}),),
    position_form=Form,
    position=lambda heaps: heaps,
    enter=lambda _, heaps: heaps,
    problems=lambda *_: (),
    unknowns=UnknownRules(
        cells=unknown,
        known_part=known_heaps,
        relevant_cells=lambda _, __, cells: tuple(cells),
        fill=fill,
        contents=lambda *_: (0, 1, 2),
    ),
)


def trial_of(piles: tuple[Any, Any], n: int) -> Trial:
    """A trial with every filling of the unknown heaps."""
    ways = product(*((0, 1, 2) if pile == "?" else (pile,) for pile in piles))
    fillings = [
        WholeFilling(Heaps(way, {}), {name: k for name, k, pile in zip(HEAPS, way, piles, strict=True) if pile == "?"})
        for way in ways
    ]
    return Trial(None, Heaps(piles, {}), Take(n), fillings, every=True, outcome=False)


QUESTIONS = [(piles, n) for piles in (("?", 0), ("?", 1), ("?", "?"), ("?", 2)) for n in (1, 2, 3, 4, 5)]


@pytest.mark.parametrize(("piles", "n"), QUESTIONS)
def test_of_a_sound_engine_nothing_is_found(piles: tuple[Any, Any], n: int) -> None:
    assert violations(GAME, trial_of(piles, n)) == []


def test_of_one_that_hears_not_all_something_is_found() -> None:
    """An engine that fills unknown heaps only with the first content, no stone, is found to be wrong."""
    found = {question: violations(with_one_taken_out(GAME), trial_of(*question)) for question in QUESTIONS}
    assert any(found.values())


def change_effect(**facts: Any) -> Callable[[PartialRuling], PartialRuling]:
    """Change facts of the first effect."""
    return lambda said: said._replace(
        effects=(said.effects[0]._replace(facts=said.effects[0].facts._replace(**facts)), *said.effects[1:])
    )


def without_findings(said: PartialRuling) -> PartialRuling:
    return said._replace(verdict=said.verdict._replace(findings=()))


def with_ruling(ruling: Ruling) -> Callable[[PartialRuling], PartialRuling]:
    return lambda said: said._replace(verdict=said.verdict._replace(ruling=ruling))


def needing(*needs: str) -> Callable[[PartialRuling], PartialRuling]:
    """Replace the needs of the ruling and of each finding."""

    def change(said: PartialRuling) -> PartialRuling:
        findings = tuple(each._replace(facts=each.facts._replace(needs=needs)) for each in said.verdict.findings)
        return said._replace(needs=needs, verdict=said.verdict._replace(findings=findings))

    return change


def finding(facts: Facts) -> Callable[[PartialRuling], PartialRuling]:
    return lambda said: said._replace(verdict=said.verdict._replace(findings=(Finding("N-1", facts),)))


@pytest.mark.parametrize(
    ("piles", "n", "change", "found"),
    [
        (("?", 0), 2, with_ruling(Ruling.LEGAL), "legal, but illegal"),
        (("?", 0), 2, with_ruling(Ruling.ILLEGAL), "illegal, but legal"),
        (("?", 2), 5, finding(Facts("few", {"left": 2})), "is certain, but not"),
        (("?", 2), 5, finding(Facts("few", {"left": Bounds(3, 4)})), "is certain, but not"),
        (("?", 2), 2, finding(Facts(DIFFERS)), "is certain, but not"),
        (("?", 0), 2, without_findings, "N-1 objects to some filling"),
        (("?", "?"), 2, needing("one"), "do not decide the ruling"),
        (("?", "?"), 2, needing("other"), "do not decide whether N-1 objects"),
        (("?", 0), 2, needing("one", "other"), "other is idle for the ruling"),
        (("?", 2), 2, with_ruling(Ruling.UNPROVEN), "unproven, but legal with every filling"),
        (("?", 2), 2, change_effect(values={"n": 1}), "is certain, but not"),
        (("?", 2), 2, change_effect(values={"n": Bounds(0, 1)}), "is certain, but not"),
        (("?", 2), 2, change_effect(values={"n": Bounds(0, 3)}), "no filling has the bound of n"),
        (("?", 2), 2, lambda said: said._replace(effects=(effect("N-9"),)), "is certain, but not"),
    ],
)  # fmt: skip
def test_each_sort_of_what_may_be_wrong_is_found(
    monkeypatch: pytest.MonkeyPatch,
    piles: tuple[Any, Any],
    n: int,
    change: Callable[[PartialRuling], PartialRuling],
    found: str,
) -> None:
    monkeypatch.setattr(trials, "judge", lambda *given: change(judge(*given)))
    assert any(found in each for each in violations(GAME, trial_of(piles, n))), violations(GAME, trial_of(piles, n))


def test_a_position_that_can_be_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusal(*_: Any) -> PartialRuling:
        raise NoFilling(())

    monkeypatch.setattr(trials, "judge", refusal)
    assert "nothing can stand" in violations(GAME, trial_of(("?", 2), 2))[0]


def told_at_the_end() -> Iterator[tuple[tuple[Effect, ...], str]]:
    """Effects of a move that ends the game, whole or with one left out or changed, each with the violation."""
    before = Heaps((1, 0), {})
    whole = effects_of(GAME, before, Take(1), take(before, Take(1)))
    left, ended, won, points = whole
    yield whole, ""
    yield (left, won, points), "('N-3', 'ended')"
    yield (left, ended, points), "('N-3', 'won', ('black',))"
    yield (left, ended, won), "('points', 'black', 0, 1)"
    lost = won._replace(facts=won.facts._replace(values={**won.facts.values, "winners": ("white",)}))
    yield (left, ended, lost, points), "is certain, but not"


@pytest.mark.parametrize(("effects", "found"), list(told_at_the_end()))
def test_the_end_the_winner_and_points_are_told_where_all_have_them(
    monkeypatch: pytest.MonkeyPatch, effects: tuple[Effect, ...], found: str
) -> None:
    """A missing end, winner or points is found; the only filling leaves the unknown heap empty."""
    trial = trial_of((1, 0), 1)._replace(partial=Heaps((1, "?"), {}), outcome=True)
    monkeypatch.setattr(trials, "judge", lambda *given: judge(*given)._replace(effects=effects))
    told = violations(GAME, trial)
    assert found in "".join(told) if found else told == []
