"""A log in memory: every entry, and the state at every version, in little space.

Old entries are packed. Few of the old states are stored; any other is recomputed with at most `APART` moves. In this
module, a move is any entry in the line of play. A history is immutable; the next one shares all of it but the end.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import partial
from sys import getsizeof
from typing import Final, TypeAlias, overload

from rules.caches import cache
from rules.records import dataclass
from service.runtime.memory import WeightedCache, size_of
from service.tables.apply_entry import EnterFunction, state_after
from service.tables.codec import encode, pack, unpack
from service.tables.entries import Amended, AnyEntry, InLine, Rewound
from service.tables.fault_log import guard_replay
from service.types import AnyGame, State

CHUNK: Final = 16
"""Entries that are packed together."""
APART: Final = 32
"""The maximum number of moves from a stored state to one that is not stored."""
HALF: Final = APART // 2
AGAIN: Final = 4
"""The maximum number of cached states that were current or recomputed: the next request is mostly for a state near
them, and undo goes back along the line of play. Other caches have the drawing and the score of the same state object.
"""
AT_HAND: Final = 4
"""The maximum number of cached chunks of unpacked entries, of all tables together."""
STEP: Final = 4_000
"""Bytes that a state takes in addition to another one, until one was measured."""
DECODED_FACTOR: Final = 4
"""Bytes of memory of an entry for each stored byte, …"""
ENTRY: Final = 500
"""… and in addition."""
Numbers: TypeAlias = "array[int]"
"""Numbers of entries, four bytes each; treated as immutable."""
LineEntry: TypeAlias = tuple[InLine, bytes, State]
"""An entry in the line of play, its stored form, and the state after it."""


class Entries(Sequence[AnyEntry]):
    """All entries of a log, the last ones decoded and those before them packed. A slice is a tuple.

    The log has `size` bytes.
    """

    __slots__ = ("_end", "_end_size", "_packed", "_packed_size", "size")

    def __init__(
        self,
        packed: tuple[bytes, ...] = (),
        end: tuple[tuple[AnyEntry, bytes], ...] = (),
        sizes: tuple[int, int, int] = (0, 0, 0),
    ) -> None:
        self._packed = packed
        self._end = end
        self.size, self._packed_size, self._end_size = sizes

    def with_entries(self, more: Sequence[tuple[AnyEntry, bytes]]) -> Entries:
        """These entries and more, each with its stored form."""
        end, added = (*self._end, *more), sum([len(payload) for _, payload in more])
        packed, packed_size, end_size = self._packed, self._packed_size, self._end_size + added
        while len(end) >= 2 * CHUNK:
            payloads, end = [payload for _, payload in end[:CHUNK]], end[CHUNK:]
            packed = (*packed, pack(payloads))
            packed_size, end_size = packed_size + getsizeof(packed[-1]), end_size - sum(map(len, payloads))
        return Entries(packed, end, (self.size + added, packed_size, end_size))

    @property
    def weight(self) -> int:
        """The approximate bytes of memory."""
        return self._packed_size + DECODED_FACTOR * self._end_size + ENTRY * len(self._end)

    @property
    def tail(self) -> bytes:
        """The last entry as stored."""
        return self._end[-1][1]

    def __len__(self) -> int:
        return len(self._packed) * CHUNK + len(self._end)

    @overload
    def __getitem__(self, index: int) -> AnyEntry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[AnyEntry, ...]: ...
    def __getitem__(self, index: int | slice) -> AnyEntry | tuple[AnyEntry, ...]:
        places = range(len(self))[index]
        return self._at(places) if isinstance(places, int) else tuple(map(self._at, places))

    def _at(self, place: int) -> AnyEntry:
        chunk, rest = divmod(place, CHUNK)
        if chunk < len(self._packed):
            return _unpack_chunk(chunk * CHUNK + 1, self._packed[chunk])[rest]
        return self._end[place - len(self._packed) * CHUNK][0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # compared by content, as a list

    def __repr__(self) -> str:
        return repr(tuple(self))


@cache(AT_HAND)
def _unpack_chunk(first: int, chunk: bytes) -> tuple[AnyEntry, ...]:
    """The entries of a chunk, cached because callers read one after the other."""
    return unpack(first, chunk)


@dataclass(frozen=True, slots=True)
class StoredStates:
    """The stored states, by the numbers of their moves (1: the setup).

    They take about `size` bytes, of which the last state adds `step`.
    """

    states: Mapping[int, State]
    size: int = field(compare=False)
    step: int = field(default=STEP, compare=False)

    def with_state(self, number: int, state: State, above: State) -> StoredStates:
        """These states and one more, which shares its unchanged parts with the state `above` it."""
        step = size_of(state, above)
        return StoredStates({**self.states, number: state}, self.size + step, step)


@dataclass(frozen=True, slots=True)
class History:
    """The entries of a log, the last move in play at each version (`tips`, 1 before any), and the states.

    Undo makes a tree of the moves: each was played on the state of the tip before it. On the way up from any move, a
    stored state is at most `APART` moves away. `distance` is its distance from the last move in play, and `halfway` the
    move half-way, whose state is stored next: all branches below that move share it. So among `n` entries no more than
    ``1 + 2 * n / APART`` states are stored.
    """

    game: AnyGame = field(compare=False, repr=False)
    entries: Entries
    tips: Numbers
    state: State
    stored_states: StoredStates = field(repr=False)
    enter: EnterFunction = field(compare=False, repr=False)
    distance: int = 0
    halfway: tuple[int, State] | None = field(default=None, compare=False, repr=False)
    recent_states: WeightedCache[int, State] = field(
        default_factory=lambda: WeightedCache(AGAIN), compare=False, repr=False
    )

    @classmethod
    def from_opening(
        cls, game: AnyGame, opening: AnyEntry, payload: bytes, state: State, enter: EnterFunction
    ) -> History:
        """The history of a log with only its first entry; `enter` computes the state of a position entered later."""
        stored_states = StoredStates({1: state}, size_of(state))
        return cls(game, Entries().with_entries([(opening, payload)]), array("I", [1]), state, stored_states, enter)

    def with_line_entry(self, entry: InLine, payload: bytes, state: State | None = None) -> History:
        """This history and one more entry in the line of play, mostly a move. Raises `Unreadable`.

        `state` is the state after it, if known already.
        """
        if state is None:
            state = state_after(self.game, self.state, entry, self.enter, is_trusted=False)
        return self.with_line_entries([(entry, payload, state)])

    def with_line_entries(self, line: Sequence[LineEntry]) -> History:
        """This history and more entries in the line of play."""
        history, at = self, 0
        while at < len(line):
            # one entry at a time when a state is stored, which needs the way to the entry before it
            most = max((HALF if history.distance < HALF else APART - 1) - history.distance, 1)
            history = history._with_run(line[at : at + most])
            at += most
        return history

    def _with_run(self, run: Sequence[LineEntry]) -> History:
        """This history and more entries in the line of play, at most up to the next state to store."""
        tips = [(entry.number, state) for entry, _, state in run]
        far, half, stored_states = self.distance + len(run), self.halfway, self.stored_states
        if far == HALF:
            half = tips[-1]
        elif far == APART:
            way = self._way_to_state(self.tips[-1])
            middle, above = way[-HALF], self.tips[way[-1] - 2]
            stored_states = stored_states.with_state(middle, self.state_of_move(middle), self.state_of_move(above))
            far, half = APART - HALF, tips[-1]
        return self._append([(entry, payload) for entry, payload, _ in run], tips, stored_states, far, half)

    def with_rewind(self, entry: Rewound | Amended, payload: bytes) -> History:
        """This history and one more entry that returns to another version."""
        tip = self.tips[entry.to - 1]
        tips, far = [(tip, self.state_of_move(tip))], len(self._way_to_state(tip))
        return self._append([(entry, payload)], tips, self.stored_states, far, self.halfway)

    def with_note(self, entry: AnyEntry, payload: bytes) -> History:
        """This history and one more entry that leaves the state unchanged."""
        tips = [(self.tips[-1], self.state)]
        return self._append([(entry, payload)], tips, self.stored_states, self.distance, self.halfway)

    def line_to(self, number: int) -> Numbers:
        """The numbers of the moves in play after the move of a number (1: none), in order."""
        line = []
        while number != 1:
            line.append(number)
            number = self.tips[number - 2]
        return array("I", reversed(line))

    def state_at(self, version: int) -> State:
        """The state at a version."""
        return self.state_of_move(self.tips[version - 1])

    def state_of_move(self, number: int) -> State:
        """The state after the move of a number (1: the setup)."""
        way = []
        while (state := self._available_state(number)) is None:
            way.append(number)
            number = self.tips[number - 2]
        for each in reversed(way):
            entry = self.entries[each - 1]
            with guard_replay(self.game.id, each, partial(encode, entry)):
                state = state_after(self.game, state, entry, self.enter)
        if way:
            self.recent_states.put(way[0], state)
        return state

    @property
    def weight(self) -> int:
        """The approximate bytes of memory."""
        others = (AGAIN + 2) * self.stored_states.step // 2  # they are closer together than the stored ones
        return self.entries.weight + self.stored_states.size + others + len(self.tips) * self.tips.itemsize

    # --- inside ---

    def _append(
        self,
        more: Sequence[tuple[AnyEntry, bytes]],
        tips: Sequence[tuple[int, State]],
        stored_states: StoredStates,
        far: int,
        half: tuple[int, State] | None,
    ) -> History:
        """This history and more entries; `tips`: after each, the number of the last move in play, and the state."""
        again = self.recent_states.copy()
        for number, state in ((self.tips[-1], self.state), *tips[:-1])[-AGAIN:]:
            again.put(number, state)
        numbers = self.tips + array("I", [number for number, _ in tips])
        entries = self.entries.with_entries(more)
        return History(self.game, entries, numbers, tips[-1][1], stored_states, self.enter, far, half, again)

    def _available_state(self, number: int) -> State | None:
        """The state after a move, if it is in memory."""
        if number == self.tips[-1]:
            return self.state
        if self.halfway is not None and number == self.halfway[0]:
            return self.halfway[1]
        return (
            self.stored_states.states[number] if number in self.stored_states.states else self.recent_states.get(number)
        )

    def _way_to_state(self, number: int) -> list[int]:
        """The moves from this one back to the nearest with a stored state, without that one."""
        way = []
        while number not in self.stored_states.states:
            way.append(number)
            number = self.tips[number - 2]
        return way


class States(Sequence[State]):
    """The states of a history: ``[v - 1]`` is the one at version v."""

    def __init__(self, history: History) -> None:
        self._history = history

    def __len__(self) -> int:
        return len(self._history.tips)

    @overload
    def __getitem__(self, index: int) -> State: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[State, ...]: ...
    def __getitem__(self, index: int | slice) -> State | tuple[State, ...]:
        versions = range(1, len(self) + 1)[index]
        return (
            self._history.state_at(versions)
            if isinstance(versions, int)
            else tuple(map(self._history.state_at, versions))
        )
