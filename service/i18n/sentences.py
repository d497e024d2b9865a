"""Makes sentences from codes, in the reader's language.

The words of a game are data beside its rules (``rules/<game>/text/<language>.toml``), those of the service are in
``service/i18n/<language>.toml``. `str.format` fills a sentence with the values of the same names. A colour, a piece or
a kind is first replaced by its own word, and a list is written as people speak it (a, b and c). If a sentence has
several forms, `n` selects one by the language's plural rule. Files are read once. For a missing word, the sentence
shows its code, and never fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from babel.plural import PluralRule

import rules
from rules.caches import cache
from rules.changes import END, OVER, Change, Reachability
from rules.effects import ENDED, OF_EVERY_GAME, POINTS, TOTAL, WON
from rules.forecasts import IN_EVERY_GAME
from rules.kernel import (
    INSTEAD,
    SAME_CELL,
    Bounds,
    Cell,
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
from rules.styled_name import StyledName
from rules.unknowns import DIFFERS
from service.i18n.game_texts import game_text
from service.i18n.grammar import SEPARATOR, close_apposition, format_sentence, locale_of, series
from service.i18n.languages import service_words
from service.types import Setup
from service.validation import FieldError

SENTENCES: Final = frozenset(
    {
        "board",
        "cases",
        "changes",
        "chapters",
        "components",
        "coordinates",
        "decisions",
        "due",
        "effects",
        "ended",
        "findings",
        "foretold",
        "handling",
        "lines",
        "malformed",
        "near",
        "needs",
        "notation",
        "onward",
        "opening",
        "phrases",
        "ranking",
        "readings",
        "result",
        "rules",
        "styles",
        "things",
        "tied",
        "unknown",
    }
)
"""The tables of a game's words that hold sentences; all others hold names, and are put in place of their codes."""

BOARD: Final = "board"
"""The table of what is said of the cells of a board."""
OF_PLAYERS: Final = frozenset({BOARD, "phrases"})
"""The tables in whose sentences every value that is a player is said by name."""
NONE: Final = "none"
"""The word for nothing that a tie-break could count."""
NOBODY: Final[Mapping[str, str]] = MappingProxyType({})
"""No player who has told a name."""
NOWHERE: Final[Mapping[Cell, str]] = MappingProxyType({})
"""No cell that is told by its place."""
MAX_PEOPLE: Final = 256
"""The players of so many tables are remembered with their words."""

Sentence: TypeAlias = "str | Mapping[str, str]"


class _Values(dict[str, object]):
    """Values of a sentence, where a missing one leaves a gap instead of an error."""

    def __missing__(self, key: str) -> str:
        return "…"


def _plain(value: object) -> bool:
    """Whether another value that is equal is said in the same words."""
    return type(value) in (str, int) or (type(value) is tuple and all(type(item) is str for item in value))


class _HashableValues:
    """Values of a sentence with names that are said in full, told by what is said of them: an equal name may not be."""

    __slots__ = ("key", "values")

    def __init__(self, values: Mapping[str, object], key: object) -> None:
        self.values, self.key = values, key

    @classmethod
    def of(cls, values: Mapping[str, object]) -> _HashableValues | None:
        """Values that can be told so; None for others."""
        try:
            return cls(values, tuple([(name, _hash_key(value)) for name, value in values.items()]))
        except TypeError:
            return None

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _HashableValues) and self.key == other.key


def _hash_key(value: object) -> object:
    """What is another for each value of which something else is said. Raises `TypeError` where nothing short is."""
    if isinstance(value, StyledName):
        parts = tuple([(name, _hash_key(part)) for name, part in value.values.items()])
        return StyledName, str.__str__(value), value.code, parts
    if type(value) is tuple:
        return tuple(map(_hash_key, value))
    if type(value) in (str, int):
        return value
    raise TypeError


def fill(language: str, sentence: Sentence, values: Mapping[str, object]) -> str:
    """A sentence with its values; of several forms the one that `n` asks for."""
    if not isinstance(sentence, str):
        n = values.get("n")
        n = n.most if isinstance(n, _Range) else n
        form = str(_plural(language)(n if isinstance(n, int | float) else 0))
        sentence = sentence.get(form) or sentence["other"]
    try:
        return format_sentence(language, sentence, values)
    except KeyError:
        return format_sentence(language, sentence, _Values(values))


@cache()
def _plural(language: str) -> PluralRule:
    return locale_of(language).plural_form


def _key(rule: str, code: str) -> str:
    """The key of a sentence: its rule, or its rule and code where the rule has several."""
    return f"{rule}.{code}" if code else rule


class _Name(str):
    """A player's own name: it is said as it stands, also where it happens to be a code."""

    __slots__ = ()


class _Range(str):
    """A number of which only bounds are known, as it is said; the plural is that of the greatest."""

    __slots__ = ("most",)
    most: int


@accept_old_members(
    finding="finding_text",
    put="render_value",
    unknown="unknown_list",
)
class Words:
    """The words of one game in one language. Made once by `words`."""

    def __init__(self, language: str, game: str) -> None:
        self.language = language
        self.game = game
        self.text: Mapping[str, Any] = game_text(game, language)
        tables = (table for name, table in self.text.items() if isinstance(table, Mapping) and name not in SENTENCES)
        self.names: dict[str, str] = {code: word for table in tables for code, word in table.items()}
        self.without_titles = self
        """The words in which names are just names."""
        self.is_cacheable = True
        """Whether what they say is worth remembering: those with the titles of now are made anew for every state."""
        self.added_names: frozenset[str] = frozenset()
        """The names that `calling` has added."""
        self.people: Mapping[str, str] = NOBODY
        """Colour -> the name of the player, as far as the players have told their names."""
        self.places: Mapping[Cell, str] = NOWHERE
        """Cell without a name -> where it is, in words, where somebody looks at a board."""

    def with_names(self, names: Mapping[str, str]) -> Words:
        """The same words with some more names, such as those with the titles that they have now."""
        clone = copy(self)
        clone.names, clone.without_titles = {**self.names, **names}, self
        clone.is_cacheable = False
        clone.added_names = frozenset(names.keys() - self.names.keys())
        return clone

    def with_places(self, places: Mapping[Cell, str]) -> Words:
        """The same words, which tell unknown cells without names by their places."""
        clone = copy(self)
        clone.places = places
        return clone

    def with_people(self, people: Mapping[str, str]) -> Words:
        """The same words, where what is said of a move, a turn or the end calls these players by their names."""
        return _copy_with_people(self, tuple(people.items())) if people else self

    def finding_text(self, finding: Finding) -> str:
        """What a rule says of a move or a position; where it is open or said in several ways, what it is about."""
        if finding.facts.code == DIFFERS:
            values = {
                "rule": self.text["rules"][finding.rule]["title"],
                "needs": self.unknown_list(finding.facts.needs),
            }
            return say(self.language, "unknown", finding.ruling.value, values)
        return self._say_with_decision("findings", _key(finding.rule, finding.facts.code), finding.facts.values)

    def effect_text(self, effect: Effect) -> str:
        """What a move brings about."""
        rule, (code, values, *_) = effect
        if code not in OF_EVERY_GAME:
            return self._say_with_decision("effects", _key(rule, code), values)
        if code == ENDED:
            return self.end_text(Ended(rule, values)) if values else say(self.language, "effects", code)
        if code == POINTS:
            return say(self.language, "effects", code, {"totals": series(self._total_changes(values), self.language)})
        decided = str(values.get("decided_by", ""))
        seats: Any = values.get("winners", ())
        winners = self.render_value(tuple(self._name_players(seat) for seat in seats))
        if code == WON and decided != TOTAL:
            code = "won_on_a_tie"  # what breaks a tie is told with its figures
        return say(
            self.language, "effects", code, {**values, "winners": winners, "decided": self.say("ranking", decided)}
        )

    def forecast_text(self, forecast: Forecast) -> str:
        """What can be told ahead."""
        code, values, *_ = forecast.facts
        if code not in IN_EVERY_GAME:
            return self._say_with_people("foretold", _key(forecast.rule, code), values)
        leaders: Any = values.get("leaders", ())
        leader_names = self.render_value(tuple(self._name_players(seat) for seat in leaders))
        return say(self.language, "foretold", code, {**values, "leaders": leader_names})

    def _total_changes(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        changes = zip(values["seats"], values["was"], values["now"], strict=True)
        return tuple(f"{self.render_value(self._name_players(seat))} {was} → {now}" for seat, was, now in changes)

    def place_text(self, place: Place) -> str:
        """What set a place apart, with the figures of the tie-breaks that were asked."""
        return " ".join([self.say("ranking", place.decided_by), *map(self.tie_text, place.tiebreak_figures)])

    def tie_text(self, tie: TiebreakFigures) -> str:
        """What a tie-break counts of each of those whose points are equal."""
        figures = [
            f"{self.player(seat)} {self.name(NONE) if n is None else self.render_value(n)}" for seat, n in tie.figures
        ]
        return self.say("tied", tie.rule, {"figures": SEPARATOR.join(figures)}, replace_codes=False)

    def change_text(self, change: Change) -> str:
        """A piece that has vanished, moved, or was added, or the end of the game, in a sentence."""
        what, piece, n, to = change
        values = dict(piece.values)
        if piece.code == END:
            return say(
                self.language, "changes", f"{what}_end", {"said": self.end_text(Ended(str(values.pop("rule")), values))}
            )
        thing = str(self._say_with_people("things", piece.code, values))
        at = {"at": self.render_value(piece.at), "to": None if to is None else self.render_value(to.at)}
        code = what if piece.at is None else f"{what}_at"
        return say(self.language, "changes", code, {"thing": thing if n == 1 else f"{n} × {thing}", **at})

    def reachability_text(self, reachability: str, way: Sequence[str], why: Sequence[Finding], depth: int) -> str:
        """Whether play can have led from one table to another: by which way, why not, or how far was looked."""
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
        """Why play cannot have led from one table to another."""
        rule, (code, values, *_) = finding
        if code == OVER:
            return say(self.language, "changes", OVER)
        return self._say_with_people("changes", _key(rule, code), values)

    def near_move_text(self, why: Sequence[Facts]) -> str:
        """Why a legal move is near a refused one, in a sentence; a game may have words of its own for its "cells"."""
        everywhere = {SAME_CELL, INSTEAD} - self.text["near"].keys()
        parts = [
            say(self.language, "near", code) if code in everywhere else self.say("near", code, values)
            for code, values, *_ in why
        ]
        sentence = ", ".join(parts)
        return f"{sentence[:1].upper()}{sentence[1:]}."

    def due_text(self, due: Due) -> str:
        """Whose move it is, and which kinds."""
        return self._say_with_people("due", due.code, due.values)

    def due_options_text(self, due: Due, possible: Sequence[str], impossible: Sequence[str]) -> str:
        """What is due where not all of its kinds are possible; empty if the game has no words for that.

        Its words are those of the code with ``.some``, where `kinds` are the possible ones, or with ``.none``.
        """
        code = f"{due.code}.{'some' if possible else 'none'}"
        if not impossible or code not in self.text["due"]:
            return ""
        return self._say_with_people("due", code, {**due.values, "kinds": tuple(possible)})

    def continue_label(self, due: Due, last_seat: Seat | None, how: str = "") -> str:
        """What comes once a phase or the turn of `done` is over, on a button; empty if the game has no words.

        `how`: ``turn`` where the next player goes on in the same phase, ``skip`` where all before it is skipped.
        """
        code = f"{due.code}.{how}" if how else due.code
        if code not in self.text.get("onward", {}):
            return self.continue_label(due, last_seat) if how == "turn" else ""
        return self._say_with_people("onward", code, {**due.values, "done": last_seat})

    def unknown_list(self, things: Sequence[Cell]) -> str:
        """Unknown cells and facts, as a list is spoken."""
        return series([self.unknown_text(each) for each in things], self.language)

    def unknown_text(self, thing: Cell) -> str:
        """An unknown cell, or a fact: its own words, or those of its first word, filled with the others.

        A cell without a name is told by its place; where nobody looks at a board, as the notation has it.
        """
        own = self.text.get("unknown", {})
        if not isinstance(thing, str):
            return self.places.get(thing) or f"({thing[0]},{thing[1]})"
        if thing in own:
            return self.say("unknown", thing)
        code, *rest = thing.split(" ")
        values = {"name": self.name(" ".join(rest))} | {f"name{n}": self.name(each) for n, each in enumerate(rest, 1)}
        return self.say("unknown", code, values, replace_codes=False) if rest and code in own else self.name(thing)

    def line_text(self, line: Line) -> str:
        """What a line of the score sheet counts."""
        return self._say_with_people("lines", _key(line.rule, line.code), line.values)

    def line_counts(self, line: Line) -> str:
        """What a line counts beside points, if anything."""
        counts = [(name, n, fact) for fact in line.evidence for name, n in fact.counts.items() if name != "points"]
        return SEPARATOR.join(self.count_text(*each) for each in counts if each[1] or self._has_number(each[0]))

    def count_text(self, name: str, n: int, fact: Fact) -> str:
        """A count with its word; the word alone where it only says that something is so, or has the number in it."""
        word = self.count_word(name)
        if self._has_number(name):
            return word.replace("{n}", str(n))
        return word if n == 1 and not fact.cells else f"{word} {n}"

    def _has_number(self, name: str) -> bool:
        """Whether the word of a count has its number in it: then none at all is told, too."""
        return "{n}" in self.count_word(name)

    def count_word(self, name: str) -> str:
        """The word of a count: a player's name where it is a player's, or the words with the name in them."""
        stem, _, seat = name.rpartition("_")
        if stem and seat in rules.GAMES[self.game].seats:
            return fill(self.language, self.name(stem), {"colour": self.player(seat)})
        return self.player(name)

    def end_text(self, end: Ended) -> str:
        """Why the game is over."""
        return self._say_with_people("ended", end.rule, end.values)

    def _say_with_people(self, table: str, code: str, values: Mapping[str, Value]) -> str:
        """A sentence in which the values that are players are said by their names."""
        return self.say(table, code, self._name_player_values(values))

    def _say_with_decision(self, table: str, code: str, values: Mapping[str, Value]) -> str:
        """The same, and after it that a decision of ours decided there, if the game's ``[decisions]`` has that code."""
        text = self._say_with_people(table, code, values)
        if code not in self.text.get("decisions", {}):
            return text
        return f"{text} {self._say_with_people('decisions', code, values)}"

    def _name_player_values(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values of a sentence, those that are players by their names; not the colours of pieces."""
        if not self.people:
            return values
        of_pieces = rules.GAMES[self.game].of_pieces(values)
        return {name: value if name in of_pieces else self._name_players(value) for name, value in values.items()}

    def _name_players(self, value: object) -> object:
        """A value with the players in it by their names."""
        if isinstance(value, tuple):
            return tuple(self._name_players(item) for item in value)
        if isinstance(value, StyledName):
            return value  # its own sentence calls players by their names
        return _Name(self.people[value]) if isinstance(value, str) and value in self.people else value

    def error_text(self, field_error: FieldError) -> str:
        """Why something is no move, setup or position of the game."""
        return self.say("malformed", field_error.code, field_error.values, replace_codes=False)

    def player(self, seat: str) -> str:
        """The name of a player, or else the colour."""
        return self.people.get(seat) or self.name(seat)

    def name(self, code: str) -> str:
        """The word for a colour, a piece, a kind."""
        return self.names.get(code, code)

    def say(
        self, table: str, code: str, values: Mapping[str, object] | None = None, *, replace_codes: bool = True
    ) -> str:
        """A sentence of one of the game's tables. `replace_codes`: codes among the values become words.

        What is said of a board is remembered: most of its cells are as they were before a move.
        """
        if table == BOARD and self.is_cacheable:
            if not values or all(map(_plain, values.values())):
                return self._say_of_board(code, tuple(values.items()) if values else (), replace_codes=replace_codes)
            if (hashable := _HashableValues.of(values)) is not None:
                return self._say_of_titles(code, hashable, replace_codes=replace_codes)
        return self._say(table, code, values, replace_codes=replace_codes)

    @cache(4000)  # words are made once a game and language, and live as long as the process
    def _say_of_board(self, code: str, values: tuple[tuple[str, object], ...], *, replace_codes: bool) -> str:
        return self._say(BOARD, code, dict(values), replace_codes=replace_codes)

    @cache(2000)  # as above
    def _say_of_titles(self, code: str, hashable: _HashableValues, *, replace_codes: bool) -> str:
        return self._say(BOARD, code, hashable.values, replace_codes=replace_codes)

    def _say(self, table: str, code: str, values: Mapping[str, object] | None, *, replace_codes: bool) -> str:
        sentence: Sentence | None = self.text.get(table, {}).get(code)
        if sentence is None:
            return code  # of another release: no sentence to be filled
        if not values:
            return fill(self.language, sentence, {})
        if table in OF_PLAYERS:
            values = self._name_player_values(values)
        names, render = self.names if replace_codes else {}, self.render_value
        placed = {
            name: names.get(value, value) if type(value) is str else value if type(value) is int else render(value)
            for name, value in values.items()
        }
        for name, value in values.items():
            if self.is_full_name(value) and isinstance(sentence, str) and SEPARATOR in str(placed[name]):
                sentence = close_apposition(sentence, name)
        return fill(self.language, sentence, placed)

    def is_full_name(self, value: object) -> bool:
        """Whether a value is a name that is said in full."""
        return isinstance(value, StyledName) or (type(value) is str and value in self.added_names)

    def render_value(self, value: object) -> object:
        """A value as it stands in a sentence."""
        if isinstance(value, StyledName):
            values = {name: self._name_players(part) for name, part in value.values.items()}
            return self.without_titles.say("styles", value.code, values)
        if isinstance(value, _Name):
            return str(value)
        if isinstance(value, str):
            return self.names.get(value, value)
        if isinstance(value, Bounds):
            if value.least == value.most:
                return value.most
            bounds_text = _Range(say(self.language, "unknown", "bounds", value._asdict()))
            bounds_text.most = value.most
            return bounds_text
        if isinstance(value, tuple | list):
            return series([self._render_item(item) for item in value], self.language)
        return value

    def _render_item(self, item: object) -> str:
        return f"({self.render_value(item)})" if isinstance(item, tuple | list) else str(self.render_value(item))


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
    """The words of a game, which call the players of a setup by the names that they gave.

    A name that would be taken for another player, by that one's name or a colour, has the colour beside it.
    """
    plain = words(language, game)
    names = {player.colour: player.name for player in getattr(setup, "players", ()) if getattr(player, "name", None)}
    name_counts = Counter(name.casefold() for name in names.values())
    name_counts.update(plain.name(seat).casefold() for seat in rules.GAMES[game].seats)
    return plain.with_people(
        {
            seat: name if name_counts[name.casefold()] == 1 else f"{name} ({plain.name(seat)})"
            for seat, name in names.items()
        }
    )


def say(language: str, table: str, code: str, values: Mapping[str, object] | None = None) -> str:
    """A sentence of the service's own."""
    sentence: Sentence = service_words(language).get(table, {}).get(code, code)
    sentence_values = values or {}
    return fill(language, sentence, {name: _comma_list(value) for name, value in sentence_values.items()})


def _comma_list(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else value


def field_error(language: str, field_error: FieldError) -> str:
    """What is wrong with a value of a request, in the game's words or the service's."""
    if field_error.game is not None and field_error.code in words(language, field_error.game).text.get("malformed", {}):
        return words(language, field_error.game).error_text(field_error)
    return say(language, "field_errors", field_error.code, field_error.values)
