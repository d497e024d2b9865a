"""The decisions of the host or of all seats in a log: who has confirmed what, and whether it was undone.

Two decisions are made this way: how a dispute is settled, and whether the log is amended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, Literal, Self, TypeAlias

from rules.kernel import Seat
from rules.records import dataclass

Remedy: TypeAlias = Literal["stands", "no_change", "go_back", "replay", "put_back", "adjust"]
STANDS: Final[Remedy] = "stands"
"""The moves in play do not change."""
NO_CHANGE: Final[Remedy] = "no_change"
"""The disputed move is not in play and does not come back: nobody has to decide anything."""
GO_BACK: Final[Remedy] = "go_back"
"""Back to before the disputed entry."""
REPLAY: Final[Remedy] = "replay"
"""Back to before the disputed entry; then what the rules still allow is played again."""
PUT_BACK: Final[Remedy] = "put_back"
"""What is not in play any more is put back, with all that was in play beside it last."""
ADJUST: Final[Remedy] = "adjust"
"""The host enters what lies there instead."""
REMEDIES: Final[tuple[Remedy, ...]] = (STANDS, NO_CHANGE, GO_BACK, REPLAY, PUT_BACK, ADJUST)
DECISION_WEIGHT: Final = 500
"""The approximate bytes of a decision in a worker's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the host decides, or all seats, by the numbers of its entries.

    `confirmations`: seat -> the entry in which it confirmed something last. `settlement_number`: the entry that says
    what was decided, and `last_number` the last entry by which that was done. `is_undone`: that was taken back since.
    """

    confirmations: Mapping[Seat, int] = field(default_factory=dict)
    settlement_number: int | None = None
    last_number: int = 0
    is_undone: bool = False

    @property
    def open(self) -> bool:
        """Whether it can be settled."""
        return self.settlement_number is None or self.is_undone

    @property
    def changes_play(self) -> bool:
        """Whether what was decided changes which moves are in play."""
        return self.settlement_number is not None

    def with_confirmation(self, seat: Seat, number: int) -> Self:
        """This, once a seat has confirmed something by the entry of a number."""
        return replace(self, confirmations={**self.confirmations, seat: number})

    def with_settlement(self, number: int, effects: int = 0) -> Self:
        """This, settled by the entry of a number, and done by so many entries that follow it."""
        return replace(self, settlement_number=number, last_number=number + effects, is_undone=False)

    def with_effect(self, number: int) -> Self:
        """This, with one more entry by which it is done."""
        return replace(self, last_number=number)

    def with_crossing(self) -> Self:
        """This, taken back, or put back. Who has confirmed confirms anew."""
        return replace(
            self, is_undone=not self.is_undone, confirmations={} if not self.is_undone else self.confirmations
        )


@dataclass(frozen=True, slots=True)
class Dispute(Decision):
    """A dispute, and its settlement. `entry_number`: the entry that raised it."""

    entry_number: int

    @property
    def status(self) -> str:
        """``open``, ``settled``, or ``undone``: settled, and taken back since. Undone, it is open again."""
        return "undone" if self.is_undone else "open" if self.open else "settled"

    @property
    def changes_play(self) -> bool:
        """Whether its settlement changes which entries are in play."""
        return self.settlement_number is not None and self.last_number > self.settlement_number


def crossed_decision(decisions: Iterable[Decision], tips: Sequence[int], to: int) -> Decision | None:
    """Which decision is taken back or put back by going to version `to`; None: none is.

    `tips` are the last moves in play at each version. A decision can be taken back as a move can be undone: while the
    table is as it left it; and put back while the table is as it was before.
    """
    return next((decision for decision in decisions if crossing_version(decision, tips) == to), None)


def crossing_version(decision: Decision, tips: Sequence[int]) -> int | None:
    """The version to go to that takes a decision back, or, undone, puts it back; None where nothing does."""
    if decision.settlement_number is None or decision.last_number > len(tips):
        return None
    before, after = decision.settlement_number - 1, decision.last_number
    here, there = (before, after) if decision.is_undone else (after, before)
    return there if tips[-1] == tips[here - 1] else None
