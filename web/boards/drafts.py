"""Moves that are made answer by answer: a march tile by tile, a tile by its sides, an election vote by vote.

A draft is what has been answered so far. It asks questions, each answered by a tap; what can be said already is a
move, which is ruled on as it is. The answers stand in the page's address, so that nothing is lost on the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

from rules.kernel import Cell
from service.texts import Words
from web.boards import Drawing, Shape

M = TypeVar("M")
Answers: TypeAlias = tuple[str, ...]
"""What was answered so far, in the board's own codes, none of which holds a semicolon."""


@dataclass(frozen=True, slots=True)
class Tap:
    """An answer: what it says, and all answers once it is given. `note` says more, such as why it is not `possible`.

    `chosen`: it has been given; its `so` may then take it back. `legal`: some legal move goes on from it; an answer
    that leads only to what the rules refuse can be given all the same, to hear why.
    """

    label: str
    so: Answers
    icon: tuple[Shape, ...] = ()
    note: str = ""
    chosen: bool = False
    possible: bool = True
    legal: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a line of numbers, choices of a word or two, pictures or tiles side by side, or rows of a list.

    `lines` say what the answers rest on, a line each.
    """

    title: str
    taps: tuple[Tap, ...]
    form: Literal["line", "choices", "pictures", "tiles", "rows"] = "line"
    note: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A move in the making.

    `move`: what the answers mean as they are, if they mean one. `ghost`: what the board shows where they mean none
    yet. `cells`: a tap on a cell as an answer. `lines`: what is counted or known meanwhile, a sentence each. `aside`:
    questions that are folded away, such as for what the rules do not allow.
    """

    questions: tuple[Question, ...]
    move: Any | None = None
    ghost: Any | None = None
    cells: Mapping[Cell, Answers] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    aside: tuple[Question, ...] = ()


@runtime_checkable
class Drafting(Protocol):
    """A drawing whose moves, or some of them, are made answer by answer."""

    def draft(self, state: Any, kind: str, cell: Cell | None, so: Answers, words: Words) -> Draft | None:
        """The draft of a kind of move, at a cell or at none; None where the kind has no questions there.

        `so` is text of an address: answers that mean nothing are left out, never refused.
        """


def draft_of(
    drawing: Drawing, state: Any, kind: str | None, cell: Cell | None, so: Answers, words: Words
) -> Draft | None:
    """The draft of a drawing, if it has one for this kind of move at this cell."""
    if kind is None or not isinstance(drawing, Drafting):
        return None
    return drawing.draft(state, kind, cell, so, words)


def steps(ways: Mapping[Answers, M], so: Answers) -> list[Answers]:
    """The answers that can be given one after the other: at each step those with which some way goes on.

    The first list holds the first answers, and so on along `so`, as far as it goes along a way; the last one is what
    can be answered next, which is nothing where the way is at its end.
    """
    found = []
    for step in range(len(so) + 1):
        along = [way for way in ways if way[:step] == so[:step] and len(way) > step]
        found.append(tuple(dict.fromkeys(way[step] for way in along)))
        if step < len(so) and so[step] not in found[step]:
            break
    return found


def settled(ways: Mapping[Answers, M], so: Answers) -> Answers:
    """The answers as far as they lead along a way, and on while there is one answer only."""
    known: Answers = ()
    while True:
        *_, following = steps(ways, known)
        if len(so) > len(known) and so[len(known)] in following:
            known = (*known, so[len(known)])
        elif len(following) == 1 and known not in ways:
            known = (*known, *following)
        else:
            return known
