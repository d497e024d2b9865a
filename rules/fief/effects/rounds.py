"""Fief: the effects of `next`: what is lost, the phase that begins, incomes, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.fief.effects.deaths import army_dispersal
from rules.fief.effects.sentence_values import evidence_of, figure
from rules.fief.elections import vacancies
from rules.fief.lords import pairs
from rules.fief.moves import Next
from rules.fief.purchases.purse import incomes, purse
from rules.fief.rounds import ELECTIONS, vacancy
from rules.fief.state import PHASES, State
from rules.fief.victory import ALONE, TOGETHER, can_win_alone, points, together
from rules.kernel import Effect, Value


def effects_of_next(before: State, move: Next, after: State) -> Iterator[Effect]:
    """`FI-50`, `FI-3`, `FI-2`: the money that is lost, an election that was not held, the next phase or round."""
    if before.phase == "purchases" and before.turn is not None and (left := purse(before, before.turn).money_left) > 0:
        yield effect("FI-50", "lost", {"colour": before.turn, "n": left})
    if before.phase in ELECTIONS and vacancies.election_due(before):
        yield effect(ELECTIONS[before.phase], "skipped", vacancy(before))
    if after.over or after.phase == before.phase:
        return
    if after.phase == PHASES[0]:
        yield _nobody_wins(after)
        yield effect("FI-2", "", {"colour": after.first})
        yield from army_dispersal(before, after)
    yield effect("FI-3", "begins", {"phase": after.phase})
    if after.phase == "purchases":
        yield from _incomes(after)


def _nobody_wins(state: State) -> Effect:
    """`FI-81`, `FI-82`: the greatest number of points of a player or a pair, and the number needed to win."""
    alone = [points(state, player) for player in state.colours if can_win_alone(state, player)]
    allied = [together(state, pair) for pair in pairs(state)]
    values: dict[str, Value] = {"alone": max(alone), "least": ALONE} if alone else {}
    if not allied:
        return effect("FI-81", "nobody_yet", values)
    values |= {"pair": max(allied), "both": TOGETHER}
    return effect("FI-82", "nobody_yet" if alone else "no_pair_yet", values)


def _incomes(state: State) -> Iterator[Effect]:
    """`FI-50`: the income of each player, part by part."""
    for player in state.colours:
        found = incomes(state, player)
        villages, *offices = found
        figures = [figure("villages", "income_villages", villages.n)] if villages.n else []
        figures += [figure(part.names[0], f"income_{part.code}", part.n) for part in offices]
        if figures:
            n = sum(part.n for part in found)
            yield effect(
                "FI-50", "income", {"colour": player, "n": n, "parts": tuple(figures)}, evidence_of(*villages.names)
            )
