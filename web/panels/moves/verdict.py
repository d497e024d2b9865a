"""The panel of the verdict on a move: the ruling, and what each rule says about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist, inf
from typing import ClassVar, Final, NamedTuple

from rules import GAMES
from rules.effects import ENDED, NOBODY, WON
from rules.kernel import Cell, Effect, Fact, Ruling, Seat
from rules.records import dataclass
from service.i18n import sentences
from service.i18n.reading_notes import Difference, readings
from service.i18n.sentences import Words
from service.judgements import Judgement, MissingEffect
from service.rulings import judge
from service.runtime.memoize import memoize_by_identity
from service.types import Move, State
from web.board.scene import Light
from web.board.shapes import Shape
from web.browser.language import _
from web.panels.context import Context, Focus
from web.panels.sentences import (
    Consequence,
    OtherReading,
    Reason,
    capitalise,
    consequences,
    distinct_phrases,
    lit_finding,
    new_key,
    phrase,
    reasons,
)
from web.position_url import unknown_board_cells

MAX_JUDGED: Final = 16
"""The maximum number of cached rulings, with the state after each."""
MAX_NAMED: Final = 12
"""The maximum number of named and lit unknown cells, the nearest ones."""
MAX_SAID: Final = 3
"""The maximum number of them in a sentence that says that there may be more."""
DECIDING: Final = frozenset({ENDED, WON, NOBODY})
"""The codes of effects on who wins."""


class NearMove(NamedTuple):
    """A legal move nearby: its words, why it is near, and the address that asks about it."""

    label: str
    why: str
    href: str


class Look(NamedTuple):
    """An unknown thing to look at: its words, and the key of its place; None for a fact that lies beside the board."""

    label: str
    at: str | None


@dataclass(frozen=True, slots=True)
class VerdictPanel:
    """The ruling on a move, its reasons and effects. `non_objecting_rules`: the rules without an objection, with their
    counts. `due`: what is due then. `others`: the changes by other readings. `handling_notes`: rules of handling, which
    no program can check. `out_of_turn`: the move may be played out of turn; `whose`: by this player only. `needs`: what
    an unproven ruling depends on; `looks`: the links to enter that.
    """

    template: ClassVar[str] = "panel/verdict.html"
    move: str
    notation: str
    ruling: str
    icon: tuple[Shape, ...]
    reasons: tuple[Reason, ...]
    consequences: tuple[Consequence, ...]
    non_objecting_rules: tuple[tuple[str, str, str], ...]
    due: str
    others: tuple[OtherReading, ...]
    nearest: tuple[NearMove, ...]
    cannot_stand: bool
    key: str
    back: str
    handling_notes: tuple[str, ...] = ()
    out_of_turn: bool = False
    whose: Seat | None = None
    needs: str = ""
    looks: tuple[Look, ...] = ()

    @property
    def outcome(self) -> str:
        """The outcome in one sentence: the effect of the move, the first rule that objects, or what decides."""
        if self.ruling == Ruling.LEGAL.value:
            return self.consequences[0].says if self.consequences else self.due or _("No rule objects.")
        against = (reason.says for reason in self.reasons if reason.ruling != Ruling.LEGAL.value)
        return self.needs or next(against, "")


def verdict_focus(context: Context, move: Move) -> Focus[VerdictPanel]:
    """The ruling on a move, with its piece on the board as a ghost, and the evidence of the ruling lit."""
    judgement, state = _judgement_and_state(context.state, context.game.id, move, context.unknown)
    return Focus(verdict(context, judgement), state, context.state, light(context, judgement))


@memoize_by_identity(MAX_JUDGED)
def _judgement_and_state(state: State, game_id: str, move: Move, unknown: tuple[Cell, ...]) -> tuple[Judgement, State]:
    """The ruling on a move, and the state to show with it; cached for other phones and views.

    Moves are values: typed or tapped, equal moves share a ruling (`tests/rules/test_laws.py`).
    """
    game = GAMES[game_id]
    judgement = judge.judge(game, state, move, unknown)
    as_it_is = judgement.cannot_stand or (unknown and not judgement.verdict.legal)
    if as_it_is:
        return judgement, state
    return judgement, game.apply(state, move) if judgement.after is None else judgement.after


def light(context: Context, judgement: Judgement) -> Light:
    """The cells of the move, coloured by its ruling, and the cells of the evidence."""
    finding = lit_finding(judgement.verdict.findings, context.address.show)
    facts: Sequence[Fact] = finding.facts.evidence if finding else ()
    chosen = frozenset(context.game.cells_of(judgement.move))
    needs = unknown_board_cells(context.game, _needs_by_distance(context, judgement))
    seats = context.game.seats_of(context.state)
    return Light(chosen, judgement.ruling.value, facts, seats=seats, deciding_cells=needs)


def verdict(context: Context, judgement: Judgement) -> VerdictPanel:
    """The panel of a ruling."""
    game, words, address, move = context.game, context.words, context.address, judgement.move
    needs = _needs_by_distance(context, judgement)
    findings, effects = context.worth_saying(judgement.verdict.findings), context.worth_saying(judgement.effects)
    return VerdictPanel(
        capitalise(phrase(words, game, move, context.state)),
        judgement.notation,
        judgement.ruling.value,
        context.pages.picture(context.state, move, judgement.seat, move.kind),
        reasons(words, findings, address, effects),
        consequences(words, effects, findings),
        tuple(find_non_objecting_rules(words, context.state, judgement)),
        words.due_text(judgement.due) if judgement.due is not None and judgement.due.ended is None else "",
        tuple(other_readings(words, judgement)),
        tuple(_nearest(context, judgement)),
        judgement.cannot_stand is not None,
        new_key(),
        address.url(move=None, show=None),
        tuple(context.pages.handling_notes(context.state, move, words)),
        move.kind in game.out_of_turn,
        game.owner_of(context.state, move) if move.kind in game.out_of_turn else None,
        _needs(words, judgement, needs),
        tuple(_look(context, need) for need in needs),
    )


def _needs_by_distance(context: Context, judgement: Judgement) -> Sequence[Cell]:
    """What an unproven ruling depends on, the nearest to the move first; facts without a cell come last.

    It leaves out cells beyond the board, which nobody can point at, unless there are no others.
    """
    middles = {spot.cell: (spot.x + spot.width / 2, spot.y + spot.height / 2) for spot in context.board.spots}
    own = [middles[cell] for cell in context.game.cells_of(judgement.move) if cell in middles]
    cells_of = {need: unknown_board_cells(context.game, (need,)) for need in judgement.needs}

    def distance(need: Cell) -> float:
        return min((dist(middles[cell], here) for cell in cells_of[need] & middles.keys() for here in own), default=inf)

    found = [need for need in judgement.needs if isinstance(need, str) or need in middles]
    return sorted(found or judgement.needs, key=distance)[:MAX_NAMED]


def _needs(words: Words, judgement: Judgement, needs: Sequence[Cell]) -> str:
    """What an unproven ruling depends on, in a sentence; cells without names are only lit."""
    if not needs:
        return ""
    if judgement.exact and len(needs) == len(judgement.needs):
        return sentences.say(words.language, "unknown", "needs", {"needs": words.unknown_list(needs)})
    nearest = {"needs": words.unknown_list(needs[:MAX_SAID])}  # the others are tapped below
    return sentences.say(words.language, "unknown", "needs_many", nearest)


def _look(context: Context, need: Cell) -> Look:
    """Something unknown, with the place to enter it; a cell has its name on the board's edge."""
    text, key = context.words.unknown_text(need), _key(context, need)
    return Look(text if text == key else capitalise(text), key)


def _key(context: Context, need: Cell) -> str | None:
    """The key of the place to enter something unknown: the cell itself, or the place that the fact is about."""
    cells = (need, *unknown_board_cells(context.game, (need,)))
    spots = (spot.key for cell in cells for spot in context.board.spots if spot.cell == cell)
    entry = context.pages.entry
    return next(spots, None) or (entry.place(context.state, need) if entry is not None else None)


def _nearest(context: Context, judgement: Judgement) -> Iterator[NearMove]:
    """The legal moves nearby, each in distinct words, with why it is near, and its link."""
    game, moves = context.game, judgement.nearest_moves
    phrases = [capitalise(phrase(context.words, game, move, context.state)) for move in moves]
    seen_from = next(iter(game.cells_of(judgement.move)), None)
    for near, label in zip(judgement.nearby_moves, distinct_phrases(game, phrases, moves, seen_from), strict=True):
        href = context.address.url(move=game.write(near.move), at=None, show=None)
        yield NearMove(label, context.words.near_move_text(near.why), href)


def find_non_objecting_rules(words: Words, state: State, judgement: Judgement) -> Iterator[tuple[str, str, str]]:
    """The rules that do not object: id, title and count of each."""
    for rule, finding in judge.rules_without_objection(
        state, judgement.move, judgement.verdict, counts=not judgement.unknown
    ):
        yield rule, words.text["rules"][rule]["title"], words.finding_text(finding) if finding else ""


def other_readings(words: Words, judgement: Judgement) -> Iterator[OtherReading]:
    """The notes on other readings."""
    for other, then in readings(words, judgement):
        reading = words.text["readings"][other.key]
        value = reading["values"][other.value]
        what = _("%(reading)s: %(value)s", reading=reading["title"], value=value)
        yield OtherReading(what, then, any(map(_is_of_the_end, other.differences)))


def _is_of_the_end(difference: Difference) -> bool:
    """Whether it says that the game ends, or who has won."""
    effect = difference.effect if isinstance(difference, MissingEffect) else difference
    return isinstance(effect, Effect) and effect.facts.code in DECIDING
