"""Villa Paletti: the effects of an entry, without the change of points and the end. It never judges."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rules.effects import effect
from rules.kernel import Effect, Fact, Value
from rules.styled_name import StyledName
from rules.villa_paletti.columns import CONTEST, RED_FLOOR, VALUE, Count, Group
from rules.villa_paletti.moves import Abort, Column, Floor, Move, Neutral, NeutralAbort, Objection, Taken
from rules.villa_paletti.play import after_failing, end_by_move, game_end
from rules.villa_paletti.seal import colour_or_nobody, points, winner
from rules.villa_paletti.state import State, name_of, player_colour_of, player_of
from rules.villa_paletti.villa import cell_of, colour_words, level_cell, on_level, spare_neutral_groups, supports

LOCKED_BY = {Abort.kind: "VP-11", Floor.kind: "VP-13", NeutralAbort.kind: "VP-21"}
"""The rule that a column is locked by, for each kind of entry that can lock one."""


def effects(before: State, move: Move, after: State) -> tuple[Effect, ...]:
    """The seal and the points, a floor, columns that are locked or leave the game, and turns that end by themselves.

    An entry that ends the game has no other effect (`VP-16`).
    """
    if end_by_move(before, move) is not None:
        return ()
    found: list[Effect] = []
    if isinstance(move, Column):
        found += _seal_effects(before, move, after)
    elif isinstance(move, Floor):
        found += _floor_request(before, move, after)
    elif isinstance(move, Neutral | NeutralAbort):
        found += _neutral(before, move, after)
    if move.kind in LOCKED_BY:
        found += _locked_columns(before, move, after)
    if before.neutral is not None:
        found += _gives(before, move, after)
    return (*found, *_skipped_players(before, after))


# --- the seal (VP-30 to VP-34, VP-40) ----------------------------------------------------------------------------


def _seal_effects(before: State, move: Column, after: State) -> Iterator[Effect]:
    """The effect of a placed column on the seal, and the points of all."""
    placer = player_of(after, move.colour)
    sums = points(after)
    if after.top < CONTEST:
        yield effect("VP-30", "early", {"floor": _floor(CONTEST)})
        yield from _others(after, sums, {placer}) if placer is not None else ()
    elif placer is None:
        yield effect("VP-30", "neutral")
    else:
        yield _seal_takeover(before, after, sums) if before.holder != after.holder else _seal_stays(after, placer, sums)
        best = [player for player, number in enumerate(sums) if number == max(sums)]
        taken = before.holder != after.holder
        named_players = {placer, after.holder, *([before.holder, *best] if taken else [])}
        if taken:
            yield from _seal_consequences(after)
        if not _is_surely_first(before):  # the first player on a floor is the only one with points
            yield from _others(after, sums, named_players)


def _is_surely_first(before: State) -> bool:
    """`VP-32`: whether the next own column is the first on the top level: nobody can have been there and left.

    Whoever was there last held the seal by a column of that level, so one of the holder's would be out of the game.
    """
    lost = {colour for (colour, _), n in before.out.items() if n}
    return not any(points(before)) and (before.holder is None or lost.isdisjoint(before.players[before.holder]))


def _seal_takeover(before: State, after: State, sums: list[int]) -> Effect:
    """Another player gets the seal: from nobody, as the first on a floor, or by more points."""
    holder, old = after.holder, before.holder
    assert holder is not None  # noqa: S101  # a seal that was taken is held
    values: dict[str, Value] = {"colour": name_of(after, holder), "points": sums[holder]}
    evidence = _on_top(after, holder) if old is None else _on_top(after, holder, old)
    if old is None:
        return effect("VP-30", "taken", {**values, "floor": _floor(after.top)}, evidence)
    values |= {"before": name_of(after, old), "against": sums[old]}
    if _is_surely_first(before):
        return effect("VP-32", "taken", {**values, "floor": _floor(after.top)}, evidence)
    equal = [player for player, number in enumerate(sums) if number == sums[holder]]
    if len(equal) > 1:
        values["equal"] = tuple([name_of(after, player) for player in equal])
        return effect("VP-31", "among", values, _on_top(after, *equal))
    return effect("VP-31", "taken", values, evidence)


def _seal_stays(state: State, placer: int, sums: list[int]) -> Effect:
    """The holder keeps the seal: the player who placed the column has no more points, or holds it already."""
    holder = state.holder
    assert holder is not None  # noqa: S101  # somebody who has points on this level holds it
    values = {"holder": name_of(state, holder), "points": sums[holder]}
    if placer == holder:
        return effect("VP-33", "own", values, _on_top(state, holder))
    code = "tie" if sums[placer] == sums[holder] else "kept"
    values |= {"colour": name_of(state, placer), "against": sums[placer]}
    return effect("VP-31", code, values, _on_top(state, holder, placer))


def _others(state: State, sums: list[int], named_players: Collection[int | None]) -> Iterator[Effect]:
    """`VP-31`: the points of players whom neither the sentence on the seal nor the change of points names.

    Before the contest, there is no such effect if none of them has points.
    """
    others = [player for player in range(len(sums)) if player not in named_players]
    if others and (state.top >= CONTEST or any(sums[player] for player in others)):
        names = [name_of(state, player) for player in others]
        numbers = tuple([sums[player] for player in others])
        figures = [StyledName(name, "points", {"colour": name, "n": n}) for name, n in zip(names, numbers, strict=True)]
        yield effect("VP-31", "others", {"colours": tuple(figures), "points": numbers})


def _on_top(state: State, *players: int) -> tuple[Fact, ...]:
    """The columns of some players on the top level, with their points."""
    colours = [colour for player in players for colour in state.players[player]]
    return tuple(
        [
            Fact((cell_of(state, group),), {"points": count.n * VALUE[group.shape]})
            for group, count in sorted(state.columns.items())
            if group.level == state.top and group.colour in colours
        ]
    )


def _seal_consequences(state: State) -> Iterator[Effect]:
    """`VP-33`, `VP-40`: the holder that the seal shows after a change; before the end, who wins if the villa falls."""
    if state.previous is not None:
        yield effect("VP-33", "shows", {"shown": name_of(state, state.previous)})
    if game_end(state) is None:
        first = winner(state, state.holder)
        code = "would_nobody" if first is None else "would"
        values = {"holder": colour_or_nobody(state, state.holder), "winner": colour_or_nobody(state, first)}
        yield effect("VP-40", code, values)


def _lead(before: State, column: Objection | Taken, after: State) -> Iterator[Effect]:
    """`VP-34`: the points after a column has left the top level; a lead over the holder is no placement."""
    loser = player_of(after, column.colour)
    if column.level != after.top or loser is None:
        return
    sums, holder, named_players = points(after), after.holder, {loser}
    if holder is not None and max(sums) > sums[holder]:
        ahead = [player for player, number in enumerate(sums) if number == max(sums)]
        names = tuple([name_of(after, player) for player in ahead])
        values = {"holder": name_of(after, holder), "points": sums[holder], "colours": names, "n": len(names)}
        yield effect("VP-34", "lead", {**values, "most": max(sums)}, _on_top(after, *ahead, holder))
        named_players |= {holder, *ahead}
    yield from _others(after, sums, named_players)


# --- a floor (VP-12 to VP-15, VP-32) -----------------------------------------------------------------------------


def _floor_request(before: State, move: Floor, after: State) -> Iterator[Effect]:
    """The requested floor: laid or not, and the column that leaves the game."""
    objection = move.objection
    asker = name_of(before, before.player)
    if objection is not None and objection.result == "ok":
        yield _out("VP-13", before, objection, {"by": player_colour_of(before, objection.by), "player": asker})
        yield from _lead(before, objection, after)
        stuck = not after.asked and before.readings["after_objection"] == "asker_moves"
        rule, code = ("VP-18", "no_more") if stuck else ("VP-13", "goes_on" if after.asked else "over")
        yield effect(rule, code, {"player": asker})
        return
    if after.top > before.top:
        yield from _new_floor(before, after)
    else:
        number = on_level(after.columns, after.top)
        values = {"player": asker, "n": number, "least": supports(before)}
        evidence = (Fact((level_cell(after.top),), {"columns": number}),)
        yield effect("VP-14" if move.laid else "VP-15", "not_laid", values, evidence)
    if objection is not None and objection.taken is not None:
        yield _out("VP-14", before, objection.taken, {"by": player_colour_of(before, objection.by), "player": asker})
        yield from _lead(before, objection.taken, after)
    elif objection is not None:
        yield effect("VP-14", "none", {"by": player_colour_of(before, objection.by), "player": asker})


def _new_floor(before: State, after: State) -> Iterator[Effect]:
    """`VP-32`, `VP-15`: the new top level, who keeps the seal, the columns that carry it, and the floors left."""
    floor = _floor(after.top)
    number, least = on_level(after.columns, before.top), supports(before)
    evidence = (Fact((level_cell(before.top),), {"columns": number}),)
    if after.holder is None:
        yield effect("VP-32", "laid", {"floor": floor})
    else:
        yield effect("VP-32", "held", {"floor": floor, "holder": name_of(after, after.holder)})
    yield effect("VP-15", "rests", {"n": number, "least": least}, evidence)
    left = RED_FLOOR - after.top
    yield effect("VP-12", "left" if left else "last", {"n": left})


def _floor(level: int) -> str:
    """The floor of a level, as a name."""
    return f"floor {level}"


def _out(rule: str, before: State, column: Objection | Taken, who: dict[str, Value]) -> Effect:
    """A column that leaves the game, its owner, and who removed it."""
    group = Group(column.colour, column.shape, column.level)
    values = {**who, "colour": colour_words(before, group.colour), "shape": group.shape, "level": group.level}
    return effect(rule, "out", values, (Fact((cell_of(before, group),)),))


# --- neutral columns and locks (VP-11, VP-20, VP-21) -------------------------------------------------------------


def _neutral(before: State, move: Neutral | NeutralAbort, after: State) -> Iterator[Effect]:
    """A neutral column that moves no seal, a challenge, who plays after an attempt, a turn without an own column."""
    challenge = move.challenge if isinstance(move, NeutralAbort) else None
    worked = challenge if challenge is not None and challenge.result == "ok" else None
    player = name_of(before, before.player)
    if worked is not None:
        yield effect(
            "VP-21", "over", {"by": player_colour_of(before, worked.by), "player": player, "shape": worked.shape}
        )
    elif challenge is not None:
        yield effect("VP-21", "failed", {"by": player_colour_of(before, challenge.by)})
    if worked is None and not after.own:
        yield effect("VP-20", "no_own", {"player": player})
    elif worked is None and isinstance(move, NeutralAbort):
        yield effect("VP-21", "goes_on", {"player": player})
    if after.top >= CONTEST and (worked is not None or isinstance(move, Neutral)):
        yield effect("VP-30", "neutral")


def _locked_columns(before: State, move: Move, after: State) -> Iterator[Effect]:
    """The columns that were locked; one that goes up takes its lock along.

    After a failed objection, the effects name the columns that it locked, whichever column then leaves the game, if a
    locked one is left.
    """
    none = Count(0, 0)
    objection = move.objection if isinstance(move, Floor) else None
    then = after_failing(before, objection) if objection is not None and objection.result == "fail" else after
    for group, count in then.columns.items():
        if not after.columns.get(group, none).locked:
            continue
        old = before.columns.get(group, none)
        if count.locked > old.locked and count.n <= old.n:
            values = {"colour": colour_words(before, group.colour), "shape": group.shape, "level": group.level}
            yield effect(LOCKED_BY[move.kind], "locked", values, (Fact((cell_of(after, group),)),))


def _gives(before: State, move: Move, after: State) -> Iterator[Effect]:
    """`VP-20`: the levels with a neutral column to give, after one was taken or if these have changed."""
    levels = sorted({group.level for group in spare_neutral_groups(after)})
    if isinstance(move, Neutral) or levels != sorted({group.level for group in spare_neutral_groups(before)}):
        cells = tuple([level_cell(level) for level in levels])
        floors = tuple([_floor(level) for level in levels])
        yield effect("VP-20", "gives" if levels else "gives_none", {"floors": floors}, (Fact(cells),))


# --- the turn (VP-18) --------------------------------------------------------------------------------------------


def _skipped_players(before: State, after: State) -> Iterator[Effect]:
    """`VP-18`: the players between this turn's and the next, who cannot begin one."""
    if after.own or after.asked:
        return
    number = len(before.players)
    steps = (after.player - before.player) % number or number
    if steps > 1 and game_end(after) is None:
        skipped = [(before.player + step) % number for step in range(1, steps)]
        names = tuple([name_of(before, player) for player in skipped])
        yield effect("VP-18", "passed_over", {"colours": names, "n": len(names)})
