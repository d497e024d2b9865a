"""Places by points, then by each tie-break in its order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.kernel import Line, Place, TiebreakFigures
from rules.ranking import ByPoints, Standing, Tiebreak, is_draw, winners


def rank(points: dict[str, int], *keys: Mapping[str, float]) -> tuple[Place, ...]:
    """The places at these points, with these tie-breaks: T0, T1 and so on."""

    def standing(key: Mapping[str, float]) -> Callable[[Any, str, Any], Standing]:
        return lambda _, seat, __: Standing((key[seat],), figure=int(key[seat]))

    ranking = ByPoints(
        lambda _: tuple(points),
        lambda _: tuple(Line(seat, "P", number) for seat, number in points.items()),
        [Tiebreak(f"T{n}", standing(key)) for n, key in enumerate(keys)],
        shared_by="SHARED",
    )
    return ranking(None)


def places(points: dict[str, int], *keys: Mapping[str, float]) -> list[tuple[int | None, tuple[str, ...], str]]:
    return [(place.place, place.seats, place.decided_by) for place in rank(points, *keys)]


def test_points_decide() -> None:
    """More points give a better place."""
    assert places({"a": 3, "b": 5}) == [(1, ("b",), "total"), (2, ("a",), "total")]


def test_a_tie_break_decides_among_equals_only() -> None:
    """The tie-break separates seats with equal points, and no others."""
    shown = places({"a": 3, "b": 5, "c": 5}, {"a": 9, "b": 1, "c": 2})
    assert shown == [(1, ("c",), "T0"), (2, ("b",), "T0"), (3, ("a",), "total")]


def test_the_second_tie_break_is_asked_of_those_still_equal() -> None:
    """Three are equal: the first tie-break puts one last, the second separates the other two."""
    shown = places({"a": 4, "b": 4, "c": 4}, {"a": 1, "b": 1, "c": 0}, {"a": 2, "b": 7, "c": 9})
    assert shown == [(1, ("b",), "T1"), (2, ("a",), "T1"), (3, ("c",), "T0")]


def test_a_shared_place_takes_as_many_places_as_share_it() -> None:
    """Two share the first place, and the next is third; the place names the rule that leaves it shared."""
    shown = places({"a": 4, "b": 4, "c": 1}, {"a": 1, "b": 1, "c": 0})
    assert shown == [(1, ("a", "b"), "SHARED"), (3, ("c",), "total")]


def test_a_place_shows_what_decided_it() -> None:
    """The place has the tie-break that decided it, and the figures that it compared."""
    first = rank({"a": 1, "b": 1}, {"a": 0, "b": 1})[0]
    assert first == Place(1, ("b",), "T0", (), tiebreak_figures=(TiebreakFigures("T0", (("a", 0), ("b", 1))),))


def test_each_tie_break_that_was_asked_shows_its_figures() -> None:
    """A tie-break shows the figures of all it compared, even if they stay equal; if points decide, there are none."""
    last, first = {"a": 1, "b": 1, "c": 0}, {"a": 2, "b": 7, "c": 9}
    shown = {place.seats: place.tiebreak_figures for place in rank({"a": 4, "b": 4, "c": 4, "d": 1}, last, first)}
    of_last, of_first = (
        TiebreakFigures("T0", (("a", 1), ("b", 1), ("c", 0))),
        TiebreakFigures("T1", (("a", 2), ("b", 7))),
    )
    assert shown == {("b",): (of_last, of_first), ("a",): (of_last, of_first), ("c",): (of_last,), ("d",): ()}
    (draw,) = rank({"a": 4, "b": 4}, {"a": 1, "b": 1})
    assert draw.tiebreak_figures == (TiebreakFigures("T0", (("a", 1), ("b", 1))),)


def test_nothing_sets_anybody_apart_at_a_draw() -> None:
    """If all stay equal, nobody wins the draw; if only some share the first place, they win together."""
    everybody, some = rank({"a": 4, "b": 4}, {"a": 1, "b": 1}), rank({"a": 4, "b": 4, "c": 1})
    assert is_draw(everybody) and winners(everybody) == ()
    assert not is_draw(some) and winners(some) == ("a", "b")


def test_a_rule_can_let_everybody_win() -> None:
    """A first place that a rule gives to all is no draw; where nobody has a place, nobody wins."""
    given = (Place(1, ("a", "b"), "R"),)
    assert not is_draw(given) and winners(given) == ("a", "b")
    assert winners((Place(None, ("a", "b"), "R"),)) == ()
