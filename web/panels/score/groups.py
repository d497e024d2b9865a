"""A group's history and statistics in words, and the result of a table to be stored in a group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from flask_babel import ngettext  # type: ignore[import-untyped]

import rules
from rules.kernel import Seat
from rules.records import dataclass
from service.groups.statistics import GameStatistics, GroupStatistics, PlayerStatistics, compute_statistics
from service.i18n import sentences
from service.judgements import Sheet
from service.runtime.memoize import memoize_by_identity
from service.tables.results import Group, Player, Result, normalise_name
from service.tables.table import Table
from web.browser.bidi import isolate_name
from web.browser.language import _, language
from web.panels.score import csv_export
from web.panels.score.score import is_first_by_points
from web.panels.sentences import new_key

PAGE: Final = 50
"""Results on a page."""
MAX_TALLIES: Final = 16
MAX_NAMES: Final = 3
"""The maximum number of named holders of a record."""
COLUMNS: Final = ("day", "game", "player", "points", "won", "id")


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A result of the history: who won, by how much, and every player with the points."""

    number: int
    result: Result
    sentence: str
    players: str


@dataclass(frozen=True, slots=True)
class Record:
    """The statistics of one game, with its records in words."""

    tally: GameStatistics
    record_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HistoryView:
    """A page of results, the newest first, and the statistics of all."""

    rows: tuple[ResultRow, ...]
    older: int | None
    tallies: GroupStatistics
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class GroupView:
    """A group's page: its history, and a page of the removed results."""

    group: Group
    history: HistoryView
    out: tuple[ResultRow, ...]
    more_out: int | None
    out_in_all: int
    shows_out: bool
    key: str

    def taken_out_row(self, number: int | None) -> ResultRow | None:
        """A result that was just removed, by its number."""
        result = self.group.results.get(number or 0) if number in self.group.removals else None
        return _row(number, result) if number and result and result.id not in self.group.number_by_id else None


@memoize_by_identity(MAX_TALLIES)  # a group may have thousands of results
def tallies_of(group: Group) -> GroupStatistics:
    """The statistics of a group's results."""
    return compute_statistics(group.counting_results)


def group_view(group: Group, before: int | None, out_before: int | None) -> GroupView:
    """A group's page; it skips `before` of the newest results, and `out_before` of the newest removed results."""
    history_view = history(group.counting_results, tallies_of(group), before or 0)
    out = [
        (number, group.results[number]) for number in sorted(group.removals, reverse=True) if number in group.results
    ]
    taken_out = {result.id: number for number, result in reversed(out) if result.id not in group.number_by_id}
    rows, more = _results_page(
        {number: group.results[number] for number in sorted(taken_out.values())}, out_before or 0
    )
    return GroupView(group, history_view, rows, more, len(taken_out), out_before is not None, new_key())


def history(results: Mapping[int, Result], statistics: GroupStatistics, start: int = 0) -> HistoryView:
    """A page of results, which are given in order, with statistics; `start`: the number of newer results to skip."""
    records = tuple(Record(tally, tuple(_records(tally, results))) for tally in statistics.games)
    return HistoryView(*_results_page(results, start), statistics, records)


def _results_page(results: Mapping[int, Result], start: int) -> tuple[tuple[ResultRow, ...], int | None]:
    """A page of results, the last one first, and the start of the next page."""
    newest = list(results.items())[::-1]
    rows = tuple(_row(number, result) for number, result in newest[start : start + PAGE])
    return rows, start + PAGE if start + PAGE < len(newest) else None


def _row(number: int, result: Result) -> ResultRow:
    players = ", ".join(
        isolate_name(each.name) if each.points is None else f"{isolate_name(each.name)} {each.points}"
        for each in result.players
    )
    return ResultRow(number, result, outcome(result), players)


def outcome(result: Result) -> str:
    """The winners and their margin, in words."""
    winners = result.winners
    who = format_list([*map(isolate_name, winners)], locale=language())
    if not winners:
        level = {player.points for player in result.players}
        return _("A draw") if len(level) == 1 < len(result.players) and None not in level else _("Nobody won")
    if len(winners) > 1:
        return _("%(who)s win together", who=who)
    if result.margin is None:
        return _without_margin(result, who)
    return _("%(who)s wins by %(points)s", who=who, points=result.margin)


def _without_margin(result: Result, who: str) -> str:
    """The winners, and how they won, without a margin."""
    game = rules.GAMES.get(result.game)
    if game is not None and not game.by_points:
        words = sentences.words(language(), result.game)
        wins = words.text.get("result", {}).get("wins", "{points}")
        return (
            _("%(who)s wins", who=who)
            if "{points}" in wins
            else words.say("result", "wins", {"who": who}, replace_codes=False)
        )
    points = [player.points for player in result.players]
    if len(points) > 1 and None not in points:
        best = max(player.points or 0 for player in result.players if not player.won)
        winner_points = next(player.points for player in result.players if player.won)
        return (
            _("%(who)s wins at equal points", who=who)
            if winner_points == best
            else _("%(who)s wins, not by points", who=who)
        )
    return _("%(who)s wins", who=who)


def import_news(new: int, back: int, differing: int) -> tuple[str, ...]:
    """The report of an import: the numbers of new results, of restored ones among these, and of rejected ones."""
    lines: list[str] = [ngettext("%(num)s result has come.", "%(num)s results have come.", new)]
    if back:
        lines.append(
            ngettext(
                "%(num)s of them had been removed here before.", "%(num)s of them had been removed here before.", back
            )
        )
    if differing:
        lines += [
            ngettext(
                "%(num)s differs from a result here and was left out.",
                "%(num)s differ from results here and were left out.",
                differing,
            ),
            _("To import those, first remove the differing results here."),
        ]
    return tuple(lines)


def _records(tally: GameStatistics, results: Mapping[int, Result]) -> Iterator[str]:
    if tally.best is not None:
        yield _("Best score: %(points)s, %(who)s", who=_some(tally.best[0]), points=tally.best[1])
    if tally.clearest is not None:
        numbers, margin = tally.clearest
        names = {normalise_name(name): name for number in numbers for name in results[number].winners}
        yield _("Clearest win: by %(points)s, %(who)s", who=_some(tuple(names.values())), points=margin)


def _some(names: Sequence[str]) -> str:
    """All names, or the first ones and the number of the others."""
    labels = [*map(isolate_name, names)]
    if len(labels) <= MAX_NAMES:
        return str(format_list(labels, locale=language()))
    who, more = ", ".join(labels[:MAX_NAMES]), len(labels) - MAX_NAMES
    return str(ngettext("%(who)s and %(num)s more", "%(who)s and %(num)s more", more, who=who))


def average(tally: PlayerStatistics) -> str:
    """The average points of a game, with one decimal; a dash without any points."""
    return "–" if tally.average is None else str(format_decimal(tally.average, format="0.0", locale=language()))


def percent(part: int, of: int) -> str:
    """Format a share in per cent."""
    return str(format_percent(part / of, locale=language()))


def result_of(table: Table, sheet: Sheet, names: dict[Seat, str]) -> Result:
    """The result of a finished table."""
    last = table.entries[-1].at.date().isoformat()
    winners = sheet.winners
    seated = tuple(Player(names[seat], points, seat in winners) for seat, points in sheet.totals.items())
    return Result(table.id, table.game.id, last, seated, at_table=True, by_points=is_first_by_points(sheet.ranking))


def as_csv(results: Iterable[Result]) -> str:
    """The results as a table with a row for each player, for office programs, without formulas."""
    rows = (
        (result.day, result.game, player.name, player.points, int(player.won), result.id)
        for result in results
        for player in result.players
    )
    return csv_export.as_csv((COLUMNS, *rows))
