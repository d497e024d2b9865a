"""The log in memory: every state can be rebuilt, few are kept, and a table's weight is close to its memory."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import rules
from rules.kernel import Fact, Facts, Finding, Ruling
from service import schemas
from service.referee.fold import fold
from service.tables import codec, history
from service.tables.entries import Opened, Played, Rewound
from service.tables.history import APART, CHUNK, Entries, History
from service.tables.table import Table
from tests.support.records import notations_of, record_of

NOW = datetime(2026, 11, 21, 12, 30, tzinfo=UTC)
DAY = timedelta(days=1)
Step = int | None
"""A version to rewind to, or None to play a move."""


# --- the states ----------------------------------------------------------------------------------------------------


def no_position(*_: Any) -> Any:
    """Fails: no position is entered in these games."""
    raise AssertionError("no position is entered here")


class Toy:
    """A game whose state is the list of its moves, and which counts how many moves it applies."""

    def __init__(self) -> None:
        self.applied_count = 0
        self.game: Any = SimpleNamespace(id="steps", read=str, apply=self.apply, cannot_stand=lambda *_: None)
        self.start: Any = ()

    def apply(self, state: tuple[str, ...], move: str) -> tuple[str, ...]:
        self.applied_count += 1
        return (*state, move)

    def history(self, steps: Sequence[Step]) -> tuple[History, list[Any]]:
        """The history of these steps, and the expected states."""
        opened = Opened(1, NOW, "host", "toy", {}, "1", {})
        made = History.from_opening(self.game, opened, codec.encode(opened), self.start, no_position)
        states: list[Any] = [self.start]
        for number, step in enumerate(steps, start=2):
            if step is None:
                made = made.with_line_entry(
                    Played(number, NOW, "host", f"move {number}", None), play_entry(f"move {number}")
                )
                states.append((*states[-1], f"move {number}"))
            else:
                entry = Rewound(number, NOW, "host", step)
                made = made.with_rewind(entry, codec.encode(entry))
                states.append(states[step - 1])
        return made, states


def play_entry(notation: str, seat: str | None = None) -> bytes:
    return codec.encode(Played(0, NOW, "host", notation, seat, rules_version="1"))


def straight(chance: Random) -> Iterator[Step]:
    """Only moves."""
    while True:
        yield None


def at_the_end(chance: Random) -> Iterator[Step]:
    """After `APART` - 1 moves, a move and its undo in turn, so that each move has a state of its own."""
    yield from [None] * (APART - 1)
    while True:
        yield None
        yield APART


def in_pairs(chance: Random) -> Iterator[Step]:
    """After some moves, two moves and their undo, again and again."""
    yield from [None] * (APART - 2)
    while True:
        yield from (None, None, APART - 1)


def anywhere(chance: Random) -> Iterator[Step]:
    """Moves, and rewinds to any version on the line in play."""
    line, number = [1], 1
    while True:
        number += 1
        if chance.random() < 0.7:
            line.append(number)
            yield None
        else:
            line = line[: chance.randint(1, len(line))]
            yield line[-1]


SHAPES = (straight, at_the_end, in_pairs, anywhere)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_state_is_had_and_few_are_kept(shape: Callable[[Random], Iterator[Step]]) -> None:
    """After any moves and undos, few states are stored, and every other is at most `APART` moves from a stored one."""
    toy, n = Toy(), 700
    steps = shape(Random(5))
    made, states = toy.history([next(steps) for _ in range(n)])
    assert len(made.stored_states.states) <= 1 + 2 * n / APART
    for version in Random(6).sample(range(1, n + 2), n + 1):
        before = toy.applied_count
        assert made.state_at(version) == states[version - 1]
        assert toy.applied_count - before <= APART
    assert len(made.recent_states._things) <= history.AGAIN


def test_one_state_after_another_takes_one_move_each() -> None:
    """Reading every state in order applies each move once."""
    toy, n = Toy(), 700
    made, _ = toy.history([None] * n)
    toy.applied_count = 0
    for version in range(1, n + 2):
        made.state_at(version)
    assert toy.applied_count <= n


def test_a_log_is_played_once_to_be_read() -> None:
    """Folding a log applies each move once."""
    toy, n = Toy(), 700
    toy.history([None] * n)
    assert toy.applied_count == n


def test_to_go_back_by_one_plays_nothing_again() -> None:
    """Undoing one move applies none, for the state before it is cached."""
    toy = Toy()
    made, states = toy.history([None] * 10)
    toy.applied_count = 0
    entry = Rewound(12, NOW, "host", 10)
    assert made.with_rewind(entry, codec.encode(entry)).state == states[9]
    assert toy.applied_count == 0


def test_undo_leads_back_to_the_states_that_were() -> None:
    """Undo and redo return the same state objects, so that what was derived from them is reused."""
    toy = Toy()
    made, states = toy.history([None] * 10)
    ways = [11, 10, 9, 8, 9, 10, 11]
    there = {11: made.state}
    toy.applied_count = 0
    for number, to in enumerate(ways[1:], start=12):
        entry = Rewound(number, NOW, "host", to)
        made = made.with_rewind(entry, codec.encode(entry))
        assert there.setdefault(to, made.state) is made.state
        assert made.state == states[to - 1]
    assert toy.applied_count == 0


def test_logs_of_which_one_goes_on_are_not_equal() -> None:
    """Two logs are equal only if all their entries are: a log is not equal to its beginning."""
    shorter, longer = (Toy().history([None] * number)[0].entries for number in (1, 2))
    assert shorter != longer
    assert longer != shorter
    assert longer == tuple(longer)


def test_two_ways_on_do_not_meet() -> None:
    """A plan that is not carried out changes nothing in the table that it started from."""
    toy = Toy()
    made, states = toy.history([None] * 40)
    ways = {}
    for name in ("this", "that"):
        way = made
        for number in range(42, 52):
            way = way.with_line_entry(Played(number, NOW, "host", name, None), play_entry(name))
        ways[name] = way
    for version in range(42, 52):
        for name, way in ways.items():
            expected: Any = (*states[-1], *[name] * (version - 41))
            assert way.state_at(version) == expected
            assert [way.state_at(41), made.state_at(41)] == [states[-1]] * 2
    assert len(made.tips) == 41


# --- the entries ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, CHUNK, 2 * CHUNK - 1, 2 * CHUNK, 3 * CHUNK + 1])
def test_entries_are_what_they_were_when_they_are_packed(n: int) -> None:
    """Packed entries are equal to the originals, by index and by slice, and their bytes are counted."""
    whole = [Played(number, NOW, "host", f"move {number}", "black") for number in range(1, n + 1)]
    entries = Entries()
    for entry in whole:
        entries = entries.with_entries([(entry, codec.encode(entry))])
    assert list(entries) == whole == [entries[number] for number in range(n)]
    assert (entries[-1], entries[-n:], entries[n // 2 :]) == (whole[-1], tuple(whole), tuple(whole[n // 2 :]))
    assert entries.size == sum(len(codec.encode(entry)) for entry in whole)
    assert entries.tail == codec.encode(whole[-1])
    with pytest.raises(IndexError):
        entries[n]


# --- memory --------------------------------------------------------------------------------------------------------


def log_of(name: str, moves: int | None = None) -> list[bytes]:
    """The log of a recorded game, or of its first moves."""
    record = record_of(name)
    game = rules.GAMES[record["game"]]
    setup = schemas.plain(schemas.load(schemas.of(game).setup, record["setup"]))
    keys = {f"{n}" * 64: "host" for n in range(5)}
    opened = codec.encode(Opened(1, NOW, "host", game.id, setup, game.rules_version, keys))
    return [opened, *(play_entry(notation, "black") for notation in notations_of(record)[:moves])]


def only_next() -> list[bytes]:
    """Fief with `next` only: the cheapest moves to send."""
    return [*log_of("fief/six_together", 0), *[play_entry("next")] * 600]


def undone_again_and_again() -> list[bytes]:
    """A full board of Robber Knights whose last move is undone and played again and again."""
    log = log_of("robber_knights/four_and_much_stood")
    back = codec.encode(Rewound(0, NOW, "host", len(log) - 1))
    return [*log, *[back, log[-1]] * 300]


def much_to_say() -> list[bytes]:
    """Entries with the largest findings, each of them undone."""
    log = log_of("villefranche/stood_and_cut")
    facts = Facts(
        "code", {"n": 5, "cells": ("a1", "b2", "c3")}, tuple(Fact((cell,), {"black": 2}) for cell in "abcdef")
    )
    said = Played(0, NOW, "host", "h e4", "black", Ruling.ILLEGAL, True, (Finding("VF-22", facts),) * 5, "1")
    return [log[0], *[codec.encode(said), codec.encode(Rewound(0, NOW, "host", 1))] * 200]


NAMES = (
    "architekton/stood",
    "fief/five_and_much_stood",
    "robber_knights/four_and_much_stood",
    "villa_paletti/accident_and_much_stood",
    "villefranche/stood_and_cut",
)
LOGS: dict[str, Callable[[], list[bytes]]] = {
    **{name: partial(log_of, name) for name in NAMES},
    "only next": only_next,
    "undone again and again": undone_again_and_again,
    "much to say": much_to_say,
}


def bytes_of_table(log: Sequence[bytes]) -> tuple[Table, int]:
    """The table of a log, read as phones read it, and the bytes of memory that it takes."""
    numbered = list(enumerate(log, start=1))
    fold("A" * 22, numbered, DAY)  # so that what all tables share exists already
    tracemalloc.start()
    try:
        table = fold("A" * 22, [(number, bytes(memoryview(payload))) for number, payload in numbered], DAY)
        for entry in table.last_moves(10):
            table.effects(entry.number)
        assert table.line is not None
        history._unpack_chunk.cache_clear()
        gc.collect()
        return table, tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", LOGS)
def test_a_table_weighs_what_it_takes(name: str) -> None:
    """A table's weight, by which the cache is bounded, is between half and twice its real memory."""
    table, size = bytes_of_table(LOGS[name]())
    assert size / 2 <= table.weight <= size * 2


@pytest.mark.parametrize("log", [only_next, undone_again_and_again])
def test_entries_that_cost_their_sender_nothing_take_little(log: Callable[[], list[bytes]]) -> None:
    """Each cheap entry takes less memory than its stored bytes."""
    payloads = log()
    table, size = bytes_of_table(payloads)
    assert size - bytes_of_table(payloads[:100])[1] < table.size


def test_what_moves_brought_about_is_not_remembered_for_ever() -> None:
    """A table caches the effects of a limited number of moves, and rebuilds the others."""
    numbered = list(enumerate(log_of("fief/five_and_much_stood"), start=1))
    table = fold("A" * 22, numbered, DAY)
    said = [table.effects(entry.number) for entry in table.last_moves(999)]
    assert len(said) > len(table.effect_cache)
    assert [table.effects(entry.number) for entry in table.last_moves(999)] == said
