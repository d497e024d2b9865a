"""The statements that the rules of a game can make, with the names of their facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from rules import load
from rules.agreement import DIFFERS
from rules.effects import OF_EVERY_GAME, effects_of
from rules.kernel import Effect, Finding
from service.rulings import judge
from tests.rules.play import AnyGame
from tests.support.case_states import cases, enter, setup_of, state_of
from tests.support.heard_sentences import placeholders, text_of

KINDS: Final = ("findings", "effects")
Statement: TypeAlias = "tuple[str, str]"
"""The kind; the rule, or the rule and the code (``VF-22.legal``), as in the words of a game."""


def statements_of_moves(game: AnyGame, tried: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Statement, Collection[str]]]:
    """Each statement about some moves in their states, and the names of its facts, but not those of every game.

    They are findings, counts of satisfied rules, and effects.
    """
    for state, move in tried:
        verdict = game.check(state, move)
        heard = judge.rules_without_objection(state, move, verdict)
        yield from _of("findings", verdict.findings)
        yield from _of("findings", (each.count_finding for each in heard if each.count_finding))
        if game.cannot_stand(state, move) is None:
            yield from _of("effects", effects_of(game, state, move, game.apply(state, move)))


def statements_of_cases(game: AnyGame) -> Iterator[tuple[Statement, Collection[str]]]:
    """Each statement of the worked cases of a game, about moves and about positions."""
    book = load(game.id, "cases")
    for case in cases(game):
        if "problems" in case:
            yield from _of("findings", game.problems(setup_of(game, case, book), enter(game, case, book)))
        elif "move" in case:
            yield from statements_of_moves(game, [(state_of(game, case), game.read(case["move"]))])


def _of(kind: str, found: Iterable[Finding | Effect]) -> Iterator[tuple[Statement, Collection[str]]]:
    for rule, facts in found:
        if facts.code not in OF_EVERY_GAME | {DIFFERS}:
            yield (kind, f"{rule}.{facts.code}" if facts.code else rule), facts.values


def statements_of(game: AnyGame) -> dict[str, dict[str, list[str]]]:
    """Findings and effects -> rule, or rule and code -> the names of the facts, as the contract lists them.

    They come from the worked cases; a sentence that no case has gives its placeholders.
    """
    found: dict[str, dict[str, Collection[str]]] = {}
    for kind in KINDS:
        texts: Mapping[str, Any] = text_of(game, "en")[kind]
        found[kind] = {key: placeholders(text) for key, text in texts.items()}
    for (kind, key), names in statements_of_cases(game):
        found[kind][key] = names
    return {kind: {key: sorted(names) for key, names in sorted(listed.items())} for kind, listed in found.items()}
