"""The panel of a move in the making: its questions, and the ruling on what has been answered so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rules.kernel import Cell, Seat
from service.texts import Words
from web.boards import Drawing, Shape
from web.boards.drafts import Draft
from web.look import Look
from web.phrases import upper
from web.placing import Verdict


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as a link. `id` is the same from one answer to the next, so that the focus stays."""

    id: str
    label: str
    href: str
    icon: tuple[Shape, ...]
    note: str
    chosen: bool
    possible: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its answers."""

    title: str
    form: str
    note: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """A move in the making; `judged` is the ruling on what it says already."""

    template: ClassVar[str] = "panel/draft.html"
    title: str
    icon: tuple[Shape, ...]
    questions: tuple[Asked, ...]
    lines: tuple[str, ...]
    judged: Verdict | None
    back: str


def drafted(
    words: Words, drawing: Drawing, draft: Draft, seat: Seat | None, judged: Verdict | None, look: Look
) -> Drafted:
    """The panel of a draft; `judged` is the panel of the move that it means already."""
    kind = look.kind or ""
    back = look.url(kind=None, so=None, show=None) if look.at else look.plain().url()
    return Drafted(
        upper(words.name(kind)),
        drawing.icon(kind, seat),
        tuple(
            Asked(
                question.title,
                question.form,
                question.note,
                tuple(
                    Answer(
                        f"q{number}-{place}",
                        tap.label,
                        look.url(so=tap.so or None, show=None),
                        tap.icon,
                        tap.note,
                        tap.chosen,
                        tap.possible,
                    )
                    for place, tap in enumerate(question.taps, 1)
                ),
            )
            for number, question in enumerate(draft.questions, 1)
        ),
        draft.lines,
        replace(judged, back=back) if judged else None,
        back,
    )


def leads(draft: Draft, look: Look) -> Mapping[Cell, str]:
    """Where a tap on the board leads while a move is in the making."""
    return {cell: look.url(so=so or None, show=None) for cell, so in draft.cells.items()}
