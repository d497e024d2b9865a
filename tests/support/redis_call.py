"""Any command to the Redis of a ledger, for what a test looks up or spoils there."""

from __future__ import annotations

from typing import Any

from service.storage.connections import Argument
from service.storage.ledger import Ledger


def redis_call(ledger: Ledger, *command: Argument) -> Any:
    """The answer of Redis, on the ledger's own connections."""
    return ledger._ask("", command)[0]
