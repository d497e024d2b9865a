"""The areas of an address: addresses that share one count."""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

from rules.caches import cache
from service.addresses import address_of

CACHED_ADDRESSES: Final = 4096
"""The maximum number of addresses with cached areas."""
HOMES: Final = ((64, 1), (56, 2), (48, 3))
"""Prefix lengths of IPv6 networks, and the number of homes that each network counts as.

A provider gives a home a /64, a /56 or a /48, which contains 65,536 /64s. If it gives each home only a /64, those in
one /48 are neighbours, who seldom play here at the same moment.
"""


class Area(NamedTuple):
    """Addresses that share one count: a name that does not reveal them, and the number of homes that they count as."""

    name: str
    homes: int


@cache(CACHED_ADDRESSES)  # so that refusing a flood costs little
def areas_of(text: str) -> tuple[Area, ...]:
    """The areas of an address, the smallest first. All invalid addresses share one area: clients can invent names."""
    address = address_of(text)
    if address is None:
        return (_area(b"", 1),)
    if address.version == 4:
        return (_area(address.packed, 1),)
    return tuple(_area(bytes([bits]) + address.packed[: bits // 8], homes) for bits, homes in HOMES)


def _area(packed: bytes, homes: int) -> Area:
    return Area(hashlib.sha256(packed).hexdigest(), homes)
