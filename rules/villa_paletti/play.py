"""Villa Paletti: the setup, the move that is due, the result of a move, and the end of the game. `apply` trusts."""

from __future__ import annotations

from collections.abc import Mapping

from rules.forms import Malformed, chosen_readings
from rules.kernel import Due, Ended, Seat
from rules.villa_paletti import moves, villa
from rules.villa_paletti.columns import COLOURS, FIRST_FLOOR, SUPPLY, Colour, Count, Group, Shape
from rules.villa_paletti.moves import Move
from rules.villa_paletti.seal import causer, colour_or_nobody, contest_seal, winner
from rules.villa_paletti.state import READINGS, Over, Setup, State, name_of, player_of

OF_EACH: Mapping[int, int] = {2: 2, 3: 1, 4: 1}
"""Number of players -> number of colours of each (`VP-2`)."""


# --- the setup (VP-1, VP-2) --------------------------------------------------------------------------------------


def setup(form: Setup) -> State:
    """All columns on the base plate and the blue floor on them. Raises `Malformed`, with the field."""
    neutral = _neutral(form)
    return State(
        players=tuple(player.colours for player in form.players),
        neutral=neutral,
        columns={Group(colour, shape, 0): Count(n, 0) for colour in COLOURS for shape, n in SUPPLY.items()},
        out={},
        top=FIRST_FLOOR,
        player=0,
        own=False,
        asked=False,
        holder=None,
        previous=None,
        ended=None,
        readings=chosen_readings(READINGS, form.readings),
    )


def _neutral(form: Setup) -> Colour | None:
    """The colour that nobody has, with three players; every other colour has its player."""
    if len(form.players) not in OF_EACH:
        raise Malformed("players", "/players")
    taken: list[Colour] = []
    for number, player in enumerate(form.players):
        if len(player.colours) != OF_EACH[len(form.players)]:
            raise Malformed("colours_each", f"/players/{number}/colours", n=OF_EACH[len(form.players)])
        for place, colour in enumerate(player.colours):
            if colour in taken:
                raise Malformed("colour_twice", f"/players/{number}/colours/{place}", colour=colour)
            taken.append(colour)
    left = next((colour for colour in COLOURS if colour not in taken), None)
    if form.neutral is not None and form.neutral != left:
        raise Malformed("neutral_taken" if left else "neutral_none", "/neutral", colour=form.neutral)
    return left


# --- the move that is due, and the end (VP-12, VP-17, VP-18, VP-20) ----------------------------------------------


def seats_of(state: State) -> tuple[Seat, ...]:
    """The colours that name the players, in turn order."""
    return tuple(colours[0] for colours in state.players)


def game_end(state: State) -> Ended | None:
    """`VP-16`, `VP-17`: the rule that ended the game, as entered, or because nobody can build."""
    if state.ended is None and not villa.nobody_can_build(state):
        return None
    by = causer(state)
    first = colour_or_nobody(state, winner(state, by))
    if state.ended is not None and state.ended.rule == "VP-16":
        return Ended("VP-16", {"by": colour_or_nobody(state, by), "winner": first}, tells_winner=True)
    return Ended("VP-17", {"winner": first}, tells_winner=True)


def phase(state: State) -> str:
    """The row of the rulebook.

    ``turn``; with three players ``neutral``, ``skipped`` if there is no neutral column to give, or ``own`` after that
    part; ``over``.
    """
    if state.ended is not None or villa.nobody_can_build(state):
        return "over"
    if state.neutral is None:
        return "turn"
    if state.own:
        return "own"
    return "neutral" if villa.spare_neutral_groups(state) else "skipped"


def player_on_move(state: State) -> Seat:
    """Whose move it is while the game continues."""
    return name_of(state, state.player)


def due(state: State) -> Due:
    """The player and the kinds that are due; a collapse, or that nobody can build, may be entered at any time."""
    end = game_end(state)
    if end is not None:
        return Due(None, (), "ended", end.values, end)
    now = phase(state)
    kinds: tuple[str, ...] = ()
    if now == "neutral":
        kinds = (moves.Neutral.kind, moves.NeutralAbort.kind)
    elif villa.own_columns(state, state.player):
        kinds = (moves.Column.kind, moves.Abort.kind)
    code = "own" if now == "own" else "neutral" if now == "neutral" else "turn" if kinds else "only_floor"
    if now == "own" and state.readings["own_after_neutral"] == "may":
        kinds, code = (*kinds, moves.Done.kind), "own_or_done"
    if state.asked and now != "own":
        code = "neutral_asked" if now == "neutral" else "asked"
    elif now != "own" and villa.has_floor_left(state):
        kinds = (*kinds, moves.Floor.kind)
    elif code in ("turn", "neutral"):
        code = "no_floor" if code == "turn" else "neutral_no_floor"
    colour = player_on_move(state)
    return Due(colour, (*kinds, moves.Crash.kind, moves.End.kind), code, {"colour": colour})


def can_begin(state: State, player: int) -> bool:
    """Whether a player has a column to move or a floor to request at the start of a turn (`VP-18`)."""
    return villa.has_floor_left(state) or can_move(state, player)


def can_move(state: State, player: int) -> bool:
    """Whether a player has a column to move in a turn that does not begin with a floor, also a neutral one."""
    return bool(villa.own_columns(state, player)) or bool(villa.spare_neutral_groups(state))


def turn_of(state: State, seat: Seat) -> State:
    """The same table with a player to begin a turn."""
    return state._replace(player=seats_of(state).index(seat), own=False, asked=False)


# --- a move ------------------------------------------------------------------------------------------------------


def apply(state: State, move: Move) -> State:
    """Do what the hand did, and pass the turn on if it is over."""
    over = end_by_move(state, move)
    if over is not None:
        return state._replace(ended=over)
    if isinstance(move, moves.Floor):
        return _after_asking(_request_floor(state, move), move)
    if isinstance(move, moves.Column | moves.Abort):
        return _end_turn(_own(state, move))
    if isinstance(move, moves.Done):
        return _end_turn(state)
    if isinstance(move, moves.Neutral):
        group = _neutral_group(state, move.shape, move.level)
        return _to_own(villa.move_to_top(state, group, locked=bool(villa.is_locked(state, group, move.locked))))
    assert isinstance(move, moves.NeutralAbort)  # noqa: S101  # all other kinds end the game
    return _neutral_abort(state, move)


def end_by_move(state: State, move: Move) -> Over | None:
    """How a move ends the game, if it does (`VP-16`, `VP-17`)."""
    if isinstance(move, moves.End):
        return Over("VP-17")
    if isinstance(move, moves.Crash):
        return Over("VP-16", player_of(state, move.by))
    if not isinstance(move, moves.Done) and move.crash:
        return Over("VP-16", state.player)
    attempt: moves.Objection | moves.Challenge | None = None
    if isinstance(move, moves.Floor):
        attempt = move.objection
    elif isinstance(move, moves.NeutralAbort):
        attempt = move.challenge
    if attempt is not None and attempt.result == "crash":
        return Over("VP-16", player_of(state, attempt.by), state.player)
    return None


def _own(state: State, move: moves.Column | moves.Abort) -> State:
    """A column moves up, and the seal may change hands; or it is locked."""
    group = Group(move.colour, move.shape, move.level)
    locked = bool(villa.is_locked(state, group, move.locked))
    if isinstance(move, moves.Abort):
        return villa.lock_column(state, group, locked=locked)
    return contest_seal(villa.move_to_top(state, group, locked=locked), move.colour)


def _request_floor(state: State, move: moves.Floor) -> State:
    """A floor was requested: the objection first, if any, then the floor, if it is laid."""
    objection = move.objection
    if objection is not None:
        if objection.result == "ok":
            group = Group(objection.colour, objection.shape, objection.level)
            return villa.remove_column(state, group, locked=bool(villa.is_locked(state, group, objection.locked)))
        state = after_failing(state, objection)
        if objection.taken is not None:
            state = _take_column(state, objection.taken)
    return state._replace(top=state.top + 1) if is_floor_laid(state, move) else state


def _after_asking(state: State, move: moves.Floor) -> State:
    """The turn is over, unless an objection worked and the asker then moves (reading `after_objection`)."""
    worked = move.objection is not None and move.objection.result == "ok"
    if not worked or state.readings["after_objection"] == "turn_over":
        return _end_turn(state)
    able = villa.own_columns(state, state.player) if state.own else can_move(state, state.player)
    return state._replace(asked=True) if able else _end_turn(state)


def after_failing(state: State, objection: moves.Objection) -> State:
    """The villa after a failed objection, before the asker takes a column (reading `failed_column`)."""
    group = Group(objection.colour, objection.shape, objection.level)
    locked = villa.is_locked(state, group, objection.locked)
    if locked is None or state.readings["failed_column"] == "free":
        return state
    return villa.lock_column(state, group, locked=locked)


def _take_column(state: State, column: moves.Taken) -> State:
    """A column of the objector's leaves the game (`VP-14`)."""
    group = Group(column.colour, column.shape, column.level)
    return villa.remove_column(state, group, locked=bool(villa.is_locked(state, group, column.locked)))


def is_floor_laid(state: State, move: moves.Floor) -> bool:
    """Whether the floor comes onto the villa (reading `floor_after_failed_objection`)."""
    if move.crash or not move.laid:
        return False
    if move.objection is None:
        return True
    failed = move.objection.result == "fail"
    return failed and state.readings["floor_after_failed_objection"] == "laid"


def _neutral_group(state: State, shape: Shape, level: int) -> Group:
    assert state.neutral is not None  # noqa: S101  # no neutral entry stands without a neutral colour
    return Group(state.neutral, shape, level)


def _neutral_abort(state: State, move: moves.NeutralAbort) -> State:
    """`VP-21`: the column is locked, unless a challenger moved that very one; a challenge that worked ends the turn."""
    group = _neutral_group(state, move.shape, move.level)
    locked = bool(villa.is_locked(state, group, move.locked))
    challenge = move.challenge
    if challenge is None:
        return _to_own(villa.lock_column(state, group, locked=locked))
    other = _neutral_group(state, challenge.shape, challenge.level)
    other_locked = bool(villa.is_locked(state, other, challenge.locked))
    same = (group, locked) == (other, other_locked)
    if challenge.result == "ok":
        after = villa.move_to_top(state, other, locked=other_locked)
        return _end_turn(after if same else villa.lock_column(after, group, locked=locked))
    after = villa.lock_column(state, group, locked=locked)
    if state.readings["failed_column"] == "locked" and not same:
        after = villa.lock_column(after, other, locked=other_locked)
    return _to_own(after)


def _to_own(state: State) -> State:
    """The neutral part is over; so is the turn of a player without a column to move (`VP-20`)."""
    after = state._replace(own=True)
    return after if villa.own_columns(after, after.player) else _end_turn(after)


def _end_turn(state: State) -> State:
    """The turn passes to the next player who can begin one (`VP-18`); to the next one if nobody can."""
    number = len(state.players)
    following = first = (state.player + 1) % number
    while not can_begin(state, following):
        following = (following + 1) % number
        if following == first:
            break
    return state._replace(player=following, own=False, asked=False)
