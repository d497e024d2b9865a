"""Villa Paletti played by hand: 20 columns one by one, read from the page of the game and from nothing else.

Slow and plain on purpose. It shares with the program the notation of a move and the JSON form of a position only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

COLOURS = ("red", "blue", "yellow", "green")
SHAPES = ("small", "small", "small", "hex", "big")
WORTH = {"small": 1, "hex": 2, "big": 3}
ORANGE_FLOOR, RED_FLOOR = 4, 5


@dataclass
class Column:
    """One column: where it stands (None: out of the game), and whether it is locked."""

    colour: str
    shape: str
    level: int | None = 0
    locked: bool = False


@dataclass
class Villa:
    """The villa, whose turn it is, and the seal. Players are numbers in turn order."""

    players: list[tuple[str, ...]]
    readings: dict[str, str]
    columns: list[Column] = field(default_factory=lambda: [Column(c, s) for c in COLOURS for s in SHAPES])
    top: int = 1
    player: int = 0
    own: bool = False  # three players: the neutral part of the turn is over
    has_asked: bool = False  # a floor was asked for in this turn, and the turn goes on
    holder: int | None = None
    previous: int | None = None
    has_been: bool = False  # somebody has put a column of their own on the top level
    ended: dict[str, str] = field(default_factory=dict)
    is_stuck: bool = False  # it ended because nobody could build, without anybody saying so

    # --- what one sees -----------------------------------------------------------------------------------------------

    @property
    def neutral(self) -> str:
        """The colour left over, with three players."""
        return next((c for c in COLOURS if not any(c in each for each in self.players)), "")

    def player_of(self, colour: str) -> int | None:
        """The player whom a colour names."""
        return next((n for n, colours in enumerate(self.players) if colour in colours), None)

    def pick(self, words: list[str]) -> Column | None:
        """The column that is named: a free one before a locked one; with a star a locked one."""
        colour, shape, level = words
        kind = (colour, shape.removesuffix("*"), int(level))
        there = [c for c in self.columns if (c.colour, c.shape, c.level) == kind]
        if shape.endswith("*"):
            there = [c for c in there if c.locked]
        return min(there, key=lambda column: column.locked, default=None)

    def movable(self, column: Column | None) -> bool:
        """Not locked, and below the top level."""
        return column is not None and column.level is not None and column.level < self.top and not column.locked

    def last_neutral(self, column: Column | None) -> bool:
        """Whether it is the only neutral column of its level."""
        return (
            column is not None and sum((c.colour, c.level) == (self.neutral, column.level) for c in self.columns) == 1
        )

    def gives(self) -> bool:
        """Whether a level has a neutral column to give."""
        return any(c.colour == self.neutral and self.movable(c) and not self.last_neutral(c) for c in self.columns)

    def neutral_due(self) -> bool:
        return not self.own and self.gives()

    def moves(self, player: int) -> bool:
        """Whether a player has a column of their own to move."""
        return any(c.colour in self.players[player] and self.movable(c) for c in self.columns)

    def carriers(self, taken: Column | None = None) -> int:
        """The columns that would carry a floor."""
        return sum(c.level == self.top for c in self.columns if c is not taken)

    def columns_needed(self) -> int:
        """The columns that the next floor must have."""
        return 2 if self.readings["supports"] == "two_from_orange" and self.top + 1 >= ORANGE_FLOOR else 3

    def points(self, player: int) -> int:
        """What the columns of a player on the top level are worth."""
        return sum(WORTH[c.shape] for c in self.columns if c.level == self.top and c.colour in self.players[player])

    # --- what is wrong with a move -----------------------------------------------------------------------------------

    def broken_rules(self, notation: str) -> set[str]:
        """The rules that a move breaks."""
        words = notation.split()
        if self.ended:
            return {self.ended["rule"]}
        if words[0] in {"crash", "end"}:
            return {"VP-16"} if words[1:] and self.player_of(words[1]) is None else set()
        if words[0] == "done":
            return set() if self.own and self.readings["own_after_neutral"] == "may" else {"VP-20"}
        if words[0] == "floor":
            return set(self.wrong_floor(words[1:]))
        if words[0] == "n":
            return set(self.wrong_neutral([word for word in words[1:] if word != "x"]))
        return set(self.wrong_own([word for word in words if word != "x"]))

    def wrong_own(self, words: list[str]) -> Iterator[str]:
        column = self.pick(words[:3])
        if self.neutral_due():
            yield "VP-20"
        if column is None or column.colour not in self.players[self.player] or not self.movable(column):
            yield "VP-10"

    def wrong_neutral(self, words: list[str]) -> Iterator[str]:
        if not self.neutral:
            yield "VP-20"
            return
        if not self.neutral_due():
            yield "VP-20"
        column = self.pick([self.neutral, *words[:2]])
        yield from self.wrong_giving(column, "VP-10")
        if "!" in words:
            challenger = self.player_of(words[3])
            if challenger is None or challenger == self.player:
                yield "VP-21"
            yield from self.wrong_giving(self.pick([self.neutral, *words[4:6]]), "VP-21")

    def wrong_giving(self, column: Column | None, rule: str) -> Iterator[str]:
        if not self.movable(column):
            yield rule
        elif self.last_neutral(column):
            yield "VP-20"

    def wrong_floor(self, words: list[str]) -> Iterator[str]:
        if self.own or self.has_asked or self.top == RED_FLOOR:
            yield "VP-12"
        if words[:1] == ["!"]:
            yield from self.wrong_objection(words[1:])
        elif not words:
            yield from self.wrong_laying(None)

    def wrong_objection(self, words: list[str]) -> Iterator[str]:
        objector, column = self.player_of(words[0]), self.pick(words[1:4])
        others = {words[0]} if objector is None else self.players[objector]
        if objector in {None, self.player}:
            yield "VP-13"
        any_colour = self.readings["objection_column"] == "any"
        if not self.movable(column):
            yield "VP-13"
        elif any_colour and column is not None and column.colour == self.neutral and self.last_neutral(column):
            yield "VP-20"
        if not any_colour and words[1] not in self.players[self.player]:
            yield "VP-13"
        if words[4] == "fail":
            yield from self.wrong_loss(column, others, words)

    def wrong_loss(self, failed: Column | None, others: Iterable[str], words: list[str]) -> Iterator[str]:
        """What is wrong with what the asker takes, and with the floor then; the column that failed may be locked."""
        before = failed is not None and failed.locked
        if failed is not None and self.readings["failed_column"] == "locked":
            failed.locked = True
        taken = None if words[5] == "none" else self.pick(words[5:8])
        if failed is not None:
            failed.locked = before
        if words[5] != "none" and (taken is None or taken.colour not in others):
            yield "VP-14"
        elif words[-1] != "-" and self.readings["floor_after_failed_objection"] == "laid":
            yield from self.wrong_laying(taken)

    def wrong_laying(self, taken: Column | None) -> Iterator[str]:
        if self.top < RED_FLOOR and self.carriers(taken) < self.columns_needed():
            yield "VP-15"

    # --- what a move does --------------------------------------------------------------------------------------------

    def play(self, notation: str) -> None:
        """What a legal move does."""
        words = notation.split()
        if words[0] in {"crash", "end"}:
            self.stop("VP-17" if words[0] == "end" else "VP-16", *words[1:])
        elif words[-1] == "crash":
            other = words[words.index("!") + 1] if "!" in words else ""
            mover = self.players[self.player][0]
            self.stop("VP-16", other or mover, mover if other else "")
        elif words[0] == "done":
            self.next()
        elif words[0] == "floor":
            self.ask(words[1:])
        elif words[0] == "n":
            self.give(words[1:])
        else:
            self.build(words)

    def stop(self, rule: str, by: str = "", asker: str = "") -> None:
        player = self.player_of(by)
        named = "" if player is None else self.players[player][0]
        self.ended = {key: value for key, value in {"rule": rule, "by": named, "asker": asker}.items() if value}

    def build(self, words: list[str]) -> None:
        column = self.pick(words[-3:])
        assert column is not None
        if words[0] == "x":
            column.locked = True
        else:
            column.level = self.top
            self.has_been = True
            self.seal()
        self.next()

    def give(self, words: list[str]) -> None:
        aborted = words[0] == "x"
        words = words[aborted:]
        column = self.pick([self.neutral, *words[:2]])
        assert column is not None
        column.locked = aborted
        self.own = "!" not in words or words[-1] == "fail"
        if "!" in words:
            self.challenge(column, words)
        elif not aborted:
            column.level = self.top
        if not self.own or not self.moves(self.player):
            self.next()

    def challenge(self, column: Column, words: list[str]) -> None:
        tried = column if words[4:6] == words[:2] else self.pick([self.neutral, *words[4:6]])
        assert tried is not None
        if words[-1] != "fail":
            tried.level, tried.locked = self.top, False
        elif self.readings["failed_column"] == "locked":
            tried.locked = True

    def ask(self, words: list[str]) -> None:
        may_lay = words[:1] != ["!"] or self.object(words[1:])
        if may_lay and words[-1:] != ["-"]:
            self.top += 1
            self.has_been = False
        goes_on = words[-1:] == ["ok"] and self.readings["after_objection"] == "asker_moves"
        self.has_asked = goes_on and (self.gives() or self.moves(self.player))
        if not self.has_asked:
            self.next()

    def object(self, words: list[str]) -> bool:
        """An objection; whether the floor may then be laid."""
        column = self.pick(words[1:4])
        assert column is not None
        if words[4] == "ok":
            column.level = None
            return False
        if self.readings["failed_column"] == "locked":
            column.locked = True
        taken = None if words[5] == "none" else self.pick(words[5:8])
        if taken is not None:
            taken.level, taken.locked = None, False
        return self.readings["floor_after_failed_objection"] == "laid"

    def seal(self) -> None:
        """Who has the seal after the player at turn placed a column of their own."""
        points = [self.points(n) for n in range(len(self.players))]
        most = max(points)
        if self.top == 1 or (self.holder is not None and most <= points[self.holder]):
            return
        taker = self.player
        while points[taker] < most:
            taker = (taker + 1) % len(self.players)
        if taker != self.holder:
            self.holder, self.previous = taker, self.holder

    def next(self) -> None:
        """The next player who has anything to do, or the end."""
        self.own = self.has_asked = False
        floor = self.top < RED_FLOOR
        able = [n for n in range(len(self.players)) if self.moves(n)]
        if not able and not self.gives() and not (floor and self.carriers() >= self.columns_needed()):
            self.stop("VP-17")
            self.is_stuck = True
            return
        self.player = (self.player + 1) % len(self.players)
        while not (floor or self.gives() or self.player in able):
            self.player = (self.player + 1) % len(self.players)

    # --- what is written down ----------------------------------------------------------------------------------------

    def winner(self) -> int | None:
        """The holder; the one before, if the holder brought the villa down."""
        return self.previous if self.causer() is not None and self.causer() == self.holder else self.holder

    def causer(self) -> int | None:
        """Who is taken to have brought the villa down."""
        asked = self.readings["collapse_by_objector"] == "asker" and "asker" in self.ended
        return self.player_of(self.ended.get("asker" if asked else "by", ""))

    def places(self) -> list[set[str]]:
        """The winner, the others together, and last who brought the villa down."""
        everyone, last, first = set(range(len(self.players))), {self.causer()} - {None}, {self.winner()} - {None}
        middle = everyone - first - last
        return [{self.players[n][0] for n in group if n is not None} for group in (first, middle, last) if group]

    def position(self) -> dict[str, Any]:
        """The table in the form of a position: `ended` is what was said; after the end it is nobody's turn."""
        seat = {n: colours[0] for n, colours in enumerate(self.players)}
        standing = Counter((c.colour, c.shape, c.level) for c in self.columns if c.level is not None)
        locked = Counter((c.colour, c.shape, c.level) for c in self.columns if c.level is not None and c.locked)
        out = Counter((c.colour, c.shape) for c in self.columns if c.level is None)
        turn = {"due": seat[self.player], "part": "own" if self.own else "turn", "asked": self.has_asked}
        return {
            "columns": {(*kind, n, locked[kind]) for kind, n in standing.items()},
            "out": {(*kind, n) for kind, n in out.items()},
            "top": self.top,
            "holder": None if self.holder is None else seat[self.holder],
            "previous": None if self.previous is None else seat[self.previous],
            "ended": None if self.is_stuck else self.ended or None,
            **({} if self.ended else turn),
        }


def about_the_seal(villa: Villa) -> tuple[list[str], list[str]]:
    """Own columns that can be placed, and objections that fail and cost a column of the top level."""
    own = [c for c in villa.columns if c.colour in villa.players[villa.player] and villa.movable(c)]
    named = [f"{c.colour} {c.shape} {c.level}" for c in own]
    above = [c for c in villa.columns if c.level == villa.top and c.colour not in villa.players[villa.player]]
    lost = [f"floor ! {c.colour} {column} fail {c.colour} {c.shape} {c.level} -" for c in above for column in named[:1]]
    return named, lost
