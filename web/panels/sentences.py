"""Moves and findings in words, the same for every panel."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final, NamedTuple

from markupsafe import Markup, escape

from rules.kernel import Cell, Effect, Fact, Finding, Ruling
from rules.records import dataclass
from service.i18n.sentences import Words
from service.tables.keys import HOST, WATCH
from service.types import AnyGame, Move, State
from web.browser.address import Address
from web.browser.language import _
from web.games import pages_of

POINTS: Final = re.compile(r"\d+(?:–\d+)+")

# --- on the page -------------------------------------------------------------------------------------------------


def nowrap_points(text: str) -> Markup:
    """A sentence without line breaks inside the points of all players, such as 3–3–0."""
    return Markup(POINTS.sub(r'<span class="whole">\g<0></span>', str(escape(text))))  # noqa: S704  # escaped


# --- phrases -----------------------------------------------------------------------------------------------------


def cell_labels(game: AnyGame, move: Move) -> str:
    """The labels of a move's cells on the board; empty without labels."""
    return "–".join(cell for cell in game.cells_of(move) if isinstance(cell, str))


def phrase(words: Words, game: AnyGame, move: Move, state: State) -> str:
    """A move in words, made in a state: the game's own phrase for its kind, or else what goes where.

    A phrase `kind.name.name` is for moves in which these values are given, and not false; of several phrases, the one
    with the most names.
    """
    values = {**values_of(move), **pages_of(game.id).beside(state, move)}
    given_names = {name for name, value in values.items() if value is not False and value not in (None, ())}
    keys = [key for key in words.text.get("phrases", {}) if _is_phrase_for(key, move.kind, given_names)]
    if keys:
        return words.say("phrases", max(keys, key=lambda key: key.count(".")), values)
    cells = cell_labels(game, move)
    if not cells:
        return words.name(move.kind)
    return _("%(what)s on %(where)s", what=words.name(move.kind), where=cells)


def _is_phrase_for(key: str, kind: str, given_names: set[str]) -> bool:
    """Whether a phrase is for a kind of move with these given values."""
    of, *names = key.split(".")
    return of == kind and given_names.issuperset(names)


def values_of(move: Any) -> dict[str, object]:
    """The values of a move by name, with those of its parts."""
    found: dict[str, object] = {}
    for part in fields(move):
        value = getattr(move, part.name)
        found |= values_of(value) if is_dataclass(value) else {part.name: value}
    return found


def distinct_phrases(game: AnyGame, phrases: Sequence[str], moves: Sequence[Move], seen_from: Cell | None) -> list[str]:
    """The sentences of some moves. Equal sentences add the distance of each cell from another one."""
    return [
        _with_offset(text, seen_from, game.cells_of(move)[:1]) if phrases.count(text) > 1 else text
        for text, move in zip(phrases, moves, strict=True)
    ]


def _with_offset(text: str, seen_from: Cell | None, cells: tuple[Cell, ...]) -> str:
    """A phrase with the columns and the rows from one cell to another, on a board whose cells have no names."""
    if not cells or not isinstance(seen_from, tuple) or not isinstance(cells[0], tuple):
        return text
    (x, y), (x0, y0) = cells[0], seen_from
    ways = [_("%(n)s to the left", n=x0 - x)] if x < x0 else [_("%(n)s to the right", n=x - x0)] if x > x0 else []
    ways += [_("%(n)s above", n=y - y0)] if y > y0 else [_("%(n)s below", n=y0 - y)] if y < y0 else []
    return ", ".join((text, *ways))


def join_clauses(clauses: Iterable[str]) -> str:
    """Clauses in one line, with the separator of the language."""
    return _("; ").join(clauses)


def role_title(role: str, words: Words) -> str:
    """The name of a role: the host, a player, or a spectator."""
    return {HOST: _("Host"), WATCH: _("Watch")}.get(role) or words.player(role)


def capitalise(text: str) -> str:
    """A phrase with a capital at its beginning."""
    return text[:1].upper() + text[1:]


# --- rules and findings ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reason:
    """The finding of a rule on a move; `text` restates the rule. `evidence` is in words; `href` lights it."""

    rule: str
    title: str
    says: str
    text: str
    ruling: str
    evidence: tuple[str, ...]
    href: str | None
    is_lit: bool


def cell_names(words: Words, cells: Iterable[Cell]) -> str:
    """The names of cells and pieces. A cell without a label on the board has no name: the board lights it instead."""
    return ", ".join(words.name(cell) for cell in cells if isinstance(cell, str))


def evidence_lines(words: Words, facts: Iterable[Fact]) -> tuple[str, ...]:
    """The evidence in words, for readers who do not see the board."""
    found = []
    for fact in facts:
        what = ", ".join(f"{words.count_word(name)} {count}" for name, count in fact.counts.items() if count)
        who = cell_names(words, fact.cells)
        if fact.cells and what:
            found.append(_("%(who)s: %(what)s", who=who, what=what) if who else what)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Consequence:
    """An effect of a move, and the title of the rule behind it."""

    rule: str
    title: str
    says: str
    evidence: tuple[str, ...]


def consequences(words: Words, effects: Iterable[Effect], findings: Sequence[Finding]) -> tuple[Consequence, ...]:
    """The effects of a move, the main one first, without others whose figures a finding already states."""
    titles = words.text["rules"]
    finding_facts = [(finding.rule, finding.facts.values) for finding in findings]
    return tuple(
        Consequence(
            one.rule, titles[one.rule]["title"], words.effect_text(one), evidence_lines(words, one.facts.evidence)
        )
        for number, one in enumerate(effects)
        if not number or (one.rule, one.facts.values) not in finding_facts
    )


class OtherReading(NamedTuple):
    """Another reading, and its consequence; it `decides` if it changes the winner."""

    what: str
    then: str
    decides: bool

    @property
    def says(self) -> str:
        """Both in a line."""
        return f"{self.what} {self.then}"


def lit_finding(findings: Sequence[Finding], show: str | None) -> Finding | None:
    """The finding whose evidence is lit: the requested one, else the first with evidence, objections first."""
    with_evidence = [finding for finding in findings if finding.facts.evidence]
    requested = [finding for finding in with_evidence if finding.rule == show]
    objecting = [finding for finding in with_evidence if finding.ruling is not Ruling.LEGAL]
    return next(iter([*requested, *objecting, *with_evidence]), None)


def reasons(
    words: Words, findings: Sequence[Finding], address: Address, effects: Sequence[Effect] = ()
) -> tuple[Reason, ...]:
    """The findings, objections first. The first effect replaces the sentence of a finding with its rule and figures."""
    chosen_finding = lit_finding(findings, address.show)
    told = [((each.rule, each.facts.values), words.effect_text(each)) for each in effects[:1]]
    ordered = sorted(findings, key=lambda finding: finding.ruling is Ruling.LEGAL)
    return tuple(
        Reason(
            finding.rule,
            words.text["rules"][finding.rule]["title"],
            next((text for key, text in told if key == (finding.rule, finding.facts.values)), None)
            or words.finding_text(finding),
            words.text["rules"][finding.rule]["text"],
            finding.ruling.value,
            evidence_lines(words, finding.facts.evidence),
            address.url(show=finding.rule) if finding.facts.evidence else None,
            finding is chosen_finding,
        )
        for finding in ordered
    )


# --- forms ----------------------------------------------------------------------------------------------------------


def new_key() -> str:
    """An idempotency key for a form: the server counts repeated submissions once."""
    return secrets.token_urlsafe(16)
