"""Addresses of clients and of this machine. Imported before gevent patches the sockets, so it imports none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
WITH_PORT: Final = re.compile(r"([0-9.]+):[0-9]{1,5}|\[([^\]]*)\](?::[0-9]{1,5})?")
"""An address as some proxies write it: with its port."""


def address_of(text: str) -> Address | None:
    """Parse an address of IPv4 (in either form) or IPv6, with or without a port. None for any other text."""
    written = WITH_PORT.fullmatch(text)
    try:
        found = ip_address((written[1] or written[2]) if written else text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def within(networks: Sequence[Network]) -> Callable[[str], bool]:
    """Whether an address is in one of these networks; False for an invalid address."""

    def contains(text: str) -> bool:
        address = address_of(text) if networks else None
        return address is not None and any(address in network for network in networks)

    return contains


def host_in_url(address: Address) -> str:
    """Format an address for a link."""
    return f"[{address}]" if address.version == 6 else str(address)
