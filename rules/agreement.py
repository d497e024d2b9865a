"""The common part of several verdicts, facts or effects: it is certain, whatever lies on unknown cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rules.deciding_cells import DecidingCells
from rules.effects import ENDED, POINTS
from rules.kernel import Bounds, Effect, Fact, Facts, Finding, Rule, Ruling, Value, Verdict
from rules.steps import spend
from rules.styled_name import StyledName

DIFFERS: Final = "?"
"""The code of a finding of which only the rule is certain: its sentence varies, or it objects to some fillings only."""
EFFECT_STEPS: Final = 12
"""Steps to make a move on a filling, and compute its effects."""

# --- verdicts ----------------------------------------------------------------------------------------------------


def combine_verdicts(depends: DecidingCells, *, whole: bool, exact: bool) -> Verdict:
    """The verdict on all fillings: what is certain, and which rules are open."""
    verdicts = list({id(verdict): verdict for verdict in depends.verdicts}.values())
    rulings = {verdict.ruling for verdict in verdicts}
    ruling = rulings.pop() if whole and len(rulings) == 1 else Ruling.UNPROVEN
    certain = tuple(_certain_findings(verdicts, ruling)) if whole else ()
    objecting: tuple[Finding, ...] = ()
    if ruling is Ruling.UNPROVEN or (ruling is Ruling.ILLEGAL and not certain):
        objecting = tuple(_open_rules(verdicts, depends, exact=exact))
    return Verdict(ruling, (*certain, *objecting), *_row(verdicts))


def _row(verdicts: Sequence[Verdict]) -> tuple[tuple[Rule[object, object], ...], frozenset[int]]:
    """All rules in the rows of the verdicts, and the numbers of those that were heard for no filling."""
    rows = {id(verdict.row): verdict.row for verdict in verdicts}
    rules = {id(rule): rule for row in rows.values() for rule in row}
    heard_rules = {
        id(rule)
        for verdict in {(id(each.row), each.silent): each for each in verdicts}.values()
        for number, rule in enumerate(verdict.row)
        if number not in verdict.silent
    }
    return tuple(rules.values()), frozenset(number for number, rule in enumerate(rules) if rule not in heard_rules)


def _certain_findings(verdicts: Sequence[Verdict], ruling: Ruling) -> Iterator[Finding]:
    """The findings of every filling, with their common facts."""
    for finding in _first_of_each(verdicts[0]).values():
        spend(len(verdicts) // 2)
        facts: Facts | None = finding.facts
        for verdict in verdicts[1:]:
            other = _first_of_each(verdict).get(finding.rule)
            if other is None:
                break
            facts = facts and facts_in_both(facts, other.facts)
        else:
            if ruling is Ruling.UNPROVEN and finding.ruling is not ruling:
                continue
            if facts is not None:
                yield Finding(finding.rule, facts)
            elif ruling is Ruling.ILLEGAL:
                yield Finding(finding.rule, Facts(DIFFERS))


def _first_of_each(verdict: Verdict) -> dict[str, Finding]:
    """The first finding of each rule that has one."""
    return {finding.rule: finding for finding in reversed(verdict.findings)}


def _open_rules(verdicts: Sequence[Verdict], depends: DecidingCells, *, exact: bool) -> Iterator[Finding]:
    """Each rule that objects to some fillings, with what it depends on."""
    broken = {id(verdict): verdict.broken_rules for verdict in verdicts}
    for rule in dict.fromkeys(rule for rules in broken.values() for rule in rules):
        needs = depends.cells_for(lambda verdict, rule=rule: rule in broken[id(verdict)]) if exact else depends.cells  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        yield Finding(rule, Facts(DIFFERS, {}, (), Ruling.UNPROVEN, needs))


# --- facts -------------------------------------------------------------------------------------------------------


def facts_in_both(some: Facts, other: Facts) -> Facts | None:
    """The common facts of two: numbers that differ become `Bounds`; None if the sentence or another value differs.

    >>> facts_in_both(Facts("", {"own": 2, "cell": "c5"}), Facts("", {"own": 4, "cell": "c5"})).values
    {'own': Bounds(least=2, most=4), 'cell': 'c5'}
    >>> facts_in_both(Facts("", {"cell": "c5"}), Facts("", {"cell": "d5"})) is None
    True
    """
    if some is other:
        return some
    if some.code != other.code or some.ruling is not other.ruling or some.values.keys() != other.values.keys():
        return None
    values: dict[str, Value] = {}
    for name, value in some.values.items():
        joined = _common_value(value, other.values[name])
        if joined is None and value is not None:
            return None
        values[name] = joined
    return Facts(some.code, values, _common_evidence(some.evidence, other.evidence), some.ruling, some.needs)


def _common_value(value: Value, other: Value) -> Value:
    """The common value, or the bounds of two numbers, or None. A name becomes bare if its words differ."""
    if _in_same_words(value, other):
        return value
    if _bare(value) == _bare(other):
        return _bare(value)
    bounds = [_bounds(each) for each in (value, other)]
    if None in bounds:
        return None
    (least, most), (low, high) = (each for each in bounds if each is not None)
    return Bounds(min(least, low), max(most, high))


def _in_same_words(value: object, other: object) -> bool:
    """Whether two values are the same, with the same words for every name. A bare name has no words.

    >>> _in_same_words(StyledName("Henri", "king", {}), "Henri"), _in_same_words((1, "Henri"), (1, "Henri"))
    (False, True)
    """
    if isinstance(value, StyledName) or isinstance(other, StyledName):
        if not (isinstance(value, StyledName) and isinstance(other, StyledName) and value == other):
            return False
        return all(_in_same_words(part, other.values[name]) for name, part in value.values.items())
    if isinstance(value, tuple) and isinstance(other, tuple) and not isinstance(value, Bounds):
        return len(value) == len(other) and all(map(_in_same_words, value, other))
    return value == other


def _bare(value: Value) -> Value:
    """A name, or a list of names, without words such as titles.

    >>> from rules.styled_name import StyledName
    >>> _bare((StyledName("Henri", "king", {}), "Lambert"))
    ('Henri', 'Lambert')
    """
    if isinstance(value, tuple) and not isinstance(value, Bounds):
        return tuple(str(each) if isinstance(each, str) else each for each in value)
    return str(value) if isinstance(value, str) else value


def _bounds(value: Value) -> Bounds | None:
    if isinstance(value, Bounds):
        return value
    return Bounds(value, value) if type(value) is int else None


def _common_evidence(some: Sequence[Fact], other: Collection[Fact]) -> tuple[Fact, ...]:
    """The common evidence."""
    return tuple(fact for fact in some if fact in other)


# --- effects -----------------------------------------------------------------------------------------------------


def common_effects(each: Iterable[Sequence[Effect]]) -> Sequence[Effect]:
    """The effects that all lists have."""
    certain: Sequence[Effect] | None = None
    for effects in each:
        spend(EFFECT_STEPS)
        certain = effects if certain is None else tuple(effects_in_both(certain, effects))
        if not certain:
            break
    return certain or ()


def effects_in_both(some: Sequence[Effect], others: Sequence[Effect]) -> Iterator[Effect]:
    """The common effects of two lists: equal ones, or the common facts of the only one with its rule and sentence."""
    for effect in some:
        like = [other for other in others if other.sentence_key == effect.sentence_key]
        facts = next((effect.facts for other in like if _is_same(effect.facts, other.facts)), None)
        if facts is None and len(like) == 1 and sum(each.sentence_key == effect.sentence_key for each in some) == 1:
            facts = OF_BOTH.get(effect.facts.code, facts_in_both)(effect.facts, like[0].facts)
        if facts is not None:
            yield Effect(effect.rule, facts)


def _is_same(some: Facts, other: Facts) -> bool:
    """Whether two facts are equal, with the same words for every name."""
    return some == other and all(_in_same_words(value, other.values[name]) for name, value in some.values.items())


def end_in_both(some: Facts, _other: Facts) -> Facts:
    """The end of the game by a rule, without the winner, who differs."""
    return some._replace(values={})


def _points_in_both(some: Facts, other: Facts) -> Facts | None:
    """The points of those players for whom both agree."""
    both_rows = [_rows(facts.values) for facts in (some, other)]
    rows = [row for row in both_rows[0] if row in both_rows[1]]
    seats, was, now = zip(*rows, strict=True) if rows else ((), (), ())
    return some._replace(values={"seats": seats, "was": was, "now": now}) if rows else None


def _rows(values: Mapping[str, Any]) -> list[tuple[object, ...]]:
    return list(zip(values["seats"], values["was"], values["now"], strict=True))


OF_BOTH: Final[Mapping[str, Callable[[Facts, Facts], Facts | None]]] = {
    ENDED: end_in_both,
    POINTS: _points_in_both,
}
"""Code of an effect of every game -> the common facts of two fillings. Other effects use `facts_in_both`."""
