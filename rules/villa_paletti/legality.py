"""Villa Paletti: one small function for each rule that can object, and the counts that it shows otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from rules.kernel import LEGAL, Fact, Facts, Value
from rules.villa_paletti import moves, villa
from rules.villa_paletti.columns import Colour, Group
from rules.villa_paletti.moves import Move
from rules.villa_paletti.play import after_failing, game_end, is_floor_laid
from rules.villa_paletti.state import State, name_of, player_colour_of, player_of

MovedUp = moves.Column | moves.Abort
OfNeutral = moves.Neutral | moves.NeutralAbort


def _group_values(state: State, group: Group, **more: Value) -> Mapping[str, Value]:
    return {
        "colour": villa.colour_words(state, group.colour),
        "shape": group.shape,
        "level": group.level,
        "top": state.top,
        **more,
    }


def _about(state: State, code: str, group: Group, **more: Value) -> Facts:
    return Facts(code, _group_values(state, group, **more), (Fact((villa.cell_of(state, group),)),))


def _movable(state: State, group: Group, starred: bool, **more: Value) -> Facts | None:
    """The column exists below the top level and is not locked."""
    code = villa.obstacle(state, group, starred)
    return _about(state, code, group, **more) if code else None


# --- a column of one's own (VP-10) -------------------------------------------------------------------------------


def own_colour(state: State, move: MovedUp) -> Facts | None:
    """`VP-10`: the column is the player's."""
    if move.colour in state.players[state.player]:
        return None
    group = Group(move.colour, move.shape, move.level)
    return _about(state, "other", group, player=name_of(state, state.player))


def own_movable(state: State, move: MovedUp) -> Facts | None:
    """`VP-10`, `VP-11`: the column stands below the top level and is not locked."""
    return _movable(state, Group(move.colour, move.shape, move.level), move.locked)


# --- a floor (VP-12 to VP-15) ------------------------------------------------------------------------------------


def at_the_start(state: State, move: moves.Floor) -> Facts | None:
    """`VP-12`: a floor is requested at the start of a turn only, and once."""
    code = "late" if state.own else "again" if state.asked else ""
    return Facts(code, {"colour": name_of(state, state.player)}) if code else None


def next_floor(state: State, move: moves.Floor) -> Facts | None:
    """`VP-12`: a floor is left."""
    return (
        None
        if villa.has_floor_left(state)
        else Facts("none_left", {"top": state.top}, (Fact((villa.level_cell(state.top),)),))
    )


def another_player(state: State, by: Colour) -> Facts | None:
    """The objector or challenger is another player."""
    player = player_of(state, by)
    if player is None:
        return Facts("no_player", {"by": by})
    return Facts("self", {"by": name_of(state, player)}) if player == state.player else None


def objector(state: State, move: moves.Floor) -> Facts | None:
    """`VP-13`: another player objects."""
    return another_player(state, move.objection.by) if move.objection else None


def objection_colour(state: State, move: moves.Floor) -> Facts | None:
    """`VP-13`: the column is of the asker's colour (reading `objection_column`)."""
    objection = move.objection
    if (
        objection is None
        or objection.colour in state.players[state.player]
        or state.readings["objection_column"] == "any"
    ):
        return None
    asker = name_of(state, state.player)
    return _about(state, "colour", group_of(objection), by=player_colour_of(state, objection.by), player=asker)


def objection_movable(state: State, move: moves.Floor) -> Facts | None:
    """`VP-13`: the column stands below the top level and is not locked."""
    objection = move.objection
    if objection is None:
        return None
    group = group_of(objection)
    code = villa.obstacle(state, group, objection.locked)
    return _about(state, code, group, by=player_colour_of(state, objection.by)) if code else None


def objection_stays(state: State, move: moves.Floor) -> Facts | None:
    """`VP-20`: if any column may be tried, a movable neutral one is not the last of its level."""
    objection = move.objection
    if objection is None or objection.colour != state.neutral or state.readings["objection_column"] != "any":
        return None
    return _stays(state, group_of(objection)) if objection_movable(state, move) is None else None


def group_of(column: moves.Objection | moves.Taken) -> Group:
    """The columns like the one that an objection tries, or loses."""
    return Group(column.colour, column.shape, column.level)


def loss(move: moves.Floor) -> tuple[moves.Objection, moves.Taken] | None:
    """The failed objection and the column that is taken for it, if any."""
    objection = move.objection
    return (objection, objection.taken) if objection and objection.taken else None


def of_the_objector(state: State, move: moves.Floor) -> Facts | None:
    """`VP-14`: what is taken is a column of the objector's."""
    failed = loss(move)
    if failed is None:
        return None
    objection, taken = failed
    player = player_of(state, objection.by)
    colours = (objection.by,) if player is None else state.players[player]
    return (
        None
        if taken.colour in colours
        else _about(state, "other", group_of(taken), by=player_colour_of(state, objection.by))
    )


def in_the_villa(state: State, move: moves.Floor) -> Facts | None:
    """`VP-14`: what is taken stands in the villa, on any level, locked or not."""
    failed = loss(move)
    if failed is None:
        return None
    objection, taken = failed
    group, after = group_of(taken), after_failing(state, objection)
    if villa.is_locked(after, group, taken.locked) is not None:
        return None
    return _about(state, "free" if group in state.columns else "none", group, by=player_colour_of(state, objection.by))


def floor_is_supported(state: State, move: moves.Floor) -> Facts | None:
    """`VP-15`: a floor that is laid rests on enough columns, counted after one was taken."""
    if not villa.has_floor_left(state) or not is_floor_laid(state, move):
        return None
    columns = state.columns
    failed = loss(move)
    if failed is not None:
        group, after = group_of(failed[1]), after_failing(state, failed[0])
        columns = villa.without_column(
            after.columns, group, locked=bool(villa.is_locked(after, group, failed[1].locked))
        )
    number, least = villa.on_level(columns, state.top), villa.supports(state)
    evidence = (Fact((villa.level_cell(state.top),), {"columns": number}),)
    values = {"n": number, "least": least, "level": state.top}
    if number < least:
        return Facts("", values, evidence)
    return Facts("legal", values, evidence, LEGAL)


# --- the neutral part of a turn (VP-20, VP-21) -------------------------------------------------------------------


def no_neutral(state: State, move: OfNeutral) -> Facts:
    """`VP-20`: there is a neutral colour with three players only."""
    return Facts("no_neutral", {"n": len(state.players)})


def neutral_first(state: State, move: MovedUp) -> Facts:
    """`VP-20`: a neutral column is moved before one's own."""
    return Facts("first", {"colour": name_of(state, state.player)})


def neutral_over(state: State, move: OfNeutral) -> Facts:
    """`VP-20`: the neutral part is over, or skipped."""
    return Facts("over" if state.own else "skipped", {"colour": name_of(state, state.player)})


def not_done(state: State, move: moves.Done) -> Facts:
    """`VP-20`: the own column is given up after the neutral part only."""
    return Facts("done", {"colour": name_of(state, state.player)})


def may_give_up_own(state: State, move: moves.Done) -> Facts | None:
    """`VP-20`: the own column after the neutral one may be given up (reading `own_after_neutral`)."""
    must = state.readings["own_after_neutral"] == "must"
    return Facts("must", {"colour": name_of(state, state.player)}) if must else None


def neutral_group(state: State, move: OfNeutral | moves.Challenge) -> Group:
    """The neutral columns like the one that a move or a challenge names."""
    assert state.neutral is not None  # noqa: S101  # the rulebook asks only where there is a neutral colour
    return Group(state.neutral, move.shape, move.level)


def neutral_movable(state: State, move: OfNeutral) -> Facts | None:
    """`VP-10`: the neutral column stands below the top level and is not locked."""
    return _movable(state, neutral_group(state, move), move.locked)


def one_stays(state: State, move: OfNeutral) -> Facts | None:
    """`VP-20`: a level gives a neutral column only if another one stays there."""
    return _stays(state, neutral_group(state, move))


def _stays(state: State, group: Group) -> Facts:
    number = villa.on_level(state.columns, group.level, group.colour)
    cells = tuple(villa.cell_of(state, other) for other in sorted(state.columns) if other[::2] == group[::2])
    evidence = (Fact(cells, {"columns": number}),)
    if number > 1:
        return Facts("legal", _group_values(state, group, n=number), evidence, LEGAL)
    return Facts("", _group_values(state, group, n=number), evidence)


def challenger(state: State, move: moves.NeutralAbort) -> Facts | None:
    """`VP-21`: another player challenges."""
    return another_player(state, move.challenge.by) if move.challenge else None


def challenge_movable(state: State, move: moves.NeutralAbort) -> Facts | None:
    """`VP-21`: the column that is shown stands below the top level and is not locked."""
    challenge = move.challenge
    return (
        _movable(state, neutral_group(state, challenge), challenge.locked, by=player_colour_of(state, challenge.by))
        if challenge
        else None
    )


def challenge_stays(state: State, move: moves.NeutralAbort) -> Facts | None:
    """`VP-20`: the challenger's column is not the last neutral one of its level; heard for a movable one only."""
    challenge = move.challenge
    if challenge is None or challenge_movable(state, move) is not None:
        return None
    if challenge.level == move.level and neutral_movable(state, move) is None:
        return None  # reported for the player's own attempt
    return _stays(state, neutral_group(state, challenge))


# --- the end (VP-16, VP-17) --------------------------------------------------------------------------------------


def by_a_player(state: State, move: moves.Crash) -> Facts | None:
    """`VP-16`: a player caused the collapse, or nobody."""
    if move.by is None or player_of(state, move.by) is not None:
        return None
    return Facts("no_player", {"by": move.by})


# --- entries that cannot stand -----------------------------------------------------------------------------------


def cannot_stand(state: State, move: Move) -> Facts | None:
    """Why the log rejects an entry even if all agree.

    A missing column, a hand of nobody at the table, a floor that does not exist or would rest on nothing; and anything
    after the end.
    """
    over = game_end(state)
    if over is not None:
        return Facts("", over.values)
    if isinstance(move, moves.Crash):
        return by_a_player(state, move)
    if isinstance(move, moves.Floor):
        return _floor_stands(state, move)
    if isinstance(move, moves.Neutral | moves.NeutralAbort):
        return no_neutral(state, move) if state.neutral is None else _neutral_stands(state, move)
    if isinstance(move, moves.Column | moves.Abort):
        return _no_such_column(state, Group(move.colour, move.shape, move.level), move.locked)
    return None


def _no_such_column(state: State, group: Group, starred: bool) -> Facts | None:
    return None if villa.is_locked(state, group, starred) is not None else _about(state, "none", group)


def _floor_stands(state: State, move: moves.Floor) -> Facts | None:
    objection = move.objection
    missing = next_floor(state, move)
    if objection is not None:
        if player_of(state, objection.by) is None:
            return Facts("no_player", {"by": objection.by})
        missing = missing or _no_such_column(state, group_of(objection), objection.locked) or in_the_villa(state, move)
    if missing is not None:
        return missing
    short = floor_is_supported(state, move)
    return short if short is not None and not short.values["n"] else None


def _neutral_stands(state: State, move: OfNeutral) -> Facts | None:
    missing = _no_such_column(state, neutral_group(state, move), move.locked)
    challenge = move.challenge if isinstance(move, moves.NeutralAbort) else None
    if missing is not None or challenge is None:
        return missing
    if player_of(state, challenge.by) is None:
        return Facts("no_player", {"by": challenge.by})
    return _no_such_column(state, neutral_group(state, challenge), challenge.locked)
