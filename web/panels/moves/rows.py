"""The rows below a chosen cell: what may go there, and what may not, by the rule that objects."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import Final, TypeAlias

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
"""What the id of an element does without."""
CLAUSE_END: Final = re.compile(r"[,;:]\s|\s\(")
"""Where a clause ends."""
FEW_MOVES: Final = 2
OPEN_STEPS: Final = BUDGET // 4
"""So many steps the rulings at a cell take where something is unknown; what takes more is ruled on when it is asked."""
AnyOption: TypeAlias = Option[Move]


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A kind of move at the chosen cell. `play` is the notation where there is one legal move, to place it at once;
    `rule` the title of the rule that objects; `is_due` whether it is a kind of move that is due.
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
    """Why some kinds of moves may not be made at a cell, by the rule that objects to all of them."""

    rows: tuple[MoveRow, ...]

    @property
    def note(self) -> str:
        """The sentence of these moves, as far as it is the same for all; else the title of the rule."""
        notes = {row.note for row in self.rows}
        return next(iter(notes)) if len(notes) == 1 else common_clause(notes) or self.rows[0].rule

    @property
    def told_by_pictures(self) -> bool:
        """Whether the pictures of the pieces differ."""
        pictures = [row.icon for row in self.rows if row.icon]
        return len(pictures) == len(self.rows) and all(pictures.count(one) == 1 for one in pictures)


def common_clause(sentences: Collection[str]) -> str:
    """With what all of these sentences begin, up to the end of a clause.

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
    """What may not go there, by the rule that objects; first what is due, then the rule with the most usual rows."""
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
    """What the player due could do: makes the rows of a choice."""

    context: Context
    cell: Cell
    steps: int
    """So many each ruling may take where something is unknown."""

    @classmethod
    def of(cls, context: Context, cell: Cell, options: Sequence[AnyOption]) -> Rows:
        """What makes the rows of all these options."""
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
        """The verdict on a move; None where what is unknown leaves it open, or is too much to tell."""
        state, unknown = self.context.state, self.context.unknown
        if not unknown:
            return self.game.check(state, move)
        with suppress(NoFilling):  # what the ruling itself says when it is asked
            found = within(self.steps, lambda: judge_open(self.game, state, unknown, move))
            return None if found is None or found.verdict.ruling is Ruling.UNPROVEN else found.verdict
        return None

    def verdicts(self, moves: Sequence[Move]) -> list[Verdict]:
        """The verdicts on some moves; where something is unknown, on all or on none: what is refused for certain."""
        found = []
        for move in moves:
            verdict = self.check(move)
            if verdict is None or (self.context.unknown and verdict.legal):
                return []
            found.append(verdict)
        return found

    def kind(self, option: AnyOption) -> Iterator[MoveRow]:
        """A kind of move at the chosen cell; where few of its moves are legal, each of these at once."""
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
            note = _("Not legal in %(n)s other ways", n=len(option.moves) - len(legal))
            yield self.kind_row(option, name, note, legal=False)

    def only_row(self, option: AnyOption, name: str) -> MoveRow:
        """The one move of a kind. What of it is not known yet, or is made up here, is asked first."""
        only, kind = option.moves[0], option.kind
        several = len(self.game.cells_of(only)) > 1
        label = self.label(name, self.names([only])[0]) if several else name
        row = self.move_row(only, label, "" if several else kind, kind)
        if self.context.is_example(kind, self.cell):
            return replace(row, href=self.context.address.url(kind=kind, so=NO_ANSWER))
        if (row.legal and self.context.draft(kind, self.cell)) or (self.context.unknown and not several):
            return replace(row, href=self.context.address.url(kind=kind))
        return row

    def others(self, options: Sequence[AnyOption]) -> tuple[MoveRow, ...]:
        """The rows of what a player would not think of."""
        return tuple(row for option in options if not option.usual for row in self.kind(option))

    def move_row(self, move: Move, name: str, id_: str = "", kind: str = "") -> MoveRow:
        """A move; `kind` is the option's that it belongs to, where that is not the move's own."""
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
        """The moves of a kind together, with the piece as the player due would place it."""
        icon = self.context.icon(option.kind)
        href = self.context.address.url(kind=option.kind)
        id_, is_due = NO_NAME.sub("_", option.kind), option.kind in self.context.due.kinds
        return MoveRow(id_, name, icon, href, legal, note, None, new_key(), rule, is_due)

    def names(self, moves: Sequence[Move]) -> list[str]:
        """What tells the moves of an option apart: their cells; or the whole moves in words where cells have no names;
        where these are the same, a number.
        """
        names = [cell_labels(self.game, move) for move in moves]
        if not all(names):
            phrases = [phrase(self.words, self.game, move, self.context.state) for move in moves]
            names = distinct_phrases(self.game, phrases, moves, self.cell)
        alike = (names[:number].count(name) + 1 if names.count(name) > 1 else 0 for number, name in enumerate(names))
        return [f"{name} ({nth})" if nth else name for name, nth in zip(names, alike, strict=True)]

    def label(self, name: str, move_name: str) -> str:
        """A move as it is named, with its kind where it does not say that itself."""
        return capitalise(move_name) if move_name.casefold().startswith(name.casefold()) else f"{name} {move_name}"

    def objection(self, verdicts: Sequence[Verdict]) -> tuple[str, str]:
        """Why none of these moves may be made: what the first rule that objects to all says, and its title."""
        first = verdicts[0]
        for finding in first.findings:
            if finding.ruling is not Ruling.LEGAL and all(finding.rule in other.broken_rules for other in verdicts):
                return self.words.finding_text(finding), self.words.text["rules"][finding.rule]["title"]
        return _("None of %(all)s ways is legal", all=len(verdicts)), ""
