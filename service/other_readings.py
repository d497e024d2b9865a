"""What other readings of the printed rules would change, in a sentence each."""

from __future__ import annotations

from collections.abc import Container, Iterator

from rules.kernel import Due, Effect, Finding
from service import texts
from service.judgements import Judgement, Other, Without
from service.texts import Words


def readings(words: Words, judgement: Judgement) -> Iterator[tuple[Other, str]]:
    """The readings that would change a ruling, each with a sentence on the first difference that it does not tell."""
    now = _said(words, judgement) if judgement.others else frozenset()
    for other in judgement.others:
        yield other, _otherwise(words, other, now)


def _said(words: Words, judgement: Judgement) -> frozenset[str]:
    """What is said of a ruling already."""
    due = () if judgement.due is None else (judgement.due,)
    return frozenset(_sentence(words, each) for each in (*judgement.verdict.findings, *judgement.effects, *due))


def _otherwise(words: Words, other: Other, now: Container[str]) -> str:
    """What would be different under another value of a reading, in a sentence that is not said `now`."""
    for difference in other.differences:
        if isinstance(difference, Without):
            return texts.say(words.language, "otherwise", "without", {"said": words.effect(difference.effect)})
        said = _sentence(words, difference)
        if said not in now:
            code = other.ruling.value if isinstance(difference, Finding) else "instead"
            return texts.say(words.language, "otherwise", code, {"said": said})
    return texts.say(words.language, "otherwise", other.ruling.value)


def _sentence(words: Words, said: Finding | Effect | Due) -> str:
    """What a rule says, what a move brings about, or whose move it is."""
    if isinstance(said, Finding):
        return words.finding(said)
    return words.effect(said) if isinstance(said, Effect) else words.due(said)
