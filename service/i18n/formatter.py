"""Puts values into a sentence: names of people, places and titles, lists, and numbers with known bounds.

`str.format` fills a sentence with the values of the same names. A colour, a piece or a kind is first replaced by its
own word, and a list is written as people speak it (a, b and c). If a sentence has several forms, `n` selects one by the
language's plural rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from types import MappingProxyType
from typing import Any, Final, Self

from rules.caches import cache
from rules.kernel import Bounds, Cell, Value
from rules.old_names import warn_of_old_name
from rules.records import dataclass
from rules.styled_name import StyledName
from service.i18n.catalogue import Catalogue, Sentence, plural_form
from service.i18n.grammar import SEPARATOR, close_apposition, format_sentence, series, service_words

BOARD: Final = "board"
"""The table of the sentences about cells of a board."""
OF_PLAYERS: Final = frozenset({BOARD, "phrases"})
"""The tables of sentences in which a player's name replaces each value that is a player."""
NOBODY: Final[Mapping[str, str]] = MappingProxyType({})
"""No names of players."""
NOWHERE: Final[Mapping[Cell, str]] = MappingProxyType({})
"""No places of cells in words."""


class _Values(dict[str, object]):
    """Values of a sentence, where a missing one leaves a gap instead of an error."""

    def __missing__(self, key: str) -> str:
        return "…"


def _plain(value: object) -> bool:
    """Whether equal values always have the same words."""
    return type(value) in (str, int) or (type(value) is tuple and all(type(item) is str for item in value))


class _HashableValues:
    """Values of a sentence with full names, compared by their words: equal names may have different words."""

    __slots__ = ("key", "values")

    def __init__(self, values: Mapping[str, object], key: object) -> None:
        self.values, self.key = values, key

    @classmethod
    def of(cls, values: Mapping[str, object]) -> _HashableValues | None:
        """Values that can be compared like this; None for others."""
        try:
            return cls(values, tuple([(name, _hash_key(value)) for name, value in values.items()]))
        except TypeError:
            return None

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _HashableValues) and self.key == other.key


def _hash_key(value: object) -> object:
    """A key that differs for values with different words. Raises `TypeError` if no short key exists."""
    if isinstance(value, StyledName):
        parts = tuple([(name, _hash_key(part)) for name, part in value.values.items()])
        return StyledName, str.__str__(value), value.code, parts
    if type(value) is tuple:
        return tuple(map(_hash_key, value))
    if type(value) in (str, int):
        return value
    raise TypeError


def fill(language: str, sentence: Sentence, values: Mapping[str, object]) -> str:
    """Fill a sentence with its values; `n` selects one of several forms."""
    if not isinstance(sentence, str):
        n = values.get("n")
        sentence = plural_form(language, sentence, n.most if isinstance(n, BoundsText) else n)
    try:
        return format_sentence(language, sentence, values)
    except KeyError:
        return format_sentence(language, sentence, _Values(values))


def _with_apposition(sentence: Sentence, name: str, words: object) -> Sentence:
    """A sentence with a second comma after a full name that has one, if words follow."""
    is_apposition = isinstance(sentence, str) and SEPARATOR in str(words)
    return close_apposition(str(sentence), name) if is_apposition else sentence


def say(language: str, table: str, code: str, values: Mapping[str, object] | None = None) -> str:
    """Format one of the service's own sentences."""
    sentence: Sentence = service_words(language).get(table, {}).get(code, code)
    sentence_values = values or {}
    return fill(language, sentence, {name: _comma_list(value) for name, value in sentence_values.items()})


def _comma_list(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else value


@dataclass(frozen=True, slots=True)
class PersonName:
    """A player's own name. The formatter never translates it, even if it equals a code."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class BoundsText:
    """A number with known bounds only, as text; the upper bound decides its plural."""

    text: str
    most: int

    def __str__(self) -> str:
        return self.text


class Formatter:
    """Puts values into the sentences of a catalogue.

    `of_pieces` returns the names of a sentence's values that are colours of pieces, and so no players.
    """

    def __init__(
        self, catalogue: Catalogue, of_pieces: Callable[[Mapping[str, Any]], Collection[str]] = lambda _: ()
    ) -> None:
        self.catalogue = catalogue
        self.language, self.game, self.text = catalogue.language, catalogue.game, catalogue.text
        self.of_pieces = of_pieces
        self.base: Self | None = None
        """The formatter to which `with_names` added names, if it did."""
        self.is_cacheable = True
        """Whether to cache sentences: those with current titles differ from state to state."""
        self.people: Mapping[str, str] = NOBODY
        """Colour -> the name of the player, for the players who gave one."""
        self.places: Mapping[Cell, str] = NOWHERE
        """Cell without a name -> its place in words, if the reader looks at a board."""
        self.beyond = ""
        """The words for all other cells."""

    @property
    def without_titles(self) -> Self:
        """The formatter for names without titles: the one without added names."""
        return self.base or self

    @property
    def names(self) -> Mapping[str, str]:
        """The word for every colour, piece and kind, by its code."""
        return self.catalogue.names

    def with_names(self, names: Mapping[str, str]) -> Self:
        """A copy with added names, such as those with the current titles of lords."""
        clone = copy(self)
        clone.catalogue, clone.base = self.catalogue.with_names(names), self
        clone.is_cacheable = False
        return clone

    def with_places(self, places: Mapping[Cell, str], beyond: str = "") -> Self:
        """A copy that describes unknown cells without names by their places, and all others as `beyond`."""
        clone = copy(self)
        clone.places, clone.beyond = places, beyond
        return clone

    def unknown_list(self, things: Sequence[Cell]) -> str:
        """Format unknown cells and facts as a spoken list."""
        return series(list(dict.fromkeys(map(self.unknown_text, things))), self.language)

    def unknown_text(self, thing: Cell) -> str:
        """An unknown cell, or a fact: its own words, or those of its first word, filled with the others.

        A cell without a name has its place in words, or its notation if there is no board.
        """
        own = self.text.get("unknown", {})
        if not isinstance(thing, str):
            return self.places.get(thing) or self.beyond or f"({thing[0]},{thing[1]})"
        if thing in own:
            return self.say("unknown", thing)
        code, *rest = thing.split(" ")
        values = {"name": self.name(" ".join(rest))} | {f"name{n}": self.name(each) for n, each in enumerate(rest, 1)}
        return self.say("unknown", code, values, replace_codes=False) if rest and code in own else self.name(thing)

    def player(self, seat: str) -> str:
        """The name of a player, or else the colour."""
        return self.people.get(seat) or self.name(seat)

    def name(self, code: str) -> str:
        """The word for a colour, a piece, a kind."""
        return self.catalogue.names.get(code, code)

    def say(
        self,
        table: str,
        code: str,
        values: Mapping[str, object] | None = None,
        *,
        replace_codes: bool = True,
        named: bool | None = None,
    ) -> str:
        """A sentence of one of the game's tables. `replace_codes`: codes among the values become words; `named` is its
        old name.

        Sentences about a board are cached: a move leaves most of its cells as they were.
        """
        if named is not None:  # checked here because a decorator would take longer than the rest
            warn_of_old_name("say.named", "replace_codes")
            replace_codes = named
        if table == BOARD and self.is_cacheable:
            if not values or all(map(_plain, values.values())):
                return self._say_of_board(code, tuple(values.items()) if values else (), replace_codes=replace_codes)
            if (hashable := _HashableValues.of(values)) is not None:
                return self._say_of_titles(code, hashable, replace_codes=replace_codes)
        return self._say(table, code, values, replace_codes=replace_codes)

    @cache(4000)  # `Words` exist once per game and language, as long as the process
    def _say_of_board(self, code: str, values: tuple[tuple[str, object], ...], *, replace_codes: bool) -> str:
        return self._say(BOARD, code, dict(values), replace_codes=replace_codes)

    @cache(2000)  # as above
    def _say_of_titles(self, code: str, hashable: _HashableValues, *, replace_codes: bool) -> str:
        return self._say(BOARD, code, hashable.values, replace_codes=replace_codes)

    def _say(
        self, table: str, code: str, values: Mapping[str, object] | None, *, replace_codes: bool, people: bool = False
    ) -> str:
        """A sentence; `people`: with the names of players in place of the values that are players."""
        sentence: Sentence | None = self.text.get(table, {}).get(code)
        if sentence is None:
            return code  # of another release: there is no sentence to fill
        if not values:
            return fill(self.language, sentence, {})
        by_seat = self.people if people or table in OF_PLAYERS else NOBODY
        of_pieces = self.of_pieces(values) if by_seat else ()
        names, added = self.catalogue.names if replace_codes else {}, self.catalogue.added_names
        placed: dict[str, object] = {}
        for name, value in values.items():
            if type(value) is int:
                placed[name] = value
            elif type(value) is str and value in by_seat and name not in of_pieces:
                placed[name] = by_seat[value]
            elif type(value) is str:
                placed[name] = names.get(value, value)
                if added and value in added:
                    sentence = _with_apposition(sentence, name, placed[name])
            else:
                placed[name] = self.render_value(
                    self._name_players(value) if by_seat and name not in of_pieces else value
                )
                if type(value) is StyledName:
                    sentence = _with_apposition(sentence, name, placed[name])
        return fill(self.language, sentence, placed)

    def render_value(self, value: object) -> object:
        """Format a value for a sentence."""
        if isinstance(value, StyledName):
            values = {name: self._name_players(part) for name, part in value.values.items()}
            return self.without_titles.say("styles", value.code, values)
        if isinstance(value, PersonName):
            return str(value)
        if isinstance(value, str):
            return self.catalogue.names.get(value, value)
        if isinstance(value, Bounds):
            if value.least == value.most:
                return value.most
            return BoundsText(say(self.language, "unknown", "bounds", value._asdict()), value.most)
        if isinstance(value, tuple | list):
            return series([self._render_item(item) for item in value], self.language)
        return value

    def _render_item(self, item: object) -> str:
        return f"({self.render_value(item)})" if isinstance(item, tuple | list) else str(self.render_value(item))

    def _say_with_people(self, table: str, code: str, values: Mapping[str, Value]) -> str:
        """A sentence in which names replace the values that are players, but not the colours of pieces."""
        return self._say(table, code, values, replace_codes=True, people=True)

    def _name_players(self, value: object) -> object:
        """A value with names in place of its players."""
        if isinstance(value, tuple):
            return tuple(self._name_players(item) for item in value)
        if isinstance(value, StyledName):
            return value  # its own sentence uses players' names
        return PersonName(self.people[value]) if isinstance(value, str) and value in self.people else value
