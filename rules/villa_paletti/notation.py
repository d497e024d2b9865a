"""Villa Paletti: the short text form of a move, and back. Whose it is comes from the turn."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias, cast

from rules.forms import Malformed
from rules.villa_paletti.columns import Colour, Shape
from rules.villa_paletti.moves import (
    Abort,
    Challenge,
    Column,
    Crash,
    Done,
    End,
    Floor,
    Move,
    Neutral,
    NeutralAbort,
    Objection,
    Taken,
)

_COLOUR = "red|blue|yellow|green"
_SHAPE = "small|hex|big"
_STANDING = rf"(?:{_SHAPE})\*? [0-5]"
_COLUMN = rf"(?:{_COLOUR}) {_STANDING}"
_COLUMN_MOVE = re.compile(rf"(?P<abort>x )?(?P<column>{_COLUMN})(?P<crash> crash)?")
_FLOOR = re.compile(
    rf"floor(?: ! (?P<by>{_COLOUR}) (?P<column>{_COLUMN}) (?P<result>ok|crash|fail (?P<taken>none|{_COLUMN})))?"
    r"(?P<given_up> -)?(?P<crash> crash)?"
)
_NEUTRAL = re.compile(
    rf"n (?P<abort>x )?(?P<standing>{_STANDING})"
    rf"(?: ! (?P<by>{_COLOUR}) (?P<shown>{_STANDING})(?P<fail> fail)?)?(?P<crash> crash)?"
)
_CRASH = re.compile(rf"crash(?: ({_COLOUR}))?")
DONE = "done"
END = "end"

Result: TypeAlias = Literal["ok", "fail", "crash"]


def read(text: str) -> Move:
    """``red big 0``, ``floor ! yellow red hex 1 ok``, ``n x small 1``, ``crash red`` … -> the move."""
    if text == END:
        return End()
    if text == DONE:
        return Done()
    if match := _CRASH.fullmatch(text):
        return Crash(cast("Colour | None", match[1]))
    if match := _COLUMN_MOVE.fullmatch(text):
        form = Abort if match["abort"] else Column
        return form(*_column(match["column"]), crash=bool(match["crash"]))
    if match := _FLOOR.fullmatch(text):
        return _floor(match)
    if match := _NEUTRAL.fullmatch(text):
        return _neutral(match, text)
    raise Malformed("notation", text=text)


def _read_place(text: str) -> tuple[Shape, int, bool]:
    """``small* 2`` -> the shape, the level, the star."""
    shape, level = text.split(" ")
    return cast("Shape", shape.rstrip("*")), int(level), shape.endswith("*")


def _column(text: str) -> tuple[Colour, Shape, int, bool]:
    colour, standing = text.split(" ", 1)
    return (cast("Colour", colour), *_read_place(standing))


def _floor(match: re.Match[str]) -> Floor:
    objection = None
    if match["by"]:
        colour, shape, level, star = _column(match["column"])
        taken = Taken(*_column(match["taken"])) if match["taken"] not in (None, "none") else None
        result = cast("Result", match["result"].split(" ")[0])
        objection = Objection(cast("Colour", match["by"]), colour, shape, level, result, star, taken)
    return Floor(not match["given_up"], objection, bool(match["crash"]))


def _neutral(match: re.Match[str], text: str) -> Move:
    shape, level, star = _read_place(match["standing"])
    crash = bool(match["crash"])
    if not match["abort"]:
        if match["by"]:
            raise Malformed("notation", text=text)
        return Neutral(shape, level, star, crash)
    if not match["by"]:
        return NeutralAbort(shape, level, star, None, crash)
    if crash and match["fail"]:
        raise Malformed("crash_alone")
    result: Result = "crash" if crash else "fail" if match["fail"] else "ok"
    shown, shown_level, shown_star = _read_place(match["shown"])
    return NeutralAbort(
        shape, level, star, Challenge(cast("Colour", match["by"]), shown, shown_level, result, shown_star)
    )


def write(move: Move) -> str:
    """The move -> its text."""
    if isinstance(move, End):
        return END
    if isinstance(move, Done):
        return DONE
    if isinstance(move, Crash):
        return f"crash {move.by}" if move.by else "crash"
    crash = " crash" if move.crash else ""
    if isinstance(move, Floor):
        given_up = "" if move.laid else " -"
        return f"floor{_objection(move.objection) if move.objection else ''}{given_up}{crash}"
    if isinstance(move, Column):
        return f"{_write_column(move)}{crash}"
    if isinstance(move, Abort):
        return f"x {_write_column(move)}{crash}"
    if isinstance(move, Neutral):
        return f"n {_write_place(move)}{crash}"
    attempt = move.challenge
    result = f" {attempt.result}" if attempt and attempt.result != "ok" else ""
    challenge = f" ! {attempt.by} {_write_place(attempt)}{result}" if attempt else ""
    return f"n x {_write_place(move)}{challenge}{crash}"


def _write_place(column: Column | Abort | Neutral | NeutralAbort | Objection | Challenge | Taken) -> str:
    return f"{column.shape}{'*' if column.locked else ''} {column.level}"


def _write_column(column: Column | Abort | Objection | Taken) -> str:
    return f"{column.colour} {_write_place(column)}"


def _objection(objection: Objection) -> str:
    taken = "" if objection.result != "fail" else f" {_write_column(objection.taken)}" if objection.taken else " none"
    return f" ! {objection.by} {_write_column(objection)} {objection.result}{taken}"
