"""Villefranche: the fillings for the effects of a placement, and the effects that all of them share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product
from math import prod
from typing import Final

from rules.effects import OF_EVERY_GAME
from rules.fillings import Filling
from rules.kernel import Effect
from rules.villefranche.board import CORNERS, ENCLOSURE, INDEX, LAND
from rules.villefranche.grid import cell_set
from rules.villefranche.state import PieceName, State
from rules.villefranche.unknowns.combinations.numbers import FULL
from rules.villefranche.unknowns.combinations.sorts import GOES_ON, RuledSorts
from rules.villefranche.unknowns.contents import contents, fill
from rules.villefranche.unknowns.gaps import ENCLOSURE_FACT

MAX_WHOLE: Final = 640
"""The maximum number of fillings to find all effects; beyond, only those that depend on no unknown cell."""
MAX_SHOWN: Final = 24
"""The maximum number of sorts of fillings for the effects."""
OF_SITE: Final = frozenset(("VF-12", "VF-32", "VF-40", "VF-41"))
"""The rules whose effects are about the site alone, if it is known; …"""
OF_WALLS: Final = frozenset(("VF-4", "VF-10", "VF-11", "VF-60"))
"""… about the enclosure, …"""
OF_TOWN: Final = frozenset(("VF-42", "VF-50", "VF-62"))
"""… about the town. Others are about the surroundings of the site (`GOES_ON`), and about the pieces left."""


class Sorts(RuledSorts):
    """The sorts of fillings, and the states of each for the effects."""

    @cached_property
    def has_few_fillings(self) -> bool:
        """Whether all unknown cells together have few fillings."""
        return prod(len(contents(self.state, self.look.unknown, cell)) for cell in self.unknown) <= MAX_WHOLE

    def states(self) -> Iterator[State]:
        """All fillings in which the placement is legal; where these are many, of some sorts one, and the most and the
        fewest pieces around the site.
        """
        for filling in (
            self._whole()
            if self.has_few_fillings
            else map(self.numbers.with_other_halves, map(self.filling, self._sample_totals()))
        ):
            filled = fill(self.state, filling)
            if filled is not None and (not self.has_few_fillings or self.hear(filled).legal):
                yield filled._replace(partial=not self.has_few_fillings)

    def _whole(self) -> Iterator[Filling]:
        each = [contents(self.state, self.look.unknown, cell) for cell in self.unknown]
        return (dict(zip(self.unknown, some, strict=True)) for some in product(*each))

    def _sample_totals(self) -> Iterable[int]:
        numbers = self.numbers
        legal = [each for each, verdict in zip(self.totals.values(), self.verdicts, strict=True) if verdict.legal]
        found = dict.fromkeys(each[0] for each in legal[:: 1 + len(legal) // MAX_SHOWN])
        every = [total for each in legal for total in each]
        for lane in (numbers.own, numbers.other):
            found |= dict.fromkeys(pick(every, key=lambda total, at=lane: total >> at & FULL) for pick in (min, max))  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        leads = {
            (lead > 0) - (lead < 0): total
            for total in every
            for lead in [self._lead(total, numbers.own, numbers.other, self.here)]
        }
        return {**found, **dict.fromkeys(leads.values())}

    def is_certain(self, effect: Effect) -> bool:
        """Whether every filling has an effect of those states: they are all, or it depends on no unknown cell."""
        if self.has_few_fillings:
            return True
        rule, code = effect.rule, effect.facts.code
        cells = cell_set(INDEX[str(cell)] for cell in self.unknown if cell in INDEX)
        walls, land, site = cells & ENCLOSURE, cells & LAND, cells & self.move.bits
        if code in OF_EVERY_GAME:
            return False
        if rule == "VF-22":
            return True
        if rule in OF_SITE and not site:
            return True
        if rule in OF_WALLS:
            return not walls and ENCLOSURE_FACT not in self.look.facts
        if rule in OF_TOWN:
            return not land
        if rule in GOES_ON:
            return not cells & self.look.near
        if rule == "VF-6":
            return not self.look.facts and not self.state.in_hand and not _may_have(cells, self.look.piece)
        return not walls and not land


def _may_have(cells: int, piece: PieceName) -> bool:
    """Whether pieces of a kind may be on some cells."""
    on_walls = {"cylinder": CORNERS, "brick": ENCLOSURE & ~CORNERS}.get(piece, 0)
    return bool(cells & (LAND | on_walls))
