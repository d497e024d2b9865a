"""What came of a floor that was asked for, of a neutral attempt, and of the villa's fall, answer by answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.kernel import Cell
from rules.villa_paletti.columns import Group
from rules.villa_paletti.play import seats_of
from rules.villa_paletti.state import Challenge, Crash, Floor, NeutralAbort, Objection, State, Taken, name_of
from rules.villa_paletti.villa import cell_of, movable, on_level, supports
from service.texts import Words
from web.boards import ICON, Shape
from web.boards.drafts import Answers, Draft, Question, Tap

RESULTS = ("ok", "fail", "crash")
LAID, GIVEN_UP, FELL = "laid", "-", "fell"
NOBODY = "-"
STAR = "*"


def _picture(group: Group) -> tuple[Shape, ...]:
    """A column of a group, in a square."""
    at: dict[str, int | float | str] = {"href": f"#column-{group.colour}-{group.shape}"}
    at["transform"] = f"translate(50 {ICON - 4}) scale(0.85)"
    return (Shape("use", "", at),)


def _pick(so: Answers, step: int, known: Iterable[str]) -> str | None:
    """The answer of a step, if it is one of those known."""
    return next((code for code in known if len(so) > step and so[step] == code), None)


def _taps(so: Answers, step: int, labels: dict[str, str]) -> tuple[Tap, ...]:
    """Short answers of a step, by their codes."""
    given = so[step] if len(so) > step else None
    return tuple(Tap(label, (*so[:step], code), chosen=code == given) for code, label in labels.items())


def _columns(
    so: Answers, step: int, groups: Sequence[tuple[str, Group]], words: Words, *, none: bool = False
) -> tuple[Tap, ...]:
    """Columns to choose from, as pictures with the level they stand on."""
    given = so[step] if len(so) > step else None
    found = [Tap(words.say("board", "taken_none"), (*so[:step], NOBODY), chosen=given == NOBODY)] if none else []
    for code, group in groups:
        values = {"colour": group.colour, "shape": group.shape, "level": group.level}
        label = words.say("board", "column_locked" if code.endswith(STAR) else "column_on", values)
        note = words.say("board", "at_level", {"level": group.level})
        found.append(Tap(label, (*so[:step], code), _picture(group), note, chosen=code == given))
    return tuple(found)


def _on_board(groups: Sequence[tuple[str, Group]], *before: str) -> dict[Cell, Answers]:
    """Taps on the columns of the board, as answers after others."""
    return {cell: (*before, cell) for cell, _ in groups if not cell.endswith(STAR)}


def _others(state: State, words: Words) -> dict[str, str]:
    """The players who are not in turn."""
    return {name_of(state, n): words.name(name_of(state, n)) for n in range(len(state.players)) if n != state.player}


def _free(state: State, groups: Iterable[Group]) -> list[tuple[str, Group]]:
    return [(cell_of(state, group), group) for group in groups]


def _results(words: Words) -> dict[str, str]:
    return {result: words.say("board", f"result_{result}") for result in RESULTS}


# --- a floor that is asked for (VP-12 to VP-15) ------------------------------------------------------------------


def floor(state: State, so: Answers, words: Words) -> Draft:
    """Laid, given up, fallen, or an objection: whose, with which column, how it went, and what followed."""
    others = _others(state, words)
    codes = {LAID: words.say("board", "floor_laid"), GIVEN_UP: words.say("board", "floor_up")}
    codes[FELL] = words.say("board", "floor_fell")
    objections = {by: words.say("board", "objects", {"colour": by}) for by in others}
    first = Question(words.say("board", "floor_what"), _taps(so, 0, {**codes, **objections}), "choices")
    line = words.say(
        "board", "floor_rests", {"n": on_level(state.columns, state.top), "least": supports(state), "level": state.top}
    )
    came = _pick(so, 0, codes)
    if came is not None:
        move = Floor(crash=True) if came == FELL else Floor(laid=came == LAID)
        return Draft((first,), move=move, lines=(line,))
    by = _pick(so, 0, objections)
    if by is None:
        return Draft((first,), lines=(line,))
    return _objection(state, so, words, first, by, line)


def _objection(state: State, so: Answers, words: Words, first: Question, by: str, line: str) -> Draft:
    groups = _free(state, movable(state, state.players[state.player]))
    column = dict(groups).get(so[1]) if len(so) > 1 else None
    which = Question(words.say("board", "objection_column"), _columns(so, 1, groups, words), "pictures")
    taps = _on_board(groups, by)
    if column is None:
        return Draft((first, which), cells=taps, lines=(line,))
    how = Question(words.say("board", "objection_result"), _taps(so, 2, _results(words)), "choices")
    result = _pick(so, 2, RESULTS)
    if result is None:
        return Draft((first, which, how), cells=taps)
    tried = Objection(by, column.colour, column.shape, column.level, result)  # type: ignore[arg-type]  # one of RESULTS and of the players
    if result != "fail":
        return Draft((first, which, how), move=Floor(objection=tried))
    return _failed(state, so, words, (first, which, how), tried)


def _failed(state: State, so: Answers, words: Words, before: tuple[Question, ...], tried: Objection) -> Draft:
    """The objection failed: what the asker takes, and whether the floor is laid."""
    groups = _removable(state, tried.by)
    take = Question(words.say("board", "taken"), _columns(so, 3, groups, words, none=True), "pictures")
    chosen = _pick(so, 3, (NOBODY, *dict(groups)))
    taps = _on_board(groups, *so[:3])
    if chosen is None:
        return Draft((*before, take), cells=taps)
    group = dict(groups).get(chosen)
    taken = Taken(group.colour, group.shape, group.level, chosen.endswith(STAR)) if group else None
    tried = Objection(tried.by, tried.colour, tried.shape, tried.level, "fail", taken=taken)
    if state.readings["floor_after_failed_objection"] == "not_laid":
        return Draft((*before, take), move=Floor(objection=tried), cells=taps)
    laid = {LAID: words.say("board", "floor_laid"), GIVEN_UP: words.say("board", "floor_up")}
    then = Question(words.say("board", "floor_then"), _taps(so, 4, laid), "choices")
    came = _pick(so, 4, laid)
    return Draft((*before, take, then), move=Floor(came == LAID, tried) if came else None, cells=taps)


def _removable(state: State, by: str) -> list[tuple[str, Group]]:
    """The columns of a player on the villa; locked ones beside free ones have an entry of their own."""
    colours = next((colours for colours in state.players if by in colours), ())
    found: list[tuple[str, Group]] = []
    for group, count in sorted(state.columns.items(), key=lambda item: (item[0].level, item[0])):
        if group.colour in colours:
            found.append((cell_of(state, group), group))
            if 0 < count.locked < count.n:
                found.append((cell_of(state, group) + STAR, group))
    return found


# --- a neutral attempt (VP-21), and the fall (VP-16) -------------------------------------------------------------


def neutral_abort(state: State, group: Group, so: Answers, words: Words) -> Draft:
    """A neutral column was put back: whether anybody challenges, with which column, and how it went."""
    others = _others(state, words)
    labels = {NOBODY: words.say("board", "challenge_none"), FELL: words.say("board", "floor_fell")}
    labels |= {by: words.say("board", "challenges", {"colour": by}) for by in others}
    who = Question(words.say("board", "challenge"), _taps(so, 0, labels), "choices")
    first = _pick(so, 0, labels)
    if first in (NOBODY, FELL):
        return Draft((who,), move=NeutralAbort(group.shape, group.level, crash=first == FELL))
    if first is None:
        return Draft((who,), ghost=NeutralAbort(group.shape, group.level))
    groups = _free(state, movable(state, (group.colour,)))
    which = Question(words.say("board", "challenge_column"), _columns(so, 1, groups, words), "pictures")
    column = dict(groups).get(so[1]) if len(so) > 1 else None
    taps = _on_board(groups, first)
    if column is None:
        return Draft((who, which), cells=taps)
    how = Question(words.say("board", "objection_result"), _taps(so, 2, _results(words)), "choices")
    result = _pick(so, 2, RESULTS)
    if result is None:
        return Draft((who, which, how), cells=taps)
    tried = Challenge(first, column.shape, column.level, result)  # type: ignore[arg-type]  # one of RESULTS and of the players
    return Draft((who, which, how), move=NeutralAbort(group.shape, group.level, challenge=tried))


def crash(state: State, so: Answers, words: Words) -> Draft:
    """Who brought the villa down, if anybody."""
    labels: dict[str, str] = {name: words.name(name) for name in seats_of(state)}
    labels[NOBODY] = words.say("board", "crash_nobody")
    given = _pick(so, 0, labels)
    by = None if given == NOBODY else given
    asked = Question(words.say("board", "crash_who"), _taps(so, 0, labels), "choices")
    return Draft((asked,), move=None if given is None else Crash(by))  # type: ignore[arg-type]  # a colour that plays
