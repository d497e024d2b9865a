"""Groups: a link with one key, and behind it a log of results, stored like the log of a table.

The same script appends the entries (``lua/append.lua``), so a repeated request writes nothing twice, and two
simultaneous requests lose no entry. Whoever has the key can read the group, and add and remove results. There are no
accounts. A group is deleted some time after its last entry, later than a table. Redis stores its log among those of the
tables, under an id that no table has.

A log has a maximum length. There is always room to remove every result that counts, so that nobody is stuck with
another user's results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from hmac import compare_digest
from typing import Final, NamedTuple

from rules.steps import allow_all, at_most
from service.errors import Conflict, Expired, GroupFull, NoGroup, NoTable, StoreAway, Unauthorised
from service.runtime.memory import WeightedCache
from service.storage.ledger import AppendResult, Ledger
from service.tables.keys import derive_id, hash_of, secret
from service.tables.results import (
    MAX_BYTES,
    MAX_ENTRIES,
    Group,
    Result,
    addition_entries,
    extend_group,
    fold_group,
    founding_entry,
    removal_entry,
    replacement_entries,
    result_json,
)
from service.tables.table import TABLE_ID

SPACE: Final = "g:"
"""The prefix of a group's id in place of a table's id."""
FOUNDING: Final = "founded by its form"
"""The idempotency key of the first entry; a request's key has no blank."""
CACHE: Final = 8 * 2**20
"""The maximum size of the cache of groups, in bytes."""
NEVER: Final = -1
"""A version that no log has: an append on top of it writes nothing, but still finds a repeated request."""
TRIES: Final = 20
"""The most attempts to plan a change if others come first."""


class ImportReport(NamedTuple):
    """The outcome of an import: the group after it, the number of new results, and how many of these are restored.

    Restored ones had been removed before. `conflict_count`: results left out because others count under their ids.
    """

    group: Group
    new_count: int
    restored_count: int
    conflict_count: int


class Groups:
    """The groups on a ledger. Safe to share between threads.

    A method that names a group needs its key, and raises `NoGroup` unless both are right, and `Unauthorised` without a
    key; all may raise `StoreAway` and `Unreadable`. `lifetime` is how long a group is stored after its last entry.
    """

    def __init__(
        self, ledger: Ledger, *, lifetime: timedelta, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._ledger = ledger.with_ttl(lifetime)
        self._lifetime = lifetime
        self._now = now
        self._groups: WeightedCache[str, Group] = WeightedCache(CACHE, name=f"{__name__}.Groups")

    def create(self, name: str, idempotency_key: str | None = None) -> tuple[Group, str]:
        """A new group and its key, both derived from the idempotency key: a repeated request gets the same group."""
        seed = idempotency_key or secret()
        group_id, key = derive_id("group", seed), derive_id("key", seed)
        payload = founding_entry(name, hash_of(key), self._time())
        try:
            self._ledger.append(SPACE + group_id, 0, FOUNDING, (payload,), derive_id(name))
        except Expired:  # the form is older than the lifetime of its group
            raise NoGroup(group_id) from None
        return self.group(group_id, key), key

    def group(self, group_id: str, key: str | None) -> Group:
        """The current group."""
        if not key:
            raise Unauthorised
        if not TABLE_ID.fullmatch(group_id):
            raise NoGroup(group_id)
        try:
            group = self._read(group_id, self._groups.get(group_id))
        except (NoTable, Expired):
            self._groups.forget(group_id)
            raise NoGroup(group_id) from None
        self._groups.put(group_id, group, group.weight)
        if not compare_digest(group.key, hash_of(key)):
            raise NoGroup(group_id)
        return group

    def save_result(self, group_id: str, key: str | None, result: Result, idempotency_key: str | None) -> Group:
        """Store a result in place of the one that counts under its id; returns the new group. Raises `GroupFull`,
        `KeyReused`.
        """

        def plan(group: Group) -> Sequence[bytes]:
            return replacement_entries(group, result, self._time())

        return self._change(group_id, key, plan, idempotency_key, _fingerprint((result,)))[0]

    def import_results(
        self, group_id: str, key: str | None, results: Sequence[Result], idempotency_key: str | None
    ) -> ImportReport:
        """Store results, without storing one twice or replacing another. A repeated request reports the same new
        results.

        Raises `GroupFull`, `KeyReused`.
        """

        def plan(group: Group) -> Sequence[bytes]:
            return addition_entries(group, results, self._time())

        group, numbers = self._change(group_id, key, plan, idempotency_key, _fingerprint(results))
        new = [group.results[number].id for number in numbers]
        before = {result.id for number, result in group.results.items() if number < numbers.start}
        counts = {each.id: each.comparable_part for each in group.counting_results.values()}
        differing = sum(counts.get(each.id, each.comparable_part) != each.comparable_part for each in results)
        return ImportReport(group, len(new), sum(each in before for each in new), differing)

    def remove_result(self, group_id: str, key: str | None, number: int) -> Group:
        """Remove a result; returns the new group. A missing result needs no entry; a full group has room for one."""

        def plan(group: Group) -> Sequence[bytes]:
            return (removal_entry(number, self._time()),) if number in group.counting_results else ()

        return self._change(group_id, key, plan, limited=False)[0]

    def remove_all_results(self, group_id: str, key: str | None, version: int) -> Group:
        """Remove every result that counted at a version and still counts; returns the new group."""

        def plan(group: Group) -> Sequence[bytes]:
            return [removal_entry(number, self._time()) for number in group.counting_results if number <= version]

        return self._change(group_id, key, plan, limited=False)[0]

    def restore_result(self, group_id: str, key: str | None, number: int) -> Group:
        """Restore a removed result; returns the new group. Raises `GroupFull`."""

        def plan(group: Group) -> Sequence[bytes]:
            result = group.results.get(number)
            return () if result is None else addition_entries(group, (result,), self._time())

        return self._change(group_id, key, plan)[0]

    # --- inside ---

    def _time(self) -> datetime:
        return self._now().replace(microsecond=0)

    def _change(
        self,
        group_id: str,
        key: str | None,
        plan: Callable[[Group], Sequence[bytes]],
        idempotency_key: str | None = None,
        fingerprint: str = "",
        *,
        limited: bool = True,
    ) -> tuple[Group, range]:
        """Plan and write a change of the current group; plan it again if another change comes first. Returns the new
        group and the numbers of the entries, which the same request may have written before.

        `limited`: the change must leave room to remove all results.
        """
        name = idempotency_key or secret()
        for _ in range(TRIES):
            group = self.group(group_id, key)
            payloads = plan(group)
            if not payloads and idempotency_key is None:
                return group, range(0)
            full = bool(payloads) and limited and _too_long(group, payloads)
            done = self._append(group, payloads, name, fingerprint, full=full)
            if done is not None:
                allow_all()
                return self.group(group_id, key), range(done.first, done.last + 1)
            if not payloads:
                return group, range(0)
        raise StoreAway(f"{TRIES} other changes of a group came first")

    def _append(
        self, group: Group, payloads: Sequence[bytes], name: str, fingerprint: str, *, full: bool
    ) -> AppendResult | None:
        """Append entries, or find those that the same request wrote; None if another change came first.

        `full`: there is no room for them. Raises `GroupFull` then, unless they were written before.
        """
        expected = group.version if payloads and not full else NEVER
        try:
            return self._ledger.append(SPACE + group.id, expected, name, payloads or (b"",), fingerprint)
        except Conflict as conflict:
            if full and conflict.version == group.version:
                raise GroupFull(group.id) from None
            return None
        except (NoTable, Expired):
            raise NoGroup(group.id) from None

    def _read(self, group_id: str, cached_group: Group | None) -> Group:
        with at_most(None):  # a long log is not the request's fault
            if cached_group is not None:
                log = self._ledger.read(SPACE + group_id, cached_group.version)
                if log and log[0] == (cached_group.version, cached_group.tail):
                    return extend_group(cached_group, log[1:]) if log[1:] else cached_group
            return fold_group(group_id, self._ledger.read(SPACE + group_id), self._lifetime)


def _fingerprint(results: Sequence[Result]) -> str:
    """The fingerprint by which a request to add results differs from another one with the same key."""
    return derive_id(*(str({**result_json(each), "id": each.at_table and each.id}) for each in results))


def can_be_imported_again(group: Group, now: datetime) -> bool:
    """Whether a file with all results of a group can be imported into it again after their removal."""
    cleared = extend_group(
        group, enumerate((removal_entry(number, now) for number in group.counting_results), group.version + 1)
    )
    return not _too_long(cleared, addition_entries(cleared, group.counting_results.values(), now))


def _too_long(group: Group, payloads: Sequence[bytes]) -> bool:
    """Whether a group's log would be too long with these entries and the removals of all results."""
    entries, size = extend_group(group, enumerate(payloads, group.version + 1)).reserved_size
    return entries > MAX_ENTRIES or size > MAX_BYTES
