"""What a log says of a dispute: who has confirmed what, how it was settled, and whether that was taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from rules.kernel import Seat

Remedy: TypeAlias = Literal["stands", "go_back", "replay"]
STANDS: Final[Remedy] = "stands"
"""Nothing changes, and the move is marked."""
GO_BACK: Final[Remedy] = "go_back"
"""Back to before the move."""
REPLAY: Final[Remedy] = "replay"
"""Back to before the move; then what the rules still allow is played again."""
REMEDIES: Final[tuple[Remedy, ...]] = (STANDS, GO_BACK, REPLAY)
DISPUTE_WEIGHT: Final = 500
"""Bytes of a dispute, about, as a worker remembers it."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute, by the numbers of its entries.

    `raised`: the entry that raised it. `confirmed`: seat -> the entry in which it confirmed a remedy last. `settled`:
    the entry that settled it, and `last` the last entry by which that was done. `undone`: that was taken back since.
    """

    raised: int
    confirmed: Mapping[Seat, int] = field(default_factory=dict)
    settled: int | None = None
    last: int = 0
    undone: bool = False

    @property
    def open(self) -> bool:
        """Whether it can be settled."""
        return self.settled is None or self.undone

    def after_settling(self, number: int) -> Dispute:
        """This, settled by the entry of a number."""
        return replace(self, settled=number, last=number, undone=False)

    def after_effect(self, number: int) -> Dispute:
        """This, with one more entry by which its settlement is done."""
        return replace(self, last=number)

    def after_crossing(self) -> Dispute:
        """This, with its settlement taken back, or put back. Who has confirmed confirms anew."""
        return replace(self, undone=not self.undone, confirmed={} if not self.undone else self.confirmed)


def crossed(disputes: Sequence[Dispute], tips: Sequence[int], to: int) -> int | None:
    """Which settlement (1: of the first dispute) is taken back or put back by going to version `to`; None: none is.

    `tips` are the last moves in play at each version. A settlement can be taken back as a move can be undone: while the
    table is as it left it; and put back while the table is as it was before.
    """
    for number, dispute in enumerate(disputes, start=1):
        if dispute.settled is None or dispute.last == dispute.settled:
            continue
        before, after = dispute.settled - 1, dispute.last
        here, there = (before, after) if dispute.undone else (after, before)
        if to == there and tips[-1] == tips[here - 1]:
            return number
    return None
