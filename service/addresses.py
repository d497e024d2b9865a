"""Addresses of clients and of this machine. Imported before gevent patches the sockets, so it imports none."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
CACHED_ADDRESSES: Final = 4096
"""The maximum number of addresses with cached areas."""
HOMES: Final = ((64, 1), (56, 2), (48, 3))
"""Of IPv6, the length of a network's prefix and as how many homes it counts.

A home has one network of 64 bits, or, as its provider likes, all of 56 or 48, which are 65,536 of 64. Those of a
provider that gives each home only one are neighbours, who seldom play here at the same moment.
"""


WITH_PORT: Final = re.compile(r"([0-9.]+):[0-9]{1,5}|\[([^\]]*)\](?::[0-9]{1,5})?")
"""How some proxies write an address: with the port that it came from."""


class Area(NamedTuple):
    """Addresses that share one count: a name that does not reveal them, and the number of homes that they count as."""

    name: str
    homes: int


@lru_cache(CACHED_ADDRESSES)  # who sends too many requests is refused at little cost
def areas_of(text: str) -> tuple[Area, ...]:
    """The areas of an address, the smallest first. Everything that is no address shares one area, since clients can
    invent names.
    """
    address = address_of(text)
    if address is None:
        return (_area(b"", 1),)
    if address.version == 4:
        return (_area(address.packed, 1),)
    return tuple(_area(bytes([bits]) + address.packed[: bits // 8], homes) for bits, homes in HOMES)


def _area(packed: bytes, homes: int) -> Area:
    return Area(hashlib.sha256(packed).hexdigest(), homes)


def address_of(text: str) -> Address | None:
    """Parse an address of IPv4 (in either form) or IPv6, with or without a port. None for any other text."""
    written = WITH_PORT.fullmatch(text)
    try:
        found = ip_address((written[1] or written[2]) if written else text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def within(networks: Sequence[Network]) -> Callable[[str], bool]:
    """Whether an address is in one of these networks; False for a text that is no address."""

    def contains(text: str) -> bool:
        address = address_of(text) if networks else None
        return address is not None and any(address in network for network in networks)

    return contains


def host_in_url(address: Address) -> str:
    """Format an address for a link."""
    return f"[{address}]" if address.version == 6 else str(address)
