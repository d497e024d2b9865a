"""Sends any command to the Redis of a ledger, for tests that look up or damage its data."""

from __future__ import annotations

from typing import Any

from service.storage.connections import Argument
from service.storage.ledger import Ledger


def redis_call(ledger: Ledger, *command: Argument) -> Any:
    """Send a command on the ledger's own connections; returns the answer."""
    return ledger._ask("", command)[0]
