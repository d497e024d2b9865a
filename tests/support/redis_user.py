"""The users that a Redis needs, and every call that the service makes there."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path
from typing import Final

import service
from service.limits.rate_limits import Kind, Limit, Limiter, Per
from service.storage.ledger import Ledger

TABLE: Final = "T" * 22
PASSWORD: Final = "secret"
OTHER: Final = "another secret"
RULES: Final = (
    (Path(service.__file__).parents[1] / "deploy" / "users.acl")
    .read_text(encoding="utf-8")
    .replace("#SHA-256-OF-ITS-PASSWORD", f"#{hashlib.sha256(PASSWORD.encode()).hexdigest()}")
    .replace("#SHA-256-OF-THE-OTHER-PASSWORD", f"#{hashlib.sha256(OTHER.encode()).hexdigest()}")
)


def use_everything(url: str, replicas: int) -> None:
    """Call the ledger and the limiter in every way there is."""
    with closing(Ledger(url, replicas=replicas)) as ledger:
        ledger.check()
        hour = Limit(Kind.ASK, Per.ADDRESS, 2, 3600)
        limiter = Limiter(ledger, limits=[hour])
        for _ in range(3):
            limiter.count("somebody", [hour])
        limiter = Limiter(ledger)
        limiter.admit_guess("192.0.2.1")
        limiter.forgive_guess("192.0.2.1")
        for time in (1_000, 9_000_000, 1_000):  # old counts are deleted; a clock may be set back
            Limiter(ledger, now=lambda time=time: time).count("somebody else", [hour])  # type: ignore[misc]  # bound now
        ledger.delete(_open(ledger, "D" * 22))
        _open(ledger, TABLE)
        ledger.append(TABLE, 0, "open", [b"0"], "")
        ledger.read(TABLE)
        ledger.expires_at(TABLE)
        ledger.note_use(TABLE)
        assert ledger.versions([TABLE]) == {TABLE: 1}
        assert ledger.ping()
        assert ledger.hindrance() is None


def _open(ledger: Ledger, table: str) -> str:
    ledger.append(table, 0, "open", [b"0"], "")
    return table
