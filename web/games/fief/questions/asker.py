"""The questions of Fief's moves: answers as `key:name`, lords as pictures or rows, and why an answer is illegal.

The page lists the legal answers. It folds away the illegal ones, each with the objection of the rule, so that a dispute
can be settled, too. This module contains no rule: the referee judges every answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import takewhile
from typing import Any, Final

from rules.fief import GAME
from rules.fief.moves import Move
from rules.fief.state import State
from rules.fief.style import style
from rules.kernel import NOTHING, Ruling, Value
from rules.records import dataclass
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.game_pages import Answer, Codes, Draft, Question
from web.games.fief.icons import icon_of_lord
from web.games.fief.scenery import marks_of

FEW: Final = 6
"""The maximum number of lords in a list of full names; more are pictures."""
PAIR: Final = 2
"""The maximum number of short answers beside their question; more stand below it."""
YES: Final = "yes"
NO: Final = "no"


# --- answers -----------------------------------------------------------------------------------------------------


def answers_under(codes: Codes, key: str) -> tuple[str, ...]:
    """The answers under a key, each once, in order."""
    start = f"{key}:"
    return tuple(dict.fromkeys(answer.removeprefix(start) for answer in codes if answer.startswith(start)))


def put(codes: Codes, key: str, *names: str) -> Codes:
    """The answers with only these under a key."""
    return (*(answer for answer in codes if not answer.startswith(f"{key}:")), *(f"{key}:{name}" for name in names))


def with_answer(codes: Codes, key: str, name: str) -> Codes:
    """The answers up to a key, with this one under it; the later answers are dropped."""
    return (*takewhile(lambda answer: not answer.startswith(f"{key}:"), codes), f"{key}:{name}")


def toggle_answer(codes: Codes, key: str, name: str) -> Codes:
    """The answers with one more under a key, or one less."""
    names = answers_under(codes, key)
    return put(codes, key, *(other for other in names if other != name), *(() if name in names else (name,)))


def first_legal(state: State, moves: Iterable[Move]) -> Move:
    """The first of these moves that is legal; else the one to which the fewest rules object."""
    refused: dict[int, Move] = {}
    for move in moves:
        verdict = GAME.check(state, move)
        if verdict.legal:
            return move
        refused.setdefault(len(verdict.broken_rules), move)
    return refused[min(refused)]


# --- questions ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CandidateAnswer:
    """An answer with its name, its text, its picture, and a move that shows whether it is legal."""

    name: str
    label: str
    move: Move
    icon: tuple[Shape, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks about a state, in a language, with the answers so far."""

    state: State
    words: Words
    codes: Codes
    questions_so_far: list[Question] = field(default_factory=list)
    """The questions so far."""

    # words

    def say(self, code: str, **values: Value) -> str:
        """A sentence of the board's."""
        return self.words.say("board", code, values)

    def full_name(self, name: str) -> str:
        """A lord with all titles, or a player."""
        if name in self.state.colours:
            return self.words.player(name)
        return str(self.words.render_value(style(self.state, name)))

    def legal(self, move: Move) -> bool:
        """Whether a move is legal."""
        return GAME.check(self.state, move).legal

    def objection(self, move: Move) -> str:
        """Why a move is illegal: the sentence of the first rule that objects, or empty."""
        for finding in GAME.check(self.state, move).findings:
            if finding.ruling is not Ruling.LEGAL:
                return self.words.finding_text(finding)
        return ""

    # answers

    def answer_among(self, key: str, among: Iterable[str]) -> str | None:
        """The last answer under a key that is one of these."""
        allowed = set(among)
        return next((name for name in reversed(answers_under(self.codes, key)) if name in allowed), None)

    def answer(self, key: str, candidates: Sequence[CandidateAnswer]) -> str | None:
        """The player's answer, or else the only legal one."""
        chosen = self.answer_among(key, (each.name for each in candidates))
        legal = [each.name for each in candidates if self.legal(each.move)] if chosen is None else []
        return chosen or (legal[0] if len(legal) == 1 else None)

    def yes_or_no(self, key: str) -> str | None:
        """An answer that is yes or no."""
        return self.answer_among(key, (YES, NO))

    # questions

    def lord(self, name: str, move: Move, note: str = "") -> CandidateAnswer:
        """A lord as an answer."""
        player = self.state.lords[name].player if name in self.state.lords else None
        icon = icon_of_lord(player or self.state.turn, name, marks_of(self.state, name))
        return CandidateAnswer(
            name, self.full_name(name), move, icon, note or (self.words.player(player) if player else "")
        )

    def ask(self, key: str, title: str, candidates: Sequence[CandidateAnswer], chosen: str | None) -> None:
        """A question with one answer."""
        self.questions_so_far.append(
            self.question(title, candidates, lambda name: with_answer(self.codes, key, name), (chosen,))
        )

    def choose(self, key: str, title: str, candidates: Sequence[CandidateAnswer], at: str | None = None) -> str | None:
        """Ask for one of these. Returns the player's answer, or the only legal one, or else the tapped place (`at`)."""
        chosen = self.answer(key, candidates) or at
        self.ask(key, title, candidates, chosen)
        return chosen

    def ask_which(
        self, key: str, title: str, candidates: Sequence[CandidateAnswer], afresh: tuple[str, ...] = ()
    ) -> Question:
        """A question with several answers; each tap gives one, or takes it back, and drops the answers to `afresh`."""
        chosen = answers_under(self.codes, key)
        current = put(self.codes, key, *(name for name in chosen if any(each.name == name for each in candidates)))
        base = tuple(answer for answer in current if not answer.startswith(afresh)) if afresh else current
        return self.question(title, candidates, lambda name: toggle_answer(base, key, name), chosen)

    def question(
        self,
        title: str,
        candidates: Sequence[CandidateAnswer],
        after: Callable[[str], Codes],
        chosen: Sequence[str | None] = (),
        note: str = "",
    ) -> Question:
        """A question; `after`: name of an answer -> all codes then. An illegal answer has the objection as its note."""
        reasons = {each.name: self.objection(each.move) for each in candidates}
        answers = (
            Answer(each.label, after(each.name), each.icon, reason or each.note, each.name in chosen, legal=not reason)
            for each, reason in zip(candidates, reasons.values(), strict=True)
        )
        return Question(title, tuple(answers), "rows", note)

    def line(self, key: str, title: str, labels: Mapping[str, str], chosen: str | None, note: str = "") -> Question:
        """A question with short answers."""
        answers = (
            Answer(label, put(self.codes, key, name), is_chosen=name == chosen) for name, label in labels.items()
        )
        return Question(title, tuple(answers), "line" if len(labels) <= PAIR else "choices", note)

    def consent(self, key: str, title: str) -> Question:
        """The question whether a player consents, if the move needs it."""
        labels = {YES: self.say("consents"), NO: self.say("refuses")}
        question = self.line(key, title, labels, self.yes_or_no(key))
        return replace(
            question, answers=tuple(replace(answer, legal=n == 0) for n, answer in enumerate(question.answers))
        )

    def yes_no(self) -> Mapping[str, str]:
        """The answers yes and no."""
        return {YES: self.say("yes"), NO: self.say("no")}

    def cells(self, key: str, candidates: Sequence[CandidateAnswer]) -> dict[str, Codes]:
        """Village -> the codes after a tap there, if that answer under a key is legal."""
        return {each.name: with_answer(self.codes, key, each.name) for each in candidates if self.legal(each.move)}

    def draft(self, move: Move | None = None, cells: Mapping[Any, Codes] = NOTHING) -> Draft[Move]:
        """The questions so far, and the move that the answers mean."""
        return Draft(tuple(self.questions_so_far), move, cells=cells)


def fold_forbidden(draft: Draft[Move]) -> Draft[Move]:
    """The draft with illegal answers folded away, if there are legal ones; many lords are pictures, and short answers
    stand side by side. The picture of a lord in a row is drawn without the name, which stands beside it.
    """
    questions, aside = [], []
    for question in draft.questions:
        if question.form != "rows":
            questions.append(question)
            continue
        usual = [answer for answer in question.answers if answer.legal or answer.is_chosen]
        against = tuple(answer for answer in question.answers if answer not in usual)
        if usual and against:
            aside.append(replace(question, answers=against, note=""))
        questions.append(_choose_form(replace(question, answers=tuple(usual) if usual else against)))
    return replace(draft, questions=tuple(questions), aside=(*draft.aside, *aside))


def _choose_form(question: Question) -> Question:
    short = len(question.answers) > 1 and not any(answer.icon or answer.note for answer in question.answers)
    pictured = [answer for answer in question.answers if answer.icon]
    many = len(pictured) > FEW and all(answer.legal for answer in question.answers)
    if not (short or many):
        return replace(question, answers=tuple(map(_without_name, question.answers)))
    if short:
        return replace(question, form="choices")
    answers = (
        replace(answer, label=f"{answer.label} ({answer.note})" if answer.note.strip() else answer.label, note="")
        for answer in question.answers
    )
    return replace(question, answers=tuple(answers), form="pictures")


def _without_name(answer: Answer) -> Answer:
    """An answer with a picture without the name, which stands beside it."""
    return replace(answer, icon=tuple(shape for shape in answer.icon if shape.ink != "icon-name"))
