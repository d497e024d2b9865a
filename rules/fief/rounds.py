"""Fief: the phase of a round, the player in turn, what is due, and how the round continues (`FI-2`, `FI-3`)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.fief.combats.conquest import capture
from rules.fief.deaths.heirs import estate
from rules.fief.elections import vacancies
from rules.fief.lords import players_after, players_from_first, recorded_rank
from rules.fief.moves import (
    AT_ANY_TIME,
    OF_PHASE,
    Cede,
    Give,
    Inherit,
    Move,
    Next,
    PlayArc,
    PlayCardinal,
    PlayLord,
    Siege,
    Take,
)
from rules.fief.purchases.gifts import is_of_a_family, may_exchange
from rules.fief.purchases.purse import income_of, purse
from rules.fief.state import IN_TURN, PHASES, Phase, State
from rules.fief.victory import game_end, rule_and_winners
from rules.kernel import Due, Facts, Value

CARDS = (PlayLord, PlayCardinal, PlayArc)
"""The cards that are played on a player's own turn of the purchases; the printed rules do not say when."""
ELECTIONS: Mapping[str, str] = {"bishops": "FI-20", "pope": "FI-30", "king": "FI-40"}
"""Phase of an election -> the rule that says when it is due."""


BEFORE_ALL: Mapping[str, tuple[type[Move], ...]] = {"over": (), "take": (Take,), "heir": (Inherit,)}
"""The kinds of moves that are due before anything else; none when the game is over."""


def phase(state: State) -> str:
    """The row of the rulebook: the phase, unless the game is over or a `take` or `heir` is due before anything else."""
    if state.over:
        return "over"
    if state.captured is not None:
        return "take"
    return "heir" if state.estates else state.phase


# --- what is due -------------------------------------------------------------------------------------------------


def kinds_due(state: State) -> tuple[type[Move], ...]:
    """The kinds of moves that may be entered now."""
    now = phase(state)
    if now in BEFORE_ALL:
        return BEFORE_ALL[now]
    of_phase = OF_PHASE[state.phase]
    if state.phase in ELECTIONS:
        of_phase = of_phase if vacancies.election_due(state) else (Next,)
    else:
        off = state.readings["sieges"] == "off"
        of_phase = (*(form for form in of_phase if not (off and form is Siege)), Next)
    return (*of_phase, *(form for form in AT_ANY_TIME if form is not Cede or may_exchange(state)))


def due(state: State) -> Due:
    """The player and the kinds of moves that are due, or the end. In phases 1 to 4 it is nobody's turn."""
    now = phase(state)
    if now == "over":
        end = game_end(state)
        return Due(None, (), "ended", end.values, end)
    kinds = tuple(form.kind for form in kinds_due(state))
    if now == "take":
        return Due(state.captured.player if state.captured else None, kinds, now, capture(state))
    if now == "heir":
        return Due(state.estates[0].player, kinds, now, estate(state))
    if state.turn is not None:
        return Due(state.turn, kinds, now, _in_turn(state))
    if now not in ELECTIONS or not vacancies.election_due(state):
        return Due(None, kinds, now if now == "marriages" else f"{now}_none", {})
    return Due(None, kinds, now, vacancy(state))


def _in_turn(state: State) -> dict[str, Value]:
    values: dict[str, Value] = {"colour": state.turn}
    if state.turn is not None and state.phase == "purchases":
        income, left = purse(state, state.turn)
        values |= {"income": income, "left": left}
    return values


def vacancy(state: State) -> dict[str, Value]:
    """The bishopric whose election is due, for a sentence; empty for any other office."""
    if state.phase != "bishops":
        return {}
    number = vacancies.bishopric_due(state) or 0
    return {"n": number, "village": state.land.seats[number]}


def wrong_phase(state: State, move: Move) -> Facts:
    """`FI-3`: a move belongs to its phase; for cards and gifts in a family only by a decision (`FI-54`, `FI-56`)."""
    code = "phase_card" if isinstance(move, CARDS) else "phase"
    if isinstance(move, Give) and is_of_a_family(state.plain(), move):
        code = "phase_family"
    return Facts(code, {"kind": move.kind, "phase": state.phase})


def election_first(state: State, move: Next) -> Facts | None:
    """`FI-20`, `FI-30`, `FI-40`: an election that is due is held before the phase is over."""
    return Facts("due", vacancy(state)) if vacancies.election_due(state) else None


# --- on to the next ----------------------------------------------------------------------------------------------


def advance(state: State, move: Next) -> State:
    """The state after `next`: the next player's turn, the next phase, or the end of the round."""
    if later := players_after(state):
        return state._replace(turn=later[0], attacked=frozenset())
    place = PHASES.index(state.phase) + 1
    if place < len(PHASES):
        return _begin_phase(state, PHASES[place])
    return _round_over(state)


def begins(before: State, after: State) -> bool:
    """Whether a round begins: the phases start again."""
    return before.phase != after.phase == PHASES[0]


def _begin_phase(state: State, new: Phase) -> State:
    """The state at the beginning of a phase: incomes are fixed in phase 5, strengths in phase 6."""
    turn = state.first if new in IN_TURN else None
    state = state._replace(
        phase=new, turn=turn, held=0, income={}, spent={}, moved=frozenset(), arrivals=(), attacked=frozenset()
    )
    if new == "purchases":
        return state._replace(income={player: income_of(state, player) for player in state.colours})
    if new == "movements":
        return state._replace(ranks={name: recorded_rank(state, name) for name in state.lords})
    return state


def _round_over(state: State) -> State:
    """Phase 8: somebody wins, or the first-player card passes on and the next round begins (`FI-2`)."""
    if rule_and_winners(state)[1]:
        return state._replace(over=True)
    order = players_from_first(state)
    state = _begin_phase(state, PHASES[0])
    return state._replace(
        first=order[1],
        ranks={},
        armies=(),
        elected=frozenset(),
        excommunication=None,
    )
