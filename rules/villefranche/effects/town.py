"""Villefranche, phase 2: the effects of a roof, a noble storey, a nave or a bell tower (`VF-32` to `VF-43`)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.kernel import Effect, Fact, Value
from rules.villefranche import scoring
from rules.villefranche.board import GRID, names_of
from rules.villefranche.counting import around, influence, noble_cells, shops_needed, unfinished_towers
from rules.villefranche.grid import cell_set, members
from rules.villefranche.legal_moves import NOBLE_STOREYS, BoardView
from rules.villefranche.legality import circulation, shop_for_each, unfinished_churches
from rules.villefranche.moves import BellTower, CornerStorey, Nave, NobleStorey, Rampart, Roof
from rules.villefranche.state import COLOURS, State, Town

STOREYS = 3
ELEMENTS = ("first_nave", "second_nave", "bell_tower")


def pyramid(before: State, move: Roof | BellTower, after: State) -> Iterator[Effect]:
    """A roof on a house, which becomes a shop, or the bell tower of a church."""
    was, own = (state.towns[before.player] for state in (before, after))
    if own.churches & ~was.churches:
        values = {"cell": move.cell, "colour": COLOURS[before.player]}
        yield effect("VF-41", "finished", values, (Fact((move.cell,)),))
    yield from _corporations(before, after)
    if own.shops & ~was.shops:
        yield from _shop(before, move, after)


def _corporations(before: State, after: State) -> Iterator[Effect]:
    """`VF-62`: the lines of shops that count now, with their points, and those that no longer do."""
    if all(was.shops == now.shops for was, now in zip(before.towns, after.towns, strict=True)):
        return
    for player, colour in enumerate(COLOURS):
        was, now = (scoring.corporation_areas(state, player) for state in (before, after))
        if was == now:
            continue
        for area in now:
            if area not in was:
                line = scoring.area_fact(*area)
                yield effect("VF-62", "corporation", {"colour": colour, "n": area[1], "cells": line.cells}, (line,))
        for area in was:
            if not any(not area[0] & ~other for other, _ in now):
                line = scoring.area_fact(*area)
                yield effect("VF-62", "lost", {"colour": colour, "cells": line.cells}, (line,))


def _shop(before: State, move: Roof | BellTower, after: State) -> Iterator[Effect]:
    """`VF-42`, `VF-33`: the church elements that a new shop pays for, and the sites for a noble tower beside it."""
    own = after.towns[before.player]
    yield _church_funding(own, after, {"colour": COLOURS[before.player], "n": own.shops.bit_count()})
    cells = names_of(_tower_sites(before.player, move, after))
    if cells:
        yield effect("VF-33", "carries", {"cell": move.cell, "cells": cells}, (Fact(cells),))


def _church_funding(own: Town, after: State, values: dict[str, Value]) -> Effect:
    """`VF-42`: the element of a church that the shops pay for now; if all churches share them, the further shops."""
    n, evidence = own.shops.bit_count(), (Fact(names_of(own.shops)),)
    if after.readings["church_funding"] == "cumulative" and (n > len(ELEMENTS) or _several_churches(own)):
        paid = shops_needed(after, own, 1) - 1
        if paid < n:
            return effect("VF-42", "shared", {**values, "paid": paid, "more": n - paid}, evidence)
        return effect("VF-42", "spent", {**values, "paid": paid, "missing": paid + 1 - n}, evidence)
    return effect("VF-42", ELEMENTS[n - 1] if n <= len(ELEMENTS) else "enough", values, evidence)


def _several_churches(town: Town) -> bool:
    """Whether churches beside the unfinished one use shops too: else the reading makes no difference yet."""
    return bool(town.churches) or (town.naves | town.doubles).bit_count() > 1


def _tower_sites(player: int, move: Roof | BellTower, after: State) -> int:
    """The free cells beside a shop where only the majority could keep its player from a noble tower, or `VF-35`."""
    player_state = after._replace(player=player)
    if player_state.readings["shared_shop"] == "refused" and GRID.edges(move.bits) & noble_cells(
        player_state.towns[player]
    ):
        return 0
    view = BoardView(player_state)
    sites = (
        NOBLE_STOREYS[cell]
        for cell in members(GRID.edges(move.bits) & view.free & view.isolated_land & view.walled_land)
    )
    with_shops = (site for site in sites if shop_for_each(player_state, site) is None)
    return cell_set(site.site[0] for site in with_shops if circulation(player_state, site) is None)


def noble(before: State, move: CornerStorey | NobleStorey, after: State) -> Iterator[Effect]:
    """`VF-32`, `VF-35`: finished, or the number of storeys, and whether the majority lets it continue now."""
    colour, town = COLOURS[before.player], after.towns[before.player]
    if town.towers & ~before.towns[before.player].towers:
        yield effect("VF-32", "finished", {"cell": move.cell, "colour": colour}, (Fact((move.cell,)),))
    elif unfinished_towers(town) & move.bits:
        n = 2 if town.raised_towers & move.bits else 1
        yield effect("VF-32", "storeys", {"cell": move.cell, "n": n, "all": STOREYS}, (Fact((move.cell,)),))
        yield _continuation("VF-35", before.player, after, (move.cell,), (move.site,))


def nave(before: State, move: Rampart | Nave, after: State) -> Iterator[Effect]:
    """`VF-40`, `VF-42`, `VF-43`: missing pieces and shops, and whether the majority lets the church continue now."""
    town = after.towns[before.player]
    for cells, sites in unfinished_churches(town):
        if cells != move.cells:
            continue
        naves = 2 if town.doubles & move.pair else 1
        yield effect("VF-40", ELEMENTS[naves - 1], {"cells": cells}, (Fact(cells),))
        needed, n = shops_needed(after, town, naves + 1), town.shops.bit_count()
        if n < needed:
            values: dict[str, Value] = {"cells": cells, "needed": needed, "colour": COLOURS[before.player], "n": n}
            yield effect("VF-42", "wanting", values, (Fact(names_of(town.shops)),) if n else ())
        yield _continuation("VF-43", before.player, after, cells, sites)


def _continuation(
    rule: str, player: int, after: State, cells: tuple[str, ...], sites: tuple[tuple[int, ...], ...]
) -> Effect:
    """Whether a player's building could continue now, at the player's best site."""
    player_state = after._replace(player=player)
    counts = [(*influence(player_state, site), site) for site in sites]
    own, opponent, site = max(counts, key=lambda each: each[0] - each[1])
    values: dict[str, Value] = {"cells": cells, "colour": COLOURS[player], "own": own, "opponent": opponent}
    values["other"] = COLOURS[1 - player]
    return effect(rule, "goes_on" if own >= opponent else "waits", values, around(after, site))
