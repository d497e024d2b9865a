"""The panel of an unfinished move: its questions, and the ruling on the answers so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from rules.kernel import Cell
from rules.records import dataclass
from service.rulings import judge
from web.board.scene import Light, Neighbour
from web.board.shapes import Shape, Spot
from web.browser.address import EditorAddress, MoveAddress
from web.game_pages import AnyDraft, Question
from web.panels.context import Context, Focus
from web.panels.log.dice import RollForm, earlier_rolls_text, roll_form
from web.panels.moves.choose import only_kind, other_rows
from web.panels.moves.rows import AnyOption, MoveRow, Refusal, refusals
from web.panels.moves.verdict import VerdictPanel, light, verdict
from web.panels.sentences import capitalise


@dataclass(frozen=True, slots=True)
class LinkedAnswer:
    """An answer as a link. `id` is the same from one answer to the next, so that the focus stays there."""

    id: str
    label: str
    href: str
    icon: tuple[Shape, ...]
    note: str
    is_chosen: bool
    possible: bool
    legal: bool


@dataclass(frozen=True, slots=True)
class LinkedQuestion:
    """A question with its answers."""

    id: str
    title: str
    form: str
    note: str
    answers: tuple[LinkedAnswer, ...]
    lines: tuple[str, ...]
    rolls_text: str = ""
    """The earlier rolls for it, in words."""
    roll: RollForm | None = None
    """The button that rolls for it, before the first roll."""

    @property
    def is_answered(self) -> bool:
        """Whether an answer was given."""
        return any(answer.is_chosen for answer in self.answers)

    @property
    def goes_without_asking(self) -> bool:
        """Whether its only answer is given already, and it shows no lines and no rolls."""
        return len(self.answers) == 1 and self.is_answered and not (self.lines or self.rolls_text or self.roll)

    @property
    def has_real_answer(self) -> bool:
        """Whether an optional question has an answer other than its first, which says nothing."""
        return any(answer.is_chosen for answer in self.answers[1:])


@dataclass(frozen=True, slots=True)
class MoveInProgress:
    """The unfinished move, and where. `leave`: the link of the cross; `neighbours`: the links to the cells beside this
    one; `others`: the unlikely moves here.
    """

    kind: str
    spot: Spot | None
    leave: str
    neighbours: tuple[Neighbour, ...] = ()
    others: tuple[MoveRow, ...] = ()

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """The refused moves among `others`, by the rule that objects."""
        return refusals((), self.others)


@dataclass(frozen=True, slots=True)
class DraftPanel:
    """An unfinished move; `verdict_panel`: the ruling on the answers so far; `aside`: the folded questions."""

    template: ClassVar[str] = "panel/draft.html"
    title: str
    icon: tuple[Shape, ...]
    questions: tuple[LinkedQuestion, ...]
    aside: tuple[LinkedQuestion, ...]
    optional: tuple[LinkedQuestion, ...]
    lines: tuple[str, ...]
    verdict_panel: VerdictPanel | None
    progress: MoveInProgress

    @property
    def has_aside_answer(self) -> bool:
        """Whether a folded question has an answer."""
        return any(question.is_answered for question in self.aside)

    @property
    def open(self) -> str | None:
        """The first question that is not answered."""
        return next((one.id for one in self.questions if not one.is_answered), None)

    def skip_target(self, question: LinkedQuestion) -> str | None:
        """The id of the next step after an answer: the buttons once there is a ruling; else the next open question."""
        if self.verdict_panel:
            return "actions"
        after = self.questions[self.questions.index(question) + 1 :] if question in self.questions else ()
        return next((one.id for one in after if not one.is_answered), self.open)


def draft_focus(context: Context, kind: str, draft: AnyDraft, options: Sequence[AnyOption]) -> Focus[DraftPanel]:
    """The panel of an unfinished move: the ruling on the answers so far, with a ghost on the board."""
    move = draft.move
    judgement = None if move is None else judge.judge(context.game, context.state, move, context.unknown)
    progress = _move_in_progress(context, kind, options)
    panel = _panel(context, draft, progress, verdict(context, judgement) if judgement else None)
    cell_links = _cell_links(context.address, draft)
    if judgement is None:
        at = progress.spot.cell if draft.at is None and progress.spot else draft.at
        chosen = frozenset[Cell]() if at is None else frozenset({at})
        board_light = Light(chosen, open_cells=frozenset(cell_links) - chosen, last_cells=context.last_move_cells())
    else:
        board_light = light(context, judgement)
        board_light = replace(board_light, open_cells=frozenset(cell_links) - board_light.chosen_cells)
    ghost = draft.move or draft.ghost
    unsure = context.unknown and judgement is not None and not judgement.verdict.legal
    if ghost is None or unsure or context.game.cannot_stand(context.state, ghost) is not None:
        return Focus(panel, context.state, light=board_light, cell_links=cell_links)
    return Focus(panel, context.game.apply(context.state, ghost), context.state, board_light, cell_links=cell_links)


def _move_in_progress(context: Context, kind: str, options: Sequence[AnyOption]) -> MoveInProgress:
    """The unfinished move, and its other moves while it has no answer."""
    address, spot = context.address, context.spot
    if spot is None:
        return MoveInProgress(kind, None, address.plain().url())
    among_others = address.kind is not None and address.kind != only_kind(options)
    leave = address.url(kind=None, so=None, show=None) if among_others else address.plain().url(kind=address.kind)
    # The links above the questions stay, so that the questions do not move under a finger that answers them.
    near = context.neighbours(spot)
    aside = () if among_others or address.so else other_rows(context, spot, options)
    return MoveInProgress(kind, spot, leave, near, aside)


def _panel(
    context: Context, draft: AnyDraft, progress: MoveInProgress, verdict_panel: VerdictPanel | None
) -> DraftPanel:
    """The panel of a draft. A player can take back its last answer."""
    address = context.address
    back = address.url(so=address.so[:-1] or None, show=None) if address.so else progress.leave
    questions = _linked_questions(draft.questions, "q", context)
    in_quarrel = isinstance(address, EditorAddress)  # the dispute may be about the note of an only answer
    return DraftPanel(
        capitalise(context.words.name(progress.kind)),
        context.icon(progress.kind),
        tuple(each for each in questions if not each.goes_without_asking or (in_quarrel and each.note)),
        _linked_questions(draft.aside, "a", context),
        _linked_questions(draft.optional, "b", context),
        draft.lines,
        replace(verdict_panel, back=back) if verdict_panel else None,
        progress,
    )


def _linked_questions(questions: Sequence[Question], letter: str, context: Context) -> tuple[LinkedQuestion, ...]:
    """Questions with their answers as links. Where something is unknown, no answer is marked as illegal."""
    address, found = context.address, []
    for number, question in enumerate(questions, 1):
        name = f"{letter}{number}"
        answers = tuple(
            LinkedAnswer(
                f"{name}-{place}",
                answer.label,
                address.url(so=answer.codes or None, show=None),
                answer.icon,
                answer.note,
                answer.is_chosen,
                answer.possible,
                answer.legal or bool(context.unknown),
            )
            for place, answer in enumerate(question.answers, 1)
        )
        rolls_text = earlier_rolls_text(context, question.roll)
        roll = None if rolls_text else roll_form(context, name, question.roll)
        texts = question.title, question.form, question.note
        found.append(LinkedQuestion(name, *texts, answers, question.lines, rolls_text, roll))
    return tuple(found)


def _cell_links(address: MoveAddress, draft: AnyDraft) -> Mapping[Cell, str]:
    """The links of cells whose tap answers a question of an unfinished move."""
    return {cell: address.url(so=codes or None, show=None) for cell, codes in draft.cells.items()}
