"""Asks for marches village by village: the lords, the road, and the consent to pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.fief.lords import lords_at
from rules.fief.marches import consents_needed
from rules.fief.moves import March, Move
from rules.kernel import Cell
from rules.records import dataclass
from web.game_pages import Answer, Codes, Draft, Question
from web.games.fief.questions.asker import YES, Asker, CandidateAnswer, answers_under, first_legal, put

STEP = "to:"
AFRESH = ("to", "let")
"""The questions to repeat if other lords set out."""


def draft(asker: Asker, village: str | None) -> Draft[Move]:
    """A march from a village, or with a question for the village."""
    state = asker.state
    starts = [name for name in state.land.villages if lords_at(state, name, state.turn)]
    start = village or asker.answer_among("from", starts)
    if start is None or not lords_at(state, start, state.turn):
        return _ask_start(asker, starts)
    return _Route(asker, start).draft()


def _ask_start(asker: Asker, starts: Sequence[str]) -> Draft[Move]:
    """The question for the first village, by a row or a tap on the board; not asked if only one is legal."""
    state = asker.state
    candidates = []
    for start in starts:
        lords = lords_at(state, start, state.turn)
        names = asker.words.render_value(tuple(map(asker.full_name, lords)))
        candidates.append(CandidateAnswer(start, start, _any_march(asker, lords[:1], start), note=str(names)))
        legal = [name for name in lords if asker.legal(_any_march(asker, [name], start))]
        if legal:
            candidates[-1] = CandidateAnswer(start, start, _any_march(asker, legal[:1], start), note=str(names))
    if only := asker.answer("from", candidates):
        return _Route(asker, only).draft()
    asker.ask("from", asker.say("move_whence"), candidates, None)
    return asker.draft(cells=asker.cells("from", candidates))


def _any_march(asker: Asker, lords: Sequence[str], start: str) -> March:
    """A march of these lords to some neighbouring village, a legal one if any; everybody lets them pass."""
    everybody = tuple(asker.state.colours)
    near = asker.state.land.roads[start] or (start,)
    march = first_legal(asker.state, (March(tuple(lords), (start, village), everybody) for village in near))
    assert isinstance(march, March)  # noqa: S101  # for the type checker: all of them are
    return march


@dataclass(frozen=True, slots=True)
class _Route:
    """An unfinished march from a village."""

    asker: Asker
    start: str

    def draft(self) -> Draft[Move]:
        """The lords, the destination, and the consent to pass."""
        asker, lords, path = self.asker, self.lords(), self.path()
        questions = [self.ask_lords()]
        if not lords:
            return Draft(tuple(questions))
        onward, near = self.ask_destination(lords, path), asker.state.land.roads[path[-1]]
        needed = consents_needed(asker.state, asker.state.turn, path)
        answers = {colour: asker.yes_or_no(f"let-{colour}") for colour in needed}
        questions += [self.ask_consent(colour) for colour in needed]
        questions.append(onward)
        cells: dict[Cell, Codes] = {
            answer.label: answer.codes for answer in onward.answers if answer.legal and answer.label in near
        }
        settled = len(path) > 1 and None not in answers.values()
        consents = tuple(colour for colour in needed if answers[colour] == YES)
        move = March(lords, path, consents) if settled else None
        ghost = March(lords, path, needed) if len(path) > 1 else None
        lines = (asker.say("route", villages=" › ".join(path)),) if len(path) > 1 else ()
        return Draft(tuple(questions), move, ghost, cells, lines)

    def lords(self) -> tuple[str, ...]:
        """The lords who set out: those in the answers, or the only one there."""
        lords = lords_at(self.asker.state, self.start, self.asker.state.turn)
        chosen = tuple(name for name in lords if name in answers_under(self.asker.codes, "who"))
        return tuple(lords) if len(lords) == 1 else chosen

    def path(self) -> tuple[str, ...]:
        """The villages of the way, up to the first that is not beside the one before."""
        path = [self.start]
        for answer in self.asker.codes:
            village = answer.removeprefix(STEP)
            if answer.startswith(STEP) and village in self.asker.state.land.roads[path[-1]]:
                path.append(village)
        return tuple(path)

    def ask_lords(self) -> Question:
        """The lords of the player at the start."""
        asker = self.asker
        candidates = [
            asker.lord(name, _any_march(asker, [name], self.start), note=" ")
            for name in lords_at(asker.state, self.start, asker.state.turn)
        ]
        question = asker.ask_which("who", asker.say("move_who", village=self.start), candidates, afresh=AFRESH)
        if len(candidates) == 1:
            return replace(question, answers=tuple(_mark_chosen(answer) for answer in question.answers))
        able = [each.name for each, answer in zip(candidates, question.answers, strict=True) if answer.legal]
        return replace(question, answers=(self.all_of(able), *question.answers)) if len(able) > 1 else question

    def all_of(self, lords: Sequence[str]) -> Answer:
        """An answer for all who can set out; a second tap takes all of them back."""
        asker = self.asker
        chosen = set(answers_under(asker.codes, "who")) == set(lords)
        base = tuple(answer for answer in asker.codes if not answer.startswith(AFRESH))
        return Answer(asker.say("move_all"), put(base, "who", *(() if chosen else lords)), is_chosen=chosen)

    def ask_destination(self, lords: tuple[str, ...], path: tuple[str, ...]) -> Question:
        """The question for the next village beside the last one, with an answer to go back."""
        asker, state = self.asker, self.asker.state
        candidates = [
            CandidateAnswer(
                village,
                village,
                March(lords, (*path, village), tuple(state.colours)),
                note=self.controller_name(village),
            )
            for village in state.land.roads[path[-1]]
        ]
        title = asker.say("move_onward" if len(path) > 1 else "move_where")
        question = asker.question(title, candidates, lambda name: (*asker.codes, f"{STEP}{name}"))
        if len(path) == 1 or not any(answer.legal for answer in question.answers):
            return question
        back = Answer(asker.say("move_back", village=path[-1]), self.back())
        return Question(question.title, (*question.answers, back), "rows")

    def back(self) -> Codes:
        """The answers without the last village."""
        codes = list(self.asker.codes)
        last = max(place for place, answer in enumerate(codes) if answer.startswith(STEP))
        return tuple(codes[:last] + codes[last + 1 :])

    def controller_name(self, village: str) -> str:
        """The controller of a village, in words."""
        controller = self.asker.state.control.get(village)
        return self.asker.words.player(controller) if controller else self.asker.say("nobody")

    def ask_consent(self, colour: str) -> Question:
        """The question whether a player lets them pass."""
        return self.asker.consent(f"let-{colour}", self.asker.say("lets_pass", colour=colour))


def _mark_chosen(answer: Answer) -> Answer:
    return Answer(answer.label, answer.codes, answer.icon, answer.note, is_chosen=True)
