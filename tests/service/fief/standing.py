"""Fief: effects that describe the table, checked by the score sheet and the position, for the law of readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.fief import GAME
from rules.fief.state import State
from service import schemas


def _short_alone(state: State, values: Mapping[str, Any]) -> bool:
    """Whether a player who may win alone lacks this many points, by the score sheet."""
    lines = (line for line in GAME.score(state) if (line.seat, line.rule) == (values["colour"], "FI-81"))
    return any(fact.counts["short"] == values["n"] for line in lines for fact in line.evidence)


def _short_together(state: State, values: Mapping[str, Any]) -> bool:
    """Whether two allies lack this many points."""
    lines = {line.seat: line for line in GAME.score(state) if line.rule == "FI-82" and line.evidence}
    return values["one"] in lines and lines[values["one"]].evidence[-1].counts.get("short") == values["n"]


def _stays(state: State, values: Mapping[str, Any]) -> bool:
    """Whether a player controls a village."""
    return values["village"] in schemas.plain(GAME.position(state))["control"].get(values["colour"], ())


STANDING: Mapping[tuple[str, str], Callable[[State, Mapping[str, Any]], bool]] = {
    ("FI-81", "short"): _short_alone,
    ("FI-81", "enough"): _short_alone,
    ("FI-82", "short"): _short_together,
    ("FI-82", "enough"): _short_together,
    ("FI-75", "kept"): _stays,
    ("FI-75", "not_his"): _stays,
}
"""Effects that describe the table afterwards, even where they are not mentioned -> whether they are true."""
