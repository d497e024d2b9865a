"""Brushes of Villa Paletti: choose a number of columns once; each tap on a group then adds this number to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.kernel import Cell
from rules.villa_paletti.columns import SUPPLY, Group
from rules.villa_paletti.moves import Abort, Column
from service.i18n.sentences import Words
from web.game_pages import ERASER, Brush, BrushGroup, Snapshot, Stroke, Touch
from web.games.villa_paletti.entry import LOCKED, is_unseen, numbers_of, state_of, with_columns, with_number
from web.games.villa_paletti.questions.options import group_of
from web.games.villa_paletti.symbols import sketch

NUMBERS: Final = {f"n{number}": number for number in range(1, max(SUPPLY.values()) + 1)}
SAMPLE: Final = Group("red", "small", 0)


def brushes(_snapshot: Snapshot, _chosen: str, words: Words) -> Sequence[BrushGroup]:
    """Each number of columns, and a lock on all columns of a group."""
    picture = sketch(Column(*SAMPLE), None)
    found = [
        Brush(code, words.say("board", "edit_n", {"n": n}), words.say("board", "brush_n", {"n": n}), picture)
        for code, n in NUMBERS.items()
    ]
    locked = words.say("board", "brush_locked")
    found.append(Brush(LOCKED, locked, locked, sketch(Abort(*SAMPLE), None)))
    return (BrushGroup(words.say("board", "edit_columns"), tuple(found), words.say("board", "brush_columns")),)


def paint(snapshot: Snapshot, code: str) -> Touch:
    """The effect of a brush on each group."""
    state = state_of(snapshot)

    def touch(cell: Cell) -> Stroke | None:
        group = group_of(state, cell)
        if group is None:
            return None
        n, locked = numbers_of(snapshot.position, group)
        if code == ERASER:
            now = with_columns(snapshot, group, 0, 0)
            return Stroke(now, takes=True) if n or is_unseen(snapshot.position, group) else None
        if code == LOCKED:
            return Stroke(with_columns(snapshot, group, n, 0 if locked == n else n), locked == n) if n else None
        number = NUMBERS.get(code, 0)
        return Stroke(with_number(snapshot, group, n + number)) if 0 < number <= SUPPLY[group.shape] - n else None

    return touch
