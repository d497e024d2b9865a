"""Asks for a move of Robber Knights: the tile of a cell, the way of a march, and the knights that stay on each tile.

The page asks first for legal answers. Players can also give any other answer, separately; then the rules object. The
page asks for the letter on a tile's back only if it could have several.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from typing import TypeAlias

from rules.kernel import Cell
from rules.records import dataclass
from rules.robber_knights.legal_moves import faces_of, is_site, letters_of, tiles_at
from rules.robber_knights.moves import MAX_BROUGHT, STEP, Knights, Move, Tile
from rules.robber_knights.state import State
from rules.robber_knights.tiles import DECK, FACES, LETTERS, MINIMUM, Letter
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.game_pages import Answer, Codes, Draft, Option, Question

Place: TypeAlias = tuple[int, int]
STAY, NOBODY = ".", "-"
"""The answers that all knights stay on the castle, and that none are brought."""
WAYS = (*STEP, STAY, NOBODY)
BACKS: Mapping[str, Letter] = {f":{letter}": letter for letter in LETTERS}
"""The answers for the letter on a tile's back. They may stand anywhere among the others."""
NUMBERS = tuple(map(str, range(MAX_BROUGHT + 1)))
ARROWS: Mapping[str, str] = {
    "n": "M50 14L80 50H62V86H38V50H20Z",
    "e": "M86 50L50 80V62H14V38H50V20Z",
    "s": "M50 86L20 50H38V14H62V50H80Z",
    "w": "M14 50L50 20V38H86V62H50V80Z",
}


def place_of(cell: Cell) -> Place | None:
    """A cell, also by the key of its spot."""
    if not isinstance(cell, str):
        return cell
    x, _, y = cell.partition(",")
    return (int(x), int(y)) if x.lstrip("-").isdecimal() and y.lstrip("-").isdecimal() else None


def options(state: State, cell: Cell) -> Sequence[Option[Move]]:
    """The faces that fit on a free cell, with every legal deployment, or bare if there is none."""
    place = place_of(cell)
    if place is None or place in state.tiles or not any(state.left):
        return ()
    legal = list(tiles_at(state, [place])) if is_site(state, place) else []
    held = faces_of(state) or list(FACES)
    found = []
    for face in sorted(FACES, key=lambda face: face not in held):
        moves = tuple(move for move in legal if move.face == face)
        found.append(Option(face, moves or (Tile(place, face),), usual=face in held))
    return tuple(found)


def attempts(state: State, cell: Cell) -> Sequence[Option[Move]]:
    """The faces that a player may hold, without knights, if a tile lies there already or none is left."""
    place = place_of(cell)
    if place is None:
        return ()
    return tuple(Option(face, (Tile(place, face),), usual=False) for face in faces_of(state) or FACES)


def draft(state: State, kind: str, at: Cell | None, codes: Codes, words: Words) -> Draft[Move] | None:
    """The march from a castle, if several deployments are legal: its direction, then the knights that stay on tiles.

    For every tile: the letter on its back, if it may have several.
    """
    cell = None if at is None else place_of(at)
    face = next((face for face in FACES if face == kind), None)
    if cell is None or face not in faces_of(state) or not is_site(state, cell):
        return None
    legal = list(tiles_at(state, [cell], [face]))
    letters = letters_of(state, face)
    if len(legal) < 2 and len(letters) < 2:
        return None
    tile = Tile(cell, face, next((BACKS[code] for code in codes if code in BACKS), None) if len(letters) > 1 else None)
    answers = _parse_answers(state, cell, [code for code in codes if code not in BACKS]) if len(legal) > 1 else ()
    optional = (_back(tile, letters, answers, words),) if len(letters) > 1 else ()
    if len(legal) < 2:
        return Draft((), replace(legal[0], letter=tile.letter), optional=optional)
    deployments = dict.fromkeys(map(_answers, legal))
    resolved = resolve_answers(deployments, answers)
    if resolved[: len(answers)] != answers:
        resolved = answers  # not legal: the answers stay unchanged
    return replace(_March(state, tile, resolved, words).draft(steps(deployments, resolved)), optional=optional)


def _back(tile: Tile, letters: Collection[Letter], other_codes: Codes, words: Words) -> Question:
    """The letter on the tile's back: not given, or one of those of its copies. The `other_codes` stay."""
    unsaid = Answer(words.say("board", "back_unsaid"), other_codes, is_chosen=tile.letter is None)
    answers = (
        Answer(letter, (*other_codes, code), is_chosen=letter == tile.letter, legal=letter in letters)
        for code, letter in BACKS.items()
        if tile.face in DECK[letter]
    )
    return Question(words.say("board", "back"), (unsaid, *answers), "choices")


def _answers(move: Tile) -> Codes:
    """A deployment as answers."""
    knights = move.knights
    return (NOBODY,) if knights is None else (knights.march or STAY, *map(str, knights.left))


def _parse_answers(state: State, cell: Place, codes: Sequence[str]) -> Codes:
    """The valid answers: a direction, and a number for each tile of the march."""
    if not codes or codes[0] not in WAYS:
        return ()
    numbers = takewhile(NUMBERS.__contains__, codes[1:])
    return (codes[0], *islice(numbers, len(_route(state, cell, codes[0]))))


def _route(state: State, cell: Place, way: str) -> list[Place]:
    """The cells to ask about: the castle's, and those of the march up to the end of the country."""
    step = next((step for name, step in STEP.items() if name == way), None)
    if step is None:
        return [cell] if way == STAY else []
    left, bottom, right, top = state.box
    x, y = cell
    found = [cell]
    while len(found) < 2 or (left <= x + step[0] <= right and bottom <= y + step[1] <= top):
        x, y = x + step[0], y + step[1]
        found.append((x, y))
    return found


def steps(deployments: Collection[Codes], codes: Codes) -> list[Codes]:
    """The possible answers at each step: those with which some deployment can continue.

    The first item has the first answers, and so on along `codes`, while they follow a deployment. The last one has the
    next answers, which are empty if the deployment is complete.
    """
    found = []
    for step in range(len(codes) + 1):
        along = [each for each in deployments if each[:step] == codes[:step] and len(each) > step]
        found.append(tuple(dict.fromkeys(each[step] for each in along)))
        if step < len(codes) and codes[step] not in found[step]:
            break
    return found


def resolve_answers(deployments: Collection[Codes], codes: Codes) -> Codes:
    """The answers that follow a deployment, continued while there is only one answer."""
    resolved: Codes = ()
    while True:
        *_, following = steps(deployments, resolved)
        if len(codes) > len(resolved) and codes[len(resolved)] in following:
            resolved = (*resolved, codes[len(resolved)])
        elif len(following) == 1 and resolved not in deployments:
            resolved = (*resolved, *following)
        else:
            return resolved


@dataclass(frozen=True, slots=True)
class _March:
    """An unfinished march: its direction, then the knights that stay on each tile, in order."""

    state: State
    tile: Tile
    codes: Codes
    words: Words

    def draft(self, legal: Sequence[Codes]) -> Draft[Move]:
        """`legal`: the possible answers, step by step, with which a legal march can continue."""
        route = _route(self.state, self.tile.cell, self.codes[0] if self.codes else NOBODY)
        choices = (WAYS, *[NUMBERS] * len(route[: len(self.codes)]))
        right = [[a for a in all_ if step < len(legal) and a in legal[step]] for step, all_ in enumerate(choices)]
        wrong = [[a for a in all_ if a not in right[step]] for step, all_ in enumerate(choices)]
        near = {way: _route(self.state, self.tile.cell, way)[1] for way in right[0] if way in STEP}
        return Draft(
            questions=tuple(self.question(route, step, some) for step, some in enumerate(right) if some),
            move=self.tile_with_knights(self.codes),
            ghost=self.tile_with_knights((STAY, *self.codes[1:2])) or self.tile,
            cells={} if self.codes else {cell: (*self.back, way) for way, cell in near.items()},
            lines=tuple(self.tally()),
            at=route[len(self.codes) - 1] if 0 < len(self.codes) <= len(route) else None,
            aside=tuple(self.question(route, step, some) for step, some in enumerate(wrong) if some),
        )

    @property
    def back(self) -> Codes:
        """The letter on the tile's back, as an answer, if the player has entered it."""
        return (f":{self.tile.letter}",) if self.tile.letter else ()

    def tile_with_knights(self, codes: Codes) -> Tile | None:
        """The tile with the knights of the answers, if these are a deployment already."""
        left = tuple(map(int, codes[1:]))
        march = next((step for step in STEP if step in codes[:1]), None)
        if march:
            return replace(self.tile, knights=Knights(left, march)) if len(left) > 1 and left[-1] else None
        if STAY in codes[:1]:
            return replace(self.tile, knights=Knights(left)) if any(left) else None
        return self.tile if codes else None

    def question(self, route: Sequence[Place], step: int, codes: Sequence[str]) -> Question:
        """The question for the direction, or for the knights that stay on a tile."""
        before, current = (*self.back, *self.codes[:step]), self.codes[step : step + 1]
        if step:
            answers = tuple(Answer(number, (*before, number), is_chosen=current == (number,)) for number in codes)
            return Question(self.title(route[step - 1], step), answers, note=self.note(route[step - 1], step))
        answers = tuple(
            Answer(self.words.say("board", f"march_{way}"), (*before, way), _arrow(way), is_chosen=current == (way,))
            for way in codes
        )
        return Question(self.words.say("board", "march"), answers, "pictures")

    def title(self, cell: Place, step: int) -> str:
        """The title: how many knights stay on the castle, or on a tile of the march."""
        face = self.state.tiles.get(cell)
        code = "march_castle" if step == 1 else "march_on" if face else "march_gap"
        return self.words.say("board", code, {"n": step, "face": face})

    def note(self, cell: Place, step: int) -> str:
        """The knights that the tile needs, and those that stand there already."""
        face = self.tile.face if step == 1 else self.state.tiles.get(cell)
        if face is None:
            return ""
        further = step == len(self.codes) > 2
        least = self.words.say("board", "march_further" if further else "march_least", {"n": MINIMUM[face]})
        there = len(self.state.stacks.get(cell, ""))
        return ", ".join((least, self.words.say("board", "march_there", {"n": there}))) if there else least

    def tally(self) -> Iterator[str]:
        """The number of knights that the move brings; the strip shows those that are left."""
        brought = sum(map(int, self.codes[1:]))
        if brought:
            yield self.words.say("board", "brought", {"n": brought})


def _arrow(way: str) -> tuple[Shape, ...]:
    return (Shape("path", "march", {"d": ARROWS[way]}),) if way in ARROWS else ()
