"""The ledger compared with a model: in any order of calls, it behaves like a list and a dict."""

from __future__ import annotations

import os
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from service.errors import Conflict, Expired, KeyReused, NoTable
from service.storage.ledger import AppendResult, Ledger
from tests.chaos.cluster import ClusterServers
from tests.rules.play import often
from tests.support.redis_server import RedisServer

TABLES: Final = ("A" * 22, "B" * 22)
KEYS: Final = st.sampled_from(["one", "two", "three 1 2", "é|,"])
PRINTS: Final = st.sampled_from(["", "a", "1 2 b"])
PAYLOADS: Final = st.lists(st.binary(max_size=20), min_size=1, max_size=3)
VERSIONS: Final = st.integers(-1, 12)
RUNS: Final = int(os.environ.get("MODEL_RUNS", "300"))


class Model:
    """One table in plain Python: entries, the keys that wrote them, and whether it was deleted."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self.known_keys: dict[str, tuple[int, int, str]] = {}
        self.is_deleted = False

    def append(self, expected: int, key: str, payloads: list[bytes], fingerprint: str) -> AppendResult:
        if self.is_deleted:
            raise Expired
        if key in self.known_keys:
            first, last, before = self.known_keys[key]
            if before != fingerprint:
                raise KeyReused
            return AppendResult(first, last, is_replay=True)
        if expected != len(self.entries):
            raise Conflict(len(self.entries)) if self.entries else NoTable
        first = len(self.entries) + 1
        self.entries += payloads
        self.known_keys[key] = first, len(self.entries), fingerprint
        return AppendResult(first, len(self.entries), is_replay=False)

    def read(self, after: int) -> list[tuple[int, bytes]]:
        if self.is_deleted:
            raise Expired
        if not self.entries:
            raise NoTable
        return [(number, entry) for number, entry in enumerate(self.entries, 1) if number >= after]

    def delete(self) -> None:
        if not self.entries and not self.is_deleted:
            raise NoTable
        self.is_deleted, self.entries = True, []


class Machine(RuleBasedStateMachine):
    """Random calls for two tables, sent to both the store and the model."""

    ledger: Ledger

    @initialize()
    def clean(self) -> None:
        self.everywhere("FLUSHALL")
        self.models = {table: Model() for table in TABLES}

    @rule(table=st.sampled_from(TABLES), expected=VERSIONS, key=KEYS, payloads=PAYLOADS, fingerprint=PRINTS)
    def append(self, table: str, expected: int, key: str, payloads: list[bytes], fingerprint: str) -> None:
        self._both(table, "append", expected, key, payloads, fingerprint)

    @rule(table=st.sampled_from(TABLES), key=KEYS, payloads=PAYLOADS, fingerprint=PRINTS)
    def append_next(self, table: str, key: str, payloads: list[bytes], fingerprint: str) -> None:
        self._both(table, "append", len(self.models[table].entries), key, payloads, fingerprint)

    @rule(table=st.sampled_from(TABLES), after=st.integers(0, 12))
    def read(self, table: str, after: int) -> None:
        self._both(table, "read", after)

    @rule(known=st.fixed_dictionaries({}, optional=dict.fromkeys(TABLES, st.integers(0, 12))))
    def since(self, known: dict[str, int]) -> None:
        logs = {table: list(enumerate(self.models[table].entries, 1)) for table in known}
        told = {table: [entry for number, entry in log if number >= known[table]][:2] for table, log in logs.items()}
        assert self.ledger.entries_since(known) == told

    @rule(table=st.sampled_from(TABLES), really=st.integers(0, 3))
    def delete(self, table: str, really: int) -> None:
        if not really:
            self._both(table, "delete")

    @rule()
    def forget_scripts(self) -> None:
        self.everywhere("SCRIPT", "FLUSH")

    def everywhere(self, *command: str) -> None:
        for server in self.ledger._redis.primaries():
            server.ask(command)

    @invariant()
    def same_logs(self) -> None:
        for table in TABLES:
            self._both(table, "read", 0)

    def _both(self, table: str, operation: str, *arguments: object) -> None:
        outcomes = []
        for call in (getattr(self.models[table], operation), getattr(self.ledger, operation)):
            try:
                named = (table, *arguments) if call.__self__ is self.ledger else arguments
                outcomes.append(call(*named))
            except (Conflict, Expired, KeyReused, NoTable) as refusal:
                outcomes.append((type(refusal), getattr(refusal, "version", None)))
        assert outcomes[0] == outcomes[1], (operation, arguments)


def run(machine: type[Machine], runs: int) -> None:
    """Run this many sequences of 40 calls."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=runs,
            stateful_step_count=40,
            deadline=None,
            database=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
    machine.ledger.close()


def test_the_ledger_answers_as_the_model(redis_server: RedisServer) -> None:
    """In sequences of 40 calls, the ledger gives the same results, errors and logs as the model."""

    class Here(Machine):
        ledger = Ledger(redis_server.url)

    run(Here, often(RUNS))


def test_the_ledger_on_a_cluster_answers_as_the_model(cluster: ClusterServers) -> None:
    """The same on a cluster of three primaries, with a replica that confirms each entry."""

    class Here(Machine):
        ledger = Ledger(cluster.url, replicas=1, patience=30)

    run(Here, often(20))


def test_the_model_finds_a_ledger_that_forgets_keys(redis_server: RedisServer) -> None:
    """The control: for a ledger that ignores keys, the machine must find a difference."""

    class Forgetful(Ledger):
        count = 0

        def append(self, table: str, expected: int, key: str, *rest: object) -> AppendResult:
            self.count += 1
            return super().append(table, expected, f"{key}{self.count}", *rest)  # type: ignore[arg-type]

    class Here(Machine):
        ledger = Forgetful(redis_server.url)

    with pytest.raises(AssertionError, match="append"):
        run_state_machine_as_test(
            Here,
            settings=settings(
                max_examples=100, deadline=None, derandomize=True, database=None, phases=[Phase.generate]
            ),
        )
    Here.ledger.close()
