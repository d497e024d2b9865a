"""Finds rules by a reader's words: in ids, titles, texts, readings and worked cases.

`service.rulings.search_terms` decides which words are the same. Rules with every word come first, by the weight of the
matches. Then follow rules with the weightiest words, the nearest ones by chapter. If the reader types words of the
printed rules in the other language, those matches follow the matches in the page's language.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import rules
from rules.cases import Toml, rule_id_of
from rules.records import dataclass
from rules.steps import spend
from service.i18n.game_texts import case_sentence, game_text
from service.i18n.languages import LANGUAGES
from service.rulings.search_terms import SHORTEST, WORD, Term, fold, stem_of, terms_of, words_of
from service.runtime.first_use import Once

MAX_FOUND: Final = 10
ENOUGH: Final = 0.5
"""The least weight of a partial match, as a fraction of the best one. A word weighs more if fewer rules have it."""
LINES: Final = 10
"""Matching lines that are checked in a step."""
INDEX_STEPS: Final = 5
"""Steps to index a word, mostly to find its stem."""
LAST: Final = "\U0010ffff"
"""A character that sorts after every letter."""
KINDS: Final = {"id": 4.0, "title": 3.0, "text": 2.0, "reading": 1.5, "case": 1.0}
"""The kinds of lines, the most relevant first, and the strength of a match in each."""
TOGETHER: Final = 1.25
"""The factor for a line that has all the words."""
AKIN: Final = 0.75
"""The strength of a synonym relative to the word itself."""


class IndexedLine(NamedTuple):
    """A line of a rule. `of` is one of `KINDS`; `name`: the key of a reading, the id of a case."""

    of: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """A rule that was found, the line that matches best, and whether the rule has all words of the query.

    `language` is that of the line. `parts` is its text, cut at the matching words: each part, and whether it matches.
    """

    rule: str
    has_all_words: bool
    line: IndexedLine
    language: str
    parts: tuple[tuple[str, bool], ...]


# --- the index -----------------------------------------------------------------------------------------------------


_Numbers: TypeAlias = Mapping[str, frozenset[int]]
"""Word or stem -> the numbers of the lines that contain it."""


class _Entry(NamedTuple):
    """A rule in the index: its chapter, and the numbers of its lines in the order of `KINDS`."""

    rule: str
    chapter: int
    lines: range


class _Index(NamedTuple):
    """The rules of a game in the order of the printed book, with all their lines.

    `words`: all words in order. `of_word` and `of_stem`: the numbers of the lines with a word, or with its stem.
    """

    entries: tuple[_Entry, ...]
    lines: tuple[IndexedLine, ...]
    words: tuple[str, ...]
    of_word: _Numbers
    of_stem: _Numbers

    def lines_with(self, term: Term) -> dict[int, float]:
        """The lines that have a word, and the strength of each match: `AKIN` for a synonym."""
        akin = frozenset[int]().union(*(self.of_stem.get(stem, ()) for stem in term.synonyms))
        found = self.of_stem.get(term.stem, frozenset())
        if term.prefix is not None:
            first = bisect_left(self.words, term.prefix)
            last = bisect_left(self.words, term.prefix + LAST)
            found = found.union(*(self.of_word[word] for word in self.words[first:last]))
        return {**dict.fromkeys(akin, AKIN), **dict.fromkeys(found, 1.0)}


@Once
def _index(game_id: str, language: str) -> _Index:
    """The index of a game."""
    book, chapters = rules.load(game_id, "rulebook"), list(game_text(game_id, language)["chapters"])
    cases = _cases(game_id)
    entries: list[_Entry] = []
    lines: list[IndexedLine] = []
    for rule in sorted(book, key=lambda rule: chapters.index(book[rule]["chapter"])):
        first = len(lines)
        lines += _lines(game_id, rule, book[rule], cases.get(rule, ()), language)
        entries.append(_Entry(rule, chapters.index(book[rule]["chapter"]), range(first, len(lines))))
    of_word, of_stem = _places(lines, language)
    return _Index(tuple(entries), tuple(lines), tuple(sorted(of_word)), of_word, of_stem)


def _places(lines: Sequence[IndexedLine], language: str) -> tuple[_Numbers, _Numbers]:
    """Each word, and each stem, with the numbers of its lines."""
    words: dict[str, set[int]] = {}
    stems: dict[str, set[int]] = {}
    for number, line in enumerate(lines):
        for word in words_of(line.text):
            spend(INDEX_STEPS)
            words.setdefault(word, set()).add(number)
            stems.setdefault(stem_of(word, language), set()).add(number)
    return _freeze(words), _freeze(stems)


def _freeze(places: Mapping[str, set[int]]) -> _Numbers:
    return MappingProxyType({name: frozenset(found) for name, found in places.items()})


def _cases(game_id: str) -> dict[str, list[Toml]]:
    """Each rule with its worked cases, in whichever order they stand."""
    found: dict[str, list[Toml]] = {}
    for case in rules.load(game_id, "cases")["case"]:
        found.setdefault(rule_id_of(case), []).append(case)
    return found


def _lines(
    game_id: str, rule: str, rulebook_entry: Toml, cases: Collection[Toml], language: str
) -> Iterator[IndexedLine]:
    """The indexed lines of a rule."""
    words = game_text(game_id, language)
    yield IndexedLine("id", "", rule)
    yield IndexedLine("title", "", words["rules"][rule]["title"])
    yield IndexedLine("text", "", words["rules"][rule]["text"])
    for key in rulebook_entry.get("readings", ()):
        reading = words["readings"][key]
        yield from (
            IndexedLine("reading", key, text)
            for text in (reading["title"], reading["why"], *reading["values"].values())
        )
    yield from (IndexedLine("case", case["id"], case_sentence(game_id, case, language)) for case in cases)


# --- search --------------------------------------------------------------------------------------------------------


class _Hit(NamedTuple):
    """A rule that matches a query in a language: whether it has all words, their weight, their strength with regard to
    the kinds of their lines, and the best line.
    """

    entry: _Entry
    language: str
    has_all_words: bool
    weight: float
    strength: float
    line: IndexedLine


def look_up(game_id: str, query: str, language: str) -> tuple[RuleMatch, ...]:
    """The rules that match a query, at most `MAX_FOUND`, the best first, each once.

    Rules with every word in the reader's language come before rules with every word in another language; so do partial
    matches. If the first kind exists, partial matches in other languages are left out.
    """
    if WORD.search(query) is None:
        return ()  # a reader who only opens the rules need not wait for the index
    languages = (language, *(other for other in LANGUAGES if other != language))
    terms = {each: terms_of(query, each, 1 if each == language else SHORTEST) for each in languages}
    hits = [hit for each in languages for hit in _hits(_index(game_id, each), terms[each], each)]
    asked = words_of(query)
    whole = sorted(
        (hit for hit in hits if hit.has_all_words),
        key=lambda hit: (languages.index(hit.language), words_of(hit.line.text) != asked, *_order(hit, asked)),
    )
    enough = ENOUGH * max((hit.weight for hit in hits), default=0)
    shown_languages = languages[:1] if whole and whole[0].language == language else languages
    near = [hit for hit in hits if hit.weight >= enough and not hit.has_all_words and hit.language in shown_languages]
    near.sort(key=lambda hit: (languages.index(hit.language), _chapter_distance(hit, whole), -hit.weight))
    best: dict[str, _Hit] = {}
    for hit in (*whole, *near):
        best.setdefault(hit.entry.rule, hit)
    return tuple(_match_of(hit, terms[hit.language]) for hit in [*best.values()][:MAX_FOUND])


def _order(hit: _Hit, asked: Sequence[str]) -> tuple[float, float, int, int]:
    """The sort key of rules that have every word, except a rule whose title is the query: the strength, then the kind
    of the best line. Titles are sorted by the words of the query in them, small ones included, then by their length.
    """
    alike = len({*asked}.intersection(words_of(hit.line.text))) if hit.line.of == "title" else 0
    return -hit.strength, -KINDS[hit.line.of], -alike, _length(hit.line)


def _match_of(hit: _Hit, terms: Sequence[Term]) -> RuleMatch:
    parts = _parts(hit.line.text, terms, hit.language)
    return RuleMatch(hit.entry.rule, hit.has_all_words, hit.line, hit.language, parts)


def _hits(index: _Index, terms: Sequence[Term], language: str) -> list[_Hit]:
    """Every rule that has a word of a query; of equally good lines, the first is its best."""
    lines_of_terms = [index.lines_with(term) for term in terms]
    spend(sum(map(len, lines_of_terms)) // LINES)
    on_line: dict[int, dict[int, float]] = {}
    for term, lines in enumerate(lines_of_terms):
        for number, near in lines.items():
            on_line.setdefault(number, {})[term] = near * KINDS[index.lines[number].of]
    of_rules = [[number for number in entry.lines if number in on_line] for entry in index.entries]
    has_of = [{term for number in numbers for term in on_line[number]} for numbers in of_rules]
    with_it = [sum(term in has for has in has_of) for term in range(len(lines_of_terms))]
    weights = [log(1 + len(index.entries) / rules_with) if rules_with else 0.0 for rules_with in with_it]
    weight = {number: sum(weights[term] for term in has) for number, has in on_line.items()}
    hits = []
    for entry, numbers, has in zip(index.entries, of_rules, has_of, strict=True):
        if numbers:
            best = max(numbers, key=weight.__getitem__)
            tells = sum(weights[term] * max(on_line[number].get(term, 0) for number in numbers) for term in has)
            strength = tells * (TOGETHER if len(on_line[best]) == len(terms) else 1)
            weighs = sum(weights[term] for term in has)
            hits.append(_Hit(entry, language, len(has) == len(terms), weighs, strength, index.lines[best]))
    return hits


def _length(line: IndexedLine) -> int:
    """The number of words of a title, since the shortest matching title is the best; 0 for other lines."""
    return len(words_of(line.text)) if line.of == "title" else 0


def _chapter_distance(hit: _Hit, found: Sequence[_Hit]) -> int:
    """The distance in chapters from a rule to the nearest of others; 0 if there are none."""
    return min((abs(hit.entry.chapter - other.entry.chapter) for other in found), default=0)


def _parts(text: str, terms: Sequence[Term], language: str) -> tuple[tuple[str, bool], ...]:
    """A text cut at the matching words."""
    parts: list[tuple[str, bool]] = []
    end = 0
    for word in WORD.finditer(text):
        if any(term.means(fold(word[0]), language) for term in terms):
            parts += [(text[end : word.start()], False), (word[0], True)]
            end = word.end()
    return tuple(part for part in (*parts, (text[end:], False)) if part[0])
