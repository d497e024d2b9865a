"""Notes on other readings of the printed rules: one sentence for each change that a reading would make."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TypeAlias

from rules.kernel import Due, Effect, Finding
from rules.ranking import is_draw
from service.i18n import sentences
from service.i18n.grammar import series
from service.i18n.sentences import Words
from service.judgements import Judgement, MissingEffect, ReadingAlternative, ScoreChange

Difference: TypeAlias = "Finding | Effect | MissingEffect | Due"
"""One change by another reading, for one sentence."""


def readings(words: Words, judgement: Judgement) -> Iterator[tuple[ReadingAlternative, str]]:
    """The readings that would change a ruling, each with a sentence on the first difference that the ruling does not
    mention.
    """
    for other, difference in readings_with_difference(words, judgement):
        yield other, _difference_text(words, other, difference)


def readings_with_difference(
    words: Words, judgement: Judgement
) -> Iterator[tuple[ReadingAlternative, Difference | None]]:
    """The same readings, each with that difference; None if the note contains only the ruling.

    A reading without a sentence is left out.
    """
    now = _ruling_sentences(words, judgement) if judgement.alternatives else frozenset()
    for other in judgement.alternatives:
        difference = next((each for each in other.differences if not _is_repeated(words, each, now)), None)
        if difference is not None or other.ruling is not judgement.ruling:
            yield other, difference


def score(words: Words, change: ScoreChange) -> str:
    """The sentence on the score under another reading, and on the winner if that changes."""
    totals = tuple(f"{words.player(seat)} {total}" for seat, total in change.totals.items())
    code, who = "changes" if change.changes else "same", change.leaders
    if change.winner_changes:
        code = "draw" if is_draw(change.ranking) else "wins" if who else "nobody"
    leaders = series([words.player(seat) for seat in who], words.language)
    return sentences.say(words.language, "sheet", code, {"totals": totals, "first": leaders, "n": len(who)})


def _ruling_sentences(words: Words, judgement: Judgement) -> frozenset[str]:
    """The sentences of a ruling."""
    due = () if judgement.due is None else (judgement.due,)
    return frozenset(_sentence(words, each) for each in (*judgement.verdict.findings, *judgement.effects, *due))


def _is_repeated(words: Words, difference: Difference, now: Container[str]) -> bool:
    """Whether the ruling already has the sentence of a difference."""
    return not isinstance(difference, MissingEffect) and _sentence(words, difference) in now


def _difference_text(words: Words, other: ReadingAlternative, difference: Difference | None) -> str:
    """The sentence on a difference under another value of a reading."""
    if difference is None:
        return sentences.say(words.language, "otherwise", other.ruling.value)
    if isinstance(difference, MissingEffect):
        return sentences.say(words.language, "otherwise", "without", {"said": words.effect_text(difference.effect)})
    code = other.ruling.value if isinstance(difference, Finding) else "instead"
    return sentences.say(words.language, "otherwise", code, {"said": _sentence(words, difference)})


def _sentence(words: Words, statement: Finding | Effect | Due) -> str:
    """The sentence of a finding, an effect, or a turn."""
    if isinstance(statement, Finding):
        return words.finding_text(statement)
    return words.effect_text(statement) if isinstance(statement, Effect) else words.due_text(statement)
