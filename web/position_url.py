"""Stores an entered position in the address of its page only, to count it without a log.

The address contains what the player entered, tap by tap, as the API's JSON, compressed. So a reload shows the same
position, Back undoes a tap, and everybody who has the link sees the count. The server trusts nothing in it.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import islice
from typing import Any, Final, TypeAlias

import orjson

from rules.forms import Malformed
from rules.kernel import Cell, Finding
from rules.records import dataclass
from service import schemas
from service.errors import Impossible, Invalid, NotJson
from service.rulings import judge
from service.schemas import parse
from service.types import AnyGame, Json, State
from service.validation import FieldError
from web.game_pages import AnyPositionEntry, Snapshot

Step: TypeAlias = Mapping[str, Json]
"""The position after a tap, as JSON: a setup and a position."""
MAX_TEXT: Final = 3_600
"""The maximum letters of an address's text: the server accepts a request line of 4094."""
MAX_STEPS: Final = 10
"""The maximum number of taps that the page can undo; the browser's Back can undo more."""
MAX_STEP: Final = 16 * 1024
"""The maximum bytes of a position as JSON: the limit of the API for a body."""
MAX_PARTS: Final = 200
"""The maximum number of parts of an invalid position that are tried: the largest board has fewer cells."""
LETTERS: Final = re.compile(r"[\w-]+", re.ASCII)
"""The letters of a text."""
TOKENS: Final = re.compile(r'\\.|["{}\[\],]')
"""The tokens of JSON where its parts begin and end."""
MAX_ENDS: Final = 50
"""The maximum number of ends that are tried for truncated JSON."""
ASSUMPTIONS: Final = "assumptions"
"""The member of a step with the details that nobody entered."""
MAX_COORDINATE: Final = 99
"""The maximum coordinate of a cell on a board that grows, as in the games."""
CLOSING: Final = {"[": "]", "{": "}"}
MAX_BYTES: Final = MAX_STEP * (MAX_STEPS + 1)


class Unread(ValueError):
    """A text that is not a position of the game.

    `field_errors`: the reasons, as codes with JSON pointers. `problems`: why it cannot be counted. Without either, the
    text cannot be decoded.
    """

    def __init__(self, field_errors: Sequence[tuple[str, FieldError]] = (), problems: Sequence[Finding] = ()) -> None:
        super().__init__(field_errors, problems)
        self.field_errors = tuple(field_errors)
        self.problems = tuple(problems)

    @classmethod
    def of(cls, error: Malformed, game: AnyGame) -> Unread:
        """What the game found wrong with a position, as `Invalid.of` tells the API."""
        return cls(Invalid.of(error, game.id).field_errors)


# --- the text of an address --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trail:
    """The entered positions, one step for each tap. The last one is counted; without any, the game's blank position."""

    steps: tuple[Step, ...] = ()

    @classmethod
    def of(cls, text: str) -> Trail:
        """Read the text of an address. Raises `Unread`."""
        if not text:
            return cls()
        try:
            packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
            unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
            steps = parse(unpacker.decompress(packed, MAX_BYTES))
        except (binascii.Error, ValueError, zlib.error, NotJson):
            raise Unread from None
        if not (unpacker.eof and isinstance(steps, list) and steps and all(isinstance(step, dict) for step in steps)):
            raise Unread
        if len(_step_json(steps[-1])) > MAX_STEP:
            raise Unread
        return cls(tuple(steps[-MAX_STEPS - 1 :]))

    @classmethod
    def of_cut(cls, text: str) -> Trail:
        """Read the rest of a text that was cut, or is wrong from some letter on. Raises `Unread`.

        The result is the last whole step before the cut, or part of the first step.
        """
        letters = (LETTERS.match(text) or [""])[0]
        packed = base64.urlsafe_b64decode(letters[: len(letters) // 4 * 4])
        unpacker, found = zlib.decompressobj(-zlib.MAX_WBITS), b""
        with suppress(zlib.error):
            for byte in packed:
                if len(found) < MAX_BYTES:
                    found += unpacker.decompress(bytes((byte,)), MAX_BYTES - len(found))
        for closed in _closed(found.decode(errors="ignore")):
            with suppress(NotJson, ValueError):
                steps = parse(closed.encode())
                if isinstance(steps, list) and steps and all(isinstance(step, dict) for step in steps):
                    return cls(tuple(steps[-2:-1] or steps))
        raise Unread

    def without_last(self) -> Trail | None:
        """The trail without the last tap, if it has an earlier one."""
        return Trail(self.steps[:-1]) if len(self.steps) > 1 else None

    def last_only(self) -> Trail:
        """The trail with the last tap alone, to pass on."""
        return Trail(self.steps[-1:])

    def text(self) -> str:
        """The text of the address."""
        return Packer(self.steps[:-1]).text(self.steps[-1]) if self.steps else ""


class Packer:
    """Packs positions that follow the same steps; deflates their common part once."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = tuple(steps[-MAX_STEPS:])
        self.compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
        head = b"[" + b"".join(_step_json(step) + b"," for step in self.steps)
        self.head = self.compressor.compress(head)

    def text(self, step: Step, limit: int = MAX_TEXT) -> str:
        """The text of the address after one more step; older steps are dropped if it grows too long."""
        compressor = self.compressor.copy()
        packed = self.head + compressor.compress(_step_json(step) + b"]") + compressor.flush()
        text = base64.urlsafe_b64encode(packed).rstrip(b"=").decode()
        if len(text) > limit and self.steps:
            return Packer(self.steps[len(self.steps) // 2 + 1 :]).text(step, limit)
        return text


def _closed(text: str) -> Iterator[str]:
    """Truncated JSON, closed after each member that may be whole, the last one first."""
    ends: deque[tuple[int, str]] = deque(maxlen=MAX_ENDS)
    open_ones, quoted = "", False
    for token in TOKENS.finditer(text):
        sign = token[0]
        quoted ^= sign == '"'
        if quoted:
            continue
        if sign in CLOSING:
            open_ones += CLOSING[sign]
            if len(open_ones) > MAX_ENDS:  # no position is that deep
                return
        elif sign in "]}":
            open_ones = open_ones[:-1]
        if sign in ",]}":
            ends.append((token.start() + (sign != ","), open_ones))
    for end, ones in reversed(ends):
        yield text[:end] + ones[::-1]


def _step_json(step: Step) -> bytes:
    return orjson.dumps(step, option=orjson.OPT_SORT_KEYS)


def step_of(snapshot: Snapshot) -> Step:
    """An entered position as a step of a trail."""
    step: Step = {"setup": schemas.plain(snapshot.setup), "position": schemas.plain(snapshot.position)}
    return (
        {**step, ASSUMPTIONS: [[cell, detail] for cell, detail in snapshot.assumptions]}
        if snapshot.assumptions
        else step
    )


def text_of(snapshot: Snapshot) -> str:
    """An entered position as the text of an address, without the taps that led to it."""
    return Trail((step_of(snapshot),)).text()


def starting_position(entry: AnyPositionEntry, *, asks: bool) -> Snapshot:
    """The first snapshot of an entry; for a question, all of it is unknown, if the game has unknown cells."""
    return entry.mark_unknown(entry.blank()) if asks and entry.mark_unknown is not None else entry.blank()


def unknown_facts(game: AnyGame, snapshot: Snapshot) -> tuple[Cell, ...]:
    """The unknown facts of an entered position. Raises `Malformed`."""
    return () if game.unknowns is None else game.unknowns.cells(snapshot.setup, snapshot.position)


def unknown_board_cells(game: AnyGame, unknown: Iterable[Cell]) -> frozenset[Cell]:
    """The cells of the board of which something is unknown."""
    return (
        frozenset()
        if game.unknowns is None
        else frozenset(c for fact in unknown for c in game.unknowns.cells_to_light(fact))
    )


def known_part(game: AnyGame, snapshot: Snapshot) -> Snapshot:
    """The known part of an entered position. Raises `Malformed`."""
    if game.unknowns is None:
        return snapshot
    return replace(snapshot, position=game.unknowns.known_part(snapshot.setup, snapshot.position))


@dataclass(frozen=True, slots=True)
class PositionReport:
    """The known part of an entered position, with everything in it that cannot stand on a table."""

    state: State
    problems: tuple[Finding, ...]
    unknown: tuple[Cell, ...]


def check_position(game: AnyGame, snapshot: Snapshot) -> PositionReport:
    """Check an entered position. Raises `Unread` for an invalid setup, and for problems that leave no state."""
    try:
        (game.setup_for_position or game.setup)(snapshot.setup)
        known_snapshot, unknown = known_part(game, snapshot), unknown_facts(game, snapshot)
        problems = game.problems(known_snapshot.setup, known_snapshot.position)
        return PositionReport(
            judge.enter_with_problems(game, known_snapshot.setup, known_snapshot.position, problems), problems, unknown
        )
    except Malformed as error:
        raise Unread.of(error, game) from None
    except Impossible as error:
        raise Unread(problems=error.problems) from None


def snapshot_of(
    game: AnyGame, entry: AnyPositionEntry, trail: Trail, *, asks: bool = False, on_table: bool = False
) -> Snapshot:
    """The last snapshot of a trail; a question (`asks`) may have unknown cells. `on_table`: the position has to contain
    every piece on the table. Raises `Unread`.
    """
    if not trail.steps:
        return starting_position(entry, asks=asks)
    forms = schemas.of(game)
    schema = {"setup": forms.setup_in_part, "position": forms.on_table if on_table else forms.position}
    step = trail.steps[-1]
    if step.keys() - {ASSUMPTIONS} != schema.keys():
        raise Unread
    try:
        with schemas.allow_unknown() if asks else nullcontext():
            entered = Snapshot(**{name: schemas.load(schema[name], step[name]) for name in schema})
    except Invalid as error:
        raise Unread(error.field_errors) from None
    return replace(entered, assumptions=_read_assumptions(step.get(ASSUMPTIONS, [])))


def _read_assumptions(given: Json) -> tuple[tuple[Cell, str], ...]:
    """The details of a step that nobody entered. Raises `Unread`."""
    found = []
    for pair in given if isinstance(given, list) else [given]:
        match pair:
            case [[int(x), int(y)], str(detail)] if max(abs(x), abs(y)) <= MAX_COORDINATE:
                found.append(((x, y), detail))
            case _:
                raise Unread
    return tuple(found)


def without_guesses(entry: AnyPositionEntry, snapshot: Snapshot) -> Snapshot:
    """The snapshot as players entered it: cells with assumed details become unknown, where they can."""
    for cell in dict.fromkeys(cell for cell, _ in snapshot.assumptions):
        snapshot = entry.hide(snapshot, cell) or snapshot
    return snapshot


def readable_part(
    game: AnyGame, entry: AnyPositionEntry, text: str, *, asks: bool, setup: Any | None = None
) -> str | None:
    """The text of the readable part of an invalid text: the valid parts of its last step, each tried in turn.

    `setup`: the setup of its table, which no text changes.
    """
    try:
        given = Trail.of(text).steps[-1:] or ({},)
    except Unread:
        try:
            given = Trail.of_cut(text).steps
        except Unread:
            return None
    start = starting_position(entry, asks=asks)
    blank = known = step_of(start if setup is None else replace(start, setup=setup))
    for change in islice(_parts(given[0]), MAX_PARTS):
        if setup is not None and "setup" in change:
            continue
        tried = _merge(known, change)
        try:
            check_position(game, snapshot_of(game, entry, Trail((tried,)), asks=asks))
        except Unread:
            continue
        known = tried
    return None if known == blank else Trail((known,)).text()


def _parts(step: Step) -> Iterator[dict[str, Any]]:
    """The members of a step, one by one; those of nested members, such as cells, one by one too."""
    for name, value in step.items():
        for member, inner in value.items() if isinstance(value, dict) else ():
            for key in inner if isinstance(inner, dict) else (None,):
                yield {name: {member: inner if key is None else {key: inner[key]}}}


def _merge(one: Any, other: Any) -> Any:
    """Add members to JSON, at any depth."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return other
    return {**one, **{name: _merge(one.get(name), value) for name, value in other.items()}}
