"""Villa Paletti: converts a table to a position as players would write it down, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from rules.defaults import position_problem
from rules.kernel import Finding, Value
from rules.villa_paletti.columns import COLOURS, CONTEST, SUPPLY, Colour, Count, Group, Shape
from rules.villa_paletti.play import can_begin, can_move, setup
from rules.villa_paletti.state import (
    Columns,
    Ending,
    KnownPosition,
    OutColumns,
    Over,
    Position,
    Setup,
    State,
    name_of,
    player_of,
)
from rules.villa_paletti.villa import cell_of, colour_words, out_cell, own_columns

# --- writing down, and entering ----------------------------------------------------------------------------------


def position(state: State) -> Position:
    """The columns from the bottom up, those out of the game, whose turn it is, and the seal."""

    def colour_of(player: int | None) -> Colour | None:
        return None if player is None else name_of(state, player)

    groups = sorted(state.columns.items(), key=lambda item: (item[0].level, item[0]))
    over = state.ended
    return Position(
        columns=tuple(Columns(*group, *count) for group, count in groups),
        out=tuple(OutColumns(*kind, n) for kind, n in sorted(state.out.items())),
        top=state.top,
        due=name_of(state, state.player),
        part="own" if state.own else "turn",
        asked=state.asked,
        holder=colour_of(state.holder),
        previous=colour_of(state.previous),
        ended=over and Ending(over.rule, colour_of(over.by), colour_of(over.asker)),
    )


def enter(form: Setup, entered_position: Position) -> State:
    """The state of an entered position. Trusts it: `problems` says what is wrong with one."""
    state = setup(form)
    ending = entered_position.ended
    over = Over(ending.rule, player_of(state, ending.by), player_of(state, ending.asker)) if ending else None
    state = state._replace(
        columns=entered_groups(entered_position),
        out=dict(out_of_game(entered_position)),
        top=entered_position.top,
        own=entered_position.part == "own",
        asked=entered_position.asked,
        holder=player_of(state, entered_position.holder),
        previous=player_of(state, entered_position.previous),
        ended=over,
    )
    return state._replace(
        player=_first_able(state) if entered_position.due is None else player_of(state, entered_position.due) or 0
    )


def _first_able(state: State) -> int:
    """The first player who has something to do, for a position that enters no player in turn."""
    return next((player for player in range(len(state.players)) if has_something_to_do(state, player)), 0)


def has_something_to_do(state: State, player: int) -> bool:
    """Whether a player has something to do in this part of a turn (`VP-18`, `VP-20`)."""
    if state.own:
        return bool(own_columns(state, player))
    return (can_move if state.asked else can_begin)(state, player)


def entered_groups(entered_position: Position) -> dict[Group, Count]:
    """The groups of a position; double entries add up."""
    groups: dict[Group, Count] = {}
    for each in entered_position.columns:
        group = Group(each.colour, each.shape, each.level)
        n, locked = groups.get(group, Count(0, 0))
        groups[group] = Count(n + each.n, locked + each.locked)
    return {group: count for group, count in groups.items() if any(count)}


def _kinds(groups: dict[Group, Count]) -> Counter[tuple[Colour, Shape]]:
    found: Counter[tuple[Colour, Shape]] = Counter()
    for group, count in groups.items():
        found[group.colour, group.shape] += count.n
    return found


def out_of_game(entered_position: Position) -> Counter[tuple[Colour, Shape]]:
    """The columns out of the game."""
    out: Counter[tuple[Colour, Shape]] = Counter()
    for each in entered_position.out:
        out[each.colour, each.shape] += each.n
    return +out


# --- what cannot stand on a table --------------------------------------------------------------------------------


def problems(form: Setup, entered_position: Position) -> tuple[Finding, ...]:
    """Everything that cannot stand on a table. The setup is one that `setup` takes."""
    state = enter(form, entered_position)
    unknown = entered_position.unknown if isinstance(entered_position, KnownPosition) else frozenset()
    return (
        *_supply(state, entered_position, unknown),
        *_groups(state),
        *_players(state, entered_position),
        *_turn(state, unknown),
        *_seal(state, unknown),
        *_end_problems(state, entered_position),
    )


def _supply(state: State, entered_position: Position, unknown: Set[str]) -> Iterator[Finding]:
    """`VP-1`: each colour has its five columns, in the villa, out of the game, or at unknown places."""
    known_counts = _kinds(entered_groups(entered_position)) + out_of_game(entered_position)
    for colour in COLOURS:
        for shape, most in SUPPLY.items():
            n = known_counts[colour, shape]
            if n > most or (n < most and not _may_be_elsewhere(state, colour, shape, unknown)):
                groups = [group for group in sorted(state.columns) if group[:2] == (colour, shape)]
                cells = tuple(cell_of(state, group) for group in groups)
                yield position_problem(
                    "VP-1", "supply", cells, colour=colour_words(state, colour), shape=shape, n=n, most=most
                )


def _may_be_elsewhere(state: State, colour: Colour, shape: Shape, unknown: Set[str]) -> bool:
    """Whether columns of a kind may stand at unknown places, or be out of the game."""
    groups = [Group(colour, shape, level) for level in range(state.top + 1)]
    places = [cell_of(state, group) for group in groups if group not in state.columns]
    return not unknown.isdisjoint((*places, out_cell(colour, shape)))


def _groups(state: State) -> Iterator[Finding]:
    """`VP-11`, `VP-15`: no more locks than columns, and none above the top level."""
    for group, count in sorted(state.columns.items()):
        cells = (cell_of(state, group),)
        if count.locked > count.n:
            yield position_problem("VP-11", "locked", cells, n=count.n, locked=count.locked, **_values(state, group))
        if group.level > state.top:
            yield position_problem("VP-15", "above", cells, top=state.top, **_values(state, group))


def _values(state: State, group: Group) -> dict[str, Value]:
    return {**group._asdict(), "colour": colour_words(state, group.colour)}


def _players(state: State, entered_position: Position) -> Iterator[Finding]:
    """All named players play: the neutral colour has no turn, no seal and causes no collapse."""
    rules_and_colours = [
        ("VP-1", "due", entered_position.due),
        ("VP-30", "holder", entered_position.holder),
        ("VP-33", "previous", entered_position.previous),
    ]
    if entered_position.ended is not None:
        rules_and_colours += [("VP-16", "by", entered_position.ended.by), ("VP-16", "by", entered_position.ended.asker)]
    for rule, code, colour in dict.fromkeys(rules_and_colours):
        if colour is not None and player_of(state, colour) is None:
            yield position_problem(rule, code, colour=colour)


def _turn(state: State, unknown: Set[str]) -> Iterator[Finding]:
    """`VP-12`, `VP-18`, `VP-20`: the player in turn has something to do in this part of it, or may have."""
    player = state.player
    colour = name_of(state, player)
    if state.own and state.neutral is None:
        yield position_problem("VP-20", "no_neutral", n=len(state.players))
    if state.asked and state.readings["after_objection"] == "turn_over":
        yield position_problem("VP-12", "asked", colour=colour)
    if state.ended is not None or (state.own and state.neutral is None):
        return
    if unknown - {"holder", "previous"} or has_something_to_do(state, player):
        return
    if state.own:
        yield position_problem("VP-20", "own", colour=colour)
    elif any(can_begin(state, other) for other in range(len(state.players))):
        yield position_problem("VP-18", "out", colour=colour)


def _seal(state: State, unknown: Set[str]) -> Iterator[Finding]:
    """`VP-30`, `VP-33`: the seal has a holder once an own column stands on a contested level, and none before."""
    if "holder" in unknown:
        return
    holder, previous = state.holder, state.previous
    if holder is not None and state.top < CONTEST:
        yield position_problem("VP-30", "early", colour=name_of(state, holder), top=state.top)
    cells = tuple(
        cell_of(state, group)
        for group in sorted(state.columns)
        if group.level == state.top >= CONTEST and player_of(state, group.colour) is not None
    )
    if holder is None and cells:
        yield position_problem("VP-30", "nobody", cells, top=state.top)
    if previous is not None and holder is None:
        yield position_problem("VP-33", "alone", colour=name_of(state, previous))
    elif previous is not None and previous == holder:
        yield position_problem("VP-33", "same", colour=name_of(state, previous))


def _end_problems(state: State, entered_position: Position) -> Iterator[Finding]:
    """`VP-16`, `VP-17`: only a collapse has somebody who caused it, and only a hand's attempt has an asker."""
    over = entered_position.ended
    if over is None:
        return
    if over.rule == "VP-17" and (over.by is not None or over.asker is not None):
        yield position_problem("VP-17", "by", colour=over.by or over.asker)
    elif over.asker is not None and over.by is None:
        yield position_problem("VP-16", "asker", colour=over.asker)
