"""Exports the sheet: as text for a chat, as CSV, and as a play for BG Stats."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from typing import Any, Final
from urllib.parse import quote

import orjson

from rules.steps import each
from service.i18n.sentences import Words
from service.judgements import Sheet
from service.tables.entries import InLine, Played, Unlisted
from service.tables.rounds import rounds_of
from web.browser.bidi import strip_isolates
from web.browser.language import _
from web.panels.context import turns_of
from web.panels.log.entries import entry_phrase
from web.panels.score import csv_export
from web.panels.score.score import ScoreRow
from web.panels.score.sheet import Summary
from web.panels.sentences import capitalise

BG_STATS: Final = "https://app.bgstatsapp.com/createPlay.html?data="
"""The address where BG Stats accepts a play as percent-encoded JSON; the app asks before it stores anything.

Source: BG Stats, "Linking and pushing to BG Stats from other apps or websites",
<https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/>.
"""
MAX_LINES: Final = 500
"""The maximum number of entries of a log as text: more than any recorded game has."""
LINE: Final = 25
"""Steps to write one of them."""
PLAY_DATE: Final = "%Y-%m-%d %H:%M:%S"
"""A time as BG Stats reads it, in UTC."""


def as_text(result: Summary, link: str) -> str:
    """The game, the day, the players with their points, who won and why, and a link if there is one: a line each."""
    score = result.score
    lines = [
        result.title,
        *(_("%(who)s: %(what)s", who=name, what=result.sheet.totals[seat]) for seat, name in result.names.items()),
        score.result,
        score.end_text or _("If the game ended now."),
        score.decided_by if score.end_text and _is_tied(result.sheet) else "",
        link,
    ]
    return "".join(f"{line}\n" for line in lines if line)


def _is_tied(sheet: Sheet) -> bool:
    """Whether several players have the most points, so that points do not decide who won."""
    totals = sorted(sheet.totals.values())
    return totals[-1:] == totals[-2:-1]


def log_as_text(result: Summary, before: int | None, link: str) -> str:
    """The log in words, a line for each entry, below its round; of a very long one the last entries before a number.

    `link`: the address of the same text.
    """
    last = min(result.table.version, before - 1) if before and before > 1 else result.table.version
    first = max(1, last - MAX_LINES + 1)
    lines = [result.title]
    if first > 1:
        lines.append(_("The entries up to no. %(number)s: %(link)s", number=first - 1, link=f"{link}?before={first}"))
    return "".join(f"{line}\n" for line in (*lines, *_log_lines(result, range(first, last + 1))))


def _log_lines(result: Summary, numbers: range) -> Iterator[str]:
    table, now = result.table, 0
    for number, round_ in zip(each(numbers, LINE), rounds_of(table, numbers, turns_of(table)), strict=True):
        if round_ != now:
            now = round_
            yield f"\n{_('Round %(round)s', round=now)}"
        entry = table.entries[number - 1]
        if isinstance(entry, Unlisted):
            continue
        parts = [f"{number}. {capitalise(entry_phrase(result.words, table, entry, by_entry=True))}"]
        if isinstance(entry, Played) and entry.stands:
            parts.append(_("let stand"))
        if isinstance(entry, InLine) and number not in table.in_play:
            parts.append(_("undone"))
        if table.is_imported(number):
            parts.append(_("imported"))
        yield " – ".join(parts)


def as_csv(result: Summary) -> str:
    """A line for each player, with the lines of the score across (RFC 4180)."""
    score, places = result.score, _places(result.sheet)
    head = [_("Player"), _("Colour"), *(row.label for row in score.rows), _("Total"), _("Rank")]
    lines = []
    for at, (seat, name) in enumerate(result.names.items()):
        points = [_cell(row, at) for row in score.rows]
        lines.append(
            [strip_isolates(name), capitalise(result.words.name(seat)), *points, score.totals[at], places.get(seat)]
        )
    return csv_export.as_csv([head, *lines])


def _cell(row: ScoreRow, at: int) -> str | int:
    """The cell of a line of the score for a player: the points, or the text in their place."""
    value = row.cell_value(row.cells[at])
    return strip_isolates(value) if isinstance(value, str) else value


def _places(sheet: Sheet) -> dict[str, int | None]:
    return {seat: place.place for place in sheet.ranking for seat in place.seats}


def bg_stats(result: Summary, english: Words) -> str | None:
    """The link that opens a play in BG Stats, see `BG_STATS`; None while the game continues."""
    sheet = result.sheet
    return None if sheet.ended is None else BG_STATS + quote(orjson.dumps(_play(result, sheet, english)), safe="")


def _play(result: Summary, sheet: Sheet, english: Words) -> dict[str, Any]:
    """A finished game in the format of BG Stats, which recognises players by their names, as colours change hands.

    The text about the game is the same for each play of it. If points rank nobody, the link omits them.
    """
    places, by_points = _places(sheet), result.table.game.by_points
    players = [
        {
            "name": strip_isolates(name),
            "sourcePlayerId": strip_isolates(name).casefold(),
            "winner": seat in sheet.winners,
            **({"rank": places[seat]} if places.get(seat) else {}),
            **({"score": sheet.totals[seat]} if by_points else {}),
        }
        for seat, name in result.names.items()
    ]
    return {
        "sourceName": "Bastide",
        "sourcePlayId": result.table.id,
        "playDate": result.played_at.astimezone(UTC).strftime(PLAY_DATE),
        "game": {
            "name": english.text["name"],
            "sourceGameId": result.table.game.id,
            "highestWins": by_points,
            "noPoints": not by_points,
        },
        "players": players,
    }
