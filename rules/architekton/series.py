"""Architekton: a series of games: its points, who begins, and the departures from its rule (`AR-40`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.architekton.state import COLOURS, Colour, Result

EARLY_WIN, WIN, TO_WIN = 2, 1, 2
"""The points of a series."""


class Departure(NamedTuple):
    """A departure from the rule: ``this_game``, ``earlier_game`` or ``was_won``; the player, and the game's number."""

    code: str
    colour: Colour
    game: int


def points_of(series: Sequence[Result]) -> dict[Colour, int]:
    """The points of the listed games; a drawn game counts nothing."""
    points: dict[Colour, int] = dict.fromkeys(COLOURS, 0)
    for result in series:
        if result.winner is not None:
            points[result.winner] += EARLY_WIN if result.early else WIN
    return points


def series_winner(points: Mapping[Colour, int]) -> Colour | None:
    """The winner of the series with these points, if any."""
    return next((colour for colour in COLOURS if points[colour] >= TO_WIN), None)


def to_begin(series: Sequence[Result]) -> Colour | None:
    """Who begins the game after these: in turn, from the last game whose starter is known; None if none is known."""
    for number in range(len(series) - 1, -1, -1):
        started = series[number].started
        if started is not None:
            return started if (len(series) - number) % 2 == 0 else other(started)
    return None


def other(colour: Colour) -> Colour:
    """The other player."""
    return COLOURS[1 - COLOURS.index(colour)]


def departures(series: Sequence[Result], first: Colour) -> Iterator[Departure]:
    """The departures to point out, but not refuse; `first` begins this game. Games are numbered from 1."""
    for number, result in enumerate(series):
        due = to_begin(series[:number])
        if None not in (due, result.started) and result.started != due:
            yield Departure("earlier_game", other(due), number + 1)  # type: ignore[arg-type]  # neither is None
    due = to_begin(series)
    if due is not None and due != first:
        yield Departure("this_game", due, len(series) + 1)
    for number in range(1, len(series) + 1):
        won = series_winner(points_of(series[:number]))
        if won is not None:
            yield Departure("was_won", won, number)
            break


def series_counts(
    series: Sequence[Result], first: Colour, points: Mapping[Colour, int], *, over: bool, colour: Colour
) -> Iterator[dict[str, int]]:
    """A player's counts in the series, for the score sheet. `points` are those with this game."""
    for number, result in enumerate(series, 1):
        if result.started == colour:
            yield {"began_game": number}
        if result.winner == colour:
            yield {"won_early" if result.early else "won_game": number}
        elif result.winner is None:
            yield {"drew_game": number}
    yield {"series_before": points_of(series)[colour]}
    if over:
        yield {"series_after": points[colour]}
    winner = series_winner(points)
    if winner == colour:
        yield {"wins_series": 1}
    if winner is None and colour != first:
        yield {"begins_next": 1}
