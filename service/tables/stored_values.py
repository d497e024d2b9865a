"""Converts single values of a log's entries to JSON and back: times, findings, and the words of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Final, NoReturn, TypeVar

from rules.kernel import Fact, Facts, Finding, Ruling, Value
from rules.styled_name import StyledName
from service.types import Json, JsonObject

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


TOO_LATE: Final = 9_000
"""The first year in which a log rejects entries: the end of their lifetime would be an invalid date."""


class Foreign(ValueError):
    """A stored value has an unknown form: another release wrote it."""


class StoredObject(dict[str, Any]):
    """A stored object, of this version or another. A missing member raises `Foreign`."""

    def __missing__(self, name: str) -> NoReturn:
        raise Foreign(f"no {name!r}")


def require_type(kind: type[T], value: object) -> T:
    """The value, if it has exactly this type: a bool is no int. Raises `Foreign`."""
    if type(value) is kind:
        return value
    raise Foreign(f"{kind.__name__}: {value!r}")


def members(value: object) -> StoredObject:
    """A value as a stored object. Raises `Foreign`."""
    return StoredObject(require_type(dict, value))


def member_of(kind: type[E], value: object) -> E:
    """The member of an enumeration with this value. Raises `Foreign`."""
    found = next((each for each in kind if each.value == value), None)
    if found is None:
        raise Foreign(f"{kind.__name__}: {value!r}")
    return found


def value_among(known: Sequence[T], value: object) -> T:
    """The known value that is equal to this one. Raises `Foreign`."""
    found = next((each for each in known if each == value), None)
    if found is None:
        raise Foreign(f"{value!r}")
    return found


def pairs(value: object) -> list[list[object]]:
    """A list of lists of two. Raises `Foreign`."""
    pairs = [require_type(list, each) for each in require_type(list, value)]
    if any(len(each) != 2 for each in pairs):
        raise Foreign("pairs")
    return pairs


def typed_mapping(kind: type[T], value: object) -> dict[str, T]:
    """An object whose members are all of one type. Raises `Foreign`."""
    return {name: require_type(kind, member) for name, member in require_type(dict, value).items()}


def moment(value: object) -> datetime:
    """A time in UTC. Raises `Foreign`, also for a time without a zone, which cannot be compared."""
    try:
        at = datetime.fromisoformat(require_type(str, value))
        if at.tzinfo is not None and at.year < TOO_LATE:
            return at.astimezone(UTC)
    except (OverflowError, ValueError):
        pass
    raise Foreign(f"{value!r}")


def finding_json(finding: Finding) -> JsonObject:
    """A finding in its stored form."""
    facts = finding.facts
    return {
        "rule": finding.rule,
        "code": facts.code,
        "ruling": facts.ruling.value,
        "values": {name: _value_json(value) for name, value in facts.values.items()},
        "evidence": [[fact.cells, dict(fact.counts)] for fact in facts.evidence],
        "needs": facts.needs,
    }


def finding_of(value: object) -> Finding:
    """A finding from its stored form; JSON's lists become tuples again."""
    stored = members(value)
    evidence = pairs(stored.get("evidence", []))
    facts = Facts(
        require_type(str, stored.get("code", "")),
        {name: _value_of(value) for name, value in require_type(dict, stored.get("values", {})).items()},
        tuple(Fact(_value_of(require_type(list, cells)), typed_mapping(int, counts)) for cells, counts in evidence),
        member_of(Ruling, stored.get("ruling", "illegal")),
        tuple([require_type(str, each) for each in require_type(list, stored.get("needs", []))]),
    )
    return Finding(require_type(str, stored["rule"]), facts)


def _value_json(value: Value) -> Json:
    """A value in its stored form; a full name includes its words."""
    if type(value) is int or type(value) is str:
        return value
    if isinstance(value, StyledName):
        words = {name: _value_json(each) for name, each in value.values.items()}
        return {"name": str(value), "said": value.code, "values": words}
    return [_value_json(item) for item in value] if isinstance(value, tuple) else value


def _value_of(value: object) -> Any:
    """A value from its stored form."""
    if isinstance(value, dict):
        stored = StoredObject(value)
        words = {name: _value_of(each) for name, each in require_type(dict, stored["values"]).items()}
        return StyledName(require_type(str, stored["name"]), require_type(str, stored["said"]), words)
    return tuple(_value_of(item) for item in value) if isinstance(value, list) else value
