"""Checks rulings on partial positions against whole positions, the same way for every game.

A game gives trials only: partial positions, and fillings that share no code with the engine's.
`rules/<game>/trials.py` below this folder has ``trials(chance, times)``, which yields them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from rules.agreement import DIFFERS
from rules.effects import ENDED, NOBODY, OF_EVERY_GAME, POINTS, WON, effects_of
from rules.fillings import Filling
from rules.kernel import Bounds, Cell, Effect, Facts, Ruling, Verdict, hear
from rules.unknowns import NoFilling, PartialRuling, UnknownRules, judge
from tests.rules.partial import needs_decide
from tests.rules.play import AnyGame
from tests.support.json_forms import read_position

Trials = Callable[[Random, int], Iterator["Trial"]]
MAX_SHOWN: Final = 3
"""Violations shown of a trial, at most."""


class WholeFilling(NamedTuple):
    """A whole position, as JSON or as read; `at` has the content of each unknown cell, by the names of `needs`.

    If the trial gives them, `at` also has other things that `needs` may name, such as pieces left.
    """

    position: Any
    at: Mapping[Cell, object] = {}


class Trial(NamedTuple):
    """A move that is asked about in a partial position.

    `every`: the fillings are complete. Then the answer may not be more cautious than they are, no need is idle, and
    each bound is reached. `outcome`: the answer then also tells the end, the winner and the points that all fillings
    share. Fillings that cannot stand are skipped.
    """

    form: Any
    partial: Any
    move: Any
    fillings: Iterable[WholeFilling]
    every: bool = False
    outcome: bool = True


class Real(NamedTuple):
    """A filling that can stand, with its verdict and, for a legal move, all effects."""

    at: Mapping[Cell, object]
    verdict: Verdict
    effects: tuple[Effect, ...]


def trials_of(game: AnyGame) -> Trials | None:
    """The trials that a game gives."""
    there = Path(__file__).with_name(game.id) / "trials.py"
    return import_module(f"tests.rules.{game.id}.trials").trials if there.exists() else None


def violations(game: AnyGame, trial: Trial, tally: Counter[str] | None = None) -> list[str]:
    """What is wrong with the engine's answer to a trial; empty for a sound engine."""
    counts: Counter[str] = Counter() if tally is None else tally
    form, (known, unknown) = trial.form, enter(game, trial.form, trial.partial)
    try:
        said = judge(game, known, unknown, trial.move)
    except NoFilling:
        said = None
    real = list(list_fillings(game, trial, over=game.due(known).ended is not None))
    counts["trials"] += 1
    counts["fillings"] += len(real)
    if said is None:
        counts["none"] += 1
        return [f"nothing can stand, it says: {dict(each.at)}" for each in real[:1]]
    counts[said.verdict.ruling.value] += 1
    counts["not exact"] += not said.exact
    found = [
        *contradictions(said, real),
        *misjudgements(said, real),
        *missing_effects(said, real, every=trial.every, outcome=trial.outcome),
    ]
    if trial.every and real:
        found += cautious(said, real)
    where = f"{game.id} {game.write(trial.move)} {trial.partial} {getattr(form, 'readings', '')}"
    return [f"{each}\n  {where}" for each in found[:MAX_SHOWN]]


def read(game: AnyGame, position: Any) -> Any:
    """Read a position from JSON; one that was read is returned unchanged."""
    if not isinstance(position, Mapping):
        return position
    return read_position(game, position, partial=True)


def enter(game: AnyGame, form: Any, partial: Any) -> tuple[Any, tuple[Cell, ...]]:
    """The known part of a position as a state, and its unknown cells."""
    rules, position = game.unknowns, read(game, partial)
    assert rules is not None
    return game.enter(form, rules.known_part(form, position)), rules.cells(form, position)


def list_fillings(game: AnyGame, trial: Trial, *, over: bool) -> Iterator[Real]:
    """The fillings that can stand, judged; those that end the game only if it is `over` by the known part."""
    for each, state in states_of(game, trial, over=over):
        verdict = verdict_of(game, trial, state)
        effects: tuple[Effect, ...] = ()
        if verdict.legal:
            effects = effects_of(game, state, trial.move, game.apply(state, trial.move))
        yield Real(each.at, verdict, effects)


def rulings_of(game: AnyGame, trial: Trial) -> set[Ruling]:
    """The rulings on the fillings that can stand and do not end the game."""
    return {verdict_of(game, trial, state).ruling for _, state in states_of(game, trial, over=False)}


def states_of(game: AnyGame, trial: Trial, *, over: bool) -> Iterator[tuple[Any, Any]]:
    """Each filling that can stand, with its state; `over` as in `list_fillings`."""
    for each in trial.fillings:
        position = read(game, each.position)
        if game.problems(trial.form, position):
            continue
        state = game.enter(trial.form, position)
        if over or game.due(state).ended is None:
            yield each, state


def verdict_of(game: AnyGame, trial: Trial, state: Any) -> Verdict:
    """The verdict on a trial's move in a state."""
    return hear(game.book[game.phase(state), type(trial.move)], state, trial.move)


# --- contradictions --------------------------------------------------------------------------------------------------


def contradictions(said: PartialRuling, real: Sequence[Real]) -> Iterator[str]:
    """Rulings and findings that the answer calls certain, and that some filling contradicts."""
    for at, verdict, _ in real:
        if said.verdict.ruling not in (Ruling.UNPROVEN, verdict.ruling):
            yield f"{said.verdict.ruling.value}, but {verdict.ruling.value} with {dict(at)}: {verdict.findings}"
        for finding in said.verdict.findings:
            if finding.facts.code == DIFFERS:
                held = finding.ruling is Ruling.UNPROVEN or finding.rule in verdict.broken_rules
            else:
                held = any(finding.rule == each.rule and fits(finding.facts, each.facts) for each in verdict.findings)
            if not held:
                yield f"{finding} is certain, but not with {dict(at)}: {verdict.findings}"


def fits(said: Facts, real: Facts) -> bool:
    """Whether the real facts match the answer's, or lie within its bounds."""
    return said.code == real.code and said.values.keys() == real.values.keys() and agree(said.values, real.values)


def agree(said: Mapping[str, Any], real: Mapping[str, Any]) -> bool:
    """Whether the real values match the answer's, or lie within its bounds."""
    return all(
        value.least <= real[name] <= value.most if isinstance(value, Bounds) else value == real[name]
        for name, value in said.items()
    )


def misjudgements(said: PartialRuling, real: Sequence[Real]) -> Iterator[str]:
    """Needs that do not decide what they should, and rules that object but are missing in the answer."""
    if not said.exact or said.verdict.ruling is not Ruling.UNPROVEN:
        return
    told = {finding.rule: finding.facts.needs for finding in said.verdict.findings}
    for rule in dict.fromkeys(rule for each in real for rule in each.verdict.broken_rules):
        if rule not in told:
            yield f"{rule} objects to some filling, and is not told of"
    if not _decide(said.needs, real, lambda verdict: verdict.ruling):
        yield f"{said.needs} do not decide the ruling"
    for finding in said.verdict.findings:
        rule = finding.rule
        if finding.facts.code != DIFFERS:
            continue
        broken = partial(_is_broken, rule)
        if not _decide(finding.facts.needs, real, broken):
            yield f"{finding.facts.needs} do not decide whether {rule} objects"


def _is_broken(rule: str, verdict: Verdict) -> bool:
    return rule in verdict.broken_rules


def _decide(needs: Collection[Cell], real: Sequence[Real], answer: Callable[[Verdict], Any]) -> bool:
    """Whether fillings that agree in the needs have one answer; true if no filling gives contents."""
    return all(not each.at for each in real) or needs_decide(_answers(needs, real, answer), range(len(needs)))


def _answers(
    needs: Collection[Cell], real: Sequence[Real], answer: Callable[[Verdict], Any]
) -> dict[tuple[Any, ...], Any]:
    """(contents of the needed places, the whole filling) -> the answer."""
    return {
        (tuple(repr(each.at.get(need)) for need in needs), repr(sorted(each.at.items(), key=repr))): answer(
            each.verdict
        )
        for each in real
    }


# --- effects ---------------------------------------------------------------------------------------------------------


def missing_effects(said: PartialRuling, real: Sequence[Real], *, every: bool, outcome: bool) -> Iterator[str]:
    """Certain effects that some filling lacks. If the fillings are complete, also bounds that none reaches, and an
    end, a winner or points that all fillings share and the answer omits.
    """
    legal = [each for each in real if each.verdict.legal]
    for effect in said.effects:
        if lacking := next((each for each in legal if not has(each.effects, effect)), None):
            yield f"{effect} is certain, but not with {dict(lacking.at)}: {lacking.effects}"
        elif every and said.exact and (loose := next(slack(effect, legal), None)):
            yield f"{effect}: no filling has the bound of {loose}"
    if every and outcome and said.exact and legal:
        yield from (f"every filling has {each}, and it is not told" for each in alike(legal) - certain(said.effects))


def has(effects: Iterable[Effect], said: Effect) -> bool:
    """Whether an effect is among others. It may tell less of the end, and the points of only some players."""
    if said.facts.code == POINTS:
        return certain([said]) <= certain(effects)
    like = [each.facts for each in effects if (each.rule, each.facts.code) == (said.rule, said.facts.code)]
    if said.facts.code in OF_EVERY_GAME:
        return any(
            said.facts.values.keys() <= each.values.keys() and agree(said.facts.values, each.values) for each in like
        )
    return any(fits(said.facts, each) for each in like)


def slack(effect: Effect, legal: Sequence[Real]) -> Iterator[str]:
    """The values whose bounds differ from the fillings' extremes, if each filling has the effect once."""
    like = [
        [e.facts for e in each.effects if (e.rule, e.facts.code) == (effect.rule, effect.facts.code)] for each in legal
    ]
    if all(len(each) == 1 for each in like):
        for name, value in effect.facts.values.items():
            if isinstance(value, Bounds):
                numbers: list[Any] = [each[0].values[name] for each in like]
                if (min(numbers), max(numbers)) != value:
                    yield name


def alike(legal: Sequence[Real]) -> set[object]:
    """The end, the winner and the points that all fillings share."""
    return set.intersection(*(certain(each.effects) for each in legal))


def certain(effects: Iterable[Effect]) -> set[object]:
    """The end, the winner and the points that effects tell. They are the rule that ends the game, who has won by it,
    and the old and new points of each player whose points change.
    """
    found: set[object] = set()
    for rule, facts in effects:
        values: Mapping[str, Any] = facts.values
        if facts.code == ENDED:
            found.add((rule, ENDED))
        elif facts.code in (WON, NOBODY):
            found.add((rule, facts.code, values["winners"]))
        elif facts.code == POINTS:
            found |= {(POINTS, *each) for each in zip(values["seats"], values["was"], values["now"], strict=True)}
    return found


# --- caution ---------------------------------------------------------------------------------------------------------


def cautious(said: PartialRuling, real: Sequence[Real]) -> Iterator[str]:
    """What an exact answer leaves open though all fillings agree, and its idle needs."""
    rulings = {each.verdict.ruling for each in real}
    if said.verdict.ruling is not Ruling.UNPROVEN or not said.exact:
        return
    if len(rulings) == 1 and Ruling.UNPROVEN not in rulings:
        yield f"unproven, but {rulings.pop().value} with every filling"
        return
    yield from _idle("the ruling", said.needs, real, lambda verdict: verdict.ruling)
    for finding in said.verdict.findings:
        rule = finding.rule
        if finding.facts.code == DIFFERS:
            yield from _idle(rule, finding.facts.needs, real, partial(_is_broken, rule))


def _idle(what: str, needs: Sequence[Cell], real: Sequence[Real], answer: Callable[[Verdict], Any]) -> Iterator[str]:
    """The needs without which the others still decide."""
    seen = _answers(needs, real, answer)
    for number, need in enumerate(needs):
        if needs_decide(seen, [other for other in range(len(needs)) if other != number]):
            yield f"{need} is idle for {what}, of {needs}"


# --- the control -----------------------------------------------------------------------------------------------------


def with_one_taken_out(game: AnyGame) -> AnyGame:
    """The same game with an engine that misses some contents of unknown cells."""
    rules = game.unknowns
    assert rules is not None
    return replace(game, unknowns=_taken_out(rules))


def _taken_out(rules: UnknownRules[Any, Any]) -> UnknownRules[Any, Any]:
    def first_of(made: Callable[..., Iterable[Any]], of: Callable[[Any], Filling]) -> Callable[..., Iterator[Any]]:
        def only(state: Any, move: Any, cells: Sequence[Cell]) -> Iterator[Any]:
            kept: object = None
            for number, each in enumerate(made(state, move, cells)):
                way = of(each)
                there = repr(way.get(cells[0])) if cells else ""
                kept = kept if number else there
                if there == kept:
                    yield each

        return only

    contents = rules.contents
    changed: dict[str, Any] = {}
    if contents is not None:
        changed["contents"] = lambda state, move, cell: tuple(islice(contents(state, move, cell), 1))
    if rules.sorts is not None:
        changed["relevant_cells"] = lambda state, move, unknown: rules.relevant_cells(state, move, unknown)[1:]
    if rules.fillings is not None:
        changed["fillings"] = first_of(rules.fillings, lambda way: way)
    if rules.judged_fillings is not None:
        changed["judged_fillings"] = first_of(rules.judged_fillings, lambda each: each[0])
    return replace(rules, **changed)
