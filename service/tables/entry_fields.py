"""The fields of a log's entries, from their annotations: the codec and the serializers derive from these.

The log and the API write a field under its own name and by its type, unless `Names` says otherwise.
"""

from __future__ import annotations

import typing
from typing import Any, Final, NamedTuple

HEAD: Final = ("number", "at", "by")
"""The fields of every entry. The log and the API write them separately."""
REQUIRED: Final = object()
"""The default of a field without one."""


class Names(NamedTuple):
    """A mark on a field: its name in the log and in the API, if different.

    `is_hidden`: the API omits it. `null`: the log stores None as null. Otherwise the log omits a None whose default is
    None, so that a field that is added later changes no stored entry.
    """

    log: str = ""
    api: str = ""
    is_hidden: bool = False
    null: bool = False


class EntryField(NamedTuple):
    """A field: its names, its type, its default (`REQUIRED`: none), and whether the log stores None as null."""

    name: str
    log: str
    api: str
    hint: Any
    default: object
    is_hidden: bool
    null: bool


def fields_of(kind: type) -> tuple[EntryField, ...]:
    """The fields of a named tuple in order; for an entry, without its head."""
    # JSON is stored unchanged; its type is recursive, which `typing` does not resolve
    hints = typing.get_type_hints(kind, localns={"Json": object}, include_extras=True)
    defaults = getattr(kind, "_field_defaults", {})
    return tuple([_field(name, hint, defaults.get(name, REQUIRED)) for name, hint in hints.items() if name not in HEAD])


def _field(name: str, hint: Any, default: object) -> EntryField:
    """A field from its annotation."""
    base, *marks = typing.get_args(hint) if typing.get_origin(hint) is typing.Annotated else (hint,)
    names = next((mark for mark in marks if isinstance(mark, Names)), Names())
    null = names.null or default is not None
    return EntryField(name, names.log or name, names.api or name, base, default, names.is_hidden, null)
