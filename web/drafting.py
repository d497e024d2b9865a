"""The panel of a move in the making: its questions, and the ruling on what has been answered so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rules.kernel import Cell, Seat
from service.texts import Words
from web.boards import Drawing, Shape, Spot
from web.boards.drafts import Draft, Question
from web.look import Look
from web.phrases import upper
from web.placing import Row, Verdict
from web.scene import Pan


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
    legal: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its answers."""

    id: str
    title: str
    form: str
    note: str
    answers: tuple[Answer, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Making:
    """What is being made, by whom, and where. `leave` is where the cross leads, `pans` to the cells beside this one;
    `others` is what else could be done here.
    """

    kind: str
    seat: Seat | None
    spot: Spot | None
    leave: str
    pans: tuple[Pan, ...] = ()
    others: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Drafted:
    """A move in the making; `judged` is the ruling on what it says already. `aside` is what is folded away."""

    template: ClassVar[str] = "panel/draft.html"
    title: str
    icon: tuple[Shape, ...]
    questions: tuple[Asked, ...]
    aside: tuple[Asked, ...]
    lines: tuple[str, ...]
    judged: Verdict | None
    making: Making

    @property
    def unfolded(self) -> bool:
        """Whether an answer was given to what is folded away."""
        return any(answer.chosen for question in self.aside for answer in question.answers)

    @property
    def next(self) -> str | None:
        """The question to be seen: the last one that is not answered."""
        found = [one.id for one in self.questions if not any(answer.chosen for answer in one.answers)]
        return found[-1] if found else None


def drafted(
    words: Words, drawing: Drawing, draft: Draft, making: Making, judged: Verdict | None, look: Look
) -> Drafted:
    """The panel of a draft; `judged` is the panel of what it says already, from which one goes back by one answer."""
    back = look.url(so=look.so[:-1] or None, show=None) if look.so else making.leave
    return Drafted(
        upper(words.name(making.kind)),
        drawing.icon(making.kind, making.seat),
        _asked(draft.questions, "q", look),
        _asked(draft.aside, "a", look),
        draft.lines,
        replace(judged, back=back) if judged else None,
        making,
    )


def _asked(questions: Sequence[Question], letter: str, look: Look) -> tuple[Asked, ...]:
    """Questions with their answers as links."""
    found = []
    for number, question in enumerate(questions, 1):
        name = f"{letter}{number}"
        answers = tuple(
            Answer(
                f"{name}-{place}",
                tap.label,
                look.url(so=tap.so or None, show=None),
                tap.icon,
                tap.note,
                tap.chosen,
                tap.possible,
                tap.legal,
            )
            for place, tap in enumerate(question.taps, 1)
        )
        found.append(Asked(name, question.title, question.form, question.note, answers, question.lines))
    return tuple(found)


def leads(draft: Draft, look: Look) -> Mapping[Cell, str]:
    """Where a tap on the board leads while a move is in the making."""
    return {cell: look.url(so=so or None, show=None) for cell, so in draft.cells.items()}
