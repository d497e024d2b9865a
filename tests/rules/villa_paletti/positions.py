"""Villa Paletti: partial positions as JSON, and every way to fill them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from rules.villa_paletti.state import Columns, OutColumns

BOX = {"small": 3, "hex": 1, "big": 1}
COLOURS = ("red", "blue", "yellow", "green")
Json = dict[str, Any]
FillingByName = dict[str, Any]
"""What is unknown, by its name -> what it is in a filling."""


def kinds() -> Iterator[tuple[str, str]]:
    yield from product(COLOURS, BOX)


def group(colour: str, shape: str, level: int, n: int, locked: int) -> Json:
    return {"colour": colour, "shape": shape, "level": level, "n": n, "locked": locked}


def of_kind(listed: list[Json], kind: tuple[str, str]) -> list[Json]:
    return [each for each in listed if (each["colour"], each["shape"]) == kind]


def numbers(here: list[Json], most: int) -> Iterator[list[tuple[int, int]]]:
    """Every number of columns in each of these groups, and of locked ones; no more than so many in all."""
    if not here:
        yield []
        return
    first, *rest = here
    for n in range(most + 1) if first["n"] == "?" else [first["n"]]:
        for others in numbers(rest, most - n) if n <= most else ():
            locks = range(n + 1) if "?" in (first["n"], first["locked"]) else [first["locked"]]
            yield from ([(n, locked), *others] for locked in locks)


def ways(partial: Json, kind: Any, neutral: str) -> Iterator[tuple[list[Columns], list[OutColumns], FillingByName]]:
    """Every way in which the columns of a kind can be: those that stand, those out of the game, what was unknown."""
    here, out = of_kind(partial["columns"], kind), of_kind(partial["out"], kind)
    if partial.get("rest") == "unknown":
        seen = {each["level"] for each in here}
        here = here + [
            {**group(kind[0], kind[1], level, 0, 0), "n": "?"}
            for level in range(partial["top"] + 1)
            if level not in seen
        ]
        out = out or [{"colour": kind[0], "shape": kind[1], "n": "?"}]
    known = sum(each["n"] for each in out if each["n"] != "?")
    open_out = any(each["n"] == "?" for each in out)
    for counts in numbers(here, BOX[kind[1]] - known):
        left = BOX[kind[1]] - sum(n for n, _ in counts)
        if left > known and not open_out:
            continue
        standing = [
            Columns(kind[0], kind[1], each["level"], *count)
            for each, count in zip(here, counts, strict=True)
            if count[0]
        ]
        named = "n" if kind[0] == neutral else kind[0]
        unknown = {
            f"{named} {kind[1]} {each['level']}": count
            for each, count in zip(here, counts, strict=True)
            if "?" in (each["n"], each["locked"])
        }
        gone = [OutColumns(kind[0], kind[1], left)] if left else []
        yield standing, gone, unknown | ({f"out {kind[0]} {kind[1]}": left} if open_out else {})


def facts(partial: Json, players: list[str]) -> Iterator[FillingByName]:
    """Every way in which the unknown facts can be."""
    can_be: dict[str, list[Any]] = {
        "due": players,
        "part": ["turn", "own"],
        "asked": [False, True],
        "holder": [None, *players],
        "previous": [None, *players],
    }
    unknown = [name for name in can_be if partial.get(name) == "?"]
    for values in product(*(can_be[name] for name in unknown)):
        yield dict(zip(unknown, values, strict=True))


def hide(position: Json, chance: Random) -> Json:
    """A position with something unknown: groups, whether anything stands there or not, locks, columns that are out,
    facts; or all of a few kinds of columns.
    """
    partial: Json = {**position, "columns": [dict(each) for each in position["columns"]], "out": list(position["out"])}
    if chance.random() < 0.2:
        gone = {chance.choice(COLOURS): chance.choice(("hex", "big", "small")) for _ in range(2)}
        partial["columns"] = [each for each in partial["columns"] if gone.get(each["colour"]) != each["shape"]]
        partial["out"] = [each for each in partial["out"] if gone.get(each["colour"]) != each["shape"]]
        partial["rest"] = "unknown"
    for _ in range(chance.randint(1, 5)):
        way = chance.choice(("group", "group", "group", "locks", "out", "fact"))
        if way == "fact":
            partial[chance.choice(("due", "part", "asked", "holder", "previous"))] = "?"
            continue
        colour = position["due"] if chance.random() < 0.5 else chance.choice(COLOURS)
        shape = chance.choice(("hex", "big", "small"))
        if way == "out" or (way == "group" and chance.random() < 0.6):
            partial["out"] = [each for each in partial["out"] if (each["colour"], each["shape"]) != (colour, shape)]
            partial["out"].append({"colour": colour, "shape": shape, "n": "?"})
        if way == "out":
            continue
        level = chance.choice((position["top"], chance.randint(0, position["top"])))
        here = next((each for each in of_kind(partial["columns"], (colour, shape)) if each["level"] == level), None)
        if way == "locks" and here is not None:
            here["locked"] = "?"
        else:
            partial["columns"] = [each for each in partial["columns"] if each is not here]
            partial["columns"].append({**group(colour, shape, level, 0, 0), "n": "?"})
    return partial


def move_to_ask(state: Any, partial: Json, chance: Random) -> str:
    """A move that a quarrel could be about: one at something unknown, or any other."""
    unknown = [each for each in partial["columns"] if "?" in (each["n"], each["locked"])]
    mine = [each for each in unknown if each["colour"] in state.players[state.player]]
    each = chance.choice(mine or unknown or partial["columns"])
    column = f"{each['colour']} {each['shape']}{chance.choice(('', '', '', '*'))} {each['level']}"
    other = chance.choice(partial["columns"])
    lost = f"{other['colour']} {other['shape']} {other['level']}"
    by = chance.choice(COLOURS)
    neutral = " ".join(column.split()[1:])
    moves = [column, column, f"x {column}", "floor", "floor", "floor -", "done", "crash red", "end"]
    moves += [f"floor ! {by} {column} ok", f"floor ! {by} {column} fail none", f"floor ! {by} {lost} fail {column}"]
    if state.neutral is not None:
        moves += 2 * [f"n {neutral}", f"n x {neutral}", f"n x {neutral} ! {by} {' '.join(lost.split()[1:])}"]
    return chance.choice(moves)
