"""The panels of placing: where a piece may go, what may go on a cell, and the verdict on a move."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from rules.kernel import Cell, Due, Ruling, Seat
from rules.kernel import Verdict as KernelVerdict
from service.datatypes import AnyGame
from service.judgements import Judgement
from service.texts import Words
from web.boards import Drawing, Option, Shape, Spot, Telling, sketch_of
from web.boards.drafts import draft_of
from web.language import _
from web.look import Look
from web.phrases import Reason, cell_name, new_key, phrase, reasons, upper
from web.scene import Pan

MOST_READINGS: Final = 4
NO_NAME: Final = re.compile("[^A-Za-z0-9-]+")
"""What the id of an element does without."""
FEW_WAYS: Final = 2


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of move that is due: a button that shows where it may go. `possible`: some move of it is legal."""

    name: str
    icon: tuple[Shape, ...]
    places: int
    possible: bool
    href: str
    chosen: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing is chosen: what is due, and where it may go. `seldom` is folded away."""

    template: ClassVar[str] = "panel/idle.html"
    kinds: tuple[Kind, ...]
    seldom: tuple[Kind, ...] = ()
    hint: str = ""

    @property
    def noted(self) -> bool:
        """Whether there is more to say than where it may go: then the kinds are a list."""
        return any(kind.note for kind in self.kinds)

    @property
    def places(self) -> bool:
        """Whether there are cells to choose from."""
        return any(kind.places > 1 for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of move at the chosen cell. `play` is the notation where there is one legal way, to place it at once."""

    id: str
    name: str
    icon: tuple[Shape, ...]
    href: str
    legal: bool
    note: str
    play: str | None
    key: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A cell is chosen: what may go there, and what may not and why."""

    template: ClassVar[str] = "panel/choice.html"
    spot: Spot
    pans: tuple[Pan, ...]
    rows: tuple[Row, ...]
    others: tuple[Row, ...]
    kind: str | None
    back: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """A move is asked about: the ruling and its reasons. `others` are sentences about other readings, `handling` what
    the hands have to observe, which no program sees. `any_time`: it may be played out of turn.
    """

    template: ClassVar[str] = "panel/verdict.html"
    move: str
    notation: str
    ruling: str
    icon: tuple[Shape, ...]
    reasons: tuple[Reason, ...]
    others: tuple[str, ...]
    nearest: tuple[tuple[str, str], ...]
    cannot_stand: bool
    key: str
    back: str
    handling: tuple[str, ...] = ()
    any_time: bool = False


# --- making them ----------------------------------------------------------------------------------------------------


def idle(words: Words, drawing: Drawing, game: AnyGame, state: Any, due: Due, legal: Sequence[Any], look: Look) -> Idle:
    """The panel while nothing is chosen. A kind whose questions come before any cell has no places."""
    telling = drawing if isinstance(drawing, Telling) else None

    def made(kind: str) -> Kind:
        moves = [move for move in legal if move.kind == kind]
        cells = {cells for move in moves if (cells := game.cells_of(move)[:1])}
        return Kind(
            upper(words.name(kind)),
            drawing.icon(kind, due.seat),
            0 if cells and draft_of(drawing, state, kind, None, (), words) else len(cells),
            bool(moves),
            _leads(game, moves, kind, look),
            look.kind == kind,
            telling.tells(state, kind, words, possible=bool(moves)) if telling else "",
        )

    seldom = telling.seldom if telling else ()
    return Idle(
        tuple(made(kind) for kind in due.kinds if kind not in seldom),
        tuple(made(kind) for kind in due.kinds if kind in seldom),
        words.text.get("board", {}).get("idle", ""),
    )


def _leads(game: AnyGame, legal: Sequence[Any], kind: str, look: Look) -> str:
    """Where the button of a kind leads: it shows where it may go, or asks about the one move that there is."""
    if len(legal) == 1:
        return look.plain().url(move=game.write(legal[0]))
    return look.plain().url(kind=None if look.kind == kind else kind)


def option_at(options: Sequence[Option], kind: str | None) -> Option | None:
    """The option of a kind, if the cell has it."""
    return next((option for option in options if option.kind == kind), None)


def only_kind(options: Sequence[Option]) -> str | None:
    """The one kind that a player would think of at a cell, if it is one."""
    usual = [option.kind for option in options if option.usual]
    return usual[0] if len(usual) == 1 else None


@dataclass(frozen=True, slots=True)
class _Hand:
    """What the player due could do: makes the rows of a choice."""

    words: Words
    drawing: Drawing
    game: AnyGame
    state: Any
    cell: Cell
    seat: Seat | None
    look: Look

    def kind(self, option: Option) -> Iterator[Row]:
        """A kind of move at the chosen cell; where few of its ways are legal, each of these at once."""
        name = upper(self.words.name(option.kind))
        asks = draft_of(self.drawing, self.state, option.kind, self.cell, (), self.words)
        if len(option.moves) == 1:
            only = option.moves[0]
            several = len(self.game.cells_of(only)) > 1
            label = f"{name} {self.where(only)}" if several else name
            row = self.way(only, label, "" if several else option.kind, option.kind)
            yield replace(row, href=self.look.url(kind=option.kind)) if asks else row
            return
        verdicts = [self.game.check(self.state, move) for move in option.moves]
        legal = [move for move, verdict in zip(option.moves, verdicts, strict=True) if verdict.legal]
        if len(legal) > FEW_WAYS or (asks and legal):
            some = _("Legal: %(legal)s of %(all)s ways", legal=len(legal), all=len(option.moves))
            note = some if len(legal) < len(option.moves) else _("Legal in %(n)s ways", n=len(legal))
            yield self.ways(option, name, note, legal=True)
            return
        names = dict(zip(option.moves, self.names(option), strict=True))
        for move in legal:
            yield self.way(move, f"{name} {names[move]}", names[move], option.kind)
        if not legal:
            yield self.ways(option, name, self.objection(verdicts), legal=False)
        elif len(legal) < len(option.moves):
            note = _("Not legal in %(n)s other ways", n=len(option.moves) - len(legal))
            yield self.ways(option, name, note, legal=False)

    def others(self, options: Sequence[Option]) -> tuple[Row, ...]:
        """The rows of what a player would not think of."""
        return tuple(row for option in options if not option.usual for row in self.kind(option))

    def way(self, move: Any, name: str, id_: str = "", kind: str = "") -> Row:
        """One way to make a move; `kind` is the option's that it belongs to, where that is not the move's own."""
        verdict = self.game.check(self.state, move)
        notation = self.game.write(move)
        note = _("Legal") if verdict.legal else self.objection([verdict])
        play = notation if verdict.legal else None
        id_ = NO_NAME.sub("_", (id_ or self.where(move)).replace("–", ""))
        icon = sketch_of(self.drawing, move, self.seat, kind)
        return Row(id_, name, icon, self.look.url(move=notation), verdict.legal, note, play, new_key())

    def ways(self, option: Option, name: str, note: str, *, legal: bool) -> Row:
        """The ways of a kind together, with the piece as the player due would place it."""
        icon = self.drawing.icon(option.kind, self.seat)
        return Row(option.kind, name, icon, self.look.url(kind=option.kind), legal, note, None, new_key())

    def where(self, move: Any) -> str:
        """The cells of a move."""
        return "–".join(map(cell_name, self.game.cells_of(move)))

    def names(self, option: Option) -> list[str]:
        """What tells the ways of an option apart: their cells or, where these are the same, the notation."""
        names = [self.where(move) for move in option.moves]
        return names if len(set(names)) == len(names) else [self.game.write(move) for move in option.moves]

    def objection(self, verdicts: Sequence[KernelVerdict]) -> str:
        """Why none of these moves may be made: the first rule that objects to all of them."""
        first = verdicts[0]
        for finding in first.findings:
            if finding.ruling is not Ruling.LEGAL and all(finding.rule in other.broken for other in verdicts):
                return self.words.finding(finding)
        return _("None of %(all)s ways is legal", all=len(verdicts))


def choice(
    words: Words,
    drawing: Drawing,
    game: AnyGame,
    state: Any,
    spot: Spot,
    options: Sequence[Option],
    pans: tuple[Pan, ...],
    look: Look,
) -> Choice:
    """The panel of a chosen cell: its kinds, or the ways of the kind that was chosen."""
    hand = _Hand(words, drawing, game, state, spot.cell, game.due(state).seat, look)
    chosen = option_at(options, look.kind)
    if chosen and len(chosen.moves) > 1:
        named = zip(chosen.moves, hand.names(chosen), strict=True)
        ways = tuple(hand.way(move, name, name, chosen.kind) for move, name in named)
        return Choice(spot, pans, ways, (), words.name(chosen.kind), look.url(kind=None))
    rows = [row for option in options if option.usual for row in hand.kind(option)]
    rows.sort(key=lambda row: not row.legal)
    back = look.plain().url(kind=look.kind)
    return Choice(spot, pans, tuple(rows), hand.others(options), None, back)


def others(
    words: Words, drawing: Drawing, game: AnyGame, state: Any, spot: Spot, options: Sequence[Option], look: Look
) -> tuple[Row, ...]:
    """What a player would not think of at a cell, but could do."""
    return _Hand(words, drawing, game, state, spot.cell, game.due(state).seat, look).others(options)


def verdict(
    words: Words, drawing: Drawing, judgement: Judgement, look: Look, handling: tuple[str, ...] = ()
) -> Verdict:
    """The panel of a move that is asked about."""
    game = judgement.game
    return Verdict(
        upper(phrase(words, game, judgement.move)),
        judgement.notation,
        judgement.ruling.value,
        sketch_of(drawing, judgement.move, judgement.seat),
        reasons(words, judgement.verdict.findings, look),
        tuple(_other_readings(words, judgement))[:MOST_READINGS],
        tuple(
            (upper(phrase(words, game, move)), look.url(move=game.write(move), at=None, show=None))
            for move in judgement.nearest
        ),
        judgement.cannot_stand is not None,
        new_key(),
        look.url(move=None, show=None),
        handling,
        judgement.move.kind in game.any_time,
    )


def _other_readings(words: Words, judgement: Judgement) -> Iterator[str]:
    for other in judgement.others:
        reading = words.text["readings"][other.key]
        if other.ruling is Ruling.LEGAL:
            sentence = _("It would be legal under another reading")
        elif other.ruling is Ruling.ILLEGAL:
            sentence = _("It would not be legal under another reading")
        else:
            sentence = _("It would be open under another reading")
        yield f"{sentence}: {reading['title']} – {reading['values'][other.value]}"
