"""The panel of the score: the cells of each line, who leads and why, and what other readings would change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from babel.lists import format_list

from rules.forecasts import IN_EVERY_GAME
from rules.kernel import Cell, Fact, Forecast, Line, Place, Seat
from rules.ranking import winners
from rules.records import dataclass
from service.i18n import reading_notes
from service.i18n.sentences import Words
from service.judgements import Sheet
from service.runtime.memoize import memoize_by_identity
from service.types import State
from web.board.scene import Light
from web.browser.address import Address
from web.browser.language import _
from web.browser.recent_tables import TableStanding
from web.game_pages import AnyPages
from web.panels.context import Context, Focus, TableContext
from web.panels.sentences import OtherReading, cell_names

MAX_TOLD: Final = 32
"""The maximum number of cached forecasts of a game's end."""
SHORT: Final = "short"
"""The name of a count that is missing to a goal."""
LONG: Final = 24
"""The maximum number of readable characters in the narrow column of a player."""
NOBODY: Final = "nobody"
"""The result of a game that does not rank by points, before anybody has won."""


@dataclass(frozen=True, slots=True)
class Points:
    """A number on the score sheet, and the address that lights its evidence. `text`: shown in place of no points."""

    points: int
    href: str | None
    is_lit: bool
    text: str = ""
    full: str = ""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A line of the score sheet, for every player."""

    name: str
    rule: str
    label: str
    text: str
    cells: tuple[Points, ...]

    @property
    def has_text(self) -> bool:
        """Whether the row has words in place of points: then players without either have an empty cell."""
        return any(cell.text for cell in self.cells)

    def cell_value(self, cell: Points) -> int | str:
        """The content of a cell without a link: words, points, or nothing."""
        return cell.text or ("" if self.has_text and not cell.points else cell.points)

    @property
    def across(self) -> bool:
        """Whether the text is too long for a player's column. Then it stands below, across the sheet."""
        return any(len(cell.text) > LONG for cell in self.cells) and not any(cell.href for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ScorePanel:
    """The score sheet."""

    template: ClassVar[str] = "panel/score.html"
    seats: tuple[tuple[Seat, str], ...]
    rows: tuple[ScoreRow, ...]
    totals: tuple[int, ...]
    result: str
    decided_by: str
    end_text: str | None
    end_forecast: tuple[str, ...]
    lit_line: tuple[str, tuple[str, ...]] | None
    others: tuple[OtherReading, ...]


def score(context: TableContext) -> Focus[ScorePanel]:
    """The score of a table, with the points on their cells, or with the evidence of one number lit."""
    sheet = context.sheet()
    row, seat = split_show(context.address.show)
    line = rows_of(sheet.lines).get(row, {}).get(seat)
    facts = [fact if line.points else Fact(fact.cells) for fact in line.evidence] if line is not None else []
    panel = score_panel(context.words, sheet, context.names(), context.address)
    return Focus(panel, context.state, light=Light(facts=facts) if facts else points(context, sheet))


def points(context: Context, sheet: Sheet) -> Light:
    """The points on their cells."""
    return points_light(context.pages, context.state, sheet)


def points_light(pages: AnyPages, state: State, sheet: Sheet) -> Light:
    """The points on their cells, for a state."""
    found = {
        seat: [replace(line, evidence=tuple(pages.locate_facts(state, line.evidence))) for line in lines]
        for seat, lines in sheet.lines.items()
    }
    return Light(points=overview(found), seats=tuple(sheet.lines))


def split_show(show: str | None) -> tuple[str, str]:
    """The row and the player of a score line whose evidence is lit."""
    row, dot, seat = (show or "").rpartition(".")
    return (row, seat) if dot else (seat, "")


def rows_of(lines_of: Mapping[Seat, Iterable[Line]]) -> dict[str, dict[Seat, Line]]:
    """The rows of the sheet, each with its lines. Lines of one rule differ in their code, or in a number among their
    values.
    """
    rows: dict[str, dict[Seat, Line]] = {}
    names: dict[str, str] = {}
    for seat, lines in lines_of.items():
        for line in lines:
            what = repr((line.rule, line.code, tuple(line.values.items())))
            plain = f"{line.rule}.{line.code}" if line.code else line.rule
            name = names.setdefault(what, f"{plain}-{len(names)}" if line.values else plain)
            rows.setdefault(name, {})[seat] = line
    rules = list(dict.fromkeys(line.rule for row in rows.values() for line in row.values()))
    # Who has none of several lines has one without points: it needs no row of its own.
    rules_with_code = {one.rule for row in rows.values() for one in row.values() if one.code}
    rows = {
        name: row
        for name, row in rows.items()
        if name not in rules_with_code or any(one.points for one in row.values())
    }
    return dict(sorted(rows.items(), key=lambda row: rules.index(next(iter(row[1].values())).rule)))


def score_panel(words: Words, sheet: Sheet, names: Mapping[Seat, str], address: Address) -> ScorePanel:
    """The score sheet; the evidence of one of its numbers is lit."""
    shown = rows_of(sheet.lines)
    result, decided_by = ranking(words, sheet, names)
    return ScorePanel(
        tuple(names.items()),
        tuple(_row(words, row, lines, tuple(sheet.totals), address) for row, lines in shown.items()),
        tuple(sheet.totals.values()),
        result,
        decided_by,
        words.end_text(sheet.ended) if sheet.ended else None,
        tuple(words.forecast_text(each) for each in sheet.forecasts if each.facts.code not in IN_EVERY_GAME),
        _shown_number(words, shown, names, address.show),
        tuple(_other_readings(words, sheet)),
    )


def _row(words: Words, row: str, lines: Mapping[Seat, Line], seats: Sequence[Seat], address: Address) -> ScoreRow:
    """A row: the lines of all players for the same rule."""
    one, shown = next(iter(lines.values())), split_show(address.show)
    cells = []
    for seat in seats:
        line = lines.get(seat)
        if line is None:
            cells.append(Points(0, None, is_lit=False, text="–"))
            continue
        chosen = (row, seat) == shown
        seen = any(fact.cells for fact in line.evidence)
        href = address.url(show=None if chosen else f"{row}.{seat}") if seen else None
        full = ", ".join(score_evidence(words, line.evidence))
        cells.append(Points(line.points, href, chosen, _line_note(words, line), full))
    return ScoreRow(row, one.rule, words.line_text(one), words.text["rules"][one.rule]["text"], tuple(cells))


def _shown_number(
    words: Words, rows: Mapping[str, Mapping[Seat, Line]], names: Mapping[Seat, str], show: str | None
) -> tuple[str, tuple[str, ...]] | None:
    """The label of the lit number, and its evidence in words."""
    row, seat = split_show(show)
    line = rows.get(row, {}).get(seat)
    if line is None:
        return None
    label = words.line_text(next(iter(rows[row].values())))
    return _("%(who)s: %(what)s", who=names[seat], what=label), score_evidence(words, line.evidence)


@memoize_by_identity(MAX_TOLD)
def forecast_lines(forecasts: tuple[Forecast, ...], words: Words) -> tuple[str, ...]:
    """How the game may end soon, and who would be ahead then; empty while no end is near."""
    likely = [each for each in forecasts if each.soon or each.about == "standing"]
    return tuple(map(words.forecast_text, likely)) if any(each.soon for each in likely) else ()


def _line_note(words: Words, line: Line) -> str:
    """The text in place of no points: what is missing to a goal, or the line's other counts."""
    if line.points:
        return ""
    short = [fact.counts[SHORT] for fact in line.evidence if SHORT in fact.counts]
    if short:
        return _("%(n)s short", n=short[-1]) if short[-1] else "✓"
    return words.line_counts(line)


def score_evidence(words: Words, facts: Iterable[Fact]) -> tuple[str, ...]:
    """The evidence of a line in words: cells and points, and what else is counted."""
    lines = []
    for fact in facts:
        others = [words.count_text(name, n, fact) for name, n in fact.counts.items() if name != "points"]
        cells = cell_names(words, fact.cells)
        counts = ", ".join([str(fact.counts["points"])] if "points" in fact.counts and not others else others)
        if cells or others:
            lines.append(_("%(who)s: %(what)s", who=cells, what=counts) if cells else counts)
    return tuple(lines)


def overview(lines_of: Mapping[Seat, Iterable[Line]]) -> tuple[Fact, ...]:
    """Cell -> the points that each player made there.

    A fact with as many points as cells gives one to each cell. Any other gives all of them to its first cell.
    """
    found: dict[Cell, dict[Seat, int]] = {}
    for seat, lines in lines_of.items():
        for fact in (fact for line in lines for fact in line.evidence if fact.cells):
            points = fact.counts.get("points", 0)
            shared = points == len(fact.cells)
            for cell in fact.cells if shared else fact.cells[:1]:
                counts = found.setdefault(cell, {})
                counts[seat] = counts.get(seat, 0) + (1 if shared else points)
    return tuple(Fact((cell,), counts) for cell, counts in found.items())


def table_standing(words: Words, ranked: Sequence[Place], totals: Mapping[Seat, int], *, over: bool) -> TableStanding:
    """Who is ahead, or has won. A game that points do not decide has sentences of its own."""
    first = ranked[0]
    alone = first.place == 1 and len(first.seats) == 1
    code = ("wins" if over else "leads") if alone else ("draw" if over else "level")
    if first.place is None and NOBODY in words.text.get("result", {}):
        code = NOBODY
    return TableStanding(code, first.seats, totals, winners(ranked) if over else None, is_first_by_points(ranked))


def is_first_by_points(ranked: Sequence[Place]) -> bool:
    """Whether points alone decide who is first, without a tie-break or another rule."""
    return ranked[0].decided_by == "total"


def standing_text(words: Words, how: TableStanding, names: Mapping[Seat, str]) -> str:
    """The sentence on who leads, or who has won."""
    who = format_list([names[seat] for seat in how.first], locale=words.language)
    who_with_points = format_list(
        [f"{names[seat]} ({how.points[seat]})" for seat in how.first if seat in how.points], locale=words.language
    )
    values = {"who": who, "scored": who_with_points, "points": "–".join(map(str, _in_order(how)))}
    if how.code in words.text.get("result", {}):
        return words.say("result", how.code, values, replace_codes=False)
    return _by_points(how.code, shared=len(how.first) < len(names)) % values


def _in_order(how: TableStanding) -> list[int]:
    """The points of the first players, in the order of their names, then those of the others, the most first. Without a
    ranking, all points, the most first.
    """
    first = () if how.code == NOBODY else how.first
    ahead = [how.points[seat] for seat in first if seat in how.points]
    return ahead + sorted((total for seat, total in how.points.items() if seat not in first), reverse=True)


def ranking(words: Words, sheet: Sheet, names: Mapping[Seat, str]) -> tuple[str, str]:
    """The sentence on who leads or has won, and the reason; no reason if the end of the game states it already."""
    how = table_standing(words, sheet.ranking, sheet.totals, over=sheet.ended is not None)
    first = sheet.ranking[0]
    is_end_reason = sheet.ended is not None and sheet.ended.rule == first.decided_by
    return standing_text(words, how, names), "" if is_end_reason else words.place_text(first)


def _by_points(code: str, *, shared: bool) -> str:
    """The sentence about who is first by points; `shared`: not all players are first."""
    everybody = {
        "wins": _("%(who)s wins, %(points)s"),
        "leads": _("%(who)s leads, %(points)s"),
        "draw": _("A draw, %(points)s"),
        "level": _("Level, %(points)s"),
    }
    some = {"draw": _("%(who)s win together, %(points)s"), "level": _("%(who)s lead together, %(points)s")}
    return (everybody | some if shared else everybody)[code]


def _other_readings(words: Words, sheet: Sheet) -> Iterator[OtherReading]:
    """What other readings would change, in words."""
    for change in sheet.sensitivity:
        if not change.changes:
            continue
        reading = words.text["readings"][change.key]
        what = f"{reading['title']} – {reading['values'][change.value]}"
        if change.winner_changes:
            yield OtherReading(what, reading_notes.score(words, change), decides=True)
        else:
            totals = ", ".join(f"{words.player(seat)} {total}" for seat, total in change.totals.items())
            yield OtherReading(f"{what} {totals}.", _("The first place stays the same."), decides=False)
