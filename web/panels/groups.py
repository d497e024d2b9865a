"""The history of a group and what it adds up to, in words; and the result of a table, to be kept in one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from flask_babel import ngettext  # type: ignore[import-untyped]

from rules.kernel import Seat
from service.judgements import Sheet
from service.kept import kept
from service.results import Group, Player, Result
from service.table import Table
from service.tallies import GameTally, Tallies, Tally, tallied
from web import spreadsheet
from web.language import _, language
from web.panels.sentences import new_key

PAGE: Final = 50
"""Results on a page."""
MOST_TALLIES: Final = 16
COLUMNS: Final = ("day", "game", "player", "points", "won", "id")


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A result of the history: who won, by how much, and every player with the points."""

    number: int
    result: Result
    said: str
    players: str


@dataclass(frozen=True, slots=True)
class Record:
    """What was done in one game, with its records in words."""

    tally: GameTally
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupView:
    """A group's page: a page of its history, the newest first, and all that it adds up to."""

    group: Group
    rows: tuple[ResultRow, ...]
    older: int | None
    tallies: Tallies
    records: tuple[Record, ...]
    out: tuple[ResultRow, ...]
    key: str

    def taken(self, number: int | None) -> ResultRow | None:
        """A result that was just taken out, by its number."""
        return next((row for row in self.out if row.number == number), None)


@kept(MOST_TALLIES)
def tallies_of(group: Group) -> Tallies:
    """What a group's results add up to."""
    return tallied(group.kept)


def group_view(group: Group, before: int | None) -> GroupView:
    """A group's page; `before`: as many results are passed over, from the newest on."""
    start = before or 0
    newest = list(group.kept.items())[::-1]
    rows = tuple(_row(number, result) for number, result in newest[start : start + PAGE])
    counted = tallies_of(group)
    records = tuple(Record(tally, tuple(_records(tally, group))) for tally in counted.games)
    out = [(number, group.results[number]) for number in sorted(group.out, reverse=True) if number in group.results]
    gone = tuple(_row(number, result) for number, result in out if result.id not in group.numbers)
    older = start + PAGE if start + PAGE < len(newest) else None
    return GroupView(group, rows, older, counted, records, gone[:PAGE], new_key())


def _row(number: int, result: Result) -> ResultRow:
    players = ", ".join(each.name if each.points is None else f"{each.name} {each.points}" for each in result.players)
    return ResultRow(number, result, outcome(result), players)


def outcome(result: Result) -> str:
    """Who has won, and by how much."""
    winners = result.winners
    who = format_list(winners, locale=language())
    if not winners:
        level = {player.points for player in result.players}
        return _("A draw") if len(level) == 1 < len(result.players) and None not in level else _("Nobody won")
    if len(winners) > 1:
        return _("%(who)s win together", who=who)
    if result.margin is None:
        return _("%(who)s wins", who=who)
    return _("%(who)s wins by %(points)s", who=who, points=result.margin)


def come_in(come: int, back: int, differing: int) -> tuple[str, ...]:
    """What came of a file: so many results are new, of these some had been taken out, and others were left out."""
    said: list[str] = [ngettext("%(num)s result has come.", "%(num)s results have come.", come)]
    if back:
        said.append(
            ngettext("%(num)s of them had been taken out here.", "%(num)s of them had been taken out here.", back)
        )
    if differing:
        said += [
            ngettext(
                "%(num)s differs from what is kept here and was left out.",
                "%(num)s differ from what is kept here and were left out.",
                differing,
            ),
            _("To have what the file says, first take out here what differs."),
        ]
    return tuple(said)


def _records(tally: GameTally, group: Group) -> Iterator[str]:
    if tally.best is not None:
        yield _("Best score: %(points)s, %(who)s", who=tally.best[0], points=tally.best[1])
    if tally.clearest is not None:
        number, margin = tally.clearest
        who = format_list(group.kept[number].winners, locale=language())
        yield _("Clearest win: by %(points)s, %(who)s", who=who, points=margin)


def average(tally: Tally) -> str:
    """The points of a game on average, with one decimal; a dash where no game had any."""
    return "–" if tally.average is None else str(format_decimal(tally.average, format="0.0", locale=language()))


def percent(part: int, of: int) -> str:
    """A part of a whole, in per cent."""
    return str(format_percent(part / of, locale=language()))


def result_of(table: Table, sheet: Sheet, names: dict[Seat, str]) -> Result:
    """The result of a table at which the game is over."""
    last = table.entries[-1].at.date().isoformat()
    won = sheet.winners
    seated = tuple(Player(names[seat], points, seat in won) for seat, points in sheet.totals.items())
    return Result(table.id, table.game.id, last, seated, at_table=True)


def as_csv(group: Group) -> str:
    """The results as a table with a row a player, for office programs; nothing in it is a formula there."""
    rows = (
        (result.day, result.game, player.name, player.points, int(player.won), result.id)
        for result in group.kept.values()
        for player in result.players
    )
    return spreadsheet.as_csv((COLUMNS, *rows))
