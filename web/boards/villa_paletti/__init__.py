"""The board of Villa Paletti: the villa from the side, level by level, with the seal above it.

Every group of like columns has its own place on each level: the colours side by side, and of each colour the small,
the hexagonal and the big ones. So a column can be told without its colour, by where it stands and by its shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rules.kernel import Cell, Seat
from rules.villa_paletti import GAME
from rules.villa_paletti.columns import COLOURS, RED_FLOOR, Count, Group
from rules.villa_paletti.play import phase
from rules.villa_paletti.state import Abort, Column, Move, Neutral, NeutralAbort, State, name_of
from rules.villa_paletti.villa import cell_of, level_cell, own_columns
from service.texts import Words, words
from web.boards import Board, Option, Picks, Shape, Spot, Stock, Symbol
from web.boards import Count as Entered
from web.boards.drafts import Answers, Draft
from web.boards.editing import villa_paletti as editing
from web.boards.villa_paletti import objections
from web.boards.villa_paletti.columns import (
    NEUTRAL,
    PLACE,
    PLINTH,
    ROW,
    SKY,
    SLOT,
    WIDTH,
    YARD,
    above,
    corner,
    floors,
    ground,
    path,
    picture,
    rect,
    standing,
    symbols,
    yard,
)

# --- what a screen reader says, and what is at hand --------------------------------------------------------------


def _name(state: State, group: Group, words: Words) -> str:
    count = state.columns.get(group, Count(0, 0))
    colour = (
        words.say("board", "neutral_colour", {"colour": group.colour})
        if group.colour == state.neutral
        else group.colour
    )
    code = "locked" if count.locked else "standing" if count.n else "empty"
    values = {"colour": colour, "shape": group.shape, "level": group.level, "n": count.n, "locked": count.locked}
    return words.say("board", code, values)


def group_of(state: State, cell: Cell | None) -> Group | None:
    """The group that a cell names, whether a column stands there or not."""
    parts = str(cell).split()
    if len(parts) != 3 or not parts[2].isdecimal():
        return None
    named = state.neutral if parts[0] == "n" else parts[0]
    return next(
        (Group(colour, shape, int(parts[2])) for colour, shape in PLACE if (colour, shape) == (named, parts[1])),  # type: ignore[arg-type]  # the keys of PLACE are all there are
        None,
    )


class VillaPaletti:
    """The drawing of Villa Paletti."""

    def draw(self, state: State, language: str, before: State | None = None) -> Board:
        """Draw a state; with `before`, what has come, gone or been locked since is a ghost."""
        said, then = words(language, GAME.id), before or state
        groups = sorted(
            {*state.columns, *then.columns}, key=lambda group: (group.level, PLACE[group.colour, group.shape])
        )
        none = Count(0, 0)
        high = SKY + (state.top + 1) * ROW
        return Board(
            box=(0, -high, WIDTH, high + PLINTH + (YARD if state.out else 0)),
            ground=(*ground(state, said), *above(state, said), *yard(state, said)),
            pieces=(
                *floors(state, then),
                *(
                    shape
                    for group in groups
                    for shape in standing(group, state.columns.get(group, none), then.columns.get(group, none))
                ),
            ),
            spots=tuple(self._spots(state, said)),
            stock={name_of(state, number): tuple(self._stock(state, number)) for number in range(len(state.players))},
            row=1 + len(PLACE),
        )

    def _spots(self, state: State, said: Words) -> Iterator[Spot]:
        """The places as they are read: from the top level down, the level itself first."""
        for level in range(state.top, -1, -1):
            name = said.say("board", "level", {"level": level, "floor": f"floor {level}"})
            yield Spot(level_cell(level), f"level.{level}", name, 0, -(level + 1) * ROW, SLOT, ROW)
            for colour, shape in PLACE:
                group = Group(colour, shape, level)  # type: ignore[arg-type]  # the keys of PLACE are all there are
                cell = cell_of(state, group)
                yield Spot(cell, cell.replace(" ", "."), _name(state, group, said), *corner(group), SLOT, ROW)

    def _stock(self, state: State, player: int) -> Iterator[Stock]:
        colour = name_of(state, player)
        free = Counter(dict.fromkeys(state.players[player], 0))
        for group in own_columns(state, player):
            free[group.colour] += state.columns[group].n - state.columns[group].locked
        for own, n in free.items():
            yield Stock(f"free_{own}", n, self.icon("column", own))
        if player == state.holder:
            yield Stock("seal", 1, self.icon("seal", colour))
        elif player == state.previous:
            yield Stock("previous", 1, self.icon("previous", colour))

    def symbols(self) -> tuple[Symbol, ...]:
        """The columns and the lock."""
        return symbols()

    def options(self, state: State, cell: Cell) -> Sequence[Option]:
        """What can be said of a column: it was moved, tried in vain, or the villa fell with it."""
        group = group_of(state, cell)
        count = state.columns.get(group) if group else None
        if group is None or count is None or GAME.due(state).ended:
            return ()
        neutral = group.colour == state.neutral
        found = [*self._of(group, neutral=neutral, locked=False)]
        if 0 < count.locked < count.n:
            found += [
                Option(f"{o.kind}_locked", o.moves, usual=False) for o in self._of(group, neutral=neutral, locked=True)
            ]
        due = {"neutral": True, "own": False}.get(phase(state))
        mine = neutral if due else group.colour in state.players[state.player]
        return [Option(option.kind, option.moves, usual=option.usual and mine) for option in found]

    def _of(self, group: Group, *, neutral: bool, locked: bool) -> Iterator[Option]:
        up: Move
        tried: Move
        if neutral:
            up = Neutral(group.shape, group.level, locked)
            tried = NeutralAbort(group.shape, group.level, locked)
            fell: tuple[Move, ...] = (Neutral(group.shape, group.level, locked, crash=True),)
        else:
            up = Column(*group, locked)
            tried = Abort(*group, locked)
            fell = (Column(*group, locked, crash=True),)
        yield Option(up.kind, (up,))
        yield Option(tried.kind, (tried,))
        yield Option("fell", fell)

    def draft(self, state: State, kind: str, cell: Cell | None, so: Answers, words: Words) -> Draft | None:
        """The floor that is asked for, the neutral attempt with its challenge, and who brought the villa down."""
        if GAME.due(state).ended:
            return None
        if kind == "floor" and cell is None:
            return objections.floor(state, so, words)
        if kind == "crash" and cell is None:
            return objections.crash(state, so, words)
        group = group_of(state, cell)
        if kind == "neutral_abort" and group is not None and group.colour == state.neutral and group in state.columns:
            return objections.neutral_abort(state, group, so, words)
        return None

    def handling(self, state: State, move: Move, words: Words) -> Sequence[str]:
        """What the hands have to observe in a move; where columns may stand depends on the top level."""
        kind = {"abort": "column", "neutral_abort": "neutral"}.get(move.kind, move.kind)
        moments = [kind] if kind in ("column", "floor") else ["neutral", "column"] if kind == "neutral" else []
        if getattr(move, "objection", None) or getattr(move, "challenge", None):
            moments += ["objection", "column"]
        said = {code: text for moment in moments for code, text in words.text["handling"][moment].items()}
        if state.top == RED_FLOOR and "stack" in said:
            said |= words.text["handling"]["top"]
        return tuple(said.values())

    def blank(self) -> Entered:
        """The villa as every game begins."""
        return editing.blank()

    def entry(self, state: State, language: str) -> Board:
        """The villa up to its top floor, every place of which can be tapped."""
        return self.draw(state, language)

    def picks(self, count: Entered, cell: Cell | None, language: str) -> Sequence[Picks]:
        """How many columns stand in a place; beside the board, the floors, the seal and the end."""
        return editing.picks(self, count, cell, group_of(GAME.enter(count.setup, count.position), cell), language)

    def icon(self, kind: str, seat: Seat | None) -> tuple[Shape, ...]:
        """A kind of move, or what a player has, in a square of 100 units."""
        colour = next((colour for colour in COLOURS if colour == seat), COLOURS[0])
        kind = kind.removesuffix("_locked")
        if kind in ("seal", "previous"):
            inner = Shape("circle", f"knight-{colour}", {"cx": 50, "cy": 50, "r": 22})
            return (Shape("circle", "seal", {"cx": 50, "cy": 50, "r": 38}), *([inner] if kind == "seal" else []))
        if kind == "floor":
            return (rect("floor-2", 6, 40, 88, 20),)
        if kind in ("crash", "fell"):
            return (path("falling", "M8 92L36 78L50 30L62 34L54 80L92 92ZM60 20L84 8L92 22L68 34Z"),)
        if kind == "end":
            return (rect("falling", 28, 28, 44, 44),)
        return picture(NEUTRAL if kind.startswith("neutral") else colour, "big", locked=kind.endswith("abort"))

    def sketch(self, move: Move, seat: Seat | None) -> tuple[Shape, ...]:
        """The column in its colour and shape; any other move as its kind."""
        if isinstance(move, Column | Abort):
            return picture(move.colour, move.shape, locked=isinstance(move, Abort))
        if isinstance(move, Neutral | NeutralAbort):
            return picture(NEUTRAL, move.shape, locked=isinstance(move, NeutralAbort))
        return self.icon(move.kind, seat)


DRAWING = VillaPaletti()
