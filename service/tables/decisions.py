"""The decisions of the host or of all seats in a log: their confirmations, and whether they were undone.

Two decisions are made this way: how a dispute is settled, and whether the log is amended.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, Literal, Self, TypeAlias

from rules.kernel import Seat
from rules.records import dataclass
from service.tables.history import Numbers

Remedy: TypeAlias = Literal["stands", "no_change", "go_back", "replay", "put_back", "adjust"]
STANDS: Final[Remedy] = "stands"
"""The moves in play do not change."""
NO_CHANGE: Final[Remedy] = "no_change"
"""The disputed move is not in play and does not come back, so there is nothing to decide."""
GO_BACK: Final[Remedy] = "go_back"
"""Back to before the disputed entry."""
REPLAY: Final[Remedy] = "replay"
"""Back to before the disputed entry; then the moves that the rules still allow are replayed."""
PUT_BACK: Final[Remedy] = "put_back"
"""The disputed entry is put back, with all entries that were last in play with it."""
ADJUST: Final[Remedy] = "adjust"
"""The host enters the correct position instead."""
REMEDIES: Final[tuple[Remedy, ...]] = (STANDS, NO_CHANGE, GO_BACK, REPLAY, PUT_BACK, ADJUST)
NO_MOVES: Final[Numbers] = array("I")
DECISION_WEIGHT: Final = 500
"""The approximate bytes of a decision in a worker's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision of the host or of all seats, by the numbers of its entries.

    `confirmations`: seat -> the entry with its last confirmation. `settlement_number`: the entry of the decision, and
    `last_number` the last entry that carries it out. `is_undone`: the decision was taken back since. `undone_moves`:
    what had been undone before it was, and can be redone after it is put back.
    """

    confirmations: Mapping[Seat, int] = field(default_factory=dict)
    settlement_number: int | None = None
    last_number: int = 0
    is_undone: bool = False
    undone_moves: Numbers = field(default_factory=lambda: NO_MOVES)

    @property
    def open(self) -> bool:
        """Whether the decision can be settled."""
        return self.settlement_number is None or self.is_undone

    @property
    def changes_play(self) -> bool:
        """Whether the decision changes which moves are in play."""
        return self.settlement_number is not None

    def with_confirmation(self, seat: Seat, number: int) -> Self:
        """This decision, with a seat's confirmation by an entry."""
        return replace(self, confirmations={**self.confirmations, seat: number})

    def with_settlement(self, number: int, effects: int = 0) -> Self:
        """This decision, settled by an entry, and carried out by the next `effects` entries."""
        return replace(self, settlement_number=number, last_number=number + effects, is_undone=False)

    def with_effect(self, number: int) -> Self:
        """This decision, with one more entry that carries it out."""
        return replace(self, last_number=number)

    def with_crossing(self, undone_moves: Numbers) -> Self:
        """This decision, taken back or put back. Taking it back drops the confirmations, and keeps the undone moves."""
        if self.is_undone:
            return replace(self, is_undone=False, undone_moves=NO_MOVES)
        return replace(self, is_undone=True, confirmations={}, undone_moves=undone_moves)


@dataclass(frozen=True, slots=True)
class Dispute(Decision):
    """A dispute, and its settlement. `entry_number`: the entry that raised it."""

    entry_number: int

    @property
    def status(self) -> str:
        """``open``, ``settled``, or ``undone``: settled, and taken back since, so that it is open again."""
        return "undone" if self.is_undone else "open" if self.open else "settled"

    @property
    def changes_play(self) -> bool:
        """Whether its settlement changes which entries are in play."""
        return self.settlement_number is not None and self.last_number > self.settlement_number


def crossed_decision(decisions: Iterable[Decision], tips: Sequence[int], to: int) -> Decision | None:
    """The decision that going to version `to` takes back or puts back; None if there is none.

    `tips` are the last moves in play at each version. A decision can be taken back while the table is as the decision
    left it, and put back while the table is as it was before.
    """
    return next((decision for decision in decisions if crossing_version(decision, tips) == to), None)


def crossing_version(decision: Decision, tips: Sequence[int]) -> int | None:
    """The version to go to that takes a decision back, or puts an undone one back; None if there is none."""
    if decision.settlement_number is None or decision.last_number > len(tips):
        return None
    before, after = decision.settlement_number - 1, decision.last_number
    here, there = (before, after) if decision.is_undone else (after, before)
    return there if tips[-1] == tips[here - 1] else None
