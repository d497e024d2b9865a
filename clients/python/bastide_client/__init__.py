"""A client of Bastide: `Bastide` waits for its answers, `AsyncBastide` awaits them. What comes back is JSON, typed by
`bastide_client.models`.
"""

from bastide_client.async_client import AsyncBastide, AsyncTable
from bastide_client.client import Bastide, Table
from bastide_client.common import Conflict, Move, Problem, Retries

__all__ = ["AsyncBastide", "AsyncTable", "Bastide", "Conflict", "Move", "Problem", "Retries", "Table"]
