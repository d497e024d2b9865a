"""A death in Fief worked out a second time, naively, from the JSON of a position alone."""

from __future__ import annotations

from dataclasses import dataclass

from tests.rules.fief.oracle import Json, Table, is_queen, of_church


@dataclass(frozen=True)
class Legacy:
    """What a death leaves: who bears which fiefs, whose heirs are due, and who is what."""

    fiefs: frozenset[tuple[str, str]]
    estates: frozenset[str]
    king: str | None
    regent: str | None
    pope: str | None
    excommunicated_lords: frozenset[str]
    wed: frozenset[str]
    marked_lords: frozenset[str]
    church: frozenset[tuple[str, str]]
    princes: tuple[str, ...]
    arc: str | None
    arc_gone: bool
    dead: frozenset[str]


def left_by(position: Json) -> Legacy:
    """The same as a position shows it."""
    lords = position["lords"]
    marked = {mark: [lord["name"] for lord in lords if lord[mark]] for mark in ("king", "regent", "pope")}
    return Legacy(
        frozenset((fief, lord["name"]) for lord in lords for fief in lord["fiefs"]),
        frozenset(estate["lord"] for estate in position["estates"]),
        next(iter(marked["king"]), None),
        next(iter(marked["regent"]), None),
        next(iter(marked["pope"]), None),
        frozenset(lord["name"] for lord in lords if lord["excommunicated"]),
        frozenset(lord["name"] for lord in lords if lord.get("spouse")),
        frozenset(lord["name"] for lord in lords if lord["marked"]),
        frozenset((lord["name"], f"{lord['bishop']} {lord.get('cardinal')}") for lord in lords if of_church(lord)),
        tuple(name for _, name in sorted((lord["prince"], lord["name"]) for lord in lords if lord.get("prince"))),
        next((lord["name"] for lord in lords if lord["arc"]), None),
        position["arc_gone"],
        frozenset(position["dead"]),
    )


def murder(table: Table, position: Json, victim: Json, instigator: Json) -> Legacy:
    """What is left when one lord dies, in the order: all leave, then the crown, then the fiefs."""
    before = left_by(position)
    living = [lord for lord in position["lords"] if lord["name"] != victim["name"]]
    widowed = [lord["name"] for lord in living if lord.get("spouse") == victim["name"]]
    king, regent = crown(table, position, victim, living)
    family = [lord["name"] for lord in living if lord["player"] == victim["player"]]
    heirs = family or widowed
    fiefs = {(fief, name) for fief, name in before.fiefs if name != victim["name"]}
    if len(heirs) == 1:
        fiefs |= {(fief, heirs[0]) for fief in victim["fiefs"]}
    pope_died = victim["pope"]
    return Legacy(
        frozenset(fiefs),
        frozenset({victim["name"]} if victim["fiefs"] and len(heirs) > 1 else set()),
        king,
        regent,
        None if pope_died else before.pope,
        frozenset() if pope_died else before.excommunicated_lords - {victim["name"]},
        before.wed - {victim["name"], *widowed},
        (before.marked_lords | ({instigator["name"]} if table.readings["assassin_instigator"] == "named" else set()))
        - {victim["name"]},
        frozenset((name, titles) for name, titles in before.church if name != victim["name"]),
        tuple(name for name in before.princes if name not in {victim["name"], king}),
        None if victim["arc"] else before.arc,
        before.arc_gone or victim["arc"],
        before.dead | {victim["name"]},
    )


def crown(table: Table, position: Json, victim: Json, living: list[Json]) -> tuple[str | None, str | None]:
    """King and regent after a death."""
    before = left_by(position)
    if not victim["king"]:
        return before.king, before.regent if before.regent != victim["name"] else None
    any_of_them = table.readings["churchman_prince"] == "king"
    fit = [lord for lord in living if lord.get("prince") and (any_of_them or not of_church(lord))]
    princes = sorted((lord["prince"], lord["name"]) for lord in fit)
    if princes:
        return princes[0][1], None
    return None, next((lord["name"] for lord in living if is_queen(position, lord)), None)
