"""The layers of a drawn board, in groups: the server sends only the groups that the browser lacks.

The name of a group depends on its content, and a group ends where its last element says so (content-defined chunking).
So a piece that appears or disappears changes its own group, and no other.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from hashlib import blake2b
from sys import getsizeof
from typing import Final, NamedTuple
from zlib import crc32

from markupsafe import Markup

from rules.records import dataclass
from service.runtime.memory import WeightedCache

ONE_IN: Final = 24
"""One element in this many ends a group."""
SPREAD: Final = 2_654_435_761
"""Similar elements have similar checksums; multiplied by this (Knuth), their middle bits differ."""
MARK: Final = 6
"""Bytes of a mark: two of a thousand groups share one once in some hundred million pages."""
MAX_BYTES: Final = 6 * 2**20
"""The maximum bytes of cached groups, about four kilobytes each. A move leaves most groups as they were."""


def mark(*values: object) -> str:
    """A short hash of values, practically unique, which may stand in an id."""
    text = "\n".join(map(str, values)).encode("utf-8", "surrogatepass")
    return "m" + urlsafe_b64encode(blake2b(text, digest_size=MARK).digest()).decode()


class Element(NamedTuple):
    """An escaped element of a layer. `ends_group`: its group ends with it."""

    html: str
    ends_group: bool


def last(text: str, many: int = 1) -> bool:
    """Whether an element with a text ends its group, as `many` in `ONE_IN` elements do."""
    return (crc32(text.encode("utf-8", "surrogatepass")) * SPREAD >> 16) % ONE_IN < many


@dataclass(frozen=True, slots=True)
class LayerGroup:
    """Consecutive elements of a layer."""

    id: str
    html: Markup = field(repr=False)


@dataclass(frozen=True)  # without slots: `mark` is cached
class Layer:
    """A layer of a board."""

    groups: tuple[LayerGroup, ...]

    @cached_property
    def mark(self) -> str:
        """The mark of the layer's content."""
        return mark(*(group.id for group in self.groups))

    @classmethod
    def of(cls, layer: str, elements: Iterable[Element]) -> Layer:
        """Group the elements of a layer. No two groups of a page have the same name, whatever is in them."""
        used_ids: set[str] = set()
        found = []
        for group in _groups(elements):
            layer_group = _group(layer, tuple([element.html for element in group]))
            while layer_group.id in used_ids:
                layer_group = LayerGroup(mark(layer_group.id), layer_group.html)
            used_ids.add(layer_group.id)
            found.append(layer_group)
        return cls(tuple(found))

    def with_current(self, ids: Iterable[str]) -> Layer:
        """The layer with these links marked as current. The name of a group stays, since a script can mark its links
        too.
        """
        id_attributes = [f' id="{link}" ' for link in ids]
        return (
            Layer(tuple(_group_with_current(group, id_attributes) for group in self.groups)) if id_attributes else self
        )


_group_cache: Final[WeightedCache[tuple[str, tuple[str, ...]], LayerGroup]] = WeightedCache(
    MAX_BYTES, name=f"{__name__}._group"
)


def _group(layer: str, elements: tuple[str, ...]) -> LayerGroup:
    """A group of a layer, from elements that are escaped already."""
    layer_group = _group_cache.get((layer, elements))
    if layer_group is None:
        layer_group = LayerGroup(mark(layer, *elements), Markup("".join(elements)))  # noqa: S704  # as said
        _group_cache.put((layer, elements), layer_group, 2 * getsizeof(layer_group.html))  # the group, and its elements
    return layer_group


def _group_with_current(group: LayerGroup, id_attributes: Sequence[str]) -> LayerGroup:
    html = str(group.html)
    for each in id_attributes:
        html = html.replace(each, f'{each}aria-current="true" ')
    return LayerGroup(group.id, Markup(html))  # noqa: S704  # an id is put beside what is escaped


def _groups(elements: Iterable[Element]) -> Iterator[list[Element]]:
    group: list[Element] = []
    for element in elements:
        group.append(element)
        if element.ends_group:
            yield group
            group = []
    if group:
        yield group
