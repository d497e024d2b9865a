"""The turns of a worker's greenlets: how long each ran, and a watchdog for a turn that does not end."""

from __future__ import annotations

import logging
import sys
from time import perf_counter_ns
from typing import Final

import greenlet
from gevent import get_hub, monkey

LONG_TURN: Final = 1_000_000_000
"""Nanoseconds after which the stack of a turn is logged."""
LOOK_SECONDS: Final = 0.25
_log: Final = logging.getLogger(__name__)


class TurnClock:
    """Measures by the machine's clock how long each greenlet of a thread ran.

    A thread's own CPU clock would be exact, but it costs ten times as much, at each of the ten to twenty turns of a
    request. On a machine with more work than cores, these times include waiting for a core.
    """

    def __init__(self) -> None:
        self._spent: dict[object, int] = {}
        self.since = perf_counter_ns()
        """When the current turn began."""
        self.greenlet: object = None
        """The greenlet of the current turn; None before the first switch."""

    def start(self) -> None:
        """Measure in this thread from now on."""
        greenlet.settrace(self._switch)

    def _switch(self, _event: str, pair: tuple[object, object]) -> None:
        now = perf_counter_ns()
        if pair[0] in self._spent:
            self._spent[pair[0]] += now - self.since
        self.since, self.greenlet = now, pair[1]

    def begin(self) -> None:
        """Count the time of the current greenlet from zero."""
        self._spent[greenlet.getcurrent()] = self.since - perf_counter_ns()

    def end(self) -> None:
        """Forget the current greenlet."""
        self._spent.pop(greenlet.getcurrent(), None)

    def read(self) -> int:
        """The nanoseconds that the current greenlet ran since `begin`."""
        now = perf_counter_ns()
        return self._spent.get(greenlet.getcurrent(), self.since - now) + now - self.since


class Watchdog:
    """Logs the stack of a worker in which one greenlet's turn takes longer than `LONG_TURN`."""

    def __init__(self, clock: TurnClock) -> None:
        self._clock, self._hub = clock, get_hub()
        self._thread = monkey.get_original("threading", "get_ident")()
        self._logged = 0
        self._looked = perf_counter_ns()

    def look(self) -> None:
        """Check once. Ignores the time when the process was stopped or the machine slept."""
        began, now = self._clock.since, perf_counter_ns()
        slept, self._looked = now - self._looked > LONG_TURN, now
        if slept or began == self._logged or now - began < LONG_TURN or self._clock.greenlet is self._hub:
            return
        from service.tables import fault_log  # noqa: PLC0415  # not before strangers named ``rules`` are refused

        self._logged = began
        frame = sys._current_frames()[self._thread]  # noqa: SLF001  # there is no other way to see it from outside
        _log.warning("A turn takes more than a second: %s", fault_log.stack(frame))

    def start(self) -> None:
        """Check every `LOOK_SECONDS` in a native thread: a greenlet would wait for the end of the turn."""
        sleep = monkey.get_original("time", "sleep")

        def look_on() -> None:
            while True:
                sleep(LOOK_SECONDS)
                self.look()

        monkey.get_original("_thread", "start_new_thread")(look_on, ())
