"""What lies on a table now, as it was entered, compared with the log; and the form to go on from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from flask import url_for

from rules.changes import PositionComparison, Reachability
from rules.kernel import Fact
from service.i18n.sentences import Words
from service.referee.enter_position import ComparedPosition
from service.tables.keys import HOST, Role
from service.types import AnyGame
from web.panels.sentences import new_key

MAX_TOLD: Final = 12
"""The maximum number of changes in sentences."""
SAME: Final = "same"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of a position with the log. `reachability` is None if the position has problems, which come first.

    `why` are rules with their sentences. `changed_cells` are the cells of the changes. `action`, `version`, `key` and
    `text` are the form's; `dispute`: the number of the dispute that the form settles; `back` leads to it then.
    `is_complete`: whether somebody entered all that the log needs.
    """

    back: str
    action: str
    version: int
    key: str
    text: str
    may_enter: bool
    reachability: str | None
    sentence: str
    why: tuple[tuple[str, str], ...]
    changes: tuple[str, ...]
    changed_cells: tuple[Fact, ...]
    trouble: str
    dispute: int | None
    is_complete: bool = True


def comparison_of(
    found: ComparedPosition, role: Role, text: str, words: Words, trouble: str = "", dispute: int | None = None
) -> Comparison:
    """The comparison of a position that is entered at a table; where it settles a dispute, of that number."""
    table, comparison = found.table, found.comparison
    path: dict[str, Any] = {"table_id": table.id, "dispute": dispute}
    changes = () if comparison is None else comparison.changes
    reachability, sentence = (None, "") if comparison is None else _reachability(table.game, comparison, words)
    return Comparison(
        url_for("web.board" if dispute is None else "web.dispute", **path),
        url_for("web.enter_here", **path),
        table.version,
        new_key(),
        text,
        role.kind == HOST,
        reachability,
        sentence,
        tuple((each.rule, words.objection_text(each)) for each in (comparison.why if comparison else ())),
        tuple(map(words.change_text, changes[:MAX_TOLD])),
        tuple(Fact(each.cells) for each in changes if each.cells),
        trouble,
        dispute,
    )


def _reachability(game: AnyGame, comparison: PositionComparison, words: Words) -> tuple[str, str]:
    """Whether play can have led to a position, as the panel marks it, and the sentence that says so."""
    way = tuple(map(game.write, comparison.way))
    is_same = comparison.reachability is Reachability.POSSIBLE and not way
    name = comparison.reachability.value
    return SAME if is_same else name, words.reachability_text(name, way, comparison.why, comparison.searched_depth)
