"""Makes sentences from codes, in the reader's language: on findings, effects of moves, and turns.

The words of a game are data beside its rules, which `service.i18n.catalogue` looks up. Those of the service are in
``service/i18n/<language>.toml``. `service.i18n.formatter` puts the values into both. For a missing word, the sentence
shows its code, and never fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Final

import rules
from rules.agreement import DIFFERS
from rules.caches import cache
from rules.changes import END, OVER, Change, Reachability
from rules.effects import ENDED, OF_EVERY_GAME, POINTS, TOTAL, WON
from rules.forecasts import IN_EVERY_GAME
from rules.kernel import (
    INSTEAD,
    SAME_CELL,
    Due,
    Effect,
    Ended,
    Fact,
    Facts,
    Finding,
    Forecast,
    Line,
    Place,
    Seat,
    TiebreakFigures,
    Value,
)
from rules.old_names import accept_old_members
from service.i18n.catalogue import SENTENCES, Catalogue
from service.i18n.formatter import NOBODY, NOWHERE, Formatter, fill, say
from service.i18n.grammar import SEPARATOR, series
from service.types import Setup
from service.validation import FieldError

__all__ = [
    "NOBODY",
    "NOWHERE",
    "SENTENCES",
    "Words",
    "field_error",
    "fill",
    "say",
    "words",
    "words_with_names",
    "words_with_people",
]

NONE: Final = "none"
"""The word for a tie-break without a figure."""
MAX_PEOPLE: Final = 256
"""The maximum number of tables whose players are cached with their words."""


def _key(rule: str, code: str) -> str:
    """The key of a sentence: its rule, with its code if the rule has several."""
    return f"{rule}.{code}" if code else rule


@accept_old_members(
    among="with_people",
    calling="with_names",
    finding="finding_text",
    placing="with_places",
    put="render_value",
    unknown="unknown_list",
    unknown_one="unknown_text",
)
class Words(Formatter):
    """The words of one game in one language; `words` makes each of them once."""

    def __init__(self, language: str, game: str) -> None:
        super().__init__(Catalogue.load(language, game), rules.GAMES[game].of_pieces)

    def with_people(self, people: Mapping[str, str]) -> Words:
        """A copy whose sentences on moves, turns and the end call these players by their names."""
        return _copy_with_people(self, tuple(people.items())) if people else self

    def finding_text(self, finding: Finding) -> str:
        """The sentence of a finding; if it is open or has several sentences, one on its rule and its unknowns."""
        if finding.facts.code == DIFFERS:
            values = {
                "rule": self.text["rules"][finding.rule]["title"],
                "needs": self.unknown_list(finding.facts.needs),
            }
            return say(self.language, "unknown", finding.ruling.value, values)
        return self._say_with_decision("findings", _key(finding.rule, finding.facts.code), finding.facts.values)

    def effect_text(self, effect: Effect) -> str:
        """The sentence of an effect."""
        rule, code, values = effect.rule, effect.facts.code, effect.facts.values
        if code not in OF_EVERY_GAME:
            return self._say_with_decision("effects", _key(rule, code), values)
        if code == ENDED:
            return self.end_text(Ended(rule, values)) if values else say(self.language, "effects", code)
        if code == POINTS:
            return say(self.language, "effects", code, {"totals": series(self._total_changes(values), self.language)})
        decided = str(values.get("decided_by", ""))
        winners = self.render_value(self._name_players(values.get("winners", ())))
        if code == WON and decided != TOTAL:
            code = "won_on_a_tie"  # the sentence has the figures of the tie-break
        return say(
            self.language, "effects", code, {**values, "winners": winners, "decided": self.say("ranking", decided)}
        )

    def forecast_text(self, forecast: Forecast) -> str:
        """The sentence of a forecast."""
        code, values, *_ = forecast.facts
        if code not in IN_EVERY_GAME:
            return self._say_with_people("foretold", _key(forecast.rule, code), values)
        leader_names = self.render_value(self._name_players(values.get("leaders", ())))
        return say(self.language, "foretold", code, {**values, "leaders": leader_names})

    def _total_changes(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        changes = zip(values["seats"], values["was"], values["now"], strict=True)
        return tuple(f"{self.render_value(self._name_players(seat))} {was} → {now}" for seat, was, now in changes)

    def place_text(self, place: Place) -> str:
        """The sentence on what decided a place, with the figures of the tie-breaks that were used."""
        return " ".join([self.say("ranking", place.decided_by), *map(self.tie_text, place.tiebreak_figures)])

    def tie_text(self, tie: TiebreakFigures) -> str:
        """The sentence of a tie-break: its figure for each player with equal points."""
        figures = [
            f"{self.player(seat)} {self.name(NONE) if n is None else self.render_value(n)}" for seat, n in tie.figures
        ]
        return self.say("tied", tie.rule, {"figures": SEPARATOR.join(figures)}, replace_codes=False)

    def change_text(self, change: Change) -> str:
        """The sentence of a change: a piece that has vanished, moved or been added, or the end of the game.

        A game may have its own words for a kind of piece, or for the places of all.
        """
        what, piece, n, to = change
        values = dict(piece.values)
        if piece.code == END:
            return say(
                self.language, "changes", f"{what}_end", {"said": self.end_text(Ended(str(values.pop("rule")), values))}
            )
        thing = str(self._say_with_people("things", piece.code, values))
        at = {"at": self.render_value(piece.at), "to": None if to is None else self.render_value(to.at)}
        counted = {"thing": thing if n == 1 else f"{n} × {thing}", **at}
        code = what if piece.at is None else f"{what}_at"
        for own in (f"{what}_{piece.code}", code):
            if own in self.text.get("things", {}):
                return self.say("things", own, counted)
        return say(self.language, "changes", code, counted)

    def reachability_text(self, reachability: str, way: Sequence[str], why: Sequence[Finding], depth: int) -> str:
        """The sentence on whether play can connect two tables: the moves, the objection, or how far the search went."""
        code = reachability
        if reachability == Reachability.POSSIBLE.value:
            code = "way" if way else "same"
        elif reachability == Reachability.IMPOSSIBLE.value:
            code = "impossible" if why else "tried"
        elif depth:
            code = "looked"
        n = len(way) if way else depth
        return say(self.language, "changes", code, {"n": n, "moves": "; ".join(way)})

    def objection_text(self, finding: Finding) -> str:
        """The sentence on why no play connects two tables."""
        rule, (code, values, *_) = finding
        if code == OVER:
            return say(self.language, "changes", OVER)
        return self._say_with_people("changes", _key(rule, code), values)

    def near_move_text(self, why: Sequence[Facts]) -> str:
        """Why a legal move is near a refused one, in a sentence; a game may have its own words for its "cells"."""
        everywhere = {SAME_CELL, INSTEAD} - self.text.get("near", {}).keys()
        parts = [
            say(self.language, "near", code) if code in everywhere else self.say("near", code, values)
            for code, values, *_ in why
        ]
        sentence = ", ".join(parts)
        return f"{sentence[:1].upper()}{sentence[1:]}."

    def due_text(self, due: Due) -> str:
        """The sentence on whose move it is, and which kinds of moves are due."""
        return self._say_with_people("due", due.code, due.values)

    def due_options_text(self, due: Due, possible: Sequence[str], impossible: Sequence[str]) -> str:
        """The sentence on what is due if not all of its kinds are possible; empty if the game has no words for that.

        Its code has the suffix ``.some``, and `kinds` are the possible ones, or the suffix ``.none``.
        """
        code = f"{due.code}.{'some' if possible else 'none'}"
        if not impossible or not self.catalogue.has_sentence("due", code):
            return ""
        return self._say_with_people("due", code, {**due.values, "kinds": tuple(possible)})

    def continue_label(self, due: Due, last_seat: Seat | None, how: str = "") -> str:
        """The button's label for what follows a phase or the turn of `done`; empty if the game has no words.

        `how`: ``turn`` if the next player continues in the same phase, ``skip`` if all before it is skipped.
        """
        code = f"{due.code}.{how}" if how else due.code
        if not self.catalogue.has_sentence("onward", code):
            return self.continue_label(due, last_seat) if how == "turn" else ""
        return self._say_with_people("onward", code, {**due.values, "done": last_seat})

    def line_text(self, line: Line) -> str:
        """The words of a line of the score sheet."""
        return self._say_with_people("lines", _key(line.rule, line.code), line.values)

    def line_counts(self, line: Line) -> str:
        """The counts of a line of the score sheet beside its points, if any."""
        counts = [(name, n, fact) for fact in line.evidence for name, n in fact.counts.items() if name != "points"]
        return SEPARATOR.join(self.count_text(*each) for each in counts if each[1] or self._has_number(each[0]))

    def count_text(self, name: str, n: int, fact: Fact) -> str:
        """A count with its word; only the word if it includes the number, or the count is a mere fact."""
        word = self.count_word(name)
        if self._has_number(name):
            return word.replace("{n}", str(n))
        return word if n == 1 and not fact.cells else f"{word} {n}"

    def _has_number(self, name: str) -> bool:
        """Whether the word of a count includes the number. Then the sheet mentions zero, too."""
        return "{n}" in self.count_word(name)

    def count_word(self, name: str) -> str:
        """The word of a count; for a player's count, the name, or the words with the name in them."""
        stem, _, seat = name.rpartition("_")
        if stem and seat in rules.GAMES[self.game].seats:
            return fill(self.language, self.name(stem), {"colour": self.player(seat)})
        return self.player(name)

    def end_text(self, end: Ended) -> str:
        """The sentence on why the game is over."""
        return self._say_with_people("ended", end.rule, end.values)

    def over_text(self, end: Ended) -> str:
        """The same without the winner, for a move that is refused then."""
        return self._say_with_people("findings", end.rule, end.values)

    def _say_with_decision(self, table: str, code: str, values: Mapping[str, Value]) -> str:
        """The same, followed by our own decision, if the game's ``[decisions]`` has that code."""
        text = self._say(table, code, values, replace_codes=True, people=True)
        if not self.catalogue.has_sentence("decisions", code):
            return text
        return f"{text} {self._say_with_people('decisions', code, values)}"

    def error_text(self, field_error: FieldError) -> str:
        """The sentence on why a value is no move, setup or position of the game."""
        return self.say("malformed", field_error.code, field_error.values, replace_codes=False)


@cache()
def words(language: str, game: str) -> Words:
    """The words of a game."""
    return Words(language, game)


@cache(MAX_PEOPLE)  # other caches have the words as their key
def _copy_with_people(plain: Words, people: tuple[tuple[str, str], ...]) -> Words:
    clone = copy(plain)
    clone.people = dict(people)
    return clone


def words_with_people(language: str, game: str, setup: Setup | None) -> Words:
    """The words of a game, with the names of a setup's players."""
    players = getattr(setup, "players", ())
    return words_with_names(language, game, {each.colour: each.name for each in players if getattr(each, "name", None)})


def words_with_names(language: str, game: str, names: Mapping[Seat, str]) -> Words:
    """The words of a game, with players' names.

    An ambiguous name, which is also another player's name or a colour, is followed by the player's colour.
    """
    plain = words(language, game)
    name_counts = Counter(name.casefold() for name in names.values())
    name_counts.update(plain.name(seat).casefold() for seat in rules.GAMES[game].seats)
    return plain.with_people(
        {
            seat: name if name_counts[name.casefold()] == 1 else f"{name} ({plain.name(seat)})"
            for seat, name in names.items()
        }
    )


def field_error(language: str, field_error: FieldError) -> str:
    """The sentence of a field error, in the game's words or the service's."""
    if field_error.game is not None:
        of_game = words(language, field_error.game)
        if of_game.catalogue.has_sentence("malformed", field_error.code):
            return of_game.error_text(field_error)
    return say(language, "field_errors", field_error.code, field_error.values)
