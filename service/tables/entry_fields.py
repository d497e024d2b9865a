"""The fields of a log's entries as their annotations declare them: the codec and the serializers follow from these.

A field is stored, and answered by the API, under its own name and as its type says. `Names` says what is otherwise.
"""

from __future__ import annotations

import typing
from typing import Any, Final, NamedTuple

HEAD: Final = ("number", "at", "by")
"""What every entry has. The log and the API write it themselves."""
REQUIRED: Final = object()
"""The default of a field that has none."""


class Names(NamedTuple):
    """A mark on a field: its name in the log and in the API, where that is another one.

    `is_hidden`: the API leaves it out. `null`: the log stores it as null, too. Else the log leaves out a field whose
    default is None where it is None; so a field that is added later changes no stored entry.
    """

    log: str = ""
    api: str = ""
    is_hidden: bool = False
    null: bool = False


class EntryField(NamedTuple):
    """A field: its names, its type, its default (`REQUIRED`: none), and whether it is stored where it is None."""

    name: str
    log: str
    api: str
    hint: Any
    default: object
    is_hidden: bool
    null: bool


def fields_of(kind: type) -> tuple[EntryField, ...]:
    """The fields of a named tuple in order; of an entry, those after its head."""
    # any JSON is stored as it is; its own type refers to itself, which `typing` does not resolve
    hints = typing.get_type_hints(kind, localns={"Json": object}, include_extras=True)
    defaults = getattr(kind, "_field_defaults", {})
    return tuple([_field(name, hint, defaults.get(name, REQUIRED)) for name, hint in hints.items() if name not in HEAD])


def _field(name: str, hint: Any, default: object) -> EntryField:
    """A field of its annotation."""
    base, *marks = typing.get_args(hint) if typing.get_origin(hint) is typing.Annotated else (hint,)
    names = next((mark for mark in marks if isinstance(mark, Names)), Names())
    null = names.null or default is not None
    return EntryField(name, names.log or name, names.api or name, base, default, names.is_hidden, null)
