"""The rows below a chosen cell: what may go there, and what may not, by the rule that objects."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import Final, TypeAlias

from flask_babel import ngettext  # type: ignore[import-untyped]

from rules.kernel import Cell, Ruling, Verdict
from rules.records import dataclass
from rules.steps import within
from rules.unknowns import NoFilling
from rules.unknowns import judge as judge_open
from service.i18n.sentences import Words
from service.runtime.budget import BUDGET
from service.types import AnyGame, Move
from web.board.shapes import Shape
from web.browser.language import _
from web.game_pages import Option
from web.panels.context import NO_ANSWER, Context
from web.panels.sentences import capitalise, cell_labels, distinct_phrases, new_key, phrase

NO_NAME: Final = re.compile("[^A-Za-z0-9-]+")
"""Signs that the id of an element replaces."""
CLAUSE_END: Final = re.compile(r"[,;:]\s|\s\(")
"""Where a clause ends."""
FEW_MOVES: Final = 2
OPEN_STEPS: Final = BUDGET // 4
"""The maximum steps for the rulings at a cell if something is unknown; the others are ruled on only when asked."""
AnyOption: TypeAlias = Option[Move]


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A move, or a kind of move, at the chosen cell. `play`: the notation of a legal move, to place it at once; `rule`:
    the title of the rule that objects; `is_due`: whether its kind is due.
    """

    id: str
    name: str
    icon: tuple[Shape, ...]
    href: str
    legal: bool
    note: str
    play: str | None
    key: str
    rule: str = ""
    is_due: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refused moves at a cell, and the rule that objects to all of them."""

    rows: tuple[MoveRow, ...]

    @property
    def note(self) -> str:
        """The common part of the sentences of these moves; else the title of the rule."""
        notes = {row.note for row in self.rows}
        return next(iter(notes)) if len(notes) == 1 else common_clause(notes) or self.rows[0].rule

    @property
    def told_by_pictures(self) -> bool:
        """Whether the pictures of the pieces differ."""
        pictures = [row.icon for row in self.rows if row.icon]
        return len(pictures) == len(self.rows) and all(pictures.count(one) == 1 for one in pictures)


def common_clause(sentences: Collection[str]) -> str:
    """The common beginning of sentences, up to the end of a clause.

    >>> common_clause(["It begins with a rampart, not with a house.", "It begins with a rampart, not with a nave."])
    'It begins with a rampart.'
    >>> common_clause(["Not this.", "Nor that."])
    ''
    """
    alike = takewhile(lambda letters: len({*letters}) == 1, zip(*sentences, strict=False))
    shared = "".join(letters[0] for letters in alike)
    sentence, stop, _rest = shared.rpartition(". ")
    if stop:
        return f"{sentence}."
    clauses = [shared[: end.start()].rstrip() for end in CLAUSE_END.finditer(shared)]
    outside = [clause for clause in clauses if clause.count("(") == clause.count(")")]
    return f"{outside[-1]}." if outside else ""


def refusals(usual: Sequence[MoveRow], others: Sequence[MoveRow]) -> tuple[Refusal, ...]:
    """The refused moves by the rule that objects; first what is due, then the rule with the most usual rows."""
    refused: dict[str, list[MoveRow]] = {}
    for row in (*usual, *others):
        if not row.legal:
            refused.setdefault(row.rule or row.note, []).append(row)

    def weight(rows: Sequence[MoveRow]) -> tuple[int, int, int]:
        found = [row for row in rows if row in usual]
        return sum(row.is_due for row in found), len(found), len(rows)

    return tuple(Refusal(tuple(rows)) for rows in sorted(refused.values(), key=weight, reverse=True))


@dataclass(frozen=True, slots=True)
class Rows:
    """Makes the rows for the moves of the player due at a cell."""

    context: Context
    cell: Cell
    steps: int
    """The maximum steps for each ruling if something is unknown."""

    @classmethod
    def of(cls, context: Context, cell: Cell, options: Sequence[AnyOption]) -> Rows:
        """The maker of rows for all these options."""
        return cls(context, cell, OPEN_STEPS // max(1, sum(len(option.moves) for option in options)))

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.context.game

    @property
    def words(self) -> Words:
        """The words."""
        return self.context.words

    def check(self, move: Move) -> Verdict | None:
        """The verdict on a move; None if the unknown cells leave it open, or are too many to decide."""
        state, unknown = self.context.state, self.context.unknown
        if not unknown:
            return self.game.check(state, move)
        with suppress(NoFilling):  # the panel of the ruling reports it
            found = within(self.steps, lambda: judge_open(self.game, state, unknown, move))
            return None if found is None or found.verdict.ruling is Ruling.UNPROVEN else found.verdict
        return None

    def verdicts(self, moves: Sequence[Move]) -> list[Verdict]:
        """The verdicts on some moves. If something is unknown, only if all of them are certain refusals; else empty."""
        found = []
        for move in moves:
            verdict = self.check(move)
            if verdict is None or (self.context.unknown and verdict.legal):
                return []
            found.append(verdict)
        return found

    def kind(self, option: AnyOption) -> Iterator[MoveRow]:
        """The rows of a kind of move at the chosen cell; if few of its moves are legal, a row for each of these."""
        name = capitalise(self.words.name(option.kind))
        if len(option.moves) == 1:
            yield self.only_row(option, name)
            return
        asks = self.context.draft(option.kind, self.cell)
        verdicts = self.verdicts(option.moves)
        if not verdicts:
            yield self.kind_row(option, name, "", legal=True)
            return
        legal = [move for move, verdict in zip(option.moves, verdicts, strict=True) if verdict.legal]
        if len(legal) > FEW_MOVES or (asks and legal):
            some = _("Legal: %(legal)s of %(all)s ways", legal=len(legal), all=len(option.moves))
            note = some if len(legal) < len(option.moves) else _("Legal in %(n)s ways", n=len(legal))
            yield self.kind_row(option, name, note, legal=True)
            return
        names = dict(zip(option.moves, self.names(option.moves), strict=True))
        for move in legal:
            yield self.move_row(move, self.label(name, names[move]), names[move], option.kind)
        if not legal:
            yield self.kind_row(option, name, *self.objection(verdicts), legal=False)
        elif len(legal) < len(option.moves):
            n = len(option.moves) - len(legal)
            note = ngettext("Not legal in %(num)s other way", "Not legal in %(num)s other ways", n)
            yield self.kind_row(option, name, note, legal=False)

    def only_row(self, option: AnyOption, name: str) -> MoveRow:
        """The only move of a kind. The row leads to its questions first, if some are open or the move is an example."""
        only, kind = option.moves[0], option.kind
        several = len(self.game.cells_of(only)) > 1
        label = self.label(name, self.names([only])[0]) if several else name
        row = self.move_row(only, label, "" if several else kind, kind)
        questions = self.context.draft(kind, self.cell)
        if self.context.is_example(kind, self.cell, questions):
            return replace(row, href=self.context.address.url(kind=kind, so=NO_ANSWER))
        if (row.legal and questions) or (self.context.unknown and not several):
            return replace(row, href=self.context.address.url(kind=kind))
        return row

    def others(self, options: Sequence[AnyOption]) -> tuple[MoveRow, ...]:
        """The rows of unlikely moves."""
        return tuple(row for option in options if not option.usual for row in self.kind(option))

    def move_row(self, move: Move, name: str, id_: str = "", kind: str = "") -> MoveRow:
        """The row of a move; `kind`: the kind of its option, if that is not the move's own."""
        verdict = self.check(move)
        notation, legal = self.game.write(move), verdict is None or verdict.legal
        note, rule = ("", "") if verdict is None else (_("Legal"), "") if legal else self.objection([verdict])
        play = notation if legal and not self.context.unknown else None
        id_ = NO_NAME.sub("_", (id_ or cell_labels(self.game, move) or notation).replace("–", ""))
        icon = self.context.pages.picture(self.context.state, move, self.context.due.seat, kind or move.kind)
        href = self.context.address.url(move=notation)
        is_due = (kind or move.kind) in self.context.due.kinds
        return MoveRow(id_, name, icon, href, legal, note, play, new_key(), rule, is_due)

    def kind_row(self, option: AnyOption, name: str, note: str, rule: str = "", *, legal: bool) -> MoveRow:
        """One row for all moves of a kind, with the piece of the player due."""
        icon = self.context.icon(option.kind)
        href = self.context.address.url(kind=option.kind)
        id_, is_due = NO_NAME.sub("_", option.kind), option.kind in self.context.due.kinds
        return MoveRow(id_, name, icon, href, legal, note, None, new_key(), rule, is_due)

    def names(self, moves: Sequence[Move]) -> list[str]:
        """Names that distinguish the moves of an option: their cells; or whole phrases, if cells have no names; with a
        number where these are equal.
        """
        names = [cell_labels(self.game, move) for move in moves]
        if not all(names):
            phrases = [phrase(self.words, self.game, move, self.context.state) for move in moves]
            names = distinct_phrases(self.game, phrases, moves, self.cell)
        alike = (names[:number].count(name) + 1 if names.count(name) > 1 else 0 for number, name in enumerate(names))
        return [f"{name} ({nth})" if nth else name for name, nth in zip(names, alike, strict=True)]

    def label(self, name: str, move_name: str) -> str:
        """The name of a move, with its kind unless it begins with that."""
        return capitalise(move_name) if move_name.casefold().startswith(name.casefold()) else f"{name} {move_name}"

    def objection(self, verdicts: Sequence[Verdict]) -> tuple[str, str]:
        """The reason against all of these moves: the sentence of the first rule that objects to all, and its title."""
        first = verdicts[0]
        for finding in first.findings:
            if finding.ruling is not Ruling.LEGAL and all(finding.rule in other.broken_rules for other in verdicts):
                return self.words.finding_text(finding), self.words.text["rules"][finding.rule]["title"]
        return _("None of %(all)s ways is legal", all=len(verdicts)), ""
