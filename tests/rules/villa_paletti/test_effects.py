"""What an entry of Villa Paletti is told to bring about is what changes where the same game is played by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import given, settings

from rules.kernel import Effect
from rules.villa_paletti import GAME
from rules.villa_paletti.moves import Column, Floor, Neutral
from rules.villa_paletti.state import State
from tests.rules.play import often, readings, seeds, setups, shared_games
from tests.rules.villa_paletti.by_hand import Villa, about_the_seal
from tests.support.loops import over

TAKING_EFFECTS = {"VP-30.taken", "VP-31.taken", "VP-31.among", "VP-32.taken"}
KEEPING_EFFECTS = {"VP-31.tie", "VP-31.kept", "VP-33.own"}
WHO = ("colour", "before", "holder", "equal", "colours")
"""The values of what is told of the seal that are players."""
LONG = 40
"""Moves about the seal; the columns run out."""
EffectsByCode = dict[str, list[Effect]]


def effects_by_code(state: State, move: Any) -> EffectsByCode:
    """What an entry brings about, by rule and code."""
    found: EffectsByCode = {}
    for effect in GAME.effects(state, move, GAME.apply(state, move)):
        found.setdefault(f"{effect.rule}.{effect.facts.code}".rstrip("."), []).append(effect)
    return found


def value(effects: EffectsByCode, name: str, key: str) -> Any:
    """A value of the one effect of this name."""
    [effect] = effects[name]
    return effect.facts.values[key]


def by_hand(state: State) -> Villa:
    """The table at its start, to be played by hand."""
    return Villa([tuple(colours) for colours in state.players], dict(state.readings))


def some_moves() -> Iterator[tuple[EffectsByCode, Any, Villa, Villa]]:
    """The entries of the shared games: what they are told to bring about, and the villa by hand before and after."""
    for played in shared_games(GAME):
        villa = by_hand(played.steps[0][0])
        for state, move in played.steps:
            if move is not None:
                before = deepcopy(villa)
                villa.play(GAME.write(move))
                yield effects_by_code(state, move), move, before, villa


def seat(villa: Villa, player: int | None) -> str:
    """The colour that names a player."""
    return "nobody" if player is None else villa.players[player][0]


def places(villa: Villa, move: Any) -> bool:
    """Whether an entry has placed an own column where the seal is contested."""
    return isinstance(move, Column) and not move.crash and villa.top >= 2


def seen_to_be_first(before: Villa) -> bool:
    """Whether nobody can have been on the top level: there are no points, and no column of the holder's is out."""
    mine = () if before.holder is None else before.players[before.holder]
    lost = any(column.level is None and column.colour in mine for column in before.columns)
    return not lost and not any(before.points(player) for player in range(len(before.players)))


def agrees_on_the_seal(effects: EffectsByCode, move: Any, before: Villa, villa: Villa) -> None:
    """It is told taken where its holder differs, kept where a column was placed and it does not; never both."""
    assert len(effects.keys() & (TAKING_EFFECTS | KEEPING_EFFECTS)) == places(villa, move)
    assert bool(effects.keys() & TAKING_EFFECTS) == (before.holder != villa.holder)
    points = [villa.points(player) for player in range(len(villa.players))]
    for name in effects.keys() & TAKING_EFFECTS:
        assert villa.holder is not None
        assert value(effects, name, "colour") == seat(villa, villa.holder)
        assert value(effects, name, "points") == points[villa.holder] == max(points)
        if before.holder is not None:
            assert value(effects, name, "before") == seat(villa, before.holder)
            assert value(effects, name, "against") == points[before.holder] < max(points)
            assert not (name == "VP-32.taken" and before.has_been)
            assert (name == "VP-32.taken") == seen_to_be_first(before)
        assert (name == "VP-31.among") == (points.count(max(points)) > 1)
    for name in effects.keys() & KEEPING_EFFECTS:
        assert villa.holder is not None
        mine, his = points[before.player], points[villa.holder]
        assert value(effects, name, "points") == his
        assert name == ("VP-33.own" if before.player == villa.holder else "VP-31.tie" if mine == his else "VP-31.kept")
        assert mine <= his


def agrees_on_what_follows(effects: EffectsByCode, move: Any, before: Villa, villa: Villa) -> None:
    """The points of the others where some change, a lead without the seal, and who wins by a collapse."""
    everybody = range(len(villa.players))
    points, old = [villa.points(player) for player in everybody], [before.points(player) for player in everybody]
    changed = villa.top == before.top and points != old
    said = {name for name in effects if name in TAKING_EFFECTS | KEEPING_EFFECTS or name == "VP-34.lead"}
    spoken: list[Any] = [effect.facts.values.get(key, ()) for name in said for effect in effects[name] for key in WHO]
    names = {name for each in spoken for name in ((each,) if isinstance(each, str) else each)}
    others = [each for each in everybody if points[each] == old[each] and seat(villa, each) not in names]
    contested = not seen_to_be_first(before) and villa.top >= 2
    assert ("VP-31.others" in effects) == (
        changed and (any(points[each] for each in others) or (contested and others != []))
    )
    if "VP-31.others" in effects:
        assert value(effects, "VP-31.others", "points") == tuple(points[each] for each in others)
        assert value(effects, "VP-31.others", "colours") == tuple(seat(villa, each) for each in others)
    ahead = [player for player in everybody if villa.holder is not None and points[player] > points[villa.holder]]
    if "VP-34.lead" in effects:
        assert value(effects, "VP-34.lead", "most") == max(points[player] for player in ahead)
    else:
        assert not (ahead and changed)
    would = effects.keys() & {"VP-40.would", "VP-40.would_nobody"}
    assert bool(would) == (before.holder != villa.holder and not villa.ended)
    for name in would:
        assert value(effects, name, "winner") == seat(villa, villa.previous)
        assert (name == "VP-40.would") == (villa.previous is not None) == ("VP-33.shows" in effects)


@settings(max_examples=often(30), deadline=None)
@given(chance=seeds())
def test_the_seal_is_told_as_it_wanders(chance: Random) -> None:
    """`VP-30` to `VP-34`: where columns come and go on the green floor, taken and kept, with the points by hand."""
    state: State = GAME.setup(setups(GAME.id)[0].__class__(readings=readings(GAME, chance)))
    villa = by_hand(state)
    for notation in ("red small 0", "blue small 0", "yellow small 0", "floor"):
        state = GAME.apply(state, GAME.read(notation))
        villa.play(notation)
    for _ in over(range(LONG)):
        placed, lost = about_the_seal(villa)
        move = GAME.read(chance.choice(lost if lost and chance.random() < 0.4 else placed or ["floor -"]))
        before, effects = deepcopy(villa), effects_by_code(state, move)
        state = GAME.apply(state, move)
        villa.play(GAME.write(move))
        agrees_on_the_seal(effects, move, before, villa)
        agrees_on_what_follows(effects, move, before, villa)
        if villa.ended:
            break


def test_the_seal_is_told_in_whole_games() -> None:
    """`VP-30` to `VP-34`: under every reading and for every number of players."""
    for effects, move, before, villa in over(some_moves()):
        agrees_on_the_seal(effects, move, before, villa)
        agrees_on_what_follows(effects, move, before, villa)


def columns_out(villa: Villa) -> Counter[tuple[str, str]]:
    """The columns out of the game."""
    return Counter((column.colour, column.shape) for column in villa.columns if column.level is None)


def locked_columns(villa: Villa) -> Counter[tuple[str, str, int | None]]:
    """The columns of the villa that are locked."""
    return Counter((column.colour, column.shape, column.level) for column in villa.columns if column.locked)


def columns(effects: EffectsByCode, *names: str, keys: tuple[str, ...]) -> Counter[Any]:
    """The columns that some effects are about."""
    values: list[Any] = [effect.facts.values for name in names for effect in effects.get(name, ())]
    return Counter(tuple(each[key] for key in keys) for each in values)


def test_columns_out_and_locked_are_told() -> None:
    """`VP-11`, `VP-13`, `VP-14`, `VP-21`: those that leave the game and those that are locked, one by one."""
    for effects, move, before, villa in over(some_moves()):
        assert columns(effects, "VP-13.out", "VP-14.out", keys=("colour", "shape")) == columns_out(villa) - columns_out(
            before
        )
        names = ("VP-11.locked", "VP-13.locked", "VP-21.locked")
        now = locked_columns(villa) - locked_columns(before)
        if isinstance(move, Floor) and move.objection is not None and move.objection.result == "fail":
            tried = move.objection
            column = (tried.colour, tried.shape, tried.level)
            if villa.readings["failed_column"] == "locked" and locked_columns(villa)[column]:
                now |= Counter([column])
        assert columns(effects, *names, keys=("colour", "shape", "level")) == now


def test_a_column_is_locked_while_another_locked_one_leaves() -> None:
    """`VP-13`: as many are locked as before, but not the same ones."""
    state: State = GAME.setup(
        setups(GAME.id)[0].__class__(readings={"objection_column": "any", "failed_column": "locked"})
    )
    for notation in ("x red small 0", "x blue small 0"):
        state = GAME.apply(state, GAME.read(notation))
    effects = effects_by_code(state, GAME.read("floor ! blue blue small 0 fail blue small* 0 -"))
    assert value(effects, "VP-13.locked", "colour") == "blue"


def test_floors_are_told_with_what_carries_them() -> None:
    """`VP-15`, `VP-32`: laid where the top level rises; what carries it, what it needs, who holds the seal."""
    seen = set()
    for effects, _move, before, villa in some_moves():
        assert bool(effects.keys() & {"VP-32.laid", "VP-32.held"}) == (villa.top > before.top)
        assert ("VP-32.held" in effects) == (villa.top > before.top and villa.holder is not None)
        carried = effects.keys() & {"VP-15.rests", "VP-15.not_laid", "VP-14.not_laid"}
        seen |= carried
        for name in carried:
            assert value(effects, name, "n") == sum(column.level == before.top for column in villa.columns)
            assert value(effects, name, "least") == before.columns_needed()
    assert seen >= {"VP-15.rests", "VP-15.not_laid", "VP-14.not_laid"}
    floor = {"VP-15.rests", "VP-15.not_laid", "VP-14.not_laid", "VP-13.out"}
    for effects, *_ in over(each for each in some_moves() if isinstance(each[1], Floor) and not each[3].ended):
        assert len(effects.keys() & floor) == 1


def levels(villa: Villa) -> list[str]:
    """The levels that have a neutral column to give."""
    giving = [c for c in villa.columns if c.colour == villa.neutral and villa.movable(c) and not villa.last_neutral(c)]
    return sorted({f"floor {column.level}" for column in giving})


def test_turns_and_neutral_columns_are_told() -> None:
    """`VP-18`, `VP-20`: who is passed over, and where a neutral column can come from after one."""
    for effects, move, before, villa in over(each for each in some_moves() if not each[3].ended):
        number, step = len(villa.players), (villa.player - before.player) % len(villa.players)
        goes_on = villa.own or villa.has_asked
        skipped = [] if goes_on else [(before.player + each) % number for each in range(1, step or number)]
        names = tuple(seat(villa, player) for player in skipped)
        assert [each.facts.values["colours"] for each in effects.get("VP-18.passed_over", ())] == [names] * bool(names)
        gives: list[Any] = effects.get("VP-20.gives", []) + effects.get("VP-20.gives_none", [])
        assert [list(each.facts.values["floors"]) for each in gives] == [levels(villa)] * (
            isinstance(move, Neutral) or levels(villa) != levels(before)
        )


def test_what_ends_the_game_brings_nothing_else_about() -> None:
    """`VP-16`: of an entry with which the villa falls, nothing but the end is told."""
    for effects, *_ in over(each for each in some_moves() if each[3].ended.get("rule") == "VP-16"):
        assert effects == {}
