"""The panels of placing: where a piece may go, what may go on a cell, and the verdict on a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rules.kernel import Due, Ruling, Seat
from service.rulings import AnyGame, Judgement
from service.texts import Words
from web.boards import Drawing, Option, Shape, Spot
from web.language import _
from web.look import Look
from web.phrases import Reason, cell_name, new_key, phrase, reasons, upper
from web.scene import Pan

MOST_READINGS: Final = 4


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece that is due: a button that shows where it may go."""

    name: str
    icon: tuple[Shape, ...]
    places: int
    href: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing is chosen: what is due, and where it may go."""

    template: ClassVar[str] = "panel/idle.html"
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of move at the chosen cell. `play` is the notation where there is one legal way, to place it at once."""

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
    """A move is asked about: the ruling and its reasons. `others` are sentences about other readings."""

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


# --- making them ----------------------------------------------------------------------------------------------------


def idle(words: Words, drawing: Drawing, due: Due, legal: Sequence[Any], look: Look) -> Idle:
    """The panel while nothing is chosen."""
    return Idle(
        tuple(
            Kind(
                upper(words.name(kind)),
                drawing.icon(kind, due.seat),
                sum(1 for move in legal if move.kind == kind),
                look.plain().url(kind=None if look.kind == kind else kind),
                look.kind == kind,
            )
            for kind in due.kinds
        )
    )


def option_at(options: Sequence[Option], kind: str | None) -> Option | None:
    """The option of a kind, if the cell has it."""
    return next((option for option in options if option.kind == kind), None)


def choice(
    words: Words,
    drawing: Drawing,
    game: AnyGame,
    state: Any,
    spot: Spot,
    pans: tuple[Pan, ...],
    look: Look,
) -> Choice:
    """The panel of a chosen cell: its kinds, or the ways of the kind that was chosen."""
    seat = game.due(state).seat
    options = drawing.options(state, spot.cell)
    chosen = option_at(options, look.kind)
    if chosen and len(chosen.moves) > 1:
        rows = tuple(_way(words, drawing, game, state, seat, move, look) for move in chosen.moves)
        return Choice(spot, pans, rows, (), words.name(chosen.kind), look.url(kind=None))
    rows = tuple(_kind(words, drawing, game, state, seat, option, look) for option in options if option.usual)
    others = tuple(_kind(words, drawing, game, state, seat, option, look) for option in options if not option.usual)
    first = sorted(rows, key=lambda row: not row.legal)
    return Choice(spot, pans, tuple(first), others, None, look.plain().url(kind=look.kind))


def _kind(
    words: Words, drawing: Drawing, game: AnyGame, state: Any, seat: Seat | None, option: Option, look: Look
) -> Row:
    if len(option.moves) == 1:
        return _way(words, drawing, game, state, seat, option.moves[0], look, name=words.name(option.kind))
    verdicts = [game.check(state, move) for move in option.moves]
    legal = [move for move, verdict in zip(option.moves, verdicts, strict=True) if verdict.legal]
    if legal:
        note = _("%(legal)s of %(all)s ways", legal=len(legal), all=len(option.moves))
    else:
        broken = [set(verdict.broken) for verdict in verdicts]
        note = _titles(words, [rule for rule in verdicts[0].broken if all(rule in each for each in broken)])
    only = game.write(legal[0]) if len(legal) == 1 else None
    icon = drawing.icon(option.kind, seat)
    return Row(upper(words.name(option.kind)), icon, look.url(kind=option.kind), bool(legal), note, only, new_key())


def _way(
    words: Words,
    drawing: Drawing,
    game: AnyGame,
    state: Any,
    seat: Seat | None,
    move: Any,
    look: Look,
    name: str | None = None,
) -> Row:
    verdict = game.check(state, move)
    name = name or "–".join(map(cell_name, game.cells_of(move)))
    notation = game.write(move)
    note = _("Legal") if verdict.legal else _titles(words, verdict.broken)
    play = notation if verdict.legal else None
    return Row(
        upper(name), drawing.icon(move.kind, seat), look.url(move=notation), verdict.legal, note, play, new_key()
    )


def _titles(words: Words, broken: Sequence[str]) -> str:
    """The rule that objects first, by its title."""
    return words.text["rules"][broken[0]]["title"] if broken else _("Not legal")


def verdict(words: Words, drawing: Drawing, judgement: Judgement, look: Look) -> Verdict:
    """The panel of a move that is asked about."""
    game = judgement.game
    return Verdict(
        upper(phrase(words, game, judgement.move)),
        judgement.notation,
        judgement.ruling.value,
        drawing.icon(judgement.move.kind, judgement.seat),
        reasons(words, judgement.verdict.findings, look),
        tuple(_other_readings(words, judgement))[:MOST_READINGS],
        tuple(
            (upper(phrase(words, game, move)), look.url(move=game.write(move), at=None, show=None))
            for move in judgement.nearest
        ),
        judgement.cannot_stand is not None,
        new_key(),
        look.url(move=None, show=None),
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
