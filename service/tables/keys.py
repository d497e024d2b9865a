"""Keys of a table: their creation, their form in the log, and their roles."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple

from rules.kernel import Seat
from rules.records import dataclass
from service.tables.entries import InLine

HOST: Final = "host"
WATCH: Final = "watch"
ID_LENGTH: Final = 22
"""Characters of an id and of a key."""
HASH: Final = re.compile(r"[0-9a-f]{64}")
"""A key as the log stores it (`hash_of`)."""
MAX_KEYS: Final = 50
"""The most valid keys of a table."""


def secret() -> str:
    """128 random bits for an id or a key, as 22 characters that are valid in a URL."""
    return secrets.token_urlsafe(16)


def derive_id(*content: str) -> str:
    """An id or a key that is derived from its content: 22 characters, as `secret` makes them at random."""
    digest = hashlib.sha256("\0".join(content).encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest).decode()[:ID_LENGTH]


def hash_of(key: str) -> str:
    """A key as the log stores it. Keys are random and long, so a plain hash is enough."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def proof_of(key: str) -> str:
    """A proof that somebody has had a key, useless as a key: 96 bits derived from its hash, 16 characters."""
    return _proof(hash_of(key))


def _proof(of_key: str) -> str:
    digest = hashlib.sha256(b"seen\n" + of_key.encode()).digest()
    return base64.urlsafe_b64encode(digest[:12]).decode()


def is_proof(proof: str, of_key: str) -> bool:
    """Whether a proof (`proof_of`) belongs to the key with this hash."""
    return hmac.compare_digest(_proof(of_key).encode(), proof.encode())


def mark_of(payload: bytes) -> str:
    """A mark that identifies a stored entry: 48 bits of its hash, 8 characters."""
    return base64.urlsafe_b64encode(hashlib.sha256(payload).digest()[:6]).decode()


class LastVisit(NamedTuple):
    """A user's last visit to a table: the version then, 0 for never, and the mark of its last entry."""

    version: int
    mark: str


@dataclass(frozen=True, slots=True)
class Role:
    """The role of a key: the host may do everything, a seat its own moves, a watcher only read."""

    kind: Literal["host", "seat", "watch"]
    seat: Seat | None = None

    @property
    def name(self) -> str:
        """``host``, ``watch`` or the colour of the seat."""
        return self.seat or self.kind

    @property
    def plays(self) -> bool:
        """Whether the role may play moves at all."""
        return self.kind != WATCH

    def owns(self, entry: InLine) -> bool:
        """Whether an entry is a seat's own: its move, or an entry of no seat that it has made itself."""
        return self.seat is not None and self.seat == (entry.seat or entry.by)

    @staticmethod
    def from_name(name: str) -> Role:
        """The role by its name in the log."""
        if name == HOST:
            return Role("host")
        return Role("watch") if name == WATCH else Role("seat", name)


class TableKey(NamedTuple):
    """A key that a table knows: its number there, from 1, its role, and the entry that made it, with its time.

    `label`: the host's name for it. A derived key opens the table `until` a time, and ends with its `parent`.
    """

    number: int
    role: str
    entry: int
    since: datetime
    label: str = ""
    until: datetime | None = None
    parent: int | None = None
    is_revoked: bool = False

    def has_ended(self, now: datetime) -> bool:
        """Whether the key no longer opens the table."""
        return self.is_revoked or (self.until is not None and self.until <= now)


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a new table. They are shown once, since the log stores only their hashes."""

    host: str
    seats: Mapping[Seat, str]
    watch: str

    def roles(self) -> dict[str, str]:
        """The keys as the log stores them: the hash of each, and the name of its role."""
        roles = {hash_of(self.host): HOST, hash_of(self.watch): WATCH}
        return roles | {hash_of(key): seat for seat, key in self.seats.items()}


def new_keys(seats: Iterable[Seat], seed: str | None) -> tuple[str, Keys]:
    """The id and the keys of a new table: random, or derived from a secret seed and a label each."""

    def make(*label: str) -> str:
        return secret() if seed is None else derive_id(*label, seed)

    return make("table"), Keys(make("host"), {seat: make("seat", seat) for seat in seats}, make("watch"))
