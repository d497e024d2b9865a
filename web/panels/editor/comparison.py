"""The real position of a table, as entered, compared with the log; and the form to continue from it."""

from __future__ import annotations

from typing import Any

from flask import url_for

from rules.changes import PositionComparison, Reachability
from rules.kernel import Fact
from rules.records import dataclass
from service.i18n.sentences import Words
from service.referee.enter_position import ComparedPosition
from service.types import AnyGame
from web.browser.language import _
from web.panels.sentences import new_key


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of a position with the log: a `sentence` says whether play can have led there.

    `why`: rules with their sentences, for the problems of the position. `changed_cells`: the cells of the changes.
    `action`, `version`, `key` and `text` are the form's; `dispute`: the number of the dispute that the form settles,
    to which `back` then leads. `may_enter`: whether the position is valid and differs from the log's.
    """

    back: str
    action: str
    version: int
    key: str
    text: str
    sentence: str
    why: tuple[tuple[str, str], ...]
    changes: tuple[str, ...]
    changed_cells: tuple[Fact, ...]
    trouble: str
    dispute: int | None
    may_enter: bool


def comparison_of(
    found: ComparedPosition, text: str, words: Words, trouble: str = "", dispute: int | None = None
) -> Comparison:
    """The comparison for a position entered at a table; `dispute`: the number of the dispute that it settles."""
    table, comparison = found.table, found.comparison
    path: dict[str, Any] = {"table_id": table.id, "dispute": dispute}
    changes = () if comparison is None else comparison.changes
    if comparison is None:
        sentence, may_enter = _("This is impossible"), False
        why = [(each.rule, words.finding_text(each)) for each in found.problems]
    else:
        sentence, may_enter = _reachability(table.game, comparison, words)
        why = [(each.rule, words.objection_text(each)) for each in comparison.why]
    return Comparison(
        url_for("web.board" if dispute is None else "web.dispute", **path),
        url_for("web.enter_here", **path),
        table.version,
        new_key(),
        text,
        sentence,
        tuple(why),
        tuple(map(words.change_text, changes)),
        tuple(Fact(each.cells) for each in changes if each.cells),
        trouble,
        dispute,
        may_enter,
    )


def _reachability(game: AnyGame, comparison: PositionComparison, words: Words) -> tuple[str, bool]:
    """The sentence on whether play can have led to a position, and whether it differs from the log's."""
    way = tuple(map(game.write, comparison.way))
    is_same = comparison.reachability is Reachability.POSSIBLE and not way
    name = comparison.reachability.value
    return words.reachability_text(name, way, comparison.why, comparison.searched_depth), not is_same
