"""The statistics of a group: who won, by how much, streaks, averages, best scores. A pure fold over its results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from service.tables.results import Player, Result, normalise_name

T = TypeVar("T")


@dataclass(slots=True)
class PlayerStatistics:
    """The statistics of one player, under the name as last written.

    `streak` are the games won in a row up to the last one, `longest_streak` the most ever. `scored_games` are the games
    with points, `total` the sum of these points.
    """

    name: str
    played: int = 0
    won: int = 0
    streak: int = 0
    longest_streak: int = 0
    scored_games: int = 0
    total: int = 0
    best: int | None = None

    @property
    def average(self) -> float | None:
        """The average points of the games with points."""
        return self.total / self.scored_games if self.scored_games else None

    def add(self, player: Player) -> None:
        """Count one more game, the last one so far."""
        self.name = player.name
        self.played += 1
        self.won += player.won
        self.streak = self.streak + 1 if player.won else 0
        self.longest_streak = max(self.longest_streak, self.streak)
        if player.points is not None:
            self.scored_games += 1
            self.total += player.points
            self.best = player.points if self.best is None else max(self.best, player.points)


class GameStatistics(NamedTuple):
    """The statistics of one game: all holders of the best score, and the numbers and margin of the clearest wins."""

    game: str
    played: int
    players: tuple[PlayerStatistics, ...]
    best: tuple[tuple[str, ...], int] | None
    clearest: tuple[tuple[int, ...], int] | None


class GroupStatistics(NamedTuple):
    """The statistics of all games together and of each game, the most played first."""

    played: int
    players: tuple[PlayerStatistics, ...]
    games: tuple[GameStatistics, ...]


def compute_statistics(results: Mapping[int, Result]) -> GroupStatistics:
    """Compute the statistics of results, which are in order of play."""
    of_games: dict[str, dict[int, Result]] = {}
    for number, result in results.items():
        of_games.setdefault(result.game, {})[number] = result
    games = [_game(game, found) for game, found in of_games.items()]
    games.sort(key=lambda each: (-each.played, each.game))
    return GroupStatistics(len(results), _players(results.values()), tuple(games))


def _game(game: str, results: Mapping[int, Result]) -> GameStatistics:
    players = _players(results.values())
    best = _leaders((each.name, each.best) for each in players)
    clearest = _leaders((number, result.margin) for number, result in results.items())
    return GameStatistics(game, len(results), players, best, clearest)


def _leaders(found: Iterable[tuple[T, int | None]]) -> tuple[tuple[T, ...], int] | None:
    """All with the highest value, in order, and this value; None if none has a value."""
    pairs = [(what, n) for what, n in found if n is not None]
    most = max((n for _, n in pairs), default=None)
    return None if most is None else (tuple(what for what, n in pairs if n == most), most)


def _players(results: Iterable[Result]) -> tuple[PlayerStatistics, ...]:
    """The players by most wins, then by fewest games."""
    found: dict[str, PlayerStatistics] = {}
    for result in results:
        for player in result.players:
            found.setdefault(normalise_name(player.name), PlayerStatistics(player.name)).add(player)
    return tuple(sorted(found.values(), key=lambda each: (-each.won, each.played, normalise_name(each.name))))
