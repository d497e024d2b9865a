"""Lanes: a worker handles the expensive requests of one address one at a time, without delaying other addresses.

An IPv6 network has as many lanes as it counts homes (`service.runtime.areas`), whichever of its addresses send the
requests.

The cost of a request shows only while the worker handles it. So each request counts its own work at its pauses
(`rules.steps`). From `DEAR` steps on, it needs the lane of its address in this worker. If it does not get the lane
within `PATIENCE` seconds, it is rejected. A request that has written something no longer waits for a lane
(`rules.steps.allow_all`).

The worker remembers which requests were expensive for an address. The next such request takes the lane before it
begins, so that rejecting it costs no work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock, Semaphore
from time import monotonic
from typing import TYPE_CHECKING, Final

from rules.steps import REST, Effort, is_unlimited
from service.errors import RateLimited
from service.limits.rate_limits import Limiter, Measure
from service.runtime.areas import Area, areas_of
from service.runtime.budget import BUDGET, EFFORT, OUTPUT_BYTES, rest
from service.runtime.memory import WeightedCache
from service.storage.write_sizes import count

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

DEAR: Final = BUDGET // 10
"""Steps of an expensive request."""
PATIENCE: Final = 2.0
"""Seconds that an expensive request waits for its lane before it is refused."""
MAX_DEAR: Final = 20_000
"""The maximum number of cached addresses that sent an expensive request; of IPv6, the largest networks that count."""
TURNS: Final = "turns"
"""The name of the limit, in a refusal."""
AGAIN: Final = 2
"""The seconds after which a rejected client may retry."""


@dataclass
class Lane:
    """The lane of one area: a place for each home, and the number of requests that hold a place or wait for one."""

    room: Semaphore
    users: int = 0


class Lanes:
    """The lanes of a worker, one for each area with an expensive request. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._lanes: dict[str, Lane] = {}
        self.dear_questions: WeightedCache[tuple[str, str], bool] = WeightedCache(MAX_DEAR)
        """(address, endpoint) -> whether the last such request was expensive."""

    def __len__(self) -> int:
        return len(self._lanes)

    def enter(self, areas: Sequence[Area], seconds: float) -> bool:
        """Wait for a place in the lane of each area of an address, the smallest first, for at most `seconds`.

        Returns whether the caller has a place in all of them; otherwise it has none.
        """
        until = monotonic() + seconds
        for number, area in enumerate(areas):
            with self._lock:
                lane = self._lanes.setdefault(area.name, Lane(Semaphore(area.homes)))
                lane.users += 1
            if not lane.room.acquire(timeout=max(0.0, until - monotonic())):
                self._drop(area)
                self.leave(areas[:number])
                return False
        return True

    def leave(self, areas: Sequence[Area]) -> None:
        """Release the places in these lanes to the requests that wait for them."""
        for area in areas:
            self._lanes[area.name].room.release()
            self._drop(area)

    def _drop(self, area: Area) -> None:
        with self._lock:
            lane = self._lanes[area.name]
            lane.users -= 1
            if not lane.users:
                del self._lanes[area.name]


class RequestThrottle:
    """The pauses of one request: it yields to other requests, and waits for the lane once it is expensive."""

    def __init__(self, effort: Effort, lanes: Lanes, areas: Sequence[Area]) -> None:
        self._effort = effort
        self._lanes = lanes
        self._areas = areas
        self._address = areas[-1].name
        self._question = ""
        self._rest_count = 0
        self._output_steps = 0
        self._has_lane = False
        self._patience = PATIENCE

    @property
    def work(self) -> int:
        """The steps of the request, with those outside its budget: to read a long log, to render a page."""
        return max(REST * self._rest_count, self._effort.steps) + self._output_steps

    def __call__(self) -> None:
        """Pause. Raises `RateLimited` if the lane stays taken and the request has written nothing."""
        self._rest_count += 1
        rest()
        if self._has_lane or self.work <= DEAR or self._effort.most is None:
            return
        self._lanes.dear_questions.put((self._address, self._question), True)
        self._take_lane()

    def expect_work(self, question: str) -> None:
        """Take the lane before any work if the last such request was expensive. Raises `RateLimited`."""
        self._question = question
        if (
            self._lanes.dear_questions.get((self._address, question))
            and not self._has_lane
            and self._effort.most is not None
        ):
            self._take_lane()

    def _take_lane(self) -> None:
        began = monotonic()
        self._has_lane = self._lanes.enter(self._areas, self._patience)
        self._patience = max(0.0, self._patience - (monotonic() - began))
        if not self._has_lane and not is_unlimited():
            raise RateLimited(AGAIN, TURNS)

    def end(self) -> None:
        """Finish the request, and store for the next one whether it was expensive."""
        if self.work > DEAR:
            self._lanes.dear_questions.put((self._address, self._question), True)
        elif self._has_lane:
            self._lanes.dear_questions.forget((self._address, self._question))
        self.leave()

    def count_output(self, size: int) -> None:
        """Count the work of rendering a page or a picture of `size` bytes."""
        self._output_steps = size // OUTPUT_BYTES

    def leave(self) -> None:
        """Release the lane, because the request waits for something else or ends."""
        if self._has_lane:
            self._has_lane = False
            self._lanes.leave(self._areas)


_present: ContextVar[RequestThrottle | None] = ContextVar("rests", default=None)


class Pace:
    """Limits the work of each request to the allowance of its address. `limiter` returns the `Limiter`."""

    def __init__(self, limiter: Callable[[], Limiter]) -> None:
        self._limiter = limiter
        self._lanes = Lanes()

    @contextmanager
    def __call__(self, environ: WSGIEnvironment) -> Iterator[None]:
        """A context for the work of a request: at its end, the request leaves its lane and the address is charged."""
        limiter = self._limiter()
        if not limiter.is_enabled:
            yield
            return
        address, effort = environ.get("REMOTE_ADDR", ""), environ[EFFORT]
        throttle = effort.rest = RequestThrottle(effort, self._lanes, areas_of(address))
        token = _present.set(throttle)
        with count() as filling:
            try:
                yield
            finally:
                _present.reset(token)
                throttle.end()
                limiter.charge(Measure.STEPS, address, throttle.work)
                limiter.charge(Measure.BYTES, address, filling.bytes)


def leave() -> None:
    """Release the lane of the current request, if it has one, before the request waits for something else."""
    throttle = _present.get()
    if throttle is not None:
        throttle.leave()


def expect(question: str) -> None:
    """Take the lane before any work if the last such request was expensive. Raises `RateLimited`."""
    throttle = _present.get()
    if throttle is not None:
        throttle.expect_work(question)


def count_output(size: int) -> None:
    """Count the work of rendering the current response, a page or a picture of `size` bytes."""
    throttle = _present.get()
    if throttle is not None:
        throttle.count_output(size)
