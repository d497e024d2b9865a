"""Puts every entry of the log into words, with its effects.

The pages number moves from 1. The log as a text numbers entries: there, `by_entry` refers to entries by these numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from service.i18n.sentences import Words
from service.tables.entries import (
    DELETE,
    INSERT,
    Amended,
    AnyEntry,
    Checkpoint,
    Confirmed,
    Disputed,
    InLine,
    KeyMade,
    KeyRevoked,
    LogChange,
    Played,
    ReadingsSet,
    Renamed,
    Rewound,
    Rolled,
    Settled,
    Unlisted,
    ViewMade,
    ViewRevoked,
)
from service.tables.keys import HOST
from service.tables.table import Table
from service.types import AnyGame, Move, State
from web.browser.bidi import isolate_name
from web.browser.language import _
from web.games import pages_of
from web.panels.log.dice import roll_phrase
from web.panels.sentences import capitalise, join_clauses, phrase, role_title, values_of

AnyDispute: TypeAlias = Disputed | Confirmed | Settled


def move_phrase(words: Words, table: Table, entry: Played) -> str:
    """A move of the log in words, in the state before it."""
    return phrase_then(words, table.game, table.game.read(entry.notation), table.states[entry.number - 2])


def phrase_then(words: Words, game: AnyGame, move: Move, state: State) -> str:
    """A move in words, with the names that the pieces had in the state in which it was made."""
    pages, plain = pages_of(game.id), words.without_titles
    return phrase(pages.words_for(plain, state, {*_names_in(values_of(move))}), game, move, state)


def _names_in(value: object) -> Iterator[str]:
    """The texts in the values of a move, which may name pieces."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | tuple):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _names_in(part)


def entry_name(words: Words, table: Table, number: int, *, by_entry: bool = False) -> str:
    """The name of an entry in sentences about it; a move has its number."""
    what = entry_phrase(words, table, table.entries[number - 1], by_entry=by_entry)
    shown = number if by_entry else table.move_number(number)
    return what if shown is None else _("no. %(number)s, %(what)s", number=shown, what=what)


def entry_phrase(words: Words, table: Table, entry: AnyEntry, *, by_entry: bool = False) -> str:
    """An entry of the log in words."""
    if isinstance(entry, Played):
        what = move_phrase(words, table, entry)
        return _("%(who)s: %(what)s", who=words.player(entry.seat), what=what) if entry.seat else capitalise(what)
    if isinstance(entry, Rewound):
        tip = table.tips[entry.number - 1]
        if tip == 1:
            return _("Back to the beginning")
        return _("Back to %(what)s", what=entry_name(words, table, tip, by_entry=by_entry))
    if isinstance(entry, ReadingsSet):
        return _(
            "Rules read from here on: %(readings)s", readings=join_clauses(readings_phrases(words, entry.readings))
        )
    if isinstance(entry, Amended):
        return _("Amended: %(change)s", change=change_phrase(words, table, entry.change, by_entry=by_entry))
    if isinstance(entry, Confirmed) and entry.change is not None:
        change = change_phrase(words, table, entry.change, by_entry=by_entry)
        return _("%(who)s would amend: %(change)s", who=words.player(entry.by), change=change)
    if isinstance(entry, Checkpoint):
        sentence = words.reachability_text(entry.led, entry.way, entry.why, entry.looked)
        return _("The board was corrected. %(said)s", said=sentence).rstrip(".")
    if isinstance(entry, Disputed | Confirmed | Settled):
        return dispute_phrase(words, table, entry, by_entry=by_entry)
    if isinstance(entry, Rolled | Renamed | Unlisted):
        return _note_phrase(words, table, entry)
    return _("Table opened")


def _note_phrase(words: Words, table: Table, entry: Rolled | Renamed | Unlisted) -> str:
    """An entry that changes nothing on the board, in words."""
    if isinstance(entry, Rolled):
        return roll_phrase(words, table, entry)
    if isinstance(entry, ViewMade):
        return _("Public view made: “%(label)s”", label=isolate_name(entry.label))
    if isinstance(entry, ViewRevoked):
        return _("Public view revoked: “%(label)s”", label=isolate_name(table.views[entry.view - 1].entry.label))
    if isinstance(entry, KeyMade):
        return _("New key: %(role)s", role=role_title(entry.role, words))
    if isinstance(entry, KeyRevoked):
        role = next(each.role for each in table.keys.values() if each.number == entry.key)
        return _("Key ended: %(role)s", role=role_title(role, words))
    return join_clauses(_name_phrase(words, seat, name) for seat, name in entry.names.items())


def _name_phrase(words: Words, seat: str, name: str) -> str:
    """The sentence that a player has another name."""
    colour = words.name(seat)
    return _("%(colour)s is %(name)s", colour=colour, name=name) if name else _("%(colour)s has no name", colour=colour)


def base_version(table: Table, change: LogChange) -> int:
    """The version up to which a change keeps the line of play."""
    return change.entry if change.do == INSERT else table.tips[change.entry - 2]


def change_phrase(words: Words, table: Table, change: LogChange, *, by_entry: bool = False) -> str:
    """A change of the log in words."""
    late = join_clauses(_late_phrases(words, table, change))
    if change.do == INSERT and change.entry == 1:
        return _("at the beginning: %(moves)s", moves=late)
    what = entry_name(words, table, change.entry, by_entry=by_entry)
    if change.do == INSERT:
        return _("after %(what)s: %(moves)s", what=what, moves=late)
    return (
        _("without %(what)s", what=what)
        if change.do == DELETE
        else _("%(what)s, replaced by: %(moves)s", what=what, moves=late)
    )


def _late_phrases(words: Words, table: Table, change: LogChange) -> Iterator[str]:
    """The late moves of a change in words, each in the state after those before it."""
    state = table.states[base_version(table, change) - 1]
    for late in change.moves:
        move = table.game.read(late.notation)
        yield phrase_then(words, table.game, move, state)
        state = table.game.apply(state, move)


def readings_phrases(words: Words, readings: Mapping[str, str]) -> Iterator[str]:
    """Some readings in words, a phrase for each."""
    for key, value in readings.items():
        reading = words.text["readings"][key]
        yield _("%(who)s: %(what)s", who=reading["title"], what=reading["values"][value]).rstrip(".")


def dispute_phrase(words: Words, table: Table, entry: AnyDispute, *, by_entry: bool = False) -> str:
    """An entry about a dispute in words."""
    if isinstance(entry, Settled):
        return unsigned_dispute_phrase(words, table, entry, by_entry=by_entry)
    who = words.player(entry.by) if entry.by != HOST else _("The host")
    what = unsigned_dispute_phrase(words, table, entry, by_entry=by_entry)
    return _("%(who)s: %(what)s", who=who, what=what)


def unsigned_dispute_phrase(words: Words, table: Table, entry: AnyDispute, *, by_entry: bool = False) -> str:
    """The same without its author."""
    if isinstance(entry, Disputed):
        number = table.dispute_of(entry.number)
        if entry.entry is not None:
            what = entry_name(words, table, entry.entry, by_entry=by_entry)
            return _("dispute %(number)s, about %(what)s", number=number, what=what)
        return _("dispute %(number)s, about a move that was not played", number=number)
    remedy = remedy_words(entry.remedy)
    if isinstance(entry, Confirmed):
        return _("on dispute %(number)s, “%(remedy)s”", number=entry.dispute, remedy=remedy)
    settled = _("Dispute %(number)s is settled: “%(remedy)s”", number=entry.dispute, remedy=remedy)
    return f"{settled}. {entry.text}" if entry.text else settled


def dispute_number(table: Table, entry: AnyEntry) -> int | None:
    """The dispute that an entry raises or names, if any."""
    if isinstance(entry, Disputed):
        return table.dispute_of(entry.number)
    return getattr(entry, "dispute", None)


def remedy_words(remedy: str) -> str:
    """The short name of a remedy for a dispute."""
    return {
        "stands": _("It stands"),
        "no_change": _("Nothing changes"),
        "go_back": _("Go back to before it"),
        "replay": _("Go back, and replay what still fits"),
        "put_back": _("Put it back in play"),
        "adjust": _("The position is adjusted by hand"),
    }[remedy]


def news_phrase(words: Words, table: Table, entry: AnyEntry) -> str:
    """An entry in words, as news."""
    if isinstance(entry, Played):
        what = move_phrase(words, table, entry)
        who = words.player(entry.seat or entry.by)
        if outcome := _outcome(words, table, entry):
            return outcome
        if table.game.read(entry.notation).kind in words.text.get("phrases", {}):
            sentence = entry_phrase(words, table, entry)
            return _("%(what)s, let stand", what=sentence) if entry.stands else sentence
        if entry.stands:
            return _("%(who)s’s %(what)s let stand", who=who, what=what)
        return _("%(who)s’s %(what)s placed", who=who, what=what)
    if isinstance(entry, Rewound):
        return _rewind_phrase(words, table, entry)
    return entry_phrase(words, table, entry)


def _outcome(words: Words, table: Table, entry: Played) -> str:
    """The main effect of a move, if its news is the outcome."""
    game, move = table.game, table.game.read(entry.notation)
    if entry.stands or move.kind not in pages_of(game.id).outcome_kinds:
        return ""
    before, after = table.states[entry.number - 2], table.states[entry.number - 1]
    return next((words.effect_text(effect).rstrip(".") for effect in game.effects(before, move, after)), "")


def _rewind_phrase(words: Words, table: Table, entry: Rewound) -> str:
    """What a rewind undid or redid: the first move that changed."""
    if entry.dispute is not None:
        return _("Dispute %(number)s: %(what)s", number=entry.dispute, what=entry_phrase(words, table, entry))
    before, after = table.tips[entry.number - 2], table.tips[entry.number - 1]
    for amendment in table.amendments:
        if (
            amendment.settlement_number is not None
            and amendment.last_number < entry.number
            and entry.to in (amendment.settlement_number - 1, amendment.last_number)
        ):
            here, there = table.tips[amendment.last_number - 1], table.tips[amendment.settlement_number - 2]
            what = entry_phrase(words, table, table.entries[amendment.settlement_number - 1])
            if (entry.to, before) == (amendment.settlement_number - 1, here):
                return _("Undone: %(what)s", what=what)
            if (entry.to, before) == (amendment.last_number, there):
                return _("Put back: %(what)s", what=what)
    if after > before:
        return _("Put back: %(what)s", what=entry_phrase(words, table, table.line_entry(after)))
    undone_numbers = [
        number for number in range(after + 1, before + 1) if isinstance(table.entries[number - 1], InLine)
    ]
    if not undone_numbers:
        return entry_phrase(words, table, entry)
    return _("Undone: %(what)s", what=entry_phrase(words, table, table.line_entry(before)))
