"""Asks for the outcome of a requested floor, of an attempt on a neutral column, and of the villa's fall."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from rules.kernel import Cell
from rules.villa_paletti import GAME
from rules.villa_paletti.columns import Group
from rules.villa_paletti.moves import Challenge, Crash, Floor, Move, NeutralAbort, Objection, Taken
from rules.villa_paletti.play import after_failing, seats_of
from rules.villa_paletti.state import State
from rules.villa_paletti.villa import cell_of, movable, objection_groups, on_level, supports
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.game_pages import Answer, Codes, Draft, Question
from web.games.villa_paletti.symbols import picture

RESULTS = ("ok", "fail", "crash")
LAID_FLOOR, GIVEN_UP, FELL = "laid", "-", "fell"
NOBODY = "-"
STAR = "*"
WAYS_ON: tuple[Codes, ...] = ((), (RESULTS[0],), (NOBODY,), (NOBODY, GIVEN_UP))
"""Possible further answers for any villa: an answer is legal if it is legal with one of these after it."""


class AnswerLabel(NamedTuple):
    """An answer in words, and a picture of it."""

    label: str
    icon: tuple[Shape, ...] = ()
    note: str = ""


class Step(NamedTuple):
    """The next question after some answers: its answers by their codes. `groups`: those on the board."""

    title: str
    answers: Mapping[str, AnswerLabel]
    form: Literal["choices", "pictures"] = "choices"
    groups: Mapping[str, Group] = {}


Asks: TypeAlias = Callable[[Codes], "Step | None"]
Means: TypeAlias = Callable[[Codes], "Move | None"]


# --- the draft of any of them ------------------------------------------------------------------------------------


def _build_draft(state: State, answer_codes: Codes, ask: Asks, mean: Means, *lines: str) -> Draft[Move]:
    """The questions along the valid answers, and the move that these mean."""
    questions: list[Question] = []
    path: Codes = ()
    cells: Mapping[Cell, Codes] = {}
    while step := ask(path):
        answer = next((code for code in answer_codes[len(path) :][:1] if code in step.answers), None)
        answer = answer or (next(iter(step.answers)) if len(step.answers) == 1 else None)
        found = (_answer(state, (*path, code), label, ask, mean, answer) for code, label in step.answers.items())
        questions.append(Question(step.title, tuple(found), step.form))
        cells = {cell: (*path, cell) for cell in step.groups if not cell.endswith(STAR)}
        if answer is None:
            break
        path = (*path, answer)
    return Draft(tuple(questions), move=mean(path), cells=cells, lines=lines)


def _answer(
    state: State, answer_codes: Codes, label: AnswerLabel, ask: Asks, mean: Means, chosen_code: str | None
) -> Answer:
    """An answer; `legal` if it, or some way to continue it, means a legal move."""
    following = ask(answer_codes)
    columns = following.groups if following else {}
    tails = (*WAYS_ON, *((code, RESULTS[0]) for code in columns))
    moves = (move for tail in tails if (move := mean((*answer_codes, *tail))))
    legal = any(GAME.check(state, move).legal for move in moves)
    return Answer(
        label.label, answer_codes, label.icon, label.note, is_chosen=answer_codes[-1] == chosen_code, legal=legal
    )


def _short(words: Words, codes: Iterable[tuple[str, str]]) -> dict[str, AnswerLabel]:
    """Code -> its words."""
    return {code: AnswerLabel(words.say("board", word)) for code, word in codes}


def _players(state: State, words: Words, word: str) -> dict[str, AnswerLabel]:
    """The players who are not in turn."""
    others = (seat for n, seat in enumerate(seats_of(state)) if n != state.player)
    return {seat: AnswerLabel(words.say("board", word, {"colour": seat})) for seat in others}


def _columns(words: Words, title: str, groups: Mapping[str, Group], player: str = "", *, none: bool = False) -> Step:
    """Columns to choose from, perhaps those of a named player, as pictures with their level."""
    found = {NOBODY: AnswerLabel(words.say("board", "taken_none"))} if none else {}
    for code, group in groups.items():
        values = {"colour": group.colour, "shape": group.shape, "level": group.level}
        label = words.say("board", "column_locked" if code.endswith(STAR) else "column_on", values)
        found[code] = AnswerLabel(
            label, picture(group.colour, group.shape), words.say("board", "at_level", {"level": group.level})
        )
    return Step(words.say("board", title, {"player": player}), found, "pictures", groups)


def _results(words: Words) -> Step:
    """The results of an attempt."""
    answers = _short(words, ((result, f"result_{result}") for result in RESULTS))
    return Step(words.say("board", "objection_result"), answers)


def _free(state: State, groups: Iterable[Group]) -> dict[str, Group]:
    """Groups by their cells."""
    return {cell_of(state, group): group for group in groups}


# --- a requested floor (VP-12 to VP-15) --------------------------------------------------------------------------


def floor(state: State, answer_codes: Codes, words: Words) -> Draft[Move]:
    """Laid, given up, fallen, or an objection: whose, with which column, its result, and its consequence."""
    values = {"n": on_level(state.columns, state.top), "least": supports(state), "level": state.top}
    line = words.say("board", "floor_rests", values)

    def ask(path: Codes) -> Step | None:
        return _floor_step(state, path, words)

    def mean(path: Codes) -> Move | None:
        return _floor_move(state, path)

    return _build_draft(state, answer_codes, ask, mean, line)


def _floor_step(state: State, path: Codes, words: Words) -> Step | None:
    """The next question about a floor."""
    match path:
        case ():
            codes = ((LAID_FLOOR, "floor_laid"), (GIVEN_UP, "floor_up"), (FELL, "floor_fell"))
            answers = {**_short(words, codes), **_players(state, words, "objects")}
            return Step(words.say("board", "floor_what"), answers)
        case (by,) if by in seats_of(state):
            code = "objection_column" if state.readings["objection_column"] == "askers" else "objection_any"
            return _columns(words, code, _free(state, objection_groups(state)), seats_of(state)[state.player])
        case (_, _):
            return _results(words)
        case (by, cell, "fail"):
            return _columns(words, "taken", _removable(state, by, cell), by, none=True)
        case (_, _, "fail", _) if state.readings["floor_after_failed_objection"] == "laid":
            answers = _short(words, ((LAID_FLOOR, "floor_laid"), (GIVEN_UP, "floor_up")))
            return Step(words.say("board", "floor_then"), answers)
    return None


def _floor_move(state: State, path: Codes) -> Floor | None:
    """The move that the answers about a floor mean, if any."""
    match path:
        case ("fell",):
            return Floor(crash=True)
        case ("laid" | "-" as came,):
            return Floor(laid=came == LAID_FLOOR)
        case (by, cell, "ok" | "crash" as result):
            objection = _column_objection(state, by, cell, result)
            return Floor(objection=objection) if objection else None
        case (by, cell, "fail", taken, *came) if len(came) == (
            state.readings["floor_after_failed_objection"] == "laid"
        ):
            out = _removable(state, by, cell).get(taken)
            objection = _column_objection(state, by, cell, "fail", out, starred=taken.endswith(STAR))
            return Floor(came != [GIVEN_UP], objection) if objection else None
    return None


def _column_objection(
    state: State, by: str, cell: str, result: Any, taken_group: Group | None = None, *, starred: bool = False
) -> Objection | None:
    """An objection with a column; `starred`: the asker takes a locked column."""
    column = _free(state, objection_groups(state)).get(cell)
    out = Taken(*taken_group, locked=starred) if taken_group else None
    seat = next((seat for seat in seats_of(state) if seat == by), None)
    return Objection(seat, *column, result, taken=out) if column and seat else None  # type: ignore[arg-type]  # a colour


def _removable(state: State, by: str, cell: str) -> dict[str, Group]:
    """The columns of a player after a failed attempt; locked ones beside free ones have their own entry."""
    colours = next((colours for colours in state.players if by in colours), ())
    objection = _column_objection(state, by, cell, "fail")
    after = after_failing(state, objection) if objection else state
    found: dict[str, Group] = {}
    for group, count in sorted(after.columns.items(), key=lambda item: (item[0].level, item[0])):
        if group.colour in colours:
            found[cell_of(state, group)] = group
            if 0 < count.locked < count.n:
                found[cell_of(state, group) + STAR] = group
    return found


# --- a neutral attempt (VP-21), and the fall (VP-16) -------------------------------------------------------------


def neutral_abort(state: State, group: Group, answer_codes: Codes, words: Words) -> Draft[Move]:
    """A neutral column was put back: whether anybody challenges, with which column, and the result."""

    def ask(path: Codes) -> Step | None:
        match path:
            case ():
                codes = ((NOBODY, "challenge_none"), (FELL, "floor_fell"))
                answers = {**_short(words, codes), **_players(state, words, "challenges")}
                return Step(words.say("board", "challenge"), answers)
            case (by,) if by in seats_of(state):
                return _columns(words, "challenge_column", _free(state, movable(state, (group.colour,))))
            case (_, _):
                return _results(words)
        return None

    def mean(path: Codes) -> Move | None:
        return _abort_move(state, group, path)

    return _build_draft(state, answer_codes, ask, mean)


def _abort_move(state: State, group: Group, path: Codes) -> NeutralAbort | None:
    """The move that the answers about a neutral attempt mean, if any."""
    match path:
        case ("-" | "fell" as first,):
            return NeutralAbort(group.shape, group.level, crash=first == FELL)
        case (by, cell, "ok" | "fail" | "crash" as result):
            column = _free(state, movable(state, (group.colour,))).get(cell)
            seat: Any = next((seat for seat in seats_of(state) if seat == by), None)
            if column and seat:
                challenge = Challenge(seat, column.shape, column.level, result)
                return NeutralAbort(group.shape, group.level, challenge=challenge)
    return None


def crash(state: State, answer_codes: Codes, words: Words) -> Draft[Move]:
    """Who brought the villa down, if anybody."""
    seats: Any = seats_of(state)
    answers = {
        **{seat: AnswerLabel(words.player(seat)) for seat in seats},
        NOBODY: AnswerLabel(words.say("board", "crash_nobody")),
    }

    def ask(path: Codes) -> Step | None:
        return None if path else Step(words.say("board", "crash_who"), answers)

    def mean(path: Codes) -> Move | None:
        return Crash(None if path == (NOBODY,) else path[0]) if len(path) == 1 and path[0] in answers else None  # type: ignore[arg-type]  # a colour

    return _build_draft(state, answer_codes, ask, mean)
